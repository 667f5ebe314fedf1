//! Ultimate tic-tac-toe: nine boards of tic-tac-toe, arranged as the cells of a bigger one.

mod board;
mod computer;
mod game;
mod position;

pub use board::{BoardStatus, UltimateBoard};
pub use computer::has_line;
pub use game::{GameConfig, Move, SubBoardStatus, UltimateTicTacToe};
pub use position::{ActiveBoards, Position};

use ::game::{Game, Info, InvalidOption, Options, spans};

use crate::GameMode;
use crate::marks::{FIRST, SEATS, parse_first_player};

impl Game for UltimateTicTacToe {
    const INFO: Info = Info {
        name: "ultimate-tic-tac-toe",
        title: "Ultimate tic-tac-toe",
        aliases: &["ultimate", "uttt", "super-tic-tac-toe"],
        seats: SEATS,
        tagline: "nine boards in one",
        summary: "Nine tic-tac-toe boards in one. The cell you mark sends your opponent to the board in the same place. Three \
                  boards in a row win.",
        details: "If that board is finished, your opponent can play in any other. If no board is left, the game is a draw.",
        moves: spans!(
            "To move, name a cell by column and row on the whole board, like `e5` (`a1` is the bottom left). You can \
             also write the board and the cell, like `4 0`, counting each from `0` to `8` from the top left. If you \
             can only play in one board, the cell is enough."
        ),
        numbers: &[],
        options: &[FIRST],
        verbs: &[],
        variants: &[],
    };

    fn configure(options: &mut Options) -> Result<GameConfig, InvalidOption> {
        Ok(GameConfig { first_player: parse_first_player(options)?, mode: GameMode::HumanVsHuman })
    }
}
