//! Finishes a won game: finds the chain of stones and bridges between the side's edges that needs the fewest moves.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::hex::computer::search_board::{FREE, SearchBoard};

/// The cost of a stone that the opponent can prevent. It outweighs any number of stones in bridges, which cost 1 each.
const OPEN_STONE: u32 = 1_000;

/// The last step of a chain to a cell.
#[derive(Clone, Copy)]
struct Step {
    /// The cost of the chain from the first edge.
    cost: u32,
    /// The cell before it.
    from: u16,
    /// The two cells of the bridge between them; `None` for neighbors.
    bridge: Option<[u16; 2]>,
}

/// Returns the free cells that the cheapest chain of the side to move still needs. Cells of its bridges are left out, unless
/// it needs no others.
///
/// Returns no cells if the opponent has cut every chain.
pub(super) fn cells_to_play(board: &SearchBoard) -> Vec<u16> {
    let mut steps: Vec<Option<Step>> = vec![None; board.cell_count()];
    let mut queue = BinaryHeap::new();
    for cell in board.first_edge() {
        steps[usize::from(cell)] = Some(Step { cost: 0, from: cell, bridge: None });
        queue.push(Reverse((0, cell)));
    }
    while let Some(Reverse((cost, cell))) = queue.pop() {
        if board.is_last_edge(cell) {
            return cells_of_chain(board, &steps, cell);
        }
        for (next, bridge) in links(board, cell) {
            let stone = if board.owner(next) == FREE { OPEN_STONE + 1 } else { 0 };
            let cost = cost + stone + u32::from(bridge.is_some());
            let step = &mut steps[usize::from(next)];
            if step.is_none_or(|step| cost < step.cost) {
                *step = Some(Step { cost, from: cell, bridge });
                queue.push(Reverse((cost, next)));
            }
        }
    }
    Vec::new()
}

/// Returns the cells next to a cell or a bridge away from it, unless they belong to the opponent. Each comes with the two cells
/// of its bridge; `None` for neighbors.
fn links(board: &SearchBoard, cell: u16) -> impl Iterator<Item = (u16, Option<[u16; 2]>)> {
    let neighbors = board.checked_neighbors(cell);
    let is_free = |cell: u16| board.owner(cell) == FREE;
    let bridges = (0..6).filter_map(move |nth| {
        let bridge = [neighbors[nth]?, neighbors[(nth + 1) % 6]?];
        // The far end of a bridge completes a parallelogram with the cell and the two cells between.
        bridge.into_iter().all(is_free).then(|| (bridge[0] + bridge[1] - cell, Some(bridge)))
    });
    let next_to_it = neighbors.into_iter().flatten().map(|next| (next, None));
    next_to_it.chain(bridges).filter(move |(next, _)| is_free(*next) || board.owner(*next) == board.side_to_move)
}

/// Follows the steps back from the last edge, and returns the free cells.
fn cells_of_chain(board: &SearchBoard, steps: &[Option<Step>], last: u16) -> Vec<u16> {
    let (mut cell, mut open, mut bridges) = (last, Vec::new(), Vec::new());
    while let Some(step) = steps[usize::from(cell)]
        && step.from != cell
    {
        bridges.extend(step.bridge.into_iter().flatten());
        cell = step.from;
        if board.owner(cell) == FREE {
            open.push(cell);
        }
    }
    bridges.sort_unstable();
    bridges.dedup();
    if open.is_empty() { bridges } else { open }
}
