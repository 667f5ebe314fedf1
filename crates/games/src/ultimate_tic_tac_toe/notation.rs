//! Move notation.

use game::cell::{self, CellRef};
use game::contract::Notation;
use game::notation;
use game::rule::ParseMoveError;

use crate::ultimate_tic_tac_toe::game::{Move, UltimateTicTacToe};
use crate::xo::bits;

/// The cells along a side of the whole board.
const SIZE: usize = 9;
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

    /// Parses `e5`, `4 0` (also with another separator: `4/0`, `4-0`), or the number of a cell alone.
    ///
    /// A cell alone is a move if exactly one board allows it. If several do, it's ambiguous. If the cell is occupied on every
    /// playable board, this returns one of these illegal moves, so that the bot can explain it.
    fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        if let Some((board, cell)) = parse_pair(notation::strip_decoration(text)) {
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
            _ => return cell::parse(text, SIZE, SIZE).map(move_at),
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
