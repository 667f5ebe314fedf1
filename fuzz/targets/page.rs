//! Fuzzes the updates of a host's pages: every byte outside the markers stays the same.

use answers::page::{refresh, wanted_blocks};
use answers::{BlockUpdates, Links, TableList};
use games::GameVariant;

/// The test contents between markers, with a different letter for each kind.
const TABLE: &str = "\u{e000}T\u{e000}";
const STANDINGS: &str = "\u{e000}S\u{e000}";
const LIST: &str = "\u{e000}L\u{e000}";

const LINKS: Links<'static> =
    Links { server: "https://github.com", repository: "o/r", branch: "HEAD", state_dir: "state", use_form: false };

fn standings(_: Option<GameVariant>) -> String {
    STANDINGS.to_owned()
}

/// Checks that the list of tables reads what it writes, and gets the same list.
pub fn table_list(data: &[u8]) {
    let Some(list) = super::text(data).and_then(|text| TableList::parse(text).ok()) else { return };
    assert_eq!(TableList::parse(&list.to_json()).as_ref(), Ok(&list));
    assert!(list.markdown(&LINKS).lines().count() < 50);
}

/// Checks that an update replaces only what is between markers, and that a second update changes nothing.
pub fn page(data: &[u8]) {
    let Some(text) = super::text(data) else { return };
    let asked = wanted_blocks(text);
    if text.contains(['\u{e000}', '\u{e001}']) {
        return;
    }
    let tables = asked.tables.iter().copied().take(3).map(Some).chain([None]);
    for table in tables {
        let table = table.map(|number| (number, TABLE));
        let fresh_blocks = BlockUpdates { table, list: Some(LIST), standings: Some(&standings) };
        let fresh = refresh(text, fresh_blocks);
        assert!(fresh.problems.iter().all(|sentence| !sentence.contains('\n') && sentence.len() < 500));
        let Some(fresh) = fresh.text else { continue };
        assert!(table.is_some() || asked.standings || asked.list, "something was written that nobody asked for");
        assert_eq!(wanted_blocks(&fresh), asked, "the page asks for the same as before");
        let again = refresh(&fresh, fresh_blocks);
        assert_eq!(again.text, None, "what is up to date changes no more");
        outside_stays(text, &fresh);
    }
}

/// Checks that all text outside the markers is unchanged and in the same order.
fn outside_stays(text: &str, fresh: &str) {
    let long = [TABLE, STANDINGS, LIST].iter().any(|block| fresh.contains(&format!("\r\n\r\n{block}")));
    let line_end = if long { "\r\n" } else { "\n" };
    let frame = |block: &str| format!("{line_end}{line_end}{block}{line_end}{line_end}");
    let split = fresh
        .replace(&frame(TABLE), "\u{e001}")
        .replace(&frame(STANDINGS), "\u{e001}")
        .replace(&frame(LIST), "\u{e001}");
    assert!(!split.contains('\u{e000}'), "blocks have an empty line before and behind them");
    let outside: Vec<&str> = split.split('\u{e001}').collect();
    assert!(outside.len() > 1);
    let mut rest = text;
    for (at, part) in outside.iter().enumerate() {
        if at > 0 {
            assert!(part.starts_with("<!--"), "a block ends at a marker: {part:?}");
        }
        if at + 1 < outside.len() {
            assert!(part.ends_with("-->"), "a block begins at a marker: {part:?}");
        }
        let found = match at {
            0 => rest.strip_prefix(part),
            _ if at + 1 == outside.len() => rest.strip_suffix(part).map(|_| ""),
            _ => rest.find(part).map(|from| &rest[from + part.len()..]),
        };
        rest = found.unwrap_or_else(|| panic!("{part:?} is not there as it was in {text:?}"));
    }
}
