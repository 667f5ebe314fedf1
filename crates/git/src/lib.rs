//! [`Forge`] over a local git repository: the terminal is the thread, a commit is a commit.
//!
//! The same loop runs over it as over a host on the network. A commit is made from plumbing commands only and lands by
//! compare-and-swap of the branch; it touches nothing else in the repository, and of a work tree nothing but the files
//! that it changed, and those only if nobody is at work on them.

mod checkout;
pub mod repo;
pub mod thread;
pub mod tree;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, anyhow, bail};
use async_trait::async_trait;
use protocol::forge::{Change, Claim, CommitOutcome, Environment, Fault, Forge, PostOutcome, Reaction, random_bytes};
use table::talk::comment::{Author, Millis, Source};
use table::talk::thread::{Comment, Cursor, FileContent, Head, Oid, Snapshot};

use crate::repo::Repo;
use crate::thread::{Commenter, LocalThread};
use crate::tree::{ChangedFile, CommitObject, ObjectReader, TreePlan};

/// The size limit of a file that is read, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// The last second of the year 9999: git knows no later date.
const MAX_GIT_TIME: u64 = 253_402_300_799;

/// The receiver of answers: the terminal, or a test.
pub type AnswerSink = Box<dyn FnMut(&str)>;

/// One table of a local repository.
pub struct LocalForge {
    repo: Repo,
    branch: String,
    state_dir: String,
    issue: u64,
    thread: RefCell<LocalThread>,
    describe_event: fn(Source) -> String,
    sink: RefCell<AnswerSink>,
    warnings: RefCell<Vec<String>>,
    warned_paths: RefCell<BTreeSet<String>>,
}

/// Returns the directory where tables are kept by default: `tables` below `$PLAY_BY_COMMIT_HOME`, or below the place where
/// this system keeps a program's data. The environment is an argument.
///
/// # Errors
/// The environment names no such place.
pub fn default_tables_dir(variable: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf> {
    let place = |name: &str| variable(name).map(PathBuf::from).filter(|path| !path.as_os_str().is_empty());
    // A relative path would mean another place in every directory; only our own variable may be so bold.
    let absolute = |name: &str| place(name).filter(|path| path.is_absolute());
    let home = place("PLAY_BY_COMMIT_HOME").or_else(|| {
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

/// Returns the branch that tables are on: the named one, or the one that is checked out (it may be without a commit yet).
///
/// # Errors
/// The name isn't valid in git, or no branch is checked out.
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
/// The repository cannot be read.
pub fn list_tables(repo: &Repo, branch: &str, state_dir: &str) -> Result<BTreeSet<u64>> {
    let path = tree::split_path(state_dir).map_err(|sentence| anyhow!(sentence))?;
    let read = || {
        let mut objects = ObjectReader::start(repo)?;
        let Some(head) = objects.branch_head(branch)? else { return Ok(Vec::new()) };
        objects.file_names(&head, &path)
    };
    let names = read().map_err(|fault: Fault| anyhow!("{fault}"))?;
    Ok(names.iter().filter_map(|name| name.strip_suffix(".json")?.parse().ok()).collect())
}

impl LocalForge {
    /// Opens a table of a repository. `branch` is as for [`resolve_branch`]; `answered` makes the text of an answer to an event that
    /// this process has not seen; `sink` gets the bot's answers.
    ///
    /// # Errors
    /// There is no such branch name or state directory; the sentence says what to name.
    pub fn new(
        repo: Repo,
        branch: Option<&str>,
        state_dir: &str,
        issue: u64,
        answered: fn(Source) -> String,
        sink: AnswerSink,
    ) -> Result<LocalForge> {
        let state_dir = state_dir.trim_end_matches('/').to_owned();
        tree::split_path(&state_dir).map_err(|sentence| anyhow!(sentence))?;
        Ok(LocalForge {
            branch: self::resolve_branch(&repo, branch)?,
            repo,
            state_dir,
            issue,
            thread: RefCell::new(LocalThread::new(issue)),
            describe_event: answered,
            sink: RefCell::new(sink),
            warnings: RefCell::default(),
            warned_paths: RefCell::default(),
        })
    }

    /// Opens the issue with this body; at a table that is there already it is a comment.
    pub fn open_issue(&self, author: Author, maintainer: bool, text: &str, time: Millis) {
        self.thread.borrow_mut().add_comment(Commenter { author, maintainer }, text.to_owned(), time, true);
    }

    /// Puts a comment into the thread. The one before it is settled by now, or was chat.
    pub fn add_comment(&self, author: Author, maintainer: bool, text: &str, time: Millis) {
        self.thread.borrow_mut().add_comment(Commenter { author, maintainer }, text.to_owned(), time, false);
    }

    /// Takes the warnings about the work tree, each of which is given once.
    pub fn take_warnings(&self) -> Vec<String> {
        self.warnings.take()
    }

    /// Returns the repository.
    pub fn repo(&self) -> &Repo {
        &self.repo
    }

    /// Returns the branch that the table is on.
    pub fn branch_name(&self) -> &str {
        &self.branch
    }

    fn record_path(&self) -> String {
        format!("{}/{}.json", self.state_dir, self.issue)
    }

    fn read_file(objects: &mut ObjectReader, head: &CommitObject, path: &str) -> Result<FileContent, Fault> {
        let Some(entry) = objects.find_entry(head, &path.split('/').collect::<Vec<_>>())? else {
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

    /// Makes the commit without moving the branch to it; `None` when the branch is elsewhere already.
    fn create_commit(&self, change: &Change) -> Result<Option<(String, Vec<ChangedFile>)>, Fault> {
        let paths: Result<Vec<Vec<&str>>, String> =
            change.files.iter().map(|(path, _)| tree::split_path(path)).collect();
        let paths = paths.map_err(Fault::Fatal)?;
        let mut objects = ObjectReader::start(&self.repo)?;
        let head = objects.branch_head(&self.branch)?;
        if head.as_ref().map(|head| &head.id) != change.parent.as_ref() {
            return Ok(None);
        }
        let plan = TreePlan::new(&mut objects, head.as_ref(), &paths)?;
        drop(objects);
        let mut blobs = Vec::with_capacity(change.files.len());
        for (_, text) in &change.files {
            blobs.push(object_id(&self.repo.git(&["hash-object", "-w", "--stdin"], text.as_bytes())?));
        }
        let (tree, changed) = plan.write(&self.repo, &blobs)?;
        let mut args = vec!["commit-tree", tree.as_str()];
        if let Some(on) = &change.parent {
            args.extend(["-p", on.as_str()]);
        }
        let (name, email) = author_identity(&change.author);
        let date = format!("@{} +0000", (change.time / 1000).min(MAX_GIT_TIME));
        let variables = [("GIT_AUTHOR_NAME", name.as_str()), ("GIT_AUTHOR_EMAIL", &email), ("GIT_AUTHOR_DATE", &date)];
        let commit = self.repo.git_with_env(&args, &variables, commit_message(change).as_bytes())?;
        Ok(Some((object_id(&commit), changed)))
    }

    /// Moves the branch if it is where the change expects it; false if it is not.
    fn move_branch(&self, change: &Change, new: &str) -> Result<bool, Fault> {
        let branch = format!("refs/heads/{}", self.branch);
        // All zeros: there must be no such branch.
        let old = change.parent.as_ref().map_or_else(|| "0".repeat(new.len()), Oid::to_string);
        let note = format!("play-by-commit: {}", repo::one_line(&change.headline));
        let Err(failure) = self.repo.git(&["update-ref", "-m", &note, &branch, new, &old], b"") else {
            return Ok(true);
        };
        // Git's sentences are for people; where the branch is now says what happened.
        let now = ObjectReader::start(&self.repo)?.branch_head(&self.branch)?.map(|head| head.id);
        if now == change.parent {
            return Err(failure.into());
        }
        let moved_on = self.repo.git(&["merge-base", "--is-ancestor", new, &branch], b"");
        Ok(moved_on.is_ok())
    }

    fn warn(&self, behind: Vec<(String, String)>) {
        for (path, sentence) in behind {
            if self.warned_paths.borrow_mut().insert(path) {
                self.warnings.borrow_mut().push(sentence);
            }
        }
    }
}

#[async_trait(?Send)]
impl Forge for LocalForge {
    async fn read(&self, issues: &[u64], pages: &[String], _comments: usize) -> Result<Snapshot, Fault> {
        let mut objects = ObjectReader::start(&self.repo)?;
        let head = objects.branch_head(&self.branch)?;
        let mut threads = BTreeMap::new();
        if issues.contains(&self.issue) {
            let record = head
                .as_ref()
                .map_or(Ok(FileContent::Missing), |head| Self::read_file(&mut objects, head, &self.record_path()))?;
            let mut thread = self.thread.borrow_mut();
            thread.update_from_record(&record, self.describe_event, self.now());
            threads.insert(self.issue, thread.to_thread(record));
        }
        let pages = pages.iter().map(|path| {
            let page = head.as_ref().map_or(Ok(FileContent::Missing), |head| Self::read_file(&mut objects, head, path));
            Ok((path.clone(), page?))
        });
        let pages = pages.collect::<Result<_, Fault>>()?;
        let head = head.map_or(Head::Missing(None), |head| Head::Commit(head.id));
        Ok(Snapshot { head, threads, pages, newest_comments: BTreeMap::new() })
    }

    async fn read_files(&self, at: &Oid, paths: &[String]) -> Result<BTreeMap<String, FileContent>, Fault> {
        let mut objects = ObjectReader::start(&self.repo)?;
        let commit = objects.commit(at.as_str())?;
        let commit = commit.ok_or_else(|| Fault::Fatal(format!("git: there is no commit {at}")))?;
        paths.iter().map(|path| Ok((path.clone(), Self::read_file(&mut objects, &commit, path)?))).collect()
    }

    async fn comments_before(
        &self,
        _issue: u64,
        _cursor: &Cursor,
        _comments: usize,
    ) -> Result<(Vec<Comment>, Option<Cursor>), Fault> {
        Ok((Vec::new(), None)) // a read gives all there is
    }

    async fn exists(&self, source: Source) -> Result<bool, Fault> {
        Ok(self.thread.borrow().contains(source))
    }

    async fn issues_updated_since(&self, _since: Millis) -> Result<Vec<u64>, Fault> {
        Ok(vec![self.issue])
    }

    async fn create_branch(&self, at: &Oid) -> Result<(), Fault> {
        let branch = format!("refs/heads/{}", self.branch);
        let none = "0".repeat(at.as_str().len());
        let Err(failure) = self.repo.git(&["update-ref", &branch, at.as_str(), &none], b"") else { return Ok(()) };
        ObjectReader::start(&self.repo)?.branch_head(&self.branch)?.map(drop).ok_or_else(|| failure.into())
    }

    async fn commit(&self, change: &Change) -> Result<CommitOutcome, Fault> {
        let Some((new, changed)) = self.create_commit(change)? else { return Ok(CommitOutcome::BranchMoved) };
        let oid = Oid::parse(&new).ok_or_else(|| Fault::Fatal(format!("git: `{new}` isn't a commit ID")))?;
        if !self.move_branch(change, &new)? {
            return Ok(CommitOutcome::BranchMoved);
        }
        let record = self.record_path();
        if let Some((_, text)) = change.files.iter().find(|(path, _)| *path == record) {
            self.thread.borrow_mut().note_commit(text);
        }
        // From here on nothing can fail: the move is made, also if the work tree cannot follow.
        self.warn(checkout::update_work_trees(&self.repo, &self.branch, &changed));
        Ok(CommitOutcome::Landed(oid))
    }

    async fn answer(&self, issue: u64, body: &str) -> Result<PostOutcome, Fault> {
        if issue != self.issue {
            return Ok(PostOutcome::Refused(format!("Only table #{} is open here.", self.issue)));
        }
        self.thread.borrow_mut().add_answer(body.to_owned(), self.now());
        (self.sink.borrow_mut())(body);
        Ok(PostOutcome::Done)
    }

    async fn react(&self, source: Source, reaction: Reaction) -> Result<Claim, Fault> {
        Ok(self.thread.borrow_mut().react(source, reaction))
    }

    async fn delete(&self, source: Source) -> Result<(), Fault> {
        self.thread.borrow_mut().delete(source);
        Ok(())
    }

    async fn label(&self, issue: u64) -> Result<(), Fault> {
        if issue == self.issue {
            self.thread.borrow_mut().label();
        }
        Ok(())
    }

    async fn close(&self, _issue: u64) -> Result<(), Fault> {
        Ok(()) // a terminal has no list of open issues
    }

    async fn reopen(&self, _issue: u64) -> Result<(), Fault> {
        Ok(())
    }
}

#[async_trait(?Send)]
impl Environment for LocalForge {
    fn now(&self) -> Millis {
        let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        time.as_millis().try_into().unwrap_or(Millis::MAX)
    }

    fn entropy(&self) -> Result<[u8; 32], Fault> {
        random_bytes()
    }

    async fn pause(&self, time: Duration) {
        tokio::time::sleep(time).await;
    }
}

/// Returns the name and the address of a player as git takes them: no name can begin a line or close an address.
fn author_identity(author: &Author) -> (String, String) {
    let name: String = author.login.chars().filter(|c| !c.is_control() && !matches!(c, '<' | '>')).take(100).collect();
    // Git refuses a name of nothing but dots and the like.
    let name = name.trim().to_owned();
    let name = if name.chars().any(char::is_alphanumeric) { name } else { format!("player {}", author.id) };
    let local: String = name.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '-' }).collect();
    (name, format!("{local}@players.invalid"))
}

fn commit_message(change: &Change) -> String {
    let body: String = change.body.chars().filter(|c| *c == '\n' || !c.is_control()).collect();
    let headline = repo::one_line(&change.headline);
    match body.trim() {
        "" => format!("{headline}\n"),
        body => format!("{headline}\n\n{body}\n"),
    }
}

fn object_id(output: &[u8]) -> String {
    String::from_utf8_lossy(output).trim().to_owned()
}
