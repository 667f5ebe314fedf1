//! Tests of text boards and pieces.

use game::palette::OPEN_CELL;
use game::{Emphasis, Form, PaletteColor, Seat, Text, TextStyle, piece_symbol};

#[test]
fn trims_trailing_spaces_and_adds_only_escape_sequences_for_colors() {
    let mut text = Text::default();
    text.push(TextStyle { color: Some(PaletteColor::BLUE), emphasis: Emphasis::LastMove }, " X ");
    text.push(TextStyle { color: None, emphasis: Emphasis::Dim }, " ");
    text.push_plain("  ");
    text.end_line();
    text.push_line("  ");
    text.push_line("a");
    assert_eq!(text.plain(), " X\n\na");
    assert_eq!(text.colored(), "\u{1b}[1;36m X\u{1b}[0m\n\na");
}

#[test]
fn filled_pieces_of_the_two_seats_differ_in_shape() {
    for form in [Form::Disc, Form::Path("M-50 50h100l-50-100z")] {
        let [first, second] = Seat::BOTH.map(|seat| piece_symbol("a", form, seat, PaletteColor::RED, 60));
        assert_ne!(first, second);
        assert!(first.starts_with("<g id=\"a\">") && !first.contains(OPEN_CELL) && second.contains(OPEN_CELL));
    }
}
