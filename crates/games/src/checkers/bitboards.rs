//! The men on the thirty-two dark squares as sets of bits, and what they can do.
//!
//! Squares are counted from 0 here, those of two rows at a time with a bit between that is no square: so a step to a neighbour
//! is a shift by 4 or 5 from every square, and a step off the board leads to no square.

use game::seat::Seat;

/// The number of squares.
pub const SQUARES: u8 = 32;
/// All squares.
const ALL_SQUARES: u64 = square_range(0, SQUARES);
/// The rows in which men become kings, by seat: the one at the bottom and the one at the top.
const KING_ROWS: [u64; 2] = [square_range(28, 32), square_range(0, 4)];
/// The most squares that one capture can touch.
const MAX_PATH: usize = 13;

/// Returns the bit of a square.
pub const fn bit(square: u8) -> u64 {
    1 << (square + square / 8)
}

/// Returns the squares from one to before another.
const fn square_range(from: u8, end: u8) -> u64 {
    if from == end { 0 } else { bit(from) | square_range(from + 1, end) }
}

/// Returns the squares with these numbers, counted from 1.
pub const fn mask(numbers: &[u8]) -> u64 {
    match numbers {
        [] => 0,
        [number, rest @ ..] => bit(*number - 1) | mask(rest),
    }
}

/// Returns the squares of a set, the lowest first.
pub fn iter_squares(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let place = (set != 0).then(|| set.trailing_zeros() as u8)?;
        set &= set - 1;
        Some(place - place / 9)
    })
}

/// The men, and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bitboards {
    /// The men and the kings of each seat.
    pub by_seat: [u64; 2],
    /// The kings of both.
    pub kings: u64,
    /// The seat on turn.
    pub side_to_move: Seat,
}

/// A move: the squares that one man touches, from where it stands to where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovePath {
    path: [u8; MAX_PATH],
    count: u8,
    /// The men that are captured.
    pub captured: u64,
}

impl MovePath {
    fn starting_at(square: u8) -> MovePath {
        let mut touched = [0; MAX_PATH];
        touched[0] = square;
        MovePath { path: touched, count: 1, captured: 0 }
    }

    fn step_to(mut self, square: u8, taken: u64) -> MovePath {
        // There are twelve men to take, so no way is longer.
        if let Some(place) = self.path.get_mut(usize::from(self.count)) {
            *place = square;
            self.count += 1;
        }
        self.captured |= taken;
        self
    }

    /// Returns the squares, in order.
    pub fn squares(&self) -> &[u8] {
        &self.path[..usize::from(self.count)]
    }

    /// Returns the first and the last square.
    #[inline]
    pub fn ends(&self) -> [u8; 2] {
        [self.path[0], self.path[usize::from(self.count) - 1]]
    }
}

/// The four directions: how far, and whether to the bottom, which is forward for the first seat.
const DIRECTIONS: [(u32, bool); 4] = [(4, true), (5, true), (4, false), (5, false)];

/// Shifts a set one step in a direction.
#[inline]
const fn shift(set: u64, (by, down): (u32, bool)) -> u64 {
    (if down { set << by } else { set >> by }) & ALL_SQUARES
}

/// Returns the squares a step ahead of a set for a seat, to one side and to the other.
#[inline]
pub const fn forward_steps(set: u64, seat: Seat) -> [u64; 2] {
    let down = matches!(seat, Seat::First);
    [shift(set, (4, down)), shift(set, (5, down))]
}

impl Bitboards {
    /// The start: twelve men each, and black begins.
    pub const START: Bitboards =
        Bitboards { by_seat: [square_range(0, 12), square_range(20, 32)], kings: 0, side_to_move: Seat::First };

    /// Returns the free squares.
    pub fn free_squares(&self) -> u64 {
        ALL_SQUARES & !(self.by_seat[0] | self.by_seat[1])
    }

    /// Returns the men of the side on turn, and those of the other one.
    #[inline]
    pub fn sides(&self) -> [u64; 2] {
        let turn = self.side_to_move.index();
        [self.by_seat[turn], self.by_seat[1 - turn]]
    }

    /// Returns the men of a side that can step in a direction at all: all of them forward, its kings backward.
    #[inline]
    fn movers(&self, own: u64, direction: (u32, bool)) -> u64 {
        if direction.1 == (self.side_to_move == Seat::First) { own } else { own & self.kings }
    }

    /// Returns the men of the side on turn that can capture in a direction.
    #[inline]
    fn capturers(&self, direction: (u32, bool)) -> u64 {
        let [own, other] = self.sides();
        let back = (direction.0, !direction.1);
        let over = shift(self.free_squares(), back) & other;
        shift(over, back) & self.movers(own, direction)
    }

    /// Tests if the side on turn can capture, and therefore must.
    #[inline]
    pub fn must_capture(&self) -> bool {
        DIRECTIONS.iter().any(|direction| self.capturers(*direction) != 0)
    }

    /// Tests if the side on turn can move.
    #[inline]
    pub fn can_move(&self) -> bool {
        let ([own, _], free) = (self.sides(), self.free_squares());
        DIRECTIONS.iter().any(|to| shift(self.movers(own, *to), *to) & free != 0) || self.must_capture()
    }

    /// Returns the number of steps that capture nothing, legal or not.
    #[inline]
    pub fn count_steps(&self) -> u32 {
        let ([own, _], free) = (self.sides(), self.free_squares());
        DIRECTIONS.iter().map(|to| (shift(self.movers(own, *to), *to) & free).count_ones()).sum()
    }

    /// Tells the legal moves, by the squares where they begin.
    pub fn for_each_move(&self, found: &mut impl FnMut(MovePath)) {
        if self.must_capture() {
            return self.for_each_capture(found);
        }
        let ([own, _], free) = (self.sides(), self.free_squares());
        for square in iter_squares(own) {
            for to in DIRECTIONS {
                let end = shift(self.movers(bit(square), to), to) & free;
                iter_squares(end).for_each(|end| found(MovePath::starting_at(square).step_to(end, 0)));
            }
        }
    }

    /// Returns the legal moves.
    pub fn legal_moves(&self) -> Vec<MovePath> {
        let mut ways = Vec::with_capacity(16);
        self.for_each_move(&mut |way| ways.push(way));
        ways
    }

    fn for_each_capture(&self, found: &mut impl FnMut(MovePath)) {
        for square in iter_squares(DIRECTIONS.iter().fold(0, |all, to| all | self.capturers(*to))) {
            self.extend_capture(MovePath::starting_at(square), bit(square), self.free_squares() | bit(square), found);
        }
    }

    /// Follows a capture from the square `at` until it cannot go on. What was taken stays on the board until the end, but no man
    /// is taken twice; nor could one be landed on, for jumps lead to every other row only.
    fn extend_capture(&self, way: MovePath, at: u64, free: u64, found: &mut impl FnMut(MovePath)) {
        let other = self.sides()[1] & !way.captured;
        let is_king = self.kings & bit(way.path[0]) != 0;
        let mut ended = true;
        for to in DIRECTIONS {
            if !is_king && to.1 != (self.side_to_move == Seat::First) {
                continue;
            }
            let over = shift(at, to) & other;
            let end = shift(over, to) & free;
            if end == 0 {
                continue;
            }
            ended = false;
            let place = end.trailing_zeros() as u8;
            let further = way.step_to(place - place / 9, over);
            if !is_king && end & KING_ROWS[self.side_to_move.index()] != 0 {
                // A man that becomes a king stops there.
                found(further);
            } else {
                self.extend_capture(further, end, free, found);
            }
        }
        if ended && way.count > 1 {
            found(way);
        }
    }

    /// Returns the men after a legal move.
    pub fn after_path(&self, way: &MovePath) -> Bitboards {
        self.with_move(way.ends(), way.captured)
    }

    /// Returns the men after a man of the side on turn has gone from one square to another and taken these.
    #[inline]
    pub fn with_move(&self, ends: [u8; 2], taken: u64) -> Bitboards {
        let ([from, to], turn) = (ends.map(bit), self.side_to_move.index());
        let mut own = self.by_seat;
        own[turn] = own[turn] & !from | to;
        own[1 - turn] &= !taken;
        let crowned = if self.kings & from != 0 { to } else { to & KING_ROWS[turn] };
        Bitboards {
            by_seat: own,
            kings: self.kings & !from & !taken | crowned,
            side_to_move: self.side_to_move.other(),
        }
    }

    /// Tests if a king stands on a square.
    #[inline]
    pub fn is_king(&self, square: u8) -> bool {
        self.kings & bit(square) != 0
    }

    /// Tests if a man stands in its king row without being a king.
    pub fn has_uncrowned_man(&self) -> bool {
        (0..2).any(|seat| self.by_seat[seat] & KING_ROWS[seat] & !self.kings != 0)
    }

    /// Tests if a move can never be undone: a man steps, or something is captured.
    pub fn is_irreversible(&self, way: &MovePath) -> bool {
        way.captured != 0 || !self.is_king(way.ends()[0])
    }

    /// Counts the positions `depth` plies ahead, without regard to draws. The last ply is counted without playing it.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 if !self.must_capture() => self.count_steps().into(),
            1 => {
                let mut count = 0;
                self.for_each_capture(&mut |_| count += 1);
                count
            }
            _ => self.legal_moves().iter().map(|way| self.after_path(way).perft(depth - 1)).sum(),
        }
    }
}
