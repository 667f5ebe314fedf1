//! Moves, adopts and removes games in a clone.

use answers::TableList;
use table::{GameSummary, IssueNumber};
use testkit::Scenario;

use crate::cli::Home;

const README: &str = "# Games\n\n<!-- play-by-commit:table 1 -->\n<!-- /play-by-commit:table -->\n";

/// Alice wins the first round, which counts, and begins a rematch.
const TWO_ROUNDS: [&str; 8] =
    ["alice: a1", "bob: b1", "alice: a2", "bob: b2", "alice: a3", "alice: /rematch", "bob: c3", "alice: a1"];

/// Returns a home with the files of a repository where alice opened table 1 and these comments followed.
fn home(comments: &[&str]) -> Home {
    let home = Home::new();
    write_files(&home, "", comments);
    home
}

fn write_files(home: &Home, dir: &str, comments: &[&str]) {
    write_played(home, dir, &Scenario::played("/new tic-tac-toe @bob", comments));
}

fn write_played(home: &Home, dir: &str, played: &Scenario) {
    played.with_state(|state| {
        for (path, text) in state.commits[&state.branches["main"]].files.iter() {
            home.write(&format!("{dir}{path}"), text);
        }
    });
}

fn exists(home: &Home, path: &str) -> bool {
    home.path(path).exists()
}

#[test]
fn moves_a_running_game_within_a_repository() {
    let home = home(&["alice: b2", "bob: a1"]);
    home.write("README.md", README);
    let words = [
        "README.md shows table 7",
        "commit the changes",
        "write `/board` in issue 7",
        "If issue 1 still exists, lock it",
    ];
    home.run(&["move", "1", "--to", "7"], "").exits(0, &words);
    home.run(&["verify", "state/7.json"], "").exits(0, &["good. Tic-tac-toe, round 1, 2 moves in 3 events."]);
    assert_eq!(std::fs::read_to_string(home.path("README.md")).unwrap(), README.replace("table 1 ", "table 7 "));
    assert!(exists(&home, "state/7.svg") && !exists(&home, "state/1.json") && !exists(&home, "state/1.svg"));
    // The record remembers where it began, even after several moves.
    home.run(&["move", "7", "--to", "9"], "").exits(0, &[]);
    let record = std::fs::read_to_string(home.path("state/9.json")).unwrap();
    assert!(record.contains("\"movedFrom\": { \"issue\": 1, \"events\": 3 }"), "{record}");
    // And back again.
    home.run(&["move", "9", "--to", "1"], "").exits(0, &[]);
    home.run(&["verify", "state/1.json"], "").exits(0, &["good."]);
}

/// Only the summary of a game says when its players are away, so it moves with the game.
#[test]
fn time_away_moves_with_a_game() {
    let home = Home::new();
    let comments = ["alice: b2", "bob: a1", "alice: /away 14d"];
    write_played(&home, "", &Scenario::played("/new tic-tac-toe @bob per-move=7d", &comments));
    let away = || std::fs::read_to_string(home.path("state/running/7.json")).unwrap_or_default();
    let verified = home.run(&["verify", "state/1.json"], "");
    assert!(!verified.out.contains("running/1.json"), "{}", verified.out);
    verified.exits(0, &["good."]);
    home.run(&["move", "1", "--to", "7"], "").exits(0, &[]);
    assert!(away().contains("\"away\": [{ \"from\": "), "{}", away());
    home.run(&["verify", "state/7.json"], "").exits(0, &["good."]);
    // The site says until when she has time: seven days and fourteen.
    home.run(&["site", "--out", "out", "--repository", "host/games"], "").exits(0, &[]);
    let page = std::fs::read_to_string(home.path("out/games/7-1.html")).unwrap();
    assert!(page.contains("<time class=\"left\" datetime=\"2025-10-30T"), "{page}");
    // A turn that the bot announced late stays as late in another repository.
    let mut game = GameSummary::parse(&away(), IssueNumber::new(7)).unwrap();
    let hour = std::time::Duration::from_secs(3_600);
    (game.since, game.deadline) = (game.since + hour, game.deadline.map(|deadline| deadline + hour));
    home.write("state/running/7.json", &game.to_json());
    // The site notices that, too, though the record is the same.
    home.run(&["site", "--out", "out", "--repository", "host/games"], "").exits(0, &[]);
    assert_ne!(std::fs::read_to_string(home.path("out/games/7-1.html")).unwrap(), page);
    let verified = home.run(&["verify", "state/7.json"], "");
    assert!(!verified.out.contains("running/7.json"), "{}", verified.out);
    home.run(&["move", "7", "--to", "3", "--from", "state", "--state-dir", "new/state"], "").exits(0, &[]);
    let moved = std::fs::read_to_string(home.path("new/state/running/3.json")).unwrap();
    let moved = GameSummary::parse(&moved, IssueNumber::new(3)).unwrap();
    assert_eq!((moved.since, moved.deadline, moved.absences()), (game.since, game.deadline, game.absences()));
}

/// A damaged file about somebody's time away is named.
#[test]
fn verifies_files_about_time_away() {
    let home = Home::new();
    let comments = ["alice: b2", "bob: a1", "alice: /away 14d"];
    write_played(&home, "", &Scenario::played("/new tic-tac-toe @bob per-move=7d", &comments));
    home.run(&["verify"], "").exits(0, &["good."]);
    home.write("state/away/1001.json", "{}");
    let words = ["state/away/1001.json: DAMAGED: ", "1 file about time away is damaged"];
    home.run(&["verify"], "").exits(1, &words);
}

/// With `core.autocrlf`, git checks files out with the line endings of Windows.
#[test]
fn verifies_files_with_the_line_endings_of_windows() {
    let home = Home::new();
    let comments = ["alice: b2", "bob: a1", "alice: /away 14d"];
    write_played(&home, "", &Scenario::played("/new tic-tac-toe @bob per-move=7d", &comments));
    for path in ["state/1.json", "state/running/1.json"] {
        let text = std::fs::read_to_string(home.path(path)).unwrap();
        home.write(path, &text.replace('\n', "\r\n"));
    }
    let verified = home.run(&["verify", "state"], "");
    assert!(!verified.out.contains("running/1.json"), "{}", verified.out);
    verified.exits(0, &["good."]);
}

/// The list of tables follows a game that moves, and drops one that is removed.
#[test]
fn the_list_follows_a_game() {
    let home = home(&["alice: b2"]);
    let running = std::fs::read_to_string(home.path("state/running/1.json")).unwrap();
    let list = || {
        let text = std::fs::read_to_string(home.path("state/tables.json")).unwrap();
        TableList::parse(&text).unwrap().running_issues().into_iter().map(IssueNumber::get).collect::<Vec<_>>()
    };
    home.write("state/tables.json", &format!("{{ \"running\": [{running}], \"results\": [] }}"));
    home.run(&["verify"], "").exits(0, &["good."]);
    home.run(&["move", "1", "--to", "7"], "").exits(0, &[]);
    assert_eq!(list(), [7]);
    home.run(&["remove", "7"], "").exits(0, &[]);
    assert_eq!(list(), [0u64; 0]);
    home.write("state/tables.json", "[]");
    home.run(&["verify", "state/tables.json"], "").exits(0, &["tables.json: skipped, it is the list of tables"]);
    home.run(&["verify"], "").exits(0, &["tables.json: damaged: ", "The daily run writes it again."]);
}

#[test]
fn moves_a_game_from_another_repository() {
    let home = Home::new();
    write_files(&home, "old/", &TWO_ROUNDS);
    let from = ["--from", "old/state", "--state-dir", "new/state"];
    home.run(&[&["move", "1", "--to", "1"][..], &from].concat(), "").exits(0, &["both repositories"]);
    home.run(&["verify", "new/state/1.json"], "").exits(0, &["good. Tic-tac-toe, round 2, 2 moves"]);
    // The new repository binds the record with the first command there.
    assert!(!std::fs::read_to_string(home.path("new/state/1.json")).unwrap().contains("\"repository\""));
    assert!(!exists(&home, "old/state/1.json") && !exists(&home, "old/state/1.svg"));
    // The first round counts in the old repository, so it stays there.
    assert!(exists(&home, "old/state/archive/1-1.json") && !exists(&home, "new/state/archive"));
    home.run(&["verify", "--standings", "--state-dir", "old/state"], "")
        .exits(0, &["The standings are correct: 1 result"]);
}

#[test]
fn adopts_all_games_but_earlier_rounds() {
    let home = home(&TWO_ROUNDS);
    home.write("state/0.json", include_str!("../../state/0.json"));
    let read = |path: &str| std::fs::read_to_string(home.path(path)).unwrap();
    let (demonstration, earlier) = (read("state/0.json"), read("state/archive/1-1.json"));
    home.run(&["adopt", "--repository", "812345678"], "")
        .exits(0, &["Bound 1 game to repository 812345678.", "commit the changes", "`play-by-commit move`"]);
    for path in ["state/1.json", "state/running/1.json"] {
        assert!(read(path).contains("\"repository\": 812345678,"), "{}", read(path));
    }
    assert_eq!((read("state/0.json"), read("state/archive/1-1.json")), (demonstration, earlier));
    home.run(&["verify"], "").exits(0, &["good."]);
    home.run(&["adopt", "--repository", "812345678"], "").exits(0, &["Nothing to do"]);
    // A game stays bound when it moves within a repository.
    home.run(&["move", "1", "--to", "7"], "").exits(0, &[]);
    assert!(read("state/7.json").contains("\"repository\": 812345678,"), "{}", read("state/7.json"));
}

#[test]
fn adopts_nothing_if_a_record_is_damaged_or_nobody_knows_the_repository() {
    let home = home(&["alice: b2"]);
    let record = || std::fs::read_to_string(home.path("state/1.json")).unwrap();
    let before = record();
    home.run(&["adopt"], "").exits(1, &["no remote `origin`", "--repository"]);
    home.run(&["adopt", "--repository", "octo/games"], "").exits(1, &["there is no token for github.com"]);
    home.run(&["adopt", "--repository", "5", "--state-dir", "elsewhere"], "").exits(1, &["--state-dir"]);
    home.write("state/2.json", "{}");
    home.run(&["adopt", "--repository", "5"], "").exits(1, &["can't adopt", "2.json"]);
    assert_eq!(record(), before);
}

#[test]
fn never_moves_onto_another_game() {
    let home = home(&TWO_ROUNDS);
    let record = std::fs::read_to_string(home.path("state/1.json")).unwrap();
    home.write("state/7.json", "somebody's");
    home.write("state/archive/8-1.json", "somebody's");
    for (to, path) in [("1", "1.json"), ("7", "7.json"), ("8", "8-1.json")] {
        home.run(&["move", "1", "--to", to], "").exits(1, &[path, "exists: choose an issue that hasn't had a game"]);
    }
    home.run(&["move", "5", "--to", "6"], "").exits(1, &["can't move", "5.json"]);
    home.run(&["move", "1", "--to", "0"], "").exits(2, &["--to"]);
    assert_eq!(std::fs::read_to_string(home.path("state/1.json")).unwrap(), record);
    assert_eq!(std::fs::read_to_string(home.path("state/7.json")).unwrap(), "somebody's");
}

#[test]
fn a_finished_game_stays_where_it_is() {
    let home = home(&TWO_ROUNDS[..5]);
    home.run(&["move", "1", "--to", "7"], "").exits(1, &["game 1 is over: start a new one"]);
    assert!(exists(&home, "state/1.json") && !exists(&home, "state/7.json"));
}

#[test]
fn removes_a_game_and_keeps_the_results_that_count() {
    let home = home(&TWO_ROUNDS);
    let words = ["1-1.json, because its result counts", "Deleted", "1.json", "If issue 1 still exists, lock it"];
    home.run(&["remove", "1"], "").exits(0, &words);
    assert!(!exists(&home, "state/1.json") && !exists(&home, "state/1.svg") && exists(&home, "state/archive/1-1.json"));
    home.run(&["verify", "--standings"], "").exits(0, &["The standings are correct: 1 result"]);
    home.run(&["remove", "2"], "").exits(1, &["there is no game 2 in state"]);
    // A finished game that counts goes to the archive, as before a rematch.
    let home = self::home(&TWO_ROUNDS[..5]);
    home.run(&["remove", "1"], "").exits(0, &["1-1.json, because its result counts"]);
    assert!(!exists(&home, "state/1.json") && exists(&home, "state/archive/1-1.json"));
    home.run(&["verify", "--standings"], "").exits(0, &["The standings are correct: 1 result"]);
    home.run(&["verify", "state/archive/1-1.json"], "").exits(0, &["good."]);
}

#[test]
fn removes_nothing_if_a_record_is_damaged() {
    let home = home(&TWO_ROUNDS);
    home.write("state/archive/1-1.json", "{}");
    home.run(&["remove", "1"], "").exits(1, &["can't tell whether the result of", "1-1.json counts"]);
    assert!(exists(&home, "state/1.json") && exists(&home, "state/1.svg"));
}
