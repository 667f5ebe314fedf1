//! The dice of a table: thrown when the game waits for them, and proved when their key is shown.

use crate::game::contract::Game;
use crate::tables::dice::Key;
use crate::tables::history::{Consequence, Event, What};
use crate::tables::refusal::Refusal;
use crate::tables::table::{Table, TableStatus, ThrowSource, status};

impl<G: Game> Table<G> {
    /// Throws the dice for as long as the game waits for them. What is recorded of it has to be there in the same order.
    pub(super) fn throw(&mut self, event: &mut Event<G>, cup: ThrowSource<'_>) -> Result<(), Refusal> {
        let mut recorded = std::mem::take(&mut event.then).into_iter();
        while self.status == TableStatus::Playing && self.game().awaits_throw() {
            let throw = match cup {
                ThrowSource::Recorded => {
                    let Consequence::Throw(throw) = recorded.next().ok_or(Refusal::ThrowMissing)?;
                    throw
                }
                ThrowSource::Key(key) => self.own(key)?.throw(self.round, self.throws + 1, event.source),
            };
            if !throw.iter().all(|die| (1..=6).contains(die)) {
                return Err(Refusal::NoDie(throw));
            }
            event.then.push(Consequence::Throw(throw));
            self.throws += 1;
            let next = self.game().thrown(throw);
            self.status = status(&next);
            self.line.pop();
            self.line.push(next);
        }
        if recorded.next().is_some() { Err(Refusal::ThrowUncalled) } else { Ok(()) }
    }

    /// The key, if it is the one that this table has committed to, or if it has committed to none.
    fn own<'a>(&self, key: Option<&'a Key>) -> Result<&'a Key, Refusal> {
        let fits = |key: &&Key| self.commitment.is_none_or(|commitment| key.commitment() == commitment);
        key.filter(fits).ok_or(Refusal::SecretLost)
    }

    /// The key of the dice is published with the last event of a round, never before, and has to have given every throw.
    /// Only an abort ends a round without it, for that is the way out when the key is lost.
    pub(super) fn disclose(&self, event: &mut Event<G>, cup: ThrowSource<'_>) -> Result<(), Refusal> {
        let due = self.is_over() && self.commitment.is_some();
        if let ThrowSource::Key(key) = cup {
            event.key = match self.own(key) {
                Ok(key) => due.then(|| key.clone()),
                Err(_) if !due || event.what == What::Abort => None,
                Err(lost) => return Err(lost),
            };
        }
        match &event.key {
            None if due && event.what != What::Abort => Err(Refusal::KeyMissing),
            None => Ok(()),
            Some(_) if !due => Err(Refusal::KeyUncalled),
            Some(key) if Some(key.commitment()) != self.commitment => Err(Refusal::WrongKey),
            Some(key) => self.prove(key, event),
        }
    }

    /// Makes every throw of the round anew.
    fn prove(&self, key: &Key, last: &Event<G>) -> Result<(), Refusal> {
        let events = self.history.iter().chain([last]);
        let throws = events.flat_map(|event| event.throws().map(|throw| (throw, event.source)));
        let wrong = throws.zip(1..).filter_map(|((throw, source), number)| {
            let due = key.throw(self.round, number, source);
            (throw != due).then_some((number, throw, due))
        });
        let wrong: Vec<_> = wrong.collect();
        if wrong.is_empty() { Ok(()) } else { Err(Refusal::FalseThrows(wrong)) }
    }
}
