//! Sentences as spans.

use game::{Phrase, Span, code, quote, say, spans, strong};

#[test]
fn reads_the_markup_of_a_sentence() {
    let (side, roll) = ("White", "3-1");
    let sentence = say!(
        "{side} rolled **{roll}** and \
         played `{mv}`, \"{count}\" (`/undo`).{hint}",
        mv = "8/5 6/5",
        count = 2_usize,
        hint = None::<Phrase>,
    );
    let expected = [
        Span::plain("White"),
        Span::plain(" rolled "),
        strong("3-1"),
        Span::plain(" and played "),
        code("8/5 6/5"),
        Span::plain(", \""),
        Span::plain("2"),
        Span::plain("\" ("),
        code("/undo"),
        Span::plain(")."),
    ];
    assert_eq!(sentence.spans(), expected.iter().collect::<Vec<_>>());
}

#[test]
fn a_value_holds_no_markup() {
    let typed = "`b2` **{typed}**";
    let sentence = say!("I couldn't read {typed:quote}: `{typed}`");
    let expected = [Span::plain("I couldn't read "), quote(typed), Span::plain(": "), code(typed)];
    assert_eq!(sentence.spans(), expected.iter().collect::<Vec<_>>());
}

#[test]
fn a_constant_has_text_and_code() {
    const RANGE: &[Span] = spans!("how many to win, `3` to `6`");
    assert_eq!(RANGE, [Span::plain("how many to win, "), Span::code("3"), Span::plain(" to "), Span::code("6")]);
}
