//! Walks small worlds, stops at the first violation, and prints its shortest trace.
//!
//! ```text
//! cargo run --profile test -p play-by-commit-testkit --example small_worlds                  the worlds that `.ci/run` walks
//! cargo run --profile test -p play-by-commit-testkit --example small_worlds -- --long        the others, too
//! cargo run --profile test -p play-by-commit-testkit --example small_worlds -- "two moves"   some of them, by name
//! cargo run --profile test -p play-by-commit-testkit --example small_worlds -- --states 1000000 --long   with a limit on the states of each
//! ```

use std::process::ExitCode;

use testkit::small_worlds::{FULL, LONG, QUICK, Walker, World};

fn main() -> ExitCode {
    let (mut limit, mut is_long, mut names) = (usize::MAX, false, Vec::new());
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--long" => is_long = true,
            "--states" => limit = words.next().and_then(|states| states.parse().ok()).expect("a number"),
            _ => names.push(word),
        }
    }
    let is_wanted = |world: &World| names.is_empty() || names.iter().any(|name| name == world.name);
    let long = if is_long || !names.is_empty() { LONG } else { &[] };
    for world in QUICK.iter().chain(FULL).chain(long).filter(|world| is_wanted(world)) {
        let walk = Walker::new(world).walk(limit);
        println!(
            "{}: {} states, {} steps, {} ends, {} outcomes, {:.1} seconds{}",
            world.name,
            walk.states,
            walk.steps,
            walk.ends,
            walk.outcomes,
            walk.time.as_secs_f64(),
            if walk.is_cut { ", not walked to the end" } else { "" }
        );
        if let Some(story) = walk.story_of_violation() {
            println!("{story}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
