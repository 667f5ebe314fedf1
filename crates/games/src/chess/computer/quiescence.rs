//! The end of each line of the search: captures are played out, so that no value is taken in the middle of an exchange.

use cozy_chess::Board;

use crate::chess::computer::evaluate::evaluate;
use crate::chess::computer::move_ordering::{ScoredMove, is_losing_capture, material_gain, pick_next, piece_to};
use crate::chess::computer::search::{Search, table_cutoff};
use crate::search::alpha_beta::{PROVEN_WIN, WIN_VALUE, value_to_tt};
use crate::search::transposition_table::Bound;

/// Returns the value of a position once its captures are played out; out of check every move is tried.
pub(super) fn quiescence(search: &mut Search<'_>, board: &Board, ply: usize, mut alpha: i32, beta: i32) -> i32 {
    if let Some(value) = search.visit_node(board, ply) {
        return value;
    }
    let known = search.table.probe(board.hash()).copied();
    if let Some(value) = known.filter(|_| beta - alpha == 1).and_then(|known| table_cutoff(&known, ply, alpha, beta)) {
        return value;
    }
    let check = !board.checkers().is_empty();
    let value = if check { ply as i32 - WIN_VALUE } else { evaluate(board) };
    let (floor, mut best, mut best_move) = (alpha, value, None);
    alpha = alpha.max(best);
    if alpha >= beta {
        return best;
    }
    let begin = search.push_moves(board, ply, known.and_then(|known| known.mv), !check);
    // Somebody who sees no way out of check is not mated for that.
    if check && search.move_stack.len() == begin && !search.filter.considers_all() && board.generate_moves(|_| true) {
        return evaluate(board);
    }
    search.keys.push(board.hash_without_ep());
    let mut at = 0;
    while let Some(ScoredMove { mv, score: rank }) = pick_next(&mut search.move_stack[begin..], at) {
        at += 1;
        if best > -PROVEN_WIN {
            // What comes now loses something, or is no capture and no help.
            if is_losing_capture(rank) {
                break;
            }
            if !check && value + material_gain(board, mv) + 180 <= alpha {
                continue;
            }
        }
        let mut after = board.clone();
        after.play_unchecked(mv);
        search.path[ply] = Some(piece_to(board, mv));
        let value = -quiescence(search, &after, ply + 1, -beta, -alpha);
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
    search.move_stack.truncate(begin);
    if search.stopped {
        return 0;
    }
    let bound = if best >= beta {
        Bound::Lower
    } else if best > floor {
        Bound::Exact
    } else {
        Bound::Upper
    };
    search.table.store(board.hash(), best_move.or(known.and_then(|known| known.mv)), value_to_tt(best, ply), 0, bound);
    best
}
