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

    /// Returns when a command was answered; `None` if there's no answer. If the answer may be above the comments in
    /// view, returns the time of the first comment in view, which is later than the answer.
    pub(super) fn answer_time(&self, command: CommentRef) -> Option<Timestamp> {
        let threads = self.threads.values().map(|seen| &seen.answers).chain(self.newest_answers.values());
        let first_in_view = || {
            let thread = &self.threads.get(&command.issue)?.thread;
            thread.comments.first().filter(|_| thread.earlier_cursor.is_some()).map(|first| first.created_at)
        };
        threads.filter_map(|answers| answers.answer_time(command)).max().or_else(first_in_view)
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
