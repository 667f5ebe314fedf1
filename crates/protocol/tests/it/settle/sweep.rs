//! The daily run reads only what can be a game, and misses nothing that needs an answer.

use std::time::Duration;

use protocol::{HostNote, LISTED_COMMENTS, RequestError, Trigger};
use table::IssueNumber;
use testkit::Scenario;
use testkit::world::{Request, RequestFault};

use super::table;

/// A bug report whose lines begin with slashes, as paths do.
const BUG: &str =
    "It crashes.\r\n\r\n```\r\n/usr/lib/libgame.so\r\n/new tic-tac-toe\r\n```\r\n\r\n> /new tic-tac-toe\r\n";

/// Returns the numbers of the issues that were read.
fn read_issues(world: &Scenario) -> Vec<u64> {
    let reads = world.log().into_iter().filter(|entry| entry.request == Request::Read);
    let mut numbers: Vec<u64> = reads.filter_map(|entry| entry.about.split(", ").next()?.parse().ok()).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// Checks that a sweep left nothing to do: a run of any single issue writes nothing.
#[track_caller]
fn check_complete(world: &Scenario) {
    let issues: Vec<u64> = world.with_state(|state| state.issues.keys().copied().collect());
    world.clear_log();
    for issue in issues {
        world.try_run(Trigger::Issue(IssueNumber::new(issue))).expect("the run ends").expect("the run succeeds");
        let writes = world.log().into_iter().filter(|entry| entry.request != Request::Read);
        assert_eq!(writes.collect::<Vec<_>>(), [], "the sweep left something in issue {issue}");
    }
}

#[test]
fn six_hundred_bug_reports_and_a_game_cost_eleven_requests() {
    let world = table();
    for number in 2..=601 {
        world.open_issue("dave", BUG);
        world.comment(number, "erin", "Same here. Any news?");
    }
    world.sweep().unwrap();
    assert_eq!(read_issues(&world), [1]);
    // Seven lists, the game, the pages, and the names and summaries of the games in progress.
    assert_eq!(world.count(Request::Any), 11);
}

#[test]
fn a_sweep_misses_no_command() {
    let world = table();
    let record = world.record(1);
    for text in [BUG, "Something else.", "How do I start?", "### Game\n\ntic-tac-toe\n\n### Opponent\n\nbob\n"] {
        world.open_issue("carol", text);
    }
    // A command in a comment, and one with some comments below it.
    world.comment(3, "carol", "/new tic-tac-toe computer");
    world.comment(4, "carol", "/new hex");
    for number in 1..LISTED_COMMENTS {
        world.comment(4, "dave", &format!("Comment {number}"));
    }
    // Another word for /new, and a move by a link on a page.
    world.open_issue("erin", "/newgame tic-tac-toe");
    world.open_issue("bob", "/move a1 #1");
    // A record that was moved here by hand: no label, no command, and no answer of the bot.
    world.open_issue("alice", "Our game continues here.");
    world.land(&[("state/8.json", &record.replacen("\"issue\": 1", "\"issue\": 8", 1))]);
    world.comment(8, "bob", "c3");
    // A typo that gets an answer, and a path.
    world.open_issue("erin", "/nwe chess");
    world.open_issue("erin", "/usr/lib is full.");
    // A lost label.
    world.change(|state| std::sync::Arc::make_mut(state.issues.get_mut(&1).unwrap()).labels.clear());
    world.clear_log();
    world.sweep().unwrap();
    assert_eq!(read_issues(&world), [1, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!([1, 3, 4, 5, 8].map(|issue| world.moves(issue).len()), [2, 0, 0, 0, 2]);
    assert_eq!(world.with_state(|state| state.issues[&1].labels.clone()), ["play-by-commit"]);
    check_complete(&world);
}

#[test]
fn long_threads_without_a_table_are_not_read() {
    let world = table();
    world.open_issue("dave", BUG);
    for number in 0..3 * LISTED_COMMENTS {
        world.comment(2, "dave", &format!("Comment {number}"));
    }
    world.clear_log();
    world.sweep().unwrap();
    assert_eq!(read_issues(&world), [1]);
}

#[test]
fn lists_fewer_issues_at_once_if_the_list_is_too_long() {
    let world = table();
    for _ in 0..40 {
        world.open_issue("dave", &"Long. ".repeat(200));
    }
    world.comment(1, "bob", "a1");
    world.change(|state| state.longest_reply = Some(20_000));
    world.clear_log();
    world.sweep().unwrap();
    assert_eq!((world.moves(1).len(), read_issues(&world)), (2, vec![1]));
    check_complete(&world);
}

#[test]
fn a_sweep_ends_without_an_error_at_the_rate_limit() {
    for kind in [Request::Sweep, Request::Read, Request::Commit, Request::Answer] {
        let world = table();
        for _ in 0..5 {
            world.open_issue("dave", "/new tic-tac-toe");
        }
        world.clear_log();
        world.fail(kind, RequestFault::RetryAfter(Duration::from_secs(3_000)));
        let report = world.sweep().unwrap();
        let log = world.log();
        let limit = log.iter().position(|entry| matches!(entry.error, Some(RequestError::RetryAfter(..)))).unwrap();
        assert_eq!(log.len(), limit + 1, "no request after the limit: {log:#?}");
        assert!(matches!(report.notes.as_slice(), [HostNote::RateLimited(_)]), "{report:?}");
        assert_eq!(report.failures, []);
        world.sweep().unwrap();
        assert_eq!((2..=6).map(|issue| world.answers(issue).len()).collect::<Vec<_>>(), [1; 5]);
        check_complete(&world);
    }
    // A short wait isn't the end.
    let world = table();
    world.open_issue("dave", "/new tic-tac-toe");
    world.fail(Request::Read, RequestFault::RetryAfter(Duration::from_secs(60)));
    assert_eq!((world.sweep().unwrap().notes, world.answers(2).len()), (Vec::new(), 1));
}

#[test]
fn lists_an_issue_that_is_longer_than_a_list() {
    let world = table();
    world.open_issue("dave", BUG);
    for _ in 0..LISTED_COMMENTS {
        world.comment(2, "dave", &"Long. ".repeat(500));
    }
    world.comment(1, "bob", "a1");
    world.change(|state| state.longest_reply = Some(20_000));
    world.sweep().unwrap();
    assert_eq!(world.moves(1), ["b2", "a1"]);
}
