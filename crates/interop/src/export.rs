//! Exports a record in the standard file format of its game.

use game::contract::Game;
use games::registry::GameKind;
use table::any_table::{AnyTable, with_table};

use crate::place::Place;
use crate::{mat, pdn, pgn};

/// Exports a table. `ending` is the result as a sentence. `place` is `None` if it's unknown.
///
/// # Errors
/// Returns an error if the game has no such format, or if the format can't express the table's rules.
pub fn export(table: &AnyTable, ending: &str, place: Option<&Place>) -> Result<String, String> {
    match table {
        AnyTable::Backgammon(table) => mat::write(table),
        AnyTable::Chess(table) => Ok(pgn::write(table, ending, place)),
        AnyTable::Checkers(table) => Ok(pdn::write(table, place)),
        other => {
            let name = with_table!(other, table => game_name(table.game()));
            Err(format!("only backgammon, chess and checkers can be exported, but this is a record of {name}"))
        }
    }
}

fn game_name<G: Game>(_: &G) -> &'static str {
    G::INFO.name
}

/// Returns the file extension of a game's export and its description; `None` if it has no export.
pub fn file_type(kind: GameKind) -> Option<(&'static str, &'static str)> {
    match kind {
        GameKind::Backgammon => Some(("mat", "Match text for GNU Backgammon")),
        GameKind::Chess => Some(("pgn", "PGN")),
        GameKind::Checkers => Some(("pdn", "PDN")),
        _ => None,
    }
}
