//! Tests of formatting plays, and of the spellings that the parser accepts.

use game::{ParseMoveError, Seat};
use games::backgammon::{Placement, format_play, legal_plays, parse_play};

use super::{WHITE, board, dice, mirrored, steps};

#[track_caller]
fn reads(board: &Placement, left: &[u8], text: &str, expected: &str) {
    for (board, seat) in [(*board, WHITE), (mirrored(board), Seat::Second)] {
        let steps = parse_play(&board, seat, dice(left), false, text).unwrap();
        assert_eq!(format_play(&board, seat, &steps), expected, "{text}");
    }
}

#[test]
fn the_start_is_written_as_gnubg_prints_it() {
    let printed =
        "8/5 6/5, 24/23 13/10, 24/20, 24/23 24/21, 13/9, 24/21 6/5, 13/10 6/5, 24/23 6/3, 24/23 8/5, 24/21 8/7";
    let ours: Vec<String> = legal_plays(&Placement::START, WHITE, dice(&[3, 1]), false)
        .iter()
        .map(|play| format_play(&Placement::START, WHITE, &play.steps))
        .collect();
    for play in printed.split(", ") {
        assert!(ours.iter().any(|text| text == play), "{play}: {ours:?}");
    }
}

#[test]
fn spellings_are_read_generously() {
    let start = &Placement::START;
    for text in ["8/5 6/5", "8/5,6/5", "8/5, 6/5", "6/5 8/5", "8-5 6-5", "31: 8/5 6/5", "8/5 and 6/5", "8 / 5 6 / 5"] {
        reads(start, &[3, 1], text, "8/5 6/5");
    }
    for text in ["8 to 5 and 6 to 5", "8 to 5, 6 to 5", "from 8 to 5, then from 6 to 5", "8 5 6 5", "8/5 6 5"] {
        reads(start, &[3, 1], text, "8/5 6/5");
    }
    reads(start, &[3, 1], "13 to 9", "13/9");
    for text in ["24/18/13", "24-18-13", "24/13", "24/18 18/13"] {
        reads(start, &[6, 5], text, "24/13");
    }
    for text in ["8/5(2) 6/3(2)", "8/5x2 6/3x2", "8/5 8/5 6/3 6/3", "6/3 (2) 8/5 (2)"] {
        reads(start, &[3, 3], text, "8/5(2) 6/3(2)");
    }
    let entering = board(&[(5, 2)], [1, 0]);
    for text in ["bar/22", "b/22", "BAR/22", "25/22", "bar 22", "from the bar to 22", "Bar to 22"] {
        reads(&entering, &[3], text, "bar/22");
    }
    let bearing = board(&[(5, 2)], [0, 0]);
    for text in ["6/off", "6/o", "6/0", "6/OFF", "6 off", "6 to off"] {
        reads(&bearing, &[6], text, "6/off");
    }
    let hitting = board(&[(12, 2), (6, -1)], [0, 0]);
    for text in ["13/7*", "13/7", "13/7x", "13 to 7x"] {
        reads(&hitting, &[6], text, "13/7*");
    }
    let twice = board(&[(12, 1), (9, 1), (6, -1)], [0, 0]);
    reads(&twice, &[6, 3], "10/7 13/7", "13/7* 10/7");
}

#[test]
fn chat_is_no_play() {
    for text in ["nice move", "6", "hello 8/5", "2024/11/21", "", "8/", "/5", "8/5(9)", "0/5", "13 9 6", "from", "to 5"]
    {
        assert_eq!(
            parse_play(&Placement::START, WHITE, dice(&[3, 1]), false, text),
            Err(ParseMoveError::NotAMove),
            "{text}"
        );
    }
}

#[test]
fn a_play_for_other_dice_is_told_what_the_dice_are() {
    let refusal = parse_play(&Placement::START, WHITE, dice(&[3, 1]), false, "21: 8/5 6/5");
    assert!(
        matches!(&refusal, Err(ParseMoveError::OutOfRange(violation)) if violation.message == "The dice show 3-1"),
        "{refusal:?}"
    );
}

/// The nearest steps let the bot explain the actual mistake, rather than complain about the dice.
#[test]
fn an_illegal_play_is_read_as_near_to_the_dice_as_it_can_be() {
    let nearest = |board: &Placement, left: &[u8], text: &str, expected: &[(i8, i8, u8)]| {
        assert_eq!(parse_play(board, WHITE, dice(left), false, text), Ok(steps(expected)), "{text}");
    };
    nearest(&Placement::START, &[3, 1], "24/22", &[(23, 21, 2)]);
    nearest(&board(&[(4, 1), (2, 1)], [0, 0]), &[6, 5], "5/off", &[(4, 24, 5)]);
    nearest(&board(&[(12, 1), (4, 2)], [0, 0]), &[6, 5], "5/off(2)", &[(4, 24, 5), (4, 24, 6)]);
    // The checker on the bar forbids the play; the steps go around the blocked point, so nothing else is wrong with
    // them.
    let held = board(&[(23, 1), (17, -2)], [1, 0]);
    nearest(&held, &[6, 5], "24/13", &[(23, 18, 5), (18, 12, 6)]);
    let shut = board(&[(23, 1), (17, -2), (18, -2)], [0, 0]);
    nearest(&shut, &[6, 5], "24/13", &[(23, 17, 6), (17, 12, 5)]);
}

#[test]
fn points_that_no_board_has_are_told() {
    let refusal = parse_play(&Placement::START, WHITE, dice(&[3, 1]), false, "26/3");
    assert!(
        matches!(&refusal, Err(ParseMoveError::OutOfRange(violation)) if violation.message.contains("1 to 24")),
        "{refusal:?}"
    );
}

#[test]
fn a_text_that_fits_two_plays_is_ambiguous() {
    // Both routes hit a blot, and the text names neither.
    let both = board(&[(23, 1), (17, -1), (18, -1)], [0, 0]);
    let refusal = parse_play(&both, WHITE, dice(&[6, 5]), false, "24/13");
    let Err(ParseMoveError::Ambiguous(mut texts)) = refusal else { unreachable!("{refusal:?}") };
    texts.sort();
    assert_eq!(texts, ["24/18*/13", "24/19*/13"]);
    reads(&both, &[6, 5], "24/18/13", "24/18*/13");
    // With only one blot, the play takes the route without a hit.
    let one = board(&[(23, 1), (17, -1)], [0, 0]);
    reads(&one, &[6, 5], "24/13", "24/13");
    reads(&one, &[6, 5], "24/18*/13", "24/18*/13");
}
