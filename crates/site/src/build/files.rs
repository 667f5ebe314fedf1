//! The files of a site: written where they have changed, removed where they are no longer part of it.
//!
//! `manifest.txt` lists them, below a line that says which program and which settings made them. A directory that holds anything
//! without it is somebody else's and is left alone, and what the list does not name is never removed.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail};

/// The list of the files.
const MANIFEST: &str = "manifest.txt";
/// The folders of a site.
const FOLDERS: [&str; 4] = ["games", "players", "results", "standings"];

/// The files of a site, which several threads may write.
pub struct SiteFiles {
    out: PathBuf,
    /// What made the files, as the first line of the list says it.
    maker: String,
    /// The files that the same maker has made.
    same: BTreeSet<String>,
    before: BTreeSet<String>,
    now: Mutex<BTreeSet<String>>,
    written: Mutex<BTreeSet<String>>,
}

impl SiteFiles {
    /// Opens the directory of a site, and makes it if it is missing.
    ///
    /// # Errors
    /// It holds files of somebody else, or cannot be written.
    pub fn open(out: &Path, maker: &str) -> Result<SiteFiles> {
        let maker = format!("# {maker}");
        let manifest = out.join(MANIFEST);
        let holds = fs::read_dir(out).is_ok_and(|mut entries| entries.next().is_some());
        if holds && !is_regular_file(&manifest) {
            bail!(
                "{} has files but no {MANIFEST}, so it isn't a site: choose an empty directory with --out",
                out.display()
            );
        }
        let before: BTreeSet<String> = match holds {
            true => {
                let text = fs::read_to_string(&manifest);
                let text = text.with_context(|| format!("{} can't be read", manifest.display()))?;
                text.lines().map(str::to_owned).collect()
            }
            false => BTreeSet::new(),
        };
        for folder in FOLDERS {
            let folder = out.join(folder);
            if folder.is_symlink() {
                bail!("{} is a link, and `site` doesn't write through links: remove it", folder.display());
            }
            fs::create_dir_all(&folder).with_context(|| format!("{} can't be created", folder.display()))?;
        }
        // From here on it is a site, also if nothing else comes to be written.
        if !holds {
            write(&manifest, b"")?;
        }
        let same = if before.contains(&maker) { before.clone() } else { BTreeSet::new() };
        Ok(SiteFiles { out: out.to_owned(), maker, same, before, now: Mutex::default(), written: Mutex::default() })
    }

    /// Makes a text part of the site. A file that holds the same already is not touched.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn put(&self, path: &str, text: &str) -> Result<()> {
        self.put_bytes(path, text.as_bytes())
    }

    /// Makes any file part of the site. One that holds the same already is not touched.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn put_bytes(&self, path: &str, content: &[u8]) -> Result<()> {
        let file = self.out.join(path);
        let same = fs::symlink_metadata(&file)
            .is_ok_and(|known| known.is_file() && known.len() == content.len() as u64)
            && fs::read(&file).is_ok_and(|known| known == content);
        if !same {
            write(&file, content)?;
            // A page is written once more when the computer has looked through its game.
            self.written.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned());
        }
        self.now.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned());
        Ok(())
    }

    /// Keeps all files whose names begin so, if the same maker made them and this one still says the same; false if not.
    pub fn reuse(&self, beginning: &str, path: &str, text: &str) -> bool {
        let own = self.same.range(beginning.to_owned()..).take_while(|path| path.starts_with(beginning));
        let own: Vec<String> = own.cloned().collect();
        let kept = own.iter().any(|own| own == path)
            && own.iter().all(|own| is_inside(own) && is_regular_file(&self.out.join(own)))
            && fs::read(self.out.join(path)).is_ok_and(|known| known == text.as_bytes());
        if kept {
            self.now.lock().unwrap_or_else(PoisonError::into_inner).extend(own);
        }
        kept
    }

    /// Returns the paths of all files so far.
    pub fn paths(&self) -> BTreeSet<String> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Writes the list, removes what is no longer on it, and returns how many files were written, were removed, and are there.
    ///
    /// # Errors
    /// Something cannot be written or removed.
    pub fn finish(self) -> Result<(usize, usize, usize)> {
        let now = self.now.into_inner().unwrap_or_else(PoisonError::into_inner);
        let gone = self.before.iter().filter(|path| !path.starts_with('#') && !now.contains(*path) && is_inside(path));
        let mut removed = 0;
        for path in gone {
            match fs::remove_file(self.out.join(path)) {
                Ok(()) => removed += 1,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error).with_context(|| format!("{path} can't be removed")),
            }
        }
        let listed = now.len();
        let now: BTreeSet<String> = now.into_iter().chain([self.maker]).collect();
        if now != self.before {
            let list: String = now.iter().flat_map(|path| [path.as_str(), "\n"]).collect();
            write(&self.out.join(MANIFEST), list.as_bytes())?;
        }
        let written = self.written.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok((written.len(), removed, listed))
    }
}

/// Whether a path leads to a file, and not to a link, a pipe or anything else.
pub fn is_regular_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_file())
}

/// Writes a file, in the place of a link or a pipe if one is there.
fn write(path: &Path, content: &[u8]) -> Result<()> {
    let is_other = fs::symlink_metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir());
    let cleared = if is_other { fs::remove_file(path) } else { Ok(()) };
    cleared.and_then(|()| fs::write(path, content)).with_context(|| format!("{} can't be written", path.display()))
}

/// Tests if a path of the list leads to a file of a site and nowhere else: the list may have been edited.
fn is_inside(path: &str) -> bool {
    let parts: Vec<Component> = Path::new(path).components().collect();
    parts.iter().all(|part| matches!(part, Component::Normal(_)))
        && match &parts[..] {
            [_] => true,
            [Component::Normal(folder), _] => FOLDERS.iter().any(|known| *folder == *known),
            _ => false,
        }
}
