//! The thread of a table in the terminal, comment by comment.

use git::{Commenter, LocalThread, RecordedIds};
use protocol::{ClaimOutcome, FileContent, Reaction};
use serde_json::{Value, json};
use table::{Author, CommentId, CommentRef, IssueNumber, Timestamp, UserId};

const NO_RECORD: FileContent = FileContent::Missing;

fn describe_event(source: CommentRef) -> String {
    format!("answers {}", source.comment)
}

fn source(comment: u64) -> CommentRef {
    CommentRef { issue: IssueNumber::new(7), comment: CommentId::new(comment) }
}

fn record(through: u64, sources: &[u64]) -> String {
    let events: Vec<Value> = sources.iter().map(|s| json!({"source": source(*s)})).collect();
    json!({"through": through, "history": events}).to_string()
}

fn add_comment(thread: &mut LocalThread, text: &str, opens: bool) {
    let author = Author { id: UserId::new(1), login: "ann".to_owned(), is_bot: false };
    thread.add_comment(Commenter { author, maintainer: false }, text.to_owned(), Timestamp::from_millis(5), opens);
}

/// Updates the thread from a record and returns its comments as `ID TEXT`, the body first.
fn read_lines(thread: &mut LocalThread, record: &FileContent) -> Vec<String> {
    thread.update_from_record(record, describe_event);
    let thread = thread.to_thread();
    [&thread.body].into_iter().chain(&thread.comments).map(|c| format!("{} {}", c.id, c.text)).collect()
}

#[test]
fn a_new_table_and_its_first_move() {
    let mut thread = LocalThread::new(IssueNumber::new(7));
    add_comment(&mut thread, "/new", true);
    assert_eq!(read_lines(&mut thread, &NO_RECORD), ["0 /new"]);
    thread.note_commit(&record(0, &[0]));
    thread.add_answer("welcome".to_owned(), Timestamp::from_millis(9));
    assert_eq!(read_lines(&mut thread, &FileContent::Text(record(0, &[0]))), ["0 /new", "1 welcome"]);
    add_comment(&mut thread, "b2", false);
    // Each comment starts the thread over, with one line for the record's last event.
    assert_eq!(read_lines(&mut thread, &FileContent::Text(record(0, &[0]))), ["0 /new", "2 answers 0", "3 b2"]);
    assert_eq!(read_lines(&mut thread, &FileContent::Text(record(0, &[0]))), ["0 /new", "2 answers 0", "3 b2"]);
}

#[test]
fn a_refused_body_keeps_its_answer() {
    let mut thread = LocalThread::new(IssueNumber::new(7));
    add_comment(&mut thread, "/new nonsense", true);
    read_lines(&mut thread, &NO_RECORD);
    assert_eq!(thread.react(source(0), Reaction::Confused), ClaimOutcome::Ours);
    thread.add_answer("no".to_owned(), Timestamp::from_millis(9));
    add_comment(&mut thread, "/new", true);
    assert_eq!(read_lines(&mut thread, &NO_RECORD), ["0 /new nonsense", "1 no", "2 /new"]);
    assert!(thread.to_thread().body.claims.refusal);
}

#[test]
fn chat_in_the_body_stays_the_body() {
    let mut thread = LocalThread::new(IssueNumber::new(7));
    add_comment(&mut thread, "hello", true);
    add_comment(&mut thread, "/new", false);
    assert_eq!(read_lines(&mut thread, &NO_RECORD), ["0 hello", "1 /new"]);
}

#[test]
fn a_lost_race_gives_the_pending_comment_another_id() {
    let mut thread = LocalThread::new(IssueNumber::new(7));
    add_comment(&mut thread, "b2", false);
    assert_eq!(read_lines(&mut thread, &FileContent::Text(record(4, &[0, 4]))), ["0 ", "5 answers 4", "6 b2"]);
    assert_eq!(read_lines(&mut thread, &FileContent::Text(record(6, &[0, 4, 6]))), ["0 ", "7 answers 6", "8 b2"]);
}

#[test]
fn a_second_opener_gets_a_comment_instead_of_the_body() {
    let mut thread = LocalThread::new(IssueNumber::new(7));
    add_comment(&mut thread, "/new", true);
    assert_eq!(read_lines(&mut thread, &NO_RECORD), ["0 /new"]);
    assert_eq!(read_lines(&mut thread, &FileContent::Text(record(0, &[0]))), ["0 ", "1 answers 0", "2 /new"]);
}

#[test]
fn gives_up_an_id_that_a_rival_has_committed() {
    let mut thread = LocalThread::new(IssueNumber::new(7));
    add_comment(&mut thread, "/bord", false);
    let before = FileContent::Text(record(1, &[0]));
    assert_eq!(read_lines(&mut thread, &before), ["0 ", "2 answers 0", "3 /bord"]);
    assert_eq!(thread.react(source(3), Reaction::Confused), ClaimOutcome::Ours);
    assert_eq!(thread.react(source(3), Reaction::Confused), ClaimOutcome::Taken);
    thread.add_answer("Did you mean /board?".to_owned(), Timestamp::from_millis(9));
    // A rival has committed a move with ID 3, which our comment had only in this process.
    assert_eq!(read_lines(&mut thread, &FileContent::Text(record(3, &[0, 3]))), ["0 ", "5 answers 3"]);
    assert_eq!(thread.react(source(3), Reaction::Eyes), ClaimOutcome::Gone);
}

#[test]
fn deletes_only_answers_of_the_bot() {
    let mut thread = LocalThread::new(IssueNumber::new(7));
    add_comment(&mut thread, "b2", false);
    read_lines(&mut thread, &NO_RECORD);
    thread.add_answer("twice".to_owned(), Timestamp::from_millis(9));
    thread.delete(source(2));
    thread.delete(source(1));
    assert_eq!(read_lines(&mut thread, &NO_RECORD), ["0 ", "1 b2"]);
    assert!(
        thread.contains(source(1))
            && !thread.contains(source(2))
            && !thread.contains(CommentRef { issue: IssueNumber::new(8), comment: CommentId::new(1) })
    );
}

#[test]
fn reads_ids_from_damaged_records_too() {
    let seen = |text: &str| RecordedIds::from_record(&FileContent::Text(text.to_owned()), IssueNumber::new(7));
    assert_eq!(seen("{"), RecordedIds::default());
    assert_eq!(seen("{\"through\":-1,\"history\":{}}"), RecordedIds::default());
    let mixed = r#"{"through":2,"history":[{"source":{"issue":7,"comment":9}},{"source":{"issue":8,"comment":99}}]}"#;
    assert_eq!(
        seen(mixed),
        RecordedIds {
            max_id: CommentId::new(9),
            last_source: Some(CommentRef { issue: IssueNumber::new(8), comment: CommentId::new(99) }),
            last_event_at: Timestamp::EPOCH
        }
    );
    assert_eq!(seen(r#"{"through":18446744073709551615}"#).max_id, CommentId::new(u64::MAX));
    assert_eq!(
        seen(include_str!("../../../../../tests/dice/1.json")),
        RecordedIds {
            max_id: CommentId::new(45),
            last_source: Some(CommentRef { issue: IssueNumber::new(1), comment: CommentId::new(45) }),
            last_event_at: Timestamp::from_millis(1_795_826_589_969)
        }
    );
}
