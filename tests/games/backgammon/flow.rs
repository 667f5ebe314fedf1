//! Tests of the course of games, the cube and matches.

use answers::render::markdown;
use game::{DiceRules, Explain, Game, Notation, Options, Outcome, PositionJson, Rules, Seat, apply_move};
use games::backgammon::{Backgammon, Color, EndReason, Phase, Position};

fn config(setup: &str) -> <Backgammon as Rules>::Config {
    let pairs = setup.split(' ').filter_map(|pair| pair.split_once('='));
    let pairs = pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
    Backgammon::configure(&mut Options { pairs, ..Options::default() }).unwrap()
}

/// Returns a position in which White bears off its last checker with any roll. Black has `far` checkers on its 19 point
/// (in White's home board) and `home` checkers on its 4 point.
fn last_checker(setup: &str, far: i8, home: i8, off: u32, more: &str) -> Backgammon {
    let mut board = [0_i8; 24];
    board[0] = 1;
    board[1] = 0;
    board[5] = -far;
    board[20] = -home;
    let position = format!(
        r#"{{"board":{board:?},"bar":{{"white":0,"black":0}},"borneOff":{{"white":14,"black":{off}}},
        "activePlayer":"white","dice":[6,5]{more}}}"#
    );
    let position: Position = serde_json::from_str(&position).unwrap();
    Backgammon::from_position(&config(setup), &position).unwrap()
}

fn say(game: &Backgammon, text: &str) -> Backgammon {
    let mv = game.parse_move(text).unwrap();
    apply_move(game, &mv).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[track_caller]
fn check_worth(setup: &str, far: i8, home: i8, off: u32, more: &str, points: u32) {
    let after = say(&last_checker(setup, far, home, off, more), "1/off");
    let result = after.result.unwrap();
    assert_eq!((result.winner, result.points, result.by), (Color::White, points, EndReason::BearingOff), "{setup}");
}

#[test]
fn gammons_and_backgammons_count_two_and_three_times_the_cube() {
    check_worth("", 0, 14, 1, "", 1);
    check_worth("", 0, 15, 0, "", 2);
    check_worth("", 1, 14, 0, "", 3);
    let cube = r#","cube":{"value":4,"owner":"black"}"#;
    check_worth("cube=on", 1, 14, 0, cube, 12);
    check_worth("cube=on jacoby=on", 1, 14, 0, cube, 12);
    let middle = r#","cube":{"value":1,"owner":null}"#;
    check_worth("cube=on jacoby=on", 1, 14, 0, middle, 1);
    check_worth("cube=on", 1, 14, 0, middle, 3);
}

/// A position entered after the end of a game scores the same as playing the game to its end.
#[test]
fn a_game_that_is_won_already_counts_the_same() {
    for (setup, cube, kind) in [
        ("cube=on", r#","cube":{"value":1,"owner":null}"#, 3),
        ("cube=on jacoby=on", r#","cube":{"value":1,"owner":null}"#, 1),
        ("cube=on jacoby=on", r#","cube":{"value":2,"owner":"white"}"#, 3),
    ] {
        let played = say(&last_checker(setup, 1, 14, 0, cube), "1/off");
        assert_eq!(played.result.unwrap().kind, kind, "{setup} {cube}");
        let written = Position { result: None, ..played.position() };
        assert_eq!(
            Backgammon::from_position(&config(setup), &written).unwrap().result,
            played.result,
            "{setup} {cube}"
        );
    }
}

#[test]
fn a_match_goes_on_until_somebody_has_the_points() {
    let stand = |white: u32| format!(r#","match":{{"game":3,"score":{{"white":{white},"black":1}}}}"#);
    let going_on = say(&last_checker("match=5", 0, 15, 0, &stand(2)), "1/off");
    assert_eq!((going_on.score, going_on.game_number, going_on.phase), ([4, 1], 4, Phase::OpeningRoll));
    assert!(going_on.crawford, "white needs one more point, and did not before");
    assert_eq!(going_on.outcome(), None);
    let over = say(&last_checker("match=5", 0, 15, 0, &stand(3)), "1/off");
    assert_eq!((over.outcome(), over.score), (Some(Outcome::Won(Seat::First)), [5, 1]));
    // There is only one Crawford game, even if the other side also comes within a point of winning.
    let after =
        say(&last_checker("match=5", 0, 14, 1, r#","match":{"game":3,"score":{"white":3,"black":4}}"#), "1/off");
    assert_eq!((after.score, after.crawford), ([4, 4], false));
}

/// Returns the position at the second turn. The first one starts with the opening roll, so this is the first chance to
/// double.
fn second_turn(setup: &str) -> Backgammon {
    let game = Backgammon::start(&config(setup)).unwrap().with_roll([3, 3]).with_roll([3, 1]);
    assert_eq!((game.side_to_move, game.phase), (Seat::First, Phase::Play));
    say(&game, "8/5 6/5")
}

#[test]
fn the_cube_goes_from_hand_to_hand() {
    let game = second_turn("cube=on");
    assert_eq!((game.side_to_move, game.phase), (Seat::Second, Phase::RollOrDouble));
    let taken = say(&say(&game, "double"), "take");
    assert_eq!((taken.cube.value, taken.cube.owner), (2, Some(Seat::First)));
    assert!(taken.needs_roll() && taken.side_to_move == Seat::Second, "the side that doubled rolls");
    // White owns the cube, so Black may not double again and isn't asked.
    assert!(!taken.may_double(Seat::Second) && taken.may_double(Seat::First));
    let dropped = say(&say(&game, "double"), "drop");
    let result = dropped.result.unwrap();
    assert_eq!((result.winner, result.points, result.by), (Color::Black, 1, EndReason::Drop));
    assert!(apply_move(&taken.with_roll([6, 1]), &game.parse_move("double").unwrap()).is_err());
}

#[test]
fn nobody_is_asked_about_a_cube_that_is_out_of_reach() {
    assert_eq!(second_turn("").phase, Phase::Roll, "no cube");
    assert_eq!(second_turn("match=1").phase, Phase::Roll, "one point wins the match as it is");
    assert_eq!(second_turn("match=2").phase, Phase::RollOrDouble);
    assert_eq!(second_turn("match=2 cube=off").phase, Phase::Roll);
    let crawford = Backgammon { crawford: true, ..second_turn("match=5") };
    assert!(!crawford.may_double(Seat::Second));
}

#[test]
fn giving_up_loses_the_most_that_can_still_be_lost() {
    let give_up = |game: &Backgammon, loser| game.resign_for(loser, game.resignation_stakes(loser).last()?);
    let lost = |game: &Backgammon, loser| give_up(game, loser).unwrap().result.unwrap().points;
    assert_eq!(lost(&second_turn("cube=on"), Seat::First), 3, "the two sides have not passed each other");
    assert_eq!(lost(&last_checker("cube=on", 0, 15, 0, ""), Seat::Second), 2, "all home, none off");
    assert_eq!(lost(&last_checker("cube=on", 1, 14, 0, ""), Seat::Second), 3, "one still far");
    assert_eq!(lost(&last_checker("cube=on", 0, 14, 1, ""), Seat::Second), 1, "one off");
    assert_eq!(lost(&second_turn(""), Seat::First), 1, "nothing counts points");
    let mut board = [0_i8; 24];
    (board[23], board[19]) = (1, -15);
    let position = format!(r#"{{"board":{board:?},"activePlayer":"white","dice":[2,1]}}"#);
    let behind = Backgammon::from_position(&config("cube=on"), &serde_json::from_str(&position).unwrap()).unwrap();
    assert_eq!(lost(&behind, Seat::Second), 3, "all home, but one could still be hit");
    let doubled = say(&say(&second_turn("cube=on"), "double"), "take");
    assert_eq!(lost(&doubled, Seat::Second), 6);
    let next = give_up(&second_turn("match=5"), Seat::First).unwrap();
    assert_eq!((next.score, next.game_number, next.outcome()), ([0, 3], 2, None), "a match goes on");
}

#[test]
fn a_throw_that_cannot_be_played_passes_the_turn() {
    let mut board = [0_i8; 24];
    board[18..24].fill(-2);
    board[0] = 14;
    let position = format!(
        r#"{{"board":{board:?},"bar":{{"white":1,"black":0}},"borneOff":{{"white":0,"black":3}},"activePlayer":"white"}}"#
    );
    let position: Position = serde_json::from_str(&position).unwrap();
    let game = Backgammon::from_position(&config(""), &position).unwrap();
    let passed = game.with_roll([6, 5]);
    assert_eq!((passed.side_to_move, passed.phase), (Seat::Second, Phase::Roll));
    let told = passed.commentary().unwrap();
    assert_eq!(markdown(&told), "White rolled **6-5** and can't move, so the turn passes.");
}
