//! The rules of tic-tac-toe as a library: functions over plain data, for programs that keep their own state.
//!
//! A [`GameState`] may come from anywhere, so its fields can contradict each other. The line and draw functions read the
//! board and nothing else; [`apply_move`] refuses when the board *or* the status says that the game is over. The rules
//! themselves are those of [`TicTacToe`]: every function here asks it.

use game::contract::{Display, Interop, Outcome, Rules};
use game::rule::RuleError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::marks::{Cell, Player, SEATS, status_and_winner};
use crate::tic_tac_toe::config::GameConfig;
use crate::tic_tac_toe::game::{Move, Position, TicTacToe};

/// A move as it is asked for: not yet known to be one of a player, on the board, or legal.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Move")]
pub struct RequestedMove {
    /// The mover; `X` or `O`, but any text can be asked about.
    pub player: String,
    /// The cell, from 0 at the top left, row by row.
    pub position: i64,
    /// The time of the move, in milliseconds since 1970-01-01 UTC.
    pub timestamp: u64,
}

/// The standing of a game: going on, or ended in one of two ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The game goes on.
    Playing,
    /// A side has a line.
    Won,
    /// The board is full and nobody has a line.
    Draw,
}

/// A game with everything that happened in it. It is never changed; [`apply_move`] makes the next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GameState {
    /// The cells from the top left, row by row.
    pub board: Vec<Cell>,
    /// The side on turn; alternates after every move, the winning one too.
    pub current_player: Player,
    /// The moves so far.
    pub move_history: Vec<RequestedMove>,
    /// The standing of the game.
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
/// `INVALID_STATE` for a board that cannot be.
pub fn initial_state(config: GameConfig, start_time: u64) -> Result<GameState, RuleError> {
    Ok(state_from_game(&TicTacToe::start(&config)?, config, Vec::new(), start_time))
}

/// Returns the empty cells in order; none when the game is over, by the board or by the status.
pub fn legal_moves(state: &GameState) -> Vec<usize> {
    match parse_board(state) {
        Ok(game) if state.status == Status::Playing => game.free_cells().collect(),
        _ => Vec::new(),
    }
}

/// Returns the state after a move. The one given stays as it is.
///
/// # Errors
/// The first of `INVALID_STATE`, `TERMINAL_STATE_MOVE`, `INVALID_PLAYER`, `PLAYER_MISMATCH`, `INVALID_MOVE_POSITION` and
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

/// Tests if the game is over, by the board or by the status.
pub fn is_terminal(state: &GameState) -> bool {
    state.status != Status::Playing || parse_board(state).is_ok_and(|game| game.outcome().is_some())
}

/// Returns the owner of the first completed line on the board.
pub fn winner(state: &GameState) -> Option<Player> {
    status_and_winner(parse_board(state).ok()?.outcome()?).1
}

/// Returns every completed line on the board, each as its cells: rows, columns, main diagonals, anti-diagonals, each from
/// the top left. The board need not be one that can be reached.
pub fn k_in_row(state: &GameState) -> Vec<Vec<usize>> {
    parse_board(state).map(|game| game.winning_lines()).unwrap_or_default()
}

/// Tests if the board is full without a completed line.
pub fn is_draw(state: &GameState) -> bool {
    parse_board(state).is_ok_and(|game| game.outcome() == Some(Outcome::Draw))
}

/// Returns the state of a game that has come about by these moves.
fn state_from_game(
    game: &TicTacToe,
    config: GameConfig,
    move_history: Vec<RequestedMove>,
    start_time: u64,
) -> GameState {
    let outcome = game.outcome();
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
        end_time: move_history.last().filter(|_| outcome.is_some()).map(|mv| mv.timestamp),
        move_history,
    }
}

fn parse_board(state: &GameState) -> Result<TicTacToe, RuleError> {
    TicTacToe::from_board(&state.config, &state.board, state.current_player)
}

/// Tests if the past of a state is written as moves and lines are; it need not be one that can have happened.
fn check_history(state: &GameState) -> Result<(), RuleError> {
    let cells = state.board.len();
    for (nth, mv) in state.move_history.iter().enumerate() {
        if !SEATS.contains(&mv.player.as_str()) {
            return Err(RuleError::invalid_state(&format!("moveHistory[{nth}].player"), mv.player.as_str(), "X or O"));
        }
        if usize::try_from(mv.position).is_ok_and(|index| index < cells) {
            continue;
        }
        return Err(RuleError::invalid_state(
            &format!("moveHistory[{nth}].position"),
            mv.position,
            "a cell of the board",
        ));
    }
    match state.winning_line.iter().flatten().find(|&&index| index >= cells) {
        Some(&index) => Err(RuleError::invalid_state("winningLine", index, "cells of the board")),
        None => Ok(()),
    }
}

/// Returns the end of the game according to the status alone, without a look at the board.
fn recorded_end(state: &GameState) -> Option<(&'static str, Cell)> {
    match state.status {
        Status::Playing => None,
        Status::Won => Some(("won", state.winner)),
        Status::Draw => Some(("draw", state.winner)),
    }
}
