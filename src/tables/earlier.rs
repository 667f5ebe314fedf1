//! A table as it was when an earlier comment was written.

use crate::game::contract::Game;
use crate::game::seat::Seat;
use crate::tables::history::Event;
use crate::tables::table::Table;

impl<G: Game> Table<G> {
    /// Returns this table without its events.
    pub fn rewound(&self) -> Option<Self> {
        let mut table = Table::set_up(self.issue, self.round, self.config.clone(), self.terms).ok()?;
        table.imported.clone_from(&self.imported);
        Some(table)
    }

    /// Returns this table, an earlier state of `later`, as it was when a comment of its thread was written. `None` if the
    /// history doesn't replay.
    pub fn caught_up(mut self, later: &Table<G>, comment: u64) -> Option<Self> {
        let is_later = |event: &Event<G>| event.source.issue == later.issue && event.source.comment > comment;
        let missing = later.history.get(self.history.len()..)?;
        for event in missing.iter().take_while(|event| !is_later(event)) {
            let sitters = Seat::BOTH.into_iter().filter_map(|seat| later.sitter(seat));
            let login = sitters.filter(|sitter| sitter.id == Some(event.by)).map(|sitter| sitter.login.as_str()).next();
            self = self.replayed(event.clone(), login.unwrap_or_default()).ok()?;
        }
        Some(self)
    }
}
