//! Answers with updates: one request, of which each part can fail alone.

use std::sync::Arc;

use protocol::forge::{Answer, AnswerOutcome, COMMENTS_PER_PAGE, Fault, Forge, PostOutcome, Update};
use serde_json::json;
use table::ids::IssueNumber;
use testkit::place;
use testkit::server::{Server, canned};
use testkit::world::{FailingPart, Request, Trouble, World, run};

use super::{COMMENT, settings, with_github, world_with_comment};

const FIRST: IssueNumber = IssueNumber::new(1);
const SECOND: IssueNumber = IssueNumber::new(2);

/// An answer with every update: a rocket and a label for the first issue, and both issues close.
fn answer() -> Answer {
    Answer {
        source: place(1, COMMENT),
        body: "Well played.".to_owned(),
        updates: vec![
            Update::Rocket(place(1, COMMENT)),
            Update::Label(FIRST),
            Update::Close(FIRST),
            Update::Close(SECOND),
        ],
    }
}

/// A repository with the label, and a second issue.
fn world() -> Arc<World> {
    let world = world_with_comment();
    world.open_issue("bob", "/new hex");
    world.change(|state| {
        state.labels.insert("play-by-commit".to_owned());
    });
    world
}

/// Posts the answer over HTTP after a read, and returns the outcome and the number of requests for it.
fn post(server: &Server) -> (Result<AnswerOutcome, Fault>, usize) {
    with_github(settings(server), async |github| {
        github.read(&[FIRST, SECOND], &[], COMMENTS_PER_PAGE).await.unwrap();
        let before = server.seen().len();
        let outcome = github.answer(&answer()).await;
        (outcome, server.seen().len() - before)
    })
}

/// Returns the answers, reactions, labels and states in a repository.
fn effects(world: &World) -> String {
    let states = world.with_state(|state| {
        state.issues.values().map(|issue| (issue.labels.clone(), issue.closed, issue.reopened)).collect::<Vec<_>>()
    });
    format!("{:?} {:?} {states:?}", world.answers(1), world.reactions(1, COMMENT))
}

#[test]
fn posts_an_answer_with_all_updates_in_one_request() {
    let world = world();
    let server = Server::start(world.clone());
    let (outcome, requests) = post(&server);
    assert_eq!(outcome, Ok(AnswerOutcome { comment: PostOutcome::Done, failed_updates: Vec::new() }));
    assert_eq!(requests, 1);
    let expected = r#"["Well played."] ["rocket"] [(["play-by-commit"], true, false), ([], true, false)]"#;
    assert_eq!(effects(&world), expected);
}

/// The fake in memory is the referee: the same part fails there, without HTTP.
#[test]
fn any_part_fails_alone() {
    for part in 0..5 {
        for runs_rest in [false, true] {
            let failure = || Trouble::PartFails(FailingPart { part, runs_rest });
            let (over_http, in_memory) = (world(), world());
            over_http.fail(Request::Answer, failure());
            in_memory.fail(Request::Answer, failure());
            let (outcome, _) = post(&Server::start(over_http.clone()));
            assert_eq!(outcome, run(in_memory.answer(&answer())).unwrap(), "{part} {runs_rest}");
            assert_eq!(effects(&over_http), effects(&in_memory), "{part} {runs_rest}");
        }
    }
}

#[test]
fn an_update_of_something_deleted_fails_alone() {
    let world = world();
    let server = Server::start(world.clone());
    with_github(settings(&server), async |github| {
        github.read(&[FIRST, SECOND], &[], COMMENTS_PER_PAGE).await.unwrap();
        world.delete_comment(1, COMMENT);
        let outcome = github.answer(&answer()).await.unwrap();
        assert_eq!(outcome.comment, PostOutcome::Done);
        let why = format!("Could not resolve to a node with the global id of 'IC_1_{COMMENT}'");
        assert_eq!(outcome.failed_updates, [(Update::Rocket(place(1, COMMENT)), why)]);
    });
}

/// In a locked issue the reply has only an error, so the protocol posts the comment alone, by REST, to learn why.
#[test]
fn a_locked_issue_refuses_the_comment_only_when_it_is_alone() {
    let world = world();
    world.lock(1);
    let server = Server::start(world.clone());
    let (outcome, _) = post(&server);
    assert!(matches!(outcome.unwrap().comment, PostOutcome::Failed(_)));
    with_github(settings(&server), async |github| {
        let alone = Answer { updates: Vec::new(), ..answer() };
        assert!(matches!(github.answer(&alone).await.unwrap().comment, PostOutcome::Refused(_)));
    });
}

#[test]
fn creates_a_missing_label_by_rest() {
    let world = world();
    world.change(|state| state.labels.clear());
    let server = Server::start(world.clone());
    let (outcome, requests) = post(&server);
    assert!(outcome.unwrap().failed_updates.is_empty());
    assert_eq!(requests, 2);
    assert!(world.with_state(|state| state.issues[&1].labels == ["play-by-commit"]));
}

#[test]
fn posts_by_rest_what_it_has_not_read() {
    let world = world();
    let server = Server::start(world.clone());
    with_github(settings(&server), async |github| {
        assert_eq!(github.answer(&answer()).await.unwrap().comment, PostOutcome::Done);
    });
    assert_eq!(world.answers(1), ["Well played."]);
    assert!(server.seen().last().unwrap().path.ends_with("/issues/1/comments"));
}

#[test]
fn tells_a_failed_comment_from_a_lost_one() {
    let limit = json!({ "type": "RATE_LIMITED", "path": ["rocket0"], "message": "Slow down." });
    let made = json!({ "clientMutationId": null });
    let all_but = |missing: &str| {
        let mut data = json!({});
        for alias in ["comment", "rocket0", "label0", "close0", "close1"] {
            data[alias] = if alias == missing { json!(null) } else { made.clone() };
        }
        data
    };
    let error = |kind: &str| json!({ "type": kind, "path": ["comment"], "message": "No." });
    let cases = [
        (json!({ "data": all_but("rocket0"), "errors": [limit] }), "Done"),
        (json!({ "data": all_but("comment"), "errors": [error("UNPROCESSABLE")] }), "Failed"),
        (json!({ "data": all_but("comment"), "errors": [error("FORBIDDEN")] }), "Failed"),
        (json!({ "data": all_but("comment"), "errors": [error("INTERNAL")] }), "lost"),
        (json!({ "data": all_but("comment"), "errors": [error("RATE_LIMITED")] }), "later"),
        (json!({ "data": all_but("comment") }), "lost"),
        (json!({ "data": null, "errors": [{ "message": "Something went wrong." }] }), "lost"),
        // The server's schema lacks a field of the document, so nothing ran.
        (
            json!({ "errors": [{ "message": "Field doesn't exist", "extensions": { "code": "undefinedField" } }] }),
            "Failed",
        ),
    ];
    for (reply, expected) in cases {
        let server = Server::start(world());
        server.glitch(Request::Answer, canned(200, reply.to_string()));
        let (outcome, requests) = post(&server);
        let seen = match outcome.map(|outcome| outcome.comment) {
            Ok(PostOutcome::Done) => "Done",
            Ok(PostOutcome::Refused(_)) => "Refused",
            Ok(PostOutcome::Failed(_)) => "Failed",
            Err(Fault::Lost(_)) => "lost",
            Err(Fault::RetryAfter(..)) => "later",
            Err(fault) => panic!("{fault}"),
        };
        assert_eq!((seen, requests), (expected, 1), "{reply}");
    }
}
