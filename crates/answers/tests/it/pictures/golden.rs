//! Golden files of board pictures.

use answers::{BoardPicture, board_picture};
use expect_test::expect_file;
use game::{Caption, CaptionSide, Display, PositionJson, Seat, SideStatus};
use games::backgammon::{Backgammon, GameConfig};
use games::checkers::Checkers;
use games::chess::Chess;
use games::connect_four::ConnectFour;
use games::hex::Hex;
use games::othello::Othello;
use games::tic_tac_toe::TicTacToe;
use games::ultimate_tic_tac_toe::UltimateTicTacToe;
use serde_json::json;

use super::tables::TableBuilder;

const FOOLS_MATE: &str = "f3 e5 g4 Qh4#";
const ALICE_BOB: [&str; 2] = ["alice", "bob"];

#[track_caller]
fn check_golden(name: &str, svg: &str) {
    expect_file![format!("{}/tests/golden/{name}.svg", env!("CARGO_MANIFEST_DIR"))].assert_eq(svg);
}

fn small_board(options: &str, moves: &str) -> TableBuilder {
    TableBuilder::open::<TicTacToe>(options, ALICE_BOB).play(moves)
}

fn ultimate_board(moves: &str) -> TableBuilder {
    TableBuilder::open::<UltimateTicTacToe>("", ALICE_BOB).play(moves)
}

#[test]
fn tic_tac_toe() {
    check_golden("tic-tac-toe-start", &board_picture::svg(&small_board("", "").build()));
    check_golden("tic-tac-toe-middle", &board_picture::svg(&small_board("", "b2 a1 c3").build()));
    check_golden("tic-tac-toe-won", &board_picture::svg(&small_board("", "b2 a2 c3 c2 a1").build()));
    check_golden("tic-tac-toe-drawn", &board_picture::svg(&small_board("", "b2 a1 a2 c2 b3 b1 c1 a3 c3").build()));
    check_golden("tic-tac-toe-resigned", &board_picture::svg(&small_board("", "b2 a1").resign(Seat::First).build()));
    check_golden("tic-tac-toe-4x4", &board_picture::svg(&small_board("4x4", "a1 b1 b2 c1 d2 d3 c2").build()));
    let long = ["a-very-long-name-of-39-characters-indeed", "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW"];
    check_golden(
        "tic-tac-toe-long-names",
        &board_picture::svg(&TableBuilder::open::<TicTacToe>("", long).play("b2 a1").build()),
    );
    check_golden(
        "tic-tac-toe-9x9",
        &board_picture::svg(&small_board("9x9", "e5 d5 e4 d4 e3 d3 e6 e7 d6 f4 c6 g5").build()),
    );
    check_golden(
        "tic-tac-toe-15x15",
        &board_picture::svg(&small_board("15x15", "h8 h9 i8 j8 g7 f6 i9 g9 i7 i10 i6 i5 j7 k7 h7 f7").build()),
    );
    check_golden(
        "tic-tac-toe-19x19",
        &board_picture::svg(&TableBuilder::open::<TicTacToe>("19x19", ALICE_BOB).play_to_end().build()),
    );
    check_golden("tic-tac-toe-replay", &board_picture::replay(&small_board("", "b2 a2 c3 c2 a1").build(), None));
}

#[test]
fn ultimate_tic_tac_toe() {
    check_golden("ultimate-start", &board_picture::svg(&ultimate_board("").build()));
    let open = |seed| TableBuilder::open::<UltimateTicTacToe>("", ALICE_BOB).seed(seed);
    check_golden("ultimate-middle", &board_picture::svg(&open(4).play_random(31).build()));
    check_golden("ultimate-anywhere", &board_picture::svg(&free_choice_game().build()));
    check_golden("ultimate-won", &board_picture::svg(&random_ultimate_game(true).build()));
    check_golden("ultimate-drawn", &board_picture::svg(&random_ultimate_game(false).build()));
    check_golden("ultimate-replay", &board_picture::replay(&random_ultimate_game(true).build(), None));
}

/// A game in which the next mark can go into any board, and some boards are decided.
fn free_choice_game() -> TableBuilder {
    let mut game = TableBuilder::open::<UltimateTicTacToe>("", ALICE_BOB).seed(9).play_random(24);
    while game.table.game().legal_moves().len() < 20 {
        game = game.play_random(1);
    }
    game
}

/// A random game that ended with a winner, or without one.
fn random_ultimate_game(won: bool) -> TableBuilder {
    (0..)
        .map(|seed| TableBuilder::open::<UltimateTicTacToe>("", ALICE_BOB).seed(seed).play_to_end())
        .find(|game: &TableBuilder| game.table.game().winning_lines().is_empty() != won)
        .unwrap()
}

fn backgammon_game(options: &str, plies: usize) -> TableBuilder {
    TableBuilder::open::<Backgammon>(options, ALICE_BOB).seed(3).play_sensibly(plies)
}

fn chess_table(options: &str, moves: &str) -> TableBuilder {
    TableBuilder::open::<Chess>(options, ALICE_BOB).play(moves)
}

#[test]
fn chess() {
    check_golden("chess-start", &board_picture::svg(&chess_table("", "").build()));
    check_golden("chess-middle", &board_picture::svg(&chess_table("", "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O").build()));
    check_golden("chess-check", &board_picture::svg(&chess_table("view=black", "e4 d5 exd5 Qxd5 Nc3 Qe5+").build()));
    check_golden("chess-mate", &board_picture::svg(&chess_table("", FOOLS_MATE).build()));
    let promotion = "fen=8/6P1/8/2K5/8/5k2/8/3n4_w_-_-_0_1";
    check_golden("chess-promotion", &board_picture::svg(&chess_table(promotion, "g8=Q Ne3").build()));
    check_golden("chess-replay", &board_picture::replay(&chess_table("", FOOLS_MATE).build(), None));
}

/// A picture of a given position.
fn position_picture(config: &GameConfig, position: serde_json::Value, side: SideStatus) -> BoardPicture {
    let game = Backgammon::from_position(config, &serde_json::from_value(position).unwrap()).unwrap();
    let word = if side == SideStatus::ToMove { "to move" } else { "won" };
    let seat = |seat: &str, name: Option<&str>, standing| CaptionSide {
        seat_name: seat.to_owned(),
        player: name.map(ToOwned::to_owned),
        status: standing,
        status_text: if standing == SideStatus::Waiting { String::new() } else { word.to_owned() },
    };
    let sides = [seat("White", Some("alice"), side), seat("Black", None, SideStatus::Waiting)];
    let strip = Caption { sides, setup: "match to 7".to_owned(), last_move: "31. 64: 24/14".to_owned() };
    BoardPicture { title: "A position".to_owned(), board: game.board(None), caption: strip }
}

#[test]
fn backgammon() {
    check_golden("backgammon-start", &board_picture::svg(&backgammon_game("", 0).build()));
    check_golden("backgammon-middle", &board_picture::svg(&backgammon_game("", 22).build()));
    check_golden("backgammon-match", &board_picture::svg(&backgammon_game("match=7", 31).build()));
    let won = backgammon_game("", 400);
    check_golden("backgammon-won", &board_picture::svg(&won.build()));
    check_golden("backgammon-replay", &board_picture::replay(&won.build(), None));
    let config = GameConfig { cube: true, length: Some(7), ..GameConfig::default() };
    let crowded = json!({
        "board": [0, 0, 0, 2, 6, 3, 0, 0, 0, 0, 0, -1, 2, 0, 0, 0, 0, -2, -3, 0, -7, 0, 0, 0],
        "bar": { "white": 2, "black": 2 }, "activePlayer": "white", "dice": [6, 5],
        "cube": { "value": 4, "owner": "white" },
        "match": { "game": 3, "score": { "white": 2, "black": 5 } },
    });
    check_golden("backgammon-crowded", &position_picture(&config, crowded, SideStatus::ToMove).svg());
    let bearing_off = json!({
        "board": [2, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -2, 0, -1],
        "borneOff": { "white": 9, "black": 11 }, "activePlayer": "white", "dice": [5, 5],
        "cube": { "value": 64, "owner": "black" },
    });
    check_golden("backgammon-bearing-off", &position_picture(&config, bearing_off, SideStatus::ToMove).svg());
    let offered = json!({
        "board": [0, 2, 2, 2, 2, 3, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -3, -3, -3, -2, -2, 2],
        "activePlayer": "white", "bar": { "black": 2 }, "cube": { "value": 2, "owner": null, "offered": true },
    });
    check_golden("backgammon-offered", &position_picture(&config, offered, SideStatus::ToMove).svg());
}

#[test]
fn connect_four() {
    let game = |options: &str, moves: &str| TableBuilder::open::<ConnectFour>(options, ALICE_BOB).play(moves);
    check_golden("connect-four-start", &board_picture::svg(&game("", "").build()));
    check_golden("connect-four-middle", &board_picture::svg(&game("", "d d c e e b f a d d a g").build()));
    check_golden("connect-four-won", &board_picture::svg(&game("", WON).build()));
    check_golden(
        "connect-four-10x10",
        &board_picture::svg(&TableBuilder::open::<ConnectFour>("10x10 k=6", ALICE_BOB).play_to_end().build()),
    );
    check_golden("connect-four-4x10", &board_picture::svg(&game("4x10 k=4", "a a b c b b c d").build()));
    check_golden("connect-four-replay", &board_picture::replay(&game("", WON).build(), None));
}

/// A game that ends with a diagonal from a1 to d4.
const WON: &str = "a b b c d c c d d e d";

#[test]
fn othello() {
    let game = |moves: &str| TableBuilder::open::<Othello>("", ALICE_BOB).play(moves);
    check_golden("othello-start", &board_picture::svg(&game("").build()));
    check_golden(
        "othello-middle",
        &board_picture::svg(&TableBuilder::open::<Othello>("", ALICE_BOB).seed(5).play_random(33).build()),
    );
    let won = TableBuilder::open::<Othello>("", ALICE_BOB).seed(2).play_to_end();
    check_golden("othello-won", &board_picture::svg(&won.build()));
    check_golden("othello-replay", &board_picture::replay(&won.build(), None));
}

fn hex_table(options: &str) -> TableBuilder {
    TableBuilder::open::<Hex>(options, ALICE_BOB).seed(2)
}

#[test]
fn hex() {
    check_golden("hex-start", &board_picture::svg(&hex_table("").build()));
    check_golden("hex-middle", &board_picture::svg(&hex_table("").play("a3 f6 g4 d5 h6 e8 c9 f9 g8").build()));
    check_golden("hex-swapped", &board_picture::svg(&hex_table("5x5").play("d2 swap").build()));
    check_golden("hex-won", &board_picture::svg(&hex_table("").play_to_end().build()));
    check_golden("hex-3x3", &board_picture::svg(&hex_table("3x3").play_to_end().build()));
    check_golden("hex-19x19", &board_picture::svg(&hex_table("19x19").play_random(120).build()));
    check_golden("hex-replay", &board_picture::replay(&hex_table("7x7").play_to_end().build(), None));
}

fn checkers_table(plies: usize) -> TableBuilder {
    TableBuilder::open::<Checkers>("", ALICE_BOB).seed(2).play_random(plies)
}

#[test]
fn checkers() {
    check_golden("checkers-start", &board_picture::svg(&checkers_table(0).build()));
    check_golden(
        "checkers-middle",
        &board_picture::svg(&checkers_table(0).play("11-15 22-17 15-19 24x15 10x19 23x16").build()),
    );
    check_golden("checkers-kings", &board_picture::svg(&checkers_table(48).build()));
    let won = TableBuilder::open::<Checkers>("", ALICE_BOB).seed(2).play_to_end();
    check_golden("checkers-won", &board_picture::svg(&won.build()));
    check_golden("checkers-replay", &board_picture::replay(&won.build(), None));
}
