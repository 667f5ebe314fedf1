//! The rows of a probe as they come in.

use protocol::forge::Fault;

use crate::probe::checks::{ALL, Check};
use crate::probe::report::{Row, Verdict};

/// The rows so far; the first word about a thing counts.
#[derive(Debug, Default)]
pub(super) struct Rows {
    all: Vec<Row>,
}

impl Rows {
    /// Notes what was seen, and whether it is as expected.
    pub(super) fn note(&mut self, thing: Check, good: bool, seen: impl Into<String>, millis: Option<u64>) {
        let consequence = if good { "" } else { thing.consequence };
        self.add(thing, if good { Verdict::AsExpected } else { Verdict::Different }, seen.into(), consequence, millis);
    }

    /// Notes what is not as expected, with a consequence of its own.
    pub(super) fn difference(&mut self, thing: Check, seen: impl Into<String>, consequence: &str, millis: Option<u64>) {
        self.add(thing, Verdict::Different, seen.into(), consequence, millis);
    }

    /// Notes a fault, whose sentence says what to change if there is anything.
    pub(super) fn fault(&mut self, thing: Check, fault: &Fault, millis: Option<u64>) {
        self.note(thing, false, fault.to_string(), millis);
    }

    /// Returns a row for each thing, in their order; those that were not tried say why.
    pub(super) fn finish(self, why: &str) -> Vec<Row> {
        let row = |thing: Check| {
            let found = self.all.iter().find(|row| row.check == thing);
            found.cloned().unwrap_or_else(|| Row {
                check: thing,
                verdict: Verdict::NotTried,
                result: why.to_owned(),
                consequence: String::new(),
                millis: None,
            })
        };
        ALL.into_iter().map(row).collect()
    }

    fn add(&mut self, thing: Check, verdict: Verdict, seen: String, consequence: &str, millis: Option<u64>) {
        self.all.push(Row { check: thing, verdict, result: seen, consequence: consequence.to_owned(), millis });
    }
}
