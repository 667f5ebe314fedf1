//! The protocol, proved by simulation: whole stories of comments, events and troubles in virtual time, each decided by
//! one number. `docs/SIMULATION.md` says what is simulated, what is checked and what is left out.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, dead_code, unreachable_pub)]

mod chance;
mod checks;
mod core;
mod order;
mod past;
mod people;
mod port;
mod schedule;
mod shrink;
mod story;
mod tell;
mod witness;
#[path = "../world/mod.rs"]
mod world;

use std::sync::atomic::{AtomicU64, Ordering};

/// How many stories every test run tells. Any number of others: `cargo run --release --example simulate`.
const SEEDS: u64 = 3_000;

/// Says what is wrong with a story, with the smallest story that fails like it.
fn fail(seed: &str, story: &story::Story) -> ! {
    let wrong = checks::verdict(story);
    let small = shrink::shrink(story, wrong[0].kind);
    let mut told = schedule::perform(&small, true);
    checks::check(&small, &mut told);
    let trace = told.ledger.trace.unwrap_or_default().join("\n");
    panic!("{seed}: {}\n\n{trace}\n\n{}", wrong[0].what, small.line());
}

#[test]
fn no_story_ends_badly() {
    let next = AtomicU64::new(0);
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= SEEDS {
                        return;
                    }
                    let story = tell::tell(seed);
                    if !checks::verdict(&story).is_empty() {
                        fail(&format!("seed {seed}"), &story);
                    }
                }
            });
        }
    });
}
