//! The checkers engine: an alpha-beta search that evaluates material and the placement of pieces.

use game::{Engine, EngineMove, Level, Seat};

use crate::checkers::Checkers;
use crate::checkers::game::{MAX_REVERSIBLE_PLIES, Move, NoCaptureRule};
use crate::checkers::position::{Bitboards, MovePath, forward_steps, mask};
use crate::search::alpha_beta::search_with;
use crate::search::{TranspositionTable, choose_weakly};
use crate::{Limits, PROVEN_WIN, Random, SearchPosition, Tuning};

/// How many of 100 moves level 0 chooses like level 1.
const LEARNING_SKILL: usize = 85;

/// Returns the search limits of a level.
fn level_limits(level: Level) -> Limits {
    let (depth, nodes, margin) = match level.number() {
        1 => (1, 2_000, 0),
        // Level 2 searches deeper than level 3, but with this margin it often plays a poor move.
        2 => (4, 8_000, 1_000),
        3 => (3, 8_000, 300),
        4 => (5, 18_000, 100),
        5 => (7, 60_000, 30),
        6 => (10, 150_000, 14),
        7 => (14, 600_000, 3),
        _ => (100, 2_400_000, 0),
    };
    Limits { nodes, depth, margin }
}

impl Engine for Checkers {
    const ENGINE_VERSION: u32 = 7;

    const LOWEST_LEVEL: Level = Level::LEARNING;

    const SCORE_SCALE: i32 = 328;

    type Memory = Memory;

    fn choose(&self, level: Level, seed: u64) -> Option<EngineMove<Move>> {
        if level == Level::LEARNING {
            return choose_weakly(self, LEARNING_SKILL, seed);
        }
        let limits = level_limits(level);
        // Like a beginner, the lowest level overlooks that its opponent is about to capture.
        let board = SearchBoard { ignores_threats: level == Level::ALL[0], ..SearchBoard::new(self) };
        choose_within(self, board, limits, seed, &mut TranspositionTable::for_nodes(limits.nodes))
    }

    fn analyze(&self, nodes: u64, memory: &mut Memory) -> Option<EngineMove<Move>> {
        let limits = Limits { nodes, ..level_limits(Level::MAX) };
        // Both sides' searches share the table, so the values in it must not depend on who searches.
        let board = SearchBoard { engine_seat: None, ..SearchBoard::new(self) };
        let table = memory.table.get_or_insert_with(|| TranspositionTable::for_nodes(u64::MAX));
        choose_within(self, board, limits, 0, table)
    }

    fn is_hard_to_judge(&self) -> bool {
        let [black, white] = self.bitboards.by_seat;
        (black | white).count_ones() < ENDGAME_PIECES
    }
}

/// What the searches of an analysis share.
#[derive(Debug, Default)]
pub struct Memory {
    table: Option<TranspositionTable<CompactMove>>,
}

/// Chooses a move within these limits, with a table that may have the results of earlier searches.
fn choose_within(
    game: &Checkers,
    mut board: SearchBoard,
    limits: Limits,
    seed: u64,
    table: &mut TranspositionTable<CompactMove>,
) -> Option<EngineMove<Move>> {
    let paths = game.legal_paths();
    let mut random = Random::new(seed);
    let mut moves = Vec::new();
    if !paths.is_empty() {
        board.moves(&mut moves);
    }
    let result = search_with(&mut board, moves, limits, &mut random, table);
    let (chosen, score) = result.pick(limits.margin, &mut random)?;
    // Draws and proven results don't include the optimistic bonus.
    let score = if score == 0 || score.abs() >= PROVEN_WIN { score } else { score - board.optimistic_value() };
    // Several capture paths can lead to the same position. Take any of them.
    let path = paths.iter().find(|path| CompactMove::from(*path) == chosen)?;
    Some(EngineMove { mv: Move::from(path), nodes: result.nodes, score })
}

// The static evaluation. The weights were tuned by hand, starting from a fit to self-play results
// (`training/checkers.py`).

/// The values of a man and a king.
const MAN: i32 = 100;
const KING: i32 = 170;
/// The bonuses for men by row. Men on the home row keep the opponent from getting kings.
const ROW_BONUSES: [(u64, i32); 4] = [
    (mask(&[1, 2, 3, 4]), 27),
    (mask(&[17, 18, 19, 20]), 10),
    (mask(&[21, 22, 23, 24]), 14),
    (mask(&[25, 26, 27, 28]), 31),
];
/// The bonus for the bridge: two men that guard the home row.
const BRIDGE: (u64, i32) = (mask(&[1, 3]), 25);
/// The divisor of the bonus for exchanges: each captured piece adds 1/14 of the material lead for the side that is ahead.
const EXCHANGE_DIVISOR: i32 = 14;
/// The bonus for a man at the edge, where it can't be captured.
const EDGE_MEN: (u64, i32) = (mask(&[5, 12, 13, 20, 21, 28]), 13);
/// The bonus for a man with a piece diagonally behind it.
const BACKED: i32 = 8;
/// The bonus for each step that a man can make.
const MOBILITY: i32 = 8;
/// The bonus of the weaker side for a king in a double corner. A single king can't drive it out.
const DOUBLE_CORNER: (u64, i32) = (mask(&[1, 5, 28, 32]), 26);
/// The bonus of the stronger side for a king near enemy pieces: this much for each step that it is nearer than five steps.
const CHASE: i32 = 8;
/// The bonus for having the move (the opposition) in an endgame with equal material.
const THE_MOVE: i32 = 18;
/// The rows on which an odd number of pieces means that the side to move has the move.
const THE_MOVE_ROWS: u64 = mask(&[1, 2, 3, 4, 9, 10, 11, 12, 17, 18, 19, 20, 25, 26, 27, 28]);

fn count(set: u64) -> i32 {
    set.count_ones() as i32
}

/// Returns the squares as seen from the other side of the board.
const fn rotated(set: u64) -> u64 {
    // The board takes bits 0 to 34.
    set.reverse_bits() >> 29
}

/// Returns the static evaluation for the side to move, in hundredths of a man.
fn evaluate(bitboards: &Bitboards) -> i32 {
    let free = bitboards.free_squares();
    let side = |seat: Seat| {
        let own = bitboards.by_seat[seat.index()];
        let (men, kings) = (own & !bitboards.kings, own & bitboards.kings);
        let men_from_home = if seat == Seat::First { men } else { rotated(men) };
        let rows: i32 = ROW_BONUSES.iter().map(|(row, bonus)| bonus * count(men_from_home & row)).sum();
        let steps: i32 = forward_steps(men, seat).iter().map(|to| count(to & free)).sum();
        let [left, right] = forward_steps(own, seat);
        MAN * count(men)
            + KING * count(kings)
            + rows
            + if men_from_home & BRIDGE.0 == BRIDGE.0 { BRIDGE.1 } else { 0 }
            + EDGE_MEN.1 * count(men_from_home & EDGE_MEN.0)
            + BACKED * count((left | right) & men)
            + MOBILITY * steps
    };
    let [own, other] = bitboards.sides();
    let lead = MAN * (count(own) - count(other))
        + (KING - MAN) * (count(own & bitboards.kings) - count(other & bitboards.kings));
    let pieces_off = 24 - count(own | other);
    let mut value =
        side(bitboards.side_to_move) - side(bitboards.side_to_move.other()) + lead * pieces_off / EXCHANGE_DIVISOR;
    if pieces_off >= 16 && count(own) == count(other) {
        value += if count((own | other) & THE_MOVE_ROWS) % 2 == 1 { THE_MOVE } else { -THE_MOVE };
    }
    if pieces_off > 14 {
        value += match lead {
            0 => 0,
            1.. => chase_bonus(own & bitboards.kings, other) - double_corner_bonus(other & bitboards.kings),
            _ => double_corner_bonus(own & bitboards.kings) - chase_bonus(other & bitboards.kings, own),
        };
    }
    value
}

/// Returns the bonus of the stronger side for kings near enemy pieces.
fn chase_bonus(kings: u64, mut reached: u64) -> i32 {
    let kings_in_reach = (0..4).map(|_| {
        let [[a, b], [c, d]] = Seat::BOTH.map(|seat| forward_steps(reached, seat));
        reached |= a | b | c | d;
        count(kings & reached)
    });
    CHASE * kings_in_reach.sum::<i32>()
}

/// Returns the bonus of the weaker side for a king in a double corner.
fn double_corner_bonus(kings: u64) -> i32 {
    if kings & DOUBLE_CORNER.0 != 0 { DOUBLE_CORNER.1 } else { 0 }
}

// The position for the alpha-beta search.

/// The largest number of pieces of a side.
const MAX_PIECES: i32 = 12;
/// The value of each piece in [`SearchBoard::optimistic_value`].
const OPTIMISM: i32 = 6;
/// The most by which a ply usually changes the evaluation.
const FUTILITY_MARGIN: i32 = 60;
/// With fewer pieces than this there is no futility pruning.
const ENDGAME_PIECES: u32 = 10;

/// A move without the squares between its start and its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CompactMove {
    ends: [u8; 2],
    /// The captured pieces. They can't be on the last row, so they fit into 32 bits.
    captured: u32,
}

impl From<&MovePath> for CompactMove {
    fn from(path: &MovePath) -> CompactMove {
        CompactMove { ends: path.ends(), captured: path.captured as u32 }
    }
}

/// A position for the search.
struct SearchBoard {
    bitboards: Bitboards,
    reversible_plies: u16,
    /// The count of plies without a capture, if the game has this rule.
    no_capture_rule: Option<NoCaptureRule>,
    /// The positions before this one, oldest first.
    earlier: Vec<Bitboards>,
    /// The side for which the engine searches a move; `None` in an analysis.
    engine_seat: Option<Seat>,
    /// Whether the search may evaluate a position where a side must capture, so that it overlooks threats.
    ignores_threats: bool,
}

impl SearchBoard {
    fn new(game: &Checkers) -> SearchBoard {
        SearchBoard {
            bitboards: game.bitboards,
            reversible_plies: game.reversible_plies,
            no_capture_rule: game.no_capture_rule,
            earlier: game.earlier.clone(),
            engine_seat: Some(game.bitboards.side_to_move),
            ignores_threats: false,
        }
    }

    /// Returns the engine's bonus for an undecided game over a draw. With equal material, it shrinks with every
    /// exchange, because fewer pieces give the opponent fewer chances to go wrong.
    fn optimistic_value(&self) -> i32 {
        if self.engine_seat.is_none() {
            return 0;
        }
        let [black, white] = self.bitboards.by_seat.map(|pieces| pieces.count_ones() as i32);
        OPTIMISM * if black == white { black } else { MAX_PIECES }
    }

    /// Whether the position repeats one since the last capture or man's move.
    fn is_repetition(&self) -> bool {
        let count = usize::from(self.reversible_plies).min(self.earlier.len());
        let earlier = self.earlier.iter().rev().take(count);
        earlier.skip(3).step_by(2).any(|position| *position == self.bitboards)
    }
}

impl SearchPosition for SearchBoard {
    type Move = CompactMove;
    /// The two draw counters.
    type Undo = (u16, Option<NoCaptureRule>);

    /// Captures are frequent, so extending forced plies would leave too few nodes for quiet lines.
    const TUNING: Tuning =
        Tuning { lmr_after: 3, lmr_deeper_after: 4, extends_forced: false, ..Tuning::without_lmr(32 * 32) };

    fn moves(&self, found: &mut Vec<CompactMove>) {
        self.bitboards.for_each_move(&mut |path| found.push(CompactMove::from(&path)));
    }

    fn history_slot(mv: CompactMove) -> usize {
        usize::from(mv.ends[0]) * 32 + usize::from(mv.ends[1])
    }

    fn play(&mut self, mv: CompactMove) -> (u16, Option<NoCaptureRule>) {
        let previous = (self.reversible_plies, self.no_capture_rule);
        self.no_capture_rule = self.no_capture_rule.map(|rule| rule.after_ply(mv.captured != 0));
        let is_irreversible = mv.captured != 0 || !self.bitboards.is_king(mv.ends[0]);
        self.reversible_plies = if is_irreversible { 0 } else { previous.0 + 1 };
        self.earlier.push(self.bitboards);
        self.bitboards = self.bitboards.with_move(mv.ends, mv.captured.into());
        previous
    }

    fn undo(&mut self, previous: (u16, Option<NoCaptureRule>)) {
        (self.reversible_plies, self.no_capture_rule) = previous;
        if let Some(position) = self.earlier.pop() {
            self.bitboards = position;
        }
    }

    fn game_result(&self) -> Option<i32> {
        if !self.bitboards.can_move() {
            return Some(-1);
        }
        // The search treats the first repetition as a draw.
        let is_draw = self.no_capture_rule.is_some_and(NoCaptureRule::is_draw)
            || self.reversible_plies >= MAX_REVERSIBLE_PLIES
            || self.reversible_plies >= 4 && self.is_repetition();
        if is_draw { Some(0) } else { None }
    }

    fn evaluate(&self) -> i32 {
        let value = evaluate(&self.bitboards);
        // An advantage decays while no progress is made. A faster decay would outweigh the progress itself.
        let value = value - value * i32::from(self.reversible_plies) / (2 * i32::from(MAX_REVERSIBLE_PLIES));
        match self.engine_seat {
            Some(seat) if seat == self.bitboards.side_to_move => value + self.optimistic_value(),
            Some(_) => value - self.optimistic_value(),
            None => value,
        }
    }

    fn key(&self) -> u64 {
        let Bitboards { by_seat: [black, white], kings, side_to_move } = self.bitboards;
        // The value depends on the count only if the draw is near. Otherwise positions share their entry.
        let count = match self.no_capture_rule {
            Some(rule) if rule.plies_left() < rule.plies => u64::from(rule.plies) << 1,
            _ => 0,
        };
        let mixed = (black.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ white.rotate_left(27))
            .wrapping_mul(0xd6e8_feb8_6659_fd93)
            ^ kings.wrapping_mul(0xa076_1d64_78bd_642f)
            ^ side_to_move.index() as u64
            ^ count;
        (mixed ^ (mixed >> 32)).wrapping_mul(0xe703_7ed1_a0b4_28db)
    }

    fn is_forced(&self) -> bool {
        !self.ignores_threats && self.bitboards.must_capture()
    }

    fn futility_margin(&self) -> i32 {
        let [black, white] = self.bitboards.by_seat;
        // With few pieces, winning takes many plies that each change the value only a little.
        if (black | white).count_ones() < ENDGAME_PIECES { 0 } else { FUTILITY_MARGIN }
    }
}
