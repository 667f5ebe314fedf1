//! Everything that can go wrong between a comment and its answer: races, repeats, crashes, stale reads, lost replies. Each command
//! is applied at most once and answered exactly once, and no answer comes before its commit.

mod boards;
mod clocks;
mod conditional_moves;
mod copies;
mod display;
mod extensions;
mod flood;
mod gone_issues;
mod invited;
mod linked_issues;
mod moved;
mod own_games;
mod people;
mod questions;
mod reviews;
mod running;
mod settings;
mod storm;
mod sweep;
mod switched_branch;
mod threads;
mod trouble;

use answers::Marker;
use protocol::settle::settle;
use protocol::{GiveUpReason, Report, SettleError, Trigger};
use table::IssueNumber;
use testkit::world::{Request, World, default_config, run};
use testkit::{Scenario, place};

/// Returns a table of alice (X) and bob (O) in issue 1, after alice's move b2.
fn table() -> Scenario {
    let world = Scenario::new();
    let issue = world.open_issue("alice", "/new tic-tac-toe @bob");
    world.settle(issue, 0);
    world.post(issue, "alice", "b2");
    world.clear_log();
    world
}

/// Returns the comments that have an answer, in the order of the answers.
fn answered_comments(world: &World, issue: u64) -> Vec<u64> {
    world.answers(issue).iter().map(|text| Marker::parse(text).expect("a marker").source.comment.get()).collect()
}

/// Checks that each of these comments has exactly one answer, that the commits in answers exist, and that every scripted fault has
/// happened.
#[track_caller]
fn check_answers(world: &World, issue: u64, commands: &[u64]) {
    let answers = answered_comments(world, issue);
    for command in commands {
        let count = answers.iter().filter(|source| *source == command).count();
        assert_eq!(count, 1, "comment {command} has {count} answers: {:#?}", world.answers(issue));
    }
    for commit in world.answers(issue).iter().filter_map(|answer| Marker::parse(answer)?.commit) {
        assert!(world.with_state(|state| state.commits.contains_key(commit.as_str())), "the answer names a commit");
    }
    assert_eq!(world.pending(), 0, "every scripted fault has happened");
}

#[test]
fn a_move_takes_one_read_one_commit_and_one_answer() {
    let world = table();
    let bob = world.post(1, "bob", "/move a1");
    let log: Vec<Request> = world.log().iter().map(|entry| entry.request).collect();
    assert_eq!(log, [Request::Read, Request::Commit, Request::Answer]);
    assert_eq!(world.moves(1), ["b2", "a1"]);
    check_answers(&world, 1, &[bob]);
}

/// One commit and one answer hold the move and its reply. After a lost race the run decides both again.
#[test]
fn the_computers_reply_costs_no_request() {
    let world = Scenario::new();
    world.open_issue("alice", "/new tic-tac-toe computer level=8");
    world.settle(1, 0);
    world.clear_log();
    let first = world.post(1, "alice", "b2");
    let log: Vec<Request> = world.log().iter().map(|entry| entry.request).collect();
    assert_eq!(log, [Request::Read, Request::Commit, Request::Answer]);
    world.after(Request::Read, |world| drop(world.race()));
    let second = world.post(1, "alice", "b3");
    check_answers(&world, 1, &[first, second]);
    let record = world.file("state/1.json").unwrap();
    assert_eq!((record.matches("\"type\": \"move\"").count(), record.matches("\"reply\"").count()), (2, 2));
    assert!(world.answers(1).last().unwrap().contains("The computer (O) played `b1`"), "{:?}", world.answers(1));
}

#[test]
fn the_cost_does_not_grow_with_the_thread() {
    let world = table();
    for _ in 0..150 {
        let id = world.comment(1, "carol", "chat");
        assert!(id > 0);
    }
    world.post(1, "bob", "a1");
    // 150 unsettled comments cost one more page, once; the move has settled them.
    world.clear_log();
    world.post(1, "alice", "c3");
    assert_eq!(world.count(Request::Any), 3);
}

#[test]
fn decides_again_if_somebody_commits_after_the_read() {
    let world = table();
    world.after(Request::Read, |world| drop(world.race()));
    let bob = world.post(1, "bob", "a1");
    assert_eq!(world.moves(1), ["b2", "a1"]);
    assert_eq!(world.count(Request::Commit), 2, "the first commit lost the race");
    assert!(world.file("elsewhere.txt").is_some(), "the rival's commit is still there");
    check_answers(&world, 1, &[bob]);
}

#[test]
fn decides_again_if_a_rival_moves_after_the_read() {
    // Two people want the open seat. Another run settles both commands after this one's read.
    let world = Scenario::new();
    world.open_issue("alice", "/new tic-tac-toe");
    world.settle(1, 0);
    world.post(1, "alice", "b2");
    let bob = world.comment(1, "bob", "/move a1");
    world.after(Request::Read, move |world| {
        let carol = world.comment(1, "carol", "/move a1");
        let trigger = Trigger::Comment { source: place(1, carol), table: None };
        run(settle(world, &default_config(), trigger)).expect("the run ends").expect("the run succeeds");
    });
    world.settle(1, bob);
    assert_eq!(world.moves(1), ["b2", "a1"]);
    let carol = bob + 1;
    check_answers(&world, 1, &[bob, carol]);
    assert_eq!(world.reactions(1, bob), ["rocket"]);
    assert_eq!(world.reactions(1, carol), ["confused"]);
}

#[test]
fn gives_up_after_three_minutes_of_races() {
    let world = table();
    let bob = world.comment(1, "bob", "a1");
    for nth in 1..5000 {
        world.after_nth(Request::Read, nth, |world| drop(world.race()));
    }
    assert_eq!(world.try_settle(1, bob).unwrap(), Err(SettleError::GaveUp(GiveUpReason::NoProgress)));
    assert_eq!(world.moves(1), ["b2"]);
}

#[test]
fn ignores_the_same_event_again() {
    let world = table();
    let bob = world.post(1, "bob", "a1");
    let head = world.head();
    assert_eq!(world.settle(1, bob), Report::default());
    assert_eq!(world.head(), head);
    check_answers(&world, 1, &[bob]);
}

#[test]
fn ignores_an_event_for_an_old_comment() {
    let world = table();
    let bob = world.post(1, "bob", "a1");
    let wrong = world.post(1, "bob", "a2");
    let alice = world.post(1, "alice", "c3");
    for old in [bob, wrong, 0] {
        assert_eq!(world.settle(1, old), Report::default());
    }
    check_answers(&world, 1, &[bob, wrong, alice]);
}

#[test]
fn two_runs_apply_a_move_once() {
    let world = table();
    world.interleave();
    let bob = world.comment(1, "bob", "a1");
    let source = place(1, bob);
    let config = default_config();
    let trigger = Trigger::Comment { source, table: None };
    let both =
        run(async { tokio::join!(settle(&world.world, &config, trigger), settle(&world.world, &config, trigger)) })
            .unwrap();
    assert_eq!(both.0.unwrap().applied + both.1.unwrap().applied, 1);
    assert_eq!(world.moves(1), ["b2", "a1"]);
    check_answers(&world, 1, &[bob]);
}

#[test]
fn two_runs_refuse_a_command_once() {
    let world = table();
    world.interleave();
    let alice = world.comment(1, "alice", "a1");
    let source = place(1, alice);
    let config = default_config();
    let trigger = Trigger::Comment { source, table: None };
    let both =
        run(async { tokio::join!(settle(&world.world, &config, trigger), settle(&world.world, &config, trigger)) })
            .unwrap();
    assert_eq!(both.0.unwrap().refused + both.1.unwrap().refused, 1);
    check_answers(&world, 1, &[alice]);
}

#[test]
fn settles_pending_commands_in_order() {
    let world = table();
    let bob = world.comment(1, "bob", "a1");
    let chat = world.comment(1, "carol", "nice");
    let alice = world.comment(1, "alice", "c3");
    let early = world.comment(1, "alice", "c2");
    // Only the last one starts a run, because GitHub canceled the pending ones.
    let report = world.settle(1, early);
    assert_eq!((report.applied, report.refused), (2, 1));
    assert_eq!(world.moves(1), ["b2", "a1", "c3"]);
    assert_eq!(answered_comments(&world, 1)[2..], [bob, alice, early], "in the order of the comments");
    assert!(!answered_comments(&world, 1).contains(&chat));
    assert_eq!(world.count(Request::Read), 3, "one read for each command that is settled");
}

#[test]
fn settles_commands_over_several_pages_of_comments() {
    let world = table();
    let waiting = (0..90).map(|n| {
        (0..2).for_each(|_| _ = world.comment(1, "carol", "chat"));
        world.comment(1, &format!("guest{n}"), "/move a1")
    });
    let guests: Vec<u64> = waiting.collect();
    let last = world.comment(1, "bob", "a1");
    let report = world.settle(1, last);
    assert_eq!((report.applied, report.refused), (1, 90));
    assert_eq!(answered_comments(&world, 1).len(), 2 + 91);
    check_answers(&world, 1, &guests);
    check_answers(&world, 1, &[last]);
}

#[test]
fn ignores_bots_and_pull_requests() {
    let world = table();
    let bot = world.comment(1, "dependabot[bot]", "/board");
    assert_eq!(world.settle(1, bot), Report::default());
    let request = world.open_pull_request("alice", "/new tic-tac-toe");
    assert_eq!(world.settle(request, 0), Report::default());
    assert_eq!(world.answers(request).len(), 0);
}

#[test]
fn ignores_an_account_with_an_invalid_login() {
    let world = Scenario::new();
    let issue = world.open_issue("a`b@c", "/new tic-tac-toe");
    assert_eq!(world.settle(issue, 0), Report::default());
    assert_eq!(world.file("state/1.json"), None);
}

#[test]
fn ignores_forged_markers() {
    let world = table();
    let bob = world.comment(1, "bob", "a1");
    let source = place(1, bob);
    world.comment(
        1,
        "carol",
        &Marker { source, table: IssueNumber::new(1), commit: None, has_board: false, sets_away: false }
            .prepend_to("**bob**: No."),
    );
    world.settle(1, bob);
    assert_eq!(world.moves(1), ["b2", "a1"]);
    check_answers(&world, 1, &[bob]);
    // A marker above a command makes it look like an answer of the bot, so it is ignored.
    let source = place(1, 7);
    world.post(
        1,
        "alice",
        &Marker { source, table: IssueNumber::new(1), commit: None, has_board: false, sets_away: false }
            .prepend_to("/move c3"),
    );
    assert_eq!(world.moves(1), ["b2", "a1"]);
    let alice = world.post(1, "alice", "/move c3");
    assert_eq!(world.moves(1), ["b2", "a1", "c3"]);
    check_answers(&world, 1, &[alice]);
}

#[test]
fn the_host_can_play_with_a_personal_token() {
    // The bot writes as alice, who also plays.
    let world = Scenario::new();
    world.run_as("alice");
    world.open_issue("alice", "/new tic-tac-toe @bob");
    world.settle(1, 0);
    let alice = world.comment(1, "alice", "b2");
    world.settle(1, alice);
    let bob = world.post(1, "bob", "a1");
    let own: Vec<String> = world.answers(1).into_iter().filter(|text| text.starts_with("<!--")).collect();
    assert_eq!(own.len(), 3);
    assert_eq!(world.moves(1), ["b2", "a1"]);
    assert!(bob > alice);
}

#[test]
fn handles_huge_comments() {
    let fill = |text: &str, with: &str| format!("{text}\n\n{}", with.repeat(60_000 / with.len()));
    // Chat of any size and kind stays chat. Each has its own table, because every run reads all chat again.
    for with in ["x", "x ", "> ", "- ", "*", "`", "[", "![](", "/x\n", "b2 ", "\u{1f600}", "<a>", "\n", "\t/move a1\n"]
    {
        let world = table();
        let chat = world.comment(1, "bob", &fill("Hello", with));
        assert_eq!(world.settle(1, chat), Report::default(), "{with:?}");
    }
    let world = table();
    // A command may have a long text below it. A long move is quoted only in part.
    let bob = world.post(1, "bob", &fill("/move a1", "and so on "));
    assert_eq!(world.moves(1), ["b2", "a1"]);
    let alice = world.post(1, "alice", &format!("/move {}", "c".repeat(60_000)));
    assert!(world.answers(1).last().unwrap().len() < 1_000);
    check_answers(&world, 1, &[bob, alice]);
}
