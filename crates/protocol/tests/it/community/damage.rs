//! Damaged standings files: the game still ends, the host learns which file it is, and the bot doesn't overwrite it.

use std::collections::BTreeMap;

use protocol::settle::settle_with_ledger;
use protocol::{HostNote, Ledger, Trigger};
use standings::audit::audit;
use table::{IssueNumber, state_file};
use testkit::world::run;

use super::{Page, Part, TestRepo, state_files};

/// Returns a repository with a counted game of alice and bob, and a rematch that bob can win with one move.
pub(crate) fn one_move_from_winning() -> TestRepo {
    let page = Page { parts: vec![Part::Table(1), Part::Text("\n\n"), Part::Standings(None)], crlf: false };
    let repo = TestRepo::new(&page.fresh());
    repo.open_issue("alice", "/new tic-tac-toe @bob");
    for (login, notation) in [("alice", "b2"), ("bob", "a1"), ("alice", "a2"), ("bob", "b1"), ("alice", "c2")] {
        repo.press(login, &repo.move_link(notation));
    }
    repo.comment(1, "alice", "/rematch");
    for (login, notation) in [("bob", "b2"), ("alice", "a1"), ("bob", "a2"), ("alice", "b1")] {
        repo.press(login, &repo.move_link(notation));
    }
    assert_eq!(state_files(&repo.world).keys().filter(|path| path.starts_with("players/")).count(), 3);
    repo
}

/// Returns the standings files at the head.
fn standings_files(repo: &TestRepo) -> BTreeMap<String, String> {
    state_files(&repo.world).into_iter().filter(|(path, _)| path.starts_with("players/")).collect()
}

/// Damages a standings file before a game ends, and checks that the game continues. Returns the reported failure.
#[track_caller]
fn end_game_with_damage(path: &str, damage: impl FnOnce(&TestRepo, &str, &str)) -> String {
    let repo = one_move_from_winning();
    let good = repo.world.file(&format!("state/{path}")).expect("the file exists");
    damage(&repo, &format!("state/{path}"), &good);
    let (before, standings) = (standings_files(&repo), repo.readme().split("standings -->").nth(1).unwrap().to_owned());
    let (issue, report) = repo.press("bob", &repo.move_link("c2"));
    assert_eq!((report.applied, report.failures.len()), (1, 1), "{report:?}");
    let HostNote::NotCounted(table, failure) = report.failures[0].clone() else { panic!("{report:?}") };
    assert_eq!(table, IssueNumber::new(1));
    let (marker, answer) = repo.only_answer(issue);
    assert_eq!(marker.commit, repo.world.head());
    assert!(answer.contains("and won: ") && !answer.contains("standings"), "the answer doesn't mention it: {answer}");
    assert_eq!(standings_files(&repo), before, "no standings file was written");
    let json = repo.json(1);
    assert_eq!((json["status"].as_str(), json.get("counted")), (Some("won"), None));
    assert!(repo.readme().contains(repo.expected_block(1).trim()), "the board is on the page");
    if !path.contains("tic-tac-toe") {
        assert_eq!(repo.readme().split("standings -->").nth(1), Some(standings.as_str()));
    }

    // Play continues, and so does the counting once the file is restored.
    repo.comment(1, "bob", "/rematch");
    repo.world.change(|state| state.unreadable.clear());
    repo.world.land(&[(&format!("state/{path}"), &good)]);
    repo.comment(1, "alice", "/move b2");
    repo.comment(1, "bob", "/move a1");
    let (_, report) = repo.comment(1, "bob", "/resign");
    assert_eq!(report.failures, []);
    assert_eq!(repo.json(1)["counted"], 2);
    let records = ["1.json", "archive/1-1.json", "archive/1-2.json"].map(|path| {
        let text = repo.world.file(&format!("state/{path}")).expect("a record");
        (path.to_owned(), state_file::load(&text, IssueNumber::new(1)).unwrap())
    });
    let found = audit(records, &standings_files(&repo));
    assert_eq!((found.faults, found.results), (Vec::new(), 2));
    assert_eq!(found.uncounted, ["`archive/1-2.json` is finished, but it wasn't counted."]);
    failure
}

/// Checks that a failure names the file and the reason, without a period at its end.
#[track_caller]
fn check_failure(failure: &str, path: &str, why: &str) {
    assert!(failure.contains(path) && failure.contains(why) && !failure.ends_with('.'), "{failure}");
}

#[test]
fn reports_a_standings_file_that_is_not_json() {
    for path in ["players/1001.json", "players/1002.json", "players/tic-tac-toe.json"] {
        let failure = end_game_with_damage(path, |repo, path, _| drop(repo.world.land(&[(path, "<<<<<<< HEAD\n")])));
        check_failure(&failure, path, "damaged");
    }
}

#[test]
fn reports_an_edited_standings_file() {
    for (path, from, to) in [
        ("players/1001.json", "\"wins\": 1", "\"wins\": 2"),
        ("players/1002.json", "\"login\": \"bob\"", "\"login\": \"b`ob\""),
        ("players/tic-tac-toe.json", "\"counted\": 1", "\"counted\": -1"),
    ] {
        let failure = end_game_with_damage(path, |repo, path, good| {
            let bad = good.replacen(from, to, 1);
            assert_ne!(bad, good);
            repo.world.land(&[(path, &bad)]);
        });
        check_failure(&failure, path, "damaged");
    }
}

#[test]
fn reports_it_even_if_another_error_ends_the_run() {
    let repo = one_move_from_winning();
    repo.open_issue("carol", "/new tic-tac-toe @dave");
    repo.world.land(&[("state/2.json", "{}"), ("state/players/1001.json", "{}")]);
    // Bob's move has no run of its own. The sweep settles it, and finds the other record damaged.
    repo.world.open_issue("bob", &repo.move_link("c2").posted());
    let mut ledger = Ledger::default();
    let settled = settle_with_ledger(&repo.world, &repo.config, Trigger::Sweep, &mut ledger);
    let error = run(settled).unwrap().unwrap_err().to_string();
    assert!(error.contains("state/2.json is damaged"), "{error}");
    let is_counting = |note: &HostNote| matches!(note, HostNote::NotCounted(_, why) if why.contains("`players/1001.json` is damaged"));
    assert!(ledger.notes.iter().any(is_counting), "{ledger:?}");
}

#[test]
fn reports_standings_files_that_contradict_each_other() {
    // Each file is valid, but bob has lost a game in one and none in the other.
    let failure = end_game_with_damage("players/1002.json", |repo, path, good| {
        let other = good.replace("\"losses\": 1", "\"losses\": 0").replace("\"draws\": 0", "\"draws\": 1");
        assert_ne!(other, good);
        repo.world.land(&[(path, &other)]);
    });
    check_failure(&failure, "players/1002.json", "`players/tic-tac-toe.json`");
}

#[test]
fn reports_an_unreadable_standings_file() {
    for (path, is_cut) in [("players/1001.json", true), ("players/tic-tac-toe.json", false)] {
        let failure = end_game_with_damage(path, |repo, path, _| {
            repo.world.change(|state| _ = state.unreadable.insert(path.to_owned(), is_cut));
        });
        check_failure(&failure, path, if is_cut { "cut short" } else { "binary" });
    }
}

#[test]
fn answers_about_a_damaged_standings_file_say_so_and_quote_nothing() {
    let ranking = ["/standings tic-tac-toe", "/standings", "/rating @carol"];
    let own_file = ["/standings tic-tac-toe", "/rating", "/rating @alice"];
    for (path, commands) in [("players/tic-tac-toe.json", ranking), ("players/1001.json", own_file)] {
        let repo = one_move_from_winning();
        repo.world.land(&[(&format!("state/{path}"), "{\"secret\": \"@mallory\"}\n")]);
        let before = state_files(&repo.world);
        let reply = |text: &str| {
            repo.comment(1, "alice", text);
            repo.world.answers(1).pop().unwrap()
        };
        for command in commands {
            let answer = reply(command);
            assert!(answer.contains("because a file of the standings is damaged."), "{command}, {path}: {answer}");
            assert!(!answer.contains("secret") && !answer.contains("mallory"), "{command}, {path}: {answer}");
        }
        // Files that the answer doesn't need can't spoil it.
        assert!(reply("/rating @bob").contains("Results of **bob**"), "{path}");
        assert_eq!(state_files(&repo.world), before, "{path}");
    }
}
