//! People and each other: damaged tables, noise, edits, other workflows, and a bot that changes its account.

use std::time::Duration;

use answers::{Marker, Notice, NoticeKind};
use protocol::settle::settle;
use protocol::{HostNote, Trigger};
use table::{CommentId, IssueNumber, Oid, Permission, WhoMayStart, state_file};
use testkit::world::{FailingPart, Request, RequestFault, World, run};
use testkit::{Scenario, place};

use super::{answered_comments, check_answers, default_config, table};

/// Returns the longest possible comment, of characters that are longest in JSON.
fn huge_comment() -> String {
    "\u{1}".repeat(65_536)
}

/// Opens issue 2, for commands to the table in issue 1.
fn other_issue(world: &World) -> u64 {
    world.open_issue("carol", "A place to talk.")
}

#[test]
fn a_damaged_record_affects_only_its_own_commands() {
    for damage in ["{", "gone"] {
        let world = table();
        let other = world.open_issue("carol", "/new tic-tac-toe");
        world.settle(other, 0);
        match damage {
            "gone" => world.change(|state| {
                let first = state.commits.values().find(|commit| commit.parent.is_none()).unwrap().clone();
                let head = state.branches["main"].clone();
                let mut files = (*state.commits[&head].files).clone();
                files.remove("state/2.json");
                let mut commits = (*state.commits).clone();
                commits.insert(
                    "f".repeat(40),
                    testkit::world::Commit { parent: Some(head), files: files.into(), ..first },
                );
                state.commits = commits.into();
                state.branches.insert("main".to_owned(), "f".repeat(40));
            }),
            text => drop(world.land(&[("state/2.json", text)])),
        }
        let mallory = world.comment(1, "mallory", "/board #2");
        let bob = world.comment(1, "bob", "a1");
        let source = place(1, bob);
        let report = world.try_run(Trigger::Comment { source, table: Some(IssueNumber::new(2)) }).unwrap().unwrap();
        assert_eq!(world.moves(1), ["b2", "a1"], "{damage}");
        check_answers(&world, 1, &[mallory, bob]);
        assert!(world.answers(1).iter().any(|answer| answer.contains("The bot can't read the record of table 2")));
        let names_record = |note: &HostNote| {
            let HostNote::RefusedForRecord(issue, problem) = note else { return false };
            *issue == IssueNumber::new(1) && problem.to_string().starts_with("state/2.json is")
        };
        assert!(report.failures.iter().any(names_record), "{report:?}");
    }
}

#[test]
fn plays_on_in_a_thread_with_huge_comments() {
    let world = table();
    world.change(|state| state.longest_reply = Some(16 << 20));
    for _ in 0..45 {
        world.comment(1, "mallory", &huge_comment());
    }
    let bob = world.post(1, "bob", "a1");
    assert_eq!(world.moves(1), ["b2", "a1"]);
    check_answers(&world, 1, &[bob]);
    assert!(world.with_state(|state| state.paused) < 60_000);
    // The same with two threads in one reply.
    let other = other_issue(&world);
    for _ in 0..35 {
        world.comment(other, "mallory", &huge_comment());
    }
    let alice = world.comment(other, "alice", "/move c3 #1");
    world.settle(other, alice);
    assert_eq!(world.moves(1), ["b2", "a1", "c3"]);
    assert!(world.with_state(|state| state.paused) < 60_000);
}

#[test]
fn a_noisy_thread_does_not_hold_up_a_missed_move() {
    let world = table();
    // Many people flood one issue, one person floods several, and a move has been missed.
    let noisy = world.open_issue("carol", "/new tic-tac-toe");
    world.settle(noisy, 0);
    for guest in 0..150 {
        world.comment(noisy, &format!("guest{guest}"), "/board");
    }
    let mut others = Vec::new();
    for _ in 0..3 {
        let issue = world.open_issue("carol", "/new tic-tac-toe");
        world.settle(issue, 0);
        for _ in 0..30 {
            world.comment(issue, "mallory", "/mvoe c3");
        }
        others.push(issue);
    }
    let before: usize = others.iter().map(|issue| answered_comments(&world, *issue).len()).sum();
    let bob = world.comment(1, "bob", "a1");
    let report = world.sweep().unwrap();
    assert_eq!(world.moves(1), ["b2", "a1"], "{report:?}");
    check_answers(&world, 1, &[bob]);
    let after: usize = others.iter().map(|issue| answered_comments(&world, *issue).len()).sum();
    assert_eq!(after - before, 20, "one person's refusals, over all threads");
}

#[test]
fn settled_commands_stay_settled_under_another_account() {
    for (first, then, bots) in
        [("github-actions", "host", ""), ("host", "github-actions", "Host"), ("games[bot]", "host", "games[bot]")]
    {
        let mut world = Scenario::new();
        world.config.bots.extend((!bots.is_empty()).then(|| bots.to_owned()));
        world.run_as(first);
        world.open_issue("alice", "/new tic-tac-toe @bob");
        world.settle(1, 0);
        world.post(1, "alice", "b2");
        let other = other_issue(&world);
        let refused = world.comment(other, "alice", "/move c3 #1");
        world.settle(other, refused);
        world.post(1, "bob", "a1");
        world.run_as(then);
        world.clear_log();
        world.sweep().unwrap();
        assert_eq!(world.moves(1), ["b2", "a1"], "from {first} to {then}");
        assert_eq!(world.count(Request::Answer) + world.count(Request::Delete), 0, "from {first} to {then}");
        world.post(1, "alice", "c3");
        assert_eq!(world.moves(1), ["b2", "a1", "c3"]);
    }
}

/// A repository of an organization, in which rita is a member who can only read.
fn table_in_an_organization() -> Scenario {
    let world = table();
    world.change(|state| {
        state.is_of_organization = true;
        state.person("rita").association = "MEMBER";
    });
    world
}

#[test]
fn only_the_bots_accounts_mark_comments() {
    for forger in ["rita", "alice", "other-app[bot]"] {
        let world = table_in_an_organization();
        let notice = |kind| Notice {
            kind,
            table: IssueNumber::new(1),
            round: 1,
            event: 1,
            commit: world.head(),
            settings: None,
        };
        let bob = world.comment(1, "bob", "a1");
        let marker = |commit| Marker {
            source: place(1, bob),
            table: IssueNumber::new(1),
            commit,
            has_board: false,
            sets_away: false,
        };
        for text in [
            marker(None).prepend_to("**bob**: No."),
            marker(world.head()).prepend_to("**bob** played `a1`."),
            notice(NoticeKind::Flag).prepend_to("**bob** ran out of time."),
            notice(NoticeKind::Reminder).prepend_to("@bob, it's your turn."),
        ] {
            world.comment(1, forger, &text);
        }
        world.clear_log();
        world.settle(1, bob);
        assert_eq!(world.moves(1), ["b2", "a1"], "{forger}");
        let log: Vec<Request> = world.log().iter().map(|entry| entry.request).collect();
        assert_eq!(log, [Request::Read, Request::Commit, Request::Answer], "{forger}");
    }
}

/// GitHub hides the notice, so the opponent sees only the question below it.
#[test]
fn a_forged_reminder_between_a_question_and_a_yes_is_a_comment() {
    let world = table_in_an_organization();
    let alice = world.post(1, "bob", "a1, draw?");
    let reminder = Notice {
        kind: NoticeKind::Reminder,
        table: IssueNumber::new(1),
        round: 1,
        event: 1,
        commit: None,
        settings: None,
    };
    world.comment(1, "rita", &reminder.prepend_to("Did you see that, alice?"));
    world.post(1, "alice", "yes");
    assert!(world.table(1).is_playing(), "{alice}");
    world.post(1, "alice", "/accept");
    assert!(world.table(1).is_over());
}

#[test]
fn a_maintainer_is_somebody_who_may_push() {
    use Permission::{Read, Triage, Write};
    let ends = |association: &'static str, permission: Permission, is_of_organization: bool| {
        let world = table();
        world.post(1, "bob", "a1");
        world.change(|state| {
            state.is_of_organization = is_of_organization;
            let mona = state.person("mona");
            (mona.association, mona.permission) = (association, permission);
        });
        world.clear_log();
        world.post(1, "mona", "/abort");
        (world.table(1).is_over(), world.count(Request::Permission))
    };
    // An organization's members may have any permission, and a private one looks like a stranger.
    for association in ["MEMBER", "COLLABORATOR", "CONTRIBUTOR", "NONE"] {
        for (permission, may_abort) in [(Read, false), (Triage, true), (Write, true)] {
            assert_eq!(ends(association, permission, true), (may_abort, 1), "{association} {permission:?}");
        }
    }
    // In a person's public repository, the association says all.
    assert_eq!(ends("COLLABORATOR", Write, false), (true, 0));
    assert_eq!(ends("CONTRIBUTOR", Read, false), (false, 0));
    assert_eq!(ends("OWNER", Write, true), (true, 0));
}

#[test]
fn a_permission_is_asked_for_once_and_only_if_a_command_needs_it() {
    let mut world = table_in_an_organization();
    world.config.policy.opening = WhoMayStart::Maintainers;
    for text in ["a1", "/board", "Good luck!", "/undo"] {
        world.post(1, "bob", text);
    }
    assert_eq!(world.count(Request::Permission), 0, "players need none");
    // Both have moved, so /abort takes a maintainer now.
    for _ in 0..3 {
        world.comment(1, "rita", "/abort");
    }
    world.sweep().unwrap();
    assert_eq!((world.count(Request::Permission), world.table(1).is_over()), (1, false));
    // A reader can't start a game, and a maintainer can.
    let issue = world.open("rita", "/new hex");
    assert!(world.reply(issue).contains("Only maintainers can start games"), "{}", world.reply(issue));
    world.change(|state| state.person("rita").permission = Permission::Write);
    world.clear_log();
    let issue = world.open("rita", "/new hex");
    assert!(world.table(issue).is_playing());
    let log: Vec<Request> = world.log().iter().map(|entry| entry.request).collect();
    assert_eq!(log, [Request::Read, Request::Permission, Request::Commit, Request::Answer]);
}

#[test]
fn a_permission_that_github_keeps_to_itself_counts_as_none() {
    let world = table_in_an_organization();
    world.post(1, "bob", "a1");
    world.change(|state| state.hides_permissions = true);
    world.post(1, "rita", "/abort");
    assert!(world.table(1).is_playing());
    let reply = world.reply(1);
    assert!(reply.contains("GitHub didn't tell the bot whether you're a maintainer of this repository."), "{reply}");
}

#[test]
fn a_move_from_another_issue_waits_for_the_latest_head() {
    let world = table();
    let other = other_issue(&world);
    world.post(1, "bob", "a1");
    let alice = world.comment(other, "alice", "/move c3 #1");
    // Without bob's commit it isn't her turn.
    world.fail(Request::Read, RequestFault::OldHead(1));
    let source = place(other, alice);
    world.try_run(Trigger::Comment { source, table: Some(IssueNumber::new(1)) }).unwrap().unwrap();
    assert_eq!(world.moves(1), ["b2", "a1", "c3"]);
    check_answers(&world, other, &[alice]);
}

#[test]
fn ignores_edits_by_other_people() {
    let world = table();
    world.as_maintainer("host");
    let chat = world.comment(1, "bob", "Good luck!");
    world.settle(1, chat);
    world.edit_as(Some("host"), 1, chat, "/resign");
    let opened = world.open_issue("bob", "My first words.");
    world.edit_as(Some("host"), opened, 0, "/resign #1");
    world.clear_log();
    world.sweep().unwrap();
    assert_eq!(world.count(Request::Commit) + world.count(Request::Answer), 0);
    world.post(1, "bob", "a1");
    assert_eq!(world.moves(1), ["b2", "a1"]);
}

#[test]
fn accepts_edits_for_five_minutes() {
    for (minutes, counts) in [(4, true), (6, false)] {
        let world = table();
        let chat = world.comment(1, "bob", "Let me think.");
        world.settle(1, chat);
        world.change(|state| state.now += minutes * 60_000);
        world.edit(1, chat, "/move a1");
        world.clear_log();
        world.sweep().unwrap();
        assert_eq!(world.moves(1).len() == 2, counts, "{minutes} minutes");
        assert_eq!(world.count(Request::Answer) == 1, counts, "{minutes} minutes");
    }
}

#[test]
fn the_next_run_makes_lost_issue_updates() {
    let world = Scenario::new();
    world.open_issue("alice", "/new tic-tac-toe seats=open");
    let part_fails = |part: usize| RequestFault::PartFails(FailingPart { part, runs_rest: true });
    // The parts are the comment, the rocket, the label, the label of open seats or the closing.
    world.fail(Request::Answer, part_fails(2));
    world.settle(1, 0);
    let link = world.open_issue("bob", "/move b2 #1");
    world.fail(Request::Answer, part_fails(3));
    world.settle(link, 0);
    let labels = |world: &World| world.with_state(|state| state.issues[&1].labels.clone());
    assert!(world.with_state(|state| !state.issues[&link].closed));
    assert_eq!(labels(&world), ["looking-for-opponent"]);
    world.sweep().unwrap();
    assert!(world.with_state(|state| state.issues[&link].closed));
    assert_eq!(labels(&world), ["looking-for-opponent", "play-by-commit"]);
    // An issue that somebody reopens stays open.
    world.issue(link, |issue| (issue.closed, issue.reopened) = (false, true));
    world.clear_log();
    world.sweep().unwrap();
    assert_eq!(world.count(Request::Close), 0);
}

#[test]
fn closes_the_issue_of_a_finished_game_until_a_rematch() {
    let world = table();
    for (login, notation) in [("bob", "a1"), ("alice", "b1"), ("bob", "a2")] {
        world.post(1, login, notation);
    }
    world.fail(Request::Answer, RequestFault::PartFails(FailingPart { part: 2, runs_rest: true }));
    world.post(1, "alice", "b3");
    assert!(!world.with_state(|state| state.issues[&1].closed));
    world.sweep().unwrap();
    assert!(world.with_state(|state| state.issues[&1].closed), "the next run closes it");
    world.post(1, "bob", "/rematch");
    assert!(!world.with_state(|state| state.issues[&1].closed));
    // A host may turn closing off.
    let world = table();
    let mut open = default_config();
    open.policy.close_finished = false;
    let resigns = world.comment(1, "alice", "/resign");
    let source = place(1, resigns);
    run(settle(&world.world, &open, Trigger::Comment { source, table: None })).unwrap().unwrap();
    assert!(!world.with_state(|state| state.issues[&1].closed));
}

#[test]
fn does_not_replay_an_issue_transferred_from_another_repository() {
    let world = Scenario::new();
    world.open_issue("host", "Welcome.");
    let issue = world.open_issue("alice", "/new tic-tac-toe @bob");
    let alice = world.comment(issue, "alice", "b2");
    for comment in [0, alice] {
        let commit = Oid::parse(&"c".repeat(40));
        let marker = Marker {
            source: place(77, comment),
            table: IssueNumber::new(77),
            commit,
            has_board: false,
            sets_away: false,
        };
        world.comment(issue, "github-actions", &marker.prepend_to("Played."));
    }
    world.sweep().unwrap();
    assert_eq!(world.file("state/2.json"), None);
    world.post(issue, "alice", "/new tic-tac-toe @bob");
    assert!(world.file("state/2.json").is_some(), "new comments count");
}

#[test]
fn eyes_from_another_workflow_do_not_hold_up_a_move() {
    let world = table();
    let bob = world.comment(1, "bob", "a1");
    world.change(|state| {
        let id = state.bot_id();
        state.reactions.insert((place(1, bob), id, "eyes".to_owned()));
    });
    world.settle(1, bob);
    assert_eq!((world.moves(1), world.count(Request::Any)), (vec!["b2".to_owned(), "a1".to_owned()], 3));
}

#[test]
fn reports_a_through_above_all_comments() {
    let world = table();
    let text = world.file("state/1.json").unwrap();
    let through = text.lines().find(|line| line.trim_start().starts_with("\"through\"")).unwrap();
    world.land(&[("state/1.json", &text.replace(through, "  \"through\": 9000000000000000,"))]);
    let bob = world.comment(1, "bob", "/move a1");
    let report = world.try_settle(1, bob).unwrap().unwrap();
    let settled_through = CommentId::new(9_000_000_000_000_000);
    let note = HostNote::ThroughIsTooHigh { path: "state/1.json".to_owned(), settled_through, source: place(1, bob) };
    assert_eq!(report.failures, [note]);
}

#[test]
fn reports_a_through_above_all_comments_within_the_same_second() {
    let world = table();
    let text = world.file("state/1.json").unwrap();
    let through = text.lines().find(|line| line.trim_start().starts_with("\"through\"")).unwrap();
    world.land(&[("state/1.json", &text.replace(through, "  \"through\": 9000000000000000,"))]);
    let last = state_file::load(&text, IssueNumber::new(1)).unwrap().last_event_time();
    world.change(|state| state.now = last.as_millis());
    let bob = world.comment(1, "bob", "/move a1");
    let report = world.try_settle(1, bob).unwrap().unwrap();
    assert_eq!(report.failures.len(), 1, "{report:?}");
}

#[test]
fn closes_an_issue_that_holds_only_a_command_for_another_table() {
    for (body, closed) in [
        ("/board #1", true),
        ("/move a1 #1\r\n", true),
        ("/accept it #1", false),
        ("/board #1\n\nThe board is cut off on my phone.", false),
        ("/board #1 is cut off on my phone.", false),
        ("/move a1 #1\n\nPress the green button: it does nothing here.", false),
        ("/move a1 #1\n\n> The error was:\n\n```\nnone\n```", false),
        ("/move a1 #1\n\nPress the green button: your move is played, and the bot closes this issue.", true),
    ] {
        let world = table();
        let issue = world.open_issue("bob", body);
        world.settle(issue, 0);
        world.sweep().unwrap();
        assert_eq!(world.answers(issue).len(), 1, "{body}");
        assert_eq!(world.with_state(|state| state.issues[&issue].closed), closed, "{body}");
    }
}

#[test]
fn reopens_an_issue_once_for_a_rematch() {
    let world = Scenario::played("/new tic-tac-toe @bob", &["alice: b2", "bob: a1", "alice: /resign"]);
    let is_closed = || world.with_state(|state| state.issues[&1].closed);
    assert!(is_closed());
    world.post(1, "bob", "/rematch");
    assert!(!is_closed());
    // The host closes it for good.
    world.issue(1, |issue| issue.closed = true);
    world.post(1, "alice", "What a pity.");
    world.sweep().unwrap();
    assert!(is_closed());

    // In a full issue the answer never arrives, so every daily run tries again.
    let world = Scenario::played("/new tic-tac-toe @bob", &["alice: b2", "bob: a1", "alice: /resign"]);
    world.change(|state| state.full = state.issues[&1].comments.len());
    world.comment(1, "bob", "/rematch");
    world.sweep().unwrap();
    world.issue(1, |issue| issue.closed = true);
    world.sweep().unwrap();
    assert!(world.with_state(|state| state.issues[&1].closed));
}

#[test]
fn a_fast_clock_does_not_hide_the_comment_that_started_the_run() {
    let world = Scenario::new();
    let issue = world.open_issue("alice", "Hello!");
    let new = world.comment(issue, "alice", "/new tic-tac-toe");
    // The runner's clock is eight days ahead.
    world.change(|state| state.now += 8 * 24 * 60 * 60 * 1000);
    world.settle(issue, new);
    assert!(world.reply(issue).contains("started a game"), "{}", world.reply(issue));
}

#[test]
fn a_draw_is_rated_only_if_both_have_moved() {
    let rated = |comments: &[&str]| {
        let world = Scenario::played("/new tic-tac-toe @bob", comments);
        let json: serde_json::Value = serde_json::from_str(&world.file("state/1.json").unwrap()).unwrap();
        assert_eq!(json["status"], "draw");
        json.get("counted").is_some()
    };
    assert!(!rated(&["bob: /join", "alice: /draw", "bob: /accept"]));
    assert!(!rated(&["alice: b2", "bob: /join", "alice: /draw", "bob: /accept"]));
    assert!(rated(&["alice: b2", "bob: a1", "alice: /draw", "bob: /accept"]));
}

/// The bot looks up an invited account once, before the game begins. If that fails, the game begins anyway.
#[test]
fn looks_up_an_invited_person() {
    for (invited, trouble, begins) in [
        ("bob", None, true),
        ("nobody-here", None, false),
        ("octo-org", None, false),
        ("nobody-here", Some(RequestFault::Lost { applied: false }), true),
        ("nobody-here", Some(RequestFault::RetryAfter(Duration::from_secs(60))), true),
    ] {
        let world = Scenario::new();
        let issue = world.open_issue("alice", &format!("/new tic-tac-toe @{invited}"));
        world.after(Request::Read, |world| _ = world.race());
        let is_lost = trouble.is_some();
        trouble.into_iter().for_each(|trouble| world.fail(Request::Account, trouble));
        world.settle(issue, 0);
        assert_eq!(world.file("state/1.json").is_some(), begins, "{invited}");
        assert_eq!(world.count(Request::Account), 1, "{invited}, {is_lost}");
        assert_eq!(world.answers(issue).len(), 1);
    }
    let world = table();
    assert_eq!(world.count(Request::Account), 0, "moves look up nobody");
    world.post(1, "bob", "/abort");
    world.post(1, "alice", "/rematch");
    assert_eq!(world.count(Request::Account), 0, "nor does a rematch");
}

/// Returns the number of answers in these issues that mention a person.
fn mentions(world: &World, issues: &[u64], login: &str) -> usize {
    let answers = issues.iter().flat_map(|issue| world.answers(*issue));
    answers.filter(|answer| answer.contains(&format!("@{login}"))).count()
}

#[test]
fn a_guest_who_comes_and_goes_mentions_the_opener_once() {
    for arrival in ["/join black", "/move e5"] {
        let world = Scenario::played("/new chess", &["alice: e4"]);
        for text in [arrival, "/leave", arrival] {
            let comment = world.comment(1, "mallory", text);
            assert_eq!(world.settle(1, comment).applied, 1, "{text}: {:?}", world.answers(1).last());
        }
        assert_eq!(mentions(&world, &[1], "alice"), 1, "{:?}", world.answers(1));
        // Another guest's arrival is news.
        let world = Scenario::played("/new chess", &["alice: e4"]);
        ["mallory", "carol"].iter().for_each(|guest| {
            world.post(1, guest, arrival);
            world.post(1, guest, "/leave");
        });
        assert_eq!(mentions(&world, &[1], "alice"), 2, "{:?}", world.answers(1));
    }
}

#[test]
fn a_game_that_moves_again_and_again_mentions_the_opponent_once() {
    let world = Scenario::played("/new tic-tac-toe @bob", &["bob: /join", "alice: b2"]);
    let moved: Vec<u64> = (1..=3).map(|from| world.open("alice", &format!("/continue #{from}"))).collect();
    assert_eq!(moved, [2, 3, 4]);
    assert_eq!(mentions(&world, &moved, "bob"), 1, "{:?}", world.answers(4));
    world.post(4, "bob", "a1");
    world.post(4, "alice", "c3");
    assert_eq!(mentions(&world, &moved, "bob"), 2, "{:?}", world.answers(4));
}
