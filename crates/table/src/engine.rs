//! The computer's searches, and a count of them in builds with debug assertions: tests see by it that waiting comments cause none.

use std::cell::Cell;

use game::contract::Game;
use game::engine::{EngineMove, Level};

thread_local! {
    static SEARCHES: Cell<usize> = const { Cell::new(0) };
}

/// Returns the computer's choice in a position; `None` if there is nothing to choose.
pub fn search<G: Game>(game: &G, level: Level, seed: u64) -> Option<EngineMove<G::Move>> {
    if cfg!(debug_assertions) {
        SEARCHES.set(SEARCHES.get() + 1);
    }
    game.choose(level, seed)
}

/// Returns the number of searches that this thread has begun; 0 in a release build.
pub fn search_count() -> usize {
    SEARCHES.get()
}
