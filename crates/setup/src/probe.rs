//! The probe: tests every assumption about GitHub that the protocol relies on, on a temporary issue and a temporary branch.
//!
//! It sends the same requests as a game, and only changes what it created itself, under random names. It always cleans up: it
//! deletes the branch and the label, and unlocks and closes the issue, because an ordinary token can't delete issues.

mod branch_tests;
pub mod checks;
mod clean;
mod issue_tests;
pub mod report;
mod rows;
pub mod session;

use protocol::forge::Fault;

use crate::probe::report::ProbeReport;
use crate::probe::rows::Rows;
use crate::probe::session::{CreatedResources, Probe, ProbeTarget, TimeLimits};

/// Runs all tests within the time limits, cleans up, and returns the results.
///
/// # Errors
/// Returns an error if the settings are invalid. Nothing has been tested then.
pub async fn probe(target: ProbeTarget, limits: TimeLimits) -> Result<ProbeReport, Fault> {
    let (enterprise, repository) = (target.enterprise, target.web.repository.clone());
    let probe = Probe::new(target)?;
    let (mut created, mut rows) = (CreatedResources::default(), Rows::default());
    let result = tokio::time::timeout(limits.tests, run_tests(&probe, &mut created, &mut rows)).await;
    let why = match result {
        Ok(()) => "Not tried, because an earlier test failed.".to_owned(),
        Err(_) => format!("Not tried: the {} seconds for the tests have passed.", limits.tests.as_secs_f32()),
    };
    clean::clean(&probe, &created, &mut rows, limits.cleanup_step).await;
    Ok(ProbeReport { rows: rows.finish(&why), enterprise, repository })
}

/// Runs all tests. It can be canceled at any time, because it updates `created` before each request.
async fn run_tests(probe: &Probe, created: &mut CreatedResources, rows: &mut Rows) {
    let issue = issue_tests::open_issue(probe, created, rows).await;
    if let Some(issue) = issue {
        issue_tests::test_comments(probe, rows, issue).await;
    }
    branch_tests::test_branch(probe, created, rows).await;
    if let Some(issue) = issue {
        issue_tests::test_state_changes(probe, created, rows, issue).await;
    }
}
