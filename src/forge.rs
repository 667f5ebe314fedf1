//! The few things the bot needs of a host: read a thread, commit files, answer.
//!
//! A forge does what it is told, once, and says what came of it. It never retries, never waits on its own and decides
//! nothing: [`crate::settle`] is the only place that does. That is what makes a forge easy to fake.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

mod clock;
pub mod github;
pub mod local;

pub use crate::said::{Author, Millis, Oid, Source};

/// A comment in a thread. The body of the issue itself is comment 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// The comment's id (64 bits); 0 for the body of the issue.
    pub id: u64,
    /// Nobody when the account is gone.
    pub author: Option<Author>,
    /// The author is an owner, a member or a collaborator of the repository.
    pub maintainer: bool,
    /// Written by the very account the bot runs as.
    pub ours: bool,
    /// The raw text as it stands now.
    pub text: String,
    /// When the text took its present form.
    pub time: Millis,
    /// Our own account has put a confused face or eyes on it: some run of ours has claimed the answer.
    pub claimed: bool,
}

/// Where to read on in a long thread; opaque.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor(pub String);

/// A file at the commit that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum File {
    /// There is no such file.
    Missing,
    /// Its whole text.
    Text(String),
    /// It is there but cannot be had as text (binary, cut short by the host, not a file); the sentence, without its full stop,
    /// says why.
    Unreadable(String),
}

/// An issue and the record of its table, both as of one read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Nobody can answer here but those with write access.
    pub locked: bool,
    /// It carries the label `play-by-commit`.
    pub labelled: bool,
    /// How many comments it holds, ours among them.
    pub total: u64,
    /// The body of the issue, as comment 0.
    pub body: Comment,
    /// The newest comments, oldest first.
    pub comments: Vec<Comment>,
    /// Where the comments before these are, if there are any.
    pub earlier: Option<Cursor>,
    /// The table's record at the head that was read.
    pub record: File,
}

/// The state branch as of one read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Head {
    /// Its newest commit.
    At(Oid),
    /// There is no such branch; it would be made from here (the default branch's newest commit, if there is one).
    Missing(Option<Oid>),
}

/// What one read gives: the head, and through that very commit the records, and the threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The state branch.
    pub head: Head,
    /// The issues asked for, without those that do not exist (deleted, moved away, a pull request).
    pub threads: BTreeMap<u64, Thread>,
    /// The pages asked for, at the head.
    pub pages: BTreeMap<String, File>,
    /// Where two issues were asked for: the first comments of some of the newest issues. The last move at the second
    /// table may well have been made from one of them, and its answer is there.
    pub newest: BTreeMap<u64, Vec<Comment>>,
}

/// Files to commit together, on top of one commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The commit it was decided on; the branch must still be there. Nothing: the very first commit of a local repository.
    pub on: Option<Oid>,
    /// Paths from the repository's root with their whole new contents.
    pub files: Vec<(String, String)>,
    /// The first line of the message.
    pub headline: String,
    /// The rest of the message, trailers included.
    pub body: String,
    /// The player whose move it is.
    pub author: Author,
    /// When they wrote it.
    pub time: Millis,
}

/// What came of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Committed {
    /// It is on the branch.
    Landed(Oid),
    /// The branch was not where the change expected it: nothing was written.
    Raced,
}

/// What came of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Posted {
    /// It is in the thread.
    Done,
    /// The host refuses it for good (locked, full, gone); the sentence is the host's reason.
    Refused(String),
}

/// The reactions of the bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaction {
    /// A command was accepted.
    Rocket,
    /// A command was refused; also the claim to answer it.
    Confused,
    /// A command was shown its answer; also the claim to answer it.
    Eyes,
}

/// What came of a reaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// It is new: the answer is ours to give.
    Ours,
    /// It was there already: another run has the answer.
    Taken,
    /// There is no such comment any more.
    Gone,
    /// The host refuses it for good (locked); the sentence is the host's reason.
    Refused(String),
}

/// Why a request came to nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No usable answer came back (broken connection, timeout, a server error): it may have been applied or not.
    Lost(String),
    /// The host asks to wait; it was not applied.
    Later(Duration, String),
    /// It will not work until somebody changes something; the sentence names what. It was not applied.
    Host(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Lost(why) | Fault::Later(_, why) | Fault::Host(why) => f.write_str(why),
        }
    }
}

/// 32 bytes from the operating system's generator.
///
/// # Errors
/// The operating system has none to give.
pub fn luck() -> Result<[u8; 32], Fault> {
    let mut bytes = [0; 32];
    getrandom::getrandom(&mut bytes)
        .map_err(|error| Fault::Host(format!("the operating system gives no random numbers for the dice: {error}")))?;
    Ok(bytes)
}

/// A host of threads and of a repository.
#[allow(async_fn_in_trait)]
pub trait Forge {
    /// Reads the head, and from that very commit the records of up to two issues, with the newest comments of each, and
    /// these pages.
    async fn read(&self, issues: &[u64], pages: &[String]) -> Result<Snapshot, Fault>;

    /// Reads files through a commit.
    async fn files(&self, at: &Oid, paths: &[String]) -> Result<BTreeMap<String, File>, Fault>;

    /// Reads the comments before `cursor`, oldest first, and where the ones before those are.
    async fn page(&self, issue: u64, cursor: &Cursor) -> Result<(Vec<Comment>, Option<Cursor>), Fault>;

    /// Whether a comment (or the issue, for comment 0) is there at this moment, asked directly.
    async fn exists(&self, source: Source) -> Result<bool, Fault>;

    /// The issues touched since then, open or closed, neither locked nor pull requests, oldest change first.
    async fn touched_since(&self, since: Millis) -> Result<Vec<u64>, Fault>;

    /// Makes the state branch at this commit. That it is there already is no fault.
    async fn make_branch(&self, at: &Oid) -> Result<(), Fault>;

    /// Commits all files of a change at once, if the branch is where the change expects it.
    async fn commit(&self, change: &Change) -> Result<Committed, Fault>;

    /// Writes a comment.
    async fn answer(&self, issue: u64, body: &str) -> Result<Posted, Fault>;

    /// Puts a reaction on a comment or an issue's body.
    async fn react(&self, source: Source, reaction: Reaction) -> Result<Claim, Fault>;

    /// Deletes a comment of ours. That it is gone already is no fault.
    async fn delete(&self, source: Source) -> Result<(), Fault>;

    /// Puts the label `play-by-commit` on an issue.
    async fn label(&self, issue: u64) -> Result<(), Fault>;

    /// Closes an issue that was opened only to hold one command.
    async fn close(&self, issue: u64) -> Result<(), Fault>;

    /// The time now. Within a run it only goes forwards, as fast as time passes.
    fn now(&self) -> Millis;

    /// 32 bytes that nobody can foresee.
    fn luck(&self) -> Result<[u8; 32], Fault>;

    /// Waits.
    async fn pause(&self, time: Duration);
}
