//! The JSON format of positions.

use game::contract::{Interchange, Outcome, Rules};
use game::rule::InvalidState;
use game::seat::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::connect_four::config::GameConfig;
use crate::connect_four::game::ConnectFour;

/// The characters of a red disc, a yellow disc and a free cell.
const SYMBOLS: [char; 3] = ['R', 'Y', '.'];

/// A side, by the color of its discs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "ConnectFourColor")]
pub enum Color {
    /// The first seat, which moves first.
    Red,
    /// The second seat.
    Yellow,
}

/// A position: the board, and whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "ConnectFourPosition")]
pub struct Position {
    /// The rows from the top, each a string from the left: `R` is a red disc, `Y` a yellow one, `.` a free cell.
    pub board: Vec<String>,
    /// The side to move; after the end, the side that would be next.
    pub current_player: Color,
}

impl From<Seat> for Color {
    fn from(seat: Seat) -> Color {
        [Color::Red, Color::Yellow][seat.index()]
    }
}

impl From<Color> for Seat {
    fn from(color: Color) -> Seat {
        Seat::BOTH[color as usize]
    }
}

impl Interchange for ConnectFour {
    type Position = Position;

    /// Returns the game at a position. If both sides have a line, the side that isn't to move has won, since it moved last.
    fn from_position(config: &GameConfig, position: &Position) -> Result<ConnectFour, InvalidState> {
        let mut game = ConnectFour::start(config)?;
        let shape = game.shape;
        if position.board.len() != shape.rows {
            let expected = format!("{} rows", shape.rows);
            return Err(InvalidState::unexpected("board.length", position.board.len(), &expected));
        }
        for (height, row) in position.board.iter().rev().enumerate() {
            let field = format!("board[{}]", shape.rows - 1 - height);
            if row.chars().count() != shape.columns {
                return Err(InvalidState::unexpected(&field, row.as_str(), &format!("{} characters", shape.columns)));
            }
            for (column, symbol) in row.chars().enumerate() {
                let Some(kind) = SYMBOLS.iter().position(|known| *known == symbol) else {
                    return Err(InvalidState::unexpected(&field, row.as_str(), "only R, Y and ."));
                };
                let Some(discs) = game.discs.get_mut(kind) else { continue };
                *discs |= shape.cell_mask(column, height);
                if height > 0 && (game.discs[0] | game.discs[1]) & shape.cell_mask(column, height - 1) == 0 {
                    return Err(InvalidState::unexpected(&field, row.as_str(), "a disc below each disc"));
                }
            }
        }
        game.side_to_move = position.current_player.into();
        let won = [game.side_to_move.other(), game.side_to_move]
            .into_iter()
            .find(|seat| shape.has_line(game.discs[seat.index()]));
        game.outcome = match won {
            Some(seat) => Some(Outcome::Won(seat)),
            None if game.discs[0] | game.discs[1] == shape.all_cells::<u128>() => Some(Outcome::Draw),
            None => None,
        };
        Ok(game)
    }

    fn position(&self) -> Position {
        let columns = self.shape.columns;
        let symbol = |cell: usize| SYMBOLS[self.disc(cell).map_or(2, Seat::index)];
        let row = |row: usize| (row * columns..(row + 1) * columns).map(symbol).collect();
        Position { board: (0..self.shape.rows).map(row).collect(), current_player: self.side_to_move.into() }
    }
}
