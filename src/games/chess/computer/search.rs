//! The search as a whole: deeper and deeper from the root, with a window around the value of the depth before, until the nodes
//! are used up or somebody stops it.

use cozy_chess::{Board, Move};

use crate::games::chess::computer::order::{Memory, Ranked, Step, is_noisy, step};
use crate::games::chess::computer::sight::Sight;
use crate::search::alpha_beta::{Limits, Thought, WON, rank};
use crate::search::order;
use crate::search::random::Random;
use crate::search::table::{Bound, Table};

/// The most plies ahead, with those behind the depth.
pub(super) const PLIES: usize = 128;
/// More than any value.
pub(super) const BEYOND: i32 = WON + 1;
/// The positions that the table has room for, 24 bytes each.
const ROOM: usize = 1 << 19;
/// Half of the first window around the value of the depth before.
const WINDOW: i32 = 18;
/// The nodes that the first depth may take.
const FIRST: u64 = 5_000;
/// How many nodes there are between two looks at whether to stop.
pub(super) const PULSE: u64 = 1 << 10;

/// How far a search has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The positions that were looked at.
    pub nodes: u64,
    /// What was found, once a depth is complete.
    pub found: Option<&'a Found>,
}

/// What a complete depth has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The plies that were looked ahead.
    pub depth: i16,
    /// The value for the side on turn.
    pub value: i32,
    /// The moves that are expected.
    pub line: Vec<Move>,
}

/// A search under way.
pub(super) struct Search<'a> {
    pub(super) table: Table<Move>,
    pub(super) memory: Memory,
    /// The lists of moves of all plies, one behind the other.
    pub(super) stack: Vec<Ranked>,
    /// The keys of the positions before, those of the game first.
    pub(super) keys: Vec<u64>,
    /// How many of the keys are of the game, the root included.
    pub(super) past: usize,
    /// The values of the positions on the way, without looking ahead.
    pub(super) values: [i32; PLIES + 2],
    /// The steps on the way; `None` where the turn was passed.
    pub(super) way: [Option<Step>; PLIES + 2],
    pub(super) nodes: u64,
    pub(super) limit: u64,
    pub(super) stopped: bool,
    pub(super) sight: Sight,
    pub(super) watch: &'a mut dyn FnMut(Progress<'_>) -> bool,
}

/// Looks for the best moves. `earlier` are the keys of the positions before this one, oldest first; `watch` is told of each depth
/// and asked every now and then whether to stop.
pub(super) fn think(
    board: &Board,
    earlier: Vec<u64>,
    limits: Limits,
    sight: Sight,
    random: &mut Random,
    watch: &mut dyn FnMut(Progress<'_>) -> bool,
) -> Thought<Move> {
    let size = usize::try_from(limits.nodes).unwrap_or(usize::MAX).clamp(1 << 8, ROOM);
    let past = earlier.len() + 1;
    let mut search = Search {
        table: Table::new(size),
        memory: Memory::new(PLIES + 2),
        stack: Vec::with_capacity(1_024),
        keys: earlier,
        past,
        values: [0; PLIES + 2],
        way: [None; PLIES + 2],
        nodes: 0,
        limit: limits.nodes,
        stopped: false,
        sight,
        watch,
    };
    let mut moves = search.first_moves(board, random);
    let mut reached = 0;
    let deepest = limits.depth.min(PLIES as i16 - 1);
    for depth in 1..=deepest {
        // The first depth is finished, so that there is something to say: it has room for its captures at least.
        search.limit = if depth == 1 { limits.nodes.max(FIRST) } else { limits.nodes };
        if !search.deepen(board, &mut moves, depth, limits.margin) {
            break;
        }
        reached = depth;
        let Some((first, value)) = moves.first().copied() else { break };
        let found = Found { depth, value, line: search.line(board, first, depth) };
        let stop = (search.watch)(Progress { nodes: search.nodes, found: Some(&found) });
        // A mate that is nearer than this depth is the shortest.
        if stop || search.stopped || value.abs() >= WON - i32::from(depth) {
            break;
        }
    }
    Thought { moves, nodes: search.nodes, depth: reached }
}

impl Search<'_> {
    /// Returns the moves of the root that are seen, in an order of luck, but captures first.
    fn first_moves(&mut self, board: &Board, random: &mut Random) -> Vec<(Move, i32)> {
        let mut all = Vec::new();
        board.generate_moves(|from| {
            all.extend(from);
            false
        });
        for last in (1..all.len()).rev() {
            all.swap(last, random.below(last + 1));
        }
        let seen: Vec<Move> = all.iter().copied().filter(|mv| self.sight.sees(board, *mv, None)).collect();
        let list = if seen.is_empty() { all } else { seen };
        let mut list: Vec<Ranked> = list.into_iter().map(|mv| Ranked { mv, rank: 0 }).collect();
        self.memory.rank(board, &mut list, None, 0, [None; 2]);
        order::sort_by_key(&mut list, |ranked| -ranked.rank);
        list.into_iter().map(|ranked| (ranked.mv, -BEYOND)).collect()
    }

    /// Looks so many plies ahead and sorts the moves of the root. Returns whether anything was found out.
    fn deepen(&mut self, board: &Board, moves: &mut [(Move, i32)], depth: i16, margin: i32) -> bool {
        let before = moves.first().map_or(0, |(_, value)| *value);
        // Where near moves are wanted as well, or nothing is known yet, the window is open.
        let (mut low, mut high, mut width) = (-BEYOND, BEYOND, WINDOW);
        if margin == 0 && depth > 4 {
            (low, high) = (before - width, before + width);
        }
        loop {
            let known = self.widen(board, moves, depth, margin, low, high);
            let best = moves.first().map_or(0, |(_, value)| *value);
            if self.stopped || !known || best > low && best < high {
                return known;
            }
            width *= 3;
            if best <= low {
                low = if width > 500 { -BEYOND } else { best - width };
            } else {
                high = if width > 500 { BEYOND } else { best + width };
            }
        }
    }

    /// Looks into all moves of the root within a window.
    fn widen(
        &mut self,
        board: &Board,
        moves: &mut [(Move, i32)],
        depth: i16,
        margin: i32,
        low: i32,
        high: i32,
    ) -> bool {
        let depth = i32::from(depth);
        let (mut best, mut done) = (-BEYOND, 0);
        self.values[0] = self.evaluate(board);
        self.keys.push(board.hash_without_ep());
        for (mv, known) in moves.iter_mut() {
            let floor = (best.saturating_sub(margin) - i32::from(margin > 0)).max(low);
            let mut next = board.clone();
            next.play_unchecked(*mv);
            self.way[0] = Some(step(board, *mv));
            let mut value = high;
            if done > 0 {
                let late = if done > 3 && depth > 2 && !is_noisy(board, *mv) { 1 } else { 0 };
                value = -self.descend(&next, depth - 1 - late, 1, -floor - 1, -floor);
                if value > floor && late > 0 && !self.stopped {
                    value = -self.descend(&next, depth - 1, 1, -floor - 1, -floor);
                }
            }
            if done == 0 || value > floor && !self.stopped {
                value = -self.descend(&next, depth - 1, 1, -high, -floor);
            }
            if self.stopped && depth > 1 {
                break;
            }
            *known = value;
            best = best.max(value);
            done += 1;
            if best >= high {
                break;
            }
        }
        self.keys.pop();
        if done == 0 {
            return false;
        }
        rank(moves, done, margin);
        if let Some(&(mv, value)) = moves.first() {
            self.table.put(board.hash(), Some(mv), value, depth as i16, Bound::Exact);
        }
        true
    }

    /// Returns the moves that are expected, as far as the table knows them.
    fn line(&self, board: &Board, first: Move, depth: i16) -> Vec<Move> {
        let mut line = vec![first];
        let mut board = board.clone();
        board.play_unchecked(first);
        while line.len() < depth as usize {
            let Some(mv) = self.table.get(board.hash()).and_then(|known| known.mv) else { break };
            if board.try_play(mv).is_err() {
                break;
            }
            line.push(mv);
        }
        line
    }
}
