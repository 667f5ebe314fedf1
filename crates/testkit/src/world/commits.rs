//! Commits on the branches of the fake repository.

use std::collections::BTreeMap;
use std::sync::Arc;

use protocol::{Change, CommitOutcome, FileContent, HostError, RequestError, SETTINGS_PATH, SettingsFile};
use sha2::{Digest, Sha256};
use table::Oid;

use crate::world::state::{Commit, State};

impl State {
    /// Returns the files at the head of the state branch.
    pub fn head_files(&self) -> Option<&BTreeMap<String, String>> {
        let head = self.branches.get(self.state_branch())?;
        Some(&self.commits[head].files)
    }

    /// Returns the settings file on the default branch, or else in the owner's repository `.github`.
    pub(crate) fn settings_file(&self) -> Option<SettingsFile> {
        let own = self.branches.get(&self.default_branch).map(|oid| (oid, self.file_at(oid, SETTINGS_PATH)));
        let (content, is_shared) = match own {
            Some((_, content)) if content != FileContent::Missing => (content, false),
            _ => (FileContent::Text(self.shared_settings.clone()?), true),
        };
        let text = match &content {
            FileContent::Text(text) | FileContent::Unreadable(text) => text.as_str(),
            FileContent::Missing => "",
        };
        Some(SettingsFile { blob: Oid::parse(&blob_id(text)).expect("an oid"), content, is_shared })
    }

    /// Returns the files of a commit's parent.
    pub fn parent_files(&self, oid: &str) -> Option<&BTreeMap<String, String>> {
        let parent = self.commits[oid].parent.as_ref()?;
        Some(&self.commits[parent].files)
    }

    /// Returns the new and changed files of a commit, with their texts.
    pub fn changed_files(&self, oid: &str) -> impl Iterator<Item = (&String, &String)> {
        let before = self.parent_files(oid);
        let is_same = move |path: &str, text: &String| before.is_some_and(|before| before.get(path) == Some(text));
        self.commits[oid].files.iter().filter(move |(path, text)| !is_same(path, text))
    }

    /// Adds a commit to a branch, and creates the branch if it is missing. Returns the commit's id.
    pub fn land(&mut self, branch: &str, files: &[(String, String)], headline: &str, body: &str) -> String {
        self.land_files(branch, files, &[], headline, body)
    }

    /// Adds a commit that may delete files.
    ///
    /// # Errors
    /// Returns GitHub's message if one of them isn't there, or is too new.
    pub fn land_change(&mut self, branch: &str, change: &Change) -> Result<String, String> {
        let parent = self.branches.get(branch);
        let is_there = |path: &String| parent.is_some_and(|oid| self.commits[oid].files.contains_key(path));
        if !change.deleted.iter().all(is_there) || self.deletes_too_early(change) {
            return Err(missing_path_message(parent.map_or("", String::as_str)));
        }
        Ok(self.land_files(branch, &change.files, &change.deleted, &change.headline, &change.body))
    }

    /// Whether a change deletes a file that was added only just now.
    fn deletes_too_early(&self, change: &Change) -> bool {
        let is_new = |path: &String| self.added.get(path).is_some_and(|at| self.now < at + self.deletion_delay);
        change.deleted.iter().any(is_new)
    }

    fn land_files(
        &mut self,
        branch: &str,
        files: &[(String, String)],
        deleted: &[String],
        headline: &str,
        body: &str,
    ) -> String {
        let parent = self.branches.get(branch).cloned();
        let mut tree = parent.as_ref().map(|oid| (*self.commits[oid].files).clone()).unwrap_or_default();
        let new = files.iter().filter(|(path, _)| !tree.contains_key(path));
        self.added.extend(new.map(|(path, _)| (path.clone(), self.now)));
        tree.extend(files.iter().cloned());
        tree.retain(|path, _| !deleted.contains(path));
        let name = format!("{parent:?} {files:?} {headline} {body} {}", self.commits.len());
        let digest = Sha256::digest(name.as_bytes());
        let oid: String = digest.iter().take(20).map(|byte| format!("{byte:02x}")).collect();
        let (headline, body) = (headline.to_owned(), body.to_owned());
        Arc::make_mut(&mut self.commits).insert(oid.clone(), Commit { parent, files: Arc::new(tree), headline, body });
        self.branches.insert(branch.to_owned(), oid.clone());
        oid
    }

    pub fn create_branch(&mut self, at: &Oid) -> Result<(), RequestError> {
        if !self.commits.contains_key(at.as_str()) {
            return Err(RequestError::Fatal(HostError::new("Object does not exist")));
        }
        let branch = self.state_branch().to_owned();
        self.branches.entry(branch).or_insert_with(|| at.to_string());
        Ok(())
    }

    pub fn commit(&mut self, change: &Change) -> Result<CommitOutcome, RequestError> {
        let branch = self.state_branch().to_owned();
        let Some(on) = &change.parent else {
            return Err(RequestError::Fatal(HostError::new("A commit needs a branch to stand on.")));
        };
        if self.branches.get(&branch).map(String::as_str) != Some(on.as_str()) {
            return Ok(CommitOutcome::Stale);
        }
        // GitHub's refusal of a deletion doesn't say whether the file is too new or was never there.
        let landed = self.land_change(&branch, change);
        Ok(landed.map_or(CommitOutcome::Stale, |oid| CommitOutcome::Landed(Oid::parse(&oid).expect("an oid"))))
    }
}

/// Returns the ID of a file with this text.
fn blob_id(text: &str) -> String {
    Sha256::digest(text).iter().take(20).map(|byte| format!("{byte:02x}")).collect()
}

/// Returns GitHub's message about the deletion of a file that isn't in a commit.
fn missing_path_message(oid: &str) -> String {
    format!("A path was requested for deletion which does not exist as of commit oid `{oid}`")
}
