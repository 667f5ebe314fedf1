//! Commands for another table, the sweep, and threads without a table.

use protocol::{Report, Trigger};
use table::IssueNumber;
use testkit::world::{Request, RequestFault};
use testkit::{Scenario, place};

use super::{answered_comments, check_answers, table};

#[test]
fn the_sweep_settles_every_missed_thread() {
    let world = Scenario::new();
    world.sweep().unwrap();
    for login in ["alice", "bob", "carol"] {
        world.open_issue(login, "/new tic-tac-toe");
    }
    world.issue(2, |issue| issue.closed = true);
    world.open_pull_request("dave", "/new tic-tac-toe");
    let locked = world.open_issue("erin", "/new tic-tac-toe");
    world.lock(locked);
    let report = world.sweep().unwrap();
    assert_eq!(report.applied, 3, "closed ones too; not locked ones, not pull requests");
    assert_eq!(world.sweep().unwrap(), Report::default());
    // One damaged record doesn't stop the others.
    let text = world.file("state/1.json").unwrap();
    world.land(&[("state/1.json", &text.replace("alice", "al ice"))]);
    world.comment(1, "alice", "/board");
    world.comment(3, "carol", "b2");
    let error = world.sweep().unwrap_err().to_string();
    assert!(error.contains("issue 1"), "{error}");
    assert_eq!(world.moves(3), ["b2"]);
}

#[test]
fn ignores_old_comments_in_an_issue_without_a_table() {
    let world = Scenario::new();
    let issue = world.open_issue("alice", "A bug.");
    let help = world.comment(issue, "alice", "/help");
    (0..120).for_each(|_| _ = world.comment(issue, "carol", "Me too."));
    world.change(|state| state.now += 8 * 86_400_000);
    let news = world.comment(issue, "bob", "Still there?");
    // Even if somebody reruns the job of the old comment.
    for comment in [news, help] {
        world.clear_log();
        assert_eq!(world.settle(issue, comment), Report::default());
        assert_eq!(world.count(Request::Any), 1, "one read of the newest: {:#?}", world.log());
    }
}

#[test]
fn a_move_at_the_table_recovers_another_threads_crash() {
    // Bob plays from issue 2, and the run is killed before its answer. The next move at table 1 posts it first.
    let world = table();
    let issue = world.open_issue("bob", "/move a1 #1");
    world.fail(Request::Answer, RequestFault::Killed { applied: false });
    assert!(world.try_settle(issue, 0).is_none());
    let alice = world.post(1, "alice", "c3");
    assert_eq!(answered_comments(&world, issue), [0]);
    assert_eq!(world.moves(1), ["b2", "a1", "c3"]);
    check_answers(&world, 1, &[alice]);
    world.settle(issue, 0);
    assert_eq!(answered_comments(&world, issue), [0]);
}

#[test]
fn settles_a_table_before_another_threads_command() {
    let world = table();
    // Bob's move is pending in the table's own thread. His second one, from another issue, must not overtake it.
    let first = world.comment(1, "bob", "a1");
    let issue = world.open_issue("bob", "/move c3 #1");
    world.settle(issue, 0);
    assert_eq!(world.moves(1), ["b2", "a1"]);
    assert!(world.answers(issue)[0].contains("It isn't your turn"));
    check_answers(&world, 1, &[first]);
}

#[test]
fn two_threads_may_name_each_other() {
    let world = Scenario::new();
    world.open_issue("alice", "/new tic-tac-toe @bob");
    world.open_issue("bob", "/new tic-tac-toe @alice");
    world.sweep().unwrap();
    let to_two = world.comment(1, "bob", "/move b2 #2");
    let to_one = world.comment(2, "alice", "/move b2 #1");
    let own = world.comment(1, "bob", "a1");
    world.settle(1, own);
    world.settle(2, to_one);
    assert_eq!(world.moves(1).len() + world.moves(2).len(), 2 + usize::from(world.moves(1).contains(&"a1".into())));
    check_answers(&world, 1, &[to_two, own]);
    check_answers(&world, 2, &[to_one]);
}

#[test]
fn nothing_after_a_command_left_for_later_counts_as_settled() {
    let world = table();
    world.open_issue("carol", "/new tic-tac-toe @dave");
    world.settle(2, 0);
    // These two have no run: the first is for another table, the second for the thread's own table.
    let left = world.comment(1, "carol", "/move b2 #2");
    let own = world.comment(1, "bob", "a1");
    // A third one, from another issue, settles the commands for the table first, but not the other ones in its thread.
    let elsewhere = world.open_issue("alice", "/move c3 #1");
    world.settle(elsewhere, 0);
    assert_eq!(world.moves(1), ["b2", "a1", "c3"]);
    assert!(!world.file("state/2.json").unwrap().contains("\"b2\""), "not yet");
    world.sweep().unwrap();
    assert_eq!(world.moves(2), ["b2"]);
    check_answers(&world, 1, &[left, own]);
}

#[test]
fn a_deleted_answer_does_not_replay_its_move() {
    let world = table();
    let elsewhere = world.open_issue("bob", "/move a1 #1");
    world.settle(elsewhere, 0);
    world.post(1, "alice", "/undo");
    world.post(1, "bob", "/accept");
    world.post(1, "alice", "c3");
    world.issue(elsewhere, |issue| issue.comments.clear());
    let chat = world.comment(elsewhere, "bob", "Where is it?");
    world.settle(elsewhere, chat);
    assert_eq!(world.moves(1), ["b2", "a1", "c3"], "a1 was taken back and is not played again");
}

#[test]
fn finds_an_answer_deep_in_another_thread() {
    let world = table();
    let busy = world.open_issue("bob", "A place to talk.");
    let bob = world.post(busy, "bob", "/move a1 #1");
    (0..150).for_each(|_| _ = world.comment(busy, "carol", "chat"));
    world.change(|state| state.now += 10 * 86_400_000);
    world.post(1, "alice", "c3");
    assert_eq!(answered_comments(&world, busy), [bob]);
    assert_eq!(world.moves(1), ["b2", "a1", "c3"]);
}

#[test]
fn moves_from_new_issues_cost_three_requests_each() {
    let world = table();
    for (login, text) in [("bob", "/move a1 #1"), ("alice", "/move c3 #1"), ("bob", "/move a3 #1")] {
        let issue = world.open_issue(login, text);
        world.clear_log();
        // The event names the table, so one query reads both issues and the answer to the previous move.
        let source = place(issue, 0);
        world.try_run(Trigger::Comment { source, table: Some(IssueNumber::new(1)) }).unwrap().unwrap();
        let log: Vec<Request> = world.log().iter().map(|entry| entry.request).collect();
        assert_eq!(log, [Request::Read, Request::Commit, Request::Answer]);
        assert!(world.with_state(|state| state.issues[&issue].closed));
    }
    assert_eq!(world.moves(1), ["b2", "a1", "c3", "a3"]);
}

/// No answer says that the command was applied, and neither does the record of the next round.
#[test]
fn a_command_from_another_issue_is_not_applied_again_after_a_rematch() {
    for same_second in [false, true] {
        let world = table();
        world.change(|state| state.full = 0);
        let rematch = world.comment(1, "alice", "/rematch");
        if same_second {
            world.change(|state| state.now -= 1000);
        }
        let link = world.open_issue("bob", "/resign #1");
        world.settle(1, rematch);
        world.settle(link, 0);
        for _ in 0..3 {
            world.sweep().unwrap();
        }
        let resigned = || world.headlines().iter().filter(|headline| headline.contains("resigned")).count();
        assert_eq!((world.table(1).round(), resigned()), (if same_second { 2 } else { 1 }, 1));
        // Once the bot can answer again, a new rematch works.
        world.change(|state| state.full = 2_500);
        world.sweep().unwrap();
        if !same_second {
            assert!(world.reply(1).contains("the game has moved on"), "{}", world.reply(1));
            world.post(1, "alice", "/rematch");
        }
        world.sweep().unwrap();
        assert_eq!((world.table(1).round(), resigned()), (2, 1));
        assert!(world.table(1).is_playing());
    }
}

#[test]
fn chat_stays_chat_after_a_command_from_another_issue() {
    // It isn't alice's turn, so this isn't a move.
    let world = table();
    world.post(1, "alice", "c3\n\nwould be nice.");
    world.open("bob", "/move a1 #1");
    world.sweep().unwrap();
    assert_eq!(world.moves(1), ["b2", "a1"]);
    world.post(1, "alice", "c3\n\nis nice.");
    assert_eq!(world.moves(1), ["b2", "a1", "c3"]);

    // The game is over.
    let world = table();
    world.post(1, "bob", "/resign");
    world.post(1, "bob", "c3\n\nwas nice.");
    world.open("alice", "/rematch #1");
    world.sweep().unwrap();
    assert_eq!((world.table(1).round(), world.moves(1).len()), (2, 0));
    world.post(1, "bob", "c3\n\nis nice.");
    assert_eq!(world.moves(1), ["c3"]);

    // There is no table here yet.
    let world = table();
    let other = world.open("bob", "/new tic-tac-toe @carol");
    let link = world.open("bob", "/move a1 #1");
    world.comment(link, "bob", "Yes.");
    world.comment(link, "bob", "/continue");
    let moved = world.comment(link, "bob", &format!("/continue #{other}"));
    world.settle(link, moved);
    world.sweep().unwrap();
    assert_eq!(answered_comments(&world, link), [0, moved]);
}
