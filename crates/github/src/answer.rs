//! Posts an answer and its updates with one mutation. Any part of it can fail alone.

use std::collections::BTreeMap;

use http::{HeaderMap, Method};
use protocol::{Answer, AnswerOutcome, Assignee, Label, NOT_ASSIGNED, PostOutcome, RequestError, Update};
use serde_json::{Value, json};
use table::{CommentId, CommentRef, IssueNumber, UserId};

use crate::graphql::repeat_lines;
use crate::listing::{GraphqlError, GraphqlReply, unreadable_reply};
use crate::{GitHub, one_line, request_error};

const ANSWER: &str = include_str!("answer.graphql");

/// The kinds of updates, as the document names them.
const KINDS: [&str; 8] =
    ["rocket", "addLabel", "removeLabel", "title", "removeAssignee", "addAssignee", "close", "minimize"];

/// The parts of the reply, by alias. A part is null if it failed.
type Parts = BTreeMap<String, Option<Value>>;

/// The global IDs that a forge has read. They never change.
#[derive(Debug, Default)]
pub(super) struct NodeIds {
    /// The IDs of comments. An issue's ID is that of its comment 0.
    pub(super) comments: BTreeMap<CommentRef, String>,
    /// The IDs of the labels that the repository has.
    pub(super) labels: BTreeMap<Label, String>,
    /// The IDs of the people who wrote in the threads or are assigned to the issues. Empty unless the host wants assignments.
    pub(super) people: BTreeMap<UserId, String>,
}

impl NodeIds {
    fn of_issue(&self, issue: IssueNumber) -> Option<&String> {
        self.comments.get(&CommentRef::body_of(issue))
    }

    /// Returns the alias of an update's kind in the document, and its input; `None` if an ID that it needs hasn't been read.
    fn part(&self, update: &Update) -> Option<(&'static str, Value)> {
        let label_input = |issue: &IssueNumber, label: &Label| {
            Some(json!({ "labelableId": self.of_issue(*issue)?, "labelIds": [self.labels.get(label)?] }))
        };
        let person_input = |issue: &IssueNumber, person: &Assignee| {
            Some(json!({ "assignableId": self.of_issue(*issue)?, "assigneeIds": [self.people.get(&person.id)?] }))
        };
        match update {
            Update::Rocket(source) => {
                Some(("rocket", json!({ "subjectId": self.comments.get(source)?, "content": "ROCKET" })))
            }
            Update::Label(issue, label) => Some(("addLabel", label_input(issue, label)?)),
            Update::Unlabel(issue, label) => Some(("removeLabel", label_input(issue, label)?)),
            Update::Title(issue, title) => Some(("title", json!({ "id": self.of_issue(*issue)?, "title": title }))),
            Update::Unassign(issue, person) => Some(("removeAssignee", person_input(issue, person)?)),
            Update::Assign(issue, person) => Some(("addAssignee", person_input(issue, person)?)),
            Update::Minimize(comment) => {
                Some(("minimize", json!({ "subjectId": self.comments.get(comment)?, "classifier": "OUTDATED" })))
            }
            Update::Close(issue) => {
                Some(("close", json!({ "issueId": self.of_issue(*issue)?, "stateReason": "COMPLETED" })))
            }
            Update::Vote(..) | Update::Reopen(_) => None,
        }
    }
}

/// A mutation with an answer's parts.
struct Mutation {
    document: String,
    variables: Value,
    /// The updates in the mutation, with their aliases.
    updates: Vec<(String, Update)>,
    /// The updates that lack an ID.
    left_out: Vec<Update>,
}

impl Mutation {
    /// Composes the mutation; `None` if the ID of the command's issue hasn't been read.
    fn compose(answer: &Answer, ids: &NodeIds) -> Option<Mutation> {
        let subject = ids.of_issue(answer.source.issue)?;
        let mut variables = json!({ "comment": { "subjectId": subject, "body": answer.body } });
        let (mut updates, mut left_out) = (Vec::new(), Vec::new());
        let mut counts = BTreeMap::from(KINDS.map(|kind| (kind, 0)));
        for update in &answer.updates {
            let Some((kind, input)) = ids.part(update) else {
                left_out.push(update.clone());
                continue;
            };
            let count = counts.entry(kind).or_default();
            let alias = format!("{kind}{count}");
            *count += 1;
            variables[&alias] = input;
            updates.push((alias, update.clone()));
        }
        let document = counts.iter().fold(ANSWER.to_owned(), |text, (kind, count)| repeat_lines(&text, kind, *count));
        Some(Mutation { document, variables, updates, left_out })
    }
}

impl GitHub {
    /// [Creates an issue comment](https://docs.github.com/en/rest/issues/comments#create-an-issue-comment). The
    /// status says why an issue takes no comment.
    pub(super) async fn post_comment(&self, answer: &Answer) -> Result<AnswerOutcome, RequestError> {
        let path = format!("issues/{}/comments", answer.source.issue);
        let reply = self.rest(Method::POST, &path, Some(json!({ "body": answer.body }))).await?;
        let message = reply.message();
        let (comment, posted) = match reply.status.as_u16() {
            201 => {
                // The status alone says that the comment is there.
                let body: Value = reply.json().unwrap_or_default();
                (PostOutcome::Done, self.note_posted(answer.source.issue, &body["node_id"], &body["id"]))
            }
            404 | 410 | 422 => (PostOutcome::Refused(message), None),
            403 if request_error::refuses_comments(&message) => (PostOutcome::Refused(message), None),
            _ => return Err(request_error::from_refusal(&reply)),
        };
        Ok(AnswerOutcome { comment, posted, failed_updates: Vec::new() })
    }

    /// Notes the global ID of a comment that was just posted, and returns its ID. `None` if the reply lacks one of them.
    fn note_posted(&self, issue: IssueNumber, node: &Value, id: &Value) -> Option<CommentId> {
        let id = id.as_u64().or_else(|| id.as_str()?.parse().ok()).map(CommentId::new)?;
        self.node_ids().comments.insert(CommentRef { issue, comment: id }, node.as_str()?.to_owned());
        Some(id)
    }

    /// Posts an answer with its updates in one request. A label that the repository lacks takes another request, because GitHub
    /// creates it only by REST. If the issue's ID hasn't been read, posts the answer without its updates.
    pub(super) async fn send_answer(&self, answer: &Answer) -> Result<AnswerOutcome, RequestError> {
        let mutation = Mutation::compose(answer, &self.node_ids());
        let Some(Mutation { document, variables, updates, left_out }) = mutation else {
            return self.post_comment(answer).await;
        };
        let (reply, headers) = self.client.graphql_parts(&document, &variables).await?;
        let mut outcome = to_outcome(&reply, &headers, &updates)?;
        let posted = reply.data.as_ref().and_then(|parts| parts.get("comment")?.as_ref()?.pointer("/commentEdge/node"));
        outcome.posted =
            posted.and_then(|node| self.note_posted(answer.source.issue, &node["id"], &node["fullDatabaseId"]));
        // Drop the other updates without an ID: the run hasn't read their comment or issue.
        let mut labels: BTreeMap<IssueNumber, Vec<Label>> = BTreeMap::new();
        for update in left_out {
            if let Update::Label(issue, label) = update {
                labels.entry(issue).or_default().push(label);
            }
        }
        for (issue, labels) in labels {
            let names: Vec<&str> = labels.iter().map(|label| label.name()).collect();
            if let Err(error) = self.add_labels(issue, &names).await {
                let failed = labels.into_iter().map(|label| (Update::Label(issue, label), error.to_string()));
                outcome.failed_updates.extend(failed);
            }
        }
        Ok(outcome)
    }
}

/// Returns the outcome of each part.
fn to_outcome(
    reply: &GraphqlReply<Parts>,
    headers: &HeaderMap,
    updates: &[(String, Update)],
) -> Result<AnswerOutcome, RequestError> {
    let error_of = |alias: &str| {
        let is_about =
            |error: &&GraphqlError| error.path.as_ref().is_some_and(|path| path.first() == Some(&alias.into()));
        reply.errors.iter().find(is_about)
    };
    let parts = reply.data.as_ref();
    let is_made = |alias: &str| parts.is_some_and(|parts| parts.get(alias).is_some_and(Option::is_some));
    let comment = if is_made("comment") {
        PostOutcome::Done
    } else {
        // An error without a path is about the whole request.
        let error = error_of("comment").or(reply.errors.iter().find(|error| error.path.is_none()));
        let error = error.ok_or_else(|| unreadable_reply("an answer without its comment"))?;
        match request_error::from_rate_limit(error, headers).unwrap_or_else(|| request_error::from_graphql(error)) {
            RequestError::Fatal(_) => PostOutcome::Failed(one_line(&error.message)),
            error => return Err(error),
        }
    };
    let failed_updates = updates.iter().filter_map(|(alias, update)| {
        let why = match (update, parts.and_then(|parts| parts.get(alias)?.as_ref())) {
            (Update::Assign(_, person), Some(part)) if !names_assignee(part, person.id) => NOT_ASSIGNED.to_owned(),
            (_, Some(_)) => return None,
            (_, None) => error_of(alias).map_or("GitHub gave no reason.".to_owned(), |error| one_line(&error.message)),
        };
        Some((update.clone(), why))
    });
    Ok(AnswerOutcome { comment, posted: None, failed_updates: failed_updates.collect() })
}

/// Whether a person is among the assignees in the reply to an assignment.
fn names_assignee(part: &Value, id: UserId) -> bool {
    let people = part.pointer("/assignable/assignees/nodes").and_then(Value::as_array);
    people.into_iter().flatten().any(|person| person["databaseId"] == json!(id))
}
