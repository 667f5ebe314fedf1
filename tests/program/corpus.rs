//! Runs the fuzzing corpus once through its targets; see `docs/FUZZING.md`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use game::Span;
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

/// Returns three inputs for a game's target: the moves in its help, at the start and after some moves.
fn game_inputs(kind: GameKind) -> impl Iterator<Item = Vec<u8>> {
    let code = |span: &Span| match span {
        Span::Code(example) => Some(example.to_string()),
        _ => None,
    };
    let examples: Vec<String> = kind.info().moves.iter().filter_map(code).collect();
    ["", "abcdef", "zzzzzzzzzzzzzzzzzzzz"]
        .into_iter()
        .map(move |plies| format!("\n{plies}\n{}", examples.join("\n")).into())
}

#[test]
fn every_corpus_input_passes() {
    let mut failed = Vec::new();
    for (name, target) in targets::targets() {
        let folder = fuzz_path("corpus").join(name);
        let files = if folder.exists() { sorted_paths(&folder) } else { Vec::new() };
        let kept = files.iter().map(|file| (file.display().to_string(), fs::read(file).unwrap()));
        let kind = GameKind::from_name(name);
        let for_game = kind.into_iter().flat_map(game_inputs).map(|input| (format!("{input:?} of {name}"), input));
        let inputs: Vec<(String, Vec<u8>)> = kept.chain(for_game).collect();
        assert!(inputs.len() >= 3, "{name} has a corpus");
        for (input_name, input) in inputs {
            let start = Instant::now();
            let passes = std::panic::catch_unwind(|| target(&input)).is_ok();
            if !passes || start.elapsed() > TIME_LIMIT {
                failed.push(format!("{input_name} ({:?})", start.elapsed()));
            }
        }
    }
    assert!(failed.is_empty(), "these inputs fail or take too long:\n{}", failed.join("\n"));
}

#[test]
fn every_corpus_has_a_target() {
    for folder in sorted_paths(&fuzz_path("corpus")) {
        let name = folder.file_name().unwrap().to_str().unwrap();
        assert!(targets::targets().iter().any(|(known, _)| *known == name), "{name}");
    }
}
