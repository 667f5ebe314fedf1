//! The game as a table holds it.

use serde_json::json;

use crate::game::board::Board;
use crate::game::cell;
use crate::game::choice::{Chosen, Level};
use crate::game::contract::{Ending, Game, Outcome};
use crate::game::info::Info;
use crate::game::options::{BadOption, Options};
use crate::game::phrase::{Phrase, spans};
use crate::game::rule::{RuleError, Unread};
use crate::game::seat::Seat;
use crate::games::marks::{FIRST, GameMode, Player, SEATS, bits, chosen_first, terminal, told};
use crate::games::ultimate_tic_tac_toe::boards::{Boards, Fate};
use crate::games::ultimate_tic_tac_toe::computer;
use crate::games::ultimate_tic_tac_toe::game::UltimateTicTacToe;
use crate::games::ultimate_tic_tac_toe::rule::Obstacle;
use crate::games::ultimate_tic_tac_toe::state::{ActiveBoards, GameConfig, Move, Position, SubBoardStatus};
use crate::games::ultimate_tic_tac_toe::words;

impl Game for UltimateTicTacToe {
    const INFO: Info = Info {
        name: "ultimate-tic-tac-toe",
        title: "Ultimate tic-tac-toe",
        aliases: &["ultimate", "uttt", "super-tic-tac-toe"],
        seats: SEATS,
        summary: "Nine tic-tac-toe boards in one. The cell you mark sends your opponent to the board in the same place. Three \
                  boards in a row win.",
        moves: spans![
            "To move, name a cell by column and row on the whole board, like " ("e5") " (" ("a1")
            " is the bottom left). You can also write the board and the cell, like " ("4 0") ", counting each from " ("0")
            " to " ("8") " from the top left. If you can only play in one board, the cell is enough."
        ],
        options: &[FIRST],
        verbs: &[],
    };

    const ENGINE: u32 = 2;

    const EDGE: i32 = 4_445;

    type Config = GameConfig;
    type Move = Move;
    type Position = Position;

    fn configure(options: &mut Options) -> Result<GameConfig, BadOption> {
        Ok(GameConfig { first_player: chosen_first(options)?, mode: GameMode::HumanVsHuman })
    }

    fn start(config: &GameConfig) -> Result<UltimateTicTacToe, RuleError> {
        Ok(UltimateTicTacToe::begun(config))
    }

    fn at(config: &GameConfig, position: &Position) -> Result<UltimateTicTacToe, RuleError> {
        UltimateTicTacToe::given(config, position)
    }

    fn position(&self) -> Position {
        self.written()
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

    fn winning_lines(&self) -> Vec<Vec<usize>> {
        self.board_lines()
    }

    /// Returns the moves board by board.
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
            Some(RuleError::new(code, message, context))
        };
        let active = ActiveBoards::from_mask(self.active);
        match self.obstacle(mv)? {
            Obstacle::Over => {
                let (status, winner) = told(self.outcome?);
                let context = json!({ "board": board, "cell": cell, "currentStatus": status, "winner": winner });
                Some(RuleError::new("TERMINAL_STATE_MOVE", terminal(status, winner), context))
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

    fn choose(&self, level: Level, seed: u64) -> Option<Chosen<Self::Move>> {
        computer::choose(self, level, seed)
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
