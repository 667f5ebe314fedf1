//! The end of a game for other programs, such as a chat: how it ended, who won, and who played.

use game::contract::Game;
use game::seat::Seat;
use table::any_table::{AnyTable, with_table};
use table::game_state::TableStatus;
use table::table::Table;

use crate::{render, sentences};

/// The end of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameEnd {
    /// How the game ended: "Chess: alice (White) won: checkmate."
    pub sentence: String,
    /// The winner's username, `computer`, or at an open table the side; empty after a draw.
    pub winner: String,
    /// The players; see [`players`].
    pub players: Vec<String>,
}

impl GameEnd {
    /// Returns the end of the game at a table; `None` without a win or a draw.
    pub fn from_table(table: &AnyTable) -> Option<GameEnd> {
        let (sentence, winner) = with_table!(table, record => {
            if !record.has_result() {
                return None;
            }
            (render::plain(&sentences::ending_in_short(record)), winner(record))
        });
        let title = table.variant().title();
        Some(GameEnd { sentence: format!("{title}: {sentence}"), winner, players: players(table) })
    }
}

/// Returns the players of a table in the order of the seats: usernames, or `computer`. Empty at an open table.
pub fn players(table: &AnyTable) -> Vec<String> {
    with_table!(table, record => Seat::BOTH.into_iter().filter_map(|seat| player(record, seat)).collect())
}

fn player<G: Game>(table: &Table<G>, seat: Seat) -> Option<String> {
    let occupant = table.occupant(seat)?;
    Some(if occupant.computer.is_some() { "computer".to_owned() } else { occupant.login.clone() })
}

fn winner<G: Game>(table: &Table<G>) -> String {
    match table.status() {
        TableStatus::Won(seat) => player(table, seat).unwrap_or_else(|| G::INFO.side_name(seat)),
        _ => String::new(),
    }
}
