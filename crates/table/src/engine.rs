//! The computer's searches. They are counted, so that tests can check that pending comments cause none.

use std::cell::Cell;

use game::{EngineMove, Level};
use games::{AnyMove, AnyPosition};

thread_local! {
    static SEARCHES: Cell<usize> = const { Cell::new(0) };
}

/// Returns the computer's move in a position; `None` if there is no move to choose.
pub fn search(game: &AnyPosition, level: Level, seed: u64) -> Option<EngineMove<AnyMove>> {
    SEARCHES.set(SEARCHES.get() + 1);
    game.choose(level, seed)
}

/// Returns the number of searches that this thread has started.
pub fn search_count() -> usize {
    SEARCHES.get()
}
