//! Tests of checkers: perft, captures, kings, draws, notation, positions, and the engine.

use answers::render::text;
use expect_test::expect;
use game::{
    Display, Engine, Explain, Game, Notation, Options, Outcome, ParseMoveError, PositionJson, Rules, Seat, apply_move,
};
use games::Random;
use games::checkers::{Checkers, GameConfig, Position, notation};
use testkit::short_or_long;

use crate::computer::{after_random, level};

fn start() -> Checkers {
    Checkers::start(&GameConfig::default()).unwrap()
}

#[track_caller]
fn after_moves(moves: &str) -> Checkers {
    moves.split_whitespace().fold(start(), |game, mv| apply_move(&game, &game.parse_move(mv).unwrap()).unwrap())
}

fn try_from_fen(fen: &str) -> Result<Checkers, String> {
    let position = Position { fen: fen.to_owned(), quiet: 0, earlier: Vec::new(), captureless: 0 };
    Checkers::from_position(&GameConfig::default(), &position).map_err(|rule| rule.message)
}

#[track_caller]
fn from_fen(fen: &str) -> Checkers {
    try_from_fen(fen).unwrap()
}

fn legal_moves(game: &Checkers) -> Vec<String> {
    game.legal_moves().iter().map(|mv| game.notation(mv)).collect()
}

/// Numbers from <http://www.aartbik.com/strategy.php>.
#[test]
fn perft_matches_the_published_numbers() {
    let tree = [1, 7, 49, 302, 1_469, 7_361, 36_768, 179_740, 845_931, 3_963_680, 18_391_564];
    for (depth, positions) in (0..short_or_long(9, 11)).zip(tree) {
        assert_eq!(start().perft(depth), positions, "depth {depth}");
    }
}

#[test]
fn perft_on_bitboards_matches_perft_by_playing_moves() {
    fn perft_by_playing(game: &Checkers, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        game.legal_moves().iter().map(|mv| perft_by_playing(&apply_move(game, mv).unwrap(), depth - 1)).sum()
    }
    let mut random = Random::new(1);
    for plies in [10, 20, 30, 40, 50] {
        let Some(game) = after_random::<Checkers>(&GameConfig::default(), plies, &mut random) else { continue };
        assert_eq!(game.perft(3), perft_by_playing(&game, 3), "after {plies} plies");
    }
}

#[test]
fn captures_are_mandatory() {
    let game = after_moves("11-15 22-18");
    assert_eq!(legal_moves(&game), ["15x22"]);
    assert_eq!(text(&game.turn_hint().unwrap()), "Black has to capture.");
    assert_eq!(legal_moves(&apply_move(&game, &game.legal_moves()[0]).unwrap()), ["25x18", "26x17"]);
    // Any capture may be chosen, not just the longest.
    assert_eq!(legal_moves(&from_fen("B:W18,19,27:B15")), ["15x22", "15x24x31"]);
}

#[test]
fn a_capture_continues_until_no_jump_is_left() {
    assert_eq!(legal_moves(&from_fen("W:W22:B18,11,12")), ["22x15x8"]);
    assert_eq!(legal_moves(&from_fen("W:W22:B17,18,10")), ["22x15x6", "22x13"]);
    // Men capture only forward, kings in every direction.
    assert_eq!(legal_moves(&from_fen("W:W15:B18,19")), ["15-11", "15-10"]);
    assert_eq!(legal_moves(&from_fen("W:WK15:B18,19")), ["15x22", "15x24"]);
}

/// Both paths capture the same four men.
#[test]
fn a_king_may_end_a_capture_where_it_started() {
    let game = from_fen("W:WK22:B9,10,17,18");
    assert_eq!(legal_moves(&game), ["22x15x6x13x22", "22x13x6x15x22"]);
    for mv in game.legal_moves() {
        let after = apply_move(&game, &mv).unwrap();
        assert_eq!(after.position().fen, "B:WK22:B");
        assert_eq!(after.ending().unwrap().reason.unwrap(), "no men left");
    }
    assert_eq!(
        game.parse_move("22x22"),
        Err(ParseMoveError::Ambiguous(vec!["22x15x6x13x22".to_owned(), "22x13x6x15x22".to_owned()]))
    );
    assert!(game.parse_move("22x6x22").is_err());
    assert_eq!(game.notation(&game.parse_move("22x15x6x22").unwrap()), "22x15x6x13x22");
}

#[test]
fn a_man_that_becomes_a_king_ends_its_move() {
    // A king could continue over 7.
    let game = from_fen("W:W9:B6,7");
    let game = apply_move(&game, &game.parse_move("9x2").unwrap()).unwrap();
    assert_eq!(game.position().fen, "B:WK2:B7");
    assert_eq!(legal_moves(&game), ["7-10", "7-11"]);
    let stepped = from_fen("B:W5:B25");
    let stepped = apply_move(&stepped, &stepped.parse_move("25-30").unwrap()).unwrap();
    assert_eq!(stepped.position().fen, "W:W5:BK30");
}

#[test]
fn a_side_that_cannot_move_loses() {
    let blocked = from_fen("W:W13:B9,6");
    assert_eq!(blocked.outcome(), Some(Outcome::Won(Seat::First)));
    assert_eq!(blocked.ending().unwrap().reason.unwrap(), "no move left");
    let taken = from_fen("B:W14:B10");
    assert_eq!(taken.outcome(), None);
}

#[test]
fn threefold_repetition_is_a_draw() {
    let mut game = from_fen("B:WK32:BK1");
    for nth in 0..2 {
        for mv in ["1-6", "32-27", "6-1", "27-32"] {
            assert_eq!(game.outcome(), None, "time {nth}");
            game = apply_move(&game, &game.parse_move(mv).unwrap()).unwrap();
        }
    }
    assert_eq!(game.outcome(), Some(Outcome::Draw));
    assert_eq!(game.ending().unwrap().reason.unwrap(), "threefold repetition");
    // A man's move clears the history, because earlier positions can't recur.
    let game = from_fen("B:WK32,21:BK1");
    let moved =
        ["1-6", "21-17"].iter().fold(game, |game, mv| apply_move(&game, &game.parse_move(mv).unwrap()).unwrap());
    assert_eq!(moved.position().earlier.len() + usize::from(moved.position().quiet), 0);
}

#[test]
fn forty_moves_per_side_without_a_capture_or_mans_move_are_a_draw() {
    let position = Position { fen: "B:WK32:BK1,5".to_owned(), quiet: 78, earlier: Vec::new(), captureless: 0 };
    let game = Checkers::from_position(&GameConfig::default(), &position).unwrap();
    let play = |moves: &str| {
        moves.split(' ').fold(game.clone(), |game, mv| apply_move(&game, &game.parse_move(mv).unwrap()).unwrap())
    };
    assert_eq!(play("1-6").outcome(), None);
    assert_eq!(play("1-6 32-27").outcome(), Some(Outcome::Draw));
    assert_eq!(play("1-6 32-27").ending().unwrap().reason.unwrap(), "40 moves without a capture or a man's move");
    assert_eq!(play("5-9 32-27").outcome(), None, "a man has moved");
}

/// As in OpenSpiel, only a capture resets the count, and a man's move doesn't.
#[test]
fn the_draw_option_ends_a_game_without_captures() {
    let config = GameConfig { draw_after: Some(10), view: None };
    let from_fen = |fen: &str, captureless| {
        Checkers::from_position(&config, &Position { fen: fen.to_owned(), quiet: 0, earlier: Vec::new(), captureless })
    };
    let after = |game: &Checkers, moves: &str| {
        moves.split(' ').fold(game.clone(), |game, mv| apply_move(&game, &game.parse_move(mv).unwrap()).unwrap())
    };
    let game = from_fen("B:WK32,21:BK1,5", 17).unwrap();
    let hint = |game: &Checkers| game.turn_hint().map(|hint| text(&hint));
    assert_eq!(hint(&game).unwrap(), "The game is a draw unless there's a capture in the next 3 moves.");
    let last = after(&game, "5-9 21-17");
    assert_eq!((last.outcome(), last.position().captureless), (None, 19));
    assert_eq!(hint(&last).unwrap(), "The game is a draw unless there's a capture in the next move.");
    assert_eq!(Checkers::from_position(&config, &last.position()).unwrap(), last);
    let drawn = after(&last, "9-14");
    assert_eq!(drawn.outcome(), Some(Outcome::Draw));
    assert_eq!(drawn.ending().unwrap().reason.unwrap(), "10 moves without a capture");
    assert_eq!((drawn.legal_moves(), hint(&drawn)), (Vec::new(), None));
    assert_eq!(after(&from_fen("B:W14,21:B10,1", 19).unwrap(), "10x17").position().captureless, 0);
    let begun = Checkers::start(&config).unwrap();
    assert_eq!(hint(&begun).unwrap(), "The game is a draw after 10 moves per side without a capture.");
    assert_eq!((hint(&after(&begun, "11-15")), hint(&start())), (None, None));
    // A side that can't move loses even if the draw is due.
    assert_eq!(from_fen("W:W13:B9,6", 20).unwrap().outcome(), Some(Outcome::Won(Seat::First)));
    // Games without the option don't count, and the option's range is 10 to 100.
    let counted = Position { captureless: 1, ..start().position() };
    assert_eq!(Checkers::from_position(&GameConfig::default(), &counted).unwrap_err().context["field"], "captureless");
    for moves in [0, 9, 101, u16::MAX] {
        let error = Checkers::start(&GameConfig { draw_after: Some(moves), view: None }).unwrap_err();
        assert_eq!(error.context["field"], "config.drawAfter", "{moves}");
    }
}

#[test]
fn parses_moves_as_people_type_them() {
    let game = after_moves("11-15 22-18 15x22 25x18");
    for spelling in ["12-16", "12 16", "12x16", "1216", "12–16!", "12 to 16", "(12 -> 16)", "12:16", "12, 16"] {
        assert_eq!(game.parse_move(spelling).map(|mv| game.notation(&mv)), Ok("12-16".to_owned()), "{spelling}");
    }
    for text in ["12", "12 or 16", "12-16?no", "v12-16", "", "-", "12-", "1 2 3x", "12\n16"] {
        assert_eq!(game.parse_move(text), Err(ParseMoveError::NotAMove), "{text}");
    }
    assert!(matches!(game.parse_move("12-33"), Err(ParseMoveError::OutOfRange(_))));
    assert!(matches!(game.parse_move("0-4"), Err(ParseMoveError::OutOfRange(_))));
    let long = from_fen("W:W22:B18,11,12");
    for spelling in ["22x15x8", "22x8", "22-8", "22 15 8", "22X15", "22x15"] {
        assert_eq!(long.parse_move(spelling).map(|mv| long.notation(&mv)), Ok("22x15x8".to_owned()), "{spelling}");
    }
}

#[test]
fn explains_illegal_moves() {
    #[track_caller]
    fn assert_explained(game: &Checkers, mv: &str, code: &str, explanation: &str) {
        let mv = game.parse_move(mv).unwrap();
        let illegal = game.why_illegal(&mv);
        assert_eq!((illegal.code, text(&illegal.explanation.unwrap()).as_str()), (code, explanation));
    }
    assert_explained(&start(), "15-19", "EMPTY_SQUARE", "There's no piece on 15");
    assert_explained(&start(), "22-18", "WRONG_SIDE", "That's White's man on 22");
    assert_explained(&start(), "7-11", "OCCUPIED_SQUARE", "There's already a piece on 11");
    assert_explained(&start(), "11-18", "NO_CAPTURE", "There's nothing to capture there");
    assert_explained(&start(), "11-19", "INVALID_STEP", "Without a capture, a piece moves one square diagonally");
    assert_explained(&after_moves("11-15 24-19"), "12-16", "CAPTURE_FORCED", "You can capture, so you have to");
    assert_explained(&after_moves("11-15 22-18 15x22"), "24-20", "CAPTURE_FORCED", "You can capture, so you have to");
    assert_explained(&after_moves("11-15 24-20"), "15-11", "BACKWARDS", "Only a king can move backward");
}

#[test]
fn the_board_marks_the_last_move_and_numbers_its_rows() {
    let game = from_fen("W:W22,K32:B18,11,12,K29");
    let last = game.parse_move("22x8").unwrap();
    let board = apply_move(&game, &last).unwrap().board(Some(&last));
    expect_test::expect![[r#"
         1     .     .     .     .   4
         5  .     .     .    (w)     8
         9     .     .     .     b  12
        13  .     .    (.)    .     16
        17     .     .     .     .  20
        21  .    (.)    .     .     24
        25     .     .     .     .  28
        29  B     .     .     W     32
        Black is b, White is w, kings are B and W"#]]
    .assert_eq(&board.text().plain());
    expect_test::expect!["Black: a man on 12; a king on 29. White: a man on 8; a king on 32. The last move went from 22 to 15 and then 8."].assert_eq(&board.description());
}

#[test]
fn the_board_turns_to_the_player_to_move() {
    let configure = |view: &str| {
        let pairs = vec![("view".to_owned(), view.to_owned())];
        Checkers::configure(&mut Options { pairs, ..Options::default() })
    };
    let config = configure("turn").unwrap();
    let start = Checkers::start(&config).unwrap();
    let next = start.play(&start.parse_move("11-15").unwrap());
    let views = [&start, &next].map(|game| game.board(None).viewer());
    assert_eq!(views, Seat::BOTH.map(Some));
    assert_eq!(Checkers::setup_summary(&config).as_deref(), Some("turning with each move"));
    assert_eq!(text(&configure("top").unwrap_err().message), "`view` has to be `white`, `black`, or `turn`.");
    // A position from a record turns, too.
    let read = Checkers::from_position(&config, &next.position()).unwrap();
    assert_eq!(read, next);
    // Black's view has square 32 at the top left and 1 at the bottom right.
    let black = Checkers::start(&configure("black").unwrap()).unwrap();
    let black = black.play(&black.parse_move("11-15").unwrap());
    let mv = black.parse_move("24-20").unwrap();
    expect![[r#"
        32     w     w     w     w  29
        28  w     w     w     w     25
        24    (.)    w     w     w  21
        20 (w)    .     .     .     17
        16     .     b     .     .  13
        12  b     .     b     b      9
         8     b     b     b     b   5
         4  b     b     b     b      1
        Black is b, White is w, kings are B and W"#]]
    .assert_eq(&black.play(&mv).board(Some(&mv)).text().plain());
    let tiles = black.board(None).tile_board(&|_| true).unwrap();
    let cells: Vec<usize> = tiles.rows.iter().flat_map(|row| &row.tiles).filter_map(|tile| tile.cell).collect();
    assert_eq!(cells, (1..=32).rev().collect::<Vec<_>>());
    assert_eq!(tiles.rows[0].name.as_deref(), Some("Row 8"));
}

#[test]
fn parses_fen_and_refuses_invalid_fen() {
    assert_eq!(start().position().fen, "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12");
    let exchanged = notation::parse("W:BK3,12:W20,K31").unwrap();
    assert_eq!(notation::format(&exchanged), "W:W20,K31:BK3,12");
    let assert_refused = |fen: &str, message: &str| {
        assert_eq!(try_from_fen(fen).unwrap_err(), format!("Invalid fen: {message}"));
    };
    assert_refused("B:W21", "it needs three parts");
    assert_refused("X:W21:B1", "the first part has to be B or W");
    assert_refused("B:W21:W1", "a side appears twice");
    assert_refused("B:21:B1", "each side needs its letter, B or W");
    assert_refused("B:W33:B1", "`33` isn't a square");
    assert_refused("B:W+9:B1", "`+9` isn't a square");
    assert_refused("B:W9,9:B1", "square 9 has two pieces");
    assert_refused("B:W3:B1", "a man on the last row has to be a king");
    assert_refused("B:W9:B1,2,3,4,5,6,7,8,10,11,12,13,14", "a side has more than 12 pieces");
}

#[test]
fn the_engine_chooses_legal_moves() {
    let game = from_fen("B:W22,25,27,32:B9,14,15,6");
    let mut random = Random::new(4);
    for _ in 0..short_or_long(2, 40) {
        let Some(game) = after_random::<Checkers>(&GameConfig::default(), 12 + random.below(20), &mut random) else {
            continue;
        };
        let chosen = game.choose(level(7), 1).unwrap();
        assert!(game.legal_moves().contains(&chosen.mv));
    }
    assert!(game.legal_moves().contains(&game.choose(level(6), 1).unwrap().mv));
}

/// The engine has to force the win before the 40-move rule applies.
#[test]
fn level_7_wins_a_won_endgame() {
    let mut game = from_fen("B:WK19,20:BK1,K2,K3,11");
    for ply in 0..120 {
        if game.outcome().is_some() {
            break;
        }
        let level = if game.side_to_move() == Seat::First { level(7) } else { level(5) };
        game = game.play(&game.choose(level, ply).unwrap().mv);
    }
    assert_eq!(game.outcome(), Some(Outcome::Won(Seat::First)));
}
