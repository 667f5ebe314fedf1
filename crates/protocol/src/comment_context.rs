//! Comments with their contexts, collected from their thread.

use std::time::Duration;

use answers::marker::{Marker, Notice};
use table::any_table::with_table;
use table::comments::command::{Command, CommandError};
use table::comments::commands::NEW;
use table::comments::comment::{CommentRef, is_login};
use table::comments::context::{CommentContext, Entropy};
use table::comments::parser::{ParsedComment, parse_issue_body, parse_issue_title};
use table::ids::{CommentId, IssueNumber};
use table::question::{Question, asked_question};

use crate::forge::{Comment, Thread};
use crate::linked_table::{linked_table, resolve_table_number};
use crate::memory::RunMemory;
use crate::thread_answers::{trusted_marker, trusted_notice};
use crate::view::{ThreadView, View};

/// How long the author of a comment may edit it into a command: five minutes.
const EDIT_WINDOW: Duration = Duration::from_secs(5 * 60);

/// Parses the body of a thread or one of its comments.
fn parse(issue: IssueNumber, comment: &Comment, thread: &Thread, memory: &RunMemory) -> ParsedComment {
    match comment.id {
        CommentId::BODY if comment.text.trim().is_empty() => parse_issue_title(&thread.title),
        CommentId::BODY => parse_issue_body(&comment.text),
        id => memory.parse_comment(CommentRef { issue, comment: id }, &comment.text),
    }
}

/// Whether a comment counts: other people can't speak for the author, and a late edit would go unnoticed by the other players.
pub(super) fn counts_as_written(comment: &Comment) -> bool {
    !comment.edited_by_other && comment.updated_at.since(comment.created_at) <= EDIT_WINDOW
}

/// Returns the first comment in which the author of an issue without a table tries to open one.
///
/// Attempts by others don't count, so that the bot doesn't get more talkative in somebody else's issue.
fn first_attempt_to_open(
    issue: IssueNumber,
    ThreadView { thread, table, .. }: &ThreadView,
    memory: &RunMemory,
) -> Option<CommentId> {
    if table.is_some() {
        return None;
    }
    let is_attempt = |comment: &&Comment| {
        let is_new = match parse(issue, comment, thread, memory) {
            ParsedComment::Command(Command::New(_), _) => true,
            ParsedComment::Invalid(CommandError::TwoCommands(word, _) | CommandError::Question(word), _) => {
                word == NEW.word()
            }
            ParsedComment::Invalid(CommandError::InTitle(_), _) => true,
            ParsedComment::Text(text) if !text.has_slash() => {
                comment.id == CommentId::BODY && text.command_below().is_some_and(|word| word == NEW.word())
            }
            _ => false,
        };
        let ids = [comment, &&thread.body].map(|comment| comment.author.as_ref().map(|author| author.id));
        is_new && ids[0].is_some() && ids[0] == ids[1] && comment.author.as_ref().is_some_and(|author| !author.is_bot)
    };
    thread.all_comments().find(is_attempt).map(|comment| comment.id)
}

/// A comment that may be a command.
pub(super) struct AddressedComment {
    /// The table that it is for.
    pub(super) table: IssueNumber,
    /// The comment and its context.
    pub(super) context: CommentContext,
}

/// Parses the comments of one thread, each with its context.
pub(super) struct CommentParser<'a> {
    issue: IssueNumber,
    seen: &'a ThreadView,
    /// The table for comments that name none; `None` for the issue's own table.
    linked: Option<IssueNumber>,
    /// The comment in which the author of the issue first tried to open a table.
    first_attempt: Option<CommentId>,
    memory: &'a RunMemory,
    entropy: Entropy,
}

impl<'a> CommentParser<'a> {
    /// Returns the parser for a thread in a view.
    pub(super) fn new(
        view: &View,
        issue: IssueNumber,
        seen: &'a ThreadView,
        memory: &'a RunMemory,
    ) -> CommentParser<'a> {
        CommentParser {
            issue,
            seen,
            linked: linked_table(view, issue, seen, memory),
            first_attempt: first_attempt_to_open(issue, seen, memory),
            memory,
            entropy: view.entropy,
        }
    }

    /// Parses a comment. The floor rises to `floor` when the comment is settled. Returns `None` if it can't be a
    /// command, such as an answer or a bot's comment.
    pub(super) fn parse(&self, comment: &Comment, floor: CommentId) -> Option<AddressedComment> {
        let AddressedComment { table, context } = self.parse_alone(comment, floor)?;
        let refused_attempt = self.refused_attempt(comment).map(Box::new);
        Some(AddressedComment { table, context: CommentContext { refused_attempt, ..context } })
    }

    /// Parses a comment without the author's own comment before it.
    fn parse_alone(&self, comment: &Comment, floor: CommentId) -> Option<AddressedComment> {
        if !counts_as_written(comment) {
            return None;
        }
        self.context_of(comment, floor)
    }

    /// Parses a comment that its author has edited too late. Returns `None` if it's in time, or can't be a command.
    pub(super) fn parse_late_edit(&self, comment: &Comment, floor: CommentId) -> Option<AddressedComment> {
        if comment.edited_by_other || counts_as_written(comment) { None } else { self.context_of(comment, floor) }
    }

    /// Parses a comment, whenever it was edited.
    fn context_of(&self, comment: &Comment, floor: CommentId) -> Option<AddressedComment> {
        let ThreadView { thread, table, foreign, .. } = self.seen;
        // Usernames end up in records and answers, so ignore an account whose username isn't valid.
        let author = comment.author.as_ref().filter(|author| !author.is_bot && is_login(&author.login))?;
        // An answer of the bot, under any account it ever had. If a person types a marker, their comment is chat.
        if Marker::parse(&comment.text).is_some() || Notice::parse(&comment.text).is_some() {
            return None;
        }
        let mut parsed = parse(self.issue, comment, thread, self.memory);
        if parsed == ParsedComment::Chat {
            return None;
        }
        let author_tried_to_open = self.first_attempt.is_some_and(|attempt| attempt < comment.id);
        // If the author tried to open a table here, their later comments aren't for the linked one.
        let linked = self.linked.filter(|_| comment.id != CommentId::BODY && !author_tried_to_open);
        let target = match linked {
            Some(linked) => resolve_table_number(&mut parsed, linked),
            None => parsed.table_number(),
        };
        let context = CommentContext {
            parsed,
            author: author.clone(),
            permission: comment.permission.or_else(|| self.memory.permission(author.id)),
            by_issue_author: thread.body.author.as_ref().is_some_and(|opener| opener.id == author.id),
            source: CommentRef { issue: self.issue, comment: comment.id },
            issue_has_table: table.is_some() || foreign.is_some(),
            follows_question: follows_question(comment, self.seen),
            refused_attempt: None,
            updated_at: comment.updated_at,
            floor,
            entropy: self.entropy,
        };
        Some(AddressedComment { table: target.unwrap_or(self.issue), context })
    }

    /// Returns the comment of the same author that the bot answered without changing anything, if that answer is the last
    /// comment before this one.
    fn refused_attempt(&self, comment: &Comment) -> Option<CommentContext> {
        let comments = &self.seen.thread.comments;
        let (_, marker) = answer_before(comment, comments).filter(|(_, marker)| marker.commit.is_none())?;
        let is_attempt = |attempt: &&Comment| attempt.id == marker.source.comment && attempt.author == comment.author;
        let attempt = comments.iter().find(is_attempt)?;
        Some(self.parse_alone(attempt, attempt.id)?.context)
    }
}

/// Whether the last comment before this one is the bot's answer with the newest question to the author.
///
/// If somebody else has commented in between, the author may be replying to them, even if that comment starts with a
/// forged marker: GitHub hides markers. After a deletion or an edit, nobody can tell what the author replied to.
fn follows_question(comment: &Comment, ThreadView { thread, table, .. }: &ThreadView) -> bool {
    let (Some(table), Some(author)) = (table, &comment.author) else { return false };
    let Some((answer, marker)) = answer_before(comment, &thread.comments) else { return false };
    if marker.table != table.issue() || marker.commit.is_none() {
        return false;
    }
    let question = with_table!(table, table => asked_question(table, author, marker.source));
    let mut asking = thread.all_comments();
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

/// Returns the last comment before this one with its marker, if it's an answer of the bot. Skips reminders, because a
/// player can answer a question below one.
fn answer_before<'a>(comment: &Comment, thread: &'a [Comment]) -> Option<(&'a Comment, Marker)> {
    let is_reminder = |other: &Comment| trusted_notice(other).is_some();
    let before = thread.iter().rev().find(|other| other.id < comment.id && !is_reminder(other))?;
    Some((before, trusted_marker(before)?))
}
