//! [`GameSummary`]: the summary of a game in progress, `running/42.json`.
//!
//! A list of games reads these files instead of the records, which are longer. A commit that changes whose turn it is writes the
//! file, and the commit that ends the game deletes it.

use std::ops::RangeInclusive;

use game::Seat;
use games::GameVariant;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::absence::run_out;
use crate::{
    Absence, Absences, Author, COMPUTER_NAME, CROWD_NAME, InvalidFile, IssueNumber, RepositoryId, Table, TableStatus,
    Timestamp, UserId, is_login, json,
};

/// The maximum size of a file, in bytes.
const MAX_BYTES: usize = 8_000;

/// A game in progress, as lists show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GameSummary {
    /// The issue of the table.
    pub issue: IssueNumber,
    /// The repository that the table belongs to, as in its record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository: Option<RepositoryId>,
    /// The name of the game or variant, such as `chess`.
    pub game: String,
    /// The players by side, with `None` for an open seat. The whole field is `None` at an open table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players: Option<[Option<RunningPlayer>; 2]>,
    /// The side to move: 0 for the first, 1 for the second.
    pub turn: usize,
    /// When the turn began for the player to move.
    pub since: Timestamp,
    /// When the player to move runs out of time, without counting time away; `None` without a clock, or if it isn't running.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Timestamp>,
    /// When the votes of a crowd are counted; `None` if it isn't a crowd's turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub votes_end: Option<Timestamp>,
    /// The number of moves so far.
    pub moves: usize,
    /// Whether the player to move has never moved in this round, so they can't run out of time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_first_turn: bool,
    /// When a daily run first missed the table's issue; `None` if the last one found it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing_since: Option<Timestamp>,
}

/// A player of a game in progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunningPlayer {
    /// The username, or the name of the computer or a crowd.
    pub name: String,
    /// The numeric user ID; `None` for the computer and a crowd, and for people who were invited and haven't joined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<UserId>,
    /// The player's times away that end after the turn began, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub away: Vec<Absence>,
}

impl GameSummary {
    /// Returns the entry of a table; `None` unless its game is in progress.
    pub fn from_table(table: &Table) -> Option<GameSummary> {
        if table.status() != TableStatus::Playing {
            return None;
        }
        let seat = table.player_to_move();
        let since = table.state().turn_started_at();
        let player = |seat: Seat| {
            let player = table.player(seat).filter(|player| is_player_name(player.name()))?;
            let away = table.state().absences_at(seat).filter(|absence| absence.until > since).copied().collect();
            Some(RunningPlayer { name: player.name().to_owned(), id: player.id(), away })
        };
        let players = Seat::BOTH.map(player);
        let is_waiting = table.players().is_occupied(seat);
        let clock = table.state().turn_clock().filter(|_| is_waiting);
        Some(GameSummary {
            issue: table.issue(),
            repository: table.repository(),
            game: table.variant().name().to_owned(),
            players: if table.terms().open.is_some() { None } else { Some(players) },
            turn: seat.index(),
            since,
            deadline: clock.as_ref().map(|clock| since + clock.per_move + clock.bank),
            votes_end: table.votes_end(),
            moves: table.plies().len(),
            // Nobody's clock says anything before both have moved.
            is_first_turn: clock.is_some() && !table.has_ever_moved(seat),
            missing_since: None,
        })
    }

    /// Parses a file.
    ///
    /// # Errors
    /// Returns an error if the file isn't one that [`GameSummary::to_json`] could have written for this issue.
    pub fn parse(text: &str, issue: IssueNumber) -> Result<GameSummary, InvalidFile> {
        if text.len() > MAX_BYTES {
            return Err(format!("it has more than {MAX_BYTES} bytes").into());
        }
        let game: GameSummary =
            serde_json::from_str(text).map_err(|error| InvalidFile::from(json::error_message(&error)))?;
        if game.issue != issue || !game.is_valid() {
            return Err("it isn't the file of a game in progress".into());
        }
        Ok(game)
    }

    /// Whether the game and the side exist, and the players' names are valid.
    pub fn is_valid(&self) -> bool {
        let mut players = self.players.iter().flatten().flatten();
        self.turn <= 1 && self.variant().is_some() && players.all(|player| is_player_name(&player.name))
    }

    /// Returns the file's text.
    pub fn to_json(&self) -> String {
        json::to_text(self)
    }

    /// Returns the game or variant. `None` is only possible before [`GameSummary::is_valid`] has checked the file.
    pub fn variant(&self) -> Option<GameVariant> {
        GameVariant::from_name(&self.game)
    }

    /// Returns the side to move.
    pub fn side_to_move(&self) -> Seat {
        if self.turn == 0 { Seat::First } else { Seat::Second }
    }

    /// Returns the person whose turn it is; `None` if it's the computer, somebody who was invited, or anyone.
    pub fn waits_for(&self) -> Option<UserId> {
        self.player(self.side_to_move())?.id
    }

    /// Whether this is the file of a table's current turn.
    pub fn is_of_turn(&self, table: &Table) -> bool {
        (self.turn, self.moves) == (table.player_to_move().index(), table.plies().len())
    }

    /// Returns when the player to move runs out of time, including time away; `None` without a running clock.
    pub fn runs_out_at(&self) -> Option<Timestamp> {
        let away = self.player(self.side_to_move()).map_or(&[][..], |player| &player.away);
        self.deadline.map(|deadline| run_out(away, self.since, deadline.since(self.since)))
    }

    /// Returns the times away of both players.
    pub fn absences(&self) -> Absences {
        let mut absences = Absences::default();
        for player in self.players.iter().flatten().flatten() {
            if let Some(id) = player.id {
                absences.extend(id, player.away.iter().copied());
            }
        }
        absences
    }

    /// Returns a table with what only this file says: when its players are away, and when the current turn began for the player to
    /// move, if they learned of it late.
    pub fn complete(&self, table: Table) -> Table {
        let start = if self.is_of_turn(&table) { self.since } else { Timestamp::EPOCH };
        table.with_absences(self.absences()).with_clock_start(start)
    }

    /// Whether a person has a seat.
    pub fn has_player(&self, id: UserId) -> bool {
        self.players.iter().flatten().flatten().any(|player| player.id == Some(id))
    }

    /// Replaces a person's absences, and drops the ones that ended before the turn began.
    pub fn set_absences(&mut self, person: UserId, absences: &[Absence]) {
        let since = self.since;
        for player in self.players.iter_mut().flatten().flatten().filter(|player| player.id == Some(person)) {
            player.away = absences.iter().filter(|absence| absence.until > since).copied().collect();
        }
    }

    /// Returns a person's absences that this file has.
    pub fn absences_of(&self, person: UserId) -> &[Absence] {
        let mut players = self.players.iter().flatten().flatten();
        players.find(|player| player.id == Some(person)).map_or(&[], |player| &player.away)
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

/// Whether a text is a username, or the name of the computer or a crowd.
pub fn is_player_name(text: &str) -> bool {
    is_login(text) || text == COMPUTER_NAME || text == CROWD_NAME
}

// The change of a player's rating by a counted result.

/// The range of ratings.
const RATINGS: RangeInclusive<f64> = 0.0..=5000.0;
/// The range of deviations.
const DEVIATIONS: RangeInclusive<f64> = 0.0..=350.0;
/// The rating deviation above which a rating is provisional.
const PROVISIONAL_DEVIATION: f64 = 110.0;

/// The change of a player's Glicko-2 rating by one game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RatingChange {
    /// The rating before the game.
    pub before: f64,
    /// The rating after the game.
    pub after: f64,
    /// The standard deviation of the rating after the game.
    pub deviation: f64,
}

impl RatingChange {
    /// Whether the numbers are in range. A recount of the standings checks the exact values.
    pub(super) fn is_in_range(&self) -> bool {
        RATINGS.contains(&self.before) && RATINGS.contains(&self.after) && DEVIATIONS.contains(&self.deviation)
    }

    /// Whether the rating is still provisional after the game.
    pub fn is_provisional(&self) -> bool {
        is_provisional(self.deviation)
    }
}

/// Whether a rating with this deviation is provisional.
pub fn is_provisional(deviation: f64) -> bool {
    deviation > PROVISIONAL_DEVIATION
}
