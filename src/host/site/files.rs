//! The files of a site: written where they have changed, removed where they are no longer part of it.
//!
//! `manifest.txt` lists them, below a line that says which program and which settings made them. A directory that holds anything
//! without it is somebody else's and is left alone, and what the list does not name is never removed.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
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
    written: AtomicUsize,
}

impl SiteFiles {
    /// Opens the directory of a site, and makes it if it is missing.
    ///
    /// # Errors
    /// It holds files of somebody else, or cannot be written.
    pub fn open(out: &Path, maker: &str) -> Result<SiteFiles> {
        let maker = format!("# {maker}");
        let before: BTreeSet<String> = match fs::read_to_string(out.join(MANIFEST)) {
            Ok(text) => text.lines().map(str::to_owned).collect(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => BTreeSet::new(),
            Err(error) => return Err(error).with_context(|| format!("{MANIFEST} in {} cannot be read", out.display())),
        };
        let holds = fs::read_dir(out).is_ok_and(|mut entries| entries.next().is_some());
        if holds && !out.join(MANIFEST).is_file() {
            bail!(
                "{} holds files and no {MANIFEST}, so it is no site: name an empty directory with --out",
                out.display()
            );
        }
        for folder in FOLDERS {
            let folder = out.join(folder);
            fs::create_dir_all(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        }
        // From here on it is a site, also if nothing else comes to be written.
        if !holds {
            fs::write(out.join(MANIFEST), "").with_context(|| format!("{} cannot be written", out.display()))?;
        }
        let same = if before.contains(&maker) { before.clone() } else { BTreeSet::new() };
        Ok(SiteFiles { out: out.to_owned(), maker, same, before, now: Mutex::default(), written: AtomicUsize::new(0) })
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
        let same = fs::metadata(&file).is_ok_and(|known| known.len() == content.len() as u64)
            && fs::read(&file).is_ok_and(|known| known == content);
        if !same {
            fs::write(&file, content).with_context(|| format!("{} cannot be written", file.display()))?;
            self.written.fetch_add(1, Ordering::Relaxed);
        }
        self.now.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned());
        Ok(())
    }

    /// Keeps all files whose names begin so, if the same maker made them and this one still says the same; false if not.
    pub fn keep(&self, beginning: &str, path: &str, text: &str) -> bool {
        let own = self.same.range(beginning.to_owned()..).take_while(|path| path.starts_with(beginning));
        let own: Vec<String> = own.cloned().collect();
        let kept = own.iter().any(|own| own == path)
            && own.iter().all(|own| is_inside(own) && self.out.join(own).is_file())
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
                Err(error) => return Err(error).with_context(|| format!("{path} cannot be removed")),
            }
        }
        let listed = now.len();
        let now: BTreeSet<String> = now.into_iter().chain([self.maker]).collect();
        if now != self.before {
            let list: String = now.iter().flat_map(|path| [path.as_str(), "\n"]).collect();
            let file = self.out.join(MANIFEST);
            fs::write(&file, list).with_context(|| format!("{} cannot be written", file.display()))?;
        }
        Ok((self.written.into_inner(), removed, listed))
    }
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
