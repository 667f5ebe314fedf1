//! Explains illegal moves, and hints where to play.

use game::cell;
use game::contract::{Explain, Rules};
use game::phrase::{Phrase, code, phrase};
use game::rule::RuleError;
use serde_json::json;

use crate::ultimate_tic_tac_toe::bitboards::ALL;
use crate::ultimate_tic_tac_toe::game::{Move, SubBoardStatus, UltimateTicTacToe};
use crate::ultimate_tic_tac_toe::notation::{BOARD_NAMES, move_name, out_of_range_message};
use crate::ultimate_tic_tac_toe::position::ActiveBoards;
use crate::xo::{Player, bits, game_over_message, status_and_winner};

/// The reason why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MoveError {
    /// The game is over.
    GameOver,
    /// The board or the cell isn't in the range 0 to 8.
    OutOfRange,
    /// The previous move sent the player to another board.
    InactiveBoard,
    /// The board is won or drawn.
    CompleteBoard,
    /// The cell has a mark.
    OccupiedCell,
}

impl UltimateTicTacToe {
    /// Returns the first rule that a move breaks, or `None` if it's legal.
    fn move_error(&self, mv: &Move) -> Option<MoveError> {
        let (board, cell) = (mv.board as usize, mv.cell as usize);
        let has = |mask: u16, index: usize| mask >> index & 1 == 1;
        if self.outcome.is_some() {
            Some(MoveError::GameOver)
        } else if board >= 9 || cell >= 9 {
            Some(MoveError::OutOfRange)
        } else if !has(self.active, board) {
            Some(MoveError::InactiveBoard)
        } else if has(self.complete(), board) {
            Some(MoveError::CompleteBoard)
        } else if has(self.taken(board), cell) {
            Some(MoveError::OccupiedCell)
        } else {
            None
        }
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
