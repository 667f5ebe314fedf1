//! The moves that keep what a position is worth.

use crate::connect_four::perfect::solver::Solver;
use crate::connect_four::perfect::standard_board::{Discs, Goal};

/// The nodes that each move is looked into at first; with every round it is twice as many.
const FIRST_ROUND_NODES: u64 = 1 << 10;

/// Returns what a position without a line is worth for the side on turn: 1 for a win, 0 for a draw, -1 for a loss. It is known to
/// be worth this at least. `None` if finding out takes more nodes than this.
pub fn find_value(solver: &mut Solver, discs: Discs, least: i32, nodes: u64) -> Option<i32> {
    let end = solver.nodes.saturating_add(nodes);
    if least > 0 || solver.reaches(discs, Goal::Win, nodes)? {
        return Some(1);
    }
    let draws = least == 0 || solver.reaches(discs, Goal::Draw, end.saturating_sub(solver.nodes))?;
    Some(if draws { 0 } else { -1 })
}

/// Returns one of these cells that keeps what the position is worth for the side to move; in a loss that's the first. Of several it
/// is the one that is proved soonest. `None` if that takes more nodes than this, or if there are no cells.
pub fn find_best_move(solver: &mut Solver, discs: Discs, cells: &[u64], worth: i32, nodes: u64) -> Option<u64> {
    let winning = cells.iter().find(|cell| **cell & discs.winning_cells() != 0);
    if winning.is_some() || worth < 0 {
        return winning.or(cells.first()).copied();
    }
    let denied = if worth > 0 { Goal::Draw } else { Goal::Win };
    let end = solver.nodes.saturating_add(nodes);
    let mut round = FIRST_ROUND_NODES;
    while solver.nodes < end && !cells.is_empty() {
        for cell in cells {
            let left = round.min(end.saturating_sub(solver.nodes));
            if solver.reaches(discs.after(*cell), denied, left) == Some(false) {
                return Some(*cell);
            }
        }
        round *= 2;
    }
    None
}
