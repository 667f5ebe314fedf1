//! The short files of games in progress: written with each event, and deleted at the end of the game.

use table::any_table::AnyTable;
use table::ids::IssueNumber;
use table::oid::Oid;
use table::running_game::RunningGame;
use table::state_path::StatePath;
use table::timestamp::Timestamp;

use crate::forge::{Change, FileContent};
use crate::view::View;

/// Files to write and files to delete.
#[derive(Debug, Default)]
pub(super) struct RunningFiles {
    /// Paths from the repository's root, with the full texts.
    pub(super) written: Vec<(String, String)>,
    /// Paths of files that the head has.
    pub(super) deleted: Vec<String>,
}

impl RunningFiles {
    /// Returns the changes that make the files in the view match these tables.
    ///
    /// A commit that deletes a missing file fails as a whole, so only files in the view are deleted.
    pub(super) fn updates<'a>(
        view: &View,
        state_dir: &str,
        tables: impl IntoIterator<Item = &'a AnyTable>,
    ) -> RunningFiles {
        let mut files = RunningFiles::default();
        for table in tables {
            let issue = table.issue();
            let path = StatePath::Running(issue).below(state_dir);
            let current = view.running_files.get(&issue).unwrap_or(&FileContent::Missing);
            match RunningGame::from_table(table).map(|game| game.to_json()) {
                Some(text) if current.text() != Some(&text) => files.written.push((path, text)),
                None if *current != FileContent::Missing => files.deleted.push(path),
                _ => {}
            }
        }
        files
    }

    /// Returns the bot's own commit of these files; `None` if there are none.
    pub(super) fn into_change(self, head: &Oid, issue: IssueNumber, skip_ci: bool, now: Timestamp) -> Option<Change> {
        let RunningFiles { written, deleted } = self;
        if written.is_empty() && deleted.is_empty() {
            return None;
        }
        let headline = format!("Table {issue}: update the list of games in progress");
        Some(Change { deleted, ..Change::by_bot(head, written, headline, skip_ci, now) })
    }
}
