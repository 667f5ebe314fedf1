//! The verdict on a comment: whether it counts, before anything follows from it.
//!
//! A plan looks at every waiting comment, so a verdict is cheap. Rolling dice and searching for the computer's moves is left
//! to [`AcceptedCommand::carry_out`], which runs once, for the one command that is being settled.

use crate::any_table::{AnyTable, with_table};
use crate::decisions::decision::{Decision, Query};
use crate::decisions::refusal::Refusal;
use crate::dice::Key;
use crate::refusal::TableRefusal;
use crate::state_file;

/// The verdict on a comment.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum Verdict {
    /// No change and no answer.
    Chat,
    /// A change of the table.
    Accept(AcceptedCommand),
    /// No change, and an answer that says why.
    Refuse(Refusal),
    /// No change, and an answer that shows something.
    Show(Query),
}

/// An accepted command whose consequences are still to be worked out.
#[derive(Clone, Debug, PartialEq)]
pub struct AcceptedCommand {
    table: Box<AnyTable>,
    key: Option<Key>,
    finished: Option<Box<AnyTable>>,
    only_if_nearly_full: bool,
}

impl Verdict {
    /// Returns the decision: an accepted command is carried out.
    pub fn carry_out(self) -> Decision {
        match self {
            Verdict::Chat => Decision::Chat,
            Verdict::Accept(pending) => pending.carry_out(),
            Verdict::Refuse(refusal) => Decision::Refuse(refusal),
            Verdict::Show(show) => Decision::Show(show),
        }
    }
}

impl AcceptedCommand {
    /// Returns a table that has begun its last event, with the key that its dice come from and the game that it replaces.
    pub(super) fn new(table: AnyTable, key: Option<Key>, finished: Option<AnyTable>) -> AcceptedCommand {
        AcceptedCommand { table: Box::new(table), key, finished: finished.map(Box::new), only_if_nearly_full: false }
    }

    /// Returns this command with a condition: it counts only if the record is full, or so nearly that the next move may not fit.
    pub(super) fn only_if_nearly_full(self) -> AcceptedCommand {
        AcceptedCommand { only_if_nearly_full: true, ..self }
    }

    /// Looks for room in the record, rolls the dice and makes the computer's moves. This is the only part of a decision that may take seconds.
    pub fn carry_out(self) -> Decision {
        let AcceptedCommand { table, key, finished, only_if_nearly_full: if_nearly_full } = self;
        if if_nearly_full && !state_file::is_nearly_full(&table) {
            return Decision::Refuse(TableRefusal::NotAtOpenTable.into());
        }
        if table.is_playing() && state_file::is_full(&table) {
            return Decision::Refuse(Refusal::RecordFull { open: table.is_open() });
        }
        let table = with_table!(*table, table => table.finish_event(key.as_ref()).map(AnyTable::from));
        match table {
            Ok(table) => Decision::Apply { table: Box::new(table), finished },
            Err(refusal) => Decision::Refuse(refusal.into()),
        }
    }
}
