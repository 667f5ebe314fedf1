//! The event of a [webhook](https://docs.github.com/en/webhooks/webhook-events-and-payloads): it says where to look, and
//! nothing more. All else follows from the reads there.

use protocol::repo_config::Trigger;
use serde::Deserialize;
use table::pretty;
use table::talk::command;
use table::talk::comment::Source;

/// The size limit of an event file, in bytes. GitHub sends no payload above 25 MB.
pub const MAX_EVENT_BYTES: u64 = 32 * 1024 * 1024;

/// The reason why an event wakes nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IgnoredEvent {
    /// A bot wrote it.
    Bot,
    /// It is about a pull request.
    PullRequest,
    /// It is an edit, a deletion, or another thing that changes no game.
    Action,
}

#[derive(Deserialize)]
struct Payload {
    action: Option<String>,
    issue: Option<Issue>,
    comment: Option<Comment>,
}

#[derive(Deserialize)]
struct Issue {
    number: u64,
    body: Option<String>,
    user: Option<User>,
    pull_request: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
struct Comment {
    id: u64,
    body: Option<String>,
    user: Option<User>,
}

#[derive(Deserialize)]
struct User {
    #[serde(rename = "type")]
    kind: Option<String>,
}

/// Reads an event by its name and its JSON.
///
/// # Errors
/// An event that no workflow should start the program for, or one that cannot be read; a sentence for the host.
pub fn parse_event(name: &str, payload: &str) -> Result<Result<Trigger, IgnoredEvent>, String> {
    let unread = |error| format!("the event file can't be read: {}", pretty::error_message(&error));
    let read = || serde_json::from_str::<Payload>(payload).map_err(unread);
    match name {
        "schedule" | "workflow_dispatch" => Ok(Ok(Trigger::Sweep)),
        "issue_comment" => {
            let Payload { action, issue, comment, .. } = read()?;
            let (Some(issue), Some(comment)) = (issue, comment) else {
                return Err("the event file of an `issue_comment` has no issue or no comment".to_owned());
            };
            Ok(trigger_for(action.as_deref() == Some("created"), &issue, Some(&comment)))
        }
        "issues" => {
            let Payload { action, issue, .. } = read()?;
            let Some(issue) = issue else { return Err("the event file of `issues` has no issue".to_owned()) };
            Ok(trigger_for(action.as_deref() == Some("opened"), &issue, None))
        }
        _ => Err(format!(
            "games don't use the event `{}`. Start play-by-commit on `issue_comment: [created]`, \
             `issues: [opened]`, `workflow_dispatch` and `schedule`",
            name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').take(40).collect::<String>()
        )),
    }
}

/// Returns the wake-up call of a comment, or of the issue's own body.
fn trigger_for(due: bool, issue: &Issue, comment: Option<&Comment>) -> Result<Trigger, IgnoredEvent> {
    let body = (0, &issue.user, &issue.body);
    let (comment, user, text) = comment.map_or(body, |comment| (comment.id, &comment.user, &comment.body));
    if !due {
        return Err(IgnoredEvent::Action);
    }
    if issue.pull_request.is_some() {
        return Err(IgnoredEvent::PullRequest);
    }
    if user.as_ref().and_then(|user| user.kind.as_deref()) == Some("Bot") {
        return Err(IgnoredEvent::Bot);
    }
    // The text is a hint for the first read; what counts is the text as it is read.
    let table = command::parse_comment(text.as_deref().unwrap_or_default()).table_number();
    Ok(Trigger::Comment { source: Source { issue: issue.number, comment }, table })
}
