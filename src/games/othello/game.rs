//! The game as a table holds it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::game::board::Board;
use crate::game::board::drawing::palette::Ink;
use crate::game::board::grid::{Grid, Ground, Make};
use crate::game::board::piece::{Form, Glyph, Look, piece};
use crate::game::cell::{self, OFF_BOARD, RowOne};
use crate::game::choice::{Chosen, Level};
use crate::game::contract::{Ending, Game, Outcome};
use crate::game::info::Info;
use crate::game::options::{BadOption, Options};
use crate::game::phrase::{Phrase, code, phrase, spans};
use crate::game::rule::{RuleError, Unread};
use crate::game::seat::Seat;
use crate::games::othello::computer;
use crate::games::othello::discs::{SIZE, START, cells, flips, moves, walk};
use crate::games::othello::position::{self, Position};

const LOOKS: [Look; 2] = [
    Look { ink: Ink::BLACK, glyph: Glyph { name: "black", letter: 'B', form: Form::Disc } },
    Look { ink: Ink::WHITE, glyph: Glyph { name: "white", letter: 'W', form: Form::Disc } },
];

/// The settings of a game: there are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "OthelloConfig")]
pub struct GameConfig {}

/// A disc that is put on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "OthelloMove")]
pub struct Move {
    /// The cell, from 0 at the top left, row by row.
    pub position: u32,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Othello {
    /// The discs of both seats, as sets of cells.
    pub discs: [u64; 2],
    pub(super) to_move: Seat,
    /// The discs that the last move has turned over. They follow from what happened and are no part of the position.
    pub(super) turned: u64,
    /// The side that could not move after it, where the other one can; no part of the position, either.
    pub(super) passed: Option<Seat>,
}

impl Game for Othello {
    const INFO: Info = Info {
        name: "othello",
        title: "Othello",
        aliases: &["reversi"],
        seats: ["black", "white"],
        summary: "Enclose discs of the other side between two of yours to turn them over; at the end most discs win.",
        moves: spans![
            "The cell for your disc: column letter and row number, " ("a1") " at the top left, such as "
            ("d3") "; or its number, counted from " ("0") " at the top left."
        ],
        options: &[],
        verbs: &[],
    };

    const ENGINE: u32 = 1;

    type Config = GameConfig;
    type Move = Move;
    type Position = Position;

    fn configure(_options: &mut Options) -> Result<GameConfig, BadOption> {
        Ok(GameConfig {})
    }

    fn start(_config: &GameConfig) -> Result<Othello, RuleError> {
        Ok(Othello { discs: START, to_move: Seat::First, turned: 0, passed: None })
    }

    fn at(_config: &GameConfig, position: &Position) -> Result<Othello, RuleError> {
        position::set_up(position)
    }

    fn position(&self) -> Position {
        position::of(self)
    }

    fn to_move(&self) -> Seat {
        self.to_move
    }

    fn ending(&self) -> Option<Ending> {
        let outcome = self.outcome()?;
        let counts = self.counts();
        let [most, least] = [counts[0].max(counts[1]), counts[0].min(counts[1])];
        let full = if most + least < 64 { ", and nobody can move" } else { "" };
        let reason = match outcome {
            Outcome::Won(_) => format!("{most} discs to {least}{full}"),
            Outcome::Draw => format!("{most} discs each{full}"),
        };
        Some(Ending { outcome, reason: Some(reason.into()) })
    }

    fn outcome(&self) -> Option<Outcome> {
        let [own, other] = self.sides();
        // A side that cannot move has passed already, so whoever is on turn can move unless it is over.
        (moves(own, other) == 0).then(|| match self.counts() {
            [black, white] if black > white => Outcome::Won(Seat::First),
            [black, white] if black < white => Outcome::Won(Seat::Second),
            _ => Outcome::Draw,
        })
    }

    fn news(&self) -> Option<Phrase> {
        let name = |seat: Seat| Self::INFO.seats[seat.index()];
        self.passed.map(|seat| phrase![name(seat), " has no move and passes, so ", name(seat.other()), " goes on."])
    }

    fn legal_moves(&self) -> Vec<Move> {
        let [own, other] = self.sides();
        cells(moves(own, other)).map(|position| Move { position }).collect()
    }

    fn objection(&self, mv: &Move) -> Option<RuleError> {
        let position = mv.position;
        let owner = self.disc(position as usize).map(|seat| Self::INFO.seats[seat.index()]);
        let (code, message) = match (self.outcome(), owner) {
            (Some(outcome), _) => {
                let ended = match outcome {
                    Outcome::Won(seat) => format!("won, Winner: {}", Self::INFO.seats[seat.index()]),
                    Outcome::Draw => "draw, Winner: null".to_owned(),
                };
                ("TERMINAL_STATE_MOVE", format!("Cannot apply move to terminal game. Game status: {ended}"))
            }
            _ if position as usize >= SIZE * SIZE => (OFF_BOARD, cell::off_board(position, SIZE, SIZE)),
            (_, Some(owner)) => (
                "OCCUPIED_CELL",
                format!("Cannot move to occupied cell at position {position}. Cell contains: {owner}"),
            ),
            _ if self.flipped(mv) == 0 => ("NO_FLIP", format!("A disc at position {position} turns over no disc")),
            _ => return None,
        };
        let legal: Vec<u32> = self.legal_moves().iter().map(|mv| mv.position).collect();
        Some(RuleError::new(code, message, json!({ "position": position, "legalMoves": legal })))
    }

    fn explain(&self, mv: &Move) -> Option<Phrase> {
        if self.outcome().is_some() || mv.position as usize >= SIZE * SIZE {
            return None;
        }
        let name = code(self.notation(mv));
        Some(match self.disc(mv.position as usize) {
            Some(seat) => phrase![name, " is taken by ", Self::INFO.seats[seat.index()]],
            None => phrase![name, " flips no disc"],
        })
    }

    fn play(&self, mv: &Move) -> Othello {
        let [own, other] = self.sides();
        let turned = self.flipped(mv);
        let (own, other) = (own | turned | 1 << mv.position, other & !turned);
        let discs = if self.to_move == Seat::First { [own, other] } else { [other, own] };
        let next = self.to_move.other();
        let passes = moves(other, own) == 0 && moves(own, other) != 0;
        let (to_move, passed) = if passes { (self.to_move, Some(next)) } else { (next, None) };
        Othello { discs, to_move, turned, passed }
    }

    fn choose(&self, level: Level, seed: u64) -> Option<Chosen<Move>> {
        let [own, other] = self.sides();
        let Chosen { mv, nodes, value } = computer::choose(own, other, level, seed)?;
        Some(Chosen { mv: Move { position: mv }, nodes, value })
    }

    fn notation(&self, mv: &Move) -> String {
        cell::name_from(RowOne::Top, mv.position as usize, SIZE, SIZE)
    }

    fn read(&self, text: &str) -> Result<Move, Unread> {
        cell::read_from(RowOne::Top, text, SIZE, SIZE).map(|index| Move { position: index as u32 })
    }

    fn cell(&self, mv: &Move) -> Option<usize> {
        Some(mv.position as usize)
    }

    fn board(&self, last: Option<&Move>) -> Box<dyn Board> {
        let turned = if last.is_some() { self.turned } else { 0 };
        Box::new(Grid {
            columns: SIZE,
            cells: (0..SIZE * SIZE).map(|cell| Some(piece(&LOOKS, self.disc(cell)?))).collect(),
            looks: LOOKS,
            last: last.map(|mv| mv.position as usize).into_iter().collect(),
            changed: cells(turned).map(|cell| cell as usize).collect(),
            lines: Vec::new(),
            make: Make { ground: Ground::Cloth, row_one: RowOne::Top },
        })
    }

    /// Counts passes as no ply, as they are none at a table.
    fn perft(&self, depth: u32) -> u64 {
        let [own, other] = self.sides();
        if depth == 0 { 1 } else { walk(own, other, depth) }
    }
}

impl Othello {
    /// Returns the owner of the disc on a cell, counted from 0 at the top left, row by row; `None` if it is free.
    pub fn disc(&self, cell: usize) -> Option<Seat> {
        let has = |seat: &Seat| cell < SIZE * SIZE && self.discs[seat.index()] >> cell & 1 == 1;
        Seat::BOTH.into_iter().find(has)
    }

    /// Returns the number of discs of each seat.
    pub fn counts(&self) -> [u32; 2] {
        self.discs.map(u64::count_ones)
    }

    /// Returns the discs of the side on turn, and of the other one.
    fn sides(&self) -> [u64; 2] {
        [self.to_move, self.to_move.other()].map(|seat| self.discs[seat.index()])
    }

    /// Returns the discs that a move to a free cell turns over.
    fn flipped(&self, mv: &Move) -> u64 {
        let [own, other] = self.sides();
        if mv.position < 64 { flips(own, other, mv.position) } else { 0 }
    }
}
