//! A question to the other side: a draw, an undo.

use crate::game::seat::Seat;
use crate::tables::refusal::TableRefusal;

/// A question to the other side, with the memory of those that were declined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ask {
    /// The seat that is asking.
    pub by: Option<Seat>,
    /// Whether each seat was declined and has not moved since: it may not ask again yet.
    refused: [bool; 2],
}

impl Ask {
    /// Asks for a seat; refused with `stands` while a question stands, with `declined` until the asker has moved.
    pub(super) fn raise(self, seat: Seat, stands: TableRefusal, declined: TableRefusal) -> Result<Ask, TableRefusal> {
        if self.by.is_some() {
            return Err(stands);
        }
        if self.refused[seat.index()] {
            return Err(declined);
        }
        Ok(Ask { by: Some(seat), ..self })
    }

    /// Ends the question at a move, after which its mover may ask again.
    pub(super) fn lapse(&mut self, mover: Seat) {
        self.by = None;
        self.refused[mover.index()] = false;
    }

    /// Declines the question of the other side. Tests if there was one.
    pub(super) fn decline(&mut self, seat: Seat) -> bool {
        let asked = self.by == Some(seat.other());
        if asked {
            self.by = None;
            self.refused[seat.other().index()] = true;
        }
        asked
    }
}
