//! Numbers of moves as players of the game write them.

use game::contract::Game;
use game::seat::Seat;
use table::table::Table;

/// The number of a ply in a list of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveNumber {
    /// The number, from 1.
    pub number: usize,
    /// Whether it is the second move with this number, as Black's in chess.
    pub is_second: bool,
}

impl MoveNumber {
    /// Returns the number of a ply, which is counted from 1.
    pub fn of_ply<G: Game>(table: &Table<G>, ply: usize) -> MoveNumber {
        let start = table.timeline().start_position();
        let Some(first) = start.first_move_number() else { return MoveNumber { number: ply, is_second: false } };
        let earlier = ply.saturating_sub(1) + start.side_to_move().index();
        MoveNumber { number: first + earlier / 2, is_second: earlier % 2 == Seat::Second.index() }
    }
}

/// Returns a ply with its number, as players of the game write it: `13... Rh3#`. The ply is counted from 1; `None` if the
/// game doesn't have it.
pub fn numbered_ply<G: Game>(table: &Table<G>, ply: usize) -> Option<String> {
    let entry = table.timeline().ply_at(ply.checked_sub(1)?)?.move_list_entry();
    Some(format!("{} {entry}", MoveNumber::of_ply(table, ply)))
}

/// Writes `13.`, or `13...` for the second move with this number.
impl std::fmt::Display for MoveNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.number, if self.is_second { "..." } else { "." })
    }
}
