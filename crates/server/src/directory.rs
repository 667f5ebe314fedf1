//! [`Directory`]: the repositories that the server knows, by their numeric IDs.
//!
//! Names change, so they come from GitHub's lists. Nothing here is stored anywhere else.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use protocol::SettingsFile;
use protocol::wakes::InstallationId;
use table::{RepositoryId, Timestamp};

use crate::app::RepositoryInfo;

/// The shortest time between two requests to build the website of a repository.
const SITE_INTERVAL: Duration = Duration::from_secs(10 * 60);
/// The number of minutes of a day.
const MINUTES: u64 = 24 * 60;

/// A repository that the server plays in.
#[derive(Clone, Debug)]
pub(super) struct Repository {
    /// The installation that opens it.
    pub(super) installation: InstallationId,
    /// The owner's name.
    pub(super) owner: String,
    /// The repository's name.
    pub(super) name: String,
    /// Whether nobody can write to it.
    pub(super) is_archived: bool,
    /// Whether it has a website.
    pub(super) has_site: bool,
    /// The settings file, as a run last read it; `None` if there is none, or no run has read it.
    pub(super) settings: Option<SettingsFile>,
    /// When the server last asked for a build of the website.
    site_asked_at: Option<Timestamp>,
    /// When to ask next; `None` if nothing has changed.
    site_due: Option<Timestamp>,
}

impl Repository {
    /// Returns `owner/name`.
    pub(super) fn full_name(&self) -> String {
        format!("{}/{}", self.owner, self.name)
    }
}

/// All repositories that the server knows.
#[derive(Debug, Default)]
pub(super) struct Directory {
    repositories: BTreeMap<RepositoryId, Repository>,
    suspended: BTreeSet<InstallationId>,
}

impl Directory {
    /// Adds or replaces a repository. Does nothing if its name isn't valid.
    pub(super) fn note(&mut self, installation: InstallationId, info: &RepositoryInfo) {
        let Some((owner, name)) = info.full_name.split_once('/') else { return };
        let known = self.repositories.get(&info.id);
        let repository = Repository {
            installation,
            owner: owner.to_owned(),
            name: name.to_owned(),
            is_archived: info.archived.or(known.map(|known| known.is_archived)).unwrap_or_default(),
            has_site: info.has_pages.or(known.map(|known| known.has_site)).unwrap_or_default(),
            settings: known.and_then(|known| known.settings.clone()),
            site_asked_at: known.and_then(|known| known.site_asked_at),
            site_due: known.and_then(|known| known.site_due),
        };
        self.repositories.insert(info.id, repository);
    }

    /// Replaces the repositories of an installation.
    pub(super) fn set(&mut self, installation: InstallationId, infos: &[RepositoryInfo]) {
        let ids: BTreeSet<RepositoryId> = infos.iter().map(|info| info.id).collect();
        self.repositories.retain(|id, known| known.installation != installation || ids.contains(id));
        infos.iter().for_each(|info| self.note(installation, info));
    }

    /// Whether the server knows a repository.
    pub(super) fn knows(&self, id: RepositoryId) -> bool {
        self.repositories.contains_key(&id)
    }

    /// Returns a repository, if the server may play in it now.
    pub(super) fn find(&self, installation: InstallationId, id: RepositoryId) -> Option<&Repository> {
        let is_open = |found: &&Repository| found.installation == installation && !found.is_archived;
        self.repositories.get(&id).filter(is_open).filter(|_| !self.suspended.contains(&installation))
    }

    /// Returns all repositories that the server may play in now.
    pub(super) fn open(&self) -> impl Iterator<Item = (RepositoryId, &Repository)> {
        let is_open = |found: &Repository| !found.is_archived && !self.suspended.contains(&found.installation);
        self.repositories.iter().filter(move |(_, found)| is_open(found)).map(|(id, found)| (*id, found))
    }

    /// Notes the settings file of a repository.
    pub(super) fn set_settings(&mut self, id: RepositoryId, settings: Option<SettingsFile>) {
        if let Some(found) = self.repositories.get_mut(&id) {
            found.settings = settings;
        }
    }

    /// Forgets an installation and its repositories.
    pub(super) fn forget_installation(&mut self, installation: InstallationId) {
        self.repositories.retain(|_, found| found.installation != installation);
        self.suspended.remove(&installation);
    }

    /// Notes whether an installation is suspended.
    pub(super) fn set_suspended(&mut self, installation: InstallationId, is_suspended: bool) {
        if is_suspended {
            self.suspended.insert(installation);
        } else {
            self.suspended.remove(&installation);
        }
    }

    /// Returns the repositories whose daily run begins within the next `span` from a time.
    pub(super) fn due_daily(&self, from: Timestamp, span: Duration) -> Vec<(InstallationId, RepositoryId)> {
        let minute = |at: Timestamp| at.as_millis() / 60_000;
        let (first, count) = (minute(from), minute(from + span) - minute(from));
        let is_due = |id: RepositoryId| (daily_minute(id) + MINUTES - first % MINUTES) % MINUTES < count;
        self.open().filter(|(id, _)| is_due(*id)).map(|(id, found)| (found.installation, id)).collect()
    }

    /// Notes that a repository's games have changed, so that its website is out of date.
    pub(super) fn note_change(&mut self, id: RepositoryId, now: Timestamp) {
        if let Some(found) = self.repositories.get_mut(&id).filter(|found| found.has_site) {
            let due = found.site_asked_at.map_or(now, |asked| (asked + SITE_INTERVAL).max(now));
            found.site_due.get_or_insert(due);
        }
    }

    /// Returns the repositories whose website to build now. Each is returned once.
    pub(super) fn take_due_sites(&mut self, now: Timestamp) -> Vec<(RepositoryId, Repository)> {
        let mut due = Vec::new();
        for (id, found) in &mut self.repositories {
            if found.site_due.is_some_and(|at| at <= now) {
                (found.site_due, found.site_asked_at) = (None, Some(now));
                due.push((*id, found.clone()));
            }
        }
        due
    }

    /// Returns the number of repositories.
    pub(super) fn len(&self) -> usize {
        self.repositories.len()
    }
}

/// Returns the minute of the day at which the daily run of a repository begins. The IDs spread them over the day.
fn daily_minute(id: RepositoryId) -> u64 {
    (id.get().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) % MINUTES
}
