//! Reads git objects, and checks paths.

use std::collections::BTreeMap;

use protocol::{HostError, RequestError};
use table::Oid;

use crate::Repo;
use crate::repo::GitError;

/// The mode of a regular file.
pub const FILE_MODE: &str = "100644";

const EXECUTABLE_MODE: &str = "100755";
const DIRECTORY_MODE: &str = "40000";

/// The size limit of a commit or tree object to read, in bytes.
const MAX_OBJECT_BYTES: u64 = 64 << 20;

/// A commit and its tree.
pub(super) struct CommitObject {
    pub(super) id: Oid,
    tree: String,
}

/// An entry of a [tree object](https://git-scm.com/book/en/v2/Git-Internals-Git-Objects).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeEntry {
    /// The mode as in the tree object: `100644`.
    pub mode: String,
    /// The object ID, in hexadecimal digits.
    pub id: String,
    /// The name, which may not be UTF-8.
    pub name: Vec<u8>,
}

impl TreeEntry {
    /// Whether the entry is a directory.
    pub(super) fn is_directory(&self) -> bool {
        self.mode == DIRECTORY_MODE
    }

    /// Whether the entry is an executable file.
    pub(super) fn is_executable(&self) -> bool {
        self.mode == EXECUTABLE_MODE
    }

    /// Whether the entry is a regular file, not a link, submodule or directory.
    pub(super) fn is_file(&self) -> bool {
        self.mode.starts_with("100")
    }
}

/// An object as read by `cat-file`.
pub(super) struct GitObject {
    pub(super) id: String,
    pub(super) kind: String,
    /// The content; `None` if it is larger than the limit.
    pub(super) content: Option<Vec<u8>>,
}

/// A reader of objects that keeps the directories.
pub(super) struct ObjectReader<'repo> {
    repo: &'repo Repo,
    /// The directories read so far, by ID.
    trees: BTreeMap<String, Vec<TreeEntry>>,
}

impl<'repo> ObjectReader<'repo> {
    pub(super) fn new(repo: &'repo Repo) -> ObjectReader<'repo> {
        ObjectReader { repo, trees: BTreeMap::new() }
    }

    /// Returns the newest commit of a branch; `None` if there is no such branch.
    pub(super) fn branch_head(&mut self, branch: &str) -> Result<Option<CommitObject>, RequestError> {
        self.commit(&format!("refs/heads/{branch}^{{commit}}"))
    }

    /// Returns the commit with this name or ID; `None` if there is none.
    pub(super) fn commit(&mut self, name: &str) -> Result<Option<CommitObject>, RequestError> {
        let Some(object) = self.read_object(name, MAX_OBJECT_BYTES)? else { return Ok(None) };
        let content = object.content.unwrap_or_default();
        let tree = content.strip_prefix(b"tree ").and_then(|rest| rest.split(|b| *b == b'\n').next());
        let tree = tree.and_then(|tree| std::str::from_utf8(tree).ok()).and_then(Oid::parse);
        match (object.kind.as_str(), Oid::parse(&object.id), tree) {
            ("commit", Some(id), Some(tree)) => Ok(Some(CommitObject { id, tree: tree.to_string() })),
            _ => Err(RequestError::Fatal(HostError::new(format!("git: the commit {} can't be read", object.id)))),
        }
    }

    /// Returns the entry at a path of a commit; `None` if there is none.
    pub(super) fn find_entry(
        &mut self,
        commit: &CommitObject,
        path: &[&str],
    ) -> Result<Option<TreeEntry>, RequestError> {
        let Some((name, parents)) = path.split_last() else { return Ok(None) };
        let mut tree = commit.tree.clone();
        for part in parents {
            match self.read_tree(&tree)?.iter().find(|entry| entry.name == part.as_bytes()) {
                Some(entry) if entry.is_directory() => tree = entry.id.clone(),
                _ => return Ok(None),
            }
        }
        Ok(self.read_tree(&tree)?.iter().find(|entry| entry.name == name.as_bytes()).cloned())
    }

    /// Lists the names in a directory of a commit; empty if there is no such directory.
    pub(super) fn file_names(&mut self, commit: &CommitObject, path: &[&str]) -> Result<Vec<String>, RequestError> {
        match self.find_entry(commit, path)? {
            Some(entry) if entry.is_directory() => {
                let entries = self.read_tree(&entry.id)?;
                Ok(entries.iter().filter_map(|entry| String::from_utf8(entry.name.clone()).ok()).collect())
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Returns an object by name or ID; `None` if there is none. Leaves out content longer than `limit` bytes.
    pub(super) fn read_object(&mut self, name: &str, limit: u64) -> Result<Option<GitObject>, RequestError> {
        let object = self.repo.request_object(|process| {
            let line = process.request(format!("{name}\n").as_bytes())?;
            let mut words = line.split(' ');
            let size = |word: &str| word.parse::<u64>().ok();
            let header = (words.next(), words.next(), words.next().and_then(size), words.next());
            let (Some(id), Some(kind), Some(size), None) = header else {
                return if line.ends_with(" missing") { Ok(None) } else { Err(GitError { message: line }) };
            };
            let content = process.read_bytes(size, limit)?;
            process.read_bytes(1, 1)?; // the newline after the content
            Ok(Some(GitObject { id: id.to_owned(), kind: kind.to_owned(), content }))
        });
        Ok(object?)
    }

    fn read_tree(&mut self, tree: &str) -> Result<&[TreeEntry], RequestError> {
        if !self.trees.contains_key(tree) {
            let entries = self.read_new_tree(tree)?;
            self.trees.insert(tree.to_owned(), entries);
        }
        Ok(self.trees.get(tree).map(Vec::as_slice).unwrap_or_default())
    }

    fn read_new_tree(&mut self, tree: &str) -> Result<Vec<TreeEntry>, RequestError> {
        let object = self.read_object(tree, MAX_OBJECT_BYTES)?;
        let content = object.filter(|object| object.kind == "tree").and_then(|object| object.content);
        let entries = content.and_then(|content| parse_tree(&content, tree.len() / 2));
        entries.ok_or_else(|| RequestError::Fatal(HostError::new(format!("git: the directory {tree} can't be read"))))
    }
}

/// Splits a path from the repository's root into its parts.
///
/// # Errors
/// Returns an error if the path leaves the repository, or if git or some operating system doesn't allow it.
pub fn split_path(path: &str) -> Result<Vec<&str>, HostError> {
    let parts: Vec<&str> = path.split('/').collect();
    let is_invalid = |part: &&str| {
        let is_reserved = matches!(*part, "" | "." | "..") || part.eq_ignore_ascii_case(".git");
        is_reserved || part.len() > 255 || part.chars().any(|c| c.is_control() || c == '\\')
    };
    if parts.iter().any(is_invalid) {
        let path = crate::repo::one_line(path);
        return Err(HostError::new(format!("`{path}` isn't a path inside a repository.")));
    }
    Ok(parts)
}

/// Parses a tree object: for each entry the mode, a space, the name, a NUL, and the ID of `id_len` bytes. `None` if the object
/// is damaged.
pub fn parse_tree(mut content: &[u8], id_len: usize) -> Option<Vec<TreeEntry>> {
    let mut entries = Vec::new();
    while !content.is_empty() {
        let space = content.iter().position(|b| *b == b' ')?;
        let nul = content.iter().position(|b| *b == 0)?;
        let mode = std::str::from_utf8(content.get(..space)?).ok()?.to_owned();
        let name = content.get(space + 1..nul)?.to_vec();
        let id = hex::encode(content.get(nul + 1..nul + 1 + id_len)?);
        entries.push(TreeEntry { mode, id, name });
        content = content.get(nul + 1 + id_len..)?;
    }
    Some(entries)
}
