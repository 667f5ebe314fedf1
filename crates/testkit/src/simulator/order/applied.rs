//! Checks applied commands: their answers, and their order.

use std::collections::BTreeSet;

use protocol::announcement::announcement;
use table::any_table::AnyTable;
use table::comments::comment::CommentRef;
use table::timestamp::Timestamp;

use crate::Millis;
use crate::simulator::core::Violate;
use crate::simulator::order::clocks::filed_start;
use crate::simulator::order::{FinalAnswer, HistoryCheck, LOOK, without_commits};
use crate::simulator::standings_texts::heads_between;

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
        let number = table.issue().get();
        let is_gone = !self.core.state.issues.contains_key(&number) || self.core.ledger.was_hidden(number);
        let Some(FinalAnswer { at, commit, text }) = answer else {
            if !is_gone && !self.is_unanswerable(source) {
                violate("no answer", format!("{issue}#{comment} was applied and has no answer"));
            }
            return;
        };
        if commit.is_none() && is_gone {
            return;
        }
        let filed = heads_between(self.core, [from, *at])
            .filter_map(|head| filed_start(&self.core.state.commits[head?].files, table.issue().get()));
        let unlocked = self.core.ledger.unlocked.iter().filter(|(issue, _)| *issue == table.issue().get());
        let unlocked = unlocked.map(|(_, at)| Timestamp::from_millis(*at));
        let starts: BTreeSet<Timestamp> = filed.chain(unlocked).chain([Timestamp::EPOCH]).collect();
        let rights = starts.into_iter().map(|start| {
            announcement(&table.clone().with_clock_start(start), &self.config, LOOK).trim_end().to_owned()
        });
        let rights: Vec<String> = rights.collect();
        if commit.is_none() || !rights.iter().any(|right| without_commits(text).trim_end() == right) {
            violate("wrong answer", format!("{issue}#{comment} was applied and is answered {text:?}, not {rights:?}"));
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
