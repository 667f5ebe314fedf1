//! Posts an answer and its updates with one mutation. Any part of it can fail alone.

use std::collections::BTreeMap;

use http::{HeaderMap, Method};
use protocol::forge::{Answer, AnswerOutcome, Fault, Forge, PostOutcome, Update};
use serde_json::{Value, json};
use table::ids::IssueNumber;
use table::talk::comment::Source;

use crate::graphql::repeat_lines;
use crate::reply::{GraphqlError, GraphqlReply, one_line, unreadable_reply};
use crate::{GitHub, fault};

const ANSWER: &str = include_str!("answer.graphql");

/// The parts of the reply, by alias. A part is null if it failed.
type Parts = BTreeMap<String, Option<Value>>;

/// The global IDs of the issues, comments and the label that a forge has read. They never change.
#[derive(Debug, Default)]
pub(super) struct NodeIds {
    /// The IDs of comments, and of issues as their comment 0.
    pub(super) comments: BTreeMap<Source, String>,
    /// The ID of the label `play-by-commit`; `None` if the repository doesn't have it.
    pub(super) label: Option<String>,
}

impl NodeIds {
    fn of_issue(&self, issue: IssueNumber) -> Option<&String> {
        self.comments.get(&Source::body_of(issue))
    }

    /// Returns the alias of an update's kind in the document, and its input; `None` without an ID that it needs.
    fn part(&self, update: Update) -> Option<(&'static str, Value)> {
        match update {
            Update::Rocket(source) => {
                Some(("rocket", json!({ "subjectId": self.comments.get(&source)?, "content": "ROCKET" })))
            }
            Update::Label(issue) => {
                Some(("label", json!({ "labelableId": self.of_issue(issue)?, "labelIds": [self.label.as_ref()?] })))
            }
            Update::Close(issue) => {
                Some(("close", json!({ "issueId": self.of_issue(issue)?, "stateReason": "COMPLETED" })))
            }
            Update::Reopen(_) => None,
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
    /// Composes the mutation; `None` without the ID of the command's issue.
    fn compose(answer: &Answer, ids: &NodeIds) -> Option<Mutation> {
        let subject = ids.of_issue(answer.source.issue)?;
        let mut variables = json!({ "comment": { "subjectId": subject, "body": answer.body } });
        let (mut updates, mut left_out) = (Vec::new(), Vec::new());
        let mut counts = BTreeMap::from(["rocket", "label", "close"].map(|kind| (kind, 0)));
        for update in &answer.updates {
            let Some((kind, input)) = ids.part(*update) else {
                left_out.push(*update);
                continue;
            };
            let count = counts.entry(kind).or_default();
            let alias = format!("{kind}{count}");
            *count += 1;
            variables[&alias] = input;
            updates.push((alias, *update));
        }
        let document = counts.iter().fold(ANSWER.to_owned(), |text, (kind, count)| repeat_lines(&text, kind, *count));
        Some(Mutation { document, variables, updates, left_out })
    }
}

impl GitHub {
    /// [Creates an issue comment](https://docs.github.com/en/rest/issues/comments#create-an-issue-comment). The
    /// status says why an issue takes no comment.
    pub(super) async fn post_comment(&self, answer: &Answer) -> Result<PostOutcome, Fault> {
        let path = format!("issues/{}/comments", answer.source.issue);
        let reply = self.rest(Method::POST, &path, Some(json!({ "body": answer.body }))).await?;
        let message = reply.message();
        match reply.status.as_u16() {
            201 => Ok(PostOutcome::Done),
            404 | 410 | 422 => Ok(PostOutcome::Refused(message)),
            403 if fault::refuses_comments(&message) => Ok(PostOutcome::Refused(message)),
            _ => Err(fault::from_refusal(&reply)),
        }
    }

    /// Posts an answer with its updates in one request. GitHub creates a missing label only by REST, which is one more.
    pub(super) async fn send_answer(&self, answer: &Answer) -> Result<AnswerOutcome, Fault> {
        let mutation = Mutation::compose(answer, &self.node_ids());
        let Some(Mutation { document, variables, updates, left_out }) = mutation else {
            return Ok(AnswerOutcome { comment: self.post_comment(answer).await?, failed_updates: Vec::new() });
        };
        let (reply, headers) = self.client.graphql_parts(&document, &variables).await?;
        let mut outcome = to_outcome(&reply, &headers, &updates)?;
        // An update without the ID of its comment or issue is about something that the run hasn't read.
        for update in left_out.into_iter().filter(|update| matches!(update, Update::Label(_))) {
            if let Err(fault) = self.update(update).await {
                outcome.failed_updates.push((update, fault.to_string()));
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
) -> Result<AnswerOutcome, Fault> {
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
        match fault::from_rate_limit(error, headers).unwrap_or_else(|| fault::from_graphql(error)) {
            Fault::Fatal(_) => PostOutcome::Failed(one_line(&error.message)),
            fault => return Err(fault),
        }
    };
    let failed = updates.iter().filter(|(alias, _)| !is_made(alias));
    let failed_updates = failed.map(|(alias, update)| {
        let why = error_of(alias).map_or("GitHub gave no reason.".to_owned(), |error| one_line(&error.message));
        (*update, why)
    });
    Ok(AnswerOutcome { comment, failed_updates: failed_updates.collect() })
}
