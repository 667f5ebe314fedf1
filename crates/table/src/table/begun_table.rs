//! A table whose last event isn't finished: no dice have been rolled for it, and the computer hasn't moved.

use game::contract::Game;

use crate::any_table::{AnyTable, with_table};
use crate::consequences::{NewConsequences, resolve};
use crate::dice::Key;
use crate::refusal::TableRefusal;
use crate::table::Table;

/// A table that has begun an event. It becomes a [`Table`] again when the event is finished.
pub(crate) struct BegunTable<G: Game>(Table<G>);

/// A table of any game that has begun an event.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AnyBegunTable(Box<AnyTable>);

impl<G: Game> BegunTable<G> {
    /// Wraps a table whose last event was just applied.
    pub(super) fn new(table: Table<G>) -> BegunTable<G> {
        BegunTable(table)
    }

    /// Returns the table with all consequences of its last event: rolls, forced plays and the computer's moves.
    ///
    /// # Errors
    /// Returns an error if a consequence needs the key, and the key is missing or doesn't match the table's commitment.
    pub(crate) fn finish(self, key: Option<&Key>) -> Result<Table<G>, TableRefusal> {
        let BegunTable(mut table) = self;
        // Take the event out of the history until its consequences are complete. Every begun table has one.
        let Some(mut event) = table.state.pop() else { return Ok(table) };
        let mut new = NewConsequences::new(event.source, key);
        resolve(&mut table.state, &event, &mut new)?;
        event.consequences = new.consequences;
        event.key = table.state.dice().key_to_publish(&event.kind, table.is_over(), key)?;
        table.state.push(event);
        Ok(table)
    }
}

impl AnyBegunTable {
    /// Returns the table as it is now, before the consequences of its last event.
    pub(crate) fn before_consequences(&self) -> &AnyTable {
        &self.0
    }

    /// Returns the table with all consequences of its last event.
    ///
    /// # Errors
    /// Returns the same errors as [`BegunTable::finish`].
    pub(crate) fn finish(self, key: Option<&Key>) -> Result<AnyTable, TableRefusal> {
        with_table!(*self.0, table => BegunTable(table).finish(key).map(AnyTable::from))
    }
}

impl<G: Game> From<BegunTable<G>> for AnyBegunTable
where
    AnyTable: From<Table<G>>,
{
    fn from(begun: BegunTable<G>) -> AnyBegunTable {
        AnyBegunTable(Box::new(begun.0.into()))
    }
}
