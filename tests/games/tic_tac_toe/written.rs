//! Options, moves, JSON and boards.

use std::any::Any;

use answers::render::markdown;
use game::{Display, Game, Grid, Notation, ParseMoveError, PositionJson, Rules};
use games::Mark;
use games::tic_tac_toe::{GameConfig, Move, Position, TicTacToe};
use serde_json::{Value, json};
use testkit::options;

use super::{cells, config, game_with_board};

#[test]
fn takes_its_options_and_leaves_the_others() {
    #[track_caller]
    fn check_options(line: &str, size: usize, k: usize, first_player: Mark, left: &str) {
        let mut given = options(line);
        assert_eq!(TicTacToe::configure(&mut given), Ok(GameConfig { first_player, ..config(size, k) }));
        assert_eq!(given, options(left));
    }
    check_options("", 3, 3, Mark::X, "");
    check_options("size=4", 4, 3, Mark::X, "");
    check_options("4x4", 4, 3, Mark::X, "");
    check_options("4X4 k=4", 4, 4, Mark::X, "");
    check_options("5×5", 5, 4, Mark::X, "");
    check_options("size=7", 7, 4, Mark::X, "");
    check_options("size=8", 8, 5, Mark::X, "");
    check_options("15x15", 15, 5, Mark::X, "");
    check_options("boardSize=19 kInRow=19 firstPlayer=O", 19, 19, Mark::O, "");
    check_options("BOARDSIZE=6x6 in-row=3 FIRST=o", 6, 3, Mark::O, "");
    check_options("4x4 size=4", 4, 3, Mark::X, "");
    check_options("fast 4x4 per-move=7d x", 4, 3, Mark::X, "fast per-move=7d x");
}

#[test]
fn refuses_invalid_options_with_an_explanation() {
    #[track_caller]
    fn check_refusal(line: &str, key: &'static str, expected: &str) {
        let error = TicTacToe::configure(&mut options(line)).unwrap_err();
        assert_eq!((error.key, markdown(&error.message).as_str()), (key, expected));
    }
    for line in ["size=2", "size=20", "20x20", "size=", "size=big", "size=-3", "size=99999999999999999999", "0x0"] {
        check_refusal(line, "size", "`size` has to be a number from 3 to 19.");
    }
    check_refusal("3x4", "size", "The board is square, so give `size` as one number: `4` (or `4x4`).");
    check_refusal("size=4x5", "size", "The board is square, so give `size` as one number: `4` (or `4x4`).");
    check_refusal("4x4 size=5", "size", "`size` has two different values. Give it once.");
    check_refusal("3x3 4x4", "size", "`size` has two different values. Give it once.");
    check_refusal("k=4", "k", "`k` has to be 3 on a 3x3 board.");
    check_refusal("4x4 k=5", "k", "`k` has to be a number from 3 to 4 on a 4x4 board.");
    check_refusal("k=2", "k", "`k` has to be 3 on a 3x3 board.");
    check_refusal("k=three", "k", "`k` has to be 3 on a 3x3 board.");
    check_refusal("first=Z", "first", "`first` has to be `X` or `O`.");
}

#[test]
fn parses_moves_in_different_spellings() {
    let game = game_with_board(4, 3, "X... .... .... ....", Mark::O);
    for (text, position) in [("a4", 0), ("D1!", 15), ("b 2 🎉", 9), ("12", 12), ("(0)", 0)] {
        assert_eq!(game.parse_move(text), Ok(Move { position }), "{text}");
    }
    for text in ["", "ok", "a", "b2 or c3?", "1st", "a1 sauce", "-1", "#4"] {
        assert_eq!(game.parse_move(text), Err(ParseMoveError::NotAMove), "{text}");
    }
    for (text, position) in [("top left", 0), ("Upper-right corner", 3), ("bottom left", 12), ("lower right!", 15)] {
        assert_eq!(game.parse_move(text), Ok(Move { position }), "{text}");
    }
    for text in ["TL", "left", "corner"] {
        assert_eq!(game.parse_move(text), Err(ParseMoveError::NotAMove), "{text}");
    }
    for (text, cells) in [("center", &["b3", "c3", "b2", "c2"][..]), ("top middle", &["b4", "c4"])] {
        let cells = cells.iter().map(|cell| (*cell).to_owned()).collect();
        assert_eq!(game.parse_move(text), Err(ParseMoveError::Ambiguous(cells)), "{text}");
    }
    let small = game_with_board(3, 3, "... ... ...", Mark::O);
    for (text, position) in [
        ("center", 4),
        ("the middle square", 4),
        ("Centre!", 4),
        ("top left", 0),
        ("topleft", 0),
        ("TL", 0),
        ("NW", 0),
        ("left middle", 3),
        ("middle left", 3),
        ("bottom middle", 7),
        ("top center", 1),
        ("south-east", 8),
        ("right bottom", 8),
    ] {
        assert_eq!(small.parse_move(text), Ok(Move { position }), "{text}");
    }
    for (text, range) in [("16", "0-15"), ("e1", "a1-d4"), ("a5", "a1-d4")] {
        let message = format!("Invalid move position: {text}. Valid range: {range} for 4x4 board");
        assert_eq!(game.parse_move(text), Err(ParseMoveError::outside_board("INVALID_MOVE_POSITION", message, range)));
    }
    for mv in game.legal_moves() {
        assert_eq!(game.parse_move(&game.notation(&mv)), Ok(mv));
    }
    assert_eq!(game.notation(&Move { position: 3 }), "d4");
}

#[test]
fn a_config_has_defaults_and_refuses_unknown_fields() {
    #[track_caller]
    fn check_config(json: Value, expected: Option<GameConfig>) {
        assert_eq!(serde_json::from_value(json).ok(), expected);
    }
    check_config(json!({}), Some(config(3, 3)));
    check_config(json!({"boardSize": 4}), Some(config(4, 3)));
    check_config(json!({"boardSize": 15, "mode": "human-vs-human"}), Some(config(15, 5)));
    check_config(json!({"boardSize": 4, "kInRow": 4, "firstPlayer": "O"}), {
        Some(GameConfig { first_player: Mark::O, ..config(4, 4) })
    });
    check_config(json!({"size": 4}), None);
    check_config(json!({"boardSize": -4}), None);
    check_config(json!({"boardSize": "4"}), None);
    check_config(json!({"firstPlayer": "x"}), None);
    check_config(json!({"mode": "human-vs-computer"}), None);
    let expected = json!({"boardSize": 4, "kInRow": 3, "firstPlayer": "X", "mode": "human-vs-human"});
    assert_eq!(serde_json::to_value(config(4, 3)).unwrap(), expected);
    let schema = schemars::schema_for!(GameConfig).to_value();
    assert_eq!(schema["additionalProperties"], json!(false));
    assert!(schema["properties"]["boardSize"].is_object() && schema["required"].is_null());
}

#[test]
fn a_position_is_the_board_and_the_player_to_move() {
    let game = game_with_board(3, 3, "X.. .O. ...", Mark::X);
    let json = json!({"board": ["X", null, null, null, "O", null, null, null, null], "currentPlayer": "X"});
    assert_eq!(serde_json::to_value(game.position()).unwrap(), json);
    let parsed: Position = serde_json::from_value(json).unwrap();
    assert_eq!(TicTacToe::from_position(&config(3, 3), &parsed), Ok(game));
    assert_eq!(serde_json::to_value(Move { position: 4 }).unwrap(), json!({"position": 4}));
    for invalid in [
        json!({"board": []}),
        json!({"board": ["Z"], "currentPlayer": "X"}),
        json!({"board": [], "currentPlayer": "X", "more": 1}),
    ] {
        assert!(serde_json::from_value::<Position>(invalid).is_err());
    }
    let short = Position { board: cells("X.."), current_player: Mark::X };
    let error = TicTacToe::from_position(&config(3, 3), &short).unwrap_err();
    assert_eq!(error.context["field"], "board.length");
    assert_eq!(error.message, "Invalid game state: board.length is 3, expected 9 for 3x3 board");
}

#[test]
fn the_board_shows_marks_the_last_move_and_winning_lines() {
    let ongoing = game_with_board(3, 3, "X.. .O. ...", Mark::X);
    let text = ongoing.board(Some(&Move { position: 4 })).text().plain();
    assert_eq!(text, "3  X  .  .\n2  . (O) .\n1  .  .  .\n   a  b  c");
    let won = game_with_board(3, 3, "XXX XOO X..", Mark::O).board(None);
    let won = (won as Box<dyn Any>).downcast::<Grid>().unwrap();
    assert_eq!((won.columns, won.last_move), (3, vec![]));
    assert_eq!(won.lines, [[0, 1, 2], [0, 3, 6]]);
}
