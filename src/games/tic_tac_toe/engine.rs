//! The rules of tic-tac-toe as a library: functions over plain data, for programs that keep their own state.
//!
//! A [`GameState`] may come from anywhere, so its fields can contradict each other. The line and draw functions read the
//! board and nothing else; [`apply_move`] refuses when the board *or* the status says that the game is over. The rules
//! themselves are those of [`TicTacToe`]: every function here asks it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::game::cell;
use crate::game::contract::{Game, Outcome};
use crate::game::rule::RuleError;
use crate::games::marks::{SEATS, invalid, terminal};
use crate::games::tic_tac_toe::{Position, TicTacToe};
use crate::talk::comment::Millis;

pub use crate::games::marks::{Cell, GameMode, Player};

/// What is settled before the first move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", from = "GivenConfig")]
#[schemars(rename = "TicTacToeConfig")]
pub struct GameConfig {
    /// The length of a side, 3 to 19.
    pub board_size: usize,
    /// How many in a row win, 3 to `boardSize`.
    pub k_in_row: usize,
    /// Who has the first move.
    pub first_player: Player,
    /// Who plays.
    pub mode: GameMode,
}

/// A configuration as it is given: what is left out has a default, and that of `kInRow` depends on the size.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "TicTacToeConfig")]
struct GivenConfig {
    /// The length of a side, 3 to 19; 3 unless given.
    board_size: Option<usize>,
    /// How many in a row win, 3 to `boardSize`; unless given 3 up to 4x4, 4 up to 7x7, 5 from 8x8.
    k_in_row: Option<usize>,
    /// Who has the first move; X unless given.
    first_player: Option<Player>,
    /// Who plays.
    mode: Option<GameMode>,
}

/// A move as it is asked for: not yet known to be one of a player, on the board, or legal.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Move {
    /// Whose move it is; `X` or `O`, but any text can be asked about.
    pub player: String,
    /// The cell, from 0 at the top left, row by row.
    pub position: i64,
    /// When the move was made.
    pub timestamp: Millis,
}

/// Whether the game goes on, and if not, how it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It goes on.
    Playing,
    /// Somebody has a line.
    Won,
    /// The board is full and nobody has a line.
    Draw,
}

/// A game with everything that happened in it. Nothing here ever changes one; [`apply_move`] makes the next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GameState {
    /// The cells from the top left, row by row.
    pub board: Vec<Cell>,
    /// Whose turn it is; alternates after every move, the winning one too.
    pub current_player: Player,
    /// The moves so far.
    pub move_history: Vec<Move>,
    /// Whether the game goes on.
    pub status: Status,
    /// Who has won.
    pub winner: Option<Player>,
    /// The first of the completed lines.
    pub winning_line: Option<Vec<usize>>,
    /// What was settled before the first move.
    pub config: GameConfig,
    /// When the game started.
    pub start_time: Millis,
    /// The time of the final move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_time: Option<Millis>,
}

/// The state before the first move.
///
/// # Errors
/// `INVALID_STATE` when there is no such board.
pub fn initial_state(config: GameConfig, start_time: Millis) -> Result<GameState, RuleError> {
    let game = TicTacToe::start(&config)?;
    Ok(GameState {
        board: game.position().board,
        current_player: config.first_player,
        move_history: Vec::new(),
        status: Status::Playing,
        winner: None,
        winning_line: None,
        config,
        start_time,
        end_time: None,
    })
}

/// The empty cells in order; none when the game is over, by the board or by the status.
#[must_use]
pub fn legal_moves(state: &GameState) -> Vec<usize> {
    match board(state) {
        Ok(game) if state.status == Status::Playing => game.free_cells().collect(),
        _ => Vec::new(),
    }
}

/// The state after a move. The one given stays as it is.
///
/// # Errors
/// The first of `INVALID_STATE`, `TERMINAL_STATE_MOVE`, `INVALID_PLAYER`, `PLAYER_MISMATCH`, `INVALID_MOVE_POSITION` and
/// `OCCUPIED_CELL` that applies.
pub fn apply_move(state: &GameState, mv: &Move) -> Result<GameState, RuleError> {
    let game = board(state)?;
    history(state)?;
    let ending = game.outcome().map(Ending::from).or_else(|| told_ending(state));
    let position = playable(&game, ending, &mv.player, mv.position)?;
    let after = game.play(&crate::games::tic_tac_toe::Move { position });

    let ending = after.outcome().map(Ending::from);
    let Position { board, current_player } = after.position();
    Ok(GameState {
        board,
        current_player,
        move_history: state.move_history.iter().chain([mv]).cloned().collect(),
        status: ending.map_or(Status::Playing, |ending| ending.status),
        winner: ending.and_then(|ending| ending.winner),
        winning_line: after.winning_lines().into_iter().next(),
        config: state.config,
        start_time: state.start_time,
        end_time: ending.map(|_| mv.timestamp),
    })
}

/// Whether the game is over, by the board or by the status.
#[must_use]
pub fn is_terminal(state: &GameState) -> bool {
    state.status != Status::Playing || board(state).is_ok_and(|game| game.outcome().is_some())
}

/// Who owns the first completed line on the board.
#[must_use]
pub fn winner(state: &GameState) -> Option<Player> {
    board(state).ok()?.outcome().and_then(|outcome| Ending::from(outcome).winner)
}

/// Every completed line on the board, each as its cells: rows, columns, main diagonals, anti-diagonals, each from the top
/// left. The board need not be one that can be reached.
#[must_use]
pub fn k_in_row(state: &GameState) -> Vec<Vec<usize>> {
    board(state).map(|game| game.winning_lines()).unwrap_or_default()
}

/// Whether the board is full without a completed line.
#[must_use]
pub fn is_draw(state: &GameState) -> bool {
    board(state).is_ok_and(|game| game.outcome() == Some(Outcome::Draw))
}

impl GameConfig {
    /// How many in a row win on a board of this size unless somebody says otherwise.
    #[must_use]
    pub fn usual_k(board_size: usize) -> usize {
        match board_size {
            0..=4 => 3,
            5..=7 => 4,
            _ => 5,
        }
    }
}

impl From<GivenConfig> for GameConfig {
    fn from(given: GivenConfig) -> GameConfig {
        let board_size = given.board_size.unwrap_or(3);
        GameConfig {
            board_size,
            k_in_row: given.k_in_row.unwrap_or(GameConfig::usual_k(board_size)),
            first_player: given.first_player.unwrap_or(Player::X),
            mode: given.mode.unwrap_or_default(),
        }
    }
}

/// How a game ended, in the words of a [`GameState`].
#[derive(Clone, Copy)]
pub(super) struct Ending {
    status: Status,
    winner: Option<Player>,
}

impl From<Outcome> for Ending {
    fn from(outcome: Outcome) -> Ending {
        match outcome {
            Outcome::Won(seat) => Ending { status: Status::Won, winner: Some(seat.into()) },
            Outcome::Draw => Ending { status: Status::Draw, winner: None },
        }
    }
}

/// The cell of a move if it can be played now: the rules about a move, in the order in which they are checked. How the
/// game ended is an argument, because a state can say so against its board.
pub(super) fn playable(
    game: &TicTacToe,
    ending: Option<Ending>,
    player: &str,
    position: i64,
) -> Result<u32, RuleError> {
    if let Some(Ending { status, winner }) = ending {
        let told = if status == Status::Won { "won" } else { "draw" };
        return Err(RuleError {
            code: "TERMINAL_STATE_MOVE",
            message: terminal(told, winner),
            context: json!({ "position": position, "currentStatus": status, "winner": winner }),
        });
    }
    let current = Player::from(game.to_move());
    if !SEATS.contains(&player) {
        return Err(RuleError {
            code: "INVALID_PLAYER",
            message: format!("Invalid player: {player}. Expected X or O"),
            context: json!({ "position": position, "player": player }),
        });
    }
    if player != current.name() {
        return Err(RuleError {
            code: "PLAYER_MISMATCH",
            message: format!("Move player {player} does not match current player {}", current.name()),
            context: json!({ "position": position, "player": player, "currentPlayer": current }),
        });
    }
    let legal = || game.free_cells().collect::<Vec<_>>();
    let on_board = u32::try_from(position).ok().filter(|&index| (index as usize) < game.cells());
    let Some(index) = on_board else {
        return Err(RuleError {
            code: cell::OFF_BOARD,
            message: cell::off_board(position, game.size(), game.size()),
            context: json!({ "position": position, "legalMoves": legal() }),
        });
    };
    if let Some(owner) = game.mark(index as usize) {
        return Err(RuleError {
            code: "OCCUPIED_CELL",
            message: format!("Cannot move to occupied cell at position {index}. Cell contains: {}", owner.name()),
            context: json!({ "position": position, "cell": owner, "legalMoves": legal() }),
        });
    }
    Ok(index)
}

fn board(state: &GameState) -> Result<TicTacToe, RuleError> {
    TicTacToe::on_board(&state.config, &state.board, state.current_player)
}

/// What a move is played on top of must be written as moves and lines are; whether it can have happened is not asked.
fn history(state: &GameState) -> Result<(), RuleError> {
    let cells = state.board.len();
    for (nth, mv) in state.move_history.iter().enumerate() {
        if !SEATS.contains(&mv.player.as_str()) {
            return Err(invalid(&format!("moveHistory[{nth}].player"), mv.player.as_str(), "X or O"));
        }
        if usize::try_from(mv.position).is_ok_and(|index| index < cells) {
            continue;
        }
        return Err(invalid(&format!("moveHistory[{nth}].position"), mv.position, "a cell of the board"));
    }
    match state.winning_line.iter().flatten().find(|&&index| index >= cells) {
        Some(&index) => Err(invalid("winningLine", index, "cells of the board")),
        None => Ok(()),
    }
}

fn told_ending(state: &GameState) -> Option<Ending> {
    (state.status != Status::Playing).then_some(Ending { status: state.status, winner: state.winner })
}
