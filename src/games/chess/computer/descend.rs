//! The search below the root: principal variation search with what is usual to look at less of the tree. What is left out is
//! checked again by a deeper look wherever it turns out well. See <https://www.chessprogramming.org/Search>.

use cozy_chess::{Board, Color, Move, Piece};

use crate::games::chess::computer::evaluate::evaluate;
use crate::games::chess::computer::exchange::gains;
use crate::games::chess::computer::order::{Ranked, Step, is_losing, is_noisy, next, step};
use crate::games::chess::computer::search::{BEYOND, PLIES, PULSE, Progress, Search};
use crate::games::chess::game::is_insufficient;
use crate::search::alpha_beta::{SURELY, WON, from_table, to_table};
use crate::search::table::{Bound, Known};
use crate::search::whole::{ONE, logarithm};

/// The plies without a capture or a pawn's move after which nobody can hope for more than a draw.
const DRAWN: u8 = 100;

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

impl Search<'_> {
    /// Returns the value of a position for the side on turn, looking so many plies ahead.
    pub(super) fn descend(&mut self, board: &Board, depth: i32, ply: usize, alpha: i32, beta: i32) -> i32 {
        let check = !board.checkers().is_empty();
        let depth = depth + i32::from(check);
        if depth <= 0 {
            return self.settle(board, ply, alpha, beta);
        }
        if let Some(value) = self.enter(board, ply) {
            return value;
        }
        // A mate that is nearer has been found elsewhere.
        let (alpha, beta) = (alpha.max(ply as i32 - WON), beta.min(WON - ply as i32 - 1));
        if alpha >= beta {
            return alpha;
        }
        let open = beta - alpha > 1;
        let known = self.table.get(board.hash()).copied();
        if let Some(value) = known
            .filter(|known| !open && i32::from(known.depth) >= depth)
            .and_then(|known| usable(&known, ply, alpha, beta))
        {
            return value;
        }
        let value = if check { -BEYOND } else { self.evaluate(board) };
        self.values[ply] = value;
        let improving = !check && (ply < 2 || value > self.values[ply - 2]);
        let known = known.and_then(|known| known.mv);
        // Without a move to try first it is sooner found by a look that is less deep.
        let depth = depth - i32::from(known.is_none() && depth >= 4);
        let node = Node { board, depth, ply, alpha, beta, open, check, value, improving, known };
        if !open
            && !check
            && self.sight.is_clear()
            && let Some(value) = self.without_moving(&node)
        {
            return value;
        }
        self.try_moves(&node)
    }

    /// Counts a position. Returns its value where nothing is to be looked into: the search is stopped, or the game is drawn.
    pub(super) fn enter(&mut self, board: &Board, ply: usize) -> Option<i32> {
        self.nodes += 1;
        if self.nodes >= self.limit
            || self.nodes.is_multiple_of(PULSE) && (self.watch)(Progress { nodes: self.nodes, found: None })
        {
            self.stopped = true;
        }
        if self.stopped {
            return Some(self.evaluate(board));
        }
        if is_insufficient(board) || self.is_repeated(board) {
            return Some(0);
        }
        if board.halfmove_clock() >= DRAWN && (board.checkers().is_empty() || board.generate_moves(|_| true)) {
            return Some(0);
        }
        (ply >= PLIES).then(|| self.evaluate(board))
    }

    /// Returns the value without looking ahead.
    pub(super) fn evaluate(&self, board: &Board) -> i32 {
        evaluate(board)
    }

    /// Tests if a position has been on the way from the root before, or twice in the game.
    fn is_repeated(&self, board: &Board) -> bool {
        let (key, mut times) = (board.hash_without_ep(), 0);
        let reach = usize::from(board.halfmove_clock()).min(self.keys.len());
        let mut back = 4;
        while back <= reach {
            let at = self.keys.len() - back;
            if self.keys[at] == key {
                times += 1;
                if at >= self.past || times == 2 {
                    return true;
                }
            }
            back += 2;
        }
        false
    }

    /// Returns a bound that is safe without trying the moves: the side on turn stands so well that it could even pass.
    fn without_moving(&mut self, node: &Node) -> Option<i32> {
        let Node { board, depth, ply, beta, value, .. } = *node;
        if beta.abs() >= SURELY {
            return None;
        }
        if depth <= 8 && value - 80 * (depth - i32::from(node.improving)) >= beta {
            return Some(value);
        }
        // Hopelessly behind, only a capture can help.
        if depth <= 3 && value + 250 + 200 * depth < node.alpha {
            let settled = self.settle(board, ply, node.alpha, beta);
            if self.stopped || settled <= node.alpha {
                return Some(settled);
            }
        }
        let passed = ply > 0 && self.way[ply - 1].is_none();
        if depth < 3 || value < beta || passed || !has_pieces(board, board.side_to_move()) {
            return None;
        }
        let less = 3 + depth / 4 + ((value - beta) / 180).min(3);
        let next = board.null_move()?;
        self.way[ply] = None;
        self.keys.push(board.hash_without_ep());
        let value = -self.descend(&next, depth - less - 1, ply + 1, -beta, -beta + 1);
        self.keys.pop();
        (!self.stopped && value >= beta).then_some(if value >= SURELY { beta } else { value })
    }

    /// Tries the moves of a position, the most promising first.
    fn try_moves(&mut self, node: &Node) -> i32 {
        let Node { board, depth, ply, beta, .. } = *node;
        let begin = self.list(board, ply, node.known, false);
        let before = self.before(ply);
        self.memory.forget(ply + 2);
        self.keys.push(board.hash_without_ep());
        let (mut alpha, mut best, mut best_move) = (node.alpha, -BEYOND, None);
        let (mut tried, mut quiets): (i32, Vec<Move>) = (0, Vec::new());
        let mut at = 0;
        while let Some(Ranked { mv, rank }) = next(&mut self.stack[begin..], at) {
            at += 1;
            let noisy = is_noisy(board, mv);
            let attempt = Try { mv, rank, noisy, nth: tried };
            if best > -SURELY && self.is_hopeless(node, attempt, alpha) {
                continue;
            }
            let mut after = board.clone();
            after.play_unchecked(mv);
            self.way[ply] = Some(step(board, mv));
            let value = self.look(node, &after, attempt, alpha);
            tried += 1;
            if self.stopped {
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
                    self.memory.refuted_by(board, mv, &quiets, depth, ply, before);
                }
                break;
            }
            if !noisy {
                quiets.push(mv);
            }
        }
        self.keys.pop();
        self.stack.truncate(begin);
        if self.stopped {
            return 0;
        }
        if tried == 0 {
            return self.stuck(node);
        }
        let bound = match best {
            _ if best >= beta => Bound::AtLeast,
            _ if best_move.is_some() => Bound::Exact,
            _ => Bound::AtMost,
        };
        self.table.put(board.hash(), best_move.or(node.known), to_table(best, ply), depth as i16, bound);
        best
    }

    /// Looks into one move, the later in the list the less deep; all but the first are asked only whether they are better.
    fn look(&mut self, node: &Node, after: &Board, attempt: Try, alpha: i32) -> i32 {
        let Try { mv, rank, noisy, nth } = attempt;
        let (ply, depth, beta) = (node.ply + 1, node.depth - 1, node.beta);
        if nth == 0 {
            return -self.descend(after, depth, ply, -beta, -alpha);
        }
        let mut less = 0;
        if node.depth >= 3 && nth >= 2 + i32::from(node.open) && (!noisy || is_losing(rank)) {
            less = reduction(node.depth, nth);
            less -= i32::from(node.open) + i32::from(node.check) + i32::from(!after.checkers().is_empty());
            less += i32::from(!node.improving);
            if !noisy {
                less -= (self.memory.past(node.board, mv, self.before(node.ply)) / 8_192).clamp(-2, 2);
            }
            less = less.clamp(0, depth - 1);
        }
        let mut value = -self.descend(after, depth - less, ply, -alpha - 1, -alpha);
        if value > alpha && less > 0 && !self.stopped {
            value = -self.descend(after, depth, ply, -alpha - 1, -alpha);
        }
        if value > alpha && value < beta && !self.stopped {
            value = -self.descend(after, depth, ply, -beta, -alpha);
        }
        value
    }

    /// Tests if a late move need not be looked into: it is quiet and the position is far below what is wanted, or it loses too
    /// much.
    fn is_hopeless(&self, node: &Node, attempt: Try, alpha: i32) -> bool {
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

    /// Adds the moves of a position to the stack, those that are seen, and returns where they begin.
    pub(super) fn list(&mut self, board: &Board, ply: usize, known: Option<Move>, noisy_only: bool) -> usize {
        let begin = self.stack.len();
        let (stack, sight) = (&mut self.stack, self.sight);
        let targets = board.colors(!board.side_to_move());
        board.generate_moves(|mut from| {
            if noisy_only && from.piece != Piece::Pawn {
                from.to &= targets;
            }
            stack.extend(from.into_iter().map(|mv| Ranked { mv, rank: 0 }));
            false
        });
        if noisy_only {
            retain(stack, begin, |mv| is_noisy(board, mv));
        }
        if !sight.is_clear() {
            let before = ply.checked_sub(1).and_then(|at| self.way[at]);
            retain(stack, begin, |mv| sight.sees(board, mv, before));
        }
        let before = self.before(ply);
        self.memory.rank(board, &mut self.stack[begin..], known, ply, before);
        begin
    }

    /// Returns the two last steps on the way to a ply.
    fn before(&self, ply: usize) -> [Option<Step>; 2] {
        [1, 2].map(|back| ply.checked_sub(back).and_then(|at| self.way[at]))
    }

    /// Returns the value of a position without a move: mate, stalemate, or no move that is seen.
    fn stuck(&self, node: &Node) -> i32 {
        if node.board.generate_moves(|_| true) {
            return self.evaluate(node.board);
        }
        if node.check { node.ply as i32 - WON } else { 0 }
    }
}

/// Keeps the moves of a list from `begin` on that pass a test.
fn retain(stack: &mut Vec<Ranked>, begin: usize, keep: impl Fn(Move) -> bool) {
    let mut end = begin;
    for at in begin..stack.len() {
        if keep(stack[at].mv) {
            stack[end] = stack[at];
            end += 1;
        }
    }
    stack.truncate(end);
}

/// Returns the value that the table knows, if it settles the question.
pub(super) fn usable(known: &Known<Move>, ply: usize, alpha: i32, beta: i32) -> Option<i32> {
    let value = from_table(known.value, ply);
    let enough = match known.bound {
        Bound::Exact => true,
        Bound::AtLeast => value >= beta,
        Bound::AtMost => value <= alpha,
    };
    enough.then_some(value)
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
