//! The forge over a local repository, against real repositories made by the real git.

mod commits;
mod open;
mod thread;
mod work_tree;

use std::future::Future;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use git::{LocalForge, Repo};
use protocol::{COMMENTS_PER_PAGE, Change, CommitOutcome, FileContent, Forge, Head, RequestError, Snapshot, Thread};
use table::{Author, CommentRef, IssueNumber, Oid, Timestamp, UserId};

/// The record of table 3, where most tests play.
const RECORD: &str = "state/3.json";

/// A temporary directory, deleted when dropped.
struct TempDir(PathBuf);

impl TempDir {
    fn new() -> TempDir {
        TempDir::named("repo")
    }

    fn named(name: &str) -> TempDir {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("play-by-commit-{}-{count}", std::process::id())).join(name);
        std::fs::create_dir_all(&dir).unwrap();
        TempDir(dir.canonicalize().unwrap())
    }

    /// A directory with an empty repository.
    fn repo() -> TempDir {
        let dir = TempDir::new();
        git(&dir, &["init", "-q", "-b", "main"]);
        dir
    }

    /// A directory with a repository that has one commit of these files.
    fn with(files: &[(&str, &str)]) -> TempDir {
        let dir = TempDir::repo();
        for (path, text) in files {
            write_file(&dir, path, text);
        }
        git(&dir, &["add", "-A"]);
        git(&dir, &["commit", "-qm", "start"]);
        dir
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(self.0.parent().unwrap());
    }
}

impl std::ops::Deref for TempDir {
    type Target = Path;
    fn deref(&self) -> &Path {
        &self.0
    }
}

/// Runs git as a person would, and returns its output.
#[track_caller]
fn git(dir: &Path, args: &[&str]) -> String {
    let output = git_command(dir).args(args).output().unwrap();
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn git_command(dir: &Path) -> Command {
    let mut command = Command::new("git");
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
        command.env_remove(name);
    }
    command.current_dir(dir).env("GIT_CONFIG_GLOBAL", dir.join("no-such-file")).env("GIT_CONFIG_NOSYSTEM", "1");
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "Host").env(format!("GIT_{who}_EMAIL"), "host@example.org");
    }
    command
}

fn write_file(dir: &Path, path: &str, text: &str) {
    let path = dir.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn read_file(dir: &Path, path: &str) -> String {
    std::fs::read_to_string(dir.join(path)).unwrap()
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(future)
}

fn describe_event(source: CommentRef) -> String {
    format!("answers {}", source.comment)
}

#[track_caller]
fn open_table(dir: &Path) -> LocalForge {
    open_table_on(dir, None, "state")
}

#[track_caller]
fn open_table_on(dir: &Path, branch: Option<&str>, state_dir: &str) -> LocalForge {
    LocalForge::new(Repo::open(dir).unwrap(), branch, state_dir, IssueNumber::new(3), describe_event, Box::new(|_| ()))
        .unwrap()
}

fn author(login: &str) -> Author {
    Author { id: UserId::new(583), login: login.to_owned(), is_bot: false }
}

fn read_snapshot(forge: &LocalForge) -> Snapshot {
    block_on(forge.read(&[IssueNumber::new(3)], &[], COMMENTS_PER_PAGE)).unwrap()
}

fn read_thread(forge: &LocalForge) -> Thread {
    read_snapshot(forge).threads.remove(&IssueNumber::new(3)).unwrap()
}

/// Reads a file at the head of the games' branch.
fn read_at_head(forge: &LocalForge, path: &str) -> FileContent {
    let mut read = block_on(forge.read(&[], &[path.to_owned()], COMMENTS_PER_PAGE)).unwrap();
    read.files.remove(path).unwrap_or(FileContent::Missing)
}

fn head(forge: &LocalForge) -> Option<Oid> {
    match read_snapshot(forge).head {
        Head::Commit(oid) => Some(oid),
        Head::Missing { create_from } => create_from,
    }
}

fn change(parent: Option<Oid>, files: &[(&str, &str)]) -> Change {
    Change {
        parent,
        files: files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect(),
        deleted: Vec::new(),
        headline: "ann plays b2".to_owned(),
        body: "Table: #3".to_owned(),
        author: author("ann"),
        time: Timestamp::from_millis(1_700_000_000_123),
    }
}

fn commit(forge: &LocalForge, change: &Change) -> Result<CommitOutcome, RequestError> {
    block_on(forge.commit(change))
}

/// Commits files on top of the current head.
#[track_caller]
fn commit_on_head(forge: &LocalForge, files: &[(&str, &str)]) -> Oid {
    match commit(forge, &change(head(forge), files)) {
        Ok(CommitOutcome::Landed(oid)) => oid,
        other => panic!("not landed: {other:?}"),
    }
}

/// Returns the message of a fatal error.
#[track_caller]
fn fatal_error(result: Result<CommitOutcome, RequestError>) -> String {
    match result {
        Err(RequestError::Fatal(problem)) => problem.to_string(),
        other => panic!("no fault: {other:?}"),
    }
}
