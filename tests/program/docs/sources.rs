//! Checks that the pages for developers name files and functions that exist.

use std::fs;
use std::path::PathBuf;

use super::{Code, code, root};

/// The maximum number of functions on a comment's way to its commit.
const MAX_STOPS: usize = 15;

/// Returns the source file for a name such as `table/history.rs`; `None` if its first part isn't a crate.
fn source(name: &str) -> Option<PathBuf> {
    let (folder, file) = name.split_once('/')?;
    let sources = root().join("crates").join(folder).join("src");
    sources.is_dir().then(|| sources.join(file))
}

#[test]
fn architecture_names_files_that_exist() {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let names = code(&page).into_iter().filter_map(|code| match code {
        Code::Span(name) if name.ends_with(".rs") => Some(name),
        _ => None,
    });
    let sources: Vec<PathBuf> = names.filter_map(|name| source(&name)).collect();
    assert!(sources.len() > MAX_STOPS, "the files are found");
    let missing: Vec<&PathBuf> = sources.iter().filter(|file| !file.is_file()).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn a_comments_way_is_short_and_its_functions_exist() {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let rows = page.lines().filter_map(|line| {
        let (file, rest) = line.strip_prefix("| `")?.split_once("` | `")?;
        Some((source(file)?, rest.split_once('`')?.0.to_owned()))
    });
    let stops: Vec<(PathBuf, String)> = rows.collect();
    assert!((5..=MAX_STOPS).contains(&stops.len()), "{} stops", stops.len());
    for (file, function) in stops {
        let text = fs::read_to_string(&file).unwrap();
        let is_defined = ["(", "<"].iter().any(|next| text.contains(&format!("fn {function}{next}")));
        assert!(is_defined, "{} has no `{function}`", file.display());
    }
}
