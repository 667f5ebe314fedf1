//! The settings, rules and notation of tic-tac-toe, its explanations and its board.

use game::{
    Board, DiceRules, Display, Ending, Explain, Grid, IllegalMove, InvalidOption, InvalidState, Notation, OptionInfo,
    Options, Outcome, ParseMoveError, Rules, Seat, Span, cell, game_over, parse_number, say, spans, take_square_size,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::marks::{NO_CELL_LEFT, bits, parse_first_player};
use crate::tic_tac_toe::lines;
use crate::tic_tac_toe::lines::{MAX_SIZE, Marks};
use crate::{Cell, GameMode, Mark, STYLES};

/// A position: one bitboard for each side, the side to move and the outcome.
///
/// Playing a move allocates nothing, and checks only the four lines through the cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TicTacToe {
    /// The marks of each side, by seat.
    pub(super) marks: [Marks; 2],
    pub(super) size: usize,
    pub(super) k: usize,
    pub(super) free_count: usize,
    pub(super) side_to_move: Seat,
    pub(super) outcome: Option<Outcome>,
}

/// A mark in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "TicTacToeMove")]
pub struct Move {
    /// The cell, from 0 at the top left, row by row.
    pub position: u32,
}

impl Rules for TicTacToe {
    type Config = GameConfig;
    type Move = Move;

    fn start(config: &GameConfig) -> Result<TicTacToe, InvalidState> {
        let &GameConfig { board_size: size, k_in_row: k, first_player, .. } = config;
        if !(MIN_SIZE..=MAX_SIZE).contains(&size) {
            return Err(InvalidState::unexpected("config.boardSize", size, &format!("{MIN_SIZE} to {MAX_SIZE}")));
        }
        if !(MIN_SIZE..=size).contains(&k) {
            return Err(InvalidState::unexpected(
                "config.kInRow",
                k,
                &format!("{MIN_SIZE} to {size} on {size}x{size} board"),
            ));
        }
        Ok(TicTacToe {
            marks: [Marks::default(); 2],
            size,
            k,
            free_count: size * size,
            side_to_move: first_player.into(),
            outcome: None,
        })
    }

    fn side_to_move(&self) -> Seat {
        self.side_to_move
    }

    fn legal_moves(&self) -> Vec<Move> {
        self.free_cells().map(|index| Move { position: index as u32 }).collect()
    }

    fn play(&self, mv: &Move) -> TicTacToe {
        let index = mv.position as usize;
        let mut after = *self;
        after.place(index / self.size, index % self.size);
        after
    }

    fn ending(&self) -> Option<Ending> {
        let outcome = self.outcome?;
        let reason = match outcome {
            Outcome::Won(_) => format!("{} in a row", self.k).into(),
            Outcome::Draw => NO_CELL_LEFT.into(),
        };
        Some(Ending { outcome, reason: Some(reason) })
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Plays and takes back each move on one board, which is faster than copying it.
    fn perft(&self, depth: u32) -> u64 {
        perft_in_place(&mut self.clone(), depth)
    }
}

impl DiceRules for TicTacToe {}

impl TicTacToe {
    /// Returns the number of cells.
    pub fn cell_count(&self) -> usize {
        self.size * self.size
    }

    /// Returns the mark in a cell; `None` if it is free.
    pub fn mark(&self, index: usize) -> Cell {
        let has = |seat: &Seat| self.marks[seat.index()].has(index / self.size, index % self.size);
        Seat::BOTH.into_iter().find(has).map(Mark::from)
    }

    /// Returns the free cells in order; none if the game is over.
    pub fn free_cells(&self) -> impl Iterator<Item = usize> {
        let rows = if self.outcome.is_some() { 0 } else { self.size };
        (0..rows).flat_map(move |row| bits(self.free_in_row(row)).map(move |column| row * self.size + column))
    }

    fn free_in_row(&self, row: usize) -> u32 {
        let [first, second] = &self.marks;
        !(first.row(row) | second.row(row)) & ((1 << self.size) - 1)
    }

    fn place(&mut self, row: usize, column: usize) {
        let mover = self.side_to_move;
        let marks = &mut self.marks[mover.index()];
        marks.flip(row, column);
        self.free_count -= 1;
        self.side_to_move = mover.other();
        self.outcome = if marks.is_in_line(row, column, self.k) {
            Some(Outcome::Won(mover))
        } else if self.free_count == 0 {
            Some(Outcome::Draw)
        } else {
            None
        };
    }

    fn take_back(&mut self, row: usize, column: usize) {
        self.side_to_move = self.side_to_move.other();
        self.marks[self.side_to_move.index()].flip(row, column);
        self.free_count += 1;
        self.outcome = None;
    }
}

/// Counts the positions `depth` plies ahead. Leaves the board unchanged.
fn perft_in_place(game: &mut TicTacToe, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if game.outcome.is_some() {
        return 0;
    }
    let mut count = 0;
    for row in 0..game.size {
        for column in bits(game.free_in_row(row)) {
            game.place(row, column);
            count += perft_in_place(game, depth - 1);
            game.take_back(row, column);
        }
    }
    count
}

// The settings of a game: board size, k in a row, and who moves first.

/// The smallest board size, and the shortest winning line.
pub(super) const MIN_SIZE: usize = 3;

/// The `/new` option for the board size.
pub(super) const SIZE: OptionInfo = OptionInfo {
    key: "size",
    aliases: &["boardSize"],
    description: spans!("the length of a side, `3` to `19` (default `3`); you can also just write `4x4`"),
};

/// The `/new` option for the length of a winning line.
pub(super) const K: OptionInfo = OptionInfo {
    key: "k",
    aliases: &["kInRow", "in-row"],
    description: spans!(
        "how many in a row you need to win, `3` to the size (default `3` up to 4x4, `4` up to 7x7, `5` from 8x8)"
    ),
};

/// The error text for a board that isn't square.
const NOT_SQUARE: &[Span] = spans!("The board is square, so give `size` as one number: `4` (or `4x4`).");

/// The settings of a game, fixed before the first move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", from = "ConfigInput")]
#[schemars(rename = "TicTacToeConfig")]
pub struct GameConfig {
    /// The length of a side, 3 to 19.
    pub board_size: usize,
    /// The number of marks in a row that win, 3 to `boardSize`.
    pub k_in_row: usize,
    /// The side that moves first.
    pub first_player: Mark,
    /// The mode of play.
    pub mode: GameMode,
}

/// A [`GameConfig`] as JSON, where every field is optional. The default of `kInRow` depends on the board size.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "TicTacToeConfig")]
struct ConfigInput {
    /// The length of a side, 3 to 19. Defaults to 3.
    board_size: Option<usize>,
    /// The number of marks in a row that win, 3 to `boardSize`. Defaults to 3 up to 4x4, 4 up to 7x7, and 5 from 8x8.
    k_in_row: Option<usize>,
    /// The side that moves first. Defaults to X.
    first_player: Option<Mark>,
    /// The mode of play.
    mode: Option<GameMode>,
}

impl GameConfig {
    /// Returns the default number of marks in a row that win on a board of this size.
    pub fn default_k(board_size: usize) -> usize {
        match board_size {
            0..=4 => 3,
            5..=7 => 4,
            _ => 5,
        }
    }

    /// Takes the options of this game from a `/new` command.
    ///
    /// # Errors
    /// Returns an error if an option has an invalid value.
    pub(super) fn from_options(options: &mut Options) -> Result<GameConfig, InvalidOption> {
        let board_size = take_square_size(options, &SIZE, MIN_SIZE..=MAX_SIZE, NOT_SQUARE)?.unwrap_or(MIN_SIZE);
        let k_in_row = match options.take(K.key, K.aliases) {
            Some(text) => parse_number(&text).unwrap_or_default(),
            None => GameConfig::default_k(board_size),
        };
        let config = GameConfig { board_size, k_in_row, first_player: Mark::X, mode: GameMode::HumanVsHuman };
        TicTacToe::start(&config).map_err(|_| invalid_k(board_size))?;
        Ok(GameConfig { first_player: parse_first_player(options)?, ..config })
    }
}

impl From<ConfigInput> for GameConfig {
    fn from(input: ConfigInput) -> GameConfig {
        let board_size = input.board_size.unwrap_or(3);
        GameConfig {
            board_size,
            k_in_row: input.k_in_row.unwrap_or(GameConfig::default_k(board_size)),
            first_player: input.first_player.unwrap_or(Mark::X),
            mode: input.mode.unwrap_or_default(),
        }
    }
}

/// Returns the error for an option `k` that a board of this size doesn't allow.
fn invalid_k(size: usize) -> InvalidOption {
    let message = match size {
        MIN_SIZE => say!("`k` has to be {MIN_SIZE} on a {size}x{size} board."),
        size => say!("`k` has to be a number from {MIN_SIZE} to {size} on a {size}x{size} board."),
    };
    InvalidOption { key: K.key, message }
}

// Move notation.

impl Notation for TicTacToe {
    fn notation(&self, mv: &Move) -> String {
        cell::name(mv.position as usize, self.size, self.size)
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        cell::parse(text, self.size, self.size).map(|index| Move { position: index as u32 })
    }
}

// Explains illegal moves.

impl Explain for TicTacToe {
    fn why_illegal(&self, mv: &Move) -> IllegalMove {
        let position = mv.position;
        if let Some(outcome) = self.outcome {
            let over = game_over::<Self>(outcome);
            let [status, winner] = ["currentStatus", "winner"].map(|key| &over.context[key]);
            let context = json!({ "position": position, "currentStatus": status, "winner": winner });
            return IllegalMove { context, ..over };
        }
        let legal_cells: Vec<usize> = self.free_cells().collect();
        if position as usize >= self.cell_count() {
            let message = cell::out_of_range_message(position, self.size, self.size);
            let context = json!({ "position": position, "legalMoves": legal_cells });
            return IllegalMove::new(cell::OUT_OF_RANGE_CODE, message, context);
        }
        let owner = self.mark(position as usize);
        let name = owner.map_or("nobody", Mark::name);
        let message = format!("Cannot move to occupied cell at position {position}. Cell contains: {name}");
        let context = json!({ "position": position, "cell": owner, "legalMoves": legal_cells });
        let explanation = say!("{name} is already on `{cell}`", cell = self.notation(mv));
        IllegalMove::new("OCCUPIED_CELL", message, context).explained(explanation)
    }
}

// Shows a game as a board.

impl Display for TicTacToe {
    fn board(&self, last: Option<&Move>) -> Box<dyn Board> {
        let cells = (0..self.cell_count()).map(|index| self.mark(index).map(Mark::piece)).collect();
        Box::new(Grid {
            last_move: last.map(|mv| mv.position as usize).into_iter().collect(),
            lines: self.winning_lines(),
            ..Grid::new(self.size, cells, STYLES)
        })
    }

    fn target_cell(&self, mv: &Move) -> Option<usize> {
        Some(mv.position as usize)
    }

    fn winning_lines(&self) -> Vec<Vec<usize>> {
        lines::completed_lines(self.size, self.k, |index| self.mark(index))
    }
}
