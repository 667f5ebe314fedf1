//! Helpers of the forges, for cases that no conversation reaches.

mod local_thread;

use std::time::Duration;

use git::{FILE_MODE, TreeEntry, error_message, parse_tree, parse_version, split_path};
use github::{MAX_QUOTE, one_line, split_api_url};
use protocol::Clock;

/// The machine's clock was set an hour back or ahead after the run started.
#[test]
fn the_clock_ignores_changes_of_the_machines_clock() {
    let right = Clock::start().now();
    for start in [right - Duration::from_millis(3_600_000), right + Duration::from_millis(3_600_000)] {
        let clock = Clock::start_at(start);
        assert!((start..start + Duration::from_millis(60_000)).contains(&clock.now()));
    }
}

#[test]
fn splits_an_api_url_into_origin_and_path() {
    for (url, expected) in [
        ("https://api.github.com", Some(("https://api.github.com", ""))),
        ("https://api.github.com/", Some(("https://api.github.com", ""))),
        ("https://api.github.com/graphql", Some(("https://api.github.com", "/graphql"))),
        ("http://ghe.example:8080/api/v3", Some(("http://ghe.example:8080", "/api/v3"))),
        ("https://ghe.example/api/graphql/", Some(("https://ghe.example", "/api/graphql"))),
        ("https://user@ghe.example/api", None),
        ("https://ghe.example/api?x=1", None),
        ("ftp://ghe.example", None),
        ("/api/v3", None),
        ("", None),
    ] {
        let found = split_api_url(url).ok();
        assert_eq!(found, expected.map(|(place, path)| (place.to_owned(), path.to_owned())), "{url}");
    }
}

#[test]
fn one_line_removes_control_characters_and_cuts() {
    assert_eq!(one_line("a\r\n::error::b\u{7}\u{2028}c   d"), "a ::error::b c d");
    assert_eq!(one_line(&"é".repeat(MAX_QUOTE + 1)), format!("{}…", "é".repeat(MAX_QUOTE)));
    assert_eq!(one_line(&"é".repeat(MAX_QUOTE)), "é".repeat(MAX_QUOTE));
}

#[test]
fn parses_the_git_versions_of_all_systems() {
    for (output, expected) in [
        ("git version 2.47.3", Some((2, 47))),
        ("git version 2.39.3 (Apple Git-146)", Some((2, 39))),
        ("git version 2.45.1.windows.1", Some((2, 45))),
        ("git version 3.0-rc1", Some((3, 0))),
        ("hub", None),
    ] {
        assert_eq!(parse_version(output), expected, "{output}");
    }
}

#[test]
fn an_error_message_is_one_line_without_hints() {
    let output = "hint: long advice\nerror: no room\nfatal: could not\tdo it\nhint: more\n";
    assert_eq!(error_message(output), "no room; could not do it");
    let output = "fatal: detected dubious ownership in repository at '/srv/games'\nTo add an exception for this directory, call:\n\n\tgit config --global --add safe.directory /srv/games\n";
    let trust = "to trust it, run: git config --global --add safe.directory /srv/games";
    assert_eq!(error_message(output), format!("detected dubious ownership in repository at '/srv/games'; {trust}"));
    assert_eq!(error_message("odd\u{1b}[2J\r\n\nthing\u{7}\n"), "odd [2J; thing");
}

#[test]
fn rejects_a_damaged_tree_object() {
    let mut tree = b"100644 a b\0".to_vec();
    tree.extend([0xab; 20]);
    let entries = parse_tree(&tree, 20).unwrap();
    assert_eq!(entries, [TreeEntry { mode: FILE_MODE.to_owned(), id: "ab".repeat(20), name: b"a b".to_vec() }]);
    for cut in 1..tree.len() {
        assert_eq!(parse_tree(&tree[..cut], 20), None, "cut at {cut}");
    }
}

#[test]
fn rejects_paths_outside_the_repository() {
    assert_eq!(split_path("state/ä b/1.json"), Ok(vec!["state", "ä b", "1.json"]));
    for path in ["", "/state", "state/", "a//b", "a/../b", "./a", ".GIT/config", "a\nb", "a\\b", "a\0b"] {
        assert!(split_path(path).is_err(), "{path:?}");
    }
}
