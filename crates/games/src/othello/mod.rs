//! Othello (Reversi) on 8x8: a disc turns over those of the other side that it encloses, and most discs win.
//!
//! [`game`] is the state of a game, [`discs`] the arithmetic of its sets of cells; `computer` chooses moves, and
//! [`ending`] the last ones.

mod computer;
pub mod discs;
pub mod endgame;
pub mod game;
mod picture;
pub mod position;
mod words;

use ::game::contract::Game;
use ::game::info::Info;
use ::game::options::{BadOption, Options};
use ::game::phrase::spans;

use crate::othello::game::{GameConfig, Othello};

impl Game for Othello {
    const INFO: Info = Info {
        name: "othello",
        title: "Othello",
        aliases: &["reversi"],
        seats: ["black", "white"],
        summary: "Trap your opponent's discs between two of yours to flip them. Most discs at the end wins.",
        moves: spans![
            "To move, name a cell by column and row, like " ("d3") " (" ("a1")
            " is the top left). You can also write its number, counting from " ("0") " at the top left."
        ],
        options: &[],
        verbs: &[],
    };

    fn configure(_options: &mut Options) -> Result<GameConfig, BadOption> {
        Ok(GameConfig {})
    }
}
