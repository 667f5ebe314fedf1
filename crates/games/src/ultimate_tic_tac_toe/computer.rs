//! The ultimate tic-tac-toe engine: an alpha-beta search that evaluates the probability of three boards in a row.

use game::{Engine, EngineMove, Level, Outcome, Seat};

use crate::marks::bits;
use crate::ultimate_tic_tac_toe::{Move, UltimateTicTacToe};
use crate::{Limits, Random, SearchPosition, Tuning, search};

/// Returns the search limits of a level.
fn limits(level: Level) -> Limits {
    let (depth, nodes, margin) = match level.number() {
        1 => (1, 1_000, 0),
        2 => (2, 2_000, 7_000),
        3 => (2, 5_000, 1_100),
        4 => (4, 20_000, 120),
        5 => (6, 60_000, 60),
        6 => (8, 150_000, 30),
        7 => (20, 500_000, 10),
        _ => (81, 2_000_000, 0),
    };
    Limits { nodes, depth, margin }
}

impl Engine for UltimateTicTacToe {
    const ENGINE_VERSION: u32 = 3;

    const SCORE_SCALE: i32 = 4_445;

    type Memory = ();

    fn choose(&self, level: Level, seed: u64) -> Option<EngineMove<Self::Move>> {
        choose_within(*self, level, limits(level), seed)
    }

    fn analyze(&self, nodes: u64, _memory: &mut ()) -> Option<EngineMove<Self::Move>> {
        choose_within(*self, Level::MAX, Limits { nodes, ..limits(Level::MAX) }, 0)
    }
}

/// Chooses a move within these limits. The lowest level sees only single boards.
fn choose_within(game: UltimateTicTacToe, level: Level, limits: Limits, seed: u64) -> Option<EngineMove<Move>> {
    let tables = SearchTables::new();
    let mut board = SearchBoard::new(&tables, game);
    // Like a beginner, the lowest level plays nine games of tic-tac-toe.
    board.counts_single_boards = level == Level::ALL[0];
    let mut random = Random::new(seed);
    let mut moves = Vec::new();
    board.moves(&mut moves);
    let result = search(&mut board, moves, limits, &mut random);
    let (cell, score) = result.pick(limits.margin, &mut random)?;
    let mv = Move { board: u32::from(cell / 9), cell: u32::from(cell % 9) };
    Some(EngineMove { mv, nodes: result.nodes, score })
}

// The nine boards with incrementally updated winning probabilities.

/// The lines of three boards.
const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// The values of a mark in each cell of a board for [`SearchBoard::counts_single_boards`], in the unit of the probabilities.
const CELL_VALUES: [i32; 9] = [400, 200, 400, 200, 600, 200, 400, 200, 400];

/// Tables that stay the same during a search.
struct SearchTables {
    chances: ChanceTable,
    /// The Zobrist keys of each seat and cell, then of each set of active boards.
    zobrist_keys: Vec<u64>,
}

impl SearchTables {
    fn new() -> SearchTables {
        let mut random = Random::new(9);
        SearchTables {
            chances: ChanceTable::new(),
            zobrist_keys: (0..2 * 81 + 512).map(|_| random.next_u64()).collect(),
        }
    }
}

/// A position with the data that the search needs.
#[derive(Clone, Copy)]
struct SearchBoard<'a> {
    tables: &'a SearchTables,
    state: State,
    /// Whether to evaluate each board separately and to prefer central cells, even though they often send the opponent to the
    /// middle board.
    counts_single_boards: bool,
}

/// The part of a [`SearchBoard`] that changes with every move.
#[derive(Clone, Copy)]
struct State {
    game: UltimateTicTacToe,
    /// The winning probabilities of both seats on each board.
    chances: [[i16; 9]; 2],
    /// The Zobrist hash of the marks.
    marks_key: u64,
}

impl<'a> SearchBoard<'a> {
    fn new(tables: &'a SearchTables, game: UltimateTicTacToe) -> SearchBoard<'a> {
        let state = State { game, chances: [[0; 9]; 2], marks_key: 0 };
        let mut search_board = SearchBoard { tables, state, counts_single_boards: false };
        for board in 0..9 {
            search_board.update_chances(board);
            for (seat, set) in game.marks_on(board).into_iter().enumerate() {
                for cell in bits(set.into()) {
                    search_board.state.marks_key ^= tables.zobrist_keys[seat * 81 + board * 9 + cell];
                }
            }
        }
        search_board
    }

    /// Returns the sum of a side's probabilities of winning each board, plus the values of its cells.
    fn value_of_single_boards(&self, seat: Seat) -> i32 {
        let chances = self.state.chances[seat.index()].iter().map(|chance| i32::from(*chance));
        let marks = (0..9).flat_map(|board| bits(self.state.game.marks_on(board)[seat.index()].into()));
        chances.sum::<i32>() + marks.map(|cell| CELL_VALUES[cell]).sum::<i32>()
    }

    /// Updates the winning probabilities of a board.
    fn update_chances(&mut self, board: usize) {
        let [first, second] = self.tables.chances.look_up(self.state.game.marks_on(board));
        self.state.chances[0][board] = first;
        self.state.chances[1][board] = second;
    }
}

impl SearchPosition for SearchBoard<'_> {
    /// The board times nine plus the cell.
    type Move = u8;
    type Undo = State;

    const TUNING: Tuning = Tuning::without_lmr(81);

    fn moves(&self, found: &mut Vec<u8>) {
        for board in bits(self.state.game.playable()) {
            found.extend(bits(self.state.game.free_cells(board)).map(|cell| (board * 9 + cell) as u8));
        }
    }

    fn history_slot(mv: u8) -> usize {
        mv.into()
    }

    fn play(&mut self, mv: u8) -> State {
        let before = self.state;
        let (board, cell) = (usize::from(mv / 9), usize::from(mv % 9));
        self.state.marks_key ^= self.tables.zobrist_keys[before.game.side_to_move.index() * 81 + usize::from(mv)];
        self.state.game.place(board, cell);
        self.update_chances(board);
        before
    }

    fn undo(&mut self, before: State) {
        self.state = before;
    }

    fn game_result(&self) -> Option<i32> {
        Some(match self.state.game.outcome? {
            Outcome::Won(seat) if seat == self.state.game.side_to_move => 1,
            Outcome::Won(_) => -1,
            Outcome::Draw => 0,
        })
    }

    /// Returns the difference of both sides' probabilities of three boards in a row, plus a small bonus for single boards.
    fn evaluate(&self) -> i32 {
        let seats = [self.state.game.side_to_move, self.state.game.side_to_move.other()];
        if self.counts_single_boards {
            let [own, other] = seats.map(|seat| self.value_of_single_boards(seat));
            return own - other;
        }
        let [own, other] = seats.map(|seat| {
            let chances = &self.state.chances[seat.index()];
            let [mut rows, mut single] = [0, 0];
            for line in LINES {
                let [a, b, c] = line.map(|board| i64::from(chances[board]));
                rows += a * b * c;
                single += a + b + c;
            }
            (rows >> 24) + (single >> 6)
        });
        (own - other) as i32
    }

    fn key(&self) -> u64 {
        let active = usize::from(self.state.game.active & 511);
        self.state.marks_key
            ^ self.tables.zobrist_keys[162 + active]
            ^ [0, 0x9e37_79b9_7f4a_7c15][self.state.game.side_to_move.index()]
    }

    fn plies_left(&self) -> i16 {
        (0..9).map(|board| self.state.game.free_cells(board).count_ones() as i16).sum()
    }
}

// A table of the probability that each side wins a single board.
//
// The other boards decide who marks a board next. So the table assumes that a coin toss decides who moves, and that half of
// the moves are the best ones and half are random. See [Peres, Schramm, Sheffield and Wilson,
// 2007](https://arxiv.org/abs/math/0508580) about games with random turns.

/// The value of a probability of 1.
const CERTAIN: i32 = 1 << 12;

/// The winning probabilities of both sides for every board.
struct ChanceTable {
    /// The base-3 number with the digit 1 at each cell of a set, by set.
    ternary: Vec<u16>,
    /// The probabilities by the base-3 number of a board: for each cell, 0 is free, 1 is the first seat and 2 the second.
    chances: Vec<[i16; 2]>,
}

impl ChanceTable {
    /// Computes the table.
    fn new() -> ChanceTable {
        let digit = |set: u32| bits(set).map(|cell| 3_u16.pow(cell as u32)).sum();
        let ternary: Vec<u16> = (0..=u32::from(ALL)).map(digit).collect();
        let mut table = ChanceTable { ternary, chances: vec![[0; 2]; 19_683] };
        // A board's values depend on boards with one more mark, which have higher numbers.
        for index in (0..table.chances.len()).rev() {
            let marks = marks_from_index(index);
            table.chances[index] = table.compute(index, marks);
        }
        table
    }

    /// Returns the winning probabilities of both sides on a board, in units of 1 / [`CERTAIN`].
    fn look_up(&self, marks: [u16; 2]) -> [i16; 2] {
        let [first, second] = marks.map(|set| usize::from(self.ternary[usize::from(set & ALL)]));
        self.chances[first + 2 * second]
    }

    fn compute(&self, index: usize, marks: [u16; 2]) -> [i16; 2] {
        if has_line(marks[0]) {
            return [CERTAIN as i16, 0];
        }
        if has_line(marks[1]) {
            return [0, CERTAIN as i16];
        }
        let free = u32::from(!(marks[0] | marks[1]) & ALL);
        let count = free.count_ones() as i32;
        if count == 0 {
            return [0; 2];
        }
        let mut sum = [0; 2];
        for seat in 0..2 {
            // The sum over all moves of this seat, and the values after its best move.
            let (mut total, mut best, mut best_lead) = ([0; 2], [0; 2], i32::MIN);
            for cell in bits(free) {
                let digit = usize::from(self.ternary[1 << cell]);
                let after = self.chances[index + (seat + 1) * digit].map(i32::from);
                total[0] += after[0];
                total[1] += after[1];
                let lead = after[seat] - after[1 - seat];
                if lead >= best_lead {
                    (best, best_lead) = (after, lead);
                }
            }
            for side in 0..2 {
                sum[side] += total[side] / count + best[side];
            }
        }
        sum.map(|sum| (sum / 4) as i16)
    }
}

/// Returns the marks of each side on the board with this index.
fn marks_from_index(mut index: usize) -> [u16; 2] {
    let mut marks = [0; 2];
    for cell in 0..9 {
        if let Some(marks) = (index % 3).checked_sub(1).and_then(|seat| marks.get_mut(seat)) {
            *marks |= 1 << cell;
        }
        index /= 3;
    }
    marks
}

// Rules on masks of nine bits, one for each cell of a board or for each board. The lowest bit is the top left.

/// All nine cells of a board, or all nine boards. As the set of active boards, it means every board in progress.
pub(super) const ALL: u16 = 0b1_1111_1111;

/// The rows, columns and diagonals.
const LINE_MASKS: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

/// Whether each of the 512 sets of cells contains a line.
const WINS: [bool; 512] = {
    let mut wins = [false; 512];
    let mut cells = 0;
    while cells < wins.len() {
        let mut line = 0;
        while line < LINE_MASKS.len() {
            wins[cells] |= cells & LINE_MASKS[line] as usize == LINE_MASKS[line] as usize;
            line += 1;
        }
        cells += 1;
    }
    wins
};

/// Whether three of these cells (or boards) are in a row.
#[inline]
pub fn has_line(cells: u16) -> bool {
    WINS[usize::from(cells & ALL)]
}

/// Returns the boards that a mark in this cell sends the opponent to: the board in the same place, or [`ALL`] if that one is
/// complete.
#[inline]
pub(super) fn next_active(cell: usize, complete: u16) -> u16 {
    let target = 1 << cell;
    if complete & target == 0 { target } else { ALL }
}
