//! Inputs of the step: environment variables, action inputs and addresses, and what the step must not print.

use std::process::Command;

use answers::Marker;
use serde_json::Value;
use table::IssueNumber;
use testkit::payloads::{issue, issues, person, schedule};
use testkit::place;
use testkit::server::{Server, TOKEN};
use testkit::world::{Request, State};

use super::{Runner, created_payload, request_kinds, world_with_table};

/// Asserts that the step fails with this message, without a request, if a variable has this value or is unset.
#[track_caller]
fn assert_invalid(name: &str, value: Option<&str>, words: &str) {
    let world = world_with_table();
    let server = Server::start(world.clone());
    let runner = match value {
        Some(value) => Runner::new(&server).with(name, value),
        None => Runner::new(&server).without(name),
    };
    runner.comment_and_run(1, "alice", "/move b2").fails_with(words);
    assert_eq!(server.seen().len(), 0, "{name}");
}

#[test]
fn names_the_invalid_variable_or_input() {
    for (name, value, words) in [
        ("PLAY_BY_COMMIT_TOKEN", None, "the input `token` is empty. Leave it out"),
        ("PLAY_BY_COMMIT_TOKEN", Some(" "), "the input `token`"),
        ("PLAY_BY_COMMIT_TOKEN", Some("a\nb"), "the input `token`"),
        ("PLAY_BY_COMMIT_BRANCH", Some("a b"), "`branch`"),
        ("PLAY_BY_COMMIT_BRANCH", Some("../play"), "`branch`"),
        ("PLAY_BY_COMMIT_BRANCH", Some("play\n::error::x"), "`branch`"),
        ("PLAY_BY_COMMIT_STATE_DIR", Some("../state"), "`state-dir`"),
        ("PLAY_BY_COMMIT_STATE_DIR", Some("/etc"), "`state-dir`"),
        ("PLAY_BY_COMMIT_STATE_DIR", Some(".git"), "a name can't begin with a dot"),
        ("PLAY_BY_COMMIT_STATE_DIR", Some("a//b"), "`state-dir`"),
        ("PLAY_BY_COMMIT_PAGES", Some("../README.md"), "`pages`"),
        ("PLAY_BY_COMMIT_PAGES", Some("/etc/motd"), "`pages`"),
        ("PLAY_BY_COMMIT_PAGES", Some("a.md,b.md,c.md,d.md,e.md"), "`pages`"),
        ("PLAY_BY_COMMIT_GAMES", Some("tic-tac-toe, halma"), "`games`"),
        ("PLAY_BY_COMMIT_TABLES", Some("everyone"), "`tables`"),
        ("PLAY_BY_COMMIT_SKIP_CI", Some("yes"), "set `skip-ci` to `true` or `false`"),
        ("PLAY_BY_COMMIT_MINIMIZE", Some("no"), "set `minimize` to `true` or `false`"),
        ("PLAY_BY_COMMIT_SWEEP_DAYS", Some("0"), "`sweep-days`"),
        ("PLAY_BY_COMMIT_SWEEP_DAYS", Some("367"), "`sweep-days`"),
        ("PLAY_BY_COMMIT_SWEEP_DAYS", Some("a week"), "`sweep-days`"),
        ("PLAY_BY_COMMIT_BOTS", Some("our bot!"), "`bot!` in `bots` isn't a username"),
        ("PLAY_BY_COMMIT_BOTS", Some("[bot]"), "in `bots` isn't a username"),
        ("PLAY_BY_COMMIT_SITE_URL", Some("javascript:alert(1)"), "the site's address"),
        ("PLAY_BY_COMMIT_SITE_URL", Some("https://"), "the site's address"),
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
        assert_invalid(name, value, words);
    }
}

#[test]
fn reports_a_broken_event_file() {
    let server = Server::start(world_with_table());
    let runner = Runner::new(&server);
    let comment = payload_text(&server);
    for text in ["", "{", "\0\0", &comment[..comment.len() / 2]] {
        runner.end(runner.step("issue_comment", text).output().unwrap()).fails_with("the event file can't be read");
    }
    assert_eq!(server.seen().len(), 0);
}

fn payload_text(server: &Server) -> String {
    created_payload(&server.world, 1, server.world.comment(1, "alice", "/move b2")).to_string()
}

#[test]
fn runs_with_only_the_required_variables() {
    let server = Server::start(world_with_table());
    let mut runner = Runner::new(&server).without("GITHUB_STEP_SUMMARY").without("GITHUB_SERVER_URL");
    for input in ["BRANCH", "STATE_DIR", "DICE_SECRET", "GAMES", "TABLES", "SWEEP_DAYS"] {
        runner = runner.without(&format!("PLAY_BY_COMMIT_{input}"));
    }
    runner.comment_and_run(1, "alice", "/move b2").succeeds();
    assert_eq!(server.world.headlines().len(), 3);
}

#[test]
fn an_unwritable_summary_is_not_a_failure() {
    let server = Server::start(world_with_table());
    let runner = Runner::new(&server).with("GITHUB_STEP_SUMMARY", "no-such-directory/summary.md");
    let id = server.world.comment(1, "alice", "/move b2");
    server.world.lock(1);
    let output = runner.step("issue_comment", &created_payload(&server.world, 1, id).to_string()).output().unwrap();
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && log.contains("The summary of the step can't be written"), "{output:?}");
}

#[test]
fn inputs_take_effect() {
    // `state-dir`: another directory.
    let server = Server::start(world_with_table());
    let runner = Runner::new(&server).with("PLAY_BY_COMMIT_STATE_DIR", "games/state/");
    server.world.open_issue("carol", "/new tic-tac-toe");
    runner.run_event("issues", &issues("opened", issue(2, person("carol", 1003), Value::Null))).succeeds();
    assert!(server.world.file("games/state/2.json").is_some());
    // `tables`: only maintainers open tables.
    let runner = Runner::new(&server).with("PLAY_BY_COMMIT_TABLES", "maintainers");
    server.world.open_issue("dave", "/new tic-tac-toe");
    runner.run_event("issues", &issues("opened", issue(3, person("dave", 1004), Value::Null))).succeeds();
    assert_eq!((server.world.file("state/3.json"), server.world.reactions(3, 0)), (None, vec!["confused".to_owned()]));
    // `bots`: the replies of an account that the bot had before are its own.
    for (bots, replies) in [("old-games[bot]", 1), ("", 2)] {
        let server = Server::start(world_with_table());
        let asked = server.world.comment(1, "alice", "/moves");
        let marker = Marker {
            source: place(1, asked),
            table: IssueNumber::new(1),
            commit: None,
            has_board: false,
            sets_away: false,
        };
        server.world.comment(1, "old-games[bot]", &marker.prepend_to("The moves."));
        Runner::new(&server).with("PLAY_BY_COMMIT_BOTS", bots).run_event("schedule", &schedule()).succeeds();
        assert_eq!(server.world.answers(1).len(), replies, "{bots}");
    }
    // `minimize`: only the newest board stays.
    for (minimize, minimized) in [("", 1), ("true", 1), ("false", 0)] {
        let server = Server::start(world_with_table());
        let runner = Runner::new(&server).with("PLAY_BY_COMMIT_MINIMIZE", minimize);
        runner.comment_and_run(1, "alice", "/move b2").succeeds();
        let count = |state: &State| state.issues[&1].comments.iter().filter(|note| note.minimized).count();
        assert_eq!(server.world.with_state(count), minimized, "{minimize}");
    }
    // `sweep-days`: the age of the issues in a sweep.
    let server = Server::start(world_with_table());
    Runner::new(&server).with("PLAY_BY_COMMIT_SWEEP_DAYS", "1").run_event("schedule", &schedule()).succeeds();
    let log = server.world.log();
    let list = log.iter().find(|entry| entry.request == Request::Sweep).unwrap();
    let since = chrono::DateTime::parse_from_rfc3339(&list.about).unwrap().timestamp_millis();
    let age = server.world.with_state(|state| state.now) - u64::try_from(since).unwrap();
    assert_eq!(age / 3_600_000, 24, "{log:?}");
}

#[test]
fn skip_ci_precedes_the_co_author_of_every_commit() {
    for (value, skips) in [("", false), ("false", false), ("true", true)] {
        let server = Server::start(world_with_table());
        let runner = Runner::new(&server).with("PLAY_BY_COMMIT_SKIP_CI", value);
        runner.comment_and_run(1, "alice", "/move b2").succeeds();
        let skip = if skips { "[skip ci]\n\n" } else { "" };
        let end = format!(
            "move 1. The game is still in progress.\n\n{skip}Co-authored-by: alice <1001+alice@users.noreply.github.com>"
        );
        let message = server.world.message().unwrap();
        assert!(message.ends_with(&end), "{message}");
        // The daily run's commit that updates a page.
        server.world.land(&[("README.md", "<!-- play-by-commit:table 1 -->\n<!-- /play-by-commit:table -->\n")]);
        runner.run_event("schedule", &schedule()).succeeds();
        let message = server.world.message().unwrap();
        assert!(message.starts_with("Update README.md") && message.contains("[skip ci]") == skips, "{message}");
    }
}

#[test]
fn uses_the_addresses_of_an_enterprise_server() {
    let world = world_with_table();
    let server = Server::start_enterprise(world.clone());
    let runner = Runner::new(&server).with("GITHUB_SERVER_URL", "https://ghe.example:8443");
    runner.comment_and_run(1, "alice", "/move b2").succeeds();
    assert_eq!(request_kinds(&world).len(), 3);
    for seen in server.seen() {
        assert!(seen.path == "/api/graphql" || seen.path.starts_with("/api/v3/repos/octo/games/"), "{}", seen.path);
    }
    let message = world.message().unwrap();
    assert!(message.ends_with("<1001+alice@users.noreply.ghe.example>"), "{message}");
}

/// [`super::RunResult::check_output`] checks the output of each run.
#[test]
fn comments_never_become_workflow_commands() {
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
        let world = world_with_table();
        let server = Server::start(world.clone());
        let ran = Runner::new(&server).comment_and_run(1, "alice", text);
        ran.succeeds();
        let log = ran.err.replace("play_by_commit::", "");
        assert!(!log.contains("::") && !log.contains('\u{1b}'), "{text:?} shows in the log: {ran:?}");
        assert_eq!(world.headlines().len(), 2);
    }
}

#[test]
fn sends_the_token_to_github_only() {
    let world = world_with_table();
    let server = Server::start(world.clone());
    Runner::new(&server).comment_and_run(1, "alice", &format!("/move {TOKEN}")).succeeds();
    let seen = server.seen();
    assert!(seen.len() == 3 && seen.iter().all(|seen| seen.headers["authorization"] == format!("Bearer {TOKEN}")));
    assert!(seen.iter().all(|seen| !seen.path.contains(TOKEN)));
}

#[test]
fn exits_with_2_on_an_invalid_command_line() {
    for args in [&["run", "--fast"][..], &["walk"], &[]] {
        let output = Command::new(env!("CARGO_BIN_EXE_play-by-commit")).args(args).env_clear().output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
    }
}
