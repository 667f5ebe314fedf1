//! Checks that the core crates are pure: they don't use the clock, files, the environment, the network, or processes.

use std::path::{Path, PathBuf};

/// The core crates.
const CORE: [&str; 6] = ["game", "games", "table", "standings", "answers", "interop"];

/// The libraries that the core may use. None of them does I/O unasked.
const LIBRARIES: [&str; 16] = [
    "chrono",
    "cozy-chess",
    "hex",
    "hmac",
    "percent-encoding",
    "pulldown-cmark",
    "schemars",
    "sentence",
    "serde",
    "serde_json",
    "sha2",
    "skillratings",
    "strsim",
    "thiserror",
    "unicode-normalization",
    "unicode-properties",
];

/// The parts of the standard library, and the functions, that aren't pure.
const IMPURE: [&str; 11] = [
    "std::env",
    "std::fs",
    "std::io",
    "std::net",
    "std::process",
    "std::thread",
    "std::time::Instant",
    "std::time::SystemTime",
    "std::time::{",
    "Utc::now",
    "Local::now",
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files.extend(sources(&path)),
            false if path.extension().is_some_and(|extension| extension == "rs") => files.push(path),
            false => {}
        }
    }
    files
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("crates").join(name)
}

#[test]
fn the_core_does_no_io_and_reads_no_clock() {
    let mut wrong = Vec::new();
    for name in CORE {
        let files = sources(&folder(name).join("src"));
        assert!(files.len() >= 5, "the sources of {name} were found");
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
                wrong.extend(
                    IMPURE
                        .iter()
                        .filter(|word| line.contains(**word))
                        .map(|word| format!("{}:{} uses {word}", file.display(), number + 1)),
                );
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_core_uses_only_libraries_without_io() {
    for name in CORE {
        let manifest = std::fs::read_to_string(folder(name).join("Cargo.toml")).unwrap();
        let section = manifest.split("[dependencies]\n").nth(1).unwrap().split("\n[").next().unwrap();
        for line in section.lines().filter(|line| !line.is_empty()) {
            let library = line.split(['.', ' ']).next().unwrap();
            assert!(LIBRARIES.contains(&library) || CORE.contains(&library), "{name} uses {library}");
        }
    }
}
