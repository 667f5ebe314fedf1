//! Comments with their contexts, collected from their thread, and the tables that they are for.
//!
//! A link of a clickable board opens an issue whose body is only a command for a table in another issue. There, a comment that
//! names no table is for that table, so that people can play on below the bot's answer.

use std::time::Duration;

use answers::{Marker, Notice, NoticeKind, is_only_a_command};
use table::{
    Command, CommandError, CommandTarget, CommentContext, CommentId, CommentRef, Entropy, IssueNumber, NEW,
    ParsedComment, Question, RefusedAttempt, asked_question, is_login, may_answer, names_piece_in_french,
    parse_comment, parse_issue_body, parse_issue_title, starts_job, target_of,
};

use crate::answer::{trusted_marker, trusted_notice};
use crate::memory::{RunMemory, RunNote};
use crate::reader::{RepoState, ThreadState};
use crate::{Comment, Thread};

/// How long the author of a comment may edit it into a command: five minutes.
const EDIT_WINDOW: Duration = Duration::from_secs(5 * 60);

/// The maximum number of comments between a suggestion of the bot and the yes to it.
const MAX_BETWEEN: usize = 10;
/// The maximum number of refused comments to look back to from a yes. There are several if the bot repeats a suggestion.
const MAX_ATTEMPTS: usize = 3;

/// Parses the body of a thread or one of its comments.
fn parse_text_of(issue: IssueNumber, comment: &Comment, thread: &Thread, memory: &RunMemory) -> ParsedComment {
    match comment.id {
        CommentId::BODY => match parse_issue_body(&comment.text) {
            ParsedComment::Text(text) if text.command_below().is_none() => {
                let of_title = parse_issue_title(&thread.title);
                if of_title == ParsedComment::Chat { ParsedComment::Text(text) } else { of_title }
            }
            ParsedComment::Chat => parse_issue_title(&thread.title),
            parsed => parsed,
        },
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
    ThreadState { thread, table, .. }: &ThreadState,
    memory: &RunMemory,
) -> Option<CommentId> {
    if table.is_some() {
        return None;
    }
    let is_attempt = |comment: &&Comment| {
        let is_new = match parse_text_of(issue, comment, thread, memory) {
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

/// The facts about a thread from which its comments get their contexts.
pub(super) struct ContextFinder<'a> {
    issue: IssueNumber,
    seen: &'a ThreadState,
    /// The table for comments that name none; `None` for the issue's own table.
    linked: Option<IssueNumber>,
    /// The comment in which the author of the issue first tried to open a table.
    first_attempt: Option<CommentId>,
    memory: &'a RunMemory,
    entropy: Entropy,
}

impl<'a> ContextFinder<'a> {
    /// Collects the facts about a thread in a view.
    pub(super) fn new(
        view: &RepoState,
        issue: IssueNumber,
        seen: &'a ThreadState,
        memory: &'a RunMemory,
    ) -> ContextFinder<'a> {
        ContextFinder {
            issue,
            seen,
            linked: linked_table(view, issue, seen, memory),
            first_attempt: first_attempt_to_open(issue, seen, memory),
            memory,
            entropy: view.entropy,
        }
    }

    /// Returns a parsed comment with its context. When it is settled, the thread is settled through `settled_through`. Returns
    /// `None` if it can't be a command, such as an answer or a bot's comment.
    pub(super) fn context_of(&self, comment: &Comment, settled_through: CommentId) -> Option<CommentContext> {
        self.context_with_attempts(comment, settled_through, MAX_ATTEMPTS)
    }

    /// Returns the context of a comment. It contains at most `attempts` refused ones of the same author, each inside the next.
    fn context_with_attempts(
        &self,
        comment: &Comment,
        settled_through: CommentId,
        attempts: usize,
    ) -> Option<CommentContext> {
        let context = self.context_alone(comment, settled_through)?;
        let may_answer = attempts > 0 && may_answer(&context.parsed);
        let Some((attempt, is_interrupted)) = may_answer.then(|| self.refused_attempt(comment)).flatten() else {
            return Some(context);
        };
        let attempt = self.context_with_attempts(attempt, attempt.id, attempts - 1)?;
        let refused = RefusedAttempt { context: attempt, is_interrupted };
        Some(CommentContext { refused_attempt: Some(Box::new(refused)), ..context })
    }

    /// Returns the context of a comment without the author's own comment before it.
    fn context_alone(&self, comment: &Comment, settled_through: CommentId) -> Option<CommentContext> {
        if counts_as_written(comment) { self.context_despite_edits(comment, settled_through) } else { None }
    }

    /// Returns the context of a comment that its author has edited too late; `None` if it's in time, or can't be a command.
    pub(super) fn context_of_late_edit(&self, comment: &Comment, settled_through: CommentId) -> Option<CommentContext> {
        let is_late = !comment.edited_by_other && !counts_as_written(comment);
        if is_late { self.context_despite_edits(comment, settled_through) } else { None }
    }

    /// Returns the context of a comment, whenever it was edited.
    fn context_despite_edits(&self, comment: &Comment, settled_through: CommentId) -> Option<CommentContext> {
        let ThreadState { thread, table, foreign, .. } = self.seen;
        // Usernames end up in records and answers, so ignore an account whose username isn't valid.
        let author = comment.author.as_ref().filter(|author| !author.is_bot && is_login(&author.login))?;
        // An answer of the bot, under any account it ever had. If a person types a marker, their comment is chat.
        if Marker::parse(&comment.text).is_some() || Notice::parse(&comment.text).is_some() {
            return None;
        }
        let mut parsed = parse_text_of(self.issue, comment, thread, self.memory);
        if parsed == ParsedComment::Chat {
            return None;
        }
        // Without a job of its own, a comment must not be answered by a later one.
        let has_table = table.is_some() || foreign.is_some() || self.linked.is_some();
        let title = if comment.id == CommentId::BODY { Some(&*thread.title) } else { None };
        if !has_table && !starts_job(&comment.text, title) {
            return None;
        }
        let author_tried_to_open = self.first_attempt.is_some_and(|attempt| attempt < comment.id);
        // If the author tried to open a table here, their later comments aren't for the linked one.
        let linked = self.linked.filter(|_| comment.id != CommentId::BODY && !author_tried_to_open);
        let target = match linked {
            Some(linked) => resolve_table_number(&mut parsed, linked),
            None => parsed.table_number(),
        };
        Some(CommentContext {
            parsed,
            author: author.clone(),
            permission: comment.permission.or_else(|| self.memory.permission(author.id)),
            by_issue_author: thread.body.author.as_ref().is_some_and(|opener| opener.id == author.id),
            source: CommentRef { issue: self.issue, comment: comment.id },
            table: target.unwrap_or(self.issue),
            issue_has_table: table.is_some() || foreign.is_some(),
            follows_question: follows_question(comment, self.seen),
            refused_attempt: None,
            uses_french_letters: self.uses_french_letters(comment),
            updated_at: comment.updated_at,
            settled_through,
            entropy: self.entropy,
        })
    }

    /// Whether the author has named a piece by its French letter in an earlier comment here.
    fn uses_french_letters(&self, comment: &Comment) -> bool {
        let is_earlier = |other: &&Comment| other.id < comment.id && other.author == comment.author;
        self.seen.thread.comments.iter().filter(is_earlier).any(|earlier| names_piece_in_french(&earlier.text))
    }

    /// Returns the author's last comment before this one that the bot answered, if it refused it, and whether somebody else has
    /// commented since the refusal.
    fn refused_attempt(&self, comment: &Comment) -> Option<(&Comment, bool)> {
        let comments = &self.seen.thread.comments;
        let of_author = |answer: &Comment| {
            let marker = trusted_marker(answer)?;
            let is_attempt = |attempt: &&Comment| attempt.id == marker.source.comment;
            let attempt = comments.iter().find(is_attempt).filter(|attempt| attempt.author == comment.author)?;
            Some((answer.id, marker, attempt))
        };
        let before = comments.iter().rev().filter(|other| other.id < comment.id).take(MAX_BETWEEN);
        let (answer, _, attempt) =
            before.clone().find_map(of_author).filter(|(_, marker, _)| marker.commit.is_none())?;
        let is_interrupted = before.take_while(|other| other.id > answer).any(|other| !is_skipped(comment, other));
        Some((attempt, is_interrupted))
    }
}

/// Whether the last comment by somebody else before this one is the bot's answer with the newest question to the author.
///
/// If somebody else has commented in between, the author may be replying to them, even if that comment starts with a
/// forged marker: GitHub hides markers. After a deletion or an edit, nobody can tell what the author replied to.
fn follows_question(comment: &Comment, ThreadState { thread, table, .. }: &ThreadState) -> bool {
    let (Some(table), Some(author)) = (table, &comment.author) else { return false };
    let Some((answer, marker)) = answer_before(comment, &thread.comments) else { return false };
    if marker.table != table.issue() || marker.commit.is_none() {
        return false;
    }
    let question = asked_question(table, author, marker.source);
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
/// player can answer a question below one, and the author's own comments, because nobody answers themselves.
fn answer_before<'a>(comment: &Comment, thread: &'a [Comment]) -> Option<(&'a Comment, Marker)> {
    let before = thread.iter().rev().find(|other| other.id < comment.id && !is_skipped(comment, other))?;
    Some((before, trusted_marker(before)?))
}

/// Whether an earlier comment doesn't separate a comment from what it answers.
fn is_skipped(comment: &Comment, earlier: &Comment) -> bool {
    let is_reminder = |notice: Notice| notice.kind != NoticeKind::Ballot;
    earlier.author == comment.author || trusted_notice(earlier).is_some_and(is_reminder)
}

/// Returns the number of the table for the comments of an issue that name none; `None` if the issue has a table of its own, or
/// if its body isn't just a command that the bot answered for another table.
fn linked_table(view: &RepoState, issue: IssueNumber, seen: &ThreadState, memory: &RunMemory) -> Option<IssueNumber> {
    let ThreadState { thread, answers, table, .. } = seen;
    if table.is_some() || !is_only_a_command(&thread.body.text) {
        return None;
    }
    let body = CommentRef::body_of(issue);
    answers.linked_table().or_else(|| {
        // The answer may be newer than this read of the thread.
        let number = named_table(&thread.body.text).filter(|number| *number != issue)?;
        let has_accepted = || view.table(number).is_some_and(|table| table.has_event_from(body));
        if memory.has(RunNote::Settled(body)) || has_accepted() { Some(number) } else { None }
    })
}

/// Returns the table that a comment below a link is for, and adds its number to a command that names none.
fn resolve_table_number(parsed: &mut ParsedComment, linked: IssueNumber) -> Option<IssueNumber> {
    let is_for_own_issue = is_for_own_issue(parsed);
    match parsed {
        ParsedComment::Text(..) => return Some(linked),
        _ if is_for_own_issue => {}
        ParsedComment::Command(_, named) | ParsedComment::Invalid(_, named) => _ = named.get_or_insert(linked),
        ParsedComment::Chat => {}
    }
    parsed.table_number()
}

/// Whether a comment that names no table is for its own issue, even if the issue's body is for another one.
fn is_for_own_issue(parsed: &ParsedComment) -> bool {
    match parsed {
        ParsedComment::Command(command, _) => command.spec().is_some_and(|spec| spec.target != CommandTarget::Table),
        ParsedComment::Invalid(error, _) => match error {
            CommandError::TwoCommands(word, _)
            | CommandError::Typo(_, word)
            | CommandError::Question(word)
            | CommandError::ExtraWords(word, _) => target_of(word) != CommandTarget::Table,
            CommandError::Unknown(_) | CommandError::TooLong(_) => false,
            CommandError::InvalidTableNumber(_) | CommandError::InTitle(_) => true,
        },
        ParsedComment::Chat | ParsedComment::Text(..) => false,
    }
}

/// Returns the other table that the first read should include: the one that a new comment or the body of its issue
/// names. `comment` is `None` if the body itself is new.
pub fn table_to_read(body: &str, comment: Option<&str>) -> Option<IssueNumber> {
    let Some(comment) = comment else { return named_table(body) };
    let named = parse_comment(comment).table_number();
    named.or_else(|| if is_only_a_command(body) { named_table(body) } else { None })
}

/// Returns the table that the body of an issue names.
fn named_table(body: &str) -> Option<IssueNumber> {
    parse_issue_body(body).table_number()
}
