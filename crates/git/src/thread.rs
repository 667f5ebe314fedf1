//! [`LocalThread`]: the thread of a table in the terminal, kept in memory. Its comment IDs continue those of the record.
//!
//! The last comment is *pending* until the bot reacts to it, answers it or commits it. Until then, each read assigns its ID
//! again, because another process at the same table may have used that ID.

use std::collections::BTreeSet;

use protocol::{AnswerClaims, ClaimOutcome, Comment, FileContent, Reaction, Thread};
use serde_json::Value;
use table::{Author, CommentId, CommentRef, IssueNumber, Permission, Timestamp, UserId};

/// The thread of a table, as this process knows it.
#[derive(Default)]
pub struct LocalThread {
    issue: IssueNumber,
    body: Comment,
    /// Whether the issue has a body, or an answer to one.
    has_body: bool,
    comments: Vec<Comment>,
    pending: Option<PendingComment>,
    /// The highest ID in use.
    max_id: CommentId,
    /// The sources of the events that this process has committed since the last comment.
    own_events: BTreeSet<CommentRef>,
    /// The source of the last event for which this process added an answer of its own.
    answered_event: Option<CommentRef>,
    reactions: BTreeSet<(CommentId, Reaction)>,
    has_record: bool,
    has_label: bool,
}

struct PendingComment {
    comment: Comment,
    /// Whether the comment is meant as the body of the issue.
    opens_issue: bool,
    /// Whether a read has assigned an ID.
    has_id: bool,
}

/// The author of a comment, and their rights.
pub struct Commenter {
    /// The account.
    pub author: Author,
    /// Whether the author has the rights of a maintainer.
    pub maintainer: bool,
}

impl LocalThread {
    /// Creates an empty thread.
    pub fn new(issue: IssueNumber) -> LocalThread {
        LocalThread { issue, ..LocalThread::default() }
    }

    /// Adds a comment. With `opens_issue` it becomes the body of the issue, unless there is a table already.
    pub fn add_comment(&mut self, commenter: Commenter, text: String, time: Timestamp, opens_issue: bool) {
        if self.pending.as_ref().is_some_and(|pending| pending.opens_issue && pending.comment.id == CommentId::BODY) {
            self.fix_pending(); // chat in a body stays the body
        }
        if self.has_record {
            // Earlier comments are settled, and the record has their results.
            self.comments.clear();
            self.reactions.clear();
            self.own_events.clear();
            self.answered_event = None;
        }
        let Commenter { author, maintainer } = commenter;
        let comment = Comment {
            author: Some(author),
            permission: Some(if maintainer { Permission::Write } else { Permission::Read }),
            text,
            created_at: time,
            updated_at: time,
            ..Comment::default()
        };
        self.pending = Some(PendingComment { comment, opens_issue, has_id: false });
    }

    /// Updates the thread from the current record, and assigns the pending comment an ID.
    ///
    /// If the last event is from another process, adds the answer that `describe_event` writes for it.
    pub fn update_from_record(&mut self, record: &FileContent, describe_event: fn(CommentRef) -> String) {
        let recorded = RecordedIds::from_record(record, self.issue);
        self.has_record = matches!(record, FileContent::Text(_));
        self.max_id = self.max_id.max(recorded.max_id);
        if let Some(source) = recorded.last_source
            && !self.own_events.contains(&source)
            && self.answered_event != Some(source)
        {
            // Another process committed an event, and may have used the IDs of comments here. It answered at once: a later time would
            // start the clock again.
            self.comments.clear();
            self.reactions.clear();
            self.append_answer(describe_event(source), recorded.last_event_at);
            self.answered_event = Some(source);
        }
        if let Some(pending) = &mut self.pending {
            let is_body = pending.opens_issue && !self.has_body && !self.has_record;
            pending.comment.id = if is_body { CommentId::BODY } else { self.max_id.next() };
            pending.has_id = true;
        }
    }

    /// Returns the thread as the core sees it, with this record.
    pub fn to_thread(&self) -> Thread {
        let with_claims = |comment: &Comment| {
            let claim = |reaction| self.reactions.contains(&(comment.id, reaction));
            let claims = AnswerClaims { refusal: claim(Reaction::Confused), show: claim(Reaction::Eyes), votes: 0 };
            Comment { claims: if comment.by_us { AnswerClaims::default() } else { claims }, ..comment.clone() }
        };
        let pending = self.pending.as_ref().map(|pending| &pending.comment);
        let body = pending.filter(|comment| comment.id == CommentId::BODY).unwrap_or(&self.body);
        let pending = pending.filter(|comment| comment.id != CommentId::BODY);
        Thread {
            // There is no limit on comments here.
            comment_count: 0,
            labels: Vec::new(),
            is_locked: false,
            is_closed: false,
            was_reopened: false,
            has_label: self.has_label,
            has_open_seat_label: false,
            assignees: Vec::new(),
            title: String::new(),
            body: with_claims(body),
            comments: self.comments.iter().chain(pending).map(with_claims).collect(),
            last_deletion: None,
            last_unlock: None,
            earlier_cursor: None,
        }
    }

    /// Notes a commit of this process, with its record.
    pub fn note_commit(&mut self, record: &str) {
        self.fix_pending();
        let recorded = RecordedIds::from_record(&FileContent::Text(record.to_owned()), self.issue);
        self.max_id = self.max_id.max(recorded.max_id);
        self.own_events.extend(recorded.last_source);
        self.has_record = true;
    }

    /// Adds an answer, which settles the pending comment.
    pub fn add_answer(&mut self, text: String, now: Timestamp) {
        if self.pending.as_ref().is_some_and(|pending| pending.has_id) {
            self.fix_pending();
        }
        self.append_answer(text, now);
    }

    /// Adds a reaction to a comment.
    pub fn react(&mut self, source: CommentRef, reaction: Reaction) -> ClaimOutcome {
        if !self.contains(source) {
            return ClaimOutcome::Gone;
        }
        if self.pending.as_ref().is_some_and(|pending| pending.has_id && pending.comment.id == source.comment) {
            self.fix_pending();
        }
        if self.reactions.insert((source.comment, reaction)) { ClaimOutcome::Ours } else { ClaimOutcome::Taken }
    }

    /// Deletes an answer.
    pub fn delete(&mut self, source: CommentRef) {
        if source.issue == self.issue {
            self.comments.retain(|comment| comment.id != source.comment || !comment.by_us);
        }
    }

    /// Whether the thread has this comment. It always has a body (comment 0).
    pub fn contains(&self, source: CommentRef) -> bool {
        let pending = self.pending.as_ref().filter(|pending| pending.has_id).map(|pending| pending.comment.id);
        let mut ids = self.comments.iter().map(|comment| comment.id).chain(pending);
        source.issue == self.issue && (source.is_body() || ids.any(|id| id == source.comment))
    }

    /// Labels the issue.
    pub fn label(&mut self) {
        self.has_label = true;
    }

    /// Adds an answer and leaves the pending comment alone.
    fn append_answer(&mut self, text: String, now: Timestamp) {
        self.max_id = self.max_id.next();
        let author = Some(Author { id: UserId::default(), login: "play-by-commit".to_owned(), is_bot: true });
        self.comments.push(Comment {
            id: self.max_id,
            author,
            by_us: true,
            text,
            created_at: now,
            updated_at: now,
            ..Comment::default()
        });
    }

    /// Moves the pending comment into the thread. It keeps its ID from now on.
    fn fix_pending(&mut self) {
        let Some(PendingComment { comment, has_id, opens_issue }) = self.pending.take() else { return };
        if !has_id && !opens_issue {
            return;
        }
        self.max_id = self.max_id.max(comment.id);
        if comment.id == CommentId::BODY {
            self.body = comment;
            self.has_body = true;
        } else {
            self.comments.push(comment);
        }
    }
}

/// The comment IDs in a record.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct RecordedIds {
    /// The highest comment ID of this issue in the record.
    pub max_id: CommentId,
    /// The source of the last event.
    pub last_source: Option<CommentRef>,
    /// The time of the last event.
    pub last_event_at: Timestamp,
}

impl RecordedIds {
    /// Reads the IDs from the record of an issue. A damaged record gives the defaults, because the protocol reports it.
    pub fn from_record(record: &FileContent, issue: IssueNumber) -> RecordedIds {
        let FileContent::Text(text) = record else { return RecordedIds::default() };
        let record: Value = serde_json::from_str(text).unwrap_or_default();
        let number = |value: &Value, key: &str| value.get(key).and_then(Value::as_u64);
        let source = |event: &Value| {
            let source = event.get("source")?;
            Some(CommentRef {
                issue: number(source, "issue").map(IssueNumber::new)?,
                comment: number(source, "comment").map(CommentId::new)?,
            })
        };
        let history = record.get("history").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let own = history.iter().filter_map(source).filter(|source| source.issue == issue);
        let max_id = own.map(|source| source.comment).chain(number(&record, "through").map(CommentId::new)).max();
        let time = history.last().and_then(|event| number(event, "timestamp")).unwrap_or_default();
        RecordedIds {
            max_id: max_id.unwrap_or_default(),
            last_source: history.last().and_then(source),
            last_event_at: Timestamp::from_millis(time),
        }
    }
}
