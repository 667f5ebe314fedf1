//! Tic-tac-toe on a square board of any size from 3x3 to 19x19, with k in a row to win.

mod computer;
mod game;
pub mod lines;
mod position;

pub use game::{GameConfig, Move, TicTacToe};
pub use position::Position;

use std::borrow::Cow;

use ::game::{Game, Info, InvalidOption, Options, Variant, spans};

use crate::marks::{FIRST, SEATS};
use crate::tic_tac_toe::game::{K, MIN_SIZE, SIZE};

/// The length of a side of the usual gomoku board.
const GOMOKU_SIZE: usize = 15;

/// Five in a row on a board with room for more.
const GOMOKU: Variant = Variant {
    name: "gomoku",
    title: "Gomoku",
    noun: "gomoku",
    aliases: &["gobang", "five-in-a-row", "5-in-a-row"],
    options: "size=15 k=5",
    summary: "Tic-tac-toe on a 15x15 board. Five in a row wins.",
};

impl Game for TicTacToe {
    const INFO: Info = Info {
        name: "tic-tac-toe",
        title: "Tic-tac-toe",
        aliases: &["ttt", "noughts-and-crosses"],
        seats: SEATS,
        tagline: "three in a row",
        summary: "Take turns marking cells. Three in a row wins (more on bigger boards).",
        details: "If the board is full and nobody has a row, the game is a draw.",
        moves: spans!("To move, name a cell by column and row, like `b2` (`a1` is the bottom left)."),
        numbers: spans!(" You can also write its number, counting from `0` at the top left."),
        options: &[SIZE, K, FIRST],
        verbs: &[],
        variants: &[GOMOKU],
    };

    fn configure(options: &mut Options) -> Result<GameConfig, InvalidOption> {
        GameConfig::from_options(options)
    }

    fn variant(config: &GameConfig) -> Option<&'static Variant> {
        if config.k_in_row == 5 && config.board_size > 5 { Some(&GOMOKU) } else { None }
    }

    fn setup_summary(config: &GameConfig) -> Option<String> {
        let &GameConfig { board_size: size, k_in_row: k, .. } = config;
        Some(match Self::variant(config) {
            Some(_) => format!("{size}x{size}"),
            None => format!("{size}x{size}, {k} in a row"),
        })
    }

    fn setup_options(config: &GameConfig) -> String {
        let &GameConfig { board_size: size, k_in_row: k, .. } = config;
        match (Self::variant(config), size) {
            (Some(_), GOMOKU_SIZE) => String::new(),
            (None, _) if k != GameConfig::default_k(size) => format!("{size}x{size} k={k}"),
            (None, MIN_SIZE) => String::new(),
            _ => format!("{size}x{size}"),
        }
    }

    fn aim(config: &GameConfig) -> Cow<'static, str> {
        format!("Take turns marking cells. The first player with {} in a row wins.", config.k_in_row).into()
    }
}
