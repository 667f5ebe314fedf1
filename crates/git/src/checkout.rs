//! Updates of work trees: after a commit, the index and the files of every work tree that has the branch checked out. Leaves
//! alone the paths that have changes of their own.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::commit::ChangedFile;
use crate::repo::GitError;
use crate::{Repo, repo};

/// Updates the changed files in every work tree of a branch. Returns the paths that it didn't update, with warnings.
pub(super) fn update_work_trees(repo: &Repo, branch: &str, changed: &[ChangedFile]) -> Vec<(String, String)> {
    let tops = match list_work_trees(repo, branch) {
        Ok(tops) => tops,
        Err(error) => return not_updated(changed, &format!("git can't list the work trees ({})", error.message)),
    };
    tops.iter().flat_map(|top| update_work_tree(repo, top, changed)).collect()
}

/// Returns the top directories of the work trees that have the branch checked out.
fn list_work_trees(repo: &Repo, branch: &str) -> Result<Vec<PathBuf>, GitError> {
    let listing = repo.git(&["worktree", "list", "--porcelain"], b"")?;
    let wanted = format!("branch refs/heads/{branch}");
    let mut tops = Vec::new();
    let mut current = None;
    for (index, line) in listing.split(|b| *b == b'\n').enumerate() {
        if let Some(top) = line.strip_prefix(b"worktree ") {
            current = repo::parse_path(top);
            if index == 0 && repo.is_main() {
                // Git derives the main work tree from the repository's directory, which is wrong if that is elsewhere.
                current = repo.work_tree().map(Path::to_owned);
            }
        } else if line == wanted.as_bytes() {
            // Skip a work tree whose directory was deleted.
            tops.extend(current.take().filter(|top| top.is_dir()));
        }
    }
    Ok(tops)
}

fn update_work_tree(repo: &Repo, top: &Path, changed: &[ChangedFile]) -> Vec<(String, String)> {
    let states = match file_states(repo, top, changed) {
        Ok(states) => states,
        Err(error) => return not_updated(changed, &format!("the index can't be read ({})", error.message)),
    };
    let files_in = |wanted: FileState| {
        let files = states.iter().zip(changed).filter(move |(state, _)| **state == wanted);
        files.map(|(_, file)| file.clone()).collect::<Vec<_>>()
    };
    let (unchanged, sparse) = (files_in(FileState::Unchanged), files_in(FileState::Sparse));
    let mut warnings = not_updated(&files_in(FileState::Modified), "it has changes of its own");
    if !(unchanged.is_empty() && sparse.is_empty())
        && let Err(error) = write_files(repo, top, &unchanged, &sparse)
    {
        warnings.extend(not_updated(&[unchanged, sparse].concat(), &error.message));
    }
    warnings
}

/// The state of a path in a work tree.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FileState {
    /// The index entry and the file are both as in the previous commit.
    Unchanged,
    /// The index entry is as in the previous commit, and the sparse work tree excludes the file.
    Sparse,
    /// Somebody has changed the index entry or the file.
    Modified,
}

fn file_states(repo: &Repo, top: &Path, changed: &[ChangedFile]) -> Result<Vec<FileState>, GitError> {
    let mut args = vec!["ls-files", "-t", "--stage", "-z", "--"];
    args.extend(changed.iter().map(|change| change.path.as_str()));
    let index = parse_index(&repo.git_in(top, &args, b"")?);
    let mut states: Vec<FileState> = changed.iter().map(|change| state_before_hashing(top, change, &index)).collect();
    let mut present = Vec::new();
    for (state, change) in states.iter_mut().zip(changed) {
        if let (FileState::Unchanged, Some(old)) = (*state, &change.old) {
            present.push((state, &change.path, &old.id));
        }
    }
    if !present.is_empty() {
        // Git hashes the file as it would add it, so that line endings and filters don't count as changes. The `./` stops git
        // from unquoting a name that begins with a quote.
        let prefix = |path: &str| if path.starts_with('"') { "./" } else { "" };
        let paths: String = present.iter().map(|(_, path, _)| format!("{}{path}\n", prefix(path))).collect();
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

/// Returns the state of a path without reading the file. `Unchanged` means that the content still has to be compared.
fn state_before_hashing(top: &Path, change: &ChangedFile, index: &BTreeMap<String, Vec<String>>) -> FileState {
    let entries = index.get(&change.path).map(Vec::as_slice);
    match (entries, &change.old, disk_entry(top, &change.path)) {
        (None, None, DiskEntry::Missing) => FileState::Unchanged,
        (Some([entry]), Some(old), disk) => match (entry.strip_suffix(&format!(" {} {} 0", old.mode, old.id)), disk) {
            (Some("H"), DiskEntry::File) => FileState::Unchanged,
            (Some("S"), DiskEntry::Missing) => FileState::Sparse,
            _ => FileState::Modified,
        },
        _ => FileState::Modified,
    }
}

/// Parses the output of `ls-files` into entries `FLAG MODE ID STAGE` by path. A path in conflict has several.
fn parse_index(listing: &[u8]) -> BTreeMap<String, Vec<String>> {
    let mut index: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for entry in listing.split(|b| *b == 0) {
        if let Some((entry, path)) = String::from_utf8_lossy(entry).split_once('\t') {
            index.entry(path.to_owned()).or_default().push(entry.to_owned());
        }
    }
    index
}

/// The kind of entry at a path of a work tree.
#[derive(PartialEq, Eq)]
enum DiskEntry {
    Missing,
    File,
    /// A directory, a link, or a parent that isn't a directory.
    Other,
}

fn disk_entry(top: &Path, path: &str) -> DiskEntry {
    let mut current = top.to_owned();
    let mut parts = path.split('/').peekable();
    while let Some(part) = parts.next() {
        current.push(part);
        match current.symlink_metadata() {
            Ok(found) if parts.peek().is_some() && found.is_dir() => {}
            Ok(found) if parts.peek().is_none() && found.is_file() => return DiskEntry::File,
            Err(error) if error.kind() == ErrorKind::NotFound => return DiskEntry::Missing,
            _ => return DiskEntry::Other,
        }
    }
    DiskEntry::Other
}

/// Writes the index entries of all these files, and the unchanged files themselves.
fn write_files(repo: &Repo, top: &Path, unchanged: &[ChangedFile], sparse: &[ChangedFile]) -> Result<(), GitError> {
    // Mode 0 removes an entry.
    let entry = |ChangedFile { path, old, new }: &ChangedFile| match (new, old) {
        (Some(new), _) => format!("{} {}\t{path}\0", new.mode, new.id),
        (None, Some(old)) => format!("0 {}\t{path}\0", old.id),
        (None, None) => String::new(),
    };
    let entries: String = unchanged.iter().chain(sparse).map(entry).collect();
    repo.git_in(top, &["update-index", "-z", "--index-info"], entries.as_bytes())?;
    let kept = |changed: &[ChangedFile]| {
        let kept = changed.iter().filter(|change| change.new.is_some());
        kept.map(|change| format!("{}\0", change.path)).collect::<String>()
    };
    let (kept_sparse, kept_unchanged) = (kept(sparse), kept(unchanged));
    if !kept_sparse.is_empty() {
        repo.git_in(top, &["update-index", "-z", "--skip-worktree", "--stdin"], kept_sparse.as_bytes())?;
    }
    if !kept_unchanged.is_empty() {
        let args = ["checkout-index", "--force", "--quiet", "-u", "-z", "--stdin"];
        repo.git_in(top, &args, kept_unchanged.as_bytes())?;
    }
    for deleted in unchanged.iter().filter(|change| change.new.is_none()) {
        std::fs::remove_file(top.join(&deleted.path)).map_err(|error| GitError { message: error.to_string() })?;
    }
    Ok(())
}

/// Returns a warning for each file that wasn't updated, with its path.
fn not_updated(changed: &[ChangedFile], why: &str) -> Vec<(String, String)> {
    let warning = |path: &str| {
        format!(
            "`{path}` is committed, but your work tree keeps its old copy: {why}. To get the new one, run `git \
             checkout HEAD -- '{path}'`."
        )
    };
    changed.iter().map(|change| (change.path.clone(), warning(&change.path))).collect()
}
