//! The GraphQL API: serves the bot's seven documents in GitHub's shapes.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use chrono::{DateTime, SecondsFormat};
use protocol::{
    Answer, AnswerOutcome, Assignee, Change, Cursor, Label, NOT_ASSIGNED, PostOutcome, RequestError, Update,
};
use serde_json::{Map, Value, json};
use table::{Author, CommentRef, Oid, Timestamp, UserId};

use crate::server::json::{error, text};
use crate::server::{NAME, OWNER, Seen, Served, settings};
use crate::world::{Issue, Note, Person, Request, State, World};
use crate::{Millis, place};

/// Returns the kind of a document.
pub(crate) fn kind(seen: &Seen) -> Option<Request> {
    let document = seen.body["query"].as_str()?;
    let has = |words: &str| document.lines().any(|line| line.starts_with(words));
    let kinds = [
        ("query Read(", Request::Read),
        ("query Files(", Request::Files),
        ("query Folder(", Request::Folder),
        ("query Page(", Request::Page),
        ("query Sweep(", Request::Sweep),
        ("query Votes(", Request::Votes),
        ("mutation React(", Request::React),
        ("mutation Commit(", Request::Commit),
        ("mutation Answer(", Request::Answer),
    ];
    kinds.into_iter().find(|(words, _)| has(words)).map(|(_, kind)| kind)
}

/// Returns the subject of a request for the log.
pub(crate) fn about(kind: Request, variables: &Value) -> String {
    match kind {
        Request::Read => issues_asked(variables).map(|(_, number)| number.to_string()).collect::<Vec<_>>().join(", "),
        Request::Files => files_asked(variables).map(|(_, path)| path).collect::<Vec<_>>().join(", "),
        Request::Folder => text(&variables["dir"]).to_owned(),
        Request::Page => format!("{} {}", variables["issue"], text(&variables["before"])),
        Request::Sweep => text(&variables["since"]).to_owned(),
        Request::Votes => text(&variables["ballot"]).to_owned(),
        Request::React => text(&variables["reaction0"]["subjectId"]).to_owned(),
        Request::Answer => {
            let first_lines: Vec<&str> = text(&variables["comment"]["body"]).lines().take(3).collect();
            format!("{} {first_lines:?}", text(&variables["comment"]["subjectId"]))
        }
        _ => text(&variables["input"]["message"]["headline"]).to_owned(),
    }
}

pub(super) async fn serve(world: &World, kind: Request, variables: &Value) -> Served {
    let known = match kind {
        Request::Commit => {
            variables["input"]["branch"]["repositoryNameWithOwner"] == format!("{OWNER}/{NAME}").as_str()
        }
        // Global IDs don't need a repository.
        Request::Answer | Request::Votes | Request::React => true,
        _ => variables["owner"] == OWNER && variables["name"] == NAME,
    };
    if !known {
        let why = "Could not resolve to a Repository with the name 'some/where'.";
        return Ok((200, with_error(json!({ "repository": null }), "NOT_FOUND", &["repository"], why)));
    }
    if let Some(refusal) = refuse_large_numbers(variables) {
        return Ok((200, refusal));
    }
    Ok((200, world.serve(kind, about(kind, variables), |state| on(state, kind, variables)).await?))
}

/// Returns the reply to a document with a number that isn't a GraphQL integer, which has 32 bits.
pub(crate) fn refuse_large_numbers(variables: &Value) -> Option<Value> {
    let issue = variables["issue"].as_u64();
    let largest = issues_asked(variables).map(|(_, number)| number).chain(issue).max()?;
    let error = json!({ "message": "Variable of type Int! was provided invalid value", "extensions": {} });
    i32::try_from(largest).is_err().then(|| json!({ "errors": [error] }))
}

/// Applies a document to the data and returns the response.
pub(crate) fn on(state: &mut State, kind: Request, variables: &Value) -> Result<Value, RequestError> {
    match kind {
        Request::Read => Ok(read(state, variables)),
        Request::Files => Ok(files(state, variables)),
        Request::Folder => Ok(folder(state, variables)),
        Request::Page => Ok(page(state, variables)),
        Request::Sweep => Ok(sweep(state, variables)),
        Request::Answer => Ok(answer(state, variables)),
        Request::Votes => Ok(votes(state, variables)),
        Request::React => Ok(react(state, variables)),
        _ => commit(state, &variables["input"]),
    }
}

/// Returns the aliases and contents of the reactions that a document names.
fn reactions_asked(variables: &Value) -> impl Iterator<Item = (String, Value)> {
    (0..).map(|at| format!("reaction{at}")).map_while(|alias| {
        let reaction = variables.get(&alias)?.clone();
        Some((alias, reaction))
    })
}

/// Returns the name of a reaction in the REST API.
fn rest_name(content: &Value) -> String {
    if content == "THUMBS_UP" { "+1".to_owned() } else { text(content).to_ascii_lowercase() }
}

/// Returns the votes on a ballot. GitHub shows no account for an app's reactions.
fn votes(state: &State, variables: &Value) -> Value {
    let ballot = source(&variables["ballot"]);
    let mut node = Map::new();
    for (alias, content) in reactions_asked(variables) {
        let name = rest_name(&content);
        let added = state.reactions.iter().filter(|(to, _, what)| *to == ballot && *what == name);
        let after: usize =
            variables[format!("{alias}After")].as_str().map_or(0, |cursor| cursor.parse().expect("a cursor"));
        let all: Vec<u64> = added.map(|(_, by, _)| *by).collect();
        let page = all.iter().skip(after).take(100).map(|by| {
            let person = state.people.values().find(|person| person.id == *by && !person.bot);
            json!({ "user": person.map(|person| json!({ "databaseId": person.id, "login": person.login })) })
        });
        let nodes: Vec<Value> = page.collect();
        let info = json!({ "hasNextPage": all.len() > after + 100, "endCursor": (after + 100).to_string() });
        node.insert(alias, json!({ "pageInfo": info, "nodes": nodes }));
    }
    let node = state.exists(ballot).then_some(node);
    let data = json!({ "viewer": viewer(state), "node": node });
    match data["node"].is_null() {
        true => with_error(data, "NOT_FOUND", &["node"], "Could not resolve to a node with the global id."),
        false => json!({ "data": data }),
    }
}

fn react(state: &mut State, variables: &Value) -> Value {
    let mut data = Map::new();
    for (alias, input) in reactions_asked(variables) {
        state.react(source(&input["subjectId"]), &rest_name(&input["content"]));
        data.insert(alias, json!({ "clientMutationId": null }));
    }
    json!({ "data": data })
}

fn read(state: &State, variables: &Value) -> Value {
    let mut errors = Vec::new();
    let target = |oid: &str, with_files: bool| {
        let mut target = json!({ "oid": oid });
        if with_files {
            for (alias, path) in files_asked(variables) {
                target[alias] = file(state, oid, &path);
            }
        }
        target
    };
    let branch = |name: &str, with_files: bool| match state.branches.get(name) {
        Some(oid) => json!({ "name": name, "target": target(oid, with_files) }),
        None => Value::Null,
    };
    let on_default = variables["onDefault"] == true;
    let label = |label: Label| state.labels.contains(label.name()).then(|| json!({ "id": label_id(label) }));
    let mut repository = json!({
        "id": repository_id(state),
        "databaseId": state.repository_id,
        "isInOrganization": state.is_of_organization,
        "isPrivate": false,
        "defaultBranchRef": branch(&state.default_branch, on_default),
        "gameLabel": label(Label::Game),
        "openSeatLabel": label(Label::OpenSeat),
    });
    if !on_default {
        let name = text(&variables["branch"]).strip_prefix("refs/heads/").expect("a branch has a qualified name");
        repository["ref"] = branch(name, true);
    }
    for (alias, number) in issues_asked(variables) {
        repository[alias.as_str()] = match state.issue(number) {
            Some(issue) => thread_json(state, number, issue, variables),
            None => {
                errors.push(error("NOT_FOUND", &["repository", &alias], &missing_issue_message(number)));
                Value::Null
            }
        };
    }
    if variables["withNewest"] == true {
        repository["newest"] = newest_issues(state);
    }
    // The live test's own document asks for no settings.
    let asks_for_settings = variables.get("withFiles").is_some();
    let shared =
        if asks_for_settings { settings::add_settings_file(state, &mut repository, &mut errors) } else { Value::Null };
    let data = json!({ "viewer": viewer(state), "repository": repository, "shared": shared });
    if errors.is_empty() { json!({ "data": data }) } else { json!({ "data": data, "errors": errors }) }
}

/// Returns an issue with its newest comments.
fn thread_json(state: &State, number: u64, issue: &Issue, variables: &Value) -> Value {
    let mut thread = comment_json(state, number, &issue.body);
    thread["repository"] = json!({ "id": repository_id(state) });
    thread["title"] = json!(issue.title);
    thread["locked"] = json!(issue.locked);
    thread["closed"] = json!(issue.closed);
    thread["stateReason"] = match (issue.reopened, issue.closed) {
        (true, _) => json!("REOPENED"),
        (false, true) => json!("COMPLETED"),
        (false, false) => Value::Null,
    };
    thread["labels"] = labels_json(issue);
    if variables["withPeople"] == true {
        let people = state.people.values().filter(|person| issue.assignees.contains(&person.id));
        let node =
            |person: &Person| json!({ "id": person_id(person.id), "databaseId": person.id, "login": person.login });
        thread["assignees"] = json!({ "nodes": people.map(node).collect::<Vec<_>>() });
    }
    let deletions = issue.last_deletion.map(|at| json!({ "createdAt": time(at) }));
    thread["deletions"] = json!({ "nodes": Vec::from_iter(deletions) });
    let unlocks = issue.last_unlock.map(|at| json!({ "createdAt": time(at) }));
    thread["unlocks"] = json!({ "nodes": Vec::from_iter(unlocks) });
    thread["comments"] = comments_json(state, number, None, count(variables));
    thread["comments"]["totalCount"] = json!(issue.comments.len());
    thread
}

fn labels_json(issue: &Issue) -> Value {
    let labels: Vec<Value> = issue.labels.iter().map(|label| json!({ "name": label })).collect();
    json!({ "nodes": labels })
}

/// Returns the five newest issues with their first comments.
fn newest_issues(state: &State) -> Value {
    let newest = state.issues.iter().rev().filter(|(_, issue)| !issue.is_pull_request).take(5);
    let nodes = newest.map(|(number, issue)| {
        let nodes: Vec<Value> = issue.comments.iter().take(3).map(|note| comment_json(state, *number, note)).collect();
        let info = json!({ "hasPreviousPage": false, "startCursor": null });
        json!({ "number": number, "comments": { "pageInfo": info, "nodes": nodes } })
    });
    json!({ "nodes": nodes.collect::<Vec<_>>() })
}

/// Returns the global ID of the repository.
pub(crate) fn repository_id(state: &State) -> String {
    format!("R_{}", state.repository_id)
}

/// Returns the aliases and paths of the files that a document requests.
fn files_asked(variables: &Value) -> impl Iterator<Item = (String, String)> {
    let are_excluded = variables["withFiles"] == false;
    let alias = |at: usize| format!("file{at}");
    (0..).take_while(move |_| !are_excluded).map(alias).map_while(|alias| {
        let path = variables[&alias].as_str()?.to_owned();
        Some((alias, path))
    })
}

/// Returns the aliases and numbers of the issues that a document requests.
fn issues_asked(variables: &Value) -> impl Iterator<Item = (String, u64)> {
    let are_excluded = variables["withIssues"] == false;
    let alias = |at: usize| format!("issue{at}");
    (0..).take_while(move |_| !are_excluded).map(alias).map_while(|alias| {
        let number = variables[&alias].as_u64()?;
        Some((alias, number))
    })
}

fn files(state: &State, variables: &Value) -> Value {
    let at = text(&variables["at"]);
    let object: serde_json::Map<String, Value> =
        files_asked(variables).map(|(alias, path)| (alias, file(state, at, &path))).collect();
    json!({ "data": { "repository": { "object": object } } })
}

fn folder(state: &State, variables: &Value) -> Value {
    let (at, dir) = (text(&variables["at"]), text(&variables["dir"]));
    let mut folder = folder_json(&state.list_files(at, dir));
    if variables["withTexts"] == true {
        for entry in folder["object"]["entries"].as_array_mut().into_iter().flatten() {
            let path = format!("{dir}/{}", text(&entry["name"]));
            entry["object"] = file(state, at, &path)["object"].take();
        }
    }
    json!({ "data": { "repository": { "object": { "file": folder } } } })
}

/// Returns a folder; `null` if it's empty, because Git has no empty folders.
fn folder_json(names: &[String]) -> Value {
    let entries: Vec<Value> = names.iter().map(|name| json!({ "name": name })).collect();
    if entries.is_empty() { Value::Null } else { json!({ "object": { "entries": entries } }) }
}

fn page(state: &State, variables: &Value) -> Value {
    let number = variables["issue"].as_u64().expect("the number of an issue");
    if state.issue(number).is_none() {
        let data = json!({ "repository": { "issue": null } });
        return with_error(data, "NOT_FOUND", &["repository", "issue"], &missing_issue_message(number));
    }
    let cursor = Cursor(text(&variables["before"]).to_owned());
    let comments = comments_json(state, number, Some(&cursor), count(variables));
    let repository = json!({
        "isInOrganization": state.is_of_organization,
        "isPrivate": false,
        "issue": { "comments": comments },
    });
    json!({ "data": { "viewer": viewer(state), "repository": repository } })
}

/// Returns the token's account. Only here does an app's login end in `[bot]`.
fn viewer(state: &State) -> Value {
    let bot = state.people[&state.bot].bot;
    json!({ "login": format!("{}{}", state.bot, if bot { "[bot]" } else { "" }) })
}

/// Returns the requested number of comments.
fn count(variables: &Value) -> usize {
    variables["comments"].as_u64().and_then(|count| usize::try_from(count).ok()).expect("a number of comments")
}

fn sweep(state: &State, variables: &Value) -> Value {
    let since = DateTime::parse_from_rfc3339(text(&variables["since"])).expect("a time").timestamp_millis();
    let number = |name: &str| usize::try_from(variables[name].as_u64().expect("a number")).unwrap();
    let from = variables["after"].as_str().map(|cursor| Cursor(cursor.to_owned()));
    let (page, next) = state.updated_page(u64::try_from(since).unwrap(), from.as_ref(), number("issues"));
    let node = |(issue, seen): (u64, &Issue)| {
        let mut listed = thread_json(state, issue, seen, variables);
        listed["number"] = json!(issue);
        listed["deletions"].take();
        listed["reactionGroups"].take();
        let comments = listed["comments"]["nodes"].as_array_mut().into_iter().flatten();
        comments.for_each(|comment| drop(comment["reactionGroups"].take()));
        listed
    };
    let info = json!({ "hasNextPage": next.is_some(), "endCursor": next.map(|cursor| cursor.0) });
    let nodes: Vec<Value> = page.into_iter().map(node).collect();
    let mut repository = json!({
        "isInOrganization": state.is_of_organization,
        "isPrivate": false,
        "issues": { "pageInfo": info, "nodes": nodes },
    });
    let named = text(&variables["branch"]).trim_start_matches("refs/heads/");
    for (field, with, branch) in
        [("defaultBranchRef", "withDefault", &*state.default_branch), ("ref", "withBranch", named)]
    {
        if variables[with] == true {
            let names = state.names_in(branch, text(&variables["dir"]));
            let exists = state.branches.contains_key(branch);
            repository[field] = if exists { json!({ "target": { "file": folder_json(&names) } }) } else { Value::Null };
        }
    }
    // Only a request that asks for it gets the limit.
    let limit = json!({ "cost": 2, "remaining": 998 });
    json!({ "data": { "viewer": viewer(state), "rateLimit": limit, "repository": repository } })
}

fn commit(state: &mut State, input: &Value) -> Result<Value, RequestError> {
    let failed = |kind: &str, why: &str| {
        Ok(with_error(json!({ "createCommitOnBranch": null }), kind, &["createCommitOnBranch"], why))
    };
    let branch = text(&input["branch"]["branchName"]);
    let Some(head) = state.branches.get(branch).cloned() else {
        return failed("NOT_FOUND", "The branch does not exist.");
    };
    let expected = text(&input["expectedHeadOid"]);
    if head != expected {
        let why = format!("Expected branch to point to \"{expected}\" but it did not.  Pull and try again.");
        return failed("STALE_DATA", &why);
    }
    let change = Change {
        parent: Oid::parse(&head),
        files: additions(input),
        deleted: deletions(input),
        headline: text(&input["message"]["headline"]).to_owned(),
        body: text(&input["message"]["body"]).to_owned(),
        author: Author { id: UserId::default(), login: String::new(), is_bot: true },
        time: Timestamp::EPOCH,
    };
    let oid = match state.land_change(branch, &change) {
        Ok(oid) => oid,
        Err(why) => return failed("UNPROCESSABLE", &why),
    };
    Ok(json!({ "data": { "createCommitOnBranch": { "commit": { "oid": oid } } } }))
}

/// Returns the paths of the files that a commit deletes.
pub(crate) fn deletions(input: &Value) -> Vec<String> {
    let deletions = input["fileChanges"]["deletions"].as_array().expect("files").iter();
    deletions.map(|file| text(&file["path"]).to_owned()).collect()
}

/// Returns the files of a commit, with their texts.
pub(crate) fn additions(input: &Value) -> Vec<(String, String)> {
    let decoded = |file: &Value| {
        let bytes = BASE64_STANDARD.decode(text(&file["contents"])).expect("base64");
        (text(&file["path"]).to_owned(), String::from_utf8(bytes).expect("text"))
    };
    input["fileChanges"]["additions"].as_array().expect("files").iter().map(decoded).collect()
}

fn file(state: &State, oid: &str, path: &str) -> Value {
    let Some(content) = state.commits[oid].files.get(path) else { return Value::Null };
    let (is_binary, is_truncated, content) = match state.unreadable.get(path) {
        None => (false, false, json!(content)),
        Some(true) => (false, true, json!(content[..content.len() / 2])),
        Some(false) => (true, false, Value::Null),
    };
    let size = state.commits[oid].files[path].len();
    let object = json!({ "__typename": "Blob", "byteSize": size, "isBinary": is_binary, "isTruncated": is_truncated, "text": content });
    json!({ "object": object })
}

fn comments_json(state: &State, number: u64, cursor: Option<&Cursor>, count: usize) -> Value {
    let (notes, earlier) = state.notes(number, cursor, count);
    let start = notes.first().map(|note| format!("before:{}", note.id));
    let nodes: Vec<Value> = notes.iter().map(|note| comment_json(state, number, note)).collect();
    json!({ "pageInfo": { "hasPreviousPage": earlier.is_some(), "startCursor": start }, "nodes": nodes })
}

fn comment_json(state: &State, number: u64, note: &Note) -> Value {
    let person = note.author.as_ref().map(|login| &state.people[login]);
    let author = person.map(|person| {
        let kind = if person.bot { "Bot" } else { "User" };
        let id = (!person.bot).then(|| person_id(person.id));
        json!({ "__typename": kind, "login": person.login, "id": id, "databaseId": person.id })
    });
    let source = place(number, note.id);
    let all = ["THUMBS_UP", "THUMBS_DOWN", "LAUGH", "HOORAY", "CONFUSED", "HEART", "ROCKET", "EYES"];
    let groups = all.map(|content| {
        let ours = state.reactions.contains(&(source, state.bot_id(), rest_name(&content.into())));
        json!({ "content": content, "viewerHasReacted": ours })
    });
    json!({
        "id": id(state, source),
        "fullDatabaseId": note.id.to_string(),
        "author": author,
        "authorAssociation": person.map_or("NONE", |person| person.association),
        "viewerDidAuthor": note.author.as_ref() == Some(&state.bot),
        "body": note.text,
        "createdAt": time(note.created),
        "lastEditedAt": note.edited.map(time),
        "editor": note.edited.and_then(|_| note.editor.as_ref().or(note.author.as_ref())).map(|login| json!({ "login": login })),
        "isMinimized": note.minimized,
        "reactionGroups": groups,
    })
}

pub(crate) fn with_error(data: Value, kind: &str, path: &[&str], message: &str) -> Value {
    json!({ "data": data, "errors": [error(kind, path, message)] })
}

fn missing_issue_message(number: u64) -> String {
    format!("Could not resolve to an Issue with the number of {number}.")
}

fn time(millis: Millis) -> String {
    let time = DateTime::from_timestamp_millis(i64::try_from(millis).unwrap()).expect("a time");
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}

// Answers in the GraphQL API, which names everything by global IDs.

/// Returns the global ID of a label.
pub(super) fn label_id(label: Label) -> &'static str {
    match label {
        Label::Game => "LA_1",
        Label::OpenSeat => "LA_2",
    }
}

/// Returns the global ID of a person.
fn person_id(id: u64) -> String {
    format!("U_{id}")
}

/// Returns the global ID of a comment, or of an issue for its comment 0. It names the repository, too.
pub(crate) fn id(state: &State, source: CommentRef) -> String {
    let (repository, CommentRef { issue, comment }) = (state.repository_id, source);
    if source.is_body() { format!("I_{repository}_{issue}") } else { format!("IC_{repository}_{issue}_{comment}") }
}

/// Returns the repository of a comment or issue with this global ID.
pub(crate) fn repository_in(id: &str) -> Option<u64> {
    id.strip_prefix("IC_").or(id.strip_prefix("I_"))?.split('_').next()?.parse().ok()
}

/// Returns the comment or issue with a global ID.
fn source(id: &Value) -> CommentRef {
    let id = text(id);
    let number = |text: &str| text.parse::<u64>().expect("a number");
    match id.split('_').collect::<Vec<_>>().as_slice() {
        ["I", _, issue] => place(number(issue), 0),
        ["IC", _, issue, comment] => place(number(issue), number(comment)),
        _ => panic!("{id} isn't the ID of an issue or a comment"),
    }
}

fn label(input: &Value) -> Label {
    let is_meant = |label: &Label| input["labelIds"] == json!([label_id(*label)]);
    Label::ALL.into_iter().find(is_meant).expect("the ID of a label")
}

fn person(state: &State, input: &Value) -> Assignee {
    let is_meant = |person: &&Person| input["assigneeIds"] == json!([person_id(person.id)]);
    let person = state.people.values().find(is_meant).expect("the ID of a person");
    Assignee { id: UserId::new(person.id), login: person.login.clone() }
}

/// Returns the answer in the variables of a mutation, and the aliases of its updates.
pub(crate) fn parse(state: &State, variables: &Value) -> (Answer, Vec<String>) {
    let comment = &variables["comment"];
    let (mut updates, mut aliases) = (Vec::new(), Vec::new());
    for (alias, input) in variables.as_object().expect("variables") {
        let update = match alias.trim_end_matches(char::is_numeric) {
            "rocket" => {
                assert_eq!(input["content"], "ROCKET");
                Update::Rocket(source(&input["subjectId"]))
            }
            "addLabel" => Update::Label(source(&input["labelableId"]).issue, label(input)),
            "removeLabel" => Update::Unlabel(source(&input["labelableId"]).issue, label(input)),
            "title" => Update::Title(source(&input["id"]).issue, text(&input["title"]).to_owned()),
            "removeAssignee" => Update::Unassign(source(&input["assignableId"]).issue, person(state, input)),
            "addAssignee" => Update::Assign(source(&input["assignableId"]).issue, person(state, input)),
            "minimize" => {
                assert_eq!(input["classifier"], "OUTDATED");
                Update::Minimize(source(&input["subjectId"]))
            }
            "close" => {
                assert_eq!(input["stateReason"], "COMPLETED");
                Update::Close(source(&input["issueId"]).issue)
            }
            _ => continue,
        };
        updates.push(update);
        aliases.push(alias.clone());
    }
    let answer = Answer { source: source(&comment["subjectId"]), body: text(&comment["body"]).to_owned(), updates };
    (answer, aliases)
}

pub(super) fn answer(state: &mut State, variables: &Value) -> Value {
    let (answer, aliases) = parse(state, variables);
    let outcome = state.apply_answer(&answer);
    reply(state, &answer, &aliases, &outcome)
}

/// Returns GitHub's reply: null for each part that failed, with an error.
pub(crate) fn reply(state: &State, answer: &Answer, aliases: &[String], outcome: &AnswerOutcome) -> Value {
    let (mut data, mut errors) = (Map::new(), Vec::new());
    let mut part = |alias: &str, failure: Option<&str>, target: CommentRef| {
        // Without the comment or issue, GitHub can't resolve its ID.
        let missing = (!state.exists(target))
            .then(|| format!("Could not resolve to a node with the global id of '{}'", id(state, target)));
        let why = missing.as_deref().map(|why| ("NOT_FOUND", why)).or(failure.map(|why| ("UNPROCESSABLE", why)));
        let made = if why.is_some() {
            Value::Null
        } else if let Some(posted) = outcome.posted.filter(|_| alias == "comment") {
            let source = CommentRef { issue: answer.source.issue, comment: posted };
            json!({ "commentEdge": { "node": { "id": id(state, source), "fullDatabaseId": posted.to_string() } } })
        } else if alias.starts_with("addAssignee") {
            let people = state.issue(target.issue.get()).map(|issue| &issue.assignees);
            let people: Vec<Value> = people.into_iter().flatten().map(|id| json!({ "databaseId": id })).collect();
            json!({ "assignable": { "assignees": { "nodes": people } } })
        } else {
            json!({ "clientMutationId": null })
        };
        data.insert(alias.to_owned(), made);
        errors.extend(why.map(|(kind, why)| error(kind, &[alias], why)));
    };
    let refusal = match &outcome.comment {
        PostOutcome::Done => None,
        PostOutcome::Refused(why) | PostOutcome::Failed(why) => Some(why.as_str()),
    };
    part("comment", refusal, CommentRef::body_of(answer.source.issue));
    for (alias, update) in aliases.iter().zip(&answer.updates) {
        let failure = outcome.failed_updates.iter().find(|(failed, why)| failed == update && why != NOT_ASSIGNED);
        let target = match update {
            Update::Rocket(source) | Update::Minimize(source) => *source,
            update => CommentRef::body_of(update.issue().expect("an issue")),
        };
        part(alias, failure.map(|(_, why)| why.as_str()), target);
    }
    if errors.is_empty() { json!({ "data": data }) } else { json!({ "data": data, "errors": errors }) }
}
