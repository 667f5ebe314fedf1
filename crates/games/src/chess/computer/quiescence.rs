//! [Quiescence search](https://www.chessprogramming.org/Quiescence_Search): resolves captures at the leaves.

use cozy_chess::Board;

use crate::chess::computer::evaluate::evaluate;
use crate::chess::computer::move_ordering::{ScoredMove, is_losing_capture, material_gain, pick_next, piece_to};
use crate::chess::computer::search::Search;
use crate::search::alpha_beta::{PROVEN_WIN, WIN_VALUE, table_cutoff, value_to_tt};
use crate::search::transposition_table::Bound;

/// Returns the score of a position after its captures are resolved. In check, all moves are searched.
pub(super) fn quiescence(search: &mut Search<'_>, board: &Board, ply: usize, mut alpha: i32, beta: i32) -> i32 {
    if let Some(score) = search.visit_node(board, ply) {
        return score;
    }
    let entry = search.table.probe(board.hash()).copied();
    if let Some(entry) = entry
        && beta - alpha == 1
        && let Some(score) = table_cutoff(&entry, ply, alpha, beta)
    {
        return score;
    }
    let in_check = !board.checkers().is_empty();
    let stand_pat = if in_check { ply as i32 - WIN_VALUE } else { evaluate(board) };
    let (original_alpha, mut best, mut best_move) = (alpha, stand_pat, None);
    alpha = alpha.max(best);
    if alpha >= beta {
        return best;
    }
    let hash_move = entry.and_then(|entry| entry.mv);
    let first = search.push_moves(board, ply, hash_move, !in_check);
    // If the filter removed every evasion, it isn't checkmate.
    let is_empty = search.move_stack.len() == first;
    if in_check && is_empty && !search.filter.considers_all() && board.generate_moves(|_| true) {
        return evaluate(board);
    }
    search.keys.push(board.hash_without_ep());
    let mut next = 0;
    while let Some(ScoredMove { mv, score }) = pick_next(&mut search.move_stack[first..], next) {
        next += 1;
        if best > -PROVEN_WIN {
            // The remaining moves are losing captures.
            if is_losing_capture(score) {
                break;
            }
            // Delta pruning.
            if !in_check && stand_pat + material_gain(board, mv) + 180 <= alpha {
                continue;
            }
        }
        let mut child = board.clone();
        child.play_unchecked(mv);
        search.path[ply] = Some(piece_to(board, mv));
        let value = -quiescence(search, &child, ply + 1, -beta, -alpha);
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
    search.move_stack.truncate(first);
    if search.stopped {
        return 0;
    }
    let bound = Bound::from_search(best, original_alpha, beta);
    search.table.store(board.hash(), best_move.or(hash_move), value_to_tt(best, ply), 0, bound);
    best
}
