//! The files of one commit: the record, its picture, the standings after a result, and the pages that show any of these. The short
//! file of a game in progress is written with each event, and deleted at the end of the game.

use std::collections::BTreeMap;

use answers::board_picture;
use table::state_file::to_json;
use table::{AwayFile, GameSummary, InvalidFile, IssueNumber, Oid, StatePath, Table, Timestamp, UserId};

use crate::page_refresh::PageFiles;
use crate::reader::RepoState;
use crate::{Change, FileContent, Forge, HostNote, PageProblem, RepoConfig, RequestError, page_refresh};

/// A table as the bot commits it, with all files of the commit.
pub(super) struct CommitFiles {
    /// The table, with its number in the standings if the game has a result.
    pub(super) table: Table,
    /// The files: paths from the repository's root, with the full texts.
    pub(super) files: Vec<(String, String)>,
    /// The paths of the files that the commit deletes.
    pub(super) deleted: Vec<String>,
    /// The problems in each page, by its path.
    pub(super) page_problems: BTreeMap<String, Vec<PageProblem>>,
    /// The note that the result isn't in the standings.
    pub(super) failure: Option<HostNote>,
}

impl CommitFiles {
    /// Collects the files for a commit on top of `parent`.
    ///
    /// `previous` is the game that `table` replaces or continues. A result costs one more request, which reads the standings at
    /// `parent`.
    ///
    /// # Errors
    /// Returns an error if that request fails.
    pub(super) async fn collect(
        forge: &dyn Forge,
        config: &RepoConfig,
        parent: Option<&Oid>,
        table: Table,
        previous: Option<&Table>,
        view: &RepoState,
    ) -> Result<CommitFiles, RequestError> {
        let dir = &config.state_dir;
        let NewStandings { table, files: standings_files, rankings, failure } =
            count_result(forge, dir, parent, table).await?;
        let table = with_absences(forge, config, parent, table, view).await?;
        let mut files = vec![(config.record_path(table.issue()), to_json(&table))];
        files.extend(standings_files);
        files.push((format!("{dir}/{}", board_picture::board_path(&table)), board_picture::svg(&table)));
        if let Some(file) = board_picture::replay_path(&table) {
            files.push((format!("{dir}/{file}"), board_picture::replay(&table, None)));
        }
        if let Some(before) = previous {
            // The record of a table that moved stays in place. A rematch moves the finished game to the archive.
            let (issue, round) = (before.issue(), before.round());
            let moved = issue != table.issue();
            let path =
                if moved { StatePath::Record(issue) } else { StatePath::ArchivedRecord { issue, round } }.below(dir);
            files.push((path, to_json(before)));
        }
        let PageFiles { files: page_files, page_problems } = match config.links() {
            Some(links) => page_refresh::fill_pages(&table, previous, view, &links, rankings.as_ref()),
            None => PageFiles::default(),
        };
        files.extend(page_files);
        // A moved game keeps its old record, but not its summary.
        let moved = previous.filter(|before| before.issue() != table.issue());
        let RunningFiles { written, deleted } = RunningFiles::updates(view, dir, moved.into_iter().chain([&table]));
        files.extend(written);
        Ok(CommitFiles { table, files, deleted, page_problems, failure })
    }
}

/// Returns a table with the absences of players who are new to it. Only games with clocks need them.
async fn with_absences(
    forge: &dyn Forge,
    config: &RepoConfig,
    parent: Option<&Oid>,
    table: Table,
    view: &RepoState,
) -> Result<Table, RequestError> {
    let Some(parent) = parent.filter(|_| table.is_playing() && table.has_clock()) else { return Ok(table) };
    let known = view.game_summary(table.issue());
    let is_new = |id: &UserId| known.as_ref().is_none_or(|game| !game.has_player(*id));
    let new: Vec<UserId> = table.seated_people().filter(is_new).collect();
    if new.is_empty() {
        return Ok(table);
    }
    let mut absences = known.map(|game| game.absences()).unwrap_or_default();
    for (id, file) in read_away_files(forge, config, parent, &new).await? {
        // Nobody wins on time until a damaged file is repaired.
        absences.extend(id, file.iter().flat_map(AwayFile::absences).copied());
    }
    Ok(table.with_absences(absences))
}

/// Reads people's absences at a commit: their files, or why they can't be read. Skips people who have never been away.
pub(super) async fn read_away_files(
    forge: &dyn Forge,
    config: &RepoConfig,
    commit: &Oid,
    people: &[UserId],
) -> Result<BTreeMap<UserId, Result<AwayFile, InvalidFile>>, RequestError> {
    let path = |id: UserId| StatePath::Away(id).below(&config.state_dir);
    let paths: Vec<String> = people.iter().map(|id| path(*id)).collect();
    let files = forge.read_files(commit, &paths).await?;
    let file = |id: &UserId| match files.get(&path(*id)) {
        None | Some(FileContent::Missing) => None,
        Some(FileContent::Text(text)) => Some((*id, AwayFile::parse(text, *id))),
        Some(FileContent::Unreadable(why)) => Some((*id, Err(why.clone().into()))),
    };
    Ok(people.iter().filter_map(file).collect())
}

/// The standings after a result.
struct NewStandings {
    /// The table, with the number of its result if it was counted.
    table: Table,
    files: Vec<(String, String)>,
    /// The texts of all rankings, by their paths below the state directory; `None` without a result or on failure.
    rankings: Option<BTreeMap<String, String>>,
    /// The note that the result isn't counted.
    failure: Option<HostNote>,
}

/// Counts the result of a table, if it has one, and returns the new standings.
async fn count_result(
    forge: &dyn Forge,
    dir: &str,
    parent: Option<&Oid>,
    table: Table,
) -> Result<NewStandings, RequestError> {
    let mut paths = standings::files_needed(&table);
    if paths.is_empty() {
        return Ok(NewStandings { table, files: Vec::new(), rankings: None, failure: None });
    }
    paths.extend(standings::ranking_paths());
    let read = match parent {
        Some(parent) => read_state_files(forge, dir, parent, &paths).await?,
        None => BTreeMap::new(),
    };
    let (rankings, counted) = match file_texts(read) {
        Ok(texts) => {
            let counted = standings::count_result(&table, &texts);
            (Some(texts), counted)
        }
        Err(why) => (None, Err(why)),
    };
    match counted {
        Ok(counted) => Ok(NewStandings {
            table: counted.record_in(table),
            files: counted.files.iter().map(|(path, text)| (format!("{dir}/{path}"), text.clone())).collect(),
            rankings: rankings.map(|mut texts| {
                texts.extend(counted.files);
                texts
            }),
            failure: None,
        }),
        Err(why) => {
            let failure = Some(HostNote::NotCounted(table.issue(), why.to_string()));
            Ok(NewStandings { table, files: Vec::new(), rankings, failure })
        }
    }
}

/// Reads files below the state directory at a commit.
///
/// The paths, and the keys of the result, are relative to that directory.
pub(super) async fn read_state_files(
    forge: &dyn Forge,
    dir: &str,
    commit: &Oid,
    paths: &[String],
) -> Result<BTreeMap<String, FileContent>, RequestError> {
    let mut paths: Vec<String> = paths.iter().map(|path| format!("{dir}/{path}")).collect();
    paths.sort();
    paths.dedup();
    let files = forge.read_files(commit, &paths).await?;
    Ok(files.into_iter().map(|(path, file)| (path.get(dir.len() + 1..).unwrap_or_default().to_owned(), file)).collect())
}

/// Returns the texts of the files of the standings that exist.
///
/// # Errors
/// Returns an error that names the first unreadable file.
pub(super) fn file_texts(files: BTreeMap<String, FileContent>) -> Result<BTreeMap<String, String>, InvalidFile> {
    let mut texts = BTreeMap::new();
    for (path, file) in files {
        match file {
            FileContent::Missing => {}
            FileContent::Text(text) => _ = texts.insert(path, text),
            FileContent::Unreadable(why) => return Err(why.into()),
        }
    }
    Ok(texts)
}

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
        view: &RepoState,
        state_dir: &str,
        tables: impl IntoIterator<Item = &'a Table>,
    ) -> RunningFiles {
        let mut files = RunningFiles::default();
        for table in tables {
            let issue = table.issue();
            let path = StatePath::Running(issue).below(state_dir);
            let current = view.summaries.get(&issue).unwrap_or(&FileContent::Missing);
            match GameSummary::from_table(table).map(|game| game.to_json()) {
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
