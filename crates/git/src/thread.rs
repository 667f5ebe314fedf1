//! The thread of a table in the terminal: in memory, with ids that go on from where the record stands.
//!
//! The last comment is *pending* until it is settled: its id is looked up at each read. When a rival at the
//! same table has taken that id in the meantime, the comment gets another one.

use std::collections::BTreeSet;

use protocol::forge::{Claim, Reaction};
use serde_json::Value;
use table::talk::comment::{Author, Millis, Source};
use table::talk::thread::{Claims, Comment, FileContent, Thread};

/// The thread as this process knows it.
#[derive(Default)]
pub struct LocalThread {
    issue: u64,
    body: Comment,
    /// The body was written by somebody, or led to something.
    has_body: bool,
    comments: Vec<Comment>,
    pending: Option<PendingComment>,
    /// The greatest id that is taken.
    max_id: u64,
    /// The sources that this process has committed events of since the last post.
    own_events: BTreeSet<Source>,
    /// The event of the record that this process has made up an answer for.
    answered_event: Option<Source>,
    reactions: BTreeSet<(u64, Reaction)>,
    has_record: bool,
    labelled: bool,
}

struct PendingComment {
    comment: Comment,
    opens_issue: bool,
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
    /// Returns the thread of a table in which nothing has been said.
    pub fn new(issue: u64) -> LocalThread {
        LocalThread { issue, ..LocalThread::default() }
    }

    /// Puts a comment at the end; `opens` makes it the body of the issue, if there is no table yet.
    pub fn add_comment(&mut self, speaker: Commenter, text: String, time: Millis, opens: bool) {
        if self.pending.as_ref().is_some_and(|pending| pending.opens_issue && pending.comment.id == 0) {
            self.fix_pending(); // chat in a body stays: whoever wrote it has opened the issue
        }
        if self.has_record {
            // Earlier comments are settled, and the record has their results.
            self.comments.clear();
            self.reactions.clear();
            self.own_events.clear();
            self.answered_event = None;
        }
        let Commenter { author, maintainer } = speaker;
        let comment = Comment {
            author: Some(author),
            by_maintainer: maintainer,
            text,
            created_at: time,
            updated_at: time,
            ..Comment::default()
        };
        self.pending = Some(PendingComment { comment, opens_issue: opens, has_id: false });
    }

    /// Takes in the record as it is now: an event of another process gets its answer, the pending comment its id.
    pub fn update_from_record(&mut self, record: &FileContent, answered: fn(Source) -> String, now: Millis) {
        let seen = RecordedIds::from_record(record, self.issue);
        self.has_record = matches!(record, FileContent::Text(_));
        self.max_id = self.max_id.max(seen.max_id);
        if let Some(source) = seen.last_source
            && !self.own_events.contains(&source)
            && self.answered_event != Some(source)
        {
            // The table has moved on without us. Comments made here may even bear ids that the record now gives to others.
            self.comments.clear();
            self.reactions.clear();
            self.append_answer(answered(source), now);
            self.answered_event = Some(source);
        }
        if let Some(pending) = &mut self.pending {
            let body = pending.opens_issue && !self.has_body && !self.has_record;
            pending.comment.id = if body { 0 } else { self.max_id.saturating_add(1) };
            pending.has_id = true;
        }
    }

    /// Returns the thread as it stands.
    pub fn to_thread(&self, record: FileContent) -> Thread {
        let with_claims = |comment: &Comment| {
            let claim = |reaction| self.reactions.contains(&(comment.id, reaction));
            let claims = Claims { refusal: claim(Reaction::Confused), show: claim(Reaction::Eyes) };
            Comment { claims: if comment.by_us { Claims::default() } else { claims }, ..comment.clone() }
        };
        let pending = self.pending.as_ref().map(|pending| &pending.comment);
        let body = pending.filter(|comment| comment.id == 0).unwrap_or(&self.body);
        let pending = pending.filter(|comment| comment.id != 0);
        Thread {
            // A terminal is never full.
            comment_count: 0,
            is_locked: false,
            is_closed: false,
            was_reopened: false,
            has_label: self.labelled,
            body: with_claims(body),
            comments: self.comments.iter().chain(pending).map(with_claims).collect(),
            earlier_cursor: None,
            record,
        }
    }

    /// Takes in a commit of this process, with this record, that has landed.
    pub fn note_commit(&mut self, record: &str) {
        self.fix_pending();
        let seen = RecordedIds::from_record(&FileContent::Text(record.to_owned()), self.issue);
        self.max_id = self.max_id.max(seen.max_id);
        self.own_events.extend(seen.last_source);
        self.has_record = true;
    }

    /// Puts an answer at the end.
    pub fn add_answer(&mut self, text: String, now: Millis) {
        if self.pending.as_ref().is_some_and(|pending| pending.has_id) {
            self.fix_pending();
        }
        self.append_answer(text, now);
    }

    /// Puts a reaction at a comment, if it is there and has none of this kind.
    pub fn react(&mut self, source: Source, reaction: Reaction) -> Claim {
        if !self.contains(source) {
            return Claim::Gone;
        }
        if self.pending.as_ref().is_some_and(|pending| pending.has_id && pending.comment.id == source.comment) {
            self.fix_pending();
        }
        if self.reactions.insert((source.comment, reaction)) { Claim::Ours } else { Claim::Taken }
    }

    /// Deletes a comment, if it is an answer.
    pub fn delete(&mut self, source: Source) {
        if source.issue == self.issue {
            self.comments.retain(|comment| comment.id != source.comment || !comment.by_us);
        }
    }

    /// Tests if there is such a comment.
    pub fn contains(&self, source: Source) -> bool {
        let pending = self.pending.as_ref().filter(|pending| pending.has_id).map(|pending| pending.comment.id);
        let mut ids = self.comments.iter().map(|comment| comment.id).chain(pending);
        source.issue == self.issue && (source.comment == 0 || ids.any(|id| id == source.comment))
    }

    /// Puts the label of tables at the issue.
    pub fn label(&mut self) {
        self.labelled = true;
    }

    /// Puts an answer at the end and leaves the pending comment alone.
    fn append_answer(&mut self, text: String, now: Millis) {
        self.max_id = self.max_id.saturating_add(1);
        let author = Some(Author { id: 0, login: "play-by-commit".to_owned(), is_bot: true });
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

    /// Lets the pending comment keep the id that it has.
    fn fix_pending(&mut self) {
        let Some(PendingComment { comment, has_id: numbered, opens_issue: opens }) = self.pending.take() else {
            return;
        };
        if !numbered && !opens {
            return;
        }
        self.max_id = self.max_id.max(comment.id);
        if comment.id == 0 {
            self.body = comment;
            self.has_body = true;
        } else {
            self.comments.push(comment);
        }
    }
}

/// The ids that a record says are taken. A damaged record is judged elsewhere.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct RecordedIds {
    /// The greatest comment id of this issue that the record knows.
    pub max_id: u64,
    /// The source of the last event.
    pub last_source: Option<Source>,
}

impl RecordedIds {
    /// Reads them from the record of an issue; nothing of a record that cannot be read.
    pub fn from_record(record: &FileContent, issue: u64) -> RecordedIds {
        let FileContent::Text(text) = record else { return RecordedIds::default() };
        let record: Value = serde_json::from_str(text).unwrap_or_default();
        let number = |value: &Value, key: &str| value.get(key).and_then(Value::as_u64);
        let source = |event: &Value| {
            let source = event.get("source")?;
            Some(Source { issue: number(source, "issue")?, comment: number(source, "comment")? })
        };
        let history = record.get("history").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let ours = history.iter().filter_map(source).filter(|source| source.issue == issue);
        let taken = ours.map(|source| source.comment).chain(number(&record, "through")).max();
        RecordedIds { max_id: taken.unwrap_or(0), last_source: history.last().and_then(source) }
    }
}
