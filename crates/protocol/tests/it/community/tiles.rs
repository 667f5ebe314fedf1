//! The tiles of clickable boards: committed once, when a page first shows them, and restored by the sweep.

use std::sync::Arc;

use testkit::world::Request;

use super::{Page, Part, TestRepo};
use testkit::pictures;

/// A page that shows the board of table 1, under a heading.
fn page() -> Page {
    Page { parts: vec![Part::Text("# Play\n\n"), Part::Table(1)], crlf: false }
}

/// Returns the paths of the tiles that the README shows, without duplicates.
fn tiles(repo: &TestRepo) -> Vec<String> {
    let all = pictures(&repo.readme()).into_iter().filter_map(|address| {
        let path = address.strip_prefix("https://github.example/host/games/raw/HEAD/")?;
        path.starts_with("state/tiles/").then(|| path.to_owned())
    });
    let mut all: Vec<String> = all.collect();
    all.sort();
    all.dedup();
    all
}

/// Checks that every tile that the README shows exists, and that no two have the same content.
#[track_caller]
fn check_tiles(repo: &TestRepo) {
    let texts: Vec<String> =
        tiles(repo).iter().map(|path| repo.world.file(path).unwrap_or_else(|| panic!("{path} is missing"))).collect();
    assert!(!texts.is_empty() && texts.iter().all(|text| text.starts_with("<svg ")));
    let mut different = texts.clone();
    different.sort();
    different.dedup();
    assert_eq!(different.len(), texts.len());
}

/// Removes a file from the newest commit.
fn delete(repo: &TestRepo, path: &str) {
    let head = repo.world.head().unwrap().to_string();
    repo.world.change(|state| {
        let commit = Arc::make_mut(&mut state.commits).get_mut(&head).unwrap();
        drop(Arc::make_mut(&mut commit.files).remove(path));
    });
}

#[test]
fn tiles_are_committed_once_with_the_first_page_that_shows_them() {
    let repo = TestRepo::new(&page().fresh());
    repo.open_issue("alice", "/new tic-tac-toe @bob");
    check_tiles(&repo);
    assert_eq!(tiles(&repo).len(), 5, "a free cell, three numbers and a row of letters");
    repo.comment(1, "alice", "b2");
    check_tiles(&repo);
    // Somebody edits a tile. The page shows it already, so no move overwrites it.
    let free =
        tiles(&repo).into_iter().find(|path| repo.world.file(path).is_some_and(|text| !text.contains("<g "))).unwrap();
    repo.world.land(&[(&free, "<svg of their own")]);
    repo.world.clear_log();
    repo.comment(1, "bob", "a1");
    assert_eq!(repo.world.count(Request::Any), 3, "they cost no request");
    assert_eq!(repo.world.file(&free).unwrap(), "<svg of their own");
    // Without the board on the page, the next move writes the tiles again.
    repo.world.land(&[("README.md", &page().fresh())]);
    repo.comment(1, "alice", "c3");
    check_tiles(&repo);
}

#[test]
fn two_tables_share_their_tiles() {
    let both = Page { parts: vec![Part::Table(1), Part::Text("\n\n"), Part::Table(2)], crlf: true };
    let repo = TestRepo::new(&both.fresh());
    repo.open_issue("alice", "/new tic-tac-toe @bob");
    let first = tiles(&repo);
    repo.open_issue("carol", "/new tic-tac-toe @dave");
    assert_eq!(tiles(&repo), first);
    repo.comment(2, "carol", "b2");
    check_tiles(&repo);
    repo.comment(1, "alice", "b2");
    check_tiles(&repo);
}

#[test]
fn tiles_that_no_page_shows_are_not_committed() {
    let all = |repo: &TestRepo| {
        let head = repo.world.head().unwrap().to_string();
        repo.world.with_state(|state| state.commits[&head].files.keys().filter(|path| path.contains("/tiles/")).count())
    };
    let repo = TestRepo::new("# Play\n");
    repo.open_issue("alice", "/new tic-tac-toe @bob");
    repo.comment(1, "alice", "b2");
    assert_eq!(all(&repo), 0, "no page asks for a board");
    // A page that would get too long stays as it is, without tiles.
    let long = format!("{}{}", page().fresh(), "a".repeat(399_900 - page().fresh().len()));
    repo.world.land(&[("README.md", &long)]);
    repo.comment(1, "bob", "a1");
    assert_eq!((all(&repo), repo.readme()), (0, long));
}

#[test]
fn the_sweep_restores_deleted_tiles() {
    let repo = TestRepo::new(&page().fresh());
    repo.open_issue("alice", "/new chess seats=open");
    let (all, readme) = (tiles(&repo), repo.readme());
    let head = repo.world.head();
    repo.sweep();
    assert_eq!(repo.world.head(), head, "nothing is missing");
    for path in [&all[0], &all[all.len() - 1]] {
        delete(&repo, path);
    }
    repo.sweep();
    check_tiles(&repo);
    assert_eq!(repo.world.headlines().last().unwrap(), "Restore the small pictures of the boards");
    assert_eq!(repo.readme(), readme);
    let head = repo.world.head();
    repo.sweep();
    assert_eq!(repo.world.head(), head);
}

/// A page may be copied from another repository.
#[test]
fn tiles_of_another_repository_do_not_count() {
    let repo = TestRepo::new(&page().fresh());
    repo.open_issue("alice", "/new tic-tac-toe @bob");
    let elsewhere = repo.readme().replace("/host/games/", "/guest/games/");
    let all = tiles(&repo);
    repo.world.land(&[("README.md", &elsewhere)]);
    for path in &all {
        delete(&repo, path);
    }
    repo.comment(1, "alice", "b2");
    check_tiles(&repo);
}
