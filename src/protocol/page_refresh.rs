//! The pages of the host, brought up to date by the sweep: markers put there since the last move have never been filled.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use tracing::info;

use crate::forges::forge::{Change, Committed, Fault, Forge};
use crate::games::registry::Kind;
use crate::pages::links::Links;
use crate::pages::{block, page, standings};
use crate::protocol::bundle::{read_texts, record_path, refresh_page};
use crate::protocol::ledger::Ledger;
use crate::protocol::patience::Patience;
use crate::protocol::place::Place;
use crate::tables::state_file;
use crate::talk::comment::Author;
use crate::talk::thread::{File, Head, Oid};

/// The number of tables that are looked at for the pages in one run.
const MAX_TABLES: usize = 40;

/// Commits the pages that are not up to date.
pub(super) async fn refresh_pages<F: Forge>(forge: &F, place: &Place, ledger: &mut Ledger) -> Result<()> {
    let Some(links) = Links::of(place) else { return Ok(()) };
    let mut patience = Patience::new(forge.now());
    loop {
        match refresh_once(forge, place, &links, ledger).await {
            Ok(None) => return Ok(()),
            Ok(Some(Committed::Landed(commit))) => {
                ledger.commit = Some(commit);
                return Ok(());
            }
            Ok(Some(Committed::Raced)) => patience.race(forge).await.map_err(|fault| anyhow::anyhow!("{fault}"))?,
            Err(fault) => patience.rest(forge, fault).await?,
        }
    }
}

/// Makes one read and, where a page is to be changed, one commit; `None` if no page was.
async fn refresh_once<F: Forge>(
    forge: &F,
    place: &Place,
    links: &Links<'_>,
    ledger: &mut Ledger,
) -> Result<Option<Committed>, Fault> {
    let snapshot = forge.read(&[], &place.pages).await?;
    let Head::At(head) = snapshot.head else { return Ok(None) };
    let mut pages = BTreeMap::new();
    for (path, file) in snapshot.pages {
        match file {
            File::Missing => {}
            File::Text(text) => _ = pages.insert(path, text),
            File::Unreadable(why) => ledger.page(&path, [format!("{why}, so it is left alone.")]),
        }
    }
    let wanted: Vec<page::WantedBlocks> = pages.values().map(|text| page::wanted(text)).collect();
    let tables: BTreeSet<u64> =
        wanted.iter().flat_map(|wanted| wanted.tables.iter().copied()).take(MAX_TABLES).collect();
    let ranked = wanted.iter().any(|wanted| wanted.standings);
    if tables.is_empty() && !ranked {
        return Ok(None);
    }
    let blocks = blocks(forge, place, links, &head, &tables).await?;
    let rankings = match ranked {
        true => read_texts(forge, &place.state_dir, &head, &standings::ranking_paths()).await?.ok(),
        false => None,
    };
    let mut files = Vec::new();
    for (path, old) in &pages {
        let mut text = old.clone();
        let mut fill = || {
            let mut complaints = BTreeSet::new();
            // One after the other, so that one that can't be filled does not keep the others from it.
            for block in blocks.iter().map(|(table, block)| Some((*table, block.as_str()))).chain([None]) {
                let page = refresh_page(&text, block, rankings.as_ref());
                text = page.text.unwrap_or_else(|| std::mem::take(&mut text));
                complaints.extend(page.complaints);
            }
            complaints
        };
        let mut complaints = fill();
        if !complaints.is_empty() {
            // Once more, for the lines of the page as it is in the end.
            complaints = fill();
        }
        ledger.page(path, complaints);
        if text != *old {
            files.push((path.clone(), text));
        }
    }
    if files.is_empty() {
        return Ok(None);
    }
    let paths: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    let headline = format!("Bring {} up to date", paths.join(", "));
    info!(%headline, "committing");
    let author = Author { id: 0, login: "play-by-commit".to_owned(), bot: true };
    let body = "The text between the markers of Play by Commit.".to_owned();
    let change = Change { on: Some(head), files, headline, body, author, time: forge.now() };
    forge.commit(&change).await.map(Some)
}

/// Makes the blocks of some tables. One whose record is damaged stays as it is on the page.
async fn blocks<F: Forge>(
    forge: &F,
    place: &Place,
    links: &Links<'_>,
    head: &Oid,
    tables: &BTreeSet<u64>,
) -> Result<BTreeMap<u64, String>, Fault> {
    let games: Vec<Kind> = Kind::ALL.iter().copied().filter(|kind| place.house.allows(*kind)).collect();
    let paths: Vec<String> = tables.iter().map(|table| record_path(&place.state_dir, *table)).collect();
    let mut records = if paths.is_empty() { BTreeMap::new() } else { forge.files(head, &paths).await? };
    let block = |(table, path): (&u64, &String)| {
        let block = match records.remove(path)? {
            File::Missing => block::without_table(*table, links, &games),
            File::Text(text) => block::block(&state_file::load(&text, *table).ok()?, links),
            File::Unreadable(_) => return None,
        };
        Some((*table, block))
    };
    Ok(tables.iter().zip(&paths).filter_map(block).collect())
}
