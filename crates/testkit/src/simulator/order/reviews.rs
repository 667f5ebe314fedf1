//! Checks the answers to `/review`.

use std::collections::BTreeSet;

use answers::announce;
use answers::marker::Marker;
use answers::output_format::OutputFormat;
use protocol::game_review::{pointer, review_line};
use table::any_table::AnyTable;
use table::comments::comment::CommentRef;
use table::comments::context::CommentContext;
use table::decisions::decision::Query;

use crate::Millis;
use crate::simulator::order::HistoryCheck;

impl HistoryCheck<'_> {
    /// Returns the possible answers to a `/review` written at this time: the review, or a link to an earlier one in the table's
    /// thread.
    pub(super) fn reviews(&self, context: &CommentContext, table: &AnyTable, written: Millis) -> BTreeSet<String> {
        let (source, look) = (context.source, OutputFormat::MarkdownText);
        let line = format!("{}\n", review_line(table));
        let earlier = self.core.ledger.answers.iter().filter_map(|answer| {
            let Marker { source: asked, table: of, commit } = Marker::parse(&answer.body)?;
            let is_review = asked != source && of == table.issue() && commit.is_none() && answer.body.contains(&line);
            if is_review && answer.issue == source.issue.get() { Some((asked, answer.at)) } else { None }
        });
        let earlier: Vec<(CommentRef, Millis)> = earlier.collect();
        let mut texts: BTreeSet<String> = earlier.iter().map(|(asked, _)| pointer(*asked)).collect();
        let is_known =
            |(asked, at): &(CommentRef, Millis)| self.answers.contains_key(asked) && at + self.stale < written;
        if source.issue != table.issue() || !earlier.iter().any(is_known) {
            let review = announce::show(&Query::Review, Some(table), &self.config.policy, context.updated_at, look);
            texts.insert(format!("{line}{review}"));
        }
        texts
    }
}
