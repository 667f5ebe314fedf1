//! Hex: two sides place stones on a rhombus of hexagons, and each tries to connect its two edges.

mod board;
mod computer;
mod game;
mod position;

pub use game::{GameConfig, Hex, Move};
pub use position::{Color, Position, neighbors};

use ::game::{Game, Info, InvalidOption, Options, Verb, spans};

use crate::hex::game::{SIZE, SWAP, SWAP_WORD};

impl Game for Hex {
    const INFO: Info = Info {
        name: "hex",
        title: "Hex",
        aliases: &["con-tac-tix"],
        seats: ["red", "blue"],
        tagline: "connect your edges",
        summary: "Connect your two edges with a chain of stones: Red from top to bottom, Blue from left to right.",
        details: "Players take turns placing stones, which never move. One of you always connects, so there's no draw.",
        moves: spans!(
            "To move, name a cell by column and row, like `c3` (`a1` is the top left). With the swap rule, Blue's \
             first move can be `swap`."
        ),
        numbers: spans!(" You can also write a cell's number, counting from `0` at the top left."),
        options: &[SIZE, SWAP],
        verbs: &[Verb {
            word: SWAP_WORD,
            aliases: &[],
            description: "Hex, on Blue's first move: takes over Red's stone, mirrored.",
        }],
        variants: &[],
    };

    fn configure(options: &mut Options) -> Result<GameConfig, InvalidOption> {
        GameConfig::from_options(options)
    }

    fn setup_summary(config: &GameConfig) -> Option<String> {
        let size = config.board_size;
        Some(format!("{size}x{size}{}", if config.swap { "" } else { ", no swap" }))
    }

    fn setup_options(config: &GameConfig) -> String {
        let size = config.board_size;
        match *config {
            _ if *config == GameConfig::default() => String::new(),
            GameConfig { swap: true, .. } => format!("{size}x{size}"),
            _ => format!("{size}x{size} swap=off"),
        }
    }
}
