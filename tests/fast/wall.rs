//! The wall between the core and the edge: the core does no IO, knows no clock, and never looks over to the edge.

use std::fs;
use std::path::{Path, PathBuf};

/// The files of the edge. Everything else under `src/` is core.
const EDGE: [&str; 17] = [
    "cli.rs",
    "doctor",
    "doctor.rs",
    "event.rs",
    "forge",
    "forge.rs",
    "host",
    "host.rs",
    "init.rs",
    "main.rs",
    "plan.rs",
    "play.rs",
    "rehearsal.rs",
    "runner",
    "runner.rs",
    "settle",
    "settle.rs",
];

/// What only the edge may name.
const FORBIDDEN: [&str; 24] = [
    "std::fs",
    "std::env",
    "std::process",
    "std::net",
    "std::io",
    "std::thread",
    "SystemTime",
    "Instant",
    "tokio",
    "octocrab",
    "hyper",
    "chrono",
    "rand::",
    "getrandom",
    "crate::forge",
    "crate::settle",
    "crate::plan",
    "crate::play",
    "crate::runner",
    "crate::cli",
    "crate::doctor",
    "crate::host",
    "crate::init",
    "crate::rehearsal",
];

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// A file without its comments and without its tests.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_core_does_not_reach_for_the_edge() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = Vec::new();
    sources(&root, &mut all);
    let core: Vec<_> = all
        .iter()
        .filter(|path| {
            let first = path.strip_prefix(&root).unwrap().components().next().unwrap();
            !EDGE.iter().any(|edge| first.as_os_str() == *edge)
        })
        .collect();
    assert!(core.len() > 10 && core.len() < all.len(), "the files were found: {core:?}");
    for path in core {
        let code = code(path);
        for word in FORBIDDEN {
            // The layout of JSON is written to memory, by a serializer whose trait names what it writes to.
            if word == "std::io" && path.ends_with("src/pretty.rs") {
                assert!(!code.contains("stdout") && !code.contains("stderr") && !code.contains("stdin"));
                continue;
            }
            assert!(!code.contains(word), "{} names `{word}`", path.display());
        }
    }
    for edge in EDGE {
        assert!(root.join(edge).exists(), "{edge} is a part of the edge");
    }
}

#[test]
fn a_game_never_sees_people_comments_or_markdown() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/games");
    let mut games = Vec::new();
    sources(&root, &mut games);
    assert!(!games.is_empty());
    for path in games {
        let code = code(&path);
        for word in [
            "said::Author",
            "said::Source",
            "crate::answer",
            "crate::command",
            "crate::record",
            "crate::table",
            "pulldown",
            "serde_json::from_str",
        ] {
            let own_test = path.ends_with("conformance.rs");
            assert!(own_test || !code.contains(word), "{} names `{word}`", path.display());
        }
    }
}
