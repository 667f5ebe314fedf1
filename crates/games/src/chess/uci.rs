//! Moves as the [Universal Chess Interface](https://www.wbec-ridderkerk.nl/html/UCIProtocol.html) has them, for programs that
//! play with the computer: who castles moves the king two squares, and only in Chess960 onto the rook.

use cozy_chess::util::display_uci_move;
use cozy_chess::{Board, Move as RawMove};
use game::contract::Rules;

use crate::chess::game::Chess;
use crate::chess::moves::{Move, Uci};

/// Returns the game after a move in either spelling, of which this one is tried first; `None` if no such move is legal. A game
/// that is drawn may be played on, as other programs do.
pub fn play(game: &Chess, text: &str, chess960: bool) -> Option<Chess> {
    let mut legal = Vec::new();
    game.board.generate_moves(|moves| {
        legal.extend(moves);
        false
    });
    let is = |mv: &RawMove, chess960: bool| format_raw(&game.board, *mv, chess960).eq_ignore_ascii_case(text);
    // A king's step to the next square may look like castling in the other spelling.
    let found = [chess960, !chess960].into_iter().find_map(|chess960| legal.iter().find(|mv| is(mv, chess960)));
    found.map(|mv| game.play(&Move::from(*mv)))
}

/// Returns a move of this position.
pub fn format(game: &Chess, mv: &Move, chess960: bool) -> String {
    let Uci(raw) = mv.uci;
    format_raw(&game.board, raw, chess960)
}

/// Returns moves that follow each other, from this position on.
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
