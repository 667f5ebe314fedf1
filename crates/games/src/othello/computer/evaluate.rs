//! The static evaluation: mobility, frontier, corners and stable edge discs.

use crate::othello::bitboards::{moves, with_neighbors};

/// The corners, each with its adjacent C-squares and X-square.
const CORNERS: [(u64, u64, u64); 4] = [
    (1, 1 << 1 | 1 << 8, 1 << 9),
    (1 << 7, 1 << 6 | 1 << 15, 1 << 14),
    (1 << 56, 1 << 57 | 1 << 48, 1 << 49),
    (1 << 63, 1 << 62 | 1 << 55, 1 << 54),
];

/// The edges, each with the bit shift between its neighboring cells.
const EDGES: [(u64, u32); 4] = [(0xff, 1), (0xff << 56, 1), (LEFT, 8), (RIGHT, 8)];

/// The cells that are not on an edge.
const INSIDE: u64 = 0x007e_7e7e_7e7e_7e00;
/// The leftmost column.
const LEFT: u64 = 0x0101_0101_0101_0101;
/// The rightmost column.
const RIGHT: u64 = 0x8080_8080_8080_8080;

/// The bonus for a disc on a corner.
const CORNER: i32 = 80;
/// The penalty for a disc on a C-square (the edge cell next to a corner) if the corner is free.
const C_SQUARE: i32 = 20;
/// The penalty for a disc on an X-square (diagonally next to a corner) if the corner is free.
const X_SQUARE: i32 = 40;
/// The bonus for a stable disc on an edge.
const STABLE: i32 = 16;
/// The bonus for any disc on an edge.
const EDGE: i32 = 4;
/// The bonus for each legal move.
const MOBILITY: i32 = 8;
/// The penalty for a frontier disc (one next to a free cell).
const FRONTIER: i32 = 4;

/// Evaluates a position for the side to move, whose legal moves are `legal`.
pub(super) fn evaluate(own: u64, other: u64, legal: u64) -> i32 {
    let free = !(own | other);
    let count = |set: u64| set.count_ones() as i32;
    let mut sum = MOBILITY * (count(legal) - count(moves(other, own)));
    // Frontier discs give the opponent moves.
    let frontier = with_neighbors(free);
    sum += FRONTIER * (count(other & frontier & INSIDE) - count(own & frontier & INSIDE));
    for (corner, c_squares, x_square) in CORNERS {
        if free & corner != 0 {
            sum -= C_SQUARE * (count(own & c_squares) - count(other & c_squares));
            sum -= X_SQUARE * (count(own & x_square) - count(other & x_square));
        } else {
            sum += CORNER * (count(own & corner) - count(other & corner));
        }
    }
    let [own_stable, other_stable] = [stable_edge_discs(own, other), stable_edge_discs(other, own)];
    sum += STABLE * (count(own_stable) - count(other_stable));
    let edge = !INSIDE;
    sum + EDGE * (count(own & edge) - count(other & edge))
}

/// Returns the stable discs on the edges: those connected to an own corner, and all on full edges.
fn stable_edge_discs(own: u64, other: u64) -> u64 {
    let mut found = 0;
    for (edge, shift) in EDGES {
        if (own | other) & edge == edge {
            found |= own & edge;
            continue;
        }
        let mut up = own & edge & (edge & edge.wrapping_neg());
        let mut down = own & edge & (1 << (63 - edge.leading_zeros()));
        for _ in 0..6 {
            up |= own & edge & (up << shift);
            down |= own & edge & (down >> shift);
        }
        found |= up | down;
    }
    found
}
