//! Answers in the GraphQL API, which names everything by global IDs.

use protocol::forge::{Answer, AnswerOutcome, Assignee, Label, NOT_ASSIGNED, PostOutcome, Update};
use serde_json::{Map, Value, json};
use table::comments::comment::CommentRef;
use table::ids::UserId;

use super::json::{error, text};
use crate::place;
use crate::world::{Person, State};

/// Returns the global ID of a label.
pub(super) fn label_id(label: Label) -> &'static str {
    match label {
        Label::Game => "LA_1",
        Label::OpenSeat => "LA_2",
    }
}

/// Returns the global ID of a person.
pub(super) fn person_id(id: u64) -> String {
    format!("U_{id}")
}

/// Returns the global ID of a comment, or of an issue for its comment 0.
pub(crate) fn id(source: CommentRef) -> String {
    if source.is_body() { format!("I_{}", source.issue) } else { format!("IC_{}_{}", source.issue, source.comment) }
}

/// Returns the comment or issue with a global ID.
fn source(id: &Value) -> CommentRef {
    let id = text(id);
    let number = |text: &str| text.parse::<u64>().expect("a number");
    match (id.strip_prefix("I_"), id.strip_prefix("IC_").and_then(|rest| rest.split_once('_'))) {
        (Some(issue), _) => place(number(issue), 0),
        (_, Some((issue, comment))) => place(number(issue), number(comment)),
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
            .then(|| format!("Could not resolve to a node with the global id of '{}'", id(target)));
        let why = missing.as_deref().map(|why| ("NOT_FOUND", why)).or(failure.map(|why| ("UNPROCESSABLE", why)));
        let made = if why.is_some() {
            Value::Null
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
            Update::Rocket(source) => *source,
            update => CommentRef::body_of(update.issue().expect("an issue")),
        };
        part(alias, failure.map(|(_, why)| why.as_str()), target);
    }
    if errors.is_empty() { json!({ "data": data }) } else { json!({ "data": data, "errors": errors }) }
}
