//! The options of `/new`, and starting positions.

use answers::render::markdown;
use game::{Display, Game, Notation, PositionJson, Rules, Seat};
use games::chess::{Chess, GameConfig};

use super::{parse_config, play_moves};

#[test]
fn parses_options() {
    #[track_caller]
    fn assert_config(line: &str, fen: &str, setup: Option<&str>) {
        let config = parse_config(line).unwrap_or_else(|bad| panic!("{line}: {}", markdown(&bad.message)));
        assert_eq!(Chess::start(&config).unwrap().position().fen, fen);
        assert_eq!(Chess::setup_summary(&config).as_deref(), setup);
    }
    let standard = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_config("", standard, None);
    assert_config("chess960=518", standard, Some("setup 518"));
    assert_config("chess960=0", "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1", Some("setup 0"));
    assert_config("chess960 959", "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w KQkq - 0 1", Some("setup 959"));
    // The seed is 0 without a comment.
    assert_config("Chess960", "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1", Some("setup 0"));
    assert_config("view=black figurines=on", standard, Some("Black's view, with figurines"));
    assert_config(
        "fen=4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        Some("from a custom position"),
    );
    // Spaces instead of underscores, and missing fields.
    let summary = Some("from a custom position, White's view");
    assert_config("fen=4k3/8/8/8/8/8/4P3/4K3 b - - 3 20 view=white", "4k3/8/8/8/8/8/4P3/4K3 b - - 3 20", summary);
    assert_config("fen=4k3/8/8/8/8/8/4P3/4K3_b_-_-_3_0 view=white", "4k3/8/8/8/8/8/4P3/4K3 b - - 3 1", summary);
    assert_config("fen=4k3/8/8/8/8/8/4P3/4K3_b_-_-_3 view=white", "4k3/8/8/8/8/8/4P3/4K3 b - - 3 1", summary);
    assert_config("fen=4k3/8/8/8/8/8/4P3/4K3_b_-_- view=white", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", summary);
}

#[test]
fn the_board_turns_to_the_player_to_move() {
    let config = parse_config("view=turn").unwrap();
    let start = Chess::start(&config).unwrap();
    let next = start.play(&start.parse_move("e4").unwrap());
    let views = [&start, &next].map(|game| game.board(None).viewer());
    assert_eq!(views, Seat::BOTH.map(Some));
    assert_eq!(Chess::setup_summary(&config).as_deref(), Some("turning with each move"));
}

#[test]
fn explains_invalid_options() {
    #[track_caller]
    fn assert_refused(line: &str, expected: &str) {
        let bad = parse_config(line).unwrap_err();
        assert_eq!(markdown(&bad.message), expected);
    }
    let number = "`chess960` has to be a number from 0 to 959, or `chess960=random`.";
    assert_refused("chess960=960", number);
    assert_refused("chess960=-1", number);
    assert_refused("view=top", "`view` has to be `white`, `black`, or `turn`.");
    assert_refused("figurines=big", "`figurines` has to be `on` or `off`.");
    assert_refused("fen=4k3/8/8/8/8/8/4P3/4K3_w chess960=1", &bad_fen("it needs four to six fields"));
    let both = "`fen` already sets up every piece, so leave out `chess960`.";
    assert_refused("fen=4k3/8/8/8/8/8/4P3/4K3_w_-_- chess960=1", both);
    for (fen, problem) in [
        ("", "it needs four to six fields"),
        ("8/8_w_-_-_0_1", "the first field needs eight ranks"),
        ("9/8/8/8/8/8/8/8_w_-_-_0_1", "a piece has to be one of KQRBNP or kqrbnp"),
        ("4k4/8/8/8/8/8/8/4K3_w_-_-_0_1", "each rank needs eight squares"),
        ("4k2/8/8/8/8/8/8/4K3_w_-_-_0_1", "each rank needs eight squares"),
        ("4k3/8/8/8/8/8/8/4K3_x_-_-_0_1", "the second field has to be w or b"),
        ("4k3/8/8/8/8/8/8/4K3_w_K_-_0_1", "castling needs a king and a rook on their first rank"),
        ("4k3/8/8/8/8/8/8/R3K3_w_QA_-_0_1", "a castling right appears twice"),
        ("4k3/8/8/8/8/8/8/4K3_w_-_e9_0_1", "the fourth field has to be a square or a dash"),
        ("4k3/8/8/8/8/8/8/4K3_w_-_e6_0_1", "no pawn can have just passed the en passant square"),
        (
            "4k3/8/8/8/8/8/8/4K3_w_-_-_x_1",
            "the fifth field has to be the number of halfmoves without a capture or a pawn move",
        ),
        ("4k3/8/8/8/8/8/8/4K3_w_-_-_0_x", "the last field has to be the move number"),
        ("4k3/8/8/8/8/8/4R3/4K3_w_-_-_0_1", "the side that just moved can't be in check"),
        ("8/8/8/8/8/8/8/4K3_w_-_-_0_1", "each side needs one king"),
        ("4k3/8/8/8/8/8/8/K3K3_w_-_-_0_1", "each side needs one king"),
        ("P3k3/8/8/8/8/8/8/4K3_w_-_-_0_1", "a pawn can't be on the first or last rank"),
        ("4k3/8/8/8/8/7P/PPPPPPPP/4K3_w_-_-_0_1", "a side can have at most 8 pawns"),
        ("4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR_w_-_-_0_1", "a side can have at most 16 pieces"),
    ] {
        assert_refused(&format!("fen={fen}"), &bad_fen(problem));
    }
    let over = "`fen` has to be a position where the game isn't over. For example, write `fen=4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1`.";
    assert_refused("fen=4k3/8/8/8/8/8/8/4K3_w_-_-_0_1", over);
    assert_refused("fen=rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR_w_KQkq_-_1_3", over);
}

fn bad_fen(problem: &str) -> String {
    format!("`fen` isn't a valid position: {problem}. For example, write `fen=4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1`.")
}

/// Castling rights name the outermost rook or the rook's file, and the en passant square appears only if a capture is legal.
#[test]
fn round_trips_fens() {
    for fen in [
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 7 44",
        "4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    ] {
        let config = GameConfig { fen: Some(fen.to_owned()), ..GameConfig::default() };
        assert_eq!(Chess::start(&config).unwrap().position().fen, fen);
    }
    let start = Chess::start(&GameConfig::default()).unwrap();
    assert_eq!(play_moves(&start, "e4").position().fen, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
}

/// In Chess960, the king lands on the same square as in standard chess.
#[test]
fn castles_from_any_chess960_position() {
    #[track_caller]
    fn assert_castles(fen: &str, text: &str, san: &str, pieces: &str) {
        let config = GameConfig { fen: Some(fen.to_owned()), ..GameConfig::default() };
        let game = Chess::start(&config).unwrap();
        let mv = game.parse_move(text).unwrap();
        assert_eq!(game.notation(&mv), san, "{text}");
        assert_eq!(game.play(&mv).position().fen.split(' ').next(), Some(pieces), "{text}");
    }
    assert_castles("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "O-O", "O-O", "4k3/8/8/8/8/8/8/5RK1");
    assert_castles("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "O-O", "4k3/8/8/8/8/8/8/5RK1");
    assert_castles("4k3/8/8/8/8/8/8/RK6 w A - 0 1", "0-0-0", "O-O-O", "4k3/8/8/8/8/8/8/2KR4");
    assert_castles("4k3/8/8/8/8/8/8/1K5R w H - 0 1", "b1h1", "O-O", "4k3/8/8/8/8/8/8/5RK1");
    assert_castles("4k3/8/8/8/8/8/8/1K5R w H - 0 1", "Kg1", "O-O", "4k3/8/8/8/8/8/8/5RK1");
    // A king's step onto its castling target is a plain move.
    assert_castles("4k3/8/8/8/8/8/8/5K1R w H - 0 1", "f1g1", "Kg1", "4k3/8/8/8/8/8/8/6KR");
}
