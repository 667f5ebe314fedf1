//! Sets of squares, the moves on them, and the JSON of a position.

use game::{InvalidState, PositionJson, Rules, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::checkers::game::{MAX_REVERSIBLE_PLIES, Move, NoCaptureRule};
use crate::checkers::{Checkers, GameConfig, notation};

/// A position with the history needed for draws.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "CheckersPosition")]
pub struct Position {
    /// The position as FEN: the side to move, then the squares of White's and Black's pieces. `K` precedes a king's
    /// square.
    pub fen: String,
    /// The number of plies since the last capture or man's move.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub quiet: u16,
    /// The positions since then, oldest first, for counting repetitions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<String>,
    /// The number of plies since the last capture, if the game has `drawAfter`.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub captureless: u16,
}

fn is_zero(plies: &u16) -> bool {
    *plies == 0
}

impl PositionJson for Checkers {
    type Position = Position;

    fn from_position(config: &GameConfig, position: &Position) -> Result<Checkers, InvalidState> {
        let no_capture_rule = config.no_capture_rule()?;
        let parse = |field: &str, text: &str| {
            notation::parse(text).map_err(|message| InvalidState::new(field, format!("Invalid {field}: {message}")))
        };
        let bitboards = parse("fen", &position.fen)?;
        if position.earlier.len() > usize::from(MAX_REVERSIBLE_PLIES) {
            return Err(InvalidState::new(
                "earlier",
                format!("Invalid earlier: it can have at most {MAX_REVERSIBLE_PLIES} entries"),
            ));
        }
        let earlier =
            position.earlier.iter().map(|text| parse("earlier", text)).collect::<Result<Vec<_>, InvalidState>>()?;
        let no_capture_rule = no_capture_rule.map(|rule| NoCaptureRule { plies: position.captureless, ..rule });
        if no_capture_rule.is_none() && position.captureless > 0 {
            let message = "Invalid captureless: only a game with drawAfter counts moves without a capture";
            return Err(InvalidState::new("captureless", message));
        }
        Ok(Checkers::with_outcome(bitboards, position.quiet, earlier, no_capture_rule).with_view(config.view))
    }

    fn position(&self) -> Position {
        let earlier = self.earlier.iter().map(notation::format).collect();
        let captureless = self.no_capture_rule.map_or(0, |rule| rule.plies);
        Position { fen: notation::format(&self.bitboards), quiet: self.reversible_plies, earlier, captureless }
    }

    fn position_after_json(&self, mv: &Move) -> Value {
        json!({ "fen": self.play(mv).position().fen })
    }
}

// Bitboards of the 32 dark squares, and the move generator.
//
// Squares are numbered from 0 here. There is an unused bit after every two rows, so a step to a neighbor is a shift by
// 4 or 5 bits from any square, and a step off the board leads to an unused bit.

/// The number of squares.
pub(super) const SQUARES: u8 = 32;
/// All squares.
const ALL_SQUARES: u64 = square_range(0, SQUARES);
/// The rows where each seat's men become kings.
const KING_ROWS: [u64; 2] = [square_range(28, 32), square_range(0, 4)];
/// The largest number of squares on a path: a start and twelve jumps.
const MAX_PATH: usize = 13;

/// Returns the bit of a square.
pub(super) const fn bit(square: u8) -> u64 {
    1 << (square + square / 8)
}

/// Returns the squares from `start` to just before `end`.
const fn square_range(start: u8, end: u8) -> u64 {
    if start == end { 0 } else { bit(start) | square_range(start + 1, end) }
}

/// Returns the squares with these numbers, counted from 1.
pub(super) const fn mask(numbers: &[u8]) -> u64 {
    match numbers {
        [] => 0,
        [number, rest @ ..] => bit(*number - 1) | mask(rest),
    }
}

/// Iterates over the squares of a set, lowest first.
pub(super) fn iter_squares(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let index = set.trailing_zeros() as u8;
        set &= set - 1;
        Some(index - index / 9)
    })
}

/// The pieces and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bitboards {
    /// The men and kings of each seat.
    pub by_seat: [u64; 2],
    /// The kings of both seats.
    pub kings: u64,
    /// The side to move.
    pub side_to_move: Seat,
}

/// A move, as the squares that a piece visits and the pieces that it captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovePath {
    path: [u8; MAX_PATH],
    count: u8,
    /// The captured pieces.
    pub captured: u64,
}

impl MovePath {
    fn starting_at(square: u8) -> MovePath {
        let mut path = [0; MAX_PATH];
        path[0] = square;
        MovePath { path, count: 1, captured: 0 }
    }

    fn step_to(mut self, square: u8, captured: u64) -> MovePath {
        // Twelve pieces can be captured, so a longer path is impossible.
        if let Some(slot) = self.path.get_mut(usize::from(self.count)) {
            *slot = square;
            self.count += 1;
        }
        self.captured |= captured;
        self
    }

    /// Returns the visited squares, in order.
    pub fn squares(&self) -> &[u8] {
        &self.path[..usize::from(self.count)]
    }

    /// Returns the first and the last square.
    #[inline]
    pub fn ends(&self) -> [u8; 2] {
        [self.path[0], self.path[usize::from(self.count) - 1]]
    }
}

/// The four directions: the shift in bits, and whether it leads down, which is forward for the first seat.
const DIRECTIONS: [(u32, bool); 4] = [(4, true), (5, true), (4, false), (5, false)];

/// Shifts a set one step in a direction.
#[inline]
const fn shift(set: u64, (bits, is_down): (u32, bool)) -> u64 {
    (if is_down { set << bits } else { set >> bits }) & ALL_SQUARES
}

/// Returns the squares one step forward from a set, in each of the two directions.
#[inline]
pub(super) const fn forward_steps(set: u64, seat: Seat) -> [u64; 2] {
    let down = matches!(seat, Seat::First);
    [shift(set, (4, down)), shift(set, (5, down))]
}

impl Bitboards {
    /// The starting position. Black moves first.
    pub const START: Bitboards =
        Bitboards { by_seat: [square_range(0, 12), square_range(20, 32)], kings: 0, side_to_move: Seat::First };

    /// Returns the free squares.
    pub fn free_squares(&self) -> u64 {
        ALL_SQUARES & !(self.by_seat[0] | self.by_seat[1])
    }

    /// Returns the pieces of the side to move and of its opponent.
    #[inline]
    pub fn sides(&self) -> [u64; 2] {
        let own_seat = self.side_to_move.index();
        [self.by_seat[own_seat], self.by_seat[1 - own_seat]]
    }

    /// Returns the pieces among `own` that may move in a direction: all of them forward, and only kings backward.
    #[inline]
    fn movers(&self, own: u64, direction: (u32, bool)) -> u64 {
        if direction.1 == (self.side_to_move == Seat::First) { own } else { own & self.kings }
    }

    /// Returns the pieces of the side to move that can capture in a direction.
    #[inline]
    fn capturers(&self, direction: (u32, bool)) -> u64 {
        let [own, other] = self.sides();
        let backward = (direction.0, !direction.1);
        let jumped = shift(self.free_squares(), backward) & other;
        shift(jumped, backward) & self.movers(own, direction)
    }

    /// Whether the side to move can capture, and therefore has to.
    #[inline]
    pub fn must_capture(&self) -> bool {
        DIRECTIONS.iter().any(|direction| self.capturers(*direction) != 0)
    }

    /// Whether the side to move has a legal move.
    #[inline]
    pub fn can_move(&self) -> bool {
        let ([own, _], free) = (self.sides(), self.free_squares());
        DIRECTIONS.iter().any(|direction| shift(self.movers(own, *direction), *direction) & free != 0)
            || self.must_capture()
    }

    /// Returns the number of steps without a capture, whether or not a capture is mandatory.
    #[inline]
    pub fn count_steps(&self) -> u32 {
        let ([own, _], free) = (self.sides(), self.free_squares());
        DIRECTIONS.iter().map(|direction| (shift(self.movers(own, *direction), *direction) & free).count_ones()).sum()
    }

    /// Calls `visit` with each legal move, ordered by starting square.
    pub fn for_each_move(&self, visit: &mut impl FnMut(MovePath)) {
        if self.must_capture() {
            return self.for_each_capture(visit);
        }
        let ([own, _], free) = (self.sides(), self.free_squares());
        for square in iter_squares(own) {
            for direction in DIRECTIONS {
                let end = shift(self.movers(bit(square), direction), direction) & free;
                iter_squares(end).for_each(|end| visit(MovePath::starting_at(square).step_to(end, 0)));
            }
        }
    }

    /// Returns the legal moves.
    pub fn legal_moves(&self) -> Vec<MovePath> {
        let mut paths = Vec::with_capacity(16);
        self.for_each_move(&mut |path| paths.push(path));
        paths
    }

    fn for_each_capture(&self, visit: &mut impl FnMut(MovePath)) {
        let capturers = DIRECTIONS.iter().fold(0, |all, direction| all | self.capturers(*direction));
        for square in iter_squares(capturers) {
            self.extend_capture(MovePath::starting_at(square), bit(square), self.free_squares() | bit(square), visit);
        }
    }

    /// Extends a capture from `square` until it can't continue. Captured pieces stay on the board until the end, but
    /// can't be captured twice.
    fn extend_capture(&self, path: MovePath, square: u64, free: u64, visit: &mut impl FnMut(MovePath)) {
        let enemies = self.sides()[1] & !path.captured;
        let is_king = self.is_king(path.path[0]);
        let mut is_complete = true;
        for direction in DIRECTIONS {
            if !is_king && direction.1 != (self.side_to_move == Seat::First) {
                continue;
            }
            let jumped = shift(square, direction) & enemies;
            let end = shift(jumped, direction) & free;
            if end == 0 {
                continue;
            }
            is_complete = false;
            let index = end.trailing_zeros() as u8;
            let extended = path.step_to(index - index / 9, jumped);
            if !is_king && end & KING_ROWS[self.side_to_move.index()] != 0 {
                // Becoming a king ends the move.
                visit(extended);
            } else {
                self.extend_capture(extended, end, free, visit);
            }
        }
        if is_complete && path.count > 1 {
            visit(path);
        }
    }

    /// Returns the position after a legal move.
    pub fn after_path(&self, path: &MovePath) -> Bitboards {
        self.with_move(path.ends(), path.captured)
    }

    /// Returns the position after a piece moved between `ends` and captured `captured`.
    #[inline]
    pub fn with_move(&self, ends: [u8; 2], captured: u64) -> Bitboards {
        let ([from, to], own_seat) = (ends.map(bit), self.side_to_move.index());
        let mut by_seat = self.by_seat;
        by_seat[own_seat] = by_seat[own_seat] & !from | to;
        by_seat[1 - own_seat] &= !captured;
        let crowned = if self.kings & from != 0 { to } else { to & KING_ROWS[own_seat] };
        Bitboards { by_seat, kings: self.kings & !from & !captured | crowned, side_to_move: self.side_to_move.other() }
    }

    /// Whether there is a king on a square.
    #[inline]
    pub fn is_king(&self, square: u8) -> bool {
        self.kings & bit(square) != 0
    }

    /// Whether there is a man on its king row, which is impossible.
    pub fn has_uncrowned_man(&self) -> bool {
        (0..2).any(|seat| self.by_seat[seat] & KING_ROWS[seat] & !self.kings != 0)
    }

    /// Whether no later position can repeat an earlier one after this move: it captures or moves a man.
    pub fn is_irreversible(&self, path: &MovePath) -> bool {
        path.captured != 0 || !self.is_king(path.ends()[0])
    }

    /// Counts the positions `depth` plies ahead, ignoring draws.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 if !self.must_capture() => self.count_steps().into(),
            1 => {
                let mut count = 0;
                self.for_each_capture(&mut |_| count += 1);
                count
            }
            _ => self.legal_moves().iter().map(|path| self.after_path(path).perft(depth - 1)).sum(),
        }
    }
}
