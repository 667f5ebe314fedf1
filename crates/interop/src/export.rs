//! The export of a record for other programs, in the format that those of its game read.

use game::contract::Game;
use games::registry::GameKind;
use table::any_table::{AnyTable, with_table};

use crate::{mat, pdn, pgn};

/// Returns a table as a text for other programs. `ending` is how its game ended, in words; `place` the repository that it
/// belongs to, if it is known, and the address of its issue.
///
/// # Errors
/// A sentence that says why others could not read it.
pub fn export(table: &AnyTable, ending: &str, place: Option<&[String; 2]>) -> Result<String, String> {
    match table {
        AnyTable::Backgammon(table) => mat::write(table),
        AnyTable::Chess(table) => Ok(pgn::write(table, ending, place)),
        AnyTable::Checkers(table) => Ok(pdn::write(table)),
        other => {
            let name = with_table!(other, table => name(table.game()));
            Err(format!("only backgammon, chess and checkers can be exported, but this is a record of {name}"))
        }
    }
}

fn name<G: Game>(_: &G) -> &'static str {
    G::INFO.name
}

/// Returns the end of the file that a game is exported to, and what it holds; `None` for a game that is not.
pub fn file_type(kind: GameKind) -> Option<(&'static str, &'static str)> {
    match kind {
        GameKind::Backgammon => Some(("mat", "Match text for GNU Backgammon")),
        GameKind::Chess => Some(("pgn", "PGN")),
        GameKind::Checkers => Some(("pdn", "PDN")),
        _ => None,
    }
}
