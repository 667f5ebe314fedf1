//! Positions as other programs read and write them.

use game::contract::{Interop, Rules};
use game::rule::RuleError;
use game::seat::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::hex::config::GameConfig;
use crate::hex::game::Hex;

/// The letters of the stones, and the sign of a free cell.
const SYMBOLS: [char; 3] = ['R', 'B', '.'];

/// A side, by the colour of its stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "HexColor")]
pub enum Color {
    /// The first seat, which joins top and bottom.
    Red,
    /// The second seat, which joins left and right.
    Blue,
}

/// The board, and whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "HexPosition")]
pub struct Position {
    /// The rows from the top, which is row 1, each a text from the left: `R` is a red stone, `B` a blue one, `.` a free cell.
    pub board: Vec<String>,
    /// The side on turn; after the end, the one that would be.
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

impl Interop for Hex {
    type Position = Position;

    fn from_position(config: &GameConfig, position: &Position) -> Result<Hex, RuleError> {
        let mut game = Hex::start(config)?;
        let size = game.size;
        if position.board.len() != size {
            return Err(RuleError::invalid_state("board.length", position.board.len(), &format!("{size} rows")));
        }
        game.side_to_move = position.current_player.into();
        for (nth, row) in position.board.iter().enumerate() {
            let invalid = |expected: &str| RuleError::invalid_state(&format!("board[{nth}]"), row.as_str(), expected);
            if row.chars().count() != size {
                return Err(invalid(&format!("{size} characters")));
            }
            for (column, sign) in row.chars().enumerate() {
                let kind = SYMBOLS.iter().position(|known| *known == sign).ok_or_else(|| invalid("only R, B and ."))?;
                if let Some(seat) = Seat::BOTH.get(kind) {
                    game.place_stone(*seat, nth * size + column);
                }
            }
        }
        Ok(game)
    }

    fn position(&self) -> Position {
        let sign = |cell: usize| SYMBOLS[self.stone(cell).map_or(2, Seat::index)];
        let row = |row: usize| (row * self.size..(row + 1) * self.size).map(sign).collect();
        Position { board: (0..self.size).map(row).collect(), current_player: self.side_to_move.into() }
    }
}
