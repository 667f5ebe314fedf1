//! The place where a run works, and the event that woke it.

use answers::output_format::OutputFormat;
use answers::pages::links::Links;
use table::decisions::host_policy::HostPolicy;
use table::talk::comment::{Millis, Source};
use table::talk::thread::Oid;

/// The settings of a host.
#[derive(Clone, Debug)]
pub struct RepoConfig {
    /// The rules of the house.
    pub policy: HostPolicy,
    /// The directory of the records, from the root of the repository, without a slash at the end.
    pub state_dir: String,
    /// The mail domain that the host keeps for its users: `users.noreply.github.com`.
    pub noreply_domain: String,
    /// Whether commit messages tell CI services to skip the commit.
    pub skip_ci: bool,
    /// The repository on the web, from which pictures are shown; `None` for a terminal.
    pub web: Option<WebRepo>,
    /// Whether boards that are shown as text have the colours of a terminal.
    pub colored: bool,
    /// Whether such boards are turned to the side on turn; else they keep the side of whoever began.
    pub auto_flip: bool,
    /// The files, from the root of the repository, whose marked parts are kept current.
    pub pages: Vec<String>,
    /// The number of days back that the sweep looks, and that a command in an issue without a table counts.
    pub sweep_days: u64,
}

impl RepoConfig {
    /// Returns the time from which on issues are swept, and commands count in an issue without a table.
    pub fn cutoff(&self, now: Millis) -> Millis {
        const DAY: Millis = 24 * 60 * 60 * 1000;
        now.saturating_sub(self.sweep_days.saturating_mul(DAY))
    }

    /// Returns the path of the record of a table.
    pub(super) fn record_path(&self, issue: u64) -> String {
        format!("{}/{issue}.json", self.state_dir)
    }

    /// Returns the sentence for the host about a record that cannot be read.
    pub(super) fn damaged_record_message(&self, issue: u64, why: &str) -> String {
        let path = self.record_path(issue);
        format!("{path} is damaged, so nothing was written: {why}. Restore it from an earlier commit")
    }

    /// Returns the sentence for the host about a record that is gone, and has to be restored from a commit.
    pub(super) fn missing_record_message(&self, issue: u64, commit: &Oid) -> String {
        let path = self.record_path(issue);
        format!(
            "{path} is missing, but the bot answered issue {issue} from commit {commit}: someone deleted or rewrote the \
             games' branch, or changed the input `branch` or `state-dir`. Restore the file from that commit, or delete \
             the bot's answers in the issue to start over"
        )
    }

    /// Returns the links for pages; `None` where there is no web.
    pub(super) fn links(&self) -> Option<Links<'_>> {
        let WebRepo { server, repository, branch } = self.web.as_ref()?;
        // `HEAD` is the default branch under any name.
        let branch = branch.as_deref().unwrap_or("HEAD");
        Some(Links { server, repository, branch, state_dir: &self.state_dir })
    }

    /// Makes an answer that shows boards as they are at a commit.
    pub(super) fn render_answer(&self, at: Option<&Oid>, answer: impl FnOnce(OutputFormat<'_>) -> String) -> String {
        match (&self.web, at) {
            (Some(web), Some(at)) => {
                answer(OutputFormat::MarkdownPicture { base_url: &web.pictures_url(at, &self.state_dir) })
            }
            (Some(_), None) => answer(OutputFormat::MarkdownText),
            (None, _) => answer(OutputFormat::Terminal { colored: self.colored, auto_flip: self.auto_flip }),
        }
    }
}

/// A repository on the web.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebRepo {
    /// The server, without a slash at the end: `https://github.com`.
    pub server: String,
    /// The repository: `owner/name`.
    pub repository: String,
    /// The state branch; `None` for the default branch.
    pub branch: Option<String>,
}

impl WebRepo {
    /// Returns the address of the folder of the pictures as it is at a commit, which answers show them from.
    pub fn pictures_url(&self, at: &Oid, state_dir: &str) -> String {
        format!("{}/{}/blob/{at}/{state_dir}", self.server, self.repository)
    }
}

/// Returns the name of a server: `github.com` of `https://github.com/`.
pub fn server_name(server: &str) -> &str {
    let host = server.split_once("://").map_or(server, |(_, rest)| rest);
    host.split(['/', ':']).next().unwrap_or_default()
}

/// Tests if a server of this name is a GitHub Enterprise Server, or anything else that is not run by GitHub itself.
pub fn is_enterprise_server(name: &str) -> bool {
    name != "github.com" && !name.ends_with(".ghe.com")
}

/// The reason why the bot looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// A comment, or the body of a new issue.
    Comment {
        /// The comment.
        source: Source,
        /// The other table that its text names, as a hint for the first read.
        table: Option<u64>,
    },
    /// A line typed into a terminal: the one issue that there is.
    Issue(u64),
    /// The time of day: settle everything that was touched lately.
    Sweep,
}
