//! Rules that work on masks of nine bits, shared by the game and the functions over plain data.

/// All nine cells of a board, or all nine boards. As active boards, it means any board in progress.
pub(super) const ALL: u16 = 0b1_1111_1111;

/// The rows, columns and diagonals.
const LINES: [u16; 8] = [
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
        while line < LINES.len() {
            wins[cells] |= cells & LINES[line] as usize == LINES[line] as usize;
            line += 1;
        }
        cells += 1;
    }
    wins
};

/// The reason why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MoveError {
    /// The game is over.
    GameOver,
    /// The board or the cell isn't in the range 0 to 8.
    OutOfRange,
    /// The previous move sent the player to another board.
    InactiveBoard,
    /// The board is won or drawn.
    CompleteBoard,
    /// The cell has a mark.
    OccupiedCell,
}

/// The parts of a position that decide whether a move is legal.
pub(super) struct MoveContext {
    pub(super) is_over: bool,
    /// The boards that the previous move sent the player to.
    pub(super) active: u16,
    /// The boards that are won or drawn.
    pub(super) complete: u16,
    /// The occupied cells of the move's board.
    pub(super) taken: u16,
}

impl MoveContext {
    /// Returns the first rule that a mark in this cell breaks, or `None` if the move is legal.
    pub(super) fn move_error(&self, board: usize, cell: usize) -> Option<MoveError> {
        let has = |mask: u16, index: usize| mask >> index & 1 == 1;
        if self.is_over {
            Some(MoveError::GameOver)
        } else if board >= 9 || cell >= 9 {
            Some(MoveError::OutOfRange)
        } else if !has(self.active, board) {
            Some(MoveError::InactiveBoard)
        } else if has(self.complete, board) {
            Some(MoveError::CompleteBoard)
        } else {
            has(self.taken, cell).then_some(MoveError::OccupiedCell)
        }
    }
}

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

/// Returns the active boards that aren't complete.
#[inline]
pub(super) fn playable(active: u16, complete: u16) -> u16 {
    active & !complete
}
