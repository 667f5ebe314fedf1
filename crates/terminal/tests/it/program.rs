//! The program that only plays, as `cargo play` runs it.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn run(home: &str, args: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_play-by-commit-terminal"));
    command.args(args).env("PLAY_BY_COMMIT_HOME", home).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn plays_a_game_and_says_how_to_continue() {
    let home = format!("{}/only-plays-{}", env!("CARGO_TARGET_TMPDIR"), std::process::id());
    let output = run(&home, &["play", "tic-tac-toe"], "b2\na1\n");
    let (out, notes) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success(), "{notes}");
    assert!(out.contains("alice (X) played `b2`. It's bob's turn (O)."), "{out}");
    // The line names this program, so it works when somebody copies it.
    assert!(notes.contains("To continue: ") && notes.contains("play-by-commit-terminal play --table 1"), "{notes}");

    let output = run(&home, &["play", "--table", "1"], "c3\n");
    assert!(output.status.success());
    assert!(String::from_utf8(output.stdout).unwrap().contains("alice (X) played `c3`"));
    std::fs::remove_dir_all(home).unwrap();
}

#[test]
fn a_missing_game_is_a_usage_error() {
    let output = run("", &["play"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("name a game: tic-tac-toe, "));
}
