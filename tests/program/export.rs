//! Exports records. GNU Backgammon has loaded the expected match texts, with the same scores.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_play-by-commit");

/// A temporary directory that is deleted on drop.
struct Home(PathBuf);

impl Home {
    fn new(name: &str) -> Home {
        let dir = std::env::temp_dir().join(format!("play-by-commit-export-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        Home(dir.canonicalize().unwrap())
    }

    /// Starts a game, and returns the path of its record.
    fn start_game(&self, args: &[&str]) -> PathBuf {
        let mut command = Command::new(PROGRAM);
        command.arg("play").args(args).env("HOME", &self.0).env("PLAY_BY_COMMIT_HOME", &self.0);
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "Host").env(format!("GIT_{who}_EMAIL"), "host@example.org");
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        drop(child.stdin.take().unwrap().write_all(b"ann: /moves\n"));
        assert!(child.wait().unwrap().success());
        let show = ["show", "HEAD:state/1.json"];
        let record = Command::new("git").args(show).current_dir(self.0.join("tables")).output().unwrap();
        let path = self.0.join("1.json");
        std::fs::write(&path, record.stdout).unwrap();
        path
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

fn run_export(record: &Path) -> Output {
    run_export_with(record, &[])
}

fn run_export_with(record: &Path, options: &[&str]) -> Output {
    Command::new(PROGRAM).arg("export").args(options).arg(record).output().unwrap()
}

fn board(issue: u64) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("docs/boards/{issue}.json"))
}

#[track_caller]
fn export_text(record: &Path) -> String {
    let output = run_export(record);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn assert_refused(record: &Path, words: &[&str]) {
    let output = run_export(record);
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), b"".as_slice()), "{err}");
    for word in words {
        assert!(err.contains(word), "the output lacks {word:?}: {err}");
    }
}

/// The matches have takes, drops, dances, gammons and resignations.
#[test]
fn exports_whole_matches() {
    let records = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records");
    for name in ["backgammon-takes", "backgammon-drops"] {
        let expected = std::fs::read_to_string(records.join(name).join("1.mat")).unwrap();
        assert_eq!(export_text(&records.join(name).join("1.json")), expected.replace("\r\n", "\n"), "{name}");
    }
}

#[test]
fn an_unfinished_match_ends_at_its_last_move() {
    let home = Home::new("unfinished");
    let text = export_text(&home.start_game(&["backgammon", "match=3", "--players", "ann,ben"]));
    let lines: Vec<&str> = text.lines().collect();
    let head = [" 3 point match", "", " Game 1", " ann : 0                        ben : 0"];
    assert_eq!(lines[..4], head, "{text}");
    assert!(lines.len() == 5 && lines[4].starts_with("  1) ") && lines[4].trim_end().ends_with(':'), "{text}");
}

#[test]
fn a_single_game_names_its_rules() {
    let home = Home::new("single");
    let text = export_text(&home.start_game(&["backgammon", "--players", "ann,ben"]));
    assert!(text.starts_with("; [CubeLimit \"1\"]\n 0 point match\n\n Game 1\n"), "{text}");
    let home = Home::new("jacoby");
    let text = export_text(&home.start_game(&["backgammon", "cube=on", "jacoby=on", "--players", "ann,ben"]));
    assert!(text.starts_with("; [Jacoby \"On\"]\n 0 point match\n\n Game 1\n"), "{text}");
}

/// The game has a double capture and ends with a resignation of the player to move.
#[test]
fn exports_checkers_as_pdn() {
    let record = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/boards/8.json");
    let text = export_text(&record);
    let (head, moves) = text.split_once("\n\n").unwrap();
    assert!(head.starts_with("[Event \""), "{text}");
    // Alice resigned, so Black lost. Black moves first, and so Black's score comes first.
    assert!(head.ends_with("[Black \"alice\"]\n[White \"bob\"]\n[Result \"0-1\"]\n[GameType \"21\"]"), "{text}");
    assert!(moves.starts_with("1. ") && moves.ends_with(" 0-1\n"), "{text}");
    assert!(moves.lines().all(|line| line.len() < 80), "{text}");
}

#[test]
fn a_checkers_export_names_its_repository() {
    let record = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/boards/8.json");
    let output = Command::new(PROGRAM).args(["export", "--repository", "octo/games"]).arg(record).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let tags = "[Event \"octo/games, table 8\"]\n[Site \"https://github.com/octo/games/issues/8\"]\n[Date \"2026.";
    assert!(text.starts_with(tags), "{text}");
}

#[test]
fn exports_othello_as_a_transcript() {
    let text = export_text(&board(6));
    let moves = text.strip_suffix('\n').unwrap();
    let cells: Vec<&[u8]> = moves.as_bytes().chunks(2).collect();
    let is_cell = |cell: &&[u8]| matches!(cell, [b'a'..=b'h', b'1'..=b'8']);
    assert!(cells.len() >= 38 && cells.iter().all(is_cell), "{text}");
    let home = Home::new("unmoved");
    assert_refused(&home.start_game(&["othello", "--players", "ann,ben"]), &["can't export ", "no moves yet"]);
}

#[test]
fn exports_hex_and_chess_as_links() {
    let url = export_text(&board(7));
    assert!(url.starts_with("https://hexworld.org/board/#11c1,") && url.ends_with("e11\n"), "{url}");
    let links = |issue: u64| run_export_with(&board(issue), &["--link"]);
    assert_eq!(links(7).stdout, url.as_bytes());
    let chess = String::from_utf8(links(4).stdout).unwrap();
    assert!(chess.starts_with("https://lichess.org/analysis/") && chess.lines().count() == 1, "{chess}");
    let refused = links(6);
    let err = String::from_utf8(refused.stderr).unwrap();
    assert!(refused.stdout.is_empty() && err.contains("only chess and hex have a link"), "{err}");
}

#[test]
fn refuses_games_without_a_match_format() {
    let home = Home::new("other");
    assert_refused(&home.start_game(&["tic-tac-toe", "--players", "ann,ben"]), &["only backgammon", "tic-tac-toe"]);
    let home = Home::new("overshoot");
    assert_refused(
        &home.start_game(&["backgammon", "overshoot=on", "--players", "ann,ben"]),
        &["can't export ", "overshoot=on"],
    );
}
