//! Options, moves, explanations, JSON and boards.

use std::any::Any;

use answers::render::markdown;
use game::{Display, Explain, Game, Notation, Options, ParseMoveError, PositionJson, Rules, Seat};
use games::Mark;
use games::ultimate_tic_tac_toe::{
    ActiveBoards, BoardStatus, GameConfig, Move, Position, SubBoardStatus, UltimateBoard, UltimateTicTacToe,
};
use serde_json::json;

use super::{WON, active, after_moves, game_at, parse_pair, position, start};

#[test]
fn parses_moves_in_different_spellings() {
    #[track_caller]
    fn check_move(texts: &[&str], mv: &str) {
        for text in texts {
            assert_eq!(start().parse_move(text), Ok(parse_pair(mv)), "{text:?}");
        }
    }
    check_move(
        &[
            "e5",
            "E5!",
            " e 5 🎉",
            "4 4",
            "4-4",
            "4:4",
            "4|4",
            "4/4",
            "4.4",
            "4,4",
            "4, 4",
            "4 / 4",
            "(4 4)",
            "`4/4`",
            "4 4.",
            "4\u{a0}4",
        ],
        "44",
    );
    check_move(&["a9", "0 0"], "00");
    check_move(
        &["board 4 square 0", "board 4, cell 0", "center board, top left", "4/top left", "top left of board 4"],
        "40",
    );
    check_move(&["board 0 center", "center of the top left board", "Top-left board center", "middle in board 0"], "04");
    check_move(&["left board, NE", "board left top right", "board 3 upper right"], "32");
    check_move(&["i1", "8 8"], "88");
    check_move(&["a1", "6.6"], "66");
    check_move(&["c7", "0 8"], "08");
    check_move(&["g4", "5 6"], "56");
}

#[test]
fn refuses_other_text_and_cells_off_the_board() {
    for text in [
        "",
        "ok",
        "40",
        "42",
        "100",
        "4=0",
        "4--0",
        "4 0 1",
        "4//0",
        "1 / / 2",
        "-4 0",
        "10 4",
        "4 10",
        "#4",
        "4\n0",
        "٤ 0",
        "left",
        "N",
        "board 4",
        "board left",
        "on board",
    ] {
        assert_eq!(start().parse_move(text), Err(ParseMoveError::NotAMove), "{text:?}");
    }
    for (text, range, message) in [
        ("9", "0-8", "Invalid move position: 9. Valid range: 0-8 for a cell of a board"),
        ("4 9", "0-8", "Invalid move position: board 4, cell 9. Valid range: 0-8 for both"),
        ("9.0", "0-8", "Invalid move position: board 9, cell 0. Valid range: 0-8 for both"),
        ("j1", "a1-i9", "Invalid move position: j1. Valid range: a1-i9 for 9x9 board"),
        ("a10", "a1-i9", "Invalid move position: a10. Valid range: a1-i9 for 9x9 board"),
    ] {
        assert_eq!(
            start().parse_move(text),
            Err(ParseMoveError::outside_board("INVALID_MOVE_POSITION", message, range))
        );
    }
}

#[test]
fn a_cell_number_alone_is_a_move_if_one_board_allows_it() {
    let moves = ["b8", "e8", "h8", "b5", "e5", "h5", "b2", "e2", "h2"].map(str::to_owned).to_vec();
    for text in ["4", "center", "square 4"] {
        assert_eq!(start().parse_move(text), Err(ParseMoveError::Ambiguous(moves.clone())), "{text}");
    }
    let sent = after_moves("40");
    for text in ["4", "center", "Middle!", "the center", "cell 4"] {
        assert_eq!(sent.parse_move(text), Ok(parse_pair("04")), "{text}");
    }
    for (text, mv) in
        [("NW", "00"), ("top right", "02"), ("bottom-left corner", "06"), ("SE", "08"), ("middle left", "03")]
    {
        assert_eq!(sent.parse_move(text), Ok(parse_pair(mv)), "{text}");
    }
    assert_eq!(sent.parse_move("8!"), Ok(parse_pair("08")));
    // An occupied cell still parses, so that the rules can explain it.
    assert_eq!(after_moves("40 04 44").parse_move("0"), Ok(parse_pair("40")));
    let with_two_boards = |text: &str| {
        let boards = [2, 5].map(|board| (board, text, SubBoardStatus::InProgress));
        game_at(&position(&boards, active(&[2, 5])))
    };
    assert_eq!(
        with_two_boards("X........").parse_move("1"),
        Err(ParseMoveError::Ambiguous(vec!["h9".to_owned(), "h6".to_owned()]))
    );
    assert_eq!(with_two_boards("X........").parse_move("0"), Ok(parse_pair("20")));
    let one = position(&[(2, "X........", SubBoardStatus::InProgress)], active(&[2, 5]));
    assert_eq!(game_at(&one).parse_move("0"), Ok(parse_pair("50")));
    assert!(matches!(after_moves(WON).parse_move("4"), Ok(Move { cell: 4, .. })));
}

#[test]
fn every_cell_has_a_unique_name() {
    let mut names: Vec<String> = start().legal_moves().iter().map(|mv| start().notation(mv)).collect();
    assert_eq!(names[..10], ["a9", "b9", "c9", "a8", "b8", "c8", "a7", "b7", "c7", "d9"]);
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 81);
    assert_eq!(start().notation(&Move { board: 9, cell: u32::MAX }), "9 4294967295");
}

#[test]
fn the_turn_hint_names_the_playable_boards() {
    let turn_hint = |game: &UltimateTicTacToe| markdown(&game.turn_hint().unwrap_or_default());
    assert_eq!(turn_hint(&start()), "The next move can be in any board, on any dot.");
    assert_eq!(turn_hint(&after_moves("40")), "The next move has to be in the top-left board (`a7`-`c9`), on any dot.");
    assert_eq!(turn_hint(&after_moves("84")), "The next move has to be in the middle board (`d4`-`f6`), on any dot.");
    let won = [(3, "XXX......", SubBoardStatus::WonX)];
    let free = "The next move can be in any unfinished board, on any dot.";
    assert_eq!(turn_hint(&game_at(&position(&won, ActiveBoards::All))), free);
    let listed =
        "The next move can be in the left board (`a4`-`c6`) or the bottom-right board (`g1`-`i3`), on any dot.";
    assert_eq!(turn_hint(&game_at(&position(&[], active(&[3, 8])))), listed);
    assert_eq!(after_moves(WON).turn_hint(), None);
}

#[test]
fn explains_illegal_moves() {
    let explain = |game: &UltimateTicTacToe, mv: &str| {
        markdown(&game.why_illegal(&parse_pair(mv)).explanation.unwrap_or_default())
    };
    let ongoing = after_moves("44 40 04");
    assert_eq!(explain(&ongoing, "44"), "X is already on `e5`");
    let elsewhere =
        "`a9` is in the top-left board (`a7`-`c9`), but this move has to be in the middle board (`d4`-`f6`)";
    assert_eq!(explain(&ongoing, "00"), elsewhere);
    assert_eq!(ongoing.why_illegal(&parse_pair("99")).explanation, None);
    assert_eq!(after_moves(WON).why_illegal(&parse_pair("00")).explanation, None);
    let complete = [
        (0, "XXX......", SubBoardStatus::WonX),
        (1, "OOO......", SubBoardStatus::WonO),
        (2, "XOXXOOOXX", SubBoardStatus::Draw),
    ];
    let free = game_at(&position(&complete, ActiveBoards::All));
    for (mv, explanation) in [
        ("08", "`c7` is in the top-left board (`a7`-`c9`), which X has already won"),
        ("18", "`f7` is in the top-middle board (`d7`-`f9`), which O has already won"),
        ("28", "`i7` is in the top-right board (`g7`-`i9`), which is drawn"),
    ] {
        assert_eq!(explain(&free, mv), format!("{explanation}. Play in any unfinished board"));
    }
}

#[test]
fn takes_its_options() {
    let options_with =
        |key: &str, value: &str| Options { pairs: vec![(key.to_owned(), value.to_owned())], ..Options::default() };
    let config = |first_player| Ok(GameConfig { first_player, ..GameConfig::default() });
    assert_eq!(UltimateTicTacToe::configure(&mut Options::default()), config(Mark::X));
    let mut options = options_with("FirstPlayer", "o");
    assert_eq!(UltimateTicTacToe::configure(&mut options), config(Mark::O));
    assert_eq!(options, Options::default());
    let error = UltimateTicTacToe::configure(&mut options_with("first", "Z")).unwrap_err();
    assert_eq!((error.key, markdown(&error.message).as_str()), ("first", "`first` has to be `X` or `O`."));
}

#[test]
fn serializes_with_the_documented_names() {
    let config: GameConfig = serde_json::from_str(r#"{"firstPlayer":null}"#).unwrap();
    assert_eq!(serde_json::to_value(config).unwrap(), json!({"firstPlayer": "X", "mode": "human-vs-human"}));
    assert!(serde_json::from_str::<GameConfig>(r#"{"boardSize":3}"#).is_err());
    assert_eq!(serde_json::to_value(parse_pair("40")).unwrap(), json!({"board": 4, "cell": 0}));
    let json = serde_json::to_value(start().position()).unwrap();
    assert_eq!((&json["activeBoards"], &json["subBoardStatuses"][8]), (&json!("all"), &json!("in-progress")));
    let statuses = [SubBoardStatus::InProgress, SubBoardStatus::WonX, SubBoardStatus::WonO, SubBoardStatus::Draw];
    assert_eq!(json!(statuses), json!(["in-progress", "won-x", "won-o", "draw"]));
    for status in statuses {
        assert_eq!(json!(status), status.to_string());
    }
    for (field, value) in [
        ("boards", json!([])),
        ("subBoardStatuses", json!(["won-x"])),
        ("activeBoards", json!("some")),
        ("activeBoards", json!([-1])),
        ("currentPlayer", json!("Z")),
        ("more", json!(1)),
    ] {
        let mut invalid = json.clone();
        invalid[field] = value;
        assert!(serde_json::from_value::<Position>(invalid).is_err(), "{field}");
    }
}

#[test]
fn the_board_shows_where_to_play_and_finished_boards() {
    let boards = [
        (0, "XXXO.....", SubBoardStatus::WonX),
        (1, "OOO......", SubBoardStatus::WonO),
        (2, "XOXXOOOXX", SubBoardStatus::Draw),
        (4, "X...O....", SubBoardStatus::InProgress),
        (8, "...X.....", SubBoardStatus::InProgress),
    ];
    let game = game_at(&position(&boards, active(&[4])));
    let text = game.board(Some(&parse_pair("83"))).text().plain();
    let expected = "\
9   \\   /  |  /---\\  | -  -  -
8     X    | |  O  | | -  -  -
7   /   \\  |  \\---/  | -  -  -
  ---------+---------+---------
6          | X  .  . |
5          | .  O  . |
4          | .  .  . |
  ---------+---------+---------
3          |         |
2          |         |(X)
1          |         |
   a  b  c   d  e  f   g  h  i";
    assert_eq!(text, expected);
    assert!(text.lines().all(|line| line.chars().count() <= 36), "it fits on a phone");
    // The move that won a board stays visible.
    let first = game.board(Some(&parse_pair("00"))).text().plain();
    assert_eq!(first.lines().next(), Some("9 (X)   /  |  /---\\  | -  -  -"));
}

#[test]
fn the_board_shows_the_winning_line() {
    let board = after_moves(WON).board(Some(&parse_pair("00")));
    assert_eq!(board.text().plain().lines().nth(1), Some("8  | [O] | | | [O] | | | [O] |"));
    let won = BoardStatus::Won(Seat::Second);
    let statuses = [
        won,
        won,
        won,
        BoardStatus::Inactive,
        BoardStatus::Inactive,
        BoardStatus::Inactive,
        BoardStatus::Won(Seat::First),
        BoardStatus::Inactive,
        BoardStatus::Inactive,
    ];
    let boards = (board as Box<dyn Any>).downcast::<UltimateBoard>().unwrap();
    assert_eq!(boards.lines, [[0, 1, 2]]);
    assert_eq!(boards.statuses, statuses);
}
