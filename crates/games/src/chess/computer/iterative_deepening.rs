//! The search as a whole: deeper and deeper from the root, with a window around the value of the depth before, until the nodes
//! are used up or somebody stops it.

use cozy_chess::{Board, Move};

use crate::chess::computer::evaluate::evaluate;
use crate::chess::computer::move_filter::MoveFilter;
use crate::chess::computer::move_ordering::{MoveHistory, ScoredMove, is_noisy, piece_to};
use crate::chess::computer::pvs::pvs;
use crate::chess::computer::search::{INFINITY, Iteration, MAX_PLY, Progress, Search};
use crate::search::alpha_beta::{Limits, SearchResult, WIN_VALUE, rank_root_moves};
use crate::search::order;
use crate::search::random::Random;
use crate::search::transposition_table::{Bound, TranspositionTable};

/// The positions that the table has room for, 24 bytes each.
const MAX_TABLE_ENTRIES: usize = 1 << 19;
/// Half of the first window around the value of the depth before.
const ASPIRATION_WINDOW: i32 = 18;
/// The nodes that the first depth may take.
const FIRST_DEPTH_NODES: u64 = 5_000;

/// Looks for the best moves. `earlier` are the keys of the positions before this one, oldest first; `watch` is told of each depth
/// and asked every now and then whether to stop.
pub(super) fn iterative_deepening(
    board: &Board,
    earlier: Vec<u64>,
    limits: Limits,
    sight: MoveFilter,
    random: &mut Random,
    watch: &mut dyn FnMut(Progress<'_>) -> bool,
) -> SearchResult<Move> {
    let size = usize::try_from(limits.nodes).unwrap_or(usize::MAX).clamp(1 << 8, MAX_TABLE_ENTRIES);
    let past = earlier.len() + 1;
    let mut search = Search {
        table: TranspositionTable::new(size),
        history: MoveHistory::new(MAX_PLY + 2),
        move_stack: Vec::with_capacity(1_024),
        keys: earlier,
        game_key_count: past,
        static_evals: [0; MAX_PLY + 2],
        path: [None; MAX_PLY + 2],
        nodes: 0,
        node_limit: limits.nodes,
        stopped: false,
        filter: sight,
        on_progress: watch,
    };
    let mut moves = root_moves(&search, board, random);
    let mut reached = 0;
    let deepest = limits.depth.min(MAX_PLY as i16 - 1);
    for depth in 1..=deepest {
        // The first depth is finished, so that there is something to say: it has room for its captures at least.
        search.node_limit = if depth == 1 { limits.nodes.max(FIRST_DEPTH_NODES) } else { limits.nodes };
        if !aspiration_search(&mut search, board, &mut moves, depth, limits.margin) {
            break;
        }
        reached = depth;
        let Some((first, value)) = moves.first().copied() else { break };
        let found = Iteration { depth, score: value, pv: principal_variation(&search, board, first, depth) };
        let stop = (search.on_progress)(Progress { nodes: search.nodes, iteration: Some(&found) });
        // A mate that is nearer than this depth is the shortest.
        if stop || search.stopped || value.abs() >= WIN_VALUE - i32::from(depth) {
            break;
        }
    }
    SearchResult { moves, nodes: search.nodes, depth: reached }
}

/// Returns the moves of the root that are seen, in an order of luck, but captures first.
fn root_moves(search: &Search<'_>, board: &Board, random: &mut Random) -> Vec<(Move, i32)> {
    let mut all = Vec::new();
    board.generate_moves(|from| {
        all.extend(from);
        false
    });
    for last in (1..all.len()).rev() {
        all.swap(last, random.below(last + 1));
    }
    let seen: Vec<Move> = all.iter().copied().filter(|mv| search.filter.considers(board, *mv, None)).collect();
    let list = if seen.is_empty() { all } else { seen };
    let mut list: Vec<ScoredMove> = list.into_iter().map(|mv| ScoredMove { mv, score: 0 }).collect();
    search.history.score_moves(board, &mut list, None, 0, [None; 2]);
    order::sort_by_key(&mut list, |ranked| -ranked.score);
    list.into_iter().map(|ranked| (ranked.mv, -INFINITY)).collect()
}

/// Looks so many plies ahead and sorts the moves of the root. Returns whether anything was found out.
fn aspiration_search(
    search: &mut Search<'_>,
    board: &Board,
    moves: &mut [(Move, i32)],
    depth: i16,
    margin: i32,
) -> bool {
    let before = moves.first().map_or(0, |(_, value)| *value);
    // Where near moves are wanted as well, or nothing is known yet, the window is open.
    let (mut low, mut high, mut width) = (-INFINITY, INFINITY, ASPIRATION_WINDOW);
    if margin == 0 && depth > 4 {
        (low, high) = (before - width, before + width);
    }
    loop {
        let known = search_root(search, board, moves, depth, margin, low, high);
        let best = moves.first().map_or(0, |(_, value)| *value);
        if search.stopped || !known || best > low && best < high {
            return known;
        }
        width *= 3;
        if best <= low {
            low = if width > 500 { -INFINITY } else { best - width };
        } else {
            high = if width > 500 { INFINITY } else { best + width };
        }
    }
}

/// Looks into all moves of the root within a window.
fn search_root(
    search: &mut Search<'_>,
    board: &Board,
    moves: &mut [(Move, i32)],
    depth: i16,
    margin: i32,
    low: i32,
    high: i32,
) -> bool {
    let depth = i32::from(depth);
    let (mut best, mut done) = (-INFINITY, 0);
    search.static_evals[0] = evaluate(board);
    search.keys.push(board.hash_without_ep());
    for (mv, known) in moves.iter_mut() {
        let floor = (best.saturating_sub(margin) - i32::from(margin > 0)).max(low);
        let mut next = board.clone();
        next.play_unchecked(*mv);
        search.path[0] = Some(piece_to(board, *mv));
        let mut value = high;
        if done > 0 {
            let late = if done > 3 && depth > 2 && !is_noisy(board, *mv) { 1 } else { 0 };
            value = -pvs(search, &next, depth - 1 - late, 1, -floor - 1, -floor);
            if value > floor && late > 0 && !search.stopped {
                value = -pvs(search, &next, depth - 1, 1, -floor - 1, -floor);
            }
        }
        if done == 0 || value > floor && !search.stopped {
            value = -pvs(search, &next, depth - 1, 1, -high, -floor);
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
    rank_root_moves(moves, done, margin);
    if let Some(&(mv, value)) = moves.first() {
        search.table.store(board.hash(), Some(mv), value, depth as i16, Bound::Exact);
    }
    true
}

/// Returns the moves that are expected, as far as the table knows them.
fn principal_variation(search: &Search<'_>, board: &Board, first: Move, depth: i16) -> Vec<Move> {
    let mut line = vec![first];
    let mut board = board.clone();
    board.play_unchecked(first);
    while line.len() < depth as usize {
        let Some(mv) = search.table.probe(board.hash()).and_then(|known| known.mv) else { break };
        if board.try_play(mv).is_err() {
            break;
        }
        line.push(mv);
    }
    line
}
