//! The pieces of Markdown and HTML that pages are made of, and the links that play a move.

use crate::pages::links::Links;

/// The sentence below the command in a new issue.
const PRESS: &str = "Press the green button: the move is played, answered, and this issue is closed.";

/// Returns a game's text in a code span.
pub(super) fn code(text: &str) -> String {
    format!("`{}`", text.replace(['`', '|', '\n'], " "))
}

/// Returns a login as Markdown. Those of some companies have an underscore, which could begin emphasis.
pub(super) fn login(login: &str) -> String {
    login.replace('_', "\\_")
}

/// Returns the address of a new issue that plays a move at a table; without the note it is the command alone.
pub(super) fn move_link(number: u64, links: &Links<'_>, notation: &str, note: bool) -> String {
    let note = if note { format!("\n\n{PRESS}") } else { String::new() };
    links.new_issue(&format!("Table {number}: {notation}"), &format!("/move {notation} #{number}{note}"))
}

/// Returns the address of a new issue into which a move is to be written.
pub(super) fn any_move_link(number: u64, links: &Links<'_>) -> String {
    let body = format!("/move  #{number}\n\nWrite the move between the word and the number. {PRESS}");
    links.new_issue(&format!("Table {number}: a move"), &body)
}
