//! The list of tables on a page: games in progress, and the newest results.
//!
//! A run reads only the record of its own table, so **the block on the page itself** stores the other rows. Each run
//! reads the page anyway to update it, so the list costs no extra file and no extra request. If two tables commit at
//! once, the compare-and-swap of the commit makes one of them retry, so no row gets lost. The sweep rebuilds all rows
//! from the records.
//!
//! Anyone with write access can edit a page. A row counts only if it parses and prints back to the same bytes.

mod rows;

use std::collections::BTreeSet;

use table::any_table::AnyTable;
use table::ids::IssueNumber;

use crate::pages::links::Links;
use crate::pages::table_list::rows::{ResultRow, Row, RunningRow};

/// The maximum number of games in progress. The list keeps those with the newest turns.
pub const MAX_RUNNING: usize = 20;
/// The maximum number of results. The list keeps the newest.
pub const MAX_RESULTS: usize = 10;
/// The maximum number of lines to parse. Only edited blocks have more.
const MAX_LINES: usize = 100;

/// The rows of a page's list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableList {
    running: Vec<RunningRow>,
    results: Vec<ResultRow>,
}

impl TableList {
    /// Parses the list from the block of a page, and ignores other lines.
    pub fn parse(block: &str) -> TableList {
        let mut list = TableList::default();
        for line in block.lines().map(str::trim).take(MAX_LINES) {
            if let Some(row) = RunningRow::parse_exact(line) {
                list.add_running(row);
            } else if let Some(row) = ResultRow::parse_exact(line) {
                list.add_result(row);
            }
        }
        list
    }

    /// Returns the issue numbers of the games in progress.
    pub fn running_issues(&self) -> BTreeSet<IssueNumber> {
        self.running.iter().map(|row| row.issue).collect()
    }

    /// Updates the rows of a table. Only games that count in the standings leave a result.
    pub fn update(&mut self, table: &AnyTable) {
        self.remove(table.issue());
        if let Some(row) = RunningRow::from_table(table) {
            self.add_running(row);
        }
        if let Some(row) = ResultRow::from_table(table) {
            self.add_result(row);
        }
    }

    /// Removes a game in progress. Its earlier results stay.
    pub fn remove(&mut self, issue: IssueNumber) {
        self.running.retain(|row| row.issue != issue);
    }

    /// Returns the list as Markdown. It mentions nobody.
    pub fn markdown(&self, links: &Links<'_>) -> String {
        let running = format_rows(&self.running, links);
        let mut text = match self.running.len() {
            0 => "No games in progress.".to_owned(),
            count => {
                let note = if count == MAX_RUNNING {
                    format!(" (the {MAX_RUNNING} with the newest moves)")
                } else {
                    String::new()
                };
                format!("**Games in progress**{note}:\n\n{}{running}", RunningRow::HEADER)
            }
        };
        if !self.results.is_empty() {
            text.push_str(&format!("\n\n**Latest results:**\n\n{}", format_rows(&self.results, links)));
        }
        text
    }

    fn add_running(&mut self, row: RunningRow) {
        self.remove(row.issue);
        self.running.push(row);
        self.running.sort_by(|one, two| two.sort_key().cmp(&one.sort_key()));
        self.running.truncate(MAX_RUNNING);
    }

    fn add_result(&mut self, row: ResultRow) {
        self.results.retain(|known| (known.issue, known.round) != (row.issue, row.round));
        self.results.push(row);
        self.results.sort_by(|one, two| two.sort_key().cmp(&one.sort_key()));
        self.results.truncate(MAX_RESULTS);
    }
}

/// Returns rows as lines, each with a link to its issue.
fn format_rows<R: Row>(rows: &[R], links: &Links<'_>) -> String {
    rows.iter().map(|row| row.line(&links.issue(row.issue()))).collect::<Vec<_>>().join("\n")
}
