//! What goes wrong between a comment and its answer: races, repeats, crashes, stale reads, lost replies. Whatever happens,
//! a command is applied at most once and answered exactly once, and nothing is said before it is committed.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "world/mod.rs"]
mod world;

use std::time::Duration;

use play_by_commit::answer::Marker;
use play_by_commit::decide::House;
use play_by_commit::forge::Source;
use play_by_commit::record;
use play_by_commit::settle::{Place, Report, Wake, settle};
use world::{Request, Trouble, World, run};

fn place() -> Place {
    Place {
        house: House::default(),
        state_dir: "state".to_owned(),
        noreply: "users.noreply.github.com".to_owned(),
        days: 7,
    }
}

/// A run of the bot, woken by a comment. Nothing: the run was killed.
fn wake(world: &World, issue: u64, comment: u64) -> Option<anyhow::Result<Report>> {
    let source = Source { issue, comment };
    run(settle(world, &place(), Wake::Comment { source, table: None }))
}

#[track_caller]
fn settled(world: &World, issue: u64, comment: u64) -> Report {
    wake(world, issue, comment).expect("the run ends").expect("the run succeeds")
}

fn sweep(world: &World) -> anyhow::Result<Report> {
    run(settle(world, &place(), Wake::Sweep)).expect("the run ends")
}

/// Somebody comments, and a run settles it.
#[track_caller]
fn say(world: &World, issue: u64, login: &str, text: &str) -> u64 {
    let id = world.comment(issue, login, text);
    settled(world, issue, id);
    id
}

/// A table of alice (X) and bob (O) in issue 1, at which alice has played b2.
fn table() -> World {
    let world = World::new();
    let issue = world.open_issue("alice", "/new tic-tac-toe @bob");
    settled(&world, issue, 0);
    say(&world, issue, "alice", "b2");
    world.clear_log();
    world
}

/// The moves on the board, in order, as the record at the head has them.
#[track_caller]
fn moves(world: &World, issue: u64) -> Vec<String> {
    let text = world.file(&format!("state/{issue}.json")).expect("there is a record");
    record::load(&text, issue).expect("the record replays");
    let record: serde_json::Value = serde_json::from_str(&text).unwrap();
    let history = record["history"].as_array().unwrap();
    history.iter().filter_map(|event| event["notation"].as_str().map(str::to_owned)).collect()
}

/// The sources that were answered, in the order of the answers.
fn answered(world: &World, issue: u64) -> Vec<u64> {
    world.answers(issue).iter().map(|text| Marker::read(text).expect("a marker").source.comment).collect()
}

/// Every one of these comments has exactly one answer, every answer that names a commit names one that there is, and
/// everything that was scripted has happened.
#[track_caller]
fn whole(world: &World, issue: u64, commands: &[u64]) {
    let answers = answered(world, issue);
    for command in commands {
        let count = answers.iter().filter(|source| *source == command).count();
        assert_eq!(count, 1, "comment {command} has {count} answers: {:#?}", world.answers(issue));
    }
    for commit in world.answers(issue).iter().filter_map(|answer| Marker::read(answer)?.commit) {
        assert!(world.look(|state| state.commits.contains_key(commit.as_str())), "the answer names a commit");
    }
    assert_eq!(world.pending(), 0, "what was scripted has happened");
}

#[test]
fn a_move_is_one_read_one_commit_one_answer() {
    let world = table();
    let bob = say(&world, 1, "bob", "/move a1");
    let log: Vec<Request> = world.log().iter().map(|entry| entry.request).collect();
    assert_eq!(log, [Request::Read, Request::Commit, Request::Answer, Request::React]);
    assert_eq!(moves(&world, 1), ["b2", "a1"]);
    whole(&world, 1, &[bob]);
}

#[test]
fn the_cost_does_not_grow_with_what_came_before() {
    let world = table();
    for _ in 0..150 {
        let id = world.comment(1, "carol", "chat");
        assert!(id > 0);
    }
    say(&world, 1, "bob", "a1");
    // 150 comments above the floor cost one more page, once; the move has raised the floor.
    world.clear_log();
    say(&world, 1, "alice", "c3");
    assert_eq!(world.count(Request::Any), 4);
}

#[test]
fn a_rival_commits_right_after_the_read() {
    let world = table();
    world.after(Request::Read, |world| drop(world.race()));
    let bob = say(&world, 1, "bob", "a1");
    assert_eq!(moves(&world, 1), ["b2", "a1"]);
    assert_eq!(world.count(Request::Commit), 2, "the first one was lost");
    assert!(world.file("elsewhere.txt").is_some(), "the rival's commit is still there");
    whole(&world, 1, &[bob]);
}

#[test]
fn a_rivals_move_lands_right_after_the_read() {
    // Two people want the open seat. The other run settles both while this one has read only the first state.
    let world = World::new();
    world.open_issue("alice", "/new tic-tac-toe");
    settled(&world, 1, 0);
    say(&world, 1, "alice", "b2");
    let bob = world.comment(1, "bob", "/move a1");
    world.after(Request::Read, move |world| {
        let carol = world.comment(1, "carol", "/move a1");
        settled(world, 1, carol);
    });
    settled(&world, 1, bob);
    assert_eq!(moves(&world, 1), ["b2", "a1"]);
    let carol = bob + 1;
    whole(&world, 1, &[bob, carol]);
    assert_eq!(world.reactions(1, bob), ["rocket"]);
    assert_eq!(world.reactions(1, carol), ["confused"]);
}

#[test]
fn races_in_a_row_end_in_giving_up() {
    let world = table();
    let bob = world.comment(1, "bob", "a1");
    for nth in 1..5000 {
        world.after_nth(Request::Read, nth, |world| drop(world.race()));
    }
    let error = wake(&world, 1, bob).unwrap().unwrap_err().to_string();
    assert!(error.contains("three minutes"), "{error}");
    assert_eq!(moves(&world, 1), ["b2"]);
}

#[test]
fn the_same_event_twice() {
    let world = table();
    let bob = say(&world, 1, "bob", "a1");
    let head = world.head();
    assert_eq!(settled(&world, 1, bob), Report::default());
    assert_eq!(world.head(), head);
    whole(&world, 1, &[bob]);
}

#[test]
fn an_event_for_an_old_comment() {
    let world = table();
    let bob = say(&world, 1, "bob", "a1");
    let wrong = say(&world, 1, "bob", "a2");
    let alice = say(&world, 1, "alice", "c3");
    for old in [bob, wrong, 0] {
        assert_eq!(settled(&world, 1, old), Report::default());
    }
    whole(&world, 1, &[bob, wrong, alice]);
}

#[test]
fn two_runs_at_the_same_move() {
    let world = table();
    world.interleave();
    let bob = world.comment(1, "bob", "a1");
    let source = Source { issue: 1, comment: bob };
    let place = place();
    let wake = Wake::Comment { source, table: None };
    let both = run(async { tokio::join!(settle(&world, &place, wake), settle(&world, &place, wake)) }).unwrap();
    assert_eq!(both.0.unwrap().applied + both.1.unwrap().applied, 1);
    assert_eq!(moves(&world, 1), ["b2", "a1"]);
    whole(&world, 1, &[bob]);
}

#[test]
fn two_runs_at_the_same_refusal() {
    let world = table();
    world.interleave();
    let alice = world.comment(1, "alice", "a1");
    let source = Source { issue: 1, comment: alice };
    let place = place();
    let wake = Wake::Comment { source, table: None };
    let both = run(async { tokio::join!(settle(&world, &place, wake), settle(&world, &place, wake)) }).unwrap();
    assert_eq!(both.0.unwrap().refused + both.1.unwrap().refused, 1);
    whole(&world, 1, &[alice]);
}

#[test]
fn two_commands_waiting_at_once() {
    let world = table();
    let bob = world.comment(1, "bob", "a1");
    let chat = world.comment(1, "carol", "nice");
    let alice = world.comment(1, "alice", "c3");
    let early = world.comment(1, "alice", "c2");
    // Only the last of them wakes anybody: a pending run was cancelled.
    let report = settled(&world, 1, early);
    assert_eq!((report.applied, report.refused), (2, 1));
    assert_eq!(moves(&world, 1), ["b2", "a1", "c3"]);
    assert_eq!(answered(&world, 1)[2..], [bob, alice, early], "in the order of the comments");
    assert!(!answered(&world, 1).contains(&chat));
    assert_eq!(world.count(Request::Read), 3, "one read for each command that is settled");
}

#[test]
fn more_than_a_hundred_waiting() {
    let world = table();
    let bob: Vec<u64> = (0..230).map(|_| world.comment(1, "alice", "a1")).collect();
    let last = world.comment(1, "bob", "a1");
    let report = settled(&world, 1, last);
    assert_eq!((report.applied, report.refused), (1, 230));
    assert_eq!(answered(&world, 1).len(), 2 + 231);
    whole(&world, 1, &bob);
    whole(&world, 1, &[last]);
}

/// Kills a run at each of its requests in turn, before and after it was applied; the next run makes good.
#[track_caller]
fn crashes(command: &str, login: &str, requests: &[(Request, usize)]) {
    for &(request, nth) in requests {
        for applied in [false, true] {
            let world = table();
            let comment = world.comment(1, login, command);
            world.fail_nth(request, nth, Trouble::Dies { applied });
            assert!(wake(&world, 1, comment).is_none(), "the run is killed at {request:?}");
            settled(&world, 1, comment);
            settled(&world, 1, comment);
            whole(&world, 1, &[comment]);
            // A later move goes on from there.
            assert!(sweep(&world).is_ok());
            whole(&world, 1, &[comment]);
        }
    }
}

#[test]
fn a_crash_anywhere_in_a_move() {
    crashes("a1", "bob", &[(Request::Read, 1), (Request::Commit, 1), (Request::Answer, 1), (Request::React, 1)]);
}

#[test]
fn a_crash_anywhere_in_a_refusal_or_a_show() {
    crashes("c3", "alice", &[(Request::Read, 1), (Request::React, 1), (Request::Answer, 1)]);
    crashes("/board", "carol", &[(Request::Read, 1), (Request::React, 1), (Request::Answer, 1)]);
}

#[test]
fn a_crash_between_commit_and_answer_is_made_good_before_the_next_move() {
    let world = table();
    let bob = world.comment(1, "bob", "a1");
    world.fail(Request::Answer, Trouble::Dies { applied: false });
    assert!(wake(&world, 1, bob).is_none());
    let alice = world.comment(1, "alice", "c3");
    let report = settled(&world, 1, alice);
    assert_eq!((report.applied, report.repaired), (1, 1));
    assert_eq!(answered(&world, 1)[2..], [bob, alice], "the answer that was missing comes first");
    whole(&world, 1, &[bob, alice]);
}

/// A request is lost on the way, or its answer is; the same run makes good.
#[track_caller]
fn losses(command: &str, login: &str, requests: &[Request]) {
    for &request in requests {
        for applied in [false, true] {
            let world = table();
            let comment = world.comment(1, login, command);
            world.fail(request, Trouble::Lost { applied });
            settled(&world, 1, comment);
            whole(&world, 1, &[comment]);
            let commits = world.headlines().iter().filter(|line| line.contains("bob (O)")).count();
            assert_eq!(commits, usize::from(login == "bob"), "{request:?} {applied}");
        }
    }
}

#[test]
fn a_lost_request_and_a_lost_answer() {
    losses("a1", "bob", &[Request::Read, Request::Commit, Request::Answer, Request::React]);
    losses("a1", "alice", &[Request::Read, Request::React, Request::Answer]);
    losses("/help", "carol", &[Request::Read, Request::React, Request::Answer]);
}

#[test]
fn the_answer_to_the_answer_arrives_late() {
    // The reply to the comment is lost, and the comment shows up only some seconds later.
    let world = table();
    let bob = world.comment(1, "bob", "a1");
    world.fail(Request::Answer, Trouble::Lost { applied: true });
    world.fail_nth(Request::Read, 2, Trouble::LacksComments(1));
    world.fail_nth(Request::Read, 3, Trouble::LacksComments(1));
    settled(&world, 1, bob);
    whole(&world, 1, &[bob]);
}

#[test]
fn a_second_answer_is_taken_away() {
    // It was applied later than anyone would wait: both answers are there, and the newer one goes.
    let world = table();
    let bob = say(&world, 1, "bob", "a1");
    let twin = world.answers(1).last().unwrap().clone();
    world.comment(1, "github-actions", &twin);
    settled(&world, 1, bob);
    whole(&world, 1, &[bob]);
    // One that contradicts the record goes, even if it is the older one.
    let world = table();
    let bob = world.comment(1, "bob", "a1");
    let source = Source { issue: 1, comment: bob };
    let refusal = Marker { source, table: 1, commit: None }.over("**bob**: No.");
    world.after(Request::Commit, {
        let refusal = refusal.clone();
        move |world| _ = world.comment(1, "github-actions", &refusal)
    });
    settled(&world, 1, bob);
    assert_eq!(answered(&world, 1)[2..], [bob, bob]);
    settled(&world, 1, bob);
    whole(&world, 1, &[bob]);
    assert!(!world.answers(1).contains(&refusal));
}

#[test]
fn a_comment_deleted_or_edited() {
    // Deleted before it was read: it never was.
    let world = table();
    let bob = world.comment(1, "bob", "a1");
    world.delete_comment(1, bob);
    assert_eq!(settled(&world, 1, bob), Report::default());
    // Edited before it was read: the text counts as it stands.
    let bob = world.comment(1, "bob", "a1");
    world.edit(1, bob, "a3");
    settled(&world, 1, bob);
    assert_eq!(moves(&world, 1), ["b2", "a3"]);
    // Edited or deleted after it was settled: nothing changes.
    world.edit(1, bob, "c1");
    settled(&world, 1, bob);
    let refused = say(&world, 1, "bob", "c3");
    world.edit(1, refused, "/resign");
    settled(&world, 1, refused);
    world.delete_comment(1, bob);
    say(&world, 1, "alice", "c3");
    assert_eq!(moves(&world, 1), ["b2", "a3", "c3"]);
    // Deleted between the read and the claim: nobody is answered.
    let world = table();
    let alice = world.comment(1, "alice", "a1");
    world.after(Request::Read, move |world| world.delete_comment(1, alice));
    settled(&world, 1, alice);
    assert!(!answered(&world, 1).contains(&alice));
}

#[test]
fn a_stale_read() {
    // The waking comment is not in it yet.
    let world = table();
    let bob = world.comment(1, "bob", "a1");
    world.fail(Request::Read, Trouble::LacksComments(1));
    settled(&world, 1, bob);
    assert_eq!(moves(&world, 1), ["b2", "a1"]);
    assert_eq!(world.count(Request::Exists), 1);
    whole(&world, 1, &[bob]);
    // The head is not in it yet, so it is not alice's turn there: nobody is refused on the strength of that.
    let alice = world.comment(1, "alice", "c3");
    world.fail(Request::Read, Trouble::OldHead(1));
    let report = settled(&world, 1, alice);
    assert_eq!((report.applied, report.refused), (1, 0));
    whole(&world, 1, &[bob, alice]);
}

#[test]
fn bots_and_pull_requests_are_left_alone() {
    let world = table();
    let bot = world.comment(1, "dependabot[bot]", "/board");
    assert_eq!(settled(&world, 1, bot), Report::default());
    let request = world.open_pull_request("alice", "/new tic-tac-toe");
    assert_eq!(settled(&world, request, 0), Report::default());
    assert_eq!(world.answers(request).len(), 0);
}

#[test]
fn a_deleted_account_is_nobody() {
    let world = table();
    let bob = world.comment(1, "bob", "a1");
    world.delete_account("bob");
    assert_eq!(settled(&world, 1, bob), Report::default());
}

#[test]
fn an_account_with_an_impossible_name_is_nobody() {
    let world = World::new();
    let issue = world.open_issue("a`b@c", "/new tic-tac-toe");
    assert_eq!(settled(&world, issue, 0), Report::default());
    assert_eq!(world.file("state/1.json"), None);
}

#[test]
fn forged_markers_are_chat() {
    let world = table();
    let bob = world.comment(1, "bob", "a1");
    let source = Source { issue: 1, comment: bob };
    world.comment(1, "carol", &Marker { source, table: 1, commit: None }.over("**bob**: No."));
    settled(&world, 1, bob);
    assert_eq!(moves(&world, 1), ["b2", "a1"]);
    whole(&world, 1, &[bob]);
    // Above a command it is a line that does not count.
    let source = Source { issue: 1, comment: 7 };
    let alice = say(&world, 1, "alice", &Marker { source, table: 1, commit: None }.over("/move c3"));
    assert_eq!(moves(&world, 1), ["b2", "a1", "c3"]);
    whole(&world, 1, &[alice]);
}

#[test]
fn the_host_plays_with_a_personal_token() {
    // The bot writes as alice, and alice is a player at once.
    let world = World::new();
    world.run_as("alice");
    world.open_issue("alice", "/new tic-tac-toe @bob");
    settled(&world, 1, 0);
    let alice = world.comment(1, "alice", "b2");
    settled(&world, 1, alice);
    let bob = say(&world, 1, "bob", "a1");
    let own: Vec<String> = world.answers(1).into_iter().filter(|text| text.starts_with("<!--")).collect();
    assert_eq!(own.len(), 3);
    assert_eq!(moves(&world, 1), ["b2", "a1"]);
    assert!(bob > alice);
}

#[test]
fn a_locked_or_full_thread_takes_no_answer_and_play_goes_on() {
    let world = table();
    let bob = world.comment(1, "bob", "a1");
    world.lock(1);
    let report = settled(&world, 1, bob);
    assert_eq!(report.applied, 1);
    assert!(report.notes[0].contains("issue 1"), "{:?}", report.notes);
    let alice = world.comment(1, "alice", "/board");
    let report = settled(&world, 1, alice);
    assert!(!report.notes.is_empty());
}

#[test]
fn a_record_that_is_gone() {
    let world = table();
    let head = world.head().unwrap();
    world.change(|state| {
        let begin = state.commits.values().find(|commit| commit.parent.is_none()).unwrap().clone();
        let oid = state.commits.iter().find(|(_, commit)| **commit == begin).unwrap().0.clone();
        state.branches.insert("main".to_owned(), oid);
    });
    let before = world.head();
    let bob = world.comment(1, "bob", "a1");
    let error = wake(&world, 1, bob).unwrap().unwrap_err().to_string();
    assert!(error.contains(head.as_str()) && error.contains("state/1.json"), "{error}");
    assert_eq!(world.head(), before, "nothing was written");
    assert!(!answered(&world, 1).contains(&bob));
}

#[test]
fn a_record_that_is_older_than_its_answers() {
    let world = table();
    let bob = say(&world, 1, "bob", "a1");
    // Somebody takes the last commit out of the branch.
    world.change(|state| {
        let head = state.branches["main"].clone();
        let parent = state.commits[&head].parent.clone().unwrap();
        state.branches.insert("main".to_owned(), parent);
    });
    assert_eq!(moves(&world, 1), ["b2"]);
    let early = world.comment(1, "alice", "c3");
    settled(&world, 1, early);
    assert!(world.answers(1).last().unwrap().contains("older than this thread"));
    assert!(world.answers(1).last().unwrap().contains("not your turn"), "play goes on from the record");
    let again = say(&world, 1, "bob", "a3");
    assert_eq!(moves(&world, 1), ["b2", "a3"], "the move that was answered is not applied again");
    let alice = say(&world, 1, "alice", "c3");
    assert!(!world.answers(1).last().unwrap().contains("older than"), "said once it was settled no more");
    whole(&world, 1, &[bob, early, again, alice]);
}

#[test]
fn a_damaged_record_is_never_written_over() {
    let world = table();
    let good = world.file("state/1.json").unwrap();
    let bad = good.replace("\"X\", null", "\"O\", null");
    assert_ne!(good, bad);
    let head = world.land(&[("state/1.json", &bad)]);
    let bob = world.comment(1, "bob", "a1");
    let error = wake(&world, 1, bob).unwrap().unwrap_err().to_string();
    assert!(error.contains("state/1.json is damaged") && error.contains("`position.board[4]`"), "{error}");
    assert_eq!(world.head(), Some(head));
    // Once it is restored, the sweep settles what was left.
    world.land(&[("state/1.json", &good)]);
    assert_eq!(sweep(&world).unwrap().applied, 1);
    assert_eq!(moves(&world, 1), ["b2", "a1"]);
    whole(&world, 1, &[bob]);
}

#[test]
fn a_missing_branch_is_made() {
    let world = World::new();
    world.use_branch("play");
    world.open_issue("alice", "/new tic-tac-toe");
    settled(&world, 1, 0);
    assert!(world.file("state/1.json").is_some());
    assert_eq!(world.count(Request::MakeBranch), 1);
}

#[test]
fn the_host_asks_to_wait() {
    for request in [Request::Read, Request::Commit, Request::Answer] {
        let world = table();
        let bob = world.comment(1, "bob", "a1");
        world.fail(request, Trouble::Later(Duration::from_secs(60)));
        settled(&world, 1, bob);
        // What is ours to answer is answered at once after that.
        assert!((60_000..65_000).contains(&world.look(|state| state.paused)), "{request:?}");
        assert_eq!(moves(&world, 1), ["b2", "a1"]);
        whole(&world, 1, &[bob]);
    }
    // Longer than a run has patience: the host is told.
    let world = table();
    let bob = world.comment(1, "bob", "a1");
    world.fail(Request::Read, Trouble::Later(Duration::from_secs(3600)));
    assert!(wake(&world, 1, bob).unwrap().unwrap_err().to_string().contains("asks to wait"));
}

#[test]
fn the_sweep_settles_every_thread_that_was_missed() {
    let world = World::new();
    for login in ["alice", "bob", "carol"] {
        world.open_issue(login, "/new tic-tac-toe");
    }
    world.issue(2, |issue| issue.closed = true);
    world.open_pull_request("dave", "/new tic-tac-toe");
    let locked = world.open_issue("erin", "/new tic-tac-toe");
    world.lock(locked);
    let report = sweep(&world).unwrap();
    assert_eq!(report.applied, 3, "closed ones too; not locked ones, not pull requests");
    assert_eq!(sweep(&world).unwrap(), Report::default());
    // One damaged record does not keep the others waiting.
    let text = world.file("state/1.json").unwrap();
    world.land(&[("state/1.json", &text.replace("alice", "al ice"))]);
    world.comment(1, "alice", "/board");
    world.comment(3, "carol", "b2");
    let error = sweep(&world).unwrap_err().to_string();
    assert!(error.contains("issue 1"), "{error}");
    assert_eq!(moves(&world, 3), ["b2"]);
}

#[test]
fn old_comments_in_an_issue_without_a_table_are_history() {
    let world = World::new();
    let issue = world.open_issue("alice", "A bug.");
    world.comment(issue, "alice", "/help");
    world.change(|state| state.now += 8 * 86_400_000);
    let news = world.comment(issue, "bob", "Still there?");
    assert_eq!(settled(&world, issue, news), Report::default());
}

#[test]
fn another_threads_crash_is_made_good_at_the_table() {
    // Bob plays from issue 2, and the run is killed before the answer; the next move at table 1 makes good first.
    let world = table();
    let issue = world.open_issue("bob", "/move a1 #1");
    world.fail(Request::Answer, Trouble::Dies { applied: false });
    assert!(wake(&world, issue, 0).is_none());
    let alice = say(&world, 1, "alice", "c3");
    assert_eq!(answered(&world, issue), [0]);
    assert_eq!(moves(&world, 1), ["b2", "a1", "c3"]);
    whole(&world, 1, &[alice]);
    settled(&world, issue, 0);
    assert_eq!(answered(&world, issue), [0]);
}

#[test]
fn a_table_is_settled_before_another_threads_command_is_decided_at_it() {
    let world = table();
    // Bob's move waits in the table's own thread; his second one comes from elsewhere and must not overtake it.
    let first = world.comment(1, "bob", "a1");
    let issue = world.open_issue("bob", "/move c3 #1");
    settled(&world, issue, 0);
    assert_eq!(moves(&world, 1), ["b2", "a1"]);
    assert!(world.answers(issue)[0].contains("not your turn"));
    whole(&world, 1, &[first]);
}

#[test]
fn two_threads_that_name_each_other() {
    let world = World::new();
    world.open_issue("alice", "/new tic-tac-toe @bob");
    world.open_issue("bob", "/new tic-tac-toe @alice");
    sweep(&world).unwrap();
    let to_two = world.comment(1, "bob", "/move b2 #2");
    let to_one = world.comment(2, "alice", "/move b2 #1");
    let own = world.comment(1, "bob", "a1");
    settled(&world, 1, own);
    settled(&world, 2, to_one);
    assert_eq!(
        moves(&world, 1).len() + moves(&world, 2).len(),
        2 + usize::from(moves(&world, 1).contains(&"a1".into()))
    );
    whole(&world, 1, &[to_two, own]);
    whole(&world, 2, &[to_one]);
}

#[test]
fn a_command_that_was_left_for_later_stays_above_the_floor() {
    let world = table();
    world.open_issue("carol", "/new tic-tac-toe @dave");
    settled(&world, 2, 0);
    // Nobody wakes for these two: the first is for another table, the second for the table in its own thread.
    let left = world.comment(1, "carol", "/move b2 #2");
    let own = world.comment(1, "bob", "a1");
    // A third one, from elsewhere, has the table settled first, but not the thread.
    let elsewhere = world.open_issue("alice", "/move c3 #1");
    settled(&world, elsewhere, 0);
    assert_eq!(moves(&world, 1), ["b2", "a1", "c3"]);
    assert!(!world.file("state/2.json").unwrap().contains("\"b2\""), "not yet");
    sweep(&world).unwrap();
    assert_eq!(moves(&world, 2), ["b2"]);
    whole(&world, 1, &[left, own]);
}

#[test]
fn an_answer_that_somebody_deleted_plays_nothing_again() {
    let world = table();
    let elsewhere = world.open_issue("bob", "/move a1 #1");
    settled(&world, elsewhere, 0);
    say(&world, 1, "alice", "/undo");
    say(&world, 1, "bob", "/accept");
    say(&world, 1, "alice", "c3");
    world.issue(elsewhere, |issue| issue.comments.clear());
    let chat = world.comment(elsewhere, "bob", "Where is it?");
    settled(&world, elsewhere, chat);
    assert_eq!(moves(&world, 1), ["b2", "a1", "c3"], "a1 was taken back and is not played anew");
}

#[test]
fn a_comment_edited_while_another_run_is_about_to_refuse_it() {
    let world = table();
    let bob = world.comment(1, "bob", "b2");
    world.fail(Request::Answer, Trouble::Dies { applied: false });
    assert!(wake(&world, 1, bob).is_none(), "it has claimed the refusal");
    world.edit(1, bob, "a1");
    let source = Source { issue: 1, comment: bob };
    // The other run was only slow: its refusal arrives while this one waits.
    world.after_nth(Request::Read, 2, move |world| {
        world.comment(1, "github-actions", &Marker { source, table: 1, commit: None }.over("**bob**: No."));
    });
    settled(&world, 1, bob);
    assert_eq!(moves(&world, 1), ["b2"], "it was settled as it stood; the edit comes too late");
    whole(&world, 1, &[bob]);
}
