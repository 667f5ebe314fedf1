//! A count of the computer's searches, in builds with debug assertions: tests see by it that waiting comments cause none.

use std::cell::Cell;

thread_local! {
    static SEARCHES: Cell<usize> = const { Cell::new(0) };
}

/// Counts a search that begins.
pub(super) fn begin() {
    if cfg!(debug_assertions) {
        SEARCHES.set(SEARCHES.get() + 1);
    }
}

/// Returns the number of searches that this thread has begun; 0 in a release build.
pub fn count() -> usize {
    SEARCHES.get()
}
