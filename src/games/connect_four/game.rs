//! The game as a table holds it.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
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
use crate::games::connect_four::position::{self, Position};

const LOOKS: [Look; 2] = [
    Look { ink: Ink::CRIMSON, glyph: Glyph { name: "red", letter: 'R', form: Form::Disc } },
    Look { ink: Ink::GOLD, glyph: Glyph { name: "yellow", letter: 'Y', form: Form::Disc } },
];

/// A disc that is dropped into a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ConnectFourMove")]
pub struct Move {
    /// The column, from 0 at the left.
    pub column: u32,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConnectFour {
    /// The measures of the board.
    pub shape: Shape,
    /// The discs of both seats, as sets of cells.
    pub discs: [u128; 2],
    pub(super) to_move: Seat,
    pub(super) outcome: Option<Outcome>,
}

impl Game for ConnectFour {
    const INFO: Info = Info {
        name: "connect-four",
        title: "Connect four",
        aliases: &["connect4", "c4", "four-in-a-row", "4-in-a-row"],
        seats: ["red", "yellow"],
        summary: "Drop discs into columns; whoever has four in a row first wins, across, down or diagonally.",
        moves: spans![
            "The column to drop a disc into, by its letter, " ("a") " at the left, such as " ("d")
            "; or by its number, counted from " ("1") " at the left."
        ],
        options: &[SIZE, K],
        verbs: &[],
    };

    const ENGINE: u32 = 1;

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
        format!("Drop discs into columns; whoever has {k} in a row first wins, across, down or diagonally.").into()
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
        let Some(Outcome::Won(winner)) = self.outcome else { return Vec::new() };
        let (columns, rows, k) = (self.shape.columns, self.shape.rows, self.shape.k);
        let mut found = Vec::new();
        for (right, down) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
            for start in 0..columns * rows {
                let along = |nth: usize| {
                    let column = (start % columns).checked_add_signed(right * nth as isize)?;
                    let row = start / columns + down * nth;
                    (column < columns && row < rows).then_some(row * columns + column)
                };
                let line: Option<Vec<usize>> = (0..k).map(along).collect();
                found.extend(line.filter(|line| line.iter().all(|cell| self.disc(*cell) == Some(winner))));
            }
        }
        found
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
            None if column >= self.shape.columns => (OFF_BOARD, self.range(&name)),
            None if self.rest(column).is_none() => ("COLUMN_FULL", format!("Column {name} is full")),
            None => return None,
        };
        let legal: Vec<String> = self.legal_moves().iter().map(|mv| self.notation(mv)).collect();
        Some(RuleError::new(code, message, json!({ "column": mv.column, "legalMoves": legal })))
    }

    fn explain(&self, mv: &Move) -> Option<Phrase> {
        let full = self.outcome.is_none() && (mv.column as usize) < self.shape.columns;
        full.then(|| phrase!["column ", code(self.notation(mv)), " is full"])
    }

    fn play(&self, mv: &Move) -> ConnectFour {
        let mut after = *self;
        let column = mv.column as usize;
        let own = &mut after.discs[self.to_move.index()];
        *own |= self.shape.bit(column, self.height(column));
        let won = self.shape.has_line(*own).then_some(Outcome::Won(self.to_move));
        let full = (after.discs[0] | after.discs[1] == self.shape.board::<u128>()).then_some(Outcome::Draw);
        after.outcome = won.or(full);
        after.to_move = self.to_move.other();
        after
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
            (_, Some(Written::Coordinate { column, row })) if column < MOST => {
                let letter = self.notation(&Move { column: column as u32 });
                return Err(self.off_board(&format!("{letter}{row} is a cell")));
            }
            _ => None,
        };
        match column.ok_or(Unread::Strange)? {
            column if column < self.shape.columns => Ok(Move { column: column as u32 }),
            _ => Err(self.off_board(&text)),
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
    /// Returns the position before the first move.
    pub(super) fn begun(config: &GameConfig) -> Result<ConnectFour, RuleError> {
        Ok(ConnectFour { shape: config.shape()?, discs: [0; 2], to_move: Seat::First, outcome: None })
    }

    /// Returns the owner of the disc on a cell, counted from 0 at the top left, row by row; `None` if it is free.
    pub fn disc(&self, cell: usize) -> Option<Seat> {
        let height = (self.shape.rows - 1).checked_sub(cell / self.shape.columns)?;
        let bit = self.shape.bit(cell % self.shape.columns, height);
        Seat::BOTH.into_iter().find(|seat| self.discs[seat.index()] & bit != 0)
    }

    /// Returns the number of discs in a column.
    fn height(&self, column: usize) -> usize {
        let taken = self.discs[0] | self.discs[1];
        (0..self.shape.rows).filter(|height| taken & self.shape.bit(column, *height) != 0).count()
    }

    /// Returns the cell in which a disc comes to rest; `None` if the column is full, or is none.
    fn rest(&self, column: usize) -> Option<usize> {
        let height = Some(column).filter(|column| *column < self.shape.columns).map(|column| self.height(column))?;
        (height < self.shape.rows).then(|| self.index(column, height))
    }

    /// Returns the cell at this height of a column, counted from 0 at the top left, row by row.
    fn index(&self, column: usize, height: usize) -> usize {
        (self.shape.rows - 1 - height) * self.shape.columns + column
    }

    /// Returns the reason why a text names no column of this board.
    fn off_board(&self, what: &str) -> Unread {
        Unread::OffBoard((OFF_BOARD, self.range(what)))
    }

    /// Returns the sentence about a column that the board does not have.
    fn range(&self, what: &str) -> String {
        let Shape { columns, rows, .. } = self.shape;
        let last = self.notation(&Move { column: columns as u32 - 1 });
        format!("Invalid move: {what}. A disc goes into a column: a-{last} or 1-{columns} on {columns}x{rows} board")
    }
}
