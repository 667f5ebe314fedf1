//! What a probe works with: the way to GitHub, names of its own, and a list of what it has made.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use github::{GitHub, Settings};
use protocol::forge::{Fault, random_bytes};
use protocol::repo_config::{RepoConfig, WebRepo, is_enterprise_server, server_name};

/// The time limit of one request while things are tried.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// The longest wait for a read to show what was written, and the pause between two reads.
const LAG_TIMEOUT: Duration = Duration::from_secs(8);
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// The lag of a read that play bears without harm.
pub(super) const MAX_LAG_MILLIS: u64 = 5_000;

/// The repository that is probed.
#[derive(Clone, Debug)]
pub struct ProbeTarget {
    /// The way to GitHub; the branch of the games plays no part.
    pub settings: Settings,
    /// The repository on the web.
    pub web: WebRepo,
    /// Whether the host is not run by GitHub itself.
    pub enterprise: bool,
}

impl ProbeTarget {
    /// Prepares a probe of the repository in these settings.
    pub fn new(settings: Settings, place: RepoConfig) -> ProbeTarget {
        let named = format!("{}/{}", settings.owner, settings.name);
        let usual = WebRepo { server: "https://github.com".to_owned(), repository: named, branch: None };
        let web = place.web.unwrap_or(usual);
        let enterprise = is_enterprise_server(server_name(&web.server));
        ProbeTarget { settings, web, enterprise }
    }
}

/// The bounds of a probe in time.
#[derive(Clone, Copy, Debug)]
pub struct TimeLimits {
    /// The time for trying everything.
    pub tests: Duration,
    /// The time for one try of one step of taking away what was made.
    pub cleanup_step: Duration,
}

/// A minute and a half for everything at the very worst.
impl Default for TimeLimits {
    fn default() -> TimeLimits {
        TimeLimits { tests: Duration::from_secs(50), cleanup_step: Duration::from_secs(5) }
    }
}

/// The scratch issue, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum TestIssue {
    /// It was not asked for, or was refused.
    #[default]
    None,
    /// It was asked for, and no reply has come.
    Unknown,
    /// It has this number.
    Opened(u64),
}

impl TestIssue {
    /// Returns its number, if it is known.
    pub(super) fn number(self) -> Option<u64> {
        match self {
            TestIssue::Opened(number) => Some(number),
            TestIssue::None | TestIssue::Unknown => None,
        }
    }
}

/// A thing besides the issue that a probe makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Resource {
    Lock,
    Branch,
    /// A branch that a commit may have made which should have been refused.
    MissingBranch,
    Label,
}

/// What has been asked for, and so may be there: noted before each request, whatever comes of it.
#[derive(Debug, Default)]
pub(super) struct CreatedResources {
    issue: TestIssue,
    resources: BTreeSet<Resource>,
}

impl CreatedResources {
    pub(super) fn issue(&self) -> TestIssue {
        self.issue
    }

    pub(super) fn set_issue(&mut self, issue: TestIssue) {
        self.issue = issue;
    }

    pub(super) fn contains(&self, thing: Resource) -> bool {
        self.resources.contains(&thing)
    }

    pub(super) fn insert(&mut self, thing: Resource) {
        self.resources.insert(thing);
    }

    pub(super) fn remove(&mut self, thing: Resource) {
        self.resources.remove(&thing);
    }
}

/// The way to GitHub, and names that nothing else has.
pub(super) struct Probe {
    /// GitHub with the scratch branch as the branch of the games.
    pub(super) github: GitHub,
    pub(super) web: WebRepo,
    pub(super) state_dir: String,
    /// The name of the scratch branch and of the label.
    pub(super) name: String,
    /// The title of the issue while it is in use.
    pub(super) title: String,
}

impl Probe {
    /// Prepares a probe under a name that nothing else has.
    ///
    /// # Errors
    /// The settings cannot be used.
    pub(super) fn new(place: ProbeTarget) -> Result<Probe, Fault> {
        let ProbeTarget { settings, web, .. } = place;
        let mark: String = random_bytes()?.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
        let name = format!("play-by-commit-probe-{mark}");
        let state_dir = settings.state_dir.clone();
        let settings = Settings { branch: Some(name.clone()), timeout: REQUEST_TIMEOUT, ..settings };
        Ok(Probe {
            github: GitHub::new(settings)?,
            web,
            state_dir,
            title: format!("A probe of Play by Commit is running ({mark})"),
            name,
        })
    }

    /// Returns the name of a branch that is not there.
    pub(super) fn missing_branch(&self) -> String {
        format!("{}-missing", self.name)
    }
}

/// Looks until something shows; returns it with the milliseconds from the call to the beginning of the look that showed it.
/// `None`: it did not show in time.
///
/// # Errors
/// A look failed.
pub(super) async fn poll_until<T>(
    mut look: impl AsyncFnMut() -> Result<Option<T>, Fault>,
) -> Result<Option<(T, u64)>, Fault> {
    let since = Instant::now();
    loop {
        let begun = elapsed_millis(since);
        if let Some(shown) = look().await? {
            return Ok(Some((shown, begun)));
        }
        if since.elapsed() > LAG_TIMEOUT {
            return Ok(None);
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

/// Returns the milliseconds that have passed.
pub(super) fn elapsed_millis(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}
