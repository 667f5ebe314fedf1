//! The notation of moves, and the sentences that tell players about the boards.

use game::cell::{self, Written};
use game::contract::{Explain, Notation, Rules};
use game::notation;
use game::phrase::{Phrase, code, phrase};
use game::rule::{RuleError, Unread};
use serde_json::json;

use crate::marks::{Player, bits, terminal, told};
use crate::ultimate_tic_tac_toe::game::UltimateTicTacToe;
use crate::ultimate_tic_tac_toe::rule::{ALL, Obstacle};
use crate::ultimate_tic_tac_toe::state::{ActiveBoards, Move, SubBoardStatus};

/// The number of cells on a side of the whole board.
const SIZE: usize = 9;

/// The boards by their places, from the top left.
const NAMES: [&str; 9] =
    ["top-left", "top-middle", "top-right", "left", "middle", "right", "bottom-left", "bottom-middle", "bottom-right"];

/// Returns the cell of the whole board that a move marks, from 0 at the top left, row by row; `None` for a cell
/// that does not exist.
pub(super) fn index(mv: &Move) -> Option<usize> {
    let (board, cell) = (mv.board as usize, mv.cell as usize);
    (board < 9 && cell < 9).then(|| (board / 3 * 3 + cell / 3) * SIZE + board % 3 * 3 + cell % 3)
}

/// Returns the move that marks a cell of the whole board.
pub(super) fn at(index: usize) -> Move {
    let (row, column) = (index / SIZE, index % SIZE);
    Move { board: (row / 3 * 3 + column / 3) as u32, cell: (row % 3 * 3 + column % 3) as u32 }
}

fn notation(mv: &Move) -> String {
    index(mv).map_or_else(|| format!("{} {}", mv.board, mv.cell), |index| cell::name(index, SIZE, SIZE))
}

impl Notation for UltimateTicTacToe {
    fn notation(&self, mv: &Move) -> String {
        notation(mv)
    }

    /// Reads `e5`, `4 0` (also `4/0`, `4.0`, `4,0`), and the number of a cell alone.
    ///
    /// That number is a move when one board only can be played in. When there are more it is a move if just one legal move can
    /// be meant, and else ambiguous. If the cell is taken wherever it could be, it is read as one of those, and the rules say so.
    fn read(&self, text: &str) -> Result<Move, Unread> {
        if let Some((board, cell)) = pair(notation::bare(text)) {
            let mv = Move { board, cell };
            return if index(&mv).is_some() {
                Ok(mv)
            } else {
                Err(Unread::OffBoard((cell::OFF_BOARD, off_board(&mv))))
            };
        }
        let cell = match cell::written(text) {
            Some(Written::Number(cell @ 0..SIZE)) => cell,
            Some(Written::Number(SIZE)) => {
                let sentence = "Invalid move position: 9. Valid range: 0-8 for a cell of a board".to_owned();
                return Err(Unread::OffBoard((cell::OFF_BOARD, sentence)));
            }
            // Longer numbers are no part of this notation, so that a comment that says 42 stays a comment.
            Some(Written::Number(_)) => return Err(Unread::Strange),
            _ => return cell::read(text, SIZE, SIZE).map(at),
        };
        let on = |board: usize| Move { board: board as u32, cell: cell as u32 };
        let playable = self.playable();
        let free: Vec<Move> = bits(playable).filter(|&board| self.mark(board, cell).is_none()).map(on).collect();
        match free.as_slice() {
            [] => Ok(on(bits(playable).next().unwrap_or(0))),
            [only] => Ok(*only),
            several => Err(Unread::Ambiguous(several.iter().map(notation).collect())),
        }
    }

    fn group(&self, mv: &Move) -> Option<String> {
        let name = NAMES.get(mv.board as usize).copied().unwrap_or("nowhere");
        let corner = |cell| notation(&Move { board: mv.board, cell });
        Some(format!("The {name} board, {}-{}", corner(6), corner(2)))
    }
}

impl Explain for UltimateTicTacToe {
    fn objection(&self, mv: &Move) -> Option<RuleError> {
        let (board, cell) = (mv.board, mv.cell);
        let error = |code, message, fact: (&str, serde_json::Value)| {
            let legal: Vec<String> = self.legal_moves().iter().map(notation).collect();
            let mut context = json!({ "board": board, "cell": cell, "legalMoves": legal });
            context[fact.0] = fact.1;
            Some(RuleError::new(code, message, context))
        };
        let active = ActiveBoards::from_mask(self.active);
        match self.obstacle(mv)? {
            Obstacle::Over => {
                let (status, winner) = told(self.outcome?);
                let context = json!({ "board": board, "cell": cell, "currentStatus": status, "winner": winner });
                Some(RuleError::new("TERMINAL_STATE_MOVE", terminal(status, winner), context))
            }
            Obstacle::NoSuchCell => error(cell::OFF_BOARD, off_board(mv), ("activeBoards", json!(active))),
            Obstacle::Inactive => {
                let message = format!("Cannot move to inactive board {board}. Active boards: {active}");
                error("INACTIVE_BOARD", message, ("activeBoards", json!(active)))
            }
            Obstacle::Complete => {
                let status = self.status(board as usize);
                let message = format!("Cannot move to completed board {board}. Board status: {status}");
                error("COMPLETED_BOARD", message, ("subBoardStatus", json!(status)))
            }
            Obstacle::Taken => {
                let owner = self.mark(board as usize, cell as usize);
                let name = owner.map_or("", Player::name);
                let message =
                    format!("Cannot move to occupied cell at position {cell} of board {board}. Cell contains: {name}");
                error("OCCUPIED_CELL", message, ("contains", json!(owner)))
            }
        }
    }

    fn explain(&self, mv: &Move) -> Option<Phrase> {
        let (board, name) = (mv.board as usize, code(notation(mv)));
        match self.obstacle(mv)? {
            Obstacle::Over | Obstacle::NoSuchCell => None,
            Obstacle::Inactive => {
                Some(phrase![name, " is in ", place(board), ", but this move has to be in ", places(self)])
            }
            Obstacle::Complete => {
                let how = match self.status(board) {
                    SubBoardStatus::WonX => "X has already won",
                    SubBoardStatus::WonO => "O has already won",
                    _ => "is drawn",
                };
                Some(phrase![name, " is in ", place(board), ", which ", how, ". Play in ", places(self)])
            }
            Obstacle::Taken => {
                let owner = self.mark(board, mv.cell as usize).map_or("nobody", Player::name);
                Some(phrase![owner, " is already on ", name])
            }
        }
    }

    fn turn_hint(&self) -> Option<Phrase> {
        let where_ = match self.playable().count_ones() {
            0 => return None,
            1 => "The next move has to be in ",
            _ => "The next move can be in ",
        };
        Some(phrase![where_, places(self), ", on any dot."])
    }
}

/// Returns the sentence about a board or a cell that there is not.
fn off_board(mv: &Move) -> String {
    format!("Invalid move position: board {}, cell {}. Valid range: 0-8 for both", mv.board, mv.cell)
}

/// Returns the boards that can be played in, for a sentence.
fn places(game: &UltimateTicTacToe) -> Phrase {
    let (playable, complete) = (game.playable(), game.complete());
    match playable {
        _ if playable.count_ones() == 1 => Phrase::join(bits(playable).map(place), ""),
        _ if complete == 0 && playable == u32::from(ALL) => "any board".into(),
        _ if playable == u32::from(ALL & !complete) => "any unfinished board".into(),
        _ => Phrase::either(bits(playable).map(place)),
    }
}

/// Returns a board with its corners: "the middle board (`d4`-`f6`)".
fn place(board: usize) -> Phrase {
    let name = NAMES.get(board).copied().unwrap_or("nowhere");
    let corner = |cell| code(notation(&Move { board: board as u32, cell }));
    phrase!["the ", name, " board (", corner(6), "-", corner(2), ")"]
}

/// Returns the two digits of a `4 0`. What stands between them has to be there.
fn pair(text: &str) -> Option<(u32, u32)> {
    let digit = |c: Option<char>| c.and_then(|c| c.to_digit(10));
    let mut chars = text.chars();
    let both = (digit(chars.next())?, digit(chars.next_back())?);
    let between = chars.as_str();
    let signs = between.trim_matches(|c: char| c.is_whitespace() && c != '\n');
    (!between.is_empty() && matches!(signs, "" | "/" | "." | ",")).then_some(both)
}
