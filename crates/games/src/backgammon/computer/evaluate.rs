//! The evaluation of a position: the chances of the side on roll.

use game::seat::Seat;

use crate::backgammon::computer::bearoff::BearOff;
use crate::backgammon::computer::chances::Chances;
use crate::backgammon::computer::inputs::{CONTACT_INPUTS, Escapes, Inputs, RACE_INPUTS, counts};
use crate::backgammon::computer::net::Net;
use crate::backgammon::game::loss_kind;
use crate::backgammon::placement::Placement;

/// The weights of the two nets, written by `training`.
const CONTACT: &[u8] = include_bytes!("weights/contact.bin");
const RACE: &[u8] = include_bytes!("weights/race.bin");

/// The net for positions with contact.
pub type Contact = Net<80, 16>;
/// The net for races.
pub type Race = Net<24, 8>;

/// The nets and tables that evaluate positions, with reusable buffers.
#[derive(Debug)]
pub struct Evaluator {
    contact: Contact,
    race: Race,
    bear_off: BearOff,
    escapes: Escapes,
    inputs: Inputs,
    /// The number of positions evaluated so far.
    pub nodes: u64,
}

impl Evaluator {
    /// Returns an evaluator with the built-in weights.
    pub fn new() -> Evaluator {
        Evaluator::from_weights(CONTACT, RACE)
    }

    /// Returns an evaluator with the given weights of the two nets.
    pub fn from_weights(contact: &[u8], race: &[u8]) -> Evaluator {
        Evaluator {
            contact: Net::read(contact, CONTACT_INPUTS),
            race: Net::read(race, RACE_INPUTS),
            bear_off: BearOff::default(),
            escapes: Escapes::new(),
            inputs: Inputs::default(),
            nodes: 0,
        }
    }

    /// Returns the chances of the side on roll.
    pub fn chances(&mut self, board: &Placement, seat: Seat) -> Chances {
        self.nodes += 1;
        if board.has_won(seat.other()) {
            return Chances::won(loss_kind(board, seat)).for_opponent();
        }
        let (own, theirs) = (counts(board, seat), counts(board, seat.other()));
        if board.has_contact() {
            self.inputs.contact(&own, &theirs, &mut self.escapes);
            Chances::from_net(self.contact.chances(self.inputs.set()))
        } else if let Some(chances) = self.bear_off.chances(board, seat) {
            chances
        } else {
            self.inputs.race(&own, &theirs);
            Chances::from_net(self.race.chances(self.inputs.set()))
        }
    }
}

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator::new()
    }
}
