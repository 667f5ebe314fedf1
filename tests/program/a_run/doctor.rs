//! The doctor on GitHub: a healthy repository, and every problem that it can find.

use std::process::{Command, Stdio};
use std::sync::Arc;

use play_by_commit::report::markdown_line;
use serde_json::{Value, json};
use setup::{ACTION_REFERENCE, DAILY_WORKFLOW, DAILY_WORKFLOW_PATH, FORM_PATH, WORKFLOW, WORKFLOW_PATH, issue_form};
use testkit::payloads::workflow_dispatch;
use testkit::server::{NAME, OWNER, Server, TOKEN, canned};
use testkit::world::{Request, World};

use super::{RunResult, Runner, request_kinds, world_with_table};

/// Returns a world with a table in a repository with a good setup.
fn healthy_world() -> Arc<World> {
    let world = world_with_table();
    world.land(&[(WORKFLOW_PATH, WORKFLOW), (DAILY_WORKFLOW_PATH, DAILY_WORKFLOW), (FORM_PATH, &issue_form(&[]))]);
    world
}

/// Runs the doctor in a workflow.
#[track_caller]
fn run_in_workflow(server: &Server, more: &[(&str, &str)]) -> RunResult {
    let mut runner = Runner::new(server).with("PLAY_BY_COMMIT_DOCTOR", "true");
    for (name, value) in more {
        runner = runner.with(name, value);
    }
    let mut step = runner.step("workflow_dispatch", &workflow_dispatch(json!({ "doctor": "true" })).to_string());
    let output = step.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let summary = std::fs::read_to_string(runner.dir.join("summary.md")).unwrap_or_default();
    let ran = RunResult {
        code: output.status.code(),
        out: text(output.stdout),
        err: text(output.stderr),
        summary,
        outputs: String::new(),
    };
    let reads = [Request::Settings, Request::Read, Request::Files];
    assert!(request_kinds(&server.world).iter().all(|kind| reads.contains(kind)), "{:?}", request_kinds(&server.world));
    assert!([&ran.out, &ran.err, &ran.summary].iter().all(|text| !text.contains(TOKEN)), "{ran:?}");
    ran
}

/// Runs the doctor outside a workflow.
fn run_from_home(server: &Server) -> RunResult {
    let mut command = Command::new(env!("CARGO_BIN_EXE_play-by-commit"));
    command.args(["doctor", "--online", &format!("{OWNER}/{NAME}")]).env_clear();
    command.env("GH_ENTERPRISE_TOKEN", TOKEN).env("GITHUB_API_URL", &server.api_url).stdin(Stdio::null());
    command.env("GITHUB_SERVER_URL", "https://github.com");
    RunResult::from_output(command.output().unwrap())
}

#[test]
fn names_games_of_another_repository() {
    let world = healthy_world();
    world.change(|state| state.repository_id += 1);
    let ran = run_from_home(&Server::start(world.clone()));
    assert!(
        ran.code == Some(0) && ran.out.contains("alone (1). If this is a copy, run `play-by-commit adopt`"),
        "{ran:?}"
    );
}

#[test]
fn finds_no_problem_in_a_healthy_repository() {
    let world = healthy_world();
    let server = Server::start(world.clone());
    let ran = run_in_workflow(&server, &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains(", 0 to change, 0 could be better, 1 not checked."), "{}", ran.out);
    assert!(!ran.out.contains("::error") && ran.summary.contains("- **good:** Issues are on."), "{ran:?}");
    assert!(ran.out.contains("good: The only record in `state` replays correctly."), "{}", ran.out);
    assert!(request_kinds(&world).len() <= 13, "too many requests: {:?}", request_kinds(&world));
    let home = run_from_home(&server);
    assert!(home.code == Some(0) && home.out.contains("0 to change"), "{home:?}");
}

#[test]
fn names_the_folder_with_the_games_of_another_state_dir() {
    let world = healthy_world();
    let server = Server::start(world.clone());
    let sentence =
        "There are no records in `games`, the `state-dir` of the workflow, but `state` has 1. Set `state-dir: state`";
    let ran = run_in_workflow(&server, &[("PLAY_BY_COMMIT_STATE_DIR", "games")]);
    assert!(ran.code == Some(1) && ran.out.contains(sentence), "{ran:?}");
    // The run says so, too.
    let runner = Runner::new(&server).with("PLAY_BY_COMMIT_STATE_DIR", "games");
    let ran = runner.comment_and_run(1, "alice", "b2");
    assert!(ran.code == Some(1) && ran.out.contains("changed the input `state-dir`"), "{ran:?}");
}

#[test]
fn plays_no_move_while_examining() {
    let world = healthy_world();
    world.comment(1, "alice", "/move b2");
    let server = Server::start(world.clone());
    let head = world.head();
    run_in_workflow(&server, &[]);
    assert_eq!(world.head(), head);
    // A comment triggers a normal run despite the input.
    let runner = Runner::new(&server).with("PLAY_BY_COMMIT_DOCTOR", "true");
    runner.run_for_comment(1, 5_000_000_002).succeeds();
    assert_ne!(world.head(), head);
}

/// Asserts that the doctor reports this sentence if GitHub gives this reply.
#[track_caller]
fn assert_finds(path: &str, status: u16, body: Value, sentence: &str) {
    let server = Server::start(healthy_world());
    server.set_response(path, status, body);
    let ran = run_in_workflow(&server, &[]);
    let line = ran.out.lines().find(|line| line.contains(sentence));
    let line = line.unwrap_or_else(|| panic!("the output lacks {sentence:?}: {}", ran.out));
    let is_error = line.starts_with("to change: ");
    assert_eq!(ran.code, Some(i32::from(is_error)), "{ran:?}");
    assert!(ran.summary.contains(&markdown_line(sentence)), "{}", ran.summary);
    let is_annotated =
        ran.out.lines().any(|line| line.starts_with("::error title=Play by Commit::") && line.contains(sentence));
    assert_eq!(is_annotated, is_error, "{}", ran.out);
}

#[test]
fn names_problems_in_the_settings() {
    let repository = |key: &str, value: Value| {
        let mut about = json!({ "default_branch": "main", "has_issues": true, "archived": false, "private": false });
        about[key] = value;
        about
    };
    let issues = "issues?labels=play-by-commit&state=open&sort=comments&direction=desc&per_page=100";
    let rules = |kinds: &[&str]| kinds.iter().map(|kind| json!({ "type": kind, "ruleset_id": 1 })).collect::<Value>();
    let protection = |enabled: bool, level: &str| json!({ "protected": true, "protection": { "enabled": enabled, "required_status_checks": { "enforcement_level": level } } });
    let disabled =
        |path: &str, name: &str, state: &str| json!({ "workflows": [{ "path": path, "name": name, "state": state }] });
    for (path, status, body, sentence) in [
        ("", 200, repository("has_issues", json!(false)), "to change: Issues are off"),
        ("", 200, repository("archived", json!(true)), "to change: The repository is archived"),
        ("", 200, repository("private", json!(true)), "could be better: The repository is private"),
        (
            "rules/branches/main?per_page=100",
            200,
            rules(&["pull_request", "deletion", "required_status_checks"]),
            "to change: A ruleset keeps the bot from committing to the branch `main`: `pull_request`, \
                `required_status_checks`. Set the input `branch:`",
        ),
        (
            "rules/branches/main?per_page=100",
            200,
            rules(&[
                "commit_message_pattern",
                "commit_author_email_pattern",
                "committer_email_pattern",
                "file_path_restriction",
                "max_file_path_length",
                "file_extension_restriction",
                "max_file_size",
            ]),
            "could be better: A ruleset may keep the bot from committing to the branch `main`: \
                `commit_author_email_pattern`, `commit_message_pattern`, `committer_email_pattern`, \
                `file_extension_restriction`, `file_path_restriction`, `max_file_path_length`, `max_file_size`. Make sure",
        ),
        (
            "rules/branches/main?per_page=100",
            200,
            rules(&["deletion", "non_fast_forward", "required_signatures", "creation", "copilot_code_review"]),
            "good: No rule keeps the bot from committing to the branch `main`.",
        ),
        (
            "rules/branches/main?per_page=100",
            404,
            Value::Null,
            "not checked: The rulesets of the branch `main`: GitHub didn't show them (404).",
        ),
        (
            "branches/main",
            200,
            protection(true, "non_admins"),
            "to change: The protection of the branch `main` requires status checks",
        ),
        (
            "branches/main",
            200,
            protection(true, "off"),
            "not checked: The protection of the branch `main`, which only administrators can see.",
        ),
        ("actions/permissions", 200, json!({ "enabled": false }), "to change: Actions are off"),
        (
            "actions/permissions",
            200,
            json!({ "enabled": true, "allowed_actions": "local_only" }),
            "to change: Only actions of the same owner",
        ),
        (
            "actions/permissions",
            200,
            json!({ "enabled": true, "allowed_actions": "selected" }),
            "could be better: Only selected actions",
        ),
        (
            "actions/permissions",
            200,
            json!({ "enabled": true, "allowed_actions": "all", "sha_pinning_required": true }),
            "could be better: This repository requires actions to be pinned",
        ),
        (
            "actions/permissions",
            403,
            Value::Null,
            "not checked: The list of allowed actions, which this token can't see.",
        ),
        (
            "actions/permissions/workflow",
            403,
            Value::Null,
            "not checked: The default permissions of a job, which this token can't see.",
        ),
        (
            "actions/permissions/workflow",
            409,
            Value::Null,
            "not checked: The default permissions of a job: GitHub answered 409",
        ),
        (
            "actions/workflows?per_page=100",
            200,
            disabled(DAILY_WORKFLOW_PATH, "Play by Commit, daily", "disabled_inactivity"),
            "to change: .github/workflows/daily.yml is disabled after sixty days without activity, so games go on, but \
                nothing that was missed is answered, and no clock runs out. Choose Actions, *Play by Commit, daily*, Enable workflow.",
        ),
        (
            "actions/workflows?per_page=100",
            200,
            disabled(WORKFLOW_PATH, "Play by Commit", "disabled_manually"),
            "to change: .github/workflows/play.yml is disabled, so nobody can play. Choose Actions, *Play by Commit*, Enable",
        ),
        (
            "actions/workflows?per_page=100",
            200,
            disabled(WORKFLOW_PATH, "Play by Commit", "disabled_fork"),
            "to change: .github/workflows/play.yml is disabled because this repository is a fork, so nobody can play.",
        ),
        (
            "actions/workflows?per_page=100",
            403,
            Value::Null,
            "not checked: The state of the workflow, which this token can't see.",
        ),
        (
            "",
            200,
            repository("issue_creation_policy", json!("collaborators_only")),
            "could be better: Only people with write access can open issues",
        ),
        (
            "interaction-limits",
            200,
            json!({ "limit": "collaborators_only", "origin": "repository", "expires_at": "2030-01-01T00:00:00Z" }),
            "could be better: Interactions are limited to `collaborators_only` until 2030-01-01T00:00:00Z",
        ),
        ("interaction-limits", 403, Value::Null, "not checked: The interaction limits, which this token can't see."),
        (
            issues,
            200,
            json!([{ "number": 7, "comments": 2_300 }, { "number": 8, "comments": 2_299 }]),
            "could be better: Issue 7 has 2300 of at most 2500 comments. Continue in a new issue with \
                `/continue #7`.",
        ),
        (
            issues,
            200,
            json!([{ "number": 7, "comments": 2_400, "pull_request": {} }]),
            "good: No table's issue is nearly full.",
        ),
    ] {
        let sentence_alone = sentence.split_once(": ").unwrap();
        let server = Server::start(healthy_world());
        server.set_response(path, status, body.clone());
        let ran = run_in_workflow(&server, &[]);
        assert!(ran.out.lines().any(|line| line.starts_with(sentence)), "the output lacks {sentence:?}: {}", ran.out);
        assert_finds(path, status, body, sentence_alone.1);
    }
}

/// Only runs by hand and on a schedule can cache a program that is built from source.
#[test]
fn finds_out_whether_a_build_from_source_is_cached() {
    let commit = "play-by-commit/play-by-commit@0123456789abcdef0123456789abcdef01234567";
    let from_source = |workflow: &str| {
        workflow
            .replace(ACTION_REFERENCE, commit)
            .replace("ubuntu-slim", "ubuntu-latest")
            .replace("timeout-minutes: 10", "timeout-minutes: 20")
    };
    let since = table::timestamp::pgn_date_and_time(
        protocol::Clock::start().now() - std::time::Duration::from_secs(7 * 86_400),
    )
    .unwrap();
    let path = |file: &str, event: &str| {
        format!(
            "actions/workflows/{file}/runs?status=success&event={event}&created=%3E%3D{}&per_page=1",
            since[0].replace('.', "-")
        )
    };
    let none = json!({ "total_count": 0, "workflow_runs": [] });
    let all = [
        ("play.yml", "schedule"),
        ("play.yml", "workflow_dispatch"),
        ("daily.yml", "schedule"),
        ("daily.yml", "workflow_dispatch"),
    ];
    let run = |answers: &[(&str, &str)], status: u16| {
        let world = healthy_world();
        world.land(&[(WORKFLOW_PATH, &from_source(WORKFLOW)), (DAILY_WORKFLOW_PATH, &from_source(DAILY_WORKFLOW))]);
        let server = Server::start(world);
        for (file, event) in answers {
            server.set_response(&path(file, event), status, none.clone());
        }
        run_from_home(&server).out
    };
    let advice = "could be better: Each comment builds the program from source, which takes minutes: no run by hand or on a \
        schedule has cached it in the last week. Choose Actions, *Play by Commit*, Run workflow.";
    let out = run(&all, 200);
    assert!(out.contains(advice), "{out}");
    let out = run(&all[..3], 200);
    assert!(out.contains("good: A run by hand or on a schedule has cached the program"), "{out}");
    let out = run(&all, 403);
    assert!(out.contains("not checked: The runs that cache the program, which this token can't see."), "{out}");
    // A release needs no build, and the workflow is itself such a run.
    let server = Server::start(healthy_world());
    assert!(!run_from_home(&server).out.contains("cached"));
}

#[test]
fn names_problems_in_the_files() {
    for (path, text, sentence) in [
        ("state/1.json", "{}", "to change: state/1.json is damaged"),
        (
            WORKFLOW_PATH,
            "name: nothing\n",
            "to change: .github/workflows/daily.yml: no workflow here has comments start it",
        ),
        (
            "README.md",
            "<!-- play-by-commit:table 1 -->\n",
            "to change: README.md: Line 1: The marker of table 1 has no end marker, `<!-- /play-by-commit:table -->`.",
        ),
        (
            ".github/ISSUE_TEMPLATE/config.yml",
            "blank_issues_enabled: false\n",
            "could be better: .github/ISSUE_TEMPLATE/config.yml",
        ),
    ] {
        let world = healthy_world();
        world.land(&[(path, text)]);
        let server = Server::start(world);
        let ran = run_in_workflow(&server, &[]);
        assert!(ran.out.lines().any(|line| line.starts_with(sentence)), "the output lacks {sentence:?}: {}", ran.out);
    }
}

#[test]
fn checks_the_branch_of_the_games() {
    let world = healthy_world();
    let server = Server::start(world.clone());
    server.set_response("rules/branches/main?per_page=100", 200, json!([{ "type": "pull_request" }]));
    let ran = run_in_workflow(&server, &[("PLAY_BY_COMMIT_BRANCH", "play")]);
    assert!(ran.code == Some(0) && ran.out.contains("The branch `play` doesn't exist yet"), "{ran:?}");
    assert!(!ran.out.contains("has markers here"), "{ran:?}");
    world.land(&[("README.md", "<!-- play-by-commit:standings -->\n<!-- /play-by-commit:standings -->\n")]);
    let ran = run_in_workflow(&server, &[("PLAY_BY_COMMIT_BRANCH", "play")]);
    assert!(ran.code == Some(0) && ran.out.contains("could be better: README.md has markers here"), "{ran:?}");
    server.set_response("rules/branches/play?per_page=100", 200, json!([{ "type": "creation" }]));
    let ran = run_in_workflow(&server, &[("PLAY_BY_COMMIT_BRANCH", "play")]);
    assert!(
        ran.code == Some(1)
            && ran.out.contains("to change: A ruleset keeps the bot from committing to the branch `play`: `creation`"),
        "{ran:?}"
    );
    // Outside a workflow, the doctor reads the branch from the workflow file.
    let on_branch = |workflow: &str| format!("{workflow}          branch: play\n");
    world.land(&[(WORKFLOW_PATH, &on_branch(WORKFLOW)), (DAILY_WORKFLOW_PATH, &on_branch(DAILY_WORKFLOW))]);
    let ran = run_from_home(&server);
    assert!(ran.code == Some(1) && ran.out.contains("the branch `play`: `creation`"), "{ran:?}");
}

#[test]
fn a_problem_of_the_server_stops_no_other_check() {
    let paths = ["rules/branches/main?per_page=100", "actions/permissions", "interaction-limits"];
    let server = Server::start(healthy_world());
    for path in paths {
        server.set_response(path, 502, Value::Null);
    }
    let ran = run_in_workflow(&server, &[]);
    let sentences = [
        "not checked: The rulesets of the branch `main`: GitHub didn't show them (503).",
        "not checked: The list of allowed actions: GitHub answered 503.",
        "good: A job without `permissions:` gets",
        "not checked: The interaction limits: GitHub answered 503.",
        "good: No table's issue is nearly full.",
    ];
    assert!(ran.code == Some(0) && sentences.iter().all(|sentence| ran.out.contains(sentence)), "{ran:?}");
    let server = Server::start(healthy_world());
    server.glitch(Request::Files, canned(502, ""));
    let ran = run_in_workflow(&server, &[]);
    assert!(ran.out.contains("not checked: The other files: GitHub had a problem (502"), "{ran:?}");
    assert!(ran.out.contains("good: Anyone can comment."), "{ran:?}");
    // The first request fails, or the read of the branch.
    for (kind, path) in [(Request::Settings, true), (Request::Read, false)] {
        let server = Server::start(healthy_world());
        server.glitch(kind, canned(502, ""));
        let ran = run_in_workflow(&server, &[]);
        let lost = "not checked: The repository and its files: GitHub had a problem (502";
        assert!(ran.code == Some(0) && ran.out.contains(lost), "{ran:?}");
        assert_eq!(ran.out.contains("good: Issues are on."), !path, "{ran:?}");
        assert!(ran.out.contains("good: Anyone can comment."), "{ran:?}");
    }
    // No answer at all is an error.
    let server = Server::start(healthy_world());
    server.fail_from(1);
    let ran = run_in_workflow(&server, &[]);
    assert!(
        ran.code == Some(1) && ran.out.contains("::error title=Play by Commit::GitHub had a problem (500"),
        "{ran:?}"
    );
}

#[test]
fn names_every_invalid_input() {
    let server = Server::start(healthy_world());
    let ran = run_in_workflow(
        &server,
        &[("PLAY_BY_COMMIT_CLOSE", "no"), ("PLAY_BY_COMMIT_GAMES", "halma"), ("PLAY_BY_COMMIT_DICE_SECRET", "short")],
    );
    let names = ["the input `close`", "unknown game `halma`", "`dice-secret`"];
    assert!(ran.code == Some(1) && names.iter().all(|name| ran.out.contains(name)), "{ran:?}");
}

#[test]
fn reports_a_token_that_cannot_see_the_repository() {
    let server = Server::start(healthy_world());
    server.set_response("", 404, Value::Null);
    let ran = run_in_workflow(&server, &[]);
    assert!(
        ran.code == Some(1)
            && ran.out.contains("::error title=Play by Commit::This token can't see the repository octo/games (404)"),
        "{ran:?}"
    );
    let ran = run_in_workflow(&server, &[("PLAY_BY_COMMIT_TOKEN", "ghs_another")]);
    assert!(ran.code == Some(1) && ran.out.contains("GitHub doesn't accept the token"), "{ran:?}");
}

#[test]
fn reads_the_newest_of_many_records() {
    let world = healthy_world();
    let names: Vec<String> = (1_001..=1_210).map(|table| format!("state/{table}.json")).collect();
    world.land(&names.iter().map(|name| (name.as_str(), "{}")).collect::<Vec<_>>());
    let server = Server::start(world.clone());
    let ran = run_in_workflow(&server, &[]);
    assert!(ran.out.contains("not checked: The oldest 12 of 212 game files"), "{}", ran.out);
    assert!(ran.out.contains("state/1210.json is damaged") && !ran.out.contains("state/1001.json is"), "{}", ran.out);
    assert_eq!(request_kinds(&world).iter().filter(|kind| **kind == Request::Files).count(), 11);
}
