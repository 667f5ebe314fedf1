//! The requests of an installation: its repositories in the REST API and the GraphQL API.

use std::sync::Arc;

use http::Method;
use protocol::Update;
use serde_json::{Value, json};

use super::auth::FORBIDDEN;
use super::data::{Dispatch, Token};
use super::{Shared, auth, endpoints, people};
use crate::server::json::text;
use crate::server::{Canned, NAME, OWNER, Seen, canned, graphql, message, response, rest, settings};
use crate::world::{Request, State, World};

const ARCHIVED: &str = "Repository was archived so is read-only.";

fn not_found() -> Canned {
    canned(404, message("Not Found"))
}

/// Serves a request with an installation token.
pub(super) async fn serve(shared: &Shared, seen: &Seen, segments: &[&str]) -> Canned {
    let token = match auth::check_token(shared, &seen.headers) {
        Ok(token) => token,
        Err(refusal) => return refusal,
    };
    let in_graphql = segments == ["graphql"];
    let now = shared.now();
    let charge = {
        let mut data = shared.data();
        let usual = data.limit;
        let installation = data.installation(token.installation);
        installation.usage.charge(installation.limit.or(usual), now)
    };
    if charge.is_refused {
        shared.data().count("refused by the limit");
        return charge.refusal(token.installation, in_graphql);
    }
    let response = match (&seen.method, segments) {
        (&Method::POST, ["graphql"]) => serve_graphql(shared, &token, seen).await,
        (&Method::GET, ["installation", "repositories"]) => {
            shared.data().count("repositories");
            endpoints::list_repositories(shared, &token, &seen.path)
        }
        (&Method::DELETE, ["installation", "token"]) => {
            shared.data().tokens.retain(|_, other| *other != token);
            canned(204, "")
        }
        (&Method::GET, ["users", login]) => {
            shared.data().count("Account");
            endpoints::show_user(shared, login)
        }
        (_, ["repos", owner, name, ..]) => {
            let repository = shared.data().find(&format!("{owner}/{name}"));
            serve_rest(shared, &token, seen, repository, Some((owner, name))).await
        }
        (_, ["repositories", id, ..]) => {
            let id = id.parse().ok().filter(|id| shared.data().names.values().any(|known| known == id));
            serve_rest(shared, &token, seen, id, None).await
        }
        _ => not_found(),
    };
    charge.add_to(response)
}

/// Serves a request below `/repos/OWNER/NAME`, or below `/repositories/ID` without a name.
async fn serve_rest(
    shared: &Shared,
    token: &Token,
    seen: &Seen,
    repository: Option<u64>,
    name: Option<(&str, &str)>,
) -> Canned {
    let skipped = if name.is_some() { 3 } else { 2 };
    let below = seen.path.match_indices('/').nth(skipped).map_or("", |(at, _)| &seen.path[at + 1..]);
    let Some(repository) = repository.filter(|id| token.can_open(&shared.data(), *id)) else { return not_found() };
    let (is_archived, full_name) = {
        let data = shared.data();
        let found = &data.repositories[&repository];
        (found.is_archived, found.full_name())
    };
    if name.is_some_and(|(owner, name)| !full_name.eq_ignore_ascii_case(&format!("{owner}/{name}"))) {
        let slash = if below.is_empty() { "" } else { "/" };
        let url = format!("{}/repositories/{repository}{slash}{below}", shared.url);
        let moved =
            json!({ "message": "Moved Permanently", "url": url, "documentation_url": "https://docs.github.com/rest" });
        // Only a read may be sent again as a `GET`.
        let status = if seen.method == Method::GET { 301 } else { 307 };
        return canned(status, moved.to_string()).header("location", url);
    }
    if (&seen.method, below) == (&Method::GET, "") {
        shared.data().count("Settings");
        return canned(200, shared.data().repository_json(repository).to_string());
    }
    if (&seen.method, below) == (&Method::POST, "dispatches") {
        return dispatch(shared, token, repository, &seen.body);
    }
    // The single repository of `rest` has this name.
    let path = format!("/repos/{OWNER}/{NAME}/{below}");
    let Some(kind) = rest::kind(&seen.method, &path) else { return not_found() };
    shared.data().count(&format!("{kind:?}"));
    if !token.allows(kind) {
        return canned(403, message(FORBIDDEN));
    }
    if is_archived && !kind.is_read() {
        return canned(403, message(ARCHIVED));
    }
    let source = shared.data().repositories[&repository].world.with_state(|state| rest::source_in(state, &path));
    let about = below.to_owned();
    let below = below.to_owned();
    let served = ask(shared, repository, kind, about, |state| match kind {
        Request::Settings => Ok(settings::healthy(state, &below)),
        _ => Ok(rest::on(state, kind, &path, &seen.body)),
    });
    let served = served.await;
    if let (Request::Answer, Ok((201, posted)), Some(source)) = (kind, &served, source) {
        let comment = posted["id"].as_u64().expect("a number");
        people::announce_posted(shared, repository, (source.issue.get(), comment));
    }
    if let (Request::Label, Ok((200, _)), Some(source)) = (kind, &served, source) {
        let labels = seen.body["labels"].as_array().into_iter().flatten();
        labels.for_each(|label| people::announce_label(shared, repository, source.issue.get(), text(label)));
    }
    response(served)
}

/// Serves a request of the world, at the fake's time. A read may get an older copy of the data.
async fn ask<T: std::fmt::Debug>(
    shared: &Shared,
    repository: u64,
    kind: Request,
    about: String,
    serve: impl FnOnce(&mut State) -> Result<T, protocol::RequestError>,
) -> Result<T, protocol::RequestError> {
    let now = shared.now();
    let (world, hidden): (Arc<World>, _) = {
        let mut data = shared.data();
        let found = data.repositories.get_mut(&repository).expect("the repository exists");
        (found.world.clone(), if kind.is_read() { found.still_hidden(now) } else { Vec::new() })
    };
    let serve = |state: &mut State| {
        people::set_time(shared, state);
        if hidden.is_empty() { serve(state) } else { serve(&mut people::without(state, &hidden)) }
    };
    world.serve(kind, about, serve).await
}

fn dispatch(shared: &Shared, token: &Token, repository: u64, body: &Value) -> Canned {
    let at = shared.now();
    let mut data = shared.data();
    data.count("dispatches");
    if !token.has("contents", "write") {
        return canned(403, message(FORBIDDEN));
    }
    let Some(event_type) = body["event_type"].as_str().map(str::to_owned) else {
        return canned(422, message("Invalid request.\n\n\"event_type\" wasn't supplied."));
    };
    let client_payload = body["client_payload"].clone();
    data.dispatches.push(Dispatch { repository, event_type, client_payload, at });
    canned(204, "")
}

async fn serve_graphql(shared: &Shared, token: &Token, seen: &Seen) -> Canned {
    let Some(kind) = graphql::kind(seen) else {
        shared.data().count("unknown document");
        return canned(
            200,
            json!({ "errors": [{ "message": "The fake GitHub doesn't know this document." }] }).to_string(),
        );
    };
    shared.data().count(&format!("{kind:?}"));
    let variables = &seen.body["variables"];
    let repository = match find_repository(shared, token, kind, variables) {
        Ok(repository) => repository,
        Err(refusal) => return canned(200, refusal.to_string()),
    };
    let refuse = |path: &str, kind: &str, why: &str| {
        canned(200, graphql::with_error(json!({ path: null }), kind, &[path], why).to_string())
    };
    let part = match kind {
        Request::Commit => "createCommitOnBranch",
        Request::Answer => "comment",
        Request::React => "reaction0",
        _ => "repository",
    };
    if !token.allows(kind) {
        return refuse(part, "FORBIDDEN", FORBIDDEN);
    }
    if !kind.is_read() && shared.data().repositories[&repository].is_archived {
        return refuse(part, "FORBIDDEN", ARCHIVED);
    }
    if let Some(refusal) = graphql::refuse_large_numbers(variables) {
        return canned(200, refusal.to_string());
    }
    let about = graphql::about(kind, variables);
    let served = ask(shared, repository, kind, about, |state| Ok((200, graphql::on(state, kind, variables)?))).await;
    if let (Request::Answer, Ok((_, reply))) = (kind, &served) {
        let posted = &reply["data"]["comment"]["commentEdge"]["node"]["id"];
        if let Some(["IC", _, issue, comment]) = posted.as_str().map(|id| id.split('_').collect::<Vec<_>>()).as_deref()
        {
            let number = |text: &str| text.parse().expect("a number");
            people::announce_posted(shared, repository, (number(issue), number(comment)));
        }
        announce_labels(shared, repository, variables, &reply["data"]);
    }
    response(served)
}

/// Sends a webhook for each label that an answer added.
fn announce_labels(shared: &Shared, repository: u64, variables: &Value, reply: &Value) {
    let world = shared.data().repositories[&repository].world.clone();
    let (answer, aliases) = world.with_state(|state| graphql::parse(state, variables));
    for (update, alias) in answer.updates.iter().zip(aliases) {
        if let (Update::Label(issue, label), false) = (update, reply[alias.as_str()].is_null()) {
            people::announce_label(shared, repository, issue.get(), label.name());
        }
    }
}

/// Returns the repository that a document is about.
///
/// # Errors
/// Returns GitHub's reply if there is no such repository, or if the token doesn't open it.
fn find_repository(shared: &Shared, token: &Token, kind: Request, variables: &Value) -> Result<u64, Value> {
    let data = shared.data();
    let id = match kind {
        Request::Answer => Some(("comment", text(&variables["comment"]["subjectId"]))),
        Request::Votes => Some(("node", text(&variables["ballot"]))),
        Request::React => Some(("reaction0", text(&variables["reaction0"]["subjectId"]))),
        _ => None,
    };
    let name = match kind {
        Request::Commit => text(&variables["input"]["branch"]["repositoryNameWithOwner"]).to_owned(),
        _ => format!("{}/{}", text(&variables["owner"]), text(&variables["name"])),
    };
    let is_known = |id: &u64| data.names.values().any(|known| known == id);
    let found = match id {
        Some((_, id)) => graphql::repository_in(id).filter(is_known),
        None => data.find(&name),
    };
    found.filter(|id| token.can_open(&data, *id)).ok_or_else(|| match id {
        Some((part, id)) => {
            let why = format!("Could not resolve to a node with the global id of '{id}'");
            graphql::with_error(json!({ part: null }), "NOT_FOUND", &[part], &why)
        }
        None => {
            let why = format!("Could not resolve to a Repository with the name '{name}'.");
            let part = if kind == Request::Commit { "createCommitOnBranch" } else { "repository" };
            graphql::with_error(json!({ part: null }), "NOT_FOUND", &[part], &why)
        }
    })
}
