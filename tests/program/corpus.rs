//! Runs the fuzzing corpus once through its targets; see `docs/FUZZING.md`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use games::GameKind;

/// The time limit for one input in a slow build on a busy machine. An input that hangs takes minutes.
const TIME_LIMIT: Duration = Duration::from_secs(30);

fn fuzz_path(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz").join(folder)
}

/// Returns the paths in a directory, sorted.
fn sorted_paths(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut names: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).collect();
    names.sort();
    names
}

#[test]
fn every_corpus_input_passes() {
    let mut failed = Vec::new();
    for (name, target) in targets::TARGETS {
        let files = sorted_paths(&fuzz_path("corpus").join(name));
        assert!(files.len() >= 3, "{name} has a corpus");
        for file in files {
            let input = fs::read(&file).unwrap();
            let start = Instant::now();
            let passes = std::panic::catch_unwind(|| target(&input)).is_ok();
            if !passes || start.elapsed() > TIME_LIMIT {
                failed.push(format!("{} ({:?})", file.display(), start.elapsed()));
            }
        }
    }
    assert!(failed.is_empty(), "these inputs fail or take too long:\n{}", failed.join("\n"));
}

#[test]
fn every_target_has_a_program_and_a_corpus() {
    let stem = |file: PathBuf| file.file_stem().unwrap().to_str().unwrap().to_owned();
    let mut known: Vec<&str> = targets::TARGETS.iter().map(|(name, _)| *name).collect();
    known.sort_unstable();
    for folder in ["fuzz_targets", "corpus"] {
        let there: Vec<String> = sorted_paths(&fuzz_path(folder)).into_iter().map(stem).collect();
        assert_eq!(there, known, "{folder}");
    }
    for name in &known {
        let program = fs::read_to_string(fuzz_path("fuzz_targets").join(format!("{name}.rs"))).unwrap();
        assert!(program.contains(&format!("run(\"{name}\", data)")), "{program}");
    }
}

#[test]
fn every_game_has_a_target() {
    for kind in GameKind::ALL {
        let name = kind.info().name.replace('-', "_");
        assert!(targets::TARGETS.iter().any(|(known, _)| *known == name), "{name}");
    }
}

#[test]
#[should_panic = "there is no target nothing"]
fn reports_an_unknown_target() {
    targets::run("nothing", b"");
}
