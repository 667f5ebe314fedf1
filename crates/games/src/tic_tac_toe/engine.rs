//! The rules of tic-tac-toe as functions over plain data.
//!
//! The fields of a [`GameState`] can contradict each other. The functions about lines and draws read only the board;
//! [`apply_move`] refuses moves if the board *or* the status says that the game is over. [`TicTacToe`] has the rules.

use game::contract::{Display, Interop, Outcome, Rules};
use game::rule::RuleError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::marks::{Cell, Player, SEATS, status_and_winner};
use crate::tic_tac_toe::config::GameConfig;
use crate::tic_tac_toe::game::{Move, Position, TicTacToe};

/// A move that isn't validated yet.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Move")]
pub struct RequestedMove {
    /// The player who moves: `X` or `O` if valid.
    pub player: String,
    /// The cell, from 0 at the top left, row by row.
    pub position: i64,
    /// The time of the move, in milliseconds since 1970-01-01 UTC.
    pub timestamp: u64,
}

/// Whether a game continues or how it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The game continues.
    Playing,
    /// A side has a line.
    Won,
    /// The board is full, and neither side has a line.
    Draw,
}

/// A game with its history. [`apply_move`] returns the next state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GameState {
    /// The cells from the top left, row by row.
    pub board: Vec<Cell>,
    /// The side to move. It alternates after every move, even the winning one.
    pub current_player: Player,
    /// The moves so far.
    pub move_history: Vec<RequestedMove>,
    /// Whether the game continues or how it ended.
    pub status: Status,
    /// The winner, if there is one.
    pub winner: Option<Player>,
    /// The first of the completed lines.
    pub winning_line: Option<Vec<usize>>,
    /// The settings of the game.
    pub config: GameConfig,
    /// The time of the start, in milliseconds since 1970-01-01 UTC.
    pub start_time: u64,
    /// The time of the final move, in milliseconds since 1970-01-01 UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_time: Option<u64>,
}

/// Returns the state before the first move.
///
/// # Errors
/// Returns `INVALID_STATE` if `config` is invalid.
pub fn initial_state(config: GameConfig, start_time: u64) -> Result<GameState, RuleError> {
    Ok(state_from_game(&TicTacToe::start(&config)?, config, Vec::new(), start_time))
}

/// Returns the free cells in order; none if the board or the status says that the game is over.
pub fn legal_moves(state: &GameState) -> Vec<usize> {
    match parse_board(state) {
        Ok(game) if state.status == Status::Playing => game.free_cells().collect(),
        _ => Vec::new(),
    }
}

/// Returns the state after a move.
///
/// # Errors
/// Returns the first of `INVALID_STATE`, `TERMINAL_STATE_MOVE`, `INVALID_PLAYER`, `PLAYER_MISMATCH`, `INVALID_MOVE_POSITION` and
/// `OCCUPIED_CELL` that applies.
pub fn apply_move(state: &GameState, mv: &RequestedMove) -> Result<GameState, RuleError> {
    let game = parse_board(state)?;
    check_history(state)?;
    let position = game.check_move(
        game.outcome().map(status_and_winner).or_else(|| recorded_end(state)),
        &mv.player,
        mv.position,
    )?;
    let moves = state.move_history.iter().chain([mv]).cloned().collect();
    Ok(state_from_game(&game.play(&Move { position }), state.config, moves, state.start_time))
}

/// Whether the board or the status says that the game is over.
pub fn is_terminal(state: &GameState) -> bool {
    state.status != Status::Playing || parse_board(state).is_ok_and(|game| game.outcome().is_some())
}

/// Returns the owner of the first completed line on the board.
pub fn winner(state: &GameState) -> Option<Player> {
    status_and_winner(parse_board(state).ok()?.outcome()?).1
}

/// Returns the cells of every completed line: rows, columns, diagonals, then anti-diagonals.
pub fn k_in_row(state: &GameState) -> Vec<Vec<usize>> {
    parse_board(state).map(|game| game.winning_lines()).unwrap_or_default()
}

/// Whether the board is full without a completed line.
pub fn is_draw(state: &GameState) -> bool {
    parse_board(state).is_ok_and(|game| game.outcome() == Some(Outcome::Draw))
}

/// Returns the state of `game` after these moves.
fn state_from_game(
    game: &TicTacToe,
    config: GameConfig,
    move_history: Vec<RequestedMove>,
    start_time: u64,
) -> GameState {
    let outcome = game.outcome();
    let last_move = move_history.last();
    let Position { board, current_player } = game.position();
    GameState {
        board,
        current_player,
        status: match outcome {
            None => Status::Playing,
            Some(Outcome::Won(_)) => Status::Won,
            Some(Outcome::Draw) => Status::Draw,
        },
        winner: outcome.and_then(|outcome| status_and_winner(outcome).1),
        winning_line: game.winning_lines().into_iter().next(),
        config,
        start_time,
        end_time: if outcome.is_some() { last_move.map(|mv| mv.timestamp) } else { None },
        move_history,
    }
}

fn parse_board(state: &GameState) -> Result<TicTacToe, RuleError> {
    TicTacToe::from_board(&state.config, &state.board, state.current_player)
}

/// Checks the players and cells of the history and the winning line, but not whether these moves lead to this board.
fn check_history(state: &GameState) -> Result<(), RuleError> {
    let cells = state.board.len();
    for (nth, mv) in state.move_history.iter().enumerate() {
        if !SEATS.contains(&mv.player.as_str()) {
            return Err(RuleError::invalid_state(&format!("moveHistory[{nth}].player"), mv.player.as_str(), "X or O"));
        }
        if !usize::try_from(mv.position).is_ok_and(|index| index < cells) {
            let field = format!("moveHistory[{nth}].position");
            return Err(RuleError::invalid_state(&field, mv.position, "a cell of the board"));
        }
    }
    match state.winning_line.iter().flatten().find(|&&index| index >= cells) {
        Some(&index) => Err(RuleError::invalid_state("winningLine", index, "cells of the board")),
        None => Ok(()),
    }
}

/// Returns the status and winner if the status says that the game is over.
fn recorded_end(state: &GameState) -> Option<(&'static str, Cell)> {
    match state.status {
        Status::Playing => None,
        Status::Won => Some(("won", state.winner)),
        Status::Draw => Some(("draw", state.winner)),
    }
}
