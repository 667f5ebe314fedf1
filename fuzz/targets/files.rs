//! Fuzzes the parsers of files that others could have written: records, events and standings.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use answers::ranking_table;
use github::{ParsedEvent, event};
use protocol::Trigger;
use serde_json::Value;
use standings::files;
use table::{IssueNumber, Table, state_file};

use super::talk;

/// The separator between two files of the standings.
const NEXT_FILE: &str = "\n---\n";

/// Checks that a valid record serializes to the same record, and stays valid after any further comment.
pub fn record(data: &[u8]) {
    let Some(text) = super::text(data) else { return };
    let issue = serde_json::from_str::<Value>(text).ok().and_then(|value| value["issue"].as_u64()).unwrap_or(42);
    let issue = IssueNumber::new(issue);
    match state_file::load(text, issue) {
        Ok(table) => {
            let written = state_file::to_json(&table);
            assert_eq!(state_file::load(&written, issue).as_ref(), Ok(&table));
            assert_eq!(table.issue(), issue);
            assert!(
                state_file::load(&written, IssueNumber::new(issue.get().wrapping_add(1))).is_err(),
                "it belongs to one issue"
            );
            talk::goes_on(&table);
        }
        Err(sentence) => is_a_sentence(&sentence.to_string()),
    }
}

/// Checks that an event triggers nothing except the issue that it names.
pub fn event(data: &[u8]) {
    let Some(text) = super::text(data) else { return };
    let (name, payload) = text.split_once('\n').unwrap_or((text, ""));
    match event::parse_event(name, payload) {
        Ok(ParsedEvent::Run(Trigger::Comment { source, table })) => {
            // Fields that we don't read may hold text that isn't valid Unicode.
            let Ok(value) = serde_json::from_str::<Value>(payload) else { return };
            assert!(value["issue"]["number"] == source.issue.get());
            assert!(source.is_body() || value["comment"]["id"] == source.comment.get());
            assert!(table != Some(IssueNumber::default()));
        }
        Ok(ParsedEvent::Run(Trigger::Sweep)) => assert!(matches!(name, "schedule" | "workflow_dispatch")),
        Ok(ParsedEvent::Run(_)) => panic!("no event asks for anything else"),
        Ok(ParsedEvent::Ignore(_)) => {}
        Err(sentence) => is_a_sentence(&sentence.to_string()),
    }
}

/// Checks that results can be added to valid standings, and that the files stay valid. Also checks the list of tables.
pub fn standings(data: &[u8]) {
    super::page::table_list(data);
    static TABLES: OnceLock<[Table; 3]> = OnceLock::new();
    let tables = TABLES.get_or_init(|| {
        [
            "a/new tic-tac-toe @bob\na/move b2\nb/move a1\nb/resign",
            "b/new othello @alice\nb/move d3\na/move c3\nb/draw\na/draw",
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
                is_a_sentence(&sentence.to_string());
                continue;
            }
        };
        assert!(counted.files.iter().all(|(_, text)| text.len() <= files::MAX_BYTES));
        let mut after: BTreeMap<String, String> = files;
        after.extend(counted.files);
        // A player with a million million games has reached the end of the counters.
        if text.contains("999999999999") || text.contains("000000000000") {
            continue;
        }
        let next = standings::count_result(table, &after).unwrap_or_else(|sentence| panic!("{sentence}"));
        assert_eq!(next.number, counted.number.next());
        shown(&after);
    }
    shown(&standings::ranking_paths().into_iter().zip(text.split(NEXT_FILE).map(str::to_owned)).collect());
}

fn shown(files: &BTreeMap<String, String>) {
    let page = ranking_table::markdown(files, None, 10);
    assert!(page.len() < 10_000 && !page.contains('@'), "{page}");
}

/// Checks that a message for the host is a single line of limited length.
pub(crate) fn is_a_sentence(sentence: &str) {
    assert!(!sentence.is_empty() && !sentence.chars().any(char::is_control), "{sentence:?} is one line");
    assert!(sentence.len() <= 2_000, "{} bytes are no sentence: {sentence}", sentence.len());
}
