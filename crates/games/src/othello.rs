//! Othello (Reversi) on an 8x8 board.

mod computer;
mod game;
mod position;

pub use computer::endgame;
pub use computer::endgame::EndgameMove;
pub use game::{GameConfig, Move, Othello};
pub use position::{Color, Position, flips, iter_cells, moves};

use ::game::{Game, Info, InvalidOption, Options, spans};

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
        moves: spans!("To move, name a cell by column and row, like `d3` (`a1` is the top left)."),
        numbers: spans!(" You can also write its number, counting from `0` at the top left."),
        options: &[],
        verbs: &[],
        variants: &[],
    };

    fn configure(_options: &mut Options) -> Result<GameConfig, InvalidOption> {
        Ok(GameConfig {})
    }
}
