//! The probe: tries each thing that the protocol rests on, one by one, on a scratch issue and a scratch branch of a real GitHub.
//!
//! It goes through the requests that play uses, and touches nothing that it has not made. Whatever happens it takes its things
//! away again: the branch and the label are deleted, the issue is unlocked and closed, since an ordinary token cannot delete one. What it
//! makes has names that no other run has.

pub mod bench;
mod clean;
mod commits;
pub mod report;
mod rows;
pub mod things;
mod threads;

use std::time::Duration;

use crate::host::probe::bench::{Bench, Bounds, ProbePlace};
use crate::host::probe::report::ProbeReport;
use crate::protocol::forge::Fault;

/// Tries everything within the bounds, takes away what was made, and returns what was seen.
///
/// # Errors
/// The settings cannot be used, so nothing was tried.
pub async fn probe(place: ProbePlace, bounds: Bounds) -> Result<ProbeReport, Fault> {
    let (enterprise, repository) = (place.enterprise, place.web.repository.clone());
    let mut bench = Bench::new(place)?;
    let tried = tokio::time::timeout(bounds.trying, try_all(&mut bench)).await;
    let why = match tried {
        Ok(()) => "Not tried, because an earlier test failed.".to_owned(),
        Err(_) => format!("Not tried: the {} for the tests were over.", seconds(bounds.trying)),
    };
    bench.clean(bounds.step).await;
    Ok(ProbeReport { rows: bench.rows.finish(&why), enterprise, repository })
}

/// Tries everything. It may be left at any request: what was made is noted before it is asked for.
async fn try_all(bench: &mut Bench) {
    if let Some(issue) = bench.open().await {
        bench.thread(issue).await;
    }
    bench.branch().await;
    if let Some(issue) = bench.made.issue.number() {
        bench.endings(issue).await;
    }
}

fn seconds(time: Duration) -> String {
    format!("{} seconds", time.as_secs_f32())
}
