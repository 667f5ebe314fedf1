//! Finds the game-theoretic value of a position and a move that keeps it.

use crate::connect_four::computer::perfect::solver::Solver;
use crate::connect_four::computer::perfect::standard_board::{Discs, Goal};

/// The node budget of each move in the first round. It doubles in every round.
const FIRST_ROUND_NODES: u64 = 1 << 10;

/// Returns the value of a position for the side to move: 1 for a win, 0 for a draw, -1 for a loss.
///
/// Neither side may have a line, and the value must be known to be at least `lower_bound`. Returns `None` if the search takes
/// more than `nodes` nodes.
pub fn find_value(solver: &mut Solver, discs: Discs, lower_bound: i32, nodes: u64) -> Option<i32> {
    let end = solver.nodes.saturating_add(nodes);
    if lower_bound > 0 || solver.reaches(discs, Goal::Win, nodes)? {
        return Some(1);
    }
    let draws = lower_bound == 0 || solver.reaches(discs, Goal::Draw, end.saturating_sub(solver.nodes))?;
    Some(if draws { 0 } else { -1 })
}

/// Searches `cells` with growing budgets. Returns the first cell that is proven to keep the position's value.
///
/// In a lost position, this is the first cell. Returns `None` if `cells` is empty or if the search takes more than `nodes` nodes.
pub fn find_best_move(solver: &mut Solver, discs: Discs, cells: &[u64], value: i32, nodes: u64) -> Option<u64> {
    let winning = cells.iter().find(|cell| **cell & discs.winning_cells() != 0);
    if winning.is_some() || value < 0 {
        return winning.or(cells.first()).copied();
    }
    let opponent_goal = if value > 0 { Goal::Draw } else { Goal::Win };
    let end = solver.nodes.saturating_add(nodes);
    let mut round_nodes = FIRST_ROUND_NODES;
    while solver.nodes < end && !cells.is_empty() {
        for cell in cells {
            let nodes = round_nodes.min(end.saturating_sub(solver.nodes));
            if solver.reaches(discs.after(*cell), opponent_goal, nodes) == Some(false) {
                return Some(*cell);
            }
        }
        round_nodes *= 2;
    }
    None
}
