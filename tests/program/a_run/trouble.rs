//! Trouble between the step and GitHub: races, lost replies, rate limits, and permanent refusals.

use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use answers::Marker;
use protocol::settle::settle;
use protocol::{RepoConfig, Trigger};
use table::IssueNumber;
use testkit::place;
use testkit::server::{Canned, Delivery, Server, TOKEN, canned, graphql_error, message, proper};
use testkit::world::{Request, RequestFault, World, default_config, run};

use super::{Runner, created_payload, new_world, request_kinds, world_behind, world_with_table};

/// The id of the first comment in the issue of [`world_with_table`].
const COMMENT: u64 = 5_000_000_002;

/// Checks several cases in parallel, because they mostly wait.
fn for_each_in_parallel<T: Send>(cases: impl IntoIterator<Item = T>, check: impl Fn(T) + Sync) {
    std::thread::scope(|scope| {
        for case in cases {
            scope.spawn(|| check(case));
        }
    });
}

/// Asserts that there is exactly one commit and one answer for alice's move.
#[track_caller]
fn assert_settled_once(world: &World) {
    let lines = world.headlines();
    assert_eq!(lines.iter().filter(|line| line.contains("alice (X) played b2")).count(), 1, "{lines:?}");
    let answers = world.answers(1);
    assert!(answers.len() == 2 && answers[1].contains("played `b2`"), "{answers:?}");
}

#[test]
fn retries_after_losing_a_race() {
    let world = world_with_table();
    world.after(Request::Read, |world| drop(world.race()));
    let server = Server::start(world.clone());
    Runner::new(&server).comment_and_run(1, "alice", "/move b2").succeeds();
    assert_eq!(world.pending(), 0);
    assert_eq!(request_kinds(&world)[..4], [Request::Read, Request::Commit, Request::Read, Request::Commit]);
    assert_eq!(world.headlines()[2..], ["Something else", "Table 1: alice (X) played b2"]);
    assert_settled_once(&world);
}

#[test]
fn does_not_commit_a_move_that_a_rival_made_first() {
    let (world, rival) = (world_with_table(), world_with_table());
    rival.comment(1, "alice", "/move b2");
    let server = Server::start(rival.clone());
    Runner::new(&server).run_for_comment(1, COMMENT).succeeds();
    let record = rival.file("state/1.json").unwrap();
    // Another run has read the same comment, and commits its move first.
    world.after(Request::Read, move |world| drop(world.land(&[("state/1.json", &record)])));
    answer_at_read(&world, 2);
    let server = Server::start(world.clone());
    Runner::new(&server).comment_and_run(1, "alice", "/move b2").succeeds();
    assert_eq!(world.headlines()[2..], ["Something else"]);
    assert_eq!((world.pending(), world.answers(1).len()), (0, 2));
}

/// Posts another run's answer to alice's move after this read.
fn answer_at_read(world: &World, nth: usize) {
    world.after_nth(Request::Read, nth, |world| {
        let source = place(1, COMMENT);
        let answer =
            Marker { source, table: IssueNumber::new(1), commit: world.head(), has_board: false, sets_away: false }
                .prepend_to("**alice** (X) played `b2`.");
        world.change(|state| drop(state.post_comment(1, &answer)));
    });
}

#[test]
fn a_sweep_stays_green_at_the_rate_limit() {
    let limit = || canned(403, message("API rate limit exceeded for installation."));
    let reset = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs() + 2_400;
    for kind in [Request::Sweep, Request::Read] {
        let world = world_with_table();
        for _ in 0..3 {
            world.open_issue("dave", "/new tic-tac-toe");
        }
        let server = Server::start(world.clone());
        server.glitch(kind, limit().header("x-ratelimit-remaining", 0).header("x-ratelimit-reset", reset));
        let ran = Runner::new(&server).run_event("schedule", &testkit::payloads::schedule());
        let warning = "::warning title=Play by Commit::the sweep ended early, and the next run continues: GitHub asked the bot to \
                       wait: API rate limit exceeded for installation\n";
        assert!(ran.code == Some(0) && ran.out.contains(warning), "{ran:?}");
        assert_eq!(
            (server.pending(), request_kinds(&world).last()),
            (0, (kind == Request::Sweep).then_some(&Request::Read))
        );
    }
}

/// The runner's clock is a day ahead or behind, and the daily run uses GitHub's.
#[test]
fn a_wrong_clock_takes_nobodys_game() {
    let day = Duration::from_secs(24 * 60 * 60);
    for (played, is_late) in [(3_600, false), (27 * 3_600, true)] {
        let world = world_behind(day);
        world.open_issue("alice", "/new tic-tac-toe @bob per-move=1d");
        world.comment(1, "bob", "/join");
        world.comment(1, "alice", "b2");
        world.comment(1, "bob", "a1");
        world.comment(1, "alice", "c3");
        let config = RepoConfig { pages: Vec::new(), ..default_config() };
        run(settle(&world, &config, Trigger::Issue(IssueNumber::new(1)))).unwrap().unwrap();
        world.change(|state| state.now += played * 1_000);
        let world = Arc::new(world);
        let server = Server::start(world.clone());
        let ran = Runner::new(&server).run_event("schedule", &testkit::payloads::schedule());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(world.file("state/1.json").unwrap().contains("\"type\": \"flag\""), is_late, "{ran:?}");
        let direction = if is_late { "3 hours behind" } else { "23 hours ahead of" };
        let note = format!("this runner's clock is {direction} GitHub's, so the bot used GitHub's");
        assert_eq!(ran.out.matches(&note).count(), 1, "{ran:?}");
    }
}

#[test]
fn a_lost_reply_duplicates_nothing() {
    let cases = [
        (Request::Read, false, false),
        (Request::Commit, false, false),
        // The commit landed: no run commits it again, and the next run waits for its answer before it posts one.
        (Request::Commit, true, true),
        (Request::Answer, true, false),
        (Request::Answer, false, true),
    ];
    for_each_in_parallel(cases, |(request, applied, elsewhere)| {
        let world = world_with_table();
        world.fail(request, RequestFault::Lost { applied });
        if elsewhere {
            answer_at_read(&world, 2);
        }
        let server = Server::start(world.clone());
        let ran = Runner::new(&server).comment_and_run(1, "alice", "/move b2");
        assert!(ran.succeeds().err.contains("WARN"), "{request:?} {applied}: {ran:?}");
        assert_eq!(world.pending(), 0, "{request:?} {applied}");
        assert_settled_once(&world);
    });
}

#[test]
fn a_broken_connection_is_a_lost_reply() {
    for_each_in_parallel([Delivery::Cut, Delivery::Breaks], |delivery| {
        let world = world_with_table();
        let server = Server::start(world.clone());
        server.glitch(Request::Answer, proper().delivery(delivery));
        server.glitch(Request::Read, canned(200, "").delivery(delivery));
        let ran = Runner::new(&server).comment_and_run(1, "alice", "/move b2");
        assert!(ran.succeeds().err.contains("The connection to 127.0.0.1:"), "{delivery:?}: {ran:?}");
        assert_eq!(server.pending(), 0);
        assert_settled_once(&world);
    });
}

#[test]
fn waits_for_a_rate_limit() {
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
    for_each_in_parallel(cases, |(request, answer)| {
        let world = world_with_table();
        let server = Server::start(world.clone());
        server.glitch(request, answer.header("retry-after", 1));
        let before = Instant::now();
        let ran = Runner::new(&server).comment_and_run(1, "alice", "/move b2");
        assert!(ran.succeeds().err.contains("GitHub asked the bot to wait"), "{request:?}: {ran:?}");
        assert!(before.elapsed() >= Duration::from_secs(1), "{request:?}");
        assert_eq!(server.pending(), 0);
        assert_settled_once(&world);
    });
}

#[test]
fn waits_a_minute_for_a_rate_limit_without_a_time() {
    let world = world_with_table();
    let server = Server::start(world.clone());
    for _ in 0..9 {
        server.glitch(Request::Read, canned(403, message("You have exceeded a secondary rate limit.")));
    }
    let runner = Runner::new(&server);
    let id = world.comment(1, "alice", "/move b2");
    let mut step = runner.step("issue_comment", &created_payload(&world, 1, id).to_string());
    let mut child = step.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let began = Instant::now();
    while server.seen().is_empty() && began.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(20));
    }
    // The run waits for a minute. Three seconds are enough to see that it neither tries again nor gives up.
    std::thread::sleep(Duration::from_secs(3));
    assert_eq!((server.seen().len(), child.try_wait().unwrap()), (1, None));
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Asserts that the step fails with this message after this reply, and writes nothing.
#[track_caller]
fn assert_fails(request: Request, answer: Canned, words: &str) {
    let world = world_with_table();
    let server = Server::start(world.clone());
    server.glitch(request, answer);
    let ran = Runner::new(&server).comment_and_run(1, "alice", "/move b2");
    ran.fails_with(words);
    assert_eq!((server.pending(), world.headlines().len(), world.answers(1).len()), (0, 2, 1), "{ran:?}");
}

#[test]
fn a_permanent_refusal_says_what_the_host_can_do() {
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
        assert_fails(request, answer, words);
    }
}

#[test]
fn reports_a_token_that_github_rejects() {
    let world = world_with_table();
    let server = Server::start(world.clone());
    let ran = Runner::new(&server).with("PLAY_BY_COMMIT_TOKEN", "ghs_Another").comment_and_run(1, "alice", "/move b2");
    ran.fails_with("GitHub doesn't accept the token (Bad credentials). Check the input `token`.");
    assert!(!format!("{ran:?}").contains("ghs_Another"));
    assert_eq!(server.seen().len(), 1);
}

#[test]
fn reports_a_missing_permission_to_answer() {
    let world = world_with_table();
    let server = Server::start(world.clone());
    server.glitch(Request::Answer, canned(403, message("Resource not accessible by integration")));
    let ran = Runner::new(&server).comment_and_run(1, "alice", "/move b2");
    ran.fails_with("permissions: contents: write");
    assert_eq!((world.headlines().len(), world.answers(1).len()), (3, 1));
}

#[test]
fn settles_a_locked_thread_and_warns_the_host() {
    let world = world_with_table();
    world.comment(1, "alice", "/move b2");
    world.lock(1);
    let server = Server::start(world.clone());
    let ran = Runner::new(&server).run_for_comment(1, COMMENT);
    assert_eq!((ran.code, world.headlines().len()), (Some(0), 3), "{ran:?}");
    assert!(ran.out.starts_with("::warning title=Play by Commit::the bot can't answer in issue 1: "), "{ran:?}");
}

#[test]
fn never_overwrites_an_unreadable_record() {
    let world = world_with_table();
    let intact = world.file("state/1.json").unwrap();
    let damaged: [(String, Option<bool>, &str); 7] = [
        (intact.clone(), Some(true), "state/1.json"),
        (intact.clone(), Some(false), "state/1.json"),
        (intact[..intact.len() / 2].to_owned(), None, "state/1.json is damaged"),
        (intact.replace("\"playing\"", "\"draw\""), None, "`status`"),
        (intact.replace("\"round\": 1", "\"round\": 1, \"extra\": 1"), None, "`extra`"),
        (intact.replace("\"issue\": 1", "\"issue\": 2"), None, "`issue`"),
        (intact.replace("\"schema\": 2", "\"schema\": 99"), None, "`schema`"),
    ];
    for (text, unreadable, words) in damaged {
        assert!(text != intact || unreadable.is_some(), "{words}: nothing is damaged");
        let world = world_with_table();
        world.land(&[("state/1.json", &text)]);
        if let Some(cut_short) = unreadable {
            world.change(|state| state.unreadable.insert("state/1.json".to_owned(), cut_short));
        }
        let head = world.head();
        let server = Server::start(world.clone());
        let ran = Runner::new(&server).comment_and_run(1, "alice", "/move b2");
        ran.fails_with("state/1.json is damaged, so nothing was written").fails_with(words);
        assert_eq!((world.head(), request_kinds(&world)), (head, vec![Request::Read]));
    }
}

#[test]
fn creates_a_missing_branch_but_no_first_commit() {
    let world = std::sync::Arc::new(new_world());
    world.open_issue("alice", "Anyone?");
    world.use_branch("play");
    let server = Server::start(world.clone());
    let runner = Runner::new(&server).with("PLAY_BY_COMMIT_BRANCH", "play");
    runner.comment_and_run(1, "alice", "/new tic-tac-toe").succeeds();
    assert_eq!(world.headlines(), ["Begin", "Table 1: alice (X) started tic-tac-toe"]);
    assert_eq!(request_kinds(&world)[..3], [Request::Read, Request::Files, Request::MakeBranch]);
    assert!(world.with_state(|state| state.branches["main"] != state.branches["play"]));

    for branch in ["", "play"] {
        let world = std::sync::Arc::new(new_world());
        world.open_issue("alice", "Anyone?");
        world.change(|state| state.branches.clear());
        let server = Server::start(world.clone());
        let runner = Runner::new(&server).with("PLAY_BY_COMMIT_BRANCH", branch);
        runner
            .comment_and_run(1, "alice", "/new tic-tac-toe")
            .fails_with("The repository is empty: it needs a first commit.");
        assert!(world.answers(1).is_empty());
    }
}

#[test]
fn writes_nothing_while_a_record_is_missing() {
    let world = world_with_table();
    let commit = world.head().unwrap();
    world.change(|state| {
        let parent = state.commits[commit.as_str()].parent.clone().unwrap();
        state.branches.insert("main".to_owned(), parent);
    });
    let server = Server::start(world.clone());
    let runner = Runner::new(&server);
    let id = world.comment(1, "alice", "/move b2");
    // A run accepts a missing record only after 20 seconds of reading, and writes nothing until then.
    let mut child = runner
        .step("issue_comment", &created_payload(&world, 1, id).to_string())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_secs(5));
    child.kill().unwrap();
    child.wait().unwrap();
    let kinds = request_kinds(&world);
    assert!(kinds.len() > 1 && kinds.iter().all(|kind| *kind == Request::Read), "{kinds:?}");
}
