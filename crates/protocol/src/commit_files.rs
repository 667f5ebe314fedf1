//! The files of one commit: the record, its picture, the standings after a result, and the pages that show any of it.

use std::collections::BTreeMap;

use answers::scene;
use table::any_table::AnyTable;
use table::state_file::to_json;
use table::talk::thread::{FileContent, Oid};

use crate::forge::{Fault, Forge};
use crate::page_files::{self, PageFiles};
use crate::repo_config::RepoConfig;

/// A table as it is committed, and all files that go with it.
pub(super) struct CommitFiles {
    /// The table, with its number in the standings if it has come to a result.
    pub(super) table: AnyTable,
    /// Paths and whole texts.
    pub(super) files: Vec<(String, String)>,
    /// The faults of each page, by its path.
    pub(super) page_warnings: BTreeMap<String, Vec<String>>,
    /// The fault that the host has to put right; the game goes on without it.
    pub(super) failure: Option<String>,
}

impl CommitFiles {
    /// Puts together the commit on `on`. A result costs one read more, through that very commit.
    pub(super) async fn collect(
        forge: &dyn Forge,
        place: &RepoConfig,
        on: Option<&Oid>,
        table: AnyTable,
        finished: Option<&AnyTable>,
        pages: &BTreeMap<String, FileContent>,
    ) -> Result<CommitFiles, Fault> {
        let dir = &place.state_dir;
        let NewStandings { number, files: counted, rankings, failure } = count_result(forge, dir, on, &table).await?;
        let table = match number {
            Some(number) => table.with_result_number(number),
            None => table,
        };
        let mut files = vec![(place.record_path(table.issue()), to_json(&table))];
        files.extend(counted);
        files.push((format!("{dir}/{}", scene::board_path(&table)), scene::svg(&table)));
        if let Some(file) = scene::replay_path(&table) {
            files.push((format!("{dir}/{file}"), scene::replay(&table, None)));
        }
        if let Some(before) = finished {
            // A table that has moved stays where it was; one that has begun anew goes to the archive, to make room for that.
            let (issue, round) = (before.issue(), before.round());
            let moved = issue != table.issue();
            let path = if moved { place.record_path(issue) } else { format!("{dir}/archive/{issue}-{round}.json") };
            files.push((path, to_json(before)));
        }
        let PageFiles { files: shown, page_warnings: complaints } = match place.links() {
            Some(links) => page_files::fill_pages(&table, finished, pages, &links, rankings.as_ref()),
            None => PageFiles::default(),
        };
        files.extend(shown);
        Ok(CommitFiles { table, files, page_warnings: complaints, failure })
    }
}

/// The standings after a result.
#[derive(Default)]
struct NewStandings {
    /// The number of the result; `None` if there was none to count, or it could not be counted.
    number: Option<u64>,
    files: Vec<(String, String)>,
    /// The texts of all rankings, by their paths below the state directory; `None` if they were not read.
    rankings: Option<BTreeMap<String, String>>,
    failure: Option<String>,
}

/// Counts the result of a table, if there is one.
async fn count_result(forge: &dyn Forge, dir: &str, on: Option<&Oid>, table: &AnyTable) -> Result<NewStandings, Fault> {
    let mut paths = standings::files_needed(table);
    if paths.is_empty() {
        return Ok(NewStandings::default());
    }
    paths.extend(standings::ranking_paths());
    let read = match on {
        Some(on) => read_state_files(forge, dir, on, &paths).await?,
        None => BTreeMap::new(),
    };
    let (rankings, counted) = match file_texts(read) {
        Ok(texts) => {
            let counted = standings::count_result(table, &texts);
            (Some(texts), counted)
        }
        Err(why) => (None, Err(why)),
    };
    match counted {
        Ok(counted) => Ok(NewStandings {
            number: Some(counted.number),
            files: counted.files.iter().map(|(path, text)| (format!("{dir}/{path}"), text.clone())).collect(),
            rankings: rankings.map(|mut texts| {
                texts.extend(counted.files);
                texts
            }),
            failure: None,
        }),
        Err(why) => {
            let issue = table.issue();
            let failure =
                format!("the result of table {issue} isn't in the standings: {why}. The game itself is complete");
            Ok(NewStandings { rankings, failure: Some(failure), ..NewStandings::default() })
        }
    }
}

/// Reads files below the state directory through a commit, by their paths there.
pub(super) async fn read_state_files(
    forge: &dyn Forge,
    dir: &str,
    at: &Oid,
    paths: &[String],
) -> Result<BTreeMap<String, FileContent>, Fault> {
    let mut paths: Vec<String> = paths.iter().map(|path| format!("{dir}/{path}")).collect();
    paths.sort();
    paths.dedup();
    let files = forge.read_files(at, &paths).await?;
    Ok(files.into_iter().map(|(path, file)| (path.get(dir.len() + 1..).unwrap_or_default().to_owned(), file)).collect())
}

/// Returns the texts of the files that are there.
///
/// # Errors
/// Returns a sentence about the first file that can't be read.
pub(super) fn file_texts(files: BTreeMap<String, FileContent>) -> Result<BTreeMap<String, String>, String> {
    let text = |(path, file)| match file {
        FileContent::Missing => None,
        FileContent::Text(text) => Some(Ok((path, text))),
        FileContent::Unreadable(why) => Some(Err(why)),
    };
    files.into_iter().filter_map(text).collect()
}
