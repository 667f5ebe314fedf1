//! The words of the [Universal Chess Interface](https://www.wbec-ridderkerk.nl/html/UCIProtocol.html): commands with their
//! parameters, the engine's options, and the lines that it writes. The loop over them is in the program.

use std::iter::Peekable;
use std::time::Duration;

use game::{Level, PositionJson, Rules};
use games::chess::{Chess, GameConfig, Iteration, Position, fen, uci};
use games::{PROVEN_WIN, WIN_VALUE};

/// The commands. UCI wants engines to skip unknown words before a command.
const COMMANDS: [&str; 11] =
    ["debug", "go", "isready", "ponderhit", "position", "quit", "register", "setoption", "stop", "uci", "ucinewgame"];

/// The response to `uci`.
pub const IDENTIFICATION: [&str; 7] = [
    concat!("id name Play by Commit ", env!("CARGO_PKG_VERSION")),
    "id author the contributors to Play by Commit",
    "option name Level type spin default 8 min 1 max 8",
    "option name Ponder type check default false",
    "option name Seed type spin default 0 min 0 max 2147483647",
    "option name UCI_Chess960 type check default false",
    "uciok",
];

/// Returns the words of a line, beginning with its command. Empty if it has no command.
pub fn command_words(line: &str) -> Vec<&str> {
    line.split_whitespace().skip_while(|word| !COMMANDS.contains(word)).collect()
}

/// The options of the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOptions {
    /// The level of play.
    pub level: Level,
    /// Whether castling is written as the king's move to its rook.
    pub chess960: bool,
    /// The seed of all random choices; `None` for a different one each time.
    pub seed: Option<u64>,
}

impl Default for EngineOptions {
    fn default() -> EngineOptions {
        EngineOptions { level: Level::MAX, chess960: false, seed: None }
    }
}

impl EngineOptions {
    /// Sets an option from the words after `setoption`: `name UCI_Chess960 value true`. Names are case-insensitive and may have
    /// several words.
    ///
    /// # Errors
    /// Returns an error for the user if the option or its value is unsupported. Many programs set `Hash` and `Threads` unasked.
    pub fn set(&mut self, words: &[&str]) -> Result<(), String> {
        let words = &words[words.iter().position(|word| *word == "name").unwrap_or(words.len())..];
        let end = words.iter().position(|word| *word == "value").unwrap_or(words.len());
        let (name, value) = match (&words[..end], words[end..].get(1..).unwrap_or_default()) {
            (["name", name @ ..], value) if !name.is_empty() => {
                (name.join(" ").to_lowercase(), value.join(" ").to_lowercase())
            }
            _ => return Err("expected: setoption name NAME value VALUE".to_owned()),
        };
        let result = match name.as_str() {
            "level" => value
                .parse()
                .ok()
                .and_then(Level::new)
                .filter(|level| Level::ALL.contains(level))
                .map(|level| self.level = level),
            "seed" => value.parse().ok().map(|seed: u64| self.seed = if seed > 0 { Some(seed) } else { None }),
            // Programs that ponder set this option, and then send `go ponder`.
            "ponder" => value.parse().ok().map(|_: bool| ()),
            "uci_chess960" => value.parse().ok().map(|chess960| self.chess960 = chess960),
            "hash" | "threads" => {
                return Err(format!(
                    "{name} can't be changed: the computer uses one thread and a fixed amount of memory"
                ));
            }
            _ => return Err(format!("unknown option: {}", truncated(&name))),
        };
        result.ok_or_else(|| format!("{name} can't be {}", truncated(&value)))
    }
}

/// Returns the line about a finished depth of a search.
pub fn info_line(game: &Chess, iteration: &Iteration, nodes: u64, elapsed: Duration, chess960: bool) -> String {
    let millis = elapsed.as_millis();
    let nodes_per_second = u128::from(nodes) * 1_000_000 / elapsed.as_micros().max(1);
    let line = uci::format_line(game, &iteration.pv, chess960);
    let (depth, score) = (iteration.depth, format_score(iteration.score));
    format!("info depth {depth} score {score} nodes {nodes} nps {nodes_per_second} time {millis} pv {line}")
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
pub fn truncated(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(40).collect()
}

// The parameters of `position`.

/// A position to search.
pub struct UciPosition {
    /// The position.
    pub game: Chess,
    /// The number of moves after the first position.
    pub plies: u64,
}

/// Parses the words after `position`, and skips unknown ones before `startpos`, `fen` and `moves`.
///
/// # Errors
/// Returns an error if the position or one of the moves can't be read.
pub fn parse_position(words: &[&str], start: &Chess, chess960: bool) -> Result<UciPosition, String> {
    let moves_start = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let (setup, moves) = (&words[..moves_start], words.get(moves_start + 1..).unwrap_or_default());
    let mut game = match setup.iter().position(|word| matches!(*word, "startpos" | "fen")) {
        Some(index) if setup[index] == "startpos" => start.clone(),
        Some(index) => parse_fen(&setup[index + 1..])?,
        None => return Err("expected: position startpos, or position fen FEN, optionally followed by moves".to_owned()),
    };
    for text in moves {
        let mv = uci::find(&game, text, chess960);
        let mv = mv.ok_or_else(|| format!("not a legal move here: {}", truncated(text)))?;
        game = game.play(&mv);
    }
    Ok(UciPosition { game, plies: moves.len() as u64 })
}

/// Parses the fields of a FEN, and skips words after the sixth.
fn parse_fen(fields: &[&str]) -> Result<Chess, String> {
    let text = fields[..fields.len().min(6)].join(" ");
    let (fen, _) = fen::parse_leniently(&text).map_err(|problem| format!("not a valid position: {problem}"))?;
    // A finished game is fine too: it has no legal move.
    let position = Position { fen: fen::format(&fen), earlier: Vec::new() };
    Chess::from_position(&GameConfig::default(), &position).map_err(|error| error.to_string())
}

// The parameters of `go`.

/// The reserve for communication delays, in milliseconds ("move overhead").
const MOVE_OVERHEAD: u64 = 15;
/// The number of moves that the remaining time must last for, unless `movestogo` gives it.
const DEFAULT_MOVES_TO_GO: u64 = 24;
/// The maximum search depth, in plies.
const MAX_DEPTH: i16 = 127;
/// The largest number that a parameter can have. In milliseconds, it's 30,000 years.
const MAX_NUMBER: f64 = 1e15;
/// The words that begin a parameter.
const KEYWORDS: [&str; 12] = [
    "binc",
    "btime",
    "depth",
    "infinite",
    "mate",
    "movestogo",
    "movetime",
    "nodes",
    "ponder",
    "searchmoves",
    "winc",
    "wtime",
];

/// The parameters of a `go` command.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct GoParams {
    /// The limit on searched positions.
    pub nodes: Option<u64>,
    /// The limit on the depth, in plies.
    pub depth: Option<i16>,
    /// Whether the search runs until `stop`.
    pub infinite: bool,
    /// Whether the search waits for `ponderhit`.
    pub ponder: bool,
    /// The limits on the time.
    pub time_limits: TimeLimits,
    /// The moves to choose from, as written; all moves if empty.
    pub search_moves: Vec<String>,
}

impl GoParams {
    /// Whether only the level limits the search.
    pub fn has_level_limits(&self) -> bool {
        !self.infinite && self.nodes.is_none() && self.depth.is_none() && self.time_limits.hard.is_none()
    }

    /// Whether the search ends soon even if there is no more input. A depth may take forever.
    pub fn ends_by_itself(&self) -> bool {
        self.nodes.is_some() || self.time_limits.hard.is_some() || self.has_level_limits()
    }
}

/// The time limits of a move.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct TimeLimits {
    /// The time after which the search doesn't start another depth.
    pub soft: Option<Duration>,
    /// The time after which the search stops.
    pub hard: Option<Duration>,
}

/// Parses the words after `go`, and skips unknown ones. `side` is 0 for white and 1 for black.
pub fn parse_go<'a>(words: impl Iterator<Item = &'a str>, side: usize) -> GoParams {
    let (mut params, mut time, mut increment, mut moves) = (GoParams::default(), [None; 2], [0; 2], 0);
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        let mut number = || next_number(&mut words);
        match word {
            "nodes" => params.nodes = number().map(|nodes| nodes.max(1)),
            "depth" => params.depth = number().map(clamp_depth),
            "mate" => params.depth = number().map(|moves| clamp_depth(moves.saturating_mul(2))),
            "movetime" => {
                let limit = number().map(|limit| limit.saturating_sub(MOVE_OVERHEAD).max(1));
                params.time_limits.hard = limit.map(Duration::from_millis);
            }
            "wtime" => time[0] = number(),
            "btime" => time[1] = number(),
            "winc" => increment[0] = number().unwrap_or(0),
            "binc" => increment[1] = number().unwrap_or(0),
            "movestogo" => moves = number().unwrap_or(0),
            "infinite" => params.infinite = true,
            "ponder" => params.ponder = true,
            "searchmoves" => {
                while let Some(mv) = words.next_if(|word| !KEYWORDS.contains(word)) {
                    params.search_moves.push(mv.to_owned());
                }
            }
            _ => {}
        }
    }
    let side = side.min(1);
    if let Some(left) = time[side]
        && params.time_limits.hard.is_none()
    {
        // 0 means that the time is for the rest of the game.
        let moves = if moves == 0 { DEFAULT_MOVES_TO_GO } else { moves.min(60) };
        params.time_limits = allot_time(left, increment[side], moves);
    }
    params
}

/// Returns the number before the next keyword.
///
/// Some programs send decimals, and a negative time when the clock has run out.
fn next_number<'a>(words: &mut Peekable<impl Iterator<Item = &'a str>>) -> Option<u64> {
    while let Some(word) = words.next_if(|word| !KEYWORDS.contains(word)) {
        if let Ok(number) = word.parse::<f64>()
            && number.is_finite()
        {
            return Some(number.clamp(0.0, MAX_NUMBER) as u64);
        }
    }
    None
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
