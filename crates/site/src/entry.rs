//! A table in a few lines: what all pages but its own show of it.

use answers::render::plain;
use answers::sentences;
use game::contract::Game;
use game::engine::Level;
use game::seat::Seat;
use games::registry::GameKind;
use table::any_table::{AnyTable, with_table};
use table::game_state::TableStatus;
use table::history::Occupant;
use table::table::Table;
use table::talk::comment::Millis;

/// Who sits at a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeatHolder {
    /// Nobody yet, or anybody at an open table.
    Empty,
    /// Somebody who has still to come.
    Reserved(String),
    /// A person: the numeric user id and the login.
    Person(u64, String),
    /// The computer.
    Computer(Level),
}

/// A round at a table.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The number of the issue.
    pub issue: u64,
    /// The number of the round.
    pub round: u32,
    /// The game.
    pub kind: GameKind,
    /// The setup, where there is something to choose: `3x3, 3 in a row`.
    pub setup: Option<String>,
    /// Who sits at the seats.
    pub seats: [SeatHolder; 2],
    /// Those who have moved at an open table: id, login and moves, the busiest first. `None` at a table with seats.
    pub movers: Option<Vec<(u64, String, usize)>>,
    /// The state of the game.
    pub status: TableStatus,
    /// The seat on turn.
    pub player_to_move: Seat,
    /// The time since which it has been on turn.
    pub turn_started_at: Millis,
    /// The time at which the round was opened.
    pub opened_at: Millis,
    /// The time of the last event.
    pub last_event_at: Millis,
    /// The day on which an imported game was played, as far as it is known: `2020-05`, or empty. `None` for a game of this repository.
    pub imported_day: Option<String>,
    /// The number of plies that count.
    pub plies: usize,
    /// The end of the game, as a sentence.
    pub ending: String,
}

impl Entry {
    /// Returns the entry of a table.
    pub fn from_table(table: &AnyTable) -> Entry {
        let kind = table.kind();
        with_table!(table, table => entry(table, kind))
    }

    /// Returns the name of its files, without an end: `42-1`. It never changes.
    pub fn file_stem(&self) -> String {
        format!("{}-{}", self.issue, self.round)
    }

    /// Returns the path of its page below the top of the site.
    pub fn page_path(&self) -> String {
        format!("games/{}.html", self.file_stem())
    }

    /// Returns the path of the picture of its board, on sites that have such pictures.
    pub fn picture_path(&self) -> String {
        format!("games/{}.png", self.file_stem())
    }

    /// Tests if it has ended with somebody's win or a draw.
    pub fn has_result(&self) -> bool {
        matches!(self.status, TableStatus::Won(_) | TableStatus::Draw)
    }

    /// Returns the name of whoever is at a seat, in words.
    pub fn player_name(&self, seat: Seat) -> String {
        match &self.seats[seat.index()] {
            SeatHolder::Empty if self.movers.is_some() => "anyone".to_owned(),
            SeatHolder::Empty => "open seat".to_owned(),
            SeatHolder::Reserved(login) | SeatHolder::Person(_, login) => login.clone(),
            SeatHolder::Computer(level) => format!("computer, level {}", level.number()),
        }
    }

    /// Returns the name of a side as people read it: `White`.
    pub fn side_name(&self, seat: Seat) -> String {
        self.kind.info().side_name(seat)
    }

    /// Returns the title: `Chess: alice – bob`.
    pub fn title(&self) -> String {
        let title = self.kind.info().title;
        match self.movers {
            Some(_) => format!("{title}: open table #{}", self.issue),
            None => format!("{title}: {} – {}", self.player_name(Seat::First), self.player_name(Seat::Second)),
        }
    }

    /// Returns the result as lists show it: `1 – 0`; how it stands where there is none.
    pub fn score(&self) -> &'static str {
        match self.status {
            TableStatus::Won(Seat::First) => "1 – 0",
            TableStatus::Won(Seat::Second) => "0 – 1",
            TableStatus::Draw => "½ – ½",
            TableStatus::Aborted => "no result",
            TableStatus::Moved(_) => "moved",
            TableStatus::Playing => "playing",
        }
    }
}

fn entry<G: Game>(table: &Table<G>, kind: GameKind) -> Entry {
    let open = table.terms().open.is_some();
    let sitting = |seat| match table.occupant(seat) {
        None => SeatHolder::Empty,
        Some(Occupant { computer: Some(level), .. }) => SeatHolder::Computer(*level),
        Some(Occupant { id: Some(id), login, reserved: false, .. }) => SeatHolder::Person(*id, login.clone()),
        Some(sitter) => SeatHolder::Reserved(sitter.login.clone()),
    };
    let movers = || table.movers().into_iter().map(|mover| (mover.id, mover.login, mover.moves)).collect();
    Entry {
        issue: table.issue(),
        round: table.round(),
        kind,
        setup: G::setup_summary(table.config()),
        seats: Seat::BOTH.map(sitting),
        movers: open.then(movers),
        status: table.status(),
        player_to_move: table.player_to_move(),
        turn_started_at: table.state().turn_started_at(),
        opened_at: table.history().first().map_or(0, |event| event.timestamp),
        last_event_at: table.history().last().map_or(0, |event| event.timestamp),
        imported_day: table.imported().map(|imported| imported.date().unwrap_or_default()),
        plies: table.plies().len(),
        ending: plain(&sentences::ending(table)),
    }
}
