//! The lowest level: like a beginner, it takes the shortest path between its edges and doesn't look at its opponent's.

use std::collections::VecDeque;

use game::contract::Rules;
use game::seat::Seat;

use crate::hex::bitboards::neighbors;
use crate::hex::game::Hex;

/// The distance of a cell that has no path to the edge.
const UNREACHABLE: usize = usize::MAX / 4;

/// Returns the free cell on a shortest path of the side to move that is nearest to the center; `None` if the board is full.
pub(super) fn find_cell(game: &Hex) -> Option<usize> {
    let last = game.size - 1;
    let [from_first, from_last] = [0, last].map(|edge| stones_to_edge(game, edge));
    let off_center = |cell: &usize| {
        let (down, right) = (2 * (cell / game.size), 2 * (cell % game.size));
        down.abs_diff(last).max(right.abs_diff(last)).max((down + right).abs_diff(2 * last))
    };
    game.free_cells().min_by_key(|cell| (from_first[*cell] + from_last[*cell], off_center(cell)))
}

/// Returns, for each cell, how many more stones would connect it to the row or column `edge`, including one in the cell itself.
fn stones_to_edge(game: &Hex, edge: usize) -> Vec<usize> {
    let (size, seat) = (game.size, game.side_to_move());
    let stones_needed = |cell: usize| match game.stone(cell) {
        Some(owner) if owner != seat => UNREACHABLE,
        owner => usize::from(owner.is_none()),
    };
    let edge_cell = |nth: usize| if seat == Seat::First { edge * size + nth } else { nth * size + edge };
    let mut distances = vec![UNREACHABLE; size * size];
    let mut queue: VecDeque<usize> = (0..size).map(edge_cell).collect();
    queue.iter().for_each(|cell| distances[*cell] = stones_needed(*cell));
    while let Some(cell) = queue.pop_front() {
        for (row, column) in neighbors(size, cell / size, cell % size) {
            let next = row * size + column;
            let distance = distances[cell] + stones_needed(next);
            if distance < distances[next] {
                distances[next] = distance;
                queue.push_back(next);
            }
        }
    }
    distances
}
