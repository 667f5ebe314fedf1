//! Endings, and draws that a player may claim.

use game::{Ending, Outcome, PositionJson, Rules, Seat};
use games::chess::{Chess, GameConfig, Position};

use super::{game_from_fen, new_game, play_moves};

const SHUFFLE: &str = "Nf3 Nf6 Ng1 Ng8 ";

#[track_caller]
fn assert_ends(game: &Chess, outcome: Outcome, reason: &'static str) {
    assert_eq!(game.ending(), Some(Ending { outcome, reason: Some(reason.into()) }));
    assert_eq!((game.legal_moves(), game.claimable_draw()), (Vec::new(), None));
}

/// Returns a game at a FEN that `/new` may refuse because the game is over.
fn game_at(fen: &str) -> Chess {
    let position = Position { fen: fen.to_owned(), earlier: Vec::new() };
    Chess::from_position(&GameConfig::default(), &position).unwrap()
}

#[test]
fn ends_by_checkmate_or_stalemate() {
    assert_ends(&play_moves(&new_game(), "f3 e5 g4 Qh4#"), Outcome::Won(Seat::Second), "checkmate");
    assert_ends(&play_moves(&new_game(), "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#"), Outcome::Won(Seat::First), "checkmate");
    let shortest = "e3 a5 Qh5 Ra6 Qxa5 h5 h4 Rah6 Qxc7 f6 Qxd7+ Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6 Qe6";
    assert_ends(&play_moves(&new_game(), shortest), Outcome::Draw, "stalemate");
    // Checkmate takes precedence over a draw.
    assert_ends(
        &play_moves(&game_from_fen("7k/8/6K1/8/8/8/8/R7 w - - 149 120"), "Ra8#"),
        Outcome::Won(Seat::First),
        "checkmate",
    );
}

#[test]
fn draws_with_insufficient_material() {
    for fen in [
        "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
        "8/8/4k3/8/8/3KN3/8/8 w - - 0 1",
        "8/8/4k3/8/8/3Kb3/8/8 w - - 0 1",
        "8/2b5/4k3/8/8/3KB3/8/4B3 w - - 0 1",
    ] {
        assert_ends(&game_at(fen), Outcome::Draw, "insufficient material");
    }
    for fen in [
        "8/8/4k3/8/8/3KP3/8/8 w - - 0 1",
        "8/8/4k3/8/8/3KNN2/8/8 w - - 0 1",
        "8/3b4/4k3/8/8/3KB3/8/8 w - - 0 1",
        "8/8/4kn2/8/8/3KN3/8/8 w - - 0 1",
    ] {
        assert_eq!(game_at(fen).ending(), None, "{fen}");
    }
    assert_ends(
        &play_moves(&game_from_fen("8/8/4k3/8/8/3Kr3/8/8 w - - 0 1"), "Kxe3"),
        Outcome::Draw,
        "insufficient material",
    );
}

/// The positions and answers are those of python-chess, whose rule is lichess's.
#[test]
fn knows_who_could_still_checkmate() {
    for (fen, white, black) in [
        ("8/5k2/8/8/8/8/3KP3/8 w - - 0 1", true, false),
        ("8/4rk2/8/8/8/8/3K4/8 w - - 0 1", false, true),
        ("8/4qk2/8/8/8/8/3KN3/8 w - - 0 1", false, true),
        ("8/4rk2/8/8/8/8/3KN3/8 w - - 0 1", true, true),
        ("8/4pk2/8/8/8/8/3KB3/8 w - - 0 1", true, true),
        ("8/4qk2/8/8/8/8/3KB3/8 w - - 0 1", false, true),
        ("8/5k2/8/8/8/4B3/3K1B2/6r1 w - - 0 1", false, true),
        ("8/5k2/8/8/8/8/3KNN2/8 w - - 0 1", true, false),
        ("8/3b4/4k3/8/8/3KB3/8/8 w - - 0 1", true, true),
    ] {
        let game = game_at(fen);
        assert_eq!((game.can_win(Seat::First), game.can_win(Seat::Second)), (white, black), "{fen}");
    }
}

#[test]
fn draws_by_repetition() {
    let after_shuffles = |times: usize, more: &str| {
        let game = play_moves(&new_game(), &format!("{}{more}", SHUFFLE.repeat(times)));
        (game.claimable_draw().map(|reason| reason.into_owned()), game.outcome())
    };
    let threefold = (Some("threefold repetition".to_owned()), None);
    assert_eq!(after_shuffles(1, "Nf3 Nf6 Ng1"), (None, None));
    assert_eq!(after_shuffles(2, ""), threefold);
    // Only the position on the board counts.
    assert_eq!(after_shuffles(2, "e4"), (None, None));
    assert_eq!(after_shuffles(3, "Nf3 Nf6 Ng1"), threefold);
    assert_ends(&play_moves(&new_game(), &SHUFFLE.repeat(4)), Outcome::Draw, "fivefold repetition");
    // Positions differ if castling rights or a possible en passant capture differ.
    let rooks = "Rb1 Rb8 Ra1 Ra8 ";
    let castling = game_from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    assert_eq!(play_moves(&castling, &rooks.repeat(2)).claimable_draw(), None);
    assert!(play_moves(&castling, &rooks.repeat(3)).claimable_draw().is_some());
    let en_passant = game_from_fen("4k1n1/8/8/8/4p3/8/3P4/4K1N1 w - - 0 1");
    assert_eq!(play_moves(&en_passant, &format!("d4 {}", "Nf6 Nf3 Ng8 Ng1 ".repeat(2))).claimable_draw(), None);
    // A double pawn push makes no difference if no en passant capture is possible.
    let no_en_passant = game_from_fen("4k1n1/8/8/8/8/8/3P4/4K1N1 w - - 0 1");
    assert!(play_moves(&no_en_passant, &format!("d4 {}", "Nf6 Nf3 Ng8 Ng1 ".repeat(2))).claimable_draw().is_some());
}

#[test]
fn draws_without_captures_and_pawn_moves() {
    let before = game_from_fen("8/8/4k3/8/8/3K4/8/R7 w - - 98 90");
    assert_eq!(play_moves(&before, "Ra2").claimable_draw(), None);
    let claimable = play_moves(&before, "Ra2 Kd6");
    assert_eq!(claimable.claimable_draw().as_deref(), Some("50 moves without a capture or a pawn move"));
    assert_eq!(claimable.position().fen, "8/8/3k4/8/8/3K4/R7/8 w - - 100 91");
    let last = play_moves(&game_from_fen("8/8/4k3/8/8/3K4/8/R7 w - - 148 90"), "Ra2");
    assert!(last.claimable_draw().is_some() && last.outcome().is_none());
    assert_ends(&play_moves(&last, "Kd6"), Outcome::Draw, "75 moves without a capture or a pawn move");
}

/// A position restores the earlier positions, so that repetitions are still counted.
#[test]
fn keeps_earlier_positions_to_count_repetitions() {
    let game = play_moves(&new_game(), &format!("e4 {}", "Nf6 Nf3 Ng8 Ng1 ".repeat(2)));
    let position = game.position();
    assert_eq!(position.earlier.len(), 8);
    assert_eq!(position.earlier[0], "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -");
    let restored = Chess::from_position(&GameConfig::default(), &position).unwrap();
    assert_eq!(restored.position(), position);
    assert!(restored.claimable_draw().is_some());
    assert_eq!(play_moves(&game, "d5").position().earlier, Vec::<String>::new());
}
