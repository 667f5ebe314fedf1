//! The ledger of a run: what it did at each table, and its notes for the host. It stays valid if the run fails midway.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use answers::GameEnd;
use answers::commit_message::players;
use games::GameVariant;
use table::{CommentId, CommentRef, IssueNumber, Oid, Table, TableStatus, Timestamp};

use crate::memory::PeopleMemory;
use crate::recent_issues::RecentIssues;
use crate::{FirstRead, HostError, Reaction, RequestError, SettingsSource};

/// The work of a run, table by table.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// The work by issue number: every table that the run read, and every other issue where it settled a command.
    pub tables: BTreeMap<IssueNumber, TableWork>,
    /// The last commit that the run made.
    pub commit: Option<Oid>,
    /// Notes for the host.
    pub notes: Vec<HostNote>,
    /// What the run remembers of people from one thread to the next.
    pub people: PeopleMemory,
    /// The last list of recent issues that the run has read.
    pub recent: Option<Rc<RecentIssues>>,
    /// The first read of an attempt with other settings, for the next attempt.
    pub first_read: Option<FirstRead>,
}

/// The work at one table, or in one issue without a table.
#[derive(Clone, Debug, Default)]
pub struct TableWork {
    /// The game and its status, as the record spells it; `None` without a table.
    pub game: Option<(GameVariant, &'static str)>,
    /// The number of commands that changed the table.
    pub applied: u32,
    /// The number of commands that the bot refused.
    pub refused: u32,
    /// The number of commands that the bot answered by showing something, such as the board.
    pub shown: u32,
    /// The number of missing answers that the run posted.
    pub repaired: u32,
    /// The last commit that the run made for this table.
    pub commit: Option<Oid>,
    /// The players, in the order of the seats: usernames, or `computer`. Empty at an open table.
    pub players: Vec<String>,
    /// The last game that a command of this run ended with a win or a draw.
    pub ended: Option<GameEnd>,
    /// When the votes of a crowd are counted; `None` if it isn't a crowd's turn.
    pub votes_end: Option<Timestamp>,
}

/// The totals of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The number of commands that changed a table.
    pub applied: u32,
    /// The number of commands that the bot refused.
    pub refused: u32,
    /// The number of commands that the bot answered by showing something, such as the board.
    pub shown: u32,
    /// The number of missing answers that the run posted.
    pub repaired: u32,
    /// Notes for the host.
    pub notes: Vec<HostNote>,
    /// Notes about problems that the host has to fix, though every command has its answer.
    pub failures: Vec<HostNote>,
}

/// The limit on the commands that one run settles. At about three requests each, it stays within GitHub's rate limit for a
/// workflow.
pub const MAX_COMMANDS: u32 = 100;

impl Ledger {
    /// Returns the totals over all tables.
    pub fn report(&self) -> Report {
        let (failures, notes) = self.notes.iter().cloned().partition(HostNote::is_failure);
        let mut report = Report { notes, failures, ..Report::default() };
        for entry in self.tables.values() {
            report.applied += entry.applied;
            report.refused += entry.refused;
            report.shown += entry.shown;
            report.repaired += entry.repaired;
        }
        report
    }

    /// Returns the number of commands settled in all threads.
    pub(super) fn settled_commands(&self) -> u32 {
        self.tables.values().map(|entry| entry.applied + entry.refused + entry.shown + entry.repaired).sum()
    }

    /// Whether the run changed a table.
    pub(super) fn has_applied(&self, table: IssueNumber) -> bool {
        self.tables.get(&table).is_some_and(|work| work.applied > 0)
    }

    /// Adds a note for the host, once.
    pub(super) fn note(&mut self, note: HostNote) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Whether the run reached its limit. If so, adds a note for the host.
    pub(super) fn is_limit_reached(&mut self) -> bool {
        let is_reached = self.settled_commands() >= MAX_COMMANDS;
        if is_reached {
            self.note(HostNote::CommandLimit);
        }
        is_reached
    }

    /// Records a table's game, players and current status.
    pub(super) fn record_table(&mut self, table: &Table) {
        let status = table.status();
        let entry = self.entry(table.issue());
        entry.game = Some((table.variant(), status_word(status)));
        entry.players = players(table);
        entry.votes_end = table.votes_end();
    }

    /// Records that the votes at a table have no end for now, because its issue is locked. They get their full time again when
    /// somebody unlocks it.
    pub(super) fn suspend_votes(&mut self, issue: IssueNumber) {
        self.entry(issue).votes_end = None;
    }

    /// Records a command that was applied: the table after it, and its commit.
    pub(super) fn record_applied(&mut self, table: &Table, commit: &Oid) {
        self.record_end(table);
        let entry = self.entry(table.issue());
        entry.applied += 1;
        entry.commit = Some(commit.clone());
        self.commit = Some(commit.clone());
    }

    /// Records the end of a game, if the last event of its table ended it.
    fn record_end(&mut self, table: &Table) {
        if let Some(end) = GameEnd::from_table(table) {
            self.entry(table.issue()).ended = Some(end);
        }
    }

    /// Records a command that changed nothing. Its reaction says whether the bot refused it or showed something.
    pub(super) fn record_unchanged(&mut self, table: IssueNumber, reaction: Reaction) {
        let entry = self.entry(table);
        match reaction {
            Reaction::Confused => entry.refused += 1,
            Reaction::Eyes => entry.shown += 1,
        }
    }

    /// Records a missing answer that the run posts: the answer to the last event of this table. The run that made the
    /// event failed, so it may not have reported the end of the game.
    pub(super) fn record_repaired(&mut self, table: &Table) {
        self.record_end(table);
        self.entry(table.issue()).repaired += 1;
    }

    /// Records the problems of a page in place of earlier ones.
    pub(super) fn record_page(&mut self, path: &str, problems: impl IntoIterator<Item = PageProblem>) {
        self.notes.retain(|note| !matches!(note, HostNote::Page { path: noted, .. } if noted == path));
        let problems = problems.into_iter();
        self.notes.extend(problems.map(|problem| HostNote::Page { path: path.to_owned(), problem }));
    }

    fn entry(&mut self, table: IssueNumber) -> &mut TableWork {
        self.tables.entry(table).or_default()
    }
}

/// Returns the status of a table as the record spells it.
fn status_word(status: TableStatus) -> &'static str {
    match status {
        TableStatus::Playing => "playing",
        TableStatus::Won(_) => "won",
        TableStatus::Draw => "draw",
        TableStatus::Aborted => "aborted",
        TableStatus::Moved(_) => "moved",
    }
}

// [`HostNote`], something that a run tells the host, although it continues.

/// A note for the host. The program puts it into words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostNote {
    /// An issue used up its share of a sweep, and more commands may be waiting.
    ShareUsed(IssueNumber),
    /// The sweep ended early at the forge's rate limit, for this reason, without a period.
    RateLimited(String),
    /// The run reached its limit of commands, and more may be waiting.
    CommandLimit,
    /// The run reached its limit of one person's commands that change nothing, and more may be waiting.
    PersonLimit,
    /// The list of changed issues was too long for one sweep.
    TooManyIssues,
    /// This many issues without a table need an answer, and the sweep made too many requests for them already.
    IssuesWait(usize),
    /// The runner's clock is wrong by this much, so the run used GitHub's.
    WrongClock {
        /// The difference from GitHub's clock.
        by: Duration,
        /// Whether the runner's clock is ahead.
        is_ahead: bool,
    },
    /// An issue takes no answers, for this reason: it is locked or full.
    Unanswerable(IssueNumber, String),
    /// GitHub didn't assign this issue to this person.
    NotAssigned(IssueNumber, String),
    /// A page can't be filled, or not all of it.
    Page {
        /// The path of the page.
        path: String,
        /// What is wrong with it.
        problem: PageProblem,
    },
    /// The record's `through` is above every comment of its thread, so the bot ignores this comment and all others up to
    /// it.
    ThroughIsTooHigh {
        /// The path of the record.
        path: String,
        /// The comment up to which the record counts the thread as settled.
        settled_through: CommentId,
        /// The ignored comment.
        source: CommentRef,
    },
    /// A command in this issue was refused because of a record.
    RefusedForRecord(IssueNumber, HostError),
    /// A person's file about their time away is damaged.
    DamagedAway {
        /// The path of the file.
        path: String,
        /// What is wrong with it, without a period.
        why: String,
    },
    /// The dice secret changed, so this table can't roll its dice.
    LostSecret(IssueNumber),
    /// Some records don't belong to this repository.
    ForeignRecords,
    /// The settings file has mistakes.
    Settings(SettingsSource),
    /// The result of this table isn't in the standings, for this reason, without a period.
    NotCounted(IssueNumber, String),
}

/// What is wrong with a page.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PageProblem {
    /// The games' branch doesn't have it.
    Missing,
    /// It has no readable text, for this reason, without a period.
    Unreadable(String),
    /// A marker can't be used. It is a sentence that names its line.
    Marker(String),
}

impl HostNote {
    /// Whether the host has to fix it. Every command still has its answer.
    pub fn is_failure(&self) -> bool {
        match self {
            HostNote::ShareUsed(_)
            | HostNote::RateLimited(_)
            | HostNote::CommandLimit
            | HostNote::PersonLimit
            | HostNote::TooManyIssues
            | HostNote::IssuesWait(_)
            | HostNote::WrongClock { .. }
            | HostNote::Unanswerable(..)
            | HostNote::NotAssigned(..)
            | HostNote::ForeignRecords
            | HostNote::Settings(_)
            | HostNote::Page { .. } => false,
            HostNote::ThroughIsTooHigh { .. }
            | HostNote::DamagedAway { .. }
            | HostNote::RefusedForRecord(..)
            | HostNote::LostSecret(_)
            | HostNote::NotCounted(..) => true,
        }
    }
}

// [`SettleError`], the reason why a run ended before everything was settled.

/// An error that ends a run. Everything that it committed and answered before stays.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettleError {
    /// The host has to change something first.
    #[error(transparent)]
    HostMustAct(HostError),
    /// The forge asks the run to wait longer than it may. Every other request would have to wait, too.
    #[error("{why}")]
    RetryAfter {
        /// The time at which to try again.
        at: Timestamp,
        /// The forge's reason, without a period.
        why: String,
    },
    /// The run gave up. A later run can continue.
    #[error(transparent)]
    GaveUp(GiveUpReason),
    /// The first read shows a settings file that differs from the one that the run uses.
    #[error("the settings file changed")]
    SettingsChanged(Box<FirstRead>),
    /// Some parts of a sweep failed, and the others are done.
    #[error("{}", list_failures(.0))]
    Sweep(Vec<SweepFailure>),
}

/// The reason why a run gave up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GiveUpReason {
    /// Requests kept failing, the last one for this reason, without a period.
    #[error("{0}")]
    Unreachable(String),
    /// The run made no progress for three minutes.
    #[error("the bot made no progress for three minutes")]
    NoProgress,
    /// Each read took longer than five seconds, too long to answer from.
    #[error("reading the thread took longer than five seconds each time")]
    SlowReads,
}

/// A part of a sweep that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepFailure {
    /// The issue; `None` for the pages.
    pub issue: Option<IssueNumber>,
    /// The error.
    pub error: SettleError,
}

fn list_failures(failures: &[SweepFailure]) -> String {
    let failure = |SweepFailure { issue, error }: &SweepFailure| match issue {
        Some(issue) => format!("issue {issue}: {error}"),
        None => error.to_string(),
    };
    failures.iter().map(failure).collect::<Vec<_>>().join("; ")
}

/// An error within a pass of a run.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub(super) enum PassError {
    /// A request failed, and the run may try again.
    RequestError(#[from] RequestError),
    /// The run ends.
    End(#[from] SettleError),
}

impl From<HostError> for PassError {
    fn from(problem: HostError) -> PassError {
        PassError::End(SettleError::HostMustAct(problem))
    }
}
