//! The people at a table: in its seats, or moving for both sides of an open one.

use std::collections::BTreeMap;

use game::contract::Game;
use game::engine::Level;
use game::seat::Seat;

use crate::history::{Event, EventKind, Occupant, seat_name};
use crate::refusal::TableRefusal;
use crate::talk::comment::Author;
use crate::terms::Mover;
use crate::timeline::Timeline;

/// The people at a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Occupants {
    seats: [Option<Occupant>; 2],
    /// The people who have moved at an open table: their ids and logins.
    movers: Vec<(u64, String)>,
}

impl Occupants {
    /// Returns the person at a seat, or the one it is kept for; `None` for an open seat.
    pub fn occupant(&self, seat: Seat) -> Option<&Occupant> {
        self.seats[seat.index()].as_ref()
    }

    /// Returns the seat held by the person with this id, or kept for them; `None` if they have none.
    pub fn seat_of(&self, id: u64) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|seat| self.occupant(*seat).is_some_and(|sitter| sitter.id == Some(id)))
    }

    /// Returns the seat of a person: they sit there, or it is kept for their login and they speak for the first time. `None`
    /// for anybody else.
    pub fn seat_of_author(&self, author: &Author) -> Option<Seat> {
        let kept = |seat: &Seat| {
            let name = self.occupant(*seat).filter(|sitter| sitter.id.is_none());
            name.is_some_and(|sitter| sitter.computer.is_none() && sitter.login.eq_ignore_ascii_case(&author.login))
        };
        self.seat_of(author.id).or_else(|| Seat::BOTH.into_iter().find(kept))
    }

    /// Tests if somebody, and not only a name, is at this seat.
    pub fn is_occupied(&self, seat: Seat) -> bool {
        self.occupant(seat).is_some_and(|sitter| !sitter.is_reserved())
    }

    /// Tests if a person, and not the computer, sits at this seat.
    pub fn has_person(&self, seat: Seat) -> bool {
        self.is_occupied(seat) && self.computer_at(seat).is_none()
    }

    /// Returns the level of the computer at this seat; `None` if somebody else sits there, or nobody.
    pub fn computer_at(&self, seat: Seat) -> Option<Level> {
        self.occupant(seat)?.computer
    }

    /// Returns the seat at which the computer sits, and its level; `None` at a table without one.
    pub fn computer(&self) -> Option<(Seat, Level)> {
        Seat::BOTH.into_iter().find_map(|seat| Some((seat, self.computer_at(seat)?)))
    }

    /// Returns the login of somebody who played the round before, has not said anything in this one yet, and whose seat is
    /// kept; `None` for anybody else.
    pub fn awaited_login(&self, seat: Seat) -> Option<&str> {
        self.occupant(seat).filter(|sitter| sitter.reserved).map(|sitter| sitter.login.as_str())
    }

    /// Returns the refusal of a request to the other side, where nobody sits.
    pub fn no_opponent_refusal(&self, seat: Seat) -> TableRefusal {
        self.awaited_login(seat.other())
            .map_or(TableRefusal::NoOpponent, |login| TableRefusal::OpponentNotBack(login.to_owned()))
    }

    /// Returns the movers of an open table with their moves that count in `line`, the busiest first; of two equals the one
    /// who came first.
    pub fn movers<G: Game>(&self, line: &Timeline<G>) -> Vec<Mover> {
        let mut moves = BTreeMap::new();
        for ply in line.plies() {
            *moves.entry(ply.event.by).or_default() += 1;
        }
        let all = self.movers.iter().filter_map(|(id, login)| {
            moves.get(id).map(|moves| Mover { id: *id, login: login.clone(), moves: *moves })
        });
        let mut movers: Vec<Mover> = all.collect();
        movers.sort_by_key(|mover| std::cmp::Reverse(mover.moves));
        movers
    }

    /// Returns the login of somebody who sits here or has made a move here that still counts, as it was at their last event;
    /// `None` for anybody else. The record keeps no others, and what is said about a table follows from the record alone.
    pub fn login_of<G: Game>(&self, id: u64, line: &Timeline<G>) -> Option<&str> {
        let seated = self.seats.iter().flatten().find(|sitter| sitter.id == Some(id));
        let counts = || line.plies().any(|ply| ply.event.by == id);
        let moved = || self.movers.iter().find(|(mover, _)| *mover == id && counts()).map(|(_, login)| login.as_str());
        seated.map(|sitter| sitter.login.as_str()).or_else(moved)
    }

    /// Gives a seat to somebody, or frees it.
    pub(super) fn set(&mut self, seat: Seat, sitter: Option<Occupant>) {
        self.seats[seat.index()] = sitter;
    }

    /// Notes a person who has moved at an open table.
    pub(super) fn note_mover(&mut self, id: u64, login: &str) {
        match self.movers.iter_mut().find(|(mover, _)| *mover == id) {
            Some((_, known)) => login.clone_into(known),
            None => self.movers.push((id, login.to_owned())),
        }
    }

    /// Checks that the seat belongs to the author of an event, or seats them if the event may do that. Returns whether they
    /// have just come.
    ///
    /// # Errors
    /// Returns an error if the seat is somebody else's, or if the author has another one.
    pub(super) fn take_seat<G: Game>(
        &mut self,
        seat: Seat,
        event: &Event<G::Move>,
        login: &str,
    ) -> Result<bool, TableRefusal> {
        let name = seat_name::<G>(seat);
        let has_come = match (self.occupant(seat), self.seat_of(event.by)) {
            (Some(Occupant { reserved: true, .. }), Some(own)) if own == seat => true,
            (_, Some(own)) if own == seat && event.kind != EventKind::Join => false,
            (_, Some(own)) => return Err(TableRefusal::AlreadySeated(seat_name::<G>(own))),
            (Some(Occupant { id: Some(_), login, .. }), None) => {
                return Err(TableRefusal::SeatTaken(name, login.clone()));
            }
            (Some(Occupant { computer: Some(_), .. }), None) => return Err(TableRefusal::ComputerHasSeat(name)),
            (Some(Occupant { id: None, .. }), None) => true,
            (None, None) => match event.kind {
                EventKind::New { .. } | EventKind::Join | EventKind::Move { .. } => true,
                _ => return Err(TableRefusal::NotSeated),
            },
        };
        self.set(seat, Some(Occupant::person(event.by, login)));
        Ok(has_come)
    }
}
