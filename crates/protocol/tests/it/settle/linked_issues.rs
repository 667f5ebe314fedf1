//! Issues whose body is only a command for a table: comments below it that name no table are for that table.

use protocol::{Report, Trigger};
use table::{CommentId, CommentRef, IssueNumber};
use testkit::world::{FailingPart, Request, RequestFault};
use testkit::{Scenario, place};

use super::{answered_comments, check_answers, table};

/// Returns a table in issue 1 after the moves b2 and a1, and the issue in which bob wrote `/move a1 #1`.
fn table_with_link() -> (Scenario, u64) {
    let world = table();
    let link = world.open("bob", "/move a1 #1");
    assert_eq!(world.moves(1), ["b2", "a1"]);
    world.clear_log();
    (world, link)
}

fn requests(world: &Scenario) -> Vec<Request> {
    world.log().iter().map(|entry| entry.request).collect()
}

#[test]
fn a_move_below_a_link_takes_three_requests() {
    let (world, link) = table_with_link();
    let alice = world.comment(link, "alice", "c3");
    // The event has the issue's body, which names the table.
    let source = place(link, alice);
    world.try_run(Trigger::Comment { source, table: Some(IssueNumber::new(1)) }).unwrap().unwrap();
    assert_eq!(requests(&world), [Request::Read, Request::Commit, Request::Answer]);
    assert_eq!(world.moves(1), ["b2", "a1", "c3"]);
    check_answers(&world, link, &[0, alice]);
}

#[test]
fn chat_below_a_link_takes_at_most_one_more_read() {
    let (world, link) = table_with_link();
    for _ in 0..50 {
        world.comment(link, "carol", "I like this game.");
    }
    let last = world.comment(link, "alice", "Me too.");
    assert_eq!(world.settle(link, last), Report::default());
    assert_eq!(requests(&world), [Request::Read, Request::Read]);
    // Chat that is older than the last move doesn't need the table.
    world.post(1, "alice", "c3");
    let source = place(link, last);
    world.clear_log();
    world.try_run(Trigger::Comment { source, table: Some(IssueNumber::new(1)) }).unwrap().unwrap();
    assert_eq!(requests(&world), [Request::Read]);
}

#[test]
fn chat_for_one_table_does_not_hold_up_a_command_for_another() {
    let (world, link) = table_with_link();
    let other = world.open("carol", "/new tic-tac-toe @dave");
    world.comment(link, "alice", "I like this game.");
    let carol = world.comment(link, "carol", &format!("/move b2 #{other}"));
    let alice = world.comment(link, "alice", "c3");
    world.clear_log();
    world.settle(link, alice);
    assert_eq!((world.moves(1).len(), world.moves(other).len()), (3, 1));
    assert!(world.count(Request::Read) <= 6, "{:#?}", world.log());
    check_answers(&world, link, &[0, carol, alice]);
}

#[test]
fn too_many_commands_for_two_tables_do_not_hold_up_the_run() {
    let (world, link) = table_with_link();
    let other = world.open("carol", "/new tic-tac-toe @dave");
    for number in 0..60 {
        world.comment(link, "mallory", &format!("/move b2 #{}", if number % 2 == 0 { 1 } else { other }));
    }
    let alice = world.comment(link, "alice", "c3");
    world.clear_log();
    world.settle(link, alice);
    assert_eq!(world.moves(1).len(), 3);
    // One for each change of the table, but not forever.
    assert!(world.count(Request::Read) < 100, "{}", world.count(Request::Read));
}

#[test]
fn one_run_settles_a_link_and_the_comments_below_it() {
    for trouble in [None, Some(Request::Commit), Some(Request::Answer)] {
        let world = table();
        let link = world.open_issue("bob", "/move a1 #1");
        let alice = world.comment(link, "alice", "/move c3");
        let bob = world.comment(link, "bob", "a3");
        if let Some(request) = trouble {
            world.fail(request, RequestFault::Killed { applied: true });
            assert!(world.try_settle(link, 0).is_none());
        }
        world.settle(link, bob);
        assert_eq!(world.moves(1), ["b2", "a1", "c3", "a3"], "{trouble:?}");
        check_answers(&world, link, &[0, alice, bob]);
    }
    // The same below a refusal.
    let world = table();
    let link = world.open_issue("alice", "/move a1 #1");
    let bob = world.comment(link, "bob", "/move a1");
    world.settle(link, bob);
    assert_eq!(world.moves(1), ["b2", "a1"]);
    check_answers(&world, link, &[0, bob]);
}

#[test]
fn a_read_without_the_answer_to_the_body_does_not_lose_the_comment_below() {
    let world = table();
    let link = world.open_issue("bob", "/move a1 #1");
    let alice = world.comment(link, "alice", "/move c3");
    world.fail(Request::Answer, RequestFault::Killed { applied: false });
    assert!(world.try_settle(link, 0).is_none());
    // The table has moved on, and somebody has deleted the bot's answers.
    let own = world.post(1, "alice", "/undo");
    world.issue(link, |issue| issue.comments.retain(|note| note.id == alice));
    let bob = world.comment(link, "bob", "/board");
    world.settle(link, bob);
    check_answers(&world, 1, &[own]);
    check_answers(&world, link, &[alice, bob]);
}

#[test]
fn old_chat_below_a_link_is_never_played() {
    let (world, link) = table_with_link();
    // It isn't bob's turn, so this is chat. After alice's move at the table, the same words would be a move.
    let bob = world.post(link, "bob", "a3, good luck");
    world.post(1, "alice", "c3");
    let carol = world.comment(link, "carol", "Who is next?");
    assert_eq!(world.settle(link, carol), Report::default());
    assert_eq!(world.sweep().unwrap(), Report::default());
    assert_eq!(
        (world.moves(1), answered_comments(&world, link)),
        (["b2", "a1", "c3"].map(str::to_owned).to_vec(), vec![0])
    );
    let again = world.post(link, "bob", "a3, good luck");
    assert!(again > bob);
    assert_eq!(world.moves(1), ["b2", "a1", "c3", "a3"]);
    check_answers(&world, link, &[0, again]);
}

#[test]
fn makes_a_suggestion_below_a_link_only_once() {
    let (world, link) = table_with_link();
    let first = world.post(link, "alice", "I resign");
    world.post(link, "alice", "I resign");
    assert_eq!(answered_comments(&world, link), [0, first]);
}

#[test]
fn comments_below_other_bodies_name_no_table() {
    type Change = fn(&Scenario, u64);
    let cases: [(&str, &str, Change); 5] = [
        ("a body that says more", "/move a1 #1\n\nIs this how it works?", |_, _| {}),
        ("a body that is edited into chat", "/move a1 #1", |world, link| world.edit(link, 0, "Never mind.")),
        ("an empty body", "/move a1 #1", |world, link| world.edit(link, 0, "")),
        ("a question", "How do I move in #1?", |_, _| {}),
        ("an issue from elsewhere", "/move a1 #1", |world, link| {
            world.issue(link, |issue| {
                for note in &mut issue.comments {
                    note.text = note.text.replace("<!-- play-by-commit 2/0", "<!-- play-by-commit 77/0");
                }
            });
        }),
    ];
    for (case, body, change) in cases {
        let world = table();
        let link = world.open("bob", body);
        change(&world, link);
        let before = (world.head(), world.answers(link).len());
        for (login, text) in [("alice", "/move c3"), ("alice", "c3"), ("bob", "a3"), ("carol", "/board")] {
            world.post(link, login, text);
        }
        assert_eq!((world.head(), world.answers(link).len()), before, "{case}");
    }
}

#[test]
fn an_edit_of_the_body_does_not_change_the_table() {
    let (world, link) = table_with_link();
    world.open("carol", "/new tic-tac-toe @alice as=O");
    world.edit(link, 0, "/move a1 #3");
    let alice = world.post(link, "alice", "/move c3");
    assert_eq!((world.moves(1).len(), world.moves(3).len()), (3, 0));
    check_answers(&world, link, &[0, alice]);
}

#[test]
fn a_table_in_the_issue_of_a_link_gets_the_comments() {
    let (world, link) = table_with_link();
    // An attempt to open one is enough.
    let failed = world.post(link, "bob", "/new shogi");
    world.post(link, "bob", "/move b2");
    let opens = world.post(link, "bob", "/new tic-tac-toe @dave");
    let bob = world.post(link, "bob", "b2");
    let other = world.post(link, "alice", "/move c3 #1");
    assert_eq!(
        (world.moves(1), world.moves(link)),
        (["b2", "a1", "c3"].map(str::to_owned).to_vec(), vec!["b2".to_owned()])
    );
    check_answers(&world, link, &[0, failed, opens, bob, other]);
}

#[test]
fn chat_below_a_link_to_a_damaged_or_deleted_table_gets_no_answer() {
    for deleted in [false, true] {
        let (world, link) = table_with_link();
        if deleted {
            world.delete_comment(1, 0);
        } else {
            world.land(&[("state/1.json", "{")]);
        }
        let chat = world.comment(link, "alice", "c3");
        assert_eq!(world.settle(link, chat), Report::default());
        let command = world.post(link, "alice", "/move c3");
        check_answers(&world, link, &[0, command]);
        let why = if deleted { "There's no game in issue 1" } else { "The bot can't read the record of table 1" };
        assert!(world.reply(link).contains(why), "{}", world.reply(link));
    }
}

fn labels(world: &Scenario, issue: u64) -> Vec<String> {
    world.with_state(|state| state.issues[&issue].labels.clone())
}

#[test]
fn a_refused_link_takes_moves_like_an_accepted_one() {
    let world = table();
    let link = world.open("alice", "/move a1 #1");
    assert_eq!(
        labels(&world, link),
        ["play-by-commit"],
        "without the label, GitHub wouldn't start a job for a bare move"
    );
    world.clear_log();
    let bob = world.comment(link, "bob", "a1");
    let source = place(link, bob);
    world.try_run(Trigger::Comment { source, table: Some(IssueNumber::new(1)) }).unwrap().unwrap();
    assert_eq!(requests(&world), [Request::Read, Request::Commit, Request::Answer]);
    // Chat by someone whose turn it isn't stays chat.
    world.post(link, "bob", "a3, good luck");
    let alice = world.post(link, "alice", "/c3");
    assert_eq!(world.sweep().unwrap(), Report::default());
    assert_eq!(world.moves(1), ["b2", "a1", "c3"]);
    check_answers(&world, link, &[0, bob, alice]);
}

#[test]
fn only_the_issue_of_a_link_gets_the_label() {
    for (body, comment) in [
        ("/move a1 #1\n\nIs this how it works?", None),
        ("/move a1 #77", None),
        ("The board is broken.", Some("/move a1 #1")),
        ("/usr/bin/env is missing.", Some("/move a1 #1")),
        ("", Some("/board #1")),
    ] {
        let world = table();
        let issue = world.open("carol", body);
        if let Some(comment) = comment {
            world.post(issue, "carol", comment);
        }
        let answers = world.answers(issue).len();
        assert_eq!((labels(&world, issue), answers), (vec![], 1), "{body}");
        for text in ["a1", "/a1", "/flip"] {
            world.post(issue, "bob", text);
        }
        assert_eq!((world.moves(1).len(), world.answers(issue).len()), (1, 1), "{body}");
    }
}

#[test]
fn labels_the_issue_of_a_link_later_if_the_label_got_lost() {
    let world = table();
    // A refusal labels the issue first.
    world.fail(Request::Answer, RequestFault::PartFails(FailingPart { part: 1, runs_rest: true }));
    let link = world.open("alice", "/move a1 #1");
    assert_eq!(labels(&world, link), Vec::<String>::new());
    world.post(link, "bob", "/move a1");
    assert_eq!(labels(&world, link), ["play-by-commit"]);
}

#[test]
fn chat_below_a_link_stays_chat_after_an_undo_in_the_same_second() {
    let world = Scenario::played("/new tic-tac-toe @bob", &[]);
    let link = world.open("alice", "/move b2 #1");
    // It's bob's turn now.
    let chat = world.comment(link, "alice", "c3\n\nand some words");
    world.change(|state| state.now -= 1_000);
    let undo = world.comment(link, "alice", "/undo");
    let times = [chat, undo].map(|comment| {
        world.with_state(|state| {
            state.note(CommentRef { issue: IssueNumber::new(link), comment: CommentId::new(comment) }).unwrap().created
        })
    });
    assert_eq!(times[0], times[1]);
    world.sweep().unwrap();
    assert_eq!(world.moves(1), ["b2"], "the record keeps a move that was taken back");
    check_answers(&world, link, &[0, undo]);
}
