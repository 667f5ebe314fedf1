//! The entry point of a run: settles one thread, or sweeps all recent games.

use std::time::Duration;

use crate::forge::Forge;
use crate::host_note::HostNote;
use crate::ledger::{Ledger, Report};
use crate::repo_config::{RepoConfig, Trigger};
use crate::run::Run;
use crate::settle_error::SettleError;
use crate::sweep::sweep;

/// The difference between the clocks of the machine and of the forge from which the summary names it.
const MAX_CLOCK_ERROR: Duration = Duration::from_secs(60);

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
    note_wrong_clock(forge, ledger);
    outcome.map(|()| ledger.report())
}

/// Notes that the machine's clock is wrong.
fn note_wrong_clock(forge: &dyn Forge, ledger: &mut Ledger) {
    let (machine, right) = (forge.machine_time(), forge.now());
    let by = machine.since(right).max(right.since(machine));
    if by > MAX_CLOCK_ERROR {
        let minutes = (by.as_secs() + 30) / 60;
        ledger.note(HostNote::WrongClock { by: Duration::from_secs(60 * minutes), is_ahead: machine > right });
    }
}
