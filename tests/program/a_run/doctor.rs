//! The doctor on GitHub: a healthy repository, and every problem that it can find.

use std::process::{Command, Stdio};
use std::sync::Arc;

use expect_test::expect_file;
use play_by_commit::report::markdown_line;
use serde_json::{Value, json};
use setup::{
    ACTION_REFERENCE, DAILY_WORKFLOW, DAILY_WORKFLOW_PATH, FORM_PATH, Grade, WORKFLOW, WORKFLOW_PATH, issue_form,
};
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
    // The run says so, too, once it has waited twenty seconds of the server's time for a stale read.
    world.change(|state| state.latency = 15_000);
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

/// Replies to one request as each paragraph of `doctor/settings.txt` says, and checks that the lines after `> ` are what the
/// doctor then says and doesn't say of a healthy repository.
#[test]
fn names_problems_in_the_settings() {
    let is_finding = |line: &&str| {
        let grades = [Grade::Error, Grade::Warning, Grade::Skipped, Grade::Good];
        grades.iter().any(|grade| line.starts_with(&format!("{}: ", grade.label())))
    };
    let findings = |ran: &RunResult| ran.out.lines().filter(is_finding).map(str::to_owned).collect::<Vec<String>>();
    let healthy = findings(&run_in_workflow(&Server::start(healthy_world()), &[]));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/a_run/doctor/settings.txt");
    let mut paragraphs = Vec::new();
    for paragraph in std::fs::read_to_string(path).unwrap().trim_end().split("\n\n") {
        let lines: Vec<&str> = paragraph.lines().filter(|line| !line.starts_with("> ")).collect();
        let mut text = lines.join("\n");
        if let [.., request, reply] = lines[..] {
            let server = Server::start(healthy_world());
            let (status, body) = reply.split_once(' ').unwrap();
            let body = serde_json::from_str(body).unwrap();
            server.set_response(request.strip_prefix("GET").unwrap().trim(), status.parse().unwrap(), body);
            let ran = run_in_workflow(&server, &[]);
            for line in findings(&ran).iter().filter(|line| !healthy.contains(line)) {
                text += &format!("\n> {line}");
                let Some((grade, sentence)) = line.split_once(": ") else { continue };
                assert!(ran.summary.contains(&markdown_line(sentence)), "{}", ran.summary);
                let is_annotation =
                    |line: &str| line.starts_with("::error title=Play by Commit::") && line.contains(sentence);
                assert_eq!(ran.out.lines().any(is_annotation), grade == "to change", "{}", ran.out);
            }
            assert_eq!(
                ran.code,
                Some(i32::from(ran.out.lines().any(|line| line.starts_with("to change: ")))),
                "{ran:?}"
            );
        }
        paragraphs.push(text);
    }
    expect_file![path].assert_eq(&format!("{}\n", paragraphs.join("\n\n")));
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
    let names = ["`close`", "unknown game `halma`", "`dice-secret`"];
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
