//! How likely each side is to win a board that is as it is, looked up.
//!
//! Nobody knows who will play in a board next: where a mark goes decides only where the next one must go. So a board is valued
//! as if a coin were thrown before each of its marks, and whoever wins the throw took the best cell or, as often, any
//! ([Peres, Schramm, Sheffield and Wilson, 2007](https://arxiv.org/abs/math/0508580), on games whose turns are random).

use crate::marks::bits;
use crate::ultimate_tic_tac_toe::rule::{ALL, has_line};

/// What is certain.
pub(super) const CERTAIN: i32 = 1 << 12;

/// The chances of both sides on every board.
pub(super) struct ChanceTable {
    /// For each set of cells what it adds to the number of a board: a digit of three for each cell.
    ternary: Vec<u16>,
    chances: Vec<[i16; 2]>,
}

impl ChanceTable {
    /// Returns the table. Each board follows from those with a mark more, which have higher numbers.
    pub(super) fn new() -> ChanceTable {
        let digit = |set: u32| bits(set).map(|cell| 3_u16.pow(cell as u32)).sum();
        let ternary: Vec<u16> = (0..=u32::from(ALL)).map(digit).collect();
        let mut table = ChanceTable { ternary, chances: vec![[0; 2]; 19_683] };
        for number in (0..table.chances.len()).rev() {
            let marks = marks_from_index(number);
            table.chances[number] = table.compute(number, marks);
        }
        table
    }

    /// Returns the chances of both sides on a board, out of [`SURE`].
    pub(super) fn look_up(&self, marks: [u16; 2]) -> [i16; 2] {
        let [one, other] = marks.map(|set| usize::from(self.ternary[usize::from(set & ALL)]));
        self.chances[one + 2 * other]
    }

    fn compute(&self, number: usize, marks: [u16; 2]) -> [i16; 2] {
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
            // What both have in all cells together, and in the best one for this seat; of equal ones in the last.
            let (mut all, mut best, mut most) = ([0; 2], [0; 2], i32::MIN);
            for cell in bits(free) {
                let digit = usize::from(self.ternary[1 << cell]);
                let after = self.chances[number + (seat + 1) * digit].map(i32::from);
                all[0] += after[0];
                all[1] += after[1];
                let lead = after[seat] - after[1 - seat];
                if lead >= most {
                    (best, most) = (after, lead);
                }
            }
            for whose in 0..2 {
                sum[whose] += all[whose] / count + best[whose];
            }
        }
        sum.map(|sum| (sum / 4) as i16)
    }
}

/// Returns the marks of a board by its number.
fn marks_from_index(mut number: usize) -> [u16; 2] {
    let mut marks = [0; 2];
    for cell in 0..9 {
        if let Some(marks) = (number % 3).checked_sub(1).and_then(|seat| marks.get_mut(seat)) {
            *marks |= 1 << cell;
        }
        number /= 3;
    }
    marks
}
