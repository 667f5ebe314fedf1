//! Fills the pages that show a table, for the same commit as its record.

use std::collections::BTreeMap;

use answers::pages::links::Links;
use answers::pages::page::{BlockUpdates, RefreshedPage};
use answers::pages::table_list::TableList;
use answers::pages::{block, page, ranking_table};
use games::registry::GameVariant;
use table::any_table::AnyTable;
use table::ids::IssueNumber;
use table::state_path::StatePath;

use crate::forge::FileContent;
use crate::host_note::PageProblem;
use crate::view::View;

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
    table: &AnyTable,
    previous: Option<&AnyTable>,
    view: &View,
    links: &Links<'_>,
    rankings: Option<&BTreeMap<String, String>>,
) -> PageFiles {
    let (issue, pages) = (table.issue(), &view.pages);
    let moved_from = previous.map(AnyTable::issue).filter(|before| *before != issue);
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
pub(super) fn parse_list(file: &FileContent) -> TableList {
    file.text().and_then(|text| TableList::parse(text).ok()).unwrap_or_default()
}

/// Returns the path and the text of the list's file; `None` if it stays as it is.
pub(super) fn changed_list(list: &TableList, file: &FileContent, state_dir: &str) -> Option<(String, String)> {
    let text = list.to_json();
    (file.text() != Some(&text)).then(|| (StatePath::TableList.below(state_dir), text))
}

/// Returns why a page can't be filled. A missing README.md is fine, because it's the default of `pages`.
pub(super) fn page_problem(path: &str, file: &FileContent) -> Option<PageProblem> {
    match file {
        FileContent::Text(_) => None,
        FileContent::Missing if path == "README.md" => None,
        FileContent::Missing => Some(PageProblem::Missing),
        FileContent::Unreadable(why) => Some(PageProblem::Unreadable(why.clone())),
    }
}

/// Updates a page's blocks: a table, the list of tables, and the rankings.
pub(super) fn refresh_page(
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
