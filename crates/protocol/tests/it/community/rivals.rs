//! Several people at one page: they press links that were there when they looked, at the same time or one after the other.
//! What is legal when its turn comes is played, the rest is refused; nothing is applied twice or as one, nothing is lost.

use std::future::poll_fn;
use std::task::Poll;

use protocol::settle::settle;
use testkit::often;
use testkit::world::{Request, Trouble, World, run};

use super::{Chance, Page, Part, Town, commented, opened};
use testkit::browser::Form;

const SETUPS: [&str; 3] = ["tic-tac-toe seats=open", "tic-tac-toe 4x4 seats=open gap=0", "tic-tac-toe @bob"];

fn page() -> Page {
    Page { parts: vec![Part::Text("# Play\n\n"), Part::Table(1), Part::Text("\n")], crlf: false }
}

#[track_caller]
fn table(setup: &str) -> Town {
    let town = Town::new(&page().fresh());
    town.opens("alice", &format!("/new {setup}"));
    town
}

/// The README shows what the record says.
#[track_caller]
fn is_current(town: &Town) {
    assert_eq!(town.readme(), page().with(|_| Some(town.block(1)), |_| None));
}

#[test]
fn a_comment_in_any_issue_does_what_the_link_does() {
    let town = table("tic-tac-toe seats=open");
    let other = town.world.open_issue("carol", "A bug.");
    town.press("alice", &town.link("a1"));
    town.world.clear_log();
    let (comment, report) = town.says(other, "bob", "/move b2 #1");
    assert_eq!(report.applied, 1);
    assert_eq!(town.requests(), [Request::Read, Request::Commit, Request::Answer, Request::React]);
    let answers = town.world.answers(other);
    assert_eq!(answers.len(), 1);
    assert!(answers[0].contains("**bob** (O) played `b2`."), "{answers:?}");
    town.pictures_are_there(&answers[0]);
    assert!(!town.is_closed(other), "it was opened for something else");
    assert_eq!(town.world.reactions(other, comment), ["rocket"]);
    assert!(town.world.look(|state| state.issues[&other].labels.is_empty()), "it is no table");
    assert_eq!(town.moves(1), ["a1", "b2"]);
    is_current(&town);
    // The link does the same: but for the place, the two answers are alike.
    let linked = table("tic-tac-toe seats=open");
    linked.world.open_issue("carol", "A bug.");
    linked.press("alice", &linked.link("a1"));
    let (issue, _) = linked.press("bob", &linked.link("b2"));
    let text = |answer: &str| answer.lines().nth(1).map(str::to_owned);
    assert_eq!(text(&linked.one_answer(issue).1), text(&answers[0]));
    assert_eq!(linked.moves(1), town.moves(1));
}

#[test]
fn the_page_follows_whatever_happens_at_the_table() {
    let town = table("tic-tac-toe");
    town.press("alice", &town.link("b2"));
    for (login, text, shows) in [
        ("bob", "/join", "**bob**"),
        ("alice", "/undo", "It's bob's turn (O)"),
        ("bob", "/accept", "It's alice's turn (X)"),
        ("alice", "/move c3", "`c3`"),
        ("bob", "/draw", "It's bob's turn (O)"),
        ("alice", "/decline", "It's bob's turn (O)"),
        ("bob", "/move a1", "`a1`"),
        ("bob", "/resign", "**bob** (O) resigned. **alice** (X) won."),
        ("bob", "/rematch", ", round 2 at"),
    ] {
        for elsewhere in [true, false] {
            let before = town.readme();
            let commits = town.world.headlines().len();
            if elsewhere {
                // A look from somewhere else changes nothing.
                let (issue, report) = town.opens("carol", "/board #1");
                assert_eq!(report.shown, 1);
                town.one_answer(issue);
                assert_eq!((town.readme(), town.world.headlines().len()), (before, commits));
                continue;
            }
            let (_, report) = town.says(1, login, text);
            assert_eq!((report.applied, town.world.headlines().len()), (1, commits + 1), "{text}");
            assert!(town.readme().contains(shows), "{text}: {}", town.readme());
            // What is only asked or offered changes no board and no link.
            let only_words = ["/undo", "/draw", "/decline"].contains(&text);
            assert_eq!(town.readme() == before, only_words, "{text}");
            is_current(&town);
        }
    }
    town.world.as_maintainer("mona");
    town.says(1, "mona", "/abort");
    assert!(town.readme().contains("ended the game without a result"), "{}", town.readme());
    is_current(&town);
}

/// A table's last move came from an issue of its own, and its answer stands there. Where that issue is none of the newest any
/// more, it takes one read more to see that the answer is there; where it is gone, nobody is waiting for one, which is asked
/// for directly because a read can be older than the issue.
#[test]
fn the_issue_of_the_move_before_is_far_away_or_gone() {
    let [read, commit] = [Request::Read, Request::Commit];
    let end = [Request::Answer, Request::React, Request::Close];
    for (newer, gone, reads) in
        [(1, false, 1), (4, false, 1), (5, false, 2), (40, false, 2), (2, true, 2), (9, true, 2)]
    {
        let town = table("tic-tac-toe seats=open");
        let (issue, _) = town.press("alice", &town.link("b2"));
        (1..newer).for_each(|_| _ = town.world.open_issue("carol", "A bug."));
        if gone {
            town.world.delete_comment(issue, 0);
        }
        town.world.clear_log();
        let (issue, report) = town.press("bob", &town.link("a1"));
        assert_eq!((report.applied, report.repaired), (1, 0));
        let asked = vec![Request::Exists; usize::from(gone)];
        let log: Vec<Request> = [vec![read; reads], asked, vec![commit], end.to_vec()].concat();
        assert_eq!(town.requests(), log, "{newer} newer issues, {gone}");
        assert_eq!(town.world.look(|state| state.paused), 0, "nothing is waited for");
        town.one_answer(issue);
        is_current(&town);
    }
}

/// A run is killed when the move is committed and nobody has been told. Whoever presses next makes good.
#[test]
fn whoever_presses_next_makes_good_for_a_run_that_was_killed() {
    let town = table("tic-tac-toe seats=open");
    let before = town.events(1);
    let (first, second) = (town.link("b2"), town.link("a1"));
    let killed = town.world.open_issue("alice", &first.posted());
    town.world.fail(Request::Answer, Trouble::Dies { applied: false });
    assert!(town.wake(opened(&town.world, killed)).is_none());
    is_current(&town);
    let (issue, report) = town.press("bob", &second);
    assert_eq!((report.applied, report.repaired), (1, 1));
    let got = outcome(&town, &[killed, issue], before);
    assert_eq!(got, [Some("b2".to_owned()), Some("a1".to_owned())]);
}

/// Waits for so many turns of the others.
async fn later<T>(mut turns: usize, then: impl Future<Output = T>) -> T {
    poll_fn(|cx| {
        if turns == 0 {
            return Poll::Ready(());
        }
        turns -= 1;
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
    then.await
}

/// What came of several presses: the notations that are in the record now, and those whose issues say so.
#[track_caller]
fn outcome(town: &Town, issues: &[u64], before: usize) -> Vec<Option<String>> {
    let json = town.json(1);
    let events = json["history"].as_array().unwrap();
    let outcome: Vec<Option<String>> = issues
        .iter()
        .map(|issue| {
            let (marker, _) = town.one_answer(*issue);
            let mine: Vec<_> = events.iter().filter(|event| event["source"]["issue"] == *issue).collect();
            assert_eq!(
                mine.len(),
                usize::from(marker.commit.is_some()),
                "answered as it was decided, and applied once"
            );
            mine.first().map(|event| event["notation"].as_str().unwrap().to_owned())
        })
        .collect();
    let applied = outcome.iter().flatten().count();
    assert_eq!(events.len(), before + applied, "nothing is lost");
    is_current(town);
    outcome
}

/// People press links of the README as it is now, the nth so many turns later; all runs are under way at the same time.
#[track_caller]
fn at_once(town: &Town, presses: &[(&str, &str)], delays: &[usize]) -> Vec<Option<String>> {
    let before = town.events(1);
    let forms: Vec<Form> = presses.iter().map(|(_, notation)| town.link(notation)).collect();
    let issues: Vec<u64> =
        presses.iter().zip(&forms).map(|((login, _), form)| town.world.open_issue(login, &form.posted())).collect();
    town.world.interleave();
    let wakes: Vec<_> = issues.iter().map(|issue| opened(&town.world, *issue)).collect();
    let runs: Vec<_> = wakes
        .into_iter()
        .zip(delays)
        .map(|(wake, turns)| later(*turns, settle(&town.world, &town.place, wake)))
        .collect();
    let ended = run(all(runs)).expect("the runs end");
    ended.into_iter().for_each(|report| drop(report.expect("the run succeeds")));
    outcome(town, &issues, before)
}

/// Runs futures side by side.
async fn all<T>(futures: Vec<impl Future<Output = T>>) -> Vec<T> {
    let mut futures: Vec<_> = futures.into_iter().map(|future| (Box::pin(future), None)).collect();
    poll_fn(|cx| {
        for (future, ended) in futures.iter_mut().filter(|(_, ended)| ended.is_none()) {
            if let Poll::Ready(value) = future.as_mut().poll(cx) {
                *ended = Some(value);
            }
        }
        if futures.iter().all(|(_, ended)| ended.is_some()) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    futures.into_iter().filter_map(|(_, ended)| ended).collect()
}

/// Every way in which three runs can be late by a few turns.
fn delays() -> impl Iterator<Item = [usize; 3]> {
    (0..6).flat_map(|one| (0..6).flat_map(move |two| [0, 2, 5].map(|three| [one, two, three])))
}

#[test]
fn the_same_cell_goes_to_one_of_them() {
    for delays in delays() {
        let town = table("tic-tac-toe seats=open");
        town.press("erin", &town.link("a1"));
        let got = at_once(&town, &[("alice", "b2"), ("bob", "b2"), ("carol", "b2")], &delays);
        assert_eq!(got.iter().flatten().count(), 1, "{delays:?}");
        assert_eq!(town.moves(1), ["a1", "b2"]);
    }
}

#[test]
fn two_cells_are_two_moves_for_two_sides() {
    for delays in delays() {
        let town = table("tic-tac-toe seats=open");
        let got = at_once(&town, &[("alice", "b2"), ("bob", "a1"), ("carol", "c3")], &delays);
        assert_eq!(got.iter().flatten().count(), 3, "{delays:?}");
        let json = town.json(1);
        let seats: Vec<_> =
            json["history"].as_array().unwrap().iter().filter_map(|event| event["seat"].as_str()).collect();
        assert_eq!(seats, ["X", "O", "X"]);
    }
}

#[test]
fn nobody_moves_twice() {
    for delays in delays() {
        let town = table("tic-tac-toe seats=open");
        let got = at_once(&town, &[("alice", "b2"), ("alice", "a1"), ("alice", "c3")], &delays);
        assert_eq!(got.iter().flatten().count(), 1, "{delays:?}");
        assert_eq!(town.moves(1).len(), 1);
    }
}

#[test]
fn two_players_press_links_that_only_one_of_them_may_press() {
    let mut played = [0, 0];
    for delays in delays() {
        let town = table("tic-tac-toe @bob");
        let got = at_once(&town, &[("alice", "b2"), ("bob", "a1"), ("carol", "c3")], &delays);
        // Bob's was refused if it came first, and played if it came behind alice's.
        assert_eq!((got[0].as_deref(), &got[2]), (Some("b2"), &None), "{delays:?}");
        played[usize::from(got[1].is_some())] += 1;
        assert_eq!(town.moves(1).len(), 1 + usize::from(got[1].is_some()));
    }
    assert!(played.iter().all(|times| *times > 0), "both happen: {played:?}");
}

#[test]
fn an_open_seat_goes_to_whoever_comes_first() {
    for delays in delays() {
        let town = table("tic-tac-toe");
        town.press("alice", &town.link("b2"));
        let got = at_once(&town, &[("bob", "a1"), ("carol", "c3"), ("dave", "a1")], &delays);
        assert_eq!(got.iter().flatten().count(), 1, "{delays:?}");
        let sitter = town.json(1)["seats"]["O"]["login"].as_str().unwrap().to_owned();
        let first = got.iter().position(Option::is_some).unwrap();
        assert_eq!(sitter, ["bob", "carol", "dave"][first]);
    }
}

#[test]
fn old_links_are_pressed_one_after_the_other() {
    let town = table("tic-tac-toe seats=open");
    let (b2, a1, c3) = (town.link("b2"), town.link("a1"), town.link("c3"));
    let before = town.events(1);
    let presses = [("alice", &b2), ("bob", &b2), ("alice", &a1), ("bob", &c3), ("carol", &a1)];
    let issues = presses.map(|(login, form)| town.press(login, form).0);
    let got = outcome(&town, &issues, before);
    let got: Vec<Option<&str>> = got.iter().map(Option::as_deref).collect();
    assert_eq!(got, [Some("b2"), None, None, Some("c3"), Some("a1")]);
    assert!(town.one_answer(issues[1]).1.contains("X is already on `b2`"), "{}", town.one_answer(issues[1]).1);
    assert!(town.one_answer(issues[2]).1.contains("Wait until someone else has moved"));
}

#[test]
fn links_comments_and_trouble_all_at_once() {
    let mut chance = Chance(7);
    let mut decided = [0, 0];
    for number in 0..often(30, 150) {
        let town = table(SETUPS[number % 3]);
        let world = &town.world;
        let before = town.events(1);
        let forms = town.offered();
        let mut issues = Vec::new();
        for _ in 0..3 {
            let login = *chance.pick(&["alice", "bob", "carol", "dave"]);
            issues.push(world.open_issue(login, &chance.pick(&forms).posted()));
        }
        let kinds = [Request::Read, Request::Commit, Request::Answer, Request::React, Request::Close];
        for _ in 0..chance.below(3) {
            let (kind, nth, applied) = (*chance.pick(&kinds), 1 + chance.below(3), chance.below(2) == 0);
            match chance.below(4) {
                0 => world.after_nth(Request::Read, nth, |world: &World| drop(world.race())),
                1 => world.fail_nth(kind, nth, Trouble::Lost { applied }),
                // A run that dies before its issue was closed leaves it open, and nothing else.
                _ if kind == Request::Close => {}
                _ => world.fail_nth(kind, nth, Trouble::Dies { applied }),
            }
        }
        world.interleave();
        let wakes: Vec<_> = issues.iter().map(|issue| opened(world, *issue)).collect();
        let runs = wakes.into_iter().map(|wake| later(chance.below(6), settle(world, &town.place, wake))).collect();
        drop(run(all(runs)));
        world.calm();
        // The runs that were not killed may have given up; a comment at the table makes good, and so does a sweep.
        let comment = world.comment(1, "alice", "Well?");
        drop(town.wake(commented(world, 1, comment)));
        town.sweep();
        for issue in &issues {
            world.issue(*issue, |issue| issue.closed = true);
        }
        let got = outcome(&town, &issues, before);
        got.iter().for_each(|played| decided[usize::from(played.is_some())] += 1);
    }
    assert!(decided.iter().all(|times| *times > often(20, 100)), "{decided:?}");
}
