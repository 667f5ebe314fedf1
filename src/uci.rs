//! `play-by-commit uci`: the computer as a chess engine on standard input and output.
//!
//! A separate thread reads the input, so that `stop` works during a search.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Result, anyhow};
use game::Rules;
use games::chess::{Chess, GameConfig, Move, Progress, SearchOptions, choose_move, uci};
use interop::{EngineOptions, GoParams, IDENTIFICATION, command_words, info_line, parse_go, parse_position, truncated};

/// The maximum length of a line, in bytes: enough for a game of more than 2,000 moves.
const MAX_LINE: u64 = 1 << 16;
/// How far into an overlong line to look for its command, in bytes.
const MAX_COMMAND: usize = 1_000;

/// A line of input.
enum Line {
    Whole(String),
    /// A line of more than [`MAX_LINE`] bytes, with its beginning.
    TooLong(String),
}

/// Answers UCI commands until `quit` or the end of the input.
///
/// # Errors
/// Returns an error if the start position can't be set up, which is a bug.
pub(super) fn serve() -> Result<()> {
    let (send, lines) = mpsc::channel();
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        while let Some(line) = next_line(&mut input) {
            if send.send(line).is_err() {
                break;
            }
        }
    });
    let start = Chess::start(&GameConfig::default()).map_err(|error| anyhow!("{error}"))?;
    let mut engine = Engine {
        game: Some(start.clone()),
        start,
        options: EngineOptions::default(),
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
        match line {
            Line::Whole(line) => engine.handle_line(&line),
            Line::TooLong(beginning) => engine.handle_overlong_line(&beginning),
        }
    }
    Ok(())
}

/// Returns the next line, or `None` at the end of the input.
fn next_line(input: &mut impl BufRead) -> Option<Line> {
    let mut line = Vec::new();
    if input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line).ok()? == 0 {
        return None;
    }
    if !line.ends_with(b"\n") && line.len() as u64 == MAX_LINE {
        input.skip_until(b'\n').ok()?;
        return Some(Line::TooLong(String::from_utf8_lossy(&line[..MAX_COMMAND]).into_owned()));
    }
    Some(Line::Whole(String::from_utf8_lossy(&line).trim().to_owned()))
}

/// The state of the engine between two commands.
struct Engine {
    start: Chess,
    /// The position to search; `None` if the last one couldn't be read.
    game: Option<Chess>,
    options: EngineOptions,
    plies: u64,
    /// Whether the search waits for `ponderhit` with its clock stopped.
    ponders: bool,
    /// When the clock of the search started.
    clock_start: Instant,
    /// Whether the search has to stop.
    is_stopped: bool,
    /// Lines that arrived during a search and aren't handled yet.
    queued: VecDeque<Line>,
    lines: Receiver<Line>,
    has_quit: bool,
}

impl Engine {
    fn handle_line(&mut self, line: &str) {
        let words = command_words(line);
        let (name, rest) = words.split_first().unwrap_or((&"", &[]));
        match *name {
            "uci" => IDENTIFICATION.iter().for_each(|line| self.send(line)),
            "isready" => self.send("readyok"),
            "ucinewgame" => self.game = Some(self.start.clone()),
            "setoption" => {
                if let Err(why) = self.options.set(rest) {
                    self.send(&format!("info string {why}"));
                }
            }
            "position" => self.set_position(rest),
            "go" => self.go(rest),
            "quit" => self.has_quit = true,
            "" if !line.trim().is_empty() => {
                self.send(&format!("info string unknown command: {}", truncated(line.trim())));
            }
            // No search is running.
            _ => {}
        }
    }

    /// Handles an overlong line. It still answers `go`, so the other program doesn't wait forever.
    fn handle_overlong_line(&mut self, beginning: &str) {
        self.send(&format!("info string a line can have at most {MAX_LINE} bytes"));
        match command_words(beginning).first() {
            Some(&"position") => self.game = None,
            Some(&"go") => self.go(&[]),
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

    /// Handles `position`. If it can't be read, the next `go` has no move.
    fn set_position(&mut self, words: &[&str]) {
        match parse_position(words, &self.start, self.options.chess960) {
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
        let EngineOptions { level, chess960, seed } = self.options;
        let started = Instant::now();
        let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64);
        let seed = seed.map_or_else(now, |seed| seed.wrapping_mul(100_000).wrapping_add(self.plies));
        let moves: Vec<Move> = params.search_moves.iter().filter_map(|text| uci::find(game, text, chess960)).collect();
        // If the command has limits of its own or is infinite, the level doesn't limit the number of nodes.
        let nodes = if params.has_level_limits() { params.nodes } else { params.nodes.or(Some(u64::MAX)) };
        let options = SearchOptions { level, nodes, depth: params.depth, moves: &moves, seed };
        let mut line = Vec::new();
        let chosen = choose_move(game, options, &mut |progress: Progress<'_>| {
            if let Some(iteration) = progress.iteration {
                self.send(&info_line(game, iteration, progress.nodes, started.elapsed(), chess960));
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
            let mv = uci::format(game, &chosen.mv, chess960);
            // The line belongs to the best move, which lower levels don't always play.
            let line = uci::format_line(game, &line, chess960);
            let mut words = line.split_whitespace();
            let reply = if words.next() == Some(&mv) { words.next() } else { None };
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
            let words = match line {
                Line::Whole(line) => command_words(line),
                Line::TooLong(_) => Vec::new(),
            };
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
}
