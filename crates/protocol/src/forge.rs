//! The [`Forge`] trait: reading threads, committing files and answering, on GitHub or locally.
//!
//! A forge makes each request once and reports the outcome. It never retries, waits or decides; only the protocol's loop does.
//! That makes a forge easy to fake.

mod update;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use answers::commit_message::SKIP_CI;
use async_trait::async_trait;
use table::{
    Author, CommentId, CommentRef, IssueNumber, Oid, Permission, RepositoryId, Timestamp, UserId, VoteReaction,
};
use tracing::info;

use crate::SettingsFile;

pub use self::update::{Assignee, Label, MAX_ASSIGNEES, NOT_ASSIGNED, Update};

/// A commit to make: files, message and author. No file is both changed and deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The commit that the branch must still be at; `None` for the first commit of a local repository.
    pub parent: Option<Oid>,
    /// The changed files: paths from the repository's root, with the full new texts.
    pub files: Vec<(String, String)>,
    /// The deleted files. The parent has to have them: a forge refuses the whole commit if one is missing.
    pub deleted: Vec<String>,
    /// The first line of the message.
    pub headline: String,
    /// The rest of the message, trailers included.
    pub body: String,
    /// The author of the command.
    pub author: Author,
    /// When they wrote the command.
    pub time: Timestamp,
}

impl Change {
    /// Returns a change of the bot that no command asked for. It deletes nothing.
    pub(super) fn by_bot(
        parent: &Oid,
        files: Vec<(String, String)>,
        headline: String,
        skip_ci: bool,
        time: Timestamp,
    ) -> Change {
        info!("Committing: {headline}");
        let body = if skip_ci { SKIP_CI.to_owned() } else { String::new() };
        let (parent, deleted, author) = (Some(parent.clone()), Vec::new(), bot_author());
        Change { parent, files, deleted, headline, body, author, time }
    }
}

/// Returns the author of commits that no command caused.
pub(super) fn bot_author() -> Author {
    Author { id: UserId::default(), login: "play-by-commit".to_owned(), is_bot: true }
}

/// The outcome of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommitOutcome {
    /// The commit is on the branch.
    Landed(Oid),
    /// Nothing was written, because the branch has moved on or GitHub doesn't show its last commit everywhere yet.
    Stale,
}

/// An answer to a command, with the updates that come with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The command.
    pub source: CommentRef,
    /// The Markdown of the comment, which goes into the command's thread.
    pub body: String,
    /// The updates. If there are none, the forge can tell whether it refuses the comment for good.
    pub updates: Vec<Update>,
}

/// The outcome of an answer's request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerOutcome {
    /// The outcome of the comment.
    pub comment: PostOutcome,
    /// The ID of the comment, if it was posted and the forge says so.
    pub posted: Option<CommentId>,
    /// The updates that failed, each with the reason as a sentence.
    pub failed_updates: Vec<(Update, String)>,
}

/// The outcome of posting an answer's comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PostOutcome {
    /// The comment is in the thread.
    Done,
    /// The forge refuses it for good, with this reason: the issue is locked, full or gone.
    Refused(String),
    /// It wasn't posted, for this reason. To learn whether that's for good, post it without updates.
    Failed(String),
}

/// Whether an issue or a comment is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It is there.
    Present,
    /// It was deleted, or it never existed.
    Absent,
}

/// The account that a username belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Account {
    /// A person, or any account that may play.
    Person,
    /// An organization.
    Organization,
    /// Nobody has this username.
    Missing,
}

/// A reaction of the bot to a command that changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reaction {
    /// The bot refuses the command. The reaction is also the claim to answer it.
    Confused,
    /// The bot shows something. The reaction is also the claim to answer the command.
    Eyes,
}

/// The outcome of adding a reaction. The run that adds it first has the claim to answer the comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClaimOutcome {
    /// The reaction is new, so this run answers.
    Ours,
    /// The reaction was already there, so another run answers.
    Taken,
    /// The comment was deleted.
    Gone,
    /// The forge refuses it for good, with this reason: the issue is locked.
    Refused(String),
}

/// An error of a request, with a message for the host.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// No usable reply came back: a broken connection, a timeout, a server error. The request may or may not have been applied.
    #[error("{0}")]
    Lost(String),
    /// The forge asks to wait this long. The request wasn't applied.
    #[error("{1}")]
    RetryAfter(Duration, String),
    /// The reply to a read is longer than the limit, or only a part of what was asked for; ask for less.
    #[error("{0}")]
    TooLong(String),
    /// Retrying can't help until the host changes something. The request wasn't applied.
    #[error(transparent)]
    Fatal(HostError),
}

/// A problem that only the host can solve.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    /// A request failed.
    #[error("{what}")]
    Request {
        /// What happened, as a sentence.
        what: String,
        /// What the host can do about it; `None` if the sentence says all.
        remedy: Option<Remedy>,
    },
    /// A record can't be read.
    #[error("{path} is damaged, so nothing was written: {why}")]
    DamagedRecord {
        /// The path of the record.
        path: String,
        /// The reason, without a period.
        why: String,
    },
    /// A record is gone.
    #[error("{path} is missing, but the bot answered issue {issue} from commit {commit}")]
    MissingRecord {
        /// The path of the record.
        path: String,
        /// The issue of its table.
        issue: IssueNumber,
        /// The commit that the bot last answered from, which has the record.
        commit: Oid,
    },
}

/// What a host can do about a failed request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Check the token.
    Token,
    /// Give the job the permissions that it needs.
    Permissions,
    /// Give the job the permissions that it needs, or check the token.
    PermissionsOrToken,
    /// Keep the games on a branch of their own.
    OwnBranch,
}

impl HostError {
    /// Returns the problem of a request with this sentence.
    pub fn new(what: impl Into<String>) -> HostError {
        HostError::Request { what: what.into(), remedy: None }
    }

    /// Returns the problem of a request with this sentence and a remedy.
    pub fn with_remedy(what: impl Into<String>, remedy: Remedy) -> HostError {
        HostError::Request { what: what.into(), remedy: Some(remedy) }
    }
}

/// A page of the list of recently updated issues.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IssueList {
    /// The issues, open or closed, least recently updated first, without locked issues and pull requests. Each thread has
    /// its newest comments, at most [`LISTED_COMMENTS`] of them, without the bot's reactions.
    pub issues: Vec<(IssueNumber, Thread)>,
    /// The cursor to the next page; `None` on the last one.
    pub next: Option<Cursor>,
    /// The numbers of all tables with a record at the head of the state branch. Empty after the first page.
    pub records: BTreeSet<IssueNumber>,
}

/// Returns 32 bytes from the operating system's random number generator.
///
/// # Errors
/// Returns an error if the generator fails.
pub fn random_bytes() -> Result<[u8; 32], RequestError> {
    let mut bytes = [0; 32];
    getrandom::getrandom(&mut bytes).map_err(|error| {
        RequestError::Fatal(HostError::new(format!(
            "the operating system returned no random numbers for the dice: {error}"
        )))
    })?;
    Ok(bytes)
}

/// Reads any number of files at a commit: `at_once` of them with each request, and fewer if the forge says that it's too much.
///
/// # Errors
/// Returns an error if one of the requests fails.
pub(super) async fn read_files_in_parts(
    forge: &dyn Forge,
    commit: &Oid,
    mut paths: &[String],
    mut at_once: usize,
) -> Result<BTreeMap<String, FileContent>, RequestError> {
    let mut files = BTreeMap::new();
    while !paths.is_empty() {
        let (part, rest) = paths.split_at(at_once.min(paths.len()));
        match forge.read_files(commit, part).await {
            Ok(found) => {
                files.extend(found);
                paths = rest;
            }
            Err(RequestError::TooLong(_)) if at_once > 1 => at_once /= 2,
            Err(error) => return Err(error),
        }
    }
    Ok(files)
}

/// The number of comments that a run asks for at once. It asks for fewer if the reply is too long.
pub const COMMENTS_PER_PAGE: usize = 100;

/// The number of newest comments that a list of issues has for each issue.
pub const LISTED_COMMENTS: usize = 10;

/// Returns the number of newest comments that each issue has in a list of this many issues. A list of a single issue
/// has only one comment, so that it always fits into a reply.
pub fn comments_to_list(issues: usize) -> usize {
    if issues == 1 { 1 } else { LISTED_COMMENTS }
}

/// The clock, randomness and pauses of a run.
#[async_trait(?Send)]
pub trait Environment {
    /// Returns the time now: the server's, as its latest reply told it. The first reply may change it; after that, it's
    /// monotonic.
    fn now(&self) -> Timestamp;

    /// Returns the time since the run started, which is monotonic from the start.
    fn elapsed(&self) -> Duration;

    /// Returns the time now according to the machine, which may be wrong.
    fn machine_time(&self) -> Timestamp {
        self.now()
    }

    /// Returns 32 unpredictable bytes.
    ///
    /// # Errors
    /// Returns an error if the source of randomness fails.
    fn entropy(&self) -> Result<[u8; 32], RequestError>;

    /// Waits for this long.
    async fn pause(&self, time: Duration);

    /// Waits until this run may search for the computer's moves, which can keep a processor busy for seconds. The run holds the
    /// permit during the search.
    async fn begin_search(&self) -> SearchPermit {
        SearchPermit::default()
    }
}

/// The permission to keep a processor busy. Dropping it lets another run search.
#[derive(Debug, Default)]
pub struct SearchPermit {
    /// The permits of the forge, which dropping this returns.
    pub held: Vec<Box<dyn fmt::Debug>>,
}

/// A host of a repository and its issues.
///
/// Each method makes one request and returns a [`RequestError`] if it fails. The protocol uses `dyn Forge`, so that it is compiled once;
/// dynamic dispatch costs nothing next to a request.
#[async_trait(?Send)]
pub trait Forge: Environment {
    /// Reads the head of the state branch, the threads of these issues with their newest `comments` comments, and the files with
    /// these paths at that head.
    async fn read(&self, issues: &[IssueNumber], paths: &[String], comments: usize) -> Result<Snapshot, RequestError>;

    /// Reads files at a commit, and returns their contents by path.
    async fn read_files(&self, commit: &Oid, paths: &[String]) -> Result<BTreeMap<String, FileContent>, RequestError>;

    /// Lists the names in a folder at a commit; none if there is no such folder.
    async fn list_files(&self, commit: &Oid, dir: &str) -> Result<Vec<String>, RequestError>;

    /// Reads all files directly in a folder at a commit, and returns their contents by name; none if there is no such folder.
    async fn read_folder(&self, commit: &Oid, dir: &str) -> Result<BTreeMap<String, FileContent>, RequestError>;

    /// Reads up to `comments` comments before `cursor`, oldest first, and returns the cursor to the earlier ones.
    async fn comments_before(
        &self,
        issue: IssueNumber,
        cursor: &Cursor,
        comments: usize,
    ) -> Result<(Vec<Comment>, Option<Cursor>), RequestError>;

    /// Looks for a comment right now. Comment 0 is the issue itself.
    async fn find(&self, source: CommentRef) -> Result<Presence, RequestError>;

    /// Looks up the account with a username.
    async fn account(&self, login: &str) -> Result<Account, RequestError>;

    /// Asks for a person's permission in the repository; `None` if the forge doesn't say.
    async fn permission(&self, person: &Author) -> Result<Option<Permission>, RequestError>;

    /// Lists up to `count` issues updated since a time, from a cursor on; `None` is the beginning.
    async fn issues_updated_since(
        &self,
        since: Timestamp,
        from: Option<&Cursor>,
        count: usize,
    ) -> Result<IssueList, RequestError>;

    /// Creates the state branch at a commit. Does nothing if the branch exists.
    async fn create_branch(&self, commit: &Oid) -> Result<(), RequestError>;

    /// Commits all files of a change at once, if the branch is still at the change's parent.
    async fn commit(&self, change: &Change) -> Result<CommitOutcome, RequestError>;

    /// Posts an answer, and makes its updates. Any part of the request can fail alone.
    async fn answer(&self, answer: &Answer) -> Result<AnswerOutcome, RequestError>;

    /// Makes an update without an answer. Does nothing if the issue or comment is gone.
    async fn update(&self, update: &Update) -> Result<(), RequestError>;

    /// Adds a reaction to a comment, or to the body of an issue (comment 0), to claim the answer.
    async fn react(&self, source: CommentRef, reaction: Reaction) -> Result<ClaimOutcome, RequestError>;

    /// Reads the people who added each of these reactions to a comment, except the token's own account. People beyond the 600 first
    /// ones may be missing. Empty if the comment is gone.
    async fn voters(
        &self,
        ballot: CommentRef,
        reactions: &[VoteReaction],
    ) -> Result<BTreeMap<VoteReaction, Vec<Author>>, RequestError>;

    /// Deletes an answer. Does nothing if it is gone already.
    async fn delete(&self, source: CommentRef) -> Result<(), RequestError>;
}

/// A comment in a thread. The body of the issue itself is comment 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comment {
    /// The comment's id (64 bits); 0 for the body of the issue.
    pub id: CommentId,
    /// The author; `None` if the account was deleted.
    pub author: Option<Author>,
    /// The author's permission, if the comment shows it. See [`shown_permission`].
    pub permission: Option<Permission>,
    /// Whether an account of the bot wrote it: the token's own, or another one in [`RepoConfig::bots`].
    ///
    /// [`RepoConfig::bots`]: crate::RepoConfig::bots
    pub by_us: bool,
    /// The raw text.
    pub text: String,
    /// The time at which it was posted.
    pub created_at: Timestamp,
    /// The time of the last edit.
    pub updated_at: Timestamp,
    /// Whether someone other than the author made the last edit.
    pub edited_by_other: bool,
    /// Whether somebody minimized it.
    pub is_minimized: bool,
    /// The workflow runs' claims to answer it.
    pub claims: AnswerClaims,
}

/// Returns the permission that follows from GitHub's
/// [association](https://docs.github.com/en/graphql/reference/enums#commentauthorassociation) of a comment's author; `None` if it
/// says nothing.
///
/// A member of an organization may have any permission, a collaborator in its repository too, and a private member looks like a
/// stranger. In a person's public repository, exactly the owner and the collaborators can push.
pub fn shown_permission(association: &str, is_public_of_person: bool) -> Option<Permission> {
    match association {
        "OWNER" => Some(Permission::Write),
        "COLLABORATOR" if is_public_of_person => Some(Permission::Write),
        _ if is_public_of_person => Some(Permission::Read),
        _ => None,
    }
}

/// Reactions by the bot's account: claims to answer a comment, and the candidates of a ballot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnswerClaims {
    /// A confused face: a run is about to refuse the command.
    pub refusal: bool,
    /// Eyes: a run is about to show something, or has noticed a vote.
    pub show: bool,
    /// The number of the reactions for votes that the bot has added.
    pub votes: usize,
}

/// An opaque cursor for reading more of a long thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor(pub String);

/// A file at a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileContent {
    /// The file doesn't exist.
    Missing,
    /// The complete text of the file.
    Text(String),
    /// A file without readable text (binary, truncated by the forge, or not a file). The reason is a sentence without its
    /// period.
    Unreadable(String),
}

impl FileContent {
    /// Returns the text of a readable file.
    pub fn text(&self) -> Option<&str> {
        if let FileContent::Text(text) = self { Some(text) } else { None }
    }
}

/// An issue and its comments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Whether only people with write access can comment.
    pub is_locked: bool,
    /// Whether it is closed.
    pub is_closed: bool,
    /// Whether someone reopened it after it was closed.
    pub was_reopened: bool,
    /// The names of its labels.
    pub labels: Vec<String>,
    /// Whether it has the label [`Label::Game`].
    pub has_label: bool,
    /// Whether it has the label [`Label::OpenSeat`].
    pub has_open_seat_label: bool,
    /// The people that it is assigned to. Always empty unless the host wants assignments.
    pub assignees: Vec<Assignee>,
    /// The title of the issue, which others may change.
    pub title: String,
    /// The number of comments, including the bot's own.
    pub comment_count: u64,
    /// The body of the issue, as comment 0.
    pub body: Comment,
    /// The newest comments, oldest first.
    pub comments: Vec<Comment>,
    /// When somebody last deleted a comment here; `None` if nobody has.
    pub last_deletion: Option<Timestamp>,
    /// When somebody last unlocked the issue; `None` if nobody has.
    pub last_unlock: Option<Timestamp>,
    /// The cursor for the comments before these; `None` if there are no more.
    pub earlier_cursor: Option<Cursor>,
}

impl Thread {
    /// Returns the body of the issue and the comments, oldest first.
    pub fn all_comments(&self) -> impl DoubleEndedIterator<Item = &Comment> {
        std::iter::once(&self.body).chain(&self.comments)
    }
}

/// The state branch, as of one read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Head {
    /// The newest commit of the branch.
    Commit(Oid),
    /// The branch doesn't exist.
    Missing {
        /// The commit to create it from: the newest on the default branch, if there is one.
        create_from: Option<Oid>,
    },
}

/// The result of one read: the repository, its head, files at that commit, and the threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The ID of the repository; `None` if it isn't on a forge.
    pub repository: Option<RepositoryId>,
    /// The state branch.
    pub head: Head,
    /// The requested threads, without issues that don't exist: deleted, transferred, or a pull request.
    pub threads: BTreeMap<IssueNumber, Thread>,
    /// The requested files at the head, by path. Empty without a head.
    pub files: BTreeMap<String, FileContent>,
    /// The first comments of some of the newest issues, if more than one issue was requested. If the last move at a
    /// requested table came from one of them, its answer is there.
    pub newest_comments: BTreeMap<IssueNumber, Vec<Comment>>,
    /// The settings file on the default branch; `None` if there is none, or if the repository isn't on a forge.
    pub settings: Option<SettingsFile>,
}
