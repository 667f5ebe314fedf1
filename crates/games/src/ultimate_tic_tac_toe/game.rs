//! The settings and rules of ultimate tic-tac-toe, and its explanations.

use std::fmt;

use game::{DiceRules, Ending, Explain, IllegalMove, InvalidState, Outcome, Phrase, Rules, Seat, cell, game_over, say};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::marks::bits;
use crate::ultimate_tic_tac_toe::computer::{ALL, next_active};
use crate::ultimate_tic_tac_toe::position::{BOARD_NAMES, move_name, out_of_range_message};
use crate::ultimate_tic_tac_toe::{ActiveBoards, has_line};
use crate::{Cell, GameMode, Mark};

/// A move: a mark in a cell of a board. Boards and cells are numbered from 0 at the top left, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "UltimateTicTacToeMove")]
pub struct Move {
    /// The board, 0 to 8.
    pub board: u32,
    /// The cell of that board, 0 to 8.
    pub cell: u32,
}

/// The status of one of the nine boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SubBoardStatus {
    /// Neither side has three in a row, and a cell is free.
    #[default]
    InProgress,
    /// X has three in a row.
    WonX,
    /// O has three in a row.
    WonO,
    /// The board is full, and neither side has three in a row. It counts for neither side.
    Draw,
}

/// A position, stored as masks of nine bits. Playing a move allocates nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UltimateTicTacToe {
    /// The marks of each side on each board, by seat.
    pub(super) marks: [[u16; 9]; 2],
    /// The boards that each side has won, by seat.
    pub(super) won: [u16; 2],
    /// The boards that are full without a winner.
    pub(super) drawn: u16,
    /// The boards that the next mark may go to. [`ALL`] includes complete boards, and 0 means that the game is over.
    pub(super) active: u16,
    pub(super) side_to_move: Seat,
    pub(super) outcome: Option<Outcome>,
}

impl fmt::Display for SubBoardStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SubBoardStatus::InProgress => "in-progress",
            SubBoardStatus::WonX => "won-x",
            SubBoardStatus::WonO => "won-o",
            SubBoardStatus::Draw => "draw",
        })
    }
}

impl UltimateTicTacToe {
    /// Returns the mark in a cell of a board; `None` if the cell is free or out of range.
    pub fn mark(&self, board: usize, cell: usize) -> Cell {
        let has = |seat: &Seat| {
            let marks = self.marks[seat.index()].get(board).copied().unwrap_or(0);
            cell < 9 && marks >> cell & 1 == 1
        };
        Seat::BOTH.into_iter().find(has).map(Mark::from)
    }

    /// Returns the status of a board.
    pub fn status(&self, board: usize) -> SubBoardStatus {
        match self.owner(board) {
            Some(Mark::X) => SubBoardStatus::WonX,
            Some(Mark::O) => SubBoardStatus::WonO,
            None if board < 9 && self.drawn >> board & 1 == 1 => SubBoardStatus::Draw,
            None => SubBoardStatus::InProgress,
        }
    }

    /// Returns the winner of a board.
    pub(super) fn owner(&self, board: usize) -> Cell {
        let has = |seat: &Seat| board < 9 && self.won[seat.index()] >> board & 1 == 1;
        Seat::BOTH.into_iter().find(has).map(Mark::from)
    }

    /// Returns the boards that are won or drawn.
    pub(super) fn complete(&self) -> u16 {
        self.won[0] | self.won[1] | self.drawn
    }

    /// Returns the boards that the next mark can go into.
    pub(super) fn playable(&self) -> u32 {
        (self.active & !self.complete()).into()
    }

    /// Returns the marks of each side on a board, by seat.
    pub(super) fn marks_on(&self, board: usize) -> [u16; 2] {
        self.marks.map(|marks| marks[board])
    }

    /// Returns the occupied cells of a board.
    pub(super) fn taken(&self, board: usize) -> u16 {
        self.marks[0][board] | self.marks[1][board]
    }

    /// Returns the free cells of a board.
    pub(super) fn free_cells(&self, board: usize) -> u32 {
        (!self.taken(board) & ALL).into()
    }

    /// Plays a legal move.
    pub(super) fn place(&mut self, board: usize, cell: usize) {
        let mover = self.side_to_move;
        let own = mover.index();
        self.side_to_move = mover.other();
        self.marks[own][board] |= 1 << cell;
        if has_line(self.marks[own][board]) {
            self.won[own] |= 1 << board;
            if has_line(self.won[own]) {
                self.outcome = Some(Outcome::Won(mover));
                self.active = 0;
                return;
            }
        } else if self.taken(board) == ALL {
            self.drawn |= 1 << board;
        }
        let complete = self.complete();
        if complete == ALL {
            self.outcome = Some(Outcome::Draw);
            self.active = 0;
        } else {
            self.active = next_active(cell, complete);
        }
    }
}

impl Rules for UltimateTicTacToe {
    type Config = GameConfig;
    type Move = Move;

    fn start(config: &GameConfig) -> Result<UltimateTicTacToe, InvalidState> {
        Ok(UltimateTicTacToe {
            marks: [[0; 9]; 2],
            won: [0; 2],
            drawn: 0,
            active: ALL,
            side_to_move: config.first_player.into(),
            outcome: None,
        })
    }

    fn side_to_move(&self) -> Seat {
        self.side_to_move
    }

    /// Returns the legal moves, board by board.
    fn legal_moves(&self) -> Vec<Move> {
        let moves =
            |board| bits(self.free_cells(board)).map(move |cell| Move { board: board as u32, cell: cell as u32 });
        bits(self.playable()).flat_map(moves).collect()
    }

    fn play(&self, mv: &Move) -> UltimateTicTacToe {
        let mut after = *self;
        after.place(mv.board as usize, mv.cell as usize);
        after
    }

    fn ending(&self) -> Option<Ending> {
        let outcome = self.outcome?;
        let reason = match outcome {
            Outcome::Won(_) => "three boards in a row",
            Outcome::Draw => "every board is finished",
        };
        Some(Ending { outcome, reason: Some(reason.into()) })
    }

    /// Iterates over the masks, which needs no list of moves.
    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut count = 0;
        for board in bits(self.playable()) {
            for cell in bits(self.free_cells(board)) {
                let mut after = *self;
                after.place(board, cell);
                count += after.perft(depth - 1);
            }
        }
        count
    }
}

impl DiceRules for UltimateTicTacToe {}

// The settings of a game: who moves first.

/// The settings of a game, fixed before the first move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", from = "ConfigInput")]
#[schemars(rename = "UltimateTicTacToeConfig")]
pub struct GameConfig {
    /// The side that moves first.
    pub first_player: Mark,
    /// The mode of play.
    pub mode: GameMode,
}

/// A [`GameConfig`] as JSON, where every field is optional.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "UltimateTicTacToeConfig")]
struct ConfigInput {
    /// The side that moves first. Defaults to X.
    first_player: Option<Mark>,
    /// The mode of play.
    mode: Option<GameMode>,
}

impl From<ConfigInput> for GameConfig {
    fn from(input: ConfigInput) -> GameConfig {
        GameConfig { first_player: input.first_player.unwrap_or_default(), mode: input.mode.unwrap_or_default() }
    }
}

// Explains illegal moves, and hints where to play.

impl Explain for UltimateTicTacToe {
    fn why_illegal(&self, mv: &Move) -> IllegalMove {
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
        let (name, place, playable) = (move_name(mv), board_phrase(board), playable_boards_phrase(self));
        if self.active >> board & 1 == 0 {
            let message = format!("Cannot move to inactive board {board}. Active boards: {active}");
            let explanation = say!("`{name}` is in {place}, but this move has to be in {playable}");
            return illegal("INACTIVE_BOARD", message, ("activeBoards", json!(active))).explained(explanation);
        }
        let explanation = match self.status(board) {
            SubBoardStatus::WonX => say!("`{name}` is in {place}, which X has already won. Play in {playable}"),
            SubBoardStatus::WonO => say!("`{name}` is in {place}, which O has already won. Play in {playable}"),
            SubBoardStatus::Draw => say!("`{name}` is in {place}, which is drawn. Play in {playable}"),
            SubBoardStatus::InProgress => {
                let owner = self.mark(board, cell);
                let owner_name = owner.map_or("nobody", Mark::name);
                let message = format!(
                    "Cannot move to occupied cell at position {cell} of board {board}. Cell contains: {owner_name}"
                );
                let explanation = say!("{owner_name} is already on `{name}`");
                return illegal("OCCUPIED_CELL", message, ("contains", json!(owner))).explained(explanation);
            }
        };
        let status = self.status(board);
        let message = format!("Cannot move to completed board {board}. Board status: {status}");
        illegal("COMPLETED_BOARD", message, ("subBoardStatus", json!(status))).explained(explanation)
    }

    fn turn_hint(&self) -> Option<Phrase> {
        let boards = playable_boards_phrase(self);
        match self.playable().count_ones() {
            0 => None,
            1 => Some(say!("The next move has to be in {boards}, on any dot.")),
            _ => Some(say!("The next move can be in {boards}, on any dot.")),
        }
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
    let [first, last] = [6, 2].map(|cell| move_name(&Move { board: board as u32, cell }));
    say!("the {name} board (`{first}`-`{last}`)")
}
