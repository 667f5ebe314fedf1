//! [`SettleError`], the reason why a run ended before everything was settled.

use std::error::Error;
use std::fmt;

use table::ids::IssueNumber;
use table::timestamp::Timestamp;

use crate::forge::{Fault, HostProblem};

/// An error that ends a run. Everything that it committed and answered before stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettleError {
    /// The host has to change something first.
    HostMustAct(HostProblem),
    /// The forge asks the run to wait longer than it may. Every other request would have to wait, too.
    RetryAfter {
        /// The time at which to try again.
        at: Timestamp,
        /// The forge's reason, without a period.
        why: String,
    },
    /// The run gave up. A later run can continue.
    GaveUp(GiveUpReason),
    /// Some parts of a sweep failed, and the others are done.
    Sweep(Vec<SweepFailure>),
}

/// The reason why a run gave up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GiveUpReason {
    /// Requests kept failing, the last one for this reason, without a period.
    Unreachable(String),
    /// The run made no progress for three minutes.
    NoProgress,
    /// Each read took longer than five seconds, too long to answer from.
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

impl fmt::Display for SettleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettleError::HostMustAct(problem) => problem.fmt(f),
            SettleError::RetryAfter { why, .. } | SettleError::GaveUp(GiveUpReason::Unreachable(why)) => {
                f.write_str(why)
            }
            SettleError::GaveUp(GiveUpReason::NoProgress) => f.write_str("the bot made no progress for three minutes"),
            SettleError::GaveUp(GiveUpReason::SlowReads) => {
                f.write_str("reading the thread took longer than five seconds each time")
            }
            SettleError::Sweep(failures) => {
                for (nth, SweepFailure { issue, error }) in failures.iter().enumerate() {
                    f.write_str(if nth > 0 { "; " } else { "" })?;
                    issue.map_or(Ok(()), |issue| write!(f, "issue {issue}: "))?;
                    error.fmt(f)?;
                }
                Ok(())
            }
        }
    }
}

impl Error for SettleError {}

/// An error within a pass of a run.
#[derive(Debug)]
pub(super) enum PassError {
    /// A request failed, and the run may try again.
    Fault(Fault),
    /// The run ends.
    End(SettleError),
}

impl From<Fault> for PassError {
    fn from(fault: Fault) -> PassError {
        PassError::Fault(fault)
    }
}

impl From<SettleError> for PassError {
    fn from(error: SettleError) -> PassError {
        PassError::End(error)
    }
}

impl From<HostProblem> for PassError {
    fn from(problem: HostProblem) -> PassError {
        PassError::End(SettleError::HostMustAct(problem))
    }
}
