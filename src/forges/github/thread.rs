//! What GraphQL answers to `read.graphql`, `page.graphql`, `sweep.graphql` and `commit.graphql`, and what it means.

use std::collections::BTreeMap;

use chrono::DateTime;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::forges::forge::Fault;
use crate::forges::github::reply::odd;
use crate::talk::comment::{Author, Millis};
use crate::talk::thread::{Comment, Cursor, File, Head, Oid, Thread};

/// The label of an issue that holds a table.
pub(super) const LABEL: &str = "play-by-commit";

#[derive(Deserialize)]
pub(super) struct Read {
    pub(super) repository: Option<Repository>,
}

#[derive(Deserialize)]
pub(super) struct Repository {
    #[serde(rename = "defaultBranchRef")]
    pub(super) default: Option<Ref>,
    #[serde(rename = "ref")]
    pub(super) own: Option<Ref>,
    first: Option<Issue>,
    second: Option<Issue>,
    newest: Option<Nodes<Newest>>,
}

#[derive(Deserialize)]
struct Newest {
    number: u64,
    comments: Remarks,
}

/// Files by the aliases that [`expand`] has given them.
#[derive(Deserialize)]
pub(super) struct Files {
    #[serde(flatten)]
    files: BTreeMap<String, Option<Entry>>,
}

#[derive(Deserialize)]
pub(super) struct Through {
    pub(super) repository: Option<ThroughRepository>,
}

#[derive(Deserialize)]
pub(super) struct ThroughRepository {
    pub(super) object: Option<Files>,
}

#[derive(Deserialize)]
pub(super) struct Ref {
    pub(super) name: String,
    target: Option<Target>,
}

#[derive(Deserialize)]
struct Target {
    oid: String,
    first: Option<Entry>,
    second: Option<Entry>,
    #[serde(flatten)]
    pages: Files,
}

#[derive(Deserialize)]
struct Entry {
    object: Option<Object>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Object {
    #[serde(rename = "__typename")]
    kind: String,
    byte_size: Option<usize>,
    is_binary: Option<bool>,
    #[serde(default)]
    is_truncated: bool,
    text: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Issue {
    locked: bool,
    labels: Option<Nodes<Label>>,
    comments: Remarks,
    #[serde(flatten)]
    body: Remark,
}

#[derive(Deserialize)]
struct Label {
    name: String,
}

#[derive(Deserialize)]
struct Nodes<T> {
    nodes: Option<Vec<Option<T>>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Remarks {
    #[serde(default)]
    total_count: u64,
    page_info: Back,
    nodes: Option<Vec<Option<Remark>>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Back {
    has_previous_page: bool,
    start_cursor: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Remark {
    #[serde(default, deserialize_with = "big")]
    full_database_id: Option<u64>,
    author: Option<Actor>,
    author_association: String,
    viewer_did_author: bool,
    body: String,
    created_at: String,
    last_edited_at: Option<String>,
    reaction_groups: Option<Vec<ReactionGroup>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Actor {
    #[serde(rename = "__typename")]
    kind: String,
    login: String,
    database_id: Option<u64>,
    user: Option<Account>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Account {
    database_id: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReactionGroup {
    content: String,
    viewer_has_reacted: bool,
}

#[derive(Deserialize)]
pub(super) struct Page {
    pub(super) repository: Option<PagedRepository>,
}

#[derive(Deserialize)]
pub(super) struct PagedRepository {
    pub(super) issue: Option<PagedIssue>,
}

#[derive(Deserialize)]
pub(super) struct PagedIssue {
    pub(super) comments: Remarks,
}

#[derive(Deserialize)]
pub(super) struct Sweep {
    pub(super) repository: Option<SweptRepository>,
}

#[derive(Deserialize)]
pub(super) struct SweptRepository {
    pub(super) issues: Swept,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Swept {
    page_info: Forward,
    nodes: Option<Vec<Option<Touched>>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Forward {
    has_next_page: bool,
    end_cursor: Option<String>,
}

#[derive(Deserialize)]
struct Touched {
    number: u64,
    locked: bool,
}

#[derive(Deserialize)]
pub(super) struct Commit {
    #[serde(rename = "createCommitOnBranch")]
    payload: Option<Payload>,
}

#[derive(Deserialize)]
struct Payload {
    commit: Option<Landed>,
}

#[derive(Deserialize)]
struct Landed {
    oid: String,
}

impl Repository {
    /// The issue that was asked for first or second.
    pub(super) fn take(&mut self, place: usize) -> Option<Issue> {
        [&mut self.first, &mut self.second].into_iter().nth(place)?.take()
    }

    /// The first comments of the newest issues.
    pub(super) fn newest(&mut self) -> Result<BTreeMap<u64, Vec<Comment>>, Fault> {
        let newest = self.newest.take().and_then(|newest| newest.nodes).unwrap_or_default();
        newest.into_iter().flatten().map(|issue| Ok((issue.number, issue.comments.page()?.0))).collect()
    }
}

impl Ref {
    /// The commit that the branch is at.
    pub(super) fn oid(&self) -> Result<Oid, Fault> {
        let oid = self.target.as_ref().and_then(|target| Oid::parse(&target.oid));
        oid.ok_or_else(|| odd("a branch without a commit"))
    }

    /// The record of the issue that was asked for first or second.
    pub(super) fn record(&self, place: usize, path: &str) -> File {
        let entry = self.target.as_ref().and_then(|target| match place {
            0 => target.first.as_ref(),
            _ => target.second.as_ref(),
        });
        file(entry, path)
    }

    /// The pages, by the paths that were asked for in this order.
    pub(super) fn pages(&self, paths: &[String]) -> BTreeMap<String, File> {
        self.target.as_ref().map(|target| target.pages.by_path(paths)).unwrap_or_default()
    }
}

impl Files {
    /// The files, by the paths that were asked for in this order.
    pub(super) fn by_path(&self, paths: &[String]) -> BTreeMap<String, File> {
        let entry = |at: usize| self.files.get(&format!("file{at}")).and_then(Option::as_ref);
        paths.iter().enumerate().map(|(at, path)| (path.clone(), file(entry(at), path))).collect()
    }
}

/// A document with its lines about `file0` repeated for so many files, and the variables that go with them.
pub(super) fn expand(document: &str, paths: &[String], variables: &mut Value) -> String {
    for (at, path) in paths.iter().enumerate() {
        variables[format!("file{at}")] = path.as_str().into();
    }
    let numbered = |line: &str| (0..paths.len()).map(|at| line.replace("file0", &format!("file{at}"))).collect();
    let lines = document.split_inclusive('\n').filter(|line| !line.starts_with('#'));
    lines.map(|line| if line.contains("file0") { numbered(line) } else { line.to_owned() }).collect()
}

fn file(entry: Option<&Entry>, path: &str) -> File {
    let Some(entry) = entry else { return File::Missing };
    let why = match &entry.object {
        Some(object) if object.kind != "Blob" => "is not a file",
        None => "is not a file",
        Some(object) if object.is_truncated => "is too large, GitHub gives only a part of it",
        Some(Object { is_binary: Some(true), .. } | Object { text: None, .. }) => "is not text",
        // What is written back has to be what was there, byte for byte.
        Some(Object { text: Some(text), byte_size: Some(size), .. }) if text.len() != *size => "is not text in UTF-8",
        Some(Object { text: Some(text), .. }) => return File::Text(text.clone()),
    };
    File::Unreadable(format!("`{path}` {why}"))
}

/// The state branch, if it is this one, or where it would be made from.
pub(super) fn head(state: Option<&Ref>, default: Option<&Ref>) -> Result<Head, Fault> {
    match state {
        Some(state) => Ok(Head::At(state.oid()?)),
        None => Ok(Head::Missing(default.map(Ref::oid).transpose()?)),
    }
}

impl Issue {
    /// The issue as the core sees it.
    pub(super) fn thread(self, record: File) -> Result<Thread, Fault> {
        let labels = self.labels.and_then(|labels| labels.nodes).unwrap_or_default();
        let total = self.comments.total_count;
        let (comments, earlier) = self.comments.page()?;
        Ok(Thread {
            total,
            locked: self.locked,
            labelled: labels.iter().flatten().any(|label| label.name == LABEL),
            body: self.body.comment(0)?,
            comments,
            earlier,
            record,
        })
    }
}

impl Remarks {
    /// One page of comments, oldest first, and where those before it are.
    pub(super) fn page(self) -> Result<(Vec<Comment>, Option<Cursor>), Fault> {
        let comment = |remark: Remark| {
            let id = remark.full_database_id.filter(|id| *id != 0).ok_or_else(|| odd("a comment without an id"))?;
            remark.comment(id)
        };
        let comments = self.nodes.unwrap_or_default().into_iter().flatten().map(comment).collect::<Result<_, _>>()?;
        let earlier = match (self.page_info.has_previous_page, self.page_info.start_cursor) {
            (false, _) => None,
            (true, Some(cursor)) => Some(Cursor(cursor)),
            (true, None) => return Err(odd("a long thread without a cursor")),
        };
        Ok((comments, earlier))
    }
}

impl Remark {
    fn comment(self, id: u64) -> Result<Comment, Fault> {
        let reactions = self.reaction_groups.unwrap_or_default();
        let is_claim = |content: &str| matches!(content, "CONFUSED" | "EYES");
        Ok(Comment {
            id,
            author: self.author.and_then(Actor::author),
            maintainer: matches!(self.author_association.as_str(), "OWNER" | "MEMBER" | "COLLABORATOR"),
            ours: self.viewer_did_author,
            text: self.body,
            time: millis(self.last_edited_at.as_deref().unwrap_or(&self.created_at))?,
            claimed: reactions.iter().any(|group| group.viewer_has_reacted && is_claim(&group.content)),
        })
    }
}

impl Actor {
    /// Whoever has no numeric id cannot be told apart from others, and is nobody.
    fn author(self) -> Option<Author> {
        let id = self.database_id.or(self.user.and_then(|user| user.database_id))?;
        let bot = !matches!(self.kind.as_str(), "User" | "EnterpriseUserAccount");
        Some(Author { id, login: self.login, bot })
    }
}

impl Swept {
    /// The unlocked issues of one page, and where the next ones are.
    pub(super) fn page(self) -> (Vec<u64>, Option<String>) {
        let touched = self.nodes.unwrap_or_default().into_iter().flatten();
        let numbers = touched.filter(|issue| !issue.locked).map(|issue| issue.number).collect();
        (numbers, self.page_info.end_cursor.filter(|_| self.page_info.has_next_page))
    }
}

impl Commit {
    /// The commit that has landed.
    pub(super) fn oid(&self) -> Option<Oid> {
        Oid::parse(&self.payload.as_ref()?.commit.as_ref()?.oid)
    }
}

fn millis(text: &str) -> Result<Millis, Fault> {
    let time = DateTime::parse_from_rfc3339(text).ok().map(|time| time.timestamp_millis());
    time.and_then(|time| Millis::try_from(time).ok()).ok_or_else(|| odd("a comment without a time"))
}

/// GraphQL writes numbers of 64 bits as strings; some servers write them plainly.
fn big<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Big {
        Number(u64),
        Text(String),
    }
    Ok(match Option::<Big>::deserialize(deserializer)? {
        Some(Big::Number(number)) => Some(number),
        Some(Big::Text(text)) => text.parse().ok(),
        None => None,
    })
}
