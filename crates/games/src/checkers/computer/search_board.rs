//! The board as the computer sees it.

use game::seat::Seat;

use crate::checkers::bitboards::{Bitboards, MovePath};
use crate::checkers::computer::evaluate::evaluate;
use crate::checkers::config::NoCaptureRule;
use crate::checkers::game::{Checkers, MAX_REVERSIBLE_PLIES};
use crate::search::alpha_beta::{SearchPosition, Tuning};

/// The most men of a side.
const MAX_PIECES: i32 = 12;
/// What each pair of men is worth to the side that looks for a move, as long as both have as many.
const OPTIMISM: i32 = 6;
/// By how much a ply changes the worth at most, as a rule.
const FUTILITY_MARGIN: i32 = 60;
/// With fewer men than this on the board that is not so.
const ENDGAME_PIECES: u32 = 10;

/// A move as far as it changes the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CompactMove {
    ends: [u8; 2],
    /// The men that are taken. None of them stands in the last row, where the upper bits would be.
    captured: u32,
}

impl From<&MovePath> for CompactMove {
    fn from(way: &MovePath) -> CompactMove {
        CompactMove { ends: way.ends(), captured: way.captured as u32 }
    }
}

/// A position with what the search needs.
pub(super) struct SearchBoard {
    bitboards: Bitboards,
    reversible_plies: u16,
    /// The plies without a capture, where they are counted.
    no_capture_rule: Option<NoCaptureRule>,
    /// The positions before this one.
    earlier: Vec<Bitboards>,
    /// The side that looks for a move.
    engine_seat: Seat,
}

impl SearchBoard {
    pub(super) fn new(game: &Checkers) -> SearchBoard {
        let Checkers { bitboards: men, reversible_plies: quiet, ref earlier, no_capture_rule: drought, .. } = *game;
        SearchBoard {
            bitboards: men,
            reversible_plies: quiet,
            no_capture_rule: drought,
            earlier: earlier.clone(),
            engine_seat: men.side_to_move,
        }
    }

    /// Returns what a game that goes on is worth to the side that looks for a move, beside a draw: where both have as many men,
    /// the less, the fewer are left for the other side to go wrong with.
    pub(super) fn optimistic_value(&self) -> i32 {
        let [black, white] = self.bitboards.by_seat.map(|own| own.count_ones() as i32);
        OPTIMISM * if black == white { black } else { MAX_PIECES }
    }

    /// Tests if the same position was there before, since a man was moved or captured.
    fn is_repetition(&self) -> bool {
        let reach = usize::from(self.reversible_plies).min(self.earlier.len());
        let earlier = self.earlier.iter().rev().take(reach);
        earlier.skip(3).step_by(2).any(|men| *men == self.bitboards)
    }
}

impl SearchPosition for SearchBoard {
    type Move = CompactMove;
    /// The plies without a capture or a man's move, and those without a capture.
    type Undo = (u16, Option<NoCaptureRule>);

    /// There are so many captures that what is quiet would be seen less far if a forced ply cost nothing.
    const TUNING: Tuning =
        Tuning { lmr_after: 3, lmr_deeper_after: 4, extends_forced: false, ..Tuning::without_lmr(32 * 32) };

    fn moves(&self, found: &mut Vec<CompactMove>) {
        self.bitboards.for_each_move(&mut |way| found.push(CompactMove::from(&way)));
    }

    fn history_slot(mv: CompactMove) -> usize {
        usize::from(mv.ends[0]) * 32 + usize::from(mv.ends[1])
    }

    fn play(&mut self, mv: CompactMove) -> (u16, Option<NoCaptureRule>) {
        let past = (self.reversible_plies, self.no_capture_rule);
        self.no_capture_rule = self.no_capture_rule.map(|drought| drought.after_ply(mv.captured != 0));
        let lasting = mv.captured != 0 || !self.bitboards.is_king(mv.ends[0]);
        self.reversible_plies = if lasting { 0 } else { past.0 + 1 };
        self.earlier.push(self.bitboards);
        self.bitboards = self.bitboards.with_move(mv.ends, mv.captured.into());
        past
    }

    fn undo(&mut self, past: (u16, Option<NoCaptureRule>)) {
        (self.reversible_plies, self.no_capture_rule) = past;
        if let Some(men) = self.earlier.pop() {
            self.bitboards = men;
        }
    }

    fn game_result(&self) -> Option<i32> {
        match () {
            () if !self.bitboards.can_move() => Some(-1),
            () if self.no_capture_rule.is_some_and(NoCaptureRule::is_draw) => Some(0),
            // What comes a second time can come a third time.
            () if self.reversible_plies >= MAX_REVERSIBLE_PLIES
                || self.reversible_plies >= 4 && self.is_repetition() =>
            {
                Some(0)
            }
            () => None,
        }
    }

    fn evaluate(&self) -> i32 {
        let worth = evaluate(&self.bitboards);
        // An advantage with which nothing happens is worth less and less; faster, and this would count for more than the way to
        // a win does.
        let fresh = worth - worth * i32::from(self.reversible_plies) / (2 * i32::from(MAX_REVERSIBLE_PLIES));
        fresh
            + if self.bitboards.side_to_move == self.engine_seat {
                self.optimistic_value()
            } else {
                -self.optimistic_value()
            }
    }

    fn key(&self) -> u64 {
        let Bitboards { by_seat: [black, white], kings, side_to_move: turn } = self.bitboards;
        let mixed = (black.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ white.rotate_left(27))
            .wrapping_mul(0xd6e8_feb8_6659_fd93)
            ^ kings.wrapping_mul(0xa076_1d64_78bd_642f)
            ^ turn.index() as u64
            // What can still come of a position depends on how soon it is a draw. While that is far off, it is better known again.
            ^ self.no_capture_rule.filter(|drought| drought.plies_left() < drought.plies).map_or(0, |drought| u64::from(drought.plies) << 1);
        (mixed ^ (mixed >> 32)).wrapping_mul(0xe703_7ed1_a0b4_28db)
    }

    fn is_forced(&self) -> bool {
        self.bitboards.must_capture()
    }

    fn futility_margin(&self) -> i32 {
        let [black, white] = self.bitboards.by_seat;
        // With few men a win is a long way, each step of which changes little: there every ply counts.
        if (black | white).count_ones() < ENDGAME_PIECES { 0 } else { FUTILITY_MARGIN }
    }
}
