//! The chess engine: principal variation search over a hand-crafted evaluation.
//!
//! `search` searches the root with growing depth; `pvs` searches the nodes below it and, at the leaves, captures.
//! `move_ordering` sorts moves, with the help of a static exchange evaluation. `evaluate` scores a position with the
//! parameters in `weights`. [`MoveFilter`] weakens the lower levels.

mod evaluate;
mod move_ordering;
mod pawn_ending;
mod pvs;
pub(super) mod search;
mod weights;

use cozy_chess::{Board, Move as RawMove, Square};
use game::{Engine, EngineMove, Level};

use crate::chess::computer::move_ordering::PieceTo;
use crate::chess::computer::pawn_ending::PawnEnding;
use crate::chess::computer::search::{Memory, iterative_deepening, root_moves};
use crate::chess::{Chess, Move, Progress};
use crate::search::choose_weakly;
use crate::{Limits, Random};

/// The last move number at which the stronger levels vary their play.
const OPENING_MOVES: u16 = 8;

/// The most pieces of an ending that the evaluation often misjudges.
const MAX_ENDING_PIECES: u32 = 8;

/// How many of 100 moves level 0 chooses like level 1.
const LEARNING_SKILL: usize = 50;

/// Returns the search limits of a level, and how many of 1,000 moves it overlooks.
fn level_limits(level: Level, is_opening: bool) -> (Limits, u64) {
    // Each level scores 84% to 95% against the one below.
    let (depth, nodes, margin, miss_rate) = match level.number() {
        1 => (1, 500, 0, 270),
        2 => (2, 500, 55, 260),
        3 => (3, 1_500, 35, 65),
        4 => (64, 4_200, 22, 12),
        5 => (64, 17_000, 30, 0),
        6 => (64, 55_000, 24, 0),
        7 => (64, 190_000, 18, 0),
        _ => (64, 800_000, 0, 0),
    };
    // From level 5 on, a move other than the best is played only in the opening.
    let margin = if level.number() > 4 && !is_opening { 0 } else { margin };
    (Limits { nodes, depth, margin }, miss_rate)
}

/// The parameters of a search.
#[derive(Clone, Copy, Debug)]
pub struct SearchOptions<'a> {
    /// The level to play at.
    pub level: Level,
    /// A node limit to use instead of the level's. Levels below the highest never exceed their own.
    pub nodes: Option<u64>,
    /// A depth limit in plies, if lower than the level's.
    pub depth: Option<i16>,
    /// The moves to choose from; all legal moves if empty.
    pub moves: &'a [Move],
    /// The seed of all random choices.
    pub seed: u64,
}

/// Searches a position and returns the engine's move, or `None` without a legal move.
///
/// `on_progress` returns whether to stop; the best move so far is then returned. Drawn games may continue, as in other
/// programs.
pub fn choose_move(
    game: &Chess,
    options: SearchOptions<'_>,
    on_progress: &mut dyn FnMut(Progress<'_>) -> bool,
) -> Option<EngineMove<Move>> {
    choose_with(game, options, &mut None, on_progress)
}

/// Does the same, but starts with the memory of an earlier search and updates it.
fn choose_with(
    game: &Chess,
    options: SearchOptions<'_>,
    memory: &mut Option<Memory>,
    on_progress: &mut dyn FnMut(Progress<'_>) -> bool,
) -> Option<EngineMove<Move>> {
    let is_opening = game.board.fullmove_number() <= OPENING_MOVES;
    let (mut limits, miss_rate) = level_limits(options.level, is_opening);
    limits.nodes = match options.nodes {
        Some(nodes) if options.level == Level::MAX => nodes,
        Some(nodes) => limits.nodes.min(nodes),
        None => limits.nodes,
    };
    limits.depth = limits.depth.min(options.depth.unwrap_or(i16::MAX)).max(1);
    let mut board = game.board.clone();
    if game.halfmove_clock >= 100 {
        // No player has claimed the draw; the game is drawn at 150.
        board.set_halfmove_clock((game.halfmove_clock - 50).min(100) as u8);
    }
    let earlier_keys = game.earlier.iter().map(Board::hash_without_ep).collect();
    let mut random = Random::new(options.seed);
    // Like a beginner, the lowest level overlooks that its opponent threatens another piece.
    let filter = MoveFilter::new(random.next_u64(), miss_rate, options.level == Level::ALL[0]);
    let moves: Vec<RawMove> = options.moves.iter().map(|mv| mv.uci.0).collect();
    let moves = root_moves(&board, &moves, filter, &mut random);
    let result = iterative_deepening(&board, moves, earlier_keys, limits, filter, memory, on_progress);
    let (mv, score) = result.pick(limits.margin, &mut random)?;
    Some(EngineMove { mv: mv.into(), nodes: result.nodes, score })
}

impl Engine for Chess {
    const ENGINE_VERSION: u32 = 5;

    const LOWEST_LEVEL: Level = Level::LEARNING;

    // Level 4 wins 75 % of its games from a score of 186. At 258, the chances are closest to those that lichess shows.
    const SCORE_SCALE: i32 = 258;

    // According to Stockfish, smaller losses are often errors of our evaluation.
    const MISTAKE_LOSS: u16 = 180;

    type Memory = Option<Memory>;

    fn choose(&self, level: Level, seed: u64) -> Option<EngineMove<Move>> {
        if self.end_reason.is_some() {
            return None;
        }
        if level == Level::LEARNING {
            return choose_weakly(self, LEARNING_SKILL, seed);
        }
        choose_move(self, SearchOptions { level, nodes: None, depth: None, moves: &[], seed }, &mut |_| false)
    }

    fn analyze(&self, nodes: u64, memory: &mut Self::Memory) -> Option<EngineMove<Move>> {
        if self.end_reason.is_some() {
            return None;
        }
        memory.get_or_insert_with(Memory::for_analysis);
        let options = SearchOptions { level: Level::MAX, nodes: Some(nodes), depth: None, moves: &[], seed: 0 };
        choose_with(self, options, memory, &mut |_| false)
    }

    fn is_hard_to_judge(&self) -> bool {
        self.board.occupied().len() <= MAX_ENDING_PIECES
    }
}

/// Returns the number of won positions in the table of king and pawn against king, with the pawn on the files a to d.
pub fn won_pawn_endings() -> u32 {
    PawnEnding::shared().won_count()
}

// Weakens the lower levels: they overlook a fixed random share of the moves, their own and the opponent's.
//
// The seed determines which ones, so a move is overlooked throughout a search. The lowest level also overlooks every reply
// but a recapture.

/// Decides which moves a search considers.
#[derive(Clone, Copy, Debug)]
struct MoveFilter {
    seed: u64,
    /// How many of 1,000 moves are overlooked.
    miss_rate: u64,
    /// Whether every reply is overlooked that isn't a recapture.
    only_recaptures: bool,
}

impl MoveFilter {
    /// Returns a filter that overlooks `miss_rate` of 1,000 moves, and perhaps every reply that isn't a recapture.
    fn new(seed: u64, miss_rate: u64, only_recaptures: bool) -> MoveFilter {
        MoveFilter { seed, miss_rate, only_recaptures }
    }

    /// Whether no move is overlooked.
    fn considers_all(self) -> bool {
        self.miss_rate == 0 && !self.only_recaptures
    }

    /// Whether a move is considered. Recaptures are never overlooked, and captures half as often as other moves.
    fn considers(self, board: &Board, mv: RawMove, previous: Option<PieceTo>) -> bool {
        let is_recapture = previous.is_some_and(|previous| usize::from(previous) % Square::NUM == mv.to as usize);
        if self.considers_all() || is_recapture {
            return true;
        }
        if self.only_recaptures && previous.is_some() {
            return false;
        }
        let us = board.side_to_move();
        let piece = board.piece_on(mv.from).map_or(0, |piece| piece as u64);
        let move_key = ((us as u64 * 8 + piece) * 64 + mv.from as u64) * 64 + mv.to as u64;
        let draw = Random::new(self.seed ^ move_key.wrapping_mul(0x9e37_79b9_7f4a_7c15)).next_u64() % 1_000;
        draw >= if board.colors(!us).has(mv.to) { self.miss_rate / 2 } else { self.miss_rate }
    }
}
