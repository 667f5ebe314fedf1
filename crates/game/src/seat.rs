//! The two seats at a table.

/// A seat at a table, in the order of [`Info::seats`](crate::info::Info::seats).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Seat {
    /// The first seat in [`Info::seats`](crate::info::Info::seats): X in tic-tac-toe, white in chess.
    First,
    /// The second seat: O in tic-tac-toe, black in chess.
    Second,
}

impl Seat {
    /// Both seats, in order.
    pub const BOTH: [Seat; 2] = [Seat::First, Seat::Second];

    /// Returns the opponent's seat.
    pub fn other(self) -> Seat {
        if self == Seat::First { Seat::Second } else { Seat::First }
    }

    /// Returns 0 for the first seat and 1 for the second.
    pub fn index(self) -> usize {
        self as usize
    }
}
