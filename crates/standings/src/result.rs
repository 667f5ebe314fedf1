//! The result of a finished game, and whether it counts.

use game::{Level, Seat};
use games::{GameKind, GameVariant};
use serde::{Deserialize, Serialize};
use table::{EventKind, MadeBy, Mover, Person, Player, RatingChange, Table, TableStatus, Timestamp, is_login};

/// The maximum number of people who are credited at an open table.
pub const MAX_CREDITED_MOVERS: usize = 50;
/// The name of the kind of results from open tables.
pub const OPEN_KIND: &str = "open";
/// The name of the kind of results against the computer.
pub const COMPUTER_KIND: &str = "computer";

/// The result of a finished game that counts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TableResult {
    /// The time when the game ended.
    pub ended_at: Timestamp,
    /// The people for whom it counts.
    pub participants: Participants,
    /// The changes of the ratings that the record states, in the order of the seats; `None` if it states none.
    pub rating_changes: Option<[RatingChange; 2]>,
}

/// The people for whom a result counts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Participants {
    /// Two people who played each other.
    Seated {
        /// The game or variant.
        game: GameVariant,
        /// The players, in the order of their seats.
        players: [Person; 2],
        /// The winner's seat; `None` for a draw.
        winner: Option<Seat>,
    },
    /// The people who are credited at an open table.
    Open(Vec<Mover>),
    /// A person who has beaten the computer.
    Computer {
        /// The game.
        kind: GameKind,
        /// The winner.
        player: Person,
        /// The level of the computer.
        level: Level,
    },
}

impl TableResult {
    /// Returns the name of the result's kind, which is also the name of its ranking's file.
    pub(crate) fn kind(&self) -> &'static str {
        match &self.participants {
            Participants::Seated { game, .. } => game.name(),
            Participants::Open(_) => OPEN_KIND,
            Participants::Computer { .. } => COMPUTER_KIND,
        }
    }

    /// Returns the names of the files that counting changes: the ranking first, then the people.
    pub(crate) fn file_names(&self) -> Vec<String> {
        let mut names = vec![self.kind().to_owned()];
        match &self.participants {
            Participants::Seated { players, .. } => names.extend(players.iter().map(|person| person.id.to_string())),
            Participants::Open(movers) => names.extend(movers.iter().map(|mover| mover.id.to_string())),
            Participants::Computer { player, .. } => names.push(player.id.to_string()),
        }
        names
    }
}

/// Returns the result of a table; `None` if the game is in progress or doesn't count.
pub fn result_of(record: &Table) -> Option<TableResult> {
    let winner = match record.status() {
        TableStatus::Won(seat) => Some(seat),
        TableStatus::Draw => None,
        TableStatus::Playing | TableStatus::Aborted | TableStatus::Moved(_) => return None,
    };
    let ended = record.history().last()?.timestamp;
    if !may_count(record, winner) {
        return None;
    }
    let participants = match record.terms().open {
        Some(_) => {
            let mut movers = record.movers();
            movers.truncate(MAX_CREDITED_MOVERS);
            let known = !movers.is_empty() && movers.iter().all(|mover| is_login(&mover.login));
            if !known {
                return None;
            }
            Participants::Open(movers)
        }
        None if record.players().computer().is_some() => {
            let (player, level) = computer_win(record, winner?).filter(|(_, level)| *level > Level::LEARNING)?;
            Participants::Computer { kind: record.kind(), player, level }
        }
        None => Participants::Seated {
            game: record.variant(),
            players: [rated_player(record, Seat::First)?, rated_player(record, Seat::Second)?],
            winner,
        },
    };
    Some(TableResult { ended_at: ended, participants, rating_changes: record.rating_changes() })
}

/// Whether a finished game may count: it isn't casual, nobody chose its starting position, and its loser has moved. For
/// a draw, both players must have moved.
fn may_count(record: &Table, winner: Option<Seat>) -> bool {
    let must_have_moved = match winner {
        // At an open table, nobody loses.
        _ if record.terms().open.is_some() => Vec::new(),
        Some(winner) => vec![winner.other()],
        None => Seat::BOTH.to_vec(),
    };
    !record.terms().casual
        && !record.game().has_custom_start()
        && must_have_moved.into_iter().all(|seat| record.has_ever_moved(seat))
}

/// Returns the level of the computer that a person beat; `None` if they didn't, or if the win doesn't count as beating a level.
///
/// Level 0 is for practice: it's returned, but [`result_of`] doesn't count it.
pub fn beaten_level(record: &Table) -> Option<Level> {
    let TableStatus::Won(winner) = record.status() else { return None };
    if may_count(record, Some(winner)) { computer_win(record, winner).map(|(_, level)| level) } else { None }
}

/// Returns the person who beat the computer, and its level; `None` if they didn't win, or if the win doesn't count. It counts
/// only if nobody took a move back, the player used no hint, the computer played its side from the start, and the board was the
/// usual one or has dice.
fn computer_win(record: &Table, winner: Seat) -> Option<(Person, Level)> {
    let (computer_seat, level) = record.players().computer()?;
    let took_back = record.history().iter().any(|event| matches!(event.kind, EventKind::Undo { .. }));
    let played_own_side = record.plies().all(|ply| (ply.made_by == MadeBy::Computer) == (ply.seat == computer_seat));
    let counts = winner != computer_seat
        && played_own_side
        && !took_back
        && !record.timeline().has_used_hint()
        && (record.game().has_usual_settings() || record.game().has_dice());
    if counts { Some((rated_player(record, winner)?, level)) } else { None }
}

fn rated_player(record: &Table, seat: Seat) -> Option<Person> {
    match record.player(seat)? {
        Player::Person(person) if is_login(&person.login) => Some(person.clone()),
        _ => None,
    }
}
