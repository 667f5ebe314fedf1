//! Every input that the fuzzer has found worth keeping, run once through the same targets: `docs/FUZZING.md`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use games::registry::GameKind;

/// How long one input may take in a slow build on a busy machine. Those that take too long take minutes.
const PATIENCE: Duration = Duration::from_secs(30);

fn fuzz(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz").join(folder)
}

/// The names in a folder, in order.
fn names(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut names: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).collect();
    names.sort();
    names
}

#[test]
fn everything_found_so_far_holds() {
    let mut failed = Vec::new();
    for (name, target) in targets::TARGETS {
        let files = names(&fuzz("corpus").join(name));
        assert!(files.len() >= 3, "{name} has a corpus");
        for file in files {
            let input = fs::read(&file).unwrap();
            let begun = Instant::now();
            let holds = std::panic::catch_unwind(|| target(&input)).is_ok();
            if !holds || begun.elapsed() > PATIENCE {
                failed.push(format!("{} ({:?})", file.display(), begun.elapsed()));
            }
        }
    }
    assert!(failed.is_empty(), "these inputs fail, or take long:\n{}", failed.join("\n"));
}

#[test]
fn every_target_can_be_fuzzed() {
    let stem = |file: PathBuf| file.file_stem().unwrap().to_str().unwrap().to_owned();
    let mut known: Vec<&str> = targets::TARGETS.iter().map(|(name, _)| *name).collect();
    known.sort_unstable();
    for folder in ["fuzz_targets", "corpus"] {
        let there: Vec<String> = names(&fuzz(folder)).into_iter().map(stem).collect();
        assert_eq!(there, known, "{folder}");
    }
    for name in &known {
        let program = fs::read_to_string(fuzz("fuzz_targets").join(format!("{name}.rs"))).unwrap();
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
fn a_name_that_is_none_is_told() {
    targets::run("nothing", b"");
}
