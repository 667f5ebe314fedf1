//! Reads and writes the git objects along the paths of a change.

use std::collections::BTreeMap;

use protocol::forge::{Fault, HostProblem};
use table::oid::Oid;

use crate::repo::{BatchProcess, GitError, Repo};

/// The mode of a regular file.
pub const FILE_MODE: &str = "100644";

const EXECUTABLE_MODE: &str = "100755";
const DIRECTORY_MODE: &str = "40000";
const SUBMODULE_MODE: &str = "160000";

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
    fn is_directory(&self) -> bool {
        self.mode == DIRECTORY_MODE
    }

    /// Whether the entry is a regular file, not a link, submodule or directory.
    pub(super) fn is_file(&self) -> bool {
        self.mode.starts_with("100")
    }
}

/// A file of a commit, with its old and new mode and ID.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ChangedFile {
    pub(super) path: String,
    /// The mode and ID in the parent commit; `None` for a new file.
    pub(super) old: Option<(String, String)>,
    /// The mode and ID in the new commit; `None` for a deleted file.
    pub(super) new: Option<(String, String)>,
}

/// An object as read by `cat-file`.
pub(super) struct GitObject {
    pub(super) id: String,
    pub(super) kind: String,
    /// The content; `None` if it is larger than the limit.
    pub(super) content: Option<Vec<u8>>,
}

/// A reader of objects, with a single `cat-file` process.
pub(super) struct ObjectReader(BatchProcess);

impl ObjectReader {
    pub(super) fn start(repo: &Repo) -> Result<ObjectReader, Fault> {
        Ok(ObjectReader(repo.start_batch(&["cat-file", "--batch"])?))
    }

    /// Returns the newest commit of a branch; `None` if there is no such branch.
    pub(super) fn branch_head(&mut self, branch: &str) -> Result<Option<CommitObject>, Fault> {
        self.commit(&format!("refs/heads/{branch}^{{commit}}"))
    }

    /// Returns the commit with this name or ID; `None` if there is none.
    pub(super) fn commit(&mut self, name: &str) -> Result<Option<CommitObject>, Fault> {
        let Some(object) = self.read_object(name, MAX_OBJECT_BYTES)? else { return Ok(None) };
        let content = object.content.unwrap_or_default();
        let tree = content.strip_prefix(b"tree ").and_then(|rest| rest.split(|b| *b == b'\n').next());
        let tree = tree.and_then(|tree| std::str::from_utf8(tree).ok()).and_then(Oid::parse);
        match (object.kind.as_str(), Oid::parse(&object.id), tree) {
            ("commit", Some(id), Some(tree)) => Ok(Some(CommitObject { id, tree: tree.to_string() })),
            _ => Err(Fault::Fatal(HostProblem::new(format!("git: the commit {} can't be read", object.id)))),
        }
    }

    /// Returns the entry at a path of a commit; `None` if there is none.
    pub(super) fn find_entry(&mut self, commit: &CommitObject, path: &[&str]) -> Result<Option<TreeEntry>, Fault> {
        let Some((name, parents)) = path.split_last() else { return Ok(None) };
        let mut tree = commit.tree.clone();
        for part in parents {
            match self.read_tree(&tree)?.into_iter().find(|entry| entry.name == part.as_bytes()) {
                Some(entry) if entry.is_directory() => tree = entry.id,
                _ => return Ok(None),
            }
        }
        Ok(self.read_tree(&tree)?.into_iter().find(|entry| entry.name == name.as_bytes()))
    }

    /// Lists the names in a directory of a commit; empty if there is no such directory.
    pub(super) fn file_names(&mut self, commit: &CommitObject, path: &[&str]) -> Result<Vec<String>, Fault> {
        match self.find_entry(commit, path)? {
            Some(entry) if entry.is_directory() => {
                let entries = self.read_tree(&entry.id)?;
                Ok(entries.into_iter().filter_map(|entry| String::from_utf8(entry.name).ok()).collect())
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Returns an object by name or ID; `None` if there is none. Leaves out content longer than `limit` bytes.
    pub(super) fn read_object(&mut self, name: &str, limit: u64) -> Result<Option<GitObject>, Fault> {
        let line = self.0.request(format!("{name}\n").as_bytes())?;
        let mut words = line.split(' ');
        let header = (words.next(), words.next(), words.next().and_then(|size| size.parse::<u64>().ok()), words.next());
        let (Some(id), Some(kind), Some(size), None) = header else {
            return if line.ends_with(" missing") { Ok(None) } else { Err(GitError { message: line }.into()) };
        };
        let object = GitObject { id: id.to_owned(), kind: kind.to_owned(), content: self.0.read_bytes(size, limit)? };
        self.0.read_bytes(1, 1)?; // the newline after the content
        Ok(Some(object))
    }

    fn read_tree(&mut self, tree: &str) -> Result<Vec<TreeEntry>, Fault> {
        let object = self.read_object(tree, MAX_OBJECT_BYTES)?;
        let content = object.filter(|object| object.kind == "tree").and_then(|object| object.content);
        let entries = content.and_then(|content| parse_tree(&content, tree.len() / 2));
        entries.ok_or_else(|| Fault::Fatal(HostProblem::new(format!("git: the directory {tree} can't be read"))))
    }
}

/// A directory with changed files in or below it.
#[derive(Default)]
pub(super) struct TreePlan {
    entries: Vec<TreeEntry>,
    directories: BTreeMap<String, TreePlan>,
    /// The changed files, each with its index in the list of files; `None` for a deleted one.
    files: BTreeMap<String, Option<usize>>,
}

impl TreePlan {
    /// Reads the directories along the paths, and checks that the files can be written or deleted there. Writes nothing.
    pub(super) fn new(
        objects: &mut ObjectReader,
        base: Option<&CommitObject>,
        paths: &[Vec<&str>],
        deleted: &[Vec<&str>],
    ) -> Result<TreePlan, Fault> {
        let mut plan = TreePlan::from_tree(objects, base.map(|commit| commit.tree.as_str()))?;
        for (index, path) in paths.iter().enumerate() {
            plan.add_file(objects, path, path, Some(index))?;
        }
        for path in deleted {
            plan.add_file(objects, path, path, None)?;
        }
        Ok(plan)
    }

    /// Writes the tree objects, deepest first. `ids` are the blobs of the files. Returns the ID of the root tree, and the changed
    /// files.
    pub(super) fn write(&self, repo: &Repo, ids: &[String]) -> Result<(String, Vec<ChangedFile>), Fault> {
        // Other entries are written as they are: their objects may be missing here, as in a submodule or a partial clone.
        let mut trees = repo.start_batch(&["mktree", "-z", "--batch", "--missing"])?;
        let mut changed = Vec::new();
        let id = self.write_directory(&mut trees, "", ids, &mut changed)?.unwrap_or_default();
        Ok((id, changed))
    }

    fn from_tree(objects: &mut ObjectReader, tree: Option<&str>) -> Result<TreePlan, Fault> {
        let entries = tree.map_or(Ok(Vec::new()), |tree| objects.read_tree(tree))?;
        Ok(TreePlan { entries, ..TreePlan::default() })
    }

    fn add_file(
        &mut self,
        objects: &mut ObjectReader,
        full_path: &[&str],
        path: &[&str],
        index: Option<usize>,
    ) -> Result<(), Fault> {
        let conflict = |what: &str, depth: usize| {
            let obstacle = full_path.get(..depth).unwrap_or(full_path).join("/");
            Fault::Fatal(HostProblem::new(format!(
                "`{}` can't be written: `{obstacle}` is {what} in the repository.",
                full_path.join("/")
            )))
        };
        let depth = full_path.len() - path.len() + 1;
        match path {
            [] => Err(Fault::Fatal(HostProblem::new("A file without a name can't be written."))),
            [name] => {
                let old = self.entry(name);
                if self.directories.contains_key(*name) || old.is_some_and(TreeEntry::is_directory) {
                    return Err(conflict("a directory", depth));
                }
                if old.is_some_and(|entry| !entry.is_file()) {
                    return Err(conflict("a link or a submodule", depth));
                }
                if index.is_none() && old.is_none() {
                    let path = full_path.join("/");
                    return Err(Fault::Fatal(HostProblem::new(format!(
                        "`{path}` can't be deleted: there is no such file."
                    ))));
                }
                self.files.insert((*name).to_owned(), index);
                Ok(())
            }
            [name, rest @ ..] => {
                let old = self.entry(name);
                if self.files.contains_key(*name) || old.is_some_and(|entry| !entry.is_directory()) {
                    return Err(conflict("not a directory", depth));
                }
                if !self.directories.contains_key(*name) {
                    let plan = TreePlan::from_tree(objects, old.map(|entry| entry.id.as_str()))?;
                    self.directories.insert((*name).to_owned(), plan);
                }
                self.directories.entry((*name).to_owned()).or_default().add_file(objects, full_path, rest, index)
            }
        }
    }

    fn entry(&self, name: &str) -> Option<&TreeEntry> {
        self.entries.iter().find(|entry| entry.name == name.as_bytes())
    }

    /// Writes the trees of a directory and of those below it. Returns its ID; `None` for an empty one below the root.
    fn write_directory(
        &self,
        trees: &mut BatchProcess,
        prefix: &str,
        ids: &[String],
        changed: &mut Vec<ChangedFile>,
    ) -> Result<Option<String>, Fault> {
        let mut listing = Vec::new();
        let mut list = |mode: &str, id: &str, name: &[u8]| {
            let kind = match mode {
                DIRECTORY_MODE => "tree",
                SUBMODULE_MODE => "commit",
                _ => "blob",
            };
            listing.extend_from_slice(format!("{mode} {kind} {id}\t").as_bytes());
            listing.extend_from_slice(name);
            listing.push(0);
        };
        let is_replaced = |entry: &TreeEntry| {
            std::str::from_utf8(&entry.name)
                .is_ok_and(|name| self.files.contains_key(name) || self.directories.contains_key(name))
        };
        for entry in self.entries.iter().filter(|entry| !is_replaced(entry)) {
            list(&entry.mode, &entry.id, &entry.name);
        }
        for (name, plan) in &self.directories {
            if let Some(id) = plan.write_directory(trees, &format!("{prefix}{name}/"), ids, changed)? {
                list(DIRECTORY_MODE, &id, name.as_bytes());
            }
        }
        for (name, index) in &self.files {
            let path = format!("{prefix}{name}");
            let old = self.entry(name).map(|entry| (entry.mode.clone(), entry.id.clone()));
            let Some(index) = index else {
                changed.push(ChangedFile { path, old, new: None });
                continue;
            };
            let id = ids.get(*index).cloned().unwrap_or_default();
            let mode =
                if old.as_ref().is_some_and(|(mode, _)| mode == EXECUTABLE_MODE) { EXECUTABLE_MODE } else { FILE_MODE };
            list(mode, &id, name.as_bytes());
            changed.push(ChangedFile { path, old, new: Some((mode.to_owned(), id)) });
        }
        // Git has no empty directories, but a commit without files has an empty tree.
        if listing.is_empty() && !prefix.is_empty() {
            return Ok(None);
        }
        listing.push(0); // an empty entry ends the tree
        Ok(Some(trees.request(&listing)?))
    }
}

/// Splits a path from the repository's root into its parts.
///
/// # Errors
/// Returns an error if the path leaves the repository, or if git or some operating system doesn't allow it.
pub fn split_path(path: &str) -> Result<Vec<&str>, HostProblem> {
    let parts: Vec<&str> = path.split('/').collect();
    let is_invalid = |part: &&str| {
        let is_reserved = matches!(*part, "" | "." | "..") || part.eq_ignore_ascii_case(".git");
        is_reserved || part.len() > 255 || part.chars().any(|c| c.is_control() || c == '\\')
    };
    if parts.iter().any(is_invalid) {
        let path = crate::repo::one_line(path);
        return Err(HostProblem::new(format!("`{path}` isn't a path inside a repository.")));
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
