//! The rules over masks of nine bits, each written down once: for the game, and for the library over plain data.

/// All nine cells of a board, or all nine boards. As active boards it is the free move: any board that is in progress.
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

/// The table that tells for each set of cells if there is a line in it.
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

/// The reason why a mark cannot go into a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MoveError {
    /// The game is over.
    GameOver,
    /// The board or the cell does not exist; both go from 0 to 8.
    OutOfRange,
    /// The move before has sent the player elsewhere.
    InactiveBoard,
    /// The board is won or drawn.
    CompleteBoard,
    /// The cell has a mark.
    OccupiedCell,
}

/// The facts that the rules about a move look at.
pub(super) struct MoveContext {
    /// `true` once the game is over.
    pub(super) is_over: bool,
    /// The boards that the move before sends to.
    pub(super) active: u16,
    /// The boards that are won or drawn.
    pub(super) complete: u16,
    /// The cells with a mark, on the board of the move.
    pub(super) taken: u16,
}

impl MoveContext {
    /// Returns the first rule that is in the way of a mark, in the order in which they are checked.
    pub(super) fn move_error(&self, board: usize, cell: usize) -> Option<MoveError> {
        let has = |mask: u16, place: usize| mask >> place & 1 == 1;
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

/// Tests if three of the cells (or of the boards) make a line.
#[inline]
pub fn has_line(cells: u16) -> bool {
    WINS[usize::from(cells & ALL)]
}

/// Returns the boards that a mark in this cell sends the opponent to: the board in the same place, or all when that is
/// complete.
#[inline]
pub(super) fn next_active(cell: usize, complete: u16) -> u16 {
    let target = 1 << cell;
    if complete & target == 0 { target } else { ALL }
}

/// Returns the boards that can really be played in: of all boards only those in progress.
#[inline]
pub(super) fn playable(active: u16, complete: u16) -> u16 {
    active & !complete
}
