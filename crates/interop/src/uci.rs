//! The computer as a chess engine that speaks the [Universal Chess
//! Interface](https://www.wbec-ridderkerk.nl/html/UCIProtocol.html) on standard input and output.
//!
//! Only this module uses a clock. A separate thread reads the input, so that `stop` works during a search.

mod go;
mod position;

use std::collections::VecDeque;
use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::Result;
use game::contract::Rules;
use game::engine::Level;
use games::chess::computer::search::{Iteration, Progress};
use games::chess::computer::{SearchOptions, choose_move};
use games::chess::config::GameConfig;
use games::chess::game::Chess;
use games::chess::moves::Move;
use games::chess::uci;
use games::search::alpha_beta::{PROVEN_WIN, WIN_VALUE};

use crate::uci::go::{GoParams, parse_go};
use crate::uci::position::parse_position;

/// The maximum length of a line, in bytes: enough for a game of more than 2,000 moves.
const MAX_LINE: u64 = 1 << 16;
/// How far into an overlong line to look for its command, in bytes.
const MAX_COMMAND: usize = 1_000;
/// The command that stands for an overlong line.
const TOO_LONG: &str = "too-long";
/// The commands. UCI wants engines to skip unknown words before a command.
const COMMANDS: [&str; 12] = [
    "debug",
    "go",
    "isready",
    "ponderhit",
    "position",
    "quit",
    "register",
    "setoption",
    "stop",
    "uci",
    "ucinewgame",
    TOO_LONG,
];

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
        game: Some(start.clone()),
        start,
        level: Level::MAX,
        chess960: false,
        seed: None,
        plies: 0,
        ponders: false,
        clock_start: Instant::now(),
        is_stopped: false,
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

/// Returns the next line, or `None` at the end of the input. For an overlong line, returns [`TOO_LONG`] and its command.
fn next_line(input: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    if input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line).ok()? == 0 {
        return None;
    }
    if !line.ends_with(b"\n") && line.len() as u64 == MAX_LINE {
        input.skip_until(b'\n').ok()?;
        let beginning = String::from_utf8_lossy(&line[..MAX_COMMAND]).into_owned();
        return Some(format!("{TOO_LONG} {}", command(&beginning).first().unwrap_or(&"")));
    }
    Some(String::from_utf8_lossy(&line).trim().to_owned())
}

/// The state of the engine between two commands.
struct Engine {
    start: Chess,
    /// The position to search; `None` if the last one couldn't be read.
    game: Option<Chess>,
    level: Level,
    chess960: bool,
    /// The seed of all random choices; `None` for a different one each time.
    seed: Option<u64>,
    plies: u64,
    /// Whether the search waits for `ponderhit` with its clock stopped.
    ponders: bool,
    /// When the clock of the search started.
    clock_start: Instant,
    /// Whether the search has to stop.
    is_stopped: bool,
    /// Lines that arrived during a search and aren't handled yet.
    queued: VecDeque<String>,
    lines: Receiver<String>,
    has_quit: bool,
}

/// Returns the words of a line, beginning with its command. Empty if it has no command.
fn command(line: &str) -> Vec<&str> {
    line.split_whitespace().skip_while(|word| !COMMANDS.contains(word)).collect()
}

impl Engine {
    fn handle_line(&mut self, line: &str) {
        let words = command(line);
        let (name, rest) = words.split_first().unwrap_or((&"", &[]));
        match *name {
            "uci" => self.identify(),
            "isready" => self.send("readyok"),
            "ucinewgame" => self.game = Some(self.start.clone()),
            "setoption" => self.set_option(rest),
            "position" => self.set_position(rest),
            "go" => self.go(rest),
            "quit" => self.has_quit = true,
            TOO_LONG => {
                self.send(&format!("info string a line can have at most {MAX_LINE} bytes"));
                match rest {
                    ["position"] => self.game = None,
                    ["go"] => self.go(&[]),
                    _ => {}
                }
            }
            "" if !line.trim().is_empty() => {
                self.send(&format!("info string unknown command: {}", truncated(line.trim())));
            }
            // No search is running.
            _ => {}
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
        self.send("option name Ponder type check default false");
        self.send("option name Seed type spin default 0 min 0 max 2147483647");
        self.send("option name UCI_Chess960 type check default false");
        self.send("uciok");
    }

    /// Handles `setoption`: `name UCI_Chess960 value true`. Names ignore case and may have several words.
    ///
    /// Many programs set `Hash` and `Threads` unasked. Unsupported options change nothing and get an `info string`.
    fn set_option(&mut self, words: &[&str]) {
        let words = &words[words.iter().position(|word| *word == "name").unwrap_or(words.len())..];
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
            // Programs that ponder set it, and then send `go ponder`.
            "ponder" => value.parse().ok().map(|_: bool| ()),
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

    /// Handles `position`. If it can't be read, the next `go` has no move.
    fn set_position(&mut self, words: &[&str]) {
        match parse_position(words, &self.start, self.chess960) {
            Ok(position) => (self.game, self.plies) = (Some(position.game), position.plies),
            Err(error) => {
                self.game = None;
                self.send(&format!("info string {error}"));
            }
        }
    }

    /// Handles `go`: searches, then reports a move, or `0000` if there is none.
    fn go(&mut self, words: &[&str]) {
        let game = self.game.clone();
        let side = game.as_ref().map_or(0, |game| game.side_to_move().index());
        let params = parse_go(words.iter().copied(), side);
        (self.ponders, self.clock_start) = (params.ponder, Instant::now());
        self.is_stopped = false;
        let chosen = game.as_ref().and_then(|game| self.search(game, &params));
        if game.is_none() {
            self.send("info string the position couldn't be read");
        }
        // UCI requires these searches to wait for `stop` or `ponderhit` before they report a move.
        let waits = |engine: &Engine| params.infinite || engine.ponders;
        while waits(self) && !self.poll_input(&params) && waits(self) {
            match self.lines.recv_timeout(Duration::from_secs(3_600)) {
                Ok(line) => self.queued.push_back(line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.send(&format!("bestmove {}", chosen.as_deref().unwrap_or("0000")));
    }

    /// Searches a position. Returns the move and the expected reply, as `bestmove` has them.
    fn search(&mut self, game: &Chess, params: &GoParams) -> Option<String> {
        let started = Instant::now();
        let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64);
        let seed = self.seed.map_or_else(now, |seed| seed.wrapping_mul(100_000).wrapping_add(self.plies));
        let moves: Vec<Move> =
            params.search_moves.iter().filter_map(|text| uci::find(game, text, self.chess960)).collect();
        // With another limit, the number of nodes is unlimited.
        let nodes = if params.has_level_limits() { params.nodes } else { params.nodes.or(Some(u64::MAX)) };
        let options = SearchOptions { level: self.level, nodes, depth: params.depth, moves: &moves, seed };
        let mut line = Vec::new();
        let chosen = choose_move(game, options, &mut |progress: Progress<'_>| {
            if let Some(iteration) = progress.iteration {
                self.send_info(game, iteration, progress.nodes, started.elapsed());
                line.clone_from(&iteration.pv);
            }
            let is_stopped = self.poll_input(params);
            let limit = if progress.iteration.is_some() {
                params.time_limits.soft.or(params.time_limits.hard)
            } else {
                params.time_limits.hard
            };
            is_stopped || !self.ponders && limit.is_some_and(|limit| self.clock_start.elapsed() >= limit)
        });
        chosen.map(|chosen| {
            let mv = uci::format(game, &chosen.mv, self.chess960);
            // The line belongs to the best move, which lower levels don't always play.
            let line = uci::format_line(game, &line, self.chess960);
            let reply = line.strip_prefix(&mv).and_then(|line| line.split_whitespace().next());
            reply.map_or(mv.clone(), |reply| format!("{mv} ponder {reply}"))
        })
    }

    /// Handles the lines that arrived during a search. Returns whether the search must stop.
    ///
    /// Lines after another `go` belong to that one, unless this search can't end without them.
    fn poll_input(&mut self, params: &GoParams) -> bool {
        let is_at_end = loop {
            match self.lines.try_recv() {
                Ok(line) => self.queued.push_back(line),
                Err(error) => break error == TryRecvError::Disconnected,
            }
        };
        let mut index = 0;
        while let Some(line) = self.queued.get(index).filter(|_| !self.is_stopped && !self.has_quit) {
            let words = command(line);
            match words.first() {
                Some(&"stop") => self.is_stopped = true,
                Some(&"quit") => self.has_quit = true,
                Some(&"ponderhit") => (self.ponders, self.clock_start) = (false, Instant::now()),
                Some(&"isready") => self.send("readyok"),
                Some(&"go") if !params.infinite && !self.ponders => break,
                _ => {
                    index += 1;
                    continue;
                }
            }
            self.queued.remove(index);
        }
        self.is_stopped |= is_at_end && (self.ponders || !params.ends_by_itself());
        self.is_stopped || self.has_quit
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
