//! `run --dry-run` writes nothing, and shows exactly what a real run then does.

use std::process::{Command, Stdio};
use std::sync::Arc;

use setup::{WORKFLOW, WORKFLOW_PATH, unified_diff};
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
    let reads = [Request::Read, Request::Files, Request::Page, Request::Exists, Request::Account, Request::Sweep];
    let reads = [&reads[..], &[Request::Folder, Request::Settings]].concat();
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
        command.env_clear().env("GH_ENTERPRISE_TOKEN", TOKEN).stdin(Stdio::null());
        command.env("GITHUB_API_URL", &server.api_url).env("GITHUB_SERVER_URL", "https://github.com");
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
fn a_dry_run_has_the_inputs_of_the_workflow() {
    let world = world_with_table();
    let server = Server::start(world.clone());
    let runner = Runner::new(&server);
    let home = |issue: u64, more: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_play-by-commit"));
        command.args(["run", "--dry-run", "--repository", &format!("{OWNER}/{NAME}"), "--issue", &issue.to_string()]);
        command.env_clear().env("GH_ENTERPRISE_TOKEN", TOKEN).env("GITHUB_API_URL", &server.api_url);
        command.envs(more.iter().copied()).stdin(Stdio::null());
        command
    };
    // Without a workflow, the inputs are unknown.
    let shown = run_without_writes(&runner, home(1, &[]));
    assert!(shown.contains("Note: no workflow here uses play-by-commit, so the default inputs count."), "{shown}");
    // The record moves to another branch and directory.
    let record = world.file("state/1.json").unwrap();
    world.change(|state| {
        state.branches.insert("play".to_owned(), state.branches["main"].clone());
        state.land("play", &[("games/1.json".to_owned(), record.clone())], "Move", "");
    });
    world.land(&[
        ("state/1.json", "{}"),
        (
            WORKFLOW_PATH,
            &format!(
                "{WORKFLOW}          branch: play\n          state-dir: games\n          games: hex\n          dice-secret: ${{{{ secrets.DICE }}}}\n"
            ),
        ),
    ]);
    world.comment(1, "alice", "b2");
    let shown = run_without_writes(&runner, home(1, &[]));
    assert!(shown.contains("Table 1: alice (X) played b2") && shown.contains("\ngames/1.json: "), "{shown}");
    let note = "Note: .github/workflows/play.yml has an expression for `dice-secret`; set its value in PLAY_BY_COMMIT_DICE_SECRET.";
    assert!(shown.starts_with(note) && shown.matches("Note:").count() == 1, "{shown}");
    // A game that isn't allowed, and an input from the environment.
    world.open_issue("carol", "/new tic-tac-toe");
    let shown = run_without_writes(&runner, home(2, &[]));
    assert!(shown.contains("confused") && !shown.contains("Would commit"), "{shown}");
    let shown = run_without_writes(&runner, home(2, &[("PLAY_BY_COMMIT_GAMES", "tic-tac-toe")]));
    assert!(shown.contains("Would commit"), "{shown}");
    for missing in [3, u64::MAX] {
        let ran = RunResult::from_output(home(missing, &[]).output().unwrap());
        assert!(ran.code == Some(1) && ran.err.contains(&format!("octo/games has no issue {missing}.")), "{ran:?}");
    }
}

/// In a clone from an Enterprise Server, requests go there, and no token goes to a server that it isn't for.
#[test]
fn a_token_goes_only_to_its_own_server() {
    let world = world_with_table();
    world.land(&[(WORKFLOW_PATH, WORKFLOW)]);
    world.comment(1, "alice", "b2");
    let (server, other) = (Server::start_enterprise(world.clone()), Server::start(new_world().into()));
    let clone = Runner::new(&server).dir.with_extension("clone");
    let git = |args: &[&str]| {
        assert!(Command::new("git").arg("-C").arg(&clone).args(args).output().unwrap().status.success());
    };
    std::fs::create_dir_all(&clone).unwrap();
    git(&["init", "--quiet"]);
    git(&["remote", "add", "origin", &format!("{}/{OWNER}/{NAME}.git", server.url)]);
    let run = |args: &[&str], variables: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_play-by-commit"));
        command.args(args).env_clear().env("PATH", std::env::var_os("PATH").unwrap()).current_dir(&clone);
        // A proxy would get requests for other hosts.
        command.env("https_proxy", &other.url).envs(variables.iter().copied()).stdin(Stdio::null());
        RunResult::from_output(command.output().unwrap())
    };
    let url = format!("{}/{OWNER}/{NAME}", server.url);
    let name = format!("{OWNER}/{NAME}");
    let commands = [
        &["doctor", "--online", &name][..],
        &["run", "--dry-run", "--repository", &name, "--issue", "1"],
        &["run", "--dry-run", "--repository", &url, "--issue", "1"],
    ];
    let [github, enterprise] = ["GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN"];
    for args in commands {
        let before = server.seen().len();
        // Neither the token of github.com nor an input of the action is for this server.
        let ran = run(args, &[(github, TOKEN), ("GH_TOKEN", TOKEN), ("PLAY_BY_COMMIT_TOKEN", TOKEN)]);
        assert!(ran.code == Some(1) && ran.err.contains("there is no token for 127.0.0.1"), "{ran:?}");
        assert_eq!(server.seen().len(), before, "{args:?}");
        let ran = run(args, &[(enterprise, TOKEN), (github, "ghp_of_github_com")]);
        assert!(ran.out.contains("played b2") || ran.out.contains("good: Issues are on."), "{ran:?}");
        let seen = &server.seen()[before..];
        assert!(!seen.is_empty() && seen.iter().all(|seen| seen.path.starts_with("/api/")), "{seen:?}");
        assert!(seen.iter().all(|seen| !format!("{:?}", seen.headers).contains("ghp_of_github_com")), "{seen:?}");
    }
    // The token of the Enterprise Server doesn't go to github.com either.
    let ran = run(&["doctor", "--online", "https://github.com/octo/games"], &[(enterprise, TOKEN)]);
    assert!(ran.code == Some(1) && ran.err.contains("there is no token for github.com"), "{ran:?}");
    // With the URL of an API, GraphQL is on the same server.
    let ran = run(commands[1], &[(enterprise, TOKEN), ("GITHUB_API_URL", &server.api_url)]);
    assert!(ran.out.contains("played b2"), "{ran:?}");
    assert_eq!(other.connections(), 0);
    std::fs::remove_dir_all(&clone).unwrap();
}

#[test]
fn explains_how_to_set_a_token() {
    for (args, words) in [
        (&["run", "--dry-run", "--repository", "octo/games", "--issue", "1"][..], "GITHUB_TOKEN=$(gh auth token)"),
        (&["run", "--dry-run", "--repository", "games", "--issue", "1"], "OWNER/NAME"),
        (&["doctor", "--online", "octo/games"], "GITHUB_TOKEN=$(gh auth token)"),
        (&["doctor", "--online", "games"], "OWNER/NAME"),
        (
            &["doctor", "--online", "git.corp.example/octo/games"],
            "GH_ENTERPRISE_TOKEN=$(gh auth token --hostname git.corp",
        ),
        (&["doctor", "--online", "https://git.corp.example/octo/games.git"], "no token for git.corp.example"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_play-by-commit"));
        let ran = RunResult::from_output(command.args(args).env_clear().output().unwrap());
        assert!(ran.code == Some(1) && ran.err.contains(words) && !ran.err.contains("the input"), "{ran:?}");
    }
}

#[test]
fn the_doctor_prints_no_counts_without_a_connection() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_play-by-commit"));
    command.args(["doctor", "--online", "octo/games"]).env_clear().env("GH_ENTERPRISE_TOKEN", TOKEN);
    command.env("GITHUB_API_URL", "http://127.0.0.1:1");
    let ran = RunResult::from_output(command.output().unwrap());
    assert!(
        ran.code == Some(1) && ran.out.is_empty() && ran.err.contains("The connection to 127.0.0.1:1 broke"),
        "{ran:?}"
    );
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
