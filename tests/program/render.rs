//! Runs `render`.

use std::process::{Command, Output};

use answers::board_picture;
use table::{IssueNumber, state_file};

const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/records/backgammon-takes/1.json");

fn render(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_play-by-commit")).arg("render").args(arguments).output().unwrap()
}

#[track_caller]
fn assert_renders(arguments: &[&str], expected: &str) {
    let output = render(&[&[RECORD], arguments].concat());
    assert_eq!((output.status.code(), String::from_utf8(output.stdout).unwrap().as_str()), (Some(0), expected));
}

#[test]
fn renders_a_record_in_every_format() {
    let table = state_file::load(&std::fs::read_to_string(RECORD).unwrap(), IssueNumber::new(1)).unwrap();
    let text = board_picture::current(&table).board.text().plain() + "\n";
    assert_renders(&[], &text);
    assert_renders(&["--format", "text"], &text);
    assert_renders(&["--format", "svg"], &board_picture::svg(&table));
    assert_renders(&["--format=replay"], &board_picture::replay(&table, None));
    let tenth = board_picture::at_ply(&table, 10).unwrap();
    assert_renders(&["--ply", "10"], &(tenth.board.text().plain() + "\n"));
    assert_renders(&["--ply", "10", "--format", "svg"], &tenth.svg());
    assert_renders(&["--ply", "10", "--format", "replay"], &board_picture::replay(&table, Some(10)));
}

#[test]
fn refuses_unknown_moves_and_formats() {
    let plies = board_picture::ply_count(
        &state_file::load(&std::fs::read_to_string(RECORD).unwrap(), IssueNumber::new(1)).unwrap(),
    );
    let output = render(&[RECORD, "--ply", "9999", "--format", "replay"]);
    let expected = format!("play-by-commit: the game has {plies} moves: choose --ply from 0 to {plies}\n");
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap()), (Some(1), expected));
    assert_eq!(render(&[RECORD, "--format", "gif"]).status.code(), Some(2));
    assert_eq!(render(&[RECORD, "--ply", "-1"]).status.code(), Some(2));
}
