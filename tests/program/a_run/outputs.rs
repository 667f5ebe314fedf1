//! What the step hands on to the steps after it, and what it writes on the page of the run.

use serde_json::{Value, json};
use testkit::server::{Server, canned, message};
use testkit::world::{Request, World};

use super::{Ran, Runner, issue, issues, missed, person, schedule, table};

/// The outputs are exactly these five, in the form of one line each; the commit is this one.
#[track_caller]
fn check(ran: &Ran, [game, status, applied, refused]: [&str; 4], commit: &str) {
    let expected = format!("game={game}\nstatus={status}\napplied={applied}\nrefused={refused}\ncommit={commit}\n");
    assert_eq!(ran.outputs, expected, "{ran:?}");
}

fn head(world: &World) -> String {
    world.head().unwrap().to_string()
}

/// The rows below the head of the table in the summary.
fn rows(ran: &Ran) -> Vec<&str> {
    ran.summary.lines().filter(|line| line.starts_with("| ")).skip(2).collect()
}

#[test]
fn a_game_from_its_first_move_to_its_last() {
    let world = table();
    let server = Server::start(world.clone());
    let runner = Runner::of(&server);
    for (login, text, status) in [
        ("alice", "b2", "playing"),
        ("bob", "a1", "playing"),
        ("alice", "a3", "playing"),
        ("bob", "a2", "playing"),
        ("alice", "c1", "won"),
        ("bob", "/rematch", "playing"),
    ] {
        let ran = runner.comment(1, login, text);
        check(ran.is_done(), ["tic-tac-toe", status, "1", "0"], &head(&world));
        let (at, commit) = ("https://github.com/octo/games", head(&world));
        let row = format!(
            "| [#1]({at}/issues/1) | Tic-tac-toe | {status} | 1 applied | [`{}`]({at}/commit/{commit}) |",
            &commit[..7]
        );
        assert_eq!(rows(&ran), [row]);
    }
}

#[test]
fn the_summary_names_a_page_that_is_missing() {
    let world = table();
    let server = Server::start(world.clone());
    let runner = Runner::of(&server).with("PLAY_BY_COMMIT_PAGES", "README.md,docs/none.md");
    let named = "docs/none.md: The input `pages` names this file, but the games' branch doesn't have it.";
    for ran in [runner.comment(1, "alice", "b2"), runner.on("schedule", &schedule())] {
        assert!(ran.code == Some(0) && ran.summary.matches(named).count() == 1, "{ran:?}");
        assert!(!ran.summary.contains("README.md"), "README.md is the default, and may be missing: {ran:?}");
    }
}

#[test]
fn what_changes_nothing_has_no_commit() {
    let world = table();
    let server = Server::start(world.clone());
    let runner = Runner::of(&server);
    for (text, refused, deed) in
        [("/move z9", "1", Some("1 refused")), ("/board", "0", Some("1 shown")), ("Hi!", "0", None)]
    {
        let ran = runner.comment(1, "alice", text);
        check(ran.is_done(), ["tic-tac-toe", "playing", "0", refused], "");
        let row = deed.map(|deed| {
            format!("| [#1](https://github.com/octo/games/issues/1) | Tic-tac-toe | playing | {deed} |  |")
        });
        assert_eq!(rows(&ran), Vec::from_iter(row), "{text}");
        assert_eq!(ran.summary.is_empty(), deed.is_none());
    }
}

#[test]
fn the_game_is_the_one_of_the_issue_that_woke_the_run() {
    let world = table();
    let server = Server::start(world.clone());
    let runner = Runner::of(&server);
    // A link on a page opens an issue that is no table: what it did was done at table 1.
    let number = world.open_issue("alice", "/move b2 #1");
    let ran = runner.on("issues", &issues("opened", issue(number, person("alice", 1001), json!("/move b2 #1"))));
    check(ran.is_done(), ["", "", "1", "0"], &head(&world));
    assert!(rows(&ran)[0].contains("[#1]"), "{ran:?}");
    // A refusal where there is no table at all.
    let number = world.open_issue("alice", "/new halma");
    let ran = runner.on("issues", &issues("opened", issue(number, person("alice", 1001), Value::Null)));
    check(ran.is_done(), ["", "", "0", "1"], "");
    assert!(rows(&ran)[0].contains("| no table |  | 1 refused |"), "{ran:?}");
    // A table that moves is seen where it goes on.
    let number = world.open_issue("bob", "/continue #1");
    let ran = runner.on("issues", &issues("opened", issue(number, person("bob", 1002), Value::Null)));
    check(ran.is_done(), ["tic-tac-toe", "playing", "1", "0"], &head(&world));
    let ran = runner.comment(1, "bob", "Where is it?");
    check(ran.is_done(), ["tic-tac-toe", "moved", "0", "0"], "");
    let ran = runner.comment(number, "alice", "/abort");
    check(ran.is_done(), ["tic-tac-toe", "aborted", "1", "0"], &head(&world));
}

#[test]
fn a_sweep_has_a_row_for_each_table_and_no_game() {
    let world = missed();
    let server = Server::start(world.clone());
    let ran = Runner::of(&server).on("schedule", &schedule());
    check(ran.is_done(), ["", "", "3", "0"], &head(&world));
    let tables: Vec<bool> =
        [1, 2, 4].iter().zip(rows(&ran)).map(|(at, row)| row.starts_with(&format!("| [#{at}]"))).collect();
    assert_eq!((tables, rows(&ran).len()), (vec![true; 3], 3), "{ran:?}");
}

#[test]
fn a_run_that_fails_hands_on_what_it_had_done() {
    let world = table();
    let server = Server::start(world.clone());
    server.glitch(Request::Answer, canned(403, message("Resource not accessible by integration")));
    let ran = Runner::of(&server).comment(1, "alice", "/move b2");
    check(ran.failed("permissions"), ["tic-tac-toe", "playing", "1", "0"], &head(&world));
    assert!(rows(&ran)[0].contains("1 applied"), "{ran:?}");
    // And one that never began hands on nothing, under all five names.
    let ran = Runner::of(&server).with("PLAY_BY_COMMIT_TABLES", "everyone").comment(1, "bob", "/move a1");
    check(ran.failed("`tables`"), ["", "", "0", "0"], "");
}

#[test]
fn outputs_that_cannot_be_written_are_no_failure() {
    let world = table();
    let server = Server::start(world.clone());
    let ran = Runner::of(&server).with("GITHUB_OUTPUT", "no-such-directory/outputs").comment(1, "alice", "/move b2");
    assert!(ran.is_done().err.contains("the outputs of the step could not be written"), "{ran:?}");
    assert_eq!(world.headlines().len(), 3);
}

#[test]
fn a_sweep_that_fills_a_page_names_its_commit() {
    let world = table();
    world.land(&[("README.md", "<!-- play-by-commit:table 1 -->\n<!-- /play-by-commit:table -->\n")]);
    let (server, before) = (Server::start(world.clone()), head(&world));
    let ran = Runner::of(&server).on("schedule", &schedule());
    check(ran.is_done(), ["", "", "0", "0"], &head(&world));
    assert!(head(&world) != before && ran.summary.is_empty(), "{ran:?}");
}
