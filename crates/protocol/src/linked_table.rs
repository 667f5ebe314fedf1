//! Issues that a link of a clickable board opened: their body is only a command for a table in another issue.
//!
//! In such an issue, a comment that names no table is for that table, so that people can play on below the bot's answer.

use answers::pages::markup::is_only_a_command;
use table::comments::command::CommandError;
use table::comments::command_spec::CommandTarget;
use table::comments::commands::target_of;
use table::comments::comment::CommentRef;
use table::comments::parser::{self, ParsedComment};
use table::ids::IssueNumber;

use crate::memory::{Fact, RunMemory};
use crate::view::{ThreadView, View};

/// Returns the number of the table for the comments of an issue that name none; `None` if the issue has a table of its own, or
/// if its body isn't just a command that the bot answered for another table.
pub(super) fn linked_table(
    view: &View,
    issue: IssueNumber,
    seen: &ThreadView,
    memory: &RunMemory,
) -> Option<IssueNumber> {
    let ThreadView { thread, answers, table, .. } = seen;
    if table.is_some() || !is_only_a_command(&thread.body.text) {
        return None;
    }
    let body = CommentRef::body_of(issue);
    answers.linked_table().or_else(|| {
        // The answer may be newer than this read of the thread.
        let number = named_table(&thread.body.text).filter(|number| *number != issue)?;
        let has_accepted = || view.table(number).is_some_and(|table| table.has_event_from(body));
        if memory.has(Fact::Settled(body)) || has_accepted() { Some(number) } else { None }
    })
}

/// Returns the table that a comment below a link is for, and adds its number to a command that names none.
pub(super) fn resolve_table_number(parsed: &mut ParsedComment, linked: IssueNumber) -> Option<IssueNumber> {
    let is_for_own_issue = is_for_own_issue(parsed);
    match parsed {
        ParsedComment::Text(..) => return Some(linked),
        _ if is_for_own_issue => {}
        ParsedComment::Command(_, named) | ParsedComment::Invalid(_, named) => _ = named.get_or_insert(linked),
        ParsedComment::Chat => {}
    }
    parsed.table_number()
}

/// Whether a comment that names no table is for its own issue, even if the issue's body is for another one.
fn is_for_own_issue(parsed: &ParsedComment) -> bool {
    match parsed {
        ParsedComment::Command(command, _) => command.spec().is_some_and(|spec| spec.target != CommandTarget::AnyTable),
        ParsedComment::Invalid(error, _) => match error {
            CommandError::TwoCommands(word, _)
            | CommandError::Typo(_, word)
            | CommandError::Question(word)
            | CommandError::ExtraWords(word, _) => target_of(word) != CommandTarget::AnyTable,
            CommandError::Unknown(_) | CommandError::TooLong(_) => false,
            CommandError::InvalidTableNumber(_) | CommandError::InTitle(_) => true,
        },
        ParsedComment::Chat | ParsedComment::Text(..) => false,
    }
}

/// Returns the other table that the first read should include: the one that a new comment or the body of its issue
/// names. `comment` is `None` if the body itself is new.
pub fn table_to_read(body: &str, comment: Option<&str>) -> Option<IssueNumber> {
    let Some(comment) = comment else { return named_table(body) };
    let named = parser::parse_comment(comment).table_number();
    named.or_else(|| if is_only_a_command(body) { named_table(body) } else { None })
}

/// Returns the table that the body of an issue names.
fn named_table(body: &str) -> Option<IssueNumber> {
    parser::parse_issue_body(body).table_number()
}
