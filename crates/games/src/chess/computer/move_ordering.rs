//! The order in which moves are tried. The sooner the best one comes, the less is looked at: the one that was best here before,
//! captures that win something, moves that refuted others nearby, quiet moves by how often they were good, and captures that
//! lose. See <https://www.chessprogramming.org/Move_Ordering>.

use cozy_chess::{Board, Color, Move, Piece, Square};

use crate::chess::computer::see::{PIECE_VALUES, see_at_least};
use crate::chess::san::is_castling;

/// A move in a list, and how soon it is to be tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScoredMove {
    pub(super) mv: Move,
    pub(super) score: i32,
}

/// The rank of the move that was best here before.
const HASH_MOVE: i32 = 4_000_000;
/// The rank of a capture that does not lose; captures that lose have the negative of it.
const GOOD_CAPTURE: i32 = 2_000_000;
/// The rank of a move that refuted another one in the same ply.
const KILLER: i32 = 1_000_000;
/// The most that a move can be worth by its past.
const MAX_HISTORY: i32 = 16_384;

/// A piece that goes to a square, as a number.
pub(super) type PieceTo = u16;
/// The number of steps.
const PIECE_TO_COUNT: usize = Piece::NUM * Square::NUM;

/// What the search remembers about moves.
pub(super) struct MoveHistory {
    /// For each ply the last moves that refuted another one.
    killers: Vec<[Option<Move>; 2]>,
    /// How good quiet moves have been, by side, from and to.
    butterfly: Vec<i16>,
    /// The same by the step before, and by the step before that one.
    continuation: [Vec<i16>; 2],
}

impl MoveHistory {
    pub(super) fn new(plies: usize) -> MoveHistory {
        let replies = || vec![0; PIECE_TO_COUNT * PIECE_TO_COUNT];
        MoveHistory {
            killers: vec![[None; 2]; plies],
            butterfly: vec![0; 2 * 64 * 64],
            continuation: [replies(), replies()],
        }
    }

    /// Gives a rank to each move of a list; `before` are the two last steps.
    pub(super) fn score_moves(
        &self,
        board: &Board,
        list: &mut [ScoredMove],
        known: Option<Move>,
        ply: usize,
        before: [Option<PieceTo>; 2],
    ) {
        let killers = self.killers.get(ply).copied().unwrap_or_default();
        for ScoredMove { mv, score: rank } in list {
            *rank = if Some(*mv) == known {
                HASH_MOVE
            } else if is_noisy(board, *mv) {
                score_capture(board, *mv)
            } else if let Some(nth) = killers.iter().position(|killer| *killer == Some(*mv)) {
                KILLER - nth as i32
            } else {
                self.history_score(board, *mv, before)
            };
        }
    }

    /// Returns how good a quiet move has been.
    pub(super) fn history_score(&self, board: &Board, mv: Move, before: [Option<PieceTo>; 2]) -> i32 {
        let quiet = self.butterfly.get(butterfly_index(board.side_to_move(), mv)).copied().unwrap_or_default();
        let step = piece_to(board, mv);
        let replies = self.continuation.iter().zip(before).map(|(replies, before)| {
            let at = before.map(|before| usize::from(before) * PIECE_TO_COUNT + usize::from(step));
            at.and_then(|at| replies.get(at)).copied().unwrap_or_default()
        });
        i32::from(quiet) + replies.map(i32::from).sum::<i32>()
    }

    /// Learns that a quiet move has refuted the one before it, and that those tried earlier have not.
    pub(super) fn record_cutoff(
        &mut self,
        board: &Board,
        mv: Move,
        earlier: &[Move],
        depth: i32,
        ply: usize,
        before: [Option<PieceTo>; 2],
    ) {
        if let Some([first, second]) = self.killers.get_mut(ply)
            && *first != Some(mv)
        {
            *second = first.replace(mv);
        }
        let bonus = (16 * depth * depth + 32 * depth).min(1_600);
        self.update(board, mv, bonus, before);
        for other in earlier {
            self.update(board, *other, -bonus, before);
        }
    }

    /// Forgets the moves that refuted others two plies ahead: they belong to another part of the tree.
    pub(super) fn clear_killers(&mut self, ply: usize) {
        if let Some(killers) = self.killers.get_mut(ply) {
            *killers = [None; 2];
        }
    }

    fn update(&mut self, board: &Board, mv: Move, bonus: i32, before: [Option<PieceTo>; 2]) {
        let step = usize::from(piece_to(board, mv));
        if let Some(past) = self.butterfly.get_mut(butterfly_index(board.side_to_move(), mv)) {
            apply_bonus(past, bonus);
        }
        for (replies, before) in self.continuation.iter_mut().zip(before) {
            let at = before.map(|before| usize::from(before) * PIECE_TO_COUNT + step);
            if let Some(past) = at.and_then(|at| replies.get_mut(at)) {
                apply_bonus(past, bonus);
            }
        }
    }
}

/// Moves a number towards a bonus, the less the nearer it is to the most.
fn apply_bonus(past: &mut i16, bonus: i32) {
    let now = i32::from(*past);
    *past = (now + bonus - now * bonus.abs() / MAX_HISTORY) as i16;
}

/// Puts the move with the highest rank of those from `at` on in that place, and returns it.
pub(super) fn pick_next(list: &mut [ScoredMove], at: usize) -> Option<ScoredMove> {
    let mut best = at;
    for other in at + 1..list.len() {
        // The first of equals stays.
        if list[other].score > list[best].score {
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
    board.colors(!board.side_to_move()).has(mv.to) || mv.promotion.is_some() || is_en_passant(board, mv)
}

/// Tests if a pawn takes another one in passing.
fn is_en_passant(board: &Board, mv: Move) -> bool {
    mv.from.file() != mv.to.file() && board.piece_on(mv.from) == Some(Piece::Pawn)
}

/// Returns what a move captures, in hundredths of a pawn, and what a pawn wins by becoming a piece.
pub(super) fn material_gain(board: &Board, mv: Move) -> i32 {
    let victim = match board.piece_on(mv.to) {
        Some(_) if is_castling(board, mv) => 0,
        Some(piece) => PIECE_VALUES[piece as usize],
        None if is_en_passant(board, mv) => PIECE_VALUES[0],
        None => 0,
    };
    victim + mv.promotion.map_or(0, |piece| PIECE_VALUES[piece as usize] - PIECE_VALUES[0])
}

fn score_capture(board: &Board, mv: Move) -> i32 {
    // Another piece than a queen is hardly ever wanted.
    if mv.promotion.is_some_and(|piece| piece != Piece::Queen) {
        return -2 * GOOD_CAPTURE;
    }
    let attacker = board.piece_on(mv.from).map_or(0, |piece| piece as i32);
    let rank = material_gain(board, mv) * 16 - attacker;
    if see_at_least(board, mv, 0) { GOOD_CAPTURE + rank } else { rank - GOOD_CAPTURE }
}

/// Tests if a rank is that of a capture that loses something.
pub(super) fn is_losing_capture(rank: i32) -> bool {
    rank < -GOOD_CAPTURE / 2
}

fn butterfly_index(side: Color, mv: Move) -> usize {
    (side as usize * 64 + mv.from as usize) * 64 + mv.to as usize
}

/// Returns the piece that a move moves, and where to.
pub(super) fn piece_to(board: &Board, mv: Move) -> PieceTo {
    let piece = board.piece_on(mv.from).map_or(0, |piece| piece as usize);
    (piece * Square::NUM + mv.to as usize) as PieceTo
}
