//! Games whose issue was deleted or transferred: the daily run ends them, once, and never because of a stale read or an outage.

use std::sync::Arc;
use std::time::Duration;

use protocol::SettleError;
use standings::result_of;
use table::dice::parse_secret;
use table::{IssueNumber, state_file};
use testkit::world::{Issue, Request, RequestFault, World};
use testkit::{Millis, Scenario};

const PAGE: &str = "<!-- play-by-commit:table 1 -->\n<!-- /play-by-commit:table -->\n\n\
    <!-- play-by-commit:tables -->\n<!-- /play-by-commit:tables -->\n";

const DAY: Millis = 24 * 60 * 60_000;

/// Returns a repository with a page, two games in progress, and no request in its log.
fn two_games() -> Scenario {
    let world = Scenario::new();
    world.land(&[("README.md", PAGE)]);
    for issue in [1, 2] {
        world.open("alice", "/new tic-tac-toe @bob");
        world.post(issue, "alice", "b2");
        world.post(issue, "bob", "a1");
    }
    world.sweep().unwrap();
    world.clear_log();
    world
}

/// Takes an issue away, and returns it.
fn take(world: &World, issue: u64) -> Arc<Issue> {
    world.change(|state| state.issues.remove(&issue)).expect("the issue")
}

/// Lets a week pass, with a daily run on each day but the last.
fn pass_a_week(world: &Scenario) {
    for _ in 0..7 {
        world.sweep().unwrap();
        world.change(|state| state.now += DAY);
    }
}

/// Checks that a sweep doesn't end the game of issue 1.
#[track_caller]
fn check_goes_on(world: &Scenario) {
    assert!(world.table(1).is_playing());
    assert!(world.file("state/running/1.json").is_some());
    assert!(world.readme().contains("[#1]"));
}

trait Readme {
    fn readme(&self) -> String;
}

impl Readme for Scenario {
    fn readme(&self) -> String {
        self.file("README.md").unwrap()
    }
}

#[test]
fn a_deleted_issue_leaves_the_lists_with_the_next_sweep() {
    let world = two_games();
    assert!(world.readme().contains("[#1]") && world.readme().contains("[#2]"));
    world.delete_comment(1, 0);
    pass_a_week(&world);
    world.with_state(|state| assert_eq!(state.paused, 0));
    assert!(world.table(1).is_playing());
    world.sweep().unwrap();
    let table = world.table(1);
    assert!(table.is_over() && result_of(&table).is_none() && table.rating_changes().is_none());
    assert!(world.record(1).contains("\"type\": \"issueGone\""), "{}", world.record(1));
    assert_eq!(state_file::load(&world.record(1), IssueNumber::new(1)).as_ref(), Ok(&table));
    assert_eq!(world.file("state/running/1.json"), None);
    assert!(!world.readme().contains("[#1]") && world.readme().contains("[#2]"), "{}", world.readme());
    assert!(!world.file("state/tables.json").unwrap().contains("\"issue\": 1,"));
    assert!(world.readme().contains("The issue of this game is gone, so the game ended without a result."));
    assert!(!world.readme().contains("rematch"), "{}", world.readme());
    let message = world.message().unwrap();
    assert!(message.starts_with("Table 1: the issue is gone, so the game ended without a result\n"), "{message}");
    assert!(!message.contains("Co-authored-by"), "{message}");
    assert_eq!(world.with_state(|state| state.paused), 20_000);
    // It happens once.
    let head = world.head();
    world.clear_log();
    world.sweep().unwrap();
    assert_eq!((world.head(), world.count(Request::Exists)), (head, 0));
    assert!(world.table(2).is_playing());
}

#[test]
fn an_issue_that_appears_again_keeps_its_game() {
    // A stale read lacks the issue, and a lookup finds it.
    let world = two_games();
    let issue = take(&world, 1);
    let stale = world.save();
    world.change(|state| {
        state.issues.insert(1, issue);
        // The list of issues doesn't have it, because nobody has commented for months.
        state.now += 365 * 24 * 60 * 60_000;
    });
    world.fail_nth(Request::Read, 2, stale);
    world.sweep().unwrap();
    assert!(!world.file("state/running/1.json").unwrap().contains("missingSince"));
    assert_eq!(world.pending(), 0);
    assert_eq!(world.with_state(|state| state.paused), 0);
    check_goes_on(&world);
    // For a while, no request finds the issue.
    for kind in [Request::Read, Request::Exists] {
        let world = two_games();
        let issue = take(&world, 1);
        pass_a_week(&world);
        let nth = if kind == Request::Read { 3 } else { 2 };
        world.before_nth(kind, nth, move |world| world.change(|state| drop(state.issues.insert(1, issue))));
        world.sweep().unwrap();
        assert_eq!(world.pending(), 0, "{kind:?}");
        check_goes_on(&world);
    }
}

/// GitHub doesn't show an issue for some days, because of an incident or because its author was taken for a spammer.
#[test]
fn an_issue_that_comes_back_within_a_week_keeps_its_game() {
    let world = two_games();
    for _ in 0..3 {
        let issue = take(&world, 1);
        for _ in 0..6 {
            world.sweep().unwrap();
            check_goes_on(&world);
            assert!(world.file("state/running/1.json").unwrap().contains("\"missingSince\": "));
            world.change(|state| state.now += DAY);
        }
        world.change(|state| drop(state.issues.insert(1, issue)));
        world.sweep().unwrap();
        check_goes_on(&world);
        assert!(!world.file("state/running/1.json").unwrap().contains("missingSince"));
        world.change(|state| state.now += DAY);
    }
    world.post(1, "alice", "c3");
    assert!(world.reply(1).contains("**alice** (X) played `c3`"), "{}", world.reply(1));
    // An outage of the bot on top of that.
    let issue = take(&world, 1);
    world.sweep().unwrap();
    world.change(|state| state.now += 5 * DAY);
    world.change(|state| drop(state.issues.insert(1, issue)));
    world.post(1, "bob", "a2");
    let issue = take(&world, 1);
    world.change(|state| state.now += 5 * DAY);
    world.sweep().unwrap();
    world.change(|state| drop(state.issues.insert(1, issue)));
    check_goes_on(&world);
}

#[test]
fn an_outage_ends_no_game() {
    for trouble in
        [RequestFault::Fatal("Issues are disabled for this repo"), RequestFault::RetryAfter(Duration::from_secs(600))]
    {
        let world = two_games();
        // So long that no run looks for the issue to remind a player.
        world.change(|state| state.now += 14 * DAY);
        world.delete_comment(1, 0);
        pass_a_week(&world);
        let head = world.head();
        let is_limit = matches!(trouble, RequestFault::RetryAfter(_));
        world.fail(Request::Exists, trouble);
        match world.sweep() {
            Ok(_) => assert!(is_limit),
            Err(error) => assert!(!is_limit && matches!(error, SettleError::Sweep(_)), "{error:?}"),
        }
        assert_eq!(world.head(), head);
        // The next sweep ends it.
        world.sweep().unwrap();
        assert!(world.table(1).is_over());
    }
}

#[test]
fn faults_end_a_game_once() {
    for applied in [false, true] {
        for kind in [Request::Read, Request::Folder, Request::Exists, Request::Files, Request::Commit] {
            for nth in 1..5 {
                let world = two_games();
                world.delete_comment(1, 0);
                pass_a_week(&world);
                world.fail_nth(kind, nth, RequestFault::Lost { applied });
                world.sweep().unwrap();
                let table = world.table(1);
                assert!(table.is_over(), "{kind:?} {nth}");
                assert_eq!(world.record(1).matches("issueGone").count(), 1);
                let headlines = world.headlines();
                assert_eq!(headlines.iter().filter(|line| line.contains("is gone")).count(), 1, "{headlines:?}");
            }
        }
    }
    // Somebody else commits first.
    let world = two_games();
    world.delete_comment(1, 0);
    world.before(Request::Commit, |world| drop(world.race()));
    pass_a_week(&world);
    world.before(Request::Commit, |world| drop(world.race()));
    world.sweep().unwrap();
    assert!(world.table(1).is_over());
}

/// The host may bring a record before its issue exists.
#[test]
fn a_record_that_waits_for_its_issue_stays() {
    let world = two_games();
    let moved = world.table(1).moved_by_host(IssueNumber::new(9));
    let running = world.file("state/running/1.json").unwrap().replace("\"issue\": 1,", "\"issue\": 9,");
    world.land(&[("state/9.json", &state_file::to_json(&moved)), ("state/running/9.json", &running)]);
    pass_a_week(&world);
    world.sweep().unwrap();
    assert!(world.table(9).is_playing());
    // Only the host can repair a damaged record.
    world.delete_comment(1, 0);
    world.land(&[("state/1.json", "{}")]);
    pass_a_week(&world);
    world.sweep().unwrap();
    assert_eq!(world.record(1), "{}");
}

#[test]
fn dice_show_their_key_unless_the_secret_is_gone() {
    for is_lost in [false, true] {
        let mut world = Scenario::new();
        world.config.policy.dice_secret = Some(parse_secret("a secret that is long enough to be one").unwrap());
        world.open("alice", "/new backgammon @bob");
        world.post(1, "bob", "/accept");
        if is_lost {
            world.config.policy.dice_secret = None;
        }
        world.delete_comment(1, 0);
        pass_a_week(&world);
        world.sweep().unwrap();
        assert!(world.table(1).is_over());
        assert_eq!(world.record(1).contains("\"key\": "), !is_lost);
    }
}

/// However many games there are, a sweep looks for fifty issues, ten at a time, and for those that are missing already.
#[test]
fn a_sweep_looks_for_fifty_more_issues() {
    let world = two_games();
    let game = world.file("state/running/1.json").unwrap();
    let texts: Vec<(String, String)> = (100..400)
        .map(|issue| {
            (format!("state/running/{issue}.json"), game.replace("\"issue\": 1,", &format!("\"issue\": {issue},")))
        })
        .collect();
    world.land(&texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect::<Vec<_>>());
    world.sweep().unwrap();
    world.clear_log();
    world.sweep().unwrap();
    // The head, two games, the pages, ten times ten issues, and the head before the commit.
    assert_eq!(world.count(Request::Read), 1 + 2 + 1 + 10 + 1);
    assert_eq!((world.count(Request::Exists), world.count(Request::Commit)), (100, 1));
}
