//! Reads and adds the reactions of a ballot.

use std::collections::BTreeMap;

use protocol::RequestError;
use serde::Deserialize;
use serde_json::{Value, json};
use table::{Author, CommentRef, UserId, VoteReaction};

use crate::graphql::{Nodes, repeat_lines};
use crate::listing::{ForwardPage, GraphqlReply, unreadable_reply};
use crate::{GitHub, request_error};

const VOTES: &str = include_str!("votes.graphql");
const REACT: &str = include_str!("react.graphql");
/// The limit on the requests for the votes of one ballot. Each has up to a hundred people for each reaction.
const MAX_PAGES: usize = 6;

#[derive(Deserialize)]
struct VotesReply {
    viewer: Viewer,
    /// The ballot, with the reactions by alias.
    node: Option<BTreeMap<String, Voters>>,
}

#[derive(Deserialize)]
struct Viewer {
    login: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Voters {
    page_info: ForwardPage,
    #[serde(flatten)]
    people: Nodes<Vote>,
}

#[derive(Deserialize)]
struct Vote {
    user: Option<Voter>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Voter {
    database_id: Option<u64>,
    login: String,
}

impl GitHub {
    /// Queries [reactions](https://docs.github.com/en/graphql/reference/objects#reactionconnection) with `votes.graphql`.
    pub(super) async fn read_voters(
        &self,
        ballot: CommentRef,
        reactions: &[VoteReaction],
    ) -> Result<BTreeMap<VoteReaction, Vec<Author>>, RequestError> {
        let id = self.node_ids().comments.get(&ballot).cloned();
        let id = id.ok_or_else(|| unreadable_reply("a ballot without an ID"))?;
        let mut voters: BTreeMap<VoteReaction, Vec<Author>> = BTreeMap::new();
        let mut open: Vec<(VoteReaction, Option<String>)> =
            reactions.iter().map(|reaction| (*reaction, None)).collect();
        for _ in 0..MAX_PAGES {
            if open.is_empty() {
                break;
            }
            let mut variables = json!({ "ballot": id });
            for (index, (reaction, after)) in open.iter().enumerate() {
                variables[format!("reaction{index}")] = json!(content(*reaction));
                variables[format!("reaction{index}After")] = json!(after);
            }
            let document = repeat_lines(VOTES, "reaction", open.len());
            let VotesReply { viewer, node } = self.query_node(&document, &variables).await?;
            let Some(mut node) = node else { return Ok(voters) };
            let mut next = Vec::new();
            for (index, (reaction, _)) in open.into_iter().enumerate() {
                let Some(Voters { page_info, people }) = node.remove(&format!("reaction{index}")) else { continue };
                let people = people.nodes.unwrap_or_default().into_iter().flatten().filter_map(|vote| vote.user);
                let others = people.filter(|person| person.login != viewer.login);
                voters.entry(reaction).or_default().extend(others.filter_map(Voter::into_author));
                if page_info.has_next_page {
                    next.push((reaction, page_info.end_cursor));
                }
            }
            open = next;
        }
        Ok(voters)
    }

    /// Adds reactions with `react.graphql`, or does nothing if the comment's ID hasn't been read.
    pub(super) async fn add_votes(&self, ballot: CommentRef, reactions: &[VoteReaction]) -> Result<(), RequestError> {
        let Some(id) = self.node_ids().comments.get(&ballot).cloned() else { return Ok(()) };
        let mut variables = json!({});
        for (index, reaction) in reactions.iter().enumerate() {
            variables[format!("reaction{index}")] = json!({ "subjectId": id, "content": content(*reaction) });
        }
        let document = repeat_lines(REACT, "reaction", reactions.len());
        let reply: GraphqlReply<Value> = self.client.graphql(&document, &variables).await?;
        match reply.errors.first() {
            Some(error) if error.kind.as_deref() != Some("NOT_FOUND") => Err(request_error::from_graphql(error)),
            _ => Ok(()),
        }
    }

    async fn query_node(&self, document: &str, variables: &Value) -> Result<VotesReply, RequestError> {
        let reply: GraphqlReply<VotesReply> = self.client.graphql(document, variables).await?;
        // A ballot that somebody deleted has no votes.
        let error = reply.errors.iter().find(|error| error.kind.as_deref() != Some("NOT_FOUND"));
        error.map_or(Ok(()), |error| Err(request_error::from_graphql(error)))?;
        reply.data.ok_or_else(|| unreadable_reply("it is empty"))
    }
}

impl Voter {
    fn into_author(self) -> Option<Author> {
        Some(Author { id: UserId::new(self.database_id?), login: self.login, is_bot: false })
    }
}

/// Returns the [name](https://docs.github.com/en/graphql/reference/enums#reactioncontent) of a reaction in the GraphQL API.
pub(super) fn content(reaction: VoteReaction) -> &'static str {
    match reaction {
        VoteReaction::ThumbsUp => "THUMBS_UP",
        VoteReaction::Heart => "HEART",
        VoteReaction::Hooray => "HOORAY",
        VoteReaction::Laugh => "LAUGH",
        VoteReaction::Rocket => "ROCKET",
        VoteReaction::Eyes => "EYES",
    }
}
