//! Answers in the GraphQL API, which names everything by global IDs.

use protocol::forge::{Answer, AnswerOutcome, PostOutcome, Update};
use serde_json::{Map, Value, json};
use table::talk::comment::Source;

use super::graphql::{error, text};
use crate::place;
use crate::world::State;

/// The label of an issue with a table.
pub(super) const LABEL: &str = "play-by-commit";
/// The global ID of the label.
pub(super) const LABEL_ID: &str = "LA_1";

/// Returns the global ID of a comment, or of an issue for its comment 0.
pub(crate) fn id(source: Source) -> String {
    if source.is_body() { format!("I_{}", source.issue) } else { format!("IC_{}_{}", source.issue, source.comment) }
}

/// Returns the comment or issue with a global ID.
fn source(id: &Value) -> Source {
    let id = text(id);
    let number = |text: &str| text.parse::<u64>().expect("a number");
    match (id.strip_prefix("I_"), id.strip_prefix("IC_").and_then(|rest| rest.split_once('_'))) {
        (Some(issue), _) => place(number(issue), 0),
        (_, Some((issue, comment))) => place(number(issue), number(comment)),
        _ => panic!("{id} isn't the ID of an issue or a comment"),
    }
}

/// Returns the answer in the variables of a mutation, and the aliases of its updates.
pub(crate) fn parse(variables: &Value) -> (Answer, Vec<String>) {
    let comment = &variables["comment"];
    let (mut updates, mut aliases) = (Vec::new(), Vec::new());
    for (alias, input) in variables.as_object().expect("variables") {
        let update = match alias.trim_end_matches(char::is_numeric) {
            "rocket" => {
                assert_eq!(input["content"], "ROCKET");
                Update::Rocket(source(&input["subjectId"]))
            }
            "label" => {
                assert_eq!(input["labelIds"], json!([LABEL_ID]));
                Update::Label(source(&input["labelableId"]).issue)
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
    let (answer, aliases) = parse(variables);
    let outcome = state.apply_answer(&answer);
    reply(state, &answer, &aliases, &outcome)
}

/// Returns GitHub's reply: null for each part that failed, with an error.
pub(crate) fn reply(state: &State, answer: &Answer, aliases: &[String], outcome: &AnswerOutcome) -> Value {
    let (mut data, mut errors) = (Map::new(), Vec::new());
    let mut part = |alias: &str, failure: Option<&str>, target: Source| {
        // Without the comment or issue, GitHub can't resolve its ID.
        let missing = (!state.exists(target))
            .then(|| format!("Could not resolve to a node with the global id of '{}'", id(target)));
        let why = missing.as_deref().map(|why| ("NOT_FOUND", why)).or(failure.map(|why| ("UNPROCESSABLE", why)));
        let made = if why.is_none() { json!({ "clientMutationId": null }) } else { Value::Null };
        data.insert(alias.to_owned(), made);
        errors.extend(why.map(|(kind, why)| error(kind, &[alias], why)));
    };
    let refusal = match &outcome.comment {
        PostOutcome::Done => None,
        PostOutcome::Refused(why) | PostOutcome::Failed(why) => Some(why.as_str()),
    };
    part("comment", refusal, Source::body_of(answer.source.issue));
    for (alias, update) in aliases.iter().zip(&answer.updates) {
        let failure = outcome.failed_updates.iter().find(|(failed, _)| failed == update);
        let target = match *update {
            Update::Rocket(source) => source,
            Update::Label(issue) | Update::Close(issue) | Update::Reopen(issue) => Source::body_of(issue),
        };
        part(alias, failure.map(|(_, why)| why.as_str()), target);
    }
    if errors.is_empty() { json!({ "data": data }) } else { json!({ "data": data, "errors": errors }) }
}
