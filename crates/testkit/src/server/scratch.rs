//! Requests that only the live test makes: opening an issue and deleting a branch.

use crate::place;
use std::sync::Arc;

use serde_json::{Value, json};

use super::json::{json_message, text};
use crate::server::graphql;
use crate::world::{Issue, Note, Request, State};

/// Serves a request that only the live test makes; `None` for any other.
pub(super) fn serve(state: &mut State, kind: Request, segments: &[&str], body: &Value) -> Option<(u16, Value)> {
    Some(match (kind, segments) {
        (Request::OpenIssue, _) => open(state, text(&body["title"]), text(&body["body"])),
        (Request::DeleteBranch, ["git", "refs", "heads", name @ ..]) => match state.branches.remove(&name.join("/")) {
            Some(_) => (204, Value::Null),
            None => json_message(422, "Reference does not exist"),
        },
        _ => return None,
    })
}

fn open(state: &mut State, title: &str, text: &str) -> (u16, Value) {
    let number = state.issues.keys().last().map_or(1, |last| last + 1);
    let (now, author) = (state.second(), Some(state.bot.clone()));
    let body =
        Note { id: 0, author, text: text.to_owned(), created: now, edited: None, editor: None, minimized: false };
    let issue = Issue { title: title.to_owned(), ..Issue::new(body) };
    state.issues.insert(number, Arc::new(issue));
    assert!(state.exists(place(number, 0)));
    let person = &state.people[&state.bot];
    let user = json!({ "login": person.login, "id": person.id, "type": if person.bot { "Bot" } else { "User" } });
    (201, json!({ "number": number, "title": title, "node_id": graphql::id(state, place(number, 0)), "user": user }))
}
