//! The players of a table: in its seats, or moving for either side at an open table.

use std::collections::BTreeMap;

use game::{Info, Level, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::timeline::Timeline;
use crate::{Author, CrowdRefusal, Event, EventKind, Mover, SeatRefusal, TableRefusal, UserId, is_login};

/// The computer's name in answers and files. No username has a space.
pub const COMPUTER_NAME: &str = "the computer";
/// The name of a crowd in answers and files.
pub const CROWD_NAME: &str = "the crowd";

/// A player at a seat, or the person that the seat is reserved for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "PlayerFields", into = "PlayerFields")]
pub enum Player {
    /// A person who has commented in this round.
    Person(Person),
    /// A person who played the round before. The seat is reserved for them until they comment.
    Returning(Person),
    /// Somebody who was invited. The seat is reserved for the account with this username when it first comments.
    Invited(String),
    /// The computer.
    Computer(Level),
    /// Everybody who votes.
    Crowd,
}

/// A person who plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// The numeric user ID, which identifies the person.
    pub id: UserId,
    /// The username, for display only.
    pub login: String,
}

impl Player {
    /// Creates a person with this ID.
    pub fn person(id: UserId, login: &str) -> Player {
        Player::Person(Person { id, login: login.to_owned() })
    }

    /// Creates a reservation for the person with this username.
    pub fn invited(login: &str) -> Player {
        Player::Invited(login.to_owned())
    }

    /// Returns the person with their ID; `None` for the computer and a crowd, and before an invited person has come.
    pub fn known_person(&self) -> Option<&Person> {
        match self {
            Player::Person(person) | Player::Returning(person) => Some(person),
            Player::Invited(_) | Player::Computer(_) | Player::Crowd => None,
        }
    }

    /// Returns the person's ID; `None` for the computer and a crowd, and before an invited person has come.
    pub fn id(&self) -> Option<UserId> {
        Some(self.known_person()?.id)
    }

    /// Returns the person's username; `None` for the computer and a crowd.
    pub fn login(&self) -> Option<&str> {
        match self {
            Player::Invited(login) => Some(login),
            player => Some(&player.known_person()?.login),
        }
    }

    /// Returns the computer's level; `None` for anybody else.
    pub fn level(&self) -> Option<Level> {
        match self {
            Player::Computer(level) => Some(*level),
            _ => None,
        }
    }

    /// Returns the name without markup: the username, `the computer` or `the crowd`.
    pub fn name(&self) -> &str {
        self.login().unwrap_or(if *self == Player::Crowd { CROWD_NAME } else { COMPUTER_NAME })
    }

    /// Returns the name for a picture or a list: the username, or `computer, level 3`.
    pub fn name_with_level(&self) -> String {
        match self.level() {
            Some(level) => format!("computer, level {}", level.number()),
            None => self.name().to_owned(),
        }
    }

    /// Whether the seat is only reserved: its player hasn't commented in this round yet.
    pub fn is_reserved(&self) -> bool {
        matches!(self, Player::Returning(_) | Player::Invited(_))
    }
}

/// A player at a seat. Without an `id`, the seat is reserved for the account with this `login` when it first comments. With
/// `kept`, it is reserved for the account with this `id`. The computer has a level, but neither `id` nor `login`, and
/// a crowd has only `crowd`. This version of the format may gain other kinds of players, each with a field that says what they are.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "struct Occupant")]
#[schemars(rename = "Occupant")]
pub(crate) struct PlayerFields {
    /// The numeric user id, which identifies the player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<UserId>,
    /// The username, for display only.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    login: String,
    /// Whether the seat is reserved for this player after a rematch, until they comment.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    kept: bool,
    /// The level, if the computer has this seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    computer: Option<Level>,
    /// Whether a crowd has this seat.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    crowd: bool,
}

impl TryFrom<PlayerFields> for Player {
    /// What is wrong. The path of the player comes before it.
    type Error = &'static str;

    fn try_from(fields: PlayerFields) -> Result<Player, &'static str> {
        let PlayerFields { id, login, kept, computer, crowd } = fields;
        match (computer, id) {
            _ if crowd => {
                let is_alone = computer.is_none() && id.is_none() && login.is_empty() && !kept;
                if is_alone { Ok(Player::Crowd) } else { Err("` is both a crowd and somebody else") }
            }
            (Some(level), None) if login.is_empty() && !kept => Ok(Player::Computer(level)),
            (Some(_), _) => Err("` is both the computer and a person"),
            (None, _) if !is_login(&login) => Err(".login` isn't a valid username"),
            (None, Some(id)) if kept => Ok(Player::Returning(Person { id, login })),
            (None, Some(id)) => Ok(Player::Person(Person { id, login })),
            (None, None) => Ok(Player::Invited(login)),
        }
    }
}

impl From<Player> for PlayerFields {
    fn from(player: Player) -> PlayerFields {
        PlayerFields {
            id: player.id(),
            login: player.login().unwrap_or_default().to_owned(),
            kept: matches!(player, Player::Returning(_)),
            computer: player.level(),
            crowd: player == Player::Crowd,
        }
    }
}

/// The people at a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Players {
    seats: [Option<Player>; 2],
    /// The people who have moved at an open table.
    movers: Vec<Person>,
}

impl Players {
    /// Returns the player at a seat, or the one it is reserved for; `None` for an open seat.
    pub fn player(&self, seat: Seat) -> Option<&Player> {
        self.seats[seat.index()].as_ref()
    }

    /// Returns the usernames of both players; empty for an open seat and the computer.
    pub fn names(&self) -> [&str; 2] {
        Seat::BOTH.map(|seat| self.player(seat).and_then(Player::login).unwrap_or_default())
    }

    /// Returns the seat that is taken by or reserved for the person with this ID.
    pub fn seat_of(&self, id: UserId) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|seat| self.player(*seat).and_then(Player::id) == Some(id))
    }

    /// Returns a person's seat: their own, or the one reserved for their username if this is their first comment. Returns
    /// `None` for anyone else.
    pub fn seat_of_author(&self, author: &Author) -> Option<Seat> {
        let is_own = |login: &String| login.eq_ignore_ascii_case(&author.login);
        let is_invited = |seat: &Seat| matches!(self.player(*seat), Some(Player::Invited(login)) if is_own(login));
        self.seat_of(author.id).or_else(|| Seat::BOTH.into_iter().find(is_invited))
    }

    /// Whether a seat is taken by a person or the computer, and isn't only reserved by username.
    pub fn is_occupied(&self, seat: Seat) -> bool {
        self.player(seat).is_some_and(|player| !player.is_reserved())
    }

    /// Whether a person, and not the computer, has this seat.
    pub fn has_person(&self, seat: Seat) -> bool {
        matches!(self.player(seat), Some(Player::Person(_)))
    }

    /// Whether a crowd has this seat.
    pub fn has_crowd(&self, seat: Seat) -> bool {
        self.player(seat) == Some(&Player::Crowd)
    }

    /// Returns the computer's level at this seat; `None` if the computer doesn't have it.
    pub fn computer_at(&self, seat: Seat) -> Option<Level> {
        self.player(seat)?.level()
    }

    /// Returns the computer's seat and level; `None` at a table without the computer.
    pub fn computer(&self) -> Option<(Seat, Level)> {
        Seat::BOTH.into_iter().find_map(|seat| Some((seat, self.computer_at(seat)?)))
    }

    /// Returns the username of a player from the previous round who hasn't commented in this one yet, so the seat is
    /// reserved for them. Returns `None` for anyone else.
    pub fn awaited_login(&self, seat: Seat) -> Option<&str> {
        match self.player(seat) {
            Some(Player::Returning(person)) => Some(&person.login),
            _ => None,
        }
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
        let all = self.movers.iter().filter_map(|Person { id, login }| {
            moves.get(id).map(|moves| Mover { id: *id, login: login.clone(), moves: *moves })
        });
        let mut movers: Vec<Mover> = all.collect();
        movers.sort_by_key(|mover| std::cmp::Reverse(mover.moves));
        movers
    }

    /// Returns the username, as of their last event, of a person who has a seat or a move here that still counts; `None`
    /// for anyone else. The record keeps no other usernames, and answers depend only on the record.
    pub fn login_of(&self, id: UserId, timeline: &Timeline) -> Option<&str> {
        let seated = self.seats.iter().flatten().find(|player| player.id() == Some(id));
        let counts = || timeline.plies().any(|ply| ply.event.author == id);
        let moved = || self.movers.iter().find(|mover| mover.id == id && counts()).map(|mover| mover.login.as_str());
        seated.and_then(Player::login).or_else(moved)
    }

    /// Gives a seat to a player, or frees it.
    pub(super) fn set(&mut self, seat: Seat, player: Option<Player>) {
        self.seats[seat.index()] = player;
    }

    /// Remembers a person who moved at an open table.
    pub(super) fn note_mover(&mut self, id: UserId, login: &str) {
        match self.movers.iter_mut().find(|mover| mover.id == id) {
            Some(known) => login.clone_into(&mut known.login),
            None => self.movers.push(Person { id, login: login.to_owned() }),
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
        let has_joined = match (self.player(seat), self.seat_of(event.author)) {
            (Some(Player::Returning(_)), Some(own)) if own == seat => true,
            (_, Some(own)) if own == seat && event.kind != EventKind::Join => false,
            (_, Some(own)) => return Err(TableRefusal::Seat(SeatRefusal::AlreadySeated(game.seat_name(own)))),
            (Some(Player::Person(person) | Player::Returning(person)), None) => {
                return Err(TableRefusal::Seat(SeatRefusal::Taken(name, person.login.clone())));
            }
            (Some(Player::Computer(level)), None) => {
                return Err(TableRefusal::Seat(SeatRefusal::Computer(name, *level)));
            }
            (Some(Player::Crowd), None) => return Err(CrowdRefusal::NoSeats.into()),
            (Some(Player::Invited(_)), None) => true,
            (None, None) => match event.kind {
                EventKind::New { .. } | EventKind::Join | EventKind::Move { .. } => true,
                _ => return Err(SeatRefusal::NotSeated.into()),
            },
        };
        self.set(seat, Some(Player::person(event.author, login)));
        Ok(has_joined)
    }
}
