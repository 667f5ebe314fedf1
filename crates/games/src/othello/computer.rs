//! The Othello engine: an alpha-beta search that evaluates mobility, edges and corners. The highest level solves the endgame
//! exactly.

pub mod endgame;

use game::{Engine, EngineMove, Level};

use crate::othello::position::with_neighbors;
use crate::othello::{EndgameMove, Move, Othello, flips, iter_cells, moves};
use crate::search::choose_weakly;
use crate::{Limits, PROVEN_WIN, Random, SearchPosition, Tuning, search};

/// The most free cells with which the highest level solves the endgame.
const MAX_SOLVED_CELLS: u32 = 20;
/// The node budget of the search that orders the moves before the endgame is solved.
const PRESEARCH_NODES: u64 = 100_000;
/// The node budget of the endgame solver.
const ENDGAME_NODES: u64 = 2_600_000;

/// How many of 100 moves level 0 chooses like level 1.
const LEARNING_SKILL: usize = 75;

/// The settings of a level.
struct LevelProfile {
    limits: Limits,
    /// The most free cells with which the search depth reaches the end of the game.
    full_depth_cells: u32,
}

/// Returns the settings of a level.
fn level_profile(level: Level) -> LevelProfile {
    let (depth, nodes, margin, full_depth_cells) = match level.number() {
        1 => (1, 1_000, 12, 2),
        2 => (1, 1_000, 260, 3),
        3 => (2, 3_000, 170, 4),
        4 => (2, 5_000, 50, 6),
        5 => (3, 10_000, 30, 8),
        6 => (5, 40_000, 16, 10),
        7 => (7, 150_000, 8, 12),
        _ => (60, 1_000_000, 0, 60),
    };
    LevelProfile { limits: Limits { nodes, depth, margin }, full_depth_cells }
}

impl Engine for Othello {
    const ENGINE_VERSION: u32 = 4;

    const LOWEST_LEVEL: Level = Level::LEARNING;

    const SCORE_SCALE: i32 = 186;

    type Memory = ();

    fn choose(&self, level: Level, seed: u64) -> Option<EngineMove<Move>> {
        if level == Level::LEARNING {
            return choose_weakly(self, LEARNING_SKILL, seed);
        }
        let LevelProfile { mut limits, full_depth_cells } = level_profile(level);
        let free = free_count(self);
        if free <= full_depth_cells {
            limits.depth = limits.depth.max(free as i16);
        }
        let is_solvable = level == Level::MAX && free <= MAX_SOLVED_CELLS;
        if is_solvable {
            limits.nodes = PRESEARCH_NODES;
        }
        choose_within(self, level, limits, is_solvable.then_some(ENDGAME_NODES), seed)
    }

    fn analyze(&self, nodes: u64, _memory: &mut ()) -> Option<EngineMove<Move>> {
        let is_solvable = free_count(self) <= MAX_SOLVED_CELLS;
        let nodes = if is_solvable { nodes / 2 } else { nodes };
        let limits = Limits { nodes, ..level_profile(Level::MAX).limits };
        choose_within(self, Level::MAX, limits, is_solvable.then_some(nodes), 0)
    }
}

fn free_count(game: &Othello) -> u32 {
    let [own, other] = game.sides();
    (!(own | other)).count_ones()
}

/// Chooses a move within these limits. `solver_nodes` is the node budget of the endgame solver; `None` skips the solver.
fn choose_within(
    game: &Othello,
    level: Level,
    limits: Limits,
    solver_nodes: Option<u64>,
    seed: u64,
) -> Option<EngineMove<Move>> {
    let [own, other] = game.sides();
    let mut board = SearchBoard::new(own, other);
    // Beginners flip as many discs as they can.
    board.greedy = level == Level::ALL[0];
    let mut random = Random::new(seed);
    let mut moves = Vec::new();
    board.moves(&mut moves);
    moves.retain(|mv| *mv != PASS);
    let mut result = search(&mut board, moves, limits, &mut random);
    if let Some(solver_nodes) = solver_nodes {
        let order: Vec<u8> = result.moves.iter().map(|(mv, _)| *mv).collect();
        let (best, nodes) = endgame::find_best_move(own, other, &order, solver_nodes);
        result.nodes += nodes;
        if let Some(EndgameMove { mv, lower_bound, .. }) = best {
            let score = lower_bound.signum() * PROVEN_WIN;
            return Some(EngineMove { mv: Move { position: mv.into() }, nodes: result.nodes, score });
        }
    }
    let (cell, score) = result.pick(limits.margin, &mut random)?;
    Some(EngineMove { mv: Move { position: cell.into() }, nodes: result.nodes, score })
}

// The static evaluation: mobility, frontier, corners and stable edge discs.

/// The corners, each with its adjacent C-squares and X-square.
const CORNERS: [(u64, u64, u64); 4] = [
    (1, 1 << 1 | 1 << 8, 1 << 9),
    (1 << 7, 1 << 6 | 1 << 15, 1 << 14),
    (1 << 56, 1 << 57 | 1 << 48, 1 << 49),
    (1 << 63, 1 << 62 | 1 << 55, 1 << 54),
];

/// The edges, each with the bit shift between its neighboring cells.
const EDGES: [(u64, u32); 4] = [(0xff, 1), (0xff << 56, 1), (LEFT, 8), (RIGHT, 8)];

/// The cells that are not on an edge.
const INSIDE: u64 = 0x007e_7e7e_7e7e_7e00;
/// The leftmost column.
const LEFT: u64 = 0x0101_0101_0101_0101;
/// The rightmost column.
const RIGHT: u64 = 0x8080_8080_8080_8080;

/// The bonus for a disc on a corner.
const CORNER: i32 = 80;
/// The penalty for a disc on a C-square (the edge cell next to a corner) if the corner is free.
const C_SQUARE: i32 = 20;
/// The penalty for a disc on an X-square (diagonally next to a corner) if the corner is free.
const X_SQUARE: i32 = 40;
/// The bonus for a stable disc on an edge.
const STABLE: i32 = 16;
/// The bonus for any disc on an edge.
const EDGE: i32 = 4;
/// The bonus for each legal move.
const MOBILITY: i32 = 8;
/// The penalty for a frontier disc (one next to a free cell).
const FRONTIER: i32 = 4;

/// Evaluates a position for the side to move, whose legal moves are `legal`.
fn evaluate(own: u64, other: u64, legal: u64) -> i32 {
    let free = !(own | other);
    let count = |set: u64| set.count_ones() as i32;
    let mut sum = MOBILITY * (count(legal) - count(moves(other, own)));
    // Frontier discs give the opponent moves.
    let frontier = with_neighbors(free);
    sum += FRONTIER * (count(other & frontier & INSIDE) - count(own & frontier & INSIDE));
    for (corner, c_squares, x_square) in CORNERS {
        if free & corner != 0 {
            sum -= C_SQUARE * (count(own & c_squares) - count(other & c_squares));
            sum -= X_SQUARE * (count(own & x_square) - count(other & x_square));
        } else {
            sum += CORNER * (count(own & corner) - count(other & corner));
        }
    }
    let [own_stable, other_stable] = [stable_edge_discs(own, other), stable_edge_discs(other, own)];
    sum += STABLE * (count(own_stable) - count(other_stable));
    let edge = !INSIDE;
    sum + EDGE * (count(own & edge) - count(other & edge))
}

/// Returns the stable discs on the edges: those connected to an own corner, and all on full edges.
fn stable_edge_discs(own: u64, other: u64) -> u64 {
    let mut found = 0;
    for (edge, shift) in EDGES {
        if (own | other) & edge == edge {
            found |= own & edge;
            continue;
        }
        let mut up = own & edge & (edge & edge.wrapping_neg());
        let mut down = own & edge & (1 << (63 - edge.leading_zeros()));
        for _ in 0..6 {
            up |= own & edge & (up << shift);
            down |= own & edge & (down >> shift);
        }
        found |= up | down;
    }
    found
}

// The position for the alpha-beta search.

/// The pass of a side without a legal move.
const PASS: u8 = 64;

/// The cells in static move order: corners, then the center and the middle of the edges, then the cells between them,
/// and last the neighbors of corners.
const MOVE_ORDER: [u64; 4] = [
    0x8100_0000_0000_0081,
    0x3c00_3c3c_3c3c_003c,
    0x0000_8181_8181_0000 | 0x003c_4242_4242_3c00,
    0x42c3_0000_0000_c342,
];

/// A position for the search.
#[derive(Clone, Copy)]
struct SearchBoard {
    state: State,
    /// Whether to evaluate only the number of discs.
    greedy: bool,
}

/// The part of the position that a move changes.
#[derive(Clone, Copy)]
struct State {
    /// The discs of the side to move.
    own: u64,
    /// The discs of the opponent.
    other: u64,
    /// The legal moves of the side to move.
    legal: u64,
}

impl SearchBoard {
    fn new(own: u64, other: u64) -> SearchBoard {
        SearchBoard { state: State { own, other, legal: moves(own, other) }, greedy: false }
    }
}

impl SearchPosition for SearchBoard {
    /// The cell, or [`PASS`].
    type Move = u8;
    type Undo = State;

    const TUNING: Tuning = Tuning::without_lmr(65);

    fn moves(&self, found: &mut Vec<u8>) {
        let State { own, other, legal } = self.state;
        if legal == 0 && moves(other, own) != 0 {
            found.push(PASS);
        }
        for cells in MOVE_ORDER {
            found.extend(iter_cells(legal & cells).map(|cell| cell as u8));
        }
    }

    fn history_slot(mv: u8) -> usize {
        mv.into()
    }

    fn play(&mut self, mv: u8) -> State {
        let previous = self.state;
        let State { own, other, .. } = previous;
        let (own, other) = if mv == PASS {
            (other, own)
        } else {
            let flipped = flips(own, other, mv.into());
            (other & !flipped, own | flipped | 1 << mv)
        };
        self.state = State { own, other, legal: moves(own, other) };
        previous
    }

    fn undo(&mut self, previous: State) {
        self.state = previous;
    }

    fn game_result(&self) -> Option<i32> {
        let State { own, other, legal } = self.state;
        if legal != 0 || moves(other, own) != 0 {
            return None;
        }
        Some((own.count_ones() as i32 - other.count_ones() as i32).signum())
    }

    fn evaluate(&self) -> i32 {
        let State { own, other, legal } = self.state;
        if self.greedy {
            4 * (own.count_ones() as i32 - other.count_ones() as i32)
        } else {
            evaluate(own, other, legal)
        }
    }

    fn key(&self) -> u64 {
        let mixed = self.state.own.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ self.state.other.rotate_left(29);
        (mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
    }

    /// Whether the side to move has to pass.
    fn is_forced(&self) -> bool {
        self.state.legal == 0
    }

    fn plies_left(&self) -> i16 {
        (!(self.state.own | self.state.other)).count_ones() as i16
    }
}
