//! The plies of a game: what was played, by whom, and what still counts of it.

use crate::game::contract::Game;
use crate::game::seat::Seat;
use crate::tables::history::{Consequence, Event, EventKind};
use crate::tables::table::{Place, Table};

/// A ply that counts: a move of a player or of the computer, or a game of a match that was given up.
#[derive(Clone, Copy, Debug)]
pub struct Ply<'a, G: Game> {
    /// The position before it.
    pub before: &'a G,
    /// The position after it.
    pub after: &'a G,
    /// The index of its event in the history.
    pub at: usize,
    /// The event that it is, or that it follows from.
    pub event: &'a Event<G>,
    /// The seat that it was made for.
    pub seat: Seat,
    /// The move and its canonical notation; `None` where a game was given up.
    pub played: Option<(&'a G::Move, &'a str)>,
    /// Whether the computer made it.
    pub by_computer: bool,
}

impl<G: Game> Ply<'_, G> {
    /// Returns the ply as a list of moves shows it: `31: 8/5 6/5`.
    pub fn entry(&self) -> String {
        match self.played {
            Some((mv, _)) => self.before.entry(mv),
            None => self.event.giving_up().unwrap_or_default().to_owned(),
        }
    }
}

impl<G: Game> Table<G> {
    /// Returns the plies that still count, oldest first.
    pub fn plies(&self) -> impl DoubleEndedIterator<Item = Ply<'_, G>> + ExactSizeIterator {
        self.plies.iter().enumerate().map(|(at, place)| self.ply(at, *place))
    }

    /// Returns the ply with this index, if there are as many.
    pub fn ply_at(&self, at: usize) -> Option<Ply<'_, G>> {
        self.plies.get(at).map(|place| self.ply(at, *place))
    }

    /// Returns the plies of the last event, oldest first.
    pub fn newest_plies(&self) -> impl Iterator<Item = Ply<'_, G>> {
        let last = self.history.len().saturating_sub(1);
        self.plies
            .iter()
            .enumerate()
            .filter(move |(_, (event, _))| *event == last)
            .map(|(at, place)| self.ply(at, *place))
    }

    fn ply(&self, ply: usize, (at, reply): Place) -> Ply<'_, G> {
        let (before, after, event) = (&self.line[ply], &self.line[ply + 1], &self.history[at]);
        let reply = reply.and_then(|reply| match event.then.get(reply) {
            Some(Consequence::Reply(reply)) => Some((&reply.mv, reply.notation.as_str())),
            _ => None,
        });
        let own = match &event.kind {
            EventKind::Move { notation, mv } => Some((mv, notation.as_str())),
            _ => None,
        };
        let seat = event.seat.filter(|_| reply.is_none()).map_or(before.to_move(), |seat| seat.0);
        Ply { before, after, at, event, seat, played: reply.or(own), by_computer: reply.is_some() }
    }

    /// Tests if this seat has ever made a move in this round, though it may have been taken back.
    pub fn has_ever_moved(&self, seat: Seat) -> bool {
        let moved = |event: &Event<G>| matches!(event.kind, EventKind::Move { .. }) && event.seat == Some(seat.into());
        let computer = self.computer_at(seat).is_some();
        self.history.iter().any(|event| moved(event) || computer && event.replies().next().is_some())
    }

    /// Tests if this seat has made a move that still counts.
    pub fn has_moved(&self, seat: Seat) -> bool {
        self.undo_plies(seat).is_some()
    }

    /// Returns the number of plies back to before this seat's own last move; `None` if it has made no move.
    pub fn undo_plies(&self, seat: Seat) -> Option<usize> {
        self.plies().rev().position(|ply| ply.seat == seat).map(|later| later + 1)
    }
}
