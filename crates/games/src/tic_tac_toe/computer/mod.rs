//! The computer: on boards of up to 25 cells it looks ahead at every move, on bigger ones at those that promise something,
//! and there it looks for wins by threats first, its own and the other side's.

mod field;
mod threats;

use game::choice::{Chosen, Level};
use game::contract::Engine;
use game::seat::Seat;

use crate::search::alpha_beta::{Limits, Position, Tuning, WON, think};
use crate::search::random::Random;
use crate::tic_tac_toe::computer::field::{Field, WIDTH};
use crate::tic_tac_toe::computer::threats::{Hunt, Reach, Win, replies};
use crate::tic_tac_toe::game::{Move, TicTacToe};

/// The most cells of a board on which every move is looked at.
const SMALL: usize = 25;
/// The most cells of a board that is looked through to the end in [`ENOUGH`] nodes.
const FEW: usize = 9;
/// The nodes that do for 3x3.
const ENOUGH: u64 = 10_000;

/// What a level does.
struct Strength {
    limits: Limits,
    /// How far it looks for its own wins by threats; for the other side's a mark less far at the lower levels.
    reach: Reach,
    /// How far it looks for the other side's.
    caution: u8,
    hunt: u64,
}

/// Returns what a level does on a board of so many cells.
///
/// Level 7 looks further ahead than 6 at fewer positions: with more of them it is as good as 8 on 15x15.
fn strength(level: Level, cells: usize) -> Strength {
    let (depth, nodes, margin, marks, caution, quiet, hunt) = match level.number() {
        1 => (1, 1_000, 1_000, 1, 0, 0, 0),
        2 => (1, 2_000, 60, 1, 1, 0, 1_000),
        3 => (2, 5_000, 1_000, 1, 1, 0, 2_000),
        4 => (2, 10_000, 150, 2, 1, 1, 4_000),
        5 => (3, 20_000, 85, 2, 2, 1, 10_000),
        6 => (4, 40_000, 45, 2, 2, 1, 20_000),
        7 => (6, 25_000, 12, 3, 3, 2, 40_000),
        _ => (40, 150_000, 0, 4, 4, 2, 120_000),
    };
    // A small board is looked through to the end at the highest level, and the bigger one is, the longer a node takes.
    let most = match cells {
        0..=FEW => ENOUGH,
        10..=16 if level == Level::MAX => 1_200_000,
        17..=SMALL if level == Level::MAX => 500_000,
        _ => nodes * 225 / cells.max(225) as u64,
    };
    let nodes = if level == Level::MAX { most } else { nodes.min(most) };
    Strength { limits: Limits { nodes, depth, margin }, reach: Reach { marks, quiet }, caution, hunt }
}

impl Engine for TicTacToe {
    const ENGINE: u32 = 4;

    // A win that is seen is won; before that the board says little, and most games are drawn.
    const EDGE: i32 = 300_000;

    fn choose(&self, level: Level, seed: u64) -> Option<Chosen<Self::Move>> {
        if self.outcome.is_some() {
            return None;
        }
        let marks: Vec<Option<Seat>> = (0..self.cells()).map(|index| self.mark(index).map(Seat::from)).collect();
        let Chosen { mv, nodes, value } = choose((self.size, self.k), &marks, self.to_move, level, seed)?;
        Some(Chosen { mv: Move { position: mv.into() }, nodes, value })
    }
}

/// Returns the cell that the computer marks on a board that is not over; `None` if it is full.
fn choose(
    (size, k): (usize, usize),
    marks: &[Option<Seat>],
    to_move: Seat,
    level: Level,
    seed: u64,
) -> Option<Chosen<u16>> {
    let mut field = Field::new(size, k, marks, to_move);
    let strength = strength(level, size * size);
    let mut random = Random::new(seed);
    let mut moves = Vec::new();
    if level == Level::ALL[0] {
        // Who has learned the game today overlooks that the other side is about to win.
        field.careless = true;
        field.promising_moves(&mut moves);
    } else {
        field.moves(&mut moves);
    }
    if !field.is_small() {
        let mut hunt = Hunt { nodes: 0, limit: strength.hunt };
        if let Some(win) = hunt.shortest(&mut field, strength.reach) {
            return Some(Chosen { mv: win.cell, nodes: hunt.nodes + 1, value: WON - 2 * i32::from(win.marks) + 1 });
        }
        // A mark more never hurts, so what the other side cannot win after a pass it cannot win after a move.
        let threat =
            pass(&mut field, |field| hunt.shortest(field, Reach { marks: strength.caution, ..strength.reach }));
        if let Some(threat) = threat {
            moves = defences(&mut field, &threat, &strength, &mut hunt);
        }
        let nodes = hunt.nodes;
        let chosen = chosen(&mut field, moves, strength.limits, &mut random)?;
        return Some(Chosen { nodes: chosen.nodes + nodes, ..chosen });
    }
    chosen(&mut field, moves, strength.limits, &mut random)
}

fn chosen(field: &mut Field, moves: Vec<u16>, limits: Limits, random: &mut Random) -> Option<Chosen<u16>> {
    let thought = think(field, moves, limits, random);
    let (mv, value) = thought.pick(limits.margin, random)?;
    Some(Chosen { mv, nodes: thought.nodes, value })
}

/// Looks at a field with the other side on turn.
fn pass<T>(field: &mut Field, look: impl FnOnce(&mut Field) -> T) -> T {
    field.pass();
    let seen = look(field);
    field.pass();
    seen
}

/// Returns the moves after which the other side has lost its win by threats; where there are none, those after which it takes
/// longest.
fn defences(field: &mut Field, threat: &Win, strength: &Strength, hunt: &mut Hunt) -> Vec<u16> {
    let reach = Reach { marks: strength.caution, ..strength.reach };
    let mut longest = (0, Vec::new());
    let replies = replies(field, &threat.zone);
    // Each reply has a fair share of the work, which does not grow with their number.
    let limit = (strength.hunt / 8).min(2 * strength.hunt / replies.len().max(1) as u64);
    for cell in replies {
        let mut look = Hunt { nodes: 0, limit };
        field.place(cell);
        let win = look.shortest(field, reach);
        field.take(cell);
        hunt.nodes += look.nodes;
        let marks = win.map_or(u8::MAX, |win| win.marks);
        if marks > longest.0 {
            longest = (marks, Vec::new());
        }
        if marks == longest.0 {
            longest.1.push(cell);
        }
    }
    longest.1.truncate(2 * WIDTH);
    longest.1
}

impl Position for Field {
    type Move = u16;
    type Past = u16;

    const TUNING: Tuning = Tuning::of(361);

    fn moves(&self, found: &mut Vec<u16>) {
        if self.won.is_some() {
            return;
        }
        if let Some(cell) = self.wins_of(self.to_move).next() {
            found.push(cell);
            return;
        }
        if self.winning_cells(self.to_move.other()) > 0 {
            found.extend(self.wins_of(self.to_move.other()));
            return;
        }
        self.promising_moves(found);
    }

    fn place(mv: u16) -> usize {
        mv.into()
    }

    fn play(&mut self, mv: u16) -> u16 {
        Field::place(self, mv);
        mv
    }

    fn take_back(&mut self, past: u16) {
        self.take(past);
    }

    fn ended(&self) -> Option<i32> {
        match self.won {
            Some(seat) => Some(if seat == self.to_move { 1 } else { -1 }),
            None => (self.free == 0 || self.is_dead()).then_some(0),
        }
    }

    fn value(&self) -> i32 {
        self.balance()
    }

    fn key(&self) -> u64 {
        Field::key(self)
    }

    fn prospects(&self) -> (i32, i32) {
        (-i32::from(self.can_win(self.to_move.other())), i32::from(self.can_win(self.to_move)))
    }

    fn is_forced(&self) -> bool {
        !self.careless && self.winning_cells(Seat::First) + self.winning_cells(Seat::Second) > 0
    }

    fn plies_left(&self) -> i16 {
        self.free as i16
    }
}
