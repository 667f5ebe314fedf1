//! Crashes, lost requests and replies, stale reads, and changes of comments, records and branches.

use std::time::Duration;

use answers::{GameEnd, Marker};
use protocol::settle::{settle, settle_with_ledger};
use protocol::{Environment, HostNote, Ledger, Report, SettleError, Trigger};
use table::IssueNumber;
use testkit::world::{FailingPart, Request, RequestFault, default_config, run};
use testkit::{Scenario, place};

use super::{answered_comments, check_answers, table};

/// Kills a run at each of these requests, before and after it is applied. Checks that the next run recovers.
#[track_caller]
fn check_crashes(command: &str, login: &str, requests: &[(Request, usize)]) {
    for &(request, nth) in requests {
        for applied in [false, true] {
            let world = table();
            let comment = world.comment(1, login, command);
            world.fail_nth(request, nth, RequestFault::Killed { applied });
            assert!(world.try_settle(1, comment).is_none(), "the run is killed at {request:?}");
            world.settle(1, comment);
            world.settle(1, comment);
            check_answers(&world, 1, &[comment]);
            // A sweep finds nothing more to do.
            assert!(world.sweep().is_ok());
            check_answers(&world, 1, &[comment]);
        }
    }
}

#[test]
fn recovers_from_a_crash_anywhere_in_a_move() {
    check_crashes("a1", "bob", &[(Request::Read, 1), (Request::Commit, 1), (Request::Answer, 1)]);
}

#[test]
fn recovers_from_a_crash_anywhere_in_a_refusal_or_show() {
    check_crashes("c3", "alice", &[(Request::Read, 1), (Request::React, 1), (Request::Answer, 1)]);
    check_crashes("/board", "carol", &[(Request::Read, 1), (Request::React, 1), (Request::Answer, 1)]);
}

#[test]
fn posts_a_missing_answer_before_the_next_move() {
    let world = table();
    let bob = world.comment(1, "bob", "a1");
    world.fail(Request::Answer, RequestFault::Killed { applied: false });
    assert!(world.try_settle(1, bob).is_none());
    let alice = world.comment(1, "alice", "c3");
    let report = world.settle(1, alice);
    assert_eq!((report.applied, report.repaired), (1, 1));
    assert_eq!(answered_comments(&world, 1)[2..], [bob, alice], "the answer that was missing comes first");
    check_answers(&world, 1, &[bob, alice]);
}

#[test]
fn a_missing_last_answer_has_the_same_links_and_ratings() {
    let last_answer = |crashes: bool| {
        let mut scenario = Scenario::played("/new chess @bob", &["alice: f3", "bob: e5", "alice: g4"]);
        scenario.config.site_url = Some("https://games.example/play/".to_owned());
        let comment = scenario.comment(1, "bob", "Qh4");
        if crashes {
            scenario.fail(Request::Answer, RequestFault::Killed { applied: false });
            assert!(scenario.try_settle(1, comment).is_none());
        }
        scenario.settle(1, comment);
        scenario.reply(1)
    };
    let answer = last_answer(false);
    for part in [
        "New ratings: **alice** 1338 (−162, provisional), **bob** 1662 (+162, provisional).",
        "[Replay it on the website](https://games.example/play/games/1-1.html) · \
         [Analyze it on lichess](https://lichess.org/analysis/pgn/f3_e5_g4_Qh4)",
        "<details><summary>The game's file: PGN</summary>",
        "1. f3 e5 2. g4 Qh4# {bob (Black) won: checkmate.} 0-1",
    ] {
        assert!(answer.contains(part), "{answer}");
    }
    assert_eq!(last_answer(true), answer);
}

/// The outputs of a killed run are lost, so the run that posts its answer names the end of the game, too.
#[test]
fn the_run_that_posts_a_missing_answer_names_the_end_of_the_game() {
    let world = table();
    let bob = world.comment(1, "bob", "/resign");
    world.fail(Request::Answer, RequestFault::Killed { applied: false });
    assert!(world.try_settle(1, bob).is_none());
    for is_named in [true, false] {
        let mut ledger = Ledger::default();
        let trigger = Trigger::Comment { source: place(1, bob), table: None };
        run(settle_with_ledger(&world.world, &default_config(), trigger, &mut ledger)).unwrap().unwrap();
        let sentence = "Tic-tac-toe: bob (O) resigned. alice (X) won.".to_owned();
        let players = vec!["alice".to_owned(), "bob".to_owned()];
        let end = GameEnd { sentence, winner: "alice".to_owned(), players };
        assert_eq!(ledger.tables[&IssueNumber::new(1)].ended, is_named.then_some(end));
    }
}

/// Loses each of these requests, or its reply. Checks that the same run recovers.
#[track_caller]
fn check_losses(command: &str, login: &str, requests: &[Request]) {
    for &request in requests {
        for applied in [false, true] {
            let world = table();
            let comment = world.comment(1, login, command);
            world.fail(request, RequestFault::Lost { applied });
            world.settle(1, comment);
            check_answers(&world, 1, &[comment]);
            let commits = world.headlines().iter().filter(|line| line.contains("bob (O)")).count();
            assert_eq!(commits, usize::from(login == "bob"), "{request:?} {applied}");
        }
    }
}

#[test]
fn recovers_from_lost_requests_and_replies() {
    check_losses("a1", "bob", &[Request::Read, Request::Commit, Request::Answer]);
    check_losses("a1", "alice", &[Request::Read, Request::React, Request::Answer]);
    check_losses("/help", "carol", &[Request::Read, Request::React, Request::Answer]);
}

/// The run reads, and posts the comment alone. Any other part that fails costs no comment and no request.
#[test]
fn recovers_from_a_failed_part_of_an_answer() {
    for part in 0..2 {
        for runs_rest in [false, true] {
            let world = table();
            world.fail(Request::Answer, RequestFault::PartFails(FailingPart { part, runs_rest }));
            let bob = world.post(1, "bob", "a1");
            check_answers(&world, 1, &[bob]);
            let requests: Vec<Request> = world.log().iter().map(|entry| entry.request).collect();
            let again: &[Request] = if part == 0 { &[Request::Read, Request::Answer] } else { &[] };
            let expected = [&[Request::Read, Request::Commit, Request::Answer], again].concat();
            assert_eq!(requests, expected, "part {part}, {runs_rest}");
            let has_rocket = part == 0 && runs_rest;
            assert_eq!(world.reactions(1, bob).len(), usize::from(has_rocket), "part {part}, {runs_rest}");
        }
    }
}

#[test]
fn does_not_answer_twice_if_the_reply_is_late() {
    // The reply to the answer is lost, and the answer shows up only some seconds later.
    let world = table();
    let bob = world.comment(1, "bob", "a1");
    world.fail(Request::Answer, RequestFault::Lost { applied: true });
    world.fail_nth(Request::Read, 2, RequestFault::LacksComments(1));
    world.fail_nth(Request::Read, 3, RequestFault::LacksComments(1));
    world.settle(1, bob);
    check_answers(&world, 1, &[bob]);
}

#[test]
fn deletes_a_second_answer() {
    // A lost answer was applied after all, so there are two. The run deletes the newer one.
    let world = table();
    let bob = world.post(1, "bob", "a1");
    let twin = world.answers(1).last().unwrap().clone();
    world.comment(1, "github-actions", &twin);
    world.settle(1, bob);
    check_answers(&world, 1, &[bob]);
    // An answer that contradicts the record is deleted, even if it is the older one.
    let world = table();
    let bob = world.comment(1, "bob", "a1");
    let source = place(1, bob);
    let refusal = Marker { source, table: IssueNumber::new(1), commit: None, has_board: false, sets_away: false }
        .prepend_to("**bob**: No.");
    world.after(Request::Commit, {
        let refusal = refusal.clone();
        move |world| _ = world.comment(1, "github-actions", &refusal)
    });
    world.settle(1, bob);
    assert_eq!(answered_comments(&world, 1)[2..], [bob, bob]);
    world.settle(1, bob);
    check_answers(&world, 1, &[bob]);
    assert!(!world.answers(1).contains(&refusal));
}

#[test]
fn handles_deleted_and_edited_comments() {
    // Deleted before the read: ignored.
    let world = table();
    let bob = world.comment(1, "bob", "a1");
    world.delete_comment(1, bob);
    assert_eq!(world.settle(1, bob), Report::default());
    // Edited before the read: the new text counts.
    let bob = world.comment(1, "bob", "a1");
    world.edit(1, bob, "a3");
    world.settle(1, bob);
    assert_eq!(world.moves(1), ["b2", "a3"]);
    // Edited or deleted after it is settled: nothing changes.
    world.edit(1, bob, "c1");
    world.settle(1, bob);
    let refused = world.post(1, "bob", "c3");
    world.edit(1, refused, "/resign");
    world.settle(1, refused);
    world.delete_comment(1, bob);
    world.post(1, "alice", "c3");
    assert_eq!(world.moves(1), ["b2", "a3", "c3"]);
    // Deleted between the read and the claim: no answer.
    let world = table();
    let alice = world.comment(1, "alice", "a1");
    world.after(Request::Read, move |world| world.delete_comment(1, alice));
    world.settle(1, alice);
    assert!(!answered_comments(&world, 1).contains(&alice));
}

#[test]
fn reads_again_after_a_stale_read() {
    // The read lacks the comment that started the run.
    let world = table();
    let bob = world.comment(1, "bob", "a1");
    world.fail(Request::Read, RequestFault::LacksComments(1));
    world.settle(1, bob);
    assert_eq!(world.moves(1), ["b2", "a1"]);
    assert_eq!(world.count(Request::Exists), 1);
    check_answers(&world, 1, &[bob]);
    // The read has an old head, where it isn't alice's turn. The run must not refuse her because of that.
    let alice = world.comment(1, "alice", "c3");
    world.fail(Request::Read, RequestFault::OldHead(1));
    let report = world.settle(1, alice);
    assert_eq!((report.applied, report.refused), (1, 0));
    check_answers(&world, 1, &[bob, alice]);
}

/// Right after its event, neither a read nor a lookup shows the comment.
#[test]
fn waits_for_a_comment_that_github_does_not_show_yet() {
    for (lookups, is_settled) in [(4, true), (5, false)] {
        let world = table();
        let before = world.save();
        let bob = world.comment(1, "bob", "a1");
        for nth in 1..=lookups {
            world.fail_nth(Request::Read, nth, before.clone());
            world.fail_nth(Request::Exists, nth, before.clone());
        }
        world.settle(1, bob);
        world.calm();
        // After eight seconds the run believes that its author deleted it, and the daily run looks again.
        assert_eq!(world.moves(1).len() == 2, is_settled, "{lookups} lookups");
        world.sweep().unwrap();
        assert_eq!(world.moves(1), ["b2", "a1"]);
        check_answers(&world, 1, &[bob]);
    }
    // The same with an issue.
    let world = Scenario::new();
    let before = world.save();
    let issue = world.open_issue("alice", "/new tic-tac-toe");
    for nth in 1..=3 {
        world.fail_nth(Request::Read, nth, before.clone());
        world.fail_nth(Request::Exists, nth, before.clone());
    }
    world.settle(issue, 0);
    assert!(world.table(issue).is_playing());
}

/// GitHub refuses to delete a file that the last commit added, until all of its servers know it.
#[test]
fn ends_a_game_whose_short_file_is_too_new_to_delete() {
    let world = Scenario::new();
    world.change(|state| state.deletion_delay = 4_000);
    let issue = world.open("alice", "/new tic-tac-toe @bob");
    world.post(issue, "alice", "/abort");
    assert!(world.table(issue).is_over());
    assert_eq!(world.file("state/running/1.json"), None);
}

#[test]
fn answers_when_the_repository_limits_interactions_no_longer() {
    let world = table();
    world.change(|state| state.limits_interactions = true);
    let (bob, carol) = (world.comment(1, "bob", "a1"), world.comment(1, "carol", "/moves"));
    let report = world.settle(1, bob);
    let notes = format!("{:?}", report.notes);
    assert!(notes.contains("Interactions on this repository have been restricted"), "{notes}");
    assert_eq!((world.moves(1).len(), answered_comments(&world, 1).len()), (2, 2));
    world.change(|state| state.limits_interactions = false);
    world.sweep().unwrap();
    check_answers(&world, 1, &[bob, carol]);
}

#[test]
fn asks_for_less_if_github_returns_only_a_part() {
    let world = table();
    world.change(|state| state.longest_reply = Some(40_000));
    for _ in 0..30 {
        world.comment(1, "carol", &"na ".repeat(900));
    }
    let bob = world.post(1, "bob", "a1");
    assert_eq!(world.moves(1), ["b2", "a1"]);
    check_answers(&world, 1, &[bob]);
}

#[test]
fn ignores_a_deleted_account() {
    let world = table();
    let bob = world.comment(1, "bob", "a1");
    world.delete_account("bob");
    assert_eq!(world.settle(1, bob), Report::default());
}

#[test]
fn play_goes_on_in_a_locked_thread() {
    let world = table();
    let bob = world.comment(1, "bob", "a1");
    world.lock(1);
    let report = world.settle(1, bob);
    assert_eq!(report.applied, 1);
    assert!(
        matches!(report.notes[0], HostNote::Unanswerable(issue, _) if issue == IssueNumber::new(1)),
        "{:?}",
        report.notes
    );
    let alice = world.comment(1, "alice", "/board");
    let report = world.settle(1, alice);
    assert!(!report.notes.is_empty());
}

#[test]
fn reports_a_missing_record() {
    let world = table();
    let head = world.head().unwrap();
    world.change(|state| {
        let begin = state.commits.values().find(|commit| commit.parent.is_none()).unwrap().clone();
        let oid = state.commits.iter().find(|(_, commit)| **commit == begin).unwrap().0.clone();
        state.branches.insert("main".to_owned(), oid);
    });
    let before = world.head();
    let bob = world.comment(1, "bob", "a1");
    let error = world.try_settle(1, bob).unwrap().unwrap_err().to_string();
    assert!(error.contains(head.as_str()) && error.contains("state/1.json"), "{error}");
    assert_eq!(world.head(), before, "nothing was written");
    assert!(!answered_comments(&world, 1).contains(&bob));
}

#[test]
fn continues_from_a_record_older_than_its_answers() {
    let world = table();
    let bob = world.post(1, "bob", "a1");
    // Somebody removes the last commit from the branch.
    world.change(|state| {
        let head = state.branches["main"].clone();
        let parent = state.commits[&head].parent.clone().unwrap();
        state.branches.insert("main".to_owned(), parent);
    });
    assert_eq!(world.moves(1), ["b2"]);
    let early = world.comment(1, "alice", "c3");
    world.settle(1, early);
    assert!(world.answers(1).last().unwrap().contains("older than this thread"));
    assert!(world.answers(1).last().unwrap().contains("It isn't your turn"), "play goes on from the record");
    let again = world.post(1, "bob", "a3");
    assert_eq!(world.moves(1), ["b2", "a3"], "the move that was answered is not applied again");
    let alice = world.post(1, "alice", "c3");
    assert!(!world.answers(1).last().unwrap().contains("older than"), "the notice comes only once");
    check_answers(&world, 1, &[bob, early, again, alice]);
}

#[test]
fn never_overwrites_a_damaged_record() {
    let world = table();
    let good = world.file("state/1.json").unwrap();
    let bad = good.replace("\"X\", null", "\"O\", null");
    assert_ne!(good, bad);
    let head = world.land(&[("state/1.json", &bad)]);
    let bob = world.comment(1, "bob", "a1");
    let error = world.try_settle(1, bob).unwrap().unwrap_err().to_string();
    assert!(error.contains("state/1.json is damaged") && error.contains("`position.board[4]`"), "{error}");
    assert_eq!(world.head(), Some(head));
    // Once the record is restored, the sweep settles the pending move.
    world.land(&[("state/1.json", &good)]);
    assert_eq!(world.sweep().unwrap().applied, 1);
    assert_eq!(world.moves(1), ["b2", "a1"]);
    check_answers(&world, 1, &[bob]);
}

#[test]
fn creates_a_missing_branch() {
    let world = Scenario::new();
    world.use_branch("play");
    world.open_issue("alice", "/new tic-tac-toe");
    world.settle(1, 0);
    assert!(world.file("state/1.json").is_some());
    assert_eq!(world.count(Request::MakeBranch), 1);
}

#[test]
fn waits_if_github_asks_to() {
    for request in [Request::Read, Request::Commit, Request::Answer] {
        let world = table();
        let bob = world.comment(1, "bob", "a1");
        world.fail(request, RequestFault::RetryAfter(Duration::from_secs(60)));
        world.settle(1, bob);
        // The run holds the claim, so it doesn't wait any longer.
        assert!((60_000..65_000).contains(&world.with_state(|state| state.paused)), "{request:?}");
        assert_eq!(world.moves(1), ["b2", "a1"]);
        check_answers(&world, 1, &[bob]);
    }
    // GitHub asks for a longer wait than a run may take.
    let world = table();
    let bob = world.comment(1, "bob", "a1");
    world.fail(Request::Read, RequestFault::RetryAfter(Duration::from_secs(3600)));
    let read_at = world.now();
    let Err(SettleError::RetryAfter { at, why }) = world.try_settle(1, bob).unwrap() else { panic!("it has to wait") };
    assert!(at.since(read_at) >= Duration::from_secs(3600) && why.contains("asks to wait"), "{at:?} {why}");
}

#[test]
fn keeps_a_refusal_if_the_comment_was_edited_meanwhile() {
    let world = table();
    let bob = world.comment(1, "bob", "b2");
    world.fail(Request::Answer, RequestFault::Killed { applied: false });
    assert!(world.try_settle(1, bob).is_none(), "it has claimed the refusal");
    world.edit(1, bob, "a1");
    let source = place(1, bob);
    // The other run was only slow, and its refusal arrives while this one waits.
    world.after_nth(Request::Read, 2, move |world| {
        world.comment(
            1,
            "github-actions",
            &Marker { source, table: IssueNumber::new(1), commit: None, has_board: false, sets_away: false }
                .prepend_to("**bob**: No."),
        );
    });
    world.settle(1, bob);
    assert_eq!(world.moves(1), ["b2"], "the refusal stays, because the edit came too late");
    check_answers(&world, 1, &[bob]);
}

#[test]
fn answers_again_if_its_refusal_had_to_be_deleted() {
    let world = table();
    let bob = world.comment(1, "bob", "/move b2");
    let carol = world.comment(1, "carol", "/board");
    // Before this run's refusal arrives, bob edits his comment, and another run plays the move and dies.
    world.before(Request::Answer, move |world| {
        world.edit(1, bob, "/move a1");
        world.fail(Request::Answer, RequestFault::Killed { applied: false });
        let trigger = Trigger::Comment { source: place(1, bob), table: None };
        assert!(run(settle(world, &default_config(), trigger)).is_none());
    });
    world.settle(1, carol);
    assert_eq!(world.moves(1), ["b2", "a1"]);
    check_answers(&world, 1, &[carol, bob]);
}
