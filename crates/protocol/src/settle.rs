//! The entry point of a run: settles one thread, or sweeps all recent games.

use crate::forge::Forge;
use crate::ledger::{Ledger, Report};
use crate::repo_config::{RepoConfig, Trigger};
use crate::run::Run;
use crate::settle_error::SettleError;
use crate::sweep::sweep;

/// Settles every pending command in the thread that the trigger names, or in all recent games.
///
/// # Errors
/// Returns an error if the host has to act, or if the forge stays unreachable.
pub async fn settle(forge: &dyn Forge, config: &RepoConfig, trigger: Trigger) -> Result<Report, SettleError> {
    settle_with_ledger(forge, config, trigger, &mut Ledger::default()).await
}

/// Does what [`settle`] does, and records the work and the notes in `ledger` even if the run fails.
///
/// # Errors
/// Returns an error if [`settle`] would.
pub async fn settle_with_ledger(
    forge: &dyn Forge,
    config: &RepoConfig,
    trigger: Trigger,
    ledger: &mut Ledger,
) -> Result<Report, SettleError> {
    let outcome = match trigger {
        Trigger::Comment { source, table } => {
            Run::new(forge, config, source.issue, Some(source), table, ledger).settle_thread().await
        }
        Trigger::Issue(issue) => Run::new(forge, config, issue, None, None, ledger).settle_thread().await,
        Trigger::Sweep => sweep(forge, config, ledger).await,
    };
    outcome.map(|()| ledger.report())
}
