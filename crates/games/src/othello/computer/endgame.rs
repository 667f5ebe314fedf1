//! An exact endgame solver. It first finds the winner, and then the margin.
//!
//! Scores are disc differences. Free cells count for the winner, as in tournaments, so scores range from -64 to 64.

mod last_cells;
mod search;
mod stable;

use crate::othello::computer::endgame::search::EndgameSearch;

/// The highest score.
const MAX_SCORE: i32 = 64;
/// The lowest score.
const MIN_SCORE: i32 = -MAX_SCORE;
/// How far the null window moves from one search to the next.
const WINDOW_STEP: i32 = 6;

/// The best move, with proven bounds of its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndgameMove {
    /// The cell.
    pub mv: u8,
    /// The proven lower bound of the move's score.
    pub lower_bound: i32,
    /// The proven upper bound of the score of all moves.
    pub upper_bound: i32,
}

/// Returns the best of `moves` and the number of nodes searched.
///
/// The result proves whether the move wins, draws or loses, and narrows the score as far as the node budget allows. The
/// move is `None` if the budget doesn't even suffice to find the winner. `moves` should be sorted best first.
pub fn find_best_move(own: u64, other: u64, moves: &[u8], max_nodes: u64) -> (Option<EndgameMove>, u64) {
    let mut search = EndgameSearch::new(max_nodes);
    let mut candidates: Vec<(u8, i32)> = moves.iter().map(|mv| (*mv, MAX_SCORE)).collect();
    let (mut lower_bound, mut upper_bound) = (MIN_SCORE, MAX_SCORE);
    // All scores are even, so a score above `floor` is at least `floor + 2`.
    while lower_bound < upper_bound {
        let floor = match (lower_bound, upper_bound) {
            // Above 0 is a win, and above -2 isn't a loss.
            (..=0, 1..) => 0,
            (..0, 0) => -2,
            (MIN_SCORE, _) => (upper_bound - WINDOW_STEP).max(MIN_SCORE),
            _ => (lower_bound + WINDOW_STEP).min(upper_bound - 2),
        };
        let mut improvement = None;
        for (index, (mv, bound)) in candidates.iter_mut().enumerate().filter(|(_, (_, bound))| *bound > floor) {
            let value = search.search_move(own, other, (*mv).into(), floor);
            if search.is_exhausted() {
                break;
            }
            if value > floor {
                improvement = Some((index, value));
                break;
            }
            *bound = value;
        }
        if let Some((index, value)) = improvement {
            lower_bound = value;
            candidates[..=index].rotate_right(1);
        } else if search.is_exhausted() {
            break;
        } else {
            upper_bound = candidates.iter().map(|(_, bound)| *bound).max().unwrap_or(lower_bound);
        }
    }
    let is_proven = lower_bound > 0 || upper_bound < 0 || lower_bound == upper_bound;
    let best = match candidates.first() {
        Some((mv, _)) if is_proven => Some(EndgameMove { mv: *mv, lower_bound, upper_bound }),
        _ => None,
    };
    (best, search.nodes)
}
