//! Updates all pages during a sweep, for markers added since the last move and tiles that somebody deleted.

use std::collections::{BTreeMap, BTreeSet};

use answers::commit_message::SKIP_CI;
use answers::{Block, BlockUpdates, Links, RefreshedPage, TableList, block, page, ranking_table};
use games::{GameKind, GameVariant};
use table::{IssueNumber, Oid, RepositoryId, StatePath, Table, state_file};
use tracing::info;

use crate::clock::Backoff;
use crate::commit_files::{file_texts, read_state_files};
use crate::forge::{bot_author, read_files_in_parts};
use crate::own_games_query::GamesInProgress;
use crate::reader::RepoState;
use crate::{
    COMMENTS_PER_PAGE, Change, CommitOutcome, FileContent, Forge, Head, Ledger, PageProblem, RepoConfig, RequestError,
    SettleError,
};

/// The limit on the tables read for the boards on pages, and also on those read for the lists.
const MAX_TABLES: usize = 40;
/// The maximum number of records in one request, so that a reply is never too long.
const RECORDS_PER_READ: usize = 20;
/// The maximum number of tiles in one request.
const TILES_PER_READ: usize = 100;

/// Commits all pages that are out of date.
///
/// # Errors
/// Returns an error if retrying can't help, or if the run makes no progress for three minutes.
pub(super) async fn refresh_pages(
    forge: &dyn Forge,
    config: &RepoConfig,
    ledger: &mut Ledger,
) -> Result<(), SettleError> {
    let Some(links) = config.links() else { return Ok(()) };
    let commit = Backoff::retry_commit(forge, async || refresh_once(forge, config, &links, ledger).await).await?;
    ledger.commit = commit.or(ledger.commit.take());
    Ok(())
}

/// Reads the pages once, and commits the outdated ones if there are any.
async fn refresh_once(
    forge: &dyn Forge,
    config: &RepoConfig,
    links: &Links<'_>,
    ledger: &mut Ledger,
) -> Result<Option<CommitOutcome>, RequestError> {
    let snapshot = forge.read(&[], &config.page_paths(), COMMENTS_PER_PAGE).await?;
    let Head::Commit(head) = snapshot.head else { return Ok(None) };
    let place = (head, snapshot.repository);
    let files = outdated_files(forge, config, links, ledger, &place, snapshot.files).await?;
    let head = &place.0;
    Ok(if files.is_empty() { None } else { Some(forge.commit(&change(forge, config, head, files)).await?) })
}

/// Returns the files that have to change, as paths and texts: pages, the list of tables, and tiles.
async fn outdated_files(
    forge: &dyn Forge,
    config: &RepoConfig,
    links: &Links<'_>,
    ledger: &mut Ledger,
    (head, repository): &(Oid, Option<RepositoryId>),
    mut files_at_head: BTreeMap<String, FileContent>,
) -> Result<Vec<(String, String)>, RequestError> {
    let list_file = files_at_head.remove(&config.list_path()).unwrap_or(FileContent::Missing);
    let pages = page_texts(files_at_head, ledger);
    let wanted: Vec<page::WantedBlocks> = pages.values().map(|text| page::wanted_blocks(text)).collect();
    let tables: BTreeSet<IssueNumber> =
        wanted.iter().flat_map(|wanted| wanted.tables.iter().copied()).take(MAX_TABLES).collect();
    let wants_standings = wanted.iter().any(|wanted| wanted.standings);
    if !wanted.iter().any(page::WantedBlocks::has_any) {
        return Ok(Vec::new());
    }
    let mut list = None;
    if wanted.iter().any(|wanted| wanted.list) {
        let list: &mut TableList = list.insert(parse_list(&list_file));
        list.set_running(GamesInProgress::read(forge, config, head, *repository).await?.into_games());
    }
    let listed = list.as_ref().map(|list| tables_to_list(list, ledger)).unwrap_or_default();
    let records = read_tables(forge, config, head, tables.iter().copied().chain(listed).collect()).await?;
    let blocks = render_blocks(config, links, &tables, &records);
    let mut files = find_missing_tiles(forge, config, head, &blocks).await?;
    if let Some(list) = &mut list {
        update_list(list, &records);
        files.extend(changed_list(list, &list_file, &config.state_dir));
    }
    let list = list.map(|list| list.markdown(links));
    let rankings = if wants_standings {
        file_texts(read_state_files(forge, &config.state_dir, head, &standings::ranking_paths()).await?).ok()
    } else {
        None
    };
    for (path, old) in &pages {
        let mut text = old.clone();
        let mut fill = || {
            let mut warnings = BTreeSet::new();
            // Fill one block at a time, so that a block that can't be filled doesn't stop the others.
            for block in blocks.iter().map(|(table, block)| Some((*table, block.text.as_str()))).chain([None]) {
                let page = refresh_page(&text, block, list.as_deref(), rankings.as_ref());
                text = page.text.unwrap_or_else(|| std::mem::take(&mut text));
                warnings.extend(page.problems.into_iter().map(PageProblem::Marker));
            }
            warnings
        };
        let mut warnings = fill();
        if !warnings.is_empty() {
            // Warnings name lines, and later blocks have moved those. A second pass names the lines of the final page.
            warnings = fill();
        }
        ledger.record_page(path, warnings);
        if text != *old {
            files.push((path.clone(), text));
        }
    }
    Ok(files)
}

/// Returns the commit of these files.
fn change(forge: &dyn Forge, config: &RepoConfig, head: &Oid, files: Vec<(String, String)>) -> Change {
    let pages: Vec<&str> =
        config.pages.iter().map(String::as_str).filter(|page| files.iter().any(|(path, _)| path == page)).collect();
    let headline = if !pages.is_empty() {
        format!("Update {}", pages.join(", "))
    } else if files.iter().any(|(path, _)| *path == config.list_path()) {
        "Update the list of tables".to_owned()
    } else {
        "Restore the small pictures of the boards".to_owned()
    };
    info!("Committing: {headline}");
    let skip = if config.skip_ci { format!("\n\n{SKIP_CI}") } else { String::new() };
    let body = format!("The text between the markers of Play by Commit.{skip}");
    let (parent, author, time) = (Some(head.clone()), bot_author(), forge.now());
    Change { parent, files, deleted: Vec::new(), headline, body, author, time }
}

/// Returns the texts of the readable pages, and notes what is wrong with the others.
fn page_texts(files: BTreeMap<String, FileContent>, ledger: &mut Ledger) -> BTreeMap<String, String> {
    let mut pages = BTreeMap::new();
    for (path, file) in files {
        ledger.record_page(&path, page_problem(&path, &file));
        if let FileContent::Text(text) = file {
            pages.insert(path, text);
        }
    }
    pages
}

/// Returns the tiles of these blocks that the commit lacks, as paths and texts.
async fn find_missing_tiles(
    forge: &dyn Forge,
    config: &RepoConfig,
    head: &Oid,
    blocks: &BTreeMap<IssueNumber, Block>,
) -> Result<Vec<(String, String)>, RequestError> {
    let dir = &config.state_dir;
    let tiles = blocks.values().flat_map(|block| &block.tiles);
    let tiles: BTreeMap<String, &String> = tiles.map(|(tile, text)| (format!("{dir}/{tile}"), text)).collect();
    let paths: Vec<String> = tiles.keys().cloned().collect();
    let files = read_files_in_parts(forge, head, &paths, TILES_PER_READ).await?;
    let is_missing = |path: &String| !matches!(files.get(path), Some(FileContent::Text(_)));
    Ok(tiles.into_iter().filter(|(path, _)| is_missing(path)).map(|(path, text)| (path, text.clone())).collect())
}

/// Updates the rows of these tables. Drops tables without a record.
fn update_list(list: &mut TableList, records: &BTreeMap<IssueNumber, Option<Table>>) {
    for (issue, table) in records {
        match table {
            Some(table) => list.update(table),
            None => list.remove(*issue),
        }
    }
}

/// Returns the tables to read for the list: first the games in progress on it, then the newest that this run has read, which may
/// be finished.
fn tables_to_list(list: &TableList, ledger: &Ledger) -> BTreeSet<IssueNumber> {
    let seen = ledger.tables.iter().rev().filter(|(_, work)| work.game.is_some()).map(|(issue, _)| *issue);
    let mut listed = list.running_issues();
    for issue in seen {
        if listed.len() < MAX_TABLES {
            listed.insert(issue);
        }
    }
    listed
}

/// Reads the tables of some issues; `None` for an issue without a record. Leaves out issues with a damaged record.
async fn read_tables(
    forge: &dyn Forge,
    config: &RepoConfig,
    head: &Oid,
    issues: BTreeSet<IssueNumber>,
) -> Result<BTreeMap<IssueNumber, Option<Table>>, RequestError> {
    let paths: Vec<String> = issues.iter().map(|issue| config.record_path(*issue)).collect();
    let files = read_files_in_parts(forge, head, &paths, RECORDS_PER_READ).await?;
    let load = |(issue, path): (IssueNumber, &String)| match files.get(path)? {
        FileContent::Missing => Some((issue, None)),
        FileContent::Text(text) => Some((issue, Some(state_file::load(text, issue).ok()?))),
        FileContent::Unreadable(_) => None,
    };
    Ok(issues.into_iter().zip(&paths).filter_map(load).collect())
}

/// Renders the blocks of some tables. Leaves out tables with a damaged record, so that their blocks on the pages stay.
fn render_blocks(
    config: &RepoConfig,
    links: &Links<'_>,
    tables: &BTreeSet<IssueNumber>,
    records: &BTreeMap<IssueNumber, Option<Table>>,
) -> BTreeMap<IssueNumber, Block> {
    let games: Vec<GameKind> = GameKind::ALL.iter().copied().filter(|kind| config.policy.allows(*kind)).collect();
    let block = |issue: &IssueNumber| {
        let block = match records.get(issue)? {
            None => block::block_without_table(*issue, links, &games).into(),
            Some(table) => block::block(table, links),
        };
        Some((*issue, block))
    };
    tables.iter().filter_map(block).collect()
}

// Fills the pages that show a table, for the same commit as its record.

/// The number of rows of a ranking on a page.
const RANKING_ROWS: usize = 10;

/// The files of a commit that belong to the pages.
#[derive(Default)]
pub(super) struct PageFiles {
    /// Paths and full texts: the changed pages, the file of the list of tables, and tiles that no page has shown so
    /// far.
    pub(super) files: Vec<(String, String)>,
    /// The problems in each page, by its path.
    pub(super) page_problems: BTreeMap<String, Vec<PageProblem>>,
}

/// Fills the pages that show a table.
///
/// `previous` is the game that the table replaces or continues. `rankings` holds the texts of all rankings if a result was
/// counted.
pub(super) fn fill_pages(
    table: &Table,
    previous: Option<&Table>,
    view: &RepoState,
    links: &Links<'_>,
    rankings: Option<&BTreeMap<String, String>>,
) -> PageFiles {
    let (issue, pages) = (table.issue(), &view.pages);
    let moved_from = previous.map(Table::issue).filter(|before| *before != issue);
    let mut filled = PageFiles::default();
    let texts = pages.values().filter_map(FileContent::text);
    let list = texts.map(page::wanted_blocks).any(|wanted| wanted.list).then(|| {
        let mut list = parse_list(&view.list_file);
        previous.into_iter().chain([table]).for_each(|table| list.update(table));
        filled.files.extend(changed_list(&list, &view.list_file, links.state_dir));
        list.markdown(links)
    });
    let (mut block, mut tiles) = (None, BTreeMap::new());
    for (path, file) in pages {
        let Some(text) = file.text() else {
            if let Some(problem) = page_problem(path, file) {
                filled.page_problems.insert(path.clone(), vec![problem]);
            }
            continue;
        };
        let text = &moved_from.map_or_else(|| text.to_owned(), |from| page::retarget_markers(text, from, issue));
        let wanted = page::wanted_blocks(text).tables.contains(&issue);
        let block = if wanted { Some(&*block.get_or_insert_with(|| block::block(table, links))) } else { None };
        let page = refresh_page(text, block.map(|block| (issue, block.text.as_str())), list.as_deref(), rankings);
        if let Some(text) = page.text {
            tiles.extend(block.map(|block| block.tiles.clone()).unwrap_or_default());
            filled.files.push((path.clone(), text));
        }
        filled.page_problems.insert(path.clone(), page.problems.into_iter().map(PageProblem::Marker).collect());
    }
    // A tile that a page already shows is in the repository. If somebody deletes it, the sweep restores it.
    let is_known =
        |tile: &str| pages.values().filter_map(FileContent::text).any(|text| page::shows_tile(text, links, tile));
    let tiles = tiles.into_iter().filter(|(tile, _)| !is_known(tile));
    filled.files.extend(tiles.map(|(tile, text)| (format!("{}/{tile}", links.state_dir), text)));
    filled
}

/// Returns the list of tables in its file. A damaged file counts as an empty one: the sweep fills it again.
fn parse_list(file: &FileContent) -> TableList {
    file.text().and_then(|text| TableList::parse(text).ok()).unwrap_or_default()
}

/// Returns the path and the text of the list's file; `None` if it stays as it is.
fn changed_list(list: &TableList, file: &FileContent, state_dir: &str) -> Option<(String, String)> {
    let text = list.to_json();
    (file.text() != Some(&text)).then(|| (StatePath::TableList.below(state_dir), text))
}

/// Returns why a page can't be filled. A missing README.md is fine, because it's the default of `pages`.
fn page_problem(path: &str, file: &FileContent) -> Option<PageProblem> {
    match file {
        FileContent::Text(_) => None,
        FileContent::Missing if path == "README.md" => None,
        FileContent::Missing => Some(PageProblem::Missing),
        FileContent::Unreadable(why) => Some(PageProblem::Unreadable(why.clone())),
    }
}

/// Updates a page's blocks: a table, the list of tables, and the rankings.
fn refresh_page(
    text: &str,
    table: Option<(IssueNumber, &str)>,
    list: Option<&str>,
    rankings: Option<&BTreeMap<String, String>>,
) -> RefreshedPage {
    let ranking = |game: Option<GameVariant>| {
        let name = game.map(GameVariant::name);
        rankings.map_or(String::new(), |rankings| ranking_table::markdown(rankings, name, RANKING_ROWS))
    };
    let standings = rankings.map(|_| &ranking as &dyn Fn(Option<GameVariant>) -> String);
    page::refresh(text, BlockUpdates { table, list, standings })
}
