//! [`LocalForge`]: a [`Forge`] over a local git repository, with the terminal as the thread.
//!
//! `git fast-import` makes a commit, and `git update-ref` moves the branch with compare-and-swap. They change nothing else in the
//! repository. In a work tree, only the committed files are updated, and only those without changes of their own.
//!
//! ```
//! use git::{LocalForge, Repo};
//! use table::IssueNumber;
//!
//! # fn main() -> anyhow::Result<()> {
//! let dir = std::env::temp_dir().join(format!("play-by-commit-example-{}", std::process::id()));
//! let repo = Repo::init(&dir)?;
//! let print = Box::new(|answer: &str| println!("{answer}"));
//! let forge = LocalForge::new(repo, None, "state", IssueNumber::new(1), |_| "Somebody else moved.".to_owned(), print)?;
//! assert_eq!(forge.branch_name(), "main");
//! # std::fs::remove_dir_all(&dir)?;
//! # Ok(())
//! # }
//! ```

mod checkout;
mod commit;
mod remote;
mod repo;
mod thread;
mod tree;
mod work_tree;

pub use remote::{Remote, parse_remote};
pub use repo::{Repo, error_message, parse_version};
pub use thread::{Commenter, LocalThread, RecordedIds};
pub use tree::{FILE_MODE, TreeEntry, parse_tree, split_path};
pub use work_tree::WorkTree;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, anyhow, bail};
use async_trait::async_trait;
use protocol::{
    Account, Answer, AnswerOutcome, Change, ClaimOutcome, Comment, CommitOutcome, Cursor, Environment, FileContent,
    Forge, Head, HostError, IssueList, Label, PostOutcome, Presence, Reaction, RequestError, Snapshot, Update,
    random_bytes,
};
use table::{Author, CommentRef, IssueNumber, Oid, Permission, StatePath, Timestamp, VoteReaction};

use crate::tree::{CommitObject, ObjectReader};

/// The size limit of a file to read, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// A callback that gets the bot's answers as Markdown.
pub type AnswerSink = Box<dyn FnMut(&str)>;

/// A forge for one table of a local repository.
pub struct LocalForge {
    repo: Repo,
    branch: String,
    state_dir: String,
    issue: IssueNumber,
    thread: RefCell<LocalThread>,
    describe_event: fn(CommentRef) -> String,
    sink: RefCell<AnswerSink>,
    warnings: RefCell<Vec<String>>,
    warned_paths: RefCell<BTreeSet<String>>,
    started: Instant,
}

/// Returns the default directory of tables: `tables` in `$PLAY_BY_COMMIT_HOME`, or in `play-by-commit` in the system's directory
/// for application data.
///
/// `variable` looks up an environment variable.
///
/// # Errors
/// Returns an error if the environment names no such directory.
pub fn default_tables_dir(variable: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf> {
    let path = |name: &str| variable(name).map(PathBuf::from).filter(|path| !path.as_os_str().is_empty());
    // A relative path depends on the current directory, so only our own variable may have one.
    let absolute = |name: &str| path(name).filter(|path| path.is_absolute());
    let home = path("PLAY_BY_COMMIT_HOME").or_else(|| {
        let data = if cfg!(windows) {
            absolute("LOCALAPPDATA")
        } else {
            absolute("XDG_DATA_HOME").or_else(|| absolute("HOME").map(|home| home.join(".local/share")))
        };
        data.map(|data| data.join("play-by-commit"))
    });
    let home = home.context("There is no home directory to keep games in. Set PLAY_BY_COMMIT_HOME to a directory.")?;
    Ok(home.join("tables"))
}

/// Returns the branch of the tables: the named one, or the one that is checked out, which may have no commit yet.
///
/// # Errors
/// Returns an error if git doesn't accept the name, or if no branch is checked out.
pub fn resolve_branch(repo: &Repo, named: Option<&str>) -> Result<String> {
    if let Some(name) = named {
        let full = format!("refs/heads/{name}");
        if name.starts_with('-') || repo.git(&["check-ref-format", &full], b"").is_err() {
            bail!("`{}` isn't a valid branch name.", repo::one_line(name));
        }
        return Ok(name.to_owned());
    }
    let head = repo.git(&["symbolic-ref", "--quiet", "HEAD"], b"").unwrap_or_default();
    let head = String::from_utf8(head).unwrap_or_default();
    let name = head.trim_end_matches('\n').strip_prefix("refs/heads/").filter(|name| !name.is_empty());
    let name =
        name.context("No branch is checked out in this repository (HEAD is detached). Name one with --branch.")?;
    Ok(name.to_owned())
}

/// Lists the numbers of the tables on a branch.
///
/// # Errors
/// Returns an error if the repository can't be read.
pub fn list_tables(repo: &Repo, branch: &str, state_dir: &str) -> Result<BTreeSet<IssueNumber>> {
    let path = tree::split_path(state_dir)?;
    let read = || {
        let mut objects = ObjectReader::new(repo);
        let Some(head) = objects.branch_head(branch)? else { return Ok(Vec::new()) };
        objects.file_names(&head, &path)
    };
    let names = read().map_err(|error: RequestError| anyhow!("{error}"))?;
    Ok(names.iter().filter_map(|name| StatePath::parse(name)?.into_record()).collect())
}

impl LocalForge {
    /// Creates a forge for a table.
    ///
    /// `branch` is the argument of [`resolve_branch`]. `describe_event` writes the answer to an event that another process
    /// committed. `sink` gets the bot's answers.
    ///
    /// # Errors
    /// Returns an error if the branch name or the state directory is invalid.
    pub fn new(
        repo: Repo,
        branch: Option<&str>,
        state_dir: &str,
        issue: IssueNumber,
        describe_event: fn(CommentRef) -> String,
        sink: AnswerSink,
    ) -> Result<LocalForge> {
        let state_dir = state_dir.trim_end_matches('/').to_owned();
        tree::split_path(&state_dir)?;
        Ok(LocalForge {
            branch: self::resolve_branch(&repo, branch)?,
            repo,
            state_dir,
            issue,
            thread: RefCell::new(LocalThread::new(issue)),
            describe_event,
            sink: RefCell::new(sink),
            warnings: RefCell::default(),
            warned_paths: RefCell::default(),
            started: Instant::now(),
        })
    }

    /// Opens the issue with this body. Adds a comment instead if the table exists.
    pub fn open_issue(&self, author: Author, maintainer: bool, text: &str, time: Timestamp) {
        self.thread.borrow_mut().add_comment(Commenter { author, maintainer }, text.to_owned(), time, true);
    }

    /// Adds a comment to the thread. The previous comment must be settled or be chat.
    pub fn add_comment(&self, author: Author, maintainer: bool, text: &str, time: Timestamp) {
        self.thread.borrow_mut().add_comment(Commenter { author, maintainer }, text.to_owned(), time, false);
    }

    /// Takes the warnings about the work tree. Each path has at most one.
    pub fn take_warnings(&self) -> Vec<String> {
        self.warnings.take()
    }

    /// Returns the repository.
    pub fn repo(&self) -> &Repo {
        &self.repo
    }

    /// Returns the name of the table's branch.
    pub fn branch_name(&self) -> &str {
        &self.branch
    }

    fn record_path(&self) -> String {
        StatePath::Record(self.issue).below(&self.state_dir)
    }

    /// Reads a file at a commit. Without a commit, every file is missing.
    fn read_file(
        objects: &mut ObjectReader<'_>,
        commit: Option<&CommitObject>,
        path: &str,
    ) -> Result<FileContent, RequestError> {
        let Some(commit) = commit else { return Ok(FileContent::Missing) };
        let Some(entry) = objects.find_entry(commit, &path.split('/').collect::<Vec<_>>())? else {
            return Ok(FileContent::Missing);
        };
        let unreadable = |why: &str| Ok(FileContent::Unreadable(format!("`{path}` {why}")));
        if !entry.is_file() {
            return unreadable("is not a file");
        }
        match objects.read_object(&entry.id, MAX_FILE_BYTES)?.map(|object| object.content) {
            None => unreadable("is missing from the repository's objects"),
            Some(None) => unreadable("is larger than a record can be"),
            Some(Some(content)) => {
                String::from_utf8(content).map(FileContent::Text).or_else(|_| unreadable("isn't UTF-8 text"))
            }
        }
    }

    /// Moves the branch to a new commit, unless it isn't at the change's parent any more.
    fn move_branch(&self, change: &Change, new: Oid) -> Result<CommitOutcome, RequestError> {
        let branch = format!("refs/heads/{}", self.branch);
        // Zeros mean that the branch must not exist.
        let old = change.parent.as_ref().map_or_else(|| "0".repeat(new.as_str().len()), Oid::to_string);
        let note = format!("play-by-commit: {}", repo::one_line(&change.headline));
        let Err(error) = self.repo.git(&["update-ref", "-m", &note, &branch, new.as_str(), &old], b"") else {
            return Ok(CommitOutcome::Landed(new));
        };
        // Git's messages aren't meant for programs, so look where the branch is now.
        let now = ObjectReader::new(&self.repo).branch_head(&self.branch)?.map(|head| head.id);
        if now == change.parent {
            return Err(error.into());
        }
        let contains_new = self.repo.git(&["merge-base", "--is-ancestor", new.as_str(), &branch], b"");
        Ok(if contains_new.is_ok() { CommitOutcome::Landed(new) } else { CommitOutcome::Stale })
    }

    /// Adds warnings, each a path and a sentence. Keeps only the first warning about a path.
    fn warn(&self, warnings: Vec<(String, String)>) {
        for (path, warning) in warnings {
            if self.warned_paths.borrow_mut().insert(path) {
                self.warnings.borrow_mut().push(warning);
            }
        }
    }
}

#[async_trait(?Send)]
impl Forge for LocalForge {
    async fn read(&self, issues: &[IssueNumber], paths: &[String], _comments: usize) -> Result<Snapshot, RequestError> {
        let mut objects = ObjectReader::new(&self.repo);
        let head = objects.branch_head(&self.branch)?;
        let mut threads = BTreeMap::new();
        if issues.contains(&self.issue) {
            let record = Self::read_file(&mut objects, head.as_ref(), &self.record_path())?;
            let mut thread = self.thread.borrow_mut();
            thread.update_from_record(&record, self.describe_event);
            threads.insert(self.issue, thread.to_thread());
        }
        let mut files = BTreeMap::new();
        if head.is_some() {
            for path in paths {
                files.insert(path.clone(), Self::read_file(&mut objects, head.as_ref(), path)?);
            }
        }
        let head = head.map_or(Head::Missing { create_from: None }, |head| Head::Commit(head.id));
        Ok(Snapshot { repository: None, head, threads, files, newest_comments: BTreeMap::new(), settings: None })
    }

    async fn read_files(&self, commit: &Oid, paths: &[String]) -> Result<BTreeMap<String, FileContent>, RequestError> {
        let mut objects = ObjectReader::new(&self.repo);
        let Some(commit) = objects.commit(commit.as_str())? else {
            return Err(RequestError::Fatal(HostError::new(format!("git: there is no commit {commit}"))));
        };
        paths.iter().map(|path| Ok((path.clone(), Self::read_file(&mut objects, Some(&commit), path)?))).collect()
    }

    /// A terminal has a single table, and shows no lists.
    async fn list_files(&self, _: &Oid, _: &str) -> Result<Vec<String>, RequestError> {
        Ok(Vec::new())
    }

    async fn read_folder(&self, _: &Oid, _: &str) -> Result<BTreeMap<String, FileContent>, RequestError> {
        Ok(BTreeMap::new())
    }

    async fn comments_before(
        &self,
        _issue: IssueNumber,
        _cursor: &Cursor,
        _comments: usize,
    ) -> Result<(Vec<Comment>, Option<Cursor>), RequestError> {
        Ok((Vec::new(), None)) // a read returns all comments
    }

    async fn find(&self, source: CommentRef) -> Result<Presence, RequestError> {
        let is_there = self.thread.borrow().contains(source);
        Ok(if is_there { Presence::Present } else { Presence::Absent })
    }

    async fn account(&self, _: &str) -> Result<Account, RequestError> {
        // A terminal has no accounts to look up.
        Ok(Account::Person)
    }

    async fn permission(&self, _: &Author) -> Result<Option<Permission>, RequestError> {
        // Someone with a terminal owns the repository.
        Ok(Some(Permission::Write))
    }

    async fn issues_updated_since(
        &self,
        _: Timestamp,
        _: Option<&Cursor>,
        _: usize,
    ) -> Result<IssueList, RequestError> {
        // A terminal has a single thread.
        let issues = vec![(self.issue, self.thread.borrow().to_thread())];
        Ok(IssueList { issues, ..IssueList::default() })
    }

    async fn create_branch(&self, commit: &Oid) -> Result<(), RequestError> {
        let branch = format!("refs/heads/{}", self.branch);
        let zeros = "0".repeat(commit.as_str().len());
        let Err(error) = self.repo.git(&["update-ref", &branch, commit.as_str(), &zeros], b"") else { return Ok(()) };
        match ObjectReader::new(&self.repo).branch_head(&self.branch)? {
            Some(_) => Ok(()),
            None => Err(error.into()),
        }
    }

    async fn commit(&self, change: &Change) -> Result<CommitOutcome, RequestError> {
        let created = commit::create_commit(&self.repo, &self.branch, change, self.now())?;
        let Some((new, changed)) = created else { return Ok(CommitOutcome::Stale) };
        let outcome = self.move_branch(change, new)?;
        if outcome == CommitOutcome::Stale {
            return Ok(outcome);
        }
        let record = self.record_path();
        if let Some((_, text)) = change.files.iter().find(|(path, _)| *path == record) {
            self.thread.borrow_mut().note_commit(text);
        }
        // The move is committed, so a work tree that can't be updated is only a warning.
        self.warn(checkout::update_work_trees(&self.repo, &self.branch, &changed));
        Ok(outcome)
    }

    async fn answer(&self, answer: &Answer) -> Result<AnswerOutcome, RequestError> {
        let Answer { source, body, updates } = answer;
        if source.issue != self.issue {
            let why = format!("Only table #{} is open here.", self.issue);
            return Ok(AnswerOutcome { comment: PostOutcome::Refused(why), posted: None, failed_updates: Vec::new() });
        }
        self.thread.borrow_mut().add_answer(body.clone(), self.now());
        (self.sink.borrow_mut())(body);
        for update in updates {
            self.update(update).await?;
        }
        Ok(AnswerOutcome { comment: PostOutcome::Done, posted: None, failed_updates: Vec::new() })
    }

    /// A terminal shows labels only. It has no reactions, and no list of open issues.
    async fn update(&self, update: &Update) -> Result<(), RequestError> {
        if *update == Update::Label(self.issue, Label::Game) {
            self.thread.borrow_mut().label();
        }
        Ok(())
    }

    async fn react(&self, source: CommentRef, reaction: Reaction) -> Result<ClaimOutcome, RequestError> {
        Ok(self.thread.borrow_mut().react(source, reaction))
    }

    async fn voters(
        &self,
        _: CommentRef,
        _: &[VoteReaction],
    ) -> Result<BTreeMap<VoteReaction, Vec<Author>>, RequestError> {
        Ok(BTreeMap::new())
    }

    async fn delete(&self, source: CommentRef) -> Result<(), RequestError> {
        self.thread.borrow_mut().delete(source);
        Ok(())
    }
}

#[async_trait(?Send)]
impl Environment for LocalForge {
    fn now(&self) -> Timestamp {
        let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::EPOCH + time
    }

    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    fn entropy(&self) -> Result<[u8; 32], RequestError> {
        random_bytes()
    }

    async fn pause(&self, time: Duration) {
        tokio::time::sleep(time).await;
    }
}
