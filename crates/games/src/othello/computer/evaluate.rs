//! What a position is worth that is not looked into any further: how much choice each side has, and what it holds for good.

use crate::othello::discs::{moves, with_neighbors};

/// The four corners, each with its neighbours on the edges and the one on the diagonal.
const CORNERS: [(u64, u64, u64); 4] = [
    (1, 1 << 1 | 1 << 8, 1 << 9),
    (1 << 7, 1 << 6 | 1 << 15, 1 << 14),
    (1 << 56, 1 << 57 | 1 << 48, 1 << 49),
    (1 << 63, 1 << 62 | 1 << 55, 1 << 54),
];

/// The four edges, with the distance between neighbours on them.
const EDGES: [(u64, u32); 4] = [(0xff, 1), (0xff << 56, 1), (LEFT, 8), (RIGHT, 8)];

/// The cells that are not on an edge.
const INSIDE: u64 = 0x007e_7e7e_7e7e_7e00;
/// The leftmost column.
const LEFT: u64 = 0x0101_0101_0101_0101;
/// The rightmost column.
const RIGHT: u64 = 0x8080_8080_8080_8080;

/// What a disc in a corner is worth.
const CORNER: i32 = 80;
/// What a disc on an edge next to a free corner costs.
const C_SQUARE: i32 = 20;
/// What a disc diagonally next to a free corner costs.
const X_SQUARE: i32 = 40;
/// What a disc on an edge is worth that nothing can turn over.
const STABLE: i32 = 16;
/// What any disc on an edge is worth.
const EDGE: i32 = 4;
/// What a move to choose from is worth.
const MOBILITY: i32 = 8;
/// What a disc next to a free cell costs.
const FRONTIER: i32 = 4;

/// Returns the worth for the side on turn, whose moves are known.
pub(super) fn evaluate(own: u64, other: u64, open: u64) -> i32 {
    let free = !(own | other);
    let count = |set: u64| set.count_ones() as i32;
    let mut sum = MOBILITY * (count(open) - count(moves(other, own)));
    // Discs next to free cells give the other side its moves.
    let near = with_neighbors(free);
    sum += FRONTIER * (count(other & near & INSIDE) - count(own & near & INSIDE));
    for (corner, beside, diagonal) in CORNERS {
        if free & corner != 0 {
            sum -= C_SQUARE * (count(own & beside) - count(other & beside));
            sum -= X_SQUARE * (count(own & diagonal) - count(other & diagonal));
        } else {
            sum += CORNER * (count(own & corner) - count(other & corner));
        }
    }
    let [held, lost] = [stable_edge_discs(own, other), stable_edge_discs(other, own)];
    sum += STABLE * (count(held) - count(lost));
    let edge = !INSIDE;
    sum + EDGE * (count(own & edge) - count(other & edge))
}

/// Returns the discs on the edges that nothing can turn over: those that own discs join to an own corner, and all on a full edge.
fn stable_edge_discs(own: u64, other: u64) -> u64 {
    let mut found = 0;
    for (edge, by) in EDGES {
        if (own | other) & edge == edge {
            found |= own & edge;
            continue;
        }
        let mut up = own & edge & (edge & edge.wrapping_neg());
        let mut down = own & edge & (1 << (63 - edge.leading_zeros()));
        for _ in 0..6 {
            up |= own & edge & (up << by);
            down |= own & edge & (down >> by);
        }
        found |= up | down;
    }
    found
}
