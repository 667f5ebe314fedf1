//! Several people click links of the same page, at the same time or one after the other. The bot plays the
//! first move that is legal, and refuses the others, because their page is out of date. It applies nothing twice and loses nothing.

use std::future::poll_fn;
use std::task::Poll;

use protocol::settle::settle;
use testkit::short_or_long;
use testkit::world::{Request, RequestFault, World, run};

use super::{Page, Part, Random, TestRepo, trigger_for_comment, trigger_for_issue};
use testkit::Form;

const SETUPS: [&str; 3] = ["tic-tac-toe seats=open", "tic-tac-toe 4x4 seats=open gap=0", "tic-tac-toe @bob"];

fn page() -> Page {
    Page { parts: vec![Part::Text("# Play\n\n"), Part::Table(1), Part::Text("\n")], crlf: false }
}

#[track_caller]
fn table(setup: &str) -> TestRepo {
    let repo = TestRepo::new(&page().fresh());
    repo.open_issue("alice", &format!("/new {setup}"));
    repo
}

/// Checks that the README shows the record.
#[track_caller]
fn check_page(repo: &TestRepo) {
    assert_eq!(repo.readme(), page().with(|_| Some(repo.expected_block(1)), |_| None));
}

#[test]
fn a_comment_in_any_issue_works_like_a_link() {
    let repo = table("tic-tac-toe seats=open");
    let other = repo.world.open_issue("carol", "A bug.");
    repo.press("alice", &repo.move_link("a1"));
    repo.world.clear_log();
    let (comment, report) = repo.comment(other, "bob", "/move b2 #1");
    assert_eq!(report.applied, 1);
    assert_eq!(repo.requests(), [Request::Read, Request::Commit, Request::Answer]);
    let answers = repo.world.answers(other);
    assert_eq!(answers.len(), 1);
    assert!(answers[0].contains("**bob** (O) played `b2`."), "{answers:?}");
    repo.check_pictures(&answers[0]);
    assert!(!repo.is_closed(other), "the issue holds more than the command");
    assert_eq!(repo.world.reactions(other, comment), ["rocket"]);
    assert!(repo.world.with_state(|state| state.issues[&other].labels.is_empty()), "the issue has no table");
    assert_eq!(repo.moves(1), ["a1", "b2"]);
    check_page(&repo);
    // The link has the same answer, except for the marker.
    let linked = table("tic-tac-toe seats=open");
    linked.world.open_issue("carol", "A bug.");
    linked.press("alice", &linked.move_link("a1"));
    let (issue, _) = linked.press("bob", &linked.move_link("b2"));
    let text = |answer: &str| answer.lines().nth(1).map(str::to_owned);
    assert_eq!(text(&linked.only_answer(issue).1), text(&answers[0]));
    assert_eq!(linked.moves(1), repo.moves(1));
}

#[test]
fn the_page_shows_every_event_at_the_table() {
    let repo = table("tic-tac-toe");
    repo.press("alice", &repo.move_link("b2"));
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
            let before = repo.readme();
            let commits = repo.world.headlines().len();
            if elsewhere {
                // Showing the board in another issue changes nothing.
                let (issue, report) = repo.open_issue("carol", "/board #1");
                assert_eq!(report.shown, 1);
                repo.only_answer(issue);
                assert_eq!((repo.readme(), repo.world.headlines().len()), (before, commits));
                continue;
            }
            let (_, report) = repo.comment(1, login, text);
            assert_eq!((report.applied, repo.world.headlines().len()), (1, commits + 1), "{text}");
            assert!(repo.readme().contains(shows), "{text}: {}", repo.readme());
            // Offers change no board and no link.
            let is_offer = ["/undo", "/draw", "/decline"].contains(&text);
            assert_eq!(repo.readme() == before, is_offer, "{text}");
            check_page(&repo);
        }
    }
    repo.world.as_maintainer("mona");
    repo.comment(1, "mona", "/abort");
    assert!(repo.readme().contains("ended the game without a result"), "{}", repo.readme());
    check_page(&repo);
}

/// The answer to the last move is in another issue. If that issue isn't among the newest, finding the answer takes one more read. If
/// it is deleted, it needs no answer, but the run asks GitHub directly, because the read could be stale.
#[test]
fn answers_after_an_old_or_deleted_issue() {
    let [read, commit] = [Request::Read, Request::Commit];
    for (newer, gone, reads) in
        [(1, false, 1), (4, false, 1), (5, false, 2), (40, false, 2), (2, true, 2), (9, true, 2)]
    {
        let repo = table("tic-tac-toe seats=open");
        let (issue, _) = repo.press("alice", &repo.move_link("b2"));
        (1..newer).for_each(|_| _ = repo.world.open_issue("carol", "A bug."));
        if gone {
            repo.world.delete_comment(issue, 0);
        }
        repo.world.clear_log();
        let (issue, report) = repo.press("bob", &repo.move_link("a1"));
        assert_eq!((report.applied, report.repaired), (1, 0));
        let asked = vec![Request::Exists; usize::from(gone)];
        let log: Vec<Request> = [vec![read; reads], asked, vec![commit, Request::Answer]].concat();
        assert_eq!(repo.requests(), log, "{newer} newer issues, {gone}");
        assert_eq!(repo.world.with_state(|state| state.paused), 0, "the run doesn't wait");
        repo.only_answer(issue);
        check_page(&repo);
    }
}

/// The run is killed between the commit and the answer.
#[test]
fn the_next_run_posts_the_answer_of_a_killed_run() {
    let repo = table("tic-tac-toe seats=open");
    let before = repo.event_count(1);
    let killed = repo.world.open_issue("alice", &repo.move_link("b2").posted());
    repo.world.fail(Request::Answer, RequestFault::Killed { applied: false });
    assert!(repo.try_run(trigger_for_issue(&repo.world, killed)).is_none());
    check_page(&repo);
    let (issue, report) = repo.press("bob", &repo.move_link("a1"));
    assert_eq!((report.applied, report.repaired), (1, 1));
    let played = played_moves(&repo, &[killed, issue], before);
    assert_eq!(played, [Some("b2".to_owned()), Some("a1".to_owned())]);
}

/// Awaits a future after yielding `turns` times.
async fn after_turns<T>(mut turns: usize, future: impl Future<Output = T>) -> T {
    poll_fn(|cx| {
        if turns == 0 {
            return Poll::Ready(());
        }
        turns -= 1;
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
    future.await
}

/// Checks that the answers to several clicks agree with the record. Returns the notation of each move that was played.
#[track_caller]
fn played_moves(repo: &TestRepo, issues: &[u64], before: usize) -> Vec<Option<String>> {
    let json = repo.json(1);
    let events = json["history"].as_array().unwrap();
    let outcome: Vec<Option<String>> = issues
        .iter()
        .map(|issue| {
            let (marker, _) = repo.only_answer(*issue);
            let mine: Vec<_> = events.iter().filter(|event| event["source"]["issue"] == *issue).collect();
            assert_eq!(
                mine.len(),
                usize::from(marker.commit.is_some()),
                "the answer fits the record, and the move is applied once"
            );
            mine.first().map(|event| event["notation"].as_str().unwrap().to_owned())
        })
        .collect();
    let applied = outcome.iter().flatten().count();
    assert_eq!(events.len(), before + applied, "nothing is lost");
    check_page(repo);
    outcome
}

/// Clicks links of the current README with concurrent runs; the nth one starts `delays[n]` turns later.
#[track_caller]
fn click_concurrently(repo: &TestRepo, presses: &[(&str, &str)], delays: &[usize]) -> Vec<Option<String>> {
    let before = repo.event_count(1);
    let forms: Vec<Form> = presses.iter().map(|(_, notation)| repo.move_link(notation)).collect();
    let issues: Vec<u64> =
        presses.iter().zip(&forms).map(|((login, _), form)| repo.world.open_issue(login, &form.posted())).collect();
    repo.world.interleave();
    let triggers: Vec<_> = issues.iter().map(|issue| trigger_for_issue(&repo.world, *issue)).collect();
    let runs: Vec<_> = triggers
        .into_iter()
        .zip(delays)
        .map(|(trigger, turns)| after_turns(*turns, settle(&repo.world, &repo.config, trigger)))
        .collect();
    let ended = run(join_all(runs)).expect("the runs end");
    ended.into_iter().for_each(|report| drop(report.expect("the run succeeds")));
    played_moves(repo, &issues, before)
}

/// Runs futures concurrently.
async fn join_all<T>(futures: Vec<impl Future<Output = T>>) -> Vec<T> {
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

/// Returns delays of a few turns for three runs.
fn delays() -> impl Iterator<Item = [usize; 3]> {
    (0..6).flat_map(|one| (0..6).flat_map(move |two| [0, 2, 5].map(|three| [one, two, three])))
}

#[test]
fn one_of_three_players_gets_a_cell() {
    for delays in delays() {
        let repo = table("tic-tac-toe seats=open");
        repo.press("erin", &repo.move_link("a1"));
        let played = click_concurrently(&repo, &[("alice", "b2"), ("bob", "b2"), ("carol", "b2")], &delays);
        assert_eq!(played.iter().flatten().count(), 1, "{delays:?}");
        assert_eq!(repo.moves(1), ["a1", "b2"]);
    }
}

#[test]
fn no_click_is_played_for_the_other_side() {
    for delays in delays() {
        let repo = table("tic-tac-toe seats=open");
        let played = click_concurrently(&repo, &[("alice", "b2"), ("bob", "a1"), ("carol", "c3")], &delays);
        assert_eq!(played.iter().flatten().count(), 1, "{delays:?}");
        let json = repo.json(1);
        let seats: Vec<_> =
            json["history"].as_array().unwrap().iter().filter_map(|event| event["seat"].as_str()).collect();
        assert_eq!(seats, ["X"]);
    }
}

#[test]
fn nobody_moves_twice_in_a_row() {
    for delays in delays() {
        let repo = table("tic-tac-toe seats=open");
        let played = click_concurrently(&repo, &[("alice", "b2"), ("alice", "a1"), ("alice", "c3")], &delays);
        assert_eq!(played.iter().flatten().count(), 1, "{delays:?}");
        assert_eq!(repo.moves(1).len(), 1);
    }
}

#[test]
fn plays_only_the_link_of_the_player_to_move() {
    for delays in delays() {
        let repo = table("tic-tac-toe @bob");
        let played = click_concurrently(&repo, &[("alice", "b2"), ("bob", "a1"), ("carol", "c3")], &delays);
        // Before alice's move it isn't bob's turn, and after it his page is out of date.
        assert_eq!(played, [Some("b2".to_owned()), None, None], "{delays:?}");
        assert_eq!(repo.moves(1), ["b2"]);
    }
}

#[test]
fn an_open_seat_goes_to_the_first() {
    for delays in delays() {
        let repo = table("tic-tac-toe");
        repo.press("alice", &repo.move_link("b2"));
        let played = click_concurrently(&repo, &[("bob", "a1"), ("carol", "c3"), ("dave", "a1")], &delays);
        assert_eq!(played.iter().flatten().count(), 1, "{delays:?}");
        let player = repo.json(1)["seats"]["O"]["login"].as_str().unwrap().to_owned();
        let first = played.iter().position(Option::is_some).unwrap();
        assert_eq!(player, ["bob", "carol", "dave"][first]);
    }
}

#[test]
fn refuses_the_links_of_an_older_page() {
    let repo = table("tic-tac-toe seats=open");
    let (b2, a1, c3) = (repo.move_link("b2"), repo.move_link("a1"), repo.move_link("c3"));
    let before = repo.event_count(1);
    let presses = [("alice", &b2), ("bob", &b2), ("alice", &a1), ("bob", &c3), ("carol", &a1)];
    let issues = presses.map(|(login, form)| repo.press(login, form).0);
    let played = played_moves(&repo, &issues, before);
    let played: Vec<Option<&str>> = played.iter().map(Option::as_deref).collect();
    assert_eq!(played, [Some("b2"), None, None, None, None]);
    for (issue, says) in
        issues[1..].iter().zip(["**alice** moved first.", "You've already moved.", "**alice** moved first."])
    {
        let answer = repo.only_answer(*issue).1;
        assert!(answer.contains(&format!("{says} It's O's turn now.")), "{answer}");
    }
}

#[test]
fn links_and_comments_survive_faults() {
    let mut random = Random(7);
    let mut decided = [0, 0];
    for number in 0..short_or_long(30, 150) {
        let repo = table(SETUPS[number % 3]);
        let world = &repo.world;
        let before = repo.event_count(1);
        let forms = repo.move_links();
        let mut issues = Vec::new();
        for _ in 0..3 {
            let login = *random.pick(&["alice", "bob", "carol", "dave"]);
            issues.push(world.open_issue(login, &random.pick(&forms).posted()));
        }
        let kinds = [Request::Read, Request::Commit, Request::Answer, Request::React];
        for _ in 0..random.below(3) {
            let (kind, nth, applied) = (*random.pick(&kinds), 1 + random.below(3), random.below(2) == 0);
            match random.below(4) {
                0 => world.after_nth(Request::Read, nth, |world: &World| drop(world.race())),
                1 => world.fail_nth(kind, nth, RequestFault::Lost { applied }),
                _ => world.fail_nth(kind, nth, RequestFault::Killed { applied }),
            }
        }
        world.interleave();
        let triggers: Vec<_> = issues.iter().map(|issue| trigger_for_issue(world, *issue)).collect();
        let runs = triggers
            .into_iter()
            .map(|trigger| after_turns(random.below(6), settle(world, &repo.config, trigger)))
            .collect();
        drop(run(join_all(runs)));
        world.calm();
        // Runs may have been killed or given up. A comment at the table and a sweep recover.
        let comment = world.comment(1, "alice", "Well?");
        drop(repo.try_run(trigger_for_comment(world, 1, comment)));
        repo.sweep();
        for issue in &issues {
            world.issue(*issue, |issue| issue.closed = true);
        }
        let played = played_moves(&repo, &issues, before);
        played.iter().for_each(|played| decided[usize::from(played.is_some())] += 1);
    }
    assert!(decided.iter().all(|times| *times > short_or_long(20, 100)), "{decided:?}");
}
