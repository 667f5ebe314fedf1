//! The pages of the host, brought up to date by the sweep: what was marked since the last move has never been filled.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use tracing::info;

use crate::forges::forge::{Change, Committed, Fault, Forge};
use crate::games::registry::Kind;
use crate::pages::links::Links;
use crate::pages::{block, page, standings};
use crate::protocol::bundle::{record_path, refreshed, texts};
use crate::protocol::ledger::Ledger;
use crate::protocol::patience::Patience;
use crate::protocol::place::Place;
use crate::tables::state_file;
use crate::talk::comment::Author;
use crate::talk::thread::{File, Head, Oid};

/// How many tables are looked at for the pages in one run.
const MAX_TABLES: usize = 40;

/// Commits the pages that do not show what they should.
pub(super) async fn refresh<F: Forge>(forge: &F, place: &Place, ledger: &mut Ledger) -> Result<()> {
    let Some(links) = Links::of(place) else { return Ok(()) };
    let mut patience = Patience::new(forge.now());
    loop {
        match once(forge, place, &links, ledger).await {
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

/// One read and, where something is to be changed, one commit. Nothing: there was nothing to change.
async fn once<F: Forge>(
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
            File::Unreadable(why) => ledger.look(&path, [format!("{why}, so it is left alone.")]),
        }
    }
    let wanted: Vec<page::Wanted> = pages.values().map(|text| page::wanted(text)).collect();
    let tables: BTreeSet<u64> =
        wanted.iter().flat_map(|wanted| wanted.tables.iter().copied()).take(MAX_TABLES).collect();
    let ranked = wanted.iter().any(|wanted| wanted.standings);
    if tables.is_empty() && !ranked {
        return Ok(None);
    }
    let blocks = blocks(forge, place, links, &head, &tables).await?;
    let rankings = match ranked {
        true => texts(forge, &place.state_dir, &head, &standings::rankings()).await?.ok(),
        false => None,
    };
    let mut files = Vec::new();
    for (path, old) in &pages {
        let mut text = old.clone();
        let mut fill = || {
            let mut complaints = BTreeSet::new();
            // One after the other, so that one that can't be filled does not keep the others from it.
            for block in blocks.iter().map(|(table, block)| Some((*table, block.as_str()))).chain([None]) {
                let page = refreshed(&text, block, rankings.as_ref());
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
        ledger.look(path, complaints);
        if text != *old {
            files.push((path.clone(), text));
        }
    }
    if files.is_empty() {
        return Ok(None);
    }
    let has_event_from: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    let headline = format!("Bring {} up to date", has_event_from.join(", "));
    info!(%headline, "committing");
    let author = Author { id: 0, login: "play-by-commit".to_owned(), bot: true };
    let body = "The text between the markers of Play by Commit.".to_owned();
    let change = Change { on: Some(head), files, headline, body, author, time: forge.now() };
    forge.commit(&change).await.map(Some)
}

/// The blocks of some tables. One whose record is damaged stays as it is on the page.
async fn blocks<F: Forge>(
    forge: &F,
    place: &Place,
    links: &Links<'_>,
    head: &Oid,
    tables: &BTreeSet<u64>,
) -> Result<BTreeMap<u64, String>, Fault> {
    let games: Vec<Kind> = Kind::ALL.iter().copied().filter(|kind| place.house.allows(*kind)).collect();
    let paths: Vec<String> = tables.iter().map(|table| record_path(&place.state_dir, *table)).collect();
    let mut records = match paths.is_empty() {
        true => BTreeMap::new(),
        false => forge.files(head, &paths).await?,
    };
    let block = |(table, path): (&u64, &String)| {
        let block = match records.remove(path)? {
            File::Missing => block::nobody(*table, links, &games),
            File::Text(text) => page::block(&state_file::load(&text, *table).ok()?, links),
            File::Unreadable(_) => return None,
        };
        Some((*table, block))
    };
    Ok(tables.iter().zip(&paths).filter_map(block).collect())
}
