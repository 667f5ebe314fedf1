//! Connect four on boards from 4x4 to 10x10, with three to six in a row to win.

mod computer;
mod game;
mod position;

pub use computer::perfect::book::BookMove;
pub use computer::perfect::{
    BOARD, Discs, Goal, Solver, book, column_of, find_best_move, find_value, iter_cells, opening_values,
};
pub use game::{ConnectFour, GameConfig, Move};
pub use position::{Color, Position};

use std::borrow::Cow;

use ::game::{Game, Info, InvalidOption, Options, spans};

use crate::connect_four::game::{K, SIZE};

impl Game for ConnectFour {
    const INFO: Info = Info {
        name: "connect-four",
        title: "Connect four",
        aliases: &["connect4", "c4", "four-in-a-row", "4-in-a-row"],
        seats: ["red", "yellow"],
        tagline: "four in a row, with gravity",
        summary: "Drop discs into columns. Four in a row wins: across, down, or diagonally.",
        details: "A disc falls to the lowest free place. A full board without a row is a draw.",
        moves: spans!(
            "To move, name a column by its letter, like `d`, or by its number, like `4`. Column `a` or `1` is on the \
             left."
        ),
        numbers: &[],
        options: &[SIZE, K],
        verbs: &[],
        variants: &[],
    };

    fn configure(options: &mut Options) -> Result<GameConfig, InvalidOption> {
        GameConfig::from_options(options)
    }

    fn setup_summary(config: &GameConfig) -> Option<String> {
        Some(format!("{}x{}, {} in a row", config.columns, config.rows, config.k_in_row))
    }

    fn setup_options(config: &GameConfig) -> String {
        let (&GameConfig { columns, rows, k_in_row: k }, usual) = (config, GameConfig::default());
        match *config {
            _ if *config == usual => String::new(),
            _ if k == usual.k_in_row => format!("{columns}x{rows}"),
            _ => format!("{columns}x{rows} k={k}"),
        }
    }

    fn aim(config: &GameConfig) -> Cow<'static, str> {
        let k = config.k_in_row;
        format!("Drop discs into columns. The first player with {k} in a row wins: across, down, or diagonally.").into()
    }
}
