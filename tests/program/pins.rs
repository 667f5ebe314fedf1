//! Every other action that the workflows, the templates and the pages name is pinned to the same commit, which runs on a version of
//! Node that GitHub's runners have.

use std::collections::BTreeMap;
use std::fs;

use super::docs::root;

/// An action with its version, the commit of that version, and the version of Node in its `action.yml`; 0 if it's composite.
///
/// To update one, look up its new commit with `git ls-remote --tags https://github.com/NAME`, and read its `action.yml` there.
const PINS: [(&str, &str, &str, u32); 8] = [
    ("actions/attest", "v4.2.2", "1e69f48acb82d1966a394da916b4c1698aa569d6", 24),
    ("actions/cache", "v6.1.0", "55cc8345863c7cc4c66a329aec7e433d2d1c52a9", 24),
    ("actions/checkout", "v7.0.1", "3d3c42e5aac5ba805825da76410c181273ba90b1", 24),
    ("actions/deploy-pages", "v5.0.0", "cd2ce8fcbc39b97be8ca5fce6e763baed58fa128", 24),
    ("actions/download-artifact", "v8.0.1", "3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c", 24),
    ("actions/upload-artifact", "v7.0.1", "043fb46d1a93c77aae656e7c1c64a875d1fc6a0a", 24),
    // It uses actions/upload-artifact v7.
    ("actions/upload-pages-artifact", "v5.0.0", "fc324d3547104276b827a68afc52ff2a11cc49c9", 0),
    ("play-by-commit/play-by-commit", "", "", 0),
];
/// The oldest version of Node that GitHub's runners have.
const OLDEST_NODE: u32 = 24;

/// Returns the paths of the files that name actions: YAML in these folders, and all pages.
fn files() -> Vec<String> {
    let mut found = vec!["action.yml".to_owned(), "README.md".to_owned(), "SECURITY.md".to_owned()];
    for folder in [".github/workflows", "crates/setup/src", "docs", "docs/games"] {
        let entries = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().file_name());
        let names = entries.map(|name| name.into_string().unwrap());
        found.extend(
            names.filter(|name| name.ends_with(".yml") || name.ends_with(".md")).map(|name| format!("{folder}/{name}")),
        );
    }
    found
}

#[test]
fn every_action_is_pinned_to_a_commit_that_runs() {
    let pins: BTreeMap<&str, _> =
        PINS.iter().map(|(name, version, commit, node)| (*name, (version, commit, node))).collect();
    let mut used = BTreeMap::new();
    for path in files() {
        let text = fs::read_to_string(root().join(&path)).unwrap();
        for line in text.lines() {
            let Some((_, uses)) =
                line.split_once("uses: ").filter(|(before, _)| before.trim_matches([' ', '-']).is_empty())
            else {
                continue;
            };
            let (action, reference) = uses.split_once('@').unwrap_or((uses, ""));
            if action.starts_with("./") {
                continue;
            }
            let name = action.splitn(3, '/').take(2).collect::<Vec<_>>().join("/");
            let (version, commit, node) = pins.get(&*name).unwrap_or_else(|| panic!("{path}: add {name} to PINS"));
            *used.entry(name.clone()).or_insert(0) += 1;
            if !commit.is_empty() {
                assert_eq!(reference, format!("{commit} # {version}"), "{path}: {line}");
            }
            assert!(**node == 0 || **node >= OLDEST_NODE, "{name} runs on Node {node}, which runners don't have");
        }
    }
    assert_eq!(used.len(), PINS.len(), "these are used: {used:?}");
}
