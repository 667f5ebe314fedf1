//! The state of a running search.

use cozy_chess::{Board, Move, Piece};

use crate::chess::computer::evaluate::evaluate;
use crate::chess::computer::move_filter::MoveFilter;
use crate::chess::computer::move_ordering::{MoveHistory, PieceTo, ScoredMove, is_noisy};
use crate::chess::game::is_insufficient_material;
use crate::search::alpha_beta::WIN_VALUE;
use crate::search::transposition_table::TranspositionTable;

/// The highest ply, including quiescence search and extensions.
pub(super) const MAX_PLY: usize = 128;
/// A score beyond every other.
pub(super) const INFINITY: i32 = WIN_VALUE + 1;
/// The number of nodes between two calls of `on_progress`.
pub(super) const POLL_INTERVAL: u64 = 1 << 10;

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
