//! Whether a comment was chat when it was written: chat stays chat.

use table::any_table::AnyTable;
use table::comments::command::CommandError;
use table::comments::comment::CommentRef;
use table::comments::context::CommentContext;
use table::comments::parser::ParsedComment;
use table::decisions::interpret::interpret;
use table::decisions::refusal::Refusal;
use table::ids::IssueNumber;

use crate::memory::RunMemory;
use crate::thread_answers::ThreadAnswers;

/// Whether the bot passed over a comment without a command in a table's own thread: it has answered a later command
/// there. The comment was chat then, or its author had flooded the thread. It may look like a move only because a
/// command from another thread has changed the table since.
pub(super) fn was_passed_over(table: IssueNumber, context: &CommentContext, answers: &ThreadAnswers) -> bool {
    let CommentRef { issue, comment } = context.source;
    let is_plain = matches!(context.parsed, ParsedComment::Text(..));
    is_plain && table == issue && answers.has_later_answer(comment, context.updated_at)
}

/// Whether a comment in a table's own thread was chat when it was written. Chat stays chat, even if its author has taken a seat
/// since, or now has the turn.
pub(super) fn was_chat(
    table: &AnyTable,
    context: &CommentContext,
    is_of_earlier_round: bool,
    past_table: &mut Option<AnyTable>,
    memory: &RunMemory,
) -> bool {
    let (source, time) = (context.source, context.updated_at);
    if table.has_arrived_since(source.comment) {
        return interpret(None, context) == Ok(None);
    }
    if is_of_earlier_round {
        // The record doesn't hold that round. A move without `/move` may have been chat then, and so may a word with a
        // slash for another bot.
        return match &context.parsed {
            ParsedComment::Text(..) => true,
            ParsedComment::Invalid(error, _) => matches!(error, CommandError::Unknown(_) | CommandError::Typo(..)),
            ParsedComment::Chat | ParsedComment::Command(..) => false,
        };
    }
    *past_table =
        past_table.take().or_else(|| table.without_events()).and_then(|past| past.replay_up_to(table, source, time));
    let past_table = past_table.as_ref().filter(|past| past.last_source().is_some());
    let state = (table.issue(), past_table.map(AnyTable::event_count));
    match memory.interpret(past_table, state, context) {
        Ok(command) => command.is_none(),
        // A suggestion comes too late once the table has changed.
        Err(Refusal::Suggestion(_)) => matches!(&context.parsed, ParsedComment::Text(text) if !text.has_slash()),
        Err(_) => false,
    }
}
