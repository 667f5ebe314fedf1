//! Builds the site: reads all records in parallel and writes the files that changed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::{fs, io, thread};

use ::game::palette::full_dark_mode_css;
use ::standings::Recount;
use answers::board_picture;
use anyhow::{Context, Result, bail};
use games::GameKind;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use table::timestamp::to_datetime;
use table::{IssueNumber, StatePath, Table, TableStatus, Timestamp, state_file};

use crate::evaluation::{self, evaluate, is_current};
use crate::page::{FIND_SCRIPT, GAME_SCRIPT, ICON, ICON_PNG, NOT_FOUND, SCRIPT, STYLE, compact_script};
use crate::people::people;
use crate::round_cache::{self, CachedRound, Rounds};
use crate::round_summary::RecordFiles;
use crate::{
    Evaluation, FeedHead, PngRenderer, RoundSummary, Site, check_regular_file, game, game_index, home, json_files,
    page, pair, parse_record_name, people, player, read_text, result_pages, standings,
};

/// The options of a build.
#[derive(Clone, Debug)]
pub struct SiteOptions {
    /// The directory of the records.
    pub state_dir: PathBuf,
    /// The output directory.
    pub out: PathBuf,
    /// The settings of the site.
    pub site: Site,
    /// The maximum number of games to evaluate, newest first.
    pub max_evaluations: usize,
}

/// A summary of the build.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SiteReport {
    /// The number of games on the site.
    pub games: usize,
    /// The damaged records that the site leaves out, each with the reason.
    pub damaged: Vec<(PathBuf, String)>,
    /// The number of games evaluated in this build.
    pub evaluated: usize,
    /// The number of games that still have to be evaluated.
    pub unevaluated: usize,
    /// The number of files in the site.
    pub files: usize,
    /// The number of files written because they are new or changed.
    pub written: usize,
    /// The number of obsolete files removed.
    pub removed: usize,
}

/// The output of one worker thread.
#[derive(Default)]
struct WorkerOutput {
    rounds: Rounds,
    damaged: Vec<(PathBuf, String)>,
    /// The records to evaluate, with the times of their last events.
    to_evaluate: Vec<(Timestamp, PathBuf)>,
}

/// Builds a site, with a preview image of each board if there is a renderer.
///
/// `progress` is called from any thread after each game, with the total number of games.
///
/// # Errors
/// Returns an error if there are no records, the output directory isn't a site, or a file can't be written.
pub fn build(
    options: &SiteOptions,
    renderer: Option<PngRenderer>,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<SiteReport> {
    let records = find_records(&options.state_dir)?;
    check_output_dir(&options.out, &options.state_dir)?;
    let fingerprint = fingerprint(&options.site);
    let files = SiteFiles::open(&options.out, &fingerprint)?;
    let known = files.read(round_cache::PATH, round_cache::MAX_BYTES);
    let known = known.map_or_else(Rounds::new, |text| round_cache::parse(&text, &fingerprint));
    let outputs = par_fold(&records, |output: &mut WorkerOutput, path| {
        write_record(options, renderer, &files, &known, output, path)?;
        progress(records.len());
        Ok(())
    })?;
    let mut all = WorkerOutput::default();
    for output in outputs {
        all.rounds.extend(output.rounds);
        all.damaged.extend(output.damaged);
        all.to_evaluate.extend(output.to_evaluate);
    }
    all.damaged.sort();
    all.to_evaluate.sort_by(|one, other| other.cmp(one));
    let to_evaluate: Vec<PathBuf> =
        all.to_evaluate.iter().take(options.max_evaluations).map(|(_, path)| path.clone()).collect();
    let evaluated: usize = par_fold(&to_evaluate, |count: &mut usize, path| {
        *count += usize::from(evaluate_game(options, &files, path)?);
        Ok(())
    })?
    .into_iter()
    .sum();
    let games = all.rounds.len();
    files.put(round_cache::PATH, &round_cache::to_text(&all.rounds, &fingerprint))?;
    write_shared_pages(&options.site, &files, all.rounds)?;
    let unevaluated = all.to_evaluate.len() - to_evaluate.len();
    let (written, removed, files) = files.finish()?;
    Ok(SiteReport { games, damaged: all.damaged, evaluated, unevaluated, files, written, removed })
}

/// Returns a hash of what the files depend on besides the records: the program and the settings.
fn fingerprint(site: &Site) -> String {
    let program = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
    let hash = Sha256::new().chain_update(program).chain_update(format!("{site:?}")).finalize();
    hex::encode(hash)
}

/// Checks that the output directory isn't inside the records' directory. It may not exist yet.
fn check_output_dir(out: &Path, state_dir: &Path) -> Result<()> {
    let state = state_dir.canonicalize().with_context(|| format!("{} can't be read", state_dir.display()))?;
    let out_path = std::path::absolute(out).with_context(|| format!("{} can't be read", out.display()))?;
    let existing = out_path.ancestors().find_map(|path| path.canonicalize().ok());
    if existing.is_some_and(|existing| existing.starts_with(&state)) {
        bail!("{} is inside the directory of the games: choose another one with --out", out.display());
    }
    Ok(())
}

/// Returns the paths of all records, newest tables first: `42.json`, `archive/42-1.json`.
fn find_records(dir: &Path) -> Result<Vec<PathBuf>> {
    if !dir.is_dir() {
        bail!("there is no directory {}: name the directory of the games with --state-dir", dir.display());
    }
    let mut records: BTreeMap<(IssueNumber, u32), PathBuf> = BTreeMap::new();
    for path in json_files(&dir.join("archive"))?.into_iter().chain(json_files(dir)?) {
        if let Some((issue, round)) = parse_record_name(&path) {
            // The current record has the highest round, whatever its number.
            records.insert((issue, round.unwrap_or(u32::MAX)), path);
        }
    }
    Ok(records.into_values().rev().collect())
}

/// Calls a function for each path on all processors, and returns each worker's output.
fn par_fold<T: Default + Send>(paths: &[PathBuf], run: impl Fn(&mut T, &Path) -> Result<()> + Sync) -> Result<Vec<T>> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(paths.len().max(1));
    let next = AtomicUsize::new(0);
    let first_error = Mutex::new(None);
    let worker = || {
        let mut output = T::default();
        while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(error) = run(&mut output, path) {
                first_error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                next.store(paths.len(), Ordering::Relaxed);
            }
        }
        output
    };
    let output = thread::scope(|scope| {
        let workers: Vec<_> = (1..threads).map(|_| scope.spawn(worker)).collect();
        let own_output = worker();
        let outputs = workers.into_iter().map(|worker| worker.join().ok());
        outputs.chain([Some(own_output)]).collect::<Option<Vec<T>>>()
    });
    match first_error.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => output.context("a worker thread stopped early"),
    }
}

/// Writes the files of a record that need no search, unless the last build wrote them. `known` has the rounds of that build.
fn write_record(
    options: &SiteOptions,
    renderer: Option<PngRenderer>,
    files: &SiteFiles,
    known: &Rounds,
    output: &mut WorkerOutput,
    path: &Path,
) -> Result<()> {
    let name = path.strip_prefix(&options.state_dir).unwrap_or(path).to_string_lossy().into_owned();
    let read = check_regular_file(path, &options.state_dir).and_then(|()| RecordFiles::read(path));
    let read = read.and_then(|read| check_is_past(path, &options.state_dir).map(|()| read));
    // The same record, program, and settings produce the same files.
    let is_unchanged = |read: &RecordFiles, known: &CachedRound| known.hash == read.hash() && files.reuse(&known.round);
    let known = known.get(&name).filter(|known| read.as_ref().is_ok_and(|read| is_unchanged(read, known)));
    let round = if let Some(known) = known {
        known.clone()
    } else {
        let (read, table) = match read.and_then(|read| read.load(path).map(|table| (read, table))) {
            Ok(loaded) => loaded,
            Err(error) => {
                output.damaged.push((path.to_owned(), format!("{error:#}")));
                return Ok(());
            }
        };
        if table.has_moved_away() {
            // The record in the other issue has the whole history.
            return Ok(());
        }
        let new = CachedRound::from_table(&table, read.hash());
        let round = &new.round;
        if let Some(renderer) = renderer {
            let picture = renderer(&board_picture::current(&table).svg());
            let picture = picture.with_context(|| format!("can't draw {}", round.picture_path()))?;
            files.put_bytes(&round.picture_path(), &picture)?;
        }
        let evaluation = stored_evaluation(files, round).filter(|known| is_current(&table, known));
        write_game_files(&options.site, files, &table, round, evaluation.as_ref(), &read.record)?;
        new
    };
    if round.can_evaluate && !files.has(&evaluation_path(&round.round)) {
        output.to_evaluate.push((round.round.last_event_at, path.to_owned()));
    }
    output.rounds.insert(name, round);
    Ok(())
}

/// Checks that an archived round isn't also the current one.
fn check_is_past(path: &Path, root: &Path) -> Result<()> {
    let Some((issue, Some(round))) = parse_record_name(path) else { return Ok(()) };
    let current = path.parent().and_then(Path::parent).map(|dir| dir.join(StatePath::Record(issue).to_string()));
    let current = current.filter(|path| check_regular_file(path, root).is_ok());
    let text = current.and_then(|path| read_text(&path, state_file::MAX_BYTES).ok());
    let current: Option<CurrentRound> = text.and_then(|text| serde_json::from_str(&text).ok());
    match current {
        Some(current) if current.round <= round => bail!("round {round} is also in {issue}.json, which the site shows"),
        _ => Ok(()),
    }
}

/// The round of a current record.
#[derive(Deserialize)]
struct CurrentRound {
    round: u32,
}

/// Evaluates a game and rewrites its files. Returns whether there was anything to evaluate.
fn evaluate_game(options: &SiteOptions, files: &SiteFiles, path: &Path) -> Result<bool> {
    let read = RecordFiles::read(path)?;
    let table = read.load(path)?;
    let round = RoundSummary::from_table(&table);
    let Some(evaluation) = evaluate(&table, evaluation::nodes_for(table.plies().len())) else { return Ok(false) };
    write_game_files(&options.site, files, &table, &round, Some(&evaluation), &read.record)?;
    Ok(true)
}

/// Reads the stored evaluation of a game.
fn stored_evaluation(files: &SiteFiles, round: &RoundSummary) -> Option<Evaluation> {
    Evaluation::parse(&files.read(&evaluation_path(round), crate::evaluation::MAX_BYTES)?)
}

/// Returns the path of a game's stored evaluation.
fn evaluation_path(round: &RoundSummary) -> String {
    format!("games/{}.values.json", round.file_stem())
}

fn write_game_files(
    site: &Site,
    files: &SiteFiles,
    table: &Table,
    round: &RoundSummary,
    evaluation: Option<&Evaluation>,
    record: &str,
) -> Result<()> {
    for (path, text) in game::round_files(site, table, round, evaluation) {
        files.put(&path, &text)?;
    }
    if let Some(evaluation) = evaluation {
        files.put(&evaluation_path(round), &evaluation.to_json())?;
    }
    files.put(&format!("games/{}.json", round.file_stem()), record)
}

/// Writes the pages that show more than one game.
fn write_shared_pages(site: &Site, files: &SiteFiles, all: Rounds) -> Result<()> {
    let (mut rounds, mut recount) = (Vec::new(), Recount::default());
    for (_, CachedRound { round, recount: counted, .. }) in all {
        rounds.push(round);
        recount.extend(counted);
    }
    rounds.sort_by_key(|round| (round.last_event_at, round.issue, round.round));
    let recounted = recount.count();
    let people = people(&rounds, &recounted);
    let mut playing: Vec<&RoundSummary> = rounds.iter().filter(|round| round.status == TableStatus::Playing).collect();
    playing.sort_by_key(|round| (std::cmp::Reverse(round.turn_started_at), round.issue));
    let ended: Vec<&RoundSummary> = rounds.iter().filter(|round| round.status != TableStatus::Playing).collect();
    let newest: Vec<&RoundSummary> = ended.iter().rev().copied().collect();
    let mut pages = vec![("index.html".to_owned(), home::home_page(site, &playing, &newest, &recounted))];
    pages.extend(result_pages(site, &ended));
    for kind in GameKind::ALL {
        pages.extend(game_index::pages(site, *kind, &playing, &ended, &recounted));
    }
    pages.extend(standings::pages(site, &recounted));
    pages.extend(people::files(site, &people));
    pages.extend(pair::pages(site, &people, &ended));
    for (path, text) in &pages {
        files.put(path, text)?;
    }
    for (id, person) in &people {
        for (path, text) in player::pages(site, *id, person, recounted.player(*id), &rounds) {
            files.put(&path, &text)?;
        }
    }
    for (path, text) in game::files(&rounds) {
        files.put(&path, &text)?;
    }
    files.put(NOT_FOUND, &home::not_found_page(site))?;
    for (path, script) in [("site.js", SCRIPT), ("game.js", GAME_SCRIPT), ("find.js", FIND_SCRIPT)] {
        files.put(path, &compact_script(script))?;
    }
    files.put("site.css", &format!("{STYLE}{}", full_dark_mode_css()))?;
    files.put("icon.svg", ICON)?;
    files.put_bytes("icon.png", ICON_PNG)?;
    if let Some(feed) = page::atom(site, FeedHead { path: "feed.xml", page: "", name: &site.name }, &newest) {
        files.put("feed.xml", &feed)?;
    }
    if let Some(url) = &site.url {
        let day = |round: &RoundSummary| to_datetime(round.last_event_at).map(|at| at.format("%Y-%m-%d").to_string());
        let changed = rounds.iter().filter_map(|round| Some((round.page_path(), day(round)?))).collect();
        let is_page = |path: &String| path.ends_with(".html") && path != NOT_FOUND;
        let pages: BTreeSet<String> = files.paths().into_iter().filter(is_page).collect();
        files.put("sitemap.xml", &home::sitemap(url, &pages, &changed))?;
    }
    Ok(())
}

// The files of a site: writes those that changed, and removes obsolete ones.
//
// `manifest.txt` lists them, with a fingerprint of the program and settings that made them. The build refuses a
// nonempty directory without a manifest, and never removes files that the manifest doesn't list.

/// The file name of the manifest.
const MANIFEST: &str = "manifest.txt";

/// Returns the directories of a site.
fn folders() -> impl Iterator<Item = &'static str> {
    let games = GameKind::ALL.iter().map(|kind| kind.info().name);
    ["games", "players", "results", "standings"].into_iter().chain(games)
}

/// The files of a site. Several threads may write them.
pub(crate) struct SiteFiles {
    out: PathBuf,
    /// The fingerprint line of the manifest.
    fingerprint: String,
    /// The previous files if they have the same fingerprint.
    reusable: BTreeSet<String>,
    previous: BTreeSet<String>,
    current: Mutex<BTreeSet<String>>,
    written: Mutex<BTreeSet<String>>,
}

impl SiteFiles {
    /// Opens the directory of a site, and creates it if necessary.
    ///
    /// # Errors
    /// Returns an error if it has other files, or can't be written.
    pub(crate) fn open(out: &Path, fingerprint: &str) -> Result<SiteFiles> {
        let fingerprint = format!("# {fingerprint}");
        let manifest = out.join(MANIFEST);
        let has_files = fs::read_dir(out).is_ok_and(|mut rounds| rounds.next().is_some());
        if has_files && !is_regular_file(&manifest) {
            bail!(
                "{} has files but no {MANIFEST}, so it isn't a site: choose an empty directory with --out",
                out.display()
            );
        }
        let previous: BTreeSet<String> = if has_files {
            let text = fs::read_to_string(&manifest);
            let text = text.with_context(|| format!("{} can't be read", manifest.display()))?;
            text.lines().map(str::to_owned).collect()
        } else {
            BTreeSet::new()
        };
        for folder in folders() {
            let folder = out.join(folder);
            if folder.is_symlink() {
                bail!("{} is a link, and `site` doesn't write through links: remove it", folder.display());
            }
            fs::create_dir_all(&folder).with_context(|| format!("{} can't be created", folder.display()))?;
        }
        // From here on it is a site, even if the build fails.
        if !has_files {
            write_file(&manifest, b"")?;
        }
        let reusable = if previous.contains(&fingerprint) { previous.clone() } else { BTreeSet::new() };
        Ok(SiteFiles {
            out: out.to_owned(),
            fingerprint,
            reusable,
            previous,
            current: Mutex::default(),
            written: Mutex::default(),
        })
    }

    /// Adds a text file to the site, unless it is unchanged.
    ///
    /// # Errors
    /// Returns an error if it can't be written.
    fn put(&self, path: &str, text: &str) -> Result<()> {
        self.put_bytes(path, text.as_bytes())
    }

    /// Adds any file to the site, unless it is unchanged.
    ///
    /// # Errors
    /// Returns an error if it can't be written.
    fn put_bytes(&self, path: &str, content: &[u8]) -> Result<()> {
        let file = self.out.join(path);
        let is_unchanged = fs::symlink_metadata(&file)
            .is_ok_and(|known| known.is_file() && known.len() == content.len() as u64)
            && fs::read(&file).is_ok_and(|known| known == content);
        if !is_unchanged {
            write_file(&file, content)?;
            // A set, because a page is written again after its game is evaluated.
            self.written.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned());
        }
        self.current.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned());
        Ok(())
    }

    /// Reads a text file of the site; `None` if it isn't a regular file or isn't text.
    fn read(&self, path: &str, limit: usize) -> Option<String> {
        let file = self.out.join(path);
        if is_regular_file(&file) { read_text(&file, limit).ok() } else { None }
    }

    /// Keeps the previous files of a round, and returns whether it kept them. It does so if the fingerprint is the same and
    /// none is missing.
    fn reuse(&self, round: &RoundSummary) -> bool {
        let (prefix, record) = (format!("games/{}.", round.file_stem()), format!("games/{}.json", round.file_stem()));
        let files = self.reusable.range(prefix.clone()..).take_while(|path| path.starts_with(&prefix));
        let files: Vec<String> = files.cloned().collect();
        let is_reusable = files.contains(&record)
            && files.iter().all(|file| is_site_path(file) && is_regular_file(&self.out.join(file)));
        if is_reusable {
            self.current.lock().unwrap_or_else(PoisonError::into_inner).extend(files);
        }
        is_reusable
    }

    /// Whether the site has a file so far.
    fn has(&self, path: &str) -> bool {
        self.current.lock().unwrap_or_else(PoisonError::into_inner).contains(path)
    }

    /// Returns the paths of all files so far.
    pub(crate) fn paths(&self) -> BTreeSet<String> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Writes the manifest and removes obsolete files. Returns the numbers of written, removed, and all files.
    ///
    /// # Errors
    /// Returns an error if a file can't be written or removed.
    fn finish(self) -> Result<(usize, usize, usize)> {
        let current = self.current.into_inner().unwrap_or_else(PoisonError::into_inner);
        let obsolete = self
            .previous
            .iter()
            .filter(|path| !path.starts_with('#') && !current.contains(*path) && is_site_path(path));
        let mut removed = 0;
        for path in obsolete {
            match fs::remove_file(self.out.join(path)) {
                Ok(()) => removed += 1,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error).with_context(|| format!("{path} can't be removed")),
            }
        }
        let count = current.len();
        let current: BTreeSet<String> = current.into_iter().chain([self.fingerprint]).collect();
        if current != self.previous {
            let list: String = current.iter().flat_map(|path| [path.as_str(), "\n"]).collect();
            write_file(&self.out.join(MANIFEST), list.as_bytes())?;
        }
        let written = self.written.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok((written.len(), removed, count))
    }
}

/// Whether a path is a regular file: not a link, a pipe, or anything else.
fn is_regular_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_file())
}

/// Writes a file, replacing a link or a pipe.
fn write_file(path: &Path, content: &[u8]) -> Result<()> {
    let is_other = fs::symlink_metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir());
    let removal = if is_other { fs::remove_file(path) } else { Ok(()) };
    removal.and_then(|()| fs::write(path, content)).with_context(|| format!("{} can't be written", path.display()))
}

/// Whether a path in the manifest is a valid path of a site. Someone may have edited the manifest.
fn is_site_path(path: &str) -> bool {
    let parts: Vec<Component> = Path::new(path).components().collect();
    parts.iter().all(|part| matches!(part, Component::Normal(_)))
        && match &parts[..] {
            [_] => true,
            [Component::Normal(folder), _] => folders().any(|known| **folder == *known),
            _ => false,
        }
}
