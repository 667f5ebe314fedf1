//! The position for the alpha-beta search.

use game::seat::Seat;

use crate::checkers::bitboards::{Bitboards, MovePath};
use crate::checkers::computer::evaluate::evaluate;
use crate::checkers::config::NoCaptureRule;
use crate::checkers::game::{Checkers, MAX_REVERSIBLE_PLIES};
use crate::search::alpha_beta::{SearchPosition, Tuning};

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
pub(super) struct CompactMove {
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
pub(super) struct SearchBoard {
    bitboards: Bitboards,
    reversible_plies: u16,
    /// The count of plies without a capture, if the game has this rule.
    no_capture_rule: Option<NoCaptureRule>,
    /// The positions before this one, oldest first.
    earlier: Vec<Bitboards>,
    /// The side for which the engine searches a move.
    engine_seat: Seat,
    /// Whether the search may evaluate a position where a side must capture, so that it overlooks threats.
    pub(super) ignores_threats: bool,
}

impl SearchBoard {
    pub(super) fn new(game: &Checkers) -> SearchBoard {
        SearchBoard {
            bitboards: game.bitboards,
            reversible_plies: game.reversible_plies,
            no_capture_rule: game.no_capture_rule,
            earlier: game.earlier.clone(),
            engine_seat: game.bitboards.side_to_move,
            ignores_threats: false,
        }
    }

    /// Returns the engine's bonus for an undecided game over a draw. With equal material, it shrinks with every
    /// exchange, because fewer pieces give the opponent fewer chances to go wrong.
    pub(super) fn optimistic_value(&self) -> i32 {
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
        if self.bitboards.side_to_move == self.engine_seat {
            value + self.optimistic_value()
        } else {
            value - self.optimistic_value()
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
