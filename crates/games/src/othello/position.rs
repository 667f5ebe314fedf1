//! The JSON format of positions.

use game::contract::{Game, Interchange, Rules};
use game::rule::InvalidState;
use game::seat::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::othello::bitboards::{SIZE, moves};
use crate::othello::config::GameConfig;
use crate::othello::game::Othello;

/// The symbols of a black disc, a white disc and a free cell.
const SYMBOLS: [char; 3] = ['B', 'W', '.'];

/// A side, by the color of its discs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "OthelloColor")]
pub enum Color {
    /// The first seat, which moves first.
    Black,
    /// The second seat.
    White,
}

/// The board, and whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "OthelloPosition")]
pub struct Position {
    /// The rows from row 1 at the top, each from the left: `B` is a black disc, `W` a white disc, and `.` a free cell.
    pub board: Vec<String>,
    /// The side to move. It has a legal move unless the game is over.
    pub current_player: Color,
}

impl From<Seat> for Color {
    fn from(seat: Seat) -> Color {
        [Color::Black, Color::White][seat.index()]
    }
}

impl From<Color> for Seat {
    fn from(color: Color) -> Seat {
        Seat::BOTH[color as usize]
    }
}

impl Interchange for Othello {
    type Position = Position;

    fn from_position(_config: &GameConfig, position: &Position) -> Result<Othello, InvalidState> {
        let mut discs = [0_u64; 2];
        if position.board.len() != SIZE {
            return Err(InvalidState::unexpected("board.length", position.board.len(), "8 rows"));
        }
        for (nth, row) in position.board.iter().enumerate() {
            let invalid = |expected| InvalidState::unexpected(&format!("board[{nth}]"), row.as_str(), expected);
            if row.chars().count() != SIZE {
                return Err(invalid("8 characters"));
            }
            for (column, symbol) in row.chars().enumerate() {
                let kind =
                    SYMBOLS.iter().position(|known| *known == symbol).ok_or_else(|| invalid("only B, W and ."))?;
                if let Some(discs) = discs.get_mut(kind) {
                    *discs |= 1 << (nth * SIZE + column);
                }
            }
        }
        let seat = Seat::from(position.current_player);
        let [own, other] = [discs[seat.index()], discs[seat.other().index()]];
        if moves(own, other) == 0 && moves(other, own) != 0 {
            let [own, other] = [seat, seat.other()].map(|seat| Othello::INFO.seats[seat.index()]);
            let expected = format!("{other}, because {own} has no move and passes");
            return Err(InvalidState::unexpected("currentPlayer", own, &expected));
        }
        Ok(Othello { discs, side_to_move: seat, flipped: 0, passed: None })
    }

    fn position(&self) -> Position {
        let symbol = |cell: usize| SYMBOLS[self.owner(cell).map_or(2, Seat::index)];
        let row = |row: usize| (row * SIZE..(row + 1) * SIZE).map(symbol).collect();
        Position { board: (0..SIZE).map(row).collect(), current_player: self.side_to_move().into() }
    }
}
