//! The men on the thirty-two dark squares as sets of bits, and what they can do.
//!
//! Squares are counted from 0 here, those of two rows at a time with a bit between that is no square: so a step to a neighbour
//! is a shift by 4 or 5 from every square, and a step off the board leads to no square.

use game::seat::Seat;

/// The number of squares.
pub const SQUARES: u8 = 32;
/// All squares.
const BOARD: u64 = run(0, SQUARES);
/// The rows in which men become kings, by seat: the one at the bottom and the one at the top.
const KING_ROWS: [u64; 2] = [run(28, 32), run(0, 4)];
/// The most squares that one capture can touch.
const LONGEST: usize = 13;

/// Returns the bit of a square.
pub const fn bit(square: u8) -> u64 {
    1 << (square + square / 8)
}

/// Returns the squares from one to before another.
const fn run(from: u8, end: u8) -> u64 {
    if from == end { 0 } else { bit(from) | run(from + 1, end) }
}

/// Returns the squares with these numbers, counted from 1.
pub const fn set(numbers: &[u8]) -> u64 {
    match numbers {
        [] => 0,
        [number, rest @ ..] => bit(*number - 1) | set(rest),
    }
}

/// Returns the squares of a set, the lowest first.
pub fn squares(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let place = (set != 0).then(|| set.trailing_zeros() as u8)?;
        set &= set - 1;
        Some(place - place / 9)
    })
}

/// The men, and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Men {
    /// The men and the kings of each seat.
    pub own: [u64; 2],
    /// The kings of both.
    pub kings: u64,
    /// The seat on turn.
    pub turn: Seat,
}

/// A move: the squares that one man touches, from where it stands to where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    touched: [u8; LONGEST],
    count: u8,
    /// The men that are captured.
    pub taken: u64,
}

impl Way {
    fn from(square: u8) -> Way {
        let mut touched = [0; LONGEST];
        touched[0] = square;
        Way { touched, count: 1, taken: 0 }
    }

    fn on(mut self, square: u8, taken: u64) -> Way {
        // There are twelve men to take, so no way is longer.
        if let Some(place) = self.touched.get_mut(usize::from(self.count)) {
            *place = square;
            self.count += 1;
        }
        self.taken |= taken;
        self
    }

    /// Returns the squares, in order.
    pub fn squares(&self) -> &[u8] {
        &self.touched[..usize::from(self.count)]
    }

    /// Returns the first and the last square.
    #[inline]
    pub fn ends(&self) -> [u8; 2] {
        [self.touched[0], self.touched[usize::from(self.count) - 1]]
    }
}

/// The four directions: how far, and whether to the bottom, which is forward for the first seat.
const DIRECTIONS: [(u32, bool); 4] = [(4, true), (5, true), (4, false), (5, false)];

/// Shifts a set one step in a direction.
#[inline]
const fn shift(set: u64, (by, down): (u32, bool)) -> u64 {
    (if down { set << by } else { set >> by }) & BOARD
}

/// Returns the squares a step ahead of a set for a seat, to one side and to the other.
#[inline]
pub const fn ahead(set: u64, seat: Seat) -> [u64; 2] {
    let down = matches!(seat, Seat::First);
    [shift(set, (4, down)), shift(set, (5, down))]
}

impl Men {
    /// The start: twelve men each, and black begins.
    pub const START: Men = Men { own: [run(0, 12), run(20, 32)], kings: 0, turn: Seat::First };

    /// Returns the free squares.
    pub fn free(&self) -> u64 {
        BOARD & !(self.own[0] | self.own[1])
    }

    /// Returns the men of the side on turn, and those of the other one.
    #[inline]
    pub fn sides(&self) -> [u64; 2] {
        let turn = self.turn.index();
        [self.own[turn], self.own[1 - turn]]
    }

    /// Returns the men of a side that can step in a direction at all: all of them forward, its kings backward.
    #[inline]
    fn facing(&self, own: u64, direction: (u32, bool)) -> u64 {
        if direction.1 == (self.turn == Seat::First) { own } else { own & self.kings }
    }

    /// Returns the men of the side on turn that can capture in a direction.
    #[inline]
    fn captors(&self, direction: (u32, bool)) -> u64 {
        let [own, other] = self.sides();
        let back = (direction.0, !direction.1);
        let over = shift(self.free(), back) & other;
        shift(over, back) & self.facing(own, direction)
    }

    /// Tests if the side on turn can capture, and therefore must.
    #[inline]
    pub fn must_capture(&self) -> bool {
        DIRECTIONS.iter().any(|direction| self.captors(*direction) != 0)
    }

    /// Tests if the side on turn can move.
    #[inline]
    pub fn can_move(&self) -> bool {
        let ([own, _], free) = (self.sides(), self.free());
        DIRECTIONS.iter().any(|to| shift(self.facing(own, *to), *to) & free != 0) || self.must_capture()
    }

    /// Returns the number of steps that capture nothing, legal or not.
    #[inline]
    pub fn steps(&self) -> u32 {
        let ([own, _], free) = (self.sides(), self.free());
        DIRECTIONS.iter().map(|to| (shift(self.facing(own, *to), *to) & free).count_ones()).sum()
    }

    /// Tells the legal moves, by the squares where they begin.
    pub fn each_move(&self, found: &mut impl FnMut(Way)) {
        if self.must_capture() {
            return self.captures(found);
        }
        let ([own, _], free) = (self.sides(), self.free());
        for square in squares(own) {
            for to in DIRECTIONS {
                let end = shift(self.facing(bit(square), to), to) & free;
                squares(end).for_each(|end| found(Way::from(square).on(end, 0)));
            }
        }
    }

    /// Returns the legal moves.
    pub fn moves(&self) -> Vec<Way> {
        let mut ways = Vec::with_capacity(16);
        self.each_move(&mut |way| ways.push(way));
        ways
    }

    fn captures(&self, found: &mut impl FnMut(Way)) {
        for square in squares(DIRECTIONS.iter().fold(0, |all, to| all | self.captors(*to))) {
            self.jumps(Way::from(square), bit(square), self.free() | bit(square), found);
        }
    }

    /// Follows a capture from the square `at` until it cannot go on. What was taken stays on the board until the end, but no man
    /// is taken twice; nor could one be landed on, for jumps lead to every other row only.
    fn jumps(&self, way: Way, at: u64, free: u64, found: &mut impl FnMut(Way)) {
        let other = self.sides()[1] & !way.taken;
        let is_king = self.kings & bit(way.touched[0]) != 0;
        let mut ended = true;
        for to in DIRECTIONS {
            if !is_king && to.1 != (self.turn == Seat::First) {
                continue;
            }
            let over = shift(at, to) & other;
            let end = shift(over, to) & free;
            if end == 0 {
                continue;
            }
            ended = false;
            let place = end.trailing_zeros() as u8;
            let further = way.on(place - place / 9, over);
            if !is_king && end & KING_ROWS[self.turn.index()] != 0 {
                // A man that becomes a king stops there.
                found(further);
            } else {
                self.jumps(further, end, free, found);
            }
        }
        if ended && way.count > 1 {
            found(way);
        }
    }

    /// Returns the men after a legal move.
    pub fn after(&self, way: &Way) -> Men {
        self.moved(way.ends(), way.taken)
    }

    /// Returns the men after a man of the side on turn has gone from one square to another and taken these.
    #[inline]
    pub fn moved(&self, ends: [u8; 2], taken: u64) -> Men {
        let ([from, to], turn) = (ends.map(bit), self.turn.index());
        let mut own = self.own;
        own[turn] = own[turn] & !from | to;
        own[1 - turn] &= !taken;
        let crowned = if self.kings & from != 0 { to } else { to & KING_ROWS[turn] };
        Men { own, kings: self.kings & !from & !taken | crowned, turn: self.turn.other() }
    }

    /// Tests if a king stands on a square.
    #[inline]
    pub fn is_king(&self, square: u8) -> bool {
        self.kings & bit(square) != 0
    }

    /// Tests if a man stands in its king row without being a king.
    pub fn is_uncrowned(&self) -> bool {
        (0..2).any(|seat| self.own[seat] & KING_ROWS[seat] & !self.kings != 0)
    }

    /// Tests if a move can never be undone: a man steps, or something is captured.
    pub fn is_lasting(&self, way: &Way) -> bool {
        way.taken != 0 || !self.is_king(way.ends()[0])
    }

    /// Counts the positions `depth` plies ahead, without regard to draws. The last ply is counted without playing it.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 if !self.must_capture() => self.steps().into(),
            1 => {
                let mut count = 0;
                self.captures(&mut |_| count += 1);
                count
            }
            _ => self.moves().iter().map(|way| self.after(way).perft(depth - 1)).sum(),
        }
    }
}
