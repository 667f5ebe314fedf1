//! A question to the other side: a draw, an undo.

use crate::game::seat::Seat;
use crate::tables::refusal::TableRefusal;

/// A question to the other side: who is asking, and who was told no and has not moved since.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ask {
    /// Who is asking.
    pub by: Option<Seat>,
    /// Who may not ask again yet, by seat.
    refused: [bool; 2],
}

impl Ask {
    pub(super) fn raise(self, seat: Seat, stands: TableRefusal, declined: TableRefusal) -> Result<Ask, TableRefusal> {
        if self.by.is_some() {
            return Err(stands);
        }
        if self.refused[seat.index()] {
            return Err(declined);
        }
        Ok(Ask { by: Some(seat), ..self })
    }

    /// A move ends the question; whoever was told no may ask again once they have moved.
    pub(super) fn lapse(&mut self, mover: Seat) {
        self.by = None;
        self.refused[mover.index()] = false;
    }

    /// Answers the question of the other side with no, if there is one.
    pub(super) fn decline(&mut self, seat: Seat) -> bool {
        let asked = self.by == Some(seat.other());
        if asked {
            self.by = None;
            self.refused[seat.other().index()] = true;
        }
        asked
    }
}
