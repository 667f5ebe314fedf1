//! The bot starts and answers only where it is invited: with `/new`, at its tables, and in issues with the host's label.

use protocol::{HostNote, Report, Trigger};
use table::{IssueNumber, WhoMayStart};
use testkit::Scenario;
use testkit::world::Request;

use super::table;

/// Commands of other bots, and of people who mean those bots.
const OTHER_BOTS: [&str; 24] = [
    "/help",
    "/claim",
    "/claim #12",
    "/take",
    "/review",
    "/review #12",
    "/time",
    "/assign",
    "/assign @alice",
    "/close",
    "/reopen",
    "/label bug",
    "/lgtm",
    "/approve",
    "/hold",
    "/retest",
    "/attempt #12",
    "/start",
    "/play",
    "/rank",
    "/mine",
    "/standings",
    "/board",
    "/join",
];

/// Checks that the bot writes nothing in an issue, whether a comment starts the run or the daily run does.
#[track_caller]
fn check_silent(world: &Scenario, issue: u64) {
    let comments: Vec<u64> =
        world.with_state(|state| state.issues[&issue].comments.iter().map(|note| note.id).collect());
    for comment in comments.into_iter().chain([0]) {
        assert_eq!(world.settle(issue, comment), Report::default(), "{issue} {comment}");
    }
    let reactions = world.with_state(|state| state.reactions.iter().filter(|(at, ..)| at.issue.get() == issue).count());
    assert_eq!((world.answers(issue).len(), reactions), (0, 0), "issue {issue}");
}

#[test]
fn leaves_the_commands_of_other_bots_alone() {
    let world = table();
    for text in OTHER_BOTS {
        let issue = world.open_issue("carol", "It crashes.");
        world.comment(issue, "carol", text);
        world.comment(issue, "dave", text);
        check_silent(&world, issue);
        let issue = world.open_issue("carol", &format!("{text}\n\nIt crashes."));
        if !["/start", "/play"].contains(&text) {
            check_silent(&world, issue);
        }
    }
    // Somebody who failed to open a game here may use other bots, too.
    let issue = world.open("carol", "/new halma");
    let answers = world.answers(issue).len();
    for text in OTHER_BOTS {
        world.post(issue, "carol", text);
    }
    assert_eq!((answers, world.answers(issue).len()), (1, 1));
}

#[test]
fn answers_what_is_meant_for_it() {
    for (body, expected) in [
        ("/help chess", "Chess"),
        ("/nwe chess", "/new"),
        ("/new", "tic-tac-toe"),
        ("/move e5 #12", "There's no game in issue 12."),
        ("/continue #12", "There's no game in issue 12."),
        ("/move a1 #1", "played `a1`"),
    ] {
        let world = table();
        let login = if body.contains("#1") { "bob" } else { "carol" };
        let issue = world.open(login, body);
        assert!(world.reply(issue).contains(expected), "{body}: {}", world.reply(issue));
        let world = table();
        let issue = world.open_issue(login, "Something else.");
        world.post(issue, login, body);
        assert!(world.reply(issue).contains(expected), "{body}: {}", world.reply(issue));
    }
}

#[test]
fn a_missing_record_is_reported_whatever_the_comment() {
    let world = table();
    world.remove_file("state/1.json");
    let comment = world.comment(1, "bob", "/board");
    let ended = world.try_settle(1, comment).expect("the run ends");
    assert!(format!("{ended:?}").contains("MissingRecord"), "{ended:?}");
}

#[test]
fn with_labels_the_bot_listens_only_there() {
    let mut world = table();
    world.config.policy.only_labels = vec!["Games".to_owned(), "play".to_owned()];
    let bodies = ["/new tic-tac-toe", "/help chess", "/move a1 #1", "/continue #1", "/nwe chess", "### Game\n\nhex\n"];
    for body in bodies {
        let issue = world.open_issue("bob", body);
        world.comment(issue, "bob", body);
        check_silent(&world, issue);
    }
    world.clear_log();
    world.sweep().unwrap();
    assert_eq!(world.count(Request::React) + world.count(Request::Answer), 0, "{:?}", world.log());
    assert_eq!(world.moves(1), ["b2"]);
    // The table needs no label.
    world.post(1, "bob", "a1");
    assert_eq!(world.moves(1), ["b2", "a1"]);
    // A label invites the bot, and its case doesn't matter.
    let issue = world.open_issue("carol", "/new tic-tac-toe");
    world.issue(issue, |issue| issue.labels.push("games".to_owned()));
    world.settle(issue, 0);
    assert!(world.table(issue).is_playing());
    let issue = world.open_issue("carol", "/new hex");
    world.issue(issue, |issue| issue.labels.push("play".to_owned()));
    world.sweep().unwrap();
    assert!(world.table(issue).is_playing());
    // The bot's own label doesn't count: the form gives it to every issue.
    let issue = world.open_issue("carol", "/new hex");
    world.issue(issue, |issue| issue.labels.push("play-by-commit".to_owned()));
    check_silent(&world, issue);
}

/// A damaged record has no table, but its issue is one.
#[test]
fn a_damaged_table_needs_no_label() {
    let mut world = table();
    world.config.policy.only_labels = vec!["games".to_owned()];
    world.land(&[("state/1.json", "{}")]);
    let comment = world.comment(1, "bob", "/board");
    let ended = world.try_settle(1, comment).expect("the run ends");
    assert!(format!("{ended:?}").contains("DamagedRecord"), "{ended:?}");
}

#[test]
fn a_flag_ignores_commands_in_issues_without_the_label() {
    let mut world = Scenario::played("/new tic-tac-toe @bob per-move=1d", &["alice: b2", "bob: a1", "alice: c3"]);
    world.config.policy.only_labels = vec!["games".to_owned()];
    world.open_issue("bob", "/move a2 #1");
    world.change(|state| state.now += 30 * 3_600_000);
    world.sweep().unwrap();
    assert!(world.table(1).is_over());
}

#[test]
fn a_game_moves_only_into_an_issue_of_ones_own() {
    let world = table();
    let report = world.open_issue("dave", "It crashes.");
    world.change(|state| state.issue_mut(report).unwrap().closed = true);
    let before = world.with_state(|state| state.issues[&report].clone());
    world.post(report, "bob", "/continue #1");
    assert!(world.reply(report).contains("Only this issue's author or a maintainer"), "{}", world.reply(report));
    let after = world.with_state(|state| state.issues[&report].clone());
    assert_eq!((&after.labels, &after.title, after.closed), (&before.labels, &before.title, true));
    assert_eq!(world.table(1).issue().get(), 1);
    assert!(world.file(&format!("state/{report}.json")).is_none());
    // The right to the issue isn't enough.
    world.post(report, "dave", "/continue #1");
    assert!(world.reply(report).contains("Only the players"), "{}", world.reply(report));
    // A maintainer may, and the issue's author with a seat.
    let own = world.open("bob", "/continue #1");
    assert!(world.table(own).is_playing());
}

#[test]
fn moving_a_game_needs_what_opening_one_needs() {
    for opening in [WhoMayStart::Author, WhoMayStart::Anyone, WhoMayStart::Maintainers] {
        let mut world = table();
        world.config.policy.opening = opening;
        let elsewhere = world.open_issue("dave", "It crashes.");
        world.post(elsewhere, "bob", "/continue #1");
        assert!(world.file(&format!("state/{elsewhere}.json")).is_none(), "{opening:?}");
        let own = world.open("bob", "/continue #1");
        let has_moved = world.file(&format!("state/{own}.json")).is_some();
        assert_eq!(has_moved, opening != WhoMayStart::Maintainers, "{opening:?}: {}", world.reply(own));
    }
}

/// In the first daily run, nothing from before the installation gets an answer, nor in the second.
#[test]
fn the_daily_run_answers_nothing_from_before_the_installation() {
    let world = Scenario::new();
    for text in ["/new chess", "/help chess", "/nwe chess"] {
        world.open_issue("carol", text);
        let issue = world.open_issue("carol", "It crashes.");
        world.comment(issue, "carol", text);
    }
    world.sweep().unwrap();
    world.change(|state| state.now += 24 * 3_600_000);
    world.sweep().unwrap();
    assert_eq!((1..=6).map(|issue| world.answers(issue).len()).sum::<usize>(), 0);
    // From then on, it misses nothing.
    let issue = world.open_issue("carol", "/new chess");
    world.sweep().unwrap();
    assert!(world.table(issue).is_playing());
    assert_eq!((1..=6).map(|issue| world.answers(issue).len()).sum::<usize>(), 0);
}

/// Otherwise the daily run would refuse a move beside a run that starts the game.
#[test]
fn the_daily_run_starts_a_game_from_before_the_installation_where_a_later_command_waits() {
    let world = Scenario::new();
    let issue = world.open_issue("alice", "/new tic-tac-toe @bob");
    world.change(|state| state.now += 60_000);
    world.sweep().unwrap();
    assert_eq!(world.answers(issue).len(), 0);
    world.comment(issue, "bob", "/move b2 #1");
    world.sweep().unwrap();
    assert!(world.table(issue).is_playing());
    assert_eq!(world.answers(issue).len(), 2);
}

#[test]
fn a_game_from_before_the_first_daily_run_counts_as_the_installation() {
    let world = Scenario::new();
    world.open_issue("carol", "/new hex");
    world.change(|state| state.now += 3_600_000);
    let first = world.open("alice", "/new tic-tac-toe @bob");
    let late = world.open_issue("dave", "/new chess");
    // A later round of the first game doesn't move that time.
    world.change(|state| state.now += 3_600_000);
    world.post(first, "alice", "/abort");
    world.post(first, "alice", "/new hex");
    assert_eq!(world.table(first).round(), 2);
    world.sweep().unwrap();
    assert_eq!(world.answers(1).len(), 0);
    assert!(world.table(late).is_playing());
    assert!(world.file("state/daily.json").is_none(), "the record has the time");
}

#[test]
fn the_daily_run_makes_sixty_requests_for_other_issues() {
    let world = table();
    for _ in 0..40 {
        world.open_issue("carol", "/help chess");
    }
    world.clear_log();
    let report = world.sweep().unwrap();
    let waiting = match report.notes.as_slice() {
        [HostNote::IssuesWait(count)] => *count,
        notes => panic!("{notes:?}"),
    };
    let answered = (2..=41).filter(|issue| !world.answers(*issue).is_empty()).count();
    assert_eq!(answered + waiting, 40);
    assert!(answered >= 10, "{answered}");
    // The list, the head, the games in progress, the oldest record, the game, and the pages.
    assert!(world.count(Request::Any) <= 60 + 6, "{}", world.count(Request::Any));
    for _ in 0..3 {
        world.sweep().unwrap();
    }
    assert!((2..=41).all(|issue| world.answers(issue).len() == 1));
    assert_eq!(world.sweep().unwrap().notes, []);
}

/// Two commands of other bots in each of six hundred issues cost nothing but the list.
#[test]
fn six_hundred_issues_with_other_bots_cost_a_dozen_requests() {
    let world = table();
    for number in 0..600 {
        let issue = world.open_issue("dave", "It crashes.");
        world.comment(issue, "erin", OTHER_BOTS[number % OTHER_BOTS.len()]);
        world.comment(issue, "frank", OTHER_BOTS[(number + 7) % OTHER_BOTS.len()]);
    }
    world.comment(1, "bob", "a1");
    world.clear_log();
    world.sweep().unwrap();
    assert_eq!(world.moves(1), ["b2", "a1"]);
    // Seven lists, the head, the games in progress, three for the move, and the pages.
    assert_eq!(
        world.count(Request::Any),
        13,
        "{:?}",
        world.log().iter().map(|entry| entry.request).collect::<Vec<_>>()
    );
}

#[test]
fn a_label_that_comes_later_starts_the_game() {
    let mut world = Scenario::new();
    world.config.policy.only_labels = vec!["games".to_owned()];
    let issue = world.open_issue("carol", "/new tic-tac-toe");
    check_silent(&world, issue);
    world.change(|state| state.now += 9 * 24 * 3_600_000);
    world.issue(issue, |issue| issue.labels.push("games".to_owned()));
    let trigger = Trigger::Comment { source: testkit::place(issue, 0), table: None };
    world.try_run(trigger).unwrap().unwrap();
    assert!(world.table(issue).is_playing());
    assert_eq!(world.table(issue).issue(), IssueNumber::new(issue));
}
