//! A search under way: what it has seen, and where it is.

use cozy_chess::{Board, Move, Piece};

use crate::chess::computer::evaluate::evaluate;
use crate::chess::computer::order::{Memory, Ranked, Step, is_noisy};
use crate::chess::computer::sight::Sight;
use crate::chess::game::is_insufficient;
use crate::search::alpha_beta::{WON, from_table};
use crate::search::table::{Bound, Known, Table};

/// The most plies ahead, with those behind the depth.
pub(super) const PLIES: usize = 128;
/// More than any value.
pub(super) const BEYOND: i32 = WON + 1;
/// How many nodes there are between two looks at whether to stop.
pub(super) const PULSE: u64 = 1 << 10;

/// The plies without a capture or a pawn's move after which nobody can hope for more than a draw.
const DRAWN: u8 = 100;

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

impl Search<'_> {
    /// Counts a position. Returns its value where nothing is to be looked into: the search is stopped, or the game is drawn.
    pub(super) fn enter(&mut self, board: &Board, ply: usize) -> Option<i32> {
        self.nodes += 1;
        if self.nodes >= self.limit
            || self.nodes.is_multiple_of(PULSE) && (self.watch)(Progress { nodes: self.nodes, found: None })
        {
            self.stopped = true;
        }
        if self.stopped {
            return Some(evaluate(board));
        }
        if is_insufficient(board) || self.is_repeated(board) {
            return Some(0);
        }
        if board.halfmove_clock() >= DRAWN && (board.checkers().is_empty() || board.generate_moves(|_| true)) {
            return Some(0);
        }
        (ply >= PLIES).then(|| evaluate(board))
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
    pub(super) fn before(&self, ply: usize) -> [Option<Step>; 2] {
        [1, 2].map(|back| ply.checked_sub(back).and_then(|at| self.way[at]))
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
