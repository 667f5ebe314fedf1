//! The verdict on a comment: whether it counts, before its consequences happen.
//!
//! A plan judges every pending comment, so a verdict is cheap. [`AcceptedCommand::resolve`] rolls the dice and searches
//! for the computer's moves. It runs only once, for the command that is being settled.

use crate::absence::AwayRequest;
use crate::any_table::{AnyTable, with_table};
use crate::decisions::decision::{Decision, Query};
use crate::decisions::refusal::Refusal;
use crate::dice::Key;
use crate::history::EventKind;
use crate::refusal::{ConditionalRefusal, TableRefusal};
use crate::state_file;
use crate::table::begun_table::AnyBegunTable;

/// The verdict on a comment.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum Verdict {
    /// Do nothing: the comment is chat.
    Chat,
    /// Change the table.
    Accept(AcceptedCommand),
    /// Change nothing, and say why.
    Refuse(Refusal),
    /// Change nothing, and show something.
    Show(Query),
    /// Change the author's time away, but no table.
    Away(AwayRequest),
}

/// An accepted command whose consequences haven't happened yet.
#[derive(Clone, Debug, PartialEq)]
pub struct AcceptedCommand {
    begun: AnyBegunTable,
    key: Option<Key>,
    previous: Option<Box<AnyTable>>,
    only_if_nearly_full: bool,
}

impl Verdict {
    /// Returns the decision. It first resolves an accepted command.
    pub fn resolve(self) -> Decision {
        match self {
            Verdict::Chat => Decision::Chat,
            Verdict::Accept(command) => command.resolve(),
            Verdict::Refuse(refusal) => Decision::Refuse(refusal),
            Verdict::Show(query) => Decision::Show(query),
            Verdict::Away(request) => Decision::Away(request),
        }
    }
}

impl AcceptedCommand {
    /// Creates an accepted command from a table that has begun an event, the key for its dice, and the game that it replaces.
    pub(super) fn new(begun: AnyBegunTable, key: Option<Key>, previous: Option<AnyTable>) -> AcceptedCommand {
        AcceptedCommand { begun, key, previous: previous.map(Box::new), only_if_nearly_full: false }
    }

    /// Returns this command with a condition: it counts only if the record is full, or nearly full.
    pub(super) fn only_if_nearly_full(self) -> AcceptedCommand {
        AcceptedCommand { only_if_nearly_full: true, ..self }
    }

    /// Checks that the record has room, rolls the dice and makes the computer's moves. This is the only slow part of a
    /// decision: it may take seconds.
    pub fn resolve(self) -> Decision {
        let AcceptedCommand { begun, key, previous, only_if_nearly_full } = self;
        let table = begun.before_consequences();
        if only_if_nearly_full && !state_file::is_nearly_full(table) {
            return Decision::Refuse(TableRefusal::NotAtOpenTable.into());
        }
        if table.is_playing() && state_file::is_full(table) {
            return Decision::Refuse(Refusal::RecordFull { open: table.is_open() });
        }
        let is_line = with_table!(table, table => {
            table.history().last().is_some_and(|event| matches!(&event.kind, EventKind::If { line } if !line.is_empty()))
        });
        if is_line && state_file::is_too_long_for_lines(table) {
            return Decision::Refuse(TableRefusal::from(ConditionalRefusal::LongRecord).into());
        }
        match begun.finish(key.as_ref()) {
            Ok(table) => Decision::Apply { table: Box::new(table), previous },
            Err(refusal) => Decision::Refuse(refusal.into()),
        }
    }
}
