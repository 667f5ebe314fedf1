//! The reads of a run before it decides: the threads with their tables, back to their floors, all through one commit.

use std::collections::{BTreeMap, BTreeSet};

use table::state_file;
use table::talk::comment::{Millis, Source};
use table::talk::thread::{Comment, File, Thread};
use table::talk::utterance::Luck;
use tracing::info;

use crate::forge::{COMMENTS, Fault, Forge};
use crate::older_pages::OlderPages;
use crate::place::Place;
use crate::plan::settled_through;
use crate::view::{SeenThread, View};

/// The fewest comments that are asked for at once: however long they are, so many fit into a reply.
const FEWEST: usize = 3;

/// Reads the threads of a run, and keeps what it need not read again.
pub(super) struct Reader<'a> {
    forge: &'a dyn Forge,
    place: &'a Place,
    issue: u64,
    /// The comment that woke the run, unless it has been deleted: any read without it is stale, also one after others with it.
    waking: Option<Source>,
    /// The other table that is read with it.
    beside: Option<u64>,
    /// The randomness of this run's dice; `None` before the first read.
    luck: Option<Luck>,
    gone: BTreeSet<u64>,
    older: OlderPages,
    /// The number of comments that are asked for at once.
    comments: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        forge: &'a dyn Forge,
        place: &'a Place,
        issue: u64,
        waking: Option<Source>,
        beside: Option<u64>,
    ) -> Reader<'a> {
        Reader {
            forge,
            place,
            issue,
            waking,
            beside: beside.filter(|table| *table != issue),
            luck: None,
            gone: BTreeSet::new(),
            older: OlderPages::default(),
            comments: COMMENTS,
        }
    }

    /// Returns the comment that woke the run, unless it has been deleted.
    pub(super) fn waking(&self) -> Option<Source> {
        self.waking
    }

    /// Reads another thread together with the run's own from now on.
    pub(super) fn read_beside(&mut self, issue: u64) {
        self.beside = Some(issue);
    }

    /// Asks for fewer comments at once from now on: the reply was too long, or came to nothing, which too long a one may do.
    /// Returns false if there are no fewer to ask for.
    pub(super) fn ask_for_less(&mut self) -> bool {
        let fewer = (self.comments / 3).max(FEWEST);
        fewer < std::mem::replace(&mut self.comments, fewer)
    }

    /// Reads the threads of the run with their tables, complete back to their floors.
    pub(super) async fn read(&mut self) -> Result<View, Fault> {
        let issues: Vec<u64> = [Some(self.issue), self.beside].into_iter().flatten().collect();
        let horizon = self.place.horizon(self.forge.now());
        let mut view = self.read_threads(&issues, &self.place.pages, u64::MAX, horizon).await?;
        view.is_stale = view.is_stale || self.lacks_waking(&view).await?;
        Ok(view)
    }

    /// Reads the thread of a comment for a view that there is, at least back to the comment.
    pub(super) async fn read_back_to(&mut self, source: Source, view: &View) -> Result<View, Fault> {
        self.read_threads(&[source.issue], &[], source.comment, view.horizon).await
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
        let luck = match self.luck {
            Some(luck) => luck,
            None => *self.luck.insert(self.forge.luck()?),
        };
        let mut snapshot = self.forge.read(issues, pages, self.comments).await?;
        let read = self.forge.now();
        let (mut threads, mut is_stale) = (BTreeMap::new(), false);
        for issue in issues {
            if let Some(thread) = snapshot.threads.remove(issue) {
                threads.insert(*issue, self.complete(*issue, thread, horizon, to).await?);
            } else if !self.gone.contains(issue) {
                if self.forge.exists(Source { issue: *issue, comment: 0 }).await? {
                    info!(issue, "the read is older than this issue");
                    is_stale = true;
                    break;
                }
                self.gone.insert(*issue);
            }
        }
        Ok(View {
            head: snapshot.head,
            threads,
            pages: snapshot.pages,
            newest: snapshot.newest,
            gone: self.gone.clone(),
            horizon,
            luck,
            read,
            is_stale,
        })
    }

    /// Tests if the read is older than the comment that woke the run: asked for directly, it is there.
    async fn lacks_waking(&mut self, view: &View) -> Result<bool, Fault> {
        let Some(source) = self.waking else { return Ok(false) };
        let shown = view.threads.get(&source.issue).is_some_and(|SeenThread { thread, table, .. }| {
            let settled =
                settled_through(table.as_ref()).is_some_and(|settled_through| source.comment <= settled_through);
            // In a thread without a table, what is older than the horizon is not read.
            let old = thread.earlier.is_some() && thread.comments.iter().all(|comment| comment.id > source.comment);
            let listed = thread.comments.iter().any(|comment| comment.id == source.comment);
            source.comment == 0 || settled || old || listed
        });
        if shown {
            return Ok(false);
        }
        if !self.forge.exists(source).await? {
            self.waking = None;
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
    async fn complete(
        &mut self,
        issue: u64,
        mut thread: Thread,
        horizon: Millis,
        to: u64,
    ) -> Result<SeenThread, Fault> {
        let read = match &thread.record {
            File::Missing => Ok(None),
            File::Text(text) => state_file::load(text, issue).map(Some),
            File::Unreadable(why) => Err(why.clone()),
        };
        let (table, damage) = match read {
            Ok(table) => (table, None),
            Err(why) if issue == self.issue => return Err(Fault::Host(self.place.damaged(issue, &why))),
            // Another table's trouble is not this one's.
            Err(why) => (None, Some(why)),
        };
        let settled_through = settled_through(table.as_ref());
        let below = |comment: &Comment| match settled_through {
            Some(settled_through) => comment.id <= settled_through.min(to),
            None => comment.time < horizon,
        };
        self.older.join(issue, &mut thread, self.forge.now());
        let mut paged = false;
        while let Some(cursor) = thread.earlier.take_if(|_| !thread.comments.first().is_some_and(below)) {
            paged = true;
            let (mut page, earlier) = self.forge.page(issue, &cursor, self.comments).await?;
            page.append(&mut thread.comments);
            thread.comments = page;
            thread.earlier = earlier;
        }
        if paged {
            self.older.keep(issue, &thread, self.forge.now());
        }
        Ok(SeenThread { thread, table, damage })
    }
}
