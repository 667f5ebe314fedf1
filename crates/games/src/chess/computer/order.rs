//! The order in which moves are tried. The sooner the best one comes, the less is looked at: the one that was best here before,
//! captures that win something, moves that refuted others nearby, quiet moves by how often they were good, and captures that
//! lose. See <https://www.chessprogramming.org/Move_Ordering>.

use cozy_chess::{Board, Color, Move, Piece, Square};

use crate::chess::computer::exchange::{WORTH, gains};
use crate::chess::san::is_castling;

/// A move in a list, and how soon it is to be tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked {
    pub(super) mv: Move,
    pub(super) rank: i32,
}

/// The rank of the move that was best here before.
const KNOWN: i32 = 4_000_000;
/// The rank of a capture that does not lose; captures that lose have the negative of it.
const WINNING: i32 = 2_000_000;
/// The rank of a move that refuted another one in the same ply.
const KILLER: i32 = 1_000_000;
/// The most that a move can be worth by its past.
const MOST: i32 = 16_384;

/// A piece that goes to a square, as a number.
pub(super) type Step = u16;
/// The number of steps.
const STEPS: usize = Piece::NUM * Square::NUM;

/// What the search remembers about moves.
pub(super) struct Memory {
    /// For each ply the last moves that refuted another one.
    killers: Vec<[Option<Move>; 2]>,
    /// How good quiet moves have been, by side, from and to.
    quiet: Vec<i16>,
    /// The same by the step before, and by the step before that one.
    replies: [Vec<i16>; 2],
}

impl Memory {
    pub(super) fn new(plies: usize) -> Memory {
        let replies = || vec![0; STEPS * STEPS];
        Memory { killers: vec![[None; 2]; plies], quiet: vec![0; 2 * 64 * 64], replies: [replies(), replies()] }
    }

    /// Gives a rank to each move of a list; `before` are the two last steps.
    pub(super) fn rank(
        &self,
        board: &Board,
        list: &mut [Ranked],
        known: Option<Move>,
        ply: usize,
        before: [Option<Step>; 2],
    ) {
        let killers = self.killers.get(ply).copied().unwrap_or_default();
        for Ranked { mv, rank } in list {
            *rank = if Some(*mv) == known {
                KNOWN
            } else if is_noisy(board, *mv) {
                rank_of_capture(board, *mv)
            } else if let Some(nth) = killers.iter().position(|killer| *killer == Some(*mv)) {
                KILLER - nth as i32
            } else {
                self.past(board, *mv, before)
            };
        }
    }

    /// Returns how good a quiet move has been.
    pub(super) fn past(&self, board: &Board, mv: Move, before: [Option<Step>; 2]) -> i32 {
        let quiet = self.quiet.get(place(board.side_to_move(), mv)).copied().unwrap_or_default();
        let step = step(board, mv);
        let replies = self.replies.iter().zip(before).map(|(replies, before)| {
            let at = before.map(|before| usize::from(before) * STEPS + usize::from(step));
            at.and_then(|at| replies.get(at)).copied().unwrap_or_default()
        });
        i32::from(quiet) + replies.map(i32::from).sum::<i32>()
    }

    /// Learns that a quiet move has refuted the one before it, and that those tried earlier have not.
    pub(super) fn refuted_by(
        &mut self,
        board: &Board,
        mv: Move,
        earlier: &[Move],
        depth: i32,
        ply: usize,
        before: [Option<Step>; 2],
    ) {
        if let Some([first, second]) = self.killers.get_mut(ply)
            && *first != Some(mv)
        {
            *second = first.replace(mv);
        }
        let bonus = (16 * depth * depth + 32 * depth).min(1_600);
        self.learn(board, mv, bonus, before);
        for other in earlier {
            self.learn(board, *other, -bonus, before);
        }
    }

    /// Forgets the moves that refuted others two plies ahead: they belong to another part of the tree.
    pub(super) fn forget(&mut self, ply: usize) {
        if let Some(killers) = self.killers.get_mut(ply) {
            *killers = [None; 2];
        }
    }

    fn learn(&mut self, board: &Board, mv: Move, bonus: i32, before: [Option<Step>; 2]) {
        let step = usize::from(step(board, mv));
        if let Some(past) = self.quiet.get_mut(place(board.side_to_move(), mv)) {
            shift(past, bonus);
        }
        for (replies, before) in self.replies.iter_mut().zip(before) {
            let at = before.map(|before| usize::from(before) * STEPS + step);
            if let Some(past) = at.and_then(|at| replies.get_mut(at)) {
                shift(past, bonus);
            }
        }
    }
}

/// Moves a number towards a bonus, the less the nearer it is to the most.
fn shift(past: &mut i16, bonus: i32) {
    let now = i32::from(*past);
    *past = (now + bonus - now * bonus.abs() / MOST) as i16;
}

/// Puts the move with the highest rank of those from `at` on in that place, and returns it.
pub(super) fn next(list: &mut [Ranked], at: usize) -> Option<Ranked> {
    let mut best = at;
    for other in at + 1..list.len() {
        // The first of equals stays.
        if list[other].rank > list[best].rank {
            best = other;
        }
    }
    if best < list.len() {
        list.swap(at, best);
    }
    list.get(at).copied()
}

/// Tests if a move captures something or makes a queen.
pub(super) fn is_noisy(board: &Board, mv: Move) -> bool {
    board.colors(!board.side_to_move()).has(mv.to) || mv.promotion.is_some() || is_passing(board, mv)
}

/// Tests if a pawn takes another one in passing.
fn is_passing(board: &Board, mv: Move) -> bool {
    mv.from.file() != mv.to.file() && board.piece_on(mv.from) == Some(Piece::Pawn)
}

/// Returns what a move captures, in hundredths of a pawn, and what a pawn wins by becoming a piece.
pub(super) fn booty(board: &Board, mv: Move) -> i32 {
    let victim = match board.piece_on(mv.to) {
        Some(_) if is_castling(board, mv) => 0,
        Some(piece) => WORTH[piece as usize],
        None if is_passing(board, mv) => WORTH[0],
        None => 0,
    };
    victim + mv.promotion.map_or(0, |piece| WORTH[piece as usize] - WORTH[0])
}

fn rank_of_capture(board: &Board, mv: Move) -> i32 {
    // Another piece than a queen is hardly ever wanted.
    if mv.promotion.is_some_and(|piece| piece != Piece::Queen) {
        return -2 * WINNING;
    }
    let attacker = board.piece_on(mv.from).map_or(0, |piece| piece as i32);
    let rank = booty(board, mv) * 16 - attacker;
    if gains(board, mv, 0) { WINNING + rank } else { rank - WINNING }
}

/// Tests if a rank is that of a capture that loses something.
pub(super) fn is_losing(rank: i32) -> bool {
    rank < -WINNING / 2
}

fn place(side: Color, mv: Move) -> usize {
    (side as usize * 64 + mv.from as usize) * 64 + mv.to as usize
}

/// Returns the piece that a move moves, and where to.
pub(super) fn step(board: &Board, mv: Move) -> Step {
    let piece = board.piece_on(mv.from).map_or(0, |piece| piece as usize);
    (piece * Square::NUM + mv.to as usize) as Step
}
