//! Parses the event of a [webhook](https://docs.github.com/en/webhooks/webhook-events-and-payloads) into a [`Trigger`]. It
//! names a comment and, if its text seems to name another table, that table; both are only hints for the first read.

use protocol::{Label, Trigger, table_to_read};
use serde::Deserialize;
use table::{CommentId, CommentRef, IssueNumber, json};

/// The size limit of an event file, in bytes. GitHub sends no payload above 25 MB.
pub const MAX_EVENT_BYTES: u64 = 32 * 1024 * 1024;

/// A parsed event, which either starts a run or is ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParsedEvent {
    /// The event starts a run with this trigger.
    Run(Trigger),
    /// The event starts no run, for this reason.
    Ignore(IgnoredEvent),
}

/// The reason why an event doesn't start a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IgnoredEvent {
    /// A bot wrote the comment or issue.
    Bot,
    /// The event is about a pull request.
    PullRequest,
    /// The event is an edit, a deletion, or another action that changes no game.
    Action,
}

#[derive(Deserialize)]
struct Payload {
    action: Option<String>,
    issue: Option<Issue>,
    comment: Option<Comment>,
    label: Option<LabelName>,
}

#[derive(Deserialize)]
struct LabelName {
    name: String,
}

#[derive(Deserialize)]
struct Issue {
    number: IssueNumber,
    body: Option<String>,
    user: Option<User>,
    pull_request: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
struct Comment {
    id: CommentId,
    body: Option<String>,
    user: Option<User>,
}

#[derive(Deserialize)]
struct User {
    #[serde(rename = "type")]
    kind: Option<String>,
}

/// An error in the event that started the program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidEvent {
    /// The payload can't be parsed, for this reason.
    #[error("the event file can't be read: {0}")]
    Unreadable(String),
    /// The payload of an `issue_comment` has no issue or no comment.
    #[error("the event file of an `issue_comment` has no issue or no comment")]
    LacksComment,
    /// The payload of `issues` has no issue.
    #[error("the event file of `issues` has no issue")]
    LacksIssue,
    /// The workflow should not start the program on the event with this name.
    #[error(
        "games don't use the event `{0}`. Start play-by-commit on `issue_comment: [created]`, \
         `issues: [opened, labeled]`, `workflow_dispatch` and `schedule`"
    )]
    Unused(String),
}

/// Parses an event from its name and its JSON payload.
///
/// # Errors
/// Returns an error if the workflow should not start the program on such an event, or if the payload can't be parsed.
pub fn parse_event(name: &str, payload: &str) -> Result<ParsedEvent, InvalidEvent> {
    let parse = || {
        serde_json::from_str::<Payload>(payload).map_err(|error| InvalidEvent::Unreadable(json::error_message(&error)))
    };
    match name {
        "schedule" | "workflow_dispatch" => Ok(ParsedEvent::Run(Trigger::Sweep)),
        "issue_comment" => {
            let Payload { action, issue, comment, .. } = parse()?;
            let (Some(issue), Some(comment)) = (issue, comment) else {
                return Err(InvalidEvent::LacksComment);
            };
            Ok(parse_text_event(action.as_deref() == Some("created"), &issue, Some(&comment)))
        }
        "issues" => {
            let Payload { action, issue, label, .. } = parse()?;
            let Some(issue) = issue else { return Err(InvalidEvent::LacksIssue) };
            // A label of the host may invite the bot. The bot's own labels say nothing new.
            let is_own = |label: &LabelName| [Label::Game, Label::OpenSeat].iter().any(|own| own.name() == label.name);
            let is_invited = label.as_ref().is_some_and(|label| !is_own(label));
            let is_new = match action.as_deref() {
                Some("opened") => true,
                Some("labeled") => is_invited,
                _ => false,
            };
            Ok(parse_text_event(is_new, &issue, None))
        }
        _ => Err(InvalidEvent::Unused(
            name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').take(40).collect(),
        )),
    }
}

/// Parses an event about a comment, or about the body of an issue without one. `is_new` says whether it was just written.
fn parse_text_event(is_new: bool, issue: &Issue, comment: Option<&Comment>) -> ParsedEvent {
    let user = comment.map_or(&issue.user, |comment| &comment.user);
    if !is_new {
        return ParsedEvent::Ignore(IgnoredEvent::Action);
    }
    if issue.pull_request.is_some() {
        return ParsedEvent::Ignore(IgnoredEvent::PullRequest);
    }
    if user.as_ref().and_then(|user| user.kind.as_deref()) == Some("Bot") {
        return ParsedEvent::Ignore(IgnoredEvent::Bot);
    }
    // These texts are only a hint for the first read. The run decides on the texts that it reads.
    let body = issue.body.as_deref().unwrap_or_default();
    let table = table_to_read(body, comment.map(|comment| comment.body.as_deref().unwrap_or_default()));
    let source = CommentRef { issue: issue.number, comment: comment.map_or(CommentId::BODY, |comment| comment.id) };
    ParsedEvent::Run(Trigger::Comment { source, table })
}
