//! The replies to the GraphQL documents in this folder, and their conversion to the core's types.

use std::collections::BTreeMap;

use chrono::DateTime;
use protocol::{
    AnswerClaims, Assignee, Comment, Cursor, FileContent, Head, Label, RequestError, SettingsFile, Thread,
    shown_permission,
};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};
use table::{Author, CommentId, CommentRef, IssueNumber, Oid, RepositoryId, Timestamp, UserId, VoteReaction};

use crate::commit::{BlobNode, FileEntries};
use crate::listing::unreadable_reply;
use crate::{request_error, votes};

/// The data of a query about the repository.
#[derive(Deserialize)]
pub(super) struct RepositoryReply<T> {
    #[serde(default)]
    viewer: Option<Account>,
    repository: Option<T>,
    /// The owner's repository `.github`, if the query asks for it.
    #[serde(default)]
    shared: Option<SharedRepository>,
}

/// The repository with the settings of all repositories that have none of their own.
#[derive(Deserialize)]
struct SharedRepository {
    #[serde(default)]
    settings: Option<BlobNode>,
}

/// Whose token read the comments, and in which kind of repository.
pub(super) struct Reading {
    /// The login that the token belongs to. It ends in `[bot]` for an app.
    pub(super) viewer: String,
    pub(super) kind: RepositoryKind,
}

/// Who owns the repository and who can see it.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RepositoryKind {
    #[serde(default = "yes")]
    is_in_organization: bool,
    #[serde(default = "yes")]
    is_private: bool,
}

/// A server that doesn't say what kind of repository it is gets no shortcut.
fn yes() -> bool {
    true
}

#[derive(Deserialize)]
pub(super) struct Repository {
    #[serde(default)]
    id: Option<String>,
    #[serde(flatten)]
    pub(super) kind: RepositoryKind,
    #[serde(default, rename = "databaseId")]
    pub(super) database_id: Option<RepositoryId>,
    #[serde(rename = "defaultBranchRef")]
    pub(super) default_branch: Option<BranchRef>,
    #[serde(rename = "ref")]
    pub(super) state_branch: Option<BranchRef>,
    #[serde(rename = "gameLabel")]
    game_label: Option<Node>,
    #[serde(rename = "openSeatLabel")]
    open_seat_label: Option<Node>,
    newest: Option<Nodes<NewestIssue>>,
    #[serde(default)]
    settings: Option<BlobNode>,
    /// The issues by the aliases from [`expand`].
    #[serde(flatten)]
    issues: BTreeMap<String, Option<IssueNode>>,
}

/// An object of which only the global ID is needed.
#[derive(Deserialize)]
struct Node {
    id: String,
}

#[derive(Deserialize)]
struct NewestIssue {
    number: IssueNumber,
    comments: CommentPage,
}

#[derive(Deserialize)]
pub(super) struct FilesRepository {
    pub(super) object: Option<FileEntries>,
}

#[derive(Deserialize)]
pub(super) struct BranchRef {
    pub(super) name: String,
    target: Option<Target>,
}

#[derive(Deserialize)]
struct Target {
    oid: String,
    #[serde(flatten)]
    files: FileEntries,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct IssueNode {
    #[serde(default)]
    repository: Option<Node>,
    locked: bool,
    #[serde(default)]
    closed: bool,
    #[serde(default)]
    state_reason: Option<String>,
    #[serde(default)]
    title: String,
    labels: Option<Nodes<LabelNode>>,
    #[serde(default)]
    assignees: Option<Nodes<AssigneeNode>>,
    #[serde(default)]
    deletions: Option<Nodes<TimelineEvent>>,
    #[serde(default)]
    unlocks: Option<Nodes<TimelineEvent>>,
    comments: CommentPage,
    #[serde(flatten)]
    body: CommentNode,
}

#[derive(Deserialize)]
struct LabelNode {
    name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AssigneeNode {
    id: String,
    database_id: Option<u64>,
    login: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TimelineEvent {
    created_at: String,
}

#[derive(Deserialize)]
pub(super) struct Nodes<T> {
    pub(super) nodes: Option<Vec<Option<T>>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CommentPage {
    #[serde(default)]
    total_count: u64,
    page_info: BackwardPage,
    nodes: Option<Vec<Option<CommentNode>>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct BackwardPage {
    has_previous_page: bool,
    start_cursor: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CommentNode {
    id: String,
    #[serde(default, deserialize_with = "number_or_text")]
    full_database_id: Option<u64>,
    author: Option<Actor>,
    author_association: String,
    viewer_did_author: bool,
    body: String,
    created_at: String,
    last_edited_at: Option<String>,
    #[serde(default)]
    editor: Option<Account>,
    #[serde(default)]
    is_minimized: bool,
    reaction_groups: Option<Vec<ReactionGroup>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Actor {
    #[serde(rename = "__typename")]
    kind: String,
    login: String,
    /// The global ID of a person, if the query asks for it.
    #[serde(default)]
    id: Option<String>,
    database_id: Option<u64>,
    user: Option<EnterpriseAccount>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct EnterpriseAccount {
    database_id: Option<u64>,
}

/// An account. Only its login is needed.
#[derive(Deserialize)]
struct Account {
    login: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReactionGroup {
    content: String,
    viewer_has_reacted: bool,
}

#[derive(Deserialize)]
pub(super) struct PageRepository {
    #[serde(flatten)]
    pub(super) kind: RepositoryKind,
    pub(super) issue: Option<PageIssue>,
}

#[derive(Deserialize)]
pub(super) struct PageIssue {
    pub(super) comments: CommentPage,
}

#[derive(Deserialize)]
pub(super) struct CommitReply {
    #[serde(rename = "createCommitOnBranch")]
    payload: Option<Payload>,
}

#[derive(Deserialize)]
struct Payload {
    commit: Option<LandedCommit>,
}

#[derive(Deserialize)]
struct LandedCommit {
    oid: String,
}

impl<T> RepositoryReply<T> {
    /// Takes the login that the token belongs to; empty if the query doesn't ask for it.
    pub(super) fn take_viewer(&mut self) -> String {
        self.viewer.take().map(|viewer| viewer.login).unwrap_or_default()
    }

    /// Takes the settings file of the owner's repository `.github`.
    pub(super) fn take_shared_settings(&mut self) -> Option<SettingsFile> {
        self.shared.take()?.settings?.into_settings(true)
    }

    /// Returns the repository.
    ///
    /// # Errors
    /// Returns an error if the token can't see it.
    pub(super) fn into_repository(self) -> Result<T, RequestError> {
        self.repository.ok_or_else(|| request_error::repository_not_found("Not Found"))
    }
}

impl Repository {
    /// Takes the issue that the query asked for at this index; `None` if it was deleted, or transferred to another repository.
    pub(super) fn take_issue(&mut self, index: usize) -> Option<IssueNode> {
        let issue = self.issues.get_mut(&format!("issue{index}"))?.take()?;
        // GitHub may follow a transferred issue to its new repository.
        let is_elsewhere =
            issue.repository.as_ref().zip(self.id.as_ref()).is_some_and(|(there, here)| there.id != *here);
        if is_elsewhere { None } else { Some(issue) }
    }

    /// Takes the settings file on the default branch.
    pub(super) fn take_settings(&mut self) -> Option<SettingsFile> {
        self.settings.take()?.into_settings(false)
    }

    /// Takes the IDs of the labels that the repository has.
    pub(super) fn take_labels(&mut self) -> BTreeMap<Label, String> {
        let labels = [(Label::Game, self.game_label.take()), (Label::OpenSeat, self.open_seat_label.take())];
        labels.into_iter().filter_map(|(label, node)| Some((label, node?.id))).collect()
    }

    /// Takes the first comments of the newest issues, by issue number.
    pub(super) fn take_newest_issues(
        &mut self,
        reading: &Reading,
    ) -> Result<BTreeMap<IssueNumber, Vec<Comment>>, RequestError> {
        let newest = self.newest.take().and_then(|newest| newest.nodes).unwrap_or_default();
        newest.into_iter().flatten().map(|issue| Ok((issue.number, issue.comments.into_comments(reading)?.0))).collect()
    }
}

impl BranchRef {
    /// Returns the commit at the head of the branch.
    pub(super) fn oid(&self) -> Result<Oid, RequestError> {
        let oid = self.target.as_ref().and_then(|target| Oid::parse(&target.oid));
        oid.ok_or_else(|| unreadable_reply("a branch without a commit"))
    }

    /// Returns the files by path. `paths` are those of the query, in the same order.
    pub(super) fn files(&self, paths: &[String]) -> BTreeMap<String, FileContent> {
        self.target.as_ref().map(|target| target.files.by_path(paths)).unwrap_or_default()
    }
}

/// Repeats each line of a document that contains an alias such as `file0`, once for every value, and sets the variables
/// `file0`, `file1` and so on to the values.
///
/// A document without such a line would have an unused fragment, which is an error. So if there are no values, the line stays,
/// its variable is `unused`, and the caller has to exclude the line with another variable.
pub(super) fn expand<T: Serialize>(
    document: &str,
    alias: &str,
    values: &[T],
    unused: T,
    variables: &mut Value,
) -> String {
    let values = if values.is_empty() { std::slice::from_ref(&unused) } else { values };
    for (index, value) in values.iter().enumerate() {
        variables[format!("{alias}{index}")] = json!(value);
    }
    repeat_lines(document, alias, values.len())
}

/// Repeats each line of a document that contains an alias such as `file0`, once for every index below `count`.
pub(super) fn repeat_lines(document: &str, alias: &str, count: usize) -> String {
    let first = format!("{alias}0");
    let mut repeated = String::new();
    for line in document.split_inclusive('\n').filter(|line| !line.starts_with('#')) {
        if line.contains(&first) {
            repeated.extend((0..count).map(|index| line.replace(&first, &format!("{alias}{index}"))));
        } else {
            repeated += line;
        }
    }
    repeated
}

/// Returns the head of the state branch; if the branch doesn't exist, the commit to create it from.
pub(super) fn to_head(
    state_branch: Option<&BranchRef>,
    default_branch: Option<&BranchRef>,
) -> Result<Head, RequestError> {
    match state_branch {
        Some(branch) => Ok(Head::Commit(branch.oid()?)),
        None => Ok(Head::Missing { create_from: default_branch.map(BranchRef::oid).transpose()? }),
    }
}

/// Returns the time of the last event in a part of a timeline.
fn last_event_time(events: Option<Nodes<TimelineEvent>>) -> Result<Option<Timestamp>, RequestError> {
    let events = events.and_then(|events| events.nodes).unwrap_or_default();
    events.iter().flatten().next_back().map(|event| parse_timestamp(&event.created_at)).transpose()
}

impl IssueNode {
    /// Converts the issue to the core's [`Thread`].
    pub(super) fn into_thread(self, reading: &Reading) -> Result<Thread, RequestError> {
        let labels = self.labels.and_then(|labels| labels.nodes).unwrap_or_default();
        let labels: Vec<String> = labels.into_iter().flatten().map(|label| label.name).collect();
        let has = |wanted: Label| labels.iter().any(|label| label == wanted.name());
        let assignees = self.assignees.and_then(|people| people.nodes).unwrap_or_default();
        let assignees = assignees.into_iter().flatten().filter_map(AssigneeNode::into_assignee).collect();
        let comment_count = self.comments.total_count;
        let (comments, earlier_cursor) = self.comments.into_comments(reading)?;
        Ok(Thread {
            comment_count,
            is_locked: self.locked,
            is_closed: self.closed,
            was_reopened: self.state_reason.as_deref() == Some("REOPENED"),
            has_label: has(Label::Game),
            has_open_seat_label: has(Label::OpenSeat),
            labels,
            assignees,
            title: self.title,
            body: self.body.into_comment(CommentId::BODY, reading)?,
            comments,
            last_deletion: last_event_time(self.deletions)?,
            last_unlock: last_event_time(self.unlocks)?,
            earlier_cursor,
        })
    }

    /// Whether only people with write access can comment.
    pub(super) fn is_locked(&self) -> bool {
        self.locked
    }

    /// Returns the global IDs of the issue and its comments.
    pub(super) fn node_ids(&self, issue: IssueNumber) -> impl Iterator<Item = (CommentRef, String)> {
        let body = (CommentRef::body_of(issue), self.body.id.clone());
        std::iter::once(body).chain(self.comments.node_ids(issue))
    }

    /// Returns the global IDs of the people who wrote in the thread or are assigned to the issue.
    pub(super) fn people(&self) -> impl Iterator<Item = (UserId, String)> {
        let assigned = self.assignees.iter().flat_map(|people| &people.nodes).flatten().flatten();
        let assigned = assigned.filter_map(|person| Some((UserId::new(person.database_id?), person.id.clone())));
        assigned.chain(self.body.person()).chain(self.comments.people())
    }
}

impl CommentPage {
    /// Returns the global IDs of the comments.
    pub(super) fn node_ids(&self, issue: IssueNumber) -> impl Iterator<Item = (CommentRef, String)> {
        let nodes = self.nodes.iter().flatten().flatten();
        nodes.filter_map(move |node| {
            let comment = CommentId::new(node.full_database_id?);
            Some((CommentRef { issue, comment }, node.id.clone()))
        })
    }

    /// Returns the global IDs of the people who wrote the comments.
    pub(super) fn people(&self) -> impl Iterator<Item = (UserId, String)> {
        self.nodes.iter().flatten().flatten().filter_map(CommentNode::person)
    }

    /// Returns the comments of the page, oldest first, and the cursor to the earlier ones.
    pub(super) fn into_comments(self, reading: &Reading) -> Result<(Vec<Comment>, Option<Cursor>), RequestError> {
        let convert = |node: CommentNode| {
            let id = node
                .full_database_id
                .filter(|id| *id != 0)
                .ok_or_else(|| unreadable_reply("a comment without an id"))?;
            node.into_comment(CommentId::new(id), reading)
        };
        let comments = self.nodes.unwrap_or_default().into_iter().flatten().map(convert).collect::<Result<_, _>>()?;
        let earlier = match (self.page_info.has_previous_page, self.page_info.start_cursor) {
            (false, _) => None,
            (true, Some(cursor)) => Some(Cursor(cursor)),
            (true, None) => return Err(unreadable_reply("a long thread without a cursor")),
        };
        Ok((comments, earlier))
    }
}

impl AssigneeNode {
    fn into_assignee(self) -> Option<Assignee> {
        Some(Assignee { id: UserId::new(self.database_id?), login: self.login })
    }
}

impl CommentNode {
    /// Returns the global ID of the person who wrote the comment.
    fn person(&self) -> Option<(UserId, String)> {
        let author = self.author.as_ref()?;
        Some((UserId::new(author.database_id?), author.id.clone()?))
    }

    /// Converts the comment to the core's [`Comment`].
    fn into_comment(self, id: CommentId, Reading { viewer, kind }: &Reading) -> Result<Comment, RequestError> {
        // Either sign is enough.
        let by_us = self.viewer_did_author || self.author.as_ref().is_some_and(|author| author.is_viewer(viewer));
        let reactions = self.reaction_groups.unwrap_or_default();
        let has_reacted =
            |content: &str| reactions.iter().any(|group| group.viewer_has_reacted && group.content == content);
        let login = self.author.as_ref().map(|author| author.login.as_str());
        let edited_by_other =
            self.last_edited_at.is_some() && self.editor.as_ref().map(|by| by.login.as_str()) != login;
        Ok(Comment {
            id,
            permission: shown_permission(&self.author_association, !kind.is_in_organization && !kind.is_private),
            by_us,
            created_at: parse_timestamp(&self.created_at)?,
            updated_at: parse_timestamp(self.last_edited_at.as_deref().unwrap_or(&self.created_at))?,
            edited_by_other,
            is_minimized: self.is_minimized,
            claims: AnswerClaims {
                refusal: has_reacted("CONFUSED"),
                show: has_reacted("EYES"),
                votes: VoteReaction::ALL.iter().filter(|vote| has_reacted(votes::content(**vote))).count(),
            },
            author: self.author.and_then(Actor::into_author),
            text: self.body,
        })
    }
}

impl Actor {
    /// Whether this is the viewer's account. An app's login ends in `[bot]` as a viewer, but not as an author.
    fn is_viewer(&self, viewer: &str) -> bool {
        match viewer.strip_suffix("[bot]") {
            Some(app) => self.kind == "Bot" && self.login.trim_end_matches("[bot]") == app,
            None => self.login == viewer,
        }
    }

    /// Converts the account; `None` without a numeric ID, which identifies a person.
    fn into_author(self) -> Option<Author> {
        let id = self.database_id.or(self.user.and_then(|user| user.database_id))?;
        let bot = !matches!(self.kind.as_str(), "User" | "EnterpriseUserAccount");
        Some(Author { id: UserId::new(id), login: self.login, is_bot: bot })
    }
}

impl CommitReply {
    /// Returns the new commit.
    pub(super) fn oid(&self) -> Option<Oid> {
        Oid::parse(&self.payload.as_ref()?.commit.as_ref()?.oid)
    }
}

fn parse_timestamp(text: &str) -> Result<Timestamp, RequestError> {
    let time = DateTime::parse_from_rfc3339(text).ok().and_then(|time| u64::try_from(time.timestamp_millis()).ok());
    time.map(Timestamp::from_millis).ok_or_else(|| unreadable_reply("a comment without a time"))
}

/// Deserializes a 64-bit number, which GitHub writes as a string and some servers as a number.
fn number_or_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Number64 {
        Number(u64),
        Text(String),
    }
    Ok(match Option::<Number64>::deserialize(deserializer)? {
        Some(Number64::Number(number)) => Some(number),
        Some(Number64::Text(text)) => text.parse().ok(),
        None => None,
    })
}
