//! Links to the documentation.

use std::path::Path;

use answers::announce::show;
use answers::{DICE_PAGE, DOCS, OutputFormat, TerminalOptions};
use games::GameVariant;
use table::{HostPolicy, Query, Timestamp};
use testkit::Scenario;

/// Returns the pages of the documentation that an answer links.
fn linked_pages(answer: &str) -> Vec<&str> {
    answer.split(&format!("]({DOCS}")).skip(1).filter_map(|rest| Some(rest.split_once(')')?.0)).collect()
}

#[test]
fn help_links_pages_that_exist() {
    let scenario = Scenario::played("/new chess @bob", &[]);
    let table = scenario.table(1);
    let policy = HostPolicy::default();
    let queries = GameVariant::all().map(|game| Query::Help(Some(game))).chain([Query::Help(None)]);
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    for query in queries {
        for table in [Some(&table), None] {
            let help = |format| show(&query, table, &policy, Timestamp::EPOCH, format);
            let answer = help(OutputFormat::MarkdownText);
            let pages = linked_pages(&answer);
            assert!(pages.len() == 1 && docs.join(pages[0]).is_file(), "{query:?}: {answer}");
        }
        let terminal = OutputFormat::Terminal(TerminalOptions::default());
        let answer = show(&query, Some(&table), &policy, Timestamp::EPOCH, terminal);
        assert!(!answer.contains(DOCS), "{answer}");
    }
    assert!(docs.join(DICE_PAGE).is_file());
}
