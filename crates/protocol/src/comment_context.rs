//! The context of a comment, collected from its thread.

use answers::marker::Marker;
use table::talk::command::{self, Command, CommandError, ParsedComment, Remainder};
use table::talk::comment::{Millis, Source, is_login};
use table::talk::context::{CommentContext, Entropy};
use table::talk::thread::Comment;

use table::any_table::with_table;
use table::question::newest_question;

use crate::view::ThreadView;

/// How long the author of a comment may edit it into a command: five minutes.
const EDIT_WINDOW: Millis = 5 * 60 * 1000;

/// Parses a comment, or the body of an issue.
fn parse(comment: &Comment) -> ParsedComment {
    match comment.id {
        0 => command::parse_issue_body(&comment.text),
        _ => command::parse_comment(&comment.text),
    }
}

/// Returns the first comment in which the author of an issue without a table tries to open one.
///
/// Attempts by others don't count, so that the bot doesn't get more talkative in somebody else's issue.
pub(super) fn first_attempt_to_open(ThreadView { thread, table, .. }: &ThreadView) -> Option<u64> {
    if table.is_some() {
        return None;
    }
    let is_attempt = |comment: &&Comment| {
        let is_new = match parse(comment) {
            ParsedComment::Command(Command::New(_), _) => true,
            ParsedComment::Invalid(CommandError::TwoCommands(word, _) | CommandError::Question(word), _) => {
                word == "/new"
            }
            ParsedComment::Plain(_, Remainder::Command(word)) => comment.id == 0 && word == "/new",
            _ => false,
        };
        let ids = [comment, &&thread.body].map(|comment| comment.author.as_ref().map(|author| author.id));
        is_new && ids[0].is_some() && ids[0] == ids[1] && comment.author.as_ref().is_some_and(|author| !author.is_bot)
    };
    std::iter::once(&thread.body).chain(&thread.comments).find(is_attempt).map(|comment| comment.id)
}

/// Parses a comment and collects its context; `None` if it can't be a command, such as an answer or a bot's comment.
pub(super) fn comment_context(
    comment: &Comment,
    source: Source,
    seen: &ThreadView,
    entropy: Entropy,
) -> Option<CommentContext> {
    let ThreadView { thread, table, .. } = seen;
    // Logins end up in records and answers, so ignore an account with an impossible one.
    let author = comment.author.as_ref().filter(|author| !author.is_bot && is_login(&author.login))?;
    // An answer of the bot, under any account. A person who types a marker only makes the bot ignore the comment.
    if Marker::parse(&comment.text).is_some() {
        return None;
    }
    // Other people can't speak for the author. A late edit would go unnoticed by the other players.
    if comment.edited_by_other || comment.updated_at.saturating_sub(comment.created_at) > EDIT_WINDOW {
        return None;
    }
    let parsed = parse(comment);
    if parsed == ParsedComment::Chat {
        return None;
    }
    Some(CommentContext {
        parsed,
        author: author.clone(),
        by_maintainer: comment.by_maintainer,
        by_issue_author: thread.body.author.as_ref().is_some_and(|opener| opener.id == author.id),
        source,
        issue_has_table: table.is_some(),
        attempted_new: false,
        follows_question: follows_question(comment, source, seen),
        updated_at: comment.updated_at,
        settles_through: comment.id,
        entropy,
    })
}

/// Whether this is the author's first comment after the opponent's question at the table of this thread, and the opponent has
/// written nothing since, except commands that the table knows.
fn follows_question(comment: &Comment, source: Source, ThreadView { thread, table, .. }: &ThreadView) -> bool {
    let (Some(table), Some(author)) = (table, &comment.author) else { return false };
    let Some((asked, asker)) = with_table!(table, table => {
        let question = table.occupants().seat_of_author(author).and_then(|seat| newest_question(table, seat));
        question.map(|event| (event.source, event.by))
    }) else {
        return false;
    };
    let is_read =
        thread.earlier_cursor.is_none() || thread.comments.first().is_some_and(|first| first.id <= asked.comment);
    if asked.issue != source.issue || asked.comment >= comment.id || !is_read {
        return false;
    }
    let between = thread.comments.iter().filter(|other| other.id > asked.comment && other.id < comment.id);
    !between.filter(|other| Marker::parse(&other.text).is_none()).any(|other| {
        let by = other.author.as_ref().map(|author| author.id);
        let is_known = table.has_event_from(Source { issue: source.issue, comment: other.id });
        by == Some(author.id) || by == Some(asker) && !is_known
    })
}
