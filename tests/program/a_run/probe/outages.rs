//! Interrupted probes: each one cleans up, or says what the host has to clean up by hand.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use github::Settings;
use http::Method;
use protocol::repo_config::WebRepo;
use setup::probe::probe;
use setup::probe::report::Verdict;
use setup::probe::session::{ProbeTarget, TimeLimits};
use testkit::server::{Delivery, Outage, Server, TOKEN, canned, message, proper};
use testkit::short_or_long;
use testkit::world::Request;

use super::{NAME, OWNER, Report, assert_clean, probe_command, resource_names, run_from_home};
use crate::a_run::{RunResult, world_with_table};

/// Settings with a token that has all permissions.
fn settings(server: &Server) -> Settings {
    Settings {
        token: TOKEN.to_owned(),
        api_url: server.api_url.clone(),
        graphql_url: server.graphql_url.clone(),
        owner: OWNER.to_owned(),
        name: NAME.to_owned(),
        branch: None,
        state_dir: "state".to_owned(),
        assign_turns: false,
        timeout: Duration::from_secs(20),
    }
}

/// Runs a check in parallel for each request of a probe, or for every other one in a short test run.
fn for_each_request(all: usize, check: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(1);
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                loop {
                    match next.fetch_add(short_or_long(2, 1), Ordering::Relaxed) {
                        nth if nth <= all => check(nth),
                        _ => return,
                    }
                }
            });
        }
    });
}

fn request_count() -> usize {
    let server = Server::start(world_with_table());
    run_from_home(&server);
    server.seen().len()
}

#[test]
fn cleans_up_after_any_lost_reply() {
    let all = request_count();
    for_each_request(all, |nth| {
        let world = world_with_table();
        let server = Server::start(world.clone());
        server.set_outage(Outage::Loses(nth));
        let report = Report::parse(RunResult::from_output(probe_command(&server).output().unwrap()));
        assert_clean(&world);
        // A cleanup step runs again if its reply was lost.
        assert!(report.unexpected().iter().all(|id| !id.starts_with("clean-")), "{nth}: {:?}", report.rows);
    });
}

#[test]
fn attempts_cleanup_after_any_outage() {
    let all = request_count();
    for_each_request(all, |nth| {
        let world = world_with_table();
        let server = Server::start(world.clone());
        server.set_outage(Outage::From(nth));
        let report = Report::parse(RunResult::from_output(probe_command(&server).output().unwrap()));
        let seen = server.seen();
        let request_count_for = |method: Method, end: &str| {
            seen.iter().filter(|seen| seen.method == method && seen.path.ends_with(end)).count()
        };
        let left = world.with_state(|state| state.clone());
        for name in left.branches.keys().filter(|name| *name != "main") {
            assert!(request_count_for(Method::DELETE, &format!("heads/{name}")) >= 2, "{nth}: {name} stays, untried");
            assert!(
                report.ran.out.contains(&format!("Delete the branch `{name}` by hand")),
                "{nth}: {}",
                report.ran.out
            );
        }
        for name in left.labels.iter().filter(|name| *name != "play-by-commit") {
            assert!(
                request_count_for(Method::DELETE, &name.replace('-', "%2D")) >= 2,
                "{nth}: the label {name} stays, untried"
            );
            assert!(report.ran.out.contains(&format!("Delete the label `{name}` by hand")), "{nth}");
        }
        for (number, _) in left.issues.iter().filter(|(number, issue)| **number != 1 && !issue.closed) {
            assert!(
                request_count_for(Method::PATCH, &format!("issues/{number}")) >= 2,
                "{nth}: the issue stays, untried"
            );
            assert!(report.ran.out.contains(&format!("Close issue #{number} by hand")), "{nth}");
        }
        assert!(resource_names(&server).len() <= 2);
    });
}

#[test]
fn a_refused_cleanup_step_does_not_stop_the_others() {
    let refused = || canned(403, message("Resource not accessible by integration"));
    for (kind, id, by_hand) in [
        (Request::DeleteBranch, "clean-branch", "Delete the branch `play-by-commit-probe-"),
        (Request::DeleteLabel, "clean-label", "Delete the label `play-by-commit-probe-"),
        (Request::Unlock, "clean-issue", "Close issue #2 by hand"),
        (Request::Close, "clean-issue", "Close issue #2 by hand"),
    ] {
        let world = world_with_table();
        let server = Server::start(world.clone());
        if kind == Request::Close {
            // Let the requests through that test an answer, closing and reopening.
            (0..3).for_each(|_| server.glitch(kind, proper()));
        }
        server.glitch(kind, refused());
        let report = run_from_home(&server);
        assert_eq!(report.unexpected(), [id]);
        assert!(report.ran.out.contains(by_hand), "{}", report.ran.out);
        world.with_state(|state| {
            assert_eq!(state.branches.len() > 1, kind == Request::DeleteBranch);
            assert_eq!(state.labels.len() > 1, kind == Request::DeleteLabel);
            assert_eq!(state.issues[&2].locked, kind == Request::Unlock);
            assert_eq!(state.issues[&2].closed, kind != Request::Close);
        });
    }
}

#[test]
fn cleans_up_after_a_timeout() {
    for kind in
        [Request::OpenIssue, Request::React, Request::MakeBranch, Request::Commit, Request::Label, Request::Lock]
    {
        let world = world_with_table();
        let server = Server::start(world.clone());
        server.glitch(kind, canned(200, message("This never ends")).applied().delivery(Delivery::Stalls));
        let repository = format!("{OWNER}/{NAME}");
        let target = ProbeTarget {
            settings: Settings { timeout: Settings::DEFAULT_TIMEOUT, ..settings(&server) },
            web: WebRepo { server: server.url.clone(), repository, branch: None },
            enterprise: false,
        };
        let limits = TimeLimits { tests: Duration::from_millis(1_500), cleanup_step: Duration::from_secs(2) };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let since = Instant::now();
        let report = runtime.block_on(probe(target, limits)).unwrap();
        assert!(since.elapsed() < Duration::from_secs(6), "{kind:?}");
        let timed_out =
            report.rows.iter().filter(|row| row.verdict == Verdict::NotTried && row.result.contains("1.5 seconds"));
        assert!(timed_out.count() > 0 && report.to_markdown().contains("not tried"), "{kind:?}: {report:?}");
        assert_clean(&world);
    }
}
