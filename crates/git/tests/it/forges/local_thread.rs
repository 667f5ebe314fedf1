//! The thread of a table in the terminal, word by word.

use git::thread::{Commenter, LocalThread, RecordedIds};
use protocol::forge::{Claim, Reaction};
use serde_json::{Value, json};
use table::talk::comment::{Author, Source};
use table::talk::thread::FileContent;

const NONE: FileContent = FileContent::Missing;

fn answered(source: Source) -> String {
    format!("answers {}", source.comment)
}

fn at(comment: u64) -> Source {
    Source { issue: 7, comment }
}

fn record(through: u64, sources: &[u64]) -> String {
    let events: Vec<Value> = sources.iter().map(|s| json!({"source": at(*s)})).collect();
    json!({"through": through, "history": events}).to_string()
}

fn say(table_thread: &mut LocalThread, text: &str, opens: bool) {
    let author = Author { id: 1, login: "ann".to_owned(), is_bot: false };
    table_thread.add_comment(Commenter { author, maintainer: false }, text.to_owned(), 5, opens);
}

/// Reads, and writes the thread as `ID TEXT`, the body first.
fn read(table_thread: &mut LocalThread, record: &FileContent) -> Vec<String> {
    table_thread.update_from_record(record, answered, 9);
    let thread = table_thread.to_thread(NONE);
    [&thread.body].into_iter().chain(&thread.comments).map(|c| format!("{} {}", c.id, c.text)).collect()
}

#[test]
fn a_session_from_the_first_word() {
    let mut table_thread = LocalThread::new(7);
    say(&mut table_thread, "/new", true);
    assert_eq!(read(&mut table_thread, &NONE), ["0 /new"]);
    table_thread.note_commit(&record(0, &[0]));
    table_thread.add_answer("welcome".to_owned(), 9);
    assert_eq!(read(&mut table_thread, &FileContent::Text(record(0, &[0]))), ["0 /new", "1 welcome"]);
    say(&mut table_thread, "b2", false);
    // The thread begins again with each post; the record's last event is answered in one line.
    assert_eq!(read(&mut table_thread, &FileContent::Text(record(0, &[0]))), ["0 /new", "2 answers 0", "3 b2"]);
    assert_eq!(read(&mut table_thread, &FileContent::Text(record(0, &[0]))), ["0 /new", "2 answers 0", "3 b2"]);
}

#[test]
fn a_refused_body_stays_and_keeps_its_answer() {
    let mut table_thread = LocalThread::new(7);
    say(&mut table_thread, "/new nonsense", true);
    read(&mut table_thread, &NONE);
    assert_eq!(table_thread.react(at(0), Reaction::Confused), Claim::Ours);
    table_thread.add_answer("no".to_owned(), 9);
    say(&mut table_thread, "/new", true);
    assert_eq!(read(&mut table_thread, &NONE), ["0 /new nonsense", "1 no", "2 /new"]);
    assert!(table_thread.to_thread(NONE).body.claims.refusal);
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
    assert_eq!(read(&mut table_thread, &FileContent::Text(record(4, &[0, 4]))), ["0 ", "5 answers 4", "6 b2"]);
    assert_eq!(read(&mut table_thread, &FileContent::Text(record(6, &[0, 4, 6]))), ["0 ", "7 answers 6", "8 b2"]);
}

#[test]
fn two_who_open_the_same_table_do_not_share_its_body() {
    let mut table_thread = LocalThread::new(7);
    say(&mut table_thread, "/new", true);
    assert_eq!(read(&mut table_thread, &NONE), ["0 /new"]);
    assert_eq!(read(&mut table_thread, &FileContent::Text(record(0, &[0]))), ["0 ", "1 answers 0", "2 /new"]);
}

#[test]
fn an_id_that_the_record_gives_to_a_rival_is_given_up() {
    let mut table_thread = LocalThread::new(7);
    say(&mut table_thread, "/bord", false);
    let before = FileContent::Text(record(1, &[0]));
    assert_eq!(read(&mut table_thread, &before), ["0 ", "2 answers 0", "3 /bord"]);
    assert_eq!(table_thread.react(at(3), Reaction::Confused), Claim::Ours);
    assert_eq!(table_thread.react(at(3), Reaction::Confused), Claim::Taken);
    table_thread.add_answer("Did you mean /board?".to_owned(), 9);
    // A rival's move has our id 3; ours was only ever said here.
    assert_eq!(read(&mut table_thread, &FileContent::Text(record(3, &[0, 3]))), ["0 ", "5 answers 3"]);
    assert_eq!(table_thread.react(at(3), Reaction::Eyes), Claim::Gone);
}

#[test]
fn only_what_is_ours_can_be_deleted() {
    let mut table_thread = LocalThread::new(7);
    say(&mut table_thread, "b2", false);
    read(&mut table_thread, &NONE);
    table_thread.add_answer("twice".to_owned(), 9);
    table_thread.delete(at(2));
    table_thread.delete(at(1));
    assert_eq!(read(&mut table_thread, &NONE), ["0 ", "1 b2"]);
    assert!(
        table_thread.contains(at(1))
            && !table_thread.contains(at(2))
            && !table_thread.contains(Source { issue: 8, comment: 1 })
    );
}

#[test]
fn a_record_is_read_leniently() {
    let seen = |text: &str| RecordedIds::from_record(&FileContent::Text(text.to_owned()), 7);
    assert_eq!(seen("{"), RecordedIds::default());
    assert_eq!(seen("{\"through\":-1,\"history\":{}}"), RecordedIds::default());
    let mixed = r#"{"through":2,"history":[{"source":{"issue":7,"comment":9}},{"source":{"issue":8,"comment":99}}]}"#;
    assert_eq!(seen(mixed), RecordedIds { max_id: 9, last_source: Some(Source { issue: 8, comment: 99 }) });
    assert_eq!(seen(r#"{"through":18446744073709551615}"#).max_id, u64::MAX);
    for version in [
        include_str!("../../../../../tests/records/version-1/backgammon-proved/1.json"),
        include_str!("../../../../../tests/dice/1.json"),
    ] {
        let seen = RecordedIds::from_record(&FileContent::Text(version.to_owned()), 1);
        assert_eq!(seen, RecordedIds { max_id: 54, last_source: Some(Source { issue: 1, comment: 54 }) });
    }
}
