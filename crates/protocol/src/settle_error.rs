//! [`SettleError`], the reason why a run ended before everything was settled.

use table::ids::IssueNumber;
use table::timestamp::Timestamp;

use crate::forge::{Fault, HostProblem};

/// An error that ends a run. Everything that it committed and answered before stays.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettleError {
    /// The host has to change something first.
    #[error(transparent)]
    HostMustAct(HostProblem),
    /// The forge asks the run to wait longer than it may. Every other request would have to wait, too.
    #[error("{why}")]
    RetryAfter {
        /// The time at which to try again.
        at: Timestamp,
        /// The forge's reason, without a period.
        why: String,
    },
    /// The run gave up. A later run can continue.
    #[error(transparent)]
    GaveUp(GiveUpReason),
    /// Some parts of a sweep failed, and the others are done.
    #[error("{}", list_failures(.0))]
    Sweep(Vec<SweepFailure>),
}

/// The reason why a run gave up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GiveUpReason {
    /// Requests kept failing, the last one for this reason, without a period.
    #[error("{0}")]
    Unreachable(String),
    /// The run made no progress for three minutes.
    #[error("the bot made no progress for three minutes")]
    NoProgress,
    /// Each read took longer than five seconds, too long to answer from.
    #[error("reading the thread took longer than five seconds each time")]
    SlowReads,
}

/// A part of a sweep that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepFailure {
    /// The issue; `None` for the pages.
    pub issue: Option<IssueNumber>,
    /// The error.
    pub error: SettleError,
}

fn list_failures(failures: &[SweepFailure]) -> String {
    let failure = |SweepFailure { issue, error }: &SweepFailure| match issue {
        Some(issue) => format!("issue {issue}: {error}"),
        None => error.to_string(),
    };
    failures.iter().map(failure).collect::<Vec<_>>().join("; ")
}

/// An error within a pass of a run.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub(super) enum PassError {
    /// A request failed, and the run may try again.
    Fault(#[from] Fault),
    /// The run ends.
    End(#[from] SettleError),
}

impl From<HostProblem> for PassError {
    fn from(problem: HostProblem) -> PassError {
        PassError::End(SettleError::HostMustAct(problem))
    }
}
