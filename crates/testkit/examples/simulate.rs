//! Runs simulator stories, stops at the first failure, and prints the smallest story that fails in the same way.
//!
//! ```text
//! cargo run --profile test -p play-by-commit-testkit --example simulate -- --seeds 0..1000000
//! cargo run --profile test -p play-by-commit-testkit --example simulate -- --until-bad 0..9   the same, without shrinking the story
//! cargo run --profile test -p play-by-commit-testkit --example simulate -- --servers 0..9     the same, only stories with servers
//! cargo run --profile test -p play-by-commit-testkit --example simulate -- --seed 42          one story, with its trace
//! cargo run --profile test -p play-by-commit-testkit --example simulate -- --story FILE       a story from an earlier output
//! ```
//!
//! With `--binary` the stories run in real time, with real processes over HTTP. This mode reports each failure and continues:
//!
//! ```text
//! cargo run --profile test -p play-by-commit-testkit --example simulate -- --binary target/release/play-by-commit --seeds 0..2000
//! cargo run --profile test -p play-by-commit-testkit --example simulate -- --binary target/release/play-by-commit --at-once 48 --seeds 0..2000
//! cargo run --profile test -p play-by-commit-testkit --example simulate -- --binary target/release/play-by-commit --seed 42
//! cargo run --profile test -p play-by-commit-testkit --example simulate -- --binary target/release/play-by-commit --story FILE
//! ```

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use testkit::simulator::{Story, checks, generate_story, schedule, story};
use testkit::storm;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["--binary", binary, more @ ..] => run_with_processes(Path::new(binary), more),
        [way @ ("--seeds" | "--until-bad" | "--servers"), range] => {
            let (from, to) = range.split_once("..").expect("A..B");
            let is_chosen = |story: &Story| *way != "--servers" || story.setting.servers > 0;
            let bad = find_failure(from.parse().expect("a number"), to.parse().expect("a number"), is_chosen);
            bad.map_or(ExitCode::SUCCESS, |seed| report_failure(seed, *way == "--seeds"))
        }
        ["--seed", seed] => run_story(&generate_story(seed.parse().expect("a number"))),
        ["--story", file] => run_story(&Story::parse(&std::fs::read_to_string(file).expect("a file with a story"))),
        _ => panic!("--seeds A..B, --until-bad A..B, --servers A..B, --seed N or --story FILE"),
    }
}

/// Runs stories with real processes.
fn run_with_processes(binary: &Path, words: &[&str]) -> ExitCode {
    let one = |story: Story| {
        let fault_plan = storm::fault_plan(&story);
        let outcome = storm::run_and_check(&story, fault_plan.clone(), binary);
        println!("{}", storm::report(&story, &fault_plan, &outcome));
        usize::from(!outcome.core.ledger.violations.is_empty())
    };
    let bad = match words {
        ["--at-once", at_once, "--seeds", range] => run_seeds_with_processes(binary, range, at_once),
        ["--seeds", range] => run_seeds_with_processes(binary, range, "128"),
        ["--seed", seed] => one(storm::story(seed.parse().expect("a number"))),
        ["--story", file] => one(Story::parse(&std::fs::read_to_string(file).expect("a file with a story"))),
        _ => panic!("--binary PATH, and then [--at-once N] --seeds A..B, --seed N or --story FILE"),
    };
    if bad == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run_seeds_with_processes(binary: &Path, range: &str, at_once: &str) -> usize {
    let (from, to) = range.split_once("..").expect("A..B");
    let number = |text: &str| text.parse().expect("a number");
    storm::many(binary, number(from), number(to), at_once.parse().expect("a number"))
}

/// Runs one story and prints its trace.
fn run_story(story: &Story) -> ExitCode {
    let mut core = schedule::run_story(story, true);
    checks::check(story, &mut core);
    println!("{:?}, {:?}", story.mode, story.setting);
    println!("{}", core.ledger.trace.unwrap_or_default().join("\n"));
    if core.ledger.violations.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs the chosen stories of the seeds `from..to` on all cores and returns the first seed that fails.
fn find_failure(from: u64, to: u64, is_chosen: impl Fn(&Story) -> bool + Sync) -> Option<u64> {
    let begin = Instant::now();
    let (next, done, bad) = (AtomicU64::new(from), AtomicU64::new(0), AtomicU64::new(u64::MAX));
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::panic::set_hook(Box::new(|panic| println!("{panic}\n(in thread {:?})", std::thread::current().name())));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= to || bad.load(Ordering::Relaxed) != u64::MAX {
                        return;
                    }
                    let story = generate_story(seed);
                    if !is_chosen(&story) {
                        continue;
                    }
                    if !checks::verdict(&story).is_empty() {
                        bad.fetch_min(seed, Ordering::Relaxed);
                    }
                    done.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    let (done, seconds) = (done.into_inner(), begin.elapsed().as_secs_f64());
    println!("{done} stories in {seconds:.1} seconds, {:.0} a second", done as f64 / seconds);
    Some(bad.into_inner()).filter(|seed| *seed != u64::MAX)
}

/// Prints the violations of a seed's story.
fn report_failure(seed: u64, smallest: bool) -> ExitCode {
    let story = generate_story(seed);
    let wrong = checks::verdict(&story);
    println!("seed {seed}: {} ({})", wrong[0].what, wrong[0].kind);
    if smallest {
        let small = story::shrink(&story, wrong[0].kind);
        run_story(&small);
        println!("{}", small.line());
    }
    ExitCode::FAILURE
}
