//! `render`, as it is typed.

use std::process::{Command, Output};

use answers::scene;
use table::state_file;

const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/records/backgammon-takes/1.json");

fn render(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_play-by-commit")).arg("render").args(arguments).output().unwrap()
}

#[track_caller]
fn shows(arguments: &[&str], expected: &str) {
    let output = render(&[&[RECORD], arguments].concat());
    assert_eq!((output.status.code(), String::from_utf8(output.stdout).unwrap().as_str()), (Some(0), expected));
}

#[test]
fn a_record_in_every_form() {
    let table = state_file::load(&std::fs::read_to_string(RECORD).unwrap(), 1).unwrap();
    let text = scene::current(&table).board.text().plain() + "\n";
    shows(&[], &text);
    shows(&["--format", "text"], &text);
    shows(&["--format", "svg"], &scene::svg(&table));
    shows(&["--format=replay"], &scene::replay(&table, None));
    let tenth = scene::at_ply(&table, 10).unwrap();
    shows(&["--ply", "10"], &(tenth.board.text().plain() + "\n"));
    shows(&["--ply", "10", "--format", "svg"], &tenth.svg());
    shows(&["--ply", "10", "--format", "replay"], &scene::replay(&table, Some(10)));
}

#[test]
fn what_cannot_be_rendered() {
    let plies = scene::ply_count(&state_file::load(&std::fs::read_to_string(RECORD).unwrap(), 1).unwrap());
    let output = render(&[RECORD, "--ply", "9999", "--format", "replay"]);
    let expected = format!("play-by-commit: the game has {plies} moves: choose --ply from 0 to {plies}\n");
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap()), (Some(1), expected));
    assert_eq!(render(&[RECORD, "--format", "gif"]).status.code(), Some(2));
    assert_eq!(render(&[RECORD, "--ply", "-1"]).status.code(), Some(2));
}
