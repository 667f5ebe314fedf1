//! Moves in the notation of the [Universal Chess Interface](https://www.wbec-ridderkerk.nl/html/UCIProtocol.html).
//!
//! Castling is written as the king's move by two squares, or in Chess960 as its move onto the rook.

use cozy_chess::util::display_uci_move;
use cozy_chess::{Board, Move as RawMove};

use crate::chess::moves::Uci;
use crate::chess::{Chess, Move};

/// Returns the legal move that a text means, or `None` if it means none.
///
/// It accepts either castling notation, and tries the one that `chess960` selects first. Drawn games may continue, as
/// in other programs.
pub fn find(game: &Chess, text: &str, chess960: bool) -> Option<Move> {
    let mut legal = Vec::new();
    game.board.generate_moves(|moves| {
        legal.extend(moves);
        false
    });
    // A king's step to the next square may look like castling in the other notation.
    [chess960, !chess960].into_iter().find_map(|chess960| {
        let is_match = |mv: &&RawMove| format_raw(&game.board, **mv, chess960).eq_ignore_ascii_case(text);
        legal.iter().find(is_match).map(|mv| Move::from(*mv))
    })
}

/// Formats a move of this position.
pub fn format(game: &Chess, mv: &Move, chess960: bool) -> String {
    let Uci(raw) = mv.uci;
    format_raw(&game.board, raw, chess960)
}

/// Formats a line of moves from this position.
pub fn format_line(game: &Chess, moves: &[RawMove], chess960: bool) -> String {
    let mut board = game.board.clone();
    let mut words = Vec::with_capacity(moves.len());
    for mv in moves {
        let word = format_raw(&board, *mv, chess960);
        if board.try_play(*mv).is_err() {
            break;
        }
        words.push(word);
    }
    words.join(" ")
}

fn format_raw(board: &Board, mv: RawMove, chess960: bool) -> String {
    if chess960 { mv.to_string() } else { display_uci_move(board, mv).to_string() }
}
