//! Ultimate tic-tac-toe: nine boards of tic-tac-toe, which are the cells of a tenth.
//!
//! A position is masks of nine bits: the marks of each side on each board, the boards that are won and drawn, and the
//! boards that the next mark may go into. It is copied, never shared: to play a move allocates nothing, and looks a win up.

pub mod boards;
pub mod engine;
mod rule;
mod words;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::game::board::Board;
use crate::game::cell;
use crate::game::contract::{Ending, Game, Outcome};
use crate::game::info::Info;
use crate::game::options::{BadOption, Options};
use crate::game::phrase::{Phrase, spans};
use crate::game::rule::{RuleError, Unread};
use crate::game::seat::Seat;
use crate::games::marks::{Cell, FIRST, GameMode, Player, SEATS, bits, chosen_first, invalid, terminal};
use crate::games::tic_tac_toe::lines;
use crate::games::ultimate_tic_tac_toe::boards::{Boards, Fate};
use crate::games::ultimate_tic_tac_toe::engine::{ActiveBoards, SubBoardStatus};
use crate::games::ultimate_tic_tac_toe::rule::{ALL, Facts, Obstacle, has_line, next_active, playable};

/// A position, with what follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UltimateTicTacToe {
    /// The marks of each side on each board, by seat.
    marks: [[u16; 9]; 2],
    /// The boards that each side has won, by seat.
    won: [u16; 2],
    /// The boards that are full and won by nobody.
    drawn: u16,
    /// The boards that the rules send the next mark to, finished ones among them when it is all; none after the end.
    active: u16,
    to_move: Seat,
    outcome: Option<Outcome>,
}

/// What is settled before the first move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", from = "GivenConfig")]
#[schemars(rename = "UltimateTicTacToeConfig")]
pub struct GameConfig {
    /// Who has the first move.
    pub first_player: Player,
    /// Who plays.
    pub mode: GameMode,
}

/// A configuration as it is given: what is left out has a default.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "UltimateTicTacToeConfig")]
struct GivenConfig {
    /// Who has the first move; X unless given.
    first_player: Option<Player>,
    /// Who plays.
    mode: Option<GameMode>,
}

/// A mark in a cell of a board, both numbered from 0 at the top left, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "UltimateTicTacToeMove")]
pub struct Move {
    /// The board, 0 to 8.
    pub board: u32,
    /// The cell of that board, 0 to 8.
    pub cell: u32,
}

/// The boards, how they stand, where the next mark can go and whose it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "UltimateTicTacToePosition")]
pub struct Position {
    /// The cells of each board; boards and cells from the top left, row by row.
    pub boards: [[Cell; 9]; 9],
    /// How each board stands.
    pub sub_board_statuses: [SubBoardStatus; 9],
    /// The boards that the next mark can go into; none after the end.
    pub active_boards: ActiveBoards,
    /// Whose turn it is, or would be if the game were not over.
    pub current_player: Player,
}

impl Game for UltimateTicTacToe {
    const INFO: Info = Info {
        name: "ultimate-tic-tac-toe",
        title: "Ultimate tic-tac-toe",
        aliases: &["ultimate", "uttt", "super-tic-tac-toe"],
        seats: SEATS,
        summary: "Nine boards of tic-tac-toe in one: the cell that you mark sends your opponent to the board in the same \
                  place, and three boards in a row win.",
        moves: spans![
            "The cell to mark: column letter and row number on the whole board, " ("a1")
            " at the bottom left, such as " ("e5") "; or board and cell by number, each from " ("0")
            " to " ("8") " and counted from the top left, such as " ("4 0")
            "; or the cell's number alone, when only one board can be played in."
        ],
        options: &[FIRST],
        verbs: &[],
    };

    type Config = GameConfig;
    type Move = Move;
    type Position = Position;

    fn configure(options: &mut Options) -> Result<GameConfig, BadOption> {
        Ok(GameConfig { first_player: chosen_first(options)?, mode: GameMode::HumanVsHuman })
    }

    fn start(config: &GameConfig) -> Result<UltimateTicTacToe, RuleError> {
        let to_move = config.first_player.into();
        Ok(UltimateTicTacToe { marks: [[0; 9]; 2], won: [0; 2], drawn: 0, active: ALL, to_move, outcome: None })
    }

    /// The statuses and the active boards have to be possible on the given cells. A board on which both sides have a line
    /// was won by whom its status says; if both sides have a line of boards, the first in the order of lines has won.
    fn at(config: &GameConfig, position: &Position) -> Result<UltimateTicTacToe, RuleError> {
        let mut game = UltimateTicTacToe::start(config)?;
        game.to_move = position.current_player.into();
        for (board, (cells, told)) in position.boards.iter().zip(position.sub_board_statuses).enumerate() {
            for (cell, &player) in cells.iter().enumerate() {
                if let Some(player) = player {
                    game.marks[Seat::from(player).index()][board] |= 1 << cell;
                }
            }
            game.settle(board, told)?;
        }
        let winner = game.winning_lines().first().and_then(|line| game.owner(line[0]));
        let complete = (game.complete() == ALL).then_some(Outcome::Draw);
        game.outcome = winner.map(|player| Outcome::Won(player.into())).or(complete);
        game.active = game.sent_to(&position.active_boards)?;
        Ok(game)
    }

    fn position(&self) -> Position {
        Position {
            boards: std::array::from_fn(|board| std::array::from_fn(|cell| self.mark(board, cell))),
            sub_board_statuses: std::array::from_fn(|board| self.status(board)),
            active_boards: ActiveBoards::from_mask(self.active),
            current_player: self.to_move.into(),
        }
    }

    fn to_move(&self) -> Seat {
        self.to_move
    }

    fn ending(&self) -> Option<Ending> {
        let outcome = self.outcome?;
        let reason = match outcome {
            Outcome::Won(_) => "three boards in a row",
            Outcome::Draw => "every board is finished",
        };
        Some(Ending { outcome, reason: Some(reason.into()) })
    }

    fn turn_hint(&self) -> Option<Phrase> {
        words::turn_hint(self)
    }

    /// The lines of three boards, each as its boards.
    fn winning_lines(&self) -> Vec<Vec<usize>> {
        lines::completed(3, 3, |board| self.owner(board))
    }

    /// Board by board.
    fn legal_moves(&self) -> Vec<Move> {
        let moves = |board| bits(self.free(board)).map(move |cell| Move { board: board as u32, cell: cell as u32 });
        bits(self.playable()).flat_map(moves).collect()
    }

    fn objection(&self, mv: &Move) -> Option<RuleError> {
        let (board, cell) = (mv.board, mv.cell);
        let error = |code, message, fact: (&str, serde_json::Value)| {
            let legal: Vec<String> = self.legal_moves().iter().map(words::notation).collect();
            let mut context = json!({ "board": board, "cell": cell, "legalMoves": legal });
            context[fact.0] = fact.1;
            Some(RuleError { code, message, context })
        };
        let active = ActiveBoards::from_mask(self.active);
        match self.obstacle(mv)? {
            Obstacle::Over => {
                let (told, winner) = match self.outcome {
                    Some(Outcome::Won(seat)) => ("won", Some(Player::from(seat))),
                    _ => ("draw", None),
                };
                let context = json!({ "board": board, "cell": cell, "currentStatus": told, "winner": winner });
                Some(RuleError { code: "TERMINAL_STATE_MOVE", message: terminal(told, winner), context })
            }
            Obstacle::NoSuchCell => error(cell::OFF_BOARD, words::off_board(mv), ("activeBoards", json!(active))),
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
        words::explain(self, mv)
    }

    fn play(&self, mv: &Move) -> UltimateTicTacToe {
        let mut after = *self;
        after.place(mv.board as usize, mv.cell as usize);
        after
    }

    fn notation(&self, mv: &Move) -> String {
        words::notation(mv)
    }

    fn group(&self, mv: &Move) -> Option<String> {
        Some(words::heading(mv))
    }

    fn read(&self, text: &str) -> Result<Move, Unread> {
        words::read(self, text)
    }

    fn cell(&self, mv: &Move) -> Option<usize> {
        words::index(mv)
    }

    fn board(&self, last: Option<&Move>) -> Box<dyn Board> {
        let playable = self.playable();
        let fate = |board| match self.status(board) {
            SubBoardStatus::InProgress if playable >> board & 1 == 1 => Fate::Active,
            SubBoardStatus::InProgress => Fate::Waiting,
            SubBoardStatus::WonX => Fate::Won(Seat::First),
            SubBoardStatus::WonO => Fate::Won(Seat::Second),
            SubBoardStatus::Draw => Fate::Drawn,
        };
        let mark = |index| {
            let Move { board, cell } = words::at(index);
            self.mark(board as usize, cell as usize).map(Player::piece)
        };
        Box::new(Boards {
            cells: (0..81).map(mark).collect(),
            fates: (0..9).map(fate).collect(),
            last: last.and_then(words::index).into_iter().collect(),
            lines: self.winning_lines(),
        })
    }

    /// Walks the masks, so that no list of moves is made.
    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut found = 0;
        for board in bits(self.playable()) {
            for cell in bits(self.free(board)) {
                let mut after = *self;
                after.place(board, cell);
                found += after.perft(depth - 1);
            }
        }
        found
    }
}

impl UltimateTicTacToe {
    /// What is in a cell of a board; nothing off the board.
    #[must_use]
    pub fn mark(&self, board: usize, cell: usize) -> Cell {
        let has = |seat: &Seat| {
            let marks = self.marks[seat.index()].get(board).copied().unwrap_or(0);
            cell < 9 && marks >> cell & 1 == 1
        };
        Seat::BOTH.into_iter().find(has).map(Player::from)
    }

    /// How a board stands.
    #[must_use]
    pub fn status(&self, board: usize) -> SubBoardStatus {
        match self.owner(board) {
            Some(Player::X) => SubBoardStatus::WonX,
            Some(Player::O) => SubBoardStatus::WonO,
            None if board < 9 && self.drawn >> board & 1 == 1 => SubBoardStatus::Draw,
            None => SubBoardStatus::InProgress,
        }
    }

    /// Who has won a board.
    fn owner(&self, board: usize) -> Cell {
        let has = |seat: &Seat| board < 9 && self.won[seat.index()] >> board & 1 == 1;
        Seat::BOTH.into_iter().find(has).map(Player::from)
    }

    /// The boards that are won or drawn.
    fn complete(&self) -> u16 {
        self.won[0] | self.won[1] | self.drawn
    }

    /// The boards that the next mark can really go into.
    fn playable(&self) -> u32 {
        playable(self.active, self.complete()).into()
    }

    /// The cells of a board that have a mark.
    fn taken(&self, board: usize) -> u16 {
        self.marks[0][board] | self.marks[1][board]
    }

    /// The cells of a board that have none.
    fn free(&self, board: usize) -> u32 {
        (!self.taken(board) & ALL).into()
    }

    fn obstacle(&self, mv: &Move) -> Option<Obstacle> {
        let (board, cell) = (mv.board as usize, mv.cell as usize);
        let taken = if board < 9 { self.taken(board) } else { 0 };
        Facts { over: self.outcome.is_some(), active: self.active, complete: self.complete(), taken }
            .obstacle(board, cell)
    }

    fn place(&mut self, board: usize, cell: usize) {
        let mover = self.to_move;
        let own = mover.index();
        self.to_move = mover.other();
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

    /// Takes the status of a board as it is told, if the cells can have given it.
    fn settle(&mut self, board: usize, told: SubBoardStatus) -> Result<(), RuleError> {
        let [x, o] = [0, 1].map(|seat| has_line(self.marks[seat][board]));
        let full = self.taken(board) == ALL;
        let given = match (x, o) {
            (true, true) if told == SubBoardStatus::WonO => SubBoardStatus::WonO,
            (true, _) => SubBoardStatus::WonX,
            (_, true) => SubBoardStatus::WonO,
            _ if full => SubBoardStatus::Draw,
            _ => SubBoardStatus::InProgress,
        };
        if told != given {
            let expected = format!("{given} on these cells");
            return Err(invalid(&format!("subBoardStatuses[{board}]"), json!(told), &expected));
        }
        match told {
            SubBoardStatus::WonX => self.won[0] |= 1 << board,
            SubBoardStatus::WonO => self.won[1] |= 1 << board,
            SubBoardStatus::Draw => self.drawn |= 1 << board,
            SubBoardStatus::InProgress => {}
        }
        Ok(())
    }

    /// The boards that a position says are active, if they can be.
    fn sent_to(&self, told: &ActiveBoards) -> Result<u16, RuleError> {
        let wrong = |expected: &str| Err(invalid("activeBoards", json!(told), expected));
        let ActiveBoards::Boards(list) = told else {
            return if self.outcome.is_none() { Ok(ALL) } else { wrong("[] after the end") };
        };
        let open = |board: &usize| *board < 9 && self.complete() >> board & 1 == 0;
        match (self.outcome, list.is_empty()) {
            (Some(_), true) => Ok(0),
            (Some(_), false) => wrong("[] after the end"),
            (None, false) if list.iter().all(open) => Ok(told.mask()),
            (None, _) => wrong("\"all\" or a list of boards in progress"),
        }
    }
}

impl From<GivenConfig> for GameConfig {
    fn from(given: GivenConfig) -> GameConfig {
        GameConfig { first_player: given.first_player.unwrap_or_default(), mode: given.mode.unwrap_or_default() }
    }
}
