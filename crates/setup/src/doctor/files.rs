//! Checks the files of a repository: its workflows, issue forms, records, standings and pages.

use std::collections::{BTreeMap, BTreeSet};

use answers::{BlockUpdates, TableList, page};
use anyhow::Result;
use games::GameKind;
use protocol::{ACTIONS_BOT, FileContent, SETTINGS_PATH, SettingsMistake};
use standings::audit;
use table::{IssueNumber, RepositoryId, StatePath, Table, state_file};

use crate::doctor::{Fact, offline, workflow};
use crate::workflow_steps::{OLD_INPUT, WorkflowStep, is_workflow};
use crate::{FileSettings, Findings, WorkflowKind, inputs, play_steps, site_steps};

/// The share of a limit at which the doctor warns, in percent.
const WARN_PERCENT: usize = 80;

/// Inputs that may differ between the workflow that plays and the daily one.
const DAILY_INPUTS: [&str; 3] = ["doctor", OLD_INPUT, "sweep-days"];

/// The workflow's inputs that name the games and their files, and the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GameInputs {
    pub(super) branch: Option<String>,
    pub(super) state_dir: String,
    pub(super) pages: Vec<String>,
    /// The allowed games; empty for all of them.
    pub(super) games: Vec<GameKind>,
    /// The labels of the issues where the bot listens; empty for all issues.
    pub(super) only_labels: Vec<String>,
    /// The paths and names of workflows of games that build the program from source.
    pub(super) source_builds: Vec<(String, String)>,
    /// The ID of the repository; `None` in a clone.
    pub(super) repository: Option<RepositoryId>,
}

/// Files by path, including requested files that are missing.
pub(super) type Files = BTreeMap<String, FileContent>;

impl Default for GameInputs {
    fn default() -> GameInputs {
        GameInputs::new(|_| None)
    }
}

impl GameInputs {
    /// Returns the inputs with these values; the default for those that are missing or invalid.
    fn new(value: impl Fn(&str) -> Option<String>) -> GameInputs {
        fn parse<T: Default>(parse: impl Fn(Option<String>) -> Result<T>, value: Option<String>) -> T {
            parse(value).or_else(|_| parse(None)).unwrap_or_default()
        }
        GameInputs {
            branch: parse(inputs::parse_branch, value("branch")),
            state_dir: parse(inputs::parse_state_dir, value("state-dir")),
            pages: parse(inputs::parse_pages, value("pages")),
            games: parse(inputs::parse_games, value("games")),
            only_labels: parse(inputs::parse_labels, value("only-labels")),
            source_builds: Vec::new(),
            repository: None,
        }
    }

    /// Returns the inputs of a step. An expression has no value here.
    fn of_step(step: &WorkflowStep) -> GameInputs {
        GameInputs::new(|name| step.literal_input(name))
    }

    /// Parses a path below the state directory; returns `None` for a file of the host.
    fn state_path(&self, path: &str) -> Option<StatePath> {
        StatePath::parse_below(path, &self.state_dir)
    }

    /// Returns the issue of a record, and the round if it is archived; `None` for any other file.
    pub(super) fn record(&self, path: &str) -> Option<(IssueNumber, Option<u32>)> {
        match self.state_path(path)? {
            StatePath::Record(issue) => Some((issue, None)),
            StatePath::ArchivedRecord { issue, round } => Some((issue, Some(round))),
            _ => None,
        }
    }

    /// Selects the records, the standings, the list of tables and the pages from a list of paths.
    pub(super) fn game_paths(&self, all: &[String]) -> Vec<String> {
        let is_wanted = |path: &String| {
            self.record(path).is_some()
                || matches!(self.state_path(path), Some(StatePath::Standings(_) | StatePath::TableList))
        };
        // Include directories that are named like a record, so the report says that they can't be read.
        let record_dir = |path: &str| path.split_once(".json/").map(|(dir, _)| format!("{dir}.json"));
        let paths = all.iter().map(|path| record_dir(path).unwrap_or_else(|| path.clone()));
        let mut paths: Vec<String> = paths.filter(is_wanted).collect();
        paths.dedup();
        paths.extend(self.pages.iter().cloned());
        paths
    }
}

/// Selects the files of a repository's setup from a list of paths.
pub(super) fn setup_paths(all: &[String]) -> Vec<String> {
    let is_form =
        |path: &str| path.starts_with(".github/ISSUE_TEMPLATE/") && (path.ends_with(".yml") || path.ends_with(".yaml"));
    let is_other = |path: &str| path == "action.yml" || path == SETTINGS_PATH;
    all.iter().filter(|path| is_workflow(path) || is_form(path) || is_other(path)).cloned().collect()
}

/// Returns the settings in the repository's settings file.
pub(super) fn file_settings(files: &Files) -> FileSettings {
    files.get(SETTINGS_PATH).map(FileSettings::parse).unwrap_or_default()
}

/// Checks the settings file, and that no input of these steps contradicts it.
fn check_settings(files: &Files, steps: &[WorkflowStep], findings: &mut Findings) {
    let is_there = files.get(SETTINGS_PATH).is_some_and(|file| *file != FileContent::Missing);
    if !is_there {
        return;
    }
    let problems_before = findings.problem_count();
    let settings = file_settings(files);
    for SettingsMistake { line, sentence } in &settings.mistakes {
        findings.add_at(SETTINGS_PATH, *line, Fact::InvalidSetting { why: sentence.clone() });
    }
    for step in steps {
        for why in settings.contradictions(&format!("`{SETTINGS_PATH}`"), |name| step.literal_input(name)) {
            findings.add_at(&step.path, step.node.line, Fact::ContradictingInput { why });
        }
    }
    if findings.problem_count() == problems_before {
        findings.add_at(SETTINGS_PATH, None, Fact::GoodSettings);
    }
}

/// Checks the workflows and the issue forms, and returns the inputs of the workflow that plays.
pub(super) fn check_setup(files: &Files, enterprise: bool, findings: &mut Findings) -> GameInputs {
    let action = files.get("action.yml").and_then(FileContent::text);
    let (mut playing, mut publishing, mut has_broken) = (Vec::new(), Vec::new(), false);
    for (path, file) in files.iter().filter(|(path, _)| is_workflow(path)) {
        match file {
            FileContent::Text(text) => match play_steps(path, text, action) {
                Ok(found) => {
                    playing.extend(found);
                    publishing.extend(site_steps(path, text, action).unwrap_or_default());
                }
                Err(why) => {
                    has_broken = true;
                    findings.add(Fact::InvalidYaml { path: path.clone(), why: why.to_string() });
                }
            },
            FileContent::Unreadable(why) => findings.add(Fact::Unreadable { why: why.clone() }),
            FileContent::Missing => {}
        }
    }
    for step in &playing {
        workflow::check_workflow(step, enterprise, findings);
    }
    for step in &publishing {
        offline::check_site_step(step, &playing, &file_settings(files), enterprise, findings);
    }
    check_settings(files, &playing, findings);
    let settings = file_settings(files);
    let (plays, dailies): (Vec<&WorkflowStep>, Vec<&WorkflowStep>) =
        playing.iter().partition(|step| step.kind() == WorkflowKind::Play);
    let Some(first) = plays.first().or(dailies.first()).copied() else {
        let is_for_server = files.get(SETTINGS_PATH).is_some_and(|file| *file != FileContent::Missing);
        if !has_broken {
            findings.add(if is_for_server { Fact::NoWorkflowForSettings } else { Fact::NoWorkflow });
        }
        return GameInputs::new(|name| settings.get(name).map(str::to_owned));
    };
    let bots = settings.get("bots").unwrap_or_default();
    let server = bots.split_whitespace().find(|bot| bot.ends_with("[bot]") && *bot != ACTIONS_BOT);
    if let (Some(play), Some(bot)) = (plays.first(), server) {
        findings.add_at(&play.path, None, Fact::WorkflowBesideServer { bot: bot.to_owned() });
    }
    if plays.is_empty() && server.is_some() {
        findings.add_at(&first.path, None, Fact::DailyBesideServer);
    } else if plays.is_empty() {
        findings.add_at(&first.path, None, Fact::OnlySchedule);
    } else if !playing.iter().any(|step| step.events().contains(&"schedule")) {
        findings.add_at(&first.path, None, Fact::NoSchedule);
    }
    check_rival_steps(&plays, findings);
    check_rival_steps(&dailies, findings);
    for daily in &dailies {
        check_daily_inputs(daily, &plays, findings);
    }
    let value = |name: &str| settings.get(name).map(str::to_owned).or_else(|| first.literal_input(name));
    let inputs = GameInputs::new(value);
    offline::check_forms(files, &inputs, findings);
    let from_source = plays.iter().chain(&dailies).filter(|step| step.version().is_built_from_source());
    let source_builds = from_source.map(|step| (step.path.clone(), step.workflow_name().to_owned())).collect();
    GameInputs { source_builds, ..inputs }
}

/// Returns the branch and the directory of a step's games.
fn source(step: &WorkflowStep) -> (Option<String>, String) {
    let GameInputs { branch, state_dir, .. } = GameInputs::of_step(step);
    (branch, state_dir)
}

/// Checks for several steps that play the same games.
fn check_rival_steps(playing: &[&WorkflowStep], findings: &mut Findings) {
    for (index, step) in playing.iter().enumerate() {
        let Some(rival) = playing[..index].iter().find(|rival| source(rival) == source(step)) else { continue };
        let rival = if rival.path == step.path { "another step of it" } else { &rival.path };
        findings.add_at(&step.path, step.node.line, Fact::RivalStep { rival: rival.to_owned() });
    }
    if let [first, .., last] = playing
        && source(first) != source(last)
    {
        findings.add(Fact::SeveralSteps);
    }
}

/// Checks that a daily run has the inputs of the step whose games it settles.
fn check_daily_inputs(daily: &WorkflowStep, plays: &[&WorkflowStep], findings: &mut Findings) {
    let Some(play) = plays.iter().find(|play| source(play) == source(daily)) else {
        let Some(play) = plays.first().map(|play| play.path.clone()) else { return };
        return findings.add_at(&daily.path, daily.node.line, Fact::OtherGames { play });
    };
    let names: BTreeSet<&str> = play.input_names().into_iter().chain(daily.input_names()).collect();
    let is_other = |name: &&str| !DAILY_INPUTS.contains(name) && play.input(name) != daily.input(name);
    let names: Vec<&str> = names.into_iter().filter(is_other).collect();
    if !names.is_empty() {
        let (play, names) = (play.path.clone(), names.join("`, `"));
        findings.add_at(&daily.path, daily.node.line, Fact::OtherInputs { play, names });
    }
}

/// Checks records, standings, lists and pages. `all` are the paths of all files.
///
/// `is_complete` says whether `files` has every record. The standings are only checked then.
pub(super) fn check_games(
    files: &Files,
    all: &[String],
    inputs: &GameInputs,
    is_complete: bool,
    findings: &mut Findings,
) {
    let records = check_records(files, all, inputs, findings);
    if is_complete {
        check_archive(&records, inputs, findings);
    }
    let current: Vec<&Table> = records
        .iter()
        .filter(|(path, _)| matches!(inputs.record(path), Some((_, None))))
        .map(|(_, table)| table)
        .collect();
    let bound = current.iter().filter_map(|table| table.repository());
    match bound.filter(|bound| inputs.repository.is_some_and(|here| here != *bound)).count() {
        0 => {}
        count => findings.add(Fact::ForeignGames { count }),
    }
    check_running_files(&current, all, inputs, findings);
    check_list(files, inputs, findings);
    let current: Vec<IssueNumber> = current.into_iter().map(Table::issue).collect();
    check_pages(files, inputs, is_complete.then_some(&current), findings);
    if is_complete {
        check_standings(files, records, inputs, findings);
    }
}

/// Checks the records, and returns those that replay, with their paths.
fn check_records(files: &Files, all: &[String], inputs: &GameInputs, findings: &mut Findings) -> Vec<(String, Table)> {
    let (mut records, mut is_damaged) = (Vec::new(), false);
    for (path, file) in files {
        let Some((issue, round)) = inputs.record(path) else { continue };
        let path = path.clone();
        let damage = match file {
            FileContent::Missing => continue,
            FileContent::Text(text) if text.starts_with('\u{feff}') => Fact::ByteOrderMark { path },
            FileContent::Text(text) => match state_file::load(text, issue) {
                Ok(table) if round.is_some_and(|round| round != table.round()) => {
                    Fact::OtherRound { path, round: table.round() }
                }
                Ok(table) => {
                    if round.is_none() {
                        check_limits(&path, text.len(), &table, findings);
                    }
                    records.push((path, table));
                    continue;
                }
                Err(why) => Fact::DamagedRecord { path, why: why.to_string() },
            },
            FileContent::Unreadable(why) => Fact::DamagedRecord { path, why: why.clone() },
        };
        is_damaged = true;
        findings.add(damage);
    }
    let dir = inputs.state_dir.clone();
    match records.len() {
        _ if is_damaged => {}
        0 => findings.add(match games_elsewhere(all) {
            Some((found, count)) => Fact::GamesElsewhere { dir, found, count },
            None => Fact::NoRecords { dir },
        }),
        1 => findings.add(Fact::OneRecord { dir }),
        count => findings.add(Fact::Records { dir, count }),
    }
    records
}

/// Returns the folder with the most games among these paths, and their number; `None` if there are no games. Each game has a
/// picture next to its record.
fn games_elsewhere(all: &[String]) -> Option<(String, usize)> {
    let paths: BTreeSet<&str> = all.iter().map(String::as_str).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (dir, name) in all.iter().filter_map(|path| path.rsplit_once('/')) {
        if let Some(StatePath::Record(issue)) = StatePath::parse(name)
            && paths.contains(&*StatePath::Board(issue).below(dir))
        {
            *counts.entry(dir).or_default() += 1;
        }
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(dir, count)| (dir.to_owned(), count))
}

/// Checks that each game in progress has its summary.
fn check_running_files(tables: &[&Table], all: &[String], inputs: &GameInputs, findings: &mut Findings) {
    let running: BTreeSet<IssueNumber> = all
        .iter()
        .filter_map(|path| match inputs.state_path(path)? {
            StatePath::Running(issue) => Some(issue),
            _ => None,
        })
        .collect();
    let mut missing = tables.iter().filter(|table| table.is_playing() && !running.contains(&table.issue()));
    let Some(first) = missing.next() else { return };
    let path = StatePath::Running(first.issue()).below(&inputs.state_dir);
    findings.add(match missing.count() {
        0 => Fact::MissingSummary { path },
        more => Fact::MissingSummaries { path, more },
    });
}

/// Checks the list of tables.
fn check_list(files: &Files, inputs: &GameInputs, findings: &mut Findings) {
    let path = StatePath::TableList.below(&inputs.state_dir);
    let why = match files.get(&path) {
        Some(FileContent::Text(text)) => TableList::parse(text).err().map(|why| why.to_string()),
        Some(FileContent::Unreadable(why)) => Some(why.clone()),
        Some(FileContent::Missing) | None => None,
    };
    if let Some(why) = why {
        findings.add(Fact::DamagedList { path, why });
    }
}

/// Checks that the archive has the earlier rounds of each table.
fn check_archive(records: &[(String, Table)], inputs: &GameInputs, findings: &mut Findings) {
    let rounds: BTreeMap<(IssueNumber, u32), &Table> =
        records.iter().map(|(_, table)| ((table.issue(), table.round()), table)).collect();
    for (&(issue, round), table) in &rounds {
        // Earlier rounds of a table that moved here are in the archive of its first issue.
        let has_moved_here = { table.first_issue() != issue || table.host_move().is_some() };
        let round = round.saturating_sub(1);
        if round > 0 && !has_moved_here && !rounds.contains_key(&(issue, round)) {
            let path = StatePath::ArchivedRecord { issue, round }.below(&inputs.state_dir);
            findings.add(Fact::MissingRound { path, round });
        }
    }
}

/// Checks whether a running game is about to outgrow its record.
fn check_limits(path: &str, bytes: usize, table: &Table, findings: &mut Findings) {
    let events = table.history().len();
    for (count, limit, unit) in [(bytes, state_file::MAX_BYTES, "bytes"), (events, state_file::MAX_EVENTS, "events")] {
        if table.is_playing() && count * 100 >= limit * WARN_PERCENT {
            findings.add(Fact::NearLimit { path: path.to_owned(), count, limit, unit });
        }
    }
}

fn check_standings(files: &Files, records: Vec<(String, Table)>, inputs: &GameInputs, findings: &mut Findings) {
    let is_standings = |path: &str| matches!(inputs.state_path(path), Some(StatePath::Standings(_)));
    let text = |file: &FileContent| file.text().unwrap_or_default().to_owned();
    let standings = files.iter().filter(|(path, _)| is_standings(path));
    let standings: BTreeMap<String, String> =
        standings.map(|(path, file)| (path[inputs.state_dir.len() + 1..].to_owned(), text(file))).collect();
    let audit = audit::audit(records, &standings);
    for fault in &audit.faults {
        findings.add(Fact::WrongStandings { why: fault.to_string() });
    }
    if audit.faults.is_empty() && audit.results > 0 {
        findings.add(Fact::GoodStandings { results: audit.results, people: audit.people });
    }
}

/// Checks the pages. `tables` are those with a game; `None` if they aren't all known.
fn check_pages(files: &Files, inputs: &GameInputs, tables: Option<&Vec<IssueNumber>>, findings: &mut Findings) {
    for path in &inputs.pages {
        match files.get(path) {
            Some(FileContent::Text(text)) => check_page(path, text, tables, findings),
            Some(FileContent::Unreadable(why)) => findings.add(Fact::Unreadable { why: why.clone() }),
            Some(FileContent::Missing) | None if *path == "README.md" => {}
            Some(FileContent::Missing) | None => findings.add(Fact::MissingPage { path: path.clone() }),
        }
    }
}

fn check_page(path: &str, text: &str, tables: Option<&Vec<IssueNumber>>, findings: &mut Findings) {
    let problems = page::refresh(text, BlockUpdates::default()).problems;
    for problem in &problems {
        findings.add_at(path, None, Fact::InvalidMarker { why: problem.to_string() });
    }
    let wanted = page::wanted_blocks(text);
    let missing: Vec<&IssueNumber> =
        wanted.tables.iter().filter(|table| tables.is_some_and(|tables| !tables.contains(table))).collect();
    for table in &missing {
        findings.add(Fact::PageOfNoTable { path: path.to_owned(), table: **table });
    }
    if !problems.is_empty() || !missing.is_empty() {
        return;
    }
    if wanted.has_any() {
        findings.add_at(path, None, Fact::GoodMarkers);
    } else if text.contains("<!-- play-by-commit:") {
        findings.add_at(path, None, Fact::HiddenMarkers);
    }
}

/// Warns about pages that have markers but aren't on the games' branch. The bot never updates those.
pub(super) fn check_other_branch(files: &Files, inputs: &GameInputs, findings: &mut Findings) {
    let Some(branch) = &inputs.branch else { return };
    for path in &inputs.pages {
        let text = files.get(path).and_then(FileContent::text);
        if text.is_some_and(|text| page::wanted_blocks(text).has_any()) {
            findings.add(Fact::PageOnOtherBranch { path: path.clone(), branch: branch.clone() });
        }
    }
}
