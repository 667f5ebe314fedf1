//! Results that take seconds to work out, kept in case the same one is asked for again.

use table::any_table::AnyTable;
use table::decisions::decision::{Decision, Query};
use table::decisions::verdict::{AcceptedCommand, Verdict};

/// The last command that was carried out, and the last hint that was shown.
#[derive(Default)]
pub(super) struct SearchCache {
    decision: Option<(AcceptedCommand, Decision)>,
    hint: Option<(AnyTable, Query, String)>,
}

impl SearchCache {
    /// Returns the decision that a verdict leads to. After a lost race the same command at the same table has the same
    /// consequences, so they are worked out once.
    pub(super) fn carry_out(&mut self, verdict: Verdict) -> Decision {
        let Verdict::Accept(pending) = verdict else { return verdict.carry_out() };
        if let Some((known, decision)) = &self.decision
            && *known == pending
        {
            return decision.clone();
        }
        let decision = pending.clone().carry_out();
        self.decision = Some((pending, decision.clone()));
        decision
    }

    /// Returns the text that shows something. A hint for the same position is the same, so it is searched for once.
    pub(super) fn show_text(
        &mut self,
        show: &Query,
        table: Option<&AnyTable>,
        text: impl FnOnce() -> String,
    ) -> String {
        let (Some(table), Query::Hint(_)) = (table, show) else { return text() };
        if let Some((known, shown, text)) = &self.hint
            && (known, shown) == (table, show)
        {
            return text.clone();
        }
        let text = text();
        self.hint = Some((table.clone(), show.clone(), text.clone()));
        text
    }
}
