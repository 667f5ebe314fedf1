//! The board that people see.

use std::any::Any;

use game::contract::{Display, Notation, Rules};
use game::seat::Seat;
use games::chess::board_view::BoardView;
use games::chess::board_view::piece_shapes::symbol;
use games::chess::game::Chess;

use super::{game_from_fen, new_game, parse_config, play_moves};

/// The board after the last of these moves.
#[track_caller]
fn board(game: &Chess, moves: &str) -> BoardView {
    let (before, last) = moves.rsplit_once(' ').unwrap_or(("", moves));
    let game = play_moves(game, before);
    let mv = game.parse_move(last).unwrap();
    let board = game.play(&mv).board(Some(&mv));
    let board: &dyn Any = &*board;
    board.downcast_ref::<BoardView>().unwrap().clone()
}

#[test]
fn a_board_is_told_in_letters_and_in_words() {
    use game::board::Board;
    let board = board(&new_game(), "e4 d5 exd5 Qxd5 Nc3 Qe5+");
    expect_test::expect![[r#"
        8  r  n  b  .  k  b  n  r
        7  p  p  p  .  p  p  p  p
        6  .  .  .  .  .  .  .  .
        5  .  .  . (.)(q) .  .  .
        4  .  .  .  .  .  .  .  .
        3  .  .  N  .  .  .  .  .
        2  P  P  P  P  .  P  P  P
        1  R  .  B  Q [K] B  N  R
           a  b  c  d  e  f  g  h
        White is KQRBNP, Black is kqrbnp
        captured: Pp"#]]
    .assert_eq(&board.text().plain());
    assert!(board.text_seen_by(Seat::Second).plain().starts_with("1  R  N  B [K] Q  B  .  R\n2 "));
    expect_test::expect!["White: king e1; queen d1; rooks a1, h1; bishops c1, f1; knights g1, c3; pawns a2, b2, c2, d2, f2, g2, h2. Black: king e8; queen e5; rooks a8, h8; bishops c8, f8; knights b8, g8; pawns a7, b7, c7, e7, f7, g7, h7. The last move went from d5 to e5. The white king on e1 is in check. White has lost 1 pawn. Black has lost 1 pawn."]
        .assert_eq(&board.description());
}

#[test]
fn a_board_of_text_can_have_figurines() {
    use game::board::Board;
    let game = Chess::start(&parse_config("figurines=on view=black").unwrap()).unwrap();
    expect_test::expect![[r#"
        1  ♖  ♘  ♗  ♔  ♕  ♗  ♘  ♖
        2  ♙  ♙  ♙ (.) ♙  ♙  ♙  ♙
        3  .  .  .  .  .  .  .  .
        4  .  .  . (♙) .  .  .  .
        5  .  .  .  .  .  .  .  .
        6  .  .  .  .  .  .  .  .
        7  ♟  ♟  ♟  ♟  ♟  ♟  ♟  ♟
        8  ♜  ♞  ♝  ♚  ♛  ♝  ♞  ♜
           h  g  f  e  d  c  b  a
        White is ♔♕♖♗♘♙, Black is ♚♛♜♝♞♟"#]]
    .assert_eq(&board(&game, "e4").text().plain());
}

/// Castling is marked where the king stands then, in every setup; a pawn that became a queen is not lost.
#[test]
fn what_a_move_has_changed_is_marked() {
    #[track_caller]
    fn check(fen: &str, moves: &str, last: [&str; 2], captured: [usize; 2]) {
        let board = board(&game_from_fen(fen), moves);
        assert_eq!(board.last_move.iter().map(ToString::to_string).collect::<Vec<_>>(), last, "{moves}");
        assert_eq!(board.captured.each_ref().map(Vec::len), captured, "{moves}");
    }
    check("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O", ["g1", "e1"], [0, 0]);
    check("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O O-O-O", ["c8", "e8"], [0, 0]);
    check("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "O-O", ["g1", "f1"], [0, 0]);
    // The rook stays, or the king does.
    check("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", "O-O", ["g1", "e1"], [0, 0]);
    check("3rk3/8/8/8/8/8/8/4K3 b d - 0 1", "O-O-O", ["c8", "e8"], [0, 0]);
    check("4k3/8/8/8/8/8/8/6KR w H - 0 1", "O-O", ["f1", "h1"], [0, 0]);
    // A rook comes beside the king by itself.
    check("k7/8/8/8/8/8/8/4R1K1 w E - 0 1", "Rf1", ["f1", "e1"], [0, 0]);
    check("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "Kf2 Kd8 Kg1 Kd7 Re1 Kd8 Rf1", ["f1", "e1"], [0, 0]);
    check("7k/8/8/8/8/8/5n2/R3K3 w Q - 0 1", "Ra2 Kg8 Kxf2 Kh8 Kg1 Kg8 Re2 Kh8 Re1 Kg8 Rf1", ["f1", "e1"], [0, 1]);
    check("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=Q", ["a8", "a7"], [0, 0]);
    check("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "axb8=N", ["b8", "a7"], [0, 1]);
    check("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", ["d6", "e5"], [0, 1]);
}

/// A record is committed with its picture at every move.
#[test]
fn the_shapes_of_men_are_small() {
    let board = board(&new_game(), "e4");
    for man in board.pieces.into_iter().flatten() {
        assert!(symbol(man).len() <= 600, "{man:?} takes {} bytes", symbol(man).len());
    }
}
