//! The files that people see: after a commit has landed on a branch that is checked out somewhere, exactly the changed
//! paths follow it, in the index and in the work tree, unless somebody is at work on them.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::repo::{self, GitError, Repo};
use crate::tree::ChangedFile;

/// Lets the work trees of a branch follow. Returns the paths that stay behind, each with a sentence that says why.
pub(super) fn update_work_trees(repo: &Repo, branch: &str, changed: &[ChangedFile]) -> Vec<(String, String)> {
    let tops = match list_work_trees(repo, branch) {
        Ok(tops) => tops,
        Err(failure) => return not_updated(changed, &format!("git can't list the work trees ({})", failure.message)),
    };
    tops.iter().flat_map(|top| update_work_tree(repo, top, changed)).collect()
}

/// Lists the work trees in which the branch is checked out.
fn list_work_trees(repo: &Repo, branch: &str) -> Result<Vec<PathBuf>, GitError> {
    let listing = repo.git(&["worktree", "list", "--porcelain"], b"")?;
    let wanted = format!("branch refs/heads/{branch}");
    let mut tops = Vec::new();
    let mut current = None;
    for (index, line) in listing.split(|b| *b == b'\n').enumerate() {
        if let Some(top) = line.strip_prefix(b"worktree ") {
            current = repo::parse_path(top);
            if index == 0 && repo.is_main() {
                // Git guesses the main work tree from the place of the repository, and is wrong where that is elsewhere.
                current = repo.main_work_tree().map(Path::to_owned);
            }
        } else if line == wanted.as_bytes() {
            tops.extend(current.take().filter(|top| top.is_dir()));
        }
    }
    Ok(tops)
}

fn update_work_tree(repo: &Repo, top: &Path, changed: &[ChangedFile]) -> Vec<(String, String)> {
    let states = match file_states(repo, top, changed) {
        Ok(states) => states,
        Err(failure) => return not_updated(changed, &format!("the index can't be read ({})", failure.message)),
    };
    let those = |wanted: FileState| {
        let states = states.iter().zip(changed).filter(move |(state, _)| **state == wanted);
        states.map(|(_, change)| change.clone()).collect::<Vec<_>>()
    };
    let (untouched, hidden) = (those(FileState::Unchanged), those(FileState::Sparse));
    let mut left = not_updated(&those(FileState::Modified), "it has changes of its own");
    if !(untouched.is_empty() && hidden.is_empty())
        && let Err(failure) = write_files(repo, top, &untouched, &hidden)
    {
        left.extend(not_updated(&[untouched, hidden].concat(), &failure.message));
    }
    left
}

/// The state of a path in a work tree.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FileState {
    /// The index entry and the file are both as the commit before had them.
    Unchanged,
    /// The index entry is, too, and says that this sparse work tree goes without the file.
    Sparse,
    /// Any other state: somebody is at work on it.
    Modified,
}

fn file_states(repo: &Repo, top: &Path, changed: &[ChangedFile]) -> Result<Vec<FileState>, GitError> {
    let mut args = vec!["ls-files", "-t", "--stage", "-z", "--"];
    args.extend(changed.iter().map(|change| change.path.as_str()));
    let staged = parse_index(&repo.git_in(top, &args, b"")?);
    let mut states: Vec<FileState> = changed.iter().map(|change| state_before_hashing(top, change, &staged)).collect();
    let mut present = Vec::new();
    for (state, change) in states.iter_mut().zip(changed) {
        if let (FileState::Unchanged, Some((_, id))) = (*state, &change.old) {
            present.push((state, &change.path, id));
        }
    }
    if !present.is_empty() {
        // Git hashes the file as it would add it, so that line endings and filters do not count as changes. A `./`
        // keeps a name that begins with a quote from being taken for a quoted one.
        let dot = |path: &str| if path.starts_with('"') { "./" } else { "" };
        let paths: String = present.iter().map(|(_, path, _)| format!("{}{path}\n", dot(path))).collect();
        let hashes = repo.git_in(top, &["hash-object", "--stdin-paths"], paths.as_bytes())?;
        let hashes = String::from_utf8_lossy(&hashes).into_owned();
        let mut hashes = hashes.lines();
        for (state, _, id) in present {
            if hashes.next() != Some(id.as_str()) {
                *state = FileState::Modified;
            }
        }
    }
    Ok(states)
}

/// Returns the state of a path as far as it shows without reading the file.
fn state_before_hashing(top: &Path, change: &ChangedFile, staged: &BTreeMap<String, Vec<String>>) -> FileState {
    let entries = staged.get(&change.path).map(Vec::as_slice);
    match (entries, &change.old, disk_entry(top, &change.path)) {
        (None, None, DiskEntry::Missing) => FileState::Unchanged,
        (Some([entry]), Some((mode, id)), DiskEntry::File) if *entry == format!("H {mode} {id} 0") => {
            FileState::Unchanged
        }
        (Some([entry]), Some((mode, id)), DiskEntry::Missing) if *entry == format!("S {mode} {id} 0") => {
            FileState::Sparse
        }
        _ => FileState::Modified,
    }
}

/// Reads the entries of the index by path, each as `FLAG MODE ID STAGE`; a path in conflict has several.
fn parse_index(listing: &[u8]) -> BTreeMap<String, Vec<String>> {
    let mut staged: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for entry in listing.split(|b| *b == 0) {
        if let Some((entry, path)) = String::from_utf8_lossy(entry).split_once('\t') {
            staged.entry(path.to_owned()).or_default().push(entry.to_owned());
        }
    }
    staged
}

/// The kind of thing at a path of a work tree.
#[derive(PartialEq, Eq)]
enum DiskEntry {
    Missing,
    File,
    /// A directory, a link, or a parent that isn't a directory.
    Other,
}

fn disk_entry(top: &Path, path: &str) -> DiskEntry {
    let mut place = top.to_owned();
    let mut parts = path.split('/').peekable();
    while let Some(part) = parts.next() {
        place.push(part);
        match place.symlink_metadata() {
            Ok(found) if parts.peek().is_some() && found.is_dir() => {}
            Ok(found) if parts.peek().is_none() && found.is_file() => return DiskEntry::File,
            Err(error) if error.kind() == ErrorKind::NotFound => return DiskEntry::Missing,
            _ => return DiskEntry::Other,
        }
    }
    DiskEntry::Other
}

fn write_files(repo: &Repo, top: &Path, untouched: &[ChangedFile], hidden: &[ChangedFile]) -> Result<(), GitError> {
    let entry = |ChangedFile { path, new: (mode, id), .. }: &ChangedFile| format!("{mode} {id}\t{path}\0");
    let paths = |changed: &[ChangedFile]| changed.iter().map(|change| format!("{}\0", change.path)).collect::<String>();
    let entries: String = untouched.iter().chain(hidden).map(entry).collect();
    repo.git_in(top, &["update-index", "-z", "--index-info"], entries.as_bytes())?;
    if !hidden.is_empty() {
        repo.git_in(top, &["update-index", "-z", "--skip-worktree", "--stdin"], paths(hidden).as_bytes())?;
    }
    if !untouched.is_empty() {
        let args = ["checkout-index", "--force", "--quiet", "-u", "-z", "--stdin"];
        repo.git_in(top, &args, paths(untouched).as_bytes())?;
    }
    Ok(())
}

fn not_updated(changed: &[ChangedFile], why: &str) -> Vec<(String, String)> {
    let sentence = |path: &str| {
        format!(
            "`{path}` is committed, but your work tree keeps its old copy: {why}. To get the new one, run `git \
             checkout HEAD -- '{path}'`."
        )
    };
    changed.iter().map(|change| (change.path.clone(), sentence(&change.path))).collect()
}
