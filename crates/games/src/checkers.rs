//! Checkers (English draughts). `position` generates the moves.

mod board;
mod computer;
mod game;
pub mod notation;
mod position;

pub use game::{Checkers, GameConfig};
pub use position::Position;

use ::game::{Game, Info, InvalidOption, Options, spans};

use crate::checkers::game::DRAW_OPTION;
use crate::orientation::VIEW;

impl Game for Checkers {
    const INFO: Info = Info {
        name: "checkers",
        title: "Checkers",
        aliases: &["draughts", "english-draughts", "dame"],
        seats: ["black", "white"],
        tagline: "jump and capture",
        summary: "Capture all your opponent's pieces, or leave them without a move.",
        details: "Men move diagonally forward, kings backward too. If you can jump, you must, and a jump goes on as long \
                  as it can. A man that reaches the last row becomes a king.",
        moves: spans!(
            "To move, give the numbers of the squares you move from and to, like `11-15`. For a jump, list every \
             landing square, like `22x15x8`, or just the first and last if only one jump fits."
        ),
        numbers: &[],
        options: &[DRAW_OPTION, VIEW],
        verbs: &[],
        variants: &[],
    };

    fn configure(options: &mut Options) -> Result<GameConfig, InvalidOption> {
        GameConfig::from_options(options)
    }

    fn setup_summary(config: &GameConfig) -> Option<String> {
        config.view.map(|view| view.summary().to_owned())
    }

    fn without_display_options(config: &GameConfig) -> GameConfig {
        GameConfig { view: None, ..*config }
    }
}
