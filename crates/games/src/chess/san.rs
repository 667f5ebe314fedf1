//! Moves in Standard Algebraic Notation, [as specified for
//! PGN](https://www.saremba.de/chessgml/standards/pgn/pgn-complete.htm): `Nbd2`, `exd5`, `e8=Q`, `O-O`, with `+` for
//! check and `#` for checkmate.

use cozy_chess::{BitBoard, Board, Color, Move as RawMove, Piece, Square};

use crate::chess::names::piece_letter;

/// Formats a legal move.
pub fn format(board: &Board, mv: RawMove) -> String {
    let mut san = format_without_suffix(board, mv);
    let mut after = board.clone();
    if after.try_play(mv).is_ok() && !after.checkers().is_empty() {
        san.push(if after.generate_moves(|_| true) { '+' } else { '#' });
    }
    san
}

/// Formats a legal move without the suffix for check or checkmate.
fn format_without_suffix(board: &Board, mv: RawMove) -> String {
    if is_castling(board, mv) {
        return if mv.to.file() > mv.from.file() { "O-O".to_owned() } else { "O-O-O".to_owned() };
    }
    let piece = board.piece_on(mv.from).unwrap_or(Piece::Pawn);
    let captures = is_capture(board, mv);
    let mut san = String::with_capacity(8);
    if piece != Piece::Pawn {
        san.push(piece_letter(piece));
        let (needs_file, needs_rank) = disambiguation(board, piece, mv);
        if needs_file {
            san.push(mv.from.file().into());
        }
        if needs_rank {
            san.push(mv.from.rank().into());
        }
    } else if captures {
        san.push(mv.from.file().into());
    }
    if captures {
        san.push('x');
    }
    san.push(mv.to.file().into());
    san.push(mv.to.rank().into());
    if let Some(piece) = mv.promotion {
        san.extend(['=', piece_letter(piece)]);
    }
    san
}

/// Whether a move castles: the king moves onto a rook of its own.
pub fn is_castling(board: &Board, mv: RawMove) -> bool {
    let own = |piece| board.colored_pieces(board.side_to_move(), piece);
    own(Piece::King).has(mv.from) && own(Piece::Rook).has(mv.to)
}

/// Whether a move captures something.
pub fn is_capture(board: &Board, mv: RawMove) -> bool {
    let is_diagonal_pawn = mv.from.file() != mv.to.file() && board.pieces(Piece::Pawn).has(mv.from);
    board.colors(!board.side_to_move()).has(mv.to) || is_diagonal_pawn
}

/// Returns the squares where the king and the rook land after castling, the king's first.
pub fn castling_targets(color: Color, mv: RawMove) -> [Square; 2] {
    let [king, rook] = if mv.to.file() > mv.from.file() { [Square::G1, Square::F1] } else { [Square::C1, Square::D1] };
    [king.relative_to(color), rook.relative_to(color)]
}

/// Returns whether the origin's file and rank are needed to distinguish the move from one by another piece of the same
/// kind.
fn disambiguation(board: &Board, piece: Piece, mv: RawMove) -> (bool, bool) {
    let same_kind = board.colored_pieces(board.side_to_move(), piece) - mv.from.bitboard();
    let mut others = BitBoard::EMPTY;
    board.generate_moves_for(same_kind, |moves| {
        if moves.to.has(mv.to) {
            others |= moves.from.bitboard();
        }
        false
    });
    let on_rank = !others.is_disjoint(mv.from.rank().bitboard());
    let on_file = !others.is_disjoint(mv.from.file().bitboard());
    (!others.is_empty() && (on_rank || !on_file), on_file)
}
