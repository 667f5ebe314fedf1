//! Golden files of board pictures.

use answers::scene;
use answers::scene::Scene;
use expect_test::expect_file;
use game::board::drawing::caption::{Caption, CaptionSide, SideStatus};
use game::contract::{Display, Interop, Rules};
use game::seat::Seat;
use games::backgammon::config::GameConfig;
use games::backgammon::game::Backgammon;
use games::checkers::game::Checkers;
use games::chess::game::Chess;
use games::connect_four::game::ConnectFour;
use games::hex::game::Hex;
use games::othello::game::Othello;
use games::tic_tac_toe::game::TicTacToe;
use games::ultimate_tic_tac_toe::game::UltimateTicTacToe;
use serde_json::json;

use super::tables::Sitting;

const FOOLS_MATE: &str = "f3 e5 g4 Qh4#";
const ALICE_BOB: [&str; 2] = ["alice", "bob"];

#[track_caller]
fn is(name: &str, svg: &str) {
    expect_file![format!("{}/tests/golden/{name}.svg", env!("CARGO_MANIFEST_DIR"))].assert_eq(svg);
}

fn small(options: &str, moves: &str) -> Sitting<TicTacToe> {
    Sitting::open(options, ALICE_BOB).play(moves)
}

fn ultimate(moves: &str) -> Sitting<UltimateTicTacToe> {
    Sitting::open("", ALICE_BOB).play(moves)
}

#[test]
fn tic_tac_toe() {
    is("tic-tac-toe-start", &scene::svg(&small("", "").table()));
    is("tic-tac-toe-middle", &scene::svg(&small("", "b2 a1 c3").table()));
    is("tic-tac-toe-won", &scene::svg(&small("", "b2 a2 c3 c2 a1").table()));
    is("tic-tac-toe-drawn", &scene::svg(&small("", "b2 a1 a2 c2 b3 b1 c1 a3 c3").table()));
    is("tic-tac-toe-resigned", &scene::svg(&small("", "b2 a1").resigns(Seat::First).table()));
    is("tic-tac-toe-4x4", &scene::svg(&small("4x4", "a1 b1 b2 c1 d2 d3 c2").table()));
    let long = ["a-very-long-name-of-39-characters-indeed", "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW"];
    is("tic-tac-toe-long-names", &scene::svg(&Sitting::<TicTacToe>::open("", long).play("b2 a1").table()));
    is("tic-tac-toe-9x9", &scene::svg(&small("9x9", "e5 d5 e4 d4 e3 d3 e6 e7 d6 f4 c6 g5").table()));
    is("tic-tac-toe-15x15", &scene::svg(&small("15x15", "h8 h9 i8 j8 g7 f6 i9 g9 i7 i10 i6 i5 j7 k7 h7 f7").table()));
    is("tic-tac-toe-19x19", &scene::svg(&Sitting::<TicTacToe>::open("19x19", ALICE_BOB).ended().table()));
    is("tic-tac-toe-replay", &scene::replay(&small("", "b2 a2 c3 c2 a1").table(), None));
}

#[test]
fn ultimate_tic_tac_toe() {
    is("ultimate-start", &scene::svg(&ultimate("").table()));
    let open = |seed| Sitting::<UltimateTicTacToe>::open("", ALICE_BOB).seed(seed);
    is("ultimate-middle", &scene::svg(&open(4).by_chance(31).table()));
    is("ultimate-anywhere", &scene::svg(&anywhere().table()));
    is("ultimate-won", &scene::svg(&by_chance(true).table()));
    is("ultimate-drawn", &scene::svg(&by_chance(false).table()));
    is("ultimate-replay", &scene::replay(&by_chance(true).table(), None));
}

/// A game in which the next mark can go into any board, and some boards are decided.
fn anywhere() -> Sitting<UltimateTicTacToe> {
    let mut game = Sitting::<UltimateTicTacToe>::open("", ALICE_BOB).seed(9).by_chance(24);
    while game.record.game().legal_moves().len() < 20 {
        game = game.by_chance(1);
    }
    game
}

/// A random game that ended with a winner, or without one.
fn by_chance(won: bool) -> Sitting<UltimateTicTacToe> {
    (0..)
        .map(|seed| Sitting::open("", ALICE_BOB).seed(seed).ended())
        .find(|game: &Sitting<UltimateTicTacToe>| game.record.game().winning_lines().is_empty() != won)
        .unwrap()
}

fn match_to(options: &str, plies: usize) -> Sitting<Backgammon> {
    Sitting::<Backgammon>::open(options, ALICE_BOB).seed(3).sensibly(plies)
}

fn chess(options: &str, moves: &str) -> Sitting<Chess> {
    Sitting::open(options, ALICE_BOB).play(moves)
}

#[test]
fn chess_boards() {
    is("chess-start", &scene::svg(&chess("", "").table()));
    is("chess-middle", &scene::svg(&chess("", "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O").table()));
    is("chess-check", &scene::svg(&chess("view=black", "e4 d5 exd5 Qxd5 Nc3 Qe5+").table()));
    is("chess-mate", &scene::svg(&chess("", FOOLS_MATE).table()));
    let promotion = "fen=8/6P1/8/2K5/8/5k2/8/3n4_w_-_-_0_1";
    is("chess-promotion", &scene::svg(&chess(promotion, "g8=Q Ne3").table()));
    is("chess-replay", &scene::replay(&chess("", FOOLS_MATE).table(), None));
}

/// A scene of a given position.
fn position(config: &GameConfig, position: serde_json::Value, side: SideStatus) -> Scene {
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
    Scene { title: "A position".to_owned(), board: game.board(None), caption: strip }
}

#[test]
fn backgammon() {
    is("backgammon-start", &scene::svg(&match_to("", 0).table()));
    is("backgammon-middle", &scene::svg(&match_to("", 22).table()));
    is("backgammon-match", &scene::svg(&match_to("match=7", 31).table()));
    let won = match_to("", 400);
    is("backgammon-won", &scene::svg(&won.table()));
    is("backgammon-replay", &scene::replay(&won.table(), None));
    let config = GameConfig { cube: true, length: Some(7), ..GameConfig::default() };
    let crowded = json!({
        "board": [0, 0, 0, 2, 6, 3, 0, 0, 0, 0, 0, -1, 2, 0, 0, 0, 0, -2, -3, 0, -7, 0, 0, 0],
        "bar": { "white": 2, "black": 2 }, "activePlayer": "white", "dice": [6, 5],
        "cube": { "value": 4, "owner": "white" },
        "match": { "game": 3, "score": { "white": 2, "black": 5 } },
    });
    is("backgammon-crowded", &position(&config, crowded, SideStatus::ToMove).svg());
    let bearing_off = json!({
        "board": [2, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -2, 0, -1],
        "borneOff": { "white": 9, "black": 11 }, "activePlayer": "white", "dice": [5, 5],
        "cube": { "value": 64, "owner": "black" },
    });
    is("backgammon-bearing-off", &position(&config, bearing_off, SideStatus::ToMove).svg());
    let offered = json!({
        "board": [0, 2, 2, 2, 2, 3, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -3, -3, -3, -2, -2, 2],
        "activePlayer": "white", "bar": { "black": 2 }, "cube": { "value": 2, "owner": null, "offered": true },
    });
    is("backgammon-offered", &position(&config, offered, SideStatus::ToMove).svg());
}

#[test]
fn connect_four() {
    let game = |options: &str, moves: &str| Sitting::<ConnectFour>::open(options, ALICE_BOB).play(moves);
    is("connect-four-start", &scene::svg(&game("", "").table()));
    is("connect-four-middle", &scene::svg(&game("", "d d c e e b f a d d a g").table()));
    is("connect-four-won", &scene::svg(&game("", WON).table()));
    is("connect-four-10x10", &scene::svg(&Sitting::<ConnectFour>::open("10x10 k=6", ALICE_BOB).ended().table()));
    is("connect-four-4x10", &scene::svg(&game("4x10 k=4", "a a b c b b c d").table()));
    is("connect-four-replay", &scene::replay(&game("", WON).table(), None));
}

/// A game that ends with a diagonal from a1 to d4.
const WON: &str = "a b b c d c c d d e d";

#[test]
fn othello() {
    let game = |moves: &str| Sitting::<Othello>::open("", ALICE_BOB).play(moves);
    is("othello-start", &scene::svg(&game("").table()));
    is("othello-middle", &scene::svg(&Sitting::<Othello>::open("", ALICE_BOB).seed(5).by_chance(33).table()));
    let won = Sitting::<Othello>::open("", ALICE_BOB).seed(2).ended();
    is("othello-won", &scene::svg(&won.table()));
    is("othello-replay", &scene::replay(&won.table(), None));
}

fn hex(options: &str) -> Sitting<Hex> {
    Sitting::open(options, ALICE_BOB).seed(2)
}

#[test]
fn hexagons() {
    is("hex-start", &scene::svg(&hex("").table()));
    is("hex-middle", &scene::svg(&hex("").play("a3 f6 g4 d5 h6 e8 c9 f9 g8").table()));
    is("hex-swapped", &scene::svg(&hex("5x5").play("d2 swap").table()));
    is("hex-won", &scene::svg(&hex("").ended().table()));
    is("hex-3x3", &scene::svg(&hex("3x3").ended().table()));
    is("hex-19x19", &scene::svg(&hex("19x19").by_chance(120).table()));
    is("hex-replay", &scene::replay(&hex("7x7").ended().table(), None));
}

fn checkers(plies: usize) -> Sitting<Checkers> {
    Sitting::<Checkers>::open("", ALICE_BOB).seed(2).by_chance(plies)
}

#[test]
fn checkered() {
    is("checkers-start", &scene::svg(&checkers(0).table()));
    is("checkers-middle", &scene::svg(&checkers(0).play("11-15 22-17 15-19 24x15 10x19 23x16").table()));
    is("checkers-kings", &scene::svg(&checkers(48).table()));
    let won = Sitting::<Checkers>::open("", ALICE_BOB).seed(2).ended();
    is("checkers-won", &scene::svg(&won.table()));
    is("checkers-replay", &scene::replay(&won.table(), None));
}
