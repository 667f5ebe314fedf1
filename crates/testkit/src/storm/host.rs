//! Applies requests to the fake GitHub's data, and records them in the simulator's ledger.

use protocol::{Answer, Change, CommitOutcome, PostOutcome, RequestError};
use serde_json::{Value, json};
use table::{Author, Oid, Timestamp, UserId};

use super::http_faults::Rival;
use crate::place;
use crate::server::{Seen, graphql, rest};
use crate::simulator::{Action, Core, Step, live_checks, people};
use crate::world::{Request, State};

/// A text that someone else writes between the bot's markers.
pub(super) const SCRIBBLE: &str = "Someone was here.";

/// The path of the stories' repository.
pub(super) const REPOSITORY: &str = "host/games";

/// Returns the kind of a request, if it is one of the bot's. The path excludes the run's number.
pub(super) fn kind(seen: &Seen) -> Option<Request> {
    if seen.path == "/graphql" { graphql::kind(seen) } else { rest::kind(&seen.method, &seen.path) }
}

/// Returns the subject of a request for the trace.
pub(super) fn about(kind: Request, seen: &Seen) -> String {
    let words = match kind {
        Request::Answer => {
            let body = seen.body["body"].as_str().unwrap_or_default();
            format!("{} {:?}", seen.path, body.lines().take(3).collect::<Vec<_>>())
        }
        Request::React => format!("{} {}", seen.path, seen.body["content"]),
        _ if seen.path == "/graphql" => graphql::about(kind, &seen.body["variables"]),
        _ => seen.path.clone(),
    };
    words.replace("/repos/octo/games/", "")
}

/// Applies a request. A stale read gets an older copy of the data.
pub(super) fn serve(core: &mut Core, run: u32, kind: Request, seen: &Seen, copy: Option<State>) -> (u16, Value) {
    let variables = &seen.body["variables"];
    match kind {
        Request::Read => {
            let mut copy = copy;
            let state = copy.as_mut().unwrap_or(&mut core.state);
            let head = state.branches.get(state.state_branch()).and_then(|head| Oid::parse(head));
            let mut shown = graphql::on(state, kind, variables);
            if let Ok(shown) = &mut shown {
                cut(shown, "/data/repository/issue0/comments", core.page);
                cut(shown, "/data/repository/issue1/comments", core.page);
            }
            core.has_read(run, head);
            document(shown)
        }
        Request::Page => {
            let mut shown = graphql::on(&mut core.state, kind, variables);
            if let Ok(shown) = &mut shown {
                cut(shown, "/data/repository/issue/comments", core.page);
            }
            document(shown)
        }
        Request::Files | Request::Folder | Request::Sweep => document(graphql::on(&mut core.state, kind, variables)),
        Request::Commit => commit(core, run, variables),
        Request::Answer if seen.path == "/graphql" => answer(core, run, variables),
        Request::Exists | Request::Account => rest::on(&mut core.state, kind, &seen.path, &seen.body),
        _ if core.forbidden => forbidden(),
        _ => write(core, run, kind, seen),
    }
}

/// Applies a REST write.
fn write(core: &mut Core, run: u32, kind: Request, seen: &Seen) -> (u16, Value) {
    let source = rest::source_in(&core.state, &seen.path);
    if let (Request::Delete, Some(source)) = (kind, source) {
        live_checks::check_deletion(core, run, source);
    }
    if kind != Request::Answer {
        let reply = rest::on(&mut core.state, kind, &seen.path, &seen.body);
        if let (Request::React, 201, Some(source)) = (kind, reply.0, source) {
            core.ledger.claims.entry(source).or_insert(core.now);
        }
        if let (Request::React, 403, Some(source)) = (kind, reply.0, source) {
            core.ledger.refused.insert(source);
        }
        return reply;
    }
    let body = seen.body["body"].as_str().unwrap_or_default().to_owned();
    let answer = Answer { source: source.unwrap_or(place(0, 0)), body, updates: Vec::new() };
    match live_checks::post_answer(core, run, &answer).comment {
        PostOutcome::Done => (201, json!({ "id": core.state.next_comment - 1 })),
        // Trying again gives GitHub's message.
        PostOutcome::Refused(_) => rest::on(&mut core.state, kind, &seen.path, &seen.body),
        PostOutcome::Failed(why) => (500, json!({ "message": why })),
    }
}

/// Applies an answer with its updates.
fn answer(core: &mut Core, run: u32, variables: &Value) -> (u16, Value) {
    let (answer, aliases) = graphql::parse(&core.state, variables);
    if core.forbidden {
        let why = "Resource not accessible by integration";
        let error = json!({ "type": "FORBIDDEN", "path": ["comment"], "message": why });
        return (200, json!({ "data": { "comment": null }, "errors": [error] }));
    }
    let outcome = live_checks::post_answer(core, run, &answer);
    (200, graphql::reply(&core.state, &answer, &aliases, &outcome))
}

fn commit(core: &mut Core, run: u32, variables: &Value) -> (u16, Value) {
    let input = &variables["input"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    if core.forbidden {
        let why = "Resource not accessible by integration";
        let error = json!({ "type": "FORBIDDEN", "path": ["createCommitOnBranch"], "message": why });
        return (200, json!({ "data": { "createCommitOnBranch": null }, "errors": [error] }));
    }
    let (named, own) = (text(&input["branch"]["branchName"]), core.state.state_branch().to_owned());
    if named != own {
        core.violate("branch", format!("run {run} commits to {named}, and not to {own}"));
    }
    let author = Author { id: UserId::default(), login: String::new(), is_bot: false };
    let change = Change {
        parent: Oid::parse(&text(&input["expectedHeadOid"])),
        files: graphql::additions(input),
        deleted: graphql::deletions(input),
        headline: text(&input["message"]["headline"]),
        body: text(&input["message"]["body"]),
        author,
        time: Timestamp::from_millis(core.now),
    };
    if core.state.branches.contains_key(&own)
        && let Ok(CommitOutcome::Landed(oid)) = core.commit(run, &change, [0; 32])
    {
        return (200, json!({ "data": { "createCommitOnBranch": { "commit": { "oid": oid.as_str() } } } }));
    }
    // GitHub's message for a branch that moved or is missing.
    document(graphql::on(&mut core.state, Request::Commit, variables))
}

fn document(shown: Result<Value, RequestError>) -> (u16, Value) {
    match shown {
        Ok(value) => (200, value),
        Err(fault) => (200, json!({ "data": null, "errors": [{ "message": format!("{fault:?}") }] })),
    }
}

pub(super) fn forbidden() -> (u16, Value) {
    (403, json!({ "message": "Resource not accessible by integration", "status": "403" }))
}

/// Truncates a page to its newest comments.
fn cut(shown: &mut Value, pointer: &str, page: usize) {
    let Some(comments) = shown.pointer_mut(pointer).filter(|comments| comments.is_object()) else { return };
    let Some(nodes) = comments["nodes"].as_array_mut().filter(|nodes| nodes.len() > page) else { return };
    nodes.drain(..nodes.len() - page);
    let first = format!("before:{}", nodes[0]["fullDatabaseId"].as_str().unwrap_or_default());
    comments["pageInfo"] = json!({ "hasPreviousPage": true, "startCursor": first });
}

/// Commits as someone else.
pub(super) fn rival(core: &mut Core, rival: Rival) {
    let action = match rival {
        Rival::OtherFile => Action::UnrelatedCommit,
        Rival::PageText => Action::EditReadme,
        Rival::BetweenMarkers => return scribble(core),
    };
    people::act(core, &Step { id: 0, at: 0, action });
}

fn scribble(core: &mut Core) {
    let Some(page) = core.file("README.md") else { return };
    let end = "<!-- /play-by-commit:table -->";
    let Some((before, after)) = page.split_once(end).filter(|(before, _)| !before.contains(SCRIBBLE)) else { return };
    let text = format!("{before}{SCRIBBLE}\n{end}{after}");
    let branch = core.state.state_branch().to_owned();
    core.state.land(&branch, &[("README.md".to_owned(), text)], "Something else", "");
    core.trace(|| "someone writes between the markers".to_owned());
    core.changed();
}
