//! [Principal variation search](https://www.chessprogramming.org/Principal_Variation_Search) below the root, with
//! check extensions, internal iterative reductions, reverse futility pruning, razoring, null move pruning, late move
//! pruning and late move reductions.

use cozy_chess::{Board, Color, Move, Piece};

use crate::chess::computer::evaluate::evaluate;
use crate::chess::computer::move_ordering::{
    ScoredMove, is_losing_capture, is_noisy, material_gain, pick_next, piece_to, see_at_least,
};
use crate::chess::computer::search::{INFINITY, Search};
use crate::search::alpha_beta::{table_cutoff, value_to_tt};
use crate::search::{Bound, ONE, ln};
use crate::{PROVEN_WIN, WIN_VALUE};

/// A node of the search tree.
struct Node<'b> {
    board: &'b Board,
    depth: i32,
    ply: usize,
    /// The score that the side to move has already secured elsewhere.
    alpha: i32,
    beta: i32,
    /// Whether the window is open: the exact score matters, not just a bound.
    is_pv: bool,
    in_check: bool,
    /// The static evaluation; minus infinity in check.
    static_eval: i32,
    /// Whether the static evaluation is higher than two plies ago.
    improving: bool,
    hash_move: Option<Move>,
}

/// A move to search.
#[derive(Clone, Copy)]
struct Candidate {
    mv: Move,
    score: i32,
    /// Whether it is a capture or a promotion.
    is_noisy: bool,
    /// The number of moves searched before it.
    index: i32,
}

/// Returns the score of a position for the side to move, searched to `depth` plies.
pub(super) fn pvs(search: &mut Search<'_>, board: &Board, depth: i32, ply: usize, alpha: i32, beta: i32) -> i32 {
    let in_check = !board.checkers().is_empty();
    let depth = depth + i32::from(in_check);
    if depth <= 0 {
        return quiescence(search, board, ply, alpha, beta);
    }
    if let Some(score) = search.visit_node(board, ply) {
        return score;
    }
    // Mate distance pruning: a shorter mate has been found elsewhere.
    let (alpha, beta) = (alpha.max(ply as i32 - WIN_VALUE), beta.min(WIN_VALUE - ply as i32 - 1));
    if alpha >= beta {
        return alpha;
    }
    let is_pv = beta - alpha > 1;
    let entry = search.table.probe(board.hash()).copied();
    if let Some(entry) = entry
        && !is_pv
        && i32::from(entry.depth) >= depth
        && let Some(score) = table_cutoff(&entry, ply, alpha, beta)
    {
        return score;
    }
    let static_eval = if in_check { -INFINITY } else { evaluate(board) };
    search.static_evals[ply] = static_eval;
    let improving = !in_check && (ply < 2 || static_eval > search.static_evals[ply - 2]);
    let hash_move = entry.and_then(|entry| entry.mv);
    // Internal iterative reduction: without a hash move, a shallower search finds one sooner.
    let depth = depth - i32::from(hash_move.is_none() && depth >= 4);
    let node = Node { board, depth, ply, alpha, beta, is_pv, in_check, static_eval, improving, hash_move };
    if !is_pv
        && !in_check
        && search.filter.considers_all()
        && let Some(score) = prune_node(search, &node)
    {
        return score;
    }
    search_moves(search, &node)
}

/// Returns a score if the node can be pruned before searching its moves: by reverse futility, razoring, or a null
/// move.
fn prune_node(search: &mut Search<'_>, node: &Node) -> Option<i32> {
    let Node { board, depth, ply, beta, static_eval, .. } = *node;
    if beta.abs() >= PROVEN_WIN {
        return None;
    }
    // Reverse futility pruning.
    if depth <= 8 && static_eval - 80 * (depth - i32::from(node.improving)) >= beta {
        return Some(static_eval);
    }
    // Razoring: far below alpha, only a capture can help.
    if depth <= 3 && static_eval + 250 + 200 * depth < node.alpha {
        let score = quiescence(search, board, ply, node.alpha, beta);
        if search.stopped || score <= node.alpha {
            return Some(score);
        }
    }
    // Null move pruning, but not twice in a row.
    let after_null_move = ply > 0 && search.path[ply - 1].is_none();
    if depth < 3 || static_eval < beta || after_null_move || !has_non_pawn_material(board, board.side_to_move()) {
        return None;
    }
    let reduction = 3 + depth / 4 + ((static_eval - beta) / 180).min(3);
    let child = board.null_move()?;
    search.path[ply] = None;
    search.keys.push(board.hash_without_ep());
    let score = -pvs(search, &child, depth - reduction - 1, ply + 1, -beta, -beta + 1);
    search.keys.pop();
    if search.stopped || score < beta {
        return None;
    }
    // A null move doesn't prove a mate.
    Some(if score >= PROVEN_WIN { beta } else { score })
}

/// Searches the moves of a node in order and returns the best score.
fn search_moves(search: &mut Search<'_>, node: &Node) -> i32 {
    let Node { board, depth, ply, beta, .. } = *node;
    let first = search.push_moves(board, ply, node.hash_move, false);
    let previous = search.previous_moves(ply);
    search.history.clear_killers(ply + 2);
    search.keys.push(board.hash_without_ep());
    let (mut alpha, mut best, mut best_move) = (node.alpha, -INFINITY, None);
    let (mut searched, mut quiets): (i32, Vec<Move>) = (0, Vec::new());
    let mut next = 0;
    while let Some(ScoredMove { mv, score }) = pick_next(&mut search.move_stack[first..], next) {
        next += 1;
        let is_noisy = is_noisy(board, mv);
        let candidate = Candidate { mv, score, is_noisy, index: searched };
        if best > -PROVEN_WIN && can_prune_move(node, candidate, alpha) {
            continue;
        }
        let mut child = board.clone();
        child.play_unchecked(mv);
        search.path[ply] = Some(piece_to(board, mv));
        let value = search_move(search, node, &child, candidate, alpha);
        searched += 1;
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
            if !is_noisy {
                search.history.record_cutoff(board, mv, &quiets, depth, ply, previous);
            }
            break;
        }
        if !is_noisy {
            quiets.push(mv);
        }
    }
    search.keys.pop();
    search.move_stack.truncate(first);
    if search.stopped {
        return 0;
    }
    if searched == 0 {
        return score_without_moves(node);
    }
    let bound = Bound::from_search(best, node.alpha, beta);
    search.table.store(board.hash(), best_move.or(node.hash_move), value_to_tt(best, ply), depth as i16, bound);
    best
}

/// Searches one move with late move reductions. All moves but the first get a null window first.
fn search_move(search: &mut Search<'_>, node: &Node, child: &Board, candidate: Candidate, alpha: i32) -> i32 {
    let Candidate { mv, score, is_noisy, index } = candidate;
    let (ply, depth, beta) = (node.ply + 1, node.depth - 1, node.beta);
    if index == 0 {
        return -pvs(search, child, depth, ply, -beta, -alpha);
    }
    let mut reduction = 0;
    if node.depth >= 3 && index >= 2 + i32::from(node.is_pv) && (!is_noisy || is_losing_capture(score)) {
        reduction = lmr_reduction(node.depth, index);
        reduction -= i32::from(node.is_pv) + i32::from(node.in_check) + i32::from(!child.checkers().is_empty());
        reduction += i32::from(!node.improving);
        if !is_noisy {
            let history = search.history.history_score(node.board, mv, search.previous_moves(node.ply));
            reduction -= (history / 8_192).clamp(-2, 2);
        }
        reduction = reduction.clamp(0, depth - 1);
    }
    let mut value = -pvs(search, child, depth - reduction, ply, -alpha - 1, -alpha);
    if value > alpha && reduction > 0 && !search.stopped {
        value = -pvs(search, child, depth, ply, -alpha - 1, -alpha);
    }
    if value > alpha && value < beta && !search.stopped {
        value = -pvs(search, child, depth, ply, -beta, -alpha);
    }
    value
}

/// Whether to skip a late move: a quiet one by move count, futility, history or SEE, a capture by SEE.
fn can_prune_move(node: &Node, candidate: Candidate, alpha: i32) -> bool {
    let (depth, Candidate { mv, score, is_noisy, index }) = (node.depth, candidate);
    if node.is_pv || depth > 8 || index == 0 || !has_non_pawn_material(node.board, node.board.side_to_move()) {
        return false;
    }
    if is_noisy {
        return is_losing_capture(score) && depth <= 6 && !see_at_least(node.board, mv, -90 * depth);
    }
    let max_moves = (3 + depth * depth) / if node.improving { 1 } else { 2 };
    index > max_moves
        || !node.in_check && depth <= 6 && node.static_eval + 120 + 90 * depth <= alpha
        || depth <= 3 && score < -2_500 * depth
        || depth <= 6 && !see_at_least(node.board, mv, -45 * depth)
}

/// Returns the score of a node where no move was searched: mate, stalemate, or every move filtered out.
fn score_without_moves(node: &Node) -> i32 {
    if node.board.generate_moves(|_| true) {
        evaluate(node.board)
    } else if node.in_check {
        node.ply as i32 - WIN_VALUE
    } else {
        0
    }
}

/// Whether a side has a piece other than king and pawns. Without one, zugzwang makes null moves unsound.
fn has_non_pawn_material(board: &Board, color: Color) -> bool {
    board.colors(color) != board.colored_pieces(color, Piece::Pawn) | board.colored_pieces(color, Piece::King)
}

/// Returns the late move reduction, in plies.
fn lmr_reduction(depth: i32, index: i32) -> i32 {
    let [ln_depth, ln_number] = [depth, index + 1].map(|number| u64::from(ln(number.unsigned_abs())));
    // 0.6 + ln(depth) · ln(index + 1) / 2.2
    let one = u64::from(ONE);
    ((one * 6 / 10 + ln_depth * ln_number / one * 10 / 22) / one) as i32
}

// [Quiescence search](https://www.chessprogramming.org/Quiescence_Search): resolves captures at the leaves.

/// Returns the score of a position after its captures are resolved. In check, all moves are searched.
fn quiescence(search: &mut Search<'_>, board: &Board, ply: usize, mut alpha: i32, beta: i32) -> i32 {
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
