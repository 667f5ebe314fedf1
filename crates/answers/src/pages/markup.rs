//! The pieces of Markdown and HTML that pages are made of, and the links that play a move.

use table::talk::command::is_complete_command;

use crate::pages::links::Links;

/// The beginning and the end of the note below a command in a new issue. What happens stands between them.
const NOTE: [&str; 2] = ["Press the green button: ", ", and the bot closes this issue."];
/// The sentence before the note where the move is still to be written.
const WRITE: &str = "Write your move between `/move` and the number.";

/// Returns a game's text in a code span.
pub(super) fn code_span(text: &str) -> String {
    format!("`{}`", text.replace(['`', '|', '\n'], " "))
}

/// Returns a login as Markdown. Those of some companies have an underscore, which could begin emphasis.
pub(super) fn escape_login(login: &str) -> String {
    login.replace('_', "\\_")
}

/// Returns the address of a new issue that plays a move at a table; without the note it is the command alone.
pub(super) fn move_url(number: u64, links: &Links<'_>, notation: &str, note: bool) -> String {
    let note = if note { format!("\n\n{}", submit_note("your move is played")) } else { String::new() };
    links.new_issue(&format!("Table {number}: {notation}"), &format!("/move {notation} #{number}{note}"))
}

/// Returns the address of a new issue into which a move is to be written.
pub(super) fn any_move_url(number: u64, links: &Links<'_>) -> String {
    let body = format!("/move  #{number}\n\n{WRITE} {}", submit_note("your move is played"));
    links.new_issue(&format!("Table {number}: a move"), &body)
}

/// Returns the note below a command in a new issue, which says what happens.
pub(super) fn submit_note(happens: &str) -> String {
    format!("{}{happens}{}", NOTE[0], NOTE[1])
}

/// Whether the body of an issue is a command and nothing else, apart from the note that our links add.
pub fn is_only_a_command(body: &str) -> bool {
    let mut lines = body.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_note = |line: &str| {
        let note = line.strip_prefix(WRITE).unwrap_or(line).trim_start();
        note.starts_with(NOTE[0]) && note.ends_with(NOTE[1])
    };
    lines.next().is_some_and(is_complete_command) && lines.all(is_note)
}
