//! What the runner and the host tell the step: variables, inputs, addresses; and what of it may be printed.

use std::process::Command;

use serde_json::Value;
use testkit::payloads::{issue, issues, person, schedule};
use testkit::server::{Server, TOKEN};
use testkit::world::Request;

use super::{Runner, created, kinds, table};

/// With this variable changed (or taken away) the step fails with these words and asks GitHub nothing.
#[track_caller]
fn check_wrong(name: &str, value: Option<&str>, words: &str) {
    let world = table();
    let server = Server::start(world.clone());
    let runner = match value {
        Some(value) => Runner::of(&server).with(name, value),
        None => Runner::of(&server).without(name),
    };
    runner.comment(1, "alice", "/move b2").failed(words);
    assert_eq!(server.seen().len(), 0, "{name}");
}

#[test]
fn what_is_wrong_is_named() {
    for (name, value, words) in [
        ("PLAY_BY_COMMIT_TOKEN", None, "the input `token` is empty. Leave it out"),
        ("PLAY_BY_COMMIT_TOKEN", Some(" "), "the input `token`"),
        ("PLAY_BY_COMMIT_TOKEN", Some("a\nb"), "the input `token`"),
        ("PLAY_BY_COMMIT_BRANCH", Some("a b"), "the input `branch`"),
        ("PLAY_BY_COMMIT_BRANCH", Some("../play"), "the input `branch`"),
        ("PLAY_BY_COMMIT_BRANCH", Some("play\n::error::x"), "the input `branch`"),
        ("PLAY_BY_COMMIT_STATE_DIR", Some("../state"), "the input `state-dir`"),
        ("PLAY_BY_COMMIT_STATE_DIR", Some("/etc"), "the input `state-dir`"),
        ("PLAY_BY_COMMIT_STATE_DIR", Some(".git"), "a name can't begin with a dot"),
        ("PLAY_BY_COMMIT_STATE_DIR", Some("a//b"), "the input `state-dir`"),
        ("PLAY_BY_COMMIT_PAGES", Some("../README.md"), "the input `pages`"),
        ("PLAY_BY_COMMIT_PAGES", Some("/etc/motd"), "the input `pages`"),
        ("PLAY_BY_COMMIT_PAGES", Some("a.md,b.md,c.md,d.md,e.md"), "the input `pages`"),
        ("PLAY_BY_COMMIT_GAMES", Some("tic-tac-toe, halma"), "the input `games`"),
        ("PLAY_BY_COMMIT_TABLES", Some("everyone"), "the input `tables`"),
        ("PLAY_BY_COMMIT_SKIP_CI", Some("yes"), "set the input `skip-ci` to `true` or `false`"),
        ("PLAY_BY_COMMIT_SWEEP_DAYS", Some("0"), "the input `sweep-days`"),
        ("PLAY_BY_COMMIT_SWEEP_DAYS", Some("367"), "the input `sweep-days`"),
        ("PLAY_BY_COMMIT_SWEEP_DAYS", Some("a week"), "the input `sweep-days`"),
        ("GITHUB_REPOSITORY", None, "GITHUB_REPOSITORY isn't set: `run` only works as a workflow step"),
        ("GITHUB_REPOSITORY", Some("games"), "GITHUB_REPOSITORY isn't OWNER/NAME"),
        ("GITHUB_REPOSITORY", Some("octo/../games"), "isn't the name of a repository"),
        ("GITHUB_API_URL", Some("api.github.com"), "isn't the address of an API"),
        ("GITHUB_GRAPHQL_URL", Some("ftp://api.github.com"), "isn't the address of an API"),
        ("GITHUB_EVENT_NAME", Some(""), "GITHUB_EVENT_NAME isn't set"),
        ("GITHUB_EVENT_NAME", Some("push"), "games don't use the event `push`"),
        ("GITHUB_EVENT_PATH", None, "GITHUB_EVENT_PATH isn't set"),
        ("GITHUB_EVENT_PATH", Some("no-such-directory/event.json"), "GITHUB_EVENT_PATH can't be opened"),
    ] {
        check_wrong(name, value, words);
    }
}

#[test]
fn a_broken_event_file_is_for_the_host_to_see() {
    let server = Server::start(table());
    let runner = Runner::of(&server);
    let comment = created_text(&server);
    for text in ["", "{", "\0\0", &comment[..comment.len() / 2]] {
        runner.end(runner.step("issue_comment", text).output().unwrap()).failed("the event file can't be read");
    }
    assert_eq!(server.seen().len(), 0);
}

fn created_text(server: &Server) -> String {
    created(&server.world, 1, server.world.comment(1, "alice", "/move b2")).to_string()
}

#[test]
fn a_bare_environment_will_do() {
    let server = Server::start(table());
    let mut runner = Runner::of(&server).without("GITHUB_STEP_SUMMARY").without("GITHUB_SERVER_URL");
    for input in ["BRANCH", "STATE_DIR", "DICE_SECRET", "GAMES", "TABLES", "SWEEP_DAYS"] {
        runner = runner.without(&format!("PLAY_BY_COMMIT_{input}"));
    }
    runner.comment(1, "alice", "/move b2").is_done();
    assert_eq!(server.world.headlines().len(), 3);
}

#[test]
fn a_summary_that_cannot_be_written_is_no_failure_of_its_own() {
    let server = Server::start(table());
    let runner = Runner::of(&server).with("GITHUB_STEP_SUMMARY", "no-such-directory/summary.md");
    let id = server.world.comment(1, "alice", "/move b2");
    server.world.lock(1);
    let output = runner.step("issue_comment", &created(&server.world, 1, id).to_string()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("the summary of the step could not be written"), "{output:?}");
}

#[test]
fn inputs_do_what_they_say() {
    // Another directory.
    let server = Server::start(table());
    let runner = Runner::of(&server).with("PLAY_BY_COMMIT_STATE_DIR", "games/state/");
    server.world.open_issue("carol", "/new tic-tac-toe");
    runner.on("issues", &issues("opened", issue(2, person("carol", 1003), Value::Null))).is_done();
    assert!(server.world.file("games/state/2.json").is_some());
    // Only maintainers open tables.
    let runner = Runner::of(&server).with("PLAY_BY_COMMIT_TABLES", "maintainers");
    server.world.open_issue("dave", "/new tic-tac-toe");
    runner.on("issues", &issues("opened", issue(3, person("dave", 1004), Value::Null))).is_done();
    assert_eq!((server.world.file("state/3.json"), server.world.reactions(3, 0)), (None, vec!["confused".to_owned()]));
    // A sweep of so many days.
    let server = Server::start(table());
    Runner::of(&server).with("PLAY_BY_COMMIT_SWEEP_DAYS", "1").on("schedule", &schedule()).is_done();
    let log = server.world.log();
    let since = chrono::DateTime::parse_from_rfc3339(&log[0].about).unwrap();
    let age = chrono::Utc::now().signed_duration_since(since);
    assert_eq!((log[0].request, age.num_hours()), (Request::Sweep, 24), "{log:?}");
}

#[test]
fn skip_ci_stands_above_the_credit_of_every_commit_if_the_host_wants_it() {
    for (value, skips) in [("", false), ("false", false), ("true", true)] {
        let server = Server::start(table());
        let runner = Runner::of(&server).with("PLAY_BY_COMMIT_SKIP_CI", value);
        runner.comment(1, "alice", "/move b2").is_done();
        let skip = if skips { "[skip ci]\n\n" } else { "" };
        let end = format!(
            "move 1. The game is still in progress.\n\n{skip}Co-authored-by: alice <1001+alice@users.noreply.github.com>"
        );
        let message = server.world.message().unwrap();
        assert!(message.ends_with(&end), "{message}");
        // The commit of the daily run that fills a page.
        server.world.land(&[("README.md", "<!-- play-by-commit:table 1 -->\n<!-- /play-by-commit:table -->\n")]);
        runner.on("schedule", &schedule()).is_done();
        let message = server.world.message().unwrap();
        assert!(message.starts_with("Update README.md") && message.contains("[skip ci]") == skips, "{message}");
    }
}

#[test]
fn an_enterprise_server_is_found_at_its_own_addresses() {
    let world = table();
    let server = Server::start_enterprise(world.clone());
    let runner = Runner::of(&server).with("GITHUB_SERVER_URL", "https://ghe.example:8443");
    runner.comment(1, "alice", "/move b2").is_done();
    assert_eq!(kinds(&world).len(), 4);
    for seen in server.seen() {
        assert!(seen.path == "/api/graphql" || seen.path.starts_with("/api/v3/repos/octo/games/"), "{}", seen.path);
    }
    let message = world.message().unwrap();
    assert!(message.ends_with("<1001+alice@users.noreply.ghe.example>"), "{message}");
}

/// [`super::Ran::check_output`] looks at all that was printed; here is what people may have written.
#[test]
fn nothing_that_people_write_is_a_workflow_command() {
    for text in [
        "/move ::error::x",
        "/move b9 `\n::error::x",
        "::error::x",
        "/move\r\n::add-mask::b2",
        "/move b9\r::stop-commands::now",
        "/new tic-tac-toe ::set-output name=x::y",
        "/move \u{1b}[31mb9\u{2028}::error::x",
        "/move %0A::error::x",
    ] {
        let world = table();
        let server = Server::start(world.clone());
        let ran = Runner::of(&server).comment(1, "alice", text);
        ran.is_done();
        let log = ran.err.replace("play_by_commit::", "");
        assert!(!log.contains("::") && !log.contains('\u{1b}'), "{text:?} shows in the log: {ran:?}");
        assert_eq!(world.headlines().len(), 2);
    }
}

#[test]
fn the_token_goes_to_github_and_nowhere_else() {
    let world = table();
    let server = Server::start(world.clone());
    Runner::of(&server).comment(1, "alice", &format!("/move {TOKEN}")).is_done();
    let seen = server.seen();
    assert!(seen.len() == 3 && seen.iter().all(|seen| seen.headers["authorization"] == format!("Bearer {TOKEN}")));
    assert!(seen.iter().all(|seen| !seen.path.contains(TOKEN)));
}

#[test]
fn a_wrong_command_line_is_2() {
    for args in [&["run", "--fast"][..], &["walk"], &[]] {
        let output = Command::new(env!("CARGO_BIN_EXE_play-by-commit")).args(args).env_clear().output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
    }
}
