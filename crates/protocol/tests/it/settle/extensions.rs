//! `/extend`: the player who waits gives the opponent more time for one turn.

use table::{GameSummary, IssueNumber, Timestamp};
use testkit::world::Request;
use testkit::{Millis, Scenario};

const HOUR: Millis = 60 * 60_000;

/// Returns a game in which it's bob's turn, and he has a day.
fn clocked_game(options: &str) -> Scenario {
    let opening = format!("/new tic-tac-toe @bob {options}");
    Scenario::played(&opening, &["alice: b2", "bob: a1", "alice: c3"])
}

fn wait(world: &Scenario, hours: u64) {
    world.change(|state| state.now += hours * HOUR);
}

/// Returns when bob runs out of time, as the game's summary says.
fn deadline(world: &Scenario) -> Option<Timestamp> {
    GameSummary::parse(&world.file("state/running/1.json")?, IssueNumber::new(1)).unwrap().runs_out_at()
}

#[test]
fn one_commit_moves_the_deadline_everywhere() {
    let world = clocked_game("per-move=1d");
    let before = deadline(&world).unwrap();
    world.clear_log();
    world.post(1, "alice", "/extend 3d");
    assert_eq!((world.count(Request::Any), world.count(Request::Commit)), (3, 1));
    assert_eq!(deadline(&world).unwrap().since(before).as_secs(), 3 * 24 * 3_600);
    // It notifies nobody.
    assert!(!world.reply(1).contains("@bob"), "{}", world.reply(1));
    wait(&world, 90);
    world.sweep().unwrap();
    assert!(world.table(1).is_playing(), "{}", world.reply(1));
    wait(&world, 9);
    world.sweep().unwrap();
    assert!(world.table(1).is_over());
}

#[test]
fn time_that_no_run_saw_still_counts() {
    // In the thread, until the flag falls; in another issue, until the deadline.
    for (issue, hours, counts) in [(1, 23, true), (1, 25, true), (2, 23, true), (2, 25, false)] {
        let world = clocked_game("per-move=1d");
        wait(&world, hours);
        match issue {
            1 => _ = world.comment(1, "alice", "/extend 1d"),
            _ => _ = world.open_issue("alice", "/extend 1d #1"),
        }
        wait(&world, 30 - hours);
        world.sweep().unwrap();
        assert_eq!(world.table(1).is_playing(), counts, "in issue {issue} after {hours} hours: {}", world.reply(1));
    }
}

#[test]
fn a_locked_issue_loses_no_gift() {
    let world = clocked_game("per-move=1d");
    world.lock(1);
    wait(&world, 100);
    world.open("alice", "/extend 1d #1");
    assert!(world.record(1).contains(r#""type": "extend""#), "{}", world.reply(2));
    // Bob wasn't late, because his clock stood still.
    assert!(!world.record(1).contains("late"), "{}", world.record(1));
    wait(&world, 100);
    world.unlock(1);
    for (hours, is_playing) in [(0, true), (47, true), (2, false)] {
        wait(&world, hours);
        world.post(1, "alice", "/claim");
        assert_eq!(world.table(1).is_playing(), is_playing, "{}", world.reply(1));
    }
}

#[test]
fn a_gift_ends_no_silence() {
    let world = clocked_game("per-move=60d");
    wait(&world, 29 * 24);
    world.post(1, "alice", "/extend 1d");
    world.post(1, "alice", "/computer");
    assert!(world.table(1).players().computer().is_none(), "{}", world.reply(1));
    wait(&world, 2 * 24);
    world.post(1, "alice", "/computer");
    assert!(world.table(1).players().computer().is_some(), "{}", world.reply(1));
}

/// Giving a day at a time adds thirty events at most.
#[test]
fn nobody_fills_the_record_with_gifts() {
    let world = clocked_game("per-move=1d");
    for _ in 0..40 {
        world.post(1, "alice", "/extend 1d");
    }
    assert_eq!(world.record(1).matches(r#""type": "extend""#).count(), 30);
    // A rematch starts again at zero.
    world.post(1, "alice", "/resign");
    world.post(1, "bob", "/rematch");
    for (login, text) in [("bob", "b2"), ("alice", "a1"), ("alice", "/extend 30d")] {
        world.post(1, login, text);
    }
    assert!(world.reply(1).contains("30 days more"), "{}", world.reply(1));
}

#[test]
fn a_bank_pays_nothing_while_a_gift_lasts() {
    let world = clocked_game("per-move=1d bank=2d boardSize=5 kInRow=4");
    world.post(1, "alice", "/extend 2d");
    wait(&world, 4 * 24);
    world.post(1, "bob", "a2");
    world.post(1, "alice", "d4");
    assert!(world.reply(1).contains("and then 1 day in the bank"), "{}", world.reply(1));
}
