//! The context of a comment, collected from its thread.

use answers::marker::Marker;
use table::any_table::with_table;
use table::question::{Question, asked_question};
use table::talk::command::{Command, CommandError};
use table::talk::commands::NEW;
use table::talk::comment::{Millis, Source, is_login};
use table::talk::context::{CommentContext, Entropy};
use table::talk::parser::{ParsedComment, parse_comment, parse_issue_body, parse_issue_title};

use crate::forge::{Comment, Thread};
use crate::thread_answers::trusted_marker;
use crate::view::ThreadView;

/// How long the author of a comment may edit it into a command: five minutes.
const EDIT_WINDOW: Millis = 5 * 60 * 1000;

/// Parses the body of a thread or one of its comments.
fn parse(comment: &Comment, thread: &Thread) -> ParsedComment {
    match comment.id {
        0 if comment.text.trim().is_empty() => parse_issue_title(&thread.title),
        0 => parse_issue_body(&comment.text),
        _ => parse_comment(&comment.text),
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
        let is_new = match parse(comment, thread) {
            ParsedComment::Command(Command::New(_), _) => true,
            ParsedComment::Invalid(CommandError::TwoCommands(word, _) | CommandError::Question(word), _) => {
                word == NEW.word()
            }
            ParsedComment::Invalid(CommandError::InTitle(_), _) => true,
            ParsedComment::Plain(text) if !text.has_slash() => {
                comment.id == 0 && text.command_below().is_some_and(|word| word == NEW.word())
            }
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
    let context = context_alone(comment, source, seen, entropy)?;
    Some(CommentContext { refused_attempt: refused_attempt(comment, source, seen, entropy).map(Box::new), ..context })
}

/// Returns the context of a comment, but not of the author's comment before it.
fn context_alone(comment: &Comment, source: Source, seen: &ThreadView, entropy: Entropy) -> Option<CommentContext> {
    let ThreadView { thread, table, .. } = seen;
    // Logins end up in records and answers, so ignore an account with an impossible one.
    let author = comment.author.as_ref().filter(|author| !author.is_bot && is_login(&author.login))?;
    // An answer of the bot, under any account. If a person types a marker, their comment is chat.
    if Marker::parse(&comment.text).is_some() {
        return None;
    }
    // Other people can't speak for the author. A late edit would go unnoticed by the other players.
    if comment.edited_by_other || comment.updated_at.saturating_sub(comment.created_at) > EDIT_WINDOW {
        return None;
    }
    let parsed = parse(comment, thread);
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
        follows_question: follows_question(comment, seen),
        refused_attempt: None,
        updated_at: comment.updated_at,
        settles_through: comment.id,
        entropy,
    })
}

/// Whether the last comment before this one is the bot's answer with the newest question to the author.
///
/// Comments by anybody count, even with a forged marker, which GitHub doesn't show. After a deletion or an edit nobody can tell
/// what the author replied to.
fn follows_question(comment: &Comment, ThreadView { thread, table, .. }: &ThreadView) -> bool {
    let (Some(table), Some(author)) = (table, &comment.author) else { return false };
    let Some((answer, marker)) = answer_before(comment, thread) else { return false };
    if marker.table != table.issue() || marker.commit.is_none() {
        return false;
    }
    let question = with_table!(table, table => asked_question(table, author, marker.source));
    let mut asking = std::iter::once(&thread.body).chain(&thread.comments);
    let Some((question, asking)) = question.zip(asking.find(|asking| asking.id == marker.source.comment)) else {
        return false;
    };
    let is_intact = asking.updated_at <= answer.created_at
        && !asking.edited_by_other
        && thread.last_deletion.is_none_or(|deleted_at| deleted_at < answer.created_at);
    is_intact && (question == Question::Invitation || !asks_more(&asking.text))
}

/// Whether a comment with an offer asks something else, too, which the opponent may be answering. The question mark in
/// `Nf3, draw?` is part of the offer.
fn asks_more(offer: &str) -> bool {
    let (first, below) = offer.trim_start().split_once('\n').unwrap_or((offer, ""));
    let first = first.trim().to_lowercase();
    let first = first.strip_suffix("draw?").unwrap_or(&first);
    first.contains('?') || below.contains('?')
}

/// Returns the comment of the same author that the bot answered without changing anything, if that answer is the last comment
/// before this one.
fn refused_attempt(comment: &Comment, source: Source, seen: &ThreadView, entropy: Entropy) -> Option<CommentContext> {
    let (_, marker) = answer_before(comment, &seen.thread).filter(|(_, marker)| marker.commit.is_none())?;
    let mut thread = seen.thread.comments.iter();
    let attempt = thread.find(|attempt| attempt.id == marker.source.comment && attempt.author == comment.author)?;
    context_alone(attempt, Source { issue: source.issue, comment: attempt.id }, seen, entropy)
}

/// Returns the last comment before this one with its marker, if it's an answer of the bot.
fn answer_before<'a>(comment: &Comment, thread: &'a Thread) -> Option<(&'a Comment, Marker)> {
    let before = thread.comments.iter().rev().find(|other| other.id < comment.id)?;
    Some((before, trusted_marker(before)?))
}
