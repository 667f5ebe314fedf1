//! The findings in the files of a repository about its setup and its games, wherever the files were read.

use std::collections::BTreeMap;

use answers::pages::page::{self, FreshBlocks};
use games::registry::Kind;
use protocol::config;
use standings::audit;
use table::any::{AnyTable, with_table};
use table::state_file;
use table::talk::thread::File;

use crate::doctor::findings::Findings;
use crate::doctor::{forms, site, workflow};
use crate::workflow_steps::{WorkflowStep, is_workflow, own_steps, site_steps};

/// The share of a limit from which on the host is warned, in percent.
const NEAR: usize = 80;

/// The inputs of the workflow, as far as the files of the repository go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GameInputs {
    pub(super) branch: Option<String>,
    pub(super) state_dir: String,
    pub(super) pages: Vec<String>,
    /// The games that may be played; empty for all of them.
    pub(super) games: Vec<Kind>,
}

/// Files by their paths; one that was asked for and is not there is missing.
pub(super) type Texts = BTreeMap<String, File>;

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
pub(super) fn judge_setup(texts: &Texts, enterprise: bool, findings: &mut Findings) -> GameInputs {
    let own = text(texts, "action.yml");
    let (mut all, mut broken): (Vec<WorkflowStep>, bool) = (Vec::new(), false);
    for (path, file) in texts.iter().filter(|(path, _)| is_workflow(path)) {
        match file {
            File::Text(text) => match own_steps(path, text, own) {
                Ok(found) => all.extend(found),
                Err(why) => {
                    broken = true;
                    findings.change(format!("{path} can't be read as YAML: {why}."));
                }
            },
            File::Unreadable(why) => findings.change(format!("{why}.")),
            File::Missing => {}
        }
    }
    all.iter().for_each(|step| workflow::judge(step, enterprise, findings));
    for (path, file) in texts.iter().filter(|(path, _)| is_workflow(path)) {
        let steps = file.text().and_then(|text| site_steps(path, text, own).ok()).unwrap_or_default();
        steps.iter().for_each(|step| site::judge(step, &all, enterprise, findings));
    }
    let Some(first) = all.first() else {
        if !broken {
            findings.change("No workflow here uses play-by-commit. `play-by-commit init` writes one.");
        }
        return GameInputs::default();
    };
    judge_rivals(&all, findings);
    let inputs = step_inputs(first);
    forms::judge(texts, &inputs.games, findings);
    inputs
}

/// Judges steps that play beside each other.
fn judge_rivals(playing: &[WorkflowStep], findings: &mut Findings) {
    let place = |step: &WorkflowStep| (step_inputs(step).branch, step_inputs(step).state_dir);
    for (at, step) in playing.iter().enumerate() {
        let Some(rival) = playing[..at].iter().find(|rival| place(rival) == place(step)) else { continue };
        let where_else = if rival.path == step.path { "another step of it" } else { &rival.path };
        findings.change(format!(
            "{}, line {}: {where_else} plays the same games, so each comment starts two runs that race. Delete one of them.",
            step.path, step.node.line
        ));
    }
    if let [first, .., last] = playing
        && place(first) != place(last)
    {
        findings.better(
            "More than one step plays here, and each comment starts all of them. Give them different games, with the input \
             `games`, or delete all but one.",
        );
    }
}

/// Returns the inputs of a step that are no expressions and are valid.
fn step_inputs(step: &WorkflowStep) -> GameInputs {
    let plain = |name: &str| {
        let value = step.input(name).filter(|value| !value.contains("${{"))?;
        config::check_input(name, &value).ok().filter(|value| !value.is_empty())
    };
    let usual = GameInputs::default();
    GameInputs {
        branch: config::parse_branch(plain("branch")).unwrap_or(usual.branch),
        state_dir: config::parse_state_dir(plain("state-dir")).unwrap_or(usual.state_dir),
        pages: config::parse_pages(plain("pages")).unwrap_or(usual.pages),
        games: config::parse_games(plain("games")).unwrap_or(usual.games),
    }
}

/// Lists the files that hold the games: records, standings and pages, of all that there are.
pub(super) fn game_paths<'a>(all: impl IntoIterator<Item = &'a str>, inputs: &GameInputs) -> Vec<String> {
    let wanted =
        |path: &&str| record_of(path, &inputs.state_dir).is_some() || is_standings_file(path, &inputs.state_dir);
    // A folder with the name of a record is asked for as well: it can't be read, and that is said.
    let folder = |path: &str| path.split_once(".json/").map(|(folder, _)| format!("{folder}.json"));
    let paths = all.into_iter().map(|path| folder(path).unwrap_or_else(|| path.to_owned()));
    let mut paths: Vec<String> = paths.filter(|path| wanted(&path.as_str())).collect();
    paths.dedup();
    paths.extend(inputs.pages.iter().cloned());
    paths
}

/// Judges records, standings and pages. `whole`: every record is among the texts, so that the standings can be counted.
pub(super) fn judge_games(texts: &Texts, inputs: &GameInputs, whole: bool, findings: &mut Findings) {
    let dir = &inputs.state_dir;
    let mut tables: Vec<(String, AnyTable)> = Vec::new();
    let mut damaged = 0;
    for (path, file) in texts {
        let Some((issue, round)) = record_of(path, dir) else { continue };
        let read = match file {
            File::Text(text) if text.starts_with('\u{feff}') => {
                Err("it begins with a byte order mark, which some editors add to UTF-8".to_owned())
            }
            File::Text(text) => state_file::load(text, issue).map(|table| (text.len(), table)),
            File::Unreadable(why) => Err(why.clone()),
            File::Missing => continue,
        };
        match read {
            Ok((_, table)) if round.is_some_and(|round| round != table.round()) => {
                damaged += 1;
                findings.change(format!(
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
                findings.change(format!("{path} is damaged: {why}. Restore it from an earlier commit."));
            }
        }
    }
    if damaged == 0 {
        findings.good(match tables.len() {
            0 => format!("There are no records in `{dir}` yet."),
            1 => format!("The only record in `{dir}` replays correctly."),
            count => format!("All {count} records in `{dir}` replay correctly."),
        });
    }
    if whole {
        judge_archive(&tables, dir, findings);
    }
    let shown: Vec<u64> = tables
        .iter()
        .filter(|(path, _)| matches!(record_of(path, dir), Some((_, None))))
        .map(|(_, table)| table.issue())
        .collect();
    judge_pages(texts, inputs, &shown, whole, findings);
    if !whole {
        return;
    }
    let sheets = texts.iter().filter(|(path, _)| is_standings_file(path, dir));
    let sheets: BTreeMap<String, String> = sheets
        .map(|(path, _)| (path[dir.len() + 1..].to_owned(), text(texts, path).unwrap_or_default().to_owned()))
        .collect();
    let audit = audit::audit(tables, &sheets);
    audit.wrong.iter().for_each(|wrong| findings.change(format!("The standings are wrong: {wrong}.")));
    if audit.wrong.is_empty() && audit.results > 0 {
        findings.good(format!("The standings are correct: {} results of {} people.", audit.results, audit.people));
    }
}

/// Finds rounds that should be in the archive and aren't.
fn judge_archive(tables: &[(String, AnyTable)], dir: &str, findings: &mut Findings) {
    let rounds: BTreeMap<(u64, u32), &AnyTable> =
        tables.iter().map(|(_, table)| ((table.issue(), table.round()), table)).collect();
    for ((issue, round), table) in &rounds {
        // Earlier rounds of a game that came from another issue are in that issue's archive.
        let came = with_table!(table, record => record.first_issue() != *issue);
        let before = round.saturating_sub(1);
        if before > 0 && !came && !rounds.contains_key(&(*issue, before)) {
            findings.better(format!(
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
        if table.is_playing() && count * 100 >= limit * NEAR {
            findings.better(format!(
                "{path} has {count} of at most {limit} {what}. Finish that game soon; its rematch starts with an \
                 empty record."
            ));
        }
    }
}

fn judge_pages(texts: &Texts, inputs: &GameInputs, tables: &[u64], whole: bool, findings: &mut Findings) {
    for path in &inputs.pages {
        match texts.get(path) {
            Some(File::Text(text)) => {
                let complaints = page::refresh(text, FreshBlocks::default()).complaints;
                complaints.iter().for_each(|complaint| findings.change(format!("{path}: {complaint}")));
                let wanted = page::wanted(text);
                let open: Vec<u64> =
                    wanted.tables.iter().copied().filter(|table| whole && !tables.contains(table)).collect();
                for table in &open {
                    findings.better(format!("{path} shows table {table}, but that table has no game yet."));
                }
                if complaints.is_empty() && !wanted.any() && text.contains("<!-- play-by-commit:") {
                    findings.better(format!(
                        "{path}: its markers are in a code block or in another comment, where they don't count."
                    ));
                }
                if complaints.is_empty() && wanted.any() && open.is_empty() {
                    findings.good(format!("{path}: its markers are correct."));
                }
            }
            Some(File::Unreadable(why)) => findings.change(format!("{why}.")),
            Some(File::Missing) | None if *path == "README.md" => {}
            Some(File::Missing) | None => {
                findings.change(format!("The input `pages` names {path}, but the games' branch has no such file."));
            }
        }
    }
}

/// Warns of pages that ask for boards on a branch that is not the one of the games: they are never filled there.
pub(super) fn warn_of_other_branch(texts: &Texts, inputs: &GameInputs, findings: &mut Findings) {
    let Some(branch) = &inputs.branch else { return };
    for path in &inputs.pages {
        let Some(wanted) = text(texts, path).map(page::wanted) else { continue };
        if wanted.any() {
            findings.better(format!(
                "{path} has markers here, but with `branch: {branch}` the bot only updates pages on that branch. \
                 Link people to the page there, or keep the games on this branch."
            ));
        }
    }
}

/// Returns the issue of a record, and its round if it is in the archive; `None` if the path is not that of a record: `state/42.json`, `state/archive/42-1.json`.
pub(super) fn record_of(path: &str, dir: &str) -> Option<(u64, Option<u32>)> {
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
fn text<'a>(texts: &'a Texts, path: &str) -> Option<&'a str> {
    texts.get(path)?.text()
}
