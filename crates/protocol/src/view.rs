//! The result of one read: the branch, the threads and their tables.

use std::collections::{BTreeMap, BTreeSet};

use table::any_table::AnyTable;
use table::comments::comment::CommentRef;
use table::comments::context::Entropy;
use table::comments::parser::parse_issue_body;
use table::ids::{CommentId, IssueNumber, RepositoryId};
use table::oid::Oid;
use table::running_game::RunningGame;
use table::timestamp::Timestamp;

use crate::forge::{Comment, FileContent, Head, Thread};
use crate::thread_answers::ThreadAnswers;

/// Everything that a run knows when it plans its next step.
pub struct View {
    /// The repository; `None` in a terminal.
    pub repository: Option<RepositoryId>,
    /// The head of the state branch.
    pub head: Head,
    /// The threads, by issue number.
    pub threads: BTreeMap<IssueNumber, ThreadView>,
    /// The pages at the head, by path.
    pub pages: BTreeMap<String, FileContent>,
    /// The short files of the tables' games, by issue number.
    pub running_files: BTreeMap<IssueNumber, FileContent>,
    /// The file of the list of tables.
    pub list_file: FileContent,
    /// The bot's answers among the first comments of the newest issues, by issue number.
    pub(super) newest_answers: BTreeMap<IssueNumber, ThreadAnswers>,
    /// Issues that don't exist or were deleted.
    pub missing_issues: BTreeSet<IssueNumber>,
    /// The time before which comments in a thread without a table are ignored.
    pub cutoff: Timestamp,
    /// The comment that started the run, which is never ignored for its age: the runner's clock may be wrong.
    pub trigger: Option<CommentRef>,
    /// The randomness for dice rolls that no committed key determines.
    pub entropy: Entropy,
    /// When the newest page of the thread was read.
    pub read_at: Timestamp,
    /// Whether the read is stale: it lacks an issue or comment that exists.
    pub is_stale: bool,
}

/// A thread and its table.
pub struct ThreadView {
    /// The thread, with all comments above the floor.
    pub thread: Thread,
    /// The bot's answers in it.
    pub(super) answers: ThreadAnswers,
    /// The table, loaded from the record.
    pub table: Option<AnyTable>,
    /// The game of a record that doesn't belong to this repository. Commands are refused because of it.
    pub foreign: Option<AnyTable>,
    /// Why the record can't be used. Only for a table other than the run's own, whose damage is an error.
    pub damage: Option<String>,
}

/// The reason that a record can't be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordFault {
    /// The record can't be read, for this reason.
    Damaged(String),
    /// The record is gone, but an answer names this commit, which has it.
    Missing(Oid),
}

/// An uncertainty that another run or a later read may still resolve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Uncertainty {
    /// Another run has claimed this command and not answered it yet.
    Claimed(CommentRef),
    /// The record of this table is older than its answers, or than this run's own commit.
    StaleRecord(IssueNumber),
    /// Another run let the flag of this table fall and hasn't announced it yet.
    Unannounced(IssueNumber),
    /// This table has no record, but an answer says that it had one.
    MissingRecord(IssueNumber),
}

/// Whether a record that is bound to `bound` belongs to another repository than `here`. A record that isn't bound, or a
/// terminal, rules nothing out.
pub(super) fn is_other_repository(bound: Option<RepositoryId>, here: Option<RepositoryId>) -> bool {
    bound.zip(here).is_some_and(|(bound, here)| bound != here)
}

impl ThreadView {
    /// Returns the view of a thread in a list, without a table.
    pub(super) fn of_listed(issue: IssueNumber, thread: Thread) -> ThreadView {
        let answers = ThreadAnswers::from_comments(issue, &thread.comments);
        ThreadView { thread, answers, table: None, foreign: None, damage: None }
    }
}

impl View {
    /// Returns the view of a single thread in a list, without any records.
    pub(super) fn of_listed(issue: IssueNumber, thread: Thread, cutoff: Timestamp, read_at: Timestamp) -> View {
        View {
            repository: None,
            head: Head::Missing { create_from: None },
            threads: BTreeMap::from([(issue, ThreadView::of_listed(issue, thread))]),
            pages: BTreeMap::new(),
            running_files: BTreeMap::new(),
            list_file: FileContent::Missing,
            newest_answers: BTreeMap::new(),
            missing_issues: BTreeSet::new(),
            cutoff,
            trigger: None,
            entropy: [0; 32],
            read_at,
            is_stale: false,
        }
    }

    /// Returns the table of a thread.
    pub(super) fn table(&self, issue: IssueNumber) -> Option<&AnyTable> {
        self.threads.get(&issue)?.table.as_ref()
    }

    /// Returns the short file of a table's game, if it's readable.
    pub(super) fn running_game(&self, issue: IssueNumber) -> Option<RunningGame> {
        RunningGame::parse(self.running_files.get(&issue)?.text()?, issue).ok()
    }

    /// Whether a comment is the source of an event at any table in the view.
    pub(super) fn has_event_from(&self, source: CommentRef) -> bool {
        self.threads.values().any(|seen| seen.table.as_ref().is_some_and(|table| table.has_event_from(source)))
    }

    /// Returns when a command was answered; `None` if the view shows no answer.
    fn answer_time(&self, command: CommentRef) -> Option<Timestamp> {
        let threads = self.threads.values().map(|seen| &seen.answers).chain(self.newest_answers.values());
        threads.filter_map(|answers| answers.answer_time(command)).max()
    }

    /// Returns when the clock of the player to move began to run; `None` if it did with the turn, or if the record says more.
    ///
    /// A turn begins for a player when the bot tells them, and again when their issue is unlocked.
    fn clock_start(&self, seen: &ThreadView) -> Option<Timestamp> {
        let table = seen.table.as_ref().filter(|table| table.is_playing())?;
        if seen.thread.is_locked {
            return Some(self.read_at);
        }
        let told_at = || table.turn_source().and_then(|source| self.answer_time(source));
        // The answer may be in a thread that this run doesn't read.
        let filed = || self.running_game(table.issue()).filter(|game| game.is_of_turn(table)).map(|game| game.since);
        let told_at = if table.has_clock_start() { None } else { told_at().or_else(filed) };
        told_at.max(seen.thread.last_unlock)
    }

    /// Starts the clock of each table when its player learned of the turn.
    pub(super) fn start_clocks(&mut self) {
        let starts = self.threads.iter().filter_map(|(issue, seen)| Some((*issue, self.clock_start(seen)?)));
        for (issue, start) in starts.collect::<Vec<_>>() {
            self.set_clock_start(issue, start);
        }
    }

    /// Starts the clock of a turn that the last event began: the bot has just told its player.
    pub(super) fn start_new_turn(&mut self, issue: IssueNumber, now: Timestamp) {
        if self.table(issue).is_some_and(AnyTable::has_new_turn) {
            self.set_clock_start(issue, now);
        }
    }

    fn set_clock_start(&mut self, issue: IssueNumber, start: Timestamp) {
        if let Some(seen) = self.threads.get_mut(&issue) {
            seen.table = seen.table.take().map(|table| table.with_clock_start(start));
        }
    }

    /// Returns the commit at the head of the state branch; `None` if there is no branch.
    pub(super) fn head_commit(&self) -> Option<&Oid> {
        if let Head::Commit(oid) = &self.head { Some(oid) } else { None }
    }

    /// Whether the host moved a record here by hand: no event came from its own issue, and its last command isn't in the thread
    /// that the record names.
    pub(super) fn is_moved_by_hand(&self, issue: IssueNumber, source: CommentRef) -> bool {
        let (Some(table), Some(seen)) = (self.table(issue), self.threads.get(&source.issue)) else {
            return false;
        };
        let is_command = |comment: &Comment| {
            let is_by_actor = comment.author.as_ref().is_none_or(|author| Some(author.id) == table.last_actor());
            // Every issue has a body, so this one also has to name the table.
            comment.id == source.comment
                && is_by_actor
                && (comment.id != CommentId::BODY || parse_issue_body(&comment.text).table_number() == Some(issue))
        };
        !table.has_event_from_issue(issue) && !seen.thread.all_comments().any(is_command)
    }

    /// Returns a table after a command at it, bound to this repository if it wasn't bound and the command shows that it belongs
    /// here: it opened the table, or it's in the table's own thread, which has the bot's answers.
    pub(super) fn bind(&self, table: AnyTable, command: CommentRef) -> AnyTable {
        let issue = table.issue();
        let seen = self.threads.get(&issue).filter(|_| command.issue == issue && table.repository().is_none());
        let is_here = seen.is_some_and(|seen| seen.table.is_none() || seen.answers.last_commit().is_some());
        if is_here { table.with_repository(self.repository) } else { table }
    }

    /// Adds the threads of another read. Returns false if the branch moved in between.
    ///
    /// A decision needs all records from the head that it commits on, so the run then has to read again.
    #[must_use]
    pub(super) fn merge(&mut self, read: View) -> bool {
        self.threads.extend(read.threads);
        self.running_files.extend(read.running_files);
        self.missing_issues = read.missing_issues;
        read.head == self.head
    }

    /// Updates the head and tables after this run's own commit.
    pub(super) fn apply_commit(&mut self, commit: Oid, tables: impl IntoIterator<Item = AnyTable>) {
        self.head = Head::Commit(commit);
        for table in tables {
            let running_game = RunningGame::from_table(&table);
            let running_file = running_game.map_or(FileContent::Missing, |game| FileContent::Text(game.to_json()));
            self.running_files.insert(table.issue(), running_file);
            if let Some(seen) = self.threads.get_mut(&table.issue()) {
                seen.table = Some(table);
            }
        }
    }
}
