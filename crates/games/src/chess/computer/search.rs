//! A search under way: what it has seen, and where it is.

use cozy_chess::{Board, Move, Piece};

use crate::chess::computer::evaluate::evaluate;
use crate::chess::computer::move_filter::MoveFilter;
use crate::chess::computer::move_ordering::{MoveHistory, PieceTo, ScoredMove, is_noisy};
use crate::chess::game::is_insufficient_material;
use crate::search::alpha_beta::{WIN_VALUE, value_from_tt};
use crate::search::transposition_table::{Bound, TableEntry, TranspositionTable};

/// The most plies ahead, with those behind the depth.
pub(super) const MAX_PLY: usize = 128;
/// More than any value.
pub(super) const INFINITY: i32 = WIN_VALUE + 1;
/// How many nodes there are between two looks at whether to stop.
pub(super) const POLL_INTERVAL: u64 = 1 << 10;

/// The plies without a capture or a pawn's move after which nobody can hope for more than a draw.
const FIFTY_MOVE_PLIES: u8 = 100;

/// How far a search has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The positions that were looked at.
    pub nodes: u64,
    /// What was found, once a depth is complete.
    pub iteration: Option<&'a Iteration>,
}

/// What a complete depth has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// The plies that were looked ahead.
    pub depth: i16,
    /// The value for the side on turn.
    pub score: i32,
    /// The moves that are expected.
    pub pv: Vec<Move>,
}

/// A search under way.
pub(super) struct Search<'a> {
    pub(super) table: TranspositionTable<Move>,
    pub(super) history: MoveHistory,
    /// The lists of moves of all plies, one behind the other.
    pub(super) move_stack: Vec<ScoredMove>,
    /// The keys of the positions before, those of the game first.
    pub(super) keys: Vec<u64>,
    /// How many of the keys are of the game, the root included.
    pub(super) game_key_count: usize,
    /// The values of the positions on the way, without looking ahead.
    pub(super) static_evals: [i32; MAX_PLY + 2],
    /// The steps on the way; `None` where the turn was passed.
    pub(super) path: [Option<PieceTo>; MAX_PLY + 2],
    pub(super) nodes: u64,
    pub(super) node_limit: u64,
    pub(super) stopped: bool,
    pub(super) filter: MoveFilter,
    pub(super) on_progress: &'a mut dyn FnMut(Progress<'_>) -> bool,
}

impl Search<'_> {
    /// Counts a position. Returns its value where nothing is to be looked into: the search is stopped, or the game is drawn.
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
        (ply >= MAX_PLY).then(|| evaluate(board))
    }

    /// Tests if a position has been on the way from the root before, or twice in the game.
    fn is_repetition(&self, board: &Board) -> bool {
        let (key, mut times) = (board.hash_without_ep(), 0);
        let reach = usize::from(board.halfmove_clock()).min(self.keys.len());
        let mut back = 4;
        while back <= reach {
            let at = self.keys.len() - back;
            if self.keys[at] == key {
                times += 1;
                if at >= self.game_key_count || times == 2 {
                    return true;
                }
            }
            back += 2;
        }
        false
    }

    /// Adds the moves of a position to the stack, those that are seen, and returns where they begin.
    pub(super) fn push_moves(&mut self, board: &Board, ply: usize, known: Option<Move>, noisy_only: bool) -> usize {
        let begin = self.move_stack.len();
        let (stack, sight) = (&mut self.move_stack, self.filter);
        let targets = board.colors(!board.side_to_move());
        board.generate_moves(|mut from| {
            if noisy_only && from.piece != Piece::Pawn {
                from.to &= targets;
            }
            stack.extend(from.into_iter().map(|mv| ScoredMove { mv, score: 0 }));
            false
        });
        if noisy_only {
            retain_from(stack, begin, |mv| is_noisy(board, mv));
        }
        if !sight.considers_all() {
            let before = ply.checked_sub(1).and_then(|at| self.path[at]);
            retain_from(stack, begin, |mv| sight.considers(board, mv, before));
        }
        let before = self.previous_moves(ply);
        self.history.score_moves(board, &mut self.move_stack[begin..], known, ply, before);
        begin
    }

    /// Returns the two last steps on the way to a ply.
    pub(super) fn previous_moves(&self, ply: usize) -> [Option<PieceTo>; 2] {
        [1, 2].map(|back| ply.checked_sub(back).and_then(|at| self.path[at]))
    }
}

/// Keeps the moves of a list from `begin` on that pass a test.
fn retain_from(stack: &mut Vec<ScoredMove>, begin: usize, keep: impl Fn(Move) -> bool) {
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
pub(super) fn table_cutoff(known: &TableEntry<Move>, ply: usize, alpha: i32, beta: i32) -> Option<i32> {
    let value = value_from_tt(known.value, ply);
    let enough = match known.bound {
        Bound::Exact => true,
        Bound::Lower => value >= beta,
        Bound::Upper => value <= alpha,
    };
    enough.then_some(value)
}
