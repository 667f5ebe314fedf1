//! The result of a finished game, as far as it counts.

use game::contract::Game;
use game::engine::Level;
use game::options::Options;
use game::seat::Seat;
use games::registry::GameKind;
use table::any_table::{AnyTable, with_table};
use table::game_state::TableStatus;
use table::history::EventKind;
use table::table::Table;
use table::talk::comment::{Millis, is_login};
use table::terms::Mover;

/// The number of movers of an open table who are credited.
pub const MAX_CREDITED_MOVERS: usize = 50;
/// The name of the results of open tables among the kinds of games.
pub const OPEN_KIND: &str = "open";
/// The name of the wins against the computer among the kinds of games.
pub const COMPUTER_KIND: &str = "computer";

/// The part of a finished game that counts.
#[derive(Debug)]
pub struct TableResult {
    /// The time at which the game ended.
    pub ended_at: Millis,
    /// The people whom it counts for.
    pub participants: Participants,
}

/// The people whom a result counts for.
#[derive(Debug)]
pub enum Participants {
    /// Two people at their seats, and the seat that won; `None` for a draw.
    Seated {
        /// The game.
        kind: GameKind,
        /// The players, in the order of their seats.
        players: [RatedPlayer; 2],
        /// The winner's seat.
        winner: Option<Seat>,
    },
    /// Those movers of an open table who are credited.
    Open(Vec<Mover>),
    /// Somebody who has beaten the computer: their seat, and its level.
    Computer {
        /// The game.
        kind: GameKind,
        /// The winner.
        player: RatedPlayer,
        /// The winner's seat.
        seat: Seat,
        /// The level of the computer.
        level: Level,
    },
}

/// A person whom a result counts for.
#[derive(Debug)]
pub struct RatedPlayer {
    pub(crate) id: u64,
    /// The username.
    pub login: String,
}

impl TableResult {
    /// Returns the kind of result, as the files name it.
    pub(crate) fn kind(&self) -> &'static str {
        match &self.participants {
            Participants::Seated { kind, .. } => kind.info().name,
            Participants::Open(_) => OPEN_KIND,
            Participants::Computer { .. } => COMPUTER_KIND,
        }
    }

    /// Lists the names of the files that are touched: the ranking first, then the people.
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

/// Returns the result of a table; `None` if the game is still running or doesn't count.
pub fn result_of(table: &AnyTable) -> Option<TableResult> {
    with_table!(table, record => table_result(record, table.kind()))
}

fn table_result<G: Game>(record: &Table<G>, kind: GameKind) -> Option<TableResult> {
    let winner = match record.status() {
        TableStatus::Won(seat) => Some(seat),
        TableStatus::Draw => None,
        TableStatus::Playing | TableStatus::Aborted | TableStatus::Moved(_) => return None,
    };
    let ended = record.history().last()?.timestamp;
    // A game that has its number was counted when it ended, maybe under older rules. It stays counted.
    if record.result_number().is_none() && !may_count(record, winner) {
        return None;
    }
    let participants = match record.terms().open {
        Some(_) => {
            let mut movers = record.movers();
            movers.truncate(MAX_CREDITED_MOVERS);
            let known = !movers.is_empty() && movers.iter().all(|mover| is_login(&mover.login));
            known.then_some(Participants::Open(movers))?
        }
        None if record.occupants().computer().is_some() => computer_win(record, kind, winner)?,
        None => Participants::Seated {
            kind,
            players: [rated_player(record, Seat::First)?, rated_player(record, Seat::Second)?],
            winner,
        },
    };
    Some(TableResult { ended_at: ended, participants })
}

/// Whether a finished game may count: nobody chose its starting position, and its loser has moved.
fn may_count<G: Game>(record: &Table<G>, winner: Option<Seat>) -> bool {
    // At an open table a side has no player who could lose.
    let loser = winner.map(Seat::other).filter(|_| record.terms().open.is_none());
    !G::has_custom_start(record.config()) && loser.is_none_or(|loser| record.has_ever_moved(loser))
}

/// Returns the people who beat the computer. `None` if they lost, or if it was made easy: by taking moves back, by hints, by an
/// unusual board, or with a position that a person had played.
fn computer_win<G: Game>(record: &Table<G>, kind: GameKind, winner: Option<Seat>) -> Option<Participants> {
    let (other, level) = record.occupants().computer()?;
    let seat = winner.filter(|winner| *winner == other.other())?;
    let took_back = record.history().iter().any(|event| matches!(event.kind, EventKind::Undo { .. }));
    let usual =
        G::configure(&mut Options::default()).is_ok_and(|usual| usual == G::without_display_options(record.config()));
    let own = record.plies().all(|ply| ply.by_computer == (ply.seat == other));
    let counts = own && !took_back && !record.timeline().has_used_hint() && (usual || G::HAS_DICE);
    let player = rated_player(record, seat).filter(|_| counts)?;
    Some(Participants::Computer { kind, player, seat, level })
}

fn rated_player<G: Game>(record: &Table<G>, seat: Seat) -> Option<RatedPlayer> {
    let sitter = record.occupant(seat).filter(|sitter| !sitter.is_reserved())?;
    is_login(&sitter.login).then_some(RatedPlayer { id: sitter.id?, login: sitter.login.clone() })
}
