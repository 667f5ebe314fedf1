//! Walks small worlds, stops at the first violation, and prints its shortest trace.
//!
//! ```text
//! cargo run --profile test -p play-by-commit-testkit --example small_worlds                    the worlds that `cargo test` walks
//! cargo run --profile test -p play-by-commit-testkit --example small_worlds -- --long          all worlds
//! cargo run --profile test -p play-by-commit-testkit --example small_worlds -- "two moves"     some worlds, by name
//! ```

use std::process::ExitCode;

use testkit::small_worlds::walk::Walker;
use testkit::small_worlds::world::{LONG, SHORT};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let names: Vec<&String> = words.iter().filter(|word| *word != "--long").collect();
    let is_long = names.len() < words.len();
    let worlds = SHORT.iter().chain(LONG);
    let wanted = worlds.enumerate().filter(|(nth, world)| match names.as_slice() {
        [] => is_long || *nth < SHORT.len(),
        names => names.iter().any(|name| *name == world.name),
    });
    for (_, world) in wanted {
        let walk = Walker::new(world).walk(std::env::var("LIMIT").map_or(usize::MAX, |l| l.parse().unwrap()));
        println!(
            "{}: {} states, {} steps, {} ends, {} outcomes, {:.1} s{}",
            world.name,
            walk.states,
            walk.steps,
            walk.ends,
            walk.outcomes,
            walk.time.as_secs_f64(),
            if walk.is_cut { " (cut)" } else { "" }
        );
        if let Some(found) = walk.violation {
            println!("{}", found.trace.join("\n"));
            println!("{} steps: {} ({})", found.steps, found.wrong[0].what, found.wrong[0].kind);
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
