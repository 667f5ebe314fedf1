//! Checks the files of a repository: its workflows, issue forms, records, standings and pages.

use std::collections::{BTreeMap, BTreeSet};

use crate::inputs;
use answers::pages::page::{self, BlockUpdates};
use answers::pages::table_list::TableList;
use games::registry::GameKind;
use protocol::forge::FileContent;
use standings::audit;
use table::any_table::{AnyTable, with_table};
use table::ids::IssueNumber;
use table::state_file;
use table::state_path::StatePath;

use crate::doctor::findings::Findings;
use crate::doctor::{forms, site, workflow};
use crate::workflow_steps::{WorkflowStep, is_workflow, play_steps, site_steps};

/// The share of a limit at which the doctor warns, in percent.
const WARN_PERCENT: usize = 80;

/// The inputs of the workflow that say which games there are and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GameInputs {
    pub(super) branch: Option<String>,
    pub(super) state_dir: String,
    pub(super) pages: Vec<String>,
    /// The allowed games; empty for all of them.
    pub(super) games: Vec<GameKind>,
}

/// Files by path, including requested files that are missing.
pub(super) type Files = BTreeMap<String, FileContent>;

impl Default for GameInputs {
    fn default() -> GameInputs {
        GameInputs {
            branch: None,
            state_dir: "state".to_owned(),
            pages: vec!["README.md".to_owned()],
            games: Vec::new(),
        }
    }
}

/// Selects the files of a repository's setup from a list of paths.
pub(super) fn setup_paths<'a>(all: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let is_form =
        |path: &str| path.starts_with(".github/ISSUE_TEMPLATE/") && (path.ends_with(".yml") || path.ends_with(".yaml"));
    let paths = all.into_iter().filter(|path| is_workflow(path) || is_form(path) || *path == "action.yml");
    paths.map(str::to_owned).collect()
}

/// Checks the workflows and the issue forms, and returns the inputs of the workflow that plays.
pub(super) fn check_setup(files: &Files, enterprise: bool, findings: &mut Findings) -> GameInputs {
    let action = file_text(files, "action.yml");
    let (mut steps, mut has_broken): (Vec<WorkflowStep>, bool) = (Vec::new(), false);
    for (path, file) in files.iter().filter(|(path, _)| is_workflow(path)) {
        match file {
            FileContent::Text(text) => match play_steps(path, text, action) {
                Ok(found) => steps.extend(found),
                Err(why) => {
                    has_broken = true;
                    findings.error(format!("{path} can't be read as YAML: {why}."));
                }
            },
            FileContent::Unreadable(why) => findings.error(format!("{why}.")),
            FileContent::Missing => {}
        }
    }
    for step in &steps {
        workflow::check_workflow(step, enterprise, findings);
    }
    for (path, file) in files.iter().filter(|(path, _)| is_workflow(path)) {
        for step in file.text().and_then(|text| site_steps(path, text, action).ok()).unwrap_or_default() {
            site::check_site_step(&step, &steps, enterprise, findings);
        }
    }
    let Some(first) = steps.first() else {
        if !has_broken {
            findings.error("No workflow here uses play-by-commit. `play-by-commit init` writes one. If yours uses a mirror with another \
                 name, give the step the inputs `doctor` and `probe`.",);
        }
        return GameInputs::default();
    };
    check_rival_steps(&steps, findings);
    let inputs = step_inputs(first);
    forms::check_forms(files, &inputs.games, findings);
    inputs
}

/// Checks for several steps that play the same games.
fn check_rival_steps(playing: &[WorkflowStep], findings: &mut Findings) {
    let source = |step: &WorkflowStep| (step_inputs(step).branch, step_inputs(step).state_dir);
    for (index, step) in playing.iter().enumerate() {
        let Some(rival) = playing[..index].iter().find(|rival| source(rival) == source(step)) else { continue };
        let other = if rival.path == step.path { "another step of it" } else { &rival.path };
        findings.error(format!(
            "{}, line {}: {other} plays the same games, so each comment starts two runs that race. Delete one of them.",
            step.path, step.node.line
        ));
    }
    if let [first, .., last] = playing
        && source(first) != source(last)
    {
        findings.warning(
            "More than one step plays here, and each comment starts all of them. Give them different games, with the input \
             `games`, or delete all but one.",
        );
    }
}

/// Returns the inputs of a step; the default for expressions and invalid values.
fn step_inputs(step: &WorkflowStep) -> GameInputs {
    let valid_input = |name: &str| {
        let value = step.input(name).filter(|value| !value.contains("${{"))?;
        inputs::check_input(name, &value).ok().filter(|value| !value.is_empty())
    };
    let defaults = GameInputs::default();
    GameInputs {
        branch: inputs::parse_branch(valid_input("branch")).unwrap_or(defaults.branch),
        state_dir: inputs::parse_state_dir(valid_input("state-dir")).unwrap_or(defaults.state_dir),
        pages: inputs::parse_pages(valid_input("pages")).unwrap_or(defaults.pages),
        games: inputs::parse_games(valid_input("games")).unwrap_or(defaults.games),
    }
}

/// Selects the records, the standings, the list of tables and the pages from a list of paths.
pub(super) fn game_paths<'a>(all: impl IntoIterator<Item = &'a str>, inputs: &GameInputs) -> Vec<String> {
    let is_wanted = |path: &&str| {
        let dir = &inputs.state_dir;
        let is_list = StatePath::parse_below(path, dir) == Some(StatePath::TableList);
        parse_record_path(path, dir).is_some() || is_standings_file(path, dir) || is_list
    };
    // Include directories that are named like a record, so the report says that they can't be read.
    let record_dir = |path: &str| path.split_once(".json/").map(|(dir, _)| format!("{dir}.json"));
    let paths = all.into_iter().map(|path| record_dir(path).unwrap_or_else(|| path.to_owned()));
    let mut paths: Vec<String> = paths.filter(|path| is_wanted(&path.as_str())).collect();
    paths.dedup();
    paths.extend(inputs.pages.iter().cloned());
    paths
}

/// Returns the tables with a short file of a game in progress, from a list of paths.
pub(super) fn running_issues<'a>(all: impl IntoIterator<Item = &'a str>, inputs: &GameInputs) -> BTreeSet<IssueNumber> {
    let issue = |path| match StatePath::parse_below(path, &inputs.state_dir)? {
        StatePath::Running(issue) => Some(issue),
        _ => None,
    };
    all.into_iter().filter_map(issue).collect()
}

/// Checks records, standings, lists and pages. `running` are the tables with a short file of a game in progress.
///
/// `is_complete` says whether `files` has every record. The standings are only checked then.
pub(super) fn check_games(
    files: &Files,
    running: &BTreeSet<IssueNumber>,
    inputs: &GameInputs,
    is_complete: bool,
    findings: &mut Findings,
) {
    let dir = &inputs.state_dir;
    let mut tables: Vec<(String, AnyTable)> = Vec::new();
    let mut damaged = 0;
    for (path, file) in files {
        let Some((issue, round)) = parse_record_path(path, dir) else { continue };
        let loaded = match file {
            FileContent::Text(text) if text.starts_with('\u{feff}') => {
                Err("it begins with a byte order mark, which some editors add to UTF-8".into())
            }
            FileContent::Text(text) => state_file::load(text, issue).map(|table| (text.len(), table)),
            FileContent::Unreadable(why) => Err(why.clone().into()),
            FileContent::Missing => continue,
        };
        match loaded {
            Ok((_, table)) if round.is_some_and(|round| round != table.round()) => {
                damaged += 1;
                findings.error(format!(
                    "{path} is damaged: `round` is {}, but the file is named for another \
                     round.",
                    table.round()
                ));
            }
            Ok((bytes, table)) => {
                if round.is_none() {
                    warn_if_near_limits(path, bytes, &table, findings);
                }
                tables.push((path.clone(), table));
            }
            Err(why) => {
                damaged += 1;
                findings.error(format!("{path} is damaged: {why}. Restore it from an earlier commit."));
            }
        }
    }
    if damaged == 0 {
        findings.ok(match tables.len() {
            0 => format!("There are no records in `{dir}` yet."),
            1 => format!("The only record in `{dir}` replays correctly."),
            count => format!("All {count} records in `{dir}` replay correctly."),
        });
    }
    if is_complete {
        check_archive(&tables, dir, findings);
    }
    let is_current = |path: &String| matches!(parse_record_path(path, dir), Some((_, None)));
    let current: Vec<&AnyTable> = tables.iter().filter(|(path, _)| is_current(path)).map(|(_, table)| table).collect();
    check_running_files(&current, running, dir, findings);
    check_list(files, dir, findings);
    let current: Vec<IssueNumber> = current.into_iter().map(AnyTable::issue).collect();
    check_pages(files, inputs, &current, is_complete, findings);
    if !is_complete {
        return;
    }
    let standings = files.iter().filter(|(path, _)| is_standings_file(path, dir));
    let standings: BTreeMap<String, String> = standings
        .map(|(path, _)| (path[dir.len() + 1..].to_owned(), file_text(files, path).unwrap_or_default().to_owned()))
        .collect();
    let audit = audit::audit(tables, &standings);
    for fault in &audit.faults {
        findings.error(format!("The standings are wrong: {fault}."));
    }
    if audit.faults.is_empty() && audit.results > 0 {
        findings.ok(format!("The standings are correct: {} results of {} people.", audit.results, audit.people));
    }
}

/// Checks that each game in progress has its short file.
fn check_running_files(tables: &[&AnyTable], running: &BTreeSet<IssueNumber>, dir: &str, findings: &mut Findings) {
    let mut missing = tables.iter().filter(|table| table.is_playing() && !running.contains(&table.issue()));
    let Some(first) = missing.next() else { return };
    let path = StatePath::Running(first.issue()).below(dir);
    let more = match missing.count() {
        0 => String::new(),
        more => format!(" So are those of {more} other games."),
    };
    findings.warning(format!(
        "{path} is missing, so lists leave that game out.{more} The next move of a game writes it, or the daily run if the \
         issue is recent."
    ));
}

/// Checks the list of tables.
fn check_list(files: &Files, dir: &str, findings: &mut Findings) {
    let path = StatePath::TableList.below(dir);
    let why = match files.get(&path) {
        Some(FileContent::Text(text)) => TableList::parse(text).err().map(|why| why.to_string()),
        Some(FileContent::Unreadable(why)) => Some(why.clone()),
        Some(FileContent::Missing) | None => None,
    };
    if let Some(why) = why {
        findings.warning(format!("{path} is damaged: {why}. The daily run writes it again."));
    }
}

/// Checks that the archive has the earlier rounds of each table.
fn check_archive(tables: &[(String, AnyTable)], dir: &str, findings: &mut Findings) {
    let rounds: BTreeMap<(IssueNumber, u32), &AnyTable> =
        tables.iter().map(|(_, table)| ((table.issue(), table.round()), table)).collect();
    for ((issue, round), table) in &rounds {
        // Earlier rounds of a table that moved here are in the archive of its first issue.
        let has_moved_here = with_table!(table, record => {
            record.first_issue() != *issue || record.host_move().is_some()
        });
        let before = round.saturating_sub(1);
        if before > 0 && !has_moved_here && !rounds.contains_key(&(*issue, before)) {
            let path = StatePath::ArchivedRecord { issue: *issue, round: before }.below(dir);
            findings.warning(format!(
                "{path} is missing: round {before} of that table isn't on the site any more. \
                 Restore it from an earlier commit."
            ));
        }
    }
}

/// Warns if a running game is about to outgrow its record.
fn warn_if_near_limits(path: &str, bytes: usize, table: &AnyTable, findings: &mut Findings) {
    let events = with_table!(table, record => record.history().len());
    for (count, limit, unit) in [(bytes, state_file::MAX_BYTES, "bytes"), (events, state_file::MAX_EVENTS, "events")] {
        if table.is_playing() && count * 100 >= limit * WARN_PERCENT {
            findings.warning(format!(
                "{path} has {count} of at most {limit} {unit}. Finish that game soon; its rematch starts with an \
                 empty record."
            ));
        }
    }
}

fn check_pages(files: &Files, inputs: &GameInputs, tables: &[IssueNumber], is_complete: bool, findings: &mut Findings) {
    for path in &inputs.pages {
        match files.get(path) {
            Some(FileContent::Text(text)) => {
                let problems = page::refresh(text, BlockUpdates::default()).problems;
                for problem in &problems {
                    findings.error(format!("{path}: {problem}"));
                }
                let wanted = page::wanted_blocks(text);
                let missing: Vec<IssueNumber> =
                    wanted.tables.iter().copied().filter(|table| is_complete && !tables.contains(table)).collect();
                for table in &missing {
                    findings.warning(format!("{path} shows table {table}, but that table has no game yet."));
                }
                if problems.is_empty() && !wanted.has_any() && text.contains("<!-- play-by-commit:") {
                    findings.warning(format!(
                        "{path}: its markers are in a code block or in another comment, where they don't count."
                    ));
                }
                if problems.is_empty() && wanted.has_any() && missing.is_empty() {
                    findings.ok(format!("{path}: its markers are correct."));
                }
            }
            Some(FileContent::Unreadable(why)) => findings.error(format!("{why}.")),
            Some(FileContent::Missing) | None if *path == "README.md" => {}
            Some(FileContent::Missing) | None => {
                findings.error(format!("The input `pages` names {path}, but the games' branch has no such file."));
            }
        }
    }
}

/// Warns of pages with markers on another branch than that of the games, where the bot never updates them.
pub(super) fn warn_of_other_branch(files: &Files, inputs: &GameInputs, findings: &mut Findings) {
    let Some(branch) = &inputs.branch else { return };
    for path in &inputs.pages {
        let Some(wanted) = file_text(files, path).map(page::wanted_blocks) else { continue };
        if wanted.has_any() {
            findings.warning(format!(
                "{path} has markers here, but with `branch: {branch}` the bot only updates pages on that branch. \
                 Link people to the page there, or keep the games on this branch."
            ));
        }
    }
}

/// Returns the issue of a record, and the round if it is archived; `None` for any other file.
pub(super) fn parse_record_path(path: &str, dir: &str) -> Option<(IssueNumber, Option<u32>)> {
    match StatePath::parse_below(path, dir)? {
        StatePath::Record(issue) => Some((issue, None)),
        StatePath::ArchivedRecord { issue, round } => Some((issue, Some(round))),
        _ => None,
    }
}

fn is_standings_file(path: &str, dir: &str) -> bool {
    matches!(StatePath::parse_below(path, dir), Some(StatePath::Standings(_)))
}

/// Returns the text of a file; `None` if it is missing or unreadable.
fn file_text<'a>(files: &'a Files, path: &str) -> Option<&'a str> {
    files.get(path)?.text()
}
