//! The reply to `sweep.graphql`, and its conversion to an [`IssueList`].

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::ops::Range;

use chrono::{DateTime, Datelike};
use http::header::DATE;
use http::{HeaderMap, StatusCode};
use protocol::{Cursor, FileContent, IssueList, RequestError};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use table::{IssueNumber, StatePath, Timestamp};

use crate::commit::{FileEntry, to_file};
use crate::graphql::{IssueNode, Reading, RepositoryKind};

#[derive(Deserialize)]
pub(super) struct Repository {
    #[serde(flatten)]
    kind: RepositoryKind,
    #[serde(rename = "defaultBranchRef")]
    default_branch: Option<BranchRef>,
    #[serde(rename = "ref")]
    state_branch: Option<BranchRef>,
    issues: IssuePage,
}

#[derive(Deserialize)]
struct BranchRef {
    target: Option<Commit>,
}

#[derive(Deserialize)]
struct Commit {
    file: Option<Directory>,
}

#[derive(Deserialize)]
struct Directory {
    object: Option<Tree>,
}

#[derive(Deserialize)]
struct Tree {
    entries: Option<Vec<TreeEntry>>,
}

#[derive(Deserialize)]
struct TreeEntry {
    name: String,
    #[serde(flatten)]
    file: FileEntry,
}

/// The reply to `folder.graphql`.
#[derive(Deserialize)]
pub(super) struct FolderRepository {
    object: Option<Commit>,
}

impl FolderRepository {
    /// Returns the names in the folder; none if it doesn't exist.
    pub(super) fn into_names(self) -> Vec<String> {
        self.into_entries().map(|entry| entry.name).collect()
    }

    /// Returns the contents of the files in the folder, by name; none if it doesn't exist.
    pub(super) fn into_files(self, dir: &str) -> BTreeMap<String, FileContent> {
        let content = |entry: &TreeEntry| to_file(Some(&entry.file), &format!("{dir}/{}", entry.name));
        self.into_entries().map(|entry| (entry.name.clone(), content(&entry))).collect()
    }

    fn into_entries(self) -> impl Iterator<Item = TreeEntry> {
        let tree = self.object.and_then(|commit| commit.file).and_then(|folder| folder.object);
        tree.and_then(|tree| tree.entries).unwrap_or_default().into_iter()
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct IssuePage {
    page_info: ForwardPage,
    nodes: Option<Vec<Option<Issue>>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ForwardPage {
    pub(super) has_next_page: bool,
    pub(super) end_cursor: Option<String>,
}

#[derive(Deserialize)]
struct Issue {
    number: IssueNumber,
    #[serde(flatten)]
    thread: IssueNode,
}

impl Repository {
    /// Converts the reply to a page of the list.
    pub(super) fn into_list(self, viewer: String) -> Result<IssueList, RequestError> {
        let reading = Reading { viewer, kind: self.kind };
        let branch = self.state_branch.or(self.default_branch);
        let tree = branch.and_then(|branch| branch.target?.file?.object);
        let entries = tree.and_then(|tree| tree.entries).unwrap_or_default();
        let records: BTreeSet<IssueNumber> =
            entries.iter().filter_map(|entry| StatePath::parse(&entry.name)?.into_record()).collect();
        let IssuePage { page_info, nodes } = self.issues;
        let issues = nodes.unwrap_or_default().into_iter().flatten().filter(|issue| !issue.thread.is_locked());
        Ok(IssueList {
            issues: issues
                .map(|issue| Ok((issue.number, issue.thread.into_thread(&reading)?)))
                .collect::<Result<_, RequestError>>()?,
            next: if page_info.has_next_page { page_info.end_cursor.map(Cursor) } else { None },
            records,
        })
    }
}

// Raw replies from GitHub, and text from outside made safe for messages and logs.

/// The limit on a quoted message from GitHub, in characters.
pub const MAX_QUOTE: usize = 300;
/// The years that a reply can be from.
const YEARS: Range<i32> = 2025..2125;

/// An HTTP response with its whole body. Every occurrence of the token is masked.
#[derive(Debug)]
pub struct Reply {
    /// The HTTP status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body; bytes that aren't UTF-8 are replaced.
    pub text: String,
}

/// The reply to a GraphQL request. It may have both data and errors.
#[derive(Deserialize)]
pub(super) struct GraphqlReply<T> {
    pub(super) data: Option<T>,
    #[serde(default = "Vec::new")]
    pub(super) errors: Vec<GraphqlError>,
}

/// An error in the reply to a GraphQL request.
#[derive(Debug, Deserialize)]
pub(super) struct GraphqlError {
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
    #[serde(default)]
    pub(super) message: String,
    #[serde(default)]
    pub(super) path: Option<Vec<Value>>,
    #[serde(default)]
    pub(super) extensions: Option<Value>,
}

/// The reply to a GET request below the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GetReply {
    /// The HTTP status: 200 on success.
    pub status: u16,
    /// The JSON body; null unless the status is 200.
    pub body: Value,
}

/// Returns the time of a reply by its `Date` header; `None` if the header is missing or can't be right.
pub(super) fn reply_time(headers: &HeaderMap) -> Option<Timestamp> {
    let date = DateTime::parse_from_rfc2822(headers.get(DATE)?.to_str().ok()?).ok()?;
    let is_possible = YEARS.contains(&date.year());
    u64::try_from(date.timestamp_millis()).ok().filter(|_| is_possible).map(Timestamp::from_millis)
}

impl Reply {
    /// Parses the body as JSON.
    ///
    /// # Errors
    /// Returns an error if the body isn't what `T` needs. The reply counts as lost.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, RequestError> {
        // An error of serde quotes at most a word of the body.
        serde_json::from_str(&self.text).map_err(|error| unreadable_reply(&one_line(&error.to_string())))
    }

    /// Returns GitHub's error message and its details, as one line.
    pub fn message(&self) -> String {
        #[derive(Deserialize)]
        struct ErrorBody {
            #[serde(default)]
            message: String,
            #[serde(default)]
            errors: Vec<Value>,
        }
        let Ok(body) = self.json::<ErrorBody>() else {
            return "no reason given".to_owned();
        };
        let details = body.errors.iter().filter_map(|error| error["message"].as_str().or(error.as_str()));
        one_line(&std::iter::once(body.message.as_str()).chain(details).collect::<Vec<_>>().join(" "))
    }
}

/// Returns the error of a reply that can't be parsed. It counts as lost.
pub(super) fn unreadable_reply(what: &str) -> RequestError {
    RequestError::Lost(format!("GitHub's answer can't be read: {what}."))
}

/// Returns text from outside as one line without control characters, cut after [`MAX_QUOTE`] characters, safe for a log.
pub fn one_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'));
    let line = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_QUOTE) {
        Some((cut, _)) => format!("{}…", &line[..cut]),
        None => line,
    }
}

/// Returns the first error of a type among an error and its causes.
pub(super) fn find_cause<'a, E: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a E> {
    error.downcast_ref().or_else(|| find_cause(error.source()?))
}

/// Returns the message of an error's innermost cause, which is the most specific.
pub(super) fn root_cause(error: &(dyn Error + 'static)) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}
