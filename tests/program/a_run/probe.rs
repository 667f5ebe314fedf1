//! The probe: a GitHub that does as expected, each thing that one can do otherwise, and what is left behind in any case.

mod outages;

use std::collections::BTreeMap;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use setup::probe::checks::ALL;
use testkit::often;
use testkit::payloads::workflow_dispatch;
use testkit::server::{NAME, OWNER, Server, TOKEN, canned, graphql_error, message, proper};
use testkit::world::{Request, World};

use super::{Ran, Runner, kinds, table};

/// The probe from somebody's own machine.
fn command(server: &Server) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_play-by-commit"));
    command.args(["doctor", "--probe", "--online", &format!("{OWNER}/{NAME}")]).env_clear().env("GH_TOKEN", TOKEN);
    command.env("GITHUB_API_URL", &server.api_url).env("GITHUB_GRAPHQL_URL", &server.graphql_url);
    command.env("GITHUB_SERVER_URL", &server.url).stdin(Stdio::null());
    command
}

/// What a probe has reported, and what holds of every report.
struct Report {
    ran: Ran,
    /// The verdict and what was seen, by thing.
    rows: BTreeMap<String, (String, String)>,
}

impl Report {
    #[track_caller]
    fn of(ran: Ran) -> Report {
        assert!(![&ran.out, &ran.err, &ran.summary].iter().any(|text| text.contains(TOKEN)), "{ran:?}");
        assert!(!ran.err.contains("panicked"), "{ran:?}");
        let json = ran.out.split("```json\n").nth(1).and_then(|rest| rest.split("```").next());
        let json = json.unwrap_or_else(|| panic!("there is no JSON: {ran:?}"));
        assert!(!json.contains(&format!("{OWNER}/{NAME}")), "{json}");
        let told: Value = serde_json::from_str(json).unwrap();
        let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
        let all = told["rows"].as_array().unwrap();
        let rows: BTreeMap<_, _> =
            all.iter().map(|row| (text(row, "id"), (text(row, "verdict"), text(row, "seen")))).collect();
        assert_eq!(rows.len(), ALL.len(), "a row for each thing");
        for thing in ALL {
            assert!(ran.out.contains(&format!("| {} |", thing.title)), "the table lacks {}: {ran:?}", thing.id);
        }
        let good = rows.values().all(|(verdict, _)| verdict == "as expected");
        assert_eq!(ran.code, Some(i32::from(!good)), "{ran:?}");
        Report { ran, rows }
    }

    /// The things that are not as expected.
    fn others(&self) -> Vec<&str> {
        let others = self.rows.iter().filter(|(_, (verdict, _))| verdict != "as expected");
        others.map(|(id, _)| id.as_str()).collect()
    }
}

#[track_caller]
fn from_home(server: &Server) -> Report {
    Report::of(Ran::of(command(server).output().unwrap()))
}

/// The names that a probe has asked for: its branch and its label.
fn scratch(server: &Server) -> Vec<String> {
    let names = server.seen().into_iter().filter_map(|seen| {
        let of_branch = seen.body["ref"].as_str().and_then(|name| name.strip_prefix("refs/heads/"));
        of_branch.or(seen.body["labels"][0].as_str()).map(str::to_owned)
    });
    names.collect()
}

/// What is there once a probe is over: the table as it was, and at most an issue that was put away.
#[track_caller]
fn is_clean(world: &World) {
    world.look(|state| {
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
fn all_is_as_expected_and_nothing_stays() {
    let world = table();
    let (head, there) = (world.head(), world.look(|state| state.issues[&1].clone()));
    let server = Server::start(world.clone());
    let report = from_home(&server);
    assert_eq!(report.others(), [""; 0], "{:?}", report.rows);
    assert!(report.ran.out.contains("21 as expected, 0 different, 0 not tried."), "{}", report.ran.out);
    assert!(!report.ran.out.contains("What that means"), "{}", report.ran.out);
    is_clean(&world);
    assert!(world.head() == head && world.look(|state| state.issues[&1] == there), "the table is not touched");
    assert!(kinds(&world).len() <= 32, "{:?}", kinds(&world));
    // It starts no game, neither by itself nor when the daily run comes by.
    world.clear_log();
    Runner::of(&server).on("schedule", &testkit::payloads::schedule()).is_done();
    assert!(kinds(&world).iter().all(|kind| [Request::Sweep, Request::Read].contains(kind)), "{:?}", kinds(&world));
    // A second one has names of its own.
    let first = scratch(&server);
    assert_eq!(from_home(&server).others(), [""; 0]);
    assert!(first.len() == 2 && scratch(&server)[2..].iter().all(|name| !first.contains(name)), "{first:?}");
}

#[test]
fn a_run_that_is_started_by_hand_probes_and_plays_nothing() {
    let world = table();
    world.comment(1, "alice", "/move b2");
    let server = Server::start(world.clone());
    let runner = Runner::of(&server).with("PLAY_BY_COMMIT_PROBE", "true").with("GITHUB_SERVER_URL", &server.url);
    let head = world.head();
    let mut step = runner.step("workflow_dispatch", &workflow_dispatch(json!({ "probe": "true" })).to_string());
    let ran = runner.end(step.output().unwrap());
    assert!(
        ran.summary.contains("| Commit on the right head | It lands, with its id | It landed |"),
        "{}",
        ran.summary
    );
    assert!(Report::of(ran).others().is_empty() && world.head() == head);
    is_clean(&world);
    // What differs is an error on the page of the run.
    server.glitch(Request::React, canned(403, message("Resource not accessible by integration")));
    let ran = runner.end(step.output().unwrap());
    ran.failed("1 different, 0 not tried").failed("Give the job `permissions: contents: write` and `issues: write`");
    assert!(ran.summary.contains("\nWhat that means:\n\n- **React to a comment, twice:** "), "{}", ran.summary);
    // With both inputs both are done, and a comment is a move whatever they say.
    let runner = runner.with("PLAY_BY_COMMIT_DOCTOR", "true");
    let mut step = runner.step("workflow_dispatch", &workflow_dispatch(json!({})).to_string());
    let out = Ran::of(step.output().unwrap()).out;
    assert!(out.contains("good: Issues are on.") && out.contains("21 as expected"), "{out}");
    runner.wake(1, 5_000_000_002).is_done();
    assert_ne!(world.head(), head);
}

/// One thing is otherwise: its row says what was seen and what that means, and all is taken away.
#[track_caller]
fn finds(breaks: impl FnOnce(&Server), id: &str, seen: &str, consequence: &str) -> Report {
    let world = table();
    let server = Server::start(world.clone());
    breaks(&server);
    let report = from_home(&server);
    let row = &report.rows[id];
    assert!(row.0 == "differs" && row.1.contains(seen), "{id}: {row:?}");
    let thing = ALL.into_iter().find(|thing| thing.id == id).unwrap();
    let line = format!("- **{}:** ", thing.title);
    let told = report.ran.out.lines().find_map(|out| out.strip_prefix(&line)).unwrap_or_default();
    assert!(told.contains(consequence), "{id} means {told:?}, not {consequence:?}");
    assert_eq!(server.pending(), 0, "{id}");
    is_clean(&world);
    report
}

fn refuses(kind: Request) -> impl Fn(&Server) {
    move |server| server.glitch(kind, canned(403, message("Resource not accessible by integration")))
}

/// Changes every read of a thread.
fn reads(server: &Server, change: impl Fn(&mut Value) + Send + 'static) {
    server.twist(Request::Read, move |_, _, body| {
        let thread = &mut body["data"]["repository"]["first"];
        if thread.is_object() {
            change(thread);
        }
    });
}

const MAY: &str = "Give the job `permissions: contents: write` and `issues: write`";

#[test]
fn what_a_token_may_not_do_is_named_with_the_setting() {
    let refused = [
        (Request::OpenIssue, "issue", "games don't need this"),
        (Request::Answer, "comment", "it can't answer"),
        (Request::Delete, "delete", "both answers stay"),
        (Request::MakeBranch, "branch", "creates that branch by hand"),
        (Request::Commit, "commit", "No move can be played"),
        (Request::Label, "label", "someone creates the label `play-by-commit` by hand"),
        (Request::Lock, "locked", "The bot never locks an issue"),
        // This one waits longest: for what is never closed, and for what is never opened again.
        (Request::Close, "close", "stays open"),
    ];
    let refused = refused.into_iter().take(often(7, 8));
    // Most of it is waiting, so all wait at once.
    std::thread::scope(|scope| {
        for (kind, id, consequence) in refused {
            scope.spawn(move || finds(refuses(kind), id, MAY, consequence));
        }
    });
}

#[test]
fn what_comments_and_reactions_do_otherwise_is_named() {
    let author = |server: &Server, hidden: bool, renamed: bool| {
        server.twist(Request::Read, move |_, _, body| {
            if renamed {
                body["data"]["viewer"]["login"] = json!("somebody-else");
            }
            let notes = body.pointer_mut("/data/repository/first/comments/nodes").and_then(Value::as_array_mut);
            for note in notes.into_iter().flatten() {
                note["viewerDidAuthor"] = json!(!hidden);
            }
        });
    };
    let one = |report: Report, id: &str| assert_eq!(report.others(), [id]);
    one(finds(|s| author(s, true, false), "viewer-did-author", "is false", "only by its login"), "viewer-did-author");
    one(
        finds(|s| author(s, false, true), "viewer-login", "Another account", "only by `viewerDidAuthor`"),
        "viewer-login",
    );
    finds(|s| author(s, true, true), "viewer-login", "Another account", "Don't play with this token");
    let status = |nth: usize, to: u16| {
        move |server: &Server| {
            (1..nth).for_each(|_| server.glitch(Request::React, proper()));
            server.glitch(Request::React, canned(to, "{}").applied());
        }
    };
    one(finds(status(1, 200), "comment-reaction", "200, then 200", "answered late or not at all"), "comment-reaction");
    one(finds(status(2, 201), "comment-reaction", "201, then 201", "Two runs at once"), "comment-reaction");
    one(finds(status(3, 200), "issue-reaction", "200, then 200", "`/new`"), "issue-reaction");
    one(finds(status(4, 201), "issue-reaction", "201, then 201", "Two runs at once"), "issue-reaction");
    one(finds(status(4, 404), "issue-reaction", "201, then 404", "`/new`"), "issue-reaction");
    // A lock that says something else.
    let says = |server: &Server| {
        server.glitch(Request::Answer, proper());
        server.glitch(Request::Answer, canned(403, message("This conversation is frozen.")));
    };
    one(finds(says, "locked", "frozen", "fails every day"), "locked");
    // The token may write where others may not: that is as expected.
    let world = table();
    let server = Server::start(world.clone());
    server.twist(Request::Answer, |_, status, _| *status = 201);
    assert_eq!(from_home(&server).others(), [""; 0]);
}

#[test]
fn what_is_read_otherwise_is_named() {
    let without = |key: &'static str, value: Value| {
        move |server: &Server| reads(server, move |thread| thread[key] = value.clone())
    };
    let empty = json!({ "pageInfo": { "hasPreviousPage": false, "startCursor": null }, "nodes": [], "totalCount": 0 });
    let shown = "within 8 seconds";
    // Each waits for what never shows, so all wait at once.
    std::thread::scope(|scope| {
        scope.spawn(|| finds(without("comments", empty), "comment-lag", "didn't show up", "moves are played late"));
        scope.spawn(|| finds(without("closed", json!(false)), "close", shown, "stays open"));
        scope
            .spawn(|| finds(without("stateReason", json!(null)), "reopen", shown, "closes a reopened issue every day"));
        scope.spawn(|| finds(without("locked", json!(false)), "locked", shown, "fails every day"));
        scope.spawn(|| {
            let found = |server: &Server| {
                server.twist(Request::Exists, |seen, status, body| {
                    if seen.path.contains("comments") {
                        (*status, *body) = (200, json!({ "id": 1 }));
                    }
                });
            };
            finds(found, "delete", "It was still there", "both answers stay")
        });
        scope.spawn(|| {
            let bare = |server: &Server| server.twist(Request::Exists, |_, _, body| body["labels"] = json!([]));
            finds(bare, "label", "doesn't have it", "by hand")
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
            finds(old, "commit-lag", "didn't show up", "loses the race")
        });
    });
    let apart = |server: &Server| {
        server.twist(Request::Read, |_, _, body| {
            if body["data"]["repository"]["ref"].is_object() {
                body["data"]["repository"]["ref"]["target"]["file0"] = Value::Null;
            }
        });
    };
    finds(apart, "commit-lag", "without the file", "Don't play until");
}

/// A read that shows what was written only after a while: the milliseconds are told, and few of them are borne.
#[test]
fn a_lag_is_measured() {
    for (times, verdict) in [(2, "as expected"), (12, "differs")] {
        let server = Server::start(table());
        for nth in 1..=times {
            server.world.fail_nth(Request::Read, nth, testkit::world::Trouble::LacksComments(1));
        }
        let report = from_home(&server);
        let (said, seen) = &report.rows["comment-lag"];
        let late: u64 = seen.split(' ').find_map(|word| word.parse().ok()).unwrap_or_default();
        let least = times as u64 * 500;
        assert!(said == verdict && late >= least, "{times}: {said}, {seen}");
    }
}

#[test]
fn what_commits_do_otherwise_is_named() {
    // The second commit is the stale one, the third the one on no branch.
    let nth = |nth: usize, body: String| {
        move |server: &Server| {
            (1..nth).for_each(|_| server.glitch(Request::Commit, proper()));
            server.glitch(Request::Commit, canned(200, body));
        }
    };
    let landed = json!({ "data": { "createCommitOnBranch": { "commit": { "oid": "0".repeat(40) } } } }).to_string();
    let moved = "Expected branch to point to \"0\" but it did not.";
    for (breaks, id, seen, consequence) in [
        (nth(1, graphql_error("STALE_DATA", moved)), "commit", "STALE_DATA", "No move can be played"),
        (nth(1, graphql_error("FORBIDDEN", "Protected branch")), "commit", "Set the input `branch:`", "No move can be"),
        (nth(2, graphql_error("CONFLICT", moved)), "stale-commit", "`CONFLICT`", "by the words of the sentence alone"),
        (
            nth(2, graphql_error("CONFLICT", "Somebody was faster.")),
            "stale-commit",
            "faster",
            "ends its run with an error",
        ),
        (nth(2, landed.clone()), "stale-commit", "It landed", "overwrite each other"),
        (nth(3, graphql_error("UNPROCESSABLE", "No.")), "missing-branch", "UNPROCESSABLE", "waits for the daily run"),
        (nth(3, landed), "missing-branch", "It landed", "overwrite each other"),
    ] {
        finds(breaks, id, seen, consequence);
    }
}

#[test]
fn a_picture_that_cannot_be_seen_is_named() {
    let answers = |to: u16| move |server: &Server| server.twist(Request::Picture, move |_, status, _| *status = to);
    finds(answers(404), "picture", "in answers: 404", "the board as text is below them");
    let text = |server: &Server| {
        server.twist(Request::Picture, |seen, status, _| {
            if seen.path.contains("/raw/play-by-commit-probe") {
                *status = 500;
            }
        });
    };
    let report = finds(text, "picture", "in answers: 200 image/svg+xml; on pages: 500", "broken pictures");
    assert_eq!(report.others(), ["picture"]);
    // In a private repository nobody sees it without a login.
    let server = Server::start(table());
    answers(404)(&server);
    server.says("", 200, json!({ "default_branch": "main", "private": true }));
    let report = from_home(&server);
    assert!(report.others().is_empty() && report.rows["picture"].1.contains("is private"), "{:?}", report.rows);
}
