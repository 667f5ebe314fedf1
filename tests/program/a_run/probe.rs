//! The probe: a server that behaves as expected, every difference that it can find, and its cleanup.

mod outages;

use std::collections::BTreeMap;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use setup::probe::checks::ALL;
use testkit::payloads::workflow_dispatch;
use testkit::server::{NAME, OWNER, Server, TOKEN, canned, graphql_error, message, proper};
use testkit::world::{Request, World};

use super::{RunResult, Runner, request_kinds, world_with_table};

/// Returns the command that runs the probe outside a workflow.
fn probe_command(server: &Server) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_play-by-commit"));
    command.args(["doctor", "--probe", "--online", &format!("{OWNER}/{NAME}")]).env_clear();
    command.env("GH_ENTERPRISE_TOKEN", TOKEN);
    command.env("GITHUB_API_URL", &server.api_url).env("GITHUB_GRAPHQL_URL", &server.graphql_url);
    command.env("GITHUB_SERVER_URL", &server.url).stdin(Stdio::null());
    command
}

/// The parsed report of a probe.
struct Report {
    ran: RunResult,
    /// The verdict and the result, by the id of the check.
    rows: BTreeMap<String, (String, String)>,
}

impl Report {
    #[track_caller]
    fn parse(ran: RunResult) -> Report {
        assert!(![&ran.out, &ran.err, &ran.summary].iter().any(|text| text.contains(TOKEN)), "{ran:?}");
        assert!(!ran.err.contains("panicked"), "{ran:?}");
        let json = ran.out.split("```json\n").nth(1).and_then(|rest| rest.split("```").next());
        let json = json.unwrap_or_else(|| panic!("there is no JSON: {ran:?}"));
        assert!(!json.contains(&format!("{OWNER}/{NAME}")), "{json}");
        let report: Value = serde_json::from_str(json).unwrap();
        let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
        let all = report["rows"].as_array().unwrap();
        let rows: BTreeMap<_, _> =
            all.iter().map(|row| (text(row, "id"), (text(row, "verdict"), text(row, "seen")))).collect();
        assert_eq!(rows.len(), ALL.len(), "a row for each check");
        for thing in ALL {
            assert!(ran.out.contains(&format!("| {} |", thing.title)), "the table lacks {}: {ran:?}", thing.id);
        }
        let is_good = rows.values().all(|(verdict, _)| verdict == "as expected");
        assert_eq!(ran.code, Some(i32::from(!is_good)), "{ran:?}");
        Report { ran, rows }
    }

    /// Returns the ids of the checks that aren't as expected.
    fn unexpected(&self) -> Vec<&str> {
        let others = self.rows.iter().filter(|(_, (verdict, _))| verdict != "as expected");
        others.map(|(id, _)| id.as_str()).collect()
    }
}

#[track_caller]
fn run_from_home(server: &Server) -> Report {
    Report::parse(RunResult::from_output(probe_command(server).output().unwrap()))
}

/// Returns the names of the branches and labels that probes have created.
fn resource_names(server: &Server) -> Vec<String> {
    let names = server.seen().into_iter().filter_map(|seen| {
        let of_branch = seen.body["ref"].as_str().and_then(|name| name.strip_prefix("refs/heads/"));
        of_branch.or(seen.body["labels"][0].as_str()).map(str::to_owned)
    });
    names.collect()
}

/// Asserts that the probe has cleaned up: it leaves at most one issue, closed and unlocked.
#[track_caller]
fn assert_clean(world: &World) {
    world.with_state(|state| {
        assert_eq!(state.branches.keys().collect::<Vec<_>>(), ["main"]);
        assert_eq!(state.labels.iter().collect::<Vec<_>>(), ["play-by-commit"]);
        let scratch: Vec<_> = state.issues.iter().filter(|(number, _)| **number != 1).collect();
        assert!(scratch.len() <= 1, "{scratch:?}");
        for (_, issue) in scratch {
            assert!(issue.closed && !issue.locked && issue.labels.is_empty(), "{issue:?}");
            assert!(issue.title.starts_with("A probe of Play by Commit has ended ("), "{issue:?}");
        }
    });
}

#[test]
fn passes_on_a_normal_server_and_cleans_up() {
    let world = world_with_table();
    let (head, there) = (world.head(), world.with_state(|state| state.issues[&1].clone()));
    let server = Server::start(world.clone());
    let report = run_from_home(&server);
    assert_eq!(report.unexpected(), [""; 0], "{:?}", report.rows);
    assert!(report.ran.out.contains("23 as expected, 0 different, 0 not tried."), "{}", report.ran.out);
    assert!(!report.ran.out.contains("What that means"), "{}", report.ran.out);
    assert_clean(&world);
    assert!(world.head() == head && world.with_state(|state| state.issues[&1] == there), "the table is not touched");
    assert!(request_kinds(&world).len() <= 36, "{:?}", request_kinds(&world));
    // The daily run starts no game in the probe's issue.
    world.clear_log();
    Runner::new(&server).run_event("schedule", &testkit::payloads::schedule()).succeeds();
    assert!(
        request_kinds(&world)
            .iter()
            .all(|kind| [Request::Sweep, Request::Read, Request::Folder, Request::Files].contains(kind)),
        "{:?}",
        request_kinds(&world)
    );
    // A second probe uses other names.
    let first = resource_names(&server);
    assert_eq!(run_from_home(&server).unexpected(), [""; 0]);
    assert!(first.len() == 2 && resource_names(&server)[2..].iter().all(|name| !first.contains(name)), "{first:?}");
}

#[test]
fn probes_without_playing_if_started_by_hand() {
    let world = world_with_table();
    world.comment(1, "alice", "/move b2");
    let server = Server::start(world.clone());
    let runner = Runner::new(&server).with("PLAY_BY_COMMIT_PROBE", "true").with("GITHUB_SERVER_URL", &server.url);
    let head = world.head();
    let mut step = runner.step("workflow_dispatch", &workflow_dispatch(json!({ "probe": "true" })).to_string());
    let ran = runner.end(step.output().unwrap());
    assert!(
        ran.summary.contains("| Commit on the right head | GitHub accepts it and returns its id | It landed |"),
        "{}",
        ran.summary
    );
    assert!(Report::parse(ran).unexpected().is_empty() && world.head() == head);
    assert_clean(&world);
    // A difference is an error on the run's page.
    server.glitch(Request::React, canned(403, message("Resource not accessible by integration")));
    let ran = runner.end(step.output().unwrap());
    ran.fails_with("1 different, 0 not tried")
        .fails_with("Give the job `permissions: contents: write` and `issues: write`");
    assert!(ran.summary.contains("\nWhat that means:\n\n- **React to a comment, twice:** "), "{}", ran.summary);
    // With both inputs, the doctor and the probe run. A comment triggers a normal run despite them.
    let runner = runner.with("PLAY_BY_COMMIT_DOCTOR", "true");
    let mut step = runner.step("workflow_dispatch", &workflow_dispatch(json!({})).to_string());
    let out = RunResult::from_output(step.output().unwrap()).out;
    assert!(out.contains("good: Issues are on.") && out.contains("23 as expected"), "{out}");
    runner.run_for_comment(1, 5_000_000_002).succeeds();
    assert_ne!(world.head(), head);
}

/// Asserts that the probe reports this result and consequence for a check, and cleans up.
#[track_caller]
fn assert_finds(change: impl FnOnce(&Server), id: &str, result: &str, consequence: &str) -> Report {
    let world = world_with_table();
    let server = Server::start(world.clone());
    change(&server);
    let report = run_from_home(&server);
    let row = &report.rows[id];
    assert!(row.0 == "differs" && row.1.contains(result), "{id}: {row:?}");
    let thing = ALL.iter().find(|thing| thing.id == id).unwrap();
    let line = format!("- **{}:** ", thing.title);
    let actual = report.ran.out.lines().find_map(|out| out.strip_prefix(&line)).unwrap_or_default();
    assert!(actual.contains(consequence), "{id} means {actual:?}, not {consequence:?}");
    assert_eq!(server.pending(), 0, "{id}");
    assert_clean(&world);
    report
}

/// Refuses the first request of a kind. The probe reopens its issue before it tests closing, so this refuses both.
fn refuse(kind: Request) -> impl Fn(&Server) {
    let times = if kind == Request::Close { 2 } else { 1 };
    move |server| {
        (0..times).for_each(|_| server.glitch(kind, canned(403, message("Resource not accessible by integration"))));
    }
}

/// Changes every reply with a thread.
fn change_reads(server: &Server, change: impl Fn(&mut Value) + Send + 'static) {
    server.twist(Request::Read, move |_, _, body| {
        let thread = &mut body["data"]["repository"]["issue0"];
        if thread.is_object() {
            change(thread);
        }
    });
}

const PERMISSION_ADVICE: &str = "Give the job `permissions: contents: write` and `issues: write`";

#[test]
fn names_missing_permissions() {
    let refused = [
        (Request::OpenIssue, "issue", "games don't need this"),
        (Request::Answer, "comment", "it can't answer"),
        (Request::Delete, "delete", "both answers stay"),
        (Request::MakeBranch, "branch", "creates that branch by hand"),
        (Request::Commit, "commit", "No move can be played"),
        (Request::Label, "label", "someone creates the label `play-by-commit` by hand"),
        (Request::Lock, "locked", "The bot never locks an issue"),
        (Request::Close, "close", "stays open"),
    ];
    // Run them in parallel, because they mostly wait.
    std::thread::scope(|scope| {
        for (kind, id, consequence) in refused {
            scope.spawn(move || assert_finds(refuse(kind), id, PERMISSION_ADVICE, consequence));
        }
    });
}

#[test]
fn names_unexpected_comments_and_reactions() {
    let author = |server: &Server, hidden: bool, renamed: bool| {
        server.twist(Request::Read, move |_, _, body| {
            if renamed {
                body["data"]["viewer"]["login"] = json!("somebody-else");
            }
            let notes = body.pointer_mut("/data/repository/issue0/comments/nodes").and_then(Value::as_array_mut);
            for note in notes.into_iter().flatten() {
                note["viewerDidAuthor"] = json!(!hidden);
            }
        });
    };
    let one = |report: Report, id: &str| assert_eq!(report.unexpected(), [id]);
    one(
        assert_finds(|s| author(s, true, false), "viewer-did-author", "is false", "only by its login"),
        "viewer-did-author",
    );
    one(
        assert_finds(|s| author(s, false, true), "viewer-login", "Another account", "only by `viewerDidAuthor`"),
        "viewer-login",
    );
    assert_finds(|s| author(s, true, true), "viewer-login", "Another account", "Don't play with this token");
    let status = |nth: usize, to: u16| {
        move |server: &Server| {
            (1..nth).for_each(|_| server.glitch(Request::React, proper()));
            server.glitch(Request::React, canned(to, "{}").applied());
        }
    };
    one(
        assert_finds(status(1, 200), "comment-reaction", "200, then 200", "answered late or not at all"),
        "comment-reaction",
    );
    one(assert_finds(status(2, 201), "comment-reaction", "201, then 201", "Two runs at once"), "comment-reaction");
    one(assert_finds(status(3, 200), "issue-reaction", "200, then 200", "`/new`"), "issue-reaction");
    one(assert_finds(status(4, 201), "issue-reaction", "201, then 201", "Two runs at once"), "issue-reaction");
    one(assert_finds(status(4, 404), "issue-reaction", "201, then 404", "`/new`"), "issue-reaction");
    // Another refusal in a locked issue.
    let says = |server: &Server| {
        (0..2).for_each(|_| server.glitch(Request::Answer, proper()));
        server.glitch(Request::Answer, canned(403, message("This conversation is frozen.")));
    };
    one(assert_finds(says, "locked", "frozen", "fails every day"), "locked");
    // A token that can write in locked issues is as expected.
    let world = world_with_table();
    let server = Server::start(world.clone());
    server.twist(Request::Answer, |seen, status, _| *status = if seen.path == "/graphql" { 200 } else { 201 });
    assert_eq!(run_from_home(&server).unexpected(), [""; 0]);
}

#[test]
fn names_unexpected_reads() {
    let without = |key: &'static str, value: Value| {
        move |server: &Server| change_reads(server, move |thread| thread[key] = value.clone())
    };
    let empty = json!({ "pageInfo": { "hasPreviousPage": false, "startCursor": null }, "nodes": [], "totalCount": 0 });
    let shown = "within 8 seconds";
    // Run them in parallel, because each waits until its time is over.
    std::thread::scope(|scope| {
        scope.spawn(|| {
            assert_finds(without("comments", empty), "comment-lag", "didn't show up", "moves are played late")
        });
        scope.spawn(|| assert_finds(without("closed", json!(false)), "close", shown, "stays open"));
        scope.spawn(|| {
            assert_finds(without("stateReason", json!(null)), "reopen", shown, "closes a reopened issue every day")
        });
        scope.spawn(|| assert_finds(without("locked", json!(false)), "locked", shown, "fails every day"));
        scope.spawn(|| {
            let found = |server: &Server| {
                server.twist(Request::Exists, |seen, status, body| {
                    if seen.path.contains("comments") {
                        (*status, *body) = (200, json!({ "id": 1 }));
                    }
                });
            };
            assert_finds(found, "delete", "It was still there", "both answers stay")
        });
        scope.spawn(|| {
            let bare = |server: &Server| server.twist(Request::Exists, |_, _, body| body["labels"] = json!([]));
            assert_finds(bare, "label", "doesn't have it", "by hand")
        });
        scope.spawn(|| {
            let old = |server: &Server| {
                let base = server.world.head().unwrap().to_string();
                server.twist(Request::Read, move |_, _, body| {
                    if body["data"]["repository"]["ref"].is_object() {
                        body["data"]["repository"]["ref"]["target"]["oid"] = json!(base);
                    }
                });
            };
            assert_finds(old, "commit-lag", "didn't show up", "loses the race")
        });
    });
    let apart = |server: &Server| {
        server.twist(Request::Read, |_, _, body| {
            if body["data"]["repository"]["ref"].is_object() {
                body["data"]["repository"]["ref"]["target"]["file0"] = Value::Null;
            }
        });
    };
    assert_finds(apart, "commit-lag", "but not that commit's file", "Don't play until");
}

/// The report has the lag of a read in milliseconds, and a long one differs.
#[test]
fn measures_the_lag_of_reads() {
    for (times, verdict) in [(2, "as expected"), (12, "differs")] {
        let server = Server::start(world_with_table());
        for nth in 1..=times {
            server.world.fail_nth(Request::Read, nth, testkit::world::RequestFault::LacksComments(1));
        }
        let report = run_from_home(&server);
        let (actual, result) = &report.rows["comment-lag"];
        let lag: u64 = result.split(' ').find_map(|word| word.parse().ok()).unwrap_or_default();
        let least = times as u64 * 500;
        assert!(actual == verdict && lag >= least, "{times}: {actual}, {result}");
    }
}

#[test]
fn names_unexpected_commits() {
    // The second commit is on an outdated head, the third deletes a missing file, the fourth is on a missing branch.
    let nth = |nth: usize, body: String| {
        move |server: &Server| {
            (1..nth).for_each(|_| server.glitch(Request::Commit, proper()));
            server.glitch(Request::Commit, canned(200, body));
        }
    };
    let landed = json!({ "data": { "createCommitOnBranch": { "commit": { "oid": "0".repeat(40) } } } }).to_string();
    let moved = "Expected branch to point to \"0\" but it did not.";
    for (change, id, result, consequence) in [
        (nth(1, graphql_error("STALE_DATA", moved)), "commit", "STALE_DATA", "No move can be played"),
        (nth(1, graphql_error("FORBIDDEN", "Protected branch")), "commit", "Set the input `branch:`", "No move can be"),
        (nth(2, graphql_error("CONFLICT", moved)), "stale-commit", "`CONFLICT`", "only by GitHub's wording"),
        (
            nth(2, graphql_error("CONFLICT", "Somebody was faster.")),
            "stale-commit",
            "faster",
            "ends its run with an error",
        ),
        (nth(2, landed.clone()), "stale-commit", "It landed", "overwrite each other"),
        (nth(3, landed.clone()), "missing-file", "It landed", "Games don't need this"),
        (nth(4, graphql_error("UNPROCESSABLE", "No.")), "missing-branch", "UNPROCESSABLE", "waits for the daily run"),
        (nth(4, landed), "missing-branch", "It landed", "overwrite each other"),
    ] {
        assert_finds(change, id, result, consequence);
    }
}

#[test]
fn names_pictures_that_cannot_be_fetched() {
    let answers = |to: u16| move |server: &Server| server.twist(Request::Picture, move |_, status, _| *status = to);
    assert_finds(answers(404), "picture", "in answers: 404", "the board as text is below them");
    let text = |server: &Server| {
        server.twist(Request::Picture, |seen, status, _| {
            if seen.path.contains("/raw/play-by-commit-probe") {
                *status = 500;
            }
        });
    };
    let report = assert_finds(text, "picture", "in answers: 200 image/svg+xml; on pages: 500", "broken pictures");
    assert_eq!(report.unexpected(), ["picture"]);
    // Pictures of a private repository need a login.
    let server = Server::start(world_with_table());
    answers(404)(&server);
    server.set_response("", 200, json!({ "default_branch": "main", "private": true }));
    let report = run_from_home(&server);
    assert!(report.unexpected().is_empty() && report.rows["picture"].1.contains("is private"), "{:?}", report.rows);
}
