//! Tests of cell coordinates.

use game::cell::{OUT_OF_RANGE_CODE, name, name_with_origin, parse, parse_with_origin};
use game::{ParseMoveError, RowOrigin};

#[track_caller]
fn assert_parses_as(text: &str, expected: &Result<usize, ParseMoveError>) {
    assert_eq!(&parse(text, 3, 3), expected, "{text:?} on 3x3");
}

#[test]
fn ignores_decoration_around_a_cell() {
    for text in [
        "b2",
        "B2",
        " b2 ",
        "b 2",
        "b\u{a0}2",
        "b2!",
        "b2.",
        "b2?",
        "b2…",
        "b2 🎉",
        "🎉b2",
        "b2 👍🏽",
        "b2 ❤️",
        "(b2)",
        "**b2**",
        "_b2_",
        "`b2`",
        "\"b2\"",
        "“b2”",
        "b2\r\n",
        "\u{feff}b2",
        "b2 :)",
        "b2 :-)",
        "b2 :tada:",
        "b2 :+1: :100:",
        "→ b2",
        "4",
        "4.",
        "4!",
        "4️⃣",
        "04",
        "004",
        "(4)",
        "4 🎉",
        "* b2",
        "b2 👩‍💻",
    ] {
        assert_parses_as(text, &Ok(4));
    }
}

#[test]
fn refuses_text_that_is_not_exactly_one_cell() {
    for text in [
        "",
        " ",
        "!",
        "🎉",
        "ok",
        "a",
        "A.",
        "b2 or c3?",
        "1st",
        "a1 sauce",
        "b2b3",
        "b2 c3",
        "bb2",
        "2b",
        "b",
        "b0",
        "b02",
        "b100",
        "1000",
        "0004",
        "-1",
        "−1",
        "– 1",
        "+4",
        "#4",
        "@b2",
        "/b2",
        ">b2",
        "~~b2~~",
        "b-2",
        "b\n2",
        "1.5",
        "4%",
        "$4",
        "10:30",
        "10:30:",
        "1 2 3",
        "b2 :D",
        ":tada:",
        "½",
        "٤",
        "b٢",
        "ｂ2",
        "🅰1",
        "b2 gg",
        "gg b2",
        "4=4",
        "<b2>",
        "ß2",
        "İ2",
    ] {
        assert_parses_as(text, &Err(ParseMoveError::NotAMove));
    }
}

#[test]
fn two_numbers_are_a_cell_if_it_does_not_matter_which_is_the_column() {
    for text in ["2,2", "2 2", "(2; 2)", "[2, 2]"] {
        assert_parses_as(text, &Ok(4));
    }
    for text in ["1,2", "1 2", "(1; 2)"] {
        assert_parses_as(text, &Err(ParseMoveError::Ambiguous(vec!["a2".to_owned(), "b1".to_owned()])));
    }
    for text in ["0,1", "4,4", "1,2,3", "1.2", "1-2", "-1,2"] {
        assert_parses_as(text, &Err(ParseMoveError::NotAMove));
    }
}

#[test]
fn names_the_valid_range_for_a_cell_off_the_board() {
    for (text, cell, range) in [
        ("9", "9", "0-8"),
        ("999", "999", "0-8"),
        ("D4!", "d4", "a1-c3"),
        ("a4", "a4", "a1-c3"),
        ("d1", "d1", "a1-c3"),
        ("z 99", "z99", "a1-c3"),
    ] {
        let message = format!("Invalid move position: {cell}. Valid range: {range} for 3x3 board");
        assert_parses_as(text, &Err(ParseMoveError::outside_board(OUT_OF_RANGE_CODE, message, range)));
    }
}

#[test]
fn counts_rows_from_the_bottom_by_default() {
    for (coordinate, index, columns, rows) in [
        ("a3", 0, 3, 3),
        ("c3", 2, 3, 3),
        ("b2", 4, 3, 3),
        ("a1", 6, 3, 3),
        ("c1", 8, 3, 3),
        ("a6", 0, 7, 6),
        ("g1", 41, 7, 6),
        ("s19", 18, 19, 19),
        ("z26", 25, 26, 26),
    ] {
        assert_eq!(name(index, columns, rows), coordinate);
        assert_eq!(parse(coordinate, columns, rows), Ok(index), "{coordinate}");
    }
}

#[test]
fn every_cell_parses_from_its_coordinate_and_its_index() {
    for (columns, rows) in [(1, 1), (3, 3), (7, 6), (6, 7), (19, 19), (26, 26)] {
        for index in 0..columns * rows {
            assert_eq!(parse(&name(index, columns, rows), columns, rows), Ok(index));
            assert_eq!(parse(&index.to_string(), columns, rows), Ok(index));
        }
    }
}

#[test]
fn counts_rows_from_the_top_with_a_top_row_origin() {
    for (coordinate, index) in [("a1", 0), ("d3", 19), ("h1", 7), ("a8", 56), ("h8", 63)] {
        assert_eq!(name_with_origin(RowOrigin::Top, index, 8, 8), coordinate);
        assert_eq!(parse_with_origin(RowOrigin::Top, coordinate, 8, 8), Ok(index));
    }
    assert_eq!(parse_with_origin(RowOrigin::Top, "19", 8, 8), Ok(19), "indexes always count from the top left");
    let Err(ParseMoveError::OutOfRange(violation)) = parse_with_origin(RowOrigin::Top, "i9", 8, 8) else {
        panic!("i9 is off the board")
    };
    assert_eq!(violation.message, "Invalid move position: i9. Valid range: a1-h8 for 8x8 board");
}

#[test]
fn formats_a_cell_off_the_board_as_its_index() {
    assert_eq!(name(9, 3, 3), "9");
    assert_eq!(name(0, 0, 0), "0");
    assert_eq!(name(30, 30, 2), "30");
    assert!(parse("a1", 0, 0).is_err());
    assert!(parse("0", 0, 0).is_err());
}
