//! The board as the computer sees it.

use game::seat::Seat;

use crate::checkers::computer::worth::worth;
use crate::checkers::config::Drought;
use crate::checkers::game::{Checkers, DRAWN_PLIES};
use crate::checkers::men::{Men, Way};
use crate::search::alpha_beta::{Position, Tuning};

/// The most men of a side.
const MOST: i32 = 12;
/// What each pair of men is worth to the side that looks for a move, as long as both have as many.
const HOPE: i32 = 6;
/// By how much a ply changes the worth at most, as a rule.
const SWING: i32 = 60;
/// With fewer men than this on the board that is not so.
const FEW: u32 = 10;

/// A move as far as it changes the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Short {
    ends: [u8; 2],
    /// The men that are taken. None of them stands in the last row, where the upper bits would be.
    taken: u32,
}

impl From<&Way> for Short {
    fn from(way: &Way) -> Short {
        Short { ends: way.ends(), taken: way.taken as u32 }
    }
}

/// A position with what the search needs.
pub(super) struct Field {
    men: Men,
    quiet: u16,
    /// The plies without a capture, where they are counted.
    drought: Option<Drought>,
    /// The positions before this one.
    before: Vec<Men>,
    /// The side that looks for a move.
    own: Seat,
}

impl Field {
    pub(super) fn new(game: &Checkers) -> Field {
        let Checkers { men, quiet, ref earlier, drought, .. } = *game;
        Field { men, quiet, drought, before: earlier.clone(), own: men.turn }
    }

    /// Returns what a game that goes on is worth to the side that looks for a move, beside a draw: where both have as many men,
    /// the less, the fewer are left for the other side to go wrong with.
    pub(super) fn hope(&self) -> i32 {
        let [black, white] = self.men.own.map(|own| own.count_ones() as i32);
        HOPE * if black == white { black } else { MOST }
    }

    /// Tests if the same position was there before, since a man was moved or captured.
    fn is_again(&self) -> bool {
        let reach = usize::from(self.quiet).min(self.before.len());
        let earlier = self.before.iter().rev().take(reach);
        earlier.skip(3).step_by(2).any(|men| *men == self.men)
    }
}

impl Position for Field {
    type Move = Short;
    /// The plies without a capture or a man's move, and those without a capture.
    type Past = (u16, Option<Drought>);

    /// There are so many captures that what is quiet would be seen less far if a forced ply cost nothing.
    const TUNING: Tuning = Tuning { early: 3, late: 4, forced_free: false, ..Tuning::of(32 * 32) };

    fn moves(&self, found: &mut Vec<Short>) {
        self.men.each_move(&mut |way| found.push(Short::from(&way)));
    }

    fn place(mv: Short) -> usize {
        usize::from(mv.ends[0]) * 32 + usize::from(mv.ends[1])
    }

    fn play(&mut self, mv: Short) -> (u16, Option<Drought>) {
        let past = (self.quiet, self.drought);
        self.drought = self.drought.map(|drought| drought.after(mv.taken != 0));
        let lasting = mv.taken != 0 || !self.men.is_king(mv.ends[0]);
        self.quiet = if lasting { 0 } else { past.0 + 1 };
        self.before.push(self.men);
        self.men = self.men.moved(mv.ends, mv.taken.into());
        past
    }

    fn take_back(&mut self, past: (u16, Option<Drought>)) {
        (self.quiet, self.drought) = past;
        if let Some(men) = self.before.pop() {
            self.men = men;
        }
    }

    fn ended(&self) -> Option<i32> {
        match () {
            () if !self.men.can_move() => Some(-1),
            () if self.drought.is_some_and(Drought::is_over) => Some(0),
            // What comes a second time can come a third time.
            () if self.quiet >= DRAWN_PLIES || self.quiet >= 4 && self.is_again() => Some(0),
            () => None,
        }
    }

    fn value(&self) -> i32 {
        let worth = worth(&self.men);
        // An advantage with which nothing happens is worth less and less; faster, and this would count for more than the way to
        // a win does.
        let fresh = worth - worth * i32::from(self.quiet) / (2 * i32::from(DRAWN_PLIES));
        fresh + if self.men.turn == self.own { self.hope() } else { -self.hope() }
    }

    fn key(&self) -> u64 {
        let Men { own: [black, white], kings, turn } = self.men;
        let mixed = (black.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ white.rotate_left(27))
            .wrapping_mul(0xd6e8_feb8_6659_fd93)
            ^ kings.wrapping_mul(0xa076_1d64_78bd_642f)
            ^ turn.index() as u64
            // What can still come of a position depends on how soon it is a draw. While that is far off, it is better known again.
            ^ self.drought.filter(|drought| drought.left() < drought.plies).map_or(0, |drought| u64::from(drought.plies) << 1);
        (mixed ^ (mixed >> 32)).wrapping_mul(0xe703_7ed1_a0b4_28db)
    }

    fn is_forced(&self) -> bool {
        self.men.must_capture()
    }

    fn swing(&self) -> i32 {
        let [black, white] = self.men.own;
        // With few men a win is a long way, each step of which changes little: there every ply counts.
        if (black | white).count_ones() < FEW { 0 } else { SWING }
    }
}
