//! Boards as they are shown.

use std::any::Any;

use game::{Board, Display, Grid, Notation, Rules, Seat, SharedLayers, TerminalStyle, cell, sample_caption};
use games::chess::Chess;

use super::{game_from_fen, new_game, parse_config, play_moves};

/// Returns the board after these moves, with the last one marked.
#[track_caller]
fn board_after(game: &Chess, moves: &str) -> Grid {
    let (before, last) = moves.rsplit_once(' ').unwrap_or(("", moves));
    let game = play_moves(game, before);
    let mv = game.parse_move(last).unwrap();
    let board = game.play(&mv).board(Some(&mv));
    let board: &dyn Any = &*board;
    board.downcast_ref::<Grid>().unwrap().clone()
}

#[test]
fn shows_the_board_as_text_and_in_words() {
    let board = board_after(&new_game(), "e4 d5 exd5 Qxd5 Nc3 Qe5+");
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
    let style = TerminalStyle { colored: false, unicode: false, numbered: false, viewer: Seat::Second, columns: None };
    expect_test::expect![[r#"
           +------------------------+
         1 | R  N  B [K] Q  B     R |
         2 | P  P  P     P  P  P  P |
         3 |    .     .     N     . |
         4 | .     .     .     .    |
         5 |    .    (q)( ) .     . |
         6 | .     .     .     .    |
         7 | p  p  p  p     p  p  p |
         8 | r  n  b  k  .  b  n  r |
           +------------------------+
             h  g  f  e  d  c  b  a
        White is KQRBNP, Black is kqrbnp.
        White has lost P, Black has lost p."#]]
    .assert_eq(&board.terminal_text(&style).plain());
    expect_test::expect!["White: king e1; queen d1; rooks a1, h1; bishops c1, f1; knights g1, c3; pawns a2, b2, c2, d2, f2, g2, h2. Black: king e8; queen e5; rooks a8, h8; bishops c8, f8; knights b8, g8; pawns a7, b7, c7, e7, f7, g7, h7. The last move went from d5 to e5. The white king on e1 is in check. White has lost 1 pawn. Black has lost 1 pawn."]
        .assert_eq(&board.description());
}

#[test]
fn shows_figurines() {
    let game = Chess::start(&parse_config("figurines=on view=black").unwrap()).unwrap();
    expect_test::expect![[r#"
        1  ♖  ♘  ♗  ♔  ♕  ♗  ♘  ♖
        2  ♙  ♙  ♙ (.) ♙  ♙  ♙  ♙
        3  .  .  .  .  .  .  .  .
        4  .  .  . (♙) .  .  .  .
        5  .  .  .  .  .  .  .  .
        6  .  .  .  .  .  .  .  .
        7  ♟︎  ♟︎  ♟︎  ♟︎  ♟︎  ♟︎  ♟︎  ♟︎
        8  ♜  ♞  ♝  ♚  ♛  ♝  ♞  ♜
           h  g  f  e  d  c  b  a
        White is ♔♕♖♗♘♙, Black is ♚♛♜♝♞♟︎"#]]
    .assert_eq(&board_after(&game, "e4").text().plain());
}

/// Castling marks the squares of the king, and a promoted pawn isn't lost.
#[test]
fn marks_the_last_move_and_lists_captures() {
    #[track_caller]
    fn assert_marks(fen: &str, moves: &str, last: [&str; 2], captured: [usize; 2]) {
        let board = board_after(&game_from_fen(fen), moves);
        assert_eq!(board.last_move.iter().map(|square| cell::name(*square, 8, 8)).collect::<Vec<_>>(), last, "{moves}");
        assert_eq!(board.captured.unwrap().each_ref().map(Vec::len), captured, "{moves}");
    }
    assert_marks("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O", ["g1", "e1"], [0, 0]);
    assert_marks("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O O-O-O", ["c8", "e8"], [0, 0]);
    assert_marks("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "O-O", ["g1", "f1"], [0, 0]);
    // In Chess960, the rook or the king may stay.
    assert_marks("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", "O-O", ["g1", "e1"], [0, 0]);
    assert_marks("3rk3/8/8/8/8/8/8/4K3 b d - 0 1", "O-O-O", ["c8", "e8"], [0, 0]);
    assert_marks("4k3/8/8/8/8/8/8/6KR w H - 0 1", "O-O", ["f1", "h1"], [0, 0]);
    // A rook move next to the king isn't castling.
    assert_marks("k7/8/8/8/8/8/8/4R1K1 w E - 0 1", "Rf1", ["f1", "e1"], [0, 0]);
    assert_marks("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "Kf2 Kd8 Kg1 Kd7 Re1 Kd8 Rf1", ["f1", "e1"], [0, 0]);
    assert_marks(
        "7k/8/8/8/8/8/5n2/R3K3 w Q - 0 1",
        "Ra2 Kg8 Kxf2 Kh8 Kg1 Kg8 Re2 Kh8 Re1 Kg8 Rf1",
        ["f1", "e1"],
        [0, 1],
    );
    assert_marks("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=Q", ["a8", "a7"], [0, 0]);
    assert_marks("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "axb8=N", ["b8", "a7"], [0, 1]);
    assert_marks("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", ["d6", "e5"], [0, 1]);
}

/// Every move commits a picture, so its shapes must be small.
#[test]
fn keeps_piece_shapes_small() {
    let board = board_after(&new_game(), "e4");
    for symbol in board.drawing(&sample_caption(["white", "black"]), &SharedLayers::default()).symbols {
        assert!(symbol.len() <= 600, "{symbol} takes {} bytes", symbol.len());
    }
}
