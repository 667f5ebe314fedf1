//! The entry point of a run: settles one thread, or sweeps all recently updated ones.

use anyhow::{Result, anyhow};
use table::talk::comment::Millis;
use tracing::info;

use crate::backoff::Backoff;
use crate::forge::Forge;
use crate::ledger::{Ledger, MAX_COMMANDS, Report};
use crate::page_refresh;
use crate::repo_config::{RepoConfig, Trigger};
use crate::run::Run;

/// Settles every pending command in the thread that the trigger names, or in all recent threads.
///
/// # Errors
/// Returns an error if the host has to act: a setting is wrong, a record is damaged, or the forge stays unreachable.
pub async fn settle(forge: &dyn Forge, config: &RepoConfig, trigger: Trigger) -> Result<Report> {
    settle_with_ledger(forge, config, trigger, &mut Ledger::default()).await
}

/// Does the same as [`settle`], and records the work in `ledger` even if the run fails.
///
/// # Errors
/// Returns an error if [`settle`] would.
pub async fn settle_with_ledger(
    forge: &dyn Forge,
    config: &RepoConfig,
    trigger: Trigger,
    ledger: &mut Ledger,
) -> Result<Report> {
    let outcome = match trigger {
        Trigger::Comment { source, table } => {
            Run::new(forge, config, source.issue, Some(source), table, ledger).settle_thread().await
        }
        Trigger::Issue(issue) => Run::new(forge, config, issue, None, None, ledger).settle_thread().await,
        Trigger::Sweep => sweep(forge, config, ledger).await,
    };
    outcome.map(|()| ledger.report()).map_err(|error| ledger.add_failures_to(error))
}

/// Settles every recently updated issue and fills the pages. If an issue fails, the sweep continues with the next one.
async fn sweep(forge: &dyn Forge, config: &RepoConfig, ledger: &mut Ledger) -> Result<()> {
    let since = config.cutoff(forge.now());
    let mut backoff = Backoff::new(forge.now());
    let issues = loop {
        match forge.issues_updated_since(since).await {
            Ok(issues) => break issues,
            Err(fault) => backoff.after_fault(forge, fault).await?,
        }
    };
    info!(issues = issues.len(), "sweeping");
    let mut failed = Vec::new();
    // Each issue gets at least 20 commands. The next sweep settles the rest.
    let share = MAX_COMMANDS.div_ceil(u32::try_from(issues.len()).unwrap_or(MAX_COMMANDS).max(1)).max(20);
    for issue in rotate_start(issues, forge.now()) {
        if let Err(error) = Run::new(forge, config, issue, None, None, ledger).with_share(share).settle_thread().await {
            failed.push(format!("issue {issue}: {error:#}"));
        }
    }
    if let Err(error) = page_refresh::refresh_pages(forge, config, ledger).await {
        failed.push(format!("{error:#}"));
    }
    if failed.is_empty() { Ok(()) } else { Err(anyhow!("{}", failed.join("; "))) }
}

/// Rotates the list so that each sweep starts elsewhere, and soon reaches what an earlier one left over.
fn rotate_start(mut issues: Vec<u64>, now: Millis) -> Vec<u64> {
    let count = u64::try_from(issues.len()).unwrap_or(u64::MAX).max(1);
    let hash = (now / 60_000).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    issues.rotate_left(usize::try_from(hash % count).unwrap_or(0));
    issues
}
