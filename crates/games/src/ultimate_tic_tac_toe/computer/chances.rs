//! A table of the probability that each side wins a single board.
//!
//! The other boards decide who marks a board next. So the table assumes that a coin toss decides who moves, and that half of
//! the moves are the best ones and half are random. See [Peres, Schramm, Sheffield and Wilson,
//! 2007](https://arxiv.org/abs/math/0508580) about games with random turns.

use crate::ultimate_tic_tac_toe::bitboards::{ALL, has_line};
use crate::xo::bits;

/// The value of a probability of 1.
pub(super) const CERTAIN: i32 = 1 << 12;

/// The winning probabilities of both sides for every board.
pub(super) struct ChanceTable {
    /// The base-3 number with the digit 1 at each cell of a set, by set.
    ternary: Vec<u16>,
    /// The probabilities by the base-3 number of a board: for each cell, 0 is free, 1 is the first seat and 2 the second.
    chances: Vec<[i16; 2]>,
}

impl ChanceTable {
    /// Computes the table.
    pub(super) fn new() -> ChanceTable {
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
    pub(super) fn look_up(&self, marks: [u16; 2]) -> [i16; 2] {
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
