//! The two seats at a table.

/// A seat at a table, in the order of [`Info::seats`](crate::info::Info::seats).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Seat {
    /// The seat of the player who opens the table: X, white.
    First,
    /// The seat of the opponent: O, black.
    Second,
}

impl Seat {
    /// Both seats, in order.
    pub const BOTH: [Seat; 2] = [Seat::First, Seat::Second];

    /// Returns the seat on the other side of the table.
    pub fn other(self) -> Seat {
        if self == Seat::First { Seat::Second } else { Seat::First }
    }

    /// Returns 0 for the first seat, 1 for the second.
    pub fn index(self) -> usize {
        self as usize
    }
}
