//! The board as the computer sees it: with the cells that would complete a line of either side, kept up to date move by move.

use game::seat::Seat;

use crate::connect_four::discs::{Mask, Shape};
use crate::connect_four::game::ConnectFour;
use crate::search::alpha_beta::{SearchPosition, Tuning};

/// What a cell that completes a line is worth.
const THREAT_VALUE: i32 = 12;
/// What it is worth more where the other side will have to play the cell below it, if all else is filled up.
const LASTING_THREAT_BONUS: i32 = 24;

/// What does not change during a search.
pub(super) struct SearchTables<M> {
    shape: Shape,
    bottom_row: M,
    board: M,
    /// The cells in which the first seat has the last word, and those of the second.
    zugzwang_cells: [M; 2],
    /// Sets of cells, each with what a disc there is worth: the more lines it can be in, the more.
    cell_values: Vec<(M, i32)>,
    /// The columns, those in the middle first.
    columns: Vec<M>,
}

impl<M: Mask> SearchTables<M> {
    pub(super) fn new(shape: Shape) -> SearchTables<M> {
        let Shape { columns, rows, .. } = shape;
        let rows_of = |odd: usize| {
            let cells = (0..columns).flat_map(|column| (0..rows).map(move |height| (column, height)));
            M::from_u128(
                cells
                    .filter(|cell| cell.1 % 2 == odd)
                    .fold(0, |set, (column, height)| set | shape.cell_mask(column, height)),
            )
        };
        // Where the columns are of odd height, whoever has the last word changes with every column that is full.
        let words = if rows % 2 == 0 { [rows_of(0), rows_of(1)] } else { [M::EMPTY; 2] };
        let whole = |column: usize| M::from_u128(((1 << rows) - 1) << (column * (rows + 1)));
        let mut order: Vec<usize> = (0..columns).collect();
        order.sort_by_key(|column| (2 * column + 1).abs_diff(columns));
        SearchTables {
            shape,
            bottom_row: shape.bottom_row(),
            board: shape.all_cells(),
            zugzwang_cells: words,
            cell_values: cell_values(shape),
            columns: order.into_iter().map(whole).collect(),
        }
    }
}

/// Returns the cells by the number of lines through them.
fn cell_values<M: Mask>(shape: Shape) -> Vec<(M, i32)> {
    let Shape { columns, rows, k } = shape;
    let mut counts = vec![0; columns * rows];
    for (right, up) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
        for start in 0..columns * rows {
            let along = |nth: usize| {
                let column = (start % columns).checked_add_signed(right * nth as isize)?;
                let height = start / columns + up * nth;
                (column < columns && height < rows).then_some(height * columns + column)
            };
            let line: Option<Vec<usize>> = (0..k).map(along).collect();
            line.into_iter().flatten().for_each(|cell| counts[cell] += 1);
        }
    }
    let mut worths: Vec<(i32, u128)> = Vec::new();
    for (cell, count) in counts.into_iter().enumerate() {
        let bit = shape.cell_mask(cell % columns, cell / columns);
        match worths.iter_mut().find(|(worth, _)| *worth == count) {
            Some((_, set)) => *set |= bit,
            None => worths.push((count, bit)),
        }
    }
    worths.into_iter().map(|(worth, set)| (M::from_u128(set), worth)).collect()
}

/// A position with what the search needs.
#[derive(Clone, Copy)]
pub(super) struct SearchBoard<'a, M> {
    tables: &'a SearchTables<M>,
    state: State<M>,
    /// Whether wins that are near are looked at no further than anything else.
    pub(super) ignores_threats: bool,
}

/// What changes from move to move.
#[derive(Clone, Copy)]
pub(super) struct State<M> {
    /// The discs of the side on turn, and of the other one.
    discs: [M; 2],
    /// The cells, taken or not, that complete a line of the side on turn, and of the other one.
    wins: [M; 2],
    side_to_move: Seat,
    /// Whether the last move has completed a line.
    is_lost: bool,
}

impl<'a, M: Mask> SearchBoard<'a, M> {
    pub(super) fn new(ground: &'a SearchTables<M>, game: &ConnectFour) -> SearchBoard<'a, M> {
        let discs = [game.side_to_move, game.side_to_move.other()].map(|seat| M::from_u128(game.discs[seat.index()]));
        let wins = discs.map(|discs| ground.shape.completing_cells(discs));
        SearchBoard {
            tables: ground,
            state: State { discs, wins, side_to_move: game.side_to_move, is_lost: false },
            ignores_threats: false,
        }
    }

    fn taken(&self) -> M {
        self.state.discs[0] | self.state.discs[1]
    }

    /// Returns the cells in which a disc comes to rest.
    fn landing_cells(&self) -> M {
        (self.taken() + self.tables.bottom_row) & self.tables.board
    }

    /// Returns the cells that are to be tried.
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
        // Below a cell that wins for the other side nobody plays who can play elsewhere.
        // What would complete a line above the highest row is no cell.
        let safe = open & !((self.state.wins[1] & self.tables.board) >> 1);
        if safe == M::EMPTY { open } else { safe }
    }
}

impl<M: Mask> SearchPosition for SearchBoard<'_, M> {
    /// The place of the cell.
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
        let past = self.state;
        let cell = M::from_u128(1) << usize::from(mv);
        let own = past.discs[0] | cell;
        self.state = State {
            discs: [past.discs[1], own],
            wins: [past.wins[1], self.tables.shape.completing_cells(own)],
            side_to_move: past.side_to_move.other(),
            is_lost: past.wins[0] & cell != M::EMPTY,
        };
        past
    }

    fn undo(&mut self, past: State<M>) {
        self.state = past;
    }

    fn game_result(&self) -> Option<i32> {
        if self.state.is_lost {
            return Some(-1);
        }
        (self.taken() == self.tables.board).then_some(0)
    }

    /// Returns what the cells that complete a line are worth, and a little for each disc.
    fn evaluate(&self) -> i32 {
        let free = self.tables.board & !self.taken();
        let seats = [self.state.side_to_move, self.state.side_to_move.other()];
        let [own, other] = [0, 1].map(|side| {
            let wins = self.state.wins[side] & free;
            let lasting = wins & self.tables.zugzwang_cells[seats[side].index()];
            let discs = self.tables.cell_values.iter();
            let places: i32 = discs.map(|(set, worth)| (self.state.discs[side] & *set).count() as i32 * worth).sum();
            wins.count() as i32 * THREAT_VALUE + lasting.count() as i32 * LASTING_THREAT_BONUS + places
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
