//! The reads of a run before it decides: the threads with their tables, back to their floors, all through one commit.

use std::collections::BTreeMap;

use tracing::info;

use crate::protocol::bundle;
use crate::protocol::forge::Fault;
use crate::protocol::plan::settled_through;
use crate::protocol::run::{LOOK_AGAIN, Run};
use crate::protocol::view::{SeenThread, View};
use crate::tables::state_file;
use crate::talk::comment::{Millis, Source};
use crate::talk::thread::{Comment, File, Head, Snapshot, Thread};

impl Run<'_> {
    /// Reads the threads with their tables, complete back to their floors; `None` if the read was stale.
    pub(super) async fn look(&mut self) -> Result<Option<View>, Fault> {
        let asked: Vec<u64> = [Some(self.issue), self.beside].into_iter().flatten().collect();
        // One for the whole run, so that deciding again after a lost race rolls the same dice.
        let luck = match self.luck {
            Some(luck) => luck,
            None => *self.luck.insert(self.forge.luck()?),
        };
        let mut view = View {
            head: Head::Missing(None),
            threads: BTreeMap::new(),
            pages: BTreeMap::new(),
            newest: BTreeMap::new(),
            horizon: self.place.horizon(self.forge.now()),
            luck,
            read: 0,
        };
        let Some(snapshot) = self.add(&mut view, &asked, &self.place.pages, u64::MAX).await? else { return Ok(None) };
        (view.head, view.pages, view.newest) = (snapshot.head, snapshot.pages, snapshot.newest);
        if self.is_stale(&view).await? { Ok(None) } else { Ok(Some(view)) }
    }

    /// Reads threads into a view, at least back to this comment, and returns the rest of the read; `None` if the read is
    /// older than an issue that it was to show.
    pub(super) async fn add(
        &mut self,
        view: &mut View,
        issues: &[u64],
        pages: &[String],
        to: u64,
    ) -> Result<Option<Snapshot>, Fault> {
        let mut snapshot = self.forge.read(issues, pages, self.comments).await?;
        if view.threads.is_empty() {
            // What is added to a view does not make it any newer.
            view.read = self.forge.now();
        }
        for issue in issues {
            match snapshot.threads.remove(issue) {
                Some(thread) => {
                    let seen = self.complete(*issue, thread, view.horizon, to).await?;
                    seen.table.iter().for_each(|table| self.ledger.sees(table));
                    view.threads.insert(*issue, seen);
                }
                None if self.memory.gone.contains(issue) => {}
                None if self.forge.exists(Source { issue: *issue, comment: 0 }).await? => {
                    info!(issue, "the read is older than this issue");
                    self.patience.hold(self.forge, LOOK_AGAIN).await?;
                    return Ok(None);
                }
                None => _ = self.memory.gone.insert(*issue),
            }
        }
        Ok(Some(snapshot))
    }

    /// Tests if the read is older than the comment that woke the run: asked for directly, it is there.
    async fn is_stale(&mut self, view: &View) -> Result<bool, Fault> {
        let Some(source) = self.waking else { return Ok(false) };
        let shown = view.threads.get(&source.issue).is_some_and(|SeenThread { thread, table, .. }| {
            let settled =
                settled_through(table.as_ref()).is_some_and(|settled_through| source.comment <= settled_through);
            // In a thread without a table, what is older than the horizon is not read.
            let old = thread.earlier.is_some() && thread.comments.iter().all(|comment| comment.id > source.comment);
            let listed = thread.comments.iter().any(|comment| comment.id == source.comment);
            source.comment == 0 || settled || old || listed
        });
        let gone = !shown && !self.forge.exists(source).await?;
        self.waking = self.waking.filter(|_| !gone);
        if shown || gone {
            return Ok(false);
        }
        info!(
            issue = source.issue,
            comment = source.comment,
            "the read is older than the comment that started this run"
        );
        self.patience.hold(self.forge, LOOK_AGAIN).await?;
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
            Err(why) if issue == self.issue => return Err(Fault::Host(self.damaged(issue, &why))),
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

    /// Returns the sentence for the host about a record that cannot be read.
    pub(super) fn damaged(&self, issue: u64, why: &str) -> String {
        let path = bundle::record_path(&self.place.state_dir, issue);
        format!("{path} is damaged, so nothing was written: {why}. Restore it from an earlier commit")
    }
}
