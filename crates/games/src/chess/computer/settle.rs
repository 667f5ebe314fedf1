//! The end of each line of the search: captures are played out, so that no value is taken in the middle of an exchange.

use cozy_chess::Board;

use crate::chess::computer::evaluate::evaluate;
use crate::chess::computer::order::{Ranked, booty, is_losing, next, step};
use crate::chess::computer::search::{Search, usable};
use crate::search::alpha_beta::{SURELY, WON, to_table};
use crate::search::table::Bound;

/// Returns the value of a position once its captures are played out; out of check every move is tried.
pub(super) fn settle(search: &mut Search<'_>, board: &Board, ply: usize, mut alpha: i32, beta: i32) -> i32 {
    if let Some(value) = search.enter(board, ply) {
        return value;
    }
    let known = search.table.get(board.hash()).copied();
    if let Some(value) = known.filter(|_| beta - alpha == 1).and_then(|known| usable(&known, ply, alpha, beta)) {
        return value;
    }
    let check = !board.checkers().is_empty();
    let value = if check { ply as i32 - WON } else { evaluate(board) };
    let (floor, mut best, mut best_move) = (alpha, value, None);
    alpha = alpha.max(best);
    if alpha >= beta {
        return best;
    }
    let begin = search.list(board, ply, known.and_then(|known| known.mv), !check);
    // Somebody who sees no way out of check is not mated for that.
    if check && search.stack.len() == begin && !search.sight.is_clear() && board.generate_moves(|_| true) {
        return evaluate(board);
    }
    search.keys.push(board.hash_without_ep());
    let mut at = 0;
    while let Some(Ranked { mv, rank }) = next(&mut search.stack[begin..], at) {
        at += 1;
        if best > -SURELY {
            // What comes now loses something, or is no capture and no help.
            if is_losing(rank) {
                break;
            }
            if !check && value + booty(board, mv) + 180 <= alpha {
                continue;
            }
        }
        let mut after = board.clone();
        after.play_unchecked(mv);
        search.way[ply] = Some(step(board, mv));
        let value = -settle(search, &after, ply + 1, -beta, -alpha);
        if search.stopped {
            break;
        }
        if value > best {
            best = value;
            if value > alpha {
                (alpha, best_move) = (value, Some(mv));
            }
        }
        if alpha >= beta {
            break;
        }
    }
    search.keys.pop();
    search.stack.truncate(begin);
    if search.stopped {
        return 0;
    }
    let bound = if best >= beta {
        Bound::AtLeast
    } else if best > floor {
        Bound::Exact
    } else {
        Bound::AtMost
    };
    search.table.put(board.hash(), best_move.or(known.and_then(|known| known.mv)), to_table(best, ply), 0, bound);
    best
}
