//! The gallery as files: reads all records, on as many threads as there are processors, and writes what has changed.

pub mod files;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use ::game::board::drawing::palette::full_dark_mode_css;
use ::standings::recount::Recount;
use answers::scene;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use table::any_table::AnyTable;
use table::game_state::TableStatus;
use table::state_file;

use crate::build::files::{SiteFiles, is_regular_file};
use crate::entry::Entry;
use crate::evaluation::{Evaluation, can_evaluate, evaluate, is_current};
use crate::lists::PagedList;
use crate::page::{ICON, NOT_FOUND, SCRIPT, STYLE, Site};
use crate::people::people;
use crate::preview::PngRenderer;
use crate::record_file::{check_regular_file, json_files, parse_record_name, read_record, read_text};
use crate::{feed, game, home, player, standings};

/// The nodes that looking through a game may take: a second, more or less.
const NODES: u64 = 500_000;

/// What a site is made of, and where to.
#[derive(Clone, Debug)]
pub struct SiteOptions {
    /// The directory of the records.
    pub state_dir: PathBuf,
    /// The directory of the site.
    pub out: PathBuf,
    /// The site.
    pub site: Site,
    /// The number of games that may be looked through by the computer, the newest first.
    pub max_evaluations: usize,
}

/// What became of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SiteReport {
    /// The number of games that are shown.
    pub games: usize,
    /// The records that are damaged, with the reason, and left out.
    pub damaged: Vec<(PathBuf, String)>,
    /// The number of games that the computer has looked through now.
    pub evaluated: usize,
    /// The number of games that it has still to look through.
    pub unevaluated: usize,
    /// The number of files that the site has.
    pub files: usize,
    /// The number of those that were written, as they are new or have changed.
    pub written: usize,
    /// The number of files that are no longer part of it and were removed.
    pub removed: usize,
}

/// What one of the threads has found.
#[derive(Default)]
struct Found {
    entries: Vec<Entry>,
    recount: Recount,
    damaged: Vec<(PathBuf, String)>,
    /// The records that the computer has still to look through, with the time of their last event.
    due: Vec<(u64, PathBuf)>,
}

/// Builds a site, with a picture of each board if there is somebody to paint it. `progress` is told of each game that is done, from
/// any thread, with the number of all.
///
/// # Errors
/// There are no records, the directory is somebody else's, or a file cannot be written.
pub fn build(
    options: &SiteOptions,
    painter: Option<PngRenderer>,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<SiteReport> {
    let records = records(&options.state_dir)?;
    check_apart(&options.out, &options.state_dir)?;
    let files = SiteFiles::open(&options.out, &maker(&options.site))?;
    let found = each(&records, |found: &mut Found, path| {
        take(options, painter, &files, found, path)?;
        progress(records.len());
        Ok(())
    })?;
    let mut all = Found::default();
    for part in found {
        all.entries.extend(part.entries);
        all.recount.extend(part.recount);
        all.damaged.extend(part.damaged);
        all.due.extend(part.due);
    }
    all.damaged.sort();
    all.due.sort_by(|one, other| other.cmp(one));
    let due: Vec<PathBuf> = all.due.iter().take(options.max_evaluations).map(|(_, path)| path.clone()).collect();
    let evaluated: usize = each(&due, |count: &mut usize, path| {
        *count += usize::from(look_through(options, &files, path)?);
        Ok(())
    })?
    .into_iter()
    .sum();
    let games = all.entries.len();
    write_lists(&options.site, &files, all.entries, all.recount)?;
    let waiting = all.due.len() - due.len();
    let (written, removed, files) = files.finish()?;
    Ok(SiteReport { games, damaged: all.damaged, evaluated, unevaluated: waiting, files, written, removed })
}

/// Returns what makes the files what they are, beside the records: this very program, and the settings.
fn maker(site: &Site) -> String {
    let program = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
    let hash = Sha256::new().chain_update(program).chain_update(format!("{site:?}")).finalize();
    hex::encode(hash)
}

/// Checks that the site isn't written among the records. Its directory may have to be made.
fn check_apart(out: &Path, state_dir: &Path) -> Result<()> {
    let state = state_dir.canonicalize().with_context(|| format!("{} can't be read", state_dir.display()))?;
    let there = std::path::absolute(out).with_context(|| format!("{} can't be read", out.display()))?;
    let there = there.ancestors().find_map(|path| path.canonicalize().ok());
    if there.is_some_and(|there| there.starts_with(&state)) {
        bail!("{} is inside the directory of the games: choose another one with --out", out.display());
    }
    Ok(())
}

/// Returns the paths of all records, the newest tables first: `42.json`, `archive/42-1.json`.
fn records(dir: &Path) -> Result<Vec<PathBuf>> {
    if !dir.is_dir() {
        bail!("there is no directory {}: name the directory of the games with --state-dir", dir.display());
    }
    let mut found: BTreeMap<(u64, u32), PathBuf> = BTreeMap::new();
    for path in json_files(&dir.join("archive"))?.into_iter().chain(json_files(dir)?) {
        if let Some((issue, round)) = parse_record_name(&path) {
            // What is played now is the last round, whatever its number.
            found.insert((issue, round.unwrap_or(u32::MAX)), path);
        }
    }
    Ok(found.into_values().rev().collect())
}

/// Runs a function for each path, on all processors, and returns what each thread has gathered.
fn each<T: Default + Send>(paths: &[PathBuf], run: impl Fn(&mut T, &Path) -> Result<()> + Sync) -> Result<Vec<T>> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(paths.len().max(1));
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(None);
    let work = || {
        let mut gathered = T::default();
        while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(error) = run(&mut gathered, path) {
                failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                next.store(paths.len(), Ordering::Relaxed);
            }
        }
        gathered
    };
    let gathered = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let own = work();
        let others = others.into_iter().map(|other| other.join().ok());
        others.chain([Some(own)]).collect::<Option<Vec<T>>>()
    });
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => gathered.context("a worker thread stopped early"),
    }
}

/// Writes the files of a record, as far as they are known without thinking.
fn take(
    options: &SiteOptions,
    painter: Option<PngRenderer>,
    files: &SiteFiles,
    found: &mut Found,
    path: &Path,
) -> Result<()> {
    let read = check_regular_file(path, &options.state_dir).and_then(|()| read_record(path));
    let (table, text) = match read.and_then(|read| is_past(path, &options.state_dir).map(|()| read)) {
        Ok(read) => read,
        Err(error) => {
            found.damaged.push((path.to_owned(), format!("{error:#}")));
            return Ok(());
        }
    };
    if table.has_moved_away() {
        // Its game goes on in another issue, with its whole history.
        return Ok(());
    }
    let entry = Entry::from_table(&table);
    let known = known(options, &entry).filter(|known| is_current(&table, known));
    if known.is_none() && can_evaluate(&table) {
        found.due.push((entry.last_event_at, path.to_owned()));
    }
    // The same record, program and settings make the same files.
    let (own, record) = (format!("games/{}.", entry.file_stem()), format!("games/{}.json", entry.file_stem()));
    if !files.reuse(&own, &record, &text) {
        if let Some(painter) = painter {
            let picture = painter(&scene::current(&table).svg());
            let picture = picture.with_context(|| format!("can't draw {}", entry.picture_path()))?;
            files.put_bytes(&entry.picture_path(), &picture)?;
        }
        write_game(&options.site, files, &table, &entry, known.as_ref(), &text)?;
    }
    found.recount.add_table(&table);
    found.entries.push(entry);
    Ok(())
}

/// Checks that a finished round is not the one that is on the table, too.
fn is_past(path: &Path, root: &Path) -> Result<()> {
    let Some((issue, Some(round))) = parse_record_name(path) else { return Ok(()) };
    let now = path.parent().and_then(Path::parent).map(|dir| dir.join(format!("{issue}.json")));
    let now = now.filter(|now| check_regular_file(now, root).is_ok());
    let now = now.and_then(|now| read_text(&now, state_file::MAX_BYTES).ok());
    let now: Option<Now> = now.and_then(|text| serde_json::from_str(&text).ok());
    match now {
        Some(now) if now.round <= round => bail!("round {round} is also in {issue}.json, which the site shows"),
        _ => Ok(()),
    }
}

/// The round that is on a table.
#[derive(Deserialize)]
struct Now {
    round: u32,
}

/// Lets the computer look through a game and writes its files anew; false if there was nothing to find.
fn look_through(options: &SiteOptions, files: &SiteFiles, path: &Path) -> Result<bool> {
    let (table, text) = read_record(path)?;
    let entry = Entry::from_table(&table);
    let Some(found) = evaluate(&table, known(options, &entry).as_ref(), NODES) else { return Ok(false) };
    write_game(&options.site, files, &table, &entry, Some(&found), &text)?;
    Ok(true)
}

/// Returns what was found out about a game before.
fn known(options: &SiteOptions, entry: &Entry) -> Option<Evaluation> {
    let path = options.out.join(values(entry));
    if !is_regular_file(&path) {
        return None;
    }
    Evaluation::parse(&read_text(&path, crate::evaluation::MAX_BYTES).ok()?)
}

/// Returns the path of the file that keeps what the computer has found out about a game.
fn values(entry: &Entry) -> String {
    format!("games/{}.values.json", entry.file_stem())
}

fn write_game(
    site: &Site,
    files: &SiteFiles,
    table: &AnyTable,
    entry: &Entry,
    evaluation: Option<&Evaluation>,
    record: &str,
) -> Result<()> {
    for (path, text) in game::round_files(site, table, entry, evaluation) {
        files.put(&path, &text)?;
    }
    if let Some(evaluation) = evaluation {
        files.put(&values(entry), &evaluation.to_json())?;
    }
    files.put(&format!("games/{}.json", entry.file_stem()), record)
}

/// Writes all pages that show more than one game.
fn write_lists(site: &Site, files: &SiteFiles, mut entries: Vec<Entry>, recount: Recount) -> Result<()> {
    entries.sort_by_key(|entry| (entry.last_event_at, entry.issue, entry.round));
    let recounted = recount.count();
    let people = people(&entries, &recounted);
    let mut playing: Vec<&Entry> = entries.iter().filter(|entry| entry.status == TableStatus::Playing).collect();
    playing.sort_by_key(|entry| (std::cmp::Reverse(entry.turn_started_at), entry.issue));
    let ended: Vec<&Entry> = entries.iter().filter(|entry| entry.status != TableStatus::Playing).collect();
    let newest: Vec<&Entry> = ended.iter().rev().copied().collect();
    let mut pages = vec![("index.html".to_owned(), home::home_page(site, &playing, &newest))];
    pages.extend(
        PagedList { folder: "results", prefix: "", newest: "index.html", title: "Results" }.pages(site, &ended),
    );
    pages.extend(standings::pages(site, &recounted));
    pages.push(("players/index.html".to_owned(), player::players_index(site, &people)));
    for (path, text) in &pages {
        files.put(path, text)?;
    }
    for (id, who) in &people {
        for (path, text) in player::pages(site, *id, who, recounted.player(*id), &entries) {
            files.put(&path, &text)?;
        }
    }
    files.put(NOT_FOUND, &home::not_found_page(site))?;
    let style = format!("{STYLE}{}", full_dark_mode_css());
    for (path, text) in [("site.css", style.as_str()), ("site.js", SCRIPT), ("icon.svg", ICON)] {
        files.put(path, text)?;
    }
    if let Some(feed) = feed::atom(site, &newest) {
        files.put("feed.xml", &feed)?;
    }
    if let Some(address) = &site.address {
        let is_page = |path: &String| path.ends_with(".html") && path != NOT_FOUND;
        let pages: BTreeSet<String> = files.paths().into_iter().filter(is_page).collect();
        files.put("sitemap.xml", &home::sitemap(address, &pages))?;
    }
    Ok(())
}
