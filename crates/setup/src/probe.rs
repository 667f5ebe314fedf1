//! The probe: tries each thing that the protocol rests on, one by one, on a scratch issue and a scratch branch of a real GitHub.
//!
//! It goes through the requests that play uses, and touches nothing that it has not made. Whatever happens it takes its things
//! away again: the branch and the label are deleted, the issue is unlocked and closed, since an ordinary token cannot delete one. What it
//! makes has names that no other run has.

mod branch_tests;
pub mod checks;
mod clean;
mod issue_tests;
pub mod report;
mod rows;
pub mod session;

use std::time::Duration;

use protocol::forge::Fault;

use crate::probe::branch_tests::BranchTests;
use crate::probe::issue_tests::IssueTests;
use crate::probe::report::ProbeReport;
use crate::probe::rows::Rows;
use crate::probe::session::{CreatedResources, Probe, ProbeTarget, TimeLimits};

/// Tries everything within the bounds, takes away what was made, and returns what was seen.
///
/// # Errors
/// The settings cannot be used, so nothing was tried.
pub async fn probe(place: ProbeTarget, bounds: TimeLimits) -> Result<ProbeReport, Fault> {
    let (enterprise, repository) = (place.enterprise, place.web.repository.clone());
    let bench = Probe::new(place)?;
    let (mut made, mut rows) = (CreatedResources::default(), Rows::default());
    let tried = tokio::time::timeout(bounds.tests, run_tests(&bench, &mut made, &mut rows)).await;
    let why = match tried {
        Ok(()) => "Not tried, because an earlier test failed.".to_owned(),
        Err(_) => format!("Not tried: the {} for the tests were over.", seconds(bounds.tests)),
    };
    clean::clean(&bench, &made, &mut rows, bounds.cleanup_step).await;
    Ok(ProbeReport { rows: rows.finish(&why), enterprise, repository })
}

/// Tries everything. It may be left at any request: what was made is noted before it is asked for.
async fn run_tests(bench: &Probe, made: &mut CreatedResources, rows: &mut Rows) {
    let issue = IssueTests::new(bench, made, rows).open_issue().await;
    if let Some(issue) = issue {
        IssueTests::new(bench, made, rows).test_comments(issue).await;
    }
    BranchTests::new(bench, made, rows).run().await;
    if let Some(issue) = issue {
        IssueTests::new(bench, made, rows).test_state_changes(issue).await;
    }
}

fn seconds(time: Duration) -> String {
    format!("{} seconds", time.as_secs_f32())
}
