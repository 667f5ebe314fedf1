//! Exports a record in the standard file format of its game.

use table::any_table::AnyTable;

use crate::place::Place;
use crate::{mat, pdn, pgn};

/// A game in a standard file format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameFile {
    /// The file extension, without a dot.
    pub extension: &'static str,
    /// The name of the format.
    pub title: &'static str,
    /// The content.
    pub text: String,
}

/// Exports a table. `ending` is the result as a sentence. `place` is `None` if it's unknown.
///
/// # Errors
/// Returns an error if the game has no such format, or if the format can't express the table's rules.
pub fn export(table: &AnyTable, ending: &str, place: Option<&Place>) -> Result<GameFile, String> {
    let (extension, title, text) = match table {
        AnyTable::Backgammon(table) => ("mat", "Match text for GNU Backgammon", mat::write(table)?),
        AnyTable::Chess(table) => ("pgn", "PGN", pgn::write(table, ending, place)),
        AnyTable::Checkers(table) => ("pdn", "PDN", pdn::write(table, place)),
        other => {
            let name = other.kind().info().name;
            return Err(format!("only backgammon, chess and checkers can be exported, but this is a record of {name}"));
        }
    };
    Ok(GameFile { extension, title, text })
}
