//! The JSON format of positions.

use game::{InvalidState, Outcome, PositionJson, Rules, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tic_tac_toe::{GameConfig, TicTacToe, lines};
use crate::{Cell, Mark};

/// The board and whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "TicTacToePosition")]
pub struct Position {
    /// The cells from the top left, row by row.
    pub board: Vec<Cell>,
    /// The side to move; after the end, the side that would be next.
    pub current_player: Mark,
}

impl PositionJson for TicTacToe {
    type Position = Position;

    /// Returns the position with these marks, even if no game can reach it.
    ///
    /// If both sides have a line, the owner of the first one in the order of [`lines::lines`] has won.
    fn from_position(config: &GameConfig, position: &Position) -> Result<TicTacToe, InvalidState> {
        let mut game = TicTacToe::start(config)?;
        let (size, cells) = (game.size, game.cell_count());
        if position.board.len() != cells {
            let expected = format!("{cells} for {size}x{size} board");
            return Err(InvalidState::unexpected("board.length", position.board.len(), &expected));
        }
        for (index, &player) in position.board.iter().enumerate() {
            if let Some(player) = player {
                game.marks[Seat::from(player).index()].flip(index / size, index % size);
                game.free_count -= 1;
            }
        }
        let first_line = lines::completed_lines(size, game.k, |index| game.mark(index)).into_iter().next();
        let winner = first_line.and_then(|line| game.mark(line[0]));
        game.outcome = match winner {
            Some(player) => Some(Outcome::Won(player.into())),
            None if game.free_count == 0 => Some(Outcome::Draw),
            None => None,
        };
        game.side_to_move = position.current_player.into();
        Ok(game)
    }

    fn position(&self) -> Position {
        let board = (0..self.cell_count()).map(|index| self.mark(index)).collect();
        Position { board, current_player: self.side_to_move.into() }
    }
}
