//! What a comment may follow: a question of the bot, or a refused attempt by the same person.

use std::collections::BTreeMap;

use answers::marker::Marker;
use table::any_table::{AnyTable, with_table};
use table::comments::context::CommentContext;
use table::question::asked_question;

use crate::simulator::core::PostedComment;
use crate::simulator::order::HistoryCheck;
use crate::simulator::table_history::comment_context;

impl HistoryCheck<'_> {
    /// Returns the contexts that a run may have seen. They depend on the last comment before this one, and comments and answers
    /// may have been deleted since.
    pub(super) fn with_question(&self, context: CommentContext, table: Option<&AnyTable>) -> Vec<CommentContext> {
        let (issue, comment) = (context.source.issue.get(), context.source.comment.get());
        let thread = self.core.state.issues.get(&issue);
        let remains = |id: u64| thread.is_some_and(|thread| thread.comments.iter().any(|note| note.id == id));
        let posted = self.core.ledger.comments.iter().filter(|(source, _)| source.issue.get() == issue);
        let posted = posted.map(|(source, posted)| (source.comment.get(), None, !posted.was_changed()));
        let answers = self.core.ledger.answers.iter().filter(|answer| answer.issue == issue);
        let answers = answers.map(|answer| (answer.id, Marker::parse(&answer.body), remains(answer.id)));
        let known: BTreeMap<u64, _> =
            posted.chain(answers).map(|(id, marker, certain)| (id, (marker, certain))).collect();
        // Floods aren't in the ledger.
        let others = thread.into_iter().flat_map(|thread| &thread.comments).map(|note| note.id);
        let others = others.filter(|id| !known.contains_key(id)).map(|id| (id, None, true));
        let known = known.iter().map(|(id, (marker, certain))| (*id, marker.clone(), *certain));
        let mut before: Vec<_> = known.chain(others).filter(|(id, ..)| *id < comment && *id > 0).collect();
        before.sort_by_key(|(id, ..)| std::cmp::Reverse(*id));
        let certain = before.iter().position(|(.., is_certain)| *is_certain);
        before.truncate(certain.map_or(before.len(), |at| at + 1));
        // A deletion, an edit, or another question is enough to make a run doubt that the comment follows a question.
        let asking = before.last().and_then(|(_, marker, _)| self.core.ledger.comments.get(&marker.as_ref()?.source));
        let is_plain = |posted: &PostedComment| {
            !posted.was_changed() && posted.versions[0].text.as_ref().is_some_and(|text| !text.contains('?'))
        };
        let is_untouched = self.reads_all
            && certain.is_some()
            && thread.is_some_and(|thread| thread.last_deletion.is_none())
            && asking.is_none_or(is_plain);
        let mut contexts: Vec<CommentContext> = if is_untouched { Vec::new() } else { vec![context.clone()] };
        for (_, marker, _) in before {
            let attempts = marker.as_ref().map_or(Vec::new(), |marker| self.refused_attempts(&context, marker));
            let follows_question = marker.is_some_and(|marker| {
                let asks = || {
                    table.is_some_and(|table| {
                        with_table!(table, table => asked_question(table, &context.author, marker.source)).is_some()
                    })
                };
                marker.table.get() == issue && marker.commit.is_some() && asks()
            });
            let context = CommentContext { follows_question, ..context.clone() };
            let with_attempt = |attempt| CommentContext { refused_attempt: Some(Box::new(attempt)), ..context.clone() };
            contexts.extend(attempts.into_iter().map(with_attempt));
            contexts.push(context);
        }
        contexts
    }

    /// Returns the versions of the comment to which an answer without a commit refers.
    fn refused_attempts(&self, context: &CommentContext, marker: &Marker) -> Vec<CommentContext> {
        let posted = self.core.ledger.comments.get(&marker.source).filter(|_| marker.commit.is_none());
        let Some(posted) = posted.filter(|_| marker.source.issue.get() == context.source.issue.get()) else {
            return Vec::new();
        };
        let versions = posted.versions.iter();
        let read = |version| {
            comment_context(self.core, marker.source, posted, version, context.entropy, marker.source.comment.get())
        };
        versions.filter_map(read).filter(|attempt| attempt.author.id == context.author.id).collect()
    }
}
