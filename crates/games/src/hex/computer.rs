//! The Hex engine: Monte Carlo tree search with RAVE, and rollouts that save bridges.

mod tree;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use game::{Engine, EngineMove, Level, Rules, Seat};

use crate::Random;
use crate::hex::computer::tree::{SearchResult, Tree};
use crate::hex::position::CellSet;
use crate::hex::{Hex, Move, neighbors};
use crate::search::ONE;

/// The number of rollouts by level, from level 2 on, on boards with up to [`STANDARD_CELLS`] cells. Larger boards get fewer
/// rollouts, because each takes longer.
const ROLLOUTS: [u32; 7] = [110, 150, 210, 400, 1_500, 9_000, 75_000];
/// The approximate number of tree nodes that a rollout visits.
const NODES_PER_ROLLOUT: u64 = 3;
/// The fewest rollouts for each cell that tell how good the best move is.
const ROLLOUTS_PER_CELL: usize = 4;
/// The number of cells of the 11x11 board.
const STANDARD_CELLS: usize = 121;

/// The win rate from which the engine tries to finish the game: 90 %.
const WON: u32 = ONE / 10 * 9;

/// The smallest board where the engine avoids a strong first stone, because the opponent would take it over.
const MIN_BALANCED_SIZE: usize = 7;

impl Engine for Hex {
    const ENGINE_VERSION: u32 = 3;

    const SCORE_SCALE: i32 = 367;

    type Memory = ();

    fn choose(&self, level: Level, seed: u64) -> Option<EngineMove<Move>> {
        if self.winner.is_some() {
            return None;
        }
        let mut random = Random::new(seed);
        if let Some(chosen) = choose_without_search(self, &mut random) {
            return Some(chosen);
        }
        if level == Level::ALL[0] {
            let cell = || Some(stone(find_cell(self)?));
            return Some(EngineMove { mv: self.swap_move().or_else(cell)?, nodes: 1, score: 0 });
        }
        let rollouts = *ROLLOUTS.get(usize::from(level.number()).checked_sub(2)?)?;
        choose_by_search(self, rollouts, false, &mut random)
    }

    fn analyze(&self, nodes: u64, _memory: &mut ()) -> Option<EngineMove<Move>> {
        if self.winner.is_some() {
            return None;
        }
        let mut random = Random::new(0);
        let rollouts = u32::try_from(nodes / NODES_PER_ROLLOUT).unwrap_or(u32::MAX).max(ROLLOUTS[0]);
        let mut found =
            choose_without_search(self, &mut random).or_else(|| choose_by_search(self, rollouts, true, &mut random))?;
        // The nodes of large boards take longer.
        found.nodes = found.nodes * (self.size * self.size).max(STANDARD_CELLS) as u64 / STANDARD_CELLS as u64;
        Some(found)
    }
}

fn stone(cell: usize) -> Move {
    Move { position: cell as u32, swap: false }
}

/// Returns a balanced first stone or a stone that wins at once, if there is one.
fn choose_without_search(game: &Hex, random: &mut Random) -> Option<EngineMove<Move>> {
    if let Some(cell) = balanced_opening(game, random) {
        return Some(EngineMove { mv: stone(cell), nodes: 1, score: 0 });
    }
    let cell = game.free_cells().find(|cell| game.play(&stone(*cell)).winner.is_some())?;
    Some(EngineMove { mv: stone(cell), nodes: 1, score: 1_000 })
}

/// Returns the best move after this many rollouts, fewer on large boards.
///
/// With `is_cautious` and few rollouts for each cell, the score is the win rate of all rollouts: the best move's own win rate is
/// then mostly luck, and always too high.
fn choose_by_search(game: &Hex, rollouts: u32, is_cautious: bool, random: &mut Random) -> Option<EngineMove<Move>> {
    let cells = game.size * game.size;
    let rollouts = (rollouts as usize * STANDARD_CELLS / cells.max(STANDARD_CELLS)) as u32;
    let board = SearchBoard::new(game);
    let mut result = Tree::new().search(&board, &board.free, rollouts, random)?;
    if result.value >= WON {
        result = finish_or(result, &board, rollouts, random);
    }
    let value = if is_cautious && (rollouts as usize) < ROLLOUTS_PER_CELL * cells { result.mean } else { result.value };
    let score = (i64::from(value) * 2_000 / i64::from(ONE)) as i32 - 1_000;
    let best = EngineMove { mv: stone(board.cell_index(result.cell)), nodes: result.nodes, score };
    // A swap gives the engine its opponent's position, with the opponent to move.
    match game.swap_move() {
        Some(swap) if score < 0 => Some(EngineMove { mv: swap, score: -score, ..best }),
        _ => Some(best),
    }
}

/// Returns the best move on the cheapest chain if it wins, too; otherwise returns `found`. Adds up the nodes of both searches.
///
/// In a won game nearly every move wins, so the search alone would play anywhere.
fn finish_or(found: SearchResult, board: &SearchBoard, rollouts: u32, random: &mut Random) -> SearchResult {
    let cells = cells_to_play(board);
    let nodes = found.nodes;
    match Tree::new().search(board, &cells, rollouts / 2, random) {
        Some(result) if result.value >= WON => SearchResult { nodes: nodes + result.nodes, ..result },
        result => SearchResult { nodes: nodes + result.map_or(0, |result| result.nodes), ..found },
    }
}

/// Returns a random first stone that is about as good to keep as to take over.
///
/// Returns `None` if the board isn't empty or is too small, or if the game has no swap rule.
fn balanced_opening(game: &Hex, random: &mut Random) -> Option<usize> {
    if !game.can_swap || game.stone_count() > 0 || game.size < MIN_BALANCED_SIZE {
        return None;
    }
    let size = game.size;
    let cell = [2 * size, size + 2][random.below(2)];
    Some(if random.below(2) == 0 { cell } else { size * size - 1 - cell })
}

// A board for fast rollouts: it has a frame of stones beyond the edges, and a list of the free cells.

/// The owner of a free cell. Other owners are the indices of the seats, 0 and 1.
const FREE: u8 = 2;

/// A position for rollouts. Its cells are counted row by row, with the frame.
#[derive(Clone)]
struct SearchBoard {
    size: usize,
    /// The owner of each cell.
    owners: Vec<u8>,
    /// The free cells in any order.
    free: Vec<u16>,
    /// The index of each free cell in `free`.
    free_index: Vec<u16>,
    /// The index of the side to move, 0 or 1.
    side_to_move: u8,
}

impl SearchBoard {
    fn new(game: &Hex) -> SearchBoard {
        let (size, width) = (game.size, game.size + 2);
        let mut board = SearchBoard {
            size,
            owners: vec![FREE; width * width],
            free: Vec::new(),
            free_index: vec![0; width * width],
            side_to_move: game.side_to_move.index() as u8,
        };
        for cell in 0..width * width {
            let (row, column) = (cell / width, cell % width);
            let is_inside = |index: usize| (1..=size).contains(&index);
            board.owners[cell] = match (is_inside(row), is_inside(column)) {
                // The frame beyond an edge belongs to the side that connects to it.
                (false, _) => 0,
                (_, false) => 1,
                _ => game.stone((row - 1) * size + column - 1).map_or(FREE, |seat| seat.index() as u8),
            };
            if board.owners[cell] == FREE {
                board.free_index[cell] = board.free.len() as u16;
                board.free.push(cell as u16);
            }
        }
        board
    }

    /// Copies another board of the same size, without allocating.
    fn copy_from(&mut self, other: &SearchBoard) {
        self.owners.copy_from_slice(&other.owners);
        self.free_index.copy_from_slice(&other.free_index);
        self.free.clear();
        self.free.extend_from_slice(&other.free);
        self.side_to_move = other.side_to_move;
    }

    /// Returns the index of a cell on the board without the frame, as in [`Hex`].
    fn cell_index(&self, cell: u16) -> usize {
        let (width, cell) = (self.size + 2, usize::from(cell));
        (cell / width - 1) * self.size + cell % width - 1
    }

    /// Returns the owner of a cell.
    #[inline]
    fn owner(&self, cell: u16) -> u8 {
        self.owners[usize::from(cell)]
    }

    /// Places a stone of the side to move.
    #[inline]
    fn play(&mut self, cell: u16) {
        self.owners[usize::from(cell)] = self.side_to_move;
        self.side_to_move = 1 - self.side_to_move;
        let index = self.free_index[usize::from(cell)];
        if let Some(last) = self.free.pop()
            && last != cell
        {
            self.free[usize::from(index)] = last;
            self.free_index[usize::from(last)] = index;
        }
    }

    /// Returns the six neighbors of a cell, clockwise.
    #[inline]
    fn neighbors(&self, cell: u16) -> [u16; 6] {
        let width = self.size as u16 + 2;
        [cell - width, cell - width + 1, cell + 1, cell + width, cell + width - 1, cell - 1]
    }

    /// Returns the number of cells, with the frame.
    fn cell_count(&self) -> usize {
        self.owners.len()
    }

    /// Returns the cells of the frame beyond the first edge of the side to move.
    fn first_edge(&self) -> impl Iterator<Item = u16> {
        let step = if self.side_to_move == 0 { 1 } else { self.size as u16 + 2 };
        (1..=self.size as u16).map(move |nth| nth * step)
    }

    /// Whether a cell of the frame is beyond the last edge of the side to move.
    fn is_last_edge(&self, cell: u16) -> bool {
        let width = self.size as u16 + 2;
        (if self.side_to_move == 0 { cell / width } else { cell % width }) == width - 1
    }

    /// Returns the six neighbors of a cell, clockwise. For a cell of the frame, those outside the board are `None`.
    fn checked_neighbors(&self, cell: u16) -> [Option<u16>; 6] {
        if self.is_inside(cell) {
            return self.neighbors(cell).map(Some);
        }
        let width = i32::from(self.size as u16) + 2;
        [-width, 1 - width, 1, width, width - 1, -1].map(|offset| {
            let neighbor = u16::try_from(i32::from(cell) + offset).ok()?;
            self.is_inside(neighbor).then_some(neighbor)
        })
    }

    /// Whether a cell is on the board, and not in the frame.
    fn is_inside(&self, cell: u16) -> bool {
        let width = self.size as u16 + 2;
        [cell / width, cell % width].iter().all(|index| (1..width - 1).contains(index))
    }

    /// Plays until the board is full, and returns the winner.
    ///
    /// Moves are random, except that a side saves its bridges: if the opponent plays into one, it takes the other cell.
    fn rollout(&mut self, mut last_move: Option<u16>, random: &mut Random) -> u8 {
        while !self.free.is_empty() {
            let reply = last_move.and_then(|last_move| self.bridge_reply(last_move, random));
            let mv = match reply {
                Some(mv) => mv,
                None => self.free[random.below(self.free.len())],
            };
            self.play(mv);
            last_move = Some(mv);
        }
        self.winner()
    }

    /// Returns the cell that saves a bridge of the side to move after the opponent's last move.
    #[inline]
    fn bridge_reply(&self, last_move: u16, random: &mut Random) -> Option<u16> {
        let neighbors = self.neighbors(last_move);
        let owners = neighbors.map(|cell| self.owner(cell));
        let mut found = None;
        let mut count = 0;
        for nth in 0..6 {
            let (before, after) = (owners[(nth + 5) % 6], owners[(nth + 1) % 6]);
            if owners[nth] == FREE && before == self.side_to_move && after == self.side_to_move {
                count += 1;
                if count == 1 || random.below(count) == 0 {
                    found = Some(neighbors[nth]);
                }
            }
        }
        found
    }

    /// Returns the winner on a full board. There is always exactly one.
    fn winner(&self) -> u8 {
        let (width, mut red, mut linked) = (self.size + 2, CellSet::default(), CellSet::default());
        for (row, cells) in self.owners.chunks_exact(width).skip(1).take(self.size).enumerate() {
            red.0[row] = (1..=self.size).fold(0, |set, column| set | u32::from(cells[column] == 0) << (column - 1));
        }
        linked.0[0] = red.0[0];
        linked.flood_fill(&red);
        u8::from(linked.0[self.size - 1] == 0)
    }
}

// The lowest level: like a beginner, it takes the shortest path between its edges and doesn't look at its opponent's.

/// The distance of a cell that has no path to the edge.
const UNREACHABLE: usize = usize::MAX / 4;

/// Returns the free cell on a shortest path of the side to move that is nearest to the center; `None` if the board is full.
fn find_cell(game: &Hex) -> Option<usize> {
    let last = game.size - 1;
    let [from_first, from_last] = [0, last].map(|edge| stones_to_edge(game, edge));
    let off_center = |cell: &usize| {
        let (down, right) = (2 * (cell / game.size), 2 * (cell % game.size));
        down.abs_diff(last).max(right.abs_diff(last)).max((down + right).abs_diff(2 * last))
    };
    game.free_cells().min_by_key(|cell| (from_first[*cell] + from_last[*cell], off_center(cell)))
}

/// Returns, for each cell, how many more stones would connect it to the row or column `edge`, including one in the cell itself.
fn stones_to_edge(game: &Hex, edge: usize) -> Vec<usize> {
    let (size, seat) = (game.size, game.side_to_move());
    let stones_needed = |cell: usize| match game.stone(cell) {
        Some(owner) if owner != seat => UNREACHABLE,
        owner => usize::from(owner.is_none()),
    };
    let edge_cell = |nth: usize| if seat == Seat::First { edge * size + nth } else { nth * size + edge };
    let mut distances = vec![UNREACHABLE; size * size];
    let mut queue: VecDeque<usize> = (0..size).map(edge_cell).collect();
    queue.iter().for_each(|cell| distances[*cell] = stones_needed(*cell));
    while let Some(cell) = queue.pop_front() {
        for (row, column) in neighbors(size, cell / size, cell % size) {
            let next = row * size + column;
            let distance = distances[cell] + stones_needed(next);
            if distance < distances[next] {
                distances[next] = distance;
                queue.push_back(next);
            }
        }
    }
    distances
}

// Finishes a won game: finds the chain of stones and bridges between the side's edges that needs the fewest moves.

/// The cost of a stone that the opponent can prevent. It outweighs any number of stones in bridges, which cost 1 each.
const OPEN_STONE: u32 = 1_000;

/// The last step of a chain to a cell.
#[derive(Clone, Copy)]
struct Step {
    /// The cost of the chain from the first edge.
    cost: u32,
    /// The cell before it.
    from: u16,
    /// The two cells of the bridge between them; `None` for neighbors.
    bridge: Option<[u16; 2]>,
}

/// Returns the free cells that the cheapest chain of the side to move still needs. Cells of its bridges are left out, unless
/// it needs no others.
///
/// Returns no cells if the opponent has cut every chain.
fn cells_to_play(board: &SearchBoard) -> Vec<u16> {
    let mut steps: Vec<Option<Step>> = vec![None; board.cell_count()];
    let mut queue = BinaryHeap::new();
    for cell in board.first_edge() {
        steps[usize::from(cell)] = Some(Step { cost: 0, from: cell, bridge: None });
        queue.push(Reverse((0, cell)));
    }
    while let Some(Reverse((cost, cell))) = queue.pop() {
        if board.is_last_edge(cell) {
            return cells_of_chain(board, &steps, cell);
        }
        for (next, bridge) in links(board, cell) {
            let stone = if board.owner(next) == FREE { OPEN_STONE + 1 } else { 0 };
            let cost = cost + stone + u32::from(bridge.is_some());
            let step = &mut steps[usize::from(next)];
            if step.is_none_or(|step| cost < step.cost) {
                *step = Some(Step { cost, from: cell, bridge });
                queue.push(Reverse((cost, next)));
            }
        }
    }
    Vec::new()
}

/// Returns the cells next to a cell or a bridge away from it, unless they belong to the opponent. Each comes with the two cells
/// of its bridge; `None` for neighbors.
fn links(board: &SearchBoard, cell: u16) -> impl Iterator<Item = (u16, Option<[u16; 2]>)> {
    let neighbors = board.checked_neighbors(cell);
    let is_free = |cell: u16| board.owner(cell) == FREE;
    let bridges = (0..6).filter_map(move |nth| {
        let bridge = [neighbors[nth]?, neighbors[(nth + 1) % 6]?];
        // The far end of a bridge completes a parallelogram with the cell and the two cells between.
        bridge.into_iter().all(is_free).then(|| (bridge[0] + bridge[1] - cell, Some(bridge)))
    });
    let next_to_it = neighbors.into_iter().flatten().map(|next| (next, None));
    next_to_it.chain(bridges).filter(move |(next, _)| is_free(*next) || board.owner(*next) == board.side_to_move)
}

/// Follows the steps back from the last edge, and returns the free cells.
fn cells_of_chain(board: &SearchBoard, steps: &[Option<Step>], last: u16) -> Vec<u16> {
    let (mut cell, mut open, mut bridges) = (last, Vec::new(), Vec::new());
    while let Some(step) = steps[usize::from(cell)]
        && step.from != cell
    {
        bridges.extend(step.bridge.into_iter().flatten());
        cell = step.from;
        if board.owner(cell) == FREE {
            open.push(cell);
        }
    }
    bridges.sort_unstable();
    bridges.dedup();
    if open.is_empty() { bridges } else { open }
}
