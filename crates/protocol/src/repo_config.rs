//! The settings of a repository, and the trigger of a run.

use std::time::Duration;

use crate::reader::RecordFault;
use crate::{Comment, HostError, SettingsSource};
use answers::{Links, OutputFormat, TerminalOptions};
use table::{Author, CommentRef, HostPolicy, IssueNumber, Oid, StatePath, Timestamp};

/// The account of GitHub's own workflow tokens.
pub const ACTIONS_BOT: &str = "github-actions[bot]";

/// The settings of a repository.
#[derive(Clone, Debug)]
pub struct RepoConfig {
    /// What the host allows: games, who opens tables, dice, closing.
    pub policy: HostPolicy,
    /// The directory of the records, from the root of the repository, without a slash at the end.
    pub state_dir: String,
    /// The domain of the server's no-reply email addresses, such as `users.noreply.github.com`.
    pub noreply_domain: String,
    /// Whether commit messages ask CI services to skip the commit.
    pub skip_ci: bool,
    /// The repository on the web, which serves the pictures; `None` in a terminal.
    pub web: Option<WebRepo>,
    /// The URL of the website of all games with a slash at the end; `None` if the host named none.
    pub site_url: Option<String>,
    /// How a terminal shows answers.
    pub terminal: TerminalOptions,
    /// The files that the bot fills between their markers, as paths from the root of the repository.
    pub pages: Vec<String>,
    /// Accounts of the bot besides the token's own, such as one that it had before. The name of an app ends in `[bot]`.
    pub bots: Vec<String>,
    /// The number of days that a sweep looks back. Older comments in an issue without a table are ignored.
    pub sweep_days: u64,
    /// The settings file that these settings come from; `None` if there is none.
    pub settings: Option<SettingsSource>,
    /// The age from which on a sweep looks at comments. Younger ones are left to a server, whose account is among `bots`.
    pub min_comment_age: Duration,
    /// Whether a notice in a thread tells its readers about mistakes in the settings file.
    pub notices_for_settings: bool,
}

impl RepoConfig {
    /// Marks the comments by all accounts of the bot. The forge knows only the token's own.
    pub(super) fn mark_own(&self, comments: &mut [Comment]) {
        for comment in comments {
            comment.by_us |= comment.author.as_ref().is_some_and(|author| self.is_own_account(author));
        }
    }

    /// Whether an account is one of the bot's: the account of GitHub's own workflow tokens, or one that the host named.
    pub(super) fn is_own_account(&self, author: &Author) -> bool {
        let name = author.login.trim_end_matches("[bot]");
        let is_named = |bot: &str| match bot.strip_suffix("[bot]") {
            Some(app) => author.is_bot && app.eq_ignore_ascii_case(name),
            None => !author.is_bot && bot.eq_ignore_ascii_case(name),
        };
        is_named(ACTIONS_BOT) || self.bots.iter().any(|bot| is_named(bot))
    }

    /// Returns the earliest time that a sweep looks at.
    ///
    /// In an issue without a table, the bot ignores older comments.
    pub fn cutoff(&self, now: Timestamp) -> Timestamp {
        const DAY: u64 = 24 * 60 * 60;
        now - Duration::from_secs(self.sweep_days.saturating_mul(DAY))
    }

    /// Whether a forge for these settings also fits `other`.
    pub(super) fn reads_like(&self, other: &RepoConfig) -> bool {
        let parts = |config: &RepoConfig| {
            let branch = config.web.as_ref().and_then(|web| web.branch.clone());
            (branch, config.state_dir.clone(), config.policy.assign_turns)
        };
        parts(self) == parts(other)
    }

    /// Returns the path of a table's record.
    pub(super) fn record_path(&self, issue: IssueNumber) -> String {
        StatePath::Record(issue).below(&self.state_dir)
    }

    /// Returns the paths of a table's record, and of the summary of its game.
    pub(super) fn table_paths(&self, issue: IssueNumber) -> [String; 2] {
        [StatePath::Record(issue), StatePath::Running(issue)].map(|path| path.below(&self.state_dir))
    }

    /// Returns the paths of the pages and of the list of tables.
    pub(super) fn page_paths(&self) -> Vec<String> {
        let list = (!self.pages.is_empty()).then(|| self.list_path());
        self.pages.iter().cloned().chain(list).collect()
    }

    /// Returns the path of the list of tables.
    pub(super) fn list_path(&self) -> String {
        StatePath::TableList.below(&self.state_dir)
    }

    /// Returns the problem of a table's record that can't be used.
    pub(super) fn record_problem(&self, issue: IssueNumber, fault: RecordFault) -> HostError {
        let path = self.record_path(issue);
        match fault {
            RecordFault::Damaged(why) => HostError::DamagedRecord { path, why },
            RecordFault::Missing(commit) => HostError::MissingRecord { path, issue, commit },
        }
    }

    /// Returns the links for pages; `None` in a terminal.
    pub fn links(&self) -> Option<Links<'_>> {
        let WebRepo { server, repository, branch } = self.web.as_ref()?;
        // `HEAD` is the default branch under any name.
        let branch = branch.as_deref().unwrap_or("HEAD");
        let use_form = !self.policy.only_labels.is_empty();
        Some(Links { server, repository, branch, state_dir: &self.state_dir, use_form })
    }

    /// Renders an answer. Its boards are pictures at `commit`, or text without a commit or in a terminal.
    pub(super) fn render_answer(
        &self,
        commit: Option<&Oid>,
        render: impl FnOnce(OutputFormat<'_>) -> String,
    ) -> String {
        match (&self.web, commit) {
            (Some(web), Some(commit)) => {
                render(OutputFormat::MarkdownPicture { base_url: &web.pictures_url(commit, &self.state_dir) })
            }
            (Some(_), None) => render(OutputFormat::MarkdownText),
            (None, _) => render(OutputFormat::Terminal(self.terminal)),
        }
    }
}

/// A repository on the web.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebRepo {
    /// The URL of the server without a slash at the end, such as `https://github.com`.
    pub server: String,
    /// The repository: `owner/name`.
    pub repository: String,
    /// The state branch; `None` for the default branch.
    pub branch: Option<String>,
}

impl WebRepo {
    /// Returns the URL of the state directory at a commit, where answers find their pictures.
    pub fn pictures_url(&self, commit: &Oid, state_dir: &str) -> String {
        format!("{}/{}/blob/{commit}/{state_dir}", self.server, self.repository)
    }
}

/// Returns the host name in a server's URL: `github.com` for `https://github.com/`.
pub fn server_name(server: &str) -> &str {
    let host = server.split_once("://").map_or(server, |(_, rest)| rest);
    host.split(['/', ':']).next().unwrap_or_default()
}

/// Whether a host name belongs to a GitHub Enterprise Server, which GitHub doesn't run itself.
pub fn is_enterprise_server(name: &str) -> bool {
    name != "github.com" && !name.ends_with(".ghe.com")
}

/// The event that started a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// A comment, or the body of a new issue.
    Comment {
        /// The comment.
        source: CommentRef,
        /// The other table that the comment names, so that the first read can include it.
        table: Option<IssueNumber>,
    },
    /// A thread to settle without a new comment: a game in a terminal, or a dry run.
    Issue(IssueNumber),
    /// A thread where the time for a crowd's votes may be up.
    Votes(IssueNumber),
    /// The issues that were updated since a time, because an event about one of them may be lost.
    Recent(Timestamp),
    /// The daily schedule, or a run started by hand: settle all recently updated issues.
    Sweep,
}
