//! The reads of a run before it decides: the threads with their tables, back to their floors, all through one commit.

use std::collections::{BTreeMap, BTreeSet};

use table::state_file;
use table::talk::comment::{Millis, Source};
use table::talk::context::Entropy;
use table::talk::thread::{Comment, FileContent, Thread};
use tracing::info;

use crate::forge::{COMMENTS_PER_PAGE, Fault, Forge};
use crate::older_comments::OlderComments;
use crate::plan::settled_through;
use crate::repo_config::RepoConfig;
use crate::view::{ThreadView, View};

/// The fewest comments that are asked for at once: however long they are, so many fit into a reply.
const MIN_PAGE_SIZE: usize = 3;

/// Reads the threads of a run, and keeps what it need not read again.
pub(super) struct Reader<'a> {
    forge: &'a dyn Forge,
    config: &'a RepoConfig,
    issue: u64,
    /// The comment that woke the run, unless it has been deleted: any read without it is stale, also one after others with it.
    trigger_comment: Option<Source>,
    /// The other table that is read with it.
    other_table: Option<u64>,
    /// The randomness of this run's dice; `None` before the first read.
    entropy: Option<Entropy>,
    missing_issues: BTreeSet<u64>,
    older_comments: OlderComments,
    /// The number of comments that are asked for at once.
    page_size: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        forge: &'a dyn Forge,
        place: &'a RepoConfig,
        issue: u64,
        waking: Option<Source>,
        beside: Option<u64>,
    ) -> Reader<'a> {
        Reader {
            forge,
            config: place,
            issue,
            trigger_comment: waking,
            other_table: beside.filter(|table| *table != issue),
            entropy: None,
            missing_issues: BTreeSet::new(),
            older_comments: OlderComments::default(),
            page_size: COMMENTS_PER_PAGE,
        }
    }

    /// Returns the comment that woke the run, unless it has been deleted.
    pub(super) fn trigger_comment(&self) -> Option<Source> {
        self.trigger_comment
    }

    /// Reads another thread together with the run's own from now on.
    pub(super) fn also_read(&mut self, issue: u64) {
        self.other_table = Some(issue);
    }

    /// Asks for fewer comments at once from now on: the reply was too long, or came to nothing, which too long a one may do.
    /// Returns false if there are no fewer to ask for.
    pub(super) fn shrink_page(&mut self) -> bool {
        let fewer = (self.page_size / 3).max(MIN_PAGE_SIZE);
        fewer < std::mem::replace(&mut self.page_size, fewer)
    }

    /// Reads the threads of the run with their tables, complete back to their floors.
    pub(super) async fn read_view(&mut self) -> Result<View, Fault> {
        let issues: Vec<u64> = [Some(self.issue), self.other_table].into_iter().flatten().collect();
        let horizon = self.config.cutoff(self.forge.now());
        let mut view = self.read_threads(&issues, &self.config.pages, u64::MAX, horizon).await?;
        view.is_stale = view.is_stale || self.lacks_trigger_comment(&view).await?;
        Ok(view)
    }

    /// Reads the thread of a comment for a view that there is, at least back to the comment.
    pub(super) async fn read_back_to(&mut self, source: Source, view: &View) -> Result<View, Fault> {
        self.read_threads(&[source.issue], &[], source.comment, view.cutoff).await
    }

    /// Reads threads with their tables, back to their floors and at least back to this comment.
    async fn read_threads(
        &mut self,
        issues: &[u64],
        pages: &[String],
        to: u64,
        horizon: Millis,
    ) -> Result<View, Fault> {
        // One for the whole run, so that deciding again after a lost race rolls the same dice.
        let luck = match self.entropy {
            Some(luck) => luck,
            None => *self.entropy.insert(self.forge.entropy()?),
        };
        let mut snapshot = self.forge.read(issues, pages, self.page_size).await?;
        let read = self.forge.now();
        let (mut threads, mut is_stale) = (BTreeMap::new(), false);
        for issue in issues {
            if let Some(thread) = snapshot.threads.remove(issue) {
                threads.insert(*issue, self.read_back_to_floor(*issue, thread, horizon, to).await?);
            } else if !self.missing_issues.contains(issue) {
                if self.forge.exists(Source { issue: *issue, comment: 0 }).await? {
                    info!(issue, "the read is older than this issue");
                    is_stale = true;
                    break;
                }
                self.missing_issues.insert(*issue);
            }
        }
        Ok(View {
            head: snapshot.head,
            threads,
            pages: snapshot.pages,
            newest_issues: snapshot.newest_comments,
            missing_issues: self.missing_issues.clone(),
            cutoff: horizon,
            entropy: luck,
            read_at: read,
            is_stale,
        })
    }

    /// Tests if the read is older than the comment that woke the run: asked for directly, it is there.
    async fn lacks_trigger_comment(&mut self, view: &View) -> Result<bool, Fault> {
        let Some(source) = self.trigger_comment else { return Ok(false) };
        let shown = view.threads.get(&source.issue).is_some_and(|ThreadView { thread, table, .. }| {
            let settled =
                settled_through(table.as_ref()).is_some_and(|settled_through| source.comment <= settled_through);
            // In a thread without a table, what is older than the horizon is not read.
            let old =
                thread.earlier_cursor.is_some() && thread.comments.iter().all(|comment| comment.id > source.comment);
            let listed = thread.comments.iter().any(|comment| comment.id == source.comment);
            source.comment == 0 || settled || old || listed
        });
        if shown {
            return Ok(false);
        }
        if !self.forge.exists(source).await? {
            self.trigger_comment = None;
            return Ok(false);
        }
        info!(
            issue = source.issue,
            comment = source.comment,
            "the read is older than the comment that started this run"
        );
        Ok(true)
    }

    /// Completes a thread with its table and all its comments above the floor, and with all from this one on.
    async fn read_back_to_floor(
        &mut self,
        issue: u64,
        mut thread: Thread,
        horizon: Millis,
        to: u64,
    ) -> Result<ThreadView, Fault> {
        let read = match &thread.record {
            FileContent::Missing => Ok(None),
            FileContent::Text(text) => state_file::load(text, issue).map(Some),
            FileContent::Unreadable(why) => Err(why.clone()),
        };
        let (table, damage) = match read {
            Ok(table) => (table, None),
            Err(why) if issue == self.issue => {
                return Err(Fault::Fatal(self.config.damaged_record_message(issue, &why)));
            }
            // Another table's trouble is not this one's.
            Err(why) => (None, Some(why)),
        };
        let settled_through = settled_through(table.as_ref());
        let below = |comment: &Comment| match settled_through {
            Some(settled_through) => comment.id <= settled_through.min(to),
            None => comment.updated_at < horizon,
        };
        self.older_comments.prepend_to(issue, &mut thread, self.forge.now());
        let mut paged = false;
        while let Some(cursor) = thread.earlier_cursor.take_if(|_| !thread.comments.first().is_some_and(below)) {
            paged = true;
            let (mut page, earlier) = self.forge.comments_before(issue, &cursor, self.page_size).await?;
            page.append(&mut thread.comments);
            thread.comments = page;
            thread.earlier_cursor = earlier;
        }
        if paged {
            self.older_comments.store(issue, &thread, self.forge.now());
        }
        Ok(ThreadView { thread, table, damage })
    }
}
