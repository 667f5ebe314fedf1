//! What a wake-up call leads to: the run of one thread, or a sweep over all that were touched lately.

use anyhow::{Result, anyhow};
use table::talk::comment::Millis;
use tracing::info;

use crate::backoff::Backoff;
use crate::forge::Forge;
use crate::ledger::{Ledger, MAX_COMMANDS, Report};
use crate::page_refresh;
use crate::repo_config::{RepoConfig, Trigger};
use crate::run::Run;

/// Settles all that is unsettled where the wake-up call points.
///
/// # Errors
/// The fault that the host has to see: a misconfiguration, a damaged record, or a forge that stays out of reach.
pub async fn settle(forge: &dyn Forge, place: &RepoConfig, wake: Trigger) -> Result<Report> {
    settle_with_ledger(forge, place, wake, &mut Ledger::default()).await
}

/// Settles as [`settle`] does, with a ledger that is there also when the run fails.
///
/// # Errors
/// As [`settle`].
pub async fn settle_with_ledger(
    forge: &dyn Forge,
    place: &RepoConfig,
    wake: Trigger,
    ledger: &mut Ledger,
) -> Result<Report> {
    let ended = match wake {
        Trigger::Comment { source, table } => {
            Run::new(forge, place, source.issue, Some(source), table, ledger).settle_thread().await
        }
        Trigger::Issue(issue) => Run::new(forge, place, issue, None, None, ledger).settle_thread().await,
        Trigger::Sweep => sweep(forge, place, ledger).await,
    };
    ended.map(|()| ledger.report()).map_err(|error| ledger.add_failures_to(error))
}

/// Settles every issue that was touched lately. One that fails does not keep the others from being settled.
async fn sweep(forge: &dyn Forge, place: &RepoConfig, ledger: &mut Ledger) -> Result<()> {
    let since = place.cutoff(forge.now());
    let mut patience = Backoff::new(forge.now());
    let issues = loop {
        match forge.issues_updated_since(since).await {
            Ok(issues) => break issues,
            Err(fault) => patience.after_fault(forge, fault).await?,
        }
    };
    info!(issues = issues.len(), "sweeping");
    let mut failed = Vec::new();
    // However many there are, each may have a few commands settled; what is left is for the next sweep.
    let share = MAX_COMMANDS.div_ceil(u32::try_from(issues.len()).unwrap_or(MAX_COMMANDS).max(1)).max(20);
    for issue in rotate_start(issues, forge.now()) {
        if let Err(error) = Run::new(forge, place, issue, None, None, ledger).with_share(share).settle_thread().await {
            failed.push(format!("issue {issue}: {error:#}"));
        }
    }
    if let Err(error) = page_refresh::refresh_pages(forge, place, ledger).await {
        failed.push(format!("{error:#}"));
    }
    if failed.is_empty() { Ok(()) } else { Err(anyhow!("{}", failed.join("; "))) }
}

/// Turns a list of threads so that a sweep begins somewhere else each time: what one sweep has left, another soon begins with.
fn rotate_start(mut issues: Vec<u64>, now: Millis) -> Vec<u64> {
    let places = u64::try_from(issues.len()).unwrap_or(u64::MAX).max(1);
    let turn = (now / 60_000).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    issues.rotate_left(usize::try_from(turn % places).unwrap_or(0));
    issues
}
