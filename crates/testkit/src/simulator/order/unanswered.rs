//! Comments that need no answer.

use table::comments::comment::CommentRef;
use table::comments::context::CommentContext;
use table::comments::parser::ParsedComment;

use crate::simulator::order::HistoryCheck;

impl HistoryCheck<'_> {
    /// Whether a comment without a command may have been chat when a later command in its thread was answered.
    pub(super) fn may_be_passed_over(&self, context: &CommentContext) -> bool {
        let is_later = |source: &CommentRef| {
            source.issue.get() == context.source.issue.get() && source.comment.get() > context.source.comment.get()
        };
        matches!(context.parsed, ParsedComment::Text(..)) && self.answers.keys().any(is_later)
    }

    /// Whether GitHub refuses answers to a command. A run doesn't retry in a full issue.
    pub(super) fn is_unanswerable(&self, source: CommentRef) -> bool {
        let state = &self.core.state;
        let is_full = || state.issues.get(&source.issue.get()).is_some_and(|there| there.comments.len() >= state.full);
        self.core.ledger.refused.contains(&source) || is_full()
    }
}
