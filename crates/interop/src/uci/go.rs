//! The parameters of `go`.

use std::iter::Peekable;
use std::time::Duration;

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
