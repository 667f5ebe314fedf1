//! The thread of a table in the terminal: in memory, with ids that go on from where the record stands.
//!
//! The last comment is *pending* until something has come of it: its id is found anew at each read. When a rival at the
//! same table has taken that id in the meantime, the comment gets another one.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::forges::forge::{Claim, Reaction};
use crate::talk::comment::{Author, Millis, Source};
use crate::talk::thread::{Claims, Comment, File, Thread};

/// The thread as this process knows it.
pub(super) struct LocalThread {
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
    reactions: BTreeSet<(u64, u8)>,
    recorded: bool,
    labelled: bool,
}

struct PendingComment {
    comment: Comment,
    opens: bool,
    numbered: bool,
}

/// The author of a comment, and their rights.
pub(super) struct Speaker {
    pub(super) author: Author,
    pub(super) maintainer: bool,
}

impl LocalThread {
    pub(super) fn new(issue: u64) -> LocalThread {
        LocalThread {
            issue,
            body: comment(None, String::new(), 0),
            begun: false,
            comments: Vec::new(),
            pending: None,
            taken: 0,
            landed: BTreeSet::new(),
            answered: None,
            reactions: BTreeSet::new(),
            recorded: false,
            labelled: false,
        }
    }

    /// Puts a comment at the end; `opens` makes it the body of the issue, if there is no table yet.
    pub(super) fn say(&mut self, speaker: Speaker, text: String, time: Millis, opens: bool) {
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
        let mut comment = comment(Some(speaker.author), text, time);
        comment.maintainer = speaker.maintainer;
        self.pending = Some(PendingComment { comment, opens, numbered: false });
    }

    /// Takes in the record as it is now: an event of another process gets its answer, the pending comment its id.
    pub(super) fn take_record(&mut self, record: &File, answered: fn(Source) -> String, now: Millis) {
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
    pub(super) fn thread(&self, record: File) -> Thread {
        let with_claims = |comment: &Comment| {
            let claim = |reaction| self.reactions.contains(&(comment.id, reaction_code(reaction)));
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
    pub(super) fn landed(&mut self, record: &str) {
        self.settle();
        let seen = RecordedIds::of(&File::Text(record.to_owned()), self.issue);
        self.taken = self.taken.max(seen.taken);
        self.landed.extend(seen.last);
        self.recorded = true;
    }

    /// Puts an answer at the end.
    pub(super) fn answer(&mut self, text: String, now: Millis) {
        if self.pending.as_ref().is_some_and(|pending| pending.numbered) {
            self.settle();
        }
        self.append(text, now);
    }

    pub(super) fn react(&mut self, source: Source, reaction: Reaction) -> Claim {
        if !self.has(source) {
            return Claim::Gone;
        }
        if self.pending.as_ref().is_some_and(|pending| pending.numbered && pending.comment.id == source.comment) {
            self.settle();
        }
        match self.reactions.insert((source.comment, reaction_code(reaction))) {
            true => Claim::Ours,
            false => Claim::Taken,
        }
    }

    pub(super) fn delete(&mut self, source: Source) {
        if source.issue == self.issue {
            self.comments.retain(|comment| comment.id != source.comment || !comment.ours);
        }
    }

    pub(super) fn has(&self, source: Source) -> bool {
        let pending = self.pending.as_ref().filter(|pending| pending.numbered).map(|pending| pending.comment.id);
        let mut ids = self.comments.iter().map(|comment| comment.id).chain(pending);
        source.issue == self.issue && (source.comment == 0 || ids.any(|id| id == source.comment))
    }

    pub(super) fn label(&mut self) {
        self.labelled = true;
    }

    /// Puts an answer at the end and leaves the pending comment alone.
    fn append(&mut self, text: String, now: Millis) {
        self.taken = self.taken.saturating_add(1);
        let author = Author { id: 0, login: "play-by-commit".to_owned(), bot: true };
        let answer = comment(Some(author), text, now);
        self.comments.push(Comment { id: self.taken, ours: true, ..answer });
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
struct RecordedIds {
    taken: u64,
    last: Option<Source>,
}

impl RecordedIds {
    fn of(record: &File, issue: u64) -> RecordedIds {
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

fn comment(author: Option<Author>, text: String, time: Millis) -> Comment {
    let claims = Claims::default();
    let (maintainer, ours, edited_by_other) = (false, false, false);
    Comment { id: 0, author, maintainer, ours, text, written: time, time, edited_by_other, claims }
}

fn reaction_code(reaction: Reaction) -> u8 {
    match reaction {
        Reaction::Rocket => 0,
        Reaction::Confused => 1,
        Reaction::Eyes => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: File = File::Missing;

    fn answered(source: Source) -> String {
        format!("answers {}", source.comment)
    }

    fn at(comment: u64) -> Source {
        Source { issue: 7, comment }
    }

    fn record(through: u64, sources: &[u64]) -> String {
        let events: Vec<Value> = sources.iter().map(|s| serde_json::json!({"source": at(*s)})).collect();
        serde_json::json!({"through": through, "history": events}).to_string()
    }

    fn say(table_thread: &mut LocalThread, text: &str, opens: bool) {
        let author = Author { id: 1, login: "ann".to_owned(), bot: false };
        table_thread.say(Speaker { author, maintainer: false }, text.to_owned(), 5, opens);
    }

    /// Reads, and writes the thread as `ID TEXT`, the body first.
    fn read(table_thread: &mut LocalThread, record: &File) -> Vec<String> {
        table_thread.take_record(record, answered, 9);
        let thread = table_thread.thread(NONE);
        [&thread.body].into_iter().chain(&thread.comments).map(|c| format!("{} {}", c.id, c.text)).collect()
    }

    #[test]
    fn a_session_from_the_first_word() {
        let mut table_thread = LocalThread::new(7);
        say(&mut table_thread, "/new", true);
        assert_eq!(read(&mut table_thread, &NONE), ["0 /new"]);
        table_thread.landed(&record(0, &[0]));
        table_thread.answer("welcome".to_owned(), 9);
        assert_eq!(read(&mut table_thread, &File::Text(record(0, &[0]))), ["0 /new", "1 welcome"]);
        say(&mut table_thread, "b2", false);
        // The thread begins anew with each post; the record's last event is answered in one line.
        assert_eq!(read(&mut table_thread, &File::Text(record(0, &[0]))), ["0 /new", "2 answers 0", "3 b2"]);
        assert_eq!(read(&mut table_thread, &File::Text(record(0, &[0]))), ["0 /new", "2 answers 0", "3 b2"]);
    }

    #[test]
    fn a_refused_body_stays_and_keeps_its_answer() {
        let mut table_thread = LocalThread::new(7);
        say(&mut table_thread, "/new nonsense", true);
        read(&mut table_thread, &NONE);
        assert_eq!(table_thread.react(at(0), Reaction::Confused), Claim::Ours);
        table_thread.answer("no".to_owned(), 9);
        say(&mut table_thread, "/new", true);
        assert_eq!(read(&mut table_thread, &NONE), ["0 /new nonsense", "1 no", "2 /new"]);
        assert!(table_thread.thread(NONE).body.claims.refusal);
    }

    #[test]
    fn chat_in_the_body_stays_the_body() {
        let mut table_thread = LocalThread::new(7);
        say(&mut table_thread, "hello", true);
        say(&mut table_thread, "/new", false);
        assert_eq!(read(&mut table_thread, &NONE), ["0 hello", "1 /new"]);
    }

    #[test]
    fn a_lost_race_gives_the_pending_comment_another_id() {
        let mut table_thread = LocalThread::new(7);
        say(&mut table_thread, "b2", false);
        assert_eq!(read(&mut table_thread, &File::Text(record(4, &[0, 4]))), ["0 ", "5 answers 4", "6 b2"]);
        assert_eq!(read(&mut table_thread, &File::Text(record(6, &[0, 4, 6]))), ["0 ", "7 answers 6", "8 b2"]);
    }

    #[test]
    fn two_who_open_the_same_table_do_not_share_its_body() {
        let mut table_thread = LocalThread::new(7);
        say(&mut table_thread, "/new", true);
        assert_eq!(read(&mut table_thread, &NONE), ["0 /new"]);
        assert_eq!(read(&mut table_thread, &File::Text(record(0, &[0]))), ["0 ", "1 answers 0", "2 /new"]);
    }

    #[test]
    fn an_id_that_the_record_gives_to_a_rival_is_given_up() {
        let mut table_thread = LocalThread::new(7);
        say(&mut table_thread, "/bord", false);
        let before = File::Text(record(1, &[0]));
        assert_eq!(read(&mut table_thread, &before), ["0 ", "2 answers 0", "3 /bord"]);
        assert_eq!(table_thread.react(at(3), Reaction::Confused), Claim::Ours);
        assert_eq!(table_thread.react(at(3), Reaction::Confused), Claim::Taken);
        table_thread.answer("Did you mean /board?".to_owned(), 9);
        // A rival's move has our id 3; ours was only ever said here.
        assert_eq!(read(&mut table_thread, &File::Text(record(3, &[0, 3]))), ["0 ", "5 answers 3"]);
        assert_eq!(table_thread.react(at(3), Reaction::Eyes), Claim::Gone);
    }

    #[test]
    fn only_what_is_ours_can_be_deleted() {
        let mut table_thread = LocalThread::new(7);
        say(&mut table_thread, "b2", false);
        read(&mut table_thread, &NONE);
        table_thread.answer("twice".to_owned(), 9);
        table_thread.delete(at(2));
        table_thread.delete(at(1));
        assert_eq!(read(&mut table_thread, &NONE), ["0 ", "1 b2"]);
        assert!(
            table_thread.has(at(1)) && !table_thread.has(at(2)) && !table_thread.has(Source { issue: 8, comment: 1 })
        );
    }

    #[test]
    fn a_record_is_read_leniently() {
        let seen = |text: &str| RecordedIds::of(&File::Text(text.to_owned()), 7);
        assert_eq!(seen("{"), RecordedIds::default());
        assert_eq!(seen("{\"through\":-1,\"history\":{}}"), RecordedIds::default());
        let mixed =
            r#"{"through":2,"history":[{"source":{"issue":7,"comment":9}},{"source":{"issue":8,"comment":99}}]}"#;
        assert_eq!(seen(mixed), RecordedIds { taken: 9, last: Some(Source { issue: 8, comment: 99 }) });
        assert_eq!(seen(r#"{"through":18446744073709551615}"#).taken, u64::MAX);
        for version in [
            include_str!("../../../tests/records/version-1/backgammon-proved/1.json"),
            include_str!("../../../tests/dice/1.json"),
        ] {
            let seen = RecordedIds::of(&File::Text(version.to_owned()), 1);
            assert_eq!(seen, RecordedIds { taken: 54, last: Some(Source { issue: 1, comment: 54 }) });
        }
    }
}
