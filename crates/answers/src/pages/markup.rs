//! Markdown helpers for pages, and the URLs that play moves.

use table::comments::issue_form::form_comment;
use table::comments::parser::is_complete_command;
use table::comments::turn::Turn;
use table::ids::IssueNumber;

use crate::pages::links::Links;

/// The text before and after the effect in the note that explains the green button.
const NOTE: [&str; 2] = ["Press the green button: ", ", and the bot closes this issue."];
/// The request to fill in a move.
const WRITE_MOVE: &str = "Write your move between `/move` and the number.";

/// Returns a game's own text in a code span.
pub(super) fn code_span(text: &str) -> String {
    format!("`{}`", text.replace(['`', '|', '\n'], " "))
}

/// Escapes a username for Markdown. A username that a company manages can have an underscore, which would start
/// emphasis.
pub(super) fn escape_login(login: &str) -> String {
    login.replace('_', "\\_")
}

/// Returns the URL of a new issue that plays a move at a table. `with_note` adds the note about the green button.
pub(super) fn move_url(number: IssueNumber, turn: Turn, links: &Links<'_>, notation: &str, with_note: bool) -> String {
    let note = if with_note { format!("\n\n{}", submit_note("your move is played")) } else { String::new() };
    links.new_issue(&format!("Table {number}: {notation}"), &format!("/move {notation} #{number} {turn}{note}"))
}

/// Returns the URL of a new issue that asks the player to fill in a move.
pub(super) fn any_move_url(number: IssueNumber, turn: Turn, links: &Links<'_>) -> String {
    let body = format!("/move  #{number} {turn}\n\n{WRITE_MOVE} {}", submit_note("your move is played"));
    links.new_issue(&format!("Table {number}: a move"), &body)
}

/// Returns the note below a command in a new issue: what happens after the green button.
pub(super) fn submit_note(effect: &str) -> String {
    format!("{}{effect}{}", NOTE[0], NOTE[1])
}

/// Whether an issue's body is a single command, apart from the note that our links add.
pub fn is_only_a_command(body: &str) -> bool {
    let mut lines = form_comment(body).unwrap_or(body).lines().map(str::trim).filter(|line| !line.is_empty());
    let is_note = |line: &str| {
        let note = line.strip_prefix(WRITE_MOVE).unwrap_or(line).trim_start();
        note.starts_with(NOTE[0]) && note.ends_with(NOTE[1])
    };
    lines.next().is_some_and(is_complete_command) && lines.all(is_note)
}
