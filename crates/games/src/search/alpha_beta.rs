//! Alpha-beta search with iterative deepening, limited by a number of nodes.
//!
//! A game implements [`SearchPosition`]: it lists, plays and takes back moves, and provides a hash key and a static
//! evaluation. [`search`] adds principal variation search, a transposition table, and move ordering by hash move,
//! killer moves and history. See <https://www.chessprogramming.org/Alpha-Beta> and the pages it links to.
//!
//! The side to move alternates at every ply. A side that has to pass plays a move that means "pass".

use crate::Random;
use crate::search::{Bound, TableEntry, TranspositionTable, sort_by_key};

/// The value of an immediate win. A win in n plies is worth n less. Static evaluations stay far below it.
pub const WIN_VALUE: i32 = 1_000_000;
/// The smallest value of a proven win.
pub const PROVEN_WIN: i32 = WIN_VALUE - 1_000;
/// The largest search depth in plies.
pub(crate) const MAX_PLY: i16 = 200;
/// A bound beyond every value.
const INFINITY: i32 = WIN_VALUE + 1;

/// The search parameters of a game.
pub struct Tuning {
    /// The number of different [`SearchPosition::history_slot`]s.
    pub history_slots: usize,
    /// The number of moves at a node that are searched to full depth before late move reductions start.
    pub lmr_after: usize,
    /// The number of moves at a node after which late moves are reduced by one more ply, unless little depth is left.
    pub lmr_deeper_after: usize,
    /// Whether a forced ply extends the search by one ply. If not, the search still never evaluates a position in which
    /// the side to move is forced.
    pub extends_forced: bool,
}

impl Tuning {
    /// Returns parameters without late move reductions.
    pub const fn without_lmr(history_slots: usize) -> Tuning {
        Tuning { history_slots, lmr_after: usize::MAX, lmr_deeper_after: usize::MAX, extends_forced: true }
    }
}

/// A position that can be searched.
pub trait SearchPosition {
    /// A move, in a compact form.
    type Move: Copy + PartialEq;
    /// The data that takes back a move. For small positions, it's the previous position.
    type Undo;

    /// The search parameters of this game.
    const TUNING: Tuning;

    /// Adds the moves to search, in the order in which to try them. May leave out a move that can't be better than
    /// the others. Adds nothing once the game is over.
    fn moves(&self, found: &mut Vec<Self::Move>);

    /// Adds the moves that quiescence search tries, such as captures.
    fn noisy_moves(&self, _found: &mut Vec<Self::Move>) {}

    /// Returns the history index of a move, below [`Tuning::history_slots`]: its cell, or its source and target.
    fn history_slot(mv: Self::Move) -> usize;

    /// Plays one of the moves.
    fn play(&mut self, mv: Self::Move) -> Self::Undo;

    /// Takes back the last move.
    fn undo(&mut self, undo: Self::Undo);

    /// Returns -1 if the side to move has lost, 0 for a draw, 1 if it has won; `None` if the game isn't over.
    fn game_result(&self) -> Option<i32>;

    /// Returns the static evaluation for the side to move, far from [`PROVEN_WIN`].
    fn evaluate(&self) -> i32;

    /// Returns the worst and the best result that the side to move can still get, as in
    /// [`SearchPosition::game_result`].
    fn result_bounds(&self) -> (i32, i32) {
        (-1, 1)
    }

    /// Returns a hash key of the position, including the side to move, with uniformly distributed bits.
    fn key(&self) -> u64;

    /// Whether the side to move has so few choices that the search continues: it is in check, or must capture.
    fn is_forced(&self) -> bool {
        false
    }

    /// Returns the largest change of the evaluation to expect from one ply, for futility pruning; 0 turns pruning off.
    fn futility_margin(&self) -> i32 {
        0
    }

    /// Returns the most plies that the game can still last. A search that deep is complete.
    fn plies_left(&self) -> i16 {
        MAX_PLY
    }
}

/// The limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most nodes.
    pub nodes: u64,
    /// The most plies ahead.
    pub depth: i16,
    /// The search computes the exact values of moves that are worse than the best by at most this much.
    pub margin: i32,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchResult<M> {
    /// The moves with their values, the best first. The value of a move that is worse than the best by more than the
    /// margin is only an upper bound.
    pub moves: Vec<(M, i32)>,
    /// The number of nodes searched.
    pub nodes: u64,
    /// The depth of the last complete iteration, in plies.
    pub depth: i16,
}

impl<M: Copy> SearchResult<M> {
    /// Picks a random move within the margin of the best one, with better moves more likely.
    ///
    /// It always picks the best move if that is a proven win or the margin is 0.
    pub fn pick(&self, margin: i32, random: &mut Random) -> Option<(M, i32)> {
        let &(_, best) = self.moves.first()?;
        let margin = if best >= PROVEN_WIN { 0 } else { margin };
        let candidates = self.moves.iter().filter(|(_, value)| *value >= best.saturating_sub(margin));
        // On a tie the earlier move wins, and the best move is the first.
        let noise = |random: &mut Random| i32::try_from(random.below(margin as usize + 1)).unwrap_or_default();
        let mut picked: Option<(i32, (M, i32))> = None;
        for &(mv, value) in candidates {
            let noisy_value = value + noise(random);
            if picked.is_none_or(|(other, _)| noisy_value > other) {
                picked = Some((noisy_value, (mv, value)));
            }
        }
        picked.map(|(_, choice)| choice)
    }
}

/// Searches these moves of a position and returns them, the best first. Moves of equal value come in random order.
pub fn search<P: SearchPosition>(
    position: &mut P,
    root_moves: Vec<P::Move>,
    limits: Limits,
    random: &mut Random,
) -> SearchResult<P::Move> {
    search_with(position, root_moves, limits, random, &mut TranspositionTable::for_nodes(limits.nodes))
}

/// Searches as [`search`] does, with the table of earlier searches, and updates that.
pub(crate) fn search_with<P: SearchPosition>(
    position: &mut P,
    mut root_moves: Vec<P::Move>,
    limits: Limits,
    random: &mut Random,
    table: &mut TranspositionTable<P::Move>,
) -> SearchResult<P::Move> {
    let mut search = Search {
        position,
        table,
        killers: Vec::new(),
        history: vec![0; P::TUNING.history_slots],
        stack: Vec::new(),
        nodes: 0,
        node_limit: limits.nodes,
        stopped: false,
    };
    for last in (1..root_moves.len()).rev() {
        root_moves.swap(last, random.below(last + 1));
    }
    let mut moves: Vec<(P::Move, i32)> = root_moves.into_iter().map(|mv| (mv, -INFINITY)).collect();
    let mut completed_depth = 0;
    let max_depth = limits.depth.min(search.position.plies_left()).min(MAX_PLY);
    for depth in 1..=max_depth {
        if !search.search_root(&mut moves, depth, limits.margin) {
            break;
        }
        completed_depth = depth;
        // A proven result stays proven, and no shallower win is left.
        let is_decided = moves.first().is_none_or(|(_, best)| best.abs() >= WIN_VALUE - i32::from(depth));
        if is_decided || search.stopped {
            break;
        }
    }
    // The search of an earlier position starts with this.
    if let Some(&(mv, value)) = moves.first() {
        search.table.store(search.position.key(), Some(mv), value, completed_depth, Bound::Exact);
    }
    SearchResult { moves, nodes: search.nodes, depth: completed_depth }
}

/// Sorts the root moves after an iteration that may have run out of nodes.
///
/// It searched the first `searched_count` moves; the others keep their values from the iteration before. They rank after
/// the searched ones, unless every searched move is a proven loss.
pub(crate) fn rank_root_moves<M>(moves: &mut [(M, i32)], searched_count: usize, margin: i32) {
    let (searched, unsearched) = moves.split_at_mut(searched_count);
    sort_by_key(searched, |(_, value)| -value);
    let best = searched.first().map_or(-INFINITY, |(_, value)| *value);
    if best > -PROVEN_WIN {
        unsearched.iter_mut().for_each(|(_, value)| *value = (*value).min(best.saturating_sub(margin) - 1));
    } else {
        sort_by_key(moves, |(_, value)| -value);
    }
}

struct Search<'a, P: SearchPosition> {
    position: &'a mut P,
    table: &'a mut TranspositionTable<P::Move>,
    /// The killer moves: for each ply, the last two moves that caused a beta cutoff.
    killers: Vec<[Option<P::Move>; 2]>,
    /// The history scores: how often moves with this index caused a cutoff, weighted by depth.
    history: Vec<i32>,
    /// The moves of all nodes on the current path, one list after another.
    stack: Vec<P::Move>,
    nodes: u64,
    node_limit: u64,
    stopped: bool,
}

impl<P: SearchPosition> Search<'_, P> {
    /// Searches all root moves to a depth and sorts them. Returns whether it completed any.
    fn search_root(&mut self, moves: &mut [(P::Move, i32)], depth: i16, margin: i32) -> bool {
        let mut best = -INFINITY;
        let mut searched = 0;
        for (mv, last_value) in moves.iter_mut() {
            let alpha = (best.saturating_sub(margin) - 1).max(-INFINITY);
            let undo = self.position.play(*mv);
            let mut value = if searched == 0 { INFINITY } else { -self.negamax(depth - 1, 1, -alpha - 1, -alpha) };
            if searched == 0 || value > alpha && !self.stopped {
                value = -self.negamax(depth - 1, 1, -INFINITY, -alpha);
            }
            self.position.undo(undo);
            // Always finish the first iteration, so that there is a result.
            if self.stopped && depth > 1 {
                break;
            }
            *last_value = value;
            best = best.max(value);
            searched += 1;
        }
        if searched == 0 {
            return false;
        }
        rank_root_moves(moves, searched, margin);
        true
    }

    /// Returns the value of the position for the side to move, searched to `depth` plies.
    fn negamax(&mut self, depth: i16, ply: usize, alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        if let Some(result) = self.position.game_result() {
            return result * (WIN_VALUE - ply as i32);
        }
        if self.nodes >= self.node_limit {
            self.stopped = true;
        }
        match self.position.result_bounds() {
            (0, _) if beta <= 0 => return 0,
            (_, 0) if alpha >= 0 => return 0,
            _ => {}
        }
        let forced = self.position.is_forced();
        let depth = if !forced {
            depth
        } else if P::TUNING.extends_forced {
            depth + 1
        } else {
            depth.max(1)
        };
        if self.stopped || ply >= MAX_PLY as usize {
            return self.position.evaluate();
        }
        if depth <= 0 {
            return self.quiescence(ply, alpha, beta);
        }
        self.search_moves(depth, ply, alpha, beta, forced)
    }

    /// Searches the moves of a position, unless the table or the static evaluation has its value.
    fn search_moves(&mut self, depth: i16, ply: usize, mut alpha: i32, beta: i32, forced: bool) -> i32 {
        let key = self.position.key();
        let entry = self.table.probe(key).copied();
        if let Some(entry) = entry
            && entry.depth >= depth
            && let Some(value) = table_cutoff(&entry, ply, alpha, beta)
        {
            return value;
        }
        if !forced && let Some(value) = self.futility_cutoff(depth, alpha, beta) {
            return value;
        }
        let begin = self.stack.len();
        self.position.moves(&mut self.stack);
        self.order_moves(begin, ply, entry.and_then(|entry| entry.mv));
        let (original_alpha, mut best, mut best_move) = (alpha, -INFINITY, None);
        for at in begin..self.stack.len() {
            let mv = self.stack[at];
            let undo = self.position.play(mv);
            let mut value = beta;
            if at - begin >= P::TUNING.lmr_after && depth > 2 && !forced {
                let late = at - begin >= P::TUNING.lmr_deeper_after && depth > 3;
                value = -self.negamax(depth - 2 - i16::from(late), ply + 1, -alpha - 1, -alpha);
            }
            // Principal variation search: a null window for all moves but the first.
            if value > alpha && at > begin && beta - alpha > 1 {
                value = -self.negamax(depth - 1, ply + 1, -alpha - 1, -alpha);
            }
            if value > alpha {
                value = -self.negamax(depth - 1, ply + 1, -beta, -alpha);
            }
            self.position.undo(undo);
            if self.stopped {
                break;
            }
            if value > best {
                (best, best_move) = (value, Some(mv));
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                self.record_cutoff(mv, ply, depth);
                break;
            }
        }
        self.stack.truncate(begin);
        if self.stopped || best_move.is_none() {
            return best.max(-WIN_VALUE);
        }
        self.table.store(key, best_move, value_to_tt(best, ply), depth, Bound::from_search(best, original_alpha, beta));
        best
    }

    /// Returns the static evaluation if it is so far outside the window that the remaining depth can hardly change the
    /// outcome: futility pruning, and reverse futility pruning.
    ///
    /// The side to move can still improve its position, so the lower margin is larger.
    fn futility_cutoff(&self, depth: i16, alpha: i32, beta: i32) -> Option<i32> {
        let margin = self.position.futility_margin() * i32::from(depth);
        if margin == 0 || depth > 3 || beta - alpha > 1 || alpha <= -PROVEN_WIN || beta >= PROVEN_WIN {
            return None;
        }
        let value = self.position.evaluate();
        let is_outside = value - margin >= beta || depth < 3 && value + 2 * margin <= alpha;
        if is_outside { Some(value) } else { None }
    }

    /// Searches noisy moves until the position is quiet.
    fn quiescence(&mut self, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        let mut best = self.position.evaluate();
        let begin = self.stack.len();
        if best < beta && ply < MAX_PLY as usize {
            self.position.noisy_moves(&mut self.stack);
        }
        alpha = alpha.max(best);
        for at in begin..self.stack.len() {
            let undo = self.position.play(self.stack[at]);
            self.nodes += 1;
            let value = match self.position.game_result() {
                Some(result) => -result * (WIN_VALUE - ply as i32 - 1),
                None => -self.quiescence(ply + 1, -beta, -alpha),
            };
            self.position.undo(undo);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        self.stack.truncate(begin);
        best
    }

    /// Sorts the moves of a node in the order in which to search them.
    fn order_moves(&mut self, begin: usize, ply: usize, hash_move: Option<P::Move>) {
        let killers = self.killers.get(ply).copied().unwrap_or_default();
        let history = &self.history;
        let rank = |mv: &P::Move| match Some(*mv) {
            mv if mv == hash_move => i32::MIN,
            mv if killers.contains(&mv) => i32::MIN + 1,
            _ => history.get(P::history_slot(*mv)).map_or(0, |score| -score),
        };
        // The sort is stable, so ties keep the game's order.
        sort_by_key(&mut self.stack[begin..], rank);
    }

    /// Records a move that caused a beta cutoff as a killer move and in the history.
    fn record_cutoff(&mut self, mv: P::Move, ply: usize, depth: i16) {
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let [first, second] = &mut self.killers[ply];
        if *first != Some(mv) {
            *second = first.replace(mv);
        }
        if let Some(score) = self.history.get_mut(P::history_slot(mv)) {
            *score += i32::from(depth) * i32::from(depth);
            if *score > 1 << 20 {
                self.history.iter_mut().for_each(|score| *score /= 2);
            }
        }
    }
}

/// Converts a value for the transposition table, which counts the plies to a win from the stored position.
pub(crate) fn value_to_tt(value: i32, ply: usize) -> i32 {
    let plies = if value.abs() >= PROVEN_WIN { ply as i32 } else { 0 };
    value + plies * value.signum()
}

/// Converts a value from the transposition table to the current ply.
fn value_from_tt(value: i32, ply: usize) -> i32 {
    let plies = if value.abs() >= PROVEN_WIN { ply as i32 } else { 0 };
    value - plies * value.signum()
}

/// Returns the value of a table entry if it causes a cutoff in this window.
pub(crate) fn table_cutoff<M>(entry: &TableEntry<M>, ply: usize, alpha: i32, beta: i32) -> Option<i32> {
    let value = value_from_tt(entry.value, ply);
    let is_cutoff = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => value >= beta,
        Bound::Upper => value <= alpha,
    };
    if is_cutoff { Some(value) } else { None }
}
