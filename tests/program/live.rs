//! The live test on the fake GitHub: a repository in which everything is as the product assumes, and one in which something isn't.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use live::report::{Report, Verdict};
use live::{Stage, Target};
use serde_json::json;
use testkit::server::{NAME, OWNER, Server, TOKEN};
use testkit::world::{Request, World};

/// The time that a flag takes.
const AGO: Duration = Duration::from_secs(3 * 60 * 60);

/// A fake GitHub whose clock is behind the real one, until time passes.
struct FakeStage(Arc<World>);

impl Stage for FakeStage {
    fn write_as_opponent(&self, issue: u64, text: &str) -> u64 {
        self.0.comment(issue, "bob", text)
    }

    fn advance(&self, time: Duration) {
        self.0.change(|state| state.now += u64::try_from(time.as_millis()).unwrap());
    }
}

/// Runs the live test with the token of `login`, after a change to the server.
fn run_as(login: &str, change: impl FnOnce(&Server)) -> (Arc<World>, Report) {
    let world = Arc::new(World::new());
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    world.change(|state| state.now = u64::try_from((now - AGO).as_millis()).unwrap() - 60_000);
    world.run_as(login);
    world.as_maintainer(login);
    let server = Server::start(world.clone());
    change(&server);
    let target = Target {
        program: env!("CARGO_BIN_EXE_play-by-commit").into(),
        repository: format!("{OWNER}/{NAME}"),
        token: TOKEN.to_owned(),
        api_url: server.api_url.clone(),
        graphql_url: server.graphql_url.clone(),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let report = runtime.block_on(live::run(target, Some(&FakeStage(world.clone())))).unwrap();
    let texts = [report.to_markdown(), report.to_json().to_string()];
    assert!(texts.iter().all(|text| !text.contains(TOKEN)), "the token shows: {report:?}");
    world.with_state(|state| {
        assert_eq!(state.branches.keys().collect::<Vec<_>>(), ["main"], "a branch stays");
        assert!(state.issues.values().all(|issue| issue.closed), "an issue stays open");
    });
    (world, report)
}

/// Returns the questions with this verdict.
fn questions(report: &Report, verdict: Verdict) -> Vec<&str> {
    report.rows.iter().filter(|row| row.verdict == verdict).map(|row| row.question.text).collect()
}

#[test]
fn a_live_test_plays_asks_and_cleans_up() {
    let (world, report) = run_as("mona", |_| {});
    assert_eq!(questions(&report, Verdict::Differs), [""; 0], "{report:#?}");
    assert_eq!(questions(&report, Verdict::NotAsked), ["Does an interaction limit stop the bot?"], "{report:#?}");
    assert!(report.is_good() && report.rows.len() == 16, "{report:#?}");
    assert!(world.file("state/1.json").is_none(), "the default branch isn't touched");
    let text = report.to_markdown();
    assert!(text.contains("| Does a flag fall? | it fell, and one comment says so | "), "{text}");
    assert!(text.contains("| 1 landed; `STALE_DATA`: Expected branch to point to "), "{text}");
    assert_eq!(report.to_json()["rows"][3]["verdict"], "agrees");
}

#[test]
fn a_live_test_plays_no_games_as_a_bot_or_beside_a_workflow() {
    let (_, report) = run_as("github-actions", |_| {});
    let games = &report.rows[..4];
    assert!(games.iter().all(|row| row.verdict == Verdict::NotAsked && row.observed.contains("a bot")), "{games:?}");
    assert!(report.is_good(), "{report:#?}");
    let (_, report) = run_as("mona", |server| {
        server.set_response("contents/.github/workflows/play.yml", 200, json!({}));
    });
    assert!(report.rows[0].observed.contains("`play.yml` would answer"), "{report:#?}");
}

#[test]
fn a_live_test_fails_if_github_claims_a_reaction_twice() {
    let twice = |server: &Server| server.twist(Request::React, |_, status, _| *status = 201);
    let (_, report) = run_as("mona", twice);
    let differing = questions(&report, Verdict::Differs);
    assert!(differing.contains(&"Two equal reactions at the same time?") && !report.is_good(), "{report:#?}");
    let text = report.to_markdown();
    assert!(text.contains("| 201 and 201 | One gets 201, the other 200 | **differs, and games need it** |"), "{text}");
}

#[test]
fn a_live_test_fails_if_the_words_for_a_lost_race_change() {
    let reworded = |server: &Server| {
        server.twist(Request::Commit, |_, _, body| {
            if body["errors"].is_array() {
                body["errors"][0] = json!({ "type": "CONFLICT", "message": "Somebody | was <faster> @bob." });
            }
        });
    };
    let (_, report) = run_as("github-actions", reworded);
    assert_eq!(questions(&report, Verdict::Differs), ["Two commits on one head at the same time?"], "{report:#?}");
    assert!(!report.is_good() && report.to_markdown().contains("`CONFLICT`: Somebody \\| was faster bob. |"));
}

#[test]
fn a_live_test_needs_a_repository_and_a_token() {
    let read = |set: &[(&str, &str)]| {
        let value = |name: &str| set.iter().find(|(set, _)| *set == name).map(|(_, value)| (*value).to_owned());
        Target::from_variables("program".into(), value).map(|target| (target.repository, target.graphql_url))
    };
    assert_eq!(read(&[("PLAY_BY_COMMIT_LIVE", "octo/games")]), None);
    assert_eq!(read(&[("GITHUB_TOKEN", TOKEN), ("PLAY_BY_COMMIT_LIVE", "octo")]), None);
    let target = read(&[("GITHUB_TOKEN", TOKEN), ("PLAY_BY_COMMIT_LIVE", "octo/games")]).unwrap();
    assert_eq!(target, ("octo/games".to_owned(), "https://api.github.com/graphql".to_owned()));
}
