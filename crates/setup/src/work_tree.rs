//! The work tree of a host: files that are read and written in it, and nowhere else.

use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use git::repo::Repo;
use table::talk::thread::FileContent;

/// The size above which a file is not read, in bytes: that of the largest file that GitHub hands out.
const MAX_BYTES: u64 = 512_000;
/// The number of files of a directory that are looked at.
const MAX_FILES: usize = 20_000;

/// A work tree of git.
#[derive(Debug)]
pub struct WorkTree {
    root: PathBuf,
    repo: Repo,
}

/// The address of a repository on the web.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remote {
    /// The host without a port: `github.com`.
    pub host: String,
    /// `OWNER/NAME`.
    pub repository: String,
}

impl WorkTree {
    /// Opens the work tree that this directory is in.
    ///
    /// # Errors
    /// There is none; the sentence says so.
    pub fn open(dir: &Path) -> Result<WorkTree> {
        let repo = Repo::open(dir)?;
        let top =
            repo.work_tree().with_context(|| format!("The repository in `{}` has no work tree.", dir.display()))?;
        let root = top.canonicalize().with_context(|| format!("`{}` can't be opened.", top.display()))?;
        Ok(WorkTree { root, repo })
    }

    /// Returns the repository that the remote `origin` names; `None` if its address cannot be read.
    pub fn remote(&self) -> Option<Remote> {
        parse_remote(&self.repo.origin_url()?)
    }

    /// Returns the branch that is checked out; `None` if there is none.
    pub fn branch(&self) -> Option<String> {
        self.repo.current_branch()
    }

    /// Tests if git ignores a path. `path` counts from the root.
    pub fn is_ignored(&self, path: &str) -> bool {
        self.repo.is_ignored(&self.root, path)
    }

    /// Reads a file, by its path from the root.
    pub fn read(&self, path: &str) -> FileContent {
        self.read_file(path).unwrap_or_else(|error| FileContent::Unreadable(format!("`{path}` {error:#}")))
    }

    /// Lists the files of a directory and below, with their sizes in bytes; empty if there is no such directory.
    pub fn list(&self, dir: &str) -> Vec<(String, u64)> {
        let (mut found, mut open) = (Vec::new(), vec![dir.to_owned()]);
        while let Some(dir) = open.pop() {
            let Ok(entries) = self.resolve_path(&dir).and_then(|place| Ok(fs::read_dir(place)?)) else { continue };
            for entry in entries.flatten() {
                let Ok(name) = entry.file_name().into_string() else { continue };
                let path = if dir.is_empty() { name } else { format!("{dir}/{name}") };
                match entry.metadata() {
                    Ok(kind) if kind.is_dir() => open.push(path),
                    Ok(kind) => found.push((path, kind.len())),
                    Err(_) => {}
                }
            }
            if found.len() > MAX_FILES {
                break;
            }
        }
        found.sort();
        found
    }

    /// Lists the names in its topmost directory.
    pub fn list_root(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.root).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
    }

    /// Writes a file: all of it or nothing, with the rights that it had.
    ///
    /// # Errors
    /// It cannot be written, or is outside of the work tree; the sentence says which.
    pub fn write(&self, path: &str, text: &str) -> Result<()> {
        let place = self.resolve_path(path).with_context(|| format!("`{path}`"))?;
        self.write_at(&place, text).with_context(|| format!("`{path}` can't be written"))
    }

    fn write_at(&self, place: &Path, text: &str) -> Result<()> {
        let dir = place.parent().unwrap_or(&self.root);
        fs::create_dir_all(dir)?;
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        let arriving = dir.join(format!(".{name}.{}", std::process::id()));
        let written = (|| {
            let mut file = OpenOptions::new().write(true).create_new(true).open(&arriving)?;
            file.write_all(text.as_bytes())?;
            if let Ok(old) = fs::metadata(place) {
                fs::set_permissions(&arriving, old.permissions())?;
            }
            file.sync_all()?;
            fs::rename(&arriving, place)
        })();
        // Of a file that did not arrive nothing is left.
        written.inspect_err(|_| drop(fs::remove_file(&arriving))).map_err(Into::into)
    }

    fn read_file(&self, path: &str) -> Result<FileContent> {
        let place = self.resolve_path(path)?;
        let file = match fs::File::open(&place) {
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

    /// Returns the place that a path leads to: through links inside of the work tree, and not through any that lead out of it.
    fn resolve_path(&self, path: &str) -> Result<PathBuf> {
        let mut place = self.root.clone();
        for part in path.split('/').filter(|part| !part.is_empty()) {
            if matches!(part, "." | "..") || part.contains('\\') {
                bail!("is not the path of a file in the repository");
            }
            place.push(part);
            if fs::symlink_metadata(&place).is_ok_and(|kind| kind.is_symlink()) {
                place = place.canonicalize().context("is a link that leads nowhere")?;
                if !place.starts_with(&self.root) {
                    bail!("is a link that leads out of the repository");
                }
            }
        }
        Ok(place)
    }
}

impl Remote {
    /// Returns the address of the server in a browser.
    pub fn server(&self) -> String {
        format!("https://{}", self.host)
    }
}

/// Returns the repository that an address names; `None` if it cannot be read. Git writes an address in three ways:
/// `https://github.com/o/n.git`, `ssh://git@github.com:22/o/n`, `git@github.com:o/n.git`.
pub fn parse_remote(address: &str) -> Option<Remote> {
    let address = address.trim().trim_end_matches('/');
    let (host, path) = match address.split_once("://") {
        Some(("https" | "http" | "ssh" | "git", rest)) => rest.split_once('/')?,
        Some(_) => return None,
        None => address.split_once(':')?,
    };
    let host = host.rsplit('@').next()?.split(':').next()?.to_ascii_lowercase();
    // People with two accounts give ssh a second name of the host; and ssh can be had at the port of https.
    let host = match host.as_str() {
        "ssh.github.com" | "www.github.com" => "github.com".to_owned(),
        host if host.starts_with("github.com-") => "github.com".to_owned(),
        _ => host,
    };
    let mut parts = path.trim_start_matches('/').trim_end_matches(".git").split('/');
    let (owner, name) = (parts.next()?, parts.next()?);
    let plain = |text: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        !text.is_empty() && !text.starts_with('.') && text.len() <= 100 && text.chars().all(plain)
    };
    let known = parts.next().is_none() && host.contains('.') && [&host, owner, name].into_iter().all(plain);
    known.then(|| Remote { host, repository: format!("{owner}/{name}") })
}
