//! The files of one commit.

use super::Place;
use crate::games::Table;
use crate::record::write;
use crate::scene;

/// Where the record of a table is.
pub(super) fn record(state_dir: &str, issue: u64) -> String {
    format!("{state_dir}/{issue}.json")
}

/// Where a finished game goes when the next one begins at its table.
fn archive(state_dir: &str, table: &Table) -> String {
    format!("{state_dir}/archive/{}-{}.json", table.issue(), table.round())
}

/// The paths and texts of what a table has become: its record, its picture, at the end the whole game as one picture, and
/// the finished game that made room for it.
pub(super) fn of(place: &Place, table: &Table, finished: Option<&Table>) -> Vec<(String, String)> {
    let dir = &place.state_dir;
    let mut files = vec![(record(dir, table.issue()), write(table))];
    files.push((format!("{dir}/{}", scene::file(table)), scene::svg(table)));
    files.extend(scene::replay_file(table).map(|file| (format!("{dir}/{file}"), scene::replay(table, None))));
    files.extend(finished.map(|table| (archive(dir, table), write(table))));
    files
}
