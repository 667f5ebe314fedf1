//! Requests that only a probe makes: opening and locking an issue, deleting branches and labels, and fetching images.

use crate::place;
use std::sync::Arc;

use serde_json::{Value, json};

use super::json::{json_message, text};
use super::{Canned, NAME, OWNER, canned};
use crate::world::{Issue, Note, Request, State};

/// Serves a request that only a probe makes; `None` for any other.
pub(super) fn serve(state: &mut State, kind: Request, segments: &[&str], body: &Value) -> Option<(u16, Value)> {
    Some(match (kind, segments) {
        (Request::OpenIssue, _) => open(state, text(&body["title"]), text(&body["body"])),
        (Request::Lock | Request::Unlock, ["issues", number, _]) => {
            match number.parse().ok().filter(|number| state.issues.contains_key(number)) {
                Some(number) => {
                    state.set_locked(number, kind == Request::Lock);
                    (204, Value::Null)
                }
                None => json_message(404, "Not Found"),
            }
        }
        (Request::DeleteBranch, ["git", "refs", "heads", name @ ..]) => match state.branches.remove(&name.join("/")) {
            Some(_) => (204, Value::Null),
            None => json_message(422, "Reference does not exist"),
        },
        (Request::DeleteLabel, ["labels", name]) => {
            // The client percent-encodes a label's whole name, hyphens too.
            let name = name.replace("%2D", "-");
            for issue in state.issues.values_mut().map(Arc::make_mut) {
                issue.labels.retain(|label| *label != name);
            }
            if state.labels.remove(&name) { (204, Value::Null) } else { json_message(404, "Not Found") }
        }
        _ => return None,
    })
}

fn open(state: &mut State, title: &str, text: &str) -> (u16, Value) {
    let number = state.issues.keys().last().map_or(1, |last| last + 1);
    let (now, author) = (state.second(), Some(state.bot.clone()));
    let body = Note { id: 0, author, text: text.to_owned(), created: now, edited: None, editor: None };
    let issue = Issue { title: title.to_owned(), ..Issue::new(body) };
    state.issues.insert(number, Arc::new(issue));
    debug_assert!(state.exists(place(number, 0)));
    (201, json!({ "number": number, "title": title }))
}

/// Serves an image, with GitHub's redirect from `blob` to `raw`; `None` for any other path.
pub(super) fn picture(state: &State, path: &str) -> Option<Canned> {
    let below = path.strip_prefix(&format!("/{OWNER}/{NAME}/"))?;
    let (plain, query) = below.split_once('?').unwrap_or((below, ""));
    if let Some(rest) = plain.strip_prefix("blob/")
        && query.starts_with("raw=true")
    {
        return Some(canned(302, "").header("location", format!("/{OWNER}/{NAME}/raw/{rest}")));
    }
    let (at, file) = plain.strip_prefix("raw/")?.split_once('/')?;
    let commit = state.commits.get(state.branches.get(at).map_or(at, String::as_str));
    Some(match commit.and_then(|commit| commit.files.get(file)) {
        Some(text) => canned(200, text.clone()).header("content-type", "image/svg+xml; charset=utf-8"),
        None => canned(404, "Not Found"),
    })
}
