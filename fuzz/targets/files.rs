//! The files that others could have written: records, events, standings.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use answers::pages::ranking_table;
use github::event;
use protocol::repo_config::Trigger;
use serde_json::Value;
use standings::files;
use table::any_table::AnyTable;
use table::state_file;

use super::talk;

/// What is between two files of the standings.
const NEXT_FILE: &str = "\n---\n";

/// A record that is read is the one that would be written, and whatever is said next is written so that it can be read.
pub fn record(data: &[u8]) {
    let Some(text) = super::text(data) else { return };
    let issue = serde_json::from_str::<Value>(text).ok().and_then(|value| value["issue"].as_u64()).unwrap_or(42);
    match state_file::load(text, issue) {
        Ok(table) => {
            let written = state_file::to_json(&table);
            assert_eq!(state_file::load(&written, issue).as_ref(), Ok(&table));
            assert_eq!(table.issue(), issue);
            assert!(state_file::load(&written, issue.wrapping_add(1)).is_err(), "it belongs to one issue");
            talk::goes_on(&table);
        }
        Err(sentence) => is_a_sentence(&sentence),
    }
}

/// An event wakes us for the issue that it names, or does not.
pub fn event(data: &[u8]) {
    let Some(text) = super::text(data) else { return };
    let (name, payload) = text.split_once('\n').unwrap_or((text, ""));
    match event::parse_event(name, payload) {
        Ok(Ok(Trigger::Comment { source, table })) => {
            // What is not looked at may hold what no text can be made of.
            let Ok(value) = serde_json::from_str::<Value>(payload) else { return };
            assert!(value["issue"]["number"] == source.issue);
            assert!(source.comment == 0 || value["comment"]["id"] == source.comment);
            assert!(table != Some(0));
        }
        Ok(Ok(Trigger::Sweep)) => assert!(matches!(name, "schedule" | "workflow_dispatch")),
        Ok(Ok(_)) => panic!("no event asks for anything else"),
        Ok(Err(_)) => {}
        Err(sentence) => is_a_sentence(&sentence),
    }
}

/// Standings that are read can be counted on: what comes of them is read again for the next result.
pub fn standings(data: &[u8]) {
    static TABLES: OnceLock<[AnyTable; 3]> = OnceLock::new();
    let tables = TABLES.get_or_init(|| {
        [
            "a/new tic-tac-toe @bob\na/move b2\nb/move a1\nb/resign",
            "b/new backgammon @alice\na/draw\nb/draw",
            "a/new tic-tac-toe seats=open gap=0\na/move a1\nb/move b1\na/move a2\nb/move b2\na/move a3",
        ]
        .map(|lines| talk::table(lines.as_bytes()))
    });
    let Some(text) = super::text(data) else { return };
    for table in tables {
        let needed = standings::files_needed(table);
        assert_eq!(needed.len(), 3);
        let files = needed.iter().cloned().zip(text.split(NEXT_FILE).map(str::to_owned)).collect();
        let counted = match standings::count_result(table, &files) {
            Ok(counted) => counted,
            Err(sentence) => {
                is_a_sentence(&sentence);
                continue;
            }
        };
        assert!(counted.files.iter().all(|(_, text)| text.len() <= files::MAX_BYTES));
        let mut after: BTreeMap<String, String> = files;
        after.extend(counted.files);
        // Who has played a million million games has come to the end of what is counted.
        if text.contains("999999999999") || text.contains("000000000000") {
            continue;
        }
        let next = standings::count_result(table, &after).unwrap_or_else(|sentence| panic!("{sentence}"));
        assert_eq!(next.number, counted.number + 1);
        shown(&after);
    }
    shown(&standings::ranking_paths().into_iter().zip(text.split(NEXT_FILE).map(str::to_owned)).collect());
}

fn shown(files: &BTreeMap<String, String>) {
    let page = ranking_table::markdown(files, None, 10);
    assert!(page.len() < 10_000 && !page.contains('@'), "{page}");
}

/// What a host is told is one line, and not as long as what somebody has written.
pub(crate) fn is_a_sentence(sentence: &str) {
    assert!(!sentence.is_empty() && !sentence.chars().any(char::is_control), "{sentence:?} is one line");
    assert!(sentence.len() <= 2_000, "{} bytes are no sentence: {sentence}", sentence.len());
}
