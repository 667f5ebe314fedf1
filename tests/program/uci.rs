//! Runs the UCI engine.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::time::{Duration, Instant};

use proptest::prelude::*;

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
    best_moves(&out).pop().unwrap_or_else(|| panic!("no move in {out}"))
}

/// Returns the best moves in the engine's output, without the expected replies.
fn best_moves(out: &str) -> Vec<String> {
    let moves = out.lines().filter_map(|line| line.strip_prefix("bestmove "));
    moves.map(|line| line.split(' ').next().unwrap_or_default().to_owned()).collect()
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
}

#[test]
fn skips_unknown_words_before_and_after_a_command() {
    assert_eq!(run_uci("joho debug on\nnow isready\n"), "readyok\n");
    assert_eq!(best_move("please position now fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\nthen go at depth to 2\n"), "a1a8");
    let out = run_uci("position the startpos , then moves e2e4\nsetoption the name Level value 1\ngo nodes 10\n");
    assert!(!out.contains("info string") && out.contains("bestmove "), "{out}");
}

#[test]
fn every_go_gets_a_move() {
    for line in [
        "go nodes",
        "go nodes many",
        "go depth infinite",
        "go searchmoves",
        "go searchmoves e2e5 hello",
        "go perft 3 nodes 10",
        "go depth 2 softly",
        "go wtime 1000.5 btime 1000.5 winc 0.5",
        "go wtime -20 btime -3.75",
        "go movetime 20.5",
        "go movetime -1",
        "go movestogo 0 wtime 100 btime 100",
        "go wtime 1e300 btime nan depth 1",
    ] {
        let out = run_uci(&format!("setoption name Level value 1\n{line}\n{line}\n"));
        let moves = best_moves(&out);
        assert!(moves.len() == 2 && !moves.contains(&"0000".to_owned()), "{line}: {out}");
    }
}

/// With 2.5 seconds left, a move takes a fraction of a second.
#[test]
fn reads_decimal_times() {
    let start = Instant::now();
    best_move("position startpos\ngo wtime 2500.75 btime 2500.75\n");
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}

#[test]
fn searches_only_the_given_moves() {
    let mate = "position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\n";
    assert_eq!(best_move(&format!("{mate}go searchmoves a1a2 depth 3\n")), "a1a2");
    assert_eq!(best_move(&format!("{mate}go depth 3 searchmoves g1h1 a1a9\n")), "g1h1");
    assert_eq!(best_move(&format!("{mate}go depth 3 searchmoves a1a2 A1A8 g1h1\n")), "a1a8");
    for level in 1..=8 {
        let moves = ["a2a3", "h2h3", "b1a3"];
        let go = format!("setoption name Level value {level}\ngo nodes 500 searchmoves {}\n", moves.join(" "));
        assert!(moves.contains(&best_move(&go).as_str()), "level {level}");
    }
    // Castling, as python-chess writes it for both notations.
    let castle = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1\n";
    assert_eq!(best_move(&format!("{castle}go depth 1 searchmoves e1g1\n")), "e1g1");
    assert_eq!(
        best_move(&format!("setoption name UCI_Chess960 value true\n{castle}go depth 1 searchmoves e1h1\n")),
        "e1h1"
    );
}

/// Stockfish and python-chess read all of these.
#[test]
fn reads_imperfect_positions() {
    for (fen, moves) in [
        // Castling rights without a rook, in the letters of both notations.
        ("4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1", "e1g1"),
        ("4k3/8/8/8/8/8/8/4K2R w HAha - 0 1", "e1g1"),
        ("4k2r/8/8/8/8/8/8/3K4 b KQkq - 3 9", "e8g8"),
        ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "e1g1"),
        // A move number of 0, and missing fields.
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 0", "a1a8"),
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 12", "a1a8"),
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - -", "a1a8"),
        ("6k1/5ppp/8/8/8/8/8/R5K1 w", "a1a8"),
        // An en passant square that no pawn can take on.
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - e6 0 1", "a1a8"),
        // Fields after the sixth.
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1 bm a1a8;", "a1a8"),
    ] {
        let out = run_uci(&format!("position fen {fen} moves {moves}\ngo nodes 20\n"));
        assert!(!out.contains("info string"), "{fen}: {out}");
    }
    let mate = "6k1/5ppp/8/8/8/8/8/R5K1 w Kk";
    assert_eq!(best_move(&format!("position fen {mate}\ngo depth 3\n")), "a1a8");
    // The rights that were dropped aren't there.
    assert_eq!(best_move("position fen 4k3/8/8/8/8/8/8/4K2R w Q - 0 1 moves e1g1\ngo nodes 20\n"), "0000");
}

#[test]
fn plays_no_move_in_a_position_that_it_cannot_read() {
    for line in [
        "position",
        "position fen",
        "position fen nonsense",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen 4k3/8/8/8/8/8/8/4K3 x - - 0 1",
        "position startpos moves e2e5",
        "position startpos moves e2e4 e7e5 e4e5 g1f3",
        "position startpos moves e2e4 \u{1f600}",
    ] {
        let out = run_uci(&format!("position startpos moves e2e4\n{line}\nisready\ngo nodes 50\n"));
        assert!(out.starts_with("info string "), "{line}: {out}");
        assert_eq!(best_moves(&out), ["0000"], "{line}: {out}");
        let out = run_uci(&format!("{line}\ngo infinite\nstop\nposition startpos\ngo nodes 50\n"));
        let moves = best_moves(&out);
        assert!(moves[0] == "0000" && moves[1] != "0000", "{line}: {out}");
        let out = run_uci(&format!("{line}\nucinewgame\ngo nodes 50\n"));
        assert_ne!(best_moves(&out), ["0000"], "{line}: {out}");
    }
    let long = format!("position startpos moves {}\ngo nodes 50\n", "g1f3 g8f6 f3g1 f6g8 ".repeat(20_000));
    assert_eq!(best_move(&long), "0000");
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

#[test]
fn ponders_until_ponderhit_or_stop() {
    let home = Home::new();
    let mut child = home.command(PROGRAM, &["uci"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let (send, lines) = std::sync::mpsc::channel();
    let output = BufReader::new(child.stdout.take().unwrap());
    std::thread::spawn(move || output.lines().map(Result::unwrap).try_for_each(|line| send.send(line)));
    let next_best = |wait: u64| {
        let end = Instant::now() + Duration::from_millis(wait);
        while let Ok(line) = lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
            if let Some(best) = line.strip_prefix("bestmove ") {
                return Some(best.to_owned());
            }
        }
        None
    };
    let gos = ["wtime 100 btime 100", "movetime 20", "depth 1", "nodes 10", "wtime 100 btime 100 depth 2", ""];
    for (go, end) in gos.into_iter().zip(["ponderhit", "stop", "well , ponderhit"].into_iter().cycle()) {
        writeln!(input, "position startpos moves e2e4 e7e5\ngo ponder {go}").unwrap();
        assert_eq!(next_best(150), None, "{go}");
        writeln!(input, "{end}").unwrap();
        assert!(next_best(20_000).is_some(), "{go} {end}");
    }
    // The clock starts at `ponderhit`.
    writeln!(input, "position startpos\ngo ponder movetime 400").unwrap();
    assert_eq!(next_best(500), None);
    writeln!(input, "ponderhit").unwrap();
    assert_eq!(next_best(200), None);
    let best = next_best(20_000).unwrap();
    assert!(best.contains(" ponder "), "it expects a reply: {best}");
    drop(input);
    assert!(child.wait().unwrap().success());
}

/// Commands piped from a file get the same moves as commands sent one at a time, as in Stockfish.
#[test]
fn handles_commands_that_come_all_at_once() {
    let go = "go nodes 2000\ngo depth 2\ngo infinite\nstop\ngo ponder nodes 5\nponderhit\ngo movetime 20\n";
    let last = "position startpos moves e2e4 e7e5\ngo nodes 5 searchmoves e1e2\nquit\ngo nodes 5\n";
    let out = run_uci(&format!("{go}{last}"));
    let moves = best_moves(&out);
    assert_eq!((moves.len(), moves[5].as_str()), (6, "e1e2"), "{out}");
    let lost = "position fen nonsense\ngo infinite\nstop\nposition startpos\ngo nodes 5\n";
    assert_eq!(best_moves(&run_uci(&format!("go nodes 2000\n{lost}"))).len(), 3);
}

/// Positions as programs send them, with the FENs that they mean; `None` if they can't be read.
const POSITIONS: [(&str, Option<&str>); 8] = [
    ("position startpos", Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")),
    ("position startpos moves e2e4 e7e5", Some("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")),
    ("position fen 8/P6k/8/8/8/8/p6K/8 b - - 3 0", Some("8/P6k/8/8/8/8/p6K/8 b - - 3 1")),
    ("please position fen r3k2r/8/8/8/8/8/8/4K2R w KQkq -", Some("r3k2r/8/8/8/8/8/8/4K2R w Kkq - 0 1")),
    ("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Some("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")),
    ("position startpos moves e2e4 e2e4", None),
    ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", None),
    ("position", None),
];
const GOES: [&str; 9] = [
    "go nodes 5",
    "go depth 1",
    "go movetime 1",
    "go wtime 10.5 btime -3",
    "softly go nodes very 1500 please",
    "go infinite\nstop",
    "go ponder movetime 1\nponderhit",
    "go ponder\nstop",
    "go nodes 5 searchmoves e2e4 h1g1 a2a1n nonsense",
];
const OTHER_LINES: [&str; 7] =
    ["", "hello", "isready", "debug on", "setoption name Level value 1", "setoption", "\u{1f600} \0"];

proptest! {
    #![proptest_config(ProptestConfig { cases: 30, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_go_of_any_script_gets_a_legal_move(
        script in prop::collection::vec((0..3usize, any::<prop::sample::Index>()), 0..40),
    ) {
        let (mut lines, mut expected, mut position) = (String::new(), Vec::new(), POSITIONS[0].1);
        for (kind, index) in script {
            let line = match kind {
                0 => {
                    let (line, fen) = *index.get(&POSITIONS);
                    position = fen;
                    line
                }
                1 => {
                    expected.push(position);
                    index.get(&GOES)
                }
                _ => index.get(&OTHER_LINES),
            };
            lines += &format!("{line}\n");
        }
        let out = run_uci(&format!("setoption name Level value 1\n{lines}"));
        let moves = best_moves(&out);
        prop_assert_eq!(moves.len(), expected.len(), "{}\n{}", lines, out);
        for (mv, fen) in moves.iter().zip(expected) {
            let mut legal = Vec::new();
            if let Some(fen) = fen {
                let board: cozy_chess::Board = fen.parse().unwrap();
                board.generate_moves(|moves| {
                    legal.extend(moves.into_iter().map(|mv| cozy_chess::util::display_uci_move(&board, mv).to_string()));
                    false
                });
            }
            prop_assert!(legal.contains(mv) || legal.is_empty() && mv == "0000", "{} in {:?}\n{}", mv, fen, lines);
        }
    }
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
