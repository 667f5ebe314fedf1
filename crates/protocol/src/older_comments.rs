//! The older pages of a long thread, which one run need not read again for each of its commands.

use std::collections::BTreeMap;

use table::talk::comment::Millis;
use table::talk::thread::{Comment, Cursor, Thread};

/// The time for which pages are kept: a minute. A change to a comment since then is noticed when it is claimed or committed.
const MAX_AGE: Millis = 60_000;

/// The comments before the newest page of each thread.
#[derive(Default)]
pub(super) struct OlderComments(BTreeMap<u64, CachedComments>);

struct CachedComments {
    read_at: Millis,
    comments: Vec<Comment>,
    earlier: Option<Cursor>,
}

impl OlderComments {
    /// Puts the kept pages in front of a newest page, if they overlap: else comments could be missing between them.
    pub(super) fn prepend_to(&self, issue: u64, thread: &mut Thread, now: Millis) {
        let Some(first) = thread.comments.first().map(|first| first.id).filter(|_| thread.earlier_cursor.is_some())
        else {
            return;
        };
        let Some(known) = self.0.get(&issue).filter(|known| now.saturating_sub(known.read_at) < MAX_AGE) else {
            return;
        };
        if known.comments.last().is_some_and(|last| last.id >= first) {
            let before: Vec<Comment> = known.comments.iter().filter(|comment| comment.id < first).cloned().collect();
            thread.comments.splice(0..0, before);
            thread.earlier_cursor.clone_from(&known.earlier);
        }
    }

    /// Keeps a thread that was read page by page.
    pub(super) fn store(&mut self, issue: u64, thread: &Thread, now: Millis) {
        let (comments, earlier) = (thread.comments.clone(), thread.earlier_cursor.clone());
        self.0.insert(issue, CachedComments { read_at: now, comments, earlier });
    }
}
