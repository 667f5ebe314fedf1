//! The files of one commit: the record, its picture, the standings after a result, and the pages that show any of it.

use std::collections::BTreeMap;

use crate::answers::scene;
use crate::games::registry::Kind;
use crate::pages::links::Links;
use crate::pages::page::{FreshBlocks, RefreshedPage};
use crate::pages::ranking_table;
use crate::pages::table_list::TableList;
use crate::pages::{block, page};
use crate::protocol::forge::{Fault, Forge};
use crate::protocol::place::Place;
use crate::standings;
use crate::tables::any::AnyTable;
use crate::tables::state_file::write;
use crate::talk::thread::{File, Oid};

/// The number of people that a ranking on a page shows.
const ROWS: usize = 10;

/// A table as it is committed, and all files that go with it.
pub(super) struct Bundle {
    /// The table, with its number in the standings if it has come to a result.
    pub(super) table: AnyTable,
    /// Paths and whole texts.
    pub(super) files: Vec<(String, String)>,
    /// The faults of each page, by its path.
    pub(super) complaints: BTreeMap<String, Vec<String>>,
    /// The faults that the host has to put right; the game goes on without it.
    pub(super) failures: Vec<String>,
}

impl Bundle {
    /// Puts together the commit on `on`. A result costs one read more, through that very commit.
    pub(super) async fn of(
        forge: &dyn Forge,
        place: &Place,
        on: Option<&Oid>,
        table: AnyTable,
        finished: Option<&AnyTable>,
        pages: &BTreeMap<String, File>,
    ) -> Result<Bundle, Fault> {
        let dir = &place.state_dir;
        let mut bundle = Bundle { table, files: Vec::new(), complaints: BTreeMap::new(), failures: Vec::new() };
        let rankings = bundle.count_result(forge, dir, on).await?;
        let table = &bundle.table;
        bundle.files.insert(0, (place.record_path(table.issue()), write(table)));
        bundle.files.push((format!("{dir}/{}", scene::file(table)), scene::svg(table)));
        let replay = scene::replay_file(table).map(|file| (format!("{dir}/{file}"), scene::replay(table, None)));
        bundle.files.extend(replay);
        bundle.files.extend(finished.map(|before| {
            // A table that has moved stays where it was; one that has begun anew goes to the archive, to make room for that.
            let (issue, round) = (before.issue(), before.round());
            let moved = issue != table.issue();
            (
                if moved { place.record_path(issue) } else { format!("{dir}/archive/{issue}-{round}.json") },
                write(before),
            )
        }));
        if let Some(links) = place.links() {
            bundle.fill_pages(&links, pages, finished, rankings.as_ref());
        }
        Ok(bundle)
    }

    /// Adds the pages that show the table, and the small pictures that no page has shown so far.
    fn fill_pages(
        &mut self,
        links: &Links<'_>,
        pages: &BTreeMap<String, File>,
        finished: Option<&AnyTable>,
        rankings: Option<&BTreeMap<String, String>>,
    ) {
        let table = &self.table;
        let moved_from = finished.map(AnyTable::issue).filter(|before| *before != table.issue());
        let texts = || pages.iter().filter_map(|(path, file)| Some((path, file.text()?)));
        for (path, file) in pages {
            self.complaints.extend(page_fault(path, file).map(|fault| (path.clone(), vec![fault])));
        }
        let (mut fresh, mut tiles) = (None, BTreeMap::new());
        for (path, text) in texts() {
            let text = &moved_from.map_or_else(|| text.to_owned(), |from| page::follow(text, from, table.issue()));
            let wanted = page::wanted(text).tables.contains(&table.issue());
            let fresh = wanted.then(|| &*fresh.get_or_insert_with(|| block::block(table, links)));
            let block = fresh.map(|fresh| (table.issue(), fresh.text.as_str()));
            let list = |old: &str| {
                let mut list = TableList::read(old);
                finished.into_iter().chain([table]).for_each(|table| list.update(table));
                list.markdown(links)
            };
            let page = refresh_page(text, block, Some(&list), rankings);
            if let Some(text) = page.text {
                tiles.extend(fresh.map(|fresh| fresh.tiles.clone()).unwrap_or_default());
                self.files.push((path.clone(), text));
            }
            self.complaints.insert(path.clone(), page.complaints);
        }
        // A page is read through the head of each commit, and whatever it shows there came with it or before it. The sweep
        // brings back what somebody has deleted.
        let dir = links.state_dir;
        let known = |tile: &str| texts().any(|(_, text)| page::shows(text, links, tile));
        let tiles = tiles.into_iter().filter(|(tile, _)| !known(tile));
        self.files.extend(tiles.map(|(tile, text)| (format!("{dir}/{tile}"), text)));
    }

    /// Counts the result, if there is one, and returns all rankings then.
    async fn count_result(
        &mut self,
        forge: &dyn Forge,
        dir: &str,
        on: Option<&Oid>,
    ) -> Result<Option<BTreeMap<String, String>>, Fault> {
        let mut paths = standings::files_needed(&self.table);
        if paths.is_empty() {
            return Ok(None);
        }
        paths.extend(standings::ranking_paths());
        let mut known = match on {
            Some(on) => read_texts(forge, dir, on, &paths).await?,
            None => Ok(BTreeMap::new()),
        };
        let counted =
            known.as_ref().map_err(String::clone).and_then(|known| standings::count_result(&self.table, known));
        match counted {
            Ok(counted) => {
                self.table = self.table.clone().with_number(counted.number);
                for (path, text) in counted.files {
                    self.files.push((format!("{dir}/{path}"), text.clone()));
                    if let Ok(known) = &mut known {
                        known.insert(path, text);
                    }
                }
            }
            Err(why) => self.failures.push(format!(
                "the result of table {} isn't in the standings: {why}. The game itself is complete",
                self.table.issue()
            )),
        }
        Ok(known.ok())
    }
}

/// Reads files below the state directory through a commit, by their paths there; the inner error says which cannot be read.
pub(super) async fn read_texts(
    forge: &dyn Forge,
    dir: &str,
    at: &Oid,
    paths: &[String],
) -> Result<Result<BTreeMap<String, String>, String>, Fault> {
    let mut paths: Vec<String> = paths.iter().map(|path| format!("{dir}/{path}")).collect();
    paths.sort();
    paths.dedup();
    let mut known = BTreeMap::new();
    for (path, file) in forge.files(at, &paths).await? {
        let name = path.get(dir.len() + 1..).unwrap_or_default().to_owned();
        match file {
            File::Missing => {}
            File::Text(text) => _ = known.insert(name, text),
            File::Unreadable(why) => return Ok(Err(why)),
        }
    }
    Ok(Ok(known))
}

/// Returns why a page can't be filled, as a sentence for the host. A missing README.md is no fault: it's the default of `pages`.
pub(super) fn page_fault(path: &str, file: &File) -> Option<String> {
    match file {
        File::Text(_) => None,
        File::Missing if path == "README.md" => None,
        File::Missing => Some("The input `pages` names this file, but the games' branch doesn't have it.".to_owned()),
        File::Unreadable(why) => Some(format!("{why}, so the bot doesn't fill it.")),
    }
}

/// Brings a page up to date with a table, the list of tables and the rankings as they are now.
pub(super) fn refresh_page(
    text: &str,
    table: Option<(u64, &str)>,
    list: Option<&dyn Fn(&str) -> String>,
    rankings: Option<&BTreeMap<String, String>>,
) -> RefreshedPage {
    let ranking = |kind: Option<Kind>| {
        let name = kind.map(|kind| kind.info().name);
        rankings.map_or(String::new(), |rankings| ranking_table::markdown(rankings, name, ROWS))
    };
    let standings = rankings.map(|_| &ranking as &dyn Fn(Option<Kind>) -> String);
    page::refresh(text, FreshBlocks { table, list, standings })
}
