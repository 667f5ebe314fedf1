//! [Move ordering](https://www.chessprogramming.org/Move_Ordering): hash move, winning captures, killer moves, quiet
//! moves by history, losing captures.

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};

use crate::chess::notation::is_castling;

/// A move with its ordering score. Higher scores are searched first.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScoredMove {
    pub(super) mv: Move,
    pub(super) score: i32,
}

/// The score of the hash move.
const HASH_MOVE: i32 = 4_000_000;
/// The base score of a capture that doesn't lose material. Losing captures have the negative of it.
const GOOD_CAPTURE: i32 = 2_000_000;
/// The score of a killer move.
const KILLER: i32 = 1_000_000;
/// The bound of a history score.
const MAX_HISTORY: i32 = 16_384;

/// A piece and its target square, as an index.
pub(super) type PieceTo = u16;
/// The number of [`PieceTo`] values.
const PIECE_TO_COUNT: usize = Piece::NUM * Square::NUM;

/// Killer moves and history heuristics.
#[derive(Debug)]
pub(super) struct MoveHistory {
    /// The last two quiet moves that caused a cutoff, by ply.
    killers: Vec<[Option<Move>; 2]>,
    /// Butterfly history: by side, origin and target.
    butterfly: Vec<i16>,
    /// Continuation history: by the move one ply before, and by the move two plies before.
    continuation: [Vec<i16>; 2],
}

impl MoveHistory {
    pub(super) fn new(plies: usize) -> MoveHistory {
        let continuation = || vec![0; PIECE_TO_COUNT * PIECE_TO_COUNT];
        MoveHistory {
            killers: vec![[None; 2]; plies],
            butterfly: vec![0; 2 * 64 * 64],
            continuation: [continuation(), continuation()],
        }
    }

    /// Scores the moves of a list. `previous` are the last two moves, the latest first.
    pub(super) fn score_moves(
        &self,
        board: &Board,
        moves: &mut [ScoredMove],
        hash_move: Option<Move>,
        ply: usize,
        previous: [Option<PieceTo>; 2],
    ) {
        let killers = self.killers.get(ply).copied().unwrap_or_default();
        for ScoredMove { mv, score } in moves {
            *score = if Some(*mv) == hash_move {
                HASH_MOVE
            } else if is_noisy(board, *mv) {
                score_capture(board, *mv)
            } else if let Some(index) = killers.iter().position(|killer| *killer == Some(*mv)) {
                KILLER - index as i32
            } else {
                self.history_score(board, *mv, previous)
            };
        }
    }

    /// Returns the history score of a quiet move.
    pub(super) fn history_score(&self, board: &Board, mv: Move, previous: [Option<PieceTo>; 2]) -> i32 {
        let butterfly = self.butterfly.get(butterfly_index(board.side_to_move(), mv)).copied().unwrap_or_default();
        let piece_to = piece_to(board, mv);
        let continuation = self.continuation.iter().zip(previous).map(|(scores, previous)| {
            let index = previous.map(|previous| continuation_index(previous, piece_to));
            index.and_then(|index| scores.get(index)).copied().unwrap_or_default()
        });
        i32::from(butterfly) + continuation.map(i32::from).sum::<i32>()
    }

    /// Records that a quiet move caused a cutoff, and that the quiet moves searched before it didn't.
    pub(super) fn record_cutoff(
        &mut self,
        board: &Board,
        mv: Move,
        searched_quiets: &[Move],
        depth: i32,
        ply: usize,
        previous: [Option<PieceTo>; 2],
    ) {
        if let Some([first, second]) = self.killers.get_mut(ply)
            && *first != Some(mv)
        {
            *second = first.replace(mv);
        }
        let bonus = (16 * depth * depth + 32 * depth).min(1_600);
        self.update(board, mv, bonus, previous);
        for quiet in searched_quiets {
            self.update(board, *quiet, -bonus, previous);
        }
    }

    /// Clears the killer moves of a ply, which belong to another part of the tree.
    pub(super) fn clear_killers(&mut self, ply: usize) {
        if let Some(killers) = self.killers.get_mut(ply) {
            *killers = [None; 2];
        }
    }

    fn update(&mut self, board: &Board, mv: Move, bonus: i32, previous: [Option<PieceTo>; 2]) {
        let piece_to = piece_to(board, mv);
        if let Some(score) = self.butterfly.get_mut(butterfly_index(board.side_to_move(), mv)) {
            apply_bonus(score, bonus);
        }
        for (scores, previous) in self.continuation.iter_mut().zip(previous) {
            let index = previous.map(|previous| continuation_index(previous, piece_to));
            if let Some(score) = index.and_then(|index| scores.get_mut(index)) {
                apply_bonus(score, bonus);
            }
        }
    }
}

/// Adds a bonus to a history score, scaled down as it approaches [`MAX_HISTORY`].
fn apply_bonus(score: &mut i16, bonus: i32) {
    let current = i32::from(*score);
    *score = (current + bonus - current * bonus.abs() / MAX_HISTORY) as i16;
}

/// Swaps the highest-scored move from `start` on into place `start`, and returns it (selection sort).
pub(super) fn pick_next(moves: &mut [ScoredMove], start: usize) -> Option<ScoredMove> {
    let mut best = start;
    for index in start + 1..moves.len() {
        // On a tie, the earlier move wins.
        if moves[index].score > moves[best].score {
            best = index;
        }
    }
    if best < moves.len() {
        moves.swap(start, best);
    }
    moves.get(start).copied()
}

/// Whether a move is a capture or a promotion.
pub(super) fn is_noisy(board: &Board, mv: Move) -> bool {
    board.colors(!board.side_to_move()).has(mv.to) || mv.promotion.is_some() || is_en_passant(board, mv)
}

/// Whether a pawn move to an empty square is an en passant capture.
fn is_en_passant(board: &Board, mv: Move) -> bool {
    mv.from.file() != mv.to.file() && board.piece_on(mv.from) == Some(Piece::Pawn)
}

/// Returns the material that a move gains by capture and promotion, in centipawns.
pub(super) fn material_gain(board: &Board, mv: Move) -> i32 {
    let captured = match board.piece_on(mv.to) {
        Some(_) if is_castling(board, mv) => 0,
        Some(piece) => PIECE_VALUES[piece as usize],
        None if is_en_passant(board, mv) => PIECE_VALUES[0],
        None => 0,
    };
    captured + mv.promotion.map_or(0, |piece| PIECE_VALUES[piece as usize] - PIECE_VALUES[0])
}

/// Returns the score of a capture or promotion: most valuable victim, least valuable attacker (MVV-LVA).
///
/// Captures that lose material by SEE score below all quiet moves.
fn score_capture(board: &Board, mv: Move) -> i32 {
    // Underpromotions are hardly ever best.
    if mv.promotion.is_some_and(|piece| piece != Piece::Queen) {
        return -2 * GOOD_CAPTURE;
    }
    let attacker = board.piece_on(mv.from).map_or(0, |piece| piece as i32);
    let mvv_lva = material_gain(board, mv) * 16 - attacker;
    if see_at_least(board, mv, 0) { GOOD_CAPTURE + mvv_lva } else { mvv_lva - GOOD_CAPTURE }
}

/// Whether an ordering score is that of a losing capture.
pub(super) fn is_losing_capture(score: i32) -> bool {
    score < -GOOD_CAPTURE / 2
}

fn butterfly_index(color: Color, mv: Move) -> usize {
    (color as usize * 64 + mv.from as usize) * 64 + mv.to as usize
}

fn continuation_index(previous: PieceTo, piece_to: PieceTo) -> usize {
    usize::from(previous) * PIECE_TO_COUNT + usize::from(piece_to)
}

/// Returns the moving piece and its target square as an index.
pub(super) fn piece_to(board: &Board, mv: Move) -> PieceTo {
    let piece = board.piece_on(mv.from).map_or(0, |piece| piece as usize);
    (piece * Square::NUM + mv.to as usize) as PieceTo
}

// [Static exchange evaluation](https://www.chessprogramming.org/Static_Exchange_Evaluation) (SEE): the result of all
// captures on one square, if both sides capture with their least valuable piece and stop when it doesn't pay.

/// The values of the pieces from pawn to king, in centipawns.
const PIECE_VALUES: [i32; 6] = [100, 320, 330, 500, 950, 20_000];

/// Whether the exchange that a move starts wins at least `threshold` centipawns.
pub(super) fn see_at_least(board: &Board, mv: Move, threshold: i32) -> bool {
    let us = board.side_to_move();
    let Some(moved) = board.piece_on(mv.from) else { return false };
    if is_castling(board, mv) {
        return threshold <= 0;
    }
    let captured = if board.colors(!us).has(mv.to) { board.piece_on(mv.to) } else { None };
    let is_en_passant = moved == Piece::Pawn && captured.is_none() && mv.from.file() != mv.to.file();
    let gain = match captured {
        Some(piece) => PIECE_VALUES[piece as usize],
        None if is_en_passant => PIECE_VALUES[0],
        None => 0,
    };
    let mut balance = gain - threshold;
    if let Some(piece) = mv.promotion {
        balance += PIECE_VALUES[piece as usize] - PIECE_VALUES[0];
    }
    if balance < 0 {
        return false;
    }
    balance -= PIECE_VALUES[mv.promotion.unwrap_or(moved) as usize];
    if balance >= 0 {
        return true;
    }
    let mut occupied = (board.occupied() | mv.to.bitboard()) ^ mv.from.bitboard();
    let diagonal = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
    let straight = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    let mut attackers = attackers_to(board, mv.to, occupied) & occupied;
    let mut side = !us;
    while let Some((piece, from)) = least_valuable(board, attackers & board.colors(side)) {
        occupied ^= from.bitboard();
        // The capture may uncover a slider behind the piece.
        if matches!(piece, Piece::Pawn | Piece::Bishop | Piece::Queen) {
            attackers |= get_bishop_moves(mv.to, occupied) & diagonal;
        }
        if matches!(piece, Piece::Rook | Piece::Queen) {
            attackers |= get_rook_moves(mv.to, occupied) & straight;
        }
        attackers &= occupied;
        side = !side;
        balance = -balance - 1 - PIECE_VALUES[piece as usize];
        if balance >= 0 {
            // A king can't capture a protected piece.
            if piece == Piece::King && !(attackers & board.colors(side)).is_empty() {
                side = !side;
            }
            break;
        }
    }
    // The side that can't continue the exchange has lost it.
    side != us
}

/// Returns the pieces of both sides that attack a square.
fn attackers_to(board: &Board, square: Square, occupied: BitBoard) -> BitBoard {
    let diagonal = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
    let straight = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    get_pawn_attacks(square, Color::White) & board.colored_pieces(Color::Black, Piece::Pawn)
        | get_pawn_attacks(square, Color::Black) & board.colored_pieces(Color::White, Piece::Pawn)
        | get_knight_moves(square) & board.pieces(Piece::Knight)
        | get_king_moves(square) & board.pieces(Piece::King)
        | get_bishop_moves(square, occupied) & diagonal
        | get_rook_moves(square, occupied) & straight
}

/// Returns the least valuable of these pieces, and its square.
fn least_valuable(board: &Board, pieces: BitBoard) -> Option<(Piece, Square)> {
    Piece::ALL.into_iter().find_map(|piece| Some((piece, (board.pieces(piece) & pieces).next_square()?)))
}
