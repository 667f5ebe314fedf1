//! The protocol, proved by simulation: whole stories of comments, events and troubles in virtual time, each decided by
//! one number. `docs/SIMULATION.md` says what is simulated, what is checked and what is left out.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use testkit::often;
use testkit::simulator::core::Core;
use testkit::simulator::story::{Mode, Story};
use testkit::simulator::{checks, people, schedule, shrink, tell};

/// Says what is wrong with a story, with the smallest story that fails like it.
fn fail(name: &str, story: &Story) -> ! {
    let wrong = checks::verdict(story);
    let small = shrink::shrink(story, wrong[0].kind);
    let mut told = schedule::perform(&small, true);
    checks::check(&small, &mut told);
    let trace = told.ledger.trace.unwrap_or_default().join("\n");
    panic!("{name}: {}\n\n{trace}\n\n{}", wrong[0].what, small.line());
}

/// Any number of others: `cargo run --profile test -p play-by-commit-testkit --example simulate`.
#[test]
fn no_story_ends_badly() {
    let (next, stories) = (AtomicU64::new(0), often(150, 10_000));
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= stories {
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

/// Files of one kind below `tests/simulator`, by name.
fn files(dir: &str) -> Vec<(String, String)> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/simulator").join(dir);
    let mut files: Vec<_> = std::fs::read_dir(dir).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let text = |path: &Path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), path.to_owned());
    files.iter().map(|path| text(path)).map(|(name, path)| (name, std::fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn what_once_went_wrong_goes_well() {
    let stories = files("stories");
    assert!(!stories.is_empty());
    for (name, text) in stories {
        let story = Story::parse(&text);
        if !checks::verdict(&story).is_empty() {
            fail(&name, &story);
        }
    }
}

#[test]
fn the_same_story_is_told_the_same_way() {
    for seed in 0..20 {
        let story = tell::tell(seed);
        let told = || schedule::perform(&story, true).ledger.trace.unwrap();
        assert_eq!(told(), told(), "seed {seed}");
        assert_eq!(Story::parse(&story.line()), story, "seed {seed}");
    }
}

#[test]
fn everything_that_can_happen_happens() {
    let stories: Vec<Story> = (0..500).map(tell::tell).collect();
    let lines: String = stories.iter().map(Story::line).collect();
    for word in [
        "Lost",
        "Dies",
        "DiesAfter",
        "Later",
        "Host",
        "Slow",
        "Stale",
        "Open",
        "Say",
        "Edit",
        "Delete",
        "Wake",
        "Sweep",
        "Elsewhere",
        "Page",
        "Damage",
        "Repair",
        "Forbid",
        "Clock",
        "BranchGone",
        "BranchBack",
        "Rewind",
        "Forged",
        "backgammon",
        "ultimate",
        "seats=open",
        "/rematch",
        "/abort",
        "/undo",
        "/resign",
        " #1",
        "/continue #1",
        "Lock",
        "Vanish",
        "Leave",
    ] {
        assert!(lines.contains(word), "nobody ever meets {word}");
    }
    for mode in [Mode::Calm, Mode::Strict, Mode::Harsh, Mode::Wrecked] {
        assert!(stories.iter().any(|story| story.mode == mode), "{mode:?} is never told");
    }
    // And it is not only told: games end and are counted, and runs settle what others have left.
    let told: Vec<_> = stories.iter().take(60).map(|story| schedule::perform(story, false)).collect();
    let landed: usize = told.iter().map(|core| core.ledger.landed.len()).sum();
    assert!(landed > 200, "{landed} commits");
    let killed = |core: &Core| core.ledger.requests.keys().any(|run| !core.ledger.ends.contains_key(run));
    assert!(told.iter().any(killed), "nobody is ever killed");
    let counted = |core: &Core| people::file(core, "state/players/tic-tac-toe.json").is_some();
    assert!(told.iter().any(counted), "no game ever ends");
}

/// Each way to break the protocol still fits the sources. `tests/simulator/mutations.py` breaks it in each of these ways,
/// and says after how many stories the simulator notices.
#[test]
fn every_mutation_still_applies() {
    let mutations = files("mutations");
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
