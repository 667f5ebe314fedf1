//! Tests the protocol by simulation: stories of comments, events and faults in virtual time, each generated from a seed.
//! `docs/SIMULATION.md` describes the stories, the checks and their limits.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use testkit::simulator::{Core, Mode, Story, checks, generate_story, schedule, story};
use testkit::small_worlds::{FULL, QUICK, Walker, World};
use testkit::{quick_or_full, short_or_long};

/// Panics with the smallest story that fails in the same way as this one.
fn panic_with_smallest(name: &str, story: &Story) -> ! {
    let wrong = checks::verdict(story);
    let small = story::shrink(story, wrong[0].kind);
    let mut run = schedule::run_story(&small, true);
    checks::check(&small, &mut run);
    let trace = run.ledger.trace.unwrap_or_default().join("\n");
    panic!("{name}: {}\n\n{trace}\n\n{}", wrong[0].what, small.line());
}

/// To run more stories: `cargo run --profile test -p play-by-commit-testkit --example simulate`.
#[test]
fn no_story_ends_badly() {
    let (next, stories) = (AtomicU64::new(0), short_or_long(quick_or_full(20, 60), 1_000));
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= stories {
                        return;
                    }
                    let story = generate_story(seed);
                    if !checks::verdict(&story).is_empty() {
                        panic_with_smallest(&format!("seed {seed}"), &story);
                    }
                }
            });
        }
    });
}

/// To walk more worlds: `cargo run --profile test -p play-by-commit-testkit --example small_worlds -- --long`.
#[test]
fn no_way_through_a_small_world_ends_badly() {
    let walk = |world: &World| {
        let walk = Walker::new(world).walk(usize::MAX);
        assert!(walk.outcomes > 10, "{}: only {} outcomes", world.name, walk.outcomes);
        if let Some(story) = walk.story_of_violation() {
            panic!("{}:\n{story}", world.name);
        }
    };
    let worlds = QUICK.iter().chain(quick_or_full(&[][..], FULL));
    std::thread::scope(|scope| worlds.for_each(|world| drop(scope.spawn(|| walk(world)))));
}

/// Returns the files of a directory of `tests/simulator`, sorted by name.
fn read_files(dir: &str) -> Vec<(String, String)> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/simulator").join(dir);
    let mut files: Vec<_> = std::fs::read_dir(dir).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let text = |path: &Path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), path.to_owned());
    files.iter().map(|path| text(path)).map(|(name, path)| (name, std::fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn past_failures_stay_fixed() {
    let stories = read_files("stories");
    assert!(!stories.is_empty());
    for (name, text) in stories {
        let story = Story::parse(&text);
        if !checks::verdict(&story).is_empty() {
            panic_with_smallest(&name, &story);
        }
    }
}

#[test]
fn a_story_always_runs_the_same_way() {
    for seed in 0..short_or_long(6, 20) {
        let story = generate_story(seed);
        let trace = || schedule::run_story(&story, true).ledger.trace.unwrap();
        assert_eq!(trace(), trace(), "seed {seed}");
        assert_eq!(Story::parse(&story.line()), story, "seed {seed}");
    }
}

#[test]
fn stories_cover_everything() {
    let stories: Vec<Story> = (0..500).map(generate_story).collect();
    let lines: String = stories.iter().map(Story::line).collect();
    for word in [
        "Lost",
        "Killed",
        "KilledAfterwards",
        "RetryAfter",
        "Fatal",
        "Slow",
        "Stale",
        "OpenIssue",
        "Comment",
        "EditComment",
        "OverwriteComment",
        "DeleteComment",
        "PostMany",
        "StartRun",
        "Sweep",
        "RestartServer",
        "UnrelatedCommit",
        "EditReadme",
        "DamageRecord",
        "RestoreRecord",
        "ChangePermissions",
        "ShiftClock",
        "DeleteBranch",
        "RestoreBranch",
        "RemoveCommits",
        "Forged",
        "backgammon",
        "ultimate",
        "seats=open",
        "/rematch",
        "/abort",
        "/undo",
        "/resign",
        "/extend 3d",
        "autoplay",
        " #1",
        "/continue #1",
        "LockIssue",
        "CloseIssue",
        "DeleteIssue",
        "DeleteAccount",
    ] {
        assert!(lines.contains(word), "no story has {word}");
    }
    for mode in [Mode::Calm, Mode::Strict, Mode::Harsh, Mode::Wrecked] {
        assert!(stories.iter().any(|story| story.mode == mode), "{mode:?} has no story");
    }
    // Games end and count in the standings, and runs finish the work of killed ones.
    let runs: Vec<_> =
        stories.iter().take(short_or_long(30, 60)).map(|story| schedule::run_story(story, false)).collect();
    let landed: usize = runs.iter().map(|core| core.ledger.landed.len()).sum();
    assert!(landed > 100, "{landed} commits");
    let killed = |core: &Core| core.ledger.requests.keys().any(|run| !core.ledger.ends.contains_key(run));
    assert!(runs.iter().any(killed), "no run is ever killed");
    let counted = |core: &Core| core.file("state/players/tic-tac-toe.json").is_some();
    assert!(runs.iter().any(counted), "no game ever ends");
}

/// Every mutation still applies to the sources. `tests/simulator/mutations.py` measures how many stories it takes to detect each
/// one.
#[test]
fn every_mutation_still_applies() {
    let mutations = read_files("mutations");
    assert!(mutations.len() >= 20);
    for (name, text) in mutations {
        let mut parts = text.split("=== ");
        let sentence = parts.next().unwrap().trim();
        assert!(sentence.ends_with('.'), "{name} says what it breaks");
        for part in parts {
            let (path, change) = part.split_once('\n').unwrap();
            let (old, new) = change.split_once("\n---\n").unwrap();
            let source = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
            assert_eq!(source.matches(old.trim_matches('\n')).count(), 1, "{name} does not fit {path}:\n{old}");
            assert_ne!(old.trim(), new.trim(), "{name} changes nothing");
        }
    }
}
