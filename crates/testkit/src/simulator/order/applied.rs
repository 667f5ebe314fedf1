//! Checks applied commands: their answers, and their order.

use protocol::announcement::announcement;
use table::any_table::AnyTable;
use table::comments::comment::CommentRef;

use crate::Millis;
use crate::simulator::core::Violate;
use crate::simulator::order::{FinalAnswer, HistoryCheck, LOOK, without_commits};

impl HistoryCheck<'_> {
    /// Checks the answer to an applied command.
    pub(super) fn check_applied(
        &self,
        source: CommentRef,
        table: &AnyTable,
        from: Millis,
        answer: Option<&FinalAnswer>,
        violate: &mut Violate<'_>,
    ) {
        let (issue, comment) = (source.issue.get(), source.comment.get());
        // A run that reads a deleted issue finds no table there.
        let is_gone = !self.core.state.issues.contains_key(&table.issue().get());
        let Some(FinalAnswer { at, commit, text }) = answer else {
            if !is_gone && !self.is_unanswerable(source) {
                violate("no answer", format!("{issue}#{comment} was applied and has no answer"));
            }
            return;
        };
        if commit.is_none() && is_gone {
            return;
        }
        let right = announcement(table, &self.config, LOOK);
        if commit.is_none() || without_commits(text).trim_end() != right.trim_end() {
            violate("wrong answer", format!("{issue}#{comment} was applied and is answered {text:?}, not {right:?}"));
        }
        if *at < from {
            violate("no commit", format!("{issue}#{comment} was answered before it was committed"));
        }
    }

    /// Checks that the events from a table's own thread are in the order of their comments, except those in `out_of_order`.
    pub(super) fn in_order(&self, violate: &mut Violate<'_>) {
        for (issue, stages) in &self.past.tables {
            let own = stages.iter().filter_map(|stage| stage.source).filter(|source| source.issue.get() == *issue);
            let mut last = 0;
            for source in own.filter(|source| !self.out_of_order.contains(source)) {
                if source.comment.get() < last {
                    violate("order", format!("{issue}#{} was applied after {issue}#{last}", source.comment.get()));
                }
                last = last.max(source.comment.get());
            }
        }
    }
}
