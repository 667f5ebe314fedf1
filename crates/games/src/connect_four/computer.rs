//! The connect four engine: an alpha-beta search. On the standard board, the highest level plays perfectly.

pub(super) mod perfect;

use game::{Engine, EngineMove, Level, Seat};

use crate::connect_four::position::{Mask, Shape};
use crate::connect_four::{ConnectFour, Discs, Move, Solver, book, find_best_move, find_value, opening_values};
use crate::search::alpha_beta::SearchResult;
use crate::search::choose_weakly;
use crate::{Limits, PROVEN_WIN, Random, SearchPosition, Tuning, search};

/// The standard board, which the highest level solves.
const STANDARD: Shape = Shape { columns: 7, rows: 6, k: 4 };
/// The node budget of the solver, about a second. A few positions need more, but only if the computer takes over a seat in a
/// running game. Then the alpha-beta search decides.
const SOLVER_NODES: u64 = 10_000_000;
/// The node budget of the alpha-beta search before the solver: it finds short wins and orders the moves for the solver.
const PRESEARCH_NODES: u64 = 100_000;
/// The number of positions in the solver's table. It takes 2 MB, which fits into the processor's cache; a larger table is slower.
const SOLVER_TABLE_SIZE: usize = 1 << 18;

/// How many of 100 moves level 0 chooses like level 1.
const LEARNING_SKILL: usize = 15;

/// Returns the search limits of a level.
fn limits(level: Level) -> Limits {
    let (depth, nodes, margin) = match level.number() {
        1 => (1, 1_000, 60),
        2 => (1, 1_000, 40),
        3 => (2, 2_000, 30),
        4 => (4, 10_000, 16),
        5 => (6, 40_000, 10),
        6 => (9, 120_000, 6),
        7 => (14, 400_000, 3),
        _ => (100, 1_500_000, 0),
    };
    Limits { nodes, depth, margin }
}

impl Engine for ConnectFour {
    const ENGINE_VERSION: u32 = 5;

    const LOWEST_LEVEL: Level = Level::LEARNING;

    const SCORE_SCALE: i32 = 38;

    type Memory = ();

    fn choose(&self, level: Level, seed: u64) -> Option<EngineMove<Move>> {
        if level == Level::LEARNING {
            return choose_weakly(self, LEARNING_SKILL, seed);
        }
        let mut limits = limits(level);
        let solvable = if level == Level::MAX { standard_discs(self) } else { None };
        if solvable.is_some() {
            limits.nodes = PRESEARCH_NODES;
        }
        choose_within(self, level, limits, solvable.map(|discs| (discs, SOLVER_NODES)), seed)
    }

    /// Gives half of the nodes to the solver if the board is the standard one.
    fn analyze(&self, nodes: u64, _memory: &mut ()) -> Option<EngineMove<Move>> {
        let solvable = standard_discs(self);
        let nodes = if solvable.is_some() { nodes / 2 } else { nodes };
        let limits = Limits { nodes, ..limits(Level::MAX) };
        choose_within(self, Level::MAX, limits, solvable.map(|discs| (discs, nodes)), 0)
    }
}

/// Chooses a move within these limits. `solvable` is the position for the solver and its node budget; `None` skips the solver.
fn choose_within(
    game: &ConnectFour,
    level: Level,
    limits: Limits,
    solvable: Option<(Discs, u64)>,
    seed: u64,
) -> Option<EngineMove<Move>> {
    if game.outcome.is_some() {
        None
    } else if game.shape.bit_count() <= 64 {
        choose_by_search::<u64>(game, level, limits, solvable, seed)
    } else {
        choose_by_search::<u128>(game, level, limits, solvable, seed)
    }
}

/// Returns the position if the board is the standard one.
fn standard_discs(game: &ConnectFour) -> Option<Discs> {
    if game.shape != STANDARD {
        return None;
    }
    let taken = (game.discs[0] | game.discs[1]) as u64;
    Some(Discs { own: game.discs[game.side_to_move.index()] as u64, taken })
}

/// Returns a move that keeps the position's value, and its score. `None` if the search result is already proven, or if the solver
/// gives up.
fn perfect_move(discs: Discs, solver_nodes: u64, result: &mut SearchResult<u8>) -> Option<(u8, i32)> {
    let &(_, value) = result.moves.first()?;
    if value.abs() >= PROVEN_WIN {
        return None;
    }
    let cells: Vec<u64> = result.moves.iter().map(|(bit, _)| 1 << bit).collect();
    let (cell, value) = book::look_up(discs)
        .or_else(|| opening_values::best_move(discs, &cells))
        .or_else(|| solve(discs, &cells, solver_nodes, &mut result.nodes))?;
    Some((cell.trailing_zeros() as u8, value * PROVEN_WIN))
}

/// Returns a cell that keeps the position's value, and the value. `None` if the solver gives up. Adds the solver's nodes to
/// `nodes`.
fn solve(discs: Discs, cells: &[u64], solver_nodes: u64, nodes: &mut u64) -> Option<(u64, i32)> {
    let mut solver = Solver::new(SOLVER_TABLE_SIZE);
    let value = opening_values::value(discs).or_else(|| find_value(&mut solver, discs, -1, solver_nodes));
    let found = value.and_then(|value| {
        let nodes_left = solver_nodes.saturating_sub(solver.nodes);
        Some((find_best_move(&mut solver, discs, cells, value, nodes_left)?, value))
    });
    *nodes += solver.nodes;
    found
}

fn choose_by_search<M: Mask>(
    game: &ConnectFour,
    level: Level,
    limits: Limits,
    solvable: Option<(Discs, u64)>,
    seed: u64,
) -> Option<EngineMove<Move>> {
    let tables = SearchTables::<M>::new(game.shape);
    let mut board = SearchBoard::new(&tables, game);
    // Like a beginner, the lowest level overlooks that its opponent is about to win.
    board.ignores_threats = level == Level::ALL[0];
    let mut random = Random::new(seed);
    let mut moves = Vec::new();
    board.moves(&mut moves);
    let mut result = search(&mut board, moves, limits, &mut random);
    let perfect = solvable.and_then(|(discs, nodes)| perfect_move(discs, nodes, &mut result));
    let (cell, score) = perfect.or_else(|| result.pick(limits.margin, &mut random))?;
    Some(engine_move(game, cell, result.nodes, score))
}

fn engine_move(game: &ConnectFour, cell: u8, nodes: u64, score: i32) -> EngineMove<Move> {
    let column = u32::from(cell) / (game.shape.rows as u32 + 1);
    EngineMove { mv: Move { column }, nodes, score }
}

// A position with incrementally updated winning cells of both sides.

/// The value of a free cell that completes a line.
const THREAT_VALUE: i32 = 12;
/// The extra value of a threat in a zugzwang cell: the opponent must play below it once the other columns are full.
const LASTING_THREAT_BONUS: i32 = 24;

/// Tables that stay the same during a search.
struct SearchTables<M> {
    shape: Shape,
    bottom_row: M,
    board: M,
    /// The cells whose lower neighbor the opponent must play in the end, by seat.
    zugzwang_cells: [M; 2],
    /// Sets of cells with the value of a disc there: the number of lines through the cell.
    cell_values: Vec<(M, i32)>,
    /// The columns, from the middle outward.
    columns: Vec<M>,
}

impl<M: Mask> SearchTables<M> {
    fn new(shape: Shape) -> SearchTables<M> {
        let Shape { columns, rows, .. } = shape;
        let rows_with_parity = |parity: usize| {
            let cells = (0..columns).flat_map(|column| (0..rows).map(move |height| (column, height)));
            M::from_u128(
                cells
                    .filter(|cell| cell.1 % 2 == parity)
                    .fold(0, |set, (column, height)| set | shape.cell_mask(column, height)),
            )
        };
        // If columns have odd heights, every full column changes who is in zugzwang.
        let zugzwang_cells = if rows % 2 == 0 { [rows_with_parity(0), rows_with_parity(1)] } else { [M::EMPTY; 2] };
        let column_mask = |column: usize| M::from_u128(((1 << rows) - 1) << (column * (rows + 1)));
        let mut order: Vec<usize> = (0..columns).collect();
        order.sort_by_key(|column| (2 * column + 1).abs_diff(columns));
        SearchTables {
            shape,
            bottom_row: shape.bottom_row(),
            board: shape.all_cells(),
            zugzwang_cells,
            cell_values: cell_values(shape),
            columns: order.into_iter().map(column_mask).collect(),
        }
    }
}

/// Returns the sets of cells with the same number of lines through them, with that number.
fn cell_values<M: Mask>(shape: Shape) -> Vec<(M, i32)> {
    let Shape { columns, rows, k } = shape;
    let mut counts = vec![0; columns * rows];
    for (right, up) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
        for start in 0..columns * rows {
            let cell_at = |nth: usize| {
                let column = (start % columns).checked_add_signed(right * nth as isize)?;
                let height = start / columns + up * nth;
                if column < columns && height < rows { Some(height * columns + column) } else { None }
            };
            let line: Option<Vec<usize>> = (0..k).map(cell_at).collect();
            line.into_iter().flatten().for_each(|cell| counts[cell] += 1);
        }
    }
    let mut values: Vec<(i32, u128)> = Vec::new();
    for (cell, count) in counts.into_iter().enumerate() {
        let bit = shape.cell_mask(cell % columns, cell / columns);
        match values.iter_mut().find(|(value, _)| *value == count) {
            Some((_, set)) => *set |= bit,
            None => values.push((count, bit)),
        }
    }
    values.into_iter().map(|(value, set)| (M::from_u128(set), value)).collect()
}

/// A position with the data that the search needs.
#[derive(Clone, Copy)]
struct SearchBoard<'a, M> {
    tables: &'a SearchTables<M>,
    state: State<M>,
    /// Whether the search doesn't extend forced replies, so that it overlooks threats.
    ignores_threats: bool,
}

/// The part of a [`SearchBoard`] that changes with every move.
#[derive(Clone, Copy)]
struct State<M> {
    /// The discs of the side to move and of its opponent.
    discs: [M; 2],
    /// The cells that would complete a line of the side to move and of its opponent, taken or not.
    wins: [M; 2],
    side_to_move: Seat,
    /// Whether the last move completed a line.
    is_lost: bool,
}

impl<'a, M: Mask> SearchBoard<'a, M> {
    fn new(tables: &'a SearchTables<M>, game: &ConnectFour) -> SearchBoard<'a, M> {
        let discs = [game.side_to_move, game.side_to_move.other()].map(|seat| M::from_u128(game.discs[seat.index()]));
        let wins = discs.map(|discs| tables.shape.completing_cells(discs));
        SearchBoard {
            tables,
            state: State { discs, wins, side_to_move: game.side_to_move, is_lost: false },
            ignores_threats: false,
        }
    }

    fn taken(&self) -> M {
        self.state.discs[0] | self.state.discs[1]
    }

    /// Returns the lowest free cell of each column.
    fn landing_cells(&self) -> M {
        (self.taken() + self.tables.bottom_row) & self.tables.board
    }

    /// Returns the cells to search.
    fn candidates(&self) -> M {
        let open = self.landing_cells();
        let [own, other] = self.state.wins.map(|wins| wins & open);
        if self.ignores_threats {
            return open;
        }
        for wins in [own, other] {
            if wins != M::EMPTY {
                return M::from_u128(1) << wins.lowest_bit() as usize;
            }
        }
        // Don't play below the opponent's winning cells if there is another move. `wins` can include bits above the top row.
        let safe = open & !((self.state.wins[1] & self.tables.board) >> 1);
        if safe == M::EMPTY { open } else { safe }
    }
}

impl<M: Mask> SearchPosition for SearchBoard<'_, M> {
    /// The index of the cell's bit.
    type Move = u8;
    type Undo = State<M>;

    const TUNING: Tuning = Tuning::without_lmr(128);

    fn moves(&self, found: &mut Vec<u8>) {
        let candidates = self.candidates();
        let cells = self.tables.columns.iter().map(|column| *column & candidates);
        found.extend(cells.filter(|cell| *cell != M::EMPTY).map(|cell| cell.lowest_bit() as u8));
    }

    fn history_slot(mv: u8) -> usize {
        mv.into()
    }

    fn play(&mut self, mv: u8) -> State<M> {
        let before = self.state;
        let cell = M::from_u128(1) << usize::from(mv);
        let own = before.discs[0] | cell;
        self.state = State {
            discs: [before.discs[1], own],
            wins: [before.wins[1], self.tables.shape.completing_cells(own)],
            side_to_move: before.side_to_move.other(),
            is_lost: before.wins[0] & cell != M::EMPTY,
        };
        before
    }

    fn undo(&mut self, before: State<M>) {
        self.state = before;
    }

    fn game_result(&self) -> Option<i32> {
        if self.state.is_lost {
            Some(-1)
        } else if self.taken() == self.tables.board {
            Some(0)
        } else {
            None
        }
    }

    /// Returns the value of the side to move's threats and discs minus the opponent's.
    fn evaluate(&self) -> i32 {
        let free = self.tables.board & !self.taken();
        let seats = [self.state.side_to_move, self.state.side_to_move.other()];
        let [own, other] = [0, 1].map(|side| {
            let wins = self.state.wins[side] & free;
            let lasting_threats = wins & self.tables.zugzwang_cells[seats[side].index()];
            let cell_values = self.tables.cell_values.iter();
            let discs: i32 =
                cell_values.map(|(set, value)| (self.state.discs[side] & *set).count() as i32 * value).sum();
            wins.count() as i32 * THREAT_VALUE + lasting_threats.count() as i32 * LASTING_THREAT_BONUS + discs
        });
        own - other
    }

    fn key(&self) -> u64 {
        self.state.discs[0].hash() ^ (self.taken() + self.tables.bottom_row).hash().rotate_left(17)
    }

    fn is_forced(&self) -> bool {
        !self.ignores_threats && (self.state.wins[0] | self.state.wins[1]) & self.landing_cells() != M::EMPTY
    }

    fn plies_left(&self) -> i16 {
        (self.tables.board & !self.taken()).count() as i16
    }
}
