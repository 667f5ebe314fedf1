//! Explains illegal moves, and hints where to play.

use game::cell;
use game::contract::{Explain, Rules, game_over};
use game::phrase::{Phrase, code, phrase};
use game::rule::IllegalMove;
use serde_json::{Value, json};

use crate::ultimate_tic_tac_toe::bitboards::ALL;
use crate::ultimate_tic_tac_toe::game::{Move, SubBoardStatus, UltimateTicTacToe};
use crate::ultimate_tic_tac_toe::notation::{BOARD_NAMES, move_name, out_of_range_message};
use crate::ultimate_tic_tac_toe::position::ActiveBoards;
use crate::xo::{Player, bits};

impl Explain for UltimateTicTacToe {
    fn illegality(&self, mv: &Move) -> IllegalMove {
        let (board, cell) = (mv.board as usize, mv.cell as usize);
        if let Some(outcome) = self.outcome {
            let over = game_over::<Self>(outcome);
            let [status, winner] = ["currentStatus", "winner"].map(|key| &over.context[key]);
            let context = json!({ "board": board, "cell": cell, "currentStatus": status, "winner": winner });
            return IllegalMove { context, ..over };
        }
        let illegal = |code, message: String, (key, value): (&str, Value)| {
            let legal: Vec<String> = self.legal_moves().iter().map(move_name).collect();
            let mut context = json!({ "board": board, "cell": cell, "legalMoves": legal });
            context[key] = value;
            IllegalMove::new(code, message, context)
        };
        let active = ActiveBoards::from_mask(self.active);
        if board >= 9 || cell >= 9 {
            return illegal(cell::OUT_OF_RANGE_CODE, out_of_range_message(mv), ("activeBoards", json!(active)));
        }
        let name = code(move_name(mv));
        let is_in = phrase![name.clone(), " is in ", board_phrase(board)];
        if self.active >> board & 1 == 0 {
            let message = format!("Cannot move to inactive board {board}. Active boards: {active}");
            let explanation = phrase![is_in, ", but this move has to be in ", playable_boards_phrase(self)];
            return illegal("INACTIVE_BOARD", message, ("activeBoards", json!(active))).explained(explanation);
        }
        let how = match self.status(board) {
            SubBoardStatus::WonX => "X has already won",
            SubBoardStatus::WonO => "O has already won",
            SubBoardStatus::Draw => "is drawn",
            SubBoardStatus::InProgress => {
                let owner = self.mark(board, cell);
                let owner_name = owner.map_or("nobody", Player::name);
                let message = format!(
                    "Cannot move to occupied cell at position {cell} of board {board}. Cell contains: {owner_name}"
                );
                let explanation = phrase![owner_name, " is already on ", name];
                return illegal("OCCUPIED_CELL", message, ("contains", json!(owner))).explained(explanation);
            }
        };
        let status = self.status(board);
        let message = format!("Cannot move to completed board {board}. Board status: {status}");
        let explanation = phrase![is_in, ", which ", how, ". Play in ", playable_boards_phrase(self)];
        illegal("COMPLETED_BOARD", message, ("subBoardStatus", json!(status))).explained(explanation)
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
