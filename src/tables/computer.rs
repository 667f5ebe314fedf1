//! The computer at a table: when it is on turn, how it moves, and what it says to an offer.

use std::collections::BTreeSet;

use crate::game::choice::{Chosen, Level};
use crate::game::contract::{Game, turn};
use crate::game::seat::Seat;
use crate::tables::dice::{Key, public_seed};
use crate::tables::history::{Consequence, Event, EventKind, Reply};
use crate::tables::refusal::TableRefusal;
use crate::tables::searches;
use crate::tables::table::{Table, TableStatus};
use crate::talk::comment::Source;

/// What came of making the replies of a record anew.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplyAudit {
    /// The number of replies that are the same.
    pub same: usize,
    /// The versions of the engine that others were made by.
    pub others: BTreeSet<u32>,
    /// The number of replies whose seed comes from a key that is not shown.
    pub unproved: usize,
    /// The replies that are not the same: the index of the event, what is recorded, what is chosen now.
    pub wrong: Vec<(usize, String, String)>,
}

/// An offer that the computer has to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Offer {
    /// A draw.
    Draw,
    /// A game of a match, for the least that it can cost.
    Resignation,
}

impl Offer {
    /// Returns the answer as a consequence.
    pub(super) fn answered<G: Game>(self, agrees: bool) -> Consequence<G> {
        match self {
            Offer::Draw => Consequence::Draw(agrees),
            Offer::Resignation => Consequence::Resignation(agrees),
        }
    }

    /// Returns what a consequence answers to this offer; `None` if it answers something else.
    pub(super) fn answer<G: Game>(self, consequence: &Consequence<G>) -> Option<bool> {
        match (self, consequence) {
            (Offer::Draw, Consequence::Draw(agrees)) => Some(*agrees),
            (Offer::Resignation, Consequence::Resignation(agrees)) => Some(*agrees),
            _ => None,
        }
    }
}

impl<G: Game> Table<G> {
    /// Returns the seat at which the computer sits, and its level; `None` at a table without one.
    pub fn computer(&self) -> Option<(Seat, Level)> {
        Seat::BOTH.into_iter().find_map(|seat| Some((seat, self.computer_at(seat)?)))
    }

    /// Whether a player has had a hint in this round.
    pub fn has_hint(&self) -> bool {
        self.history.iter().any(|event| event.kind == EventKind::Hint)
    }

    /// Returns the level at which the computer has to move now, as part of this event; `None` if it is a person's turn.
    pub(super) fn computer_to_move(&self, event: &Event<G>) -> Option<Level> {
        let seat = self.to_move();
        match event.kind {
            EventKind::AskComputer { level } if event.seat == Some(seat.into()) => Some(level),
            _ => self.computer_at(seat),
        }
    }

    /// Returns the computer's choice in the position on the board; `None` if there is nothing to choose.
    pub fn search(&self, level: Level, seed: u64) -> Option<Chosen<G::Move>> {
        searches::begin();
        self.game().choose(level, seed)
    }

    /// Plays a move of the computer, which is to be the consequence `at` of the event, and returns its canonical notation.
    pub(super) fn play_reply(&mut self, event: &Event<G>, at: usize, mv: &G::Move) -> Result<String, TableRefusal> {
        let (game, seat) = (self.game(), self.to_move());
        let next = turn(game, mv).map_err(|rule| TableRefusal::rule(game, mv, &rule))?;
        let notation = game.notation(mv);
        self.advance(seat, event.timestamp, next, Some(at));
        Ok(notation)
    }

    /// Returns the seed of the computer's next move. It comes from the key of the round where there is one, so that nobody
    /// foresees it, and else from what everybody can read.
    ///
    /// # Errors
    /// The key is not the one that the table has committed to.
    pub fn reply_seed(&self, source: Source, key: Option<&Key>) -> Result<u64, TableRefusal> {
        let number = u32::try_from(self.plies().len()).unwrap_or(u32::MAX);
        match self.commitment {
            Some(_) => Ok(self.own_key(key)?.seed(self.round, number, source)),
            None => Ok(public_seed(self.round, number, source)),
        }
    }

    /// Returns what an event offers to the computer; `None` if it offers nothing, or to a person.
    pub(super) fn offer_to_computer(&self, event: &Event<G>) -> Option<Offer> {
        let seat = event.seat?.0;
        self.computer_at(seat.other())?;
        match event.kind {
            EventKind::OfferDraw => Some(Offer::Draw),
            EventKind::OfferResign => Some(Offer::Resignation),
            _ => None,
        }
    }

    /// Tests if the computer agrees to an offer: to a draw unless it stands better, to the end of a game unless it may well
    /// win more.
    pub(super) fn computer_agrees(
        &self,
        offer: Offer,
        event: &Event<G>,
        key: Option<&Key>,
    ) -> Result<bool, TableRefusal> {
        let Some((seat, level)) = self.computer() else { return Ok(false) };
        match offer {
            Offer::Resignation => Ok(self.game().settles_for_least(seat)),
            Offer::Draw => {
                let seed = self.reply_seed(event.source, key)?;
                let value = self.search(level, seed).map(|chosen| chosen.value);
                let own = value.map(|value| if self.to_move() == seat { value } else { -value });
                Ok(own.is_some_and(|value| value <= 0))
            }
        }
    }

    /// Makes every reply of the record anew, and compares.
    pub fn audit_replies(&self) -> ReplyAudit {
        let mut audit = ReplyAudit::default();
        let key = self.history.last().and_then(|event| event.key.as_ref());
        let Ok(mut table) = Table::set_up(self.issue, self.round, self.config.clone(), self.terms) else {
            return audit;
        };
        for (at, event) in self.history.iter().enumerate() {
            let mut examine = |table: &Table<G>, event: &Event<G>, level, reply: &Reply<G>| {
                let seed = table.reply_seed(event.source, key).ok();
                match seed.map(|seed| table.game().choose(level, seed)) {
                    _ if reply.engine != G::ENGINE => _ = audit.others.insert(reply.engine),
                    None => audit.unproved += 1,
                    Some(Some(chosen)) if chosen.mv == reply.mv => audit.same += 1,
                    Some(chosen) => {
                        let chosen = chosen.map_or(String::new(), |chosen| table.game().notation(&chosen.mv));
                        audit.wrong.push((at, reply.notation.clone(), chosen));
                    }
                }
            };
            // The record has been replayed before, so nothing stops this.
            match table.replayed_before(event.clone(), "?", &mut examine) {
                Ok(next) => table = next,
                Err(_) => break,
            }
        }
        audit
    }

    /// Applies the computer's answer to an offer.
    pub(super) fn answer_offer(&mut self, offer: Offer, event: &Event<G>, agrees: bool) -> Result<(), TableRefusal> {
        let Some(seat) = event.seat.map(|seat| seat.0) else { return Ok(()) };
        match offer {
            Offer::Draw if agrees => self.status = TableStatus::Draw,
            Offer::Resignation if agrees => {
                let least = self.game().costs(seat).first().copied().unwrap_or_default();
                self.give_up(seat, event.timestamp, least)?;
            }
            Offer::Draw => _ = self.draw.decline(seat.other()),
            Offer::Resignation => _ = self.resign.decline(seat.other()),
        }
        Ok(())
    }
}
