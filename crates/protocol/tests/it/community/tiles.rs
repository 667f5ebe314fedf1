//! The small pictures of boards that are clicked: there whenever a page shows them, committed once, and brought back.

use std::sync::Arc;

use testkit::world::Request;

use super::{Page, Part, Town};
use testkit::browser::pictures;

/// A page that shows the board of table 1, under a heading.
fn page() -> Page {
    Page { parts: vec![Part::Text("# Play\n\n"), Part::Table(1)], crlf: false }
}

/// The paths of the small pictures that the README shows, each once.
fn tiles(town: &Town) -> Vec<String> {
    let all = pictures(&town.readme()).into_iter().filter_map(|address| {
        let path = address.strip_prefix("https://github.example/host/games/raw/HEAD/")?;
        path.starts_with("state/tiles/").then(|| path.to_owned())
    });
    let mut all: Vec<String> = all.collect();
    all.sort();
    all.dedup();
    all
}

/// Every picture that is shown is there, and is called by what is in it: no two have the same text.
#[track_caller]
fn are_there(town: &Town) {
    let texts: Vec<String> =
        tiles(town).iter().map(|path| town.world.file(path).unwrap_or_else(|| panic!("{path} is missing"))).collect();
    assert!(!texts.is_empty() && texts.iter().all(|text| text.starts_with("<svg ")));
    let mut different = texts.clone();
    different.sort();
    different.dedup();
    assert_eq!(different.len(), texts.len());
}

/// Takes a file out of the newest commit.
fn delete(town: &Town, path: &str) {
    let head = town.world.head().unwrap().to_string();
    town.world.change(|state| {
        let commit = Arc::make_mut(&mut state.commits).get_mut(&head).unwrap();
        drop(Arc::make_mut(&mut commit.files).remove(path));
    });
}

#[test]
fn they_come_with_the_first_page_that_shows_them_and_stay_as_they_are() {
    let town = Town::new(&page().fresh());
    town.opens("alice", "/new tic-tac-toe @bob");
    are_there(&town);
    assert_eq!(tiles(&town).len(), 5, "a free cell, three numbers and a row of letters");
    town.says(1, "alice", "b2");
    are_there(&town);
    // Somebody has another idea of what a free cell looks like: it is on the page, so no move writes it again.
    let free =
        tiles(&town).into_iter().find(|path| town.world.file(path).is_some_and(|text| !text.contains("<g "))).unwrap();
    town.world.land(&[(&free, "<svg of their own")]);
    town.world.clear_log();
    town.says(1, "bob", "a1");
    assert_eq!(town.world.count(Request::Any), 4, "they cost no request");
    assert_eq!(town.world.file(&free).unwrap(), "<svg of their own");
    // Off the page it is forgotten, and comes again.
    town.world.land(&[("README.md", &page().fresh())]);
    town.says(1, "alice", "c3");
    are_there(&town);
}

#[test]
fn two_tables_share_them() {
    let both = Page { parts: vec![Part::Table(1), Part::Text("\n\n"), Part::Table(2)], crlf: true };
    let town = Town::new(&both.fresh());
    town.opens("alice", "/new tic-tac-toe @bob");
    let first = tiles(&town);
    town.opens("carol", "/new tic-tac-toe @dave");
    assert_eq!(tiles(&town), first);
    town.says(2, "carol", "b2");
    are_there(&town);
    town.says(1, "alice", "b2");
    are_there(&town);
}

#[test]
fn what_no_page_shows_is_not_committed() {
    let all = |town: &Town| {
        let head = town.world.head().unwrap().to_string();
        town.world.look(|state| state.commits[&head].files.keys().filter(|path| path.contains("/tiles/")).count())
    };
    let town = Town::new("# Play\n");
    town.opens("alice", "/new tic-tac-toe @bob");
    town.says(1, "alice", "b2");
    assert_eq!(all(&town), 0, "no page asks for a board");
    // Nor is a page that is left alone, because it would be too long.
    let long = format!("{}{}", page().fresh(), "a".repeat(399_900 - page().fresh().len()));
    town.world.land(&[("README.md", &long)]);
    town.says(1, "bob", "a1");
    assert_eq!((all(&town), town.readme()), (0, long));
}

#[test]
fn the_sweep_brings_back_what_was_deleted() {
    let town = Town::new(&page().fresh());
    town.opens("alice", "/new chess seats=open");
    let (all, readme) = (tiles(&town), town.readme());
    let head = town.world.head();
    town.sweep();
    assert_eq!(town.world.head(), head, "nothing is missing");
    for path in [&all[0], &all[all.len() - 1]] {
        delete(&town, path);
    }
    town.sweep();
    are_there(&town);
    assert_eq!(town.world.headlines().last().unwrap(), "Restore the small pictures of the boards");
    assert_eq!(town.readme(), readme);
    let head = town.world.head();
    town.sweep();
    assert_eq!(town.world.head(), head);
}

/// A page that was copied from elsewhere shows nothing of ours.
#[test]
fn pictures_of_another_repository_are_not_taken_for_ours() {
    let town = Town::new(&page().fresh());
    town.opens("alice", "/new tic-tac-toe @bob");
    let elsewhere = town.readme().replace("/host/games/", "/guest/games/");
    let all = tiles(&town);
    town.world.land(&[("README.md", &elsewhere)]);
    for path in &all {
        delete(&town, path);
    }
    town.says(1, "alice", "b2");
    are_there(&town);
}
