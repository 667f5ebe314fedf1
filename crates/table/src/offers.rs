//! Offers to the opponent. An offer stands until the opponent answers it or someone moves. A draw offer also survives a
//! move by the player who made it.

use game::Seat;
use games::AnyMove;

use crate::{Author, CommentRef, Event, EventKind, OfferRefusal, Player, Table};

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

    /// Whether this seat can accept any offer by its opponent.
    pub(super) fn is_any_made_to(&self, seat: Seat) -> bool {
        self.offered_by.contains(&Some(seat.other()))
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

// Questions that wait for a player's answer.

/// A question to a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether they accept a draw.
    Draw,
    /// Whether the opponent may take back a move.
    Takeback,
    /// Whether they accept a resignation at the lowest cost.
    Resignation,
    /// Whether they accept what their opponent's last move proposes: a double.
    Proposal,
    /// Whether they play at all: the seat is reserved for them.
    Invitation,
}

/// Returns the questions that wait for an answer by the player at a seat.
pub(crate) fn open_questions(table: &Table, seat: Seat) -> Vec<Question> {
    if !table.is_playing() {
        return Vec::new();
    }
    if table.player(seat).is_some_and(Player::is_reserved) {
        return vec![Question::Invitation];
    }
    let offers = [
        (Offer::Draw, Question::Draw),
        (Offer::Takeback, Question::Takeback),
        (Offer::Resignation, Question::Resignation),
    ];
    let is_open = |(offer, _): &(Offer, Question)| table.state().offers().is_made_to(seat, *offer);
    let proposal = proposal_answers(table, seat).map(|_| Question::Proposal);
    proposal.into_iter().chain(offers.into_iter().filter(is_open).map(|(_, question)| question)).collect()
}

/// Returns the moves that accept and refuse what the opponent's last move proposes to the player at a seat; `None` if it proposes
/// nothing.
pub(crate) fn proposal_answers(table: &Table, seat: Seat) -> Option<[AnyMove; 2]> {
    if table.is_playing() && table.player_to_move() == seat { table.game().proposal_answers() } else { None }
}

/// Returns the event that asked the newest of the open questions; `None` without questions.
fn newest_question(table: &Table, seat: Seat) -> Option<&Event> {
    let questions = open_questions(table, seat);
    let asks = |event: &&Event| match event.kind {
        EventKind::New { .. } => questions.contains(&Question::Invitation),
        EventKind::OfferDraw | EventKind::AskUndo | EventKind::OfferResign => event.seat == Some(seat.other()),
        EventKind::Move { .. } => {
            (event.offers_draw || questions.contains(&Question::Proposal)) && event.seat == Some(seat.other())
        }
        _ => false,
    };
    if questions.is_empty() { None } else { table.history().iter().rev().find(asks) }
}

/// Returns the newest of a person's open questions if the bot's answer to an event asks it; `None` if the answer doesn't.
///
/// The answer to the event that asked the question contains it, and the answers to all later events repeat it.
pub fn asked_question(table: &Table, author: &Author, event: CommentRef) -> Option<Question> {
    let seat = table.players().seat_of_author(author)?;
    let asking = newest_question(table, seat)?;
    let mut since = table.history().iter().map(|event| event.source).skip_while(|source| *source != asking.source);
    since.find(|source| *source == event)?;
    Some(match asking.kind {
        EventKind::Move { .. } if !asking.offers_draw => Question::Proposal,
        EventKind::OfferDraw | EventKind::Move { .. } => Question::Draw,
        EventKind::AskUndo => Question::Takeback,
        EventKind::OfferResign => Question::Resignation,
        _ => Question::Invitation,
    })
}

// The people whom the invitations in an issue mention: at most three, and each of them once. People who have come back
// don't count, so they can be mentioned again.

/// The maximum number of people whom the invitations in one issue mention.
const MAX_MENTIONED: usize = 3;

/// Whether the invitation to a table mentions the opponent.
pub fn mentions_opponent(table: &Table) -> bool {
    let Some((opponent, mentioned)) = invitation(table) else { return false };
    mentioned.len() < MAX_MENTIONED && !mentioned.iter().any(|login| login.eq_ignore_ascii_case(opponent))
}

/// Returns the usernames that the invitations in an issue have mentioned up to this table, without people who have come back
/// since.
pub(super) fn mentioned_so_far(table: &Table) -> Vec<String> {
    let Some(Event { kind: EventKind::New { opponent, mentioned, .. }, .. }) = table.history().first() else {
        return Vec::new();
    };
    let newest = opponent.iter().filter(|_| mentions_opponent(table)).filter_map(Player::login).map(str::to_lowercase);
    mentioned.iter().cloned().chain(newest).filter(|login| !has_come(table, login)).collect()
}

/// Returns the person that a table's first event invites, and the people mentioned before; `None` without an invitation.
fn invitation(table: &Table) -> Option<(&str, &[String])> {
    match &table.history().first()?.kind {
        EventKind::New { opponent: Some(opponent), mentioned, .. } if opponent.is_reserved() => {
            Some((opponent.login()?, mentioned))
        }
        _ => None,
    }
}

/// Whether a person has done anything at this table except decline.
fn has_come(table: &Table, login: &str) -> bool {
    let names = table.players().names();
    let seat = Seat::BOTH.into_iter().find(|seat| names[seat.index()].eq_ignore_ascii_case(login));
    let id = seat.and_then(|seat| table.player(seat)?.id());
    id.is_some_and(|id| table.history().iter().any(|event| event.author == id && event.kind != EventKind::Decline))
}
