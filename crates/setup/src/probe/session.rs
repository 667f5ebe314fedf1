//! The state of a running probe: its connection to GitHub, its random names, and the resources it created.

use std::time::{Duration, Instant};

use github::{GitHub, Settings};
use protocol::forge::{Fault, random_bytes};
use protocol::repo_config::{RepoConfig, WebRepo, is_enterprise_server, server_name};
use table::ids::IssueNumber;

/// The time limit of one request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// The longest wait until a read shows a write.
const LAG_TIMEOUT: Duration = Duration::from_secs(8);
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// The repository to probe.
#[derive(Clone, Debug)]
pub struct ProbeTarget {
    /// How to reach GitHub. The probe ignores the games' branch.
    pub settings: Settings,
    /// The repository on the web.
    pub web: WebRepo,
    /// Whether the server is a GitHub Enterprise Server.
    pub enterprise: bool,
}

impl ProbeTarget {
    /// Returns the target with these settings.
    pub fn new(settings: Settings, config: RepoConfig) -> ProbeTarget {
        let repository = format!("{}/{}", settings.owner, settings.name);
        let default = WebRepo { server: "https://github.com".to_owned(), repository, branch: None };
        let web = config.web.unwrap_or(default);
        let enterprise = is_enterprise_server(server_name(&web.server));
        ProbeTarget { settings, web, enterprise }
    }
}

/// The time limits of a probe.
#[derive(Clone, Copy, Debug)]
pub struct TimeLimits {
    /// The limit for all tests together.
    pub tests: Duration,
    /// The limit for one attempt of one cleanup step.
    pub cleanup_step: Duration,
}

/// At most a minute and a half in all.
impl Default for TimeLimits {
    fn default() -> TimeLimits {
        TimeLimits { tests: Duration::from_secs(50), cleanup_step: Duration::from_secs(5) }
    }
}

/// The state of the temporary issue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum TestIssue {
    /// The probe didn't request it, or GitHub refused it.
    #[default]
    None,
    /// The probe requested it, but got no reply.
    Unknown,
    /// It exists with this number.
    Opened(IssueNumber),
}

/// The resources that may exist and need cleanup. The probe records each one before its request.
#[derive(Debug, Default)]
pub(super) struct CreatedResources {
    pub(super) issue: TestIssue,
    pub(super) lock: bool,
    pub(super) branch: bool,
    /// The branch that shouldn't exist, in case the commit to it succeeded.
    pub(super) missing_branch: bool,
    pub(super) label: bool,
}

/// A connection to GitHub, with random names for temporary resources.
pub(super) struct Probe {
    /// GitHub, with the temporary branch as the games' branch.
    pub(super) github: GitHub,
    pub(super) web: WebRepo,
    pub(super) state_dir: String,
    /// The name of the temporary branch and the temporary label.
    pub(super) name: String,
    /// The random part of the names.
    suffix: String,
}

impl Probe {
    /// Prepares a probe with random names.
    ///
    /// # Errors
    /// Returns an error if the settings are invalid.
    pub(super) fn new(target: ProbeTarget) -> Result<Probe, Fault> {
        let ProbeTarget { settings, web, .. } = target;
        let suffix: String = random_bytes()?.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
        let name = format!("play-by-commit-probe-{suffix}");
        let state_dir = settings.state_dir.clone();
        let settings = Settings { branch: Some(name.clone()), timeout: REQUEST_TIMEOUT, ..settings };
        Ok(Probe { github: GitHub::new(settings)?, web, state_dir, name, suffix })
    }

    /// Returns the title of the temporary issue while the probe runs.
    pub(super) fn running_title(&self) -> String {
        format!("A probe of Play by Commit is running ({})", self.suffix)
    }

    /// Returns the title of the temporary issue after the probe.
    pub(super) fn ended_title(&self) -> String {
        format!("A probe of Play by Commit has ended ({})", self.suffix)
    }

    /// Returns the name of a branch that doesn't exist.
    pub(super) fn missing_branch(&self) -> String {
        format!("{}-missing", self.name)
    }

    /// Returns the path of a file in the state directory.
    pub(super) fn state_path(&self, name: &str) -> String {
        format!("{}/{name}", self.state_dir)
    }
}

/// Calls `read` until it returns a value.
///
/// Returns the value with the milliseconds from this call to the start of the last read; `None` if the time is over.
pub(super) async fn poll_until<T>(
    mut read: impl AsyncFnMut() -> Result<Option<T>, Fault>,
) -> Result<Option<(T, u64)>, Fault> {
    let since = Instant::now();
    loop {
        let elapsed = elapsed_millis(since);
        if let Some(value) = read().await? {
            return Ok(Some((value, elapsed)));
        }
        if since.elapsed() > LAG_TIMEOUT {
            return Ok(None);
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

/// Returns the milliseconds since a time.
pub(super) fn elapsed_millis(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}
