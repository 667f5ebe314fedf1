//! The computer: on boards of up to 25 cells it looks ahead at every move, on bigger ones at those that promise something,
//! and there it looks for wins by threats first, its own and the other side's.

mod search_board;
mod threats;

use game::contract::Engine;
use game::engine::{EngineMove, Level};
use game::seat::Seat;

use crate::search::alpha_beta::{Limits, SearchPosition, Tuning, WIN_VALUE, search};
use crate::search::random::Random;
use crate::tic_tac_toe::computer::search_board::{MAX_CANDIDATES, SearchBoard};
use crate::tic_tac_toe::computer::threats::{Budget, ThreatSearch, Win, relevant_replies};
use crate::tic_tac_toe::game::{Move, TicTacToe};

/// The most cells of a board on which every move is looked at.
const SMALL_BOARD_CELLS: usize = 25;
/// The most cells of a board that is looked through to the end in [`ENOUGH`] nodes.
const TINY_BOARD_CELLS: usize = 9;
/// The nodes that do for 3x3.
const TINY_BOARD_NODES: u64 = 10_000;

/// What a level does.
struct LevelProfile {
    limits: Limits,
    /// How far it looks for its own wins by threats; for the other side's a mark less far at the lower levels.
    budget: Budget,
    /// How far it looks for the other side's.
    defense_marks: u8,
    threat_nodes: u64,
}

/// Returns what a level does on a board of so many cells.
///
/// Level 7 looks further ahead than 6 at fewer positions: with more of them it is as good as 8 on 15x15.
fn level_profile(level: Level, cells: usize) -> LevelProfile {
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
        0..=TINY_BOARD_CELLS => TINY_BOARD_NODES,
        10..=16 if level == Level::MAX => 1_200_000,
        17..=SMALL_BOARD_CELLS if level == Level::MAX => 500_000,
        _ => nodes * 225 / cells.max(225) as u64,
    };
    let nodes = if level == Level::MAX { most } else { nodes.min(most) };
    LevelProfile {
        limits: Limits { nodes, depth, margin },
        budget: Budget { marks, quiet_marks: quiet },
        defense_marks: caution,
        threat_nodes: hunt,
    }
}

impl Engine for TicTacToe {
    const ENGINE_VERSION: u32 = 4;

    // A win that is seen is won; before that the board says little, and most games are drawn.
    const SCORE_SCALE: i32 = 300_000;

    fn choose(&self, level: Level, seed: u64) -> Option<EngineMove<Self::Move>> {
        if self.outcome.is_some() {
            return None;
        }
        let marks: Vec<Option<Seat>> = (0..self.cell_count()).map(|index| self.mark(index).map(Seat::from)).collect();
        let EngineMove { mv, nodes, score: value } =
            choose_cell((self.size, self.k), &marks, self.side_to_move, level, seed)?;
        Some(EngineMove { mv: Move { position: mv.into() }, nodes, score: value })
    }
}

/// Returns the cell that the computer marks on a board that is not over; `None` if it is full.
fn choose_cell(
    (size, k): (usize, usize),
    marks: &[Option<Seat>],
    to_move: Seat,
    level: Level,
    seed: u64,
) -> Option<EngineMove<u16>> {
    let mut field = SearchBoard::new(size, k, marks, to_move);
    let strength = level_profile(level, size * size);
    let mut random = Random::new(seed);
    let mut moves = Vec::new();
    if level == Level::ALL[0] {
        // Who has learned the game today overlooks that the other side is about to win.
        field.ignores_threats = true;
        field.promising_moves(&mut moves);
    } else {
        field.moves(&mut moves);
    }
    if !field.is_small() {
        let mut hunt = ThreatSearch { nodes: 0, max_nodes: strength.threat_nodes };
        if let Some(win) = hunt.shortest_win(&mut field, strength.budget) {
            return Some(EngineMove {
                mv: win.cell,
                nodes: hunt.nodes + 1,
                score: WIN_VALUE - 2 * i32::from(win.marks) + 1,
            });
        }
        // A mark more never hurts, so what the other side cannot win after a pass it cannot win after a move.
        let threat = with_turn_passed(&mut field, |field| {
            hunt.shortest_win(field, Budget { marks: strength.defense_marks, ..strength.budget })
        });
        if let Some(threat) = threat {
            moves = defenses(&mut field, &threat, &strength, &mut hunt);
        }
        let nodes = hunt.nodes;
        let chosen = choose_by_search(&mut field, moves, strength.limits, &mut random)?;
        return Some(EngineMove { nodes: chosen.nodes + nodes, ..chosen });
    }
    choose_by_search(&mut field, moves, strength.limits, &mut random)
}

fn choose_by_search(
    field: &mut SearchBoard,
    moves: Vec<u16>,
    limits: Limits,
    random: &mut Random,
) -> Option<EngineMove<u16>> {
    let thought = search(field, moves, limits, random);
    let (mv, value) = thought.pick(limits.margin, random)?;
    Some(EngineMove { mv, nodes: thought.nodes, score: value })
}

/// Looks at a field with the other side on turn.
fn with_turn_passed<T>(field: &mut SearchBoard, look: impl FnOnce(&mut SearchBoard) -> T) -> T {
    field.pass();
    let seen = look(field);
    field.pass();
    seen
}

/// Returns the moves after which the other side has lost its win by threats; where there are none, those after which it takes
/// longest.
fn defenses(field: &mut SearchBoard, threat: &Win, strength: &LevelProfile, hunt: &mut ThreatSearch) -> Vec<u16> {
    let reach = Budget { marks: strength.defense_marks, ..strength.budget };
    let mut longest = (0, Vec::new());
    let replies = relevant_replies(field, &threat.relevant);
    // Each reply has a fair share of the work, which does not grow with their number.
    let limit = (strength.threat_nodes / 8).min(2 * strength.threat_nodes / replies.len().max(1) as u64);
    for cell in replies {
        let mut look = ThreatSearch { nodes: 0, max_nodes: limit };
        field.place(cell);
        let win = look.shortest_win(field, reach);
        field.remove(cell);
        hunt.nodes += look.nodes;
        let marks = win.map_or(u8::MAX, |win| win.marks);
        if marks > longest.0 {
            longest = (marks, Vec::new());
        }
        if marks == longest.0 {
            longest.1.push(cell);
        }
    }
    longest.1.truncate(2 * MAX_CANDIDATES);
    longest.1
}

impl SearchPosition for SearchBoard {
    type Move = u16;
    type Undo = u16;

    const TUNING: Tuning = Tuning::without_lmr(361);

    fn moves(&self, found: &mut Vec<u16>) {
        if self.winner.is_some() {
            return;
        }
        if let Some(cell) = self.winning_moves(self.side_to_move).next() {
            found.push(cell);
            return;
        }
        if self.winning_cell_count(self.side_to_move.other()) > 0 {
            found.extend(self.winning_moves(self.side_to_move.other()));
            return;
        }
        self.promising_moves(found);
    }

    fn history_slot(mv: u16) -> usize {
        mv.into()
    }

    fn play(&mut self, mv: u16) -> u16 {
        SearchBoard::place(self, mv);
        mv
    }

    fn undo(&mut self, past: u16) {
        self.remove(past);
    }

    fn game_result(&self) -> Option<i32> {
        match self.winner {
            Some(seat) => Some(if seat == self.side_to_move { 1 } else { -1 }),
            None => (self.free_count == 0 || self.is_dead()).then_some(0),
        }
    }

    fn evaluate(&self) -> i32 {
        self.evaluate()
    }

    fn key(&self) -> u64 {
        SearchBoard::key(self)
    }

    fn result_bounds(&self) -> (i32, i32) {
        (-i32::from(self.can_win(self.side_to_move.other())), i32::from(self.can_win(self.side_to_move)))
    }

    fn is_forced(&self) -> bool {
        !self.ignores_threats && self.winning_cell_count(Seat::First) + self.winning_cell_count(Seat::Second) > 0
    }

    fn plies_left(&self) -> i16 {
        self.free_count as i16
    }
}
