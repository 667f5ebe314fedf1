//! A player with several games finds those that wait, with `/mine` and in GitHub's list of assigned issues.

use interop::rules;
use protocol::Label;
use serde_json::{Value, json};
use testkit::payloads::{issue, issues, person};
use testkit::quick_or_full;
use testkit::server::Server;
use testkit::world::Request;

use super::{Arc, Runner, new_world, request_kinds};

/// Returns a legal move at a table, and the player who makes it.
fn next_move(server: &Server, table: u64) -> (String, String) {
    let record: Value = serde_json::from_str(&server.world.file(&format!("state/{table}.json")).unwrap()).unwrap();
    let request = json!({
        "game": record["game"], "config": record["config"], "position": record["position"], "choose": { "level": 4 },
    });
    let response: Value = serde_json::from_str(&rules::respond(&request.to_string())).unwrap();
    let mv = response["chosen"]["notation"].as_str().unwrap().to_owned();
    let seat = record["currentPlayer"].as_str().unwrap();
    (mv, record["seats"][seat]["login"].as_str().unwrap().to_owned())
}

/// Returns the issues that are assigned to a person, as GitHub lists them.
fn assigned(server: &Server, login: &str) -> Vec<u64> {
    let id = server.world.id_of(login);
    server.world.with_state(|state| {
        let issues = state.issues.iter().filter(|(_, issue)| !issue.closed && issue.assignees.contains(&id));
        issues.map(|(number, _)| *number).collect()
    })
}

/// Returns the games that wait for the asker, from an answer to `/mine`.
fn waiting(answer: &str) -> Vec<u64> {
    let table = answer.split_once("| Your turn |").map_or("", |(_, rest)| rest.split("\n\n").next().unwrap());
    let rows = table.lines().filter_map(|row| row.split_once("[#")?.1.split_once(']'));
    let mut numbers: Vec<u64> = rows.map(|(number, _)| number.parse().unwrap()).collect();
    numbers.sort_unstable();
    numbers
}

#[test]
fn a_player_finds_the_games_that_wait() {
    let world = Arc::new(new_world());
    let server = Server::start(world.clone());
    let runner = Runner::new(&server).with("PLAY_BY_COMMIT_ASSIGN", "true");
    let openings = ["chess @bob", "ultimate-tic-tac-toe @bob", "othello @bob", "hex @bob", "checkers @bob"];
    for (number, opening) in (1..).zip(openings) {
        let opening = format!("/new {opening}");
        assert_eq!(world.open_issue("alice", &opening), number);
        world.change(|state| state.set_title(number, "A game of ..."));
        let payload = issue(number, person("alice", world.id_of("alice")), json!(opening));
        runner.run_event("issues", &issues("opened", payload)).succeeds();
    }
    // Each comment takes a second there, so at the end the clocks disagree.
    let run = |issue, login: &str, text: &str| {
        let ran = runner.comment_and_run(issue, login, text);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    };
    let all: Vec<u64> = (1..).take(openings.len()).collect();
    let mut answer = String::new();
    for nth in 0..quick_or_full(4, 10) {
        for login in ["alice", "bob"] {
            for table in &all {
                let (mv, player) = next_move(&server, *table);
                if player != login {
                    continue;
                }
                world.clear_log();
                run(*table, login, &mv);
                assert_eq!(request_kinds(&world), [Request::Read, Request::Commit, Request::Answer], "{mv}");
                let is_hers = |table: &u64| next_move(&server, *table).1 == "alice";
                let hers: Vec<u64> = all.iter().copied().filter(is_hers).collect();
                assert_eq!(assigned(&server, "alice"), hers, "move {nth} of {login} at {table}");
                if table % 3 == 0 {
                    run(1, "alice", "/mine");
                    answer = world.answers(1).pop().unwrap();
                    assert_eq!(waiting(&answer), hers, "{answer}");
                }
            }
        }
    }
    assert_eq!(waiting(&answer), [1, 2, 3], "{answer}");
    let labels = world.with_state(|state| state.labels.clone());
    assert!(!labels.contains(Label::OpenSeat.name()), "all seats were reserved");
    let titles = world.with_state(|state| state.issues.values().map(|issue| issue.title.clone()).collect::<Vec<_>>());
    let games = ["Chess", "Ultimate tic-tac-toe", "Othello", "Hex", "Checkers"];
    assert_eq!(titles, games.map(|game| format!("{game}: alice – bob")));
}
