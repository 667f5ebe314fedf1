//! The board as the computer sees it: with the cells that would complete a line of either side, kept up to date move by move.

use game::seat::Seat;

use crate::connect_four::discs::{Mask, Shape};
use crate::connect_four::game::ConnectFour;
use crate::search::alpha_beta::{Position, Tuning};

/// What a cell that completes a line is worth.
const THREAT: i32 = 12;
/// What it is worth more where the other side will have to play the cell below it, if all else is filled up.
const LASTING: i32 = 24;

/// What does not change during a search.
pub(super) struct Ground<M> {
    shape: Shape,
    floor: M,
    board: M,
    /// The cells in which the first seat has the last word, and those of the second.
    words: [M; 2],
    /// Sets of cells, each with what a disc there is worth: the more lines it can be in, the more.
    worths: Vec<(M, i32)>,
    /// The columns, those in the middle first.
    columns: Vec<M>,
}

impl<M: Mask> Ground<M> {
    pub(super) fn new(shape: Shape) -> Ground<M> {
        let Shape { columns, rows, .. } = shape;
        let rows_of = |odd: usize| {
            let cells = (0..columns).flat_map(|column| (0..rows).map(move |height| (column, height)));
            M::of(
                cells.filter(|cell| cell.1 % 2 == odd).fold(0, |set, (column, height)| set | shape.bit(column, height)),
            )
        };
        // Where the columns are of odd height, whoever has the last word changes with every column that is full.
        let words = if rows % 2 == 0 { [rows_of(0), rows_of(1)] } else { [M::EMPTY; 2] };
        let whole = |column: usize| M::of(((1 << rows) - 1) << (column * (rows + 1)));
        let mut order: Vec<usize> = (0..columns).collect();
        order.sort_by_key(|column| (2 * column + 1).abs_diff(columns));
        Ground {
            shape,
            floor: shape.floor(),
            board: shape.board(),
            words,
            worths: worths(shape),
            columns: order.into_iter().map(whole).collect(),
        }
    }
}

/// Returns the cells by the number of lines through them.
fn worths<M: Mask>(shape: Shape) -> Vec<(M, i32)> {
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
        let bit = shape.bit(cell % columns, cell / columns);
        match worths.iter_mut().find(|(worth, _)| *worth == count) {
            Some((_, set)) => *set |= bit,
            None => worths.push((count, bit)),
        }
    }
    worths.into_iter().map(|(worth, set)| (M::of(set), worth)).collect()
}

/// A position with what the search needs.
#[derive(Clone, Copy)]
pub(super) struct Field<'a, M> {
    ground: &'a Ground<M>,
    now: State<M>,
    /// Whether wins that are near are looked at no further than anything else.
    pub(super) careless: bool,
}

/// What changes from move to move.
#[derive(Clone, Copy)]
pub(super) struct State<M> {
    /// The discs of the side on turn, and of the other one.
    discs: [M; 2],
    /// The cells, taken or not, that complete a line of the side on turn, and of the other one.
    wins: [M; 2],
    to_move: Seat,
    /// Whether the last move has completed a line.
    lost: bool,
}

impl<'a, M: Mask> Field<'a, M> {
    pub(super) fn new(ground: &'a Ground<M>, game: &ConnectFour) -> Field<'a, M> {
        let discs = [game.to_move, game.to_move.other()].map(|seat| M::of(game.discs[seat.index()]));
        let wins = discs.map(|discs| ground.shape.completing(discs));
        Field { ground, now: State { discs, wins, to_move: game.to_move, lost: false }, careless: false }
    }

    fn taken(&self) -> M {
        self.now.discs[0] | self.now.discs[1]
    }

    /// Returns the cells in which a disc comes to rest.
    fn open(&self) -> M {
        (self.taken() + self.ground.floor) & self.ground.board
    }

    /// Returns the cells that are to be tried.
    fn candidates(&self) -> M {
        let open = self.open();
        let [own, other] = self.now.wins.map(|wins| wins & open);
        if self.careless {
            return open;
        }
        for wins in [own, other] {
            if wins != M::EMPTY {
                return M::of(1) << wins.lowest() as usize;
            }
        }
        // Below a cell that wins for the other side nobody plays who can play elsewhere.
        // What would complete a line above the highest row is no cell.
        let safe = open & !((self.now.wins[1] & self.ground.board) >> 1);
        if safe == M::EMPTY { open } else { safe }
    }
}

impl<M: Mask> Position for Field<'_, M> {
    /// The place of the cell.
    type Move = u8;
    type Past = State<M>;

    const TUNING: Tuning = Tuning::of(128);

    fn moves(&self, found: &mut Vec<u8>) {
        let candidates = self.candidates();
        let cells = self.ground.columns.iter().map(|column| *column & candidates);
        found.extend(cells.filter(|cell| *cell != M::EMPTY).map(|cell| cell.lowest() as u8));
    }

    fn place(mv: u8) -> usize {
        mv.into()
    }

    fn play(&mut self, mv: u8) -> State<M> {
        let past = self.now;
        let cell = M::of(1) << usize::from(mv);
        let own = past.discs[0] | cell;
        self.now = State {
            discs: [past.discs[1], own],
            wins: [past.wins[1], self.ground.shape.completing(own)],
            to_move: past.to_move.other(),
            lost: past.wins[0] & cell != M::EMPTY,
        };
        past
    }

    fn take_back(&mut self, past: State<M>) {
        self.now = past;
    }

    fn ended(&self) -> Option<i32> {
        if self.now.lost {
            return Some(-1);
        }
        (self.taken() == self.ground.board).then_some(0)
    }

    /// Returns what the cells that complete a line are worth, and a little for each disc.
    fn value(&self) -> i32 {
        let free = self.ground.board & !self.taken();
        let seats = [self.now.to_move, self.now.to_move.other()];
        let [own, other] = [0, 1].map(|side| {
            let wins = self.now.wins[side] & free;
            let lasting = wins & self.ground.words[seats[side].index()];
            let discs = self.ground.worths.iter();
            let places: i32 = discs.map(|(set, worth)| (self.now.discs[side] & *set).count() as i32 * worth).sum();
            wins.count() as i32 * THREAT + lasting.count() as i32 * LASTING + places
        });
        own - other
    }

    fn key(&self) -> u64 {
        self.now.discs[0].mixed() ^ (self.taken() + self.ground.floor).mixed().rotate_left(17)
    }

    fn is_forced(&self) -> bool {
        !self.careless && (self.now.wins[0] | self.now.wins[1]) & self.open() != M::EMPTY
    }

    fn plies_left(&self) -> i16 {
        (self.ground.board & !self.taken()).count() as i16
    }
}
