//! Creates commits with `git fast-import`, which writes the files, their directories and the commit in one process.

use std::collections::BTreeSet;

use protocol::{Change, HostError, RequestError};
use table::{Author, Oid, Timestamp};

use crate::repo::{COMMITTER_EMAIL, COMMITTER_NAME, one_line};
use crate::tree::{CommitObject, ObjectReader};
use crate::{Repo, TreeEntry, split_path};

/// The branch of a new commit while `fast-import` runs. It is reset at the end, so it's never written.
const SCRATCH_REF: &str = "refs/play-by-commit/new";

/// The last date that git accepts: the last second of the year 9999, in seconds since 1970-01-01 UTC.
const MAX_GIT_TIME: u64 = 253_402_300_799;

/// A file of a commit, before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ChangedFile {
    pub(super) path: String,
    /// The file in the parent commit; `None` for a new one.
    pub(super) old: Option<TreeEntry>,
    /// The file in the new commit; `None` for a deleted one.
    pub(super) new: Option<TreeEntry>,
}

/// Creates the commit and its objects, but doesn't move the branch. Returns its ID and the changed files; `None` if the branch
/// isn't at the change's parent any more.
pub(super) fn create_commit(
    repo: &Repo,
    branch: &str,
    change: &Change,
    now: Timestamp,
) -> Result<Option<(Oid, Vec<ChangedFile>)>, RequestError> {
    let names: Vec<&String> = change.files.iter().map(|(path, _)| path).chain(&change.deleted).collect();
    let paths =
        names.iter().map(|path| split_path(path)).collect::<Result<Vec<_>, _>>().map_err(RequestError::Fatal)?;
    let mut objects = ObjectReader::new(repo);
    let head = objects.branch_head(branch)?;
    if head.as_ref().map(|head| &head.id) != change.parent.as_ref() {
        return Ok(None);
    }
    let changed_paths = paths.iter().map(Vec::as_slice).collect();
    let mut old = Vec::with_capacity(paths.len());
    for path in &paths {
        old.push(find_replaced(&mut objects, head.as_ref(), path, &changed_paths)?);
    }
    if let Some((path, _)) = names.iter().zip(&old).skip(change.files.len()).find(|(_, old)| old.is_none()) {
        return Err(RequestError::Fatal(HostError::new(format!("`{path}` can't be deleted: there is no such file."))));
    }
    // On a disk that ignores case, git would write to `State/` in place of `state/`. It would also flush its pack to the disk, only
    // to unpack and delete it, since a few objects are stored one by one.
    let args = ["-c", "core.ignoreCase=false", "-c", "core.fsync=-pack", "fast-import", "--quiet"];
    let output = repo.git(&args, import_stream(change, &old, now).as_bytes())?;
    let id = String::from_utf8_lossy(&output).trim().to_owned();
    let Some(new_commit) = objects.commit(&id)? else {
        return Err(RequestError::Fatal(HostError::new(format!("git: `{id}` isn't a commit ID"))));
    };
    let mut changed = Vec::with_capacity(paths.len());
    for ((name, path), old) in names.into_iter().zip(&paths).zip(old) {
        let new = objects.find_entry(&new_commit, path)?;
        changed.push(ChangedFile { path: name.clone(), old, new });
    }
    Ok(Some((new_commit.id, changed)))
}

/// Returns the file that a change replaces or deletes; `None` if it's new.
///
/// # Errors
/// Returns an error if there is something else at the path, or a file where the path needs a directory. Git would replace both.
fn find_replaced(
    objects: &mut ObjectReader<'_>,
    commit: Option<&CommitObject>,
    path: &[&str],
    changed_paths: &BTreeSet<&[&str]>,
) -> Result<Option<TreeEntry>, RequestError> {
    let mut find = |path: &[&str]| commit.map_or(Ok(None), |commit| objects.find_entry(commit, path));
    let conflict = |obstacle: &[&str], what: &str| {
        let (path, obstacle) = (path.join("/"), obstacle.join("/"));
        let why = format!("`{path}` can't be written: `{obstacle}` is {what} in the repository.");
        Err(RequestError::Fatal(HostError::new(why)))
    };
    for directory in (1..path.len()).filter_map(|depth| path.get(..depth)) {
        if changed_paths.contains(directory) || find(directory)?.is_some_and(|entry| !entry.is_directory()) {
            return conflict(directory, "not a directory");
        }
    }
    match find(path)? {
        Some(entry) if entry.is_directory() => conflict(path, "a directory"),
        Some(entry) if !entry.is_file() => conflict(path, "a link or a submodule"),
        old => Ok(old),
    }
}

/// Writes a commit in the [format of `fast-import`](https://git-scm.com/docs/git-fast-import). `old` are the files that it
/// replaces, in the order of the change. Git prints the commit's ID.
fn import_stream(change: &Change, old: &[Option<TreeEntry>], now: Timestamp) -> String {
    let data = |text: &str| format!("data {}\n{text}\n", text.len());
    let seconds = |time: Timestamp| (time.as_millis() / 1000).min(MAX_GIT_TIME);
    // Git reads a name that begins with a quote as a C string. `split_path` allows no backslashes.
    let quoted = |path: &str| format!("\"{}\"", path.replace('"', "\\\""));
    let (name, email) = author_identity(&change.author);
    // Git gives up if the `done` at the end is missing.
    let mut stream = format!("feature done\ncommit {SCRATCH_REF}\nmark :1\n");
    stream += &format!("author {name} <{email}> {} +0000\n", seconds(change.time));
    stream += &format!("committer {COMMITTER_NAME} <{COMMITTER_EMAIL}> {} +0000\n", seconds(now));
    stream += &data(&commit_message(change));
    if let Some(parent) = &change.parent {
        stream += &format!("from {parent}\n");
    }
    for ((path, text), old) in change.files.iter().zip(old) {
        let mode = if old.as_ref().is_some_and(TreeEntry::is_executable) { "100755" } else { "100644" };
        stream += &format!("M {mode} inline {}\n{}", quoted(path), data(text));
    }
    for path in &change.deleted {
        stream += &format!("D {}\n", quoted(path));
    }
    stream + &format!("\nget-mark :1\nreset {SCRATCH_REF}\n\ndone\n")
}

/// Returns a player's name and email address for a commit, without characters that end a line or an address.
fn author_identity(author: &Author) -> (String, String) {
    let name: String = author.login.chars().filter(|c| !c.is_control() && !matches!(c, '<' | '>')).take(100).collect();
    let name = name.trim().to_owned();
    let name = if name.chars().any(char::is_alphanumeric) { name } else { format!("player {}", author.id) };
    let mailbox: String = name.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '-' }).collect();
    // As in any commit of git, a name has no punctuation around it.
    let name = name.trim_matches(|c| c <= ' ' || ".,:;\"\\'".contains(c)).to_owned();
    (name, format!("{mailbox}@players.invalid"))
}

fn commit_message(change: &Change) -> String {
    let body: String = change.body.chars().filter(|c| *c == '\n' || !c.is_control()).collect();
    let headline = one_line(&change.headline);
    match body.trim() {
        "" => format!("{headline}\n"),
        body => format!("{headline}\n\n{body}\n"),
    }
}
