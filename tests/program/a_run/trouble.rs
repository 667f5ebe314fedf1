//! What goes wrong between the step and GitHub: races, lost answers, limits, and refusals for good.

use std::process::Stdio;
use std::time::{Duration, Instant};

use answers::marker::Marker;
use table::talk::comment::Source;
use testkit::server::{Canned, Manner, Server, TOKEN, canned, graphql_error, message, proper};
use testkit::world::{Request, Trouble, World};

use super::{Runner, created, kinds, new_world, table};

/// The comment that these tests are about: the first that anyone writes at [`table`].
const COMMENT: u64 = 5_000_000_002;

/// Looks at several cases at once: most of their time is spent waiting.
fn at_once<T: Send>(cases: impl IntoIterator<Item = T>, check: impl Fn(T) + Sync) {
    std::thread::scope(|scope| {
        for case in cases {
            scope.spawn(|| check(case));
        }
    });
}

/// Alice's move is there once, and so is its answer.
#[track_caller]
fn is_settled_once(world: &World) {
    let lines = world.headlines();
    assert_eq!(lines.iter().filter(|line| line.contains("alice (X) played b2")).count(), 1, "{lines:?}");
    let answers = world.answers(1);
    assert!(answers.len() == 2 && answers[1].contains("played `b2`"), "{answers:?}");
}

#[test]
fn a_rival_right_after_the_read_costs_a_second_try() {
    let world = table();
    world.after(Request::Read, |world| drop(world.race()));
    let server = Server::start(world.clone());
    Runner::of(&server).comment(1, "alice", "/move b2").is_done();
    assert_eq!(world.pending(), 0);
    assert_eq!(kinds(&world)[..4], [Request::Read, Request::Commit, Request::Read, Request::Commit]);
    assert_eq!(world.headlines()[2..], ["Something else", "Table 1: alice (X) played b2"]);
    is_settled_once(&world);
}

#[test]
fn a_move_that_a_rival_has_made_impossible_is_refused_and_not_committed() {
    let (world, rival) = (table(), table());
    rival.comment(1, "alice", "/move b2");
    let server = Server::start(rival.clone());
    Runner::of(&server).wake(1, COMMENT).is_done();
    let record = rival.file("state/1.json").unwrap();
    // The rival's run has seen the same comment and commits it first.
    world.after(Request::Read, move |world| drop(world.land(&[("state/1.json", &record)])));
    answer_at_read(&world, 2);
    let server = Server::start(world.clone());
    Runner::of(&server).comment(1, "alice", "/move b2").is_done();
    assert_eq!(world.headlines()[2..], ["Something else"]);
    assert_eq!((world.pending(), world.answers(1).len()), (0, 2));
}

/// After this read another run has answered alice's move.
fn answer_at_read(world: &World, nth: usize) {
    world.after_nth(Request::Read, nth, |world| {
        let source = Source { issue: 1, comment: COMMENT };
        let answer = Marker { source, table: 1, commit: world.head() }.prepend_to("**alice** (X) played `b2`.");
        world.change(|state| drop(state.answer(1, &answer)));
    });
}

#[test]
fn a_lost_answer_of_github_makes_nothing_twice() {
    let cases = [
        (Request::Read, false, false),
        (Request::Commit, false, false),
        // It has landed: nobody commits it again, and whoever looks next waits for its answer before giving one.
        (Request::Commit, true, true),
        (Request::Answer, true, false),
        (Request::Answer, false, true),
        (Request::React, false, false),
        (Request::React, true, false),
    ];
    at_once(cases, |(request, applied, elsewhere)| {
        let world = table();
        world.fail(request, Trouble::Lost { applied });
        if elsewhere {
            answer_at_read(&world, 2);
        }
        let server = Server::start(world.clone());
        let ran = Runner::of(&server).comment(1, "alice", "/move b2");
        assert!(ran.is_done().err.contains("WARN"), "{request:?} {applied}: {ran:?}");
        assert_eq!(world.pending(), 0, "{request:?} {applied}");
        is_settled_once(&world);
    });
}

#[test]
fn a_broken_connection_is_a_lost_answer() {
    at_once([Manner::Cut, Manner::Breaks], |manner| {
        let world = table();
        let server = Server::start(world.clone());
        server.glitch(Request::Answer, proper().manner(manner));
        server.glitch(Request::Read, canned(200, "").manner(manner));
        let ran = Runner::of(&server).comment(1, "alice", "/move b2");
        assert!(ran.is_done().err.contains("The connection to GitHub broke"), "{manner:?}: {ran:?}");
        assert_eq!(server.pending(), 0);
        is_settled_once(&world);
    });
}

#[test]
fn a_limit_is_waited_for() {
    let secondary =
        || message("You have exceeded a secondary rate limit. Please wait a few minutes before you try again.");
    let cases = [
        (Request::Read, canned(403, secondary())),
        (Request::Commit, canned(403, secondary())),
        (Request::Answer, canned(403, secondary())),
        (Request::Commit, canned(429, message("Too many requests"))),
        (Request::Read, canned(200, graphql_error("RATE_LIMITED", "API rate limit exceeded for installation"))),
        (Request::Commit, canned(200, graphql_error("RATE_LIMIT", "API rate limit already exceeded"))),
    ];
    at_once(cases, |(request, answer)| {
        let world = table();
        let server = Server::start(world.clone());
        server.glitch(request, answer.header("retry-after", 1));
        let before = Instant::now();
        let ran = Runner::of(&server).comment(1, "alice", "/move b2");
        assert!(ran.is_done().err.contains("GitHub asked the bot to wait"), "{request:?}: {ran:?}");
        assert!(before.elapsed() >= Duration::from_secs(1), "{request:?}");
        assert_eq!(server.pending(), 0);
        is_settled_once(&world);
    });
}

#[test]
fn a_limit_without_a_time_is_not_run_against() {
    let world = table();
    let server = Server::start(world.clone());
    for _ in 0..9 {
        server.glitch(Request::Read, canned(403, message("You have exceeded a secondary rate limit.")));
    }
    let runner = Runner::of(&server);
    let id = world.comment(1, "alice", "/move b2");
    let mut step = runner.step("issue_comment", &created(&world, 1, id).to_string());
    let mut child = step.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let began = Instant::now();
    while server.seen().is_empty() && began.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(20));
    }
    // It would be a minute; that is long enough to tell it from a run that tries again, or gives up.
    std::thread::sleep(Duration::from_secs(3));
    assert_eq!((server.seen().len(), child.try_wait().unwrap()), (1, None));
    child.kill().unwrap();
    child.wait().unwrap();
}

/// The step fails with these words after this answer, and nothing was written.
#[track_caller]
fn check_refused(request: Request, answer: Canned, words: &str) {
    let world = table();
    let server = Server::start(world.clone());
    server.glitch(request, answer);
    let ran = Runner::of(&server).comment(1, "alice", "/move b2");
    ran.failed(words);
    assert_eq!((server.pending(), world.headlines().len(), world.answers(1).len()), (0, 2, 1), "{ran:?}");
}

#[test]
fn a_refusal_for_good_says_what_the_host_can_do() {
    let integration = "Resource not accessible by integration";
    let permission = "Give the job `permissions: contents: write` and `issues: write`";
    let branch = "Set the input `branch:` to a branch for the games alone";
    for (request, answer, words) in [
        (Request::Read, canned(401, message("Bad credentials")), "Check the input `token`"),
        (Request::Read, canned(403, message(integration)), permission),
        (Request::Read, canned(403, message("Repository access blocked")), "Repository access blocked"),
        (Request::Read, canned(404, message("Not Found")), "404"),
        (Request::Read, canned(301, message("Moved Permanently")), "The repository has moved"),
        (Request::Read, canned(200, graphql_error("FORBIDDEN", integration)), permission),
        (Request::Read, canned(200, graphql_error("INSUFFICIENT_SCOPES", "Your token lacks a scope")), permission),
        (Request::Commit, canned(200, graphql_error("FORBIDDEN", integration)), permission),
        (Request::Commit, canned(200, graphql_error("FORBIDDEN", "Repository rule violations found")), branch),
        (
            Request::Commit,
            canned(200, graphql_error("BRANCH_PROTECTION_RULE_VIOLATION", "At least 1 approving review is required")),
            branch,
        ),
        (Request::Read, canned(403, message(&format!("The token {TOKEN} is no good"))), "The token *** is no good"),
        (
            Request::Read,
            canned(403, message("50% of\n::error::it\r\n::set-output x")),
            "50%25 of ::error::it ::set-output",
        ),
    ] {
        check_refused(request, answer, words);
    }
}

#[test]
fn the_token_is_checked_by_github() {
    let world = table();
    let server = Server::start(world.clone());
    let ran = Runner::of(&server).with("PLAY_BY_COMMIT_TOKEN", "ghs_Another").comment(1, "alice", "/move b2");
    ran.failed("GitHub doesn't accept the token (Bad credentials). Check the input `token`.");
    assert!(!format!("{ran:?}").contains("ghs_Another"));
    assert_eq!(server.seen().len(), 1);
}

#[test]
fn an_answer_that_may_not_be_given_is_for_the_host_to_see() {
    let world = table();
    let server = Server::start(world.clone());
    server.glitch(Request::Answer, canned(403, message("Resource not accessible by integration")));
    let ran = Runner::of(&server).comment(1, "alice", "/move b2");
    ran.failed("permissions: contents: write");
    assert_eq!((world.headlines().len(), world.answers(1).len()), (3, 1));
}

#[test]
fn a_locked_thread_is_settled_without_an_answer_and_the_host_is_told() {
    let world = table();
    world.comment(1, "alice", "/move b2");
    world.lock(1);
    let server = Server::start(world.clone());
    let ran = Runner::of(&server).wake(1, COMMENT);
    assert_eq!((ran.code, world.headlines().len()), (Some(0), 3), "{ran:?}");
    assert!(ran.out.starts_with("::warning title=Play by Commit::the bot can't answer in issue 1: "), "{ran:?}");
}

#[test]
fn a_record_that_cannot_be_read_is_not_written_over() {
    let world = table();
    let whole = world.file("state/1.json").unwrap();
    let damaged: [(String, Option<bool>, &str); 7] = [
        (whole.clone(), Some(true), "state/1.json"),
        (whole.clone(), Some(false), "state/1.json"),
        (whole[..whole.len() / 2].to_owned(), None, "state/1.json is damaged"),
        (whole.replace("\"playing\"", "\"draw\""), None, "`status`"),
        (whole.replace("\"round\": 1", "\"round\": 1, \"extra\": 1"), None, "`extra`"),
        (whole.replace("\"issue\": 1", "\"issue\": 2"), None, "`issue`"),
        (whole.replace("\"schema\": 2", "\"schema\": 99"), None, "`schema`"),
    ];
    for (text, unreadable, words) in damaged {
        assert!(text != whole || unreadable.is_some(), "{words}: nothing is damaged");
        let world = table();
        world.land(&[("state/1.json", &text)]);
        if let Some(cut_short) = unreadable {
            world.change(|state| state.unreadable.insert("state/1.json".to_owned(), cut_short));
        }
        let head = world.head();
        let server = Server::start(world.clone());
        let ran = Runner::of(&server).comment(1, "alice", "/move b2");
        ran.failed("state/1.json is damaged, so nothing was written").failed(words);
        assert_eq!((world.head(), kinds(&world)), (head, vec![Request::Read]));
    }
}

#[test]
fn a_missing_branch_is_made_and_a_missing_repository_is_not() {
    let world = std::sync::Arc::new(new_world());
    world.open_issue("alice", "Anyone?");
    world.use_branch("play");
    let server = Server::start(world.clone());
    let runner = Runner::of(&server).with("PLAY_BY_COMMIT_BRANCH", "play");
    runner.comment(1, "alice", "/new tic-tac-toe").is_done();
    assert_eq!(world.headlines(), ["Begin", "Table 1: alice (X) started tic-tac-toe"]);
    assert_eq!(kinds(&world)[..2], [Request::Read, Request::MakeBranch]);
    assert!(world.look(|state| state.branches["main"] != state.branches["play"]));

    for branch in ["", "play"] {
        let world = std::sync::Arc::new(new_world());
        world.open_issue("alice", "Anyone?");
        world.change(|state| state.branches.clear());
        let server = Server::start(world.clone());
        let runner = Runner::of(&server).with("PLAY_BY_COMMIT_BRANCH", branch);
        runner.comment(1, "alice", "/new tic-tac-toe").failed("The repository is empty: it needs a first commit.");
        assert!(world.answers(1).is_empty());
    }
}

#[test]
fn a_lost_branch_is_for_the_host_to_restore() {
    let world = table();
    let commit = world.head().unwrap();
    world.change(|state| {
        let parent = state.commits[commit.as_str()].parent.clone().unwrap();
        state.branches.insert("main".to_owned(), parent);
    });
    let server = Server::start(world.clone());
    let runner = Runner::of(&server);
    let id = world.comment(1, "alice", "/move b2");
    // It is believed after twenty seconds of reading; until then nothing is written.
    let mut child =
        runner.step("issue_comment", &created(&world, 1, id).to_string()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(5));
    child.kill().unwrap();
    child.wait().unwrap();
    let kinds = kinds(&world);
    assert!(kinds.len() > 1 && kinds.iter().all(|kind| *kind == Request::Read), "{kinds:?}");
}
