//! The state of a running search.

use cozy_chess::{Board, Move, Piece};

use crate::chess::computer::MoveFilter;
use crate::chess::computer::evaluate::evaluate;
use crate::chess::computer::move_ordering::{MoveHistory, PieceTo, ScoredMove, is_noisy, piece_to};
use crate::chess::computer::pawn_ending::PawnEnding;
use crate::chess::computer::pvs::pvs;
use crate::chess::game::is_insufficient_material;
use crate::search::alpha_beta::{SearchResult, rank_root_moves};
use crate::search::{Bound, TranspositionTable, sort_by_key};
use crate::{Limits, Random, WIN_VALUE};

/// The highest ply, including quiescence search and extensions.
const MAX_PLY: usize = 128;
/// A score beyond every other.
pub(super) const INFINITY: i32 = WIN_VALUE + 1;
/// The number of nodes between two calls of `on_progress`.
const POLL_INTERVAL: u64 = 1 << 10;

/// The halfmove clock at which a position counts as drawn.
const FIFTY_MOVE_PLIES: u8 = 100;

/// The progress of a search.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The number of nodes searched so far.
    pub nodes: u64,
    /// The iteration that was just completed, if any.
    pub iteration: Option<&'a Iteration>,
}

/// The result of a completed iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// The depth, in plies.
    pub depth: i16,
    /// The score for the side to move, in centipawns.
    pub score: i32,
    /// The principal variation.
    pub pv: Vec<Move>,
}

/// The state of a running search.
pub(super) struct Search<'a> {
    pub(super) table: TranspositionTable<Move>,
    pub(super) history: MoveHistory,
    /// The move lists of all plies, one after another.
    pub(super) move_stack: Vec<ScoredMove>,
    /// The hash keys of the positions so far, those of the game first.
    pub(super) keys: Vec<u64>,
    /// The number of keys that belong to the game, including the root.
    pub(super) game_key_count: usize,
    /// The static evaluations of the positions on the current path.
    pub(super) static_evals: [i32; MAX_PLY + 2],
    /// The moves on the current path; `None` for a null move.
    pub(super) path: [Option<PieceTo>; MAX_PLY + 2],
    pub(super) nodes: u64,
    pub(super) node_limit: u64,
    pub(super) stopped: bool,
    /// The table of an ending, in an analysis. The levels play without it.
    pub(super) pawn_ending: Option<&'static PawnEnding>,
    pub(super) filter: MoveFilter,
    pub(super) on_progress: &'a mut dyn FnMut(Progress<'_>) -> bool,
}

impl Search<'_> {
    /// Counts a node, and returns its score if it needs no search.
    ///
    /// It needs none if the search was stopped, the game is drawn, or the node is too deep.
    pub(super) fn visit_node(&mut self, board: &Board, ply: usize) -> Option<i32> {
        self.nodes += 1;
        if self.nodes >= self.node_limit
            || self.nodes.is_multiple_of(POLL_INTERVAL)
                && (self.on_progress)(Progress { nodes: self.nodes, iteration: None })
        {
            self.stopped = true;
        }
        if self.stopped {
            return Some(evaluate(board));
        }
        if is_insufficient_material(board) || self.is_repetition(board) {
            return Some(0);
        }
        if let Some(score) = self.pawn_ending.and_then(|table| table.score(board)) {
            return Some(score);
        }
        if board.halfmove_clock() >= FIFTY_MOVE_PLIES && (board.checkers().is_empty() || board.generate_moves(|_| true))
        {
            return Some(0);
        }
        if ply >= MAX_PLY { Some(evaluate(board)) } else { None }
    }

    /// Whether a position occurred before on the path from the root, or twice in the game.
    fn is_repetition(&self, board: &Board) -> bool {
        let (key, mut occurrences) = (board.hash_without_ep(), 0);
        let max_distance = usize::from(board.halfmove_clock()).min(self.keys.len());
        let mut distance = 4;
        while distance <= max_distance {
            let index = self.keys.len() - distance;
            if self.keys[index] == key {
                occurrences += 1;
                if index >= self.game_key_count || occurrences == 2 {
                    return true;
                }
            }
            distance += 2;
        }
        false
    }

    /// Generates the moves of a position onto the move stack, scores them, and returns the index of the first.
    pub(super) fn push_moves(&mut self, board: &Board, ply: usize, hash_move: Option<Move>, noisy_only: bool) -> usize {
        let first = self.move_stack.len();
        let (stack, filter) = (&mut self.move_stack, self.filter);
        let enemies = board.colors(!board.side_to_move());
        board.generate_moves(|mut moves| {
            if noisy_only && moves.piece != Piece::Pawn {
                moves.to &= enemies;
            }
            stack.extend(moves.into_iter().map(|mv| ScoredMove { mv, score: 0 }));
            false
        });
        if noisy_only {
            retain_from(stack, first, |mv| is_noisy(board, mv));
        }
        if !filter.considers_all() {
            let last = ply.checked_sub(1).and_then(|ply| self.path[ply]);
            retain_from(stack, first, |mv| filter.considers(board, mv, last));
        }
        let previous = self.previous_moves(ply);
        self.history.score_moves(board, &mut self.move_stack[first..], hash_move, ply, previous);
        first
    }

    /// Returns the last two moves on the path to a ply, the latest first.
    pub(super) fn previous_moves(&self, ply: usize) -> [Option<PieceTo>; 2] {
        [1, 2].map(|distance| ply.checked_sub(distance).and_then(|ply| self.path[ply]))
    }
}

/// Retains the moves from index `first` on that satisfy a predicate.
fn retain_from(stack: &mut Vec<ScoredMove>, first: usize, keep: impl Fn(Move) -> bool) {
    let mut end = first;
    for index in first..stack.len() {
        if keep(stack[index].mv) {
            stack[end] = stack[index];
            end += 1;
        }
    }
    stack.truncate(end);
}

// Iterative deepening with aspiration windows, until the node limit is reached or the caller stops the search.

/// The highest number of transposition table entries, 24 bytes each.
const MAX_TABLE_ENTRIES: usize = 1 << 19;
/// Half the width of the first aspiration window, in centipawns.
const ASPIRATION_WINDOW: i32 = 18;
/// The fewest nodes that the first iteration may use.
const FIRST_DEPTH_NODES: u64 = 5_000;

/// The state that one search passes to the next.
#[derive(Debug)]
pub struct Memory {
    table: TranspositionTable<Move>,
    history: MoveHistory,
    pawn_ending: Option<&'static PawnEnding>,
}

impl Memory {
    /// Returns an empty memory with a table for about this number of positions.
    fn new(table_entries: usize) -> Memory {
        let table = TranspositionTable::new(table_entries);
        Memory { table, history: MoveHistory::new(MAX_PLY + 2), pawn_ending: None }
    }

    /// Returns an empty memory for the searches of an analysis.
    pub(super) fn for_analysis() -> Memory {
        Memory { pawn_ending: Some(PawnEnding::shared()), ..Memory::new(MAX_TABLE_ENTRIES) }
    }
}

/// Searches the root moves of a position, which [`root_moves`] returns.
///
/// The search starts with `memory` and updates it. `earlier_keys` are the hash keys of the positions before this one, oldest
/// first. `on_progress` is called after each iteration and every [`POLL_INTERVAL`] nodes; it
/// returns whether to stop.
pub(super) fn iterative_deepening(
    board: &Board,
    moves: Vec<Move>,
    earlier_keys: Vec<u64>,
    limits: Limits,
    filter: MoveFilter,
    memory: &mut Option<Memory>,
    on_progress: &mut dyn FnMut(Progress<'_>) -> bool,
) -> SearchResult<Move> {
    let table_entries = usize::try_from(limits.nodes).unwrap_or(usize::MAX).clamp(1 << 8, MAX_TABLE_ENTRIES);
    let Memory { table, history, pawn_ending } = memory.take().unwrap_or_else(|| Memory::new(table_entries));
    let mut search = Search {
        table,
        history,
        move_stack: Vec::with_capacity(1_024),
        game_key_count: earlier_keys.len() + 1,
        keys: earlier_keys,
        static_evals: [0; MAX_PLY + 2],
        path: [None; MAX_PLY + 2],
        nodes: 0,
        node_limit: limits.nodes,
        stopped: false,
        pawn_ending,
        filter,
        on_progress,
    };
    let mut moves = order_root_moves(&search, board, moves);
    let mut completed_depth = 0;
    let max_depth = limits.depth.min(MAX_PLY as i16 - 1);
    for depth in 1..=max_depth {
        // The first iteration must finish, so it may exceed the limit to resolve its captures.
        search.node_limit = if depth == 1 { limits.nodes.max(FIRST_DEPTH_NODES) } else { limits.nodes };
        if !aspiration_search(&mut search, board, &mut moves, depth, limits.margin) {
            break;
        }
        completed_depth = depth;
        let Some((first, score)) = moves.first().copied() else { break };
        let iteration = Iteration { depth, score, pv: principal_variation(&search, board, first, depth) };
        let stop = (search.on_progress)(Progress { nodes: search.nodes, iteration: Some(&iteration) });
        // A mate within this depth is the shortest.
        if stop || search.stopped || score.abs() >= WIN_VALUE - i32::from(depth) {
            break;
        }
    }
    let result = SearchResult { moves, nodes: search.nodes, depth: completed_depth };
    *memory = Some(Memory { table: search.table, history: search.history, pawn_ending });
    result
}

/// Whether a move checkmates.
fn is_checkmate(board: &Board, mv: Move) -> bool {
    let mut child = board.clone();
    child.play_unchecked(mv);
    !child.checkers().is_empty() && !child.generate_moves(|_| true)
}

/// Returns the root moves that the move filter considers and those that checkmate, shuffled. Only the moves in `allowed`
/// count, unless none of them is legal.
pub(super) fn root_moves(board: &Board, allowed: &[Move], filter: MoveFilter, random: &mut Random) -> Vec<Move> {
    let mut all = Vec::new();
    board.generate_moves(|moves| {
        all.extend(moves);
        false
    });
    if all.iter().any(|mv| allowed.contains(mv)) {
        all.retain(|mv| allowed.contains(mv));
    }
    for last in (1..all.len()).rev() {
        all.swap(last, random.below(last + 1));
    }
    let is_considered = |mv: &Move| filter.considers(board, *mv, None) || is_checkmate(board, *mv);
    let considered: Vec<Move> = all.iter().copied().filter(is_considered).collect();
    if considered.is_empty() { all } else { considered }
}

/// Orders the root moves for the first iteration.
fn order_root_moves(search: &Search<'_>, board: &Board, moves: Vec<Move>) -> Vec<(Move, i32)> {
    let mut moves: Vec<ScoredMove> = moves.into_iter().map(|mv| ScoredMove { mv, score: 0 }).collect();
    let known = search.table.probe(board.hash()).and_then(|entry| entry.mv);
    search.history.score_moves(board, &mut moves, known, 0, [None; 2]);
    sort_by_key(&mut moves, |scored| -scored.score);
    moves.into_iter().map(|scored| (scored.mv, -INFINITY)).collect()
}

/// Runs one iteration with aspiration windows and sorts the root moves. Returns whether any move was searched.
fn aspiration_search(
    search: &mut Search<'_>,
    board: &Board,
    moves: &mut [(Move, i32)],
    depth: i16,
    margin: i32,
) -> bool {
    let previous = moves.first().map_or(0, |(_, score)| *score);
    // Use the full window if moves within a margin need exact scores, or in shallow iterations.
    let (mut alpha, mut beta, mut width) = (-INFINITY, INFINITY, ASPIRATION_WINDOW);
    if margin == 0 && depth > 4 {
        (alpha, beta) = (previous - width, previous + width);
    }
    loop {
        let searched = search_root(search, board, moves, depth, margin, alpha, beta);
        let best = moves.first().map_or(0, |(_, score)| *score);
        if search.stopped || !searched || best > alpha && best < beta {
            return searched;
        }
        width *= 3;
        if best <= alpha {
            alpha = if width > 500 { -INFINITY } else { best - width };
        } else {
            beta = if width > 500 { INFINITY } else { best + width };
        }
    }
}

/// Searches the root moves within a window and sorts them. Returns whether any move was searched.
fn search_root(
    search: &mut Search<'_>,
    board: &Board,
    moves: &mut [(Move, i32)],
    depth: i16,
    margin: i32,
    alpha: i32,
    beta: i32,
) -> bool {
    let depth = i32::from(depth);
    let (mut best, mut searched) = (-INFINITY, 0);
    search.static_evals[0] = evaluate(board);
    search.keys.push(board.hash_without_ep());
    for (mv, score) in moves.iter_mut() {
        // Moves within the margin of the best one need exact scores, too.
        let alpha = (best.saturating_sub(margin) - i32::from(margin > 0)).max(alpha);
        let mut child = board.clone();
        child.play_unchecked(*mv);
        search.path[0] = Some(piece_to(board, *mv));
        let mut value = beta;
        if searched > 0 {
            let reduction = if searched > 3 && depth > 2 && !is_noisy(board, *mv) { 1 } else { 0 };
            value = -pvs(search, &child, depth - 1 - reduction, 1, -alpha - 1, -alpha);
            if value > alpha && reduction > 0 && !search.stopped {
                value = -pvs(search, &child, depth - 1, 1, -alpha - 1, -alpha);
            }
        }
        if searched == 0 || value > alpha && !search.stopped {
            value = -pvs(search, &child, depth - 1, 1, -beta, -alpha);
        }
        if search.stopped && depth > 1 {
            break;
        }
        *score = value;
        best = best.max(value);
        searched += 1;
        if best >= beta {
            break;
        }
    }
    search.keys.pop();
    if searched == 0 {
        return false;
    }
    rank_root_moves(moves, searched, margin);
    if let Some(&(mv, score)) = moves.first() {
        search.table.store(board.hash(), Some(mv), score, depth as i16, Bound::Exact);
    }
    true
}

/// Returns the principal variation, as far as the transposition table has it.
fn principal_variation(search: &Search<'_>, board: &Board, first: Move, depth: i16) -> Vec<Move> {
    let mut pv = vec![first];
    let mut board = board.clone();
    board.play_unchecked(first);
    while pv.len() < depth as usize {
        let Some(mv) = search.table.probe(board.hash()).and_then(|entry| entry.mv) else { break };
        if board.try_play(mv).is_err() {
            break;
        }
        pv.push(mv);
    }
    pv
}
