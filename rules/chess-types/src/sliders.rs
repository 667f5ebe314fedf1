//! The moves of rooks and bishops, and the place of each in the table that `cozy-chess` makes of them.
//!
//! The table has each set of moves once. Where a slider gets on the one line through its square says nothing about the other, so the
//! place is that of two digits: what it sees on the one line, and what on the other.

use crate::lines::{SIGHTS, sights};
use crate::{BitBoard, Square};

const ROOK: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const BISHOP: [(i8, i8); 4] = [(1, 1), (-1, -1), (-1, 1), (1, -1)];

/// The squares that have a file or a rank around them on every side.
const INNER_FILES: u64 = 0x7e7e_7e7e_7e7e_7e7e;
const INNER_RANKS: u64 = 0x00ff_ffff_ffff_ff00;

/// Returns where a slider gets, step by step.
const fn slide(square: Square, blockers: BitBoard, directions: &[(i8, i8)]) -> BitBoard {
    let mut reached = 0;
    let mut i = 0;
    while i < directions.len() {
        let (files, ranks) = directions[i];
        let mut at = square;
        while let Some(next) = at.try_offset(files, ranks) {
            reached |= next.bitboard().0;
            if blockers.has(next) {
                break;
            }
            at = next;
        }
        i += 1;
    }
    BitBoard(reached)
}

/// Returns a rook's moves without a table, for constants.
pub const fn get_rook_moves_slow(square: Square, blockers: BitBoard) -> BitBoard {
    slide(square, blockers, &ROOK)
}

/// Returns a bishop's moves without a table, for constants.
pub const fn get_bishop_moves_slow(square: Square, blockers: BitBoard) -> BitBoard {
    slide(square, blockers, &BISHOP)
}

/// Returns the squares on which a blocker makes a difference to a rook: there is a square behind each.
pub const fn get_rook_relevant_blockers(square: Square) -> BitBoard {
    let (file, rank) = (square.file().bitboard().0, square.rank().bitboard().0);
    BitBoard((file & INNER_RANKS | rank & INNER_FILES) & !square.bitboard().0)
}

/// Returns the squares on which a blocker makes a difference to a bishop: there is a square behind each.
pub const fn get_bishop_relevant_blockers(square: Square) -> BitBoard {
    BitBoard(get_bishop_moves_slow(square, BitBoard::EMPTY).0 & INNER_FILES & INNER_RANKS)
}

/// What leads to the part of the table that has the moves from one square.
#[derive(Clone, Copy)]
struct Part {
    /// Where it begins.
    first: u16,
    /// What one sight more on the second line adds, which is the number of sights on the first.
    stride: u16,
}

impl Part {
    #[inline(always)]
    fn place(self, sights: [u8; 2]) -> usize {
        self.first as usize + sights[0] as usize + self.stride as usize * sights[1] as usize
    }
}

/// Returns the squares whose diagonals stand for the rank and the file through a square. The blockers on a file come from above.
#[inline(always)]
const fn straight(square: usize) -> [usize; 2] {
    [9 * (square % 8), 9 * (7 - square / 8)]
}

/// Returns the squares whose diagonals stand for those through a square. What goes down goes up on a board that is turned over.
#[inline(always)]
const fn aslant(square: usize) -> [usize; 2] {
    [square, square ^ 56]
}

/// Returns the parts for all squares, and where the next one would begin.
const fn parts(mut first: usize, bishop: bool) -> ([Part; Square::NUM], usize) {
    let mut parts = [Part { first: 0, stride: 0 }; Square::NUM];
    let mut at = 0;
    while at < Square::NUM {
        let [one, other] = if bishop { aslant(at) } else { straight(at) };
        parts[at] = Part { first: first as u16, stride: sights(one) as u16 };
        first += sights(one) * sights(other);
        at += 1;
    }
    (parts, first)
}

/// Returns, for each square, those on its two diagonals where a blocker makes a difference.
const fn diagonals() -> [[u64; 2]; Square::NUM] {
    let mut all = [[0; 2]; Square::NUM];
    let mut at = 0;
    while at < Square::NUM {
        let square = Square::index(at);
        let inner = get_bishop_relevant_blockers(square).0;
        let [right_up, left_down, left_up, right_down] = BISHOP;
        all[at][0] = slide(square, BitBoard::EMPTY, &[right_up, left_down]).0 & inner;
        all[at][1] = slide(square, BitBoard::EMPTY, &[left_up, right_down]).0 & inner;
        at += 1;
    }
    all
}

const FOR_ROOKS: ([Part; Square::NUM], usize) = parts(0, false);
const FOR_BISHOPS: ([Part; Square::NUM], usize) = parts(FOR_ROOKS.1, true);

static ROOKS: [Part; Square::NUM] = FOR_ROOKS.0;
static BISHOPS: [Part; Square::NUM] = FOR_BISHOPS.0;
static DIAGONALS: [[u64; 2]; Square::NUM] = diagonals();

/// How many sets of moves there are.
pub const SLIDING_MOVE_TABLE_SIZE: usize = FOR_BISHOPS.1;

const _: () = assert!(SLIDING_MOVE_TABLE_SIZE == 6_328);

/// Times this, a diagonal has all its squares in the last rank, and those of the inner files are the six highest bits.
const DIAGONAL: u64 = 0x0202_0202_0202_0202;

/// Times this, the A file has the squares of its inner ranks in the six highest bits, the seventh rank lowest.
const FILE: u64 = 1 << 55 | 1 << 46 | 1 << 37 | 1 << 28 | 1 << 19 | 1 << 10;

/// Returns the place of a rook's moves in the table.
#[inline(always)]
pub fn get_rook_moves_index(square: Square, blockers: BitBoard) -> usize {
    let at = square as usize;
    let [one, other] = straight(at);
    let on_rank = blockers.0 >> (at / 8 * 8 + 1) & 63;
    let on_file = (blockers.0 >> (at % 8) & 0x0001_0101_0101_0100).wrapping_mul(FILE) >> 58;
    ROOKS[at].place([SIGHTS[one][on_rank as usize], SIGHTS[other][on_file as usize]])
}

/// Returns the place of a bishop's moves in the table.
#[inline(always)]
pub fn get_bishop_moves_index(square: Square, blockers: BitBoard) -> usize {
    let at = square as usize;
    let [one, other] = aslant(at);
    let on = DIAGONALS[at].map(|diagonal| (blockers.0 & diagonal).wrapping_mul(DIAGONAL) >> 58);
    BISHOPS[at].place([SIGHTS[one][on[0] as usize], SIGHTS[other][on[1] as usize]])
}
