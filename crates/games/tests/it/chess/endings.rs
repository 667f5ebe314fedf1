//! How a game ends, and when a draw can be claimed.

use game::contract::{Ending, Interop, Outcome, Rules};
use game::seat::Seat;
use games::chess::config::GameConfig;
use games::chess::game::Chess;
use games::chess::position::Position;

use super::{game_from_fen, new_game, play_moves};

const SHUFFLE: &str = "Nf3 Nf6 Ng1 Ng8 ";

#[track_caller]
fn ends(game: &Chess, outcome: Outcome, reason: &'static str) {
    assert_eq!(game.ending(), Some(Ending { outcome, reason: Some(reason.into()) }));
    assert_eq!((game.legal_moves(), game.claimable_draw()), (Vec::new(), None));
}

/// The game of a FEN that `/new` would refuse, because it is over.
fn stands(fen: &str) -> Chess {
    let position = Position { fen: fen.to_owned(), earlier: Vec::new() };
    Chess::from_position(&GameConfig::default(), &position).unwrap()
}

#[test]
fn mate_and_stalemate() {
    ends(&play_moves(&new_game(), "f3 e5 g4 Qh4#"), Outcome::Won(Seat::Second), "checkmate");
    ends(&play_moves(&new_game(), "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#"), Outcome::Won(Seat::First), "checkmate");
    let shortest = "e3 a5 Qh5 Ra6 Qxa5 h5 h4 Rah6 Qxc7 f6 Qxd7+ Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6 Qe6";
    ends(&play_moves(&new_game(), shortest), Outcome::Draw, "stalemate");
    // Mate comes before any draw.
    ends(
        &play_moves(&game_from_fen("7k/8/6K1/8/8/8/8/R7 w - - 149 120"), "Ra8#"),
        Outcome::Won(Seat::First),
        "checkmate",
    );
}

#[test]
fn pieces_that_cannot_mate() {
    for fen in [
        "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
        "8/8/4k3/8/8/3KN3/8/8 w - - 0 1",
        "8/8/4k3/8/8/3Kb3/8/8 w - - 0 1",
        "8/2b5/4k3/8/8/3KB3/8/4B3 w - - 0 1",
    ] {
        ends(&stands(fen), Outcome::Draw, "insufficient material");
    }
    for fen in [
        "8/8/4k3/8/8/3KP3/8/8 w - - 0 1",
        "8/8/4k3/8/8/3KNN2/8/8 w - - 0 1",
        "8/3b4/4k3/8/8/3KB3/8/8 w - - 0 1",
        "8/8/4kn2/8/8/3KN3/8/8 w - - 0 1",
    ] {
        assert_eq!(stands(fen).ending(), None, "{fen}");
    }
    ends(&play_moves(&game_from_fen("8/8/4k3/8/8/3Kr3/8/8 w - - 0 1"), "Kxe3"), Outcome::Draw, "insufficient material");
}

#[test]
fn a_position_that_comes_again() {
    let claim = |times: usize, more: &str| {
        let game = play_moves(&new_game(), &format!("{}{more}", SHUFFLE.repeat(times)));
        (game.claimable_draw().map(|reason| reason.into_owned()), game.outcome())
    };
    let threefold = (Some("threefold repetition".to_owned()), None);
    assert_eq!(claim(1, "Nf3 Nf6 Ng1"), (None, None));
    assert_eq!(claim(2, ""), threefold);
    // A claim is about the position on the board.
    assert_eq!(claim(2, "e4"), (None, None));
    assert_eq!(claim(3, "Nf3 Nf6 Ng1"), threefold);
    ends(&play_moves(&new_game(), &SHUFFLE.repeat(4)), Outcome::Draw, "fivefold repetition");
    // Another right to castle makes another position, and so does a pawn that may be captured in passing.
    let rooks = "Rb1 Rb8 Ra1 Ra8 ";
    let castling = game_from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    assert_eq!(play_moves(&castling, &rooks.repeat(2)).claimable_draw(), None);
    assert!(play_moves(&castling, &rooks.repeat(3)).claimable_draw().is_some());
    let passing = game_from_fen("4k1n1/8/8/8/4p3/8/3P4/4K1N1 w - - 0 1");
    assert_eq!(play_moves(&passing, &format!("d4 {}", "Nf6 Nf3 Ng8 Ng1 ".repeat(2))).claimable_draw(), None);
    // Where it cannot be captured, the pawn that went by makes no difference.
    let idle = game_from_fen("4k1n1/8/8/8/8/8/3P4/4K1N1 w - - 0 1");
    assert!(play_moves(&idle, &format!("d4 {}", "Nf6 Nf3 Ng8 Ng1 ".repeat(2))).claimable_draw().is_some());
}

#[test]
fn moves_without_a_capture_or_a_pawn() {
    let near = game_from_fen("8/8/4k3/8/8/3K4/8/R7 w - - 98 90");
    assert_eq!(play_moves(&near, "Ra2").claimable_draw(), None);
    let due = play_moves(&near, "Ra2 Kd6");
    assert_eq!(due.claimable_draw().as_deref(), Some("50 moves without a capture or a pawn move"));
    assert_eq!(due.position().fen, "8/8/3k4/8/8/3K4/R7/8 w - - 100 91");
    let last = play_moves(&game_from_fen("8/8/4k3/8/8/3K4/8/R7 w - - 148 90"), "Ra2");
    assert!(last.claimable_draw().is_some() && last.outcome().is_none());
    ends(&play_moves(&last, "Kd6"), Outcome::Draw, "75 moves without a capture or a pawn move");
}

/// A position knows what may come again, so that a game goes on from it as from its moves.
#[test]
fn a_position_keeps_those_before_it() {
    let game = play_moves(&new_game(), &format!("e4 {}", "Nf6 Nf3 Ng8 Ng1 ".repeat(2)));
    let position = game.position();
    assert_eq!(position.earlier.len(), 8);
    assert_eq!(position.earlier[0], "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -");
    let again = Chess::from_position(&GameConfig::default(), &position).unwrap();
    assert_eq!(again.position(), position);
    assert!(again.claimable_draw().is_some());
    assert_eq!(play_moves(&game, "d5").position().earlier, Vec::<String>::new());
}
