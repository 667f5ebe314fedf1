//! The game as a table holds it.

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
use crate::games::othello::discs::{SIZE, START, cells, moves, walk};
use crate::games::othello::game::{GameConfig, Move, Othello};
use crate::games::othello::position::{self, Position};

const LOOKS: [Look; 2] = [
    Look { ink: Ink::BLACK, glyph: Glyph { name: "black", letter: 'B', form: Form::Disc } },
    Look { ink: Ink::WHITE, glyph: Glyph { name: "white", letter: 'W', form: Form::Disc } },
];

impl Game for Othello {
    const INFO: Info = Info {
        name: "othello",
        title: "Othello",
        aliases: &["reversi"],
        seats: ["black", "white"],
        summary: "Trap your opponent's discs between two of yours to flip them. Most discs at the end wins.",
        moves: spans![
            "To move, name a cell by column and row, like " ("d3") " (" ("a1")
            " is the top left). You can also write its number, counting from " ("0") " at the top left."
        ],
        options: &[],
        verbs: &[],
    };

    const ENGINE: u32 = 4;

    const EDGE: i32 = 186;

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
        let each = || format!("{} discs each", self.counts()[0]).into();
        Some(Ending { outcome, reason: (outcome == Outcome::Draw).then(each) })
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
        if let Some(Outcome::Won(winner)) = self.outcome() {
            let [most, least] = [winner, winner.other()].map(|seat| self.counts()[seat.index()]);
            let early = if most + least < (SIZE * SIZE) as u32 { ", and neither side can move" } else { "" };
            return Some(format!("{most} discs to {least}{early}.").into());
        }
        let name = |seat: Seat| Self::INFO.side(seat);
        self.passed.map(|seat| format!("{} can't move, so {} moves again.", name(seat), name(seat.other())).into())
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
            _ if self.flipped(mv) == 0 => ("NO_FLIP", format!("A disc at position {position} wouldn't flip any disc")),
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
            Some(seat) => phrase![Self::INFO.side(seat), " already has a disc on ", name],
            None => phrase!["A disc on ", name, " wouldn't flip anything"],
        })
    }

    fn play(&self, mv: &Move) -> Othello {
        self.after(mv)
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
