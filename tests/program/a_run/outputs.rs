//! The outputs and the summary of the step.

use play_by_commit::report::output_line;
use serde_json::{Value, json};
use testkit::server::{Server, canned, message};
use testkit::world::{Request, World};

use super::{RunResult, Runner, issue, issues, person, schedule, world_with_missed_commands, world_with_table};

/// Asserts that the step has these outputs, one on each line, and four more.
#[track_caller]
fn assert_outputs(ran: &RunResult, [game, status, applied, refused]: [&str; 4], commit: &str) {
    let expected = format!("game={game}\nstatus={status}\napplied={applied}\nrefused={refused}\ncommit={commit}\n");
    let rest = ran.outputs.strip_prefix(&expected).unwrap_or_else(|| panic!("the outputs lack {expected}: {ran:?}"));
    let names = rest.lines().filter_map(|line| line.split_once('=').or(line.split_once("<<"))).map(|(name, _)| name);
    assert_eq!(names.collect::<Vec<_>>(), ["result", "winner", "players", "url"], "{ran:?}");
}

/// Asserts that the step has these outputs about the games that ended, or about the game in the issue.
#[track_caller]
fn assert_results(ran: &RunResult, [result, winner, players, url]: [&str; 4]) {
    let all = [("result", result), ("winner", winner), ("players", players), ("url", url)];
    let expected: String = all.iter().map(|(name, value)| output_line(name, value)).collect();
    assert!(ran.outputs.ends_with(&expected), "the outputs lack {expected}: {ran:?}");
}

fn head_id(world: &World) -> String {
    world.head().unwrap().to_string()
}

/// Returns the rows of the table in the summary, without its header.
fn summary_rows(ran: &RunResult) -> Vec<&str> {
    ran.summary.lines().filter(|line| line.starts_with("| ")).skip(2).collect()
}

#[test]
fn reports_every_move_of_a_game() {
    let world = world_with_table();
    let server = Server::start(world.clone());
    let runner = Runner::new(&server);
    for (login, text, status) in [
        ("alice", "b2", "playing"),
        ("bob", "a1", "playing"),
        ("alice", "a3", "playing"),
        ("bob", "a2", "playing"),
        ("alice", "c1", "won"),
        ("bob", "/rematch", "playing"),
    ] {
        let ran = runner.comment_and_run(1, login, text);
        assert_outputs(ran.succeeds(), ["tic-tac-toe", status, "1", "0"], &head_id(&world));
        let (at, commit) = ("https://github.com/octo/games", head_id(&world));
        let row = format!(
            "| [#1]({at}/issues/1) | Tic-tac-toe | {status} | 1 applied | [`{}`]({at}/commit/{commit}) |",
            &commit[..7]
        );
        assert_eq!(summary_rows(&ran), [row]);
    }
}

#[test]
fn the_summary_names_a_missing_page() {
    let world = world_with_table();
    let server = Server::start(world.clone());
    let runner = Runner::new(&server).with("PLAY_BY_COMMIT_PAGES", "README.md,docs/none.md");
    let named = "docs/none.md: The input `pages` names this file, but the games' branch doesn't have it.";
    for ran in [runner.comment_and_run(1, "alice", "b2"), runner.run_event("schedule", &schedule())] {
        assert!(ran.code == Some(0) && ran.summary.matches(named).count() == 1, "{ran:?}");
        assert!(!ran.summary.contains("README.md"), "README.md is the default, and may be missing: {ran:?}");
    }
}

#[test]
fn reports_no_commit_if_nothing_changed() {
    let world = world_with_table();
    let server = Server::start(world.clone());
    let runner = Runner::new(&server);
    for (text, refused, deed) in
        [("/move z9", "1", Some("1 refused")), ("/board", "0", Some("1 shown")), ("Hi!", "0", None)]
    {
        let ran = runner.comment_and_run(1, "alice", text);
        assert_outputs(ran.succeeds(), ["tic-tac-toe", "playing", "0", refused], "");
        let row = deed.map(|deed| {
            format!("| [#1](https://github.com/octo/games/issues/1) | Tic-tac-toe | playing | {deed} |  |")
        });
        assert_eq!(summary_rows(&ran), Vec::from_iter(row), "{text}");
        assert_eq!(ran.summary.is_empty(), deed.is_none());
    }
}

#[test]
fn the_outputs_are_those_of_the_triggering_issue() {
    let world = world_with_table();
    let server = Server::start(world.clone());
    let runner = Runner::new(&server);
    // A link on a page opens an issue without a table of its own. Its move counts for table 1.
    let number = world.open_issue("alice", "/move b2 #1");
    let ran = runner.run_event("issues", &issues("opened", issue(number, person("alice", 1001), json!("/move b2 #1"))));
    assert_outputs(ran.succeeds(), ["", "", "1", "0"], &head_id(&world));
    assert!(summary_rows(&ran)[0].contains("[#1]"), "{ran:?}");
    // A refusal in an issue without a table.
    let number = world.open_issue("alice", "/new halma");
    let ran = runner.run_event("issues", &issues("opened", issue(number, person("alice", 1001), Value::Null)));
    assert_outputs(ran.succeeds(), ["", "", "0", "1"], "");
    assert!(summary_rows(&ran)[0].contains("| no table |  | 1 refused |"), "{ran:?}");
    // A moved table has its status in the new issue.
    let number = world.open_issue("bob", "/continue #1");
    let ran = runner.run_event("issues", &issues("opened", issue(number, person("bob", 1002), Value::Null)));
    assert_outputs(ran.succeeds(), ["tic-tac-toe", "playing", "1", "0"], &head_id(&world));
    let ran = runner.comment_and_run(1, "bob", "Where is it?");
    assert_outputs(ran.succeeds(), ["tic-tac-toe", "moved", "0", "0"], "");
    let ran = runner.comment_and_run(number, "alice", "/abort");
    assert_outputs(ran.succeeds(), ["tic-tac-toe", "aborted", "1", "0"], &head_id(&world));
}

#[test]
fn a_sweep_reports_a_row_for_each_table() {
    let world = world_with_missed_commands();
    let server = Server::start(world.clone());
    let ran = Runner::new(&server).run_event("schedule", &schedule());
    assert_outputs(ran.succeeds(), ["", "", "3", "0"], &head_id(&world));
    let tables: Vec<bool> =
        [1, 2, 4].iter().zip(summary_rows(&ran)).map(|(at, row)| row.starts_with(&format!("| [#{at}]"))).collect();
    assert_eq!((tables, summary_rows(&ran).len()), (vec![true; 3], 3), "{ran:?}");
}

#[test]
fn a_failed_run_reports_its_work() {
    let world = world_with_table();
    let server = Server::start(world.clone());
    server.glitch(Request::Answer, canned(403, message("Resource not accessible by integration")));
    let ran = Runner::new(&server).comment_and_run(1, "alice", "/move b2");
    assert_outputs(ran.fails_with("permissions"), ["tic-tac-toe", "playing", "1", "0"], &head_id(&world));
    assert!(summary_rows(&ran)[0].contains("1 applied"), "{ran:?}");
    // A run that fails before it starts sets all outputs, too.
    let ran = Runner::new(&server).with("PLAY_BY_COMMIT_TABLES", "everyone").comment_and_run(1, "bob", "/move a1");
    assert_outputs(ran.fails_with("`tables`"), ["", "", "0", "0"], "");
}

#[test]
fn unwritable_outputs_are_not_a_failure() {
    let world = world_with_table();
    let server = Server::start(world.clone());
    let ran =
        Runner::new(&server).with("GITHUB_OUTPUT", "no-such-directory/outputs").comment_and_run(1, "alice", "/move b2");
    assert!(ran.succeeds().err.contains("The outputs of the step can't be written"), "{ran:?}");
    assert_eq!(world.headlines().len(), 3);
}

#[test]
fn a_sweep_that_updates_a_page_reports_its_commit() {
    let world = world_with_table();
    world.land(&[("README.md", "<!-- play-by-commit:table 1 -->\n<!-- /play-by-commit:table -->\n")]);
    let (server, before) = (Server::start(world.clone()), head_id(&world));
    let ran = Runner::new(&server).run_event("schedule", &schedule());
    assert_outputs(ran.succeeds(), ["", "", "0", "0"], &head_id(&world));
    assert!(head_id(&world) != before && ran.summary.is_empty(), "{ran:?}");
}

const ISSUES: &str = "https://github.com/octo/games/issues";

#[test]
fn names_the_result_of_a_game_in_the_run_that_ends_it() {
    let world = world_with_table();
    let server = Server::start(world.clone());
    let runner = Runner::new(&server);
    let url = &format!("{ISSUES}/1");
    for (login, text) in [("alice", "b2"), ("bob", "a1"), ("alice", "a3"), ("bob", "a2")] {
        assert_results(runner.comment_and_run(1, login, text).succeeds(), ["", "", "alice, bob", url]);
    }
    let won = "Tic-tac-toe: alice (X) won: 3 in a row.";
    assert_results(runner.comment_and_run(1, "alice", "c1").succeeds(), [won, "alice", "alice, bob", url]);
    // Only that run names it.
    for (login, text) in [("bob", "gg"), ("bob", "/board"), ("bob", "/rematch")] {
        let players = if text == "/rematch" { "bob, alice" } else { "alice, bob" };
        assert_results(runner.comment_and_run(1, login, text).succeeds(), ["", "", players, url]);
    }
    // Nobody wins a draw, and a game without a result has none.
    runner.comment_and_run(1, "bob", "b2").succeeds();
    runner.comment_and_run(1, "alice", "/draw").succeeds();
    let drawn = "Tic-tac-toe: The players agreed to a draw.";
    assert_results(runner.comment_and_run(1, "bob", "/accept").succeeds(), [drawn, "", "bob, alice", url]);
    runner.comment_and_run(1, "alice", "/rematch").succeeds();
    assert_results(runner.comment_and_run(1, "alice", "/abort").succeeds(), ["", "", "alice, bob", url]);
}

#[test]
fn names_each_result_of_a_run_for_several_games() {
    let world = world_with_table();
    let server = Server::start(world.clone());
    let runner = Runner::new(&server);
    let number = world.open_issue("carol", "/new tic-tac-toe computer");
    for (issue, login, text) in
        [(1, "alice", "b2"), (1, "bob", "/resign"), (number, "carol", "b2"), (number, "carol", "/resign")]
    {
        world.comment(issue, login, text);
    }
    let ran = runner.run_event("schedule", &schedule());
    let results = "Tic-tac-toe: bob (O) resigned. alice (X) won.\n\
                   Tic-tac-toe: carol (X) resigned. The computer (O) won.";
    let urls = format!("{ISSUES}/1\n{ISSUES}/{number}");
    assert_results(ran.succeeds(), [results, "alice\ncomputer", "alice, bob\ncarol, computer", &urls]);
    assert_results(runner.run_event("schedule", &schedule()).succeeds(), [""; 4]);
}

#[test]
fn names_the_side_that_wins_an_open_game() {
    let world = world_with_table();
    let server = Server::start(world.clone());
    let runner = Runner::new(&server);
    let number = world.open_issue("alice", "/new tic-tac-toe seats=open");
    for (login, text) in [("alice", "b2"), ("bob", "a1"), ("alice", "a3"), ("carol", "a2")] {
        world.comment(number, login, text);
    }
    runner.run_event("schedule", &schedule()).succeeds();
    // The winning move comes from a link on a page, which opens its own issue.
    let link = world.open_issue("bob", &format!("/move c1 #{number}"));
    let ran = runner
        .run_event("issues", &issues("opened", issue(link, person("bob", 1002), json!(format!("/move c1 #{number}")))));
    let won = "Tic-tac-toe: X won: 3 in a row.";
    assert_results(ran.succeeds(), [won, "X", "", &format!("{ISSUES}/{number}")]);
}
