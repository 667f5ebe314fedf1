//! Offers to the opponent. An offer stands until the opponent answers it or someone moves. A draw offer also survives a
//! move by the player who made it.

use game::seat::Seat;

use crate::refusal::OfferRefusal;

/// An offer or request that a player can make to the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// A draw.
    Draw,
    /// A takeback.
    Takeback,
    /// A resignation at the lowest possible cost.
    Resignation,
}

/// The pending offers, and the declined ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offers {
    /// For each kind of offer, the seat that made it.
    offered_by: [Option<Seat>; 3],
    /// For each kind of offer, whether each seat's offer was declined. That seat may not repeat it before its next move.
    declined: [[bool; 2]; 3],
}

impl Offers {
    /// Returns the seat that made an offer, if the offer is pending.
    pub fn offered_by(&self, offer: Offer) -> Option<Seat> {
        self.offered_by[offer as usize]
    }

    /// Whether this seat can accept an offer by its opponent.
    pub fn is_made_to(&self, seat: Seat, offer: Offer) -> bool {
        self.offered_by(offer) == Some(seat.other())
    }

    /// Makes an offer.
    ///
    /// # Errors
    /// Returns an error if such an offer is pending, or if it was declined and this seat hasn't moved since.
    pub(super) fn make(&mut self, seat: Seat, offer: Offer) -> Result<(), OfferRefusal> {
        let (stands, declined) = match offer {
            Offer::Draw => (OfferRefusal::DrawAlreadyOffered, OfferRefusal::DrawDeclined),
            Offer::Takeback => (OfferRefusal::TakebackAlreadyAsked, OfferRefusal::TakebackDeclined),
            Offer::Resignation => (OfferRefusal::ResignAlreadyOffered, OfferRefusal::ResignDeclined),
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

    /// Declines an offer by the opponent, and returns whether there was one.
    pub(super) fn decline(&mut self, seat: Seat, offer: Offer) -> bool {
        let stands = self.is_made_to(seat, offer);
        if stands {
            self.offered_by[offer as usize] = None;
            self.declined[offer as usize][seat.other().index()] = true;
        }
        stands
    }

    /// Declines all offers by the opponent.
    ///
    /// # Errors
    /// Returns an error if there are none.
    pub(super) fn decline_all(&mut self, seat: Seat) -> Result<(), OfferRefusal> {
        let declined = [Offer::Draw, Offer::Takeback, Offer::Resignation].map(|offer| self.decline(seat, offer));
        if declined.contains(&true) { Ok(()) } else { Err(OfferRefusal::NothingToDecline) }
    }

    /// Clears all offers after a takeback.
    pub(super) fn clear(&mut self) {
        self.offered_by = [None; 3];
    }

    /// Clears the offers after a move, except the mover's draw offer, and lets the mover repeat declined ones.
    pub(super) fn clear_after_move(&mut self, mover: Seat) {
        let keeps_draw = self.offered_by(Offer::Draw) == Some(mover);
        self.clear();
        if keeps_draw {
            self.offered_by[Offer::Draw as usize] = Some(mover);
        }
        self.declined.iter_mut().for_each(|declined| declined[mover.index()] = false);
    }
}
