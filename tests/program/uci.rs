//! Runs the UCI engine.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::cli::{Home, PROGRAM};

/// Returns the engine's output for these lines.
#[track_caller]
fn run_uci(lines: &str) -> String {
    let ran = Home::new().run(&["uci"], lines);
    ran.exits(0, &[]);
    ran.out
}

/// Returns the last best move in the engine's output.
#[track_caller]
fn best_move(lines: &str) -> String {
    let out = run_uci(lines);
    let best = out.lines().filter_map(|line| line.strip_prefix("bestmove ")).next_back();
    best.unwrap_or_else(|| panic!("no move in {out}")).to_owned()
}

#[test]
fn identifies_itself_and_plays() {
    let out = run_uci("uci\nisready\nucinewgame\nposition startpos moves e2e4 e7e5\ngo nodes 3000\n");
    for line in [
        "id name Play by Commit",
        "option name Level type spin default 8",
        "uciok",
        "readyok",
        "info depth 3 score cp ",
    ] {
        assert!(out.contains(line), "{line} in {out}");
    }
    assert_eq!(best_move("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\ngo depth 3\nquit\n"), "a1a8");
    assert!(run_uci("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\ngo movetime 100\n").contains("score mate 1 "));
    assert!(run_uci("position fen k7/8/1K6/8/8/8/8/7R b - - 0 1\ngo nodes 500\n").contains("score mate -1 "));
}

#[test]
fn accepts_both_spellings_of_castling() {
    let after = "position fen 5k2/8/8/8/8/8/8/4K2R w K - 0 1 moves";
    assert!(!run_uci(&format!("{after} e1g1\n")).contains("info"));
    assert!(!run_uci(&format!("{after} e1h1\n")).contains("info"));
}

#[test]
fn reports_an_invalid_line_and_ignores_it() {
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
        let out = run_uci(&format!("{line}\nisready\n"));
        assert!(out.starts_with("info string "), "{line}: {out}");
        assert_eq!(out.lines().count(), 2, "{line}: {out}");
    }
    assert!(run_uci(&format!("{}\nisready\n", "x".repeat(200_000))).ends_with("readyok\n"));
    // An invalid position leaves the last one unchanged.
    assert_eq!(
        best_move("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\nposition fen nonsense\ngo nodes 500\n"),
        "a1a8"
    );
}

#[test]
fn answers_0000_without_a_legal_move() {
    assert_eq!(best_move("position fen k7/2Q5/1K6/8/8/8/8/8 b - - 0 1\ngo nodes 100\n"), "0000");
    assert_eq!(best_move("position fen k7/1Q6/1K6/8/8/8/8/8 b - - 0 1\ngo infinite\nstop\n"), "0000");
    assert_ne!(best_move("position fen k7/8/1K6/8/8/8/8/8 b - - 0 1\ngo nodes 100\n"), "0000");
}

#[test]
fn every_level_moves() {
    for level in 1..=8 {
        let out = run_uci(&format!(
            "setoption name Level value {level}\nsetoption name Seed value 7\nposition startpos\ngo wtime 1000 btime 1000\n"
        ));
        assert!(out.contains("bestmove "), "level {level}: {out}");
    }
}

#[test]
fn handles_stop_and_quit_while_searching() {
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
    // The engine has processed the commands that it got during the search.
    assert!(lines.any(|line| line.starts_with("info depth 4 ")));
    let start = Instant::now();
    writeln!(input, "quit").unwrap();
    assert!(lines.any(|line| line.starts_with("bestmove ")));
    assert!(child.wait().unwrap().success());
    assert!(start.elapsed() < Duration::from_secs(20));
}

/// Chess programs set these options even if the engine doesn't have them.
#[test]
fn ignores_options_of_other_engines() {
    let out = run_uci(
        "setoption name Hash value 64\nsetoption name Threads value 4\nsetoption name Clear Hash\nsetoption name Skill Level value 3\nisready\ngo nodes 500\n",
    );
    let lines: Vec<&str> = out.lines().filter(|line| line.starts_with("info string") || *line == "readyok").collect();
    let fixed = "can't be changed: the computer uses one thread and a fixed amount of memory";
    assert_eq!(
        lines,
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
