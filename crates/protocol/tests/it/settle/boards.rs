//! One live board: an answer with a new board minimizes the older ones.

use answers::{Marker, Notice};
use table::IssueNumber;
use testkit::world::{FailingPart, Request, RequestFault, World};
use testkit::{Scenario, place};

use super::table;

/// Returns a thread with a letter for each comment: `o` for an answer with the board of a game in progress, `n` for a notice, `a`
/// for any other answer, and `.` for people's comments. A minimized comment has `x` instead.
fn thread(world: &World, issue: u64) -> String {
    world.with_state(|state| {
        let letters = state.issues[&issue].comments.iter().map(|note| {
            let is_ours = note.author.as_ref() == Some(&state.bot);
            match Marker::parse(&note.text).filter(|_| is_ours) {
                _ if note.minimized => 'x',
                Some(marker) if marker.has_board => 'o',
                Some(_) => 'a',
                None if is_ours && Notice::parse(&note.text).is_some() => 'n',
                None => '.',
            }
        });
        letters.collect()
    })
}

/// Shows a minimized comment again: the one at this index of the thread.
fn show(world: &World, issue: u64, index: usize) {
    world.issue(issue, |issue| issue.comments[index].minimized = false);
}

fn minimizing_fails(runs_rest: bool) -> RequestFault {
    // The answer has the comment, a rocket, and the older board.
    RequestFault::PartFails(FailingPart { part: 2, runs_rest })
}

#[test]
fn only_the_newest_board_stays() {
    let world = table();
    assert_eq!(thread(&world, 1), "x.o");
    world.post(1, "bob", "a1");
    assert_eq!(thread(&world, 1), "x.x.o");
    let requests: Vec<Request> = world.log().iter().map(|entry| entry.request).collect();
    assert_eq!(requests, [Request::Read, Request::Commit, Request::Answer]);
    world.post(1, "carol", "Nice!");
    world.post(1, "carol", "/board");
    assert_eq!(thread(&world, 1), "x.x.x..o");
}

#[test]
fn a_run_minimizes_its_own_boards() {
    let world = table();
    world.comment(1, "bob", "a1");
    let last = world.comment(1, "alice", "c3");
    world.settle(1, last);
    assert_eq!(thread(&world, 1), "x.x..xo");
    assert_eq!(world.count(Request::Any), 6, "{:?}", world.log());
}

#[test]
fn an_answer_that_moves_nothing_has_no_board() {
    let world = Scenario::played("/new chess @bob", &["alice: e4", "bob: e5"]);
    for (login, text) in [
        ("alice", "/draw"),
        ("bob", "/decline"),
        ("bob", "/undo"),
        ("alice", "/decline"),
        ("bob", "/if Nf3 Nc6"),
        ("bob", "/resign?"),
        ("alice", "Ke3"),
        ("alice", "/moves"),
        ("alice", "/time"),
    ] {
        world.post(1, login, text);
        assert!(!world.reply(1).contains("!["), "{text}: {}", world.reply(1));
        assert_eq!(thread(&world, 1).matches('o').count(), 1, "{text}: {}", thread(&world, 1));
    }
    world.post(1, "alice", "Nf3");
    assert!(world.reply(1).contains("!["));
    assert_eq!(thread(&world, 1).matches('o').count(), 1);
}

#[test]
fn automatic_rolls_show_the_board_if_there_is_a_roll() {
    let world = Scenario::played("/new backgammon @bob", &[]);
    for text in ["/autoroll", "/autoroll off"] {
        world.post(1, "bob", text);
        assert_eq!(world.reply(1).contains("!["), thread(&world, 1).ends_with('o'), "{text}: {}", world.reply(1));
    }
}

#[test]
fn the_last_board_of_a_game_stays() {
    let world = table();
    for (login, text) in [("bob", "a1"), ("alice", "a3"), ("bob", "a2"), ("alice", "c1")] {
        world.post(1, login, text);
    }
    assert!(world.table(1).is_over());
    assert_eq!(thread(&world, 1), "x.x.x.x.x.a");
    // `/board` shows it once more.
    world.post(1, "bob", "/board");
    world.post(1, "bob", "/rematch");
    assert_eq!(thread(&world, 1), "x.x.x.x.x.a.a.o");
    world.post(1, "bob", "b2");
    assert_eq!(thread(&world, 1), "x.x.x.x.x.a.a.x.o");
    world.post(1, "alice", "/resign");
    assert_eq!(thread(&world, 1), "x.x.x.x.x.a.a.x.x.a");
}

#[test]
fn a_fallen_flag_minimizes_the_board_before_it() {
    let world = Scenario::played("/new tic-tac-toe @bob per-move=1d", &["alice: b2", "bob: a1", "alice: c3"]);
    world.change(|state| state.now += 30 * 24 * 60 * 60_000);
    world.sweep().unwrap();
    assert_eq!(thread(&world, 1), "x.x.x.xn");
}

#[test]
fn the_next_answer_makes_up_for_a_failed_part() {
    for runs_rest in [true, false] {
        let world = table();
        world.fail(Request::Answer, minimizing_fails(runs_rest));
        world.post(1, "bob", "a1");
        assert_eq!(thread(&world, 1), "x.o.o");
        assert_eq!(world.count(Request::Any), 3);
        world.post(1, "alice", "c3");
        assert_eq!(thread(&world, 1), "x.x.x.o");
    }
}

/// Without its comment, an answer is posted again, alone.
#[test]
fn the_next_answer_makes_up_for_an_answer_without_updates() {
    let world = table();
    world.fail(Request::Answer, RequestFault::PartFails(FailingPart { part: 0, runs_rest: false }));
    world.post(1, "bob", "a1");
    assert_eq!(thread(&world, 1), "x.o.o");
    world.post(1, "alice", "c3");
    assert_eq!(thread(&world, 1), "x.x.x.o");
}

#[test]
fn a_board_that_somebody_shows_again_stays() {
    let world = table();
    world.post(1, "bob", "a1");
    show(&world, 1, 0);
    world.post(1, "alice", "a3");
    world.post(1, "bob", "a2");
    assert_eq!(thread(&world, 1), "o.x.x.x.o");
    // The board before the last one looks as if minimizing it had failed, so it's minimized once more.
    for expected in ["o.x.x.x.x.o", "o.x.x.o.x.x.o"] {
        show(&world, 1, 6);
        world.post(1, "carol", "/board");
        assert_eq!(thread(&world, 1), expected);
    }
}

#[test]
fn an_answer_minimizes_five_boards_at_most() {
    let mut world = table();
    world.config.policy.minimize_boards = false;
    for _ in 0..6 {
        world.post(1, "carol", "/board");
    }
    assert_eq!(thread(&world, 1), "x.o.o.o.o.o.o.o");
    world.config.policy.minimize_boards = true;
    world.post(1, "carol", "/board");
    assert_eq!(thread(&world, 1), "x.x.x.x.x.x.o.o.o");
    world.post(1, "carol", "/board");
    assert_eq!(thread(&world, 1), "x.x.x.x.x.x.x.x.x.o");
}

/// Nobody else's comment is minimized, whatever its first line says.
#[test]
fn only_the_bots_own_boards_are_minimized() {
    let world = table();
    let forged = Marker {
        source: place(1, 0),
        table: IssueNumber::new(1),
        commit: world.head(),
        has_board: true,
        sets_away: false,
    };
    world.post(1, "carol", &forged.prepend_to("![The board](https://github.example/a.svg)"));
    world.post(1, "other-app[bot]", &forged.prepend_to("A board."));
    world.post(1, "bob", "a1");
    assert_eq!(thread(&world, 1), "x.x...o");
}

/// In another issue, an answer minimizes only the boards of the same table there.
#[test]
fn boards_of_different_tables_are_apart() {
    let world = table();
    let other = world.open("carol", "/new tic-tac-toe @dave");
    world.post(other, "bob", "/move a1 #1");
    assert_eq!((thread(&world, 1), thread(&world, other)), ("x.o".to_owned(), "o.o".to_owned()));
    world.post(other, "carol", "b2");
    world.post(other, "alice", "/move c3 #1");
    assert_eq!((thread(&world, 1), thread(&world, other)), ("x.o".to_owned(), "x.x.o.o".to_owned()));
    world.post(1, "bob", "a2");
    assert_eq!(thread(&world, 1), "x.x.o");
}
