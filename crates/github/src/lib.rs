//! [`GitHub`]: a [`Forge`] over GitHub's API.
//!
//! A read or a commit is one [GraphQL](https://docs.github.com/en/graphql) request; everything else is one
//! [REST](https://docs.github.com/en/rest) request. `.ci/graphql.mjs` checks the GraphQL documents in this folder against
//! GitHub's published schema. To tell whether a request succeeded, this crate needs only the status and a few fields.
//!
//! ```no_run
//! use github::{GitHub, Settings};
//! use protocol::{COMMENTS_PER_PAGE, RequestError, Forge};
//! use table::IssueNumber;
//!
//! # async fn read() -> Result<(), RequestError> {
//! let github = GitHub::new(Settings {
//!     token: std::env::var("GITHUB_TOKEN").unwrap_or_default(),
//!     api_url: "https://api.github.com".to_owned(),
//!     graphql_url: "https://api.github.com/graphql".to_owned(),
//!     owner: "octocat".to_owned(),
//!     name: "games".to_owned(),
//!     branch: None,
//!     state_dir: "state".to_owned(),
//!     assign_turns: false,
//!     timeout: Settings::DEFAULT_TIMEOUT,
//! })?;
//! let snapshot = github.read(&[IssueNumber::new(1)], &[], COMMENTS_PER_PAGE).await?;
//! # Ok(())
//! # }
//! ```

mod answer;
mod client;
mod commit;
pub mod event;
mod graphql;
mod listing;
mod proxy;
mod request_error;
mod votes;

pub use client::{ApiClient, Connections, MAX_REPLY_BYTES, Server, graphql_url, split_api_url};
pub use event::{IgnoredEvent, ParsedEvent};
pub use listing::{GetReply, MAX_QUOTE, Reply, one_line};

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, SecondsFormat};
use http::Method;
use protocol::{
    Account, Answer, AnswerOutcome, COMMENTS_PER_PAGE, Change, ClaimOutcome, Comment, CommitOutcome, Cursor,
    Environment, FileContent, Forge, HostError, IssueList, Presence, Reaction, RepoConfig, RequestError, SearchPermit,
    SettingsFile, Snapshot, Update, comments_to_list, random_bytes,
};
use serde::Deserialize;
use serde_json::{Value, json};
use table::{Author, CommentId, CommentRef, IssueNumber, Oid, Permission, Timestamp, VoteReaction};
use tokio::sync::Semaphore;

use crate::answer::NodeIds;
use crate::commit::commit_outcome;
use crate::graphql::{Reading, RepositoryReply};
use crate::listing::{GraphqlReply, unreadable_reply};

const READ: &str = concat!(include_str!("read.graphql"), include_str!("comment.fragment.graphql"));
const FILES: &str = include_str!("files.graphql");
const PAGE: &str = concat!(include_str!("page.graphql"), include_str!("comment.fragment.graphql"));
const FOLDER: &str = include_str!("folder.graphql");
const SWEEP: &str = include_str!("sweep.graphql");

/// A repository, the APIs of its server, and a token.
#[derive(Clone)]
pub struct Settings {
    /// The token of the workflow, an app or an account.
    pub token: String,
    /// The URL of the REST API, such as `https://api.github.com`.
    pub api_url: String,
    /// The URL of the GraphQL API, such as `https://api.github.com/graphql`.
    pub graphql_url: String,
    /// The repository's owner.
    pub owner: String,
    /// The repository's name.
    pub name: String,
    /// The state branch; `None` for the default branch.
    pub branch: Option<String>,
    /// The directory of the records, such as `state`.
    pub state_dir: String,
    /// Whether reads ask for assignees and for the IDs that assignments need.
    pub assign_turns: bool,
    /// The time limit of one request, from the first byte sent to the last byte received.
    pub timeout: Duration,
}

impl Settings {
    /// The default time limit of one request.
    pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);

    /// Returns the settings for a repository, by its owner and name, before its own settings are known.
    pub fn new(server: &Server, token: String, [owner, name]: [&str; 2]) -> Settings {
        Settings {
            token,
            api_url: server.api_url.clone(),
            graphql_url: server.graphql_url.clone(),
            owner: owner.to_owned(),
            name: name.to_owned(),
            branch: None,
            state_dir: String::new(),
            assign_turns: false,
            timeout: Settings::DEFAULT_TIMEOUT,
        }
    }

    /// Returns the settings with the branch, the directory and the assignments of a repository's settings.
    pub fn for_config(self, config: &RepoConfig) -> Settings {
        let branch = config.web.as_ref().and_then(|web| web.branch.clone());
        let (state_dir, assign_turns) = (config.state_dir.clone(), config.policy.assign_turns);
        Settings { branch, state_dir, assign_turns, ..self }
    }
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
            .field("assign_turns", &self.assign_turns)
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
    node_ids: Mutex<NodeIds>,
    /// The limits on searches that this forge shares with others. A search takes a permit from each.
    search_limits: Vec<Arc<Semaphore>>,
}

/// The reply to a read, before its conversion to the core's types.
struct ReadReply {
    /// The issues of the query.
    issues: Vec<IssueNumber>,
    reading: Reading,
    repository: graphql::Repository,
    settings: Option<SettingsFile>,
}

/// Shows everything but the token.
impl fmt::Debug for GitHub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GitHub").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl GitHub {
    /// Creates a forge with its own connections. Sends nothing yet.
    ///
    /// # Errors
    /// Returns an error that names the setting if one is invalid. Also returns an error outside of a tokio runtime.
    pub fn new(settings: Settings) -> Result<GitHub, RequestError> {
        let connections = Connections::new(settings.timeout)?;
        GitHub::with_connections(&connections, settings)
    }

    /// Creates a forge on connections that several repositories can share.
    ///
    /// # Errors
    /// Returns an error that names the setting if one is invalid.
    pub fn with_connections(connections: &Connections, settings: Settings) -> Result<GitHub, RequestError> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        for part in [&settings.owner, &settings.name] {
            if part.is_empty() || matches!(part.as_str(), "." | "..") || !part.chars().all(is_plain) {
                let full_name = one_line(&format!("{}/{}", settings.owner, settings.name));
                return Err(RequestError::Fatal(HostError::new(format!(
                    "`{full_name}` isn't the name of a repository."
                ))));
            }
        }
        let Settings { api_url, graphql_url, token, timeout, .. } = &settings;
        let client = ApiClient::new(connections, api_url, graphql_url, token, *timeout)?;
        Ok(GitHub {
            settings,
            client,
            default_branch: OnceLock::new(),
            node_ids: Mutex::default(),
            search_limits: Vec::new(),
        })
    }

    /// Limits how many searches for the computer's moves run at the same time, here and in other forges with the same semaphores.
    #[must_use]
    pub fn with_search_limits(self, search_limits: Vec<Arc<Semaphore>>) -> GitHub {
        GitHub { search_limits, ..self }
    }

    /// Returns the number of requests that this forge has sent.
    pub fn requests(&self) -> u64 {
        self.client.requests()
    }

    /// Returns the global IDs that this forge has read.
    fn node_ids(&self) -> MutexGuard<'_, NodeIds> {
        self.node_ids.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the variables of a document: the repository, and `more`.
    fn variables(&self, more: Value) -> Value {
        let mut all = json!({ "owner": self.settings.owner, "name": self.settings.name });
        if let (Value::Object(all), Value::Object(more)) = (&mut all, more) {
            all.extend(more);
        }
        all
    }

    /// Sends a GraphQL document and returns the data. Ignores errors about parts of the data that don't exist.
    async fn query<T: serde::de::DeserializeOwned>(&self, document: &str, variables: Value) -> Result<T, RequestError> {
        let answer: GraphqlReply<T> = self.client.graphql(document, &self.variables(variables)).await?;
        for error in &answer.errors {
            let path = error.path.as_deref().unwrap_or_default();
            match error.kind.as_deref() {
                Some("NOT_FOUND") if path.len() > 1 => {}
                // Most owners have no repository `.github`, or the token can't see it.
                Some("NOT_FOUND" | "FORBIDDEN") if path.first().is_some_and(|part| part == "shared") => {}
                Some("NOT_FOUND") => return Err(request_error::repository_not_found(&error.message)),
                _ => return Err(request_error::from_graphql(error)),
            }
        }
        answer.data.ok_or_else(|| unreadable_reply("it is empty"))
    }

    /// Sends a REST request to a path below the repository; an empty path is the repository itself.
    async fn rest(&self, method: Method, path: &str, body: Option<Value>) -> Result<Reply, RequestError> {
        let (owner, name) = (&self.settings.owner, &self.settings.name);
        let path = format!("/repos/{owner}/{name}/{path}");
        self.client.rest(method, path.trim_end_matches('/'), body.as_ref()).await
    }

    /// Returns the name of the state branch. Reads the repository if the default branch isn't known yet.
    async fn state_branch(&self) -> Result<&str, RequestError> {
        if let Some(branch) = &self.settings.branch {
            return Ok(branch);
        }
        if self.default_branch.get().is_none() {
            self.read(&[], &[], COMMENTS_PER_PAGE).await?;
        }
        let default_branch = self.default_branch.get().map(String::as_str);
        default_branch
            .ok_or_else(|| RequestError::Fatal(HostError::new("The repository is empty: it needs a first commit.")))
    }

    /// Queries the [repository](https://docs.github.com/en/graphql/reference/queries#repository) with `read.graphql`.
    async fn query_issues(
        &self,
        issues: &[IssueNumber],
        paths: &[String],
        comments: usize,
    ) -> Result<ReadReply, RequestError> {
        // GraphQL has 32-bit issue numbers, so skip larger ones; they can't exist.
        let issues: Vec<IssueNumber> =
            issues.iter().copied().filter(|issue| i32::try_from(issue.get()).is_ok()).collect();
        let mut variables = json!({
            "branch": format!("refs/heads/{}", self.settings.branch.as_deref().unwrap_or_default()),
            "onDefault": self.settings.branch.is_none(),
            "comments": comments,
            "withIssues": !issues.is_empty(),
            "withNewest": issues.len() > 1,
            "withFiles": !paths.is_empty(),
            "withPeople": self.settings.assign_turns,
        });
        let document = graphql::expand(READ, "issue", &issues, IssueNumber::default(), &mut variables);
        let document = graphql::expand(&document, "file", paths, String::new(), &mut variables);
        let mut data: RepositoryReply<graphql::Repository> = self.query(&document, variables).await?;
        let viewer = data.take_viewer();
        let shared = data.take_shared_settings();
        let mut repository = data.into_repository()?;
        let settings = repository.take_settings().or(shared);
        if let Some(default) = &repository.default_branch {
            self.default_branch.get_or_init(|| default.name.clone());
        }
        Ok(ReadReply { issues, reading: Reading { viewer, kind: repository.kind }, repository, settings })
    }

    async fn query_folder(
        &self,
        commit: &Oid,
        dir: &str,
        with_texts: bool,
    ) -> Result<listing::FolderRepository, RequestError> {
        let variables = json!({ "at": commit.as_str(), "dir": dir, "withTexts": with_texts });
        let data: RepositoryReply<listing::FolderRepository> = self.query(FOLDER, variables).await?;
        data.into_repository()
    }

    /// Gets a path below the [repository](https://docs.github.com/en/rest/repos/repos#get-a-repository); an empty path is the
    /// repository itself.
    ///
    /// # Errors
    /// Returns an error if no reply comes back, or if GitHub doesn't accept the token. A missing resource isn't an error.
    pub async fn get(&self, path: &str) -> Result<GetReply, RequestError> {
        let reply = self.rest(Method::GET, path, None).await?;
        let body = if reply.status.as_u16() == 200 { reply.json()? } else { Value::Null };
        Ok(GetReply { status: reply.status.as_u16(), body })
    }
}

#[async_trait(?Send)]
impl Forge for GitHub {
    async fn read(&self, issues: &[IssueNumber], paths: &[String], comments: usize) -> Result<Snapshot, RequestError> {
        let ReadReply { issues, reading, mut repository, settings } =
            self.query_issues(issues, paths, comments).await?;
        let mut threads = BTreeMap::new();
        for (index, number) in issues.into_iter().enumerate() {
            if let Some(issue) = repository.take_issue(index) {
                self.node_ids().comments.extend(issue.node_ids(number));
                self.node_ids().people.extend(issue.people());
                threads.insert(number, issue.into_thread(&reading)?);
            }
        }
        self.node_ids().labels = repository.take_labels();
        let default_branch = repository.default_branch.as_ref();
        let has_own_branch = self.settings.branch.is_some();
        let state_branch = if has_own_branch { repository.state_branch.as_ref() } else { default_branch };
        let files = state_branch.map(|branch| branch.files(paths)).unwrap_or_default();
        let head = graphql::to_head(state_branch, default_branch)?;
        let newest_comments = repository.take_newest_issues(&reading)?;
        Ok(Snapshot { repository: repository.database_id, head, threads, files, newest_comments, settings })
    }

    /// Queries a [commit](https://docs.github.com/en/graphql/reference/objects#commit) with `files.graphql`.
    async fn read_files(&self, commit: &Oid, paths: &[String]) -> Result<BTreeMap<String, FileContent>, RequestError> {
        let mut variables = json!({ "at": commit.as_str() });
        let document = graphql::expand(FILES, "file", paths, String::new(), &mut variables);
        let data: RepositoryReply<graphql::FilesRepository> = self.query(&document, variables).await?;
        let repository = data.into_repository()?;
        repository
            .object
            .map(|files| files.by_path(paths))
            .ok_or_else(|| unreadable_reply("a commit that is not there"))
    }

    /// Queries a [tree](https://docs.github.com/en/graphql/reference/objects#tree) with `folder.graphql`.
    async fn list_files(&self, commit: &Oid, dir: &str) -> Result<Vec<String>, RequestError> {
        Ok(self.query_folder(commit, dir, false).await?.into_names())
    }

    /// Queries a [tree](https://docs.github.com/en/graphql/reference/objects#tree) with `folder.graphql`.
    async fn read_folder(&self, commit: &Oid, dir: &str) -> Result<BTreeMap<String, FileContent>, RequestError> {
        Ok(self.query_folder(commit, dir, true).await?.into_files(dir))
    }

    /// Queries an [issue](https://docs.github.com/en/graphql/reference/objects#issue) with `page.graphql`.
    async fn comments_before(
        &self,
        issue: IssueNumber,
        cursor: &Cursor,
        comments: usize,
    ) -> Result<(Vec<Comment>, Option<Cursor>), RequestError> {
        let variables = json!({ "issue": issue, "before": cursor.0, "comments": comments,
            "withPeople": self.settings.assign_turns });
        let mut data: RepositoryReply<graphql::PageRepository> = self.query(PAGE, variables).await?;
        let viewer = data.take_viewer();
        let repository = data.into_repository()?;
        let reading = Reading { viewer, kind: repository.kind };
        // If the issue was deleted since the last read, the next read notices it.
        let Some(page) = repository.issue.map(|found| found.comments) else { return Ok((Vec::new(), None)) };
        self.node_ids().comments.extend(page.node_ids(issue));
        self.node_ids().people.extend(page.people());
        page.into_comments(&reading)
    }

    /// [Gets an issue comment](https://docs.github.com/en/rest/issues/comments#get-an-issue-comment) or
    /// [an issue](https://docs.github.com/en/rest/issues/issues#get-an-issue).
    async fn find(&self, source: CommentRef) -> Result<Presence, RequestError> {
        #[derive(Deserialize)]
        struct Body {
            #[serde(default)]
            issue_url: Option<String>,
            #[serde(default)]
            pull_request: Option<Value>,
        }
        let reply = self.rest(Method::GET, &api_path(source), None).await?;
        match reply.status.as_u16() {
            200 => {
                let body: Body = reply.json()?;
                let is_elsewhere = body.issue_url.is_some_and(|url| !url.ends_with(&format!("/{}", source.issue)));
                let is_there = body.pull_request.is_none() && !is_elsewhere;
                Ok(if is_there { Presence::Present } else { Presence::Absent })
            }
            // With issues turned off, GitHub answers as if each issue were deleted.
            410 if reply.message().contains("disabled") => Err(request_error::from_refusal(&reply)),
            301 | 404 | 410 => Ok(Presence::Absent),
            _ => Err(request_error::from_refusal(&reply)),
        }
    }

    /// [Gets a user](https://docs.github.com/en/rest/users/users#get-a-user).
    async fn account(&self, login: &str) -> Result<Account, RequestError> {
        client::from_reply(&self.client.rest(Method::GET, &format!("/users/{login}"), None).await?)
    }

    /// [Gets the repository permissions of a user](https://docs.github.com/en/rest/collaborators/collaborators#get-repository-permissions-for-a-user).
    async fn permission(&self, person: &Author) -> Result<Option<Permission>, RequestError> {
        let path = format!("collaborators/{}/permission", person.login);
        let reply = self.rest(Method::GET, &path, None).await?;
        match reply.status.as_u16() {
            200 => client::permission_from_reply(&reply, person).map(Some),
            404 => Ok(Some(Permission::Read)),
            403 => Ok(None),
            _ => Err(request_error::from_refusal(&reply)),
        }
    }

    /// Queries [issues](https://docs.github.com/en/graphql/reference/objects#issueconnection) with `sweep.graphql`.
    async fn issues_updated_since(
        &self,
        since: Timestamp,
        from: Option<&Cursor>,
        count: usize,
    ) -> Result<IssueList, RequestError> {
        let time = i64::try_from(since.as_millis()).ok().and_then(DateTime::from_timestamp_millis).unwrap_or_default();
        let branch = self.settings.branch.as_deref();
        let variables = json!({
            "since": time.to_rfc3339_opts(SecondsFormat::Secs, true),
            "after": from.map(|cursor| &cursor.0),
            "issues": count,
            "comments": comments_to_list(count),
            "branch": format!("refs/heads/{}", branch.unwrap_or_default()),
            "dir": self.settings.state_dir.trim_matches('/'),
            "withDefault": from.is_none() && branch.is_none(),
            "withBranch": from.is_none() && branch.is_some(),
        });
        let mut data: RepositoryReply<listing::Repository> = self.query(SWEEP, variables).await?;
        let viewer = data.take_viewer();
        data.into_repository()?.into_list(viewer)
    }

    /// [Creates a reference](https://docs.github.com/en/rest/git/refs#create-a-reference).
    async fn create_branch(&self, commit: &Oid) -> Result<(), RequestError> {
        let branch = self.state_branch().await?;
        let reference = json!({ "ref": format!("refs/heads/{branch}"), "sha": commit.as_str() });
        let reply = self.rest(Method::POST, "git/refs", Some(reference)).await?;
        let message = reply.message();
        match reply.status.as_u16() {
            201 => Ok(()),
            422 if message.contains("already exists") => Ok(()),
            403 | 409 | 422 if request_error::mentions_branch_protection(&message) => {
                Err(request_error::branch_protected(branch, &message))
            }
            _ => Err(request_error::from_refusal(&reply)),
        }
    }

    /// Calls [`createCommitOnBranch`](https://docs.github.com/en/graphql/reference/mutations#createcommitonbranch).
    async fn commit(&self, change: &Change) -> Result<CommitOutcome, RequestError> {
        let Some(parent) = &change.parent else {
            return Err(RequestError::Fatal(HostError::new("The repository is empty: it needs a first commit.")));
        };
        let branch = self.state_branch().await?;
        commit_outcome(&self.send_commit(change, parent, branch).await?, branch)
    }

    /// Calls [`addComment`](https://docs.github.com/en/graphql/reference/mutations#addcomment) with the updates, or
    /// [creates an issue comment](https://docs.github.com/en/rest/issues/comments#create-an-issue-comment) if there are none.
    async fn answer(&self, answer: &Answer) -> Result<AnswerOutcome, RequestError> {
        if answer.updates.is_empty() {
            return self.post_comment(answer).await;
        }
        self.send_answer(answer).await
    }

    async fn update(&self, update: &Update) -> Result<(), RequestError> {
        self.send_update(update).await
    }

    /// Creates a reaction [for an issue comment](https://docs.github.com/en/rest/reactions/reactions#create-reaction-for-an-issue-comment) or
    /// [for an issue](https://docs.github.com/en/rest/reactions/reactions#create-reaction-for-an-issue).
    async fn react(&self, source: CommentRef, reaction: Reaction) -> Result<ClaimOutcome, RequestError> {
        let content = match reaction {
            Reaction::Confused => "confused",
            Reaction::Eyes => "eyes",
        };
        let path = format!("{}/reactions", api_path(source));
        let reply = self.rest(Method::POST, &path, Some(json!({ "content": content }))).await?;
        let message = reply.message();
        match reply.status.as_u16() {
            201 => Ok(ClaimOutcome::Ours),
            200 => Ok(ClaimOutcome::Taken),
            404 | 410 => Ok(ClaimOutcome::Gone),
            422 => Ok(ClaimOutcome::Refused(message)),
            403 if request_error::refuses_comments(&message) => Ok(ClaimOutcome::Refused(message)),
            _ => Err(request_error::from_refusal(&reply)),
        }
    }

    async fn voters(
        &self,
        ballot: CommentRef,
        reactions: &[VoteReaction],
    ) -> Result<BTreeMap<VoteReaction, Vec<Author>>, RequestError> {
        self.read_voters(ballot, reactions).await
    }

    /// [Deletes an issue comment](https://docs.github.com/en/rest/issues/comments#delete-an-issue-comment).
    async fn delete(&self, source: CommentRef) -> Result<(), RequestError> {
        let reply = self.rest(Method::DELETE, &format!("issues/comments/{}", source.comment), None).await?;
        match reply.status.as_u16() {
            204 | 404 | 410 => Ok(()),
            _ => Err(request_error::from_refusal(&reply)),
        }
    }
}

#[async_trait(?Send)]
impl Environment for GitHub {
    fn now(&self) -> Timestamp {
        self.client.clock().now()
    }

    fn elapsed(&self) -> Duration {
        self.client.clock().elapsed()
    }

    fn machine_time(&self) -> Timestamp {
        self.client.clock().system_time()
    }

    fn entropy(&self) -> Result<[u8; 32], RequestError> {
        random_bytes()
    }

    async fn pause(&self, time: Duration) {
        tokio::time::sleep(time).await;
    }

    async fn begin_search(&self) -> SearchPermit {
        let mut permit = SearchPermit::default();
        for limit in &self.search_limits {
            // This only fails if somebody closes the semaphore, and nobody does.
            if let Ok(held) = limit.clone().acquire_owned().await {
                permit.held.push(Box::new(held));
            }
        }
        permit
    }
}

/// Returns the REST path of a comment or an issue, below the repository.
fn api_path(source: CommentRef) -> String {
    match source.comment {
        CommentId::BODY => format!("issues/{}", source.issue),
        comment => format!("issues/comments/{comment}"),
    }
}
