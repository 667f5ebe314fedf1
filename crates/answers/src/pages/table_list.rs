//! The list of tables on a page: those that are being played, with whose turn it is and since when, and the newest results.
//!
//! A run reads the record of its own table and of no other, so the list has to remember the others, and **the block itself is
//! that memory**. Pages are read through the head of each commit anyway, so the list takes no file and no request of its own, a
//! repository that shows none pays nothing, and two tables that commit at once lose no row: the second is sent back to read.
//! A commit rewrites the rows of its own table and drops those beyond the bounds, so that the cost of a move stays the same.
//! The sweep makes it right again: it takes no more than the numbers from the list, and all else from the records.
//!
//! Anybody who may push can edit a page, so nothing in it is believed: a line counts only if it is, to the last byte, what this
//! program would write of it, and what is written back is made anew.

mod rows;

use std::collections::BTreeSet;

use table::any_table::AnyTable;

use crate::pages::links::Links;
use crate::pages::table_list::rows::{ResultRow, Row, RunningRow};

/// The number of tables that are listed; those whose turn is the newest stay.
pub const MAX_RUNNING: usize = 20;
/// The number of results that are listed, the newest ones.
pub const MAX_RESULTS: usize = 10;
/// The number of lines of a block that are read back. It has no more, unless somebody has edited it.
const MAX_LINES: usize = 100;

/// The tables that a page lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableList {
    running: Vec<RunningRow>,
    results: Vec<ResultRow>,
}

impl TableList {
    /// Reads the list back from the block of a page. What is no row of ours is passed over.
    pub fn parse(block: &str) -> TableList {
        let mut list = TableList::default();
        for line in block.lines().map(str::trim).take(MAX_LINES) {
            if let Some(row) = RunningRow::parse_exact(line) {
                list.run(row);
            } else if let Some(row) = ResultRow::parse_exact(line) {
                list.add_result(row);
            }
        }
        list
    }

    /// Lists the numbers of the tables that are being played.
    pub fn running_issues(&self) -> BTreeSet<u64> {
        self.running.iter().map(|row| row.issue).collect()
    }

    /// Brings the rows of a table up to date. Only what counts in the standings is a result; a table that was aborted, or has
    /// moved to another issue, just leaves.
    pub fn update(&mut self, table: &AnyTable) {
        self.remove(table.issue());
        if let Some(row) = RunningRow::from_table(table) {
            self.run(row);
        }
        if let Some(row) = ResultRow::from_table(table) {
            self.add_result(row);
        }
    }

    /// Takes a table off those that are being played. Its results stay.
    pub fn remove(&mut self, issue: u64) {
        self.running.retain(|row| row.issue != issue);
    }

    /// Returns the Markdown of the list. It mentions nobody.
    pub fn markdown(&self, links: &Links<'_>) -> String {
        let running = lines(&self.running, links);
        let mut text = match self.running.len() {
            0 => "No games in progress.".to_owned(),
            count => {
                let newest = if count == MAX_RUNNING {
                    format!(" (the {MAX_RUNNING} with the newest moves)")
                } else {
                    String::new()
                };
                format!("**Games in progress**{newest}:\n\n{}{running}", RunningRow::HEADER)
            }
        };
        if !self.results.is_empty() {
            text.push_str(&format!("\n\n**Latest results:**\n\n{}", lines(&self.results, links)));
        }
        text
    }

    fn run(&mut self, row: RunningRow) {
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
fn lines<R: Row>(rows: &[R], links: &Links<'_>) -> String {
    rows.iter().map(|row| row.line(&links.issue(row.issue()))).collect::<Vec<_>>().join("\n")
}
