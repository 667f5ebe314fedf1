//! Reads and writes files in a git work tree, and never outside of it.

use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use protocol::FileContent;

use crate::{Remote, Repo, parse_remote};

/// The maximum size of a file, in bytes: GitHub's API returns no larger text.
const MAX_BYTES: u64 = 512_000;
/// The number of files after which [`WorkTree::list`] stops.
const MAX_FILES: usize = 20_000;

/// A git work tree.
#[derive(Debug)]
pub struct WorkTree {
    root: PathBuf,
    repo: Repo,
}

impl WorkTree {
    /// Opens the work tree that contains this directory.
    ///
    /// # Errors
    /// Returns an error if there is none.
    pub fn open(dir: &Path) -> Result<WorkTree> {
        let repo = Repo::open(dir)?;
        let top =
            repo.work_tree().with_context(|| format!("The repository in `{}` has no work tree.", dir.display()))?;
        let root = top.canonicalize().with_context(|| format!("`{}` can't be opened.", top.display()))?;
        Ok(WorkTree { root, repo })
    }

    /// Returns the repository of the remote `origin`; `None` if there is none or its URL can't be parsed.
    pub fn remote(&self) -> Option<Remote> {
        parse_remote(&self.repo.origin_url()?)
    }

    /// Returns the current branch; `None` if no branch is checked out.
    pub fn branch(&self) -> Option<String> {
        crate::resolve_branch(&self.repo, None).ok()
    }

    /// Whether git ignores a path, relative to the root.
    pub fn is_ignored(&self, path: &str) -> bool {
        self.repo.is_ignored(&self.root, path)
    }

    /// Whether a commit of the current branch has ever changed a path, relative to the root.
    pub fn has_history(&self, path: &str) -> bool {
        self.repo.has_history(&self.root, path)
    }

    /// Reads a file. The path is relative to the root.
    pub fn read(&self, path: &str) -> FileContent {
        self.read_file(path).unwrap_or_else(|error| FileContent::Unreadable(format!("`{path}` {error:#}")))
    }

    /// Lists the files below a directory; empty if there is no such directory.
    pub fn list(&self, dir: &str) -> Vec<String> {
        let (mut found, mut open) = (Vec::new(), vec![dir.to_owned()]);
        while let Some(dir) = open.pop().filter(|_| found.len() <= MAX_FILES) {
            let Ok(entries) = self.resolve_path(&dir).and_then(|resolved| Ok(fs::read_dir(resolved)?)) else {
                continue;
            };
            for entry in entries.flatten() {
                let Ok(name) = entry.file_name().into_string() else { continue };
                let path = if dir.is_empty() { name } else { format!("{dir}/{name}") };
                match entry.metadata() {
                    Ok(kind) if kind.is_dir() => open.push(path),
                    Ok(_) => found.push(path),
                    Err(_) => {}
                }
            }
        }
        found.sort();
        found
    }

    /// Lists the names in the root directory.
    pub fn list_root(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.root).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
    }

    /// Writes a file atomically, and keeps its permissions.
    ///
    /// # Errors
    /// Returns an error if the file can't be written, or is outside of the work tree.
    pub fn write(&self, path: &str, text: &str) -> Result<()> {
        let resolved = self.resolve_path(path).with_context(|| format!("`{path}`"))?;
        self.write_at(&resolved, text).with_context(|| format!("`{path}` can't be written"))
    }

    fn write_at(&self, resolved: &Path, text: &str) -> Result<()> {
        let dir = resolved.parent().unwrap_or(&self.root);
        fs::create_dir_all(dir)?;
        let name = resolved.file_name().unwrap_or_default().to_string_lossy();
        let temporary = dir.join(format!(".{name}.{}", std::process::id()));
        let result = (|| {
            let mut file = OpenOptions::new().write(true).create_new(true).open(&temporary)?;
            file.write_all(text.as_bytes())?;
            if let Ok(old) = fs::metadata(resolved) {
                fs::set_permissions(&temporary, old.permissions())?;
            }
            file.sync_all()?;
            fs::rename(&temporary, resolved)
        })();
        // Leave no temporary file behind.
        result.inspect_err(|_| drop(fs::remove_file(&temporary))).map_err(Into::into)
    }

    fn read_file(&self, path: &str) -> Result<FileContent> {
        let resolved = self.resolve_path(path)?;
        let file = match fs::File::open(&resolved) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(FileContent::Missing),
            file => file.context("can't be opened")?,
        };
        if !file.metadata()?.is_file() {
            bail!("is not a file");
        }
        let mut bytes = Vec::new();
        file.take(MAX_BYTES + 1).read_to_end(&mut bytes).context("can't be read")?;
        if bytes.len() as u64 > MAX_BYTES {
            bail!("is longer than {MAX_BYTES} bytes");
        }
        String::from_utf8(bytes).map(FileContent::Text).map_err(|_| anyhow!("isn't UTF-8; save it as UTF-8"))
    }

    /// Resolves a path in the work tree. Follows symbolic links, but only inside of the work tree.
    fn resolve_path(&self, path: &str) -> Result<PathBuf> {
        let mut resolved = self.root.clone();
        for part in path.split('/').filter(|part| !part.is_empty()) {
            if matches!(part, "." | "..") || part.contains('\\') {
                bail!("is not the path of a file in the repository");
            }
            resolved.push(part);
            if fs::symlink_metadata(&resolved).is_ok_and(|kind| kind.is_symlink()) {
                resolved = resolved.canonicalize().context("is a link that leads nowhere")?;
                if !resolved.starts_with(&self.root) {
                    bail!("is a link that leads out of the repository");
                }
            }
            // Files in `.git`, such as its configuration, can make git run programs.
            let below = resolved.strip_prefix(&self.root).unwrap_or(&resolved);
            if below.iter().any(|name| name.eq_ignore_ascii_case(".git")) {
                bail!("leads into git's own files");
            }
        }
        Ok(resolved)
    }
}
