//! The dice of a table: thrown when the game waits for them, and proved when their key is shown.

use crate::game::contract::Game;
use crate::game::throw::Throw;
use crate::tables::dice::Key;
use crate::tables::history::{Consequence, Event, EventKind};
use crate::tables::invalid_history::InvalidHistory;
use crate::tables::refusal::TableRefusal;
use crate::tables::table::{Table, TableStatus, status};

impl<G: Game> Table<G> {
    /// Throws the dice for as long as the game waits for them, and plays what a throw leaves no choice about.
    pub(super) fn throw(&mut self, event: &mut Event<G>, key: Option<&Key>) -> Result<(), TableRefusal> {
        while self.awaits_throw() {
            let throw = self.own_key(key)?.throw(self.round, self.throws + 1, event.source);
            event.then.push(Consequence::Throw(throw));
            self.apply_throw(throw);
            if let Some((notation, next)) = self.forced() {
                event.then.push(Consequence::Forced(notation));
                self.replace(next);
            }
        }
        Ok(())
    }

    /// Applies the throws that are recorded, which have to be exactly those that the game waits for. What they forced may have
    /// been left to the player, as it was in older records.
    pub(super) fn replay_throws(&mut self, event: &Event<G>) -> Result<(), InvalidHistory> {
        let mut recorded = event.then.iter().peekable();
        while self.awaits_throw() {
            let throw = match recorded.next() {
                Some(Consequence::Throw(throw)) => *throw,
                Some(Consequence::Forced(_)) => return Err(InvalidHistory::ForcedUncalled),
                None => return Err(InvalidHistory::ThrowMissing),
            };
            if !throw.iter().all(|die| (1..=6).contains(die)) {
                return Err(InvalidHistory::NoDie(throw));
            }
            self.apply_throw(throw);
            if let Some(Consequence::Forced(notation)) = recorded.next_if(|next| matches!(next, Consequence::Forced(_)))
            {
                let (canonical, next) = self.forced().ok_or(InvalidHistory::ForcedUncalled)?;
                if canonical != *notation {
                    return Err(InvalidHistory::Notation(canonical));
                }
                self.replace(next);
            }
        }
        match recorded.next() {
            None => Ok(()),
            Some(Consequence::Throw(_)) => Err(InvalidHistory::ThrowUncalled),
            Some(Consequence::Forced(_)) => Err(InvalidHistory::ForcedUncalled),
        }
    }

    /// Publishes the key of the dice with the last event of a round, never before. Only an abort ends a round without it,
    /// for that is the way out when the key is lost.
    pub(super) fn disclose(&self, event: &mut Event<G>, key: Option<&Key>) -> Result<(), TableRefusal> {
        let due = self.key_is_due();
        event.key = match self.own_key(key) {
            Ok(key) => due.then(|| key.clone()),
            Err(_) if !due || event.kind == EventKind::Abort => None,
            Err(lost) => return Err(lost),
        };
        Ok(())
    }

    /// Checks that the key is shown when it is due and only then, and that it has given every throw.
    pub(super) fn check_key(&self, event: &Event<G>) -> Result<(), InvalidHistory> {
        let due = self.key_is_due();
        match &event.key {
            None if due && event.kind != EventKind::Abort => Err(InvalidHistory::KeyMissing),
            None => Ok(()),
            Some(_) if !due => Err(InvalidHistory::KeyUncalled),
            Some(key) if Some(key.commitment()) != self.commitment => Err(InvalidHistory::WrongKey),
            Some(key) => self.check_throws(key, event),
        }
    }

    fn key_is_due(&self) -> bool {
        self.is_over() && self.commitment.is_some()
    }

    fn awaits_throw(&self) -> bool {
        self.status == TableStatus::Playing && self.game().awaits_throw()
    }

    /// Replaces the position by the one after a throw: a throw is no ply.
    fn apply_throw(&mut self, throw: Throw) {
        self.throws += 1;
        let next = self.game().thrown(throw);
        self.replace(next);
    }

    /// Returns the only move that the last throw has left, written, and the position after it.
    fn forced(&self) -> Option<(String, G)> {
        let (mv, next) = self.game().forced()?;
        Some((self.game().notation(&mv), next))
    }

    /// Replaces the position by another one of the same ply.
    fn replace(&mut self, next: G) {
        self.status = status(&next);
        self.line.pop();
        self.line.push(next);
    }

    /// Returns the key, if it is the one that this table has committed to, or if it has committed to none.
    fn own_key<'a>(&self, key: Option<&'a Key>) -> Result<&'a Key, TableRefusal> {
        let fits = |key: &&Key| self.commitment.is_none_or(|commitment| key.commitment() == commitment);
        key.filter(fits).ok_or(TableRefusal::SecretLost)
    }

    /// Checks every throw of the round against the one that the key gives.
    fn check_throws(&self, key: &Key, last: &Event<G>) -> Result<(), InvalidHistory> {
        let events = self.history.iter().chain([last]);
        let throws = events.flat_map(|event| event.throws().map(|throw| (throw, event.source)));
        let wrong = throws.zip(1..).filter_map(|((throw, source), number)| {
            let due = key.throw(self.round, number, source);
            (throw != due).then_some((number, throw, due))
        });
        let wrong: Vec<_> = wrong.collect();
        if wrong.is_empty() { Ok(()) } else { Err(InvalidHistory::FalseThrows(wrong)) }
    }
}
