//! The settings file of a repository, as the step reads it.

use std::sync::Arc;

use protocol::SETTINGS_PATH;
use testkit::server::Server;
use testkit::world::{Request, World};

use super::{RunResult, Runner, created_payload, new_world, request_kinds};

/// Returns a repository with this settings file and an issue in which alice wrote `text`.
fn world_with(settings: &str, text: &str) -> Arc<World> {
    let world = new_world();
    world.land(&[(SETTINGS_PATH, settings)]);
    world.open_issue("alice", text);
    Arc::new(world)
}

fn run_comment(world: &Arc<World>, login: &str, text: &str, inputs: &[(&str, &str)]) -> RunResult {
    let server = Server::start(world.clone());
    let runner = Runner::new(&server);
    let runner = inputs.iter().fold(runner, |runner, (name, value)| runner.with(name, value));
    runner.comment_and_run(1, login, text)
}

#[test]
fn the_file_decides_about_games_and_costs_no_request() {
    let world = world_with("games: chess\n", "Hello.");
    run_comment(&world, "alice", "/new hex @bob", &[]).succeeds();
    assert_eq!(request_kinds(&world), [Request::Read, Request::React, Request::Answer]);
    assert!(world.answers(1)[0].contains("chess"), "{:?}", world.answers(1));
    run_comment(&world, "alice", "/new chess @bob", &[]).succeeds();
    world.clear_log();
    run_comment(&world, "alice", "/move e4", &[]).succeeds();
    assert_eq!(request_kinds(&world), [Request::Read, Request::Commit, Request::Answer]);
}

#[test]
fn the_games_can_be_on_the_branch_in_the_file() {
    let world = world_with("branch: games\nstate-dir: boards\n", "Hello.");
    run_comment(&world, "alice", "/new chess @bob", &[]).succeeds();
    run_comment(&world, "alice", "/move e4", &[("PLAY_BY_COMMIT_BRANCH", "games")]).succeeds();
    let has_record = |branch: &str| {
        world.with_state(|state| state.commits[&state.branches[branch]].files.contains_key("boards/1.json"))
    };
    assert!(has_record("games") && !has_record("main"));
    assert_eq!(world.answers(1).len(), 2);
}

#[test]
fn a_contradiction_ends_the_run() {
    let world = world_with("games: chess\n", "Hello.");
    let ran = run_comment(&world, "alice", "/new chess @bob", &[("PLAY_BY_COMMIT_GAMES", "hex")]);
    ran.fails_with(
        "the input `games: hex` contradicts `games: chess` in `.github/play-by-commit.yml`. Remove one of them",
    );
    assert_eq!((request_kinds(&world), world.answers(1).len()), (vec![Request::Read], 0));
}

#[test]
fn a_mistake_is_a_warning_of_the_run() {
    let world = world_with("tables: all\nclose: false\n", "Hello.");
    let ran = run_comment(&world, "alice", "/new chess @bob", &[]);
    let warning = "::warning title=Play by Commit::`.github/play-by-commit.yml`: line 1: set `tables` to `author`, `anyone` or \
                   `maintainers`. The default applies";
    assert!(ran.code == Some(0) && ran.out.contains(warning), "{ran:?}");
    assert_eq!(world.answers(1).len(), 1, "the run's page has the warning");
}

#[test]
fn the_owners_file_is_the_fallback() {
    let world = Arc::new(new_world());
    world.change(|state| state.shared_settings = Some("games: chess\n".to_owned()));
    world.open_issue("alice", "Hello.");
    run_comment(&world, "alice", "/new hex @bob", &[]).succeeds();
    assert!(world.answers(1)[0].contains("chess"), "{:?}", world.answers(1));
    world.land(&[(SETTINGS_PATH, "games: hex\n")]);
    run_comment(&world, "alice", "/new hex @bob", &[]).succeeds();
    assert!(world.file("state/1.json").is_some());
}

#[test]
fn a_dry_run_has_the_settings_of_the_file() {
    let world = world_with("games: chess\n", "Hello.");
    run_comment(&world, "alice", "/new chess @bob", &[]).succeeds();
    let issue = world.open_issue("alice", "Hello.");
    let comment = world.comment(issue, "alice", "/new hex @bob");
    let server = Server::start(world.clone());
    for (event, payload) in
        [("issue_comment", created_payload(&world, issue, comment)), ("schedule", testkit::payloads::schedule())]
    {
        let runner = Runner::new(&server);
        let mut step = runner.step(event, &payload.to_string());
        let ran = RunResult::from_output(step.arg("--dry-run").output().unwrap());
        let is_refusal = ran.out.contains("Would answer in issue 2:") && ran.out.contains("chess");
        assert!(ran.code == Some(0) && is_refusal, "{ran:?}");
    }
    assert_eq!(world.answers(issue).len(), 0);
}
