//! Moves as people type them: what each is parsed as, or why it is refused.

use game::{Explain, Notation, ParseMoveError, Rules};
use games::chess::{Chess, GameConfig};

use super::{game_from_fen, new_game, play_moves};

/// Returns the parsed move in SAN, or the reason for its refusal in parentheses.
fn parse_or_explain(game: &Chess, text: &str) -> String {
    match game.parse_move(text) {
        Ok(mv) if game.is_legal(&mv) => game.notation(&mv),
        Ok(mv) => format!("({})", game.why_illegal(&mv).message),
        Err(ParseMoveError::NotAMove) => "(no move)".to_owned(),
        Err(ParseMoveError::OutOfRange(violation)) => format!("({})", violation.message),
        Err(ParseMoveError::Ambiguous(moves)) => format!("({}?)", moves.join(" or ")),
    }
}

#[track_caller]
fn assert_parses(game: &Chess, expected: &[(&str, &str)]) {
    for (text, parsed) in expected {
        assert_eq!(&parse_or_explain(game, text), parsed, "{text:?}");
    }
}

#[test]
fn accepts_many_spellings_of_a_move() {
    let assert_all = |san, texts: &[&'static str]| {
        assert_parses(&new_game(), &texts.iter().map(|text| (*text, san)).collect::<Vec<_>>());
    };
    assert_all(
        "e4",
        &[
            "e4",
            "E4",
            "E4!",
            " e4 ",
            "e4!?",
            "e4.",
            "`e4`",
            "**e4**",
            "(e4)",
            "\"e4\"",
            "e4 🤦",
            "e4 :tada:",
            "1. e4",
            "1.e4",
        ],
    );
    assert_all(
        "e4",
        &["Pe4", "pe4", "pawn e4", "pawn to e4", "Pawn moves to e4", "♙e4", "♟e4", "♟\u{fe0f} e4", "e4 ♟\u{fe0f}"],
    );
    assert_all(
        "e4",
        &["e2e4", "e2-e4", "e2 e4", "E2 E4", "E2E4", "e2–e4", "e2→e4", "e2 to e4", "from e2 to e4", "e 4"],
    );
    assert_all("d4", &["D2 D4", "D4", "d2d4", "Bauer d4", "pion d4"]);
    assert_all("b4", &["b4", "B4", "b2b4", "B2B4", "B2b4", "b2-b4"]);
    assert_all(
        "Nf3",
        &[
            "Nf3",
            "NF3",
            "nf3",
            "nF3",
            "N f3",
            "N-f3",
            "Ng1-f3",
            "Ng1f3",
            "g1f3",
            "G1F3",
            "g1-f3",
            "Ngf3",
            "N1f3",
            "Nf3+",
            "Nf3#",
            "Nf3 check",
        ],
    );
    assert_all(
        "Nf3",
        &["♘f3", "♞f3", "♘g1-f3", "knight f3", "Knight to f3", "knight from g1 to f3", "horse f3", "Springer f3"],
    );
    assert_all(
        "Nf3",
        &["horsey to f3", "knights to f3", "f3 with the knight", "N-KB3", "Kt-KB3", "knight to king's bishop 3"],
    );
    assert_all("e4", &["P-K4", "pawn to king 4", "P-K4!", "Pawn to King's 4"]);
    assert_all("Nf3", &["Sf3", "sf3", "Sg1-f3", "Cf3", "Cg1f3", "Кf3", "1. Nf3", "1.Nf3!?", "Nf3 🤦", "Nf3‼"]);
}

#[test]
fn accepts_piece_letters_of_other_languages() {
    let game = game_from_fen("4k3/8/8/8/3r4/1n6/8/2RQKB2 w - - 0 1");
    assert_parses(
        &game,
        &[
            ("Qxd4", "Qxd4"),
            ("Dxd4", "Qxd4"),
            ("D:d4", "Qxd4"),
            ("Dame schlägt d4", "Qxd4"),
            ("Фxd4", "Qxd4"),
            ("Tc8", "Rc8+"),
            ("Лc8+", "Rc8+"),
            ("Turm c8", "Rc8+"),
            ("La6", "Ba6"),
            ("Fa6", "Ba6"),
            ("Aa6", "Ba6"),
            ("Сa6", "Ba6"),
            ("♗a6", "Ba6"),
            ("Крe2", "Ke2"),
            ("König e2", "Ke2"),
            ("roi e2", "Ke2"),
        ],
    );
}

#[test]
fn accepts_many_spellings_of_a_capture() {
    let game = play_moves(&new_game(), "e4 d5");
    let assert_all =
        |san, texts: &[&'static str]| assert_parses(&game, &texts.iter().map(|text| (*text, san)).collect::<Vec<_>>());
    assert_all(
        "exd5",
        &[
            "exd5",
            "exd5?!",
            "EXD5",
            "Exd5",
            "ed5",
            "e:d5",
            "e×d5",
            "exd",
            "e4xd5",
            "e4d5",
            "e4-d5",
            "e4 x d5",
            "e takes d5",
            "pawn takes d5",
            "Pxd5",
            "exd5 e.p.",
            "exd5+",
            "e*d5",
            "PxP",
            "pawn takes pawn",
            "PxQP",
            "KPxP",
        ],
    );
    let en_passant = play_moves(&new_game(), "e4 a6 e5 d5");
    assert_parses(
        &en_passant,
        &[
            ("exd6", "exd6"),
            ("exd6 e.p.", "exd6"),
            ("exd6ep", "exd6"),
            ("exd6 (e.p.)", "exd6"),
            ("exd6 en passant", "exd6"),
            ("e5d6", "exd6"),
            ("exd", "exd6"),
            ("exd5", "(There is no white pawn that could take on d5)"),
        ],
    );
    assert_parses(
        &new_game(),
        &[
            ("Nxf3", "(There is nothing to take on f3)"),
            ("exd3", "(A pawn takes diagonally, and there is nothing to take on d3)"),
        ],
    );
}

#[test]
fn accepts_many_spellings_of_castling() {
    let game = game_from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for text in
        ["O-O", "o-o", "0-0", "O - O", "0–0", "00", "О-О", "O-O!", "O-O+", "1. O-O", "e1g1", "e1h1", "Kg1", "Ke1-g1"]
    {
        assert_parses(&game, &[(text, "O-O")]);
    }
    for text in [
        "castles kingside",
        "castle short",
        "kingside castle",
        "castling king side",
        "short castling",
        "Castles kingside!",
    ] {
        assert_parses(&game, &[(text, "O-O")]);
    }
    for text in ["O-O-O", "0-0-0", "o-o-o", "000", "castle queenside", "castles long", "e1c1", "e1a1", "Kc1"] {
        assert_parses(&game, &[(text, "O-O-O")]);
    }
    assert_parses(
        &game,
        &[("castle", "(O-O-O or O-O?)"), ("Ooo!", "(no move)"), ("castle the door", "(no move)"), ("Kf1", "Kf1")],
    );
}

#[test]
fn accepts_many_spellings_of_a_promotion() {
    let game = game_from_fen("3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1");
    for text in [
        "e8=Q",
        "e8Q",
        "e8(Q)",
        "e8/Q",
        "e8 Q",
        "e8q",
        "e7e8q",
        "E7E8Q",
        "e8=queen",
        "e8 queen",
        "e8 = Q",
        "e8=♕",
        "e8D",
        "e8 becomes queen",
    ] {
        assert_parses(&game, &[(text, "e8=Q+")]);
    }
    assert_parses(
        &game,
        &[
            ("e8=N", "e8=N"),
            ("e8S", "e8=N"),
            ("e8b", "e8=B"),
            ("exd8=R", "exd8=R+"),
            ("ed8r", "exd8=R+"),
            ("exd=Q", "exd8=Q+"),
            ("e8", "(e8=Q+ or e8=R+ or e8=B or e8=N?)"),
            ("e7e8", "(e8=Q+ or e8=R+ or e8=B or e8=N?)"),
            ("exd8", "(exd8=Q+ or exd8=R+ or exd8=B or exd8=N?)"),
            ("e8=K", "(no move)"),
            ("Ke2=Q", "(Only a pawn that reaches the last rank promotes)"),
        ],
    );
}

#[test]
fn accepts_descriptive_notation() {
    let game = play_moves(&new_game(), "e4 e5 Nf3 Nc6");
    assert_parses(
        &game,
        &[
            ("NxP", "Nxe5"),
            ("knight takes pawn", "Nxe5"),
            ("B-N5", "Bb5"),
            ("B-QB4", "Bc4"),
            ("B-B4", "Bc4"),
            ("P-B4", "(b4 or c4?)"),
            ("P-Q3", "d3"),
            ("Q-K2", "Qe2"),
            ("N-Q4", "Nd4"),
            ("QxN", "(None of your legal moves matches it)"),
            ("B-K8", "(There is no bishop that can go to e8)"),
            ("KN-N5", "(no move)"),
            ("takes", "(no move)"),
            ("queen to king", "(no move)"),
        ],
    );
    let black = play_moves(&game, "Bc4");
    assert_parses(
        &black,
        &[
            ("B-B4", "(Bb4 or Bc5?)"),
            ("N-B3", "Nf6"),
            ("P-QR3", "a6"),
            ("NxP", "(None of your legal moves matches it)"),
        ],
    );
    let promotion = game_from_fen("3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1");
    assert_parses(
        &promotion,
        &[
            ("P-K8(Q)", "e8=Q+"),
            ("P-K8=N", "e8=N"),
            ("PxR=Q", "exd8=Q+"),
            ("PxR", "(exd8=Q+ or exd8=R+ or exd8=B or exd8=N?)"),
        ],
    );
}

/// `b` may be a file or a bishop: only the unambiguous spellings are accepted.
#[test]
fn refuses_ambiguous_moves() {
    let bishops = game_from_fen("rnbqkbnr/pp1ppppp/2p5/1P6/4B3/3Q4/P1PPPPPP/RN2K1NR w KQkq - 0 1");
    assert_parses(
        &bishops,
        &[
            ("bxc6", "bxc6"),
            ("Bxc6", "Bxc6"),
            ("BXC6", "(bxc6 or Bxc6?)"),
            ("bc6", "(bxc6 or Bxc6?)"),
            ("Bc6", "Bxc6"),
            ("b5c6", "bxc6"),
            ("B5c6", "bxc6"),
            ("bishop takes c6", "Bxc6"),
            ("Bb5xc6", "(There is no bishop on b5)"),
        ],
    );
    // No pawn can capture there, so it is the bishop.
    assert_parses(&game_from_fen("4k3/8/2p5/8/4B3/8/8/4K3 w - - 0 1"), &[("bxc6", "Bxc6+"), ("bc6+", "Bxc6+")]);
    let knights = play_moves(&new_game(), "Nf3 a6 d4 a5");
    assert_parses(
        &knights,
        &[
            ("Nd2", "(Nbd2 or Nfd2?)"),
            ("nd2", "(Nbd2 or Nfd2?)"),
            ("knight d2", "(Nbd2 or Nfd2?)"),
            ("Nbd2", "Nbd2"),
            ("nbd2", "Nbd2"),
            ("N1d2", "Nbd2"),
            ("Sfd2", "Nfd2"),
            ("b1d2", "Nbd2"),
        ],
    );
    // A capital can be the file of a pawn or a piece of another language.
    let capital = game_from_fen("4k3/8/8/4p3/3P4/8/4Q3/4K3 w - - 0 1");
    assert_parses(&capital, &[("Dxe5", "(dxe5 or Qxe5+?)"), ("dxe5", "dxe5"), ("Qxe5", "Qxe5+")]);
}

#[test]
fn ignores_conversation() {
    for text in [
        "",
        " ",
        "ok",
        "a",
        "ed",
        "be",
        "bad",
        "what?",
        "Nf3 or e4?",
        "e4 e5 Nf3",
        "I play e4",
        "Nc3, Nf6",
        "resign",
        "gg",
        "e4, right?",
        "~~e4~~",
        "#e4",
        "@e4",
        "e4\ne5",
        "1",
        "12",
        "1-0",
        "½-½",
        "Ooo",
        "castle?!x",
        "queen",
        "check",
        "mate in 2",
        "b2b",
        "c3po",
        "ah5",
    ] {
        assert_parses(&new_game(), &[(text, "(no move)")]);
    }
}

#[test]
fn explains_illegal_moves() {
    assert_parses(
        &new_game(),
        &[
            ("g1g4", "(The knight on g1 can't reach g4)"),
            ("Ng4", "(There is no knight that can go to g4)"),
            ("Nf6", "(There is no knight that can go to f6)"),
            ("Bf5", "(There is no bishop that can go to f5)"),
            ("Rb1", "(There is a knight of your own on b1)"),
            ("Nd2", "(There is a pawn of your own on d2)"),
            ("knights to e4", "(There is no knight that can go to e4)"),
            ("e5 with the knight", "(There is no knight that can go to e5)"),
            ("Qh5", "(The queen on d1 can't reach h5: the way is blocked on e2)"),
            ("Nge2", "(There is a pawn of your own on e2)"),
            ("g8f6", "(The knight on g8 is black's, but it's white's turn)"),
            ("e3e4", "(There is no piece on e3)"),
            ("e5", "(The pawn on e2 can't reach e5)"),
            ("e2d3", "(A pawn takes diagonally, and there is nothing to take on d3)"),
            ("O-O", "(You can't castle kingside yet: there is a bishop on f1)"),
            ("e9", "(Invalid move position: e9. Valid range: a1-h8 for 8x8 board)"),
            ("Nj3", "(Invalid move position: j3. Valid range: a1-h8 for 8x8 board)"),
        ],
    );
    let blocked = play_moves(&new_game(), "e4 e5");
    assert_parses(
        &blocked,
        &[("e4e5", "(The pawn on e4 is blocked on e5)"), ("e5", "(The pawn on e4 is blocked on e5)")],
    );
    let pinned = game_from_fen("4k3/8/8/8/1b2r3/8/3NN3/4K3 w - - 0 1");
    assert_parses(
        &pinned,
        &[
            ("Nf3", "(That would leave your king in check from the bishop on b4)"),
            ("Nc3", "(That would leave your king in check from the rook on e4)"),
            ("Kf1", "Kf1"),
        ],
    );
    let checked = game_from_fen("4k3/8/8/8/1b4b1/5N2/8/R3K2R w KQ - 0 1");
    assert_parses(
        &checked,
        &[
            ("Nd4", "(You're in check from the bishop on b4, and that move doesn't get you out of it)"),
            ("Kd2", "(Your king would be in check on d2 from the bishop on b4)"),
            ("O-O", "(You can't castle out of check, and the bishop on b4 gives check)"),
            ("Qd2", "(There is no white queen)"),
        ],
    );
    assert_parses(
        &game_from_fen("4k3/8/b7/8/8/8/8/R3K2R w KQ - 0 1"),
        &[
            ("O-O", "(You can't castle kingside: the king would pass f1, which the bishop on a6 attacks)"),
            ("O-O-O", "O-O-O"),
        ],
    );
    assert_parses(
        &game_from_fen("4k3/8/8/8/8/6n1/8/R3K2R w - - 0 1"),
        &[
            ("O-O", "(You can't castle kingside anymore: the king or that rook has moved)"),
            ("e1g1", "(You can't castle kingside anymore: the king or that rook has moved)"),
        ],
    );
    assert_parses(
        &game_from_fen("4k3/8/8/8/8/7n/8/R3K2R w KQ - 0 1"),
        &[("O-O", "(You can't castle kingside: the king would come to g1, which the knight on h3 attacks)")],
    );
}

#[test]
fn explains_lost_castling() {
    let castled = play_moves(&new_game(), "Nf3 Nf6 g3 g6 Bg2 Bg7 O-O Rg8");
    for text in ["O-O", "O-O-O", "castle"] {
        assert_parses(&castled, &[(text, "(You can't castle anymore: the king has moved)")]);
        // The king has left its rank, and stands at the edge of the board.
        let walked = play_moves(&new_game(), "e4 e5 Ke2 a6 Ke3 b6 Kf3 c6 Kg3 a5 Kh3 a4");
        assert_parses(&walked, &[(text, "(You can't castle anymore: the king has moved)")]);
    }
    let black = play_moves(&castled, "a3");
    assert_parses(
        &black,
        &[
            ("O-O", "(You can't castle kingside anymore: there is no rook on h8)"),
            ("O-O-O", "(You can't castle queenside yet: there is a knight on b8)"),
            ("castle", "(You can't castle queenside yet: there is a knight on b8)"),
        ],
    );
    let back = play_moves(&black, "Rh8 a4");
    assert_parses(&back, &[("O-O", "(You can't castle kingside anymore: that rook has moved)")]);
    // A captured rook hasn't moved, but it isn't there.
    let captured = game_from_fen("4k3/8/8/3b4/8/8/8/R3K2R b KQ - 0 1");
    assert_parses(
        &play_moves(&captured, "Bxh1"),
        &[("O-O", "(You can't castle kingside anymore: there is no rook on h1)"), ("O-O-O", "O-O-O")],
    );
    // A king's move onto its own square doesn't castle.
    assert_parses(&castled, &[("Kg1", "(Your king is already on g1)"), ("g1g1", "(Your king is already on g1)")]);
    assert_parses(
        &castled,
        &[("Kg3", "(There is a pawn of your own on g3)"), ("Kd4", "(The king on g1 can't reach d4)")],
    );
}

#[test]
fn explains_lost_castling_in_chess960() {
    let start = || {
        let config = GameConfig { chess960: Some(0), ..GameConfig::default() };
        Chess::start(&config).unwrap()
    };
    // The king starts on g1, next to the rook on h1, so the corner is a square that it may go to.
    let empty = play_moves(&start(), "h4 h5 Rh3 a6");
    assert_parses(&empty, &[("O-O", "(You can't castle kingside anymore: there is no rook on h1)"), ("Kh1", "Kh1")]);
    let back = play_moves(&start(), "h4 h5 Rh2 a6 Rh1 b6");
    assert_parses(&back, &[("O-O", "(You can't castle kingside anymore: that rook has moved)")]);
    let moved = play_moves(&start(), "h4 h5 Rh3 a6 Kh1 b6");
    assert_parses(&moved, &[("O-O", "(You can't castle anymore: the king has moved)")]);
}
