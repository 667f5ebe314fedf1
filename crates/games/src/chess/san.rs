//! Moves in Standard Algebraic Notation, [as PGN has it](https://www.saremba.de/chessgml/standards/pgn/pgn-complete.htm):
//! `Nbd2`, `exd5`, `e8=Q`, `O-O`, with `+` for check and `#` for mate.

use cozy_chess::{BitBoard, Board, Color, Move, Piece, Square};

use crate::chess::names::piece_letter;

/// Returns a legal move in canonical notation.
pub fn format(board: &Board, mv: Move) -> String {
    let mut san = format_without_suffix(board, mv);
    let mut after = board.clone();
    if after.try_play(mv).is_ok() && !after.checkers().is_empty() {
        san.push(if after.generate_moves(|_| true) { '+' } else { '#' });
    }
    san
}

/// Returns the same without the sign for check or mate.
fn format_without_suffix(board: &Board, mv: Move) -> String {
    if is_castling(board, mv) {
        return if mv.to.file() > mv.from.file() { "O-O".to_owned() } else { "O-O-O".to_owned() };
    }
    let piece = board.piece_on(mv.from).unwrap_or(Piece::Pawn);
    let captures = is_capture(board, mv);
    let mut san = String::with_capacity(8);
    if piece != Piece::Pawn {
        san.push(piece_letter(piece));
        let (file, rank) = disambiguation(board, piece, mv);
        san.extend(file.then(|| char::from(mv.from.file())));
        san.extend(rank.then(|| char::from(mv.from.rank())));
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

/// Tests if a move castles: the king goes to a rook of its own.
pub fn is_castling(board: &Board, mv: Move) -> bool {
    let own = |piece| board.colored_pieces(board.side_to_move(), piece);
    own(Piece::King).has(mv.from) && own(Piece::Rook).has(mv.to)
}

/// Tests if a move captures something.
pub fn is_capture(board: &Board, mv: Move) -> bool {
    let passing = mv.from.file() != mv.to.file() && board.pieces(Piece::Pawn).has(mv.from);
    board.colors(!board.side_to_move()).has(mv.to) || passing
}

/// Returns the squares that the king and the rook come to in castling, the king's first.
pub fn castling_targets(color: Color, mv: Move) -> [Square; 2] {
    let [king, rook] = if mv.to.file() > mv.from.file() { [Square::G1, Square::F1] } else { [Square::C1, Square::D1] };
    [king.relative_to(color), rook.relative_to(color)]
}

/// Returns whether the file and the rank of a piece have to be named, because another one of its kind can go there, too.
fn disambiguation(board: &Board, piece: Piece, mv: Move) -> (bool, bool) {
    let alike = board.colored_pieces(board.side_to_move(), piece) - mv.from.bitboard();
    let mut others = BitBoard::EMPTY;
    board.generate_moves_for(alike, |moves| {
        if moves.to.has(mv.to) {
            others |= moves.from.bitboard();
        }
        false
    });
    let on_rank = !others.is_disjoint(mv.from.rank().bitboard());
    let on_file = !others.is_disjoint(mv.from.file().bitboard());
    (!others.is_empty() && (on_rank || !on_file), on_file)
}
