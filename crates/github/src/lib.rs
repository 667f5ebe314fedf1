//! [`Forge`] over GitHub's API.
//!
//! One read is one [GraphQL](https://docs.github.com/en/graphql) request, one commit is one GraphQL request, everything
//! else is one [REST](https://docs.github.com/en/rest) request, by a route of octocrab's. The documents beside this file
//! fit the schema that GitHub publishes; `.ci/graphql.mjs` holds them to it. A reply is judged here, by its status and by as
//! little of its body as will do.

pub mod authorship;
pub mod client;
pub mod event;
mod fault;
mod graphql;
pub mod probe;
pub mod reply;
pub mod web;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;
use std::time::Duration;

use async_trait::async_trait;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use chrono::{DateTime, SecondsFormat};
use http::Method;
use protocol::clock::Clock;
use protocol::forge::{
    COMMENTS_PER_PAGE, Change, Claim, CommitOutcome, Environment, Fault, Forge, PostOutcome, Reaction, random_bytes,
};
use serde::Deserialize;
use serde_json::{Value, json};
use table::talk::comment::{Millis, Source};
use table::talk::thread::{Comment, Cursor, FileContent, Oid, Snapshot};

use crate::client::{ApiClient, Connections};
use crate::graphql::{CommitReply, RepositoryReply};
use crate::reply::{GetReply, GraphqlReply, Reply, one_line, unreadable_reply};

const READ: &str = concat!(include_str!("read.graphql"), include_str!("comment.fragment.graphql"));
const FILES: &str = include_str!("files.graphql");
const PAGE: &str = concat!(include_str!("page.graphql"), include_str!("comment.fragment.graphql"));
const SWEEP: &str = include_str!("sweep.graphql");
const COMMIT: &str = include_str!("commit.graphql");

/// The limit on a sweep, in pages of a hundred issues.
const MAX_SWEEP_PAGES: usize = 10;

/// The repository, its APIs, and the token that they are used with.
#[derive(Clone)]
pub struct Settings {
    /// The token: of the workflow, or of a person's or machine's account.
    pub token: String,
    /// The address of the REST API: `https://api.github.com`.
    pub api_url: String,
    /// The address of the GraphQL API: `https://api.github.com/graphql`.
    pub graphql_url: String,
    /// The repository's owner.
    pub owner: String,
    /// The repository's name.
    pub name: String,
    /// The state branch; `None` for the default branch.
    pub branch: Option<String>,
    /// The directory of the records: `state`.
    pub state_dir: String,
    /// The time limit of one request, from the first byte sent to the last byte received.
    pub timeout: Duration,
}

impl Settings {
    /// The usual time limit of one request.
    pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);
}

/// Shows everything but the token.
impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("token", &"***")
            .field("api_url", &self.api_url)
            .field("graphql_url", &self.graphql_url)
            .field("repository", &format_args!("{}/{}", self.owner, self.name))
            .field("branch", &self.branch)
            .field("state_dir", &self.state_dir)
            .field("timeout", &self.timeout)
            .finish()
    }
}

/// A repository on GitHub or on a GitHub Enterprise Server.
pub struct GitHub {
    settings: Settings,
    client: ApiClient,
    /// The name of the default branch, once it has been read.
    default_branch: OnceLock<String>,
    clock: Clock,
}

/// The reply to a read, before the core's data is made of it.
struct ReadReply {
    /// The issues that were asked for.
    issues: Vec<u64>,
    /// The login that the token speaks for.
    viewer: String,
    repository: graphql::Repository,
}

/// Shows everything but the token.
impl fmt::Debug for GitHub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GitHub").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl GitHub {
    /// Prepares connections of its own; nothing is sent yet. It has to be called inside a tokio runtime.
    ///
    /// # Errors
    /// Settings that cannot be used; the sentence says which.
    pub fn new(settings: Settings) -> Result<GitHub, Fault> {
        let connections = Connections::new(settings.timeout)?;
        GitHub::with_connections(&connections, settings)
    }

    /// Uses connections that other repositories may share.
    ///
    /// # Errors
    /// Settings that cannot be used; the sentence says which.
    pub fn with_connections(connections: &Connections, settings: Settings) -> Result<GitHub, Fault> {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        for part in [&settings.owner, &settings.name] {
            if part.is_empty() || matches!(part.as_str(), "." | "..") || !part.chars().all(plain) {
                let named = one_line(&format!("{}/{}", settings.owner, settings.name));
                return Err(Fault::Fatal(format!("`{named}` isn't the name of a repository.")));
            }
        }
        let Settings { api_url, graphql_url, token, timeout, .. } = &settings;
        let wire = ApiClient::new(connections, api_url, graphql_url, token, *timeout)?;
        Ok(GitHub { settings, client: wire, default_branch: OnceLock::new(), clock: Clock::start() })
    }

    fn record_path(&self, issue: u64) -> String {
        format!("{}/{issue}.json", self.settings.state_dir.trim_matches('/'))
    }

    /// Returns the variables that every document has, and these.
    fn variables(&self, more: Value) -> Value {
        let mut all = json!({ "owner": self.settings.owner, "name": self.settings.name });
        if let (Value::Object(all), Value::Object(more)) = (&mut all, more) {
            all.extend(more);
        }
        all
    }

    /// Sends a document to GraphQL and returns the data, also if the only errors are about parts that are not there.
    async fn query<T: serde::de::DeserializeOwned>(&self, document: &str, variables: Value) -> Result<T, Fault> {
        let answer: GraphqlReply<T> = self.client.graphql(document, &self.variables(variables)).await?;
        for complaint in &answer.errors {
            let path = complaint.path.as_deref().unwrap_or_default();
            let depth = path.len();
            match complaint.kind.as_deref() {
                // Some token may not say whose it is: then `viewerDidAuthor` alone has to do.
                _ if path.first().is_some_and(|first| first == "viewer") => {}
                Some("NOT_FOUND") if depth > 1 => {}
                Some("NOT_FOUND") => return Err(fault::repository_not_found(&complaint.message)),
                _ => return Err(fault::from_graphql(complaint)),
            }
        }
        answer.data.ok_or_else(|| unreadable_reply("it is empty"))
    }

    /// Sends a request about something below the repository; an empty path is the repository itself.
    async fn rest(&self, method: Method, path: &str, body: Option<Value>) -> Result<Reply, Fault> {
        let (owner, name) = (&self.settings.owner, &self.settings.name);
        let path = format!("/repos/{owner}/{name}/{path}");
        self.client.rest(method, path.trim_end_matches('/'), body.as_ref()).await
    }

    /// Returns the name of the state branch, with a read if it is not known yet.
    async fn state_branch(&self) -> Result<&str, Fault> {
        if let Some(own) = &self.settings.branch {
            return Ok(own);
        }
        if self.default_branch.get().is_none() {
            self.read(&[], &[], COMMENTS_PER_PAGE).await?;
        }
        let known = self.default_branch.get().map(String::as_str);
        known.ok_or_else(|| Fault::Fatal("The repository is empty: it needs a first commit.".to_owned()))
    }

    /// Asks for a [repository](https://docs.github.com/en/graphql/reference/queries#repository), as `read.graphql` has it.
    async fn query_issues(&self, issues: &[u64], pages: &[String], comments: usize) -> Result<ReadReply, Fault> {
        // GraphQL counts issues in 32 bits: there is none beyond, and nothing to ask.
        let asked: Vec<u64> = issues.iter().copied().filter(|issue| i32::try_from(*issue).is_ok()).collect();
        let mut variables = json!({
            "branch": format!("refs/heads/{}", self.settings.branch.as_deref().unwrap_or_default()),
            "onDefault": self.settings.branch.is_none(),
            "comments": comments,
        });
        let places = [("first", "firstPath", "withFirst"), ("second", "secondPath", "withSecond")];
        for (place, (number, path, with)) in places.into_iter().enumerate() {
            let issue = asked.get(place).copied();
            variables[number] = json!(issue.unwrap_or_default());
            variables[path] = json!(issue.map(|issue| self.record_path(issue)).unwrap_or_default());
            variables[with] = json!(issue.is_some());
        }
        let document = graphql::expand_paths(READ, pages, &mut variables);
        let mut data: RepositoryReply<graphql::Repository> = self.query(&document, variables).await?;
        let viewer = data.take_viewer();
        let repository = data.into_repository()?;
        if let Some(default) = &repository.default_branch {
            self.default_branch.get_or_init(|| default.name.clone());
        }
        Ok(ReadReply { issues: asked, viewer, repository })
    }

    /// Sends a change to [`createCommitOnBranch`](https://docs.github.com/en/graphql/reference/mutations#createcommitonbranch).
    async fn send_commit(&self, change: &Change, on: &Oid, branch: &str) -> Result<GraphqlReply<CommitReply>, Fault> {
        let addition =
            |(path, text): &(String, String)| json!({ "path": path, "contents": BASE64_STANDARD.encode(text) });
        let input = json!({
            "branch": {
                "repositoryNameWithOwner": format!("{}/{}", self.settings.owner, self.settings.name),
                "branchName": branch,
            },
            "expectedHeadOid": on.as_str(),
            "message": { "headline": change.headline, "body": change.body },
            "fileChanges": { "additions": change.files.iter().map(addition).collect::<Vec<_>>() },
        });
        self.client.graphql(COMMIT, &json!({ "input": input })).await
    }

    /// [Adds labels to an issue](https://docs.github.com/en/rest/issues/labels#add-labels-to-an-issue).
    async fn add_label(&self, issue: u64, label: &str) -> Result<(), Fault> {
        let reply =
            self.rest(Method::POST, &format!("issues/{issue}/labels"), Some(json!({ "labels": [label] }))).await?;
        ok_or_gone(&reply)
    }

    /// Gets something below the [repository](https://docs.github.com/en/rest/repos/repos#get-a-repository), for the doctor;
    /// an empty path is the repository itself.
    ///
    /// # Errors
    /// No reply came back, or the token is not accepted. A missing resource isn't an error.
    pub async fn get(&self, path: &str) -> Result<GetReply, Fault> {
        let reply = self.rest(Method::GET, path, None).await?;
        let body = if reply.status.as_u16() == 200 { reply.json()? } else { Value::Null };
        Ok(GetReply { status: reply.status.as_u16(), body })
    }
}

#[async_trait(?Send)]
impl Forge for GitHub {
    async fn read(&self, issues: &[u64], pages: &[String], comments: usize) -> Result<Snapshot, Fault> {
        let ReadReply { issues: asked, viewer, mut repository } = self.query_issues(issues, pages, comments).await?;
        let found: Vec<_> = (asked.iter().enumerate())
            .filter_map(|(place, number)| Some((place, *number, repository.take_issue(place)?)))
            .collect();
        let default = repository.default_branch.as_ref();
        let state = if self.settings.branch.is_none() { default } else { repository.state_branch.as_ref() };
        let mut threads = BTreeMap::new();
        for (place, number, issue) in found {
            let record = state.map_or(FileContent::Missing, |state| state.record(place, &self.record_path(number)));
            threads.insert(number, issue.into_thread(record, &viewer)?);
        }
        let pages = state.map(|state| state.pages(pages)).unwrap_or_default();
        let head = graphql::to_head(state, default)?;
        Ok(Snapshot { head, threads, pages, newest_comments: repository.take_newest_issues(&viewer)? })
    }

    /// Asks for a [commit](https://docs.github.com/en/graphql/reference/objects#commit), as `files.graphql` has it.
    async fn read_files(&self, at: &Oid, paths: &[String]) -> Result<BTreeMap<String, FileContent>, Fault> {
        let mut variables = json!({ "at": at.as_str() });
        let document = graphql::expand_paths(FILES, paths, &mut variables);
        let data: RepositoryReply<graphql::FilesRepository> = self.query(&document, variables).await?;
        let repository = data.into_repository()?;
        repository
            .object
            .map(|files| files.by_path(paths))
            .ok_or_else(|| unreadable_reply("a commit that is not there"))
    }

    /// Asks for an [issue](https://docs.github.com/en/graphql/reference/objects#issue), as `page.graphql` has it.
    async fn comments_before(
        &self,
        issue: u64,
        cursor: &Cursor,
        comments: usize,
    ) -> Result<(Vec<Comment>, Option<Cursor>), Fault> {
        let variables = json!({ "issue": issue, "before": cursor.0, "comments": comments });
        let mut data: RepositoryReply<graphql::PageRepository> = self.query(PAGE, variables).await?;
        let viewer = data.take_viewer();
        let repository = data.into_repository()?;
        // An issue that has gone since it was read has no comments: the next read says so.
        repository.issue.map_or(Ok((Vec::new(), None)), |issue| issue.comments.into_comments(&viewer))
    }

    /// [Gets an issue comment](https://docs.github.com/en/rest/issues/comments#get-an-issue-comment) or
    /// [an issue](https://docs.github.com/en/rest/issues/issues#get-an-issue).
    async fn exists(&self, source: Source) -> Result<bool, Fault> {
        #[derive(Deserialize)]
        struct Found {
            #[serde(default)]
            issue_url: Option<String>,
            #[serde(default)]
            pull_request: Option<Value>,
        }
        let reply = self.rest(Method::GET, &api_path(source), None).await?;
        match reply.status.as_u16() {
            200 => {
                let found: Found = reply.json()?;
                let elsewhere = found.issue_url.is_some_and(|url| !url.ends_with(&format!("/{}", source.issue)));
                Ok(found.pull_request.is_none() && !elsewhere)
            }
            301 | 404 | 410 => Ok(false),
            _ => Err(fault::from_refusal(&reply)),
        }
    }

    /// Asks for [issues](https://docs.github.com/en/graphql/reference/objects#issueconnection), as `sweep.graphql` has it.
    async fn issues_updated_since(&self, since: Millis) -> Result<Vec<u64>, Fault> {
        let time = i64::try_from(since).ok().and_then(DateTime::from_timestamp_millis).unwrap_or_default();
        let since = time.to_rfc3339_opts(SecondsFormat::Secs, true);
        let (mut all, mut after) = (Vec::new(), None);
        for _ in 0..MAX_SWEEP_PAGES {
            let data: RepositoryReply<graphql::SweepRepository> =
                self.query(SWEEP, json!({ "since": since, "after": after })).await?;
            let repository = data.into_repository()?;
            let (numbers, next) = repository.issues.into_numbers();
            // An issue that is touched between two pages comes twice.
            all.extend(numbers.into_iter().filter(|number| !all.contains(number)).collect::<Vec<_>>());
            after = next;
            if after.is_none() {
                return Ok(all);
            }
        }
        tracing::warn!("more than {} issues changed: the newest wait for the next daily run", MAX_SWEEP_PAGES * 100);
        Ok(all)
    }

    /// [Creates a reference](https://docs.github.com/en/rest/git/refs#create-a-reference).
    async fn create_branch(&self, at: &Oid) -> Result<(), Fault> {
        let branch = self.state_branch().await?;
        let reference = json!({ "ref": format!("refs/heads/{branch}"), "sha": at.as_str() });
        let reply = self.rest(Method::POST, "git/refs", Some(reference)).await?;
        let said = reply.message();
        match reply.status.as_u16() {
            201 => Ok(()),
            422 if said.contains("already exists") => Ok(()),
            403 | 409 | 422 if fault::mentions_branch_protection(&said) => Err(fault::branch_protected(branch, &said)),
            _ => Err(fault::from_refusal(&reply)),
        }
    }

    /// Calls [`createCommitOnBranch`](https://docs.github.com/en/graphql/reference/mutations#createcommitonbranch).
    async fn commit(&self, change: &Change) -> Result<CommitOutcome, Fault> {
        let Some(on) = &change.parent else {
            return Err(Fault::Fatal("The repository is empty: it needs a first commit.".to_owned()));
        };
        let branch = self.state_branch().await?;
        commit_outcome(&self.send_commit(change, on, branch).await?, branch)
    }

    /// [Creates an issue comment](https://docs.github.com/en/rest/issues/comments#create-an-issue-comment).
    async fn answer(&self, issue: u64, body: &str) -> Result<PostOutcome, Fault> {
        let reply = self.rest(Method::POST, &format!("issues/{issue}/comments"), Some(json!({ "body": body }))).await?;
        let said = reply.message();
        match reply.status.as_u16() {
            201 => Ok(PostOutcome::Done),
            404 | 410 | 422 => Ok(PostOutcome::Refused(said)),
            403 if refuses_comments(&said) => Ok(PostOutcome::Refused(said)),
            _ => Err(fault::from_refusal(&reply)),
        }
    }

    /// Creates a reaction [for an issue comment](https://docs.github.com/en/rest/reactions/reactions#create-reaction-for-an-issue-comment) or
    /// [for an issue](https://docs.github.com/en/rest/reactions/reactions#create-reaction-for-an-issue).
    async fn react(&self, source: Source, reaction: Reaction) -> Result<Claim, Fault> {
        let content = match reaction {
            Reaction::Rocket => "rocket",
            Reaction::Confused => "confused",
            Reaction::Eyes => "eyes",
        };
        let path = format!("{}/reactions", api_path(source));
        let reply = self.rest(Method::POST, &path, Some(json!({ "content": content }))).await?;
        let said = reply.message();
        match reply.status.as_u16() {
            201 => Ok(Claim::Ours),
            200 => Ok(Claim::Taken),
            404 | 410 => Ok(Claim::Gone),
            422 => Ok(Claim::Refused(said)),
            403 if refuses_comments(&said) => Ok(Claim::Refused(said)),
            _ => Err(fault::from_refusal(&reply)),
        }
    }

    /// [Deletes an issue comment](https://docs.github.com/en/rest/issues/comments#delete-an-issue-comment).
    async fn delete(&self, source: Source) -> Result<(), Fault> {
        let reply = self.rest(Method::DELETE, &format!("issues/comments/{}", source.comment), None).await?;
        match reply.status.as_u16() {
            204 | 404 | 410 => Ok(()),
            _ => Err(fault::from_refusal(&reply)),
        }
    }

    async fn label(&self, issue: u64) -> Result<(), Fault> {
        self.add_label(issue, graphql::LABEL).await
    }

    /// [Updates an issue](https://docs.github.com/en/rest/issues/issues#update-an-issue).
    async fn close(&self, issue: u64) -> Result<(), Fault> {
        let closed = json!({ "state": "closed", "state_reason": "completed" });
        ok_or_gone(&self.rest(Method::PATCH, &format!("issues/{issue}"), Some(closed)).await?)
    }

    /// [Updates an issue](https://docs.github.com/en/rest/issues/issues#update-an-issue).
    async fn reopen(&self, issue: u64) -> Result<(), Fault> {
        let open = json!({ "state": "open" });
        ok_or_gone(&self.rest(Method::PATCH, &format!("issues/{issue}"), Some(open)).await?)
    }
}

#[async_trait(?Send)]
impl Environment for GitHub {
    fn now(&self) -> Millis {
        self.clock.now()
    }

    fn entropy(&self) -> Result<[u8; 32], Fault> {
        random_bytes()
    }

    async fn pause(&self, time: Duration) {
        tokio::time::sleep(time).await;
    }
}

/// Returns the path of a comment, or of an issue, below the repository.
fn api_path(source: Source) -> String {
    match source.comment {
        0 => format!("issues/{}", source.issue),
        comment => format!("issues/comments/{comment}"),
    }
}

/// Interprets the reply to a commit. The error type or the message shows a lost race.
fn commit_outcome(reply: &GraphqlReply<CommitReply>, branch: &str) -> Result<CommitOutcome, Fault> {
    if let Some(complaint) = reply.errors.first() {
        return fault::from_commit_error(complaint, branch).map_or(Ok(CommitOutcome::BranchMoved), Err);
    }
    let oid = reply.data.as_ref().and_then(CommitReply::oid);
    oid.map(CommitOutcome::Landed).ok_or_else(|| unreadable_reply("a commit without an id"))
}

/// Judges the reply to a label or to closing; an issue that is gone needs neither.
fn ok_or_gone(reply: &Reply) -> Result<(), Fault> {
    match reply.status.as_u16() {
        200 | 301 | 404 | 410 => Ok(()),
        _ => Err(fault::from_refusal(reply)),
    }
}

/// Tests for a thread that takes nothing more: it is locked, or has as many comments as an issue can hold.
fn refuses_comments(said: &str) -> bool {
    let said = said.to_ascii_lowercase();
    said.contains("locked") || said.contains("commenting is disabled")
}
