//! The rules and notation of Othello, its explanations and its board.

use game::board::ordinary_piece;
use game::cell::OUT_OF_RANGE_CODE;
use game::{
    Board, BoardStyle, DiceRules, Display, Ending, Explain, Form, Game, Grid, IllegalMove, InvalidState, Notation,
    Outcome, PaletteColor, ParseMoveError, Phrase, PieceKind, PieceStyle, RowOrigin, Rules, Seat, Surface, cell,
    game_over, say, side,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::othello::position::{SIZE, START, perft};
use crate::othello::{flips, iter_cells, moves};

/// A move: a disc placed on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "OthelloMove")]
pub struct Move {
    /// The cell, counted from 0 at the top left, row by row.
    pub position: u32,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Othello {
    /// The discs of each seat.
    pub discs: [u64; 2],
    pub(super) side_to_move: Seat,
    /// The discs that the last move flipped. Not part of the serialized position.
    pub(super) flipped: u64,
    /// The side that had to pass after the last move. Not part of the serialized position.
    pub(super) passed: Option<Seat>,
}

impl Othello {
    /// Returns the owner of the disc on a cell, or `None` if the cell is free.
    pub fn owner(&self, cell: usize) -> Option<Seat> {
        let owns_cell = |seat: &Seat| cell < SIZE * SIZE && self.discs[seat.index()] >> cell & 1 == 1;
        Seat::BOTH.into_iter().find(owns_cell)
    }

    /// Returns the number of discs of each seat.
    pub fn disc_counts(&self) -> [u32; 2] {
        self.discs.map(u64::count_ones)
    }

    /// Returns the discs of the side to move and of its opponent.
    pub(super) fn sides(&self) -> [u64; 2] {
        [self.side_to_move, self.side_to_move.other()].map(|seat| self.discs[seat.index()])
    }

    /// Returns the discs that a move to a free cell flips.
    fn flipped_by(&self, mv: &Move) -> u64 {
        let [own, other] = self.sides();
        if mv.position < 64 { flips(own, other, mv.position) } else { 0 }
    }
}

impl Rules for Othello {
    type Config = GameConfig;
    type Move = Move;

    fn start(_config: &GameConfig) -> Result<Othello, InvalidState> {
        Ok(Othello { discs: START, side_to_move: Seat::First, flipped: 0, passed: None })
    }

    fn side_to_move(&self) -> Seat {
        self.side_to_move
    }

    fn legal_moves(&self) -> Vec<Move> {
        let [own, other] = self.sides();
        iter_cells(moves(own, other)).map(|position| Move { position }).collect()
    }

    fn play(&self, mv: &Move) -> Othello {
        let [own, other] = self.sides();
        let flipped = self.flipped_by(mv);
        let (own, other) = (own | flipped | 1 << mv.position, other & !flipped);
        let discs = if self.side_to_move == Seat::First { [own, other] } else { [other, own] };
        let next = self.side_to_move.other();
        let passes = moves(other, own) == 0 && moves(own, other) != 0;
        let (side_to_move, passed) = if passes { (self.side_to_move, Some(next)) } else { (next, None) };
        Othello { discs, side_to_move, flipped, passed }
    }

    fn ending(&self) -> Option<Ending> {
        let outcome = self.outcome()?;
        let reason = match outcome {
            Outcome::Draw => Some(format!("{} discs each", self.disc_counts()[0]).into()),
            Outcome::Won(_) => None,
        };
        Some(Ending { outcome, reason })
    }

    fn outcome(&self) -> Option<Outcome> {
        let [own, other] = self.sides();
        // `play` passes automatically, so the side to move can move unless the game is over.
        if moves(own, other) != 0 {
            return None;
        }
        Some(match self.disc_counts() {
            [black, white] if black > white => Outcome::Won(Seat::First),
            [black, white] if black < white => Outcome::Won(Seat::Second),
            _ => Outcome::Draw,
        })
    }

    /// Counts positions like `perft`: a pass isn't a ply, because the game passes automatically.
    fn perft(&self, depth: u32) -> u64 {
        let [own, other] = self.sides();
        if depth == 0 { 1 } else { perft(own, other, depth) }
    }
}

impl DiceRules for Othello {}

// The settings of a game.

/// The settings of a game. Othello has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "OthelloConfig")]
pub struct GameConfig {}

// Move notation.

impl Notation for Othello {
    fn notation(&self, mv: &Move) -> String {
        cell::name_with_origin(RowOrigin::Top, mv.position as usize, SIZE, SIZE)
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        cell::parse_with_origin(RowOrigin::Top, text, SIZE, SIZE).map(|index| Move { position: index as u32 })
    }
}

// Explains illegal moves, passes and the final count.

impl Explain for Othello {
    fn why_illegal(&self, mv: &Move) -> IllegalMove {
        let position = mv.position;
        let legal: Vec<u32> = self.legal_moves().iter().map(|mv| mv.position).collect();
        let context = json!({ "position": position, "legalMoves": legal });
        if let Some(outcome) = self.outcome() {
            return IllegalMove { context, ..game_over::<Self>(outcome) };
        }
        if position as usize >= SIZE * SIZE {
            return IllegalMove::new(OUT_OF_RANGE_CODE, cell::out_of_range_message(position, SIZE, SIZE), context);
        }
        let cell = self.notation(mv);
        let Some(owner) = self.owner(position as usize) else {
            let message = format!("A disc at position {position} wouldn't flip any disc");
            let explanation = say!("A disc on `{cell}` wouldn't flip anything");
            return IllegalMove::new("NO_FLIP", message, context).explained(explanation);
        };
        let side = Self::INFO.seats[owner.index()];
        let message = format!("Cannot move to occupied cell at position {position}. Cell contains: {side}");
        let explanation = say!("{side} already has a disc on `{cell}`", side = Self::INFO.side_name(owner));
        IllegalMove::new("OCCUPIED_CELL", message, context).explained(explanation)
    }

    fn commentary(&self) -> Option<Phrase> {
        if let Some(Outcome::Won(winner)) = self.outcome() {
            let [winner_discs, loser_discs] = [winner, winner.other()].map(|seat| self.disc_counts()[seat.index()]);
            let note =
                if winner_discs + loser_discs < (SIZE * SIZE) as u32 { ", and neither side can move" } else { "" };
            return Some(format!("{winner_discs} discs to {loser_discs}{note}.").into());
        }
        self.passed.map(|seat| {
            say!("{passed} can't move, so the turn passes.", passed = side(seat, Self::INFO.side_name(seat)))
        })
    }
}

// Shows a game as a board.

const STYLES: [PieceStyle; 2] = [
    PieceStyle { color: PaletteColor::BLACK, kind: PieceKind { name: "black", letter: 'B', form: Form::Disc } },
    PieceStyle { color: PaletteColor::WHITE, kind: PieceKind { name: "white", letter: 'W', form: Form::Disc } },
];

impl Display for Othello {
    fn board(&self, last_move: Option<&Move>) -> Box<dyn Board> {
        let flipped = if last_move.is_some() { self.flipped } else { 0 };
        let cells = (0..SIZE * SIZE).map(|cell| Some(ordinary_piece(&STYLES, self.owner(cell)?))).collect();
        Box::new(Grid {
            last_move: last_move.map(|mv| mv.position as usize).into_iter().collect(),
            changed: iter_cells(flipped).map(|cell| cell as usize).collect(),
            style: BoardStyle {
                surface: Surface::Cloth,
                row_origin: RowOrigin::Top,
                counted: Some("discs"),
                ..BoardStyle::default()
            },
            ..Grid::new(SIZE, cells, STYLES)
        })
    }

    fn target_cell(&self, mv: &Move) -> Option<usize> {
        Some(mv.position as usize)
    }
}
