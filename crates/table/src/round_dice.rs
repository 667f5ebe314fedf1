//! The dice of a round: their commitment, and how they are verified.

use game::roll::Roll;

use crate::comments::comment::CommentRef;
use crate::dice::{Commitment, Key, public_seed};
use crate::history::{Event, EventKind};
use crate::invalid_history::InvalidHistory;
use crate::refusal::TableRefusal;

/// The dice of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundDice {
    round: u32,
    commitment: Option<Commitment>,
    roll_count: u32,
}

impl RoundDice {
    /// Returns the dice of a round that hasn't begun.
    pub(super) fn new(round: u32) -> Self {
        RoundDice { round, commitment: None, roll_count: 0 }
    }

    /// Returns the hash of the key for this round's dice, if the dice are verifiable.
    pub fn commitment(&self) -> Option<Commitment> {
        self.commitment
    }

    /// Returns the number of rolls so far.
    pub fn roll_count(&self) -> u32 {
        self.roll_count
    }

    /// Commits the dice to a key.
    pub(super) fn commit(&mut self, commitment: Option<Commitment>) {
        self.commitment = commitment;
    }

    /// Counts a roll.
    pub(super) fn count_roll(&mut self) {
        self.roll_count += 1;
    }

    /// Returns the next roll, caused by the command at `source`.
    ///
    /// # Errors
    /// Returns an error if the key is missing or doesn't match the round's commitment.
    pub(super) fn next_roll(&self, key: Option<&Key>, source: CommentRef) -> Result<Roll, TableRefusal> {
        Ok(self.require_key(key)?.roll(self.round, self.roll_count + 1, source))
    }

    /// Returns the seed for the computer's next move after a number of plies. It comes from the round's key if there is a
    /// commitment, so nobody can predict it. Otherwise it comes from public data.
    ///
    /// # Errors
    /// Returns an error if the round has a commitment, and the key is missing or doesn't match it.
    pub(super) fn reply_seed(&self, plies: usize, key: Option<&Key>, source: CommentRef) -> Result<u64, TableRefusal> {
        let number = u32::try_from(plies).unwrap_or(u32::MAX);
        match self.commitment {
            Some(_) => Ok(self.require_key(key)?.computer_seed(self.round, number, source)),
            None => Ok(public_seed(self.round, number, source)),
        }
    }

    /// Returns the key to publish with an event. Only the last event of a round publishes it. An end without a result
    /// may lack it, because nothing else can end a round whose key is lost.
    ///
    /// # Errors
    /// Returns an error if the event has to publish the key, and the key is missing or doesn't match the round's
    /// commitment.
    pub(super) fn key_to_publish<M: PartialEq>(
        &self,
        kind: &EventKind<M>,
        is_over: bool,
        key: Option<&Key>,
    ) -> Result<Option<Key>, TableRefusal> {
        let due = self.is_key_due(is_over);
        match self.require_key(key) {
            Ok(key) => Ok(due.then(|| key.clone())),
            Err(_) if !due || may_lack_key(kind) => Ok(None),
            Err(lost) => Err(lost),
        }
    }

    /// Checks that the last event of a history shows the key only when it is due, and that the key gives every roll.
    ///
    /// # Errors
    /// Returns an error if the key is missing, wrong or not due, or if a roll doesn't follow from it.
    pub(super) fn check_key<M: PartialEq>(
        &self,
        earlier: &[Event<M>],
        last: &Event<M>,
        is_over: bool,
    ) -> Result<(), InvalidHistory> {
        let due = self.is_key_due(is_over);
        match &last.key {
            None if due && !may_lack_key(&last.kind) => Err(InvalidHistory::MissingKey),
            None => Ok(()),
            Some(_) if !due => Err(InvalidHistory::UnexpectedKey),
            Some(key) if Some(key.commitment()) != self.commitment => Err(InvalidHistory::WrongKey),
            Some(key) => self.check_rolls(key, earlier, last),
        }
    }

    fn check_rolls<M>(&self, key: &Key, earlier: &[Event<M>], last: &Event<M>) -> Result<(), InvalidHistory> {
        let rolls = earlier.iter().chain([last]).flat_map(|event| event.rolls().map(|roll| (roll, event.source)));
        let wrong = rolls.zip(1..).filter_map(|((roll, source), number)| {
            let due = key.roll(self.round, number, source);
            (roll != due).then_some((number, roll, due))
        });
        let wrong: Vec<_> = wrong.collect();
        if wrong.is_empty() { Ok(()) } else { Err(InvalidHistory::WrongRolls(wrong)) }
    }

    fn is_key_due(&self, is_over: bool) -> bool {
        is_over && self.commitment.is_some()
    }

    /// Returns the key if it matches the round's commitment, or if there is no commitment.
    fn require_key<'a>(&self, key: Option<&'a Key>) -> Result<&'a Key, TableRefusal> {
        let fits = |key: &&Key| self.commitment.is_none_or(|commitment| key.commitment() == commitment);
        key.filter(fits).ok_or(TableRefusal::SecretLost)
    }
}

/// Whether an event may end a round without showing the key of its dice.
fn may_lack_key<M>(kind: &EventKind<M>) -> bool {
    matches!(kind, EventKind::Abort | EventKind::IssueGone)
}
