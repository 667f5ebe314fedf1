//! A table in a few lines: what all pages but its own show of it.

use answers::render::plain;
use answers::sentences;
use game::choice::Level;
use game::contract::Game;
use game::seat::Seat;
use games::registry::Kind;
use table::any::{AnyTable, with_table};
use table::game_state::TableStatus;
use table::history::Sitter;
use table::table::Table;
use table::talk::comment::Millis;

/// Who sits at a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sitting {
    /// Nobody yet, or anybody at an open table.
    Nobody,
    /// Somebody who has still to come.
    Expected(String),
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
    pub kind: Kind,
    /// The setup, where there is something to choose: `3x3, 3 in a row`.
    pub setup: Option<String>,
    /// Who sits at the seats.
    pub seats: [Sitting; 2],
    /// Those who have moved at an open table: id, login and moves, the busiest first. `None` at a table with seats.
    pub movers: Option<Vec<(u64, String, usize)>>,
    /// The state of the game.
    pub status: TableStatus,
    /// The seat on turn.
    pub to_move: Seat,
    /// The time since which it has been on turn.
    pub since: Millis,
    /// The time at which the round was opened.
    pub began: Millis,
    /// The time of the last event.
    pub last: Millis,
    /// The day on which an imported game was played, as far as it is known: `2020-05`, or empty. `None` for a game of this repository.
    pub imported_day: Option<String>,
    /// The number of plies that count.
    pub plies: usize,
    /// The end of the game, as a sentence.
    pub ending: String,
}

impl Entry {
    /// Returns the entry of a table.
    pub fn of(table: &AnyTable) -> Entry {
        let kind = table.kind();
        with_table!(table, table => entry(table, kind))
    }

    /// Returns the name of its files, without an end: `42-1`. It never changes.
    pub fn name(&self) -> String {
        format!("{}-{}", self.issue, self.round)
    }

    /// Returns the path of its page below the top of the site.
    pub fn path(&self) -> String {
        format!("games/{}.html", self.name())
    }

    /// Returns the path of the picture of its board, on sites that have such pictures.
    pub fn picture(&self) -> String {
        format!("games/{}.png", self.name())
    }

    /// Tests if it has ended with somebody's win or a draw.
    pub fn has_result(&self) -> bool {
        matches!(self.status, TableStatus::Won(_) | TableStatus::Draw)
    }

    /// Returns the name of whoever is at a seat, in words.
    pub fn player(&self, seat: Seat) -> String {
        match &self.seats[seat.index()] {
            Sitting::Nobody if self.movers.is_some() => "anyone".to_owned(),
            Sitting::Nobody => "open seat".to_owned(),
            Sitting::Expected(login) | Sitting::Person(_, login) => login.clone(),
            Sitting::Computer(level) => format!("computer, level {}", level.number()),
        }
    }

    /// Returns the name of a side as people read it: `White`.
    pub fn side(&self, seat: Seat) -> String {
        self.kind.info().side(seat)
    }

    /// Returns the title: `Chess: alice – bob`.
    pub fn title(&self) -> String {
        let title = self.kind.info().title;
        match self.movers {
            Some(_) => format!("{title}: open table #{}", self.issue),
            None => format!("{title}: {} – {}", self.player(Seat::First), self.player(Seat::Second)),
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

fn entry<G: Game>(table: &Table<G>, kind: Kind) -> Entry {
    let open = table.terms().open.is_some();
    let sitting = |seat| match table.sitter(seat) {
        None => Sitting::Nobody,
        Some(Sitter { computer: Some(level), .. }) => Sitting::Computer(*level),
        Some(Sitter { id: Some(id), login, kept: false, .. }) => Sitting::Person(*id, login.clone()),
        Some(sitter) => Sitting::Expected(sitter.login.clone()),
    };
    let movers = || table.movers().into_iter().map(|mover| (mover.id, mover.login, mover.moves)).collect();
    Entry {
        issue: table.issue(),
        round: table.round(),
        kind,
        setup: G::setup(table.config()),
        seats: Seat::BOTH.map(sitting),
        movers: open.then(movers),
        status: table.status(),
        to_move: table.to_move(),
        since: table.state().turn_since(),
        began: table.history().first().map_or(0, |event| event.timestamp),
        last: table.history().last().map_or(0, |event| event.timestamp),
        imported_day: table.imported().map(|imported| imported.day().unwrap_or_default()),
        plies: table.plies().len(),
        ending: plain(&sentences::ending(table)),
    }
}
