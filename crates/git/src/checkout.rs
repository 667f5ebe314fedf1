//! The files that people see: after a commit has landed on a branch that is checked out somewhere, exactly the changed
//! paths follow it, in the index and in the work tree, unless somebody is at work on them.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::repo::{self, GitFailure, Repo};
use crate::tree::ChangedFile;

/// Lets the work trees of a branch follow. Returns the paths that stay behind, each with a sentence that says why.
pub(super) fn follow(repo: &Repo, branch: &str, changed: &[ChangedFile]) -> Vec<(String, String)> {
    let tops = match work_trees(repo, branch) {
        Ok(tops) => tops,
        Err(failure) => return behind(changed, &format!("git can't list the work trees ({})", failure.sentence)),
    };
    tops.iter().flat_map(|top| follow_in(repo, top, changed)).collect()
}

/// Lists the work trees in which the branch is checked out.
fn work_trees(repo: &Repo, branch: &str) -> Result<Vec<PathBuf>, GitFailure> {
    let listing = repo.ask(&["worktree", "list", "--porcelain"], b"")?;
    let wanted = format!("branch refs/heads/{branch}");
    let mut tops = Vec::new();
    let mut current = None;
    for (index, line) in listing.split(|b| *b == b'\n').enumerate() {
        if let Some(top) = line.strip_prefix(b"worktree ") {
            current = repo::path(top);
            if index == 0 && repo.is_main() {
                // Git guesses the main work tree from the place of the repository, and is wrong where that is elsewhere.
                current = repo.main_top().map(Path::to_owned);
            }
        } else if line == wanted.as_bytes() {
            tops.extend(current.take().filter(|top| top.is_dir()));
        }
    }
    Ok(tops)
}

fn follow_in(repo: &Repo, top: &Path, changed: &[ChangedFile]) -> Vec<(String, String)> {
    let states = match states(repo, top, changed) {
        Ok(states) => states,
        Err(failure) => return behind(changed, &format!("the index can't be read ({})", failure.sentence)),
    };
    let those = |wanted: FileState| {
        let states = states.iter().zip(changed).filter(move |(state, _)| **state == wanted);
        states.map(|(_, change)| change.clone()).collect::<Vec<_>>()
    };
    let (untouched, hidden) = (those(FileState::Untouched), those(FileState::Hidden));
    let mut left = behind(&those(FileState::Touched), "it has changes of its own");
    if !(untouched.is_empty() && hidden.is_empty())
        && let Err(failure) = update(repo, top, &untouched, &hidden)
    {
        left.extend(behind(&[untouched, hidden].concat(), &failure.sentence));
    }
    left
}

/// The state of a path in a work tree.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FileState {
    /// The index entry and the file are both as the commit before had them.
    Untouched,
    /// The index entry is, too, and says that this sparse work tree goes without the file.
    Hidden,
    /// Any other state: somebody is at work on it.
    Touched,
}

fn states(repo: &Repo, top: &Path, changed: &[ChangedFile]) -> Result<Vec<FileState>, GitFailure> {
    let mut args = vec!["ls-files", "-t", "--stage", "-z", "--"];
    args.extend(changed.iter().map(|change| change.path.as_str()));
    let staged = staged(&repo.ask_in(top, &args, b"")?);
    let mut states: Vec<FileState> = changed.iter().map(|change| cheap_state(top, change, &staged)).collect();
    let mut present = Vec::new();
    for (state, change) in states.iter_mut().zip(changed) {
        if let (FileState::Untouched, Some((_, id))) = (*state, &change.old) {
            present.push((state, &change.path, id));
        }
    }
    if !present.is_empty() {
        // Git hashes the file as it would add it, so that line endings and filters do not count as changes. A `./`
        // keeps a name that begins with a quote from being taken for a quoted one.
        let dot = |path: &str| if path.starts_with('"') { "./" } else { "" };
        let paths: String = present.iter().map(|(_, path, _)| format!("{}{path}\n", dot(path))).collect();
        let hashes = repo.ask_in(top, &["hash-object", "--stdin-paths"], paths.as_bytes())?;
        let hashes = String::from_utf8_lossy(&hashes).into_owned();
        let mut hashes = hashes.lines();
        for (state, _, id) in present {
            if hashes.next() != Some(id.as_str()) {
                *state = FileState::Touched;
            }
        }
    }
    Ok(states)
}

/// Returns the state of a path as far as it shows without reading the file.
fn cheap_state(top: &Path, change: &ChangedFile, staged: &BTreeMap<String, Vec<String>>) -> FileState {
    let entries = staged.get(&change.path).map(Vec::as_slice);
    match (entries, &change.old, on_disk(top, &change.path)) {
        (None, None, OnDisk::Nothing) => FileState::Untouched,
        (Some([entry]), Some((mode, id)), OnDisk::File) if *entry == format!("H {mode} {id} 0") => FileState::Untouched,
        (Some([entry]), Some((mode, id)), OnDisk::Nothing) if *entry == format!("S {mode} {id} 0") => FileState::Hidden,
        _ => FileState::Touched,
    }
}

/// Reads the entries of the index by path, each as `FLAG MODE ID STAGE`; a path in conflict has several.
fn staged(listing: &[u8]) -> BTreeMap<String, Vec<String>> {
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
enum OnDisk {
    Nothing,
    File,
    /// A directory, a link, or something on the way there that is no directory.
    Other,
}

fn on_disk(top: &Path, path: &str) -> OnDisk {
    let mut place = top.to_owned();
    let mut parts = path.split('/').peekable();
    while let Some(part) = parts.next() {
        place.push(part);
        match place.symlink_metadata() {
            Ok(found) if parts.peek().is_some() && found.is_dir() => {}
            Ok(found) if parts.peek().is_none() && found.is_file() => return OnDisk::File,
            Err(error) if error.kind() == ErrorKind::NotFound => return OnDisk::Nothing,
            _ => return OnDisk::Other,
        }
    }
    OnDisk::Other
}

fn update(repo: &Repo, top: &Path, untouched: &[ChangedFile], hidden: &[ChangedFile]) -> Result<(), GitFailure> {
    let entry = |ChangedFile { path, new: (mode, id), .. }: &ChangedFile| format!("{mode} {id}\t{path}\0");
    let paths = |changed: &[ChangedFile]| changed.iter().map(|change| format!("{}\0", change.path)).collect::<String>();
    let entries: String = untouched.iter().chain(hidden).map(entry).collect();
    repo.ask_in(top, &["update-index", "-z", "--index-info"], entries.as_bytes())?;
    if !hidden.is_empty() {
        repo.ask_in(top, &["update-index", "-z", "--skip-worktree", "--stdin"], paths(hidden).as_bytes())?;
    }
    if !untouched.is_empty() {
        let args = ["checkout-index", "--force", "--quiet", "-u", "-z", "--stdin"];
        repo.ask_in(top, &args, paths(untouched).as_bytes())?;
    }
    Ok(())
}

fn behind(changed: &[ChangedFile], why: &str) -> Vec<(String, String)> {
    let sentence = |path: &str| {
        format!(
            "`{path}` is committed, but your work tree keeps its old copy: {why}. To get the new one, run `git \
             checkout HEAD -- '{path}'`."
        )
    };
    changed.iter().map(|change| (change.path.clone(), sentence(&change.path))).collect()
}
