//! The thread of a table in the terminal: in memory, with ids that go on from where the record stands.
//!
//! The last comment is *pending* until something has come of it: its id is found anew at each read. When a rival at the
//! same table has taken that id in the meantime, the comment gets another one.

use std::collections::BTreeSet;

use protocol::forge::{Claim, Reaction};
use serde_json::Value;
use table::talk::comment::{Author, Millis, Source};
use table::talk::thread::{Claims, Comment, File, Thread};

/// The thread as this process knows it.
#[derive(Default)]
pub struct LocalThread {
    issue: u64,
    body: Comment,
    /// The body was written by somebody, or led to something.
    begun: bool,
    comments: Vec<Comment>,
    pending: Option<PendingComment>,
    /// The greatest id that is taken.
    taken: u64,
    /// The sources that this process has committed events of since the last post.
    landed: BTreeSet<Source>,
    /// The event of the record that this process has made up an answer for.
    answered: Option<Source>,
    reactions: BTreeSet<(u64, Reaction)>,
    recorded: bool,
    labelled: bool,
}

struct PendingComment {
    comment: Comment,
    opens: bool,
    numbered: bool,
}

/// The author of a comment, and their rights.
pub struct Speaker {
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
    pub fn say(&mut self, speaker: Speaker, text: String, time: Millis, opens: bool) {
        if self.pending.as_ref().is_some_and(|pending| pending.opens && pending.comment.id == 0) {
            self.settle(); // chat in a body stays: whoever wrote it has opened the issue
        }
        if self.recorded {
            // What was said before is settled, and the record has what came of it.
            self.comments.clear();
            self.reactions.clear();
            self.landed.clear();
            self.answered = None;
        }
        let Speaker { author, maintainer } = speaker;
        let comment = Comment { author: Some(author), maintainer, text, written: time, time, ..Comment::default() };
        self.pending = Some(PendingComment { comment, opens, numbered: false });
    }

    /// Takes in the record as it is now: an event of another process gets its answer, the pending comment its id.
    pub fn take_record(&mut self, record: &File, answered: fn(Source) -> String, now: Millis) {
        let seen = RecordedIds::of(record, self.issue);
        self.recorded = matches!(record, File::Text(_));
        self.taken = self.taken.max(seen.taken);
        if let Some(source) = seen.last
            && !self.landed.contains(&source)
            && self.answered != Some(source)
        {
            // The table has moved on without us. Comments made here may even bear ids that the record now gives to others.
            self.comments.clear();
            self.reactions.clear();
            self.append(answered(source), now);
            self.answered = Some(source);
        }
        if let Some(pending) = &mut self.pending {
            let body = pending.opens && !self.begun && !self.recorded;
            pending.comment.id = if body { 0 } else { self.taken.saturating_add(1) };
            pending.numbered = true;
        }
    }

    /// Returns the thread as it stands.
    pub fn thread(&self, record: File) -> Thread {
        let with_claims = |comment: &Comment| {
            let claim = |reaction| self.reactions.contains(&(comment.id, reaction));
            let claims = Claims { refusal: claim(Reaction::Confused), show: claim(Reaction::Eyes) };
            Comment { claims: if comment.ours { Claims::default() } else { claims }, ..comment.clone() }
        };
        let pending = self.pending.as_ref().map(|pending| &pending.comment);
        let body = pending.filter(|comment| comment.id == 0).unwrap_or(&self.body);
        let pending = pending.filter(|comment| comment.id != 0);
        Thread {
            // A terminal is never full.
            total: 0,
            locked: false,
            closed: false,
            reopened: false,
            labelled: self.labelled,
            body: with_claims(body),
            comments: self.comments.iter().chain(pending).map(with_claims).collect(),
            earlier: None,
            record,
        }
    }

    /// Takes in a commit of this process, with this record, that has landed.
    pub fn landed(&mut self, record: &str) {
        self.settle();
        let seen = RecordedIds::of(&File::Text(record.to_owned()), self.issue);
        self.taken = self.taken.max(seen.taken);
        self.landed.extend(seen.last);
        self.recorded = true;
    }

    /// Puts an answer at the end.
    pub fn answer(&mut self, text: String, now: Millis) {
        if self.pending.as_ref().is_some_and(|pending| pending.numbered) {
            self.settle();
        }
        self.append(text, now);
    }

    /// Puts a reaction at a comment, if it is there and has none of this kind.
    pub fn react(&mut self, source: Source, reaction: Reaction) -> Claim {
        if !self.has(source) {
            return Claim::Gone;
        }
        if self.pending.as_ref().is_some_and(|pending| pending.numbered && pending.comment.id == source.comment) {
            self.settle();
        }
        if self.reactions.insert((source.comment, reaction)) { Claim::Ours } else { Claim::Taken }
    }

    /// Deletes a comment, if it is an answer.
    pub fn delete(&mut self, source: Source) {
        if source.issue == self.issue {
            self.comments.retain(|comment| comment.id != source.comment || !comment.ours);
        }
    }

    /// Tests if there is such a comment.
    pub fn has(&self, source: Source) -> bool {
        let pending = self.pending.as_ref().filter(|pending| pending.numbered).map(|pending| pending.comment.id);
        let mut ids = self.comments.iter().map(|comment| comment.id).chain(pending);
        source.issue == self.issue && (source.comment == 0 || ids.any(|id| id == source.comment))
    }

    /// Puts the label of tables at the issue.
    pub fn label(&mut self) {
        self.labelled = true;
    }

    /// Puts an answer at the end and leaves the pending comment alone.
    fn append(&mut self, text: String, now: Millis) {
        self.taken = self.taken.saturating_add(1);
        let author = Some(Author { id: 0, login: "play-by-commit".to_owned(), bot: true });
        self.comments.push(Comment {
            id: self.taken,
            author,
            ours: true,
            text,
            written: now,
            time: now,
            ..Comment::default()
        });
    }

    /// Lets the pending comment keep the id that it has.
    fn settle(&mut self) {
        let Some(PendingComment { comment, numbered, opens }) = self.pending.take() else { return };
        if !numbered && !opens {
            return;
        }
        self.taken = self.taken.max(comment.id);
        if comment.id == 0 {
            self.body = comment;
            self.begun = true;
        } else {
            self.comments.push(comment);
        }
    }
}

/// The ids that a record says are taken. A damaged record is judged elsewhere.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct RecordedIds {
    /// The greatest comment id of this issue that the record knows.
    pub taken: u64,
    /// The source of the last event.
    pub last: Option<Source>,
}

impl RecordedIds {
    /// Reads them from the record of an issue; nothing of a record that cannot be read.
    pub fn of(record: &File, issue: u64) -> RecordedIds {
        let File::Text(text) = record else { return RecordedIds::default() };
        let record: Value = serde_json::from_str(text).unwrap_or_default();
        let number = |value: &Value, key: &str| value.get(key).and_then(Value::as_u64);
        let source = |event: &Value| {
            let source = event.get("source")?;
            Some(Source { issue: number(source, "issue")?, comment: number(source, "comment")? })
        };
        let history = record.get("history").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let ours = history.iter().filter_map(source).filter(|source| source.issue == issue);
        let taken = ours.map(|source| source.comment).chain(number(&record, "through")).max();
        RecordedIds { taken: taken.unwrap_or(0), last: history.last().and_then(source) }
    }
}
