//! Limits: one person's flood of commands, too many searches, full issues.

use std::collections::BTreeSet;

use answers::Marker;
use protocol::{COMMENTS_PER_PAGE, GiveUpReason, SettleError};
use table::{engine, interpreted_count};
use testkit::world::{Request, World};
use testkit::{Scenario, short_or_long};

use super::{answered_comments, table};

/// The limit on one person's commands that a run answers without changing anything.
const MAX_ANSWERED_WITHOUT_CHANGE: usize = 20;

/// Returns the comments that have an answer, and checks that none has two.
#[track_caller]
fn comments_answered_once(world: &World, issue: u64) -> BTreeSet<u64> {
    let all = answered_comments(world, issue);
    let each: BTreeSet<u64> = all.iter().copied().collect();
    assert_eq!(all.len(), each.len(), "nothing is answered twice");
    each
}

#[test]
fn a_flood_does_not_hold_up_the_players() {
    let world = table();
    let before: Vec<u64> = (0..short_or_long(100, 700)).map(|_| world.comment(1, "mallory", "/board")).collect();
    let bob = world.comment(1, "bob", "a1");
    let after: Vec<u64> = (0..short_or_long(60, 500)).map(|_| world.comment(1, "mallory", "/move c3")).collect();
    let alice = world.comment(1, "alice", "c3");
    let all = before.len() + after.len();
    world.clear_log();
    let report = world.settle(1, alice);
    assert_eq!((report.applied, report.shown), (2, u32::try_from(MAX_ANSWERED_WITHOUT_CHANGE).unwrap()));
    assert_eq!(world.moves(1), ["b2", "a1", "c3"]);
    assert!(comments_answered_once(&world, 1).is_superset(&[bob, alice].into()));
    // The run reads the whole thread once. Then each command costs a read of the newest page.
    let pages = all.div_ceil(COMMENTS_PER_PAGE);
    assert!(world.count(Request::Page) <= pages, "{} pages", world.count(Request::Page));
    assert!(world.count(Request::Any) < 150, "{} requests", world.count(Request::Any));
    let mut runs = 1;
    // Two comments were answered before the flood, and two more are the players'.
    while comments_answered_once(&world, 1).len() < all + 4 {
        let had = comments_answered_once(&world, 1);
        world.sweep().unwrap();
        runs += 1;
        let new: Vec<u64> = comments_answered_once(&world, 1).difference(&had).copied().collect();
        assert_eq!(new.len(), MAX_ANSWERED_WITHOUT_CHANGE.min(all + 4 - had.len()), "run {runs}");
        let oldest = before.iter().chain(&after).filter(|id| !had.contains(id)).take(new.len());
        assert!(new.iter().eq(oldest), "the oldest first");
    }
    assert_eq!(runs, all / MAX_ANSWERED_WITHOUT_CHANGE);
    assert_eq!(world.moves(1), ["b2", "a1", "c3"]);
}

/// Returns a table of chess with alice as White, with these options, in issue 1.
fn chess(options: &str) -> Scenario {
    let world = Scenario::new();
    let issue = world.open_issue("alice", &format!("/new chess {options}"));
    world.settle(issue, 0);
    world
}

#[test]
fn moves_left_for_later_cause_no_search() {
    let world = chess("computer level=1");
    (0..MAX_ANSWERED_WITHOUT_CHANGE).for_each(|_| _ = world.comment(1, "alice", "/move zz9"));
    // Moves that become possible once Nf3 and the reply have been played.
    let waiting: Vec<&str> = ["/move Ng1", "Nd4", "/move Ng5"].into_iter().cycle().take(60).collect();
    waiting.iter().for_each(|text| _ = world.comment(1, "alice", text));
    world.comment(1, "alice", "/move Nf3");
    let board = world.comment(1, "bob", "/board");
    let before = engine::search_count();
    world.settle(1, board);
    assert!(answered_comments(&world, 1).contains(&board));
    assert_eq!(world.moves(1), ["Nf3"]);
    assert_eq!(engine::search_count() - before, 1, "the reply to Nf3");
}

#[test]
fn decides_again_after_a_lost_race_without_another_search() {
    let world = chess("computer level=1");
    let comment = world.comment(1, "alice", "e4");
    (1..=3).for_each(|nth| world.before_nth(Request::Commit, nth, |world| _ = world.race()));
    let before = engine::search_count();
    world.settle(1, comment);
    assert_eq!(world.moves(1), ["e4"]);
    assert_eq!(world.count(Request::Commit), 5, "the opening, three lost races, and the move");
    assert_eq!(engine::search_count() - before, 1);
}

#[test]
fn searches_once_for_hints_in_one_position() {
    let world = chess("seats=open");
    let asked: Vec<u64> = (0..60).map(|nth| world.comment(1, &format!("guest{}", nth % 10), "/hint")).collect();
    let before = engine::search_count();
    world.settle(1, asked[59]);
    assert!(comments_answered_once(&world, 1).is_superset(&asked.into_iter().collect()));
    assert_eq!(engine::search_count() - before, 1);
}

#[test]
fn interprets_each_waiting_comment_once() {
    for text in ["well, b2 or c3?", "/d{nth} 3 d3 pass", "/c3{nth}"] {
        let world = table();
        let lines = "d 3 or e5\n".repeat(50);
        for nth in 0..60 {
            let login = ["alice", "bob", "mallory"][nth % 3];
            world.comment(1, login, &format!("{}\n{lines}", text.replace("{nth}", &nth.to_string())));
        }
        let board = world.comment(1, "carol", "/board");
        let before = interpreted_count();
        world.settle(1, board);
        assert!(answered_comments(&world, 1).contains(&board));
        let interpreted = interpreted_count() - before;
        // An answer may give the comment below it another meaning.
        assert!((1..=65).contains(&interpreted), "{text}: {interpreted} times for 61 comments");
    }
}

#[test]
fn gives_up_if_every_read_is_too_slow() {
    let world = table();
    let comment = world.comment(1, "bob", "/board");
    world.change(|state| state.lag = 6_000);
    let ended = world.try_settle(1, comment).expect("the run ends");
    assert_eq!(ended, Err(SettleError::GaveUp(GiveUpReason::SlowReads)));
    assert!(world.count(Request::Any) < 30, "{} requests", world.count(Request::Any));
    world.change(|state| state.lag = 0);
    world.settle(1, comment);
    assert!(comments_answered_once(&world, 1).contains(&comment));
}

#[test]
fn settles_a_hundred_commands_and_notes_the_limit() {
    let world = table();
    let people: Vec<String> = (0..150).map(|n| format!("guest{n}")).collect();
    let asked: Vec<u64> = people.iter().map(|login| world.comment(1, login, "/board")).collect();
    let report = world.settle(1, asked[149]);
    assert_eq!((report.shown, report.notes.len()), (100, 1), "{:?}", report.notes);
    let report = world.sweep().unwrap();
    assert_eq!((report.shown, report.notes.len()), (50, 0));
    assert!(comments_answered_once(&world, 1).is_superset(&asked.into_iter().collect()));
}

#[test]
fn refuses_a_move_left_for_later_that_was_overtaken() {
    let world = table();
    world.post(1, "bob", "a1");
    // It isn't bob's turn, and one of his comments has to wait for a later run. By then it is his turn.
    let tries: Vec<u64> = (0..=MAX_ANSWERED_WITHOUT_CHANGE).map(|_| world.comment(1, "bob", "/move c1")).collect();
    world.post(1, "alice", "c3");
    assert_eq!(world.moves(1), ["b2", "a1", "c3"]);
    world.sweep().unwrap();
    assert_eq!(world.moves(1), ["b2", "a1", "c3"], "the last try came before c3");
    assert!(comments_answered_once(&world, 1).is_superset(&tries.into_iter().collect()));
    assert!(world.answers(1).last().unwrap().contains("had to wait"), "{:?}", world.answers(1).last());
    world.post(1, "bob", "/move c1");
    assert_eq!(world.moves(1), ["b2", "a1", "c3", "c1"]);
}

#[test]
fn warns_of_a_nearly_full_issue_and_continues_in_another() {
    let world = table();
    (0..2_290).for_each(|_| _ = world.comment(1, "carol", "chat"));
    world.post(1, "bob", "a1");
    let notice = |world: &World| world.answers(1).last().unwrap().contains("of at most 2500 comments");
    assert!(!notice(&world), "there is room yet");
    (0..10).for_each(|_| _ = world.comment(1, "carol", "chat"));
    world.post(1, "alice", "c3");
    assert!(notice(&world), "{}", world.answers(1).last().unwrap());
    assert!(world.answers(1).last().unwrap().contains("issues/new?title=Continue%20table%201&body=%2Fcontinue%20%231"));
    // The issue fills up completely.
    let full = 2_500 - world.with_state(|state| state.issues[&1].comments.len());
    (0..full).for_each(|_| _ = world.comment(1, "carol", "chat"));
    let fresh = world.open_issue("bob", "/continue #1");
    world.settle(fresh, 0);
    world.post(fresh, "bob", "a2");
    assert_eq!(world.moves(fresh), ["b2", "a1", "c3", "a2"]);
    let marker = Marker::parse(&world.answers(fresh)[0]).unwrap();
    assert_eq!((marker.table.get(), marker.source.comment.get()), (fresh, 0));
    assert!(world.with_state(|state| state.issues[&fresh].labels.contains(&"play-by-commit".to_owned())));
}

/// Some answers of the first round are on unsettled comments, because other commands had to wait.
#[test]
fn a_rematch_during_a_flood_does_not_look_like_a_lost_branch() {
    let world = table();
    // GitHub's times are in seconds, and no second is long enough for a whole game.
    world.change(|state| state.latency = 200);
    (0..MAX_ANSWERED_WITHOUT_CHANGE + 5).for_each(|_| _ = world.comment(1, "mallory", "/move c3"));
    world.comment(1, "bob", "a1");
    let resigns = world.open_issue("alice", "/resign #1");
    let asks = world.open_issue("bob", "/rematch #1");
    world.sweep().unwrap();
    assert_eq!(world.table(1).round(), 2);
    world.sweep().unwrap();
    assert_eq!(comments_answered_once(&world, 1).len(), MAX_ANSWERED_WITHOUT_CHANGE + 8);
    let notices = [1, resigns, asks].into_iter().flat_map(|issue| world.answers(issue));
    assert_eq!(notices.filter(|answer| answer.contains("older than this thread")).count(), 0);
}

#[test]
fn recovers_from_a_crash_while_a_table_moves() {
    for applied in [false, true] {
        let world = table();
        let fresh = world.open_issue("bob", "/continue #1");
        world.fail(Request::Answer, testkit::world::RequestFault::Killed { applied });
        assert!(world.try_settle(fresh, 0).is_none());
        world.sweep().unwrap();
        assert_eq!(answered_comments(&world, fresh), [0]);
        assert_eq!(world.moves(fresh), ["b2"]);
        world.post(fresh, "bob", "a1");
        assert_eq!(world.moves(fresh), ["b2", "a1"]);
    }
}
