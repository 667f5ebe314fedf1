//! The people at a table: in its seats, or moving for either side at an open table.

use std::collections::BTreeMap;

use game::{Info, Level, Seat};

use crate::timeline::Timeline;
use crate::{Author, Event, EventKind, Mover, Occupant, SeatRefusal, TableRefusal, UserId};

/// The people at a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Occupants {
    seats: [Option<Occupant>; 2],
    /// The people who have moved at an open table: their IDs and usernames.
    movers: Vec<(UserId, String)>,
}

impl Occupants {
    /// Returns the player at a seat, or the one it is reserved for; `None` for an open seat.
    pub fn occupant(&self, seat: Seat) -> Option<&Occupant> {
        self.seats[seat.index()].as_ref()
    }

    /// Returns the usernames of both players; empty for an open seat and the computer.
    pub fn names(&self) -> [&str; 2] {
        Seat::BOTH.map(|seat| self.occupant(seat).map_or("", |occupant| occupant.login.as_str()))
    }

    /// Returns the seat that is taken by or reserved for the person with this ID.
    pub fn seat_of(&self, id: UserId) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|seat| self.occupant(*seat).is_some_and(|occupant| occupant.id == Some(id)))
    }

    /// Returns a person's seat: their own, or the one reserved for their username if this is their first comment. Returns
    /// `None` for anyone else.
    pub fn seat_of_author(&self, author: &Author) -> Option<Seat> {
        let is_reserved = |seat: &Seat| {
            self.occupant(*seat).is_some_and(|occupant| {
                let is_awaited = occupant.id.is_none() && occupant.computer.is_none();
                is_awaited && occupant.login.eq_ignore_ascii_case(&author.login)
            })
        };
        self.seat_of(author.id).or_else(|| Seat::BOTH.into_iter().find(is_reserved))
    }

    /// Whether a seat is taken by a person or the computer, and isn't only reserved by username.
    pub fn is_occupied(&self, seat: Seat) -> bool {
        self.occupant(seat).is_some_and(|occupant| !occupant.is_reserved())
    }

    /// Whether a person, and not the computer, has this seat.
    pub fn has_person(&self, seat: Seat) -> bool {
        self.is_occupied(seat) && self.computer_at(seat).is_none()
    }

    /// Returns the computer's level at this seat; `None` if the computer doesn't have it.
    pub fn computer_at(&self, seat: Seat) -> Option<Level> {
        self.occupant(seat)?.computer
    }

    /// Returns the computer's seat and level; `None` at a table without the computer.
    pub fn computer(&self) -> Option<(Seat, Level)> {
        Seat::BOTH.into_iter().find_map(|seat| Some((seat, self.computer_at(seat)?)))
    }

    /// Returns the username of a player from the previous round who hasn't commented in this one yet, so the seat is
    /// reserved for them. Returns `None` for anyone else.
    pub fn awaited_login(&self, seat: Seat) -> Option<&str> {
        self.occupant(seat).filter(|occupant| occupant.reserved).map(|occupant| occupant.login.as_str())
    }

    /// Returns the refusal of a request when the opponent's seat isn't taken.
    pub fn no_opponent_refusal(&self, seat: Seat) -> TableRefusal {
        self.awaited_login(seat.other()).map_or(TableRefusal::Seat(SeatRefusal::NoOpponent), |login| {
            TableRefusal::Seat(SeatRefusal::OpponentNotBack(login.to_owned()))
        })
    }

    /// Returns the people who moved at an open table with the number of their moves that count, the most active
    /// first. Ties keep the order in which people first moved.
    pub fn movers(&self, timeline: &Timeline) -> Vec<Mover> {
        let mut moves = BTreeMap::new();
        for ply in timeline.plies() {
            *moves.entry(ply.event.author).or_default() += 1;
        }
        let all = self.movers.iter().filter_map(|(id, login)| {
            moves.get(id).map(|moves| Mover { id: *id, login: login.clone(), moves: *moves })
        });
        let mut movers: Vec<Mover> = all.collect();
        movers.sort_by_key(|mover| std::cmp::Reverse(mover.moves));
        movers
    }

    /// Returns the username, as of their last event, of a person who has a seat or a move here that still counts; `None`
    /// for anyone else. The record keeps no other usernames, and answers depend only on the record.
    pub fn login_of(&self, id: UserId, timeline: &Timeline) -> Option<&str> {
        let seated = self.seats.iter().flatten().find(|occupant| occupant.id == Some(id));
        let counts = || timeline.plies().any(|ply| ply.event.author == id);
        let moved = || self.movers.iter().find(|(mover, _)| *mover == id && counts()).map(|(_, login)| login.as_str());
        seated.map(|occupant| occupant.login.as_str()).or_else(moved)
    }

    /// Gives a seat to a player, or frees it.
    pub(super) fn set(&mut self, seat: Seat, occupant: Option<Occupant>) {
        self.seats[seat.index()] = occupant;
    }

    /// Remembers a person who moved at an open table.
    pub(super) fn note_mover(&mut self, id: UserId, login: &str) {
        match self.movers.iter_mut().find(|(mover, _)| *mover == id) {
            Some((_, known)) => login.clone_into(known),
            None => self.movers.push((id, login.to_owned())),
        }
    }

    /// Checks that the author of an event has the seat, or gives it to them if the event allows that. Returns whether they
    /// have just joined.
    ///
    /// # Errors
    /// Returns an error if the seat is someone else's, or if the author already has the other one.
    pub(super) fn take_seat(
        &mut self,
        seat: Seat,
        game: &Info,
        event: &Event,
        login: &str,
    ) -> Result<bool, TableRefusal> {
        let name = game.seat_name(seat);
        let has_joined = match (self.occupant(seat), self.seat_of(event.author)) {
            (Some(Occupant { reserved: true, .. }), Some(own)) if own == seat => true,
            (_, Some(own)) if own == seat && event.kind != EventKind::Join => false,
            (_, Some(own)) => return Err(TableRefusal::Seat(SeatRefusal::AlreadySeated(game.seat_name(own)))),
            (Some(Occupant { id: Some(_), login, .. }), None) => {
                return Err(TableRefusal::Seat(SeatRefusal::Taken(name, login.clone())));
            }
            (Some(Occupant { computer: Some(_), .. }), None) => {
                return Err(TableRefusal::Seat(SeatRefusal::Computer(name)));
            }
            (Some(Occupant { id: None, .. }), None) => true,
            (None, None) => match event.kind {
                EventKind::New { .. } | EventKind::Join | EventKind::Move { .. } => true,
                _ => return Err(SeatRefusal::NotSeated.into()),
            },
        };
        self.set(seat, Some(Occupant::person(event.author, login)));
        Ok(has_joined)
    }
}
