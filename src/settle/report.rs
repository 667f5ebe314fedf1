//! What a run has done, and what its host should know.

use anyhow::{Error, anyhow};

use crate::forge::{Fault, Oid};

/// What a run has done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Commands that changed a table.
    pub applied: u32,
    /// Commands that were refused.
    pub refused: u32,
    /// Commands that were shown something.
    pub shown: u32,
    /// Answers that were found missing and given.
    pub repaired: u32,
    /// What the host should know.
    pub notes: Vec<String>,
    /// What the host has to put right, though every command has had its answer.
    pub failures: Vec<String>,
}

/// How many commands one run settles. With about three requests each they stay within what GitHub allows a workflow.
const ENOUGH: u32 = 100;

impl Report {
    /// Whether the rest has to wait for the next run; the host is told so once.
    pub(super) fn is_enough(&mut self) -> bool {
        let enough = self.applied + self.refused + self.shown + self.repaired >= ENOUGH;
        let note = format!("{ENOUGH} commands were settled; if there are more, the next run settles them");
        if enough && !self.notes.contains(&note) {
            self.notes.push(note);
        }
        enough
    }

    /// What is wrong with a page, in place of what was wrong when it was last looked at.
    pub(super) fn look(&mut self, path: &str, complaints: impl IntoIterator<Item = String>) {
        let about = format!("{path}: ");
        self.notes.retain(|note| !note.starts_with(&about));
        self.notes.extend(complaints.into_iter().map(|complaint| format!("{about}{complaint}")));
    }

    /// A table whose dice can't be thrown any more.
    pub(super) fn secret_lost(&mut self, table: u64) {
        self.failures.push(format!(
            "the dice of table {table} can't be thrown: the input `dice-secret` is not the one that its game began with. \
             Restore it, or end the game with `/abort`"
        ));
    }

    /// Why a run has stopped, and whatever else there is to put right: the host sees either this or the report.
    pub(super) fn stopped(&self, error: Error) -> Error {
        if self.failures.is_empty() { error } else { anyhow!("{}; {error:#}", self.failures.join("; ")) }
    }
}

/// Said when an issue takes no answer: it is locked, or full.
pub(super) fn no_answer(issue: u64, why: &str) -> String {
    format!("issue {issue} takes no answer, so none was given: {why}")
}

/// The record of a table is gone, and the host has to restore it from a commit.
pub(super) fn lost(path: &str, issue: u64, commit: &Oid) -> Fault {
    Fault::Host(format!(
        "{path} is gone, but issue {issue} was answered from commit {commit}: the state branch was deleted or rewritten, \
         or the input `branch` or `state-dir` was changed. Restore it from that commit, or delete the bot's answers in \
         the issue to begin anew"
    ))
}
