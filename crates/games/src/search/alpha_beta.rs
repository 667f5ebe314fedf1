//! Alpha-beta: looks ahead for both sides, deeper and deeper, as far as a number of nodes allows.
//!
//! A game plugs in by a type that is its [`SearchPosition`]: how it lists, plays and takes back moves, a key, and a value for
//! positions that are not looked into any further. [`search`] does the rest: iterative deepening with a window around the best
//! move, a table of positions met before, and moves tried in the order in which they were good elsewhere (the one in the
//! table, killers, history). See <https://www.chessprogramming.org/Alpha-Beta> and the pages around it.
//!
//! Turns alternate at every ply. A side that has to pass plays a move that says so.

use crate::search::order;
use crate::search::random::Random;
use crate::search::transposition_table::{Bound, TranspositionTable};

/// The value of a position that is won at once; one that is won n plies later is worth n less. No other value comes near.
pub const WIN_VALUE: i32 = 1_000_000;
/// The least value of a position that is known to be won.
pub const PROVEN_WIN: i32 = WIN_VALUE - 1_000;
/// The most plies that are looked ahead.
pub const MAX_PLY: i16 = 200;
/// More than any value.
const BEYOND: i32 = WIN_VALUE + 1;

/// What a search has to know of all positions of a game.
pub struct Tuning {
    /// The number of different [`SearchPosition::history_slot`]s.
    pub history_slots: usize,
    /// The moves of a ply after which the others are looked into less deeply, unless one turns out to be better: as many moves
    /// as are rarely outdone by a later one.
    pub lmr_after: usize,
    /// The moves of a ply after which the others are looked into less deeply by one ply more, unless few plies are left.
    pub lmr_deeper_after: usize,
    /// Whether a forced ply costs nothing. Where it does, no position is valued yet in which the side on turn is forced.
    pub extends_forced: bool,
}

impl Tuning {
    /// Returns the tuning of a game of which only the number of places is known.
    pub const fn without_lmr(places: usize) -> Tuning {
        Tuning { history_slots: places, lmr_after: usize::MAX, lmr_deeper_after: usize::MAX, extends_forced: true }
    }
}

/// A position as a search sees it.
pub trait SearchPosition {
    /// A move: a small number, or a few of them.
    type Move: Copy + PartialEq;
    /// What it takes to take a move back; where positions are small, the position before.
    type Undo;

    /// What the search has to know of all positions.
    const TUNING: Tuning;

    /// Adds the moves that are to be tried, the most promising first where that is known. They may leave out any that cannot
    /// be better than those that are there. None once the game is over.
    fn moves(&self, found: &mut Vec<Self::Move>);

    /// Adds the moves without which [`SearchPosition::evaluate`] would be wrong, such as captures: they are looked into beyond the depth.
    fn noisy_moves(&self, _found: &mut Vec<Self::Move>) {}

    /// Returns a number below [`Tuning::history_slots`] that moves alike share: the cell, or where from and where to.
    fn history_slot(mv: Self::Move) -> usize;

    /// Plays one of the moves.
    fn play(&mut self, mv: Self::Move) -> Self::Undo;

    /// Takes back the move played last.
    fn undo(&mut self, past: Self::Undo);

    /// Returns -1 if the side on turn has lost, 0 after a draw, 1 if it has won; `None` while the game goes on.
    fn game_result(&self) -> Option<i32>;

    /// Returns an estimate for the side on turn, far from [`PROVEN_WIN`].
    fn evaluate(&self) -> i32;

    /// Returns the least and the most that can still come of the game for the side on turn, as [`SearchPosition::game_result`] counts.
    fn result_bounds(&self) -> (i32, i32) {
        (-1, 1)
    }

    /// Returns a number that tells positions apart, the side on turn included, with bits that look random.
    fn key(&self) -> u64;

    /// Tests if the side on turn has so little choice that it is looked into further: it is in check, or has to capture.
    fn is_forced(&self) -> bool {
        false
    }

    /// Returns by how much a ply changes the value at most, as a rule; 0 if that cannot be said. Where few plies are left and the value
    /// is farther off from what is asked than they can change it, they are not looked into.
    fn futility_margin(&self) -> i32 {
        0
    }

    /// Returns the most plies until the end; the search is complete when it has looked as far.
    fn plies_left(&self) -> i16 {
        MAX_PLY
    }
}

/// How much work a search may do.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most nodes.
    pub nodes: u64,
    /// The most plies ahead.
    pub depth: i16,
    /// How much worse than the best a move may be for its value to be found out.
    pub margin: i32,
}

/// What a search has found.
#[derive(Clone, Debug)]
pub struct SearchResult<M> {
    /// The moves, the best first, with their values; of those that are worse by more than the margin it is known only that they
    /// are worth no more.
    pub moves: Vec<(M, i32)>,
    /// The positions that were looked at.
    pub nodes: u64,
    /// The plies that were looked ahead in full.
    pub depth: i16,
}

impl<M: Copy> SearchResult<M> {
    /// Returns a move that is worse than the best by less than the margin, the better the more often; the best itself where
    /// it wins for certain, and where the margin is 0.
    pub fn pick(&self, margin: i32, random: &mut Random) -> Option<(M, i32)> {
        let &(_, best) = self.moves.first()?;
        let margin = if best >= PROVEN_WIN { 0 } else { margin };
        let near = self.moves.iter().filter(|(_, value)| *value >= best.saturating_sub(margin));
        // The first of equals stays, and the best is the first.
        let luck = |random: &mut Random| i32::try_from(random.below(margin as usize + 1)).unwrap_or_default();
        let mut picked: Option<(i32, (M, i32))> = None;
        for &(mv, value) in near {
            let felt = value + luck(random);
            if picked.is_none_or(|(other, _)| felt > other) {
                picked = Some((felt, (mv, value)));
            }
        }
        picked.map(|(_, choice)| choice)
    }
}

/// Returns moves of a position by their values. Which of two equal moves comes first is a matter of luck.
pub fn search<P: SearchPosition>(
    position: &mut P,
    mut among: Vec<P::Move>,
    limits: Limits,
    random: &mut Random,
) -> SearchResult<P::Move> {
    let size = usize::try_from(limits.nodes).unwrap_or(usize::MAX).clamp(1 << 8, 1 << 20);
    let mut search = Search {
        position,
        table: TranspositionTable::new(size),
        killers: Vec::new(),
        history: vec![0; P::TUNING.history_slots],
        stack: Vec::new(),
        nodes: 0,
        limit: limits.nodes,
        stopped: false,
    };
    for last in (1..among.len()).rev() {
        among.swap(last, random.below(last + 1));
    }
    let mut moves: Vec<(P::Move, i32)> = among.into_iter().map(|mv| (mv, -BEYOND)).collect();
    let mut reached = 0;
    let deepest = limits.depth.min(search.position.plies_left()).min(MAX_PLY);
    for depth in 1..=deepest {
        if !search.widen(&mut moves, depth, limits.margin) {
            break;
        }
        reached = depth;
        // What is won or lost for certain stays so, and from this depth on no shorter way to it is left.
        let decided = moves.first().is_none_or(|(_, best)| best.abs() >= WIN_VALUE - i32::from(depth));
        if decided || search.stopped {
            break;
        }
    }
    SearchResult { moves, nodes: search.nodes, depth: reached }
}

/// Sorts the moves of the root when the nodes may have run out: the first `done` of them were looked into, and the others keep what
/// was known of them before. These stay behind those that were reached, unless all of those lose for certain: what has not been
/// seen to lose is worth more.
pub fn rank_root_moves<M>(moves: &mut [(M, i32)], done: usize, margin: i32) {
    let (seen, unseen) = moves.split_at_mut(done);
    order::sort_by_key(seen, |(_, value)| -value);
    let best = seen.first().map_or(-BEYOND, |(_, value)| *value);
    if best > -PROVEN_WIN {
        unseen.iter_mut().for_each(|(_, value)| *value = (*value).min(best.saturating_sub(margin) - 1));
    } else {
        order::sort_by_key(moves, |(_, value)| -value);
    }
}

struct Search<'a, P: SearchPosition> {
    position: &'a mut P,
    table: TranspositionTable<P::Move>,
    /// For each ply the two last moves that refuted another one.
    killers: Vec<[Option<P::Move>; 2]>,
    /// How often a move at a place has been the best, the deeper the more.
    history: Vec<i32>,
    /// The lists of moves of all plies, one behind the other.
    stack: Vec<P::Move>,
    nodes: u64,
    limit: u64,
    stopped: bool,
}

impl<P: SearchPosition> Search<'_, P> {
    /// Looks into all moves of the root and sorts them. Returns whether anything was found out.
    fn widen(&mut self, moves: &mut [(P::Move, i32)], depth: i16, margin: i32) -> bool {
        let mut best = -BEYOND;
        let mut done = 0;
        for (mv, known) in moves.iter_mut() {
            let floor = (best.saturating_sub(margin) - 1).max(-BEYOND);
            let past = self.position.play(*mv);
            let mut value = if done == 0 { BEYOND } else { -self.descend(depth - 1, 1, -floor - 1, -floor) };
            if done == 0 || value > floor && !self.stopped {
                value = -self.descend(depth - 1, 1, -BEYOND, -floor);
            }
            self.position.undo(past);
            // The first depth is always finished, so that there is something to say.
            if self.stopped && depth > 1 {
                break;
            }
            *known = value;
            best = best.max(value);
            done += 1;
        }
        if done == 0 {
            return false;
        }
        rank_root_moves(moves, done, margin);
        true
    }

    fn descend(&mut self, depth: i16, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        if let Some(result) = self.position.game_result() {
            return result * (WIN_VALUE - ply as i32);
        }
        if self.nodes >= self.limit {
            self.stopped = true;
        }
        match self.position.result_bounds() {
            (0, _) if beta <= 0 => return 0,
            (_, 0) if alpha >= 0 => return 0,
            _ => {}
        }
        let forced = self.position.is_forced();
        let depth = match forced {
            true if P::TUNING.extends_forced => depth + 1,
            true => depth.max(1),
            false => depth,
        };
        if self.stopped || ply >= MAX_PLY as usize {
            return self.position.evaluate();
        }
        if depth <= 0 {
            return self.calm_down(ply, alpha, beta);
        }
        let key = self.position.key();
        let (hash_move, value) = self.remembered(key, depth, ply, alpha, beta);
        if let Some(value) = value {
            return value;
        }
        if !forced && let Some(value) = self.far_off(depth, alpha, beta) {
            return value;
        }
        let begin = self.stack.len();
        self.position.moves(&mut self.stack);
        self.order(begin, ply, hash_move);
        let (floor, mut best, mut best_move) = (alpha, -BEYOND, None);
        for at in begin..self.stack.len() {
            let mv = self.stack[at];
            let past = self.position.play(mv);
            let mut value = beta;
            if at - begin >= P::TUNING.lmr_after && depth > 2 && !forced {
                let late = at - begin >= P::TUNING.lmr_deeper_after && depth > 3;
                value = -self.descend(depth - 2 - i16::from(late), ply + 1, -alpha - 1, -alpha);
            }
            // All but the first are asked only whether they are better at all.
            if value > alpha && at > begin && beta - alpha > 1 {
                value = -self.descend(depth - 1, ply + 1, -alpha - 1, -alpha);
            }
            if value > alpha {
                value = -self.descend(depth - 1, ply + 1, -beta, -alpha);
            }
            self.position.undo(past);
            if self.stopped {
                break;
            }
            if value > best {
                (best, best_move) = (value, Some(mv));
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                self.refuted_by(mv, ply, depth);
                break;
            }
        }
        self.stack.truncate(begin);
        if self.stopped || best_move.is_none() {
            return best.max(-WIN_VALUE);
        }
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best <= floor => Bound::Upper,
            _ => Bound::Exact,
        };
        self.table.store(key, best_move, value_to_tt(best, ply), depth, bound);
        best
    }

    /// Returns the move that was best here before, and the value if that was found by enough work.
    fn remembered(&self, key: u64, depth: i16, ply: usize, alpha: i32, beta: i32) -> (Option<P::Move>, Option<i32>) {
        let Some(known) = self.table.probe(key) else { return (None, None) };
        let value = value_from_tt(known.value, ply);
        let enough = match known.bound {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        };
        (known.mv, (known.depth >= depth && enough).then_some(value))
    }

    /// Returns the value as it stands where that is so far above or below what is asked that the few plies left will hardly change
    /// the answer: futility pruning, and its reverse. A side has the turn to make good with, so from below it takes more.
    fn far_off(&self, depth: i16, alpha: i32, beta: i32) -> Option<i32> {
        let swing = self.position.futility_margin() * i32::from(depth);
        if swing == 0 || depth > 3 || beta - alpha > 1 || alpha <= -PROVEN_WIN || beta >= PROVEN_WIN {
            return None;
        }
        let value = self.position.evaluate();
        (value - swing >= beta || depth < 3 && value + 2 * swing <= alpha).then_some(value)
    }

    /// Looks into moves without which the value would be wrong, until there are none.
    fn calm_down(&mut self, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        let mut best = self.position.evaluate();
        let begin = self.stack.len();
        if best < beta && ply < MAX_PLY as usize {
            self.position.noisy_moves(&mut self.stack);
        }
        alpha = alpha.max(best);
        for at in begin..self.stack.len() {
            let past = self.position.play(self.stack[at]);
            self.nodes += 1;
            let value = match self.position.game_result() {
                Some(result) => -result * (WIN_VALUE - ply as i32 - 1),
                None => -self.calm_down(ply + 1, -beta, -alpha),
            };
            self.position.undo(past);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        self.stack.truncate(begin);
        best
    }

    /// Puts the moves of a ply into the order in which they are tried.
    fn order(&mut self, begin: usize, ply: usize, hash_move: Option<P::Move>) {
        let killers = self.killers.get(ply).copied().unwrap_or_default();
        let history = &self.history;
        let rank = |mv: &P::Move| match Some(*mv) {
            mv if mv == hash_move => i32::MIN,
            mv if killers.contains(&mv) => i32::MIN + 1,
            _ => history.get(P::history_slot(*mv)).map_or(0, |good| -good),
        };
        // Equals stay as the game has listed them.
        order::sort_by_key(&mut self.stack[begin..], rank);
    }

    fn refuted_by(&mut self, mv: P::Move, ply: usize, depth: i16) {
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let [first, second] = &mut self.killers[ply];
        if *first != Some(mv) {
            *second = first.replace(mv);
        }
        if let Some(good) = self.history.get_mut(P::history_slot(mv)) {
            *good += i32::from(depth) * i32::from(depth);
            if *good > 1 << 20 {
                self.history.iter_mut().for_each(|good| *good /= 2);
            }
        }
    }
}

/// Returns a value as the table keeps it: a win is so many plies from the position, wherever that is met.
pub fn value_to_tt(value: i32, ply: usize) -> i32 {
    let plies = if value.abs() >= PROVEN_WIN { ply as i32 } else { 0 };
    value + plies * value.signum()
}

/// Returns a value from the table as it is here.
pub fn value_from_tt(value: i32, ply: usize) -> i32 {
    let plies = if value.abs() >= PROVEN_WIN { ply as i32 } else { 0 };
    value - plies * value.signum()
}
