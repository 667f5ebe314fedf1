//! A cache of results that need an engine search, which can take seconds.

use table::any_table::AnyTable;
use table::decisions::decision::{Decision, Query};
use table::decisions::verdict::{AcceptedCommand, Verdict};

/// The last decision, and the last hint or review of a run.
#[derive(Default)]
pub(super) struct SearchCache {
    decision: Option<(AcceptedCommand, Decision)>,
    shown: Option<(AnyTable, Query, String)>,
}

impl SearchCache {
    /// Carries out a verdict. Reuses the cached decision if the command and the table are the same, as after a lost race.
    pub(super) fn resolve(&mut self, verdict: Verdict) -> Decision {
        let Verdict::Accept(command) = verdict else { return verdict.resolve() };
        if let Some((known, decision)) = &self.decision
            && *known == command
        {
            return decision.clone();
        }
        let decision = command.clone().resolve();
        self.decision = Some((command, decision.clone()));
        decision
    }

    /// Returns the text that a query shows. Reuses the last hint or review if the query and the table are the same, and
    /// otherwise calls `render`.
    pub(super) fn show_text(
        &mut self,
        query: &Query,
        table: Option<&AnyTable>,
        render: impl FnOnce() -> String,
    ) -> String {
        let (Some(table), Query::Hint(_) | Query::Review) = (table, query) else { return render() };
        if let Some((known_table, known_query, text)) = &self.shown
            && (known_table, known_query) == (table, query)
        {
            return text.clone();
        }
        let text = render();
        self.shown = Some((table.clone(), query.clone(), text.clone()));
        text
    }
}
