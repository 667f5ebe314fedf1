//! A file of the standings that is damaged: the game ends all the same, the host is told which file it is, and nothing is
//! written over it.

use std::collections::BTreeMap;

use protocol::repo_config::Trigger;
use standings::audit::audit;
use table::state_file;

use super::{Page, Part, Town, state_files};

/// A game of alice and bob that was counted, and its rematch in which bob is one move from winning.
pub(crate) fn one_move_from_winning() -> Town {
    let page = Page { parts: vec![Part::Table(1), Part::Text("\n\n"), Part::Standings(None)], crlf: false };
    let town = Town::new(&page.fresh());
    town.opens("alice", "/new tic-tac-toe @bob");
    for (login, notation) in [("alice", "b2"), ("bob", "a1"), ("alice", "a2"), ("bob", "b1"), ("alice", "c2")] {
        town.press(login, &town.link(notation));
    }
    town.says(1, "alice", "/rematch");
    for (login, notation) in [("bob", "b2"), ("alice", "a1"), ("bob", "a2"), ("alice", "b1")] {
        town.press(login, &town.link(notation));
    }
    assert_eq!(state_files(&town.world).keys().filter(|path| path.starts_with("players/")).count(), 3);
    town
}

/// The files of the standings at the head.
fn sheets(town: &Town) -> BTreeMap<String, String> {
    state_files(&town.world).into_iter().filter(|(path, _)| path.starts_with("players/")).collect()
}

/// Something is wrong with a file when a game ends. Gives the failure that is reported.
#[track_caller]
fn check(path: &str, spoil: impl FnOnce(&Town, &str, &str)) -> String {
    let town = one_move_from_winning();
    let good = town.world.file(&format!("state/{path}")).expect("it is there");
    spoil(&town, &format!("state/{path}"), &good);
    let (before, standings) = (sheets(&town), town.readme().split("standings -->").nth(1).unwrap().to_owned());
    let (issue, report) = town.press("bob", &town.link("c2"));
    assert_eq!((report.applied, report.failures.len()), (1, 1), "{report:?}");
    let failure = report.failures[0].clone();
    let (marker, answer) = town.one_answer(issue);
    assert_eq!(marker.commit, town.world.head());
    assert!(answer.contains("and won.") && !answer.contains("standings"), "players are not bothered: {answer}");
    assert_eq!(sheets(&town), before, "no file of the standings was written");
    let json = town.json(1);
    assert_eq!((json["status"].as_str(), json.get("counted")), (Some("won"), None));
    assert!(town.readme().contains(town.block(1).trim()), "the board is on the page");
    if !path.contains("tic-tac-toe") {
        assert_eq!(town.readme().split("standings -->").nth(1), Some(standings.as_str()));
    }

    // Play goes on, and once the file is as it was, so does the counting.
    town.says(1, "bob", "/rematch");
    town.world.change(|state| state.unreadable.clear());
    town.world.land(&[(&format!("state/{path}"), &good)]);
    town.says(1, "alice", "/move b2");
    town.says(1, "bob", "/move a1");
    let (_, report) = town.says(1, "bob", "/resign");
    assert_eq!(report.failures, Vec::<String>::new());
    assert_eq!(town.json(1)["counted"], 2);
    let records = ["1.json", "archive/1-1.json", "archive/1-2.json"].map(|path| {
        let text = town.world.file(&format!("state/{path}")).expect("a record");
        (path.to_owned(), state_file::load(&text, 1).unwrap())
    });
    let found = audit(records, &sheets(&town));
    assert_eq!((found.faults, found.results), (Vec::new(), 2));
    assert_eq!(found.uncounted, ["`archive/1-2.json` is finished, but it wasn't counted."]);
    failure
}

/// What the host is told: the file, what is wrong with it, and that the game is complete.
#[track_caller]
fn told(failure: &str, path: &str, why: &str) {
    let all = failure.starts_with("the result of table 1 isn't in the standings: ")
        && failure.ends_with(". The game itself is complete");
    assert!(all && failure.contains(path) && failure.contains(why), "{failure}");
    assert!(!failure.contains(".."), "sentences end once: {failure}");
}

#[test]
fn a_file_that_is_no_json() {
    for path in ["players/1001.json", "players/1002.json", "players/tic-tac-toe.json"] {
        let failure = check(path, |town, path, _| drop(town.world.land(&[(path, "<<<<<<< HEAD\n")])));
        told(&failure, path, "damaged");
    }
}

#[test]
fn a_file_that_was_edited() {
    for (path, from, to) in [
        ("players/1001.json", "\"wins\": 1", "\"wins\": 2"),
        ("players/1002.json", "\"login\": \"bob\"", "\"login\": \"b`ob\""),
        ("players/tic-tac-toe.json", "\"counted\": 1", "\"counted\": -1"),
    ] {
        let failure = check(path, |town, path, good| {
            let bad = good.replacen(from, to, 1);
            assert_ne!(bad, good);
            town.world.land(&[(path, &bad)]);
        });
        told(&failure, path, "damaged");
    }
}

#[test]
fn what_else_stops_a_run_does_not_hide_it() {
    let town = one_move_from_winning();
    town.opens("carol", "/new tic-tac-toe @dave");
    town.world.land(&[("state/2.json", "{}"), ("state/players/1001.json", "{}")]);
    // Nobody wakes for bob's move; the sweep settles it, and finds the other record damaged.
    town.world.open_issue("bob", &town.link("c2").posted());
    let error = town.wake(Trigger::Sweep).unwrap().unwrap_err().to_string();
    assert!(error.contains("state/2.json is damaged") && error.contains("`players/1001.json` is damaged"), "{error}");
}

#[test]
fn files_that_contradict_each_other() {
    // Each is good for itself, but bob has lost a game in the one and none in the other.
    let failure = check("players/1002.json", |town, path, good| {
        let other = good.replace("\"losses\": 1", "\"losses\": 0").replace("\"draws\": 0", "\"draws\": 1");
        assert_ne!(other, good);
        town.world.land(&[(path, &other)]);
    });
    told(&failure, "players/1002.json", "`players/tic-tac-toe.json`");
}

#[test]
fn a_file_that_cannot_be_read() {
    for (path, is_cut) in [("players/1001.json", true), ("players/tic-tac-toe.json", false)] {
        let failure = check(path, |town, path, _| {
            town.world.change(|state| _ = state.unreadable.insert(path.to_owned(), is_cut));
        });
        told(&failure, path, if is_cut { "cut short" } else { "binary" });
    }
}
