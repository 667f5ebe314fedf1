//! The computer as an engine for chess programs.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::cli::{Home, PROGRAM};

/// What is answered to these lines.
#[track_caller]
fn answers(lines: &str) -> String {
    let ran = Home::new().run(&["uci"], lines);
    ran.is(0, &[]);
    ran.out
}

/// The last word on the move.
#[track_caller]
fn chosen(lines: &str) -> String {
    let out = answers(lines);
    let best = out.lines().filter_map(|line| line.strip_prefix("bestmove ")).next_back();
    best.unwrap_or_else(|| panic!("no move in {out}")).to_owned()
}

#[test]
fn it_introduces_itself_and_plays() {
    let out = answers("uci\nisready\nucinewgame\nposition startpos moves e2e4 e7e5\ngo nodes 3000\n");
    for line in [
        "id name Play by Commit",
        "option name Level type spin default 8",
        "uciok",
        "readyok",
        "info depth 3 score cp ",
    ] {
        assert!(out.contains(line), "{line} in {out}");
    }
    assert_eq!(chosen("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\ngo depth 3\nquit\n"), "a1a8");
    assert!(answers("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\ngo movetime 100\n").contains("score mate 1 "));
    assert!(answers("position fen k7/8/1K6/8/8/8/8/7R b - - 0 1\ngo nodes 500\n").contains("score mate -1 "));
}

#[test]
fn castling_is_understood_in_both_spellings() {
    let after = "position fen 5k2/8/8/8/8/8/8/4K2R w K - 0 1 moves";
    assert!(!answers(&format!("{after} e1g1\n")).contains("info"));
    assert!(!answers(&format!("{after} e1h1\n")).contains("info"));
}

#[test]
fn what_is_wrong_is_said_and_changes_nothing() {
    for line in [
        "hello",
        "position",
        "position fen",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position startpos moves e2e5",
        "position startpos moves e2e4 \u{1f600}",
        "go nodes",
        "go nodes many",
        "go searchmoves e2e4",
        "setoption",
        "setoption name Level value 9",
        "setoption name Level",
        "setoption name Hash value 64",
        "setoption name UCI_Chess960 value perhaps",
    ] {
        let out = answers(&format!("{line}\nisready\n"));
        assert!(out.starts_with("info string "), "{line}: {out}");
        assert_eq!(out.lines().count(), 2, "{line}: {out}");
    }
    assert!(answers(&format!("{}\nisready\n", "x".repeat(200_000))).ends_with("readyok\n"));
    // The position before stays.
    assert_eq!(chosen("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\nposition fen nonsense\ngo nodes 500\n"), "a1a8");
}

#[test]
fn without_a_legal_move_there_is_none_and_a_drawn_game_goes_on() {
    assert_eq!(chosen("position fen k7/2Q5/1K6/8/8/8/8/8 b - - 0 1\ngo nodes 100\n"), "0000");
    assert_eq!(chosen("position fen k7/1Q6/1K6/8/8/8/8/8 b - - 0 1\ngo infinite\nstop\n"), "0000");
    assert_ne!(chosen("position fen k7/8/1K6/8/8/8/8/8 b - - 0 1\ngo nodes 100\n"), "0000");
}

#[test]
fn every_level_moves_at_once() {
    for level in 1..=8 {
        let out = answers(&format!(
            "setoption name Level value {level}\nsetoption name Seed value 7\nposition startpos\ngo wtime 1000 btime 1000\n"
        ));
        assert!(out.contains("bestmove "), "level {level}: {out}");
    }
}

#[test]
fn it_hears_stop_and_quit_while_it_thinks() {
    let home = Home::new();
    let mut child = home.command(PROGRAM, &["uci"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    writeln!(input, "position startpos\ngo infinite").unwrap();
    assert!(lines.any(|line| line.starts_with("info depth 4 ")));
    writeln!(input, "isready").unwrap();
    assert!(lines.any(|line| line == "readyok"), "it answers while it thinks");
    writeln!(input, "position startpos moves e2e4\nstop\ngo depth 100").unwrap();
    assert!(lines.any(|line| line.starts_with("bestmove ")));
    // What was said meanwhile has been done.
    assert!(lines.any(|line| line.starts_with("info depth 4 ")));
    let begun = Instant::now();
    writeln!(input, "quit").unwrap();
    assert!(lines.any(|line| line.starts_with("bestmove ")));
    assert!(child.wait().unwrap().success());
    assert!(begun.elapsed() < Duration::from_secs(20));
}

/// Programs set these without having seen them in the list.
#[test]
fn options_of_other_engines_change_nothing() {
    let out = answers(
        "setoption name Hash value 64\nsetoption name Threads value 4\nsetoption name Clear Hash\nsetoption name Skill Level value 3\nisready\ngo nodes 500\n",
    );
    let said: Vec<&str> = out.lines().filter(|line| line.starts_with("info string") || *line == "readyok").collect();
    let fixed = "can't be changed: the computer uses one thread and a fixed amount of memory";
    assert_eq!(
        said,
        [
            &format!("info string hash {fixed}"),
            &format!("info string threads {fixed}"),
            "info string unknown option: clear hash",
            "info string unknown option: skill level",
            "readyok",
        ]
    );
    assert!(out.contains("bestmove "), "{out}");
}
