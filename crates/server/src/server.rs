//! [`Server`]: the state that intake, workers and recovery share.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use protocol::RequestError;
use protocol::wakes::{InstallationId, Place, Wake, WakeOutcome, Wakes};
use table::{RepositoryId, Timestamp};
use tokio::sync::{Notify, Semaphore};
use tokio::task::JoinSet;
use tracing::{info, warn};

use crate::app::{App, AppInfo, RepositoryInfo};
use crate::config::Config;
use crate::directory::{Directory, Repository};
use crate::intake;
use crate::metrics::Metrics;

/// The number of computers of one installation that think at the same time.
const SEARCHES_PER_INSTALLATION: usize = 2;
/// The number of lists of repositories that the server asks for at the same time.
const LISTS_AT_ONCE: usize = 16;

/// A running server.
pub(super) struct Server {
    pub(super) config: Config,
    pub(super) app: App,
    pub(super) info: AppInfo,
    pub(super) metrics: Metrics,
    directory: Mutex<Directory>,
    wakes: Mutex<Wakes>,
    /// Wakes the workers' loop.
    pub(super) news: Notify,
    /// The memory that long bodies of webhooks may take, in units of 16 KB.
    pub(super) body_memory: Arc<Semaphore>,
    /// A permit for each processor.
    searches: Arc<Semaphore>,
    installation_searches: Mutex<BTreeMap<InstallationId, Arc<Semaphore>>>,
    is_ready: AtomicBool,
    is_draining: AtomicBool,
}

/// Locks a mutex even if a thread panicked while it held the lock, because each change here is a single step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Server {
    /// Creates a server for an App that GitHub has just shown.
    pub(super) fn new(config: Config, app: App, info: AppInfo) -> Server {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Server {
            config,
            app,
            info,
            metrics: Metrics::new(),
            directory: Mutex::default(),
            wakes: Mutex::default(),
            news: Notify::new(),
            body_memory: Arc::new(Semaphore::new(intake::BODY_UNITS)),
            searches: Arc::new(Semaphore::new(processors)),
            installation_searches: Mutex::default(),
            is_ready: AtomicBool::new(false),
            is_draining: AtomicBool::new(false),
        }
    }

    /// Returns the time now: GitHub's, once a reply has told it.
    pub(super) fn now(&self) -> Timestamp {
        self.app.now()
    }

    /// Adds a wake.
    pub(super) fn wake(&self, place: Place, wake: Wake) {
        lock(&self.wakes).add(place, wake);
        self.news.notify_one();
    }

    /// Returns the next place to look at.
    pub(super) fn next_wake(&self) -> Option<(Place, Wake)> {
        let now = self.now();
        lock(&self.wakes).next(now)
    }

    /// Ends the look at a place.
    pub(super) fn finish(&self, place: Place, outcome: WakeOutcome) {
        let now = self.now();
        lock(&self.wakes).finish(place, outcome, now);
        self.news.notify_one();
    }

    /// Returns the time until the next wake is due; `None` if none waits.
    pub(super) fn pause(&self) -> Option<Duration> {
        let now = self.now();
        lock(&self.wakes).next_due(now).map(|due| due.since(now))
    }

    /// Returns the number of runs at this moment.
    pub(super) fn running(&self) -> usize {
        lock(&self.wakes).running()
    }

    /// Adds a repository that the server doesn't know yet. Changes to a known one come from GitHub's lists, because webhooks arrive
    /// out of order.
    pub(super) fn note_repository(&self, installation: InstallationId, info: &RepositoryInfo) {
        let mut directory = lock(&self.directory);
        if !directory.knows(info.id) {
            directory.note(installation, info);
        }
    }

    /// Reads what has changed about an installation: whether it's still there, and its repositories.
    ///
    /// # Errors
    /// Returns an error if a request fails.
    pub(super) async fn refresh(&self, id: InstallationId) -> Result<(), RequestError> {
        let installation = self.app.installation(id).await?;
        let is_suspended = match &installation {
            None => {
                info!(installation = id.0, "The App isn't installed there any more.");
                lock(&self.directory).forget_installation(id);
                lock(&self.wakes).forget_installation(id);
                self.app.forget_token(id);
                return Ok(());
            }
            Some(found) => intake::is_suspended(found) || !self.config.plays_for(&found.account.login),
        };
        lock(&self.directory).set_suspended(id, is_suspended);
        if is_suspended {
            info!(installation = id.0, "The server doesn't play in this installation now.");
            lock(&self.wakes).forget_installation(id);
            self.app.forget_token(id);
            return Ok(());
        }
        let repositories = self.app.repositories(id).await?;
        lock(&self.directory).set(id, &repositories);
        Ok(())
    }

    /// Returns a repository, if the server may play in it now.
    pub(super) fn repository(&self, installation: InstallationId, id: RepositoryId) -> Option<Repository> {
        lock(&self.directory).find(installation, id).cloned()
    }

    /// Returns all repositories that the server may play in now.
    pub(super) fn repositories(&self) -> Vec<(InstallationId, RepositoryId)> {
        lock(&self.directory).open().map(|(id, found)| (found.installation, id)).collect()
    }

    /// Calls `change` with the directory, and returns its result.
    pub(super) fn with_directory<T>(&self, change: impl FnOnce(&mut Directory) -> T) -> T {
        change(&mut lock(&self.directory))
    }

    /// Lists all installations and their repositories. Returns the accounts in the settings that haven't installed the App.
    ///
    /// # Errors
    /// Returns an error if GitHub doesn't list the installations. A single installation whose list fails is only logged.
    pub(super) async fn load_directory(self: &Arc<Server>) -> Result<Vec<String>, RequestError> {
        let all = self.app.installations().await?;
        let absent = self.config.absent_accounts(&all);
        let (suspended, open): (Vec<_>, Vec<_>) = all
            .into_iter()
            .filter(|installation| self.config.plays_for(&installation.account.login))
            .partition(intake::is_suspended);
        for installation in suspended {
            lock(&self.directory).set_suspended(InstallationId(installation.id), true);
        }
        // One after the other, many lists would take long.
        for some in open.chunks(LISTS_AT_ONCE) {
            let mut lists = JoinSet::new();
            for installation in some {
                let (server, id) = (self.clone(), InstallationId(installation.id));
                lists.spawn(async move { (id, server.app.repositories(id).await) });
            }
            while let Some(listed) = lists.join_next().await {
                match listed {
                    Ok((id, Ok(repositories))) => lock(&self.directory).set(id, &repositories),
                    Ok((id, Err(error))) => warn!(installation = id.0, "Its repositories can't be listed: {error}"),
                    Err(error) => warn!("A list of repositories failed: {error}"),
                }
            }
        }
        Ok(absent)
    }

    /// Returns the limits on thinking computers for an installation.
    pub(super) fn search_limits(&self, id: InstallationId) -> Vec<Arc<Semaphore>> {
        let mut limits = lock(&self.installation_searches);
        let own = limits.entry(id).or_insert_with(|| Arc::new(Semaphore::new(SEARCHES_PER_INSTALLATION)));
        vec![own.clone(), self.searches.clone()]
    }

    /// Notes that the server knows its repositories, and what it missed.
    pub(super) fn set_ready(&self) {
        self.is_ready.store(true, Ordering::Relaxed);
    }

    /// Notes that the server starts nothing more.
    pub(super) fn drain(&self) {
        self.is_draining.store(true, Ordering::Relaxed);
        self.news.notify_one();
    }

    /// Whether the server starts nothing more.
    pub(super) fn is_draining(&self) -> bool {
        self.is_draining.load(Ordering::Relaxed)
    }

    /// Whether the server is ready for work.
    ///
    /// # Errors
    /// Returns the reason if it isn't.
    pub(super) fn readiness(&self) -> Result<(), &'static str> {
        match (self.is_draining(), self.is_ready.load(Ordering::Relaxed)) {
            (true, _) => Err("shutting down"),
            (false, false) => Err("starting"),
            (false, true) => Ok(()),
        }
    }

    /// Returns the figures as text.
    pub(super) fn metrics_text(&self) -> String {
        let now = self.now();
        let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        let wakes = lock(&self.wakes);
        self.metrics.waiting.set(count(wakes.due(now)));
        self.metrics.running.set(count(wakes.running()));
        self.metrics.limited.set(count(wakes.holds()));
        let oldest = wakes.oldest_arrival(now).map_or(Duration::ZERO, |arrived| now.since(arrived));
        drop(wakes);
        self.metrics.oldest.set(oldest.as_secs_f64());
        self.metrics.repositories.set(count(lock(&self.directory).len()));
        self.metrics.text()
    }
}
