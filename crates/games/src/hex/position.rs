//! The JSON format of positions.

use game::contract::{Interchange, Rules};
use game::rule::InvalidState;
use game::seat::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::hex::config::GameConfig;
use crate::hex::game::Hex;

/// The characters of a red stone, a blue stone and a free cell.
const SYMBOLS: [char; 3] = ['R', 'B', '.'];

/// A side, by the color of its stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "HexColor")]
pub enum Color {
    /// The first seat, which connects top and bottom.
    Red,
    /// The second seat, which connects left and right.
    Blue,
}

/// A position: the board, and whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "HexPosition")]
pub struct Position {
    /// The rows from the top, which is row 1, each a string from the left: `R` is a red stone, `B` a blue one, `.` a free cell.
    pub board: Vec<String>,
    /// The side to move; after the end, the side that would be next.
    pub current_player: Color,
}

impl From<Seat> for Color {
    fn from(seat: Seat) -> Color {
        [Color::Red, Color::Blue][seat.index()]
    }
}

impl From<Color> for Seat {
    fn from(color: Color) -> Seat {
        Seat::BOTH[color as usize]
    }
}

impl Interchange for Hex {
    type Position = Position;

    fn from_position(config: &GameConfig, position: &Position) -> Result<Hex, InvalidState> {
        let mut game = Hex::start(config)?;
        let size = game.size;
        if position.board.len() != size {
            return Err(InvalidState::unexpected("board.length", position.board.len(), &format!("{size} rows")));
        }
        game.side_to_move = position.current_player.into();
        for (row, text) in position.board.iter().enumerate() {
            let invalid = |expected: &str| InvalidState::unexpected(&format!("board[{row}]"), text.as_str(), expected);
            if text.chars().count() != size {
                return Err(invalid(&format!("{size} characters")));
            }
            for (column, symbol) in text.chars().enumerate() {
                let Some(index) = SYMBOLS.iter().position(|known| *known == symbol) else {
                    return Err(invalid("only R, B and ."));
                };
                if let Some(seat) = Seat::BOTH.get(index) {
                    game.place_stone(*seat, row * size + column);
                }
            }
        }
        Ok(game)
    }

    fn position(&self) -> Position {
        let symbol = |cell: usize| SYMBOLS[self.stone(cell).map_or(2, Seat::index)];
        let row = |row: usize| (row * self.size..(row + 1) * self.size).map(symbol).collect();
        Position { board: (0..self.size).map(row).collect(), current_player: self.side_to_move.into() }
    }
}
