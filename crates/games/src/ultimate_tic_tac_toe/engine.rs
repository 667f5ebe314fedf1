//! The rules of ultimate tic-tac-toe as functions over plain data.
//!
//! The fields of a [`GameState`] can contradict each other. Each function reads only the fields that it needs.

use game::contract::{Interop, Outcome};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::marks::{Cell, Player, bits};
use crate::ultimate_tic_tac_toe::game::UltimateTicTacToe;
use crate::ultimate_tic_tac_toe::rule::{ALL, MoveContext, next_active, playable};
use crate::ultimate_tic_tac_toe::state::{ActiveBoards, Position, SubBoardStatus};

/// The state of a game. Boards and cells are numbered from 0 at the top left, row by row.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GameState {
    /// The cells of each board.
    pub boards: [[Cell; 9]; 9],
    /// The status of each board.
    pub sub_board_statuses: [SubBoardStatus; 9],
    /// The boards that the next mark can go into.
    pub active_boards: ActiveBoards,
    /// The side to move.
    pub current_player: Player,
    /// The result of the game, or null while it continues.
    pub game_result: Option<GameResult>,
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GameResult {
    /// X has three boards in a row.
    WonX,
    /// O has three boards in a row.
    WonO,
    /// All boards are complete, and neither side has three in a row.
    Draw,
}

/// Whether a mark can go into a cell: the game isn't over, the board is active but not complete, and the cell is free.
pub fn is_valid_move(state: &GameState, board: usize, cell: usize) -> bool {
    let cells = state.boards.get(board).map_or(&[][..], |cells| cells);
    let context = MoveContext {
        is_over: state.game_result.is_some(),
        active: state.active_boards.mask(),
        complete: complete(&state.sub_board_statuses),
        taken: mask(cells.iter().map(Option::is_some)),
    };
    context.move_error(board, cell).is_none()
}

/// Returns the active boards: the list as it is, or the boards in progress if it's `"all"`.
pub fn active_boards(state: &GameState) -> Vec<usize> {
    match &state.active_boards {
        ActiveBoards::All => bits(playable(ALL, complete(&state.sub_board_statuses)).into()).collect(),
        ActiveBoards::Boards(boards) => boards.clone(),
    }
}

/// Returns the boards that a mark in this cell sends the opponent to, given the statuses after the move.
///
/// It's the board in the same place, or all boards if that one is complete. If `cell` is out of range, it's no board.
pub fn next_active_board(cell: usize, statuses: &[SubBoardStatus; 9]) -> ActiveBoards {
    let next = if cell < statuses.len() { next_active(cell, complete(statuses)) } else { 0 };
    ActiveBoards::from_mask(next)
}

impl From<&UltimateTicTacToe> for GameState {
    fn from(game: &UltimateTicTacToe) -> GameState {
        let Position { boards, sub_board_statuses, active_boards, current_player } = game.position();
        let game_result = game.outcome.map(|outcome| match outcome {
            Outcome::Won(seat) if Player::from(seat) == Player::X => GameResult::WonX,
            Outcome::Won(_) => GameResult::WonO,
            Outcome::Draw => GameResult::Draw,
        });
        GameState { boards, sub_board_statuses, active_boards, current_player, game_result }
    }
}

fn complete(statuses: &[SubBoardStatus; 9]) -> u16 {
    mask(statuses.iter().map(|status| *status != SubBoardStatus::InProgress))
}

/// Returns the first nine values as bits, from the lowest bit.
fn mask(values: impl Iterator<Item = bool>) -> u16 {
    values.take(9).enumerate().fold(0, |mask, (index, value)| mask | u16::from(value) << index)
}
