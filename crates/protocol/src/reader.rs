//! Reads the threads and tables that a run decides on, back to the last settled comment, all at one commit.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use table::{
    CommentId, CommentRef, Entropy, GameSummary, IssueNumber, Oid, RepositoryId, Table, Timestamp, parse_issue_body,
    state_file,
};
use tracing::info;

use crate::answer::ThreadAnswers;
use crate::plan::settled_through;
use crate::settings::{FirstRead, FirstReadOutcome};
use crate::{COMMENTS_PER_PAGE, Comment, Cursor, FileContent, Forge, Head, Presence, RepoConfig, RequestError, Thread};

/// The minimum number of comments to ask for at once. That many always fit into a reply, however long they are.
const MIN_PAGE_SIZE: usize = 3;

/// How long the comment that started the run has to be missing before the run believes that it was deleted. Right after its event,
/// neither a read nor a lookup may show it yet.
const MISSING_FOR: Duration = Duration::from_millis(7_500);

/// The age at which cached comments expire: one minute. The claim or the commit catches a change made in between.
const MAX_CACHE_AGE: Duration = Duration::from_secs(60);

/// Whether a read is as new as the event that started the run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Freshness {
    Current,
    Stale,
}

/// Reads the threads of a run, and caches what it doesn't need to read again.
pub(super) struct Reader<'a> {
    forge: &'a dyn Forge,
    config: &'a RepoConfig,
    issue: IssueNumber,
    /// The comment that started the run, unless it has been deleted. A read without it is stale, even after a read with it.
    trigger_comment: Option<CommentRef>,
    /// Since when lookups have missed that comment; `None` if the last one found it.
    missing_since: Option<Timestamp>,
    /// Another table to read together with the thread.
    other_table: Option<IssueNumber>,
    /// The randomness of this run's dice; `None` before the first read.
    entropy: Option<Entropy>,
    missing_issues: BTreeSet<IssueNumber>,
    older_comments: OlderComments,
    /// The time before which comments in an issue without a table are ignored; `None` for the usual one.
    cutoff: Option<Timestamp>,
    /// The number of comments to ask for at once.
    page_size: usize,
    /// Whether the next read has to check the settings file, because it is the first one of the run.
    checks_settings: bool,
    /// The first read, if an earlier attempt made it.
    first_read: Option<FirstRead>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        forge: &'a dyn Forge,
        config: &'a RepoConfig,
        issue: IssueNumber,
        trigger_comment: Option<CommentRef>,
        other_table: Option<IssueNumber>,
    ) -> Reader<'a> {
        Reader {
            forge,
            config,
            issue,
            trigger_comment,
            missing_since: None,
            other_table: other_table.filter(|table| *table != issue),
            entropy: None,
            missing_issues: BTreeSet::new(),
            older_comments: OlderComments::default(),
            cutoff: None,
            page_size: COMMENTS_PER_PAGE,
            checks_settings: false,
            first_read: None,
        }
    }

    /// Returns the comment that started the run, unless it has been deleted.
    pub(super) fn trigger_comment(&self) -> Option<CommentRef> {
        self.trigger_comment
    }

    /// Looks back to this time in an issue without a table.
    pub(super) fn look_back_to(&mut self, cutoff: Timestamp) {
        self.cutoff = Some(cutoff);
    }

    /// Makes the next read check the settings file. `known` is that read, if an earlier attempt made it.
    pub(super) fn check_settings(&mut self, known: Option<FirstRead>) {
        (self.checks_settings, self.first_read) = (true, known);
    }

    /// Reads another table together with the run's thread from now on.
    pub(super) fn also_read(&mut self, issue: IssueNumber) {
        self.other_table = Some(issue);
    }

    /// Asks for fewer comments at once from now on. Returns false if the number is already at its minimum.
    ///
    /// For use after a reply that was too long, or one that was lost, perhaps because it was too long.
    pub(super) fn shrink_page(&mut self) -> bool {
        let fewer = (self.page_size / 3).max(MIN_PAGE_SIZE);
        let has_shrunk = fewer < self.page_size;
        self.page_size = fewer;
        has_shrunk
    }

    /// Reads the run's thread and the other table, back to the last settled comment.
    pub(super) async fn read_view(&mut self) -> Result<RepoState, RequestError> {
        let issues: Vec<IssueNumber> = [Some(self.issue), self.other_table].into_iter().flatten().collect();
        let mut view = self.read_threads(&issues, &self.config.page_paths(), None, self.cutoff).await?;
        if view.other_settings.is_some() {
            return Ok(view);
        }
        view.is_stale = view.is_stale || self.freshness(&view).await? == Freshness::Stale;
        Ok(view)
    }

    /// Reads the thread of a comment, at least back to that comment. The caller merges the result into `view`.
    pub(super) async fn read_back_to(
        &mut self,
        source: CommentRef,
        view: &RepoState,
    ) -> Result<RepoState, RequestError> {
        self.read_threads(&[source.issue], &[], Some(source.comment), Some(view.cutoff)).await
    }

    /// Reads threads with their tables, back to the last settled comment and at least back to the comment `back_to` if there is one. A thread
    /// without a table is read back to `cutoff`; `None` is the time that a sweep looks back.
    async fn read_threads(
        &mut self,
        issues: &[IssueNumber],
        pages: &[String],
        back_to: Option<CommentId>,
        cutoff: Option<Timestamp>,
    ) -> Result<RepoState, RequestError> {
        // The run keeps its entropy, so that it rolls the same dice again after a lost race.
        let entropy = match self.entropy {
            Some(entropy) => entropy,
            None => *self.entropy.insert(self.forge.entropy()?),
        };
        let of_tables = issues.iter().flat_map(|issue| self.config.table_paths(*issue));
        let paths: Vec<String> = of_tables.chain(pages.iter().cloned()).collect();
        let mut snapshot = if self.checks_settings {
            let known = self.first_read.take();
            match FirstRead::make(self.forge, self.config, known, issues, &paths, self.page_size).await? {
                FirstReadOutcome::Current(snapshot) => snapshot,
                FirstReadOutcome::SettingsChanged(read) => {
                    return Ok(RepoState { other_settings: Some(read), ..RepoState::empty(self.forge.now()) });
                }
            }
        } else {
            self.forge.read(issues, &paths, self.page_size).await?
        };
        self.checks_settings = false;
        let listed = snapshot.threads.values_mut().map(|thread| &mut thread.comments);
        listed.chain(snapshot.newest_comments.values_mut()).for_each(|comments| self.config.mark_own(comments));
        // Only a reply tells the time.
        let read_at = self.forge.now();
        let cutoff = cutoff.unwrap_or_else(|| self.config.cutoff(read_at));
        let (mut threads, mut summaries, mut is_stale) = (BTreeMap::new(), BTreeMap::new(), false);
        for issue in issues {
            let files = self.config.table_paths(*issue);
            let [record, running_file] = files.map(|path| snapshot.files.remove(&path).unwrap_or(FileContent::Missing));
            let game = running_file.text().and_then(|text| GameSummary::parse(text, *issue).ok());
            summaries.insert(*issue, running_file);
            if let Some(thread) = snapshot.threads.remove(issue) {
                let repository = snapshot.repository;
                let mut seen = self.read_unsettled(*issue, repository, thread, record, cutoff, back_to).await?;
                let absences = game.map(|game| game.absences()).unwrap_or_default();
                seen.table = seen.table.map(|table| table.with_absences(absences));
                threads.insert(*issue, seen);
            } else if !self.missing_issues.contains(issue) {
                if !self.is_gone(CommentRef::body_of(*issue)).await? {
                    info!("GitHub's answer is older than issue {issue}. Reading again.");
                    is_stale = true;
                    break;
                }
                self.missing_issues.insert(*issue);
            }
        }
        let list_file = snapshot.files.remove(&self.config.list_path()).unwrap_or(FileContent::Missing);
        let newest = snapshot.newest_comments.into_iter();
        let newest_answers =
            newest.map(|(issue, comments)| (issue, ThreadAnswers::from_comments(issue, &comments))).collect();
        Ok(RepoState {
            repository: snapshot.repository,
            head: snapshot.head,
            threads,
            pages: snapshot.files,
            summaries,
            list_file,
            newest_answers,
            missing_issues: self.missing_issues.clone(),
            cutoff,
            trigger: self.trigger_comment,
            entropy,
            read_at,
            is_stale,
            other_settings: None,
        })
    }

    /// Returns whether a view shows the comment that started the run, if the comment exists.
    async fn freshness(&mut self, view: &RepoState) -> Result<Freshness, RequestError> {
        let Some(source) = self.trigger_comment else { return Ok(Freshness::Current) };
        let is_shown = view.threads.get(&source.issue).is_some_and(|ThreadState { thread, table, .. }| {
            let is_settled =
                settled_through(table.as_ref()).is_some_and(|settled_through| source.comment <= settled_through);
            // A thread without a table is read only back to the cutoff.
            let is_too_old =
                thread.earlier_cursor.is_some() && thread.comments.iter().all(|comment| comment.id > source.comment);
            let is_listed = thread.comments.iter().any(|comment| comment.id == source.comment);
            source.is_body() || is_settled || is_too_old || is_listed
        });
        if is_shown {
            return Ok(Freshness::Current);
        }
        if self.is_gone(source).await? {
            self.trigger_comment = None;
            return Ok(Freshness::Current);
        }
        info!("GitHub's answer is older than comment {} of issue {}. Reading again.", source.comment, source.issue);
        Ok(Freshness::Stale)
    }

    /// Whether a comment or an issue that a read lacks is gone. The one that started the run has to be missing for a while.
    async fn is_gone(&mut self, source: CommentRef) -> Result<bool, RequestError> {
        let is_absent = self.forge.find(source).await? == Presence::Absent;
        if self.trigger_comment.is_none_or(|trigger| trigger.issue != source.issue) {
            return Ok(is_absent);
        }
        let now = self.forge.now();
        self.missing_since = if is_absent { self.missing_since.or(Some(now)) } else { None };
        Ok(self.missing_since.is_some_and(|since| now.since(since) >= MISSING_FOR))
    }

    /// Loads a thread's table, and reads earlier comments until no unsettled one is missing, or from `back_to` on.
    async fn read_unsettled(
        &mut self,
        issue: IssueNumber,
        repository: Option<RepositoryId>,
        mut thread: Thread,
        record: FileContent,
        cutoff: Timestamp,
        back_to: Option<CommentId>,
    ) -> Result<ThreadState, RequestError> {
        let loaded = match &record {
            FileContent::Missing => Ok(None),
            FileContent::Text(text) => state_file::load(text, issue).map(Some),
            FileContent::Unreadable(why) => Err(why.clone().into()),
        };
        let (mut table, damage) = match loaded {
            Ok(table) => (table, None),
            Err(why) if issue == self.issue => {
                return Err(RequestError::Fatal(
                    self.config.record_problem(issue, RecordFault::Damaged(why.to_string())),
                ));
            }
            // A damaged record of another table doesn't stop this one.
            Err(why) => (None, Some(why.to_string())),
        };
        let is_elsewhere = |table: &Table| is_other_repository(table.repository(), repository);
        let settled_through = settled_through(table.as_ref().filter(|table| !is_elsewhere(table)));
        let is_settled_before = |comment: &Comment| match settled_through {
            Some(settled_through) => {
                comment.id <= back_to.map_or(settled_through, |comment| settled_through.min(comment))
            }
            None => comment.updated_at < cutoff,
        };
        self.older_comments.prepend_to(issue, &mut thread, self.forge.now());
        let mut was_paged = false;
        while !thread.comments.first().is_some_and(is_settled_before) {
            let Some(cursor) = thread.earlier_cursor.take() else { break };
            was_paged = true;
            let (mut page, earlier) = self.forge.comments_before(issue, &cursor, self.page_size).await?;
            self.config.mark_own(&mut page);
            page.append(&mut thread.comments);
            thread.comments = page;
            thread.earlier_cursor = earlier;
        }
        if was_paged {
            self.older_comments.store(issue, &thread, self.forge.now());
        }
        let answers = ThreadAnswers::from_comments(issue, &thread.comments);
        // A record without a repository belongs to the one where the bot's answers stand. In a copy, its issue is somebody else's.
        let is_unknown = |table: &Table| {
            let is_known =
                table.was_placed_by_host() || answers.last_commit().is_some() || thread.earlier_cursor.is_some();
            table.repository().is_none() && repository.is_some() && !is_known
        };
        let foreign = table.take_if(|table| is_elsewhere(table) || is_unknown(table));
        Ok(ThreadState { thread, answers, table, foreign, damage })
    }
}

/// The comments of threads that were read page by page, by issue number.
#[derive(Default)]
struct OlderComments(BTreeMap<IssueNumber, CachedComments>);

struct CachedComments {
    read_at: Timestamp,
    comments: Vec<Comment>,
    earlier: Option<Cursor>,
}

impl OlderComments {
    /// Prepends cached comments to the newest page of a thread, if the two overlap. Without overlap, comments could be missing in
    /// between.
    fn prepend_to(&self, issue: IssueNumber, thread: &mut Thread, now: Timestamp) {
        if thread.earlier_cursor.is_none() {
            return;
        }
        let (Some(first), Some(known)) = (thread.comments.first().map(|first| first.id), self.0.get(&issue)) else {
            return;
        };
        if now.since(known.read_at) >= MAX_CACHE_AGE {
            return;
        }
        if known.comments.last().is_some_and(|last| last.id >= first) {
            let before: Vec<Comment> = known.comments.iter().filter(|comment| comment.id < first).cloned().collect();
            thread.comments.splice(0..0, before);
            thread.earlier_cursor.clone_from(&known.earlier);
        }
    }

    /// Stores the comments of a thread that was read page by page.
    fn store(&mut self, issue: IssueNumber, thread: &Thread, now: Timestamp) {
        let (comments, earlier) = (thread.comments.clone(), thread.earlier_cursor.clone());
        self.0.insert(issue, CachedComments { read_at: now, comments, earlier });
    }
}

// The result of one read: the branch, the threads and their tables.

/// Everything that a run knows when it plans its next step.
pub(crate) struct RepoState {
    /// The repository; `None` in a terminal.
    pub repository: Option<RepositoryId>,
    /// The head of the state branch.
    pub head: Head,
    /// The threads, by issue number.
    pub threads: BTreeMap<IssueNumber, ThreadState>,
    /// The pages at the head, by path.
    pub pages: BTreeMap<String, FileContent>,
    /// The summaries of the tables' games, by issue number.
    pub summaries: BTreeMap<IssueNumber, FileContent>,
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
    /// The first read of the run, if its settings differ from the run's. Everything else is empty then.
    pub(super) other_settings: Option<Box<FirstRead>>,
}

/// A thread and its table.
pub(crate) struct ThreadState {
    /// The thread, with all comments that aren't settled.
    pub thread: Thread,
    /// The bot's answers in it.
    pub(super) answers: ThreadAnswers,
    /// The table, loaded from the record.
    pub table: Option<Table>,
    /// The game of a record that doesn't belong to this repository. Commands are refused because of it.
    pub foreign: Option<Table>,
    /// Why the record can't be used. Only for a table other than the run's own, whose damage is an error.
    pub damage: Option<String>,
}

/// The reason that a record can't be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RecordFault {
    /// The record can't be read, for this reason.
    Damaged(String),
    /// The record is gone, but an answer names this commit, which has it.
    Missing(Oid),
}

/// An uncertainty that another run or a later read may still resolve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Uncertainty {
    /// Another run has claimed this command and not answered it yet.
    Claimed(CommentRef),
    /// The record of this table is older than its answers, or than this run's own commit.
    StaleRecord(IssueNumber),
    /// Another run let the flag of this table fall, or opened a ballot, and hasn't announced it yet.
    Unannounced(IssueNumber),
    /// This table has no record, but an answer says that it had one.
    MissingRecord(IssueNumber),
}

/// Whether a record that is bound to `bound` belongs to another repository than `here`. A record that isn't bound, or a
/// terminal, rules nothing out.
pub(super) fn is_other_repository(bound: Option<RepositoryId>, here: Option<RepositoryId>) -> bool {
    bound.zip(here).is_some_and(|(bound, here)| bound != here)
}

impl ThreadState {
    /// Returns the view of a thread in a list, without a table.
    pub(super) fn of_listed(issue: IssueNumber, thread: Thread) -> ThreadState {
        let answers = ThreadAnswers::from_comments(issue, &thread.comments);
        ThreadState { thread, answers, table: None, foreign: None, damage: None }
    }
}

impl RepoState {
    /// Returns the view of a single thread in a list, without any records.
    pub(super) fn of_listed(issue: IssueNumber, thread: Thread, cutoff: Timestamp, read_at: Timestamp) -> RepoState {
        let threads = BTreeMap::from([(issue, ThreadState::of_listed(issue, thread))]);
        RepoState { threads, cutoff, ..RepoState::empty(read_at) }
    }

    /// Returns a view without anything in it.
    fn empty(read_at: Timestamp) -> RepoState {
        RepoState {
            repository: None,
            head: Head::Missing { create_from: None },
            threads: BTreeMap::new(),
            pages: BTreeMap::new(),
            summaries: BTreeMap::new(),
            list_file: FileContent::Missing,
            newest_answers: BTreeMap::new(),
            missing_issues: BTreeSet::new(),
            cutoff: Timestamp::EPOCH,
            trigger: None,
            entropy: [0; 32],
            read_at,
            is_stale: false,
            other_settings: None,
        }
    }

    /// Returns the table of a thread.
    pub(super) fn table(&self, issue: IssueNumber) -> Option<&Table> {
        self.threads.get(&issue)?.table.as_ref()
    }

    /// Returns the summary of a table's game, if it's readable.
    pub(super) fn game_summary(&self, issue: IssueNumber) -> Option<GameSummary> {
        GameSummary::parse(self.summaries.get(&issue)?.text()?, issue).ok()
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
    fn clock_start(&self, seen: &ThreadState) -> Option<Timestamp> {
        let table = seen.table.as_ref().filter(|table| table.is_playing())?;
        if seen.thread.is_locked {
            return Some(self.read_at);
        }
        // A table that moves gets another ballot, which is open for the full time.
        let ballot = table.ballot_place().map(|place| seen.answers.ballot(place).map(|posted| posted.time));
        let told_at = || ballot.unwrap_or_else(|| table.turn_source().and_then(|source| self.answer_time(source)));
        // The answer may be in a thread that this run doesn't read.
        let filed = || self.game_summary(table.issue()).filter(|game| game.is_of_turn(table)).map(|game| game.since);
        let told_at = if table.has_clock_start() { ballot.flatten() } else { told_at().or_else(filed) };
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
        if self.table(issue).is_some_and(Table::has_new_turn) {
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
    pub(super) fn bind(&self, table: Table, command: CommentRef) -> Table {
        let issue = table.issue();
        let seen = self.threads.get(&issue).filter(|_| command.issue == issue && table.repository().is_none());
        let is_here = seen.is_some_and(|seen| seen.table.is_none() || seen.answers.last_commit().is_some());
        if is_here { table.with_repository(self.repository) } else { table }
    }

    /// Adds the threads of another read. Returns false if the branch moved in between.
    ///
    /// A decision needs all records from the head that it commits on, so the run then has to read again.
    #[must_use]
    pub(super) fn merge(&mut self, read: RepoState) -> bool {
        self.threads.extend(read.threads);
        self.summaries.extend(read.summaries);
        self.missing_issues = read.missing_issues;
        read.head == self.head
    }

    /// Updates the head and tables after this run's own commit.
    pub(super) fn apply_commit(&mut self, commit: Oid, tables: impl IntoIterator<Item = Table>) {
        self.head = Head::Commit(commit);
        for table in tables {
            let game_summary = GameSummary::from_table(&table);
            let running_file = game_summary.map_or(FileContent::Missing, |game| FileContent::Text(game.to_json()));
            self.summaries.insert(table.issue(), running_file);
            if let Some(seen) = self.threads.get_mut(&table.issue()) {
                seen.table = Some(table);
            }
        }
    }
}
