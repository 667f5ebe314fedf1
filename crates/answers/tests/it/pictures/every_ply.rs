//! Properties of every position of whole games: pictures are small and valid, and colors don't change the text.

use answers::board_picture;
use game::{Seat, SharedLayers};
use games::backgammon::Backgammon;
use games::checkers::Checkers;
use games::chess::Chess;
use games::connect_four::ConnectFour;
use games::hex::Hex;
use games::othello::Othello;
use games::tic_tac_toe::TicTacToe;
use games::ultimate_tic_tac_toe::UltimateTicTacToe;
use testkit::short_or_long;

use super::check;
use super::tables::TableBuilder;

/// The longest possible logins.
const LONG_LOGINS: [&str; 2] = [
    "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
    "a-login-of-thirty-nine-characters-and-o",
];

/// Checks the picture of every `step`th ply and of the last one. Returns the size of the largest, in bytes.
#[track_caller]
fn largest_picture(game: &TableBuilder, step: usize) -> usize {
    let table = game.build();
    let plies = board_picture::ply_count(&table);
    let shown = (0..=plies).filter(|ply| ply % step == 0 || *ply == plies);
    let layers = SharedLayers::default();
    let sizes = shown.map(|ply| {
        let mut picture = board_picture::at_ply(&table, ply).unwrap();
        let svg = picture.svg();
        // Shared layers are the same as each drawing's own.
        picture.board.set_viewer(Seat::First);
        assert_eq!(picture.board.drawing(&picture.caption, &layers), picture.drawing(), "ply {ply}");
        check::check_svg(&svg);
        assert_eq!(strip_ansi(&picture.board.text().colored()), picture.board.text().plain());
        svg.len()
    });
    sizes.max().unwrap()
}

/// Returns a text without terminal escape sequences.
fn strip_ansi(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |out, part| {
        let (code, rest) = part.split_once('m').unwrap();
        assert!(code.starts_with('[') && code[1..].chars().all(|c| c.is_ascii_digit() || c == ';'), "{code:?}");
        out + rest
    })
}

#[test]
fn tic_tac_toe_of_every_size() {
    for size in 3..=19 {
        // Random play hardly ever gets a full row, so the board fills up.
        let options = format!("size={size} k={size}");
        let game = TableBuilder::open::<TicTacToe>(&options, LONG_LOGINS).seed(size).play_to_end();
        let bytes = largest_picture(&game, if size < 8 { 1 } else { 13 });
        assert!(game.table.plies().count() >= usize::from(size), "{size}");
        assert!(bytes < 6_000, "{size}x{size}: {bytes} bytes");
    }
}

#[test]
fn ultimate_tic_tac_toe() {
    for seed in 0..short_or_long(1, 8) {
        let bytes =
            largest_picture(&TableBuilder::open::<UltimateTicTacToe>("", LONG_LOGINS).seed(seed).play_to_end(), 1);
        assert!(bytes < 6_000, "{bytes} bytes");
    }
}

#[test]
fn backgammon() {
    for seed in 0..short_or_long(1, 4) {
        let bytes =
            largest_picture(&TableBuilder::open::<Backgammon>("match=3", LONG_LOGINS).seed(seed).play_sensibly(400), 1);
        assert!(bytes < 7_500, "{bytes} bytes");
        let bytes = largest_picture(
            &TableBuilder::open::<Backgammon>("match=15 view=black overshoot=on", LONG_LOGINS)
                .seed(seed)
                .play_random(300),
            1,
        );
        assert!(bytes < 7_500, "{bytes} bytes");
    }
}

#[test]
fn chess() {
    let bytes = largest_picture(&TableBuilder::open::<Chess>("view=black", LONG_LOGINS).seed(1).play_random(120), 3);
    assert!(bytes < 15_000, "{bytes} bytes");
}

#[test]
fn connect_four_of_every_size() {
    for (columns, rows) in [(4, 4), (4, 10), (7, 6), (10, 4), (9, 7), (10, 10)] {
        let options = format!("size={columns}x{rows} k=4");
        let bytes =
            largest_picture(&TableBuilder::open::<ConnectFour>(&options, LONG_LOGINS).seed(columns).play_to_end(), 3);
        assert!(bytes < 6_500, "{columns}x{rows}: {bytes} bytes");
    }
}

#[test]
fn othello() {
    let bytes = largest_picture(&TableBuilder::open::<Othello>("", LONG_LOGINS).seed(3).play_to_end(), 2);
    assert!(bytes < 6_500, "{bytes} bytes");
}

#[test]
fn hex() {
    let bytes = largest_picture(&TableBuilder::open::<Hex>("", LONG_LOGINS).seed(3).play_to_end(), 5);
    assert!(bytes < 9_500, "{bytes} bytes");
    let bytes = largest_picture(&TableBuilder::open::<Hex>("19x19", LONG_LOGINS).seed(3).play_to_end(), 60);
    assert!(bytes < 26_000, "{bytes} bytes");
}

#[test]
fn checkers() {
    let bytes = largest_picture(&TableBuilder::open::<Checkers>("", LONG_LOGINS).seed(3).play_to_end(), 3);
    assert!(bytes < 7_500, "{bytes} bytes");
}

/// Escape sequences highlight pieces, the last move, and lines.
#[test]
fn terminal_colors_highlight_the_last_move_and_lines() {
    let game = TableBuilder::open::<TicTacToe>("", ["alice", "bob"]).play("b2 a2 c3 c2 a1");
    let text = board_picture::current(&game.build()).board.text().colored();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "3 \u{1b}[2m . \u{1b}[0m\u{1b}[2m . \u{1b}[0m\u{1b}[1;7;36m[X]\u{1b}[0m");
    assert!(lines[1].starts_with("2 \u{1b}[35m O \u{1b}[0m"), "{:?}", lines[1]);
    let game = TableBuilder::open::<TicTacToe>("", ["alice", "bob"]).play("b2");
    assert!(board_picture::current(&game.build()).board.text().colored().contains("\u{1b}[1;36m(X)\u{1b}[0m"));
}
