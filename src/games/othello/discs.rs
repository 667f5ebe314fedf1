//! Sets of cells as 64 bits, a1 in the lowest and row by row, and what a disc turns over.
//!
//! See <https://www.chessprogramming.org/Kogge-Stone_Algorithm> for how a whole direction is filled at once.

/// The length of a side.
pub const SIZE: usize = 8;

/// All cells but those of the leftmost and the rightmost column: beyond them nothing is enclosed from the side.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// The four discs of the standard start, black's first: e4 and d5, d4 and e5.
pub const START: [u64; 2] = [1 << 28 | 1 << 35, 1 << 27 | 1 << 36];

/// The distances between neighbours, and the discs that can be enclosed in that direction.
const DIRECTIONS: [(u32, u64); 4] = [(1, INNER), (7, INNER), (8, u64::MAX), (9, INNER)];

/// Returns the free cells in which a disc of `own` encloses some of `other`.
#[inline]
pub fn moves(own: u64, other: u64) -> u64 {
    let mut found = 0;
    for (by, mask) in DIRECTIONS {
        let inner = other & mask;
        let up = {
            let run = inner & (own << by);
            let run = run | inner & (run << by);
            let pairs = inner & (inner << by);
            let run = run | pairs & (run << (2 * by));
            run | pairs & (run << (2 * by))
        };
        let down = {
            let run = inner & (own >> by);
            let run = run | inner & (run >> by);
            let pairs = inner & (inner >> by);
            let run = run | pairs & (run >> (2 * by));
            run | pairs & (run >> (2 * by))
        };
        found |= up << by | down >> by;
    }
    found & !(own | other)
}

/// Returns the discs of `other` that a disc of `own` in a cell encloses.
#[inline]
pub fn flips(own: u64, other: u64, cell: u32) -> u64 {
    let disc = 1_u64 << cell;
    let mut found = 0;
    for (by, mask) in DIRECTIONS {
        let inner = other & mask;
        let up = {
            let run = inner & (disc << by);
            let run = run | inner & (run << by);
            let pairs = inner & (inner << by);
            let run = run | pairs & (run << (2 * by));
            run | pairs & (run << (2 * by))
        };
        if (up << by) & own != 0 {
            found |= up;
        }
        let down = {
            let run = inner & (disc >> by);
            let run = run | inner & (run >> by);
            let pairs = inner & (inner >> by);
            let run = run | pairs & (run >> (2 * by));
            run | pairs & (run >> (2 * by))
        };
        if (down >> by) & own != 0 {
            found |= down;
        }
    }
    found
}

/// Returns the cells of a set, the lowest first.
pub fn cells(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then(|| set.trailing_zeros());
        set &= set.wrapping_sub(1);
        cell
    })
}

/// Counts the positions `depth` plies ahead, at least 1, where a side that cannot move passes at once, which is no ply. The last
/// ply is counted without playing it.
pub fn walk(own: u64, other: u64, depth: u32) -> u64 {
    let (mut own, mut other) = (own, other);
    let mut open = moves(own, other);
    if open == 0 {
        (own, other) = (other, own);
        open = moves(own, other);
    }
    if depth == 1 {
        return open.count_ones().into();
    }
    let after = |cell: u32| {
        let flipped = flips(own, other, cell);
        walk(other & !flipped, own | flipped | 1 << cell, depth - 1)
    };
    cells(open).map(after).sum()
}
