//! Results and ratings, and the files that hold them.
//!
//! The commit that ends a game also counts its result, at constant cost: [`files_needed`] lists the few files to read,
//! and [`count_result`] returns their new texts. No other data is kept, and nothing is ever scanned. Each record keeps
//! the number of its result, and how it changed the ratings. So [`audit::audit`] can count everything again with the
//! same code, and compare.
//!
//! The rules:
//!
//! - A game between two people counts once if it ends with a win or a draw: on the board, by resignation, by agreement
//!   or on time. A backgammon match is one result. A game doesn't count if it was aborted, if it ended before anyone
//!   took the second seat, or if its loser never moved. A finished game never changes again; a rematch is a new game.
//! - A casual game doesn't count.
//! - A variant, such as gomoku, has its own ratings.
//! - A game from a starting position that a person chose
//!   ([`Game::has_custom_start`](game::Game::has_custom_start)) doesn't count.
//! - Ratings are [Glicko-2](http://www.glicko.net/glicko/glicko2.pdf). Everyone starts at 1500, with a deviation of 350
//!   and a volatility of 0.06. The system constant is 0.5, a draw is half a win, and each game is its own rating
//!   period. The files hold rounded numbers, and the next game starts from those. The bounds are in `files.rs`.
//! - A game's ranking holds a hundred people, sorted by their cautious rating: the rating minus two deviations. Ties go
//!   to the lower id. After each result, the best hundred of the previous members and the two players stay. So a
//!   person who dropped out can be missing even if a member has fallen below them since. Their own next result brings
//!   them back. An exact ranking would have to read everyone's file.
//! - An open table has no opponents, so its end changes no rating. It counts as one game for each person who moved, and
//!   as the number of their moves, without those that were taken back. To bound the cost, only the fifty with the most
//!   moves are credited; ties go to the person who moved first. The ranking holds the hundred people with the most
//!   moves; ties go to the person with more games. It is exact, because nobody's number of moves ever falls.
//! - A game against the computer changes no rating. A win counts for the highest level that the person has beaten in
//!   that game. It counts only if the level is at least 1, nobody took a move back, the player used no hint, the computer
//!   played its side from the start, and the board was the usual one. A game with dice may have any board.
//! - People appear under their newest username. A ranking uses their last counted result of its kind, and their own
//!   file uses their game that ended last.

pub mod audit;
mod counting;
pub mod files;
mod result;

pub use audit::{RatingStep, Recount, RecountedStandings, StandingsAudit};
pub use files::{ComputerRow, GameScore, OpenRow, PlayerFile, Ranking, RankingRow, RatedRow, StandingsFile};
pub use result::{COMPUTER_KIND, MAX_CREDITED_MOVERS, OPEN_KIND, Participants, beaten_level, result_of};

use std::collections::BTreeMap;

use games::GameVariant;
use table::{InvalidFile, RatingChange, ResultNumber, Table};

use crate::counting::Standings;
use crate::files::file_path;

/// A counted result: its number and the new files.
#[derive(Clone, Debug, PartialEq)]
pub struct CountedResult {
    /// The number of this result among those of its kind, from 1. It becomes
    /// [`Table::result_number`](table::Table::result_number).
    pub number: ResultNumber,
    /// The changes of the players' ratings, in the order of the seats; `None` if the result changes none.
    pub ratings: Option<[RatingChange; 2]>,
    /// The paths of the new files below the state directory, with their texts.
    pub files: Vec<(String, String)>,
}

impl CountedResult {
    /// Returns the table that was counted, with the number of its result and the changes of its players' ratings.
    pub fn record_in(&self, table: Table) -> Table {
        table.with_result_number(Some(self.number)).with_rating_changes(self.ratings)
    }
}

/// Returns the paths of the files that [`count_result`] reads for this table, below the state directory. Returns an
/// empty list if there is nothing to count: the game is unfinished, doesn't count, or has already been counted.
pub fn files_needed(table: &Table) -> Vec<String> {
    match result_of(table) {
        Some(result) if table.result_number().is_none() => {
            result.file_names().iter().map(|name| file_path(name)).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the paths of all rankings below the state directory.
pub fn ranking_paths() -> Vec<String> {
    GameVariant::all().map(GameVariant::name).chain([OPEN_KIND, COMPUTER_KIND]).map(file_path).collect()
}

/// Counts the result of a table. `files` maps the paths from [`files_needed`] to the texts of those files that exist.
///
/// # Errors
/// Returns an error if there is nothing to count, or if a file is damaged or contradicts another one. It is a sentence
/// for the host that names the file. Don't overwrite such a file; `play-by-commit verify --standings` shows the correct
/// one.
pub fn count_result(table: &Table, files: &BTreeMap<String, String>) -> Result<CountedResult, InvalidFile> {
    let result = match result_of(table) {
        Some(result) if table.result_number().is_none() => result,
        _ => return Err("there is no result to count, or it has already been counted".into()),
    };
    let mut standings = Standings::default();
    for name in result.file_names() {
        if let Some(text) = files.get(&file_path(&name)) {
            standings.load_file(&name, text)?;
        }
    }
    standings.check_agreement(&result)?;
    let number = ResultNumber::new(standings.result_count(result.kind())).next();
    let ratings = standings.add_result(number, &result);
    Ok(CountedResult { number, ratings, files: standings.files() })
}
