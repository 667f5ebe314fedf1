//! The last moves, looked through to the end: first who wins, and then by how many discs.
//!
//! Free cells at the end count for the winner, as they do in tournaments: so no win is greater than that of all discs.

mod last_cells;
mod search;
mod stable;

use crate::othello::endgame::search::EndgameSearch;

/// The most discs by which a side can come out ahead.
const MAX_SCORE: i32 = 64;
/// The least.
const MIN_SCORE: i32 = -MAX_SCORE;
/// How many discs more are asked for at a time, or fewer where all is lost: far enough, and seldom much too far.
const WINDOW_STEP: i32 = 6;

/// The best move that was found, and what it is proven to come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndgameMove {
    /// The cell.
    pub mv: u8,
    /// The least number of discs by which the side on turn comes out ahead after it; behind, if it is negative.
    pub lower_bound: i32,
    /// The most that it could be after any of the moves.
    pub upper_bound: i32,
}

/// Returns the best of these moves, with certainty whether it wins, draws or loses, and by how many discs as exactly as the nodes
/// suffice for; `None` if they do not for the first. With it comes the number of nodes that were looked at.
pub fn find_best_move(own: u64, other: u64, among: &[u8], limit: u64) -> (Option<EndgameMove>, u64) {
    let mut tree = EndgameSearch::new(limit);
    let mut list: Vec<(u8, i32)> = among.iter().map(|mv| (*mv, MAX_SCORE)).collect();
    let (mut least, mut most) = (MIN_SCORE, MAX_SCORE);
    // All results are even.
    while least < most {
        let floor = match (least, most) {
            // More than nothing is a win, and more than two discs too few is no loss.
            (..=0, 1..) => 0,
            (..0, 0) => -2,
            (MIN_SCORE, _) => (most - WINDOW_STEP).max(MIN_SCORE),
            _ => (least + WINDOW_STEP).min(most - 2),
        };
        let mut found = None;
        for (at, (mv, bound)) in list.iter_mut().enumerate().filter(|(_, (_, bound))| *bound > floor) {
            let value = tree.search_move(own, other, (*mv).into(), floor);
            if tree.is_exhausted() {
                break;
            }
            if value > floor {
                found = Some((at, value));
                break;
            }
            *bound = value;
        }
        if let Some((at, value)) = found {
            least = value;
            list[..=at].rotate_right(1);
        } else if tree.is_exhausted() {
            break;
        } else {
            most = list.iter().map(|(_, bound)| *bound).max().unwrap_or(least);
        }
    }
    let is_decided = least > 0 || most < 0 || least == most;
    let best = list.first().filter(|_| is_decided).map(|(mv, _)| EndgameMove {
        mv: *mv,
        lower_bound: least,
        upper_bound: most,
    });
    (best, tree.nodes)
}
