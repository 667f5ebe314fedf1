//! The JSON format of positions.

use std::borrow::Cow;
use std::fmt;

use game::notation::words::{parse_board_place, parse_place};
use game::{
    CellRef, Display, InvalidState, Notation, Outcome, ParseMoveError, PositionJson, Rules, Seat, cell, notation,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::json;

use crate::marks::bits;
use crate::ultimate_tic_tac_toe::computer::ALL;
use crate::ultimate_tic_tac_toe::{GameConfig, Move, SubBoardStatus, UltimateTicTacToe, has_line};
use crate::{Cell, Mark};

/// A position: the boards with their statuses, where the next mark can go, and whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "UltimateTicTacToePosition")]
pub struct Position {
    /// The cells of each board. Boards and cells start at the top left, row by row.
    pub boards: [[Cell; 9]; 9],
    /// The status of each board.
    pub sub_board_statuses: [SubBoardStatus; 9],
    /// The boards that the next mark can go into; none after the end.
    pub active_boards: ActiveBoards,
    /// The side to move; after the end, the side that would be next.
    pub current_player: Mark,
}

/// The boards that the next mark can go into: `"all"` or a list of their numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged, expecting = "`activeBoards` must be \"all\" or a list of boards")]
pub enum ActiveBoards {
    /// All boards in progress.
    #[serde(serialize_with = "write_all", deserialize_with = "read_all")]
    All,
    /// The boards of this list.
    Boards(Vec<usize>),
}

impl ActiveBoards {
    /// Returns the boards as a mask, without invalid numbers.
    fn mask(&self) -> u16 {
        match self {
            ActiveBoards::All => ALL,
            ActiveBoards::Boards(boards) => {
                boards.iter().filter(|&&board| board < 9).fold(0, |mask, board| mask | 1 << board)
            }
        }
    }

    pub(super) fn from_mask(mask: u16) -> ActiveBoards {
        if mask == ALL { ActiveBoards::All } else { ActiveBoards::Boards(bits(mask.into()).collect()) }
    }
}

impl fmt::Display for ActiveBoards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ActiveBoards::All => f.write_str("all"),
            ActiveBoards::Boards(boards) => {
                f.write_str(&boards.iter().map(usize::to_string).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

impl PositionJson for UltimateTicTacToe {
    type Position = Position;

    /// Returns the game at a position. The statuses and active boards must agree with the cells.
    ///
    /// If both sides have a line on a board, its status decides who won it. If both sides have a line of boards, the first one in
    /// the order of [`lines`](crate::tic_tac_toe::lines::lines) wins.
    fn from_position(config: &GameConfig, position: &Position) -> Result<UltimateTicTacToe, InvalidState> {
        let mut game = UltimateTicTacToe::start(config)?;
        game.side_to_move = position.current_player.into();
        for (board, (cells, status)) in position.boards.iter().zip(position.sub_board_statuses).enumerate() {
            for (cell, &player) in cells.iter().enumerate() {
                if let Some(player) = player {
                    game.marks[Seat::from(player).index()][board] |= 1 << cell;
                }
            }
            game.set_status(board, status)?;
        }
        let winner = game.winning_lines().first().and_then(|line| game.owner(line[0]));
        game.outcome = match winner {
            Some(player) => Some(Outcome::Won(player.into())),
            None if game.complete() == ALL => Some(Outcome::Draw),
            None => None,
        };
        game.active = game.check_active_boards(&position.active_boards)?;
        Ok(game)
    }

    fn position(&self) -> Position {
        Position {
            boards: std::array::from_fn(|board| std::array::from_fn(|cell| self.mark(board, cell))),
            sub_board_statuses: std::array::from_fn(|board| self.status(board)),
            active_boards: ActiveBoards::from_mask(self.active),
            current_player: self.side_to_move.into(),
        }
    }
}

impl UltimateTicTacToe {
    /// Sets the status of a board.
    ///
    /// # Errors
    /// Returns an error if the board's cells contradict the status.
    fn set_status(&mut self, board: usize, status: SubBoardStatus) -> Result<(), InvalidState> {
        let [x, o] = [0, 1].map(|seat| has_line(self.marks[seat][board]));
        let is_full = self.taken(board) == ALL;
        let expected = match (x, o) {
            (true, true) if status == SubBoardStatus::WonO => SubBoardStatus::WonO,
            (true, _) => SubBoardStatus::WonX,
            (_, true) => SubBoardStatus::WonO,
            _ if is_full => SubBoardStatus::Draw,
            _ => SubBoardStatus::InProgress,
        };
        if status != expected {
            let expected = format!("{expected} on these cells");
            return Err(InvalidState::unexpected(&format!("subBoardStatuses[{board}]"), json!(status), &expected));
        }
        match status {
            SubBoardStatus::WonX => self.won[0] |= 1 << board,
            SubBoardStatus::WonO => self.won[1] |= 1 << board,
            SubBoardStatus::Draw => self.drawn |= 1 << board,
            SubBoardStatus::InProgress => {}
        }
        Ok(())
    }

    /// Returns the active boards of a position as a mask.
    ///
    /// # Errors
    /// Returns an error if the rest of the position contradicts them.
    fn check_active_boards(&self, active_boards: &ActiveBoards) -> Result<u16, InvalidState> {
        let invalid = |expected: &str| Err(InvalidState::unexpected("activeBoards", json!(active_boards), expected));
        let ActiveBoards::Boards(list) = active_boards else {
            return if self.outcome.is_none() { Ok(ALL) } else { invalid("[] after the end") };
        };
        let in_progress = |board: &usize| *board < 9 && self.complete() >> board & 1 == 0;
        match (self.outcome, list.is_empty()) {
            (Some(_), true) => Ok(0),
            (Some(_), false) => invalid("[] after the end"),
            (None, false) if list.iter().all(in_progress) => Ok(active_boards.mask()),
            (None, _) => invalid("\"all\" or a list of boards in progress"),
        }
    }
}

/// The JSON string `"all"`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum AllKeyword {
    All,
}

fn write_all<S: Serializer>(serializer: S) -> Result<S::Ok, S::Error> {
    AllKeyword::All.serialize(serializer)
}

fn read_all<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    AllKeyword::deserialize(deserializer).map(drop)
}

impl JsonSchema for ActiveBoards {
    fn schema_name() -> Cow<'static, str> {
        "ActiveBoards".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let board = json_schema!({ "type": "integer", "minimum": 0, "maximum": 8 });
        json_schema!({ "anyOf": [{ "const": "all" }, { "type": "array", "items": board }] })
    }
}

// Move notation.

/// The cells along a side of the whole board.
const SIZE: usize = 9;
/// The most words after `board` that are tried as the end of its name.
const MAX_WORDS: usize = 8;
/// The range of the numbers of boards, and of cells in a board.
const INDEX_RANGE: &str = "0-8";

/// The names of the boards, row by row from the top left.
pub(super) const BOARD_NAMES: [&str; 9] =
    ["top-left", "top-middle", "top-right", "left", "middle", "right", "bottom-left", "bottom-middle", "bottom-right"];

/// Returns the cell of the whole board that a move marks, from 0 at the top left, row by row; `None` if it's out of range.
pub(super) fn cell_index(mv: &Move) -> Option<usize> {
    let (board, cell) = (mv.board as usize, mv.cell as usize);
    if board >= 9 || cell >= 9 {
        return None;
    }
    Some((board / 3 * 3 + cell / 3) * SIZE + board % 3 * 3 + cell % 3)
}

/// Returns the move that marks a cell of the whole board.
pub(super) fn move_at(index: usize) -> Move {
    let (row, column) = (index / SIZE, index % SIZE);
    Move { board: (row / 3 * 3 + column / 3) as u32, cell: (row % 3 * 3 + column % 3) as u32 }
}

pub(super) fn move_name(mv: &Move) -> String {
    match cell_index(mv) {
        Some(index) => cell::name(index, SIZE, SIZE),
        None => format!("{} {}", mv.board, mv.cell),
    }
}

impl Notation for UltimateTicTacToe {
    fn notation(&self, mv: &Move) -> String {
        move_name(mv)
    }

    /// Parses `e5`, `4 0` (also with another separator: `4/0`, `4-0`), `center of the top left board`, or the number or the place
    /// of a cell alone.
    ///
    /// A cell alone is a move if exactly one board allows it. If several do, it's ambiguous. If the cell is occupied on every
    /// playable board, this returns one of these illegal moves, so that the bot can explain it.
    fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        let stripped = notation::strip_decoration(text);
        if let Some((board, cell)) = parse_pair(stripped).or_else(|| parse_in_words(stripped)) {
            let mv = Move { board, cell };
            return if cell_index(&mv).is_some() {
                Ok(mv)
            } else {
                Err(ParseMoveError::outside_board(cell::OUT_OF_RANGE_CODE, out_of_range_message(&mv), INDEX_RANGE))
            };
        }
        let cell = match cell::parse_cell_ref(text) {
            Some(CellRef::Index(cell @ 0..SIZE)) => cell,
            Some(CellRef::Index(SIZE)) => {
                let message = format!("Invalid move position: 9. Valid range: {INDEX_RANGE} for a cell of a board");
                return Err(ParseMoveError::outside_board(cell::OUT_OF_RANGE_CODE, message, INDEX_RANGE));
            }
            // Larger numbers aren't moves, so a comment like "42" is chat.
            Some(CellRef::Index(_)) => return Err(ParseMoveError::NotAMove),
            Some(CellRef::Coordinate { .. }) => return cell::parse(text, SIZE, SIZE).map(move_at),
            None => parse_cell_words(stripped).filter(|cell| *cell < SIZE).ok_or(ParseMoveError::NotAMove)?,
        };
        let move_on = |board: usize| Move { board: board as u32, cell: cell as u32 };
        let playable = self.playable();
        let free: Vec<Move> = bits(playable).filter(|&board| self.mark(board, cell).is_none()).map(move_on).collect();
        match free.as_slice() {
            [] => Ok(move_on(bits(playable).next().unwrap_or(0))),
            [only] => Ok(*only),
            several => Err(ParseMoveError::Ambiguous(several.iter().map(move_name).collect())),
        }
    }

    fn move_list_heading(&self, mv: &Move) -> Option<String> {
        let name = BOARD_NAMES.get(mv.board as usize).copied().unwrap_or("nowhere");
        let corner = |cell| move_name(&Move { board: mv.board, cell });
        Some(format!("The {name} board, {}-{}", corner(6), corner(2)))
    }
}

/// Returns the error message for a board or cell that is out of range.
pub(super) fn out_of_range_message(mv: &Move) -> String {
    format!("Invalid move position: board {}, cell {}. Valid range: {INDEX_RANGE} for both", mv.board, mv.cell)
}

/// Parses two digits with a separator between them, like `4 0`.
fn parse_pair(text: &str) -> Option<(u32, u32)> {
    let digit = |c: Option<char>| c.and_then(|c| c.to_digit(10));
    let mut chars = text.chars();
    let pair = (digit(chars.next())?, digit(chars.next_back())?);
    let separator = chars.as_str();
    let trimmed = separator.trim_matches(|c: char| c.is_whitespace() && c != '\n');
    if !separator.is_empty() && matches!(trimmed, "" | "/" | "." | "," | "-" | ":" | ";" | "|" | ">" | "->") {
        Some(pair)
    } else {
        None
    }
}

/// Parses a board and a cell in words: `board 4 square 1`, `top left board, center`, `center of the top left board`. `None` for
/// any other text.
fn parse_in_words(text: &str) -> Option<(u32, u32)> {
    let text = text.to_lowercase();
    let pair = |board: &str, cell: &str| Some((parse_board_words(board)? as u32, parse_cell_words(cell)? as u32));
    let separators = [" of ", " in ", " on "].into_iter().filter_map(|separator| text.split_once(separator));
    if let Some(found) = separators.filter_map(|(cell, board)| pair(board, cell)).next() {
        return Some(found);
    }
    if let Some((board, cell)) = text.split_once([',', ':', ';', '/']) {
        return pair(board, cell);
    }
    let (before, after) = text.split_once("board")?;
    if !before.trim().is_empty() {
        return pair(before, after);
    }
    // The board comes first, and its name is as long as it can be.
    let places = after.char_indices().filter(|(at, c)| *at > 0 && *c == ' ').map(|(at, _)| at).take(MAX_WORDS);
    let places: Vec<usize> = places.collect();
    places.into_iter().rev().find_map(|at| pair(&after[..at], &after[at..]))
}

/// Parses the number or the place of a board; `None` for any other text.
fn parse_board_words(text: &str) -> Option<usize> {
    let text = without_words(text, &["board", "number", "the"]);
    parse_digit(&text).or_else(|| parse_board_place(&text))
}

/// Parses the number or the place of a cell in its board; `None` for any other text.
fn parse_cell_words(text: &str) -> Option<usize> {
    let text = without_words(text, &["cell", "square", "number", "the"]);
    parse_digit(&text).or_else(|| parse_place(&text, 3, 3).first().copied())
}

fn without_words(text: &str, fillers: &[&str]) -> String {
    let is_filler = |word: &str| fillers.iter().any(|filler| filler.eq_ignore_ascii_case(word));
    text.split_whitespace().filter(|word| !is_filler(word)).collect::<Vec<_>>().join(" ")
}

fn parse_digit(text: &str) -> Option<usize> {
    text.parse().ok().filter(|_| text.len() == 1)
}
