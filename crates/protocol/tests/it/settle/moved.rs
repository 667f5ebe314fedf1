//! Games whose record the host brought: moved from another repository, or imported.

use games::chess::pgn::parse_games;
use interop::import::import_game;
use table::dice::parse_secret;
use table::{IssueNumber, RepositoryId, Table, UserId, state_file};
use testkit::Scenario;
use testkit::world::Request;

use super::check_answers;

/// The requests of a move. The answer labels the issue.
const FIRST_MOVE: [Request; 3] = [Request::Read, Request::Commit, Request::Answer];

/// Returns an empty repository, in which everybody has the ID that they have in others.
fn repository() -> Scenario {
    let world = Scenario::new();
    for login in ["alice", "anna", "ann", "ben", "bob", "carl", "carol", "host"] {
        world.id_of(login);
    }
    world
}

/// Returns a repository where alice opened issue 1, and the others then posted these comments or opened these issues.
fn played(opening: &str, comments: &[(&str, &str)], issues: &[(&str, &str)]) -> Scenario {
    let world = repository();
    // The next repository has an ID of its own.
    world.change(|state| state.repository_id -= 1);
    world.open("alice", opening);
    for (login, text) in comments {
        world.post(1, login, text);
    }
    for (login, text) in issues {
        world.open(login, text);
    }
    world
}

/// Returns a game as `play-by-commit move` takes it to this issue of another repository.
fn moved(table: Table, issue: u64) -> Table {
    table.moved_by_host(IssueNumber::new(issue)).with_repository(None)
}

/// Returns a game that the host copied to this issue of another repository, and adopted there.
fn adopted(table: Table, issue: u64) -> Table {
    let here = repository().with_state(|state| RepositoryId::new(state.repository_id));
    let table = table.moved_to(IssueNumber::new(issue));
    table.with_repository(Some(here))
}

/// Returns a repository with two issues that aren't about games, and an issue 3 for a game of another repository.
fn other_repository(record: &Table) -> Scenario {
    let world = repository();
    world.open_issue("carol", "CRASH on startup");
    world.comment(1, "carol", "It was an empty board.");
    world.open_issue("alice", "It still crashes");
    world.open_issue("host", "We go on playing here");
    world.land(&[("state/3.json", &state_file::to_json(record))]);
    world.clear_log();
    world
}

/// Checks that a comment in issue 3 takes the usual requests, and that the bot answers nothing else.
#[track_caller]
fn check_first_move(world: &Scenario, login: &str, text: &str, most: &[Request]) {
    let comment = world.post(3, login, text);
    let log: Vec<Request> = world.log().iter().map(|entry| entry.request).collect();
    assert_eq!(log, most);
    assert_eq!(world.with_state(|state| state.paused), 0, "it doesn't wait");
    assert_eq!((world.answers(1), world.answers(2)), (Vec::new(), Vec::new()));
    assert_eq!(world.answers(3).len(), 1);
    check_answers(world, 3, &[comment]);
    world.issue(3, |issue| assert_eq!(issue.labels, ["play-by-commit"]));
}

/// Returns alice's game, in which she has just moved.
fn game_of_alice() -> Table {
    played("/new tic-tac-toe @bob", &[("alice", "b2")], &[]).table(1)
}

#[test]
fn a_moved_game_continues_with_one_answer() {
    let world = other_repository(&moved(game_of_alice(), 3));
    check_first_move(&world, "bob", "a1", &FIRST_MOVE);
    assert_eq!(world.moves(3), ["b2", "a1"]);
    world.post(3, "alice", "c3");
    world.post(3, "bob", "/rematch");
    assert_eq!(world.table(3).round(), 1, "{}", world.reply(3));
    assert_eq!(world.moves(3), ["b2", "a1", "c3"]);
}

/// Hosts moved records by hand before there was a command for it.
#[test]
fn a_game_moved_by_hand_gets_no_answer_in_another_issue() {
    for opening in [&[("alice", "b2")][..], &[]] {
        let table = played("/new tic-tac-toe @bob", opening, &[]).table(1);
        let by_hand = adopted(table, 3);
        let world = other_repository(&by_hand);
        // The thread has to be read, because the command could be there.
        let login = if opening.is_empty() { "alice" } else { "bob" };
        let read_twice = [&[Request::Read], &FIRST_MOVE[..]].concat();
        check_first_move(&world, login, "a1", &read_twice);
    }
}

/// Alice opened issue 1 here as well, but her text there isn't the command.
#[test]
fn the_body_of_another_issue_is_not_the_command_that_opened_a_game() {
    let table = played("/new tic-tac-toe @bob", &[], &[]).table(1);
    let world = repository();
    world.open_issue("alice", "CRASH on startup");
    world.open_issue("host", "We go on playing here");
    let by_hand = adopted(table, 2);
    world.land(&[("state/2.json", &state_file::to_json(&by_hand))]);
    world.post(2, "alice", "b2");
    assert_eq!((world.answers(1).len(), world.answers(2).len()), (0, 1));
}

/// Every click on a board opens an issue, and the numbers of the new repository's issues come up again.
#[test]
fn clicks_count_after_an_open_game_moved() {
    let clicks = [("anna", "/move b2 #1"), ("carl", "/move a1 #1")];
    let old = played("/new tic-tac-toe seats=open", &[], &clicks);
    assert_eq!(old.moves(1), ["b2", "a1"]);
    let world = repository();
    world.open_issue("host", "The board of our README");
    world.land(&[("state/1.json", &state_file::to_json(&moved(old.table(1), 1)))]);
    assert_eq!(world.open("anna", "/move c3 #1"), 2);
    assert_eq!(world.open("carl", "/move a3 #1"), 3);
    assert_eq!(world.moves(1), ["b2", "a1", "c3", "a3"]);
    assert_eq!((world.answers(1).len(), world.answers(2).len(), world.answers(3).len()), (0, 1, 1));
}

/// The game comes from issue 2 of a server whose comments have higher IDs.
#[test]
fn comments_from_before_the_last_move_stay_chat() {
    let world = repository();
    world.open_issue("carol", "CRASH on startup");
    world.open_issue("host", "We go on playing here");
    world.comment(2, "bob", "a1");
    let old = repository();
    old.change(|state| state.now += 3_600_000);
    old.change(|state| state.next_comment += 1_000_000);
    old.open_issue("carol", "Hi");
    old.open("alice", "/new tic-tac-toe @bob");
    old.post(2, "alice", "b2");
    world.land(&[("state/2.json", &state_file::to_json(&moved(old.table(2), 2)))]);
    world.change(|state| state.now += 7_200_000);
    world.post(2, "bob", "/board");
    assert_eq!((world.moves(2), world.answers(2).len()), (vec!["b2".to_owned()], 1));
    world.post(2, "bob", "a1");
    assert_eq!(world.moves(2), ["b2", "a1"], "{}", world.reply(2));
}

#[test]
fn the_daily_run_labels_a_moved_game() {
    let world = other_repository(&moved(game_of_alice(), 3));
    world.sweep().unwrap();
    world.issue(3, |issue| assert_eq!(issue.labels, ["play-by-commit"]));
    assert_eq!((world.answers(1).len(), world.answers(2).len(), world.answers(3).len()), (0, 0, 0));
}

/// `play-by-commit move` and `import` tell the host to write this first.
#[test]
fn the_first_board_labels_the_issue() {
    let world = other_repository(&moved(game_of_alice(), 3));
    world.post(3, "host", "/board");
    world.issue(3, |issue| assert_eq!(issue.labels, ["play-by-commit"]));
    assert_eq!((world.answers(1).len(), world.answers(2).len(), world.answers(3).len()), (0, 0, 1));
    assert!(world.reply(3).contains("state/3.svg"), "{}", world.reply(3));
}

/// The dice of a round need the issue in which it began.
#[test]
fn verified_dice_go_on_after_a_move() {
    let secret = || parse_secret("nobody would ever guess this").ok();
    let mut old = repository();
    old.config.policy.dice_secret = secret();
    old.open("alice", "/new backgammon seats=open");
    old.post(1, "bob", "/computer 1");
    let mut world = other_repository(&moved(old.table(1), 3));
    world.config.policy.dice_secret = secret();
    world.post(3, "carol", "/computer 1");
    world.as_maintainer("host");
    world.post(3, "host", "/abort");
    // Reading the record verifies every roll with the key.
    let over = world.table(3);
    assert!(over.is_over(), "{}", world.reply(3));
    let (rolls, key) =
        { (over.state().dice().roll_count(), over.history().last().is_some_and(|event| event.key.is_some())) };
    assert!(key && rolls >= 3, "{rolls} rolls");
}

#[test]
fn an_imported_game_continues_with_one_answer() {
    let pgn = "[White \"Ann\"]\n[Black \"Ben\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 *\n";
    let game = parse_games(pgn).next().unwrap().unwrap();
    let world = repository();
    let people = ["ann", "ben"].map(|login| (UserId::new(world.id_of(login)), login.to_owned()));
    let world = other_repository(&import_game(&game, IssueNumber::new(3), &people).unwrap());
    check_first_move(&world, "ben", "Nc6", &FIRST_MOVE);
    assert_eq!(world.moves(3), ["e4", "e5", "Nf3", "Nc6"]);
}

/// The host has removed the game, and locked its issue.
#[test]
fn a_locked_issue_without_its_record_is_left_alone() {
    let world = played("/new tic-tac-toe @bob", &[("alice", "b2")], &[]);
    world.as_maintainer("host");
    world.change(|state| {
        let empty = state.commits.iter().find(|(_, commit)| commit.parent.is_none()).unwrap().0.clone();
        state.branches.insert("main".to_owned(), empty);
    });
    world.lock(1);
    let report = world.try_settle(1, world.comment(1, "host", "The rest was spam")).unwrap().unwrap();
    assert_eq!(report.failures, []);
    let chess = world.comment(1, "host", "/new chess");
    assert_eq!(world.settle(1, chess).applied, 0, "a lost game isn't replaced");
    // Commands from elsewhere find no game.
    let issue = world.open("bob", "/move a1 #1");
    assert!(
        world.reply(issue).contains("no game") || world.reply(issue).contains("no table"),
        "{}",
        world.reply(issue)
    );
}
