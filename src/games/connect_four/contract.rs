//! The game as a table holds it.

use std::borrow::Cow;

use serde_json::json;

use crate::game::board::Board;
use crate::game::board::drawing::palette::Ink;
use crate::game::board::grid::{Grid, Ground, Make};
use crate::game::board::piece::{Form, Glyph, Look, piece};
use crate::game::cell::{self, OFF_BOARD, RowOne, Written};
use crate::game::choice::{Chosen, Level};
use crate::game::contract::{Ending, Game, Outcome};
use crate::game::info::Info;
use crate::game::notation::bare;
use crate::game::options::{BadOption, Options};
use crate::game::phrase::{Phrase, code, phrase, spans};
use crate::game::rule::{RuleError, Unread};
use crate::game::seat::Seat;
use crate::games::connect_four::computer;
use crate::games::connect_four::config::{GameConfig, K, SIZE};
use crate::games::connect_four::discs::{MOST, Shape, walk};
use crate::games::connect_four::game::{ConnectFour, Move};
use crate::games::connect_four::position::{self, Position};

const LOOKS: [Look; 2] = [
    Look { ink: Ink::CRIMSON, glyph: Glyph { name: "red", letter: 'R', form: Form::Disc } },
    Look { ink: Ink::GOLD, glyph: Glyph { name: "yellow", letter: 'Y', form: Form::Disc } },
];

impl Game for ConnectFour {
    const INFO: Info = Info {
        name: "connect-four",
        title: "Connect four",
        aliases: &["connect4", "c4", "four-in-a-row", "4-in-a-row"],
        seats: ["red", "yellow"],
        summary: "Drop discs into columns. Four in a row wins: across, down, or diagonally.",
        moves: spans![
            "To move, name a column by its letter, like " ("d") ", or by its number, like " ("4") ". Column " ("a") " or " ("1")
            " is on the left."
        ],
        options: &[SIZE, K],
        verbs: &[],
    };

    const ENGINE: u32 = 5;

    const EDGE: i32 = 38;

    type Config = GameConfig;
    type Move = Move;
    type Position = Position;

    fn configure(options: &mut Options) -> Result<GameConfig, BadOption> {
        GameConfig::chosen(options)
    }

    fn start(config: &GameConfig) -> Result<ConnectFour, RuleError> {
        ConnectFour::begun(config)
    }

    fn setup(config: &GameConfig) -> Option<String> {
        Some(format!("{}x{}, {} in a row", config.columns, config.rows, config.k_in_row))
    }

    fn aim(config: &GameConfig) -> Cow<'static, str> {
        let k = config.k_in_row;
        format!("Drop discs into columns. The first player with {k} in a row wins: across, down, or diagonally.").into()
    }

    fn at(config: &GameConfig, position: &Position) -> Result<ConnectFour, RuleError> {
        position::set_up(config, position)
    }

    fn position(&self) -> Position {
        position::of(self)
    }

    fn to_move(&self) -> Seat {
        self.to_move
    }

    fn ending(&self) -> Option<Ending> {
        let outcome = self.outcome?;
        let reason = match outcome {
            Outcome::Won(_) => format!("{} in a row", self.shape.k).into(),
            Outcome::Draw => "the board is full".into(),
        };
        Some(Ending { outcome, reason: Some(reason) })
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn winning_lines(&self) -> Vec<Vec<usize>> {
        self.lines()
    }

    fn legal_moves(&self) -> Vec<Move> {
        let columns = if self.outcome.is_some() { 0 } else { self.shape.columns };
        (0..columns)
            .filter(|column| self.rest(*column).is_some())
            .map(|column| Move { column: column as u32 })
            .collect()
    }

    fn objection(&self, mv: &Move) -> Option<RuleError> {
        let column = mv.column as usize;
        let name = self.notation(mv);
        let (code, message) = match self.outcome {
            Some(outcome) => {
                let ended = match outcome {
                    Outcome::Won(seat) => format!("won, Winner: {}", Self::INFO.seats[seat.index()]),
                    Outcome::Draw => "draw, Winner: null".to_owned(),
                };
                ("TERMINAL_STATE_MOVE", format!("Cannot apply move to terminal game. Game status: {ended}"))
            }
            None if column >= self.shape.columns => (OFF_BOARD, self.off_board(&name)),
            None if self.rest(column).is_none() => ("COLUMN_FULL", format!("Column {name} is full")),
            None => return None,
        };
        let legal: Vec<String> = self.legal_moves().iter().map(|mv| self.notation(mv)).collect();
        Some(RuleError::new(code, message, json!({ "column": mv.column, "legalMoves": legal })))
    }

    fn explain(&self, mv: &Move) -> Option<Phrase> {
        let full = self.outcome.is_none() && (mv.column as usize) < self.shape.columns;
        full.then(|| phrase!["Column ", code(self.notation(mv)), " is full"])
    }

    fn play(&self, mv: &Move) -> ConnectFour {
        self.dropped(mv.column as usize)
    }

    fn choose(&self, level: Level, seed: u64) -> Option<Chosen<Move>> {
        computer::choose(self, level, seed)
    }

    fn notation(&self, mv: &Move) -> String {
        let letter = ('a'..='z').nth(mv.column as usize);
        letter.map_or_else(|| (mv.column + 1).to_string(), String::from)
    }

    /// Reads a column, never a cell: where a disc comes to rest is no choice.
    fn read(&self, text: &str) -> Result<Move, Unread> {
        let text = bare(text).to_ascii_lowercase();
        let column = match (text.as_bytes(), cell::written(&text)) {
            // Further letters name no column of any board, and `k` is a word of its own.
            ([letter], None) => Some(usize::from(letter.wrapping_sub(b'a'))).filter(|column| *column < MOST),
            (_, Some(Written::Number(number))) if number < 100 => Some(number.wrapping_sub(1)),
            (_, Some(Written::Coordinate { column, .. })) if column < MOST => {
                let sentence = format!(
                    "Write just the column, {}, because the disc drops to the lowest free cell",
                    self.columns()
                );
                return Err(Unread::OffBoard((OFF_BOARD, sentence)));
            }
            _ => None,
        };
        match column.ok_or(Unread::Strange)? {
            column if column < self.shape.columns => Ok(Move { column: column as u32 }),
            _ => Err(Unread::OffBoard((OFF_BOARD, self.off_board(&text)))),
        }
    }

    /// Returns no heading: where a disc lands is no group of moves.
    fn group(&self, _mv: &Move) -> Option<String> {
        Some(String::new())
    }

    fn cell(&self, mv: &Move) -> Option<usize> {
        self.rest(mv.column as usize)
    }

    fn board(&self, last: Option<&Move>) -> Box<dyn Board> {
        let cells = (0..self.shape.columns * self.shape.rows).map(|cell| Some(piece(&LOOKS, self.disc(cell)?)));
        let fallen = last.and_then(|mv| {
            let column = mv.column as usize;
            Some(self.index(column, self.height(column).checked_sub(1)?))
        });
        Box::new(Grid {
            columns: self.shape.columns,
            cells: cells.collect(),
            looks: LOOKS,
            last: fallen.into_iter().collect(),
            changed: Vec::new(),
            lines: self.winning_lines(),
            make: Make { ground: Ground::Frame, row_one: RowOne::Bottom },
        })
    }

    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.outcome.is_some() {
            return 0;
        }
        let shape = self.shape;
        let [own, other] = [self.to_move, self.to_move.other()].map(|seat| self.discs[seat.index()]);
        if shape.bits() <= 64 {
            walk(&shape, [shape.floor(), shape.board()], own as u64, other as u64, depth)
        } else {
            walk(&shape, [shape.floor(), shape.board()], own, other, depth)
        }
    }
}

impl ConnectFour {
    /// Returns the sentence about a column that the board does not have.
    fn off_board(&self, column: &str) -> String {
        let Shape { columns, rows, .. } = self.shape;
        format!("Invalid column: {column}. Valid range: {} for {columns}x{rows} board", self.columns())
    }

    /// Returns the names of the columns: `a-g`.
    fn columns(&self) -> String {
        format!("a-{}", self.notation(&Move { column: self.shape.columns as u32 - 1 }))
    }
}
