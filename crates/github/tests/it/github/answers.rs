//! Answers with updates: one request, of which each part can fail alone.

use std::sync::Arc;

use github::Settings;
use protocol::{
    Answer, AnswerOutcome, Assignee, COMMENTS_PER_PAGE, Forge, Label, NOT_ASSIGNED, PostOutcome, RequestError, Update,
};
use serde_json::json;
use table::{CommentId, IssueNumber, UserId};
use testkit::place;
use testkit::server::{Server, canned};
use testkit::world::{FailingPart, Request, RequestFault, World, run};

use super::{COMMENT, settings, with_github, world_with_comment};

const FIRST: IssueNumber = IssueNumber::new(1);
const SECOND: IssueNumber = IssueNumber::new(2);

/// An answer with every update that can come with one.
fn answer(world: &World) -> Answer {
    let minimize = Update::Minimize(place(1, COMMENT));
    let updates = updates(world).into_iter().chain([minimize]).collect();
    Answer { source: place(1, COMMENT), body: "Well played.".to_owned(), updates }
}

/// The updates that the bot also makes alone.
fn updates(world: &World) -> Vec<Update> {
    vec![
        Update::Rocket(place(1, COMMENT)),
        Update::Label(FIRST, Label::Game),
        Update::Unlabel(FIRST, Label::OpenSeat),
        Update::Title(FIRST, "Tic-tac-toe: alice – bob".to_owned()),
        Update::Unassign(FIRST, assignee(world, "carol")),
        Update::Assign(FIRST, assignee(world, "alice")),
        Update::Close(FIRST),
        Update::Close(SECOND),
    ]
}

fn assignee(world: &World, login: &str) -> Assignee {
    let id = world.with_state(|state| state.people[login].id);
    Assignee { id: UserId::new(id), login: login.to_owned() }
}

/// A repository with both labels and a second issue. The first issue has an open seat and is assigned to carol.
fn world() -> Arc<World> {
    let world = world_with_comment();
    world.open_issue("bob", "/new hex");
    world.change(|state| {
        state.person("alice");
        let carol = state.person("carol").id;
        state.label(1, "play-by-commit");
        state.remove_label(1, "play-by-commit");
        state.label(1, "looking-for-opponent");
        state.issue_mut(1).unwrap().assignees.insert(carol);
    });
    world
}

fn assigning(server: &Server) -> Settings {
    Settings { assign_turns: true, ..settings(server) }
}

/// Posts the answer over HTTP after a read, and returns the outcome and the number of requests for it.
fn post(server: &Server) -> (Result<AnswerOutcome, RequestError>, usize) {
    with_github(assigning(server), async |github| {
        github.read(&[FIRST, SECOND], &[], COMMENTS_PER_PAGE).await.unwrap();
        let before = server.seen().len();
        let outcome = github.answer(&answer(&server.world)).await;
        (outcome, server.seen().len() - before)
    })
}

/// Returns the answers, reactions, titles, labels, assignees, states and minimized comments in a repository.
fn effects(world: &World) -> String {
    let states = world.with_state(|state| {
        let states = state.issues.values().map(|issue| {
            let people = state.people.values().filter(|person| issue.assignees.contains(&person.id));
            let assigned: Vec<_> = people.map(|person| person.login.clone()).collect();
            let minimized: Vec<_> = issue.comments.iter().filter(|note| note.minimized).map(|note| note.id).collect();
            (issue.title.clone(), issue.labels.clone(), assigned, issue.closed, issue.reopened, minimized)
        });
        states.collect::<Vec<_>>()
    });
    format!("{:?} {:?} {states:?}", world.answers(1), world.reactions(1, COMMENT))
}

#[test]
fn posts_an_answer_with_all_updates_in_one_request() {
    let world = world();
    let server = Server::start(world.clone());
    let (outcome, requests) = post(&server);
    let posted = Some(CommentId::new(COMMENT + 1));
    assert_eq!(outcome, Ok(AnswerOutcome { comment: PostOutcome::Done, posted, failed_updates: Vec::new() }));
    assert_eq!(requests, 1);
    let expected = r#"["Well played."] ["rocket"] [("Tic-tac-toe: alice – bob", ["play-by-commit"], ["alice"], true, false, [5000000001]), ("", [], [], true, false, [])]"#;
    assert_eq!(effects(&world), expected);
    with_github(settings(&server), async |github| {
        let read = github.read(&[FIRST], &[], COMMENTS_PER_PAGE).await.unwrap();
        let minimized: Vec<bool> = read.threads[&FIRST].comments.iter().map(|comment| comment.is_minimized).collect();
        assert_eq!(minimized, [true, false]);
    });
}

/// The fake in memory is the referee: the same part fails there, without HTTP.
#[test]
fn any_part_fails_alone() {
    for part in 0..=9 {
        for runs_rest in [false, true] {
            let failure = || RequestFault::PartFails(FailingPart { part, runs_rest });
            let (over_http, in_memory) = (world(), world());
            over_http.fail(Request::Answer, failure());
            in_memory.fail(Request::Answer, failure());
            let (outcome, _) = post(&Server::start(over_http.clone()));
            assert_eq!(outcome, run(in_memory.answer(&answer(&in_memory))).unwrap(), "{part} {runs_rest}");
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
        let outcome = github.answer(&answer(&world)).await.unwrap();
        assert_eq!(outcome.comment, PostOutcome::Done);
        let why = format!("Could not resolve to a node with the global id of 'IC_700000001_1_{COMMENT}'");
        let failed = [Update::Rocket, Update::Minimize].map(|update| (update(place(1, COMMENT)), why.clone()));
        assert_eq!(outcome.failed_updates, failed);
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
        let alone = Answer { updates: Vec::new(), ..answer(&world) };
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
    assert!(world.with_state(|state| state.issues[&1].labels.iter().any(|label| label == "play-by-commit")));
}

#[test]
fn posts_by_rest_what_it_has_not_read() {
    let world = world();
    let server = Server::start(world.clone());
    with_github(settings(&server), async |github| {
        assert_eq!(github.answer(&answer(&world)).await.unwrap().comment, PostOutcome::Done);
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
            Err(RequestError::Lost(_)) => "lost",
            Err(RequestError::RetryAfter(..)) => "later",
            Err(fault) => panic!("{fault}"),
        };
        assert_eq!((seen, requests), (expected, 1), "{reply}");
    }
}

/// A repair makes one update at a time, by REST. The fake in memory is the referee again.
#[test]
fn makes_each_update_alone() {
    for update in updates(&world()) {
        let (over_http, in_memory) = (world(), world());
        let server = Server::start(over_http.clone());
        with_github(assigning(&server), async |github| github.update(&update).await.unwrap());
        run(in_memory.update(&update)).unwrap().unwrap();
        assert_eq!(effects(&over_http), effects(&in_memory), "{update}");
        assert_ne!(effects(&over_http), effects(&world()), "{update}");
    }
}

/// GitHub silently ignores an assignment to a person who has never commented in the issue.
#[test]
fn notices_an_ignored_assignment() {
    let world = world();
    world.change(|state| _ = state.person("erin"));
    let server = Server::start(world.clone());
    let update = Update::Assign(FIRST, assignee(&world, "erin"));
    with_github(assigning(&server), async |github| {
        assert!(
            matches!(github.update(&update).await, Err(RequestError::Fatal(problem)) if problem.to_string() == NOT_ASSIGNED)
        );
        // Her ID is known from another issue.
        let second = world.open_issue("erin", "/new chess");
        github.read(&[FIRST, IssueNumber::new(second)], &[], COMMENTS_PER_PAGE).await.unwrap();
        let outcome = github.answer(&Answer { updates: vec![update.clone()], ..answer(&world) }).await.unwrap();
        assert_eq!(outcome.failed_updates, [(update, NOT_ASSIGNED.to_owned())]);
    });
}

/// Without the input `assign`, a read asks for nothing more.
#[test]
fn reads_no_assignees_unless_they_are_wanted() {
    let world = world();
    let server = Server::start(world.clone());
    for (settings, wanted) in [(settings(&server), 0), (assigning(&server), 1)] {
        with_github(settings, async |github| {
            let read = github.read(&[FIRST], &[], COMMENTS_PER_PAGE).await.unwrap();
            assert_eq!(read.threads[&FIRST].assignees.len(), wanted);
        });
    }
}
