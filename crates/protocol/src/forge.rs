//! The few things the bot needs of a host: read a thread, commit files, answer.
//!
//! A forge does what it is told, once, and says what came of it. It never retries, never waits on its own and decides
//! nothing: the protocol's loop is the only place that does. That is what makes a forge easy to fake.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use table::talk::comment::{Author, Millis, Source};
use table::talk::thread::{Comment, Cursor, FileContent, Oid, Snapshot};

/// Files to commit together, on top of one commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The commit it was decided on; the branch must still be there. `None`: the very first commit of a local repository.
    pub parent: Option<Oid>,
    /// Paths from the repository's root with their whole new contents.
    pub files: Vec<(String, String)>,
    /// The first line of the message.
    pub headline: String,
    /// The rest of the message, trailers included.
    pub body: String,
    /// The player whose move it is.
    pub author: Author,
    /// The time when they wrote it.
    pub time: Millis,
}

/// The outcome of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommitOutcome {
    /// It is on the branch.
    Landed(Oid),
    /// The branch was not where the change expected it: nothing was written.
    BranchMoved,
}

/// The outcome of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PostOutcome {
    /// It is in the thread.
    Done,
    /// The host refuses it for good (locked, full, gone); the sentence is the host's reason.
    Refused(String),
}

/// The reactions of the bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reaction {
    /// A command was accepted.
    Rocket,
    /// A command was refused; also the claim to answer it.
    Confused,
    /// A command was shown its answer; also the claim to answer it.
    Eyes,
}

/// The outcome of a reaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// It is new: this run gives the answer.
    Ours,
    /// It was there already: another run has the answer.
    Taken,
    /// There is no such comment any more.
    Gone,
    /// The host refuses it for good (locked); the sentence is the host's reason.
    Refused(String),
}

/// The reason why a request came to nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No usable answer came back (broken connection, timeout, a server error): it may have been applied or not.
    Lost(String),
    /// The host asks to wait; it was not applied.
    RetryAfter(Duration, String),
    /// The answer to a read is longer than what is taken in: it has to ask for less.
    TooLong(String),
    /// It will not work until somebody changes something; the sentence names what. It was not applied.
    Fatal(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Lost(why) | Fault::RetryAfter(_, why) | Fault::TooLong(why) | Fault::Fatal(why) => f.write_str(why),
        }
    }
}

/// Returns 32 bytes from the operating system's generator.
///
/// # Errors
/// The operating system has none to give.
pub fn random_bytes() -> Result<[u8; 32], Fault> {
    let mut bytes = [0; 32];
    getrandom::getrandom(&mut bytes).map_err(|error| {
        Fault::Fatal(format!(
            "the operating system returned no random numbers for the dice: \
             {error}"
        ))
    })?;
    Ok(bytes)
}

/// The number of comments that are asked for at once, unless they are too long together.
pub const COMMENTS_PER_PAGE: usize = 100;

/// The clock, the randomness and the pauses of a run.
#[async_trait(?Send)]
pub trait Environment {
    /// Returns the time now. Within a run it only goes forwards, as fast as time passes.
    fn now(&self) -> Millis;

    /// Returns 32 bytes that nobody can foresee.
    fn entropy(&self) -> Result<[u8; 32], Fault>;

    /// Waits for this time.
    async fn pause(&self, time: Duration);
}

/// A host of threads and of a repository. The protocol is built once for all of them: its requests take longer than a call
/// through a table.
#[async_trait(?Send)]
pub trait Forge: Environment {
    /// Reads the head, and from that very commit the records of up to two issues, with so many of the newest comments of
    /// each, and these pages.
    async fn read(&self, issues: &[u64], pages: &[String], comments: usize) -> Result<Snapshot, Fault>;

    /// Reads files through a commit.
    async fn read_files(&self, at: &Oid, paths: &[String]) -> Result<BTreeMap<String, FileContent>, Fault>;

    /// Reads so many comments before `cursor`, oldest first, and the cursor to those before.
    async fn comments_before(
        &self,
        issue: u64,
        cursor: &Cursor,
        comments: usize,
    ) -> Result<(Vec<Comment>, Option<Cursor>), Fault>;

    /// Asks directly if a comment (or the issue, for comment 0) is there at this moment.
    async fn exists(&self, source: Source) -> Result<bool, Fault>;

    /// Lists the issues touched since then, open or closed, neither locked nor pull requests, oldest change first.
    async fn issues_updated_since(&self, since: Millis) -> Result<Vec<u64>, Fault>;

    /// Makes the state branch at this commit. That it is there already is no fault.
    async fn create_branch(&self, at: &Oid) -> Result<(), Fault>;

    /// Commits all files of a change at once, if the branch is where the change expects it.
    async fn commit(&self, change: &Change) -> Result<CommitOutcome, Fault>;

    /// Writes a comment.
    async fn answer(&self, issue: u64, body: &str) -> Result<PostOutcome, Fault>;

    /// Puts a reaction on a comment or an issue's body.
    async fn react(&self, source: Source, reaction: Reaction) -> Result<Claim, Fault>;

    /// Deletes an answer. That it is gone already is no fault.
    async fn delete(&self, source: Source) -> Result<(), Fault>;

    /// Puts the label `play-by-commit` on an issue.
    async fn label(&self, issue: u64) -> Result<(), Fault>;

    /// Closes an issue: it was opened only to hold one command, or its game is over.
    async fn close(&self, issue: u64) -> Result<(), Fault>;

    /// Opens a closed issue again.
    async fn reopen(&self, issue: u64) -> Result<(), Fault>;
}
