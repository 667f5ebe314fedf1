//! Othello (Reversi) on an 8x8 board.

pub mod computer;
pub mod game;
pub mod position;

use ::game::contract::Game;
use ::game::options::Info;
use ::game::options::{InvalidOption, Options};
use ::game::phrase::spans;

use crate::othello::game::GameConfig;
use crate::othello::game::Othello;

impl Game for Othello {
    const INFO: Info = Info {
        name: "othello",
        title: "Othello",
        aliases: &["reversi"],
        seats: ["black", "white"],
        tagline: "flip discs",
        summary: "Trap your opponent's discs between two of yours to flip them. Most discs at the end wins.",
        details: "Every move has to flip at least one disc. If you have no such move, you pass automatically. Equal \
                  numbers are a draw.",
        moves: spans![
            "To move, name a cell by column and row, like " ("d3") " (" ("a1")
            " is the top left)."
        ],
        numbers: spans![" You can also write its number, counting from " ("0") " at the top left."],
        options: &[],
        verbs: &[],
        variants: &[],
    };

    fn configure(_options: &mut Options) -> Result<GameConfig, InvalidOption> {
        Ok(GameConfig {})
    }
}
