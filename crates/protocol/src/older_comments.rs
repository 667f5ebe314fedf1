//! A cache of a long thread's older comments, so that a run reads them once and not for each of its commands.

use std::collections::BTreeMap;
use std::time::Duration;

use table::ids::IssueNumber;
use table::timestamp::Timestamp;

use crate::forge::{Comment, Cursor, Thread};

/// The age at which cached comments expire: one minute. The claim or the commit catches a change made in between.
const MAX_AGE: Duration = Duration::from_secs(60);

/// The comments of threads that were read page by page, by issue number.
#[derive(Default)]
pub(super) struct OlderComments(BTreeMap<IssueNumber, CachedComments>);

struct CachedComments {
    read_at: Timestamp,
    comments: Vec<Comment>,
    earlier: Option<Cursor>,
}

impl OlderComments {
    /// Prepends cached comments to the newest page of a thread, if the two overlap. Without overlap, comments could be missing in
    /// between.
    pub(super) fn prepend_to(&self, issue: IssueNumber, thread: &mut Thread, now: Timestamp) {
        if thread.earlier_cursor.is_none() {
            return;
        }
        let (Some(first), Some(known)) = (thread.comments.first().map(|first| first.id), self.0.get(&issue)) else {
            return;
        };
        if now.since(known.read_at) >= MAX_AGE {
            return;
        }
        if known.comments.last().is_some_and(|last| last.id >= first) {
            let before: Vec<Comment> = known.comments.iter().filter(|comment| comment.id < first).cloned().collect();
            thread.comments.splice(0..0, before);
            thread.earlier_cursor.clone_from(&known.earlier);
        }
    }

    /// Stores the comments of a thread that was read page by page.
    pub(super) fn store(&mut self, issue: IssueNumber, thread: &Thread, now: Timestamp) {
        let (comments, earlier) = (thread.comments.clone(), thread.earlier_cursor.clone());
        self.0.insert(issue, CachedComments { read_at: now, comments, earlier });
    }
}
