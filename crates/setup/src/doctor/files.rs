//! The findings in the files of a repository about its setup and its games, wherever the files were read.

use std::collections::BTreeMap;

use answers::pages::page::{self, BlockUpdates};
use games::registry::GameKind;
use protocol::inputs;
use standings::audit;
use table::any_table::{AnyTable, with_table};
use table::state_file;
use table::talk::thread::FileContent;

use crate::doctor::findings::Findings;
use crate::doctor::{forms, site, workflow};
use crate::workflow_steps::{WorkflowStep, is_workflow, play_steps, site_steps};

/// The share of a limit from which on the host is warned, in percent.
const WARN_PERCENT: usize = 80;

/// The inputs of the workflow, as far as the files of the repository go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GameInputs {
    pub(super) branch: Option<String>,
    pub(super) state_dir: String,
    pub(super) pages: Vec<String>,
    /// The games that may be played; empty for all of them.
    pub(super) games: Vec<GameKind>,
}

/// Files by their paths; one that was asked for and is not there is missing.
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

/// Lists the files that set a repository up, of all that there are.
pub(super) fn setup_paths<'a>(all: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let form =
        |path: &str| path.starts_with(".github/ISSUE_TEMPLATE/") && (path.ends_with(".yml") || path.ends_with(".yaml"));
    let wanted = all.into_iter().filter(|path| is_workflow(path) || form(path) || *path == "action.yml");
    wanted.map(str::to_owned).collect()
}

/// Judges the workflow and the issue forms, and returns the inputs by which the games are found.
pub(super) fn check_setup(texts: &Files, enterprise: bool, findings: &mut Findings) -> GameInputs {
    let own = file_text(texts, "action.yml");
    let (mut all, mut broken): (Vec<WorkflowStep>, bool) = (Vec::new(), false);
    for (path, file) in texts.iter().filter(|(path, _)| is_workflow(path)) {
        match file {
            FileContent::Text(text) => match play_steps(path, text, own) {
                Ok(found) => all.extend(found),
                Err(why) => {
                    broken = true;
                    findings.error(format!("{path} can't be read as YAML: {why}."));
                }
            },
            FileContent::Unreadable(why) => findings.error(format!("{why}.")),
            FileContent::Missing => {}
        }
    }
    all.iter().for_each(|step| workflow::check_workflow(step, enterprise, findings));
    for (path, file) in texts.iter().filter(|(path, _)| is_workflow(path)) {
        let steps = file.text().and_then(|text| site_steps(path, text, own).ok()).unwrap_or_default();
        steps.iter().for_each(|step| site::check_site_step(step, &all, enterprise, findings));
    }
    let Some(first) = all.first() else {
        if !broken {
            findings.error("No workflow here uses play-by-commit. `play-by-commit init` writes one.");
        }
        return GameInputs::default();
    };
    check_rival_steps(&all, findings);
    let inputs = step_inputs(first);
    forms::check_forms(texts, &inputs.games, findings);
    inputs
}

/// Judges steps that play beside each other.
fn check_rival_steps(playing: &[WorkflowStep], findings: &mut Findings) {
    let place = |step: &WorkflowStep| (step_inputs(step).branch, step_inputs(step).state_dir);
    for (at, step) in playing.iter().enumerate() {
        let Some(rival) = playing[..at].iter().find(|rival| place(rival) == place(step)) else { continue };
        let where_else = if rival.path == step.path { "another step of it" } else { &rival.path };
        findings.error(format!(
            "{}, line {}: {where_else} plays the same games, so each comment starts two runs that race. Delete one of them.",
            step.path, step.node.line
        ));
    }
    if let [first, .., last] = playing
        && place(first) != place(last)
    {
        findings.warning(
            "More than one step plays here, and each comment starts all of them. Give them different games, with the input \
             `games`, or delete all but one.",
        );
    }
}

/// Returns the inputs of a step that are no expressions and are valid.
fn step_inputs(step: &WorkflowStep) -> GameInputs {
    let plain = |name: &str| {
        let value = step.input(name).filter(|value| !value.contains("${{"))?;
        inputs::check_input(name, &value).ok().filter(|value| !value.is_empty())
    };
    let usual = GameInputs::default();
    GameInputs {
        branch: inputs::parse_branch(plain("branch")).unwrap_or(usual.branch),
        state_dir: inputs::parse_state_dir(plain("state-dir")).unwrap_or(usual.state_dir),
        pages: inputs::parse_pages(plain("pages")).unwrap_or(usual.pages),
        games: inputs::parse_games(plain("games")).unwrap_or(usual.games),
    }
}

/// Lists the files that hold the games: records, standings and pages, of all that there are.
pub(super) fn game_paths<'a>(all: impl IntoIterator<Item = &'a str>, inputs: &GameInputs) -> Vec<String> {
    let wanted = |path: &&str| {
        parse_record_path(path, &inputs.state_dir).is_some() || is_standings_file(path, &inputs.state_dir)
    };
    // A folder with the name of a record is asked for as well: it can't be read, and that is said.
    let folder = |path: &str| path.split_once(".json/").map(|(folder, _)| format!("{folder}.json"));
    let paths = all.into_iter().map(|path| folder(path).unwrap_or_else(|| path.to_owned()));
    let mut paths: Vec<String> = paths.filter(|path| wanted(&path.as_str())).collect();
    paths.dedup();
    paths.extend(inputs.pages.iter().cloned());
    paths
}

/// Judges records, standings and pages. `whole`: every record is among the texts, so that the standings can be counted.
pub(super) fn check_games(texts: &Files, inputs: &GameInputs, whole: bool, findings: &mut Findings) {
    let dir = &inputs.state_dir;
    let mut tables: Vec<(String, AnyTable)> = Vec::new();
    let mut damaged = 0;
    for (path, file) in texts {
        let Some((issue, round)) = parse_record_path(path, dir) else { continue };
        let read = match file {
            FileContent::Text(text) if text.starts_with('\u{feff}') => {
                Err("it begins with a byte order mark, which some editors add to UTF-8".to_owned())
            }
            FileContent::Text(text) => state_file::load(text, issue).map(|table| (text.len(), table)),
            FileContent::Unreadable(why) => Err(why.clone()),
            FileContent::Missing => continue,
        };
        match read {
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
    if whole {
        check_archive(&tables, dir, findings);
    }
    let shown: Vec<u64> = tables
        .iter()
        .filter(|(path, _)| matches!(parse_record_path(path, dir), Some((_, None))))
        .map(|(_, table)| table.issue())
        .collect();
    check_pages(texts, inputs, &shown, whole, findings);
    if !whole {
        return;
    }
    let sheets = texts.iter().filter(|(path, _)| is_standings_file(path, dir));
    let sheets: BTreeMap<String, String> = sheets
        .map(|(path, _)| (path[dir.len() + 1..].to_owned(), file_text(texts, path).unwrap_or_default().to_owned()))
        .collect();
    let audit = audit::audit(tables, &sheets);
    audit.faults.iter().for_each(|wrong| findings.error(format!("The standings are wrong: {wrong}.")));
    if audit.faults.is_empty() && audit.results > 0 {
        findings.ok(format!("The standings are correct: {} results of {} people.", audit.results, audit.people));
    }
}

/// Finds rounds that should be in the archive and aren't.
fn check_archive(tables: &[(String, AnyTable)], dir: &str, findings: &mut Findings) {
    let rounds: BTreeMap<(u64, u32), &AnyTable> =
        tables.iter().map(|(_, table)| ((table.issue(), table.round()), table)).collect();
    for ((issue, round), table) in &rounds {
        // Earlier rounds of a game that came from another issue are in that issue's archive.
        let came = with_table!(table, record => record.first_issue() != *issue);
        let before = round.saturating_sub(1);
        if before > 0 && !came && !rounds.contains_key(&(*issue, before)) {
            findings.warning(format!(
                "{dir}/archive/{issue}-{before}.json is missing: round {before} of that table isn't on the site any more. \
                 Restore it from an earlier commit."
            ));
        }
    }
}

/// Warns of a game that goes on and is about to be too long for its record.
fn warn_if_near_limits(path: &str, bytes: usize, table: &AnyTable, findings: &mut Findings) {
    let events = with_table!(table, record => record.history().len());
    for (count, limit, what) in [(bytes, state_file::MAX_BYTES, "bytes"), (events, state_file::MAX_EVENTS, "events")] {
        if table.is_playing() && count * 100 >= limit * WARN_PERCENT {
            findings.warning(format!(
                "{path} has {count} of at most {limit} {what}. Finish that game soon; its rematch starts with an \
                 empty record."
            ));
        }
    }
}

fn check_pages(texts: &Files, inputs: &GameInputs, tables: &[u64], whole: bool, findings: &mut Findings) {
    for path in &inputs.pages {
        match texts.get(path) {
            Some(FileContent::Text(text)) => {
                let complaints = page::refresh(text, BlockUpdates::default()).problems;
                complaints.iter().for_each(|complaint| findings.error(format!("{path}: {complaint}")));
                let wanted = page::wanted_blocks(text);
                let open: Vec<u64> =
                    wanted.tables.iter().copied().filter(|table| whole && !tables.contains(table)).collect();
                for table in &open {
                    findings.warning(format!("{path} shows table {table}, but that table has no game yet."));
                }
                if complaints.is_empty() && !wanted.has_any() && text.contains("<!-- play-by-commit:") {
                    findings.warning(format!(
                        "{path}: its markers are in a code block or in another comment, where they don't count."
                    ));
                }
                if complaints.is_empty() && wanted.has_any() && open.is_empty() {
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

/// Warns of pages that ask for boards on a branch that is not the one of the games: they are never filled there.
pub(super) fn warn_of_other_branch(texts: &Files, inputs: &GameInputs, findings: &mut Findings) {
    let Some(branch) = &inputs.branch else { return };
    for path in &inputs.pages {
        let Some(wanted) = file_text(texts, path).map(page::wanted_blocks) else { continue };
        if wanted.has_any() {
            findings.warning(format!(
                "{path} has markers here, but with `branch: {branch}` the bot only updates pages on that branch. \
                 Link people to the page there, or keep the games on this branch."
            ));
        }
    }
}

/// Returns the issue of a record, and its round if it is in the archive; `None` if the path is not that of a record: `state/42.json`, `state/archive/42-1.json`.
pub(super) fn parse_record_path(path: &str, dir: &str) -> Option<(u64, Option<u32>)> {
    let name = path.strip_prefix(dir)?.strip_prefix('/')?.strip_suffix(".json")?;
    match name.strip_prefix("archive/") {
        Some(name) => {
            let (issue, round) = name.split_once('-')?;
            Some((issue.parse().ok()?, Some(round.parse().ok()?)))
        }
        None => Some((name.parse().ok()?, None)),
    }
}

fn is_standings_file(path: &str, dir: &str) -> bool {
    let name = path.strip_prefix(dir).and_then(|path| path.strip_prefix("/players/"));
    name.is_some_and(|name| name.ends_with(".json") && !name.contains('/'))
}

/// Returns the text of a file; `None` if it is missing or cannot be read.
fn file_text<'a>(texts: &'a Files, path: &str) -> Option<&'a str> {
    texts.get(path)?.text()
}
