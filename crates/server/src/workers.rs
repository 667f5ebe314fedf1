//! The workers: take wakes in turn and settle what is there, with the same `settle` as the action.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use github::{GitHub, Settings};
use hmac::{Hmac, Mac};
use http::Method;
use protocol::wakes::{InstallationId, Place, Target, Wake, WakeOutcome, left_elsewhere};
use protocol::{
    Environment, HostError, Ledger, Remedy, RepoConfig, RequestError, SettingsFile, SettleError, WebRepo, note_texts,
    settle_with_settings,
};
use serde_json::json;
use setup::repo_config_with_file;
use sha2::Sha256;
use table::RepositoryId;
use tokio::runtime::Handle;
use tracing::{error, info, warn};

use crate::directory::Repository;
use crate::metrics::kind;
use crate::server::Server;

/// The number of runs at the same time. Each mostly waits for GitHub.
const MAX_RUNS: usize = 64;
/// How long a server that was told to stop waits for its runs.
pub(super) const DRAIN_TIME: Duration = Duration::from_secs(20);
/// The time between the daily runs of two repositories after the start.
const FIRST_DAILY_INTERVAL: Duration = Duration::from_secs(2);
/// The interval at which the server looks for daily runs and websites that are due.
const TICK: Duration = Duration::from_secs(10);

/// Starts runs for wakes as they become due, until the server drains.
pub(super) async fn work(server: Arc<Server>) {
    while !server.is_draining() {
        while server.running() < MAX_RUNS
            && let Some((place, wake)) = server.next_wake()
        {
            tokio::spawn(work_at(server.clone(), place, wake));
        }
        let pause = server.pause().unwrap_or(TICK).min(TICK);
        tokio::select! {
            () = server.news.notified() => {}
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// Looks at a place once, and notes what is left to do there.
async fn work_at(server: Arc<Server>, place: Place, wake: Wake) {
    let began_at = Instant::now();
    let runner = server.clone();
    // A run isn't `Send`, and a computer that thinks keeps its thread busy. So each run has a thread of its own.
    let run = tokio::task::spawn_blocking(move || Handle::current().block_on(run_at(&runner, place, &wake)));
    let outcome = run.await.unwrap_or_else(|panic| {
        error!(repository = place.repository.get(), "A run failed: {panic}");
        WakeOutcome::Failed
    });
    let word = match outcome {
        WakeOutcome::Settled { .. } => "settled",
        WakeOutcome::Unfinished => "unfinished",
        WakeOutcome::Limited { .. } => "limited",
        WakeOutcome::Failed => "failed",
        WakeOutcome::Refused => "refused",
    };
    server.metrics.runs.get_or_create(&kind(word)).inc();
    let waited = server.now().since(wake.arrived);
    if wake.comment.is_some() && matches!(outcome, WakeOutcome::Settled { .. }) {
        server.metrics.seconds.observe(waited.as_secs_f64());
    }
    let (issue, target) = match place.target {
        Target::Thread(issue) => (Some(issue.get()), "thread"),
        Target::Recent => (None, "recent issues"),
        Target::Daily => (None, "daily run"),
    };
    let repository = server.repository(place.installation, place.repository).map(|found| found.full_name());
    info!(
        repository = %repository.unwrap_or_else(|| place.repository.to_string()),
        issue,
        target,
        outcome = word,
        milliseconds = milliseconds(began_at.elapsed()),
        since_webhook = wake.comment.map(|_| milliseconds(waited)),
        "A run has ended."
    );
    server.finish(place, outcome);
}

/// Returns a time for the log, which shows a longer number as text.
pub(super) fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Settles what is at a place.
async fn run_at(server: &Server, place: Place, wake: &Wake) -> WakeOutcome {
    let Place { installation, repository: id, .. } = place;
    let repository = match find_repository(server, installation, id).await {
        Ok(Some(repository)) => repository,
        Ok(None) => return WakeOutcome::Refused,
        Err(error) => return outcome_of_request(server, &error, "The installation can't be read"),
    };
    let settings = match server.app.settings_for(installation, &repository.owner, &repository.name).await {
        Ok(settings) => settings,
        Err(error) => {
            return outcome_of_request(server, &error, &format!("No token for installation {}", installation.0));
        }
    };
    let forges = Forges { server, installation, settings, made: RefCell::default() };
    let mut ledger = Ledger::default();
    let trigger = wake.trigger(place, server.now());
    let mut file = repository.settings.clone();
    let settled = settle_with_settings(
        |file| repo_config(server, id, &repository, file),
        |config| forges.make(config),
        &mut file,
        trigger,
        &mut ledger,
    )
    .await;
    if file != repository.settings {
        server.with_directory(|directory| directory.set_settings(id, file));
    }
    for github in forges.made.into_inner() {
        server.app.set_time(github.now());
        server.metrics.requests.inc_by(github.requests());
    }
    count_commands(server, &ledger);
    if ledger.commit.is_some() {
        server.with_directory(|directory| directory.note_change(id, server.now()));
    }
    for note in note_texts(&ledger.notes) {
        warn!(repository = %repository.full_name(), "{note}.");
    }
    let now = server.now();
    for (place, wake) in left_elsewhere(place, &ledger, now) {
        server.wake(place, wake);
    }
    let settled = settled.as_ref().map(|_| ());
    let known = match settled {
        Ok(()) => None,
        Err(error) => note_error(server, place, &repository.full_name(), error).await,
    };
    known.unwrap_or_else(|| WakeOutcome::of_run(place, settled, &ledger, now))
}

/// Returns the settings of a repository, which come from its settings file.
fn repo_config(
    server: &Server,
    id: RepositoryId,
    repository: &Repository,
    file: Option<&SettingsFile>,
) -> Result<RepoConfig, HostError> {
    let web = WebRepo { server: server.app.server.url.clone(), repository: repository.full_name(), branch: None };
    let secret = server.config.dice_secret.as_ref().and_then(|secret| {
        let mac = <Hmac<Sha256> as Mac>::new_from_slice(secret.0.as_bytes()).ok()?;
        Some(hex::encode(mac.chain_update(id.get().to_string()).finalize().into_bytes()))
    });
    let input = |name: &str| secret.clone().filter(|_| name == "DICE_SECRET");
    let config = repo_config_with_file(file, input, web).map_err(|error| HostError::new(format!("{error}.")))?;
    Ok(RepoConfig { min_comment_age: Duration::ZERO, notices_for_settings: true, ..config })
}

/// Makes the forges of a run: one, unless the settings file changes what it reads.
struct Forges<'a> {
    server: &'a Server,
    installation: InstallationId,
    settings: Settings,
    made: RefCell<Vec<Rc<GitHub>>>,
}

impl Forges<'_> {
    fn make(&self, config: &RepoConfig) -> Result<Rc<GitHub>, RequestError> {
        let settings = self.settings.clone().for_config(config);
        let github = GitHub::with_connections(self.server.app.connections(), settings)?;
        let github = Rc::new(github.with_search_limits(self.server.search_limits(self.installation)));
        self.made.borrow_mut().push(github.clone());
        Ok(github)
    }
}

fn count_commands(server: &Server, ledger: &Ledger) {
    let report = ledger.report();
    for (word, count) in [
        ("applied", report.applied),
        ("refused", report.refused),
        ("shown", report.shown),
        ("repaired", report.repaired),
    ] {
        server.metrics.commands.get_or_create(&kind(word)).inc_by(u64::from(count));
    }
}

/// Logs the error of a run. Returns the outcome if the server knows it better than [`WakeOutcome::of_run`].
async fn note_error(server: &Server, place: Place, name: &str, error: &SettleError) -> Option<WakeOutcome> {
    match error {
        SettleError::RetryAfter { why, .. } => warn!(repository = %name, "{why}. The installation waits."),
        SettleError::GaveUp(why) => warn!(repository = %name, "A run gave up: {why}."),
        SettleError::Sweep(_) => warn!(repository = %name, "Some issues failed: {error}."),
        // A run starts again with the new settings, so it doesn't end with this.
        SettleError::SettingsChanged(_) => {}
        SettleError::HostMustAct(problem) => return note_problem(server, place, name, problem).await,
    }
    None
}

/// Logs a problem that somebody has to solve. Returns the outcome if the server knows it better.
async fn note_problem(server: &Server, place: Place, name: &str, problem: &HostError) -> Option<WakeOutcome> {
    match problem {
        HostError::Request { remedy: Some(Remedy::Token), .. } => {
            server.app.forget_token(place.installation);
            warn!(repository = %name, "{problem} The server asks for a new token.");
        }
        HostError::Request { remedy: remedy @ (None | Some(Remedy::PermissionsOrToken)), .. } => {
            // It may have another name or owner by now, or be archived or gone.
            let found = find_again(server, place, name).await;
            if found.is_none() {
                let advice = if remedy.is_some() { " Install the App there, or check its permissions." } else { "" };
                error!(repository = %name, "{problem}{advice}");
            }
            return found;
        }
        HostError::Request { remedy: Some(remedy), .. } => {
            let advice = match remedy {
                Remedy::OwnBranch => {
                    "Set `branch` in .github/play-by-commit.yml to a branch for the games alone, such as `play`."
                }
                _ => "Give the App the permissions `contents: write` and `issues: write`.",
            };
            error!(repository = %name, "{problem} {advice}");
        }
        HostError::DamagedRecord { .. } => {
            error!(repository = %name, "{problem}. Restore the file from an earlier commit.");
        }
        HostError::MissingRecord { .. } => {
            error!(
                repository = %name,
                "{problem}. If you changed `branch` or `state-dir` in .github/play-by-commit.yml, set it back. Otherwise, restore \
                 the file from that commit."
            );
        }
    }
    None
}

/// Returns a repository. Reads the installation again if the server doesn't know that the repository belongs to it.
async fn find_repository(
    server: &Server,
    installation: InstallationId,
    id: RepositoryId,
) -> Result<Option<Repository>, RequestError> {
    let known = server.repository(installation, id);
    if known.is_some() {
        return Ok(known);
    }
    server.refresh(installation).await?;
    Ok(server.repository(installation, id))
}

/// Reads the installation again after a run that failed. Returns `None` if nothing has changed about the repository.
async fn find_again(server: &Server, place: Place, known_name: &str) -> Option<WakeOutcome> {
    if let Err(error) = server.refresh(place.installation).await {
        return Some(outcome_of_request(server, &error, "The installation can't be read"));
    }
    match server.repository(place.installation, place.repository) {
        Some(found) if found.full_name() == known_name => None,
        Some(_) => Some(WakeOutcome::Unfinished),
        None => Some(WakeOutcome::Refused),
    }
}

/// Logs the error of a request outside of a run, and returns what to do about it.
fn outcome_of_request(server: &Server, error: &RequestError, what: &str) -> WakeOutcome {
    warn!("{what}: {error}");
    match error {
        RequestError::RetryAfter(pause, _) => WakeOutcome::Limited { until: server.now() + *pause },
        RequestError::Lost(_) | RequestError::TooLong(_) => WakeOutcome::Failed,
        RequestError::Fatal(_) => WakeOutcome::Refused,
    }
}

/// Begins the daily run of each repository at its minute, and asks for the builds of websites, until the server drains.
pub(super) async fn keep_time(server: Arc<Server>) {
    let mut done_until = server.now();
    // The server may have been down at a repository's minute, and it doesn't know when votes end. So each repository soon gets a
    // daily run, one after the other.
    let mut due = done_until;
    for (installation, repository) in server.repositories() {
        due = due + FIRST_DAILY_INTERVAL;
        server.wake(Place { installation, repository, target: Target::Daily }, Wake::at(due));
    }
    while !server.is_draining() {
        let now = server.now();
        let due = server.with_directory(|directory| directory.due_daily(done_until, now.since(done_until)));
        for (installation, repository) in due {
            server.wake(Place { installation, repository, target: Target::Daily }, Wake::at(now));
        }
        done_until = now;
        let sites = server.with_directory(|directory| directory.take_due_sites(now));
        for (_, repository) in sites {
            ask_for_site(&server, repository.installation, &repository).await;
        }
        tokio::time::sleep(TICK).await;
    }
}

/// Asks the workflow of a repository's website for a build. A commit of an App starts none.
async fn ask_for_site(server: &Server, installation: InstallationId, repository: &Repository) {
    let path = format!("/repos/{}/dispatches", repository.full_name());
    let body = json!({ "event_type": "play-by-commit" });
    let reply = server.app.request_as(installation, Method::POST, &path, Some(&body)).await;
    match reply {
        Ok(reply) if reply.status.is_success() => {}
        Ok(reply) => warn!(repository = %repository.full_name(), "The website can't be built: {}.", reply.status),
        Err(error) => warn!(repository = %repository.full_name(), "The website can't be built: {error}"),
    }
}
