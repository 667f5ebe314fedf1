//! `run --dry-run`: it writes nothing, and what it shows is what a real run then does.

use std::process::{Command, Stdio};
use std::sync::Arc;

use setup::unified_diff::unified_diff;
use testkit::payloads::{issue, issues, person, schedule};
use testkit::server::{NAME, OWNER, Server, TOKEN};
use testkit::world::{Request, World};

use super::{Ran, Runner, created, kinds, new_world, table};

/// What a rehearsal says for this event; nothing was written meanwhile.
#[track_caller]
fn rehearse(runner: &Runner<'_>, event: &str, payload: &str) -> String {
    let mut step = runner.step(event, payload);
    step.arg("--dry-run");
    checked(runner, step)
}

#[track_caller]
fn checked(runner: &Runner<'_>, mut step: Command) -> String {
    let world = &runner.server.world;
    let before = world
        .look(|state| (state.commits.len(), state.branches.clone(), state.issues.clone(), state.reactions.clone()));
    world.clear_log();
    let ran = Ran::of(step.output().unwrap());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let reads = [Request::Read, Request::Files, Request::Page, Request::Exists, Request::Sweep];
    assert!(kinds(world).iter().all(|kind| reads.contains(kind)), "{:?}", kinds(world));
    let after = world
        .look(|state| (state.commits.len(), state.branches.clone(), state.issues.clone(), state.reactions.clone()));
    assert!(before == after, "a rehearsal has changed something: {ran:?}");
    assert!(!ran.out.contains(TOKEN) && !ran.out.lines().any(|line| line.trim_start().starts_with("::")), "{ran:?}");
    ran.out
}

fn barred(text: &str) -> String {
    text.lines().map(|line| format!("| {line}\n")).collect()
}

/// What a rehearsal has told is what has been done since: the commit, each of its files, and the answer.
#[track_caller]
fn told(world: &World, before: &World, shown: &str, issue: u64) {
    let commit = world.head().unwrap();
    let mut answer = world.answers(issue).pop().unwrap();
    let mut all = Vec::new();
    if before.head() != world.head() {
        answer = answer.replace(commit.as_str(), "COMMIT");
        all.push(barred(&world.message().unwrap()));
        let files = |world: &World, head: &str| world.look(|state| state.commits[head].files.clone());
        let (old, new) = (files(world, before.head().unwrap().as_str()), files(world, commit.as_str()));
        for (path, text) in new.iter().filter(|(path, text)| old.get(*path) != Some(*text)) {
            let was = old.get(path).map_or("new".to_owned(), |old| format!("{} bytes before", old.len()));
            all.push(format!("{path}: {} bytes, {was}.\n", text.len()));
            if !path.ends_with(".svg") {
                all.push(barred(&unified_diff(path, old.get(path).map_or("", String::as_str), text)));
            }
        }
    }
    all.push(barred(&answer));
    for part in all {
        assert!(shown.contains(&part), "it does not show\n{part}\nbut\n{shown}");
    }
}

fn copy(world: &World) -> World {
    let copy = World::new();
    let state = world.look(Clone::clone);
    copy.change(|copied| *copied = state);
    copy
}

#[test]
fn what_is_shown_is_what_is_done() {
    for (text, more) in [
        ("/move b2", "Would react to comment 5000000002 of issue 1 with rocket."),
        ("/move b9", "Would react to comment 5000000002 of issue 1 with confused."),
        ("/moves", "Would react to comment 5000000002 of issue 1 with eyes."),
        ("/resign", "README.md: "),
    ] {
        let world = table();
        world.land(&[("README.md", "# Games\n\n<!-- play-by-commit:table 1 -->\n<!-- /play-by-commit:table -->\n")]);
        let server = Server::start(world.clone());
        let runner = Runner::of(&server);
        let id = world.comment(1, "alice", text);
        let shown = rehearse(&runner, "issue_comment", &created(&world, 1, id).to_string());
        assert!(shown.contains(more) && shown.contains("Dry run: nothing was written."), "{text}: {shown}");
        let before = copy(&world);
        runner.wake(1, id).is_done();
        told(&world, &before, &shown, 1);
    }
}

#[test]
fn a_new_table_on_a_branch_that_is_not_there_yet() {
    let world = Arc::new(new_world());
    world.use_branch("play");
    let server = Server::start(world.clone());
    let runner = Runner::of(&server).with("PLAY_BY_COMMIT_BRANCH", "play");
    world.open_issue("alice", "/new tic-tac-toe @bob");
    let event = issues("opened", issue(1, person("alice", 1001), serde_json::json!("/new tic-tac-toe @bob")));
    let main = world.look(|state| state.branches["main"].clone());
    let shown = rehearse(&runner, "issues", &event.to_string());
    for words in [format!("Would create the games' branch at {main}"), "Would label issue 1".to_owned()] {
        assert!(shown.contains(&words), "{shown}");
    }
    let before = copy(&world);
    before.change(|state| state.branch = None);
    runner.on("issues", &event).is_done();
    told(&world, &before, &shown, 1);
}

#[test]
fn a_sweep_shows_the_next_command_of_each_thread_and_the_pages() {
    let world = table();
    world.land(&[("README.md", "<!-- play-by-commit:table 1 -->\n<!-- /play-by-commit:table -->\n")]);
    world.comment(1, "alice", "/move b2");
    world.comment(1, "bob", "/move a1");
    world.open_issue("carol", "/new tic-tac-toe size=4");
    let server = Server::start(world.clone());
    let shown = rehearse(&Runner::of(&server), "schedule", &schedule().to_string());
    for words in ["alice (X) played b2", "carol (X) started tic-tac-toe", "Update README.md"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert!(!shown.contains("bob (O) played a1"), "the second command of a thread follows from the first: {shown}");
}

#[test]
fn where_nothing_is_to_be_done_it_says_so() {
    let world = table();
    let server = Server::start(world.clone());
    let runner = Runner::of(&server);
    let id = world.comment(1, "carol", "Good luck!");
    assert_eq!(rehearse(&runner, "issue_comment", &created(&world, 1, id).to_string()), "Nothing to do.\n");
    let payload = super::issue_comment(
        "edited",
        issue(1, person("alice", 1001), "x".into()),
        super::comment(id, person("alice", 1001), "/move b2".into()),
    );
    let shown = rehearse(&runner, "issue_comment", &payload.to_string());
    assert_eq!(shown, "Nothing to do: games ignore this event.\n");
}

/// At home, with a token of somebody's own: the answers of the bot are those of the workflow's account.
#[test]
fn it_works_at_home() {
    let world = table();
    world.comment(1, "alice", "/move b2");
    let server = Server::start(world.clone());
    let runner = Runner::of(&server);
    let bot = world.look(|state| state.bot.clone());
    world.run_as("mona");
    let home = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_play-by-commit"));
        command.args(["run", "--dry-run", "--repository", &format!("{OWNER}/{NAME}"), "--issue", "1"]).args(more);
        command.env_clear().env("GITHUB_TOKEN", TOKEN).stdin(Stdio::null());
        command.env("GITHUB_API_URL", &server.api_url).env("GITHUB_GRAPHQL_URL", &server.graphql_url);
        checked(&runner, command)
    };
    let shown = home(&[]);
    assert!(shown.contains("Table 1: alice (X) played b2"), "{shown}");
    assert!(home(&["--as", "github-actions[bot]"]).contains("Table 1: alice (X) played b2"));
    // For an account that has said nothing here, too, the opening was answered: what an app has settled stays settled.
    let other = home(&["--as", "somebody"]);
    assert!(other.contains("Table 1: alice (X) played b2") && other.matches("Would answer").count() == 1, "{other}");
    let before = copy(&world);
    world.run_as(&bot);
    runner.wake(1, 5_000_000_002).is_done();
    told(&world, &before, &shown, 1);
}

#[test]
fn without_a_token_it_says_how_to_set_one() {
    for (args, words) in [
        (&["run", "--dry-run", "--repository", "octo/games", "--issue", "1"][..], "GITHUB_TOKEN=$(gh auth token)"),
        (&["run", "--dry-run", "--repository", "games", "--issue", "1"], "OWNER/NAME"),
        (&["doctor", "--online", "octo/games"], "GITHUB_TOKEN=$(gh auth token)"),
        (&["doctor", "--online", "octo/games", "--probe"], "GITHUB_TOKEN=$(gh auth token)"),
        (&["doctor", "--online", "games"], "OWNER/NAME"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_play-by-commit"));
        let ran = Ran::of(command.args(args).env_clear().output().unwrap());
        assert!(ran.code == Some(1) && ran.err.contains(words) && !ran.err.contains("the input"), "{ran:?}");
    }
}

#[test]
fn a_doctor_who_saw_nothing_counts_nothing() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_play-by-commit"));
    command.args(["doctor", "--online", "octo/games"]).env_clear().env("GITHUB_TOKEN", TOKEN);
    command.env("GITHUB_API_URL", "http://127.0.0.1:1");
    let ran = Ran::of(command.output().unwrap());
    assert!(ran.code == Some(1) && ran.out.is_empty() && ran.err.contains("connection"), "{ran:?}");
}

#[test]
fn what_stops_a_run_stops_a_rehearsal() {
    let world = table();
    world.land(&[("state/1.json", "{}")]);
    let server = Server::start(world.clone());
    let runner = Runner::of(&server);
    let id = world.comment(1, "alice", "/move b2");
    let mut step = runner.step("issue_comment", &created(&world, 1, id).to_string());
    let ran = Ran::of(step.arg("--dry-run").output().unwrap());
    assert!(ran.code == Some(1) && ran.err.contains("state/1.json is damaged"), "{ran:?}");
    for args in [&["--issue", "1"][..], &["--dry-run", "--issue", "1"], &["--as", "x"]] {
        let output =
            Command::new(env!("CARGO_BIN_EXE_play-by-commit")).arg("run").args(args).env_clear().output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
    }
}
