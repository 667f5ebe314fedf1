//! The results of the tests, and the rows of a probe's report.

use std::time::Instant;

use protocol::forge::Fault;

use crate::host_text::fault_text;
use crate::probe::checks::{ALL, Check};
use crate::probe::report::{Row, Verdict};
use crate::probe::session::elapsed_millis;

/// The longest lag of a read that doesn't hurt a game, in milliseconds.
const MAX_LAG_MILLIS: u64 = 5_000;

/// The result of a test.
pub(super) struct Seen {
    is_expected: bool,
    result: String,
    /// The consequence, if it isn't the check's own.
    consequence: Option<String>,
    /// The time of the request, or the lag of the read, in milliseconds.
    millis: Option<u64>,
}

impl Seen {
    pub(super) fn new(is_expected: bool, result: impl Into<String>) -> Seen {
        Seen { is_expected, result: result.into(), consequence: None, millis: None }
    }

    /// Describes the reply to a request that should succeed.
    pub(super) fn from_reply<T>(reply: &Result<T, Fault>, success: &str) -> Seen {
        match reply {
            Ok(_) => Seen::new(true, success),
            Err(fault) => fault.into(),
        }
    }

    /// Describes when a read showed a change. `None` means that none did in time.
    pub(super) fn from_wait<T>(shown: Option<(T, u64)>, yes: &str, no: &str) -> Seen {
        match shown.map(|(_, lag)| lag) {
            Some(lag) => Seen::new(true, yes).after(lag),
            None => Seen::new(false, no),
        }
    }

    /// Describes the lag of a read; `None` means that no read showed the change in time.
    pub(super) fn from_lag(lag: Option<u64>) -> Seen {
        match lag {
            Some(lag @ 0..100) => Seen::new(true, "The first read shows it").after(lag),
            Some(lag) => Seen::new(lag <= MAX_LAG_MILLIS, format!("It shows {lag} ms later")).after(lag),
            None => Seen::new(false, "It didn't show up within 8 seconds."),
        }
    }

    /// Replaces the consequence of the check.
    pub(super) fn with_consequence(self, consequence: impl Into<String>) -> Seen {
        Seen { consequence: Some(consequence.into()), ..self }
    }

    pub(super) fn after(self, millis: u64) -> Seen {
        Seen { millis: Some(millis), ..self }
    }

    pub(super) fn since(self, start: Instant) -> Seen {
        self.after(elapsed_millis(start))
    }
}

/// The message of a fault says what to change.
impl From<&Fault> for Seen {
    fn from(fault: &Fault) -> Seen {
        Seen::new(false, fault_text(fault))
    }
}

impl From<Result<Seen, Fault>> for Seen {
    fn from(result: Result<Seen, Fault>) -> Seen {
        result.unwrap_or_else(|fault| Seen::from(&fault))
    }
}

/// The rows so far. If a check has several rows, the first one counts.
#[derive(Debug, Default)]
pub(super) struct Rows {
    all: Vec<Row>,
}

impl Rows {
    /// Adds the result of a check.
    pub(super) fn add(&mut self, check: Check, seen: impl Into<Seen>) {
        let Seen { is_expected, result, consequence, millis } = seen.into();
        let (verdict, consequence) = if is_expected {
            (Verdict::AsExpected, String::new())
        } else {
            (Verdict::Different, consequence.unwrap_or_else(|| check.consequence.to_owned()))
        };
        self.all.push(Row { check, verdict, result, consequence, millis });
    }

    /// Returns a row for each check, in order. `why` is the result of checks that didn't run.
    pub(super) fn finish(self, why: &str) -> Vec<Row> {
        let row = |check: &Check| {
            let found = self.all.iter().find(|row| row.check == *check);
            found.cloned().unwrap_or_else(|| Row {
                check: *check,
                verdict: Verdict::NotTried,
                result: why.to_owned(),
                consequence: String::new(),
                millis: None,
            })
        };
        ALL.iter().map(row).collect()
    }
}
