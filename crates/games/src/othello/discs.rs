//! Sets of cells as 64 bits, a1 in the lowest and row by row, and what a disc turns over.
//!
//! See <https://www.chessprogramming.org/Kogge-Stone_Algorithm> for how a whole direction is filled at once.

/// The length of a side.
pub const SIZE: usize = 8;

/// All cells but those of the leftmost and the rightmost column: beyond them nothing is enclosed from the side.
const INNER_COLUMNS: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// The leftmost column.
const LEFT: u64 = 0x0101_0101_0101_0101;
/// The rightmost column.
const RIGHT: u64 = 0x8080_8080_8080_8080;

/// The four discs of the standard start, black's first: e4 and d5, d4 and e5.
pub const START: [u64; 2] = [1 << 28 | 1 << 35, 1 << 27 | 1 << 36];

/// The distances between neighbours, and the discs that can be enclosed in that direction.
const DIRECTIONS: [(u32, u64); 4] = [(1, INNER_COLUMNS), (7, INNER_COLUMNS), (8, u64::MAX), (9, INNER_COLUMNS)];

/// The cells in the four directions towards higher bits, from each cell to the edge of the board, and in the four towards lower ones.
static RAYS: [[[u64; 4]; 2]; 64] = rays();

const fn rays() -> [[[u64; 4]; 2]; 64] {
    let ways: [[(i32, i32); 4]; 2] = [[(0, 1), (1, -1), (1, 0), (1, 1)], [(0, -1), (-1, 1), (-1, 0), (-1, -1)]];
    let mut rays = [[[0; 4]; 2]; 64];
    let mut at = 0;
    while at < 64 * 8 {
        let (cell, towards, way) = (at / 8, at / 4 % 2, at % 4);
        let (down, right) = ways[towards][way];
        let (mut row, mut column) = (cell as i32 / 8 + down, cell as i32 % 8 + right);
        while 0 <= row && row < 8 && 0 <= column && column < 8 {
            rays[cell][towards][way] |= 1 << (row * 8 + column);
            (row, column) = (row + down, column + right);
        }
        at += 1;
    }
    rays
}

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
    let [up, down] = &RAYS[cell as usize % 64];
    let mut found = 0;
    for ray in up {
        // One carries through the discs of the other side up to what ends them.
        let end = (other | !ray).wrapping_add(1) & own & ray;
        found |= end.saturating_sub(1) & ray;
    }
    for ray in down {
        let ends = ray & !other;
        let end = (1 << 63) >> (ends | 1).leading_zeros() & own & ends;
        found |= end.wrapping_neg() << 1 & ray;
    }
    found
}

/// Returns the cells next to a set, in all eight directions, and the set itself.
pub fn with_neighbors(set: u64) -> u64 {
    let wide = set | (set & !RIGHT) << 1 | (set & !LEFT) >> 1;
    wide | wide << 8 | wide >> 8
}

/// Returns the cells of a set, the lowest first.
pub fn iter_cells(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then(|| set.trailing_zeros());
        set &= set.wrapping_sub(1);
        cell
    })
}

/// Counts the positions `depth` plies ahead, at least 1, where a side that cannot move passes at once, which is no ply. The last
/// ply is counted without playing it.
pub fn perft(own: u64, other: u64, depth: u32) -> u64 {
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
        perft(other & !flipped, own | flipped | 1 << cell, depth - 1)
    };
    iter_cells(open).map(after).sum()
}
