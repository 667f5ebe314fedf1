//! The rules engine's exact error messages for a proposed play.

use game::Seat;
use games::backgammon::{Dice, Placement, legal_plays};
use interop::rules::respond;
use serde_json::{Value, json};

use super::{BLACK, WHITE, board, dice, mirrored};

/// Asks the rules engine about a proposal by a player, where `seat` is to move.
#[track_caller]
fn validation(
    board: &Placement,
    seat: Seat,
    left: &[u8],
    overshoot: bool,
    player: Seat,
    list: &[(i8, i8, u8)],
) -> Value {
    let color = |seat: Seat| ["white", "black"][seat.index()];
    let both =
        |count: fn(&Placement, Seat) -> u8| json!({ "white": count(board, WHITE), "black": count(board, BLACK) });
    let moves: Vec<Value> = list.iter().map(|(from, to, die)| json!({ "from": from, "to": to, "die": die })).collect();
    let request = json!({
        "id": 1,
        "game": "backgammon",
        "position": {
            "board": board.points(),
            "bar": both(Placement::bar),
            "borneOff": both(Placement::off),
            "activePlayer": color(seat),
            "dice": left,
            "tableOptions": { "allowBearOffOvershoot": overshoot },
        },
        "validate": { "player": color(player), "moves": moves },
    });
    let response: Value = serde_json::from_str(&respond(&request.to_string())).unwrap();
    assert!(response["validation"].is_object(), "{response}");
    response["validation"].clone()
}

/// Asserts that a proposal by the side to move has exactly these errors, and returns the whole validation.
#[track_caller]
fn says(board: &Placement, seat: Seat, left: &[u8], list: &[(i8, i8, u8)], expected: &[&str]) -> Value {
    let judged = validation(board, seat, left, false, seat, list);
    assert_eq!((&judged["valid"], &judged["errors"]), (&json!(expected.is_empty()), &json!(expected)));
    judged
}

#[test]
fn the_turn_is_checked_first_and_alone() {
    let start = &Placement::START;
    assert_eq!(
        validation(start, WHITE, &[3, 1], false, BLACK, &[(3, 9, 6), (-1, 5, 2)]),
        json!({ "valid": false, "errors": ["Not your turn: expected white but got black"] })
    );
    assert_eq!(
        validation(start, BLACK, &[3, 1], false, WHITE, &[(7, 4, 3), (5, 4, 1)])["errors"],
        json!(["Not your turn: expected black but got white"])
    );
}

#[test]
fn the_bar_comes_before_all_other_checkers() {
    for count in 1..=3 {
        let on_bar = board(&[(5, 3), (18, -2)], [count, 0]);
        let sentence = format!("Must re-enter from bar before moving other pieces ({count} pieces on bar)");
        says(&on_bar, WHITE, &[3], &[(5, 2, 3)], &[&sentence]);
        says(&mirrored(&on_bar), BLACK, &[3], &[(18, 21, 3)], &[&sentence]);
        says(&on_bar, WHITE, &[3], &[(-1, 21, 3)], &[]);
        says(&mirrored(&on_bar), BLACK, &[3], &[(-1, 2, 3)], &[]);
    }
    let one = board(&[(5, 3)], [1, 0]);
    says(&one, WHITE, &[3, 1], &[(-1, 21, 3), (5, 4, 1)], &[]);
    let two = board(&[(5, 3)], [2, 0]);
    let sentence = "Must re-enter from bar before moving other pieces (1 pieces on bar)";
    says(&two, WHITE, &[3, 1], &[(-1, 21, 3), (5, 4, 1)], &[sentence]);
    // Bearing off is also illegal, but the message only mentions the bar.
    let outside = board(&[(12, 1), (5, 1)], [1, 0]);
    says(&outside, WHITE, &[6], &[(5, 24, 6)], &[sentence]);
    let three = board(&[(5, 3)], [3, 0]);
    says(&three, WHITE, &[2, 2], &[(-1, 22, 2), (-1, 22, 2), (-1, 22, 2), (22, 20, 2)], &[]);
}

#[test]
fn who_cannot_enter_dances() {
    let shut = board(&[(5, 3), (18, -2), (21, -2)], [1, 0]);
    let judged = says(&shut, WHITE, &[6, 3], &[], &[]);
    says(&shut, WHITE, &[6, 3], &[(-1, 21, 3)], &["Point 21 is blocked by black (2 pieces)"]);
    assert_eq!(legal_plays(&shut, WHITE, dice(&[6, 3]), false), []);
    let info = json!({ "moreMovesAvailable": false, "maxDice": 0, "usedDice": 0, "mustUseLarger": false });
    assert_eq!(judged["forcedMoveInfo"], info);
}

#[test]
fn single_steps_are_refused_in_the_engines_words() {
    let start = &Placement::START;
    says(start, WHITE, &[5], &[(23, 18, 5)], &["Point 18 is blocked by black (5 pieces)"]);
    says(start, BLACK, &[5], &[(0, 5, 5)], &["Point 5 is blocked by white (5 pieces)"]);
    says(start, WHITE, &[6], &[(5, 24, 6)], &["Cannot bear off: pieces exist outside home board (point 23)"]);
    says(start, BLACK, &[6], &[(18, 24, 6)], &["Cannot bear off: pieces exist outside home board (point 0)"]);
    says(start, WHITE, &[2], &[(7, 4, 2)], &["Move 7 to 4 requires die 3 but used 2"]);
    says(start, BLACK, &[2], &[(16, 19, 2)], &["Move 16 to 19 requires die 3 but used 2"]);
    says(start, WHITE, &[2], &[(5, 7, 2)], &["white must move from higher to lower (attempted 5 to 7)"]);
    says(start, BLACK, &[2], &[(18, 16, 2)], &["black must move from lower to higher (attempted 18 to 16)"]);
    says(start, WHITE, &[2], &[(10, 8, 2)], &["No white checker on point 10"]);
    says(start, BLACK, &[2], &[(12, 14, 2)], &["No black checker on point 12"]);
    says(start, WHITE, &[3, 1], &[(12, 10, 2)], &["Die 2 is not available (remaining: 3, 1)"]);
    says(start, WHITE, &[3, 1], &[(7, 4, 3), (7, 4, 3)], &["Die 3 is not available (remaining: 1)"]);
}

#[test]
fn all_errors_are_collected() {
    says(
        &Placement::START,
        WHITE,
        &[3, 1],
        &[(10, 5, 6), (23, 18, 1)],
        &[
            "No white checker on point 10",
            "Move 10 to 5 requires die 5 but used 6",
            "Die 6 is not available (remaining: 3, 1)",
            "Point 18 is blocked by black (5 pieces)",
            "Move 23 to 18 requires die 5 but used 1",
        ],
    );
    let judged = validation(&Placement::START, WHITE, &[3, 1], false, WHITE, &[(10, 5, 6)]);
    assert_eq!(judged["forcedMoveInfo"], Value::Null);
}

#[test]
fn as_many_dice_as_possible_must_be_used() {
    let few = "Forced move violation: 2 dice could be used but only 1 were used";
    let judged = says(&Placement::START, WHITE, &[3, 1], &[(7, 4, 3)], &[few]);
    let info = json!({ "moreMovesAvailable": true, "maxDice": 2, "usedDice": 1, "mustUseLarger": false });
    assert_eq!(judged["forcedMoveInfo"], info);
    says(&Placement::START, BLACK, &[3, 1], &[(16, 19, 3)], &[few]);
    let none = "Forced move violation: 4 dice could be used but only 0 were used";
    says(&Placement::START, WHITE, &[1, 1], &[], &[none]);
}

#[test]
fn the_larger_die_is_used_where_only_one_can_be() {
    // The checker on 12 can use either the 6 or the 5, but not both.
    let either = board(&[(12, 1), (1, -2)], [0, 0]);
    let larger = "Forced move violation: die 6 must be used when only one die can be played";
    for (board, seat, six, five) in
        [(either, WHITE, (12, 6, 6), (12, 7, 5)), (mirrored(&either), BLACK, (11, 17, 6), (11, 16, 5))]
    {
        let info = says(&board, seat, &[6, 5], &[six], &[])["forcedMoveInfo"].clone();
        assert_eq!((&info["mustUseLarger"], &info["maxDice"]), (&json!(true), &json!(1)));
        says(&board, seat, &[5, 6], &[five], &[larger]);
    }
    // If the other die has no legal play, there isn't a choice.
    for (blocked, step) in [(7, (12, 6, 6)), (6, (12, 7, 5))] {
        let only = board(&[(12, 1), (blocked, -2), (1, -2)], [0, 0]);
        assert_eq!(says(&only, WHITE, &[6, 5], &[step], &[])["forcedMoveInfo"]["mustUseLarger"], false);
    }
}

#[test]
fn one_step_can_enable_another_or_close_it() {
    // The 5 can only be played after the 6: 12/6, then 6/1.
    let enabled = board(&[(12, 1), (7, -2)], [0, 0]);
    says(&enabled, WHITE, &[5, 6], &[(12, 6, 6), (6, 1, 5)], &[]);
    says(
        &enabled,
        WHITE,
        &[5, 6],
        &[(12, 7, 5), (7, 1, 6)],
        &["Point 7 is blocked by black (2 pieces)", "No white checker on point 7"],
    );
    // Only one checker can use the 2, and the 6 can only be played after that.
    let closed = board(&[(8, 1), (2, -2), (4, 1)], [0, 0]);
    let few = "Forced move violation: 2 dice could be used but only 1 were used";
    says(&closed, WHITE, &[6, 2], &[(8, 6, 2)], &[few]);
    says(&closed, WHITE, &[6, 2], &[(8, 6, 2), (6, 0, 6)], &[]);
    says(&closed, WHITE, &[6, 2], &[(4, 2, 2)], &["Point 2 is blocked by black (2 pieces)"]);
}

#[test]
fn checkers_are_borne_off_exactly_or_from_the_rearmost_point() {
    let home = board(&[(4, 1), (2, 1)], [0, 0]);
    for (board, seat, mirror) in [(home, WHITE, false), (mirrored(&home), BLACK, true)] {
        let at = |index: i8| if mirror { 23 - index } else { index };
        says(&board, seat, &[5], &[(at(4), 24, 5)], &[]);
        says(&board, seat, &[6], &[(at(4), 24, 6)], &[]);
        says(&board, seat, &[3], &[(at(2), 24, 3)], &[]);
        let sentence = format!("Move {} to 24 requires die 3 but used 4", at(2));
        says(&board, seat, &[4], &[(at(2), 24, 4)], &[&sentence]);
        assert_eq!(validation(&board, seat, &[4], true, seat, &[(at(2), 24, 4)])["valid"], true);
        let short = format!("Move {} to 24 requires die 5 but used 4", at(4));
        assert_eq!(validation(&board, seat, &[4], true, seat, &[(at(4), 24, 4)])["errors"], json!([short]));
    }
}

#[test]
fn blots_that_are_hit_are_named() {
    let one = board(&[(7, 2), (4, -1)], [0, 0]);
    let hit = |board: &Placement, seat, left: &[u8], list: &[(i8, i8, u8)]| {
        says(board, seat, left, list, &[])["hitInfo"].clone()
    };
    assert_eq!(hit(&one, WHITE, &[3], &[(7, 4, 3)]), json!({ "point": 4, "player": "black" }));
    assert_eq!(hit(&mirrored(&one), BLACK, &[3], &[(16, 19, 3)]), json!({ "point": 19, "player": "white" }));
    assert_eq!(hit(&one, WHITE, &[2], &[(7, 5, 2)]), json!(null));
    let two = board(&[(7, 2), (4, -1), (5, -1)], [0, 0]);
    assert_eq!(
        hit(&two, WHITE, &[3, 2], &[(7, 4, 3), (7, 5, 2)]),
        json!({ "point": 4, "player": "black", "hits": [{ "point": 4, "player": "black" }, { "point": 5, "player": "black" }] })
    );
    assert_eq!(Dice::from_roll([3, 2]), dice(&[3, 2]));
}
