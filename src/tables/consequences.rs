//! What follows from an event without a comment of its own: the dice that are thrown when the game waits for them, and proved
//! when their key is shown, the plays that they force, and what the computer does.

use crate::game::contract::Game;
use crate::game::throw::Throw;
use crate::tables::dice::Key;
use crate::tables::history::{Consequence, Event, EventKind, Reply};
use crate::tables::invalid_history::InvalidHistory;
use crate::tables::refusal::TableRefusal;
use crate::tables::table::{ShowReply, Table, TableStatus, status};

impl<G: Game> Table<G> {
    /// Lets the table do what follows from an event without a comment of its own: it throws the dice for as long as the game
    /// waits for them, plays what a throw leaves no choice about, and moves and answers for the computer.
    pub(super) fn follow(&mut self, event: &mut Event<G>, key: Option<&Key>) -> Result<(), TableRefusal> {
        if let Some(offer) = self.offer_to_computer(event) {
            let agrees = self.computer_agrees(offer, event, key)?;
            event.then.push(offer.answered(agrees));
            self.answer_offer(offer, event, agrees)?;
        }
        while self.status == TableStatus::Playing {
            if self.game().awaits_throw() {
                let throw = self.own_key(key)?.throw(self.round, self.throws + 1, event.source);
                event.then.push(Consequence::Throw(throw));
                self.apply_throw(throw);
                if let Some((notation, next)) = self.forced() {
                    event.then.push(Consequence::Forced(notation));
                    self.replace(next);
                }
            } else if let Some(level) = self.computer_to_move(event) {
                let seed = self.reply_seed(event.source, key)?;
                let Some(chosen) = self.search(level, seed) else { break };
                let notation = self.game().notation(&chosen.mv);
                self.play_reply(event, event.then.len(), &chosen.mv)?;
                event.then.push(Consequence::Reply(Reply { notation, mv: chosen.mv, engine: G::ENGINE }));
            } else {
                break;
            }
        }
        Ok(())
    }

    /// Applies the consequences that are recorded, which have to be of exactly the kinds that follow. What a throw has forced
    /// may have been left to the player, as it was in older records; whether the engine would have moved so is not asked.
    pub(super) fn follow_again(&mut self, event: &Event<G>, show: &mut ShowReply<'_, G>) -> Result<(), InvalidHistory> {
        let mut recorded = event.then.iter().enumerate().peekable();
        if let Some(offer) = self.offer_to_computer(event) {
            let agrees =
                recorded.next().and_then(|(_, next)| offer.answer(next)).ok_or(InvalidHistory::ReplyMissing)?;
            self.answer_offer(offer, event, agrees).map_err(InvalidHistory::Forbidden)?;
        }
        while self.status == TableStatus::Playing {
            if self.game().awaits_throw() {
                let throw = match recorded.next() {
                    Some((_, Consequence::Throw(throw))) => *throw,
                    Some((_, other)) => return Err(uncalled(other)),
                    None => return Err(InvalidHistory::ThrowMissing),
                };
                if !throw.iter().all(|die| (1..=6).contains(die)) {
                    return Err(InvalidHistory::NoDie(throw));
                }
                self.apply_throw(throw);
                let forced = recorded.next_if(|(_, next)| matches!(next, Consequence::Forced(_)));
                if let Some((_, Consequence::Forced(notation))) = forced {
                    let (canonical, next) = self.forced().ok_or(InvalidHistory::ForcedUncalled)?;
                    if canonical != *notation {
                        return Err(InvalidHistory::Notation(canonical));
                    }
                    self.replace(next);
                }
            } else if let Some(level) = self.computer_to_move(event) {
                let (at, reply) = match recorded.next() {
                    Some((at, Consequence::Reply(reply))) => (at, reply),
                    Some((_, other)) => return Err(uncalled(other)),
                    None => return Err(InvalidHistory::ReplyMissing),
                };
                show(self, event, level, reply);
                let canonical = self.play_reply(event, at, &reply.mv).map_err(InvalidHistory::Forbidden)?;
                if canonical != reply.notation {
                    return Err(InvalidHistory::Notation(canonical));
                }
            } else {
                break;
            }
        }
        recorded.next().map_or(Ok(()), |(_, other)| Err(uncalled(other)))
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
    pub(super) fn own_key<'a>(&self, key: Option<&'a Key>) -> Result<&'a Key, TableRefusal> {
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

/// Returns the fault of a consequence that is recorded where another one, or none, was due.
fn uncalled<G: Game>(consequence: &Consequence<G>) -> InvalidHistory {
    match consequence {
        Consequence::Throw(_) => InvalidHistory::ThrowUncalled,
        Consequence::Forced(_) => InvalidHistory::ForcedUncalled,
        Consequence::Reply(_) | Consequence::Draw(_) | Consequence::Resignation(_) => InvalidHistory::ReplyUncalled,
    }
}
