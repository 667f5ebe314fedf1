//! The timeline of a game: its events, and the positions after them.

use game::contract::Game;
use game::seat::Seat;

use crate::history::{Consequence, Event, EventKind};
use crate::ids::UserId;
use crate::refusal::TableRefusal;

/// The events of a round, and the positions after the plies that still count.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline<G: Game> {
    events: Vec<Event<G::Move>>,
    /// The start position, and the position after each ply.
    positions: Vec<G>,
    /// For each ply, the index of its event, and the index of the computer's move among the event's consequences, if it
    /// made the ply.
    plies: Vec<(usize, Option<usize>)>,
}

/// A ply that counts: a move by a player or the computer, or a game in a match that was given up.
#[derive(Clone, Copy, Debug)]
pub struct Ply<'a, G: Game> {
    /// The position before it.
    pub before: &'a G,
    /// The position after it.
    pub after: &'a G,
    /// The index of its event in the history.
    pub event_index: usize,
    /// The event that made it, or that it follows from.
    pub event: &'a Event<G::Move>,
    /// The seat that it was played for.
    pub seat: Seat,
    /// The move and its canonical notation; `None` if a game was given up.
    pub played: Option<(&'a G::Move, &'a str)>,
    /// Whether the computer made it.
    pub by_computer: bool,
}

impl<G: Game> Ply<'_, G> {
    /// Returns the ply for a list of moves: `31: 8/5 6/5`.
    pub fn move_list_entry(&self) -> String {
        match self.played {
            Some((mv, _)) => self.before.move_list_entry(mv),
            None => self.event.resignation_text().unwrap_or_default().to_owned(),
        }
    }
}

impl<G: Game> Timeline<G> {
    /// Creates a timeline without events.
    pub(super) fn new(start: G) -> Self {
        Timeline { events: Vec::new(), positions: vec![start], plies: Vec::new() }
    }

    /// Returns the events, oldest first.
    pub fn events(&self) -> &[Event<G::Move>] {
        &self.events
    }

    /// Returns the start position, including the opening roll.
    pub fn start_position(&self) -> &G {
        &self.positions[0]
    }

    /// Returns the current position.
    pub fn game(&self) -> &G {
        // The start position is always there.
        &self.positions[self.positions.len() - 1]
    }

    /// Returns the position before the last ply.
    pub(super) fn previous_position(&self) -> Option<&G> {
        self.positions.iter().nth_back(1)
    }

    /// Returns the plies that still count, oldest first.
    pub fn plies(&self) -> impl DoubleEndedIterator<Item = Ply<'_, G>> + ExactSizeIterator {
        (0..self.plies.len()).map(|at| self.ply(at))
    }

    /// Returns the ply with this index.
    pub fn ply_at(&self, at: usize) -> Option<Ply<'_, G>> {
        (at < self.plies.len()).then(|| self.ply(at))
    }

    /// Returns the plies of the last event, oldest first.
    pub fn last_event_plies(&self) -> impl Iterator<Item = Ply<'_, G>> {
        let last = self.events.len().saturating_sub(1);
        let first = self.plies.partition_point(|(event, _)| *event < last);
        (first..self.plies.len()).map(|at| self.ply(at))
    }

    fn ply(&self, ply: usize) -> Ply<'_, G> {
        let (at, reply) = self.plies[ply];
        let (before, after, event) = (&self.positions[ply], &self.positions[ply + 1], &self.events[at]);
        let reply = reply.and_then(|reply| match event.consequences.get(reply) {
            Some(Consequence::Reply(reply)) => Some((&reply.mv, reply.notation.as_str())),
            _ => None,
        });
        let own = match &event.kind {
            EventKind::Move { notation, mv } => Some((mv, notation.as_str())),
            _ => None,
        };
        let seat = match (event.seat, reply) {
            (Some(seat), None) => seat,
            _ => before.side_to_move(),
        };
        Ply { before, after, event_index: at, event, seat, played: reply.or(own), by_computer: reply.is_some() }
    }

    /// Whether this seat has made a move that still counts.
    pub fn has_moved(&self, seat: Seat) -> bool {
        self.plies_to_undo(seat).is_some()
    }

    /// Returns the number of plies to take back so that this seat's last move is undone; `None` if it hasn't moved.
    pub fn plies_to_undo(&self, seat: Seat) -> Option<usize> {
        self.plies().rev().position(|ply| ply.seat == seat).map(|later| later + 1)
    }

    /// Returns the number of plies to take back if a person leaves: 1 if they have moved, otherwise 0.
    ///
    /// # Errors
    /// Returns an error if the person didn't join at an open seat, has left before, or can't leave any more.
    pub fn plies_to_leave(&self, person: UserId) -> Result<usize, TableRefusal> {
        let joined = self.events.iter().position(|event| event.by == person).ok_or(TableRefusal::NotGuest)?;
        let opening = &self.events[0];
        let is_open_seat = opening.seat.is_some() && matches!(opening.kind, EventKind::New { opponent: None, .. });
        let since = &self.events[joined..];
        let moves = since.iter().filter(|event| matches!(event.kind, EventKind::Move { .. })).count();
        let has_changed = since.iter().any(|event| match event.kind {
            EventKind::Move { .. } => event.by != person,
            EventKind::Leave | EventKind::Undo { .. } | EventKind::SeatComputer { .. } => true,
            _ => false,
        });
        let plies = self.plies().rev().take_while(|ply| ply.event_index >= joined).count();
        if joined == 0 || !is_open_seat {
            return Err(TableRefusal::NotGuest);
        }
        let has_rolled = since.iter().any(|event| event.rolls().next().is_some());
        let is_early = !has_changed && !has_rolled && moves == plies && moves <= 1;
        if is_early { Ok(plies) } else { Err(TableRefusal::TooLateToLeave) }
    }

    /// Whether a person made one of the last `gap` moves at this open table. A move counts even after a takeback,
    /// so a takeback never earns another turn.
    pub fn has_moved_recently(&self, person: UserId, gap: u32) -> bool {
        let is_move =
            |event: &&Event<G::Move>| matches!(event.kind, EventKind::Move { .. } | EventKind::AskComputer { .. });
        let moves = self.events.iter().rev().filter(is_move);
        moves.take(usize::try_from(gap).unwrap_or(usize::MAX)).any(|event| event.by == person)
    }

    /// Whether a player has had a hint in this round.
    pub fn has_used_hint(&self) -> bool {
        self.events.iter().any(|event| event.kind == EventKind::Hint)
    }

    /// Checks that no dice were rolled in the last `plies` plies. Nobody can take back a roll that was seen.
    ///
    /// # Errors
    /// Returns an error if dice were rolled.
    pub(super) fn check_no_dice_since(&self, plies: usize) -> Result<(), TableRefusal> {
        let (from, _) = self.plies[self.plies.len() - plies];
        let shown = self.events[from..].iter().any(|event| event.rolls().next().is_some());
        if shown { Err(TableRefusal::DiceRolled) } else { Ok(()) }
    }

    /// Adds an event. Its plies are already there.
    pub(super) fn push(&mut self, event: Event<G::Move>) {
        self.events.push(event);
    }

    /// Removes the last event, but not its plies.
    pub(super) fn pop(&mut self) -> Option<Event<G::Move>> {
        self.events.pop()
    }

    /// Adds a ply: the next event's own, or a move by the computer among its consequences.
    pub(super) fn advance(&mut self, next: G, reply: Option<usize>) {
        self.positions.push(next);
        self.plies.push((self.events.len(), reply));
    }

    /// Replaces the current position without adding a ply.
    pub(super) fn replace_position(&mut self, next: G) {
        self.positions.pop();
        self.positions.push(next);
    }

    /// Removes a number of plies from the end.
    pub(super) fn rewind(&mut self, plies: usize) {
        self.plies.truncate(self.plies.len() - plies);
        self.positions.truncate(self.plies.len() + 1);
    }
}
