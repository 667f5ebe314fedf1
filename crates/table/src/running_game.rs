//! [`RunningGame`]: the short file of a game in progress, `running/42.json`.
//!
//! A list of games reads these files instead of the records, which are longer. A commit that changes whose turn it is writes the
//! file, and the commit that ends the game deletes it.

use game::contract::Game;
use game::engine::Level;
use game::seat::Seat;
use games::registry::GameVariant;
use serde::{Deserialize, Serialize};

use crate::any_table::{AnyTable, with_table};
use crate::game_state::TableStatus;
use crate::history::Occupant;
use crate::ids::{IssueNumber, UserId};
use crate::invalid_file::InvalidFile;
use crate::pretty;
use crate::table::Table;
use crate::talk::comment::{Author, is_login};
use crate::timestamp::Timestamp;

/// The limit on a file, in bytes.
const MAX_BYTES: usize = 2_000;

/// A game in progress, as lists show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RunningGame {
    /// The issue of the table.
    pub issue: IssueNumber,
    /// The name of the game or variant, such as `chess`.
    pub game: String,
    /// The players by side, `None` for an open seat; `None` as a whole for games that anyone plays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players: Option<[Option<RunningPlayer>; 2]>,
    /// The side to move: 0 for the first, 1 for the second.
    pub turn: usize,
    /// When the turn began.
    pub since: Timestamp,
    /// When the player to move runs out of time; `None` without a clock, or if it isn't running.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Timestamp>,
    /// The number of moves so far.
    pub moves: usize,
}

/// A player of a game in progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunningPlayer {
    /// The username, or the name of the computer.
    pub name: String,
    /// The numeric user ID; `None` for the computer, and for people who were invited and haven't joined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<UserId>,
}

impl RunningGame {
    /// Returns the entry of a table; `None` unless its game is in progress.
    pub fn from_table(table: &AnyTable) -> Option<RunningGame> {
        let game = table.variant();
        with_table!(table, table => running_game(table, game))
    }

    /// Parses a file.
    ///
    /// # Errors
    /// Returns an error if the file isn't one that [`RunningGame::to_json`] could have written for this issue.
    pub fn parse(text: &str, issue: IssueNumber) -> Result<RunningGame, InvalidFile> {
        if text.len() > MAX_BYTES {
            return Err(format!("it has more than {MAX_BYTES} bytes").into());
        }
        let game: RunningGame =
            serde_json::from_str(text).map_err(|error| InvalidFile::from(pretty::error_message(&error)))?;
        if game.issue != issue || !game.is_valid() {
            return Err("it isn't the file of a game in progress".into());
        }
        Ok(game)
    }

    /// Whether the entry of a file names a game, a side, and players that exist.
    pub fn is_valid(&self) -> bool {
        let mut players = self.players.iter().flatten().flatten();
        self.turn <= 1 && self.variant().is_some() && players.all(|player| is_player_name(&player.name))
    }

    /// Returns the file's text.
    pub fn to_json(&self) -> String {
        pretty::to_text(self)
    }

    /// Returns the game or variant; `None` only before the file is checked.
    pub fn variant(&self) -> Option<GameVariant> {
        GameVariant::from_name(&self.game)
    }

    /// Returns the side to move.
    pub fn side_to_move(&self) -> Seat {
        if self.turn == 0 { Seat::First } else { Seat::Second }
    }

    /// Returns the player of a side; `None` if the seat is open, or if anyone plays.
    pub fn player(&self, seat: Seat) -> Option<&RunningPlayer> {
        self.players.as_ref()?[seat.index()].as_ref()
    }

    /// Whether anyone may join or move.
    pub fn has_open_seat(&self) -> bool {
        self.players.as_ref().is_none_or(|players| players.iter().any(Option::is_none))
    }

    /// Returns the side that a person plays or is invited to; `None` if they aren't in this game.
    pub fn seat_of(&self, person: &Author) -> Option<Seat> {
        let is_them = |player: &RunningPlayer| match player.id {
            Some(id) => id == person.id,
            None => player.name.eq_ignore_ascii_case(&person.login),
        };
        Seat::BOTH.into_iter().find(|seat| self.player(*seat).is_some_and(is_them))
    }
}

/// Whether a text is a username or the name of the computer.
pub fn is_player_name(text: &str) -> bool {
    is_login(text) || text == Occupant::computer(Level::MEDIUM).name()
}

fn running_game<G: Game>(table: &Table<G>, game: GameVariant) -> Option<RunningGame> {
    if table.status() != TableStatus::Playing {
        return None;
    }
    let seat = table.player_to_move();
    let player = |occupant: &Occupant| {
        let is_listed = occupant.computer.is_some() || is_login(&occupant.login);
        is_listed.then(|| RunningPlayer { name: occupant.name().to_owned(), id: occupant.id })
    };
    let players = Seat::BOTH.map(|seat| table.occupant(seat).and_then(player));
    let since = table.state().turn_started_at();
    let is_waiting = table.occupants().is_occupied(seat);
    let left = table.state().time_left(since).filter(|_| is_waiting);
    Some(RunningGame {
        issue: table.issue(),
        game: game.name().to_owned(),
        players: if table.terms().open.is_some() { None } else { Some(players) },
        turn: seat.index(),
        since,
        deadline: left.map(|left| since + left),
        moves: table.plies().len(),
    })
}
