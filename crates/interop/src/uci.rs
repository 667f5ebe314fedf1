//! The computer as an engine for chess programs: it speaks the
//! [Universal Chess Interface](https://www.wbec-ridderkerk.nl/html/UCIProtocol.html) on its input and output.
//!
//! The clock is here and nowhere else. A thread reads, so that `stop` is heard while the computer thinks.

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

/// The longest line, in bytes: a game of 2,000 moves and more.
const MAX_LINE: u64 = 1 << 16;
/// What may pass between our move and the other clock, in milliseconds.
const DELAY: u64 = 15;
/// The moves that the time left has to last for, where nobody says.
const MOVES_TO_GO: u64 = 24;
/// The most plies that a search can be asked for.
const DEEPEST: i16 = 127;

/// Answers each line of the input until `quit`, or its end.
///
/// # Errors
/// The game cannot be set up, which does not happen.
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
        waiting: VecDeque::new(),
        lines,
        over: false,
    };
    while !engine.over {
        let Some(line) = engine.waiting.pop_front().or_else(|| engine.lines.recv().ok()) else { break };
        engine.obey(&line);
    }
    Ok(())
}

/// Returns the next line, without what is too long of it; `None` at the end.
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

/// The engine between two lines.
struct Engine {
    start: Chess,
    game: Chess,
    level: Level,
    chess960: bool,
    /// The number that all luck follows from; `None` for another one each time.
    seed: Option<u64>,
    plies: u64,
    /// Lines that came while the computer was thinking.
    waiting: VecDeque<String>,
    lines: Receiver<String>,
    over: bool,
}

/// What a `go` asks for.
#[derive(Default)]
struct Order {
    nodes: Option<u64>,
    depth: Option<i16>,
    infinite: bool,
    clock: Clock,
}

/// The time for a move.
#[derive(Default)]
struct Clock {
    /// After this no other depth is begun.
    soft: Option<Duration>,
    /// After this the search is stopped.
    hard: Option<Duration>,
}

impl Engine {
    fn obey(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("uci") => self.introduce(),
            Some("isready") => self.say("readyok"),
            Some("ucinewgame") => self.game = self.start.clone(),
            Some("setoption") => self.set(words),
            Some("position") => self.set_up(words),
            Some("go") => self.go(words),
            Some("quit") => self.over = true,
            // Nothing is under way.
            Some("stop" | "ponderhit" | "debug" | "register") | None => {}
            Some("too-long") => self.say(&format!("info string a line can have at most {MAX_LINE} bytes")),
            Some(other) => self.say(&format!("info string unknown command: {}", short(other))),
        }
    }

    /// Writes a line. Whoever does not read any more has left.
    fn say(&mut self, line: &str) {
        let mut out = io::stdout().lock();
        if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
            self.over = true;
        }
    }

    fn introduce(&mut self) {
        self.say(concat!("id name Play by Commit ", env!("CARGO_PKG_VERSION")));
        self.say("id author the contributors to Play by Commit");
        self.say("option name Level type spin default 8 min 1 max 8");
        self.say("option name Seed type spin default 0 min 0 max 2147483647");
        self.say("option name UCI_Chess960 type check default false");
        self.say("uciok");
    }

    /// Sets an option: `name UCI_Chess960 value true`. Names may have any case, and several words. Many programs set `Hash` and
    /// `Threads` without being asked to; an option that isn't ours is answered by an `info string` and changes nothing.
    fn set(&mut self, words: SplitWhitespace<'_>) {
        let words: Vec<&str> = words.collect();
        let end = words.iter().position(|word| *word == "value").unwrap_or(words.len());
        let (name, value) = match (&words[..end], words[end..].get(1..).unwrap_or_default()) {
            (["name", name @ ..], value) if !name.is_empty() => {
                (name.join(" ").to_lowercase(), value.join(" ").to_lowercase())
            }
            _ => return self.say("info string expected: setoption name NAME value VALUE"),
        };
        let known = match name.as_str() {
            "level" => value.parse().ok().and_then(Level::new).map(|level| self.level = level),
            "seed" => value.parse().ok().map(|seed: u64| self.seed = Some(seed).filter(|seed| *seed > 0)),
            "uci_chess960" => value.parse().ok().map(|chess960| self.chess960 = chess960),
            "hash" | "threads" => {
                return self.say(&format!(
                    "info string {name} can't be changed: the computer uses one thread and a fixed amount of memory"
                ));
            }
            _ => return self.say(&format!("info string unknown option: {}", short(&name))),
        };
        if known.is_none() {
            self.say(&format!("info string {name} can't be {}", short(&value)));
        }
    }

    /// Sets a position up. What cannot be set up changes nothing.
    fn set_up(&mut self, words: SplitWhitespace<'_>) {
        let words: Vec<&str> = words.collect();
        let moves = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let mut game = match &words[..moves] {
            ["startpos"] => self.start.clone(),
            ["fen", fen @ ..] => {
                // A position in which the game is over can be set up, too: there is no move in it.
                match Chess::from_position(
                    &GameConfig::default(),
                    &Position { fen: fen.join(" "), earlier: Vec::new() },
                ) {
                    Ok(game) => game,
                    Err(error) => return self.say(&format!("info string {error}")),
                }
            }
            _ => {
                return self.say(
                    "info string expected: position startpos, or position fen FEN, optionally followed \
                 by moves",
                );
            }
        };
        for text in words.iter().skip(moves + 1) {
            match uci::play(&game, text, self.chess960) {
                Some(next) => game = next,
                None => return self.say(&format!("info string not a legal move here: {}", short(text))),
            }
        }
        self.plies = words.len().saturating_sub(moves) as u64;
        self.game = game;
    }

    fn go(&mut self, words: SplitWhitespace<'_>) {
        let order = match read_order(words, self.game.side_to_move().index()) {
            Ok(order) => order,
            Err(fault) => return self.say(&format!("info string {fault}")),
        };
        let begun = Instant::now();
        let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64);
        let seed = self.seed.map_or_else(now, |seed| seed.wrapping_mul(100_000).wrapping_add(self.plies));
        // Where time or somebody's word ends the search, nodes do not.
        let limit =
            order.nodes.or((order.infinite || order.depth.is_some() || order.clock.hard.is_some()).then_some(u64::MAX));
        let task = SearchOptions { level: self.level, nodes: limit, depth: order.depth, seed };
        let game = self.game.clone();
        // Where the input has ended, what ends by itself is finished.
        let bounded = order.nodes.is_some() || order.clock.hard.is_some() || limit.is_none();
        let mut stopped = false;
        let chosen = choose_move(&game, task, &mut |progress: Progress<'_>| {
            let spent = begun.elapsed();
            if let Some(found) = progress.iteration {
                self.report(&game, found, progress.nodes, spent);
            }
            stopped |= self.listen(bounded);
            let time =
                if progress.iteration.is_some() { order.clock.soft.or(order.clock.hard) } else { order.clock.hard };
            stopped || time.is_some_and(|time| spent >= time)
        });
        // Who has asked for no end waits for `stop` until he has said so.
        while order.infinite && !stopped && !self.over {
            stopped = match self.lines.recv_timeout(Duration::from_secs(3_600)) {
                Ok(line) => self.hear(&line),
                Err(RecvTimeoutError::Timeout) => false,
                Err(RecvTimeoutError::Disconnected) => true,
            };
        }
        let mv = chosen.map_or("0000".to_owned(), |chosen| uci::format(&game, &chosen.mv, self.chess960));
        self.say(&format!("bestmove {mv}"));
    }

    /// Listens for what is said while the computer thinks, and returns whether it is to stop.
    fn listen(&mut self, bounded: bool) -> bool {
        loop {
            match self.lines.try_recv() {
                Ok(line) if self.hear(&line) => return true,
                Ok(_) => {}
                Err(TryRecvError::Empty) => return self.over,
                Err(TryRecvError::Disconnected) => return self.over || !bounded,
            }
        }
    }

    /// Hears one line while the computer thinks, and returns whether it is to stop.
    fn hear(&mut self, line: &str) -> bool {
        match line.split_whitespace().next() {
            Some("stop") => return true,
            Some("quit") => self.over = true,
            Some("isready") => self.say("readyok"),
            None => {}
            Some(_) => self.waiting.push_back(line.to_owned()),
        }
        self.over
    }

    fn report(&mut self, game: &Chess, found: &Iteration, nodes: u64, spent: Duration) {
        let millis = spent.as_millis();
        let a_second = u128::from(nodes) * 1_000_000 / spent.as_micros().max(1);
        let line = uci::format_line(game, &found.pv, self.chess960);
        let (depth, score) = (found.depth, score(found.score));
        self.say(&format!("info depth {depth} score {score} nodes {nodes} nps {a_second} time {millis} pv {line}"));
    }
}

/// Returns a value as UCI has it: in hundredths of a pawn, or in moves until mate.
fn score(value: i32) -> String {
    let plies = WIN_VALUE - value.abs();
    match value {
        _ if value >= PROVEN_WIN => format!("mate {}", (plies + 1) / 2),
        _ if value <= -PROVEN_WIN => format!("mate -{}", (plies + 1) / 2),
        _ => format!("cp {value}"),
    }
}

/// Returns the beginning of a text from outside.
fn short(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(40).collect()
}

/// Reads what stands behind `go`, for the side of this number.
fn read_order(mut words: SplitWhitespace<'_>, side: usize) -> Result<Order, String> {
    let (mut order, mut time, mut more, mut moves) = (Order::default(), [None; 2], [0; 2], MOVES_TO_GO);
    while let Some(word) = words.next() {
        let mut number = || {
            let text = words.next().unwrap_or_default();
            // A clock may have run out.
            let number = text.parse::<i64>().map_err(|_| format!("{} needs a number", short(word)))?;
            Ok::<u64, String>(number.max(0).unsigned_abs())
        };
        match word {
            "nodes" => order.nodes = Some(number()?.max(1)),
            "depth" => order.depth = Some(plies(number()?)),
            "mate" => order.depth = Some(plies(number()?.saturating_mul(2))),
            "movetime" => order.clock.hard = Some(Duration::from_millis(number()?.saturating_sub(DELAY).max(1))),
            "wtime" => time[0] = Some(number()?),
            "btime" => time[1] = Some(number()?),
            "winc" => more[0] = number()?,
            "binc" => more[1] = number()?,
            "movestogo" => moves = number()?.clamp(1, 60),
            "infinite" => order.infinite = true,
            "ponder" => {}
            other => return Err(format!("unknown word after go: {}", short(other))),
        }
    }
    if let Some(left) = time[side.min(1)].filter(|_| order.clock.hard.is_none()) {
        order.clock = share(left, more[side.min(1)], moves);
    }
    Ok(order)
}

fn plies(number: u64) -> i16 {
    i16::try_from(number).unwrap_or(DEEPEST).clamp(1, DEEPEST)
}

/// Returns the time for a move, of what is left, in milliseconds.
fn share(left: u64, more: u64, moves: u64) -> Clock {
    let left = left.saturating_sub(DELAY);
    let usual = (left / moves).saturating_add(more.saturating_mul(3) / 4);
    let most = if moves == 1 { left * 9 / 10 } else { left / 3 };
    let hard = usual.saturating_mul(3).min(most).max(1);
    Clock { soft: Some(Duration::from_millis(usual.min(most) * 6 / 10)), hard: Some(Duration::from_millis(hard)) }
}
