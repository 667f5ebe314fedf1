//! What a wake-up call leads to: the run of one thread, or a sweep over all that were touched lately.

use anyhow::{Result, anyhow};
use table::talk::comment::Millis;
use tracing::info;

use crate::forge::Forge;
use crate::ledger::{ENOUGH, Ledger, Report};
use crate::page_refresh;
use crate::patience::Patience;
use crate::place::{Place, Wake};
use crate::run::Run;

/// Settles all that is unsettled where the wake-up call points.
///
/// # Errors
/// The fault that the host has to see: a misconfiguration, a damaged record, or a forge that stays out of reach.
pub async fn settle(forge: &dyn Forge, place: &Place, wake: Wake) -> Result<Report> {
    settle_noting(forge, place, wake, &mut Ledger::default()).await
}

/// Settles as [`settle`] does, with a ledger that is there also when the run fails.
///
/// # Errors
/// As [`settle`].
pub async fn settle_noting(forge: &dyn Forge, place: &Place, wake: Wake, ledger: &mut Ledger) -> Result<Report> {
    let ended = match wake {
        Wake::Comment { source, table } => Run::new(forge, place, source.issue, Some(source), table, ledger).go().await,
        Wake::Issue(issue) => Run::new(forge, place, issue, None, None, ledger).go().await,
        Wake::Sweep => sweep(forge, place, ledger).await,
    };
    ended.map(|()| ledger.report()).map_err(|error| ledger.stopped(error))
}

/// Settles every issue that was touched lately. One that fails does not keep the others from being settled.
async fn sweep(forge: &dyn Forge, place: &Place, ledger: &mut Ledger) -> Result<()> {
    let since = place.horizon(forge.now());
    let mut patience = Patience::new(forge.now());
    let issues = loop {
        match forge.touched_since(since).await {
            Ok(issues) => break issues,
            Err(fault) => patience.rest(forge, fault).await?,
        }
    };
    info!(issues = issues.len(), "sweeping");
    let mut failed = Vec::new();
    // However many there are, each may have a few commands settled; what is left is for the next sweep.
    let share = ENOUGH.div_ceil(u32::try_from(issues.len()).unwrap_or(ENOUGH).max(1)).max(20);
    for issue in begun_elsewhere(issues, forge.now()) {
        if let Err(error) = Run::new(forge, place, issue, None, None, ledger).sharing(share).go().await {
            failed.push(format!("issue {issue}: {error:#}"));
        }
    }
    if let Err(error) = page_refresh::refresh_pages(forge, place, ledger).await {
        failed.push(format!("{error:#}"));
    }
    if failed.is_empty() { Ok(()) } else { Err(anyhow!("{}", failed.join("; "))) }
}

/// Turns a list of threads so that a sweep begins somewhere else each time: what one sweep has left, another soon begins with.
fn begun_elsewhere(mut issues: Vec<u64>, now: Millis) -> Vec<u64> {
    let places = u64::try_from(issues.len()).unwrap_or(u64::MAX).max(1);
    let turn = (now / 60_000).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    issues.rotate_left(usize::try_from(turn % places).unwrap_or(0));
    issues
}
