//! The search as a whole: deeper and deeper from the root, with a window around the value of the depth before, until the nodes
//! are used up or somebody stops it.

use cozy_chess::{Board, Move};

use crate::chess::computer::descend::descend;
use crate::chess::computer::evaluate::evaluate;
use crate::chess::computer::order::{Memory, Ranked, is_noisy, step};
use crate::chess::computer::search::{BEYOND, Found, PLIES, Progress, Search};
use crate::chess::computer::sight::Sight;
use crate::search::alpha_beta::{Limits, Thought, WON, rank};
use crate::search::order;
use crate::search::random::Random;
use crate::search::table::{Bound, Table};

/// The positions that the table has room for, 24 bytes each.
const ROOM: usize = 1 << 19;
/// Half of the first window around the value of the depth before.
const WINDOW: i32 = 18;
/// The nodes that the first depth may take.
const FIRST: u64 = 5_000;

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
    let mut moves = first_moves(&search, board, random);
    let mut reached = 0;
    let deepest = limits.depth.min(PLIES as i16 - 1);
    for depth in 1..=deepest {
        // The first depth is finished, so that there is something to say: it has room for its captures at least.
        search.limit = if depth == 1 { limits.nodes.max(FIRST) } else { limits.nodes };
        if !deepen(&mut search, board, &mut moves, depth, limits.margin) {
            break;
        }
        reached = depth;
        let Some((first, value)) = moves.first().copied() else { break };
        let found = Found { depth, value, line: line(&search, board, first, depth) };
        let stop = (search.watch)(Progress { nodes: search.nodes, found: Some(&found) });
        // A mate that is nearer than this depth is the shortest.
        if stop || search.stopped || value.abs() >= WON - i32::from(depth) {
            break;
        }
    }
    Thought { moves, nodes: search.nodes, depth: reached }
}

/// Returns the moves of the root that are seen, in an order of luck, but captures first.
fn first_moves(search: &Search<'_>, board: &Board, random: &mut Random) -> Vec<(Move, i32)> {
    let mut all = Vec::new();
    board.generate_moves(|from| {
        all.extend(from);
        false
    });
    for last in (1..all.len()).rev() {
        all.swap(last, random.below(last + 1));
    }
    let seen: Vec<Move> = all.iter().copied().filter(|mv| search.sight.sees(board, *mv, None)).collect();
    let list = if seen.is_empty() { all } else { seen };
    let mut list: Vec<Ranked> = list.into_iter().map(|mv| Ranked { mv, rank: 0 }).collect();
    search.memory.rank(board, &mut list, None, 0, [None; 2]);
    order::sort_by_key(&mut list, |ranked| -ranked.rank);
    list.into_iter().map(|ranked| (ranked.mv, -BEYOND)).collect()
}

/// Looks so many plies ahead and sorts the moves of the root. Returns whether anything was found out.
fn deepen(search: &mut Search<'_>, board: &Board, moves: &mut [(Move, i32)], depth: i16, margin: i32) -> bool {
    let before = moves.first().map_or(0, |(_, value)| *value);
    // Where near moves are wanted as well, or nothing is known yet, the window is open.
    let (mut low, mut high, mut width) = (-BEYOND, BEYOND, WINDOW);
    if margin == 0 && depth > 4 {
        (low, high) = (before - width, before + width);
    }
    loop {
        let known = widen(search, board, moves, depth, margin, low, high);
        let best = moves.first().map_or(0, |(_, value)| *value);
        if search.stopped || !known || best > low && best < high {
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
    search: &mut Search<'_>,
    board: &Board,
    moves: &mut [(Move, i32)],
    depth: i16,
    margin: i32,
    low: i32,
    high: i32,
) -> bool {
    let depth = i32::from(depth);
    let (mut best, mut done) = (-BEYOND, 0);
    search.values[0] = evaluate(board);
    search.keys.push(board.hash_without_ep());
    for (mv, known) in moves.iter_mut() {
        let floor = (best.saturating_sub(margin) - i32::from(margin > 0)).max(low);
        let mut next = board.clone();
        next.play_unchecked(*mv);
        search.way[0] = Some(step(board, *mv));
        let mut value = high;
        if done > 0 {
            let late = if done > 3 && depth > 2 && !is_noisy(board, *mv) { 1 } else { 0 };
            value = -descend(search, &next, depth - 1 - late, 1, -floor - 1, -floor);
            if value > floor && late > 0 && !search.stopped {
                value = -descend(search, &next, depth - 1, 1, -floor - 1, -floor);
            }
        }
        if done == 0 || value > floor && !search.stopped {
            value = -descend(search, &next, depth - 1, 1, -high, -floor);
        }
        if search.stopped && depth > 1 {
            break;
        }
        *known = value;
        best = best.max(value);
        done += 1;
        if best >= high {
            break;
        }
    }
    search.keys.pop();
    if done == 0 {
        return false;
    }
    rank(moves, done, margin);
    if let Some(&(mv, value)) = moves.first() {
        search.table.put(board.hash(), Some(mv), value, depth as i16, Bound::Exact);
    }
    true
}

/// Returns the moves that are expected, as far as the table knows them.
fn line(search: &Search<'_>, board: &Board, first: Move, depth: i16) -> Vec<Move> {
    let mut line = vec![first];
    let mut board = board.clone();
    board.play_unchecked(first);
    while line.len() < depth as usize {
        let Some(mv) = search.table.get(board.hash()).and_then(|known| known.mv) else { break };
        if board.try_play(mv).is_err() {
            break;
        }
        line.push(mv);
    }
    line
}
