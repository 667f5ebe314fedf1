//! Where a game begins: the options of `/new`, and the FENs in them.

use answers::render::markdown;
use game::contract::{Game, Interop, Notation, Rules};
use games::chess::config::GameConfig;
use games::chess::game::Chess;

use super::{parse_config, play_moves};

#[test]
fn options_are_understood() {
    #[track_caller]
    fn check(line: &str, fen: &str, setup: Option<&str>) {
        let config = parse_config(line).unwrap_or_else(|bad| panic!("{line}: {}", markdown(&bad.expected)));
        assert_eq!(Chess::start(&config).unwrap().position().fen, fen);
        assert_eq!(Chess::setup_summary(&config).as_deref(), setup);
    }
    let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    check("", usual, None);
    check("chess960=518", usual, Some("Chess960, setup 518"));
    check("chess960=0", "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1", Some("Chess960, setup 0"));
    check("chess960 959", "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w KQkq - 0 1", Some("Chess960, setup 959"));
    // The number that nobody has chosen is 0 here, where there is no comment that it could come from.
    check("Chess960", "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1", Some("Chess960, setup 0"));
    check("view=black figurines=on", usual, Some("Black's view, with figurines"));
    check("fen=4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", Some("from a custom position"));
    // Spaces that were left as they are, and fields that are missing.
    let own = Some("from a custom position, White's view");
    check("fen=4k3/8/8/8/8/8/4P3/4K3 b - - 3 20 view=white", "4k3/8/8/8/8/8/4P3/4K3 b - - 3 20", own);
    check("fen=4k3/8/8/8/8/8/4P3/4K3_b_-_- view=white", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", own);
}

#[test]
fn options_that_cannot_be_are_explained() {
    #[track_caller]
    fn check(line: &str, expected: &str) {
        let bad = parse_config(line).unwrap_err();
        assert_eq!(markdown(&bad.expected), expected);
    }
    let number = "`chess960` has to be a number from 0 to 959, or `chess960=random`.";
    check("chess960=960", number);
    check("chess960=-1", number);
    check("view=top", "`view` has to be `white` or `black`.");
    check("figurines=big", "`figurines` has to be `on` or `off`.");
    check("fen=4k3/8/8/8/8/8/4P3/4K3_w chess960=1", &bad("it needs four or six fields"));
    let both = "`fen` already sets up every piece, so leave out `chess960`.";
    check("fen=4k3/8/8/8/8/8/4P3/4K3_w_-_- chess960=1", both);
    for (fen, fault) in [
        ("", "it needs four or six fields"),
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
        ("4k3/8/8/8/8/8/8/4K3_w_-_-_0_0", "the last field has to be the move number"),
        (
            "4k3/8/8/8/8/8/4R3/4K3_w_-_-_0_1",
            "each side needs one king and at most 8 pawns and 16 pieces, and the side that just moved can't be in check",
        ),
        (
            "8/8/8/8/8/8/8/4K3_w_-_-_0_1",
            "each side needs one king and at most 8 pawns and 16 pieces, and the side that just moved can't be in check",
        ),
    ] {
        check(&format!("fen={fen}"), &bad(fault));
    }
    let over = "`fen` has to be a position where the game isn't over. For example, write `fen=4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1`.";
    check("fen=4k3/8/8/8/8/8/8/4K3_w_-_-_0_1", over);
    check("fen=rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR_w_KQkq_-_1_3", over);
}

fn bad(fault: &str) -> String {
    format!("`fen` isn't a valid position: {fault}. For example, write `fen=4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1`.")
}

/// A right to castle goes by the outermost rook, or by the file of another one; a pawn that went by is named where it can be
/// captured.
#[test]
fn positions_are_written_as_they_are_read() {
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

/// In Chess960 the king comes to where it always comes to, whatever lies in between.
#[test]
fn castling_in_any_setup() {
    #[track_caller]
    fn check(fen: &str, text: &str, notation: &str, then: &str) {
        let config = GameConfig { fen: Some(fen.to_owned()), ..GameConfig::default() };
        let game = Chess::start(&config).unwrap();
        let mv = game.parse_move(text).unwrap();
        assert_eq!(game.notation(&mv), notation, "{text}");
        assert_eq!(game.play(&mv).position().fen.split(' ').next(), Some(then), "{text}");
    }
    check("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "O-O", "O-O", "4k3/8/8/8/8/8/8/5RK1");
    check("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "O-O", "4k3/8/8/8/8/8/8/5RK1");
    check("4k3/8/8/8/8/8/8/RK6 w A - 0 1", "0-0-0", "O-O-O", "4k3/8/8/8/8/8/8/2KR4");
    check("4k3/8/8/8/8/8/8/1K5R w H - 0 1", "b1h1", "O-O", "4k3/8/8/8/8/8/8/5RK1");
    check("4k3/8/8/8/8/8/8/1K5R w H - 0 1", "Kg1", "O-O", "4k3/8/8/8/8/8/8/5RK1");
    // A step of the king is one, and no castling.
    check("4k3/8/8/8/8/8/8/5K1R w H - 0 1", "f1g1", "Kg1", "4k3/8/8/8/8/8/8/6KR");
}
