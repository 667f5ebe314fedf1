//! The moves that keep what a position is worth.

use crate::games::connect_four::perfect::solver::{Discs, Goal, Solver};

/// The nodes that each move is looked into at first; with every round it is twice as many.
const FIRST_ROUND: u64 = 1 << 10;

/// Returns one of these cells that keeps what the position is worth for the side on turn, and that worth: 1 for a win, 0 for a
/// draw, -1 for a loss, in which any is as good. Of several it is the one that is seen through soonest, or the first of them.
/// `None` if that takes more nodes than this, or if there are no cells.
pub fn best(solver: &mut Solver, discs: Discs, cells: &[u64], nodes: u64) -> Option<(u64, i32)> {
    let first = *cells.first()?;
    if let Some(cell) = cells.iter().find(|cell| **cell & discs.winning() != 0) {
        return Some((*cell, 1));
    }
    let end = solver.nodes.saturating_add(nodes);
    let (goal, worth) = if solver.reaches(discs, Goal::Win, end - solver.nodes)? {
        (Goal::Win, 1)
    } else if solver.reaches(discs, Goal::Draw, end.saturating_sub(solver.nodes))? {
        (Goal::Draw, 0)
    } else {
        return Some((first, -1));
    };
    let mut round = FIRST_ROUND;
    while solver.nodes < end {
        for cell in cells {
            let left = round.min(end.saturating_sub(solver.nodes));
            if solver.reaches(discs.after(*cell), goal.denied(), left) == Some(false) {
                return Some((*cell, worth));
            }
        }
        round *= 2;
    }
    None
}
