//! `run --dry-run` writes nothing, and shows exactly what a real run then does.

use std::process::{Command, Stdio};
use std::sync::Arc;

use setup::unified_diff::unified_diff;
use testkit::payloads::{issue, issues, person, schedule};
use testkit::server::{NAME, OWNER, Server, TOKEN};
use testkit::world::{Request, World};

use super::{RunResult, Runner, created_payload, new_world, request_kinds, world_with_table};

/// Returns the output of a dry run for this event, which must not write anything.
#[track_caller]
fn dry_run(runner: &Runner<'_>, event: &str, payload: &str) -> String {
    let mut step = runner.step(event, payload);
    step.arg("--dry-run");
    run_without_writes(runner, step)
}

#[track_caller]
fn run_without_writes(runner: &Runner<'_>, mut step: Command) -> String {
    let world = &runner.server.world;
    let before = world.with_state(|state| {
        (state.commits.len(), state.branches.clone(), state.issues.clone(), state.reactions.clone())
    });
    world.clear_log();
    let ran = RunResult::from_output(step.output().unwrap());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let reads = [Request::Read, Request::Files, Request::Page, Request::Exists, Request::Sweep];
    assert!(request_kinds(world).iter().all(|kind| reads.contains(kind)), "{:?}", request_kinds(world));
    let after = world.with_state(|state| {
        (state.commits.len(), state.branches.clone(), state.issues.clone(), state.reactions.clone())
    });
    assert!(before == after, "a dry run has changed something: {ran:?}");
    assert!(!ran.out.contains(TOKEN) && !ran.out.lines().any(|line| line.trim_start().starts_with("::")), "{ran:?}");
    ran.out
}

fn with_bars(text: &str) -> String {
    text.lines().map(|line| format!("| {line}\n")).collect()
}

/// Asserts that the dry run has shown the commit, its files and the answer that the real run made.
#[track_caller]
fn assert_done_as_shown(world: &World, before: &World, shown: &str, issue: u64) {
    let commit = world.head().unwrap();
    let mut answer = world.answers(issue).pop().unwrap();
    let mut all = Vec::new();
    if before.head() != world.head() {
        answer = answer.replace(commit.as_str(), "COMMIT");
        all.push(with_bars(&world.message().unwrap()));
        let files = |world: &World, head: &str| world.with_state(|state| state.commits[head].files.clone());
        let (old, new) = (files(world, before.head().unwrap().as_str()), files(world, commit.as_str()));
        for (path, text) in new.iter().filter(|(path, text)| old.get(*path) != Some(*text)) {
            let was = old.get(path).map_or("new".to_owned(), |old| format!("{} bytes before", old.len()));
            all.push(format!("{path}: {} bytes, {was}.\n", text.len()));
            if !path.ends_with(".svg") {
                all.push(with_bars(&unified_diff(path, old.get(path).map_or("", String::as_str), text)));
            }
        }
    }
    all.push(with_bars(&answer));
    for part in all {
        assert!(shown.contains(&part), "it does not show\n{part}\nbut\n{shown}");
    }
}

fn copy_of(world: &World) -> World {
    let copy = World::new();
    let state = world.with_state(Clone::clone);
    copy.change(|copied| *copied = state);
    copy
}

#[test]
fn a_dry_run_shows_what_a_run_does() {
    for (text, more) in [
        ("/move b2", "Would react to comment 5000000002 of issue 1 with rocket."),
        ("/move b9", "Would react to comment 5000000002 of issue 1 with confused."),
        ("/moves", "Would react to comment 5000000002 of issue 1 with eyes."),
        ("/resign", "README.md: "),
    ] {
        let world = world_with_table();
        world.land(&[("README.md", "# Games\n\n<!-- play-by-commit:table 1 -->\n<!-- /play-by-commit:table -->\n")]);
        let server = Server::start(world.clone());
        let runner = Runner::new(&server);
        let id = world.comment(1, "alice", text);
        let shown = dry_run(&runner, "issue_comment", &created_payload(&world, 1, id).to_string());
        assert!(shown.contains(more) && shown.contains("Dry run: nothing was written."), "{text}: {shown}");
        let before = copy_of(&world);
        runner.run_for_comment(1, id).succeeds();
        assert_done_as_shown(&world, &before, &shown, 1);
    }
}

#[test]
fn shows_a_new_table_on_a_missing_branch() {
    let world = Arc::new(new_world());
    world.use_branch("play");
    let server = Server::start(world.clone());
    let runner = Runner::new(&server).with("PLAY_BY_COMMIT_BRANCH", "play");
    world.open_issue("alice", "/new tic-tac-toe @bob");
    let event = issues("opened", issue(1, person("alice", 1001), serde_json::json!("/new tic-tac-toe @bob")));
    let main = world.with_state(|state| state.branches["main"].clone());
    let shown = dry_run(&runner, "issues", &event.to_string());
    for words in [format!("Would create the games' branch at {main}"), "Would label issue 1".to_owned()] {
        assert!(shown.contains(&words), "{shown}");
    }
    let before = copy_of(&world);
    before.change(|state| state.branch = None);
    runner.run_event("issues", &event).succeeds();
    assert_done_as_shown(&world, &before, &shown, 1);
}

#[test]
fn shows_the_next_command_of_each_thread_of_a_sweep() {
    let world = world_with_table();
    world.land(&[("README.md", "<!-- play-by-commit:table 1 -->\n<!-- /play-by-commit:table -->\n")]);
    world.comment(1, "alice", "/move b2");
    world.comment(1, "bob", "/move a1");
    world.open_issue("carol", "/new tic-tac-toe size=4");
    let server = Server::start(world.clone());
    let shown = dry_run(&Runner::new(&server), "schedule", &schedule().to_string());
    for words in ["alice (X) played b2", "carol (X) started tic-tac-toe", "Update README.md"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert!(!shown.contains("bob (O) played a1"), "the second command of a thread follows from the first: {shown}");
}

#[test]
fn says_that_there_is_nothing_to_do() {
    let world = world_with_table();
    let server = Server::start(world.clone());
    let runner = Runner::new(&server);
    let id = world.comment(1, "carol", "Good luck!");
    assert_eq!(dry_run(&runner, "issue_comment", &created_payload(&world, 1, id).to_string()), "Nothing to do.\n");
    let payload = super::issue_comment(
        "edited",
        issue(1, person("alice", 1001), "x".into()),
        super::comment(id, person("alice", 1001), "/move b2".into()),
    );
    let shown = dry_run(&runner, "issue_comment", &payload.to_string());
    assert_eq!(shown, "Nothing to do: games ignore this event.\n");
}

/// With a person's own token, the bot's answers are those of the workflow's account.
#[test]
fn works_outside_a_workflow() {
    let world = world_with_table();
    world.comment(1, "alice", "/move b2");
    let server = Server::start(world.clone());
    let runner = Runner::new(&server);
    let bot = world.with_state(|state| state.bot.clone());
    world.run_as("mona");
    let home = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_play-by-commit"));
        command.args(["run", "--dry-run", "--repository", &format!("{OWNER}/{NAME}"), "--issue", "1"]).args(more);
        command.env_clear().env("GITHUB_TOKEN", TOKEN).stdin(Stdio::null());
        command.env("GITHUB_API_URL", &server.api_url).env("GITHUB_GRAPHQL_URL", &server.graphql_url);
        run_without_writes(&runner, command)
    };
    let shown = home(&[]);
    assert!(shown.contains("Table 1: alice (X) played b2"), "{shown}");
    assert!(home(&["--as", "github-actions[bot]"]).contains("Table 1: alice (X) played b2"));
    // The record also counts for an account that has posted nothing here: commands that another app settled stay settled.
    let other = home(&["--as", "somebody"]);
    assert!(other.contains("Table 1: alice (X) played b2") && other.matches("Would answer").count() == 1, "{other}");
    let before = copy_of(&world);
    world.run_as(&bot);
    runner.run_for_comment(1, 5_000_000_002).succeeds();
    assert_done_as_shown(&world, &before, &shown, 1);
}

#[test]
fn explains_how_to_set_a_token() {
    for (args, words) in [
        (&["run", "--dry-run", "--repository", "octo/games", "--issue", "1"][..], "GITHUB_TOKEN=$(gh auth token)"),
        (&["run", "--dry-run", "--repository", "games", "--issue", "1"], "OWNER/NAME"),
        (&["doctor", "--online", "octo/games"], "GITHUB_TOKEN=$(gh auth token)"),
        (&["doctor", "--online", "octo/games", "--probe"], "GITHUB_TOKEN=$(gh auth token)"),
        (&["doctor", "--online", "games"], "OWNER/NAME"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_play-by-commit"));
        let ran = RunResult::from_output(command.args(args).env_clear().output().unwrap());
        assert!(ran.code == Some(1) && ran.err.contains(words) && !ran.err.contains("the input"), "{ran:?}");
    }
}

#[test]
fn the_doctor_prints_no_counts_without_a_connection() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_play-by-commit"));
    command.args(["doctor", "--online", "octo/games"]).env_clear().env("GITHUB_TOKEN", TOKEN);
    command.env("GITHUB_API_URL", "http://127.0.0.1:1");
    let ran = RunResult::from_output(command.output().unwrap());
    assert!(ran.code == Some(1) && ran.out.is_empty() && ran.err.contains("connection"), "{ran:?}");
}

#[test]
fn errors_of_a_run_are_errors_of_a_dry_run() {
    let world = world_with_table();
    world.land(&[("state/1.json", "{}")]);
    let server = Server::start(world.clone());
    let runner = Runner::new(&server);
    let id = world.comment(1, "alice", "/move b2");
    let mut step = runner.step("issue_comment", &created_payload(&world, 1, id).to_string());
    let ran = RunResult::from_output(step.arg("--dry-run").output().unwrap());
    assert!(ran.code == Some(1) && ran.err.contains("state/1.json is damaged"), "{ran:?}");
    for args in [&["--issue", "1"][..], &["--dry-run", "--issue", "1"], &["--as", "x"]] {
        let output =
            Command::new(env!("CARGO_BIN_EXE_play-by-commit")).arg("run").args(args).env_clear().output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
    }
}
