//! The older pages of a long thread, which one run need not read again for each of its commands.

use std::collections::BTreeMap;

use table::talk::comment::Millis;
use table::talk::thread::{Comment, Cursor, Thread};

/// The time for which pages are kept: a minute. A change to a comment since then is noticed when it is claimed or committed.
const KEPT: Millis = 60_000;

/// The comments before the newest page of each thread.
#[derive(Default)]
pub(super) struct OlderPages(BTreeMap<u64, Pages>);

struct Pages {
    read: Millis,
    comments: Vec<Comment>,
    earlier: Option<Cursor>,
}

impl OlderPages {
    /// Puts the kept pages in front of a newest page, if they overlap: else comments could be missing between them.
    pub(super) fn join(&self, issue: u64, thread: &mut Thread, now: Millis) {
        let Some(first) = thread.comments.first().map(|first| first.id).filter(|_| thread.earlier.is_some()) else {
            return;
        };
        let Some(known) = self.0.get(&issue).filter(|known| now.saturating_sub(known.read) < KEPT) else { return };
        if known.comments.last().is_some_and(|last| last.id >= first) {
            let before: Vec<Comment> = known.comments.iter().filter(|comment| comment.id < first).cloned().collect();
            thread.comments.splice(0..0, before);
            thread.earlier.clone_from(&known.earlier);
        }
    }

    /// Keeps a thread that was read page by page.
    pub(super) fn keep(&mut self, issue: u64, thread: &Thread, now: Millis) {
        let (comments, earlier) = (thread.comments.clone(), thread.earlier.clone());
        self.0.insert(issue, Pages { read: now, comments, earlier });
    }
}
