//! The search below the root: principal variation search with what is usual to look at less of the tree. What is left out is
//! checked again by a deeper look wherever it turns out well. See <https://www.chessprogramming.org/Search>.

use cozy_chess::{Board, Color, Move, Piece};

use crate::chess::computer::evaluate::evaluate;
use crate::chess::computer::exchange::gains;
use crate::chess::computer::order::{Ranked, is_losing, is_noisy, next, step};
use crate::chess::computer::search::{BEYOND, Search, usable};
use crate::chess::computer::settle::settle;
use crate::search::alpha_beta::{SURELY, WON, to_table};
use crate::search::table::Bound;
use crate::search::whole::{ONE, logarithm};

/// A position on the way.
struct Node<'b> {
    board: &'b Board,
    depth: i32,
    ply: usize,
    /// The best that the side on turn has elsewhere, and the most that the other one will allow.
    alpha: i32,
    beta: i32,
    /// Whether its value is wanted, and not only on which side of a bound it lies.
    open: bool,
    check: bool,
    /// The value without looking ahead.
    value: i32,
    /// Whether the side on turn stands better than when it was last on turn.
    improving: bool,
    known: Option<Move>,
}

/// A move that is tried.
#[derive(Clone, Copy)]
struct Try {
    mv: Move,
    rank: i32,
    /// Whether it captures something or makes a queen.
    noisy: bool,
    /// How many were tried before it.
    nth: i32,
}

/// Returns the value of a position for the side on turn, looking so many plies ahead.
pub(super) fn descend(search: &mut Search<'_>, board: &Board, depth: i32, ply: usize, alpha: i32, beta: i32) -> i32 {
    let check = !board.checkers().is_empty();
    let depth = depth + i32::from(check);
    if depth <= 0 {
        return settle(search, board, ply, alpha, beta);
    }
    if let Some(value) = search.enter(board, ply) {
        return value;
    }
    // A mate that is nearer has been found elsewhere.
    let (alpha, beta) = (alpha.max(ply as i32 - WON), beta.min(WON - ply as i32 - 1));
    if alpha >= beta {
        return alpha;
    }
    let open = beta - alpha > 1;
    let known = search.table.get(board.hash()).copied();
    if let Some(value) = known
        .filter(|known| !open && i32::from(known.depth) >= depth)
        .and_then(|known| usable(&known, ply, alpha, beta))
    {
        return value;
    }
    let value = if check { -BEYOND } else { evaluate(board) };
    search.values[ply] = value;
    let improving = !check && (ply < 2 || value > search.values[ply - 2]);
    let known = known.and_then(|known| known.mv);
    // Without a move to try first it is sooner found by a look that is less deep.
    let depth = depth - i32::from(known.is_none() && depth >= 4);
    let node = Node { board, depth, ply, alpha, beta, open, check, value, improving, known };
    if !open
        && !check
        && search.sight.is_clear()
        && let Some(value) = without_moving(search, &node)
    {
        return value;
    }
    try_moves(search, &node)
}

/// Returns a bound that is safe without trying the moves: the side on turn stands so well that it could even pass.
fn without_moving(search: &mut Search<'_>, node: &Node) -> Option<i32> {
    let Node { board, depth, ply, beta, value, .. } = *node;
    if beta.abs() >= SURELY {
        return None;
    }
    if depth <= 8 && value - 80 * (depth - i32::from(node.improving)) >= beta {
        return Some(value);
    }
    // Hopelessly behind, only a capture can help.
    if depth <= 3 && value + 250 + 200 * depth < node.alpha {
        let settled = settle(search, board, ply, node.alpha, beta);
        if search.stopped || settled <= node.alpha {
            return Some(settled);
        }
    }
    let passed = ply > 0 && search.way[ply - 1].is_none();
    if depth < 3 || value < beta || passed || !has_pieces(board, board.side_to_move()) {
        return None;
    }
    let less = 3 + depth / 4 + ((value - beta) / 180).min(3);
    let next = board.null_move()?;
    search.way[ply] = None;
    search.keys.push(board.hash_without_ep());
    let value = -descend(search, &next, depth - less - 1, ply + 1, -beta, -beta + 1);
    search.keys.pop();
    (!search.stopped && value >= beta).then_some(if value >= SURELY { beta } else { value })
}

/// Tries the moves of a position, the most promising first.
fn try_moves(search: &mut Search<'_>, node: &Node) -> i32 {
    let Node { board, depth, ply, beta, .. } = *node;
    let begin = search.list(board, ply, node.known, false);
    let before = search.before(ply);
    search.memory.forget(ply + 2);
    search.keys.push(board.hash_without_ep());
    let (mut alpha, mut best, mut best_move) = (node.alpha, -BEYOND, None);
    let (mut tried, mut quiets): (i32, Vec<Move>) = (0, Vec::new());
    let mut at = 0;
    while let Some(Ranked { mv, rank }) = next(&mut search.stack[begin..], at) {
        at += 1;
        let noisy = is_noisy(board, mv);
        let attempt = Try { mv, rank, noisy, nth: tried };
        if best > -SURELY && is_hopeless(node, attempt, alpha) {
            continue;
        }
        let mut after = board.clone();
        after.play_unchecked(mv);
        search.way[ply] = Some(step(board, mv));
        let value = look(search, node, &after, attempt, alpha);
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
                search.memory.refuted_by(board, mv, &quiets, depth, ply, before);
            }
            break;
        }
        if !noisy {
            quiets.push(mv);
        }
    }
    search.keys.pop();
    search.stack.truncate(begin);
    if search.stopped {
        return 0;
    }
    if tried == 0 {
        return stuck(node);
    }
    let bound = match best {
        _ if best >= beta => Bound::AtLeast,
        _ if best_move.is_some() => Bound::Exact,
        _ => Bound::AtMost,
    };
    search.table.put(board.hash(), best_move.or(node.known), to_table(best, ply), depth as i16, bound);
    best
}

/// Looks into one move, the later in the list the less deep; all but the first are asked only whether they are better.
fn look(search: &mut Search<'_>, node: &Node, after: &Board, attempt: Try, alpha: i32) -> i32 {
    let Try { mv, rank, noisy, nth } = attempt;
    let (ply, depth, beta) = (node.ply + 1, node.depth - 1, node.beta);
    if nth == 0 {
        return -descend(search, after, depth, ply, -beta, -alpha);
    }
    let mut less = 0;
    if node.depth >= 3 && nth >= 2 + i32::from(node.open) && (!noisy || is_losing(rank)) {
        less = reduction(node.depth, nth);
        less -= i32::from(node.open) + i32::from(node.check) + i32::from(!after.checkers().is_empty());
        less += i32::from(!node.improving);
        if !noisy {
            less -= (search.memory.past(node.board, mv, search.before(node.ply)) / 8_192).clamp(-2, 2);
        }
        less = less.clamp(0, depth - 1);
    }
    let mut value = -descend(search, after, depth - less, ply, -alpha - 1, -alpha);
    if value > alpha && less > 0 && !search.stopped {
        value = -descend(search, after, depth, ply, -alpha - 1, -alpha);
    }
    if value > alpha && value < beta && !search.stopped {
        value = -descend(search, after, depth, ply, -beta, -alpha);
    }
    value
}

/// Tests if a late move need not be looked into: it is quiet and the position is far below what is wanted, or it loses too
/// much.
fn is_hopeless(node: &Node, attempt: Try, alpha: i32) -> bool {
    let (depth, Try { mv, rank, noisy, nth }) = (node.depth, attempt);
    if node.open || depth > 8 || nth == 0 || !has_pieces(node.board, node.board.side_to_move()) {
        return false;
    }
    if noisy {
        return is_losing(rank) && depth <= 6 && !gains(node.board, mv, -90 * depth);
    }
    let many = (3 + depth * depth) / if node.improving { 1 } else { 2 };
    nth > many
        || !node.check && depth <= 6 && node.value + 120 + 90 * depth <= alpha
        || depth <= 3 && rank < -2_500 * depth
        || depth <= 6 && !gains(node.board, mv, -45 * depth)
}

/// Returns the value of a position without a move: mate, stalemate, or no move that is seen.
fn stuck(node: &Node) -> i32 {
    if node.board.generate_moves(|_| true) {
        return evaluate(node.board);
    }
    if node.check { node.ply as i32 - WON } else { 0 }
}

/// Tests if a side has more than pawns; else passing can be better than any move.
fn has_pieces(board: &Board, side: Color) -> bool {
    board.colors(side) != board.colored_pieces(side, Piece::Pawn) | board.colored_pieces(side, Piece::King)
}

/// Returns how many plies less a move is looked into that comes so late.
fn reduction(depth: i32, nth: i32) -> i32 {
    let [deep, late] = [depth, nth + 1].map(|number| u64::from(logarithm(number.unsigned_abs())));
    // 0.6 + ln(depth) ln(number) / 2.2
    let one = u64::from(ONE);
    ((one * 6 / 10 + deep * late / one * 10 / 22) / one) as i32
}
