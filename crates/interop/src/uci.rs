//! The computer as a chess engine that speaks the [Universal Chess
//! Interface](https://www.wbec-ridderkerk.nl/html/UCIProtocol.html) on standard input and output.
//!
//! Only this module uses a clock. A separate thread reads the input, so that `stop` works during a search.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read, Write};
use std::str::SplitWhitespace;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::Result;
use game::contract::{Interop, Rules};
use game::engine::Level;
use games::chess::computer::search::{Iteration, Progress};
use games::chess::computer::{SearchOptions, choose_move};
use games::chess::config::GameConfig;
use games::chess::game::Chess;
use games::chess::position::Position;
use games::chess::uci;
use games::search::alpha_beta::{PROVEN_WIN, WIN_VALUE};

/// The maximum length of a line, in bytes: enough for a game of more than 2,000 moves.
const MAX_LINE: u64 = 1 << 16;
/// The reserve for communication delays, in milliseconds ("move overhead").
const MOVE_OVERHEAD: u64 = 15;
/// The number of moves that the remaining time must last for, unless `movestogo` says.
const DEFAULT_MOVES_TO_GO: u64 = 24;
/// The maximum search depth, in plies.
const MAX_DEPTH: i16 = 127;

/// Answers UCI commands until `quit` or the end of the input.
///
/// # Errors
/// Returns an error if the start position can't be set up, which is a bug.
pub fn serve() -> Result<()> {
    let (send, lines) = mpsc::channel();
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        while let Some(line) = next_line(&mut input) {
            if send.send(line).is_err() {
                break;
            }
        }
    });
    let start = Chess::start(&GameConfig::default()).map_err(|error| anyhow::anyhow!("{error}"))?;
    let mut engine = Engine {
        game: start.clone(),
        start,
        level: Level::MAX,
        chess960: false,
        seed: None,
        plies: 0,
        queued: VecDeque::new(),
        lines,
        has_quit: false,
    };
    while !engine.has_quit {
        let Some(line) = engine.queued.pop_front().or_else(|| engine.lines.recv().ok()) else { break };
        engine.handle_line(&line);
    }
    Ok(())
}

/// Returns the next line; `too-long` for one over the limit; `None` at the end of the input.
fn next_line(input: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    if input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line).ok()? == 0 {
        return None;
    }
    if !line.ends_with(b"\n") && line.len() as u64 == MAX_LINE {
        input.skip_until(b'\n').ok()?;
        return Some("too-long".to_owned());
    }
    Some(String::from_utf8_lossy(&line).trim().to_owned())
}

/// The state of the engine between two commands.
struct Engine {
    start: Chess,
    game: Chess,
    level: Level,
    chess960: bool,
    /// The seed of all random choices; `None` for a different one each time.
    seed: Option<u64>,
    plies: u64,
    /// Lines that arrived during a search and aren't handled yet.
    queued: VecDeque<String>,
    lines: Receiver<String>,
    has_quit: bool,
}

/// The parameters of a `go` command.
#[derive(Default)]
struct GoParams {
    nodes: Option<u64>,
    depth: Option<i16>,
    infinite: bool,
    time_limits: TimeLimits,
}

/// The time limits of a move.
#[derive(Default)]
struct TimeLimits {
    /// After this time, the search doesn't start another depth.
    soft: Option<Duration>,
    /// After this time, the search stops.
    hard: Option<Duration>,
}

impl Engine {
    fn handle_line(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("uci") => self.identify(),
            Some("isready") => self.send("readyok"),
            Some("ucinewgame") => self.game = self.start.clone(),
            Some("setoption") => self.set_option(words),
            Some("position") => self.set_position(words),
            Some("go") => self.go(words),
            Some("quit") => self.has_quit = true,
            // No search is running.
            Some("stop" | "ponderhit" | "debug" | "register") | None => {}
            Some("too-long") => self.send(&format!("info string a line can have at most {MAX_LINE} bytes")),
            Some(other) => self.send(&format!("info string unknown command: {}", truncated(other))),
        }
    }

    /// Writes a line. Exits if the reader closed the pipe.
    fn send(&mut self, line: &str) {
        let mut out = io::stdout().lock();
        if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
            self.has_quit = true;
        }
    }

    fn identify(&mut self) {
        self.send(concat!("id name Play by Commit ", env!("CARGO_PKG_VERSION")));
        self.send("id author the contributors to Play by Commit");
        self.send("option name Level type spin default 8 min 1 max 8");
        self.send("option name Seed type spin default 0 min 0 max 2147483647");
        self.send("option name UCI_Chess960 type check default false");
        self.send("uciok");
    }

    /// Handles `setoption`: `name UCI_Chess960 value true`. Names ignore case and may have several words.
    ///
    /// Many programs set `Hash` and `Threads` unasked. Unsupported options change nothing and get an `info string`.
    fn set_option(&mut self, words: SplitWhitespace<'_>) {
        let words: Vec<&str> = words.collect();
        let end = words.iter().position(|word| *word == "value").unwrap_or(words.len());
        let (name, value) = match (&words[..end], words[end..].get(1..).unwrap_or_default()) {
            (["name", name @ ..], value) if !name.is_empty() => {
                (name.join(" ").to_lowercase(), value.join(" ").to_lowercase())
            }
            _ => return self.send("info string expected: setoption name NAME value VALUE"),
        };
        let result = match name.as_str() {
            "level" => value.parse().ok().and_then(Level::new).map(|level| self.level = level),
            "seed" => value.parse().ok().map(|seed: u64| self.seed = if seed > 0 { Some(seed) } else { None }),
            "uci_chess960" => value.parse().ok().map(|chess960| self.chess960 = chess960),
            "hash" | "threads" => {
                return self.send(&format!(
                    "info string {name} can't be changed: the computer uses one thread and a fixed amount of memory"
                ));
            }
            _ => return self.send(&format!("info string unknown option: {}", truncated(&name))),
        };
        if result.is_none() {
            self.send(&format!("info string {name} can't be {}", truncated(&value)));
        }
    }

    /// Handles `position`. An invalid position or move changes nothing.
    fn set_position(&mut self, words: SplitWhitespace<'_>) {
        let words: Vec<&str> = words.collect();
        let moves_start = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let mut game = match &words[..moves_start] {
            ["startpos"] => self.start.clone(),
            ["fen", fen @ ..] => {
                // A finished game is fine too: it has no legal move.
                match Chess::from_position(
                    &GameConfig::default(),
                    &Position { fen: fen.join(" "), earlier: Vec::new() },
                ) {
                    Ok(game) => game,
                    Err(error) => return self.send(&format!("info string {error}")),
                }
            }
            _ => {
                return self.send(
                    "info string expected: position startpos, or position fen FEN, optionally followed \
                 by moves",
                );
            }
        };
        for text in words.iter().skip(moves_start + 1) {
            match uci::play(&game, text, self.chess960) {
                Some(next) => game = next,
                None => return self.send(&format!("info string not a legal move here: {}", truncated(text))),
            }
        }
        self.plies = words.len().saturating_sub(moves_start) as u64;
        self.game = game;
    }

    fn go(&mut self, words: SplitWhitespace<'_>) {
        let params = match parse_go(words, self.game.side_to_move().index()) {
            Ok(params) => params,
            Err(error) => return self.send(&format!("info string {error}")),
        };
        let started = Instant::now();
        let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64);
        let seed = self.seed.map_or_else(now, |seed| seed.wrapping_mul(100_000).wrapping_add(self.plies));
        // With a time or depth limit, or `infinite`, the number of nodes is unlimited.
        let has_other_limit = params.infinite || params.depth.is_some() || params.time_limits.hard.is_some();
        let max_nodes = if has_other_limit { params.nodes.or(Some(u64::MAX)) } else { params.nodes };
        let options = SearchOptions { level: self.level, nodes: max_nodes, depth: params.depth, seed };
        let game = self.game.clone();
        // At the end of the input, a search with its own limit still finishes.
        let ends_by_itself = params.nodes.is_some() || params.time_limits.hard.is_some() || max_nodes.is_none();
        let mut stopped = false;
        let chosen = choose_move(&game, options, &mut |progress: Progress<'_>| {
            let elapsed = started.elapsed();
            if let Some(iteration) = progress.iteration {
                self.send_info(&game, iteration, progress.nodes, elapsed);
            }
            stopped |= self.poll_input(ends_by_itself);
            let limit = if progress.iteration.is_some() {
                params.time_limits.soft.or(params.time_limits.hard)
            } else {
                params.time_limits.hard
            };
            stopped || limit.is_some_and(|limit| elapsed >= limit)
        });
        // UCI requires `infinite` searches to wait for `stop` before they report a move.
        while params.infinite && !stopped && !self.has_quit {
            stopped = match self.lines.recv_timeout(Duration::from_secs(3_600)) {
                Ok(line) => self.handle_line_during_search(&line),
                Err(RecvTimeoutError::Timeout) => false,
                Err(RecvTimeoutError::Disconnected) => true,
            };
        }
        let mv = chosen.map_or("0000".to_owned(), |chosen| uci::format(&game, &chosen.mv, self.chess960));
        self.send(&format!("bestmove {mv}"));
    }

    /// Handles the lines that arrived during a search. Returns whether the search must stop.
    fn poll_input(&mut self, ends_by_itself: bool) -> bool {
        loop {
            match self.lines.try_recv() {
                Ok(line) if self.handle_line_during_search(&line) => return true,
                Ok(_) => {}
                Err(TryRecvError::Empty) => return self.has_quit,
                Err(TryRecvError::Disconnected) => return self.has_quit || !ends_by_itself,
            }
        }
    }

    /// Handles one line during a search. Returns whether the search must stop.
    fn handle_line_during_search(&mut self, line: &str) -> bool {
        match line.split_whitespace().next() {
            Some("stop") => return true,
            Some("quit") => self.has_quit = true,
            Some("isready") => self.send("readyok"),
            None => {}
            Some(_) => self.queued.push_back(line.to_owned()),
        }
        self.has_quit
    }

    fn send_info(&mut self, game: &Chess, iteration: &Iteration, nodes: u64, elapsed: Duration) {
        let millis = elapsed.as_millis();
        let nodes_per_second = u128::from(nodes) * 1_000_000 / elapsed.as_micros().max(1);
        let line = uci::format_line(game, &iteration.pv, self.chess960);
        let (depth, score) = (iteration.depth, format_score(iteration.score));
        self.send(&format!(
            "info depth {depth} score {score} nodes {nodes} nps {nodes_per_second} time {millis} pv {line}"
        ));
    }
}

/// Formats a score for UCI: in centipawns, or in moves to mate.
fn format_score(score: i32) -> String {
    let moves_to_mate = (WIN_VALUE - score.abs() + 1) / 2;
    if score >= PROVEN_WIN {
        format!("mate {moves_to_mate}")
    } else if score <= -PROVEN_WIN {
        format!("mate -{moves_to_mate}")
    } else {
        format!("cp {score}")
    }
}

/// Returns the printable beginning of untrusted text.
fn truncated(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(40).collect()
}

/// Parses the parameters of `go`. `side` is 0 for white and 1 for black.
fn parse_go(mut words: SplitWhitespace<'_>, side: usize) -> Result<GoParams, String> {
    let (mut params, mut time, mut increment, mut moves) =
        (GoParams::default(), [None; 2], [0; 2], DEFAULT_MOVES_TO_GO);
    while let Some(word) = words.next() {
        let mut number = || {
            let text = words.next().unwrap_or_default();
            // Programs send a negative time when the clock has run out.
            let number = text.parse::<i64>().map_err(|_| format!("{} needs a number", truncated(word)))?;
            Ok::<u64, String>(number.max(0).unsigned_abs())
        };
        match word {
            "nodes" => params.nodes = Some(number()?.max(1)),
            "depth" => params.depth = Some(clamp_depth(number()?)),
            "mate" => params.depth = Some(clamp_depth(number()?.saturating_mul(2))),
            "movetime" => {
                params.time_limits.hard = Some(Duration::from_millis(number()?.saturating_sub(MOVE_OVERHEAD).max(1)));
            }
            "wtime" => time[0] = Some(number()?),
            "btime" => time[1] = Some(number()?),
            "winc" => increment[0] = number()?,
            "binc" => increment[1] = number()?,
            "movestogo" => moves = number()?.clamp(1, 60),
            "infinite" => params.infinite = true,
            "ponder" => {}
            other => return Err(format!("unknown word after go: {}", truncated(other))),
        }
    }
    let side = side.min(1);
    if let Some(left) = time[side]
        && params.time_limits.hard.is_none()
    {
        params.time_limits = allot_time(left, increment[side], moves);
    }
    Ok(params)
}

fn clamp_depth(plies: u64) -> i16 {
    i16::try_from(plies).unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH)
}

/// Returns the limits for a move from the time left and the increment, both in milliseconds.
fn allot_time(left: u64, increment: u64, moves: u64) -> TimeLimits {
    let left = left.saturating_sub(MOVE_OVERHEAD);
    let target = (left / moves).saturating_add(increment.saturating_mul(3) / 4);
    let max = if moves == 1 { left * 9 / 10 } else { left / 3 };
    let hard = target.saturating_mul(3).min(max).max(1);
    TimeLimits { soft: Some(Duration::from_millis(target.min(max) * 6 / 10)), hard: Some(Duration::from_millis(hard)) }
}
