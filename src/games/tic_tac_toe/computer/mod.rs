//! The computer: on boards of up to 25 cells it looks ahead at every move, on bigger ones at those that promise something,
//! and there it looks for wins by threats first, its own and the other side's.

mod field;
mod threats;

use crate::game::choice::{Chosen, Level};
use crate::game::seat::Seat;
use crate::games::tic_tac_toe::computer::field::Field;
use crate::games::tic_tac_toe::computer::threats::{Hunt, Reach, Win, replies};
use crate::search::alpha_beta::{Limits, Position, WON, think};
use crate::search::random::Random;

/// The most cells of a board on which every move is looked at.
const SMALL: usize = 25;
/// The most moves that are looked at on a bigger board.
const WIDTH: usize = 14;

/// What a level does.
struct Strength {
    limits: Limits,
    /// How far it looks for its own wins by threats; for the other side's a mark less far at the lower levels.
    reach: Reach,
    /// How far it looks for the other side's.
    caution: u8,
    hunt: u64,
}

/// Returns what a level does.
fn strength(level: Level) -> Strength {
    let (depth, nodes, margin, marks, caution, quiet, hunt) = match level.number() {
        1 => (1, 1_000, 150, 1, 0, 0, 0),
        2 => (1, 2_000, 60, 1, 1, 0, 1_000),
        3 => (2, 5_000, 30, 2, 1, 0, 2_000),
        4 => (3, 10_000, 12, 2, 2, 1, 4_000),
        5 => (4, 20_000, 6, 3, 2, 1, 10_000),
        6 => (6, 40_000, 3, 3, 3, 1, 20_000),
        7 => (8, 80_000, 1, 4, 4, 2, 100_000),
        _ => (40, 200_000, 0, 4, 4, 2, 400_000),
    };
    Strength { limits: Limits { nodes, depth, margin }, reach: Reach { marks, quiet }, caution, hunt }
}

/// Returns the cell that the computer marks on a board that is not over; `None` if it is full.
pub(super) fn choose(
    (size, k): (usize, usize),
    marks: &[Option<Seat>],
    to_move: Seat,
    level: Level,
    seed: u64,
) -> Option<Chosen<u16>> {
    let mut field = Field::new(size, k, marks, to_move);
    let strength = strength(level);
    let mut random = Random::new(seed);
    let mut moves = Vec::new();
    field.moves(&mut moves);
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
    for cell in replies(field, &threat.zone) {
        // Each reply has a fair share of the work.
        let mut look = Hunt { nodes: 0, limit: strength.hunt / 8 };
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

    const PLACES: usize = 361;

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
        let begin = found.len();
        if self.is_small() {
            found.extend(self.free_cells());
        } else {
            found.extend(self.free_cells().filter(|cell| self.is_near(*cell)));
        }
        if found.len() == begin {
            // An empty board, or one with nothing left around its marks.
            found.extend(self.free_cells());
        }
        let mut promising: Vec<(i32, u16)> = found.drain(begin..).map(|cell| (-self.promise(cell), cell)).collect();
        promising.sort_unstable();
        let width = if self.is_small() { SMALL } else { WIDTH };
        found.extend(promising.into_iter().take(width).map(|(_, cell)| cell));
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

    fn is_forced(&self) -> bool {
        self.winning_cells(Seat::First) + self.winning_cells(Seat::Second) > 0
    }

    fn plies_left(&self) -> i16 {
        self.free as i16
    }
}
