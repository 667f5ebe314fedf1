//! Offers to the other side, which stand until somebody answers them or moves.

use game::seat::Seat;

use crate::refusal::TableRefusal;

/// A thing that one side can offer to the other, or ask of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// A draw.
    Draw,
    /// A takeback.
    Undo,
    /// A resignation for the least that it can cost.
    Resignation,
}

/// The standing offers, and those that were declined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offers {
    /// The seat that each offer comes from.
    offered_by: [Option<Seat>; 3],
    /// For each offer, whether each seat's was declined and it has not moved since: it may not offer again yet.
    declined: [[bool; 2]; 3],
}

impl Offers {
    /// Returns the seat that an offer comes from, if it stands.
    pub fn offered_by(&self, offer: Offer) -> Option<Seat> {
        self.offered_by[offer as usize]
    }

    /// Whether this seat can accept an offer of the other one.
    pub fn is_made_to(&self, seat: Seat, offer: Offer) -> bool {
        self.offered_by(offer) == Some(seat.other())
    }

    /// Makes an offer.
    ///
    /// # Errors
    /// Returns an error if such an offer stands, or if it was declined and this seat has not moved since.
    pub(super) fn make(&mut self, seat: Seat, offer: Offer) -> Result<(), TableRefusal> {
        let (stands, declined) = match offer {
            Offer::Draw => (TableRefusal::DrawAlreadyOffered, TableRefusal::DrawDeclined),
            Offer::Undo => (TableRefusal::UndoAlreadyRequested, TableRefusal::UndoDeclined),
            Offer::Resignation => (TableRefusal::ResignAlreadyOffered, TableRefusal::ResignDeclined),
        };
        if self.offered_by(offer).is_some() {
            return Err(stands);
        }
        if self.declined[offer as usize][seat.index()] {
            return Err(declined);
        }
        self.offered_by[offer as usize] = Some(seat);
        Ok(())
    }

    /// Declines an offer of the other side, and returns whether there was one.
    pub(super) fn decline(&mut self, seat: Seat, offer: Offer) -> bool {
        let stands = self.is_made_to(seat, offer);
        if stands {
            self.offered_by[offer as usize] = None;
            self.declined[offer as usize][seat.other().index()] = true;
        }
        stands
    }

    /// Declines all offers of the other side.
    ///
    /// # Errors
    /// Returns an error if there are none.
    pub(super) fn decline_all(&mut self, seat: Seat) -> Result<(), TableRefusal> {
        let declined = [Offer::Draw, Offer::Undo, Offer::Resignation].map(|offer| self.decline(seat, offer));
        if declined.contains(&true) { Ok(()) } else { Err(TableRefusal::NothingToDecline) }
    }

    /// Ends all offers, because a move was made or taken back.
    pub(super) fn clear(&mut self) {
        self.offered_by = [None; 3];
    }

    /// Lets a seat that has moved offer again.
    pub(super) fn allow_again(&mut self, mover: Seat) {
        self.declined.iter_mut().for_each(|declined| declined[mover.index()] = false);
    }
}
