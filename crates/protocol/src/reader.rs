//! Reads the threads and tables that a run decides on, back to their floors, all at one commit.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use table::any_table::AnyTable;
use table::comments::comment::CommentRef;
use table::comments::context::Entropy;
use table::ids::{CommentId, IssueNumber, RepositoryId};
use table::running_game::RunningGame;
use table::state_file;
use table::timestamp::Timestamp;
use tracing::info;

use crate::forge::{COMMENTS_PER_PAGE, Comment, Cursor, Fault, FileContent, Forge, Presence, Thread};
use crate::plan::floor;
use crate::repo_config::RepoConfig;
use crate::thread_answers::ThreadAnswers;
use crate::view::{RecordFault, ThreadView, View, is_other_repository};

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

    /// Reads the run's thread and the other table, back to their floors.
    pub(super) async fn read_view(&mut self) -> Result<View, Fault> {
        let issues: Vec<IssueNumber> = [Some(self.issue), self.other_table].into_iter().flatten().collect();
        let mut view = self.read_threads(&issues, &self.config.page_paths(), None, self.cutoff).await?;
        view.is_stale = view.is_stale || self.freshness(&view).await? == Freshness::Stale;
        Ok(view)
    }

    /// Reads the thread of a comment, at least back to that comment. The caller merges the result into `view`.
    pub(super) async fn read_back_to(&mut self, source: CommentRef, view: &View) -> Result<View, Fault> {
        self.read_threads(&[source.issue], &[], Some(source.comment), Some(view.cutoff)).await
    }

    /// Reads threads with their tables, back to their floors and at least back to the comment `back_to` if there is one. A thread
    /// without a table is read back to `cutoff`; `None` is the time that a sweep looks back.
    async fn read_threads(
        &mut self,
        issues: &[IssueNumber],
        pages: &[String],
        back_to: Option<CommentId>,
        cutoff: Option<Timestamp>,
    ) -> Result<View, Fault> {
        // The run keeps its entropy, so that it rolls the same dice again after a lost race.
        let entropy = match self.entropy {
            Some(entropy) => entropy,
            None => *self.entropy.insert(self.forge.entropy()?),
        };
        let of_tables = issues.iter().flat_map(|issue| self.config.table_paths(*issue));
        let paths: Vec<String> = of_tables.chain(pages.iter().cloned()).collect();
        let mut snapshot = self.forge.read(issues, &paths, self.page_size).await?;
        let listed = snapshot.threads.values_mut().map(|thread| &mut thread.comments);
        listed.chain(snapshot.newest_comments.values_mut()).for_each(|comments| self.config.mark_own(comments));
        // Only a reply tells the time.
        let read_at = self.forge.now();
        let cutoff = cutoff.unwrap_or_else(|| self.config.cutoff(read_at));
        let (mut threads, mut running_files, mut is_stale) = (BTreeMap::new(), BTreeMap::new(), false);
        for issue in issues {
            let files = self.config.table_paths(*issue);
            let [record, running_file] = files.map(|path| snapshot.files.remove(&path).unwrap_or(FileContent::Missing));
            let game = running_file.text().and_then(|text| RunningGame::parse(text, *issue).ok());
            running_files.insert(*issue, running_file);
            if let Some(thread) = snapshot.threads.remove(issue) {
                let repository = snapshot.repository;
                let mut seen = self.read_back_to_floor(*issue, repository, thread, record, cutoff, back_to).await?;
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
        Ok(View {
            repository: snapshot.repository,
            head: snapshot.head,
            threads,
            pages: snapshot.files,
            running_files,
            list_file,
            newest_answers,
            missing_issues: self.missing_issues.clone(),
            cutoff,
            trigger: self.trigger_comment,
            entropy,
            read_at,
            is_stale,
        })
    }

    /// Returns whether a view shows the comment that started the run, if the comment exists.
    async fn freshness(&mut self, view: &View) -> Result<Freshness, Fault> {
        let Some(source) = self.trigger_comment else { return Ok(Freshness::Current) };
        let is_shown = view.threads.get(&source.issue).is_some_and(|ThreadView { thread, table, .. }| {
            let is_settled = floor(table.as_ref()).is_some_and(|floor| source.comment <= floor);
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
    async fn is_gone(&mut self, source: CommentRef) -> Result<bool, Fault> {
        let is_absent = self.forge.find(source).await? == Presence::Absent;
        if self.trigger_comment.is_none_or(|trigger| trigger.issue != source.issue) {
            return Ok(is_absent);
        }
        let now = self.forge.now();
        self.missing_since = if is_absent { self.missing_since.or(Some(now)) } else { None };
        Ok(self.missing_since.is_some_and(|since| now.since(since) >= MISSING_FOR))
    }

    /// Loads a thread's table, and reads earlier comments until none is missing above the floor, or from `back_to` on.
    async fn read_back_to_floor(
        &mut self,
        issue: IssueNumber,
        repository: Option<RepositoryId>,
        mut thread: Thread,
        record: FileContent,
        cutoff: Timestamp,
        back_to: Option<CommentId>,
    ) -> Result<ThreadView, Fault> {
        let loaded = match &record {
            FileContent::Missing => Ok(None),
            FileContent::Text(text) => state_file::load(text, issue).map(Some),
            FileContent::Unreadable(why) => Err(why.clone().into()),
        };
        let (mut table, damage) = match loaded {
            Ok(table) => (table, None),
            Err(why) if issue == self.issue => {
                return Err(Fault::Fatal(self.config.record_problem(issue, RecordFault::Damaged(why.to_string()))));
            }
            // A damaged record of another table doesn't stop this one.
            Err(why) => (None, Some(why.to_string())),
        };
        let is_elsewhere = |table: &AnyTable| is_other_repository(table.repository(), repository);
        let floor = floor(table.as_ref().filter(|table| !is_elsewhere(table)));
        let is_below_floor = |comment: &Comment| match floor {
            Some(floor) => comment.id <= back_to.map_or(floor, |comment| floor.min(comment)),
            None => comment.updated_at < cutoff,
        };
        self.older_comments.prepend_to(issue, &mut thread, self.forge.now());
        let mut was_paged = false;
        while !thread.comments.first().is_some_and(is_below_floor) {
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
        let is_unknown = |table: &AnyTable| {
            let is_known =
                table.was_placed_by_host() || answers.last_commit().is_some() || thread.earlier_cursor.is_some();
            table.repository().is_none() && repository.is_some() && !is_known
        };
        let foreign = table.take_if(|table| is_elsewhere(table) || is_unknown(table));
        Ok(ThreadView { thread, answers, table, foreign, damage })
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
