//! The walls of the house, computed from the source: no file and no part imports in a circle, a part uses only those before it, the
//! core does no IO and knows no clock, and a game knows neither people nor Markdown.

mod graph;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use graph::Graph;

/// The parts, each of which uses only those before it.
const PARTS: [&str; 15] = [
    "game",
    "search",
    "games",
    "talk",
    "tables",
    "decisions",
    "answers",
    "interop",
    "standings",
    "pages",
    "gallery",
    "protocol",
    "forges",
    "host",
    "cli",
];

/// The files and folders of the edge. Everything else is core, and so is every new file.
const EDGE: [&str; 17] = [
    "cli/",
    "forges/",
    "gallery/build.rs",
    "gallery/build/",
    "gallery/record_file.rs",
    "host/",
    "interop/uci.rs",
    "protocol/answering.rs",
    "protocol/bundle.rs",
    "protocol/clock.rs",
    "protocol/forge.rs",
    "protocol/ledger.rs",
    "protocol/page_refresh.rs",
    "protocol/patience.rs",
    "protocol/reading.rs",
    "protocol/run.rs",
    "protocol/settle.rs",
];

/// The crates that the core may use; `clippy` and `rustfmt` for the names of lints.
const CRATES: [&str; 16] = [
    "anyhow",
    "chrono",
    "clippy",
    "cozy_chess",
    "hex",
    "hmac",
    "maud",
    "percent_encoding",
    "pulldown_cmark",
    "rustfmt",
    "schemars",
    "serde",
    "serde_json",
    "sha2",
    "skillratings",
    "strsim",
];

/// The modules of `std` that the core may use.
const STD: [&str; 17] = [
    "any",
    "array",
    "borrow",
    "cell",
    "cmp",
    "collections",
    "error",
    "f64",
    "fmt",
    "hash",
    "iter",
    "marker",
    "mem",
    "num",
    "ops",
    "rc",
    "str",
];

/// The macros that write to the outside.
const PRINTING: [&str; 5] = ["print!", "println!", "eprint!", "eprintln!", "dbg!"];

/// The exceptions of single files: pages
/// and other programs show calendar times, which need no clock.
const EXCEPTIONS: [(&str, &str); 5] = [
    ("tables/calendar.rs", "chrono::DateTime"),
    ("tables/calendar.rs", "chrono::NaiveDate"),
    ("tables/calendar.rs", "chrono::NaiveTime"),
    ("pages/table_list/rows.rs", "chrono::DateTime"),
    ("pages/table_list/rows.rs", "chrono::NaiveDateTime"),
];

/// Types that have functions of their own, and no module needs to be imported for.
const PRIMITIVES: [&str; 16] = [
    "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "str", "u8", "u16", "u32", "u64", "u128", "usize",
];

fn source() -> Graph {
    let graph = graph::read_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(graph.len() > 100, "the files were found");
    graph
}

fn part(file: &str) -> &str {
    file.split(['/', '.']).next().unwrap()
}

fn is_edge(file: &str) -> bool {
    EDGE.iter().any(|edge| file == *edge || edge.ends_with('/') && file.starts_with(edge))
}

/// The shortest circle through each node that is on one, each circle once: the nodes in their order.
fn circles<'a>(uses: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> BTreeSet<Vec<&'a str>> {
    let mut circles = BTreeSet::new();
    for start in uses.keys() {
        let mut ways: Vec<Vec<&str>> = vec![vec![start]];
        let mut seen = BTreeSet::new();
        let mut at = 0;
        while let Some(way) = ways.get(at).cloned() {
            at += 1;
            let nexts = uses.get(way.last().unwrap()).into_iter().flatten();
            if nexts.clone().any(|next| next == start) {
                let least = (0..way.len()).min_by_key(|at| way[*at]).unwrap();
                circles.insert([&way[least..], &way[..least]].concat());
                break;
            }
            ways.extend(nexts.filter(|next| seen.insert(**next)).map(|next| [&way[..], &[*next]].concat()));
        }
    }
    circles
}

fn report(what: &str, wrong: &[String]) {
    assert!(wrong.is_empty(), "{what}:\n- {}", wrong.join("\n- "));
}

#[test]
fn no_file_imports_in_a_circle() {
    let graph = source();
    let uses = graph.iter().map(|(file, imports)| (file.as_str(), imports.files.keys().map(String::as_str).collect()));
    let wrong: Vec<String> = circles(&uses.collect())
        .iter()
        .map(|circle| {
            let nexts = circle.iter().cycle().skip(1);
            let step = |(file, next): (&&str, &&str)| format!("{file} uses {} of {next}", graph[*file].files[*next]);
            circle.iter().zip(nexts).map(step).collect::<Vec<_>>().join(", ")
        })
        .collect();
    report("Files that import each other; what they share belongs into a file of its own", &wrong);
}

#[test]
fn a_part_uses_only_those_before_it() {
    let graph = source();
    let mut uses: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (file, imports) in graph.iter().filter(|(file, _)| !["lib.rs", "rules.rs"].contains(&file.as_str())) {
        let floor = |file: &str| PARTS.iter().position(|known| *known == part(file)).expect("a known part");
        for (other, name) in &imports.files {
            if floor(other) > floor(file) {
                wrong.push(format!("{file} uses {name} of {other}, which is above it"));
            }
            if part(other) != part(file) {
                uses.entry(part(file)).or_default().insert(part(other));
            }
        }
    }
    for part in PARTS {
        let below: Vec<&str> = uses.get(part).into_iter().flatten().copied().collect();
        println!("{part} -> {}", below.join(", "));
    }
    wrong.extend(circles(&uses).iter().map(|circle| format!("the parts {} use each other", circle.join(", "))));
    report("Imports that go up", &wrong);
}

#[test]
fn nothing_is_re_exported() {
    // The library shows the parts that are a crate of their own where everybody looks for them.
    let wrong: Vec<String> = source()
        .iter()
        .filter(|(file, _)| !["lib.rs", "rules.rs"].contains(&file.as_str()))
        .flat_map(|(file, imports)| imports.reexports.iter().map(move |item| format!("{file} re-exports {item}")))
        .collect();
    report("Every item has one path", &wrong);
}

#[test]
fn the_core_uses_nothing_but_what_is_pure() {
    let graph = source();
    for edge in EDGE {
        assert!(graph.keys().any(|file| file.starts_with(edge)), "{edge} is a part of the edge");
    }
    let mut wrong = Vec::new();
    for (file, imports) in graph.iter().filter(|(file, _)| !is_edge(file)) {
        for (other, name) in imports.files.iter().filter(|(other, _)| is_edge(other)) {
            wrong.push(format!("{file} uses {name} of {other}"));
        }
        let allowed = |path: &str| {
            let mut words = path.split("::");
            match words.next().unwrap() {
                "std" => STD.contains(&words.next().unwrap_or_default()),
                first if first.ends_with('!') => !PRINTING.contains(&first),
                first => CRATES.contains(&first) || PRIMITIVES.contains(&first),
            }
        };
        let excepted = |path: &str| EXCEPTIONS.iter().any(|(by, what)| by == file && path.starts_with(what));
        wrong.extend(
            imports
                .outside
                .iter()
                .filter(|path| !allowed(path) && !excepted(path))
                .map(|path| format!("{file} uses {path}")),
        );
    }
    report("The core does no IO, knows no clock and never looks over to the edge", &wrong);
}

#[test]
fn a_game_never_sees_people_comments_or_markdown() {
    let mut wrong = Vec::new();
    for (file, imports) in source().iter().filter(|(file, _)| ["game", "search", "games"].contains(&part(file))) {
        let people = imports.files.keys().filter(|other| !["game", "search", "games"].contains(&part(other)));
        let told = ["pulldown_cmark", "serde_json::from_str", "serde_path_to_error"];
        let texts = imports.outside.iter().filter(|path| told.iter().any(|word| path.starts_with(word)));
        wrong.extend(people.chain(texts).map(|name| format!("{file} uses {name}")));
    }
    report("A game knows its rules, its notation and its board, and nothing else", &wrong);
}
