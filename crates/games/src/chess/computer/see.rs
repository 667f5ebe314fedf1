//! [Static exchange evaluation](https://www.chessprogramming.org/Static_Exchange_Evaluation) (SEE): the result of all
//! captures on one square, if both sides capture with their least valuable piece and stop when it doesn't pay.

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};

use crate::chess::san::is_castling;

/// The values of the pieces from pawn to king, in centipawns.
pub(super) const PIECE_VALUES: [i32; 6] = [100, 320, 330, 500, 950, 20_000];

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
