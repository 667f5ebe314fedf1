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

use protocol::forge::Fault;

use crate::probe::bench::{Bench, Bounds, Made, ProbePlace};
use crate::probe::commits::BranchTrial;
use crate::probe::report::ProbeReport;
use crate::probe::rows::Rows;
use crate::probe::threads::ThreadTrial;

/// Tries everything within the bounds, takes away what was made, and returns what was seen.
///
/// # Errors
/// The settings cannot be used, so nothing was tried.
pub async fn probe(place: ProbePlace, bounds: Bounds) -> Result<ProbeReport, Fault> {
    let (enterprise, repository) = (place.enterprise, place.web.repository.clone());
    let bench = Bench::new(place)?;
    let (mut made, mut rows) = (Made::default(), Rows::default());
    let tried = tokio::time::timeout(bounds.trying, try_all(&bench, &mut made, &mut rows)).await;
    let why = match tried {
        Ok(()) => "Not tried, because an earlier test failed.".to_owned(),
        Err(_) => format!("Not tried: the {} for the tests were over.", seconds(bounds.trying)),
    };
    clean::clean(&bench, &made, &mut rows, bounds.step).await;
    Ok(ProbeReport { rows: rows.finish(&why), enterprise, repository })
}

/// Tries everything. It may be left at any request: what was made is noted before it is asked for.
async fn try_all(bench: &Bench, made: &mut Made, rows: &mut Rows) {
    let issue = ThreadTrial::new(bench, made, rows).open().await;
    if let Some(issue) = issue {
        ThreadTrial::new(bench, made, rows).thread(issue).await;
    }
    BranchTrial::new(bench, made, rows).branch().await;
    if let Some(issue) = issue {
        ThreadTrial::new(bench, made, rows).endings(issue).await;
    }
}

fn seconds(time: Duration) -> String {
    format!("{} seconds", time.as_secs_f32())
}
