//! The files of a site: writes those that changed, and removes obsolete ones.
//!
//! `manifest.txt` lists them, with a fingerprint of the program and settings that made them. The build refuses a
//! nonempty directory without a manifest, and never removes files that the manifest doesn't list.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use games::registry::GameKind;

/// The file name of the manifest.
const MANIFEST: &str = "manifest.txt";

/// Returns the directories of a site.
fn folders() -> impl Iterator<Item = &'static str> {
    let games = GameKind::ALL.iter().map(|kind| kind.info().name);
    ["games", "players", "results", "standings"].into_iter().chain(games)
}

/// The files of a site. Several threads may write them.
pub struct SiteFiles {
    out: PathBuf,
    /// The fingerprint line of the manifest.
    fingerprint: String,
    /// The previous files if they have the same fingerprint.
    reusable: BTreeSet<String>,
    previous: BTreeSet<String>,
    current: Mutex<BTreeSet<String>>,
    written: Mutex<BTreeSet<String>>,
}

impl SiteFiles {
    /// Opens the directory of a site, and creates it if necessary.
    ///
    /// # Errors
    /// Returns an error if it has other files, or can't be written.
    pub fn open(out: &Path, fingerprint: &str) -> Result<SiteFiles> {
        let fingerprint = format!("# {fingerprint}");
        let manifest = out.join(MANIFEST);
        let has_files = fs::read_dir(out).is_ok_and(|mut rounds| rounds.next().is_some());
        if has_files && !is_regular_file(&manifest) {
            bail!(
                "{} has files but no {MANIFEST}, so it isn't a site: choose an empty directory with --out",
                out.display()
            );
        }
        let previous: BTreeSet<String> = if has_files {
            let text = fs::read_to_string(&manifest);
            let text = text.with_context(|| format!("{} can't be read", manifest.display()))?;
            text.lines().map(str::to_owned).collect()
        } else {
            BTreeSet::new()
        };
        for folder in folders() {
            let folder = out.join(folder);
            if folder.is_symlink() {
                bail!("{} is a link, and `site` doesn't write through links: remove it", folder.display());
            }
            fs::create_dir_all(&folder).with_context(|| format!("{} can't be created", folder.display()))?;
        }
        // From here on it is a site, even if the build fails.
        if !has_files {
            write_file(&manifest, b"")?;
        }
        let reusable = if previous.contains(&fingerprint) { previous.clone() } else { BTreeSet::new() };
        Ok(SiteFiles {
            out: out.to_owned(),
            fingerprint,
            reusable,
            previous,
            current: Mutex::default(),
            written: Mutex::default(),
        })
    }

    /// Adds a text file to the site, unless it is unchanged.
    ///
    /// # Errors
    /// Returns an error if it can't be written.
    pub fn put(&self, path: &str, text: &str) -> Result<()> {
        self.put_bytes(path, text.as_bytes())
    }

    /// Adds any file to the site, unless it is unchanged.
    ///
    /// # Errors
    /// Returns an error if it can't be written.
    pub fn put_bytes(&self, path: &str, content: &[u8]) -> Result<()> {
        let file = self.out.join(path);
        let is_unchanged = fs::symlink_metadata(&file)
            .is_ok_and(|known| known.is_file() && known.len() == content.len() as u64)
            && fs::read(&file).is_ok_and(|known| known == content);
        if !is_unchanged {
            write_file(&file, content)?;
            // A set, because a page is written again after its game is evaluated.
            self.written.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned());
        }
        self.current.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned());
        Ok(())
    }

    /// Keeps the previous files with a prefix, and returns whether it kept them.
    ///
    /// It does so if the fingerprint is the same and the file at `path` still has this text.
    pub fn reuse(&self, prefix: &str, path: &str, text: &str) -> bool {
        let files = self.reusable.range(prefix.to_owned()..).take_while(|path| path.starts_with(prefix));
        let files: Vec<String> = files.cloned().collect();
        let is_reusable = files.iter().any(|file| file == path)
            && files.iter().all(|file| is_site_path(file) && is_regular_file(&self.out.join(file)))
            && fs::read(self.out.join(path)).is_ok_and(|known| known == text.as_bytes());
        if is_reusable {
            self.current.lock().unwrap_or_else(PoisonError::into_inner).extend(files);
        }
        is_reusable
    }

    /// Returns the paths of all files so far.
    pub fn paths(&self) -> BTreeSet<String> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Writes the manifest and removes obsolete files. Returns the numbers of written, removed, and all files.
    ///
    /// # Errors
    /// Returns an error if a file can't be written or removed.
    pub fn finish(self) -> Result<(usize, usize, usize)> {
        let current = self.current.into_inner().unwrap_or_else(PoisonError::into_inner);
        let obsolete = self
            .previous
            .iter()
            .filter(|path| !path.starts_with('#') && !current.contains(*path) && is_site_path(path));
        let mut removed = 0;
        for path in obsolete {
            match fs::remove_file(self.out.join(path)) {
                Ok(()) => removed += 1,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error).with_context(|| format!("{path} can't be removed")),
            }
        }
        let count = current.len();
        let current: BTreeSet<String> = current.into_iter().chain([self.fingerprint]).collect();
        if current != self.previous {
            let list: String = current.iter().flat_map(|path| [path.as_str(), "\n"]).collect();
            write_file(&self.out.join(MANIFEST), list.as_bytes())?;
        }
        let written = self.written.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok((written.len(), removed, count))
    }
}

/// Whether a path is a regular file: not a link, a pipe, or anything else.
pub fn is_regular_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_file())
}

/// Writes a file, replacing a link or a pipe.
fn write_file(path: &Path, content: &[u8]) -> Result<()> {
    let is_other = fs::symlink_metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir());
    let removal = if is_other { fs::remove_file(path) } else { Ok(()) };
    removal.and_then(|()| fs::write(path, content)).with_context(|| format!("{} can't be written", path.display()))
}

/// Whether a path in the manifest is a valid path of a site. Someone may have edited the manifest.
fn is_site_path(path: &str) -> bool {
    let parts: Vec<Component> = Path::new(path).components().collect();
    parts.iter().all(|part| matches!(part, Component::Normal(_)))
        && match &parts[..] {
            [_] => true,
            [Component::Normal(folder), _] => folders().any(|known| **folder == *known),
            _ => false,
        }
}
