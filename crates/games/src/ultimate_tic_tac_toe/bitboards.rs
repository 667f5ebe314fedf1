//! Rules on masks of nine bits, one for each cell of a board or for each board. The lowest bit is the top left.

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
