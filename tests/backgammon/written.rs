//! How plays are written, and how generously they are read.

use play_by_commit::game::{Seat, Unread};
use play_by_commit::games::backgammon::board::Board;
use play_by_commit::games::backgammon::plays::plays;
use play_by_commit::games::backgammon::written::{read, write};

use super::{WHITE, board, dice, mirrored};

#[track_caller]
fn reads(board: &Board, left: &[u8], text: &str, expected: &str) {
    for (board, seat) in [(*board, WHITE), (mirrored(board), Seat::Second)] {
        let steps = read(&board, seat, dice(left), false, text).unwrap();
        assert_eq!(write(&board, seat, &steps), expected, "{text}");
    }
}

#[test]
fn the_start_is_written_as_gnubg_prints_it() {
    let printed =
        "8/5 6/5, 24/23 13/10, 24/20, 24/23 24/21, 13/9, 24/21 6/5, 13/10 6/5, 24/23 6/3, 24/23 8/5, 24/21 8/7";
    let ours: Vec<String> = plays(&Board::START, WHITE, dice(&[3, 1]), false)
        .iter()
        .map(|play| write(&Board::START, WHITE, &play.steps))
        .collect();
    for play in printed.split(", ") {
        assert!(ours.iter().any(|text| text == play), "{play}: {ours:?}");
    }
}

#[test]
fn spellings_are_read_generously() {
    let start = &Board::START;
    for text in ["8/5 6/5", "8/5,6/5", "8/5, 6/5", "6/5 8/5", "8-5 6-5", "31: 8/5 6/5", "8/5 and 6/5", "8 / 5 6 / 5"] {
        reads(start, &[3, 1], text, "8/5 6/5");
    }
    for text in ["24/18/13", "24-18-13", "24/13", "24/18 18/13"] {
        reads(start, &[6, 5], text, "24/13");
    }
    for text in ["8/5(2) 6/3(2)", "8/5x2 6/3x2", "8/5 8/5 6/3 6/3", "6/3 (2) 8/5 (2)"] {
        reads(start, &[3, 3], text, "8/5(2) 6/3(2)");
    }
    let entering = board(&[(5, 2)], [1, 0]);
    for text in ["bar/22", "b/22", "BAR/22", "25/22"] {
        reads(&entering, &[3], text, "bar/22");
    }
    let bearing = board(&[(5, 2)], [0, 0]);
    for text in ["6/off", "6/o", "6/0", "6/OFF"] {
        reads(&bearing, &[6], text, "6/off");
    }
    let hitting = board(&[(12, 2), (6, -1)], [0, 0]);
    for text in ["13/7*", "13/7"] {
        reads(&hitting, &[6], text, "13/7*");
    }
}

#[test]
fn chat_is_no_play() {
    for text in ["nice move", "6", "hello 8/5", "2024/11/21", "", "8/", "/5", "8/5(9)", "0/5"] {
        assert_eq!(read(&Board::START, WHITE, dice(&[3, 1]), false, text), Err(Unread::Strange), "{text}");
    }
}

#[test]
fn points_that_no_board_has_are_told() {
    let refusal = read(&Board::START, WHITE, dice(&[3, 1]), false, "26/3");
    assert!(matches!(&refusal, Err(Unread::OffBoard((_, sentence))) if sentence.contains("1 to 24")), "{refusal:?}");
}

#[test]
fn a_text_that_fits_two_plays_is_ambiguous() {
    // Either way something is hit, and the text names neither.
    let both = board(&[(23, 1), (17, -1), (18, -1)], [0, 0]);
    let refusal = read(&both, WHITE, dice(&[6, 5]), false, "24/13");
    let Err(Unread::Ambiguous(mut texts)) = refusal else { unreachable!("{refusal:?}") };
    texts.sort();
    assert_eq!(texts, ["24/18*/13", "24/19*/13"]);
    reads(&both, &[6, 5], "24/18/13", "24/18*/13");
    // With one blot, nothing is hit that is not named.
    let one = board(&[(23, 1), (17, -1)], [0, 0]);
    reads(&one, &[6, 5], "24/13", "24/13");
    reads(&one, &[6, 5], "24/18*/13", "24/18*/13");
}
