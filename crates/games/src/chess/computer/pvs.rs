//! The search below the root: principal variation search with what is usual to look at less of the tree. What is left out is
//! checked again by a deeper look wherever it turns out well. See <https://www.chessprogramming.org/Search>.

use cozy_chess::{Board, Color, Move, Piece};

use crate::chess::computer::evaluate::evaluate;
use crate::chess::computer::move_ordering::{ScoredMove, is_losing_capture, is_noisy, pick_next, piece_to};
use crate::chess::computer::quiescence::quiescence;
use crate::chess::computer::search::{INFINITY, Search, table_cutoff};
use crate::chess::computer::see::see_at_least;
use crate::search::alpha_beta::{PROVEN_WIN, WIN_VALUE, value_to_tt};
use crate::search::fixed_point::{ONE, ln};
use crate::search::transposition_table::Bound;

/// A position on the way.
struct Node<'b> {
    board: &'b Board,
    depth: i32,
    ply: usize,
    /// The best that the side on turn has elsewhere, and the most that the other one will allow.
    alpha: i32,
    beta: i32,
    /// Whether its value is wanted, and not only on which side of a bound it lies.
    is_pv: bool,
    in_check: bool,
    /// The value without looking ahead.
    static_eval: i32,
    /// Whether the side on turn stands better than when it was last on turn.
    improving: bool,
    hash_move: Option<Move>,
}

/// A move that is tried.
#[derive(Clone, Copy)]
struct Candidate {
    mv: Move,
    score: i32,
    /// Whether it captures something or makes a queen.
    is_noisy: bool,
    /// How many were tried before it.
    index: i32,
}

/// Returns the value of a position for the side on turn, looking so many plies ahead.
pub(super) fn pvs(search: &mut Search<'_>, board: &Board, depth: i32, ply: usize, alpha: i32, beta: i32) -> i32 {
    let check = !board.checkers().is_empty();
    let depth = depth + i32::from(check);
    if depth <= 0 {
        return quiescence(search, board, ply, alpha, beta);
    }
    if let Some(value) = search.visit_node(board, ply) {
        return value;
    }
    // A mate that is nearer has been found elsewhere.
    let (alpha, beta) = (alpha.max(ply as i32 - WIN_VALUE), beta.min(WIN_VALUE - ply as i32 - 1));
    if alpha >= beta {
        return alpha;
    }
    let open = beta - alpha > 1;
    let known = search.table.probe(board.hash()).copied();
    if let Some(value) = known
        .filter(|known| !open && i32::from(known.depth) >= depth)
        .and_then(|known| table_cutoff(&known, ply, alpha, beta))
    {
        return value;
    }
    let value = if check { -INFINITY } else { evaluate(board) };
    search.static_evals[ply] = value;
    let improving = !check && (ply < 2 || value > search.static_evals[ply - 2]);
    let known = known.and_then(|known| known.mv);
    // Without a move to try first it is sooner found by a look that is less deep.
    let depth = depth - i32::from(known.is_none() && depth >= 4);
    let node = Node {
        board,
        depth,
        ply,
        alpha,
        beta,
        is_pv: open,
        in_check: check,
        static_eval: value,
        improving,
        hash_move: known,
    };
    if !open
        && !check
        && search.filter.considers_all()
        && let Some(value) = prune_node(search, &node)
    {
        return value;
    }
    search_moves(search, &node)
}

/// Returns a bound that is safe without trying the moves: the side on turn stands so well that it could even pass.
fn prune_node(search: &mut Search<'_>, node: &Node) -> Option<i32> {
    let Node { board, depth, ply, beta, static_eval: value, .. } = *node;
    if beta.abs() >= PROVEN_WIN {
        return None;
    }
    if depth <= 8 && value - 80 * (depth - i32::from(node.improving)) >= beta {
        return Some(value);
    }
    // Hopelessly behind, only a capture can help.
    if depth <= 3 && value + 250 + 200 * depth < node.alpha {
        let settled = quiescence(search, board, ply, node.alpha, beta);
        if search.stopped || settled <= node.alpha {
            return Some(settled);
        }
    }
    let passed = ply > 0 && search.path[ply - 1].is_none();
    if depth < 3 || value < beta || passed || !has_non_pawn_material(board, board.side_to_move()) {
        return None;
    }
    let less = 3 + depth / 4 + ((value - beta) / 180).min(3);
    let next = board.null_move()?;
    search.path[ply] = None;
    search.keys.push(board.hash_without_ep());
    let value = -pvs(search, &next, depth - less - 1, ply + 1, -beta, -beta + 1);
    search.keys.pop();
    (!search.stopped && value >= beta).then_some(if value >= PROVEN_WIN { beta } else { value })
}

/// Tries the moves of a position, the most promising first.
fn search_moves(search: &mut Search<'_>, node: &Node) -> i32 {
    let Node { board, depth, ply, beta, .. } = *node;
    let begin = search.push_moves(board, ply, node.hash_move, false);
    let before = search.previous_moves(ply);
    search.history.clear_killers(ply + 2);
    search.keys.push(board.hash_without_ep());
    let (mut alpha, mut best, mut best_move) = (node.alpha, -INFINITY, None);
    let (mut tried, mut quiets): (i32, Vec<Move>) = (0, Vec::new());
    let mut at = 0;
    while let Some(ScoredMove { mv, score: rank }) = pick_next(&mut search.move_stack[begin..], at) {
        at += 1;
        let noisy = is_noisy(board, mv);
        let attempt = Candidate { mv, score: rank, is_noisy: noisy, index: tried };
        if best > -PROVEN_WIN && can_prune_move(node, attempt, alpha) {
            continue;
        }
        let mut after = board.clone();
        after.play_unchecked(mv);
        search.path[ply] = Some(piece_to(board, mv));
        let value = search_move(search, node, &after, attempt, alpha);
        tried += 1;
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
            if !noisy {
                search.history.record_cutoff(board, mv, &quiets, depth, ply, before);
            }
            break;
        }
        if !noisy {
            quiets.push(mv);
        }
    }
    search.keys.pop();
    search.move_stack.truncate(begin);
    if search.stopped {
        return 0;
    }
    if tried == 0 {
        return score_without_moves(node);
    }
    let bound = match best {
        _ if best >= beta => Bound::Lower,
        _ if best_move.is_some() => Bound::Exact,
        _ => Bound::Upper,
    };
    search.table.store(board.hash(), best_move.or(node.hash_move), value_to_tt(best, ply), depth as i16, bound);
    best
}

/// Looks into one move, the later in the list the less deep; all but the first are asked only whether they are better.
fn search_move(search: &mut Search<'_>, node: &Node, after: &Board, attempt: Candidate, alpha: i32) -> i32 {
    let Candidate { mv, score: rank, is_noisy: noisy, index: nth } = attempt;
    let (ply, depth, beta) = (node.ply + 1, node.depth - 1, node.beta);
    if nth == 0 {
        return -pvs(search, after, depth, ply, -beta, -alpha);
    }
    let mut less = 0;
    if node.depth >= 3 && nth >= 2 + i32::from(node.is_pv) && (!noisy || is_losing_capture(rank)) {
        less = lmr_reduction(node.depth, nth);
        less -= i32::from(node.is_pv) + i32::from(node.in_check) + i32::from(!after.checkers().is_empty());
        less += i32::from(!node.improving);
        if !noisy {
            less -=
                (search.history.history_score(node.board, mv, search.previous_moves(node.ply)) / 8_192).clamp(-2, 2);
        }
        less = less.clamp(0, depth - 1);
    }
    let mut value = -pvs(search, after, depth - less, ply, -alpha - 1, -alpha);
    if value > alpha && less > 0 && !search.stopped {
        value = -pvs(search, after, depth, ply, -alpha - 1, -alpha);
    }
    if value > alpha && value < beta && !search.stopped {
        value = -pvs(search, after, depth, ply, -beta, -alpha);
    }
    value
}

/// Tests if a late move need not be looked into: it is quiet and the position is far below what is wanted, or it loses too
/// much.
fn can_prune_move(node: &Node, attempt: Candidate, alpha: i32) -> bool {
    let (depth, Candidate { mv, score: rank, is_noisy: noisy, index: nth }) = (node.depth, attempt);
    if node.is_pv || depth > 8 || nth == 0 || !has_non_pawn_material(node.board, node.board.side_to_move()) {
        return false;
    }
    if noisy {
        return is_losing_capture(rank) && depth <= 6 && !see_at_least(node.board, mv, -90 * depth);
    }
    let many = (3 + depth * depth) / if node.improving { 1 } else { 2 };
    nth > many
        || !node.in_check && depth <= 6 && node.static_eval + 120 + 90 * depth <= alpha
        || depth <= 3 && rank < -2_500 * depth
        || depth <= 6 && !see_at_least(node.board, mv, -45 * depth)
}

/// Returns the value of a position without a move: mate, stalemate, or no move that is seen.
fn score_without_moves(node: &Node) -> i32 {
    if node.board.generate_moves(|_| true) {
        return evaluate(node.board);
    }
    if node.in_check { node.ply as i32 - WIN_VALUE } else { 0 }
}

/// Tests if a side has more than pawns; else passing can be better than any move.
fn has_non_pawn_material(board: &Board, side: Color) -> bool {
    board.colors(side) != board.colored_pieces(side, Piece::Pawn) | board.colored_pieces(side, Piece::King)
}

/// Returns how many plies less a move is looked into that comes so late.
fn lmr_reduction(depth: i32, nth: i32) -> i32 {
    let [deep, late] = [depth, nth + 1].map(|number| u64::from(ln(number.unsigned_abs())));
    // 0.6 + ln(depth) ln(number) / 2.2
    let one = u64::from(ONE);
    ((one * 6 / 10 + deep * late / one * 10 / 22) / one) as i32
}
