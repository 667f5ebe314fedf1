//! The standings: who has played how often, with what result, and how strong they are.
//!
//! A result is counted in the very commit that ends a game, at constant cost: [`needs`] names the few files that have to be
//! read, [`count`] gives the new ones. They are the only memory, and nothing is ever scanned. The records keep the number
//! of their result, so that [`audit::audit`] can count everything anew, with the same code, and compare.
//!
//! What counts:
//!
//! - Every game between two people that ends with a win or a draw counts once, from the very first on, be it decided on the
//!   board, by resigning, by agreement or on time. A match of backgammon is one result. What was aborted does not count, nor
//!   what ended before anybody had taken the second seat. A finished game never changes again; a rematch is a new one.
//! - Ratings are Glicko-2: everybody starts at 1500, with a deviation of 350 and a volatility of 0.06, the system constant
//!   is 0.5, a draw is half a win, and each game is a rating period of its own. What is kept is rounded, and the next game
//!   starts from what was kept. See [`tally`] for the bounds.
//! - The ranking of a game holds a hundred people, the highest cautious rating (the rating less two deviations) first, of
//!   two equals the lower id. A result changes the ranking like this: of those who were in it and the two who have
//!   played, the best hundred stay. While at most a hundred have played, that is everybody in order. Later it can lack
//!   somebody who fell out of it and has a better rating than a member who has lost since then: they are back with
//!   their own next result. Nothing better can be had without looking at everybody.
//! - At an open table nobody has an opponent, so its end changes no rating. It counts as one game and so many moves for
//!   each of its movers, but for the fifty busiest only (of two equals whoever moved first), so that its cost is bounded.
//!   Moves that were taken back do not count. The ranking holds the hundred with the most moves, of equals those with more
//!   games; as nobody ever loses a move, these are exactly the busiest of all.
//! - A person is shown by the newest login: in a ranking the one of their last result of that kind that was counted, in
//!   their own file the one of the game that ended last.

pub mod audit;
pub mod page;
pub mod sheet;
pub mod tally;

use std::collections::BTreeMap;

use crate::game::contract::Game;
use crate::game::seat::Seat;
use crate::games::registry::Kind;
use crate::pages::standings::sheet::path;
use crate::pages::standings::tally::Standings;
use crate::tables::any::{AnyTable, with_table};
use crate::tables::table::{Table, TableStatus};
use crate::tables::terms::Mover;
use crate::talk::comment::{Millis, is_login};

pub use crate::pages::standings::page::markdown;

/// How many movers of an open table are credited.
pub const CREDITED: usize = 50;
/// What the results of open tables are called among the kinds of games.
pub const OPEN: &str = "open";

/// What counting a result comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The number of this result among those of its kind, from 1: it goes into [`Record::counted`].
    pub number: u64,
    /// The new files: their paths below the state directory, and their texts.
    pub files: Vec<(String, String)>,
}

/// The files that counting the result of this table needs, as paths below the state directory. Empty when there is nothing
/// to count: it goes on, was aborted, has been counted, or had one player only.
#[must_use]
pub fn needs(table: &AnyTable) -> Vec<String> {
    match played(table) {
        Some(played) if table.counted().is_none() => played.names().iter().map(|name| path(name)).collect(),
        _ => Vec::new(),
    }
}

/// The files of all rankings, as paths below the state directory: what [`markdown`] shows.
#[must_use]
pub fn rankings() -> Vec<String> {
    Kind::ALL.iter().map(|kind| kind.info().name).chain([OPEN]).map(path).collect()
}

/// Counts the result of a table. `files` has the texts of those that [`needs`] names, as far as they exist.
///
/// # Errors
/// A sentence for the host that names the file that is damaged, or that contradicts another one. Nothing may be written
/// over such a file; `play-by-commit verify --standings` says what would be right.
pub fn count(table: &AnyTable, files: &BTreeMap<String, String>) -> Result<Counted, String> {
    let nothing = || "there is no result to count, or it has been counted".to_owned();
    let played = played(table).filter(|_| table.counted().is_none()).ok_or_else(nothing)?;
    let mut standings = Standings::default();
    for name in played.names() {
        if let Some(text) = files.get(&path(&name)) {
            standings.read(&name, text)?;
        }
    }
    standings.agree(&played)?;
    let number = standings.counted(played.kind()) + 1;
    standings.add(number, &played);
    Ok(Counted { number, files: standings.files() })
}

/// What of a finished game counts.
#[derive(Debug)]
pub(crate) struct Played {
    ended: Millis,
    who: Who,
}

#[derive(Debug)]
enum Who {
    /// Two people at their seats, and the seat that won; nobody did in a draw.
    Seated { kind: Kind, players: [Person; 2], winner: Option<Seat> },
    /// Those movers of an open table who are credited.
    Open(Vec<Mover>),
}

#[derive(Debug)]
struct Person {
    id: u64,
    login: String,
}

impl Played {
    /// The kind of result, as the files name it.
    fn kind(&self) -> &'static str {
        match &self.who {
            Who::Seated { kind, .. } => kind.info().name,
            Who::Open(_) => OPEN,
        }
    }

    /// The names of the files that are touched: the ranking first, then the people.
    fn names(&self) -> Vec<String> {
        let mut names = vec![self.kind().to_owned()];
        match &self.who {
            Who::Seated { players, .. } => names.extend(players.iter().map(|person| person.id.to_string())),
            Who::Open(movers) => names.extend(movers.iter().map(|mover| mover.id.to_string())),
        }
        names
    }
}

/// What counts of a table; nothing while it goes on, and nothing where there were not two people.
fn played(table: &AnyTable) -> Option<Played> {
    with_table!(table, record => played_at(record, table.kind()))
}

fn played_at<G: Game>(record: &Table<G>, kind: Kind) -> Option<Played> {
    let winner = match record.status {
        TableStatus::Won(seat) => Some(seat),
        TableStatus::Draw => None,
        TableStatus::Playing | TableStatus::Aborted | TableStatus::Moved(_) => return None,
    };
    let ended = record.history.last()?.timestamp;
    let who = match record.terms.open {
        Some(_) => {
            let mut movers = record.movers();
            movers.truncate(CREDITED);
            let known = !movers.is_empty() && movers.iter().all(|mover| is_login(&mover.login));
            known.then_some(Who::Open(movers))?
        }
        None => Who::Seated { kind, players: [person(record, Seat::First)?, person(record, Seat::Second)?], winner },
    };
    Some(Played { ended, who })
}

fn person<G: Game>(record: &Table<G>, seat: Seat) -> Option<Person> {
    let sitter = record.sitter(seat)?;
    is_login(&sitter.login).then_some(Person { id: sitter.id?, login: sitter.login.clone() })
}
