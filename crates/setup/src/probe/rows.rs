//! Collects the rows of a probe's report.

use protocol::forge::Fault;

use crate::host_text::fault_text;
use crate::probe::checks::{ALL, Check};
use crate::probe::report::{Row, Verdict};

/// The rows so far. If a check has several rows, the first one counts.
#[derive(Debug, Default)]
pub(super) struct Rows {
    all: Vec<Row>,
}

impl Rows {
    /// Adds a result, with the check's own consequence if it isn't as expected.
    pub(super) fn note(&mut self, check: Check, is_expected: bool, result: impl Into<String>, millis: Option<u64>) {
        let consequence = if is_expected { "" } else { check.consequence };
        self.add(
            check,
            if is_expected { Verdict::AsExpected } else { Verdict::Different },
            result.into(),
            consequence,
            millis,
        );
    }

    /// Adds an unexpected result with another consequence than the check's own.
    pub(super) fn difference(
        &mut self,
        check: Check,
        result: impl Into<String>,
        consequence: &str,
        millis: Option<u64>,
    ) {
        self.add(check, Verdict::Different, result.into(), consequence, millis);
    }

    /// Adds a fault, whose message says what to change.
    pub(super) fn fault(&mut self, check: Check, fault: &Fault, millis: Option<u64>) {
        self.note(check, false, fault_text(fault), millis);
    }

    /// Returns a row for each check, in order. `why` is the result of checks that didn't run.
    pub(super) fn finish(self, why: &str) -> Vec<Row> {
        let row = |check: Check| {
            let found = self.all.iter().find(|row| row.check == check);
            found.cloned().unwrap_or_else(|| Row {
                check,
                verdict: Verdict::NotTried,
                result: why.to_owned(),
                consequence: String::new(),
                millis: None,
            })
        };
        ALL.into_iter().map(row).collect()
    }

    fn add(&mut self, check: Check, verdict: Verdict, result: String, consequence: &str, millis: Option<u64>) {
        self.all.push(Row { check, verdict, result, consequence: consequence.to_owned(), millis });
    }
}
