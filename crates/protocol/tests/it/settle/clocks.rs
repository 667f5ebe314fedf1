//! Games whose players run out of time: the daily run ends them once, and never against a move in time.

use protocol::settle_error::SettleError;
use testkit::Millis;
use testkit::scenario::Scenario;
use testkit::world::{Request, RequestFault};

const HOUR: Millis = 60 * 60_000;

/// Returns a repository with a game in which both have moved and bob has a day, and no request in its log.
fn clocked_game() -> Scenario {
    let world = Scenario::played("/new tic-tac-toe @bob per-move=1d", &["alice: b2", "bob: a1", "alice: c3"]);
    world.clear_log();
    world
}

trait Clocked {
    fn wait(&self, hours: u64);
    /// Returns the number of flags in the record and of their announcements in the thread.
    fn flags(&self) -> [usize; 2];
}

impl Clocked for Scenario {
    fn wait(&self, hours: u64) {
        self.change(|state| state.now += hours * HOUR);
    }

    fn flags(&self) -> [usize; 2] {
        let announced =
            self.answers(1).iter().filter(|text| text.starts_with("<!-- play-by-commit notice flag ")).count();
        [self.record(1).matches("\"type\": \"flag\"").count(), announced]
    }
}

#[test]
fn a_move_in_time_counts_although_no_run_saw_it() {
    let world = clocked_game();
    world.wait(23);
    world.comment(1, "bob", "a2");
    world.wait(100);
    world.sweep().unwrap();
    assert_eq!((world.moves(1).len(), world.flags()), (4, [0, 0]));
    // Alice has known that it's her turn since then only, so she has a day from now.
    world.wait(23);
    world.sweep().unwrap();
    assert_eq!(world.flags(), [0, 0]);
    world.wait(2);
    world.sweep().unwrap();
    assert_eq!(world.flags(), [1, 1]);
    // A move in another issue counts, too.
    let world = clocked_game();
    world.wait(23);
    world.open_issue("bob", "/move a2 #1");
    world.wait(100);
    world.sweep().unwrap();
    assert_eq!((world.moves(1).len(), world.flags()), (4, [0, 0]));
}

#[test]
fn a_flag_takes_seven_requests_at_most() {
    let requests = |games: usize| {
        let world = Scenario::new();
        for _ in 0..games {
            let issue = world.open("alice", "/new tic-tac-toe @bob per-move=1d");
            for (login, text) in [("alice", "b2"), ("bob", "a1"), ("alice", "c3")] {
                world.post(issue, login, text);
            }
        }
        world.wait(30);
        world.clear_log();
        world.sweep().unwrap();
        assert_eq!(world.flags(), [1, 1]);
        world.count(Request::Any)
    };
    let (one, five) = (requests(1), requests(5));
    // The sweep also reads each of these issues once.
    assert!(five - one <= 4 * 7, "{one} requests for one game, {five} for five");
}

#[test]
fn no_flag_falls_while_something_is_left() {
    // Another game can't be settled.
    let world = clocked_game();
    world.open("carol", "/new hex");
    let damaged = world.record(2);
    world.land(&[("state/2.json", "{}")]);
    world.wait(30);
    assert!(matches!(world.sweep(), Err(SettleError::Sweep(_))));
    assert_eq!(world.flags(), [0, 0]);
    world.land(&[("state/2.json", &damaged)]);
    world.sweep().unwrap();
    assert_eq!(world.flags(), [1, 1]);
    // Nobody can write in a locked issue.
    let world = clocked_game();
    world.issue(1, |issue| issue.locked = true);
    world.wait(30);
    world.sweep().unwrap();
    assert_eq!(world.flags(), [0, 0]);
}

#[test]
fn faults_let_a_flag_fall_once() {
    for applied in [false, true] {
        for kind in [Request::Read, Request::Folder, Request::Files, Request::Commit, Request::Answer] {
            for nth in 1..5 {
                let world = clocked_game();
                world.wait(30);
                world.fail_nth(kind, nth, RequestFault::Lost { applied });
                world.sweep().unwrap();
                world.sweep().unwrap();
                assert_eq!(world.flags(), [1, 1], "{kind:?} {nth}");
                assert!(world.with_state(|state| state.issues[&1].closed));
            }
        }
    }
    // The run dies before it has announced the flag, and the next one does.
    for applied in [false, true] {
        let world = clocked_game();
        world.wait(30);
        world.fail(Request::Answer, RequestFault::Killed { applied });
        assert!(world.try_run(protocol::repo_config::Trigger::Sweep).is_none());
        world.sweep().unwrap();
        assert_eq!(world.flags(), [1, 1]);
    }
}

#[test]
fn rounds_from_before_end_by_a_claim_only() {
    let world =
        Scenario::played("/new chess @bob per-move=1d fen=4k3/8/8/8/8/8/8/K5Q1_w_-_-_0_1", &["alice: Qg7", "bob: Kd8"]);
    let record = world.record(1);
    let older = record.replace(", \"flags\": true", "");
    assert_ne!(record, older);
    world.land(&[("state/1.json", &older)]);
    world.wait(30);
    world.sweep().unwrap();
    assert!(world.table(1).is_playing());
    world.post(1, "bob", "/claim");
    // His bare king won then, and the record still says so.
    assert!(world.reply(1).contains("**bob** (Black) won"), "{}", world.reply(1));
}

#[test]
fn time_away_reaches_every_game() {
    let world = clocked_game();
    let second = world.open("bob", "/new hex @alice per-move=2d");
    world.post(second, "bob", "f6");
    world.wait(20);
    world.clear_log();
    world.post(1, "bob", "/away 3d");
    assert_eq!(world.count(Request::Any), 8, "{:?}", world.log());
    let file = |issue: u64| world.file(&format!("state/running/{issue}.json")).unwrap();
    assert!(file(1).contains("\"away\"") && file(second).contains("\"away\""), "{}", file(second));
    // A game that he starts while he's away knows it, too.
    let third = world.open("bob", "/new othello @alice per-move=1d");
    assert!(file(third).contains("\"away\""), "{}", file(third));
    // So does a game that he joins.
    let fourth = world.open("alice", "/new checkers per-move=1d");
    world.post(fourth, "bob", "/join");
    assert!(file(fourth).contains("\"away\""), "{}", file(fourth));
    world.wait(60);
    world.sweep().unwrap();
    assert_eq!(world.flags(), [0, 0]);
    world.wait(20);
    world.sweep().unwrap();
    assert_eq!(world.flags(), [1, 1]);
    // Time away that is over leaves the files with the next move.
    world.post(second, "alice", "e5");
    world.post(second, "bob", "d5");
    assert!(!file(second).contains("\"away\""), "{}", file(second));
}

/// The answer about a turn stays in the old issue, and the game moves to a new one.
#[test]
fn a_game_that_moves_after_an_outage_ends_for_nobody() {
    let world = clocked_game();
    world.wait(23);
    world.comment(1, "bob", "a2");
    world.wait(100);
    world.sweep().unwrap();
    let issue = world.open("bob", "/continue #1");
    world.sweep().unwrap();
    assert!(world.table(issue).is_playing());
    world.wait(25);
    world.sweep().unwrap();
    assert!(world.table(issue).is_over());
}

/// A move in another issue that the bot settles late doesn't start the opponent's clock in the past.
#[test]
fn time_away_stops_the_clock_of_a_late_run() {
    let world = clocked_game();
    let other = world.open_issue("bob", "/move a2 #1");
    world.wait(30);
    // Alice learns of her turn late, and goes away before her day is over.
    world.settle(other, 0);
    world.wait(20);
    world.post(1, "alice", "/away 3d");
    world.wait(30);
    world.sweep().unwrap();
    assert_eq!(world.flags(), [0, 0]);
    world.post(1, "bob", "/claim");
    assert!(world.table(1).is_playing(), "{}", world.reply(1));
    world.wait(60);
    world.sweep().unwrap();
    assert_eq!(world.flags(), [1, 1]);
}

#[test]
fn a_late_run_starts_no_clock_in_the_past() {
    let world = clocked_game();
    let other = world.open_issue("bob", "/move a2 #1");
    world.post(1, "bob", "c2");
    world.post(1, "alice", "b3");
    world.wait(30);
    // By then it's too late, and his flag may fall, but alice's clock hasn't run for 30 hours.
    world.settle(other, 0);
    world.post(1, "bob", "/claim");
    assert!(world.table(1).is_playing(), "{}", world.reply(1));
    assert!(world.reply(1).contains("Your opponent still has 1 day"), "{}", world.reply(1));
    world.post(1, "bob", "/computer");
    assert!(world.table(1).is_playing() && !world.record(1).contains("seatComputer"), "{}", world.reply(1));
    world.wait(25);
    world.post(1, "bob", "/computer");
    assert!(world.record(1).contains("seatComputer"), "{}", world.reply(1));
}
