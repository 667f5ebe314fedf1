//! Results and ratings, and the files that hold them.
//!
//! A result is counted in the very commit that ends a game, at constant cost: [`files_needed`] names the few files that have to
//! be read, [`count_result`] gives the new ones. They are the only memory, and nothing is ever scanned. The records keep the number
//! of their result, so that [`audit::audit`] can count everything again, with the same code, and compare.
//!
//! The rules:
//!
//! - Every game between two people that ends with a win or a draw counts once, from the very first on, be it decided on the
//!   board, by resigning, by agreement or on time. A match of backgammon is one result. What was aborted does not count, nor
//!   what ended before anybody had taken the second seat, nor a game whose loser never moved. A finished game never changes
//!   again; a rematch is a new one.
//! - A game from a position that a person chose ([`Game::has_custom_start`](game::contract::Game::has_custom_start))
//!   counts nowhere. A game that has its number was counted under the rules of its day, and a recount keeps it.
//! - Ratings are [Glicko-2](http://www.glicko.net/glicko/glicko2.pdf): everybody starts at 1500, with a deviation of 350 and a volatility of 0.06, the system constant
//!   is 0.5, a draw is half a win, and each game is a rating period of its own. What is kept is rounded, and the next game
//!   starts from what was kept. The bounds are in `bounds.rs`.
//! - The ranking of a game holds a hundred people, the highest cautious rating (the rating less two deviations) first, of
//!   two equals the lower id. A result changes the ranking like this: of those who were in it and the two who have
//!   played, the best hundred stay. While at most a hundred have played, that is everybody in order. Later it can lack
//!   somebody who fell out of it and has a better rating than a member who has lost since then: they are back with
//!   their own next result. Nothing better can be had without looking at everybody.
//! - At an open table nobody has an opponent, so its end changes no rating. It counts as one game and as the number of moves for
//!   each of its movers, but for the fifty busiest only (of two equals the one who moved first), so that its cost is bounded.
//!   Moves that were taken back do not count. The ranking holds the hundred with the most moves, of equals those with more
//!   games; as nobody ever loses a move, these are exactly the busiest of all.
//! - A game against the computer changes no rating. A win counts for the highest level beaten in its game, if no move was
//!   taken back, the player had no hint, the computer had played its side from the start, and the board was the usual one (a
//!   game with dice, any).
//! - A person is shown by the newest login: in a ranking the one of their last result of that kind that was counted, in
//!   their own file the one of the game that ended last.

pub mod audit;
mod bounds;
pub mod counting;
pub mod files;
pub mod recount;
pub mod result;

use std::collections::BTreeMap;

use games::registry::GameKind;
use table::any_table::AnyTable;

use crate::counting::Standings;
use crate::files::file_path;
use crate::result::{COMPUTER_KIND, OPEN_KIND, result_of};

/// A result that was counted: its number, and the new files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedResult {
    /// The number of this result among those of its kind, from 1: it goes into [`Table::result_number`](table::table::Table::result_number).
    pub number: u64,
    /// The new files: their paths below the state directory, and their texts.
    pub files: Vec<(String, String)>,
}

/// Lists the files that counting the result of this table needs, as paths below the state directory. Empty when there is
/// nothing to count: it is unfinished, was aborted, has been counted, or had only one player.
pub fn files_needed(table: &AnyTable) -> Vec<String> {
    match result_of(table) {
        Some(result) if table.result_number().is_none() => {
            result.file_names().iter().map(|name| file_path(name)).collect()
        }
        _ => Vec::new(),
    }
}

/// Lists the files of all rankings, as paths below the state directory.
pub fn ranking_paths() -> Vec<String> {
    GameKind::ALL.iter().map(|kind| kind.info().name).chain([OPEN_KIND, COMPUTER_KIND]).map(file_path).collect()
}

/// Counts the result of a table. `files` has the texts of those that [`files_needed`] names, as far as they exist.
///
/// # Errors
/// A sentence for the host that names the file that is damaged, or that contradicts another one. Nothing may be written
/// over such a file; `play-by-commit verify --standings` says what would be right.
pub fn count_result(table: &AnyTable, files: &BTreeMap<String, String>) -> Result<CountedResult, String> {
    let nothing = || "there is no result to count, or it has already been counted".to_owned();
    let result = result_of(table).filter(|_| table.result_number().is_none()).ok_or_else(nothing)?;
    let mut standings = Standings::default();
    for name in result.file_names() {
        if let Some(text) = files.get(&file_path(&name)) {
            standings.load_file(&name, text)?;
        }
    }
    standings.check_agreement(&result)?;
    let number = standings.result_count(result.kind()) + 1;
    standings.add_result(number, &result);
    Ok(CountedResult { number, files: standings.files() })
}
