//! Move notation, explanations of illegal moves, and the hint where to play.

use game::cell::{self, CellRef};
use game::contract::{Explain, Notation, Rules};
use game::notation;
use game::phrase::{Phrase, code, phrase};
use game::rule::{ParseMoveError, RuleError};
use serde_json::json;

use crate::marks::{Player, bits, game_over_message, status_and_winner};
use crate::ultimate_tic_tac_toe::game::UltimateTicTacToe;
use crate::ultimate_tic_tac_toe::rule::{ALL, MoveError};
use crate::ultimate_tic_tac_toe::state::{ActiveBoards, Move, SubBoardStatus};

/// The cells along a side of the whole board.
const SIZE: usize = 9;

/// The names of the boards, row by row from the top left.
const BOARD_NAMES: [&str; 9] =
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

fn move_name(mv: &Move) -> String {
    match cell_index(mv) {
        Some(index) => cell::name(index, SIZE, SIZE),
        None => format!("{} {}", mv.board, mv.cell),
    }
}

impl Notation for UltimateTicTacToe {
    fn notation(&self, mv: &Move) -> String {
        move_name(mv)
    }

    /// Parses `e5`, `4 0` (also `4/0`, `4.0`, `4,0`), or the number of a cell alone.
    ///
    /// A cell alone is a move if exactly one board allows it. If several do, it's ambiguous. If the cell is occupied on every
    /// playable board, this returns one of these illegal moves, so that the bot can explain it.
    fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        if let Some((board, cell)) = parse_pair(notation::strip_decoration(text)) {
            let mv = Move { board, cell };
            return if cell_index(&mv).is_some() {
                Ok(mv)
            } else {
                Err(ParseMoveError::out_of_range(cell::OUT_OF_RANGE_CODE, out_of_range_message(&mv)))
            };
        }
        let cell = match cell::parse_cell_ref(text) {
            Some(CellRef::Index(cell @ 0..SIZE)) => cell,
            Some(CellRef::Index(SIZE)) => {
                let message = "Invalid move position: 9. Valid range: 0-8 for a cell of a board";
                return Err(ParseMoveError::out_of_range(cell::OUT_OF_RANGE_CODE, message));
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

impl Explain for UltimateTicTacToe {
    fn legality_error(&self, mv: &Move) -> Option<RuleError> {
        let (board, cell) = (mv.board, mv.cell);
        let error = |code, message, (key, value): (&str, serde_json::Value)| {
            let legal: Vec<String> = self.legal_moves().iter().map(move_name).collect();
            let mut context = json!({ "board": board, "cell": cell, "legalMoves": legal });
            context[key] = value;
            Some(RuleError::new(code, message, context))
        };
        let active = ActiveBoards::from_mask(self.active);
        match self.move_error(mv)? {
            MoveError::GameOver => {
                let (status, winner) = status_and_winner(self.outcome?);
                let context = json!({ "board": board, "cell": cell, "currentStatus": status, "winner": winner });
                Some(RuleError::new("TERMINAL_STATE_MOVE", game_over_message(status, winner), context))
            }
            MoveError::OutOfRange => {
                error(cell::OUT_OF_RANGE_CODE, out_of_range_message(mv), ("activeBoards", json!(active)))
            }
            MoveError::InactiveBoard => {
                let message = format!("Cannot move to inactive board {board}. Active boards: {active}");
                error("INACTIVE_BOARD", message, ("activeBoards", json!(active)))
            }
            MoveError::CompleteBoard => {
                let status = self.status(board as usize);
                let message = format!("Cannot move to completed board {board}. Board status: {status}");
                error("COMPLETED_BOARD", message, ("subBoardStatus", json!(status)))
            }
            MoveError::OccupiedCell => {
                let owner = self.mark(board as usize, cell as usize);
                let name = owner.map_or("", Player::name);
                let message =
                    format!("Cannot move to occupied cell at position {cell} of board {board}. Cell contains: {name}");
                error("OCCUPIED_CELL", message, ("contains", json!(owner)))
            }
        }
    }

    fn explain(&self, mv: &Move) -> Option<Phrase> {
        let (board, name) = (mv.board as usize, code(move_name(mv)));
        match self.move_error(mv)? {
            MoveError::GameOver | MoveError::OutOfRange => None,
            MoveError::InactiveBoard => Some(phrase![
                name,
                " is in ",
                board_phrase(board),
                ", but this move has to be in ",
                playable_boards_phrase(self)
            ]),
            MoveError::CompleteBoard => {
                let how = match self.status(board) {
                    SubBoardStatus::WonX => "X has already won",
                    SubBoardStatus::WonO => "O has already won",
                    _ => "is drawn",
                };
                Some(phrase![
                    name,
                    " is in ",
                    board_phrase(board),
                    ", which ",
                    how,
                    ". Play in ",
                    playable_boards_phrase(self)
                ])
            }
            MoveError::OccupiedCell => {
                let owner = self.mark(board, mv.cell as usize).map_or("nobody", Player::name);
                Some(phrase![owner, " is already on ", name])
            }
        }
    }

    fn turn_hint(&self) -> Option<Phrase> {
        let start = match self.playable().count_ones() {
            0 => return None,
            1 => "The next move has to be in ",
            _ => "The next move can be in ",
        };
        Some(phrase![start, playable_boards_phrase(self), ", on any dot."])
    }
}

/// Returns the error message for a board or cell that is out of range.
fn out_of_range_message(mv: &Move) -> String {
    format!("Invalid move position: board {}, cell {}. Valid range: 0-8 for both", mv.board, mv.cell)
}

/// Returns the playable boards as part of a sentence.
fn playable_boards_phrase(game: &UltimateTicTacToe) -> Phrase {
    let (playable, complete) = (game.playable(), game.complete());
    if playable.count_ones() == 1 {
        Phrase::join(bits(playable).map(board_phrase), "")
    } else if complete == 0 && playable == u32::from(ALL) {
        "any board".into()
    } else if playable == u32::from(ALL & !complete) {
        "any unfinished board".into()
    } else {
        Phrase::either(bits(playable).map(board_phrase))
    }
}

/// Returns the name and corners of a board: "the middle board (`d4`-`f6`)".
fn board_phrase(board: usize) -> Phrase {
    let name = BOARD_NAMES.get(board).copied().unwrap_or("nowhere");
    let corner = |cell| code(move_name(&Move { board: board as u32, cell }));
    phrase!["the ", name, " board (", corner(6), "-", corner(2), ")"]
}

/// Parses two digits with a separator between them, like `4 0`.
fn parse_pair(text: &str) -> Option<(u32, u32)> {
    let digit = |c: Option<char>| c.and_then(|c| c.to_digit(10));
    let mut chars = text.chars();
    let pair = (digit(chars.next())?, digit(chars.next_back())?);
    let separator = chars.as_str();
    let trimmed = separator.trim_matches(|c: char| c.is_whitespace() && c != '\n');
    if !separator.is_empty() && matches!(trimmed, "" | "/" | "." | ",") { Some(pair) } else { None }
}
