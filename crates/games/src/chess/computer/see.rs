//! What comes of captures on one square, if both sides take with the least piece first and stop when it does not pay:
//! [static exchange evaluation](https://www.chessprogramming.org/Static_Exchange_Evaluation).

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};

use crate::chess::san::is_castling;

/// The pieces from pawn to king, in hundredths of a pawn.
pub(super) const PIECE_VALUES: [i32; 6] = [100, 320, 330, 500, 950, 20_000];

/// Tests if a move wins at least so much on the square that it goes to.
pub(super) fn see_at_least(board: &Board, mv: Move, least: i32) -> bool {
    let side = board.side_to_move();
    let Some(moved) = board.piece_on(mv.from) else { return false };
    if is_castling(board, mv) {
        return least <= 0;
    }
    let victim = board.piece_on(mv.to).filter(|_| board.colors(!side).has(mv.to));
    let passing = moved == Piece::Pawn && victim.is_none() && mv.from.file() != mv.to.file();
    let won = victim.map_or(if passing { PIECE_VALUES[0] } else { 0 }, |piece| PIECE_VALUES[piece as usize]);
    let mut balance = won - least;
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
    let mut turn = !side;
    loop {
        let own = attackers & board.colors(turn);
        let Some((piece, from)) = least_valuable(board, own) else { break };
        occupied ^= from.bitboard();
        // Behind the one that takes another one may stand.
        if matches!(piece, Piece::Pawn | Piece::Bishop | Piece::Queen) {
            attackers |= get_bishop_moves(mv.to, occupied) & diagonal;
        }
        if matches!(piece, Piece::Rook | Piece::Queen) {
            attackers |= get_rook_moves(mv.to, occupied) & straight;
        }
        attackers &= occupied;
        turn = !turn;
        balance = -balance - 1 - PIECE_VALUES[piece as usize];
        if balance >= 0 {
            // A king cannot take what is protected.
            if piece == Piece::King && !(attackers & board.colors(turn)).is_empty() {
                turn = !turn;
            }
            break;
        }
    }
    turn != side
}

/// Returns all pieces that attack a square.
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

/// Returns the piece of the least worth among these, and its square.
fn least_valuable(board: &Board, among: BitBoard) -> Option<(Piece, Square)> {
    Piece::ALL.into_iter().find_map(|piece| Some((piece, (board.pieces(piece) & among).next_square()?)))
}
