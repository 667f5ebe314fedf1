//! Plans the files of `init` from the templates and the existing files.

use answers::page;
use anyhow::{Result, anyhow, bail};
use games::GameKind;
use git::WorkTree;
use protocol::FileContent;
use table::IssueNumber;

use crate::doctor::offline;
use crate::init::existing::{current_value, daily_name, split_off_daily, update_workflow};
use crate::init::merge::WorkflowLines;
use crate::init::{Dialog, InitOptions};
use crate::templates::{SiteChoices, WORKFLOW_DIR, link_form, site_workflow, uses_value, with_label, with_labels};
use crate::workflow_steps::{WorkflowStep, is_workflow};
use crate::{
    DAILY_WORKFLOW_PATH, FORM_PATH, LINK_FORM_PATH, SITE_WORKFLOW_PATH, WORKFLOW_PATH, WorkflowChoices, WorkflowKind,
    YamlNode, awaited_workflows, game_workflow, inputs, issue_form, parse_yaml, unified_diff,
};

/// The paths of the workflow that plays: the default one, and one to use if another workflow has that name.
const PLAY_PATHS: [&str; 2] = [WORKFLOW_PATH, ".github/workflows/play-by-commit.yml"];
/// The paths of the daily workflow.
const DAILY_PATHS: [&str; 2] = [DAILY_WORKFLOW_PATH, ".github/workflows/play-by-commit-daily.yml"];
/// The paths of the workflow that publishes the website.
const SITE_PATHS: [&str; 2] = [SITE_WORKFLOW_PATH, ".github/workflows/games-site.yml"];

/// What a host can do if a workflow can't be split in two.
const SPLIT_BY_HAND: &str = "By hand: move its `schedule:` to a copy of the file, named daily.yml, that has no other events but \
    `workflow_dispatch`";

/// A file to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Draft {
    /// The path from the root of the repository.
    pub(super) path: String,
    /// The text, with LF line endings.
    pub(super) text: String,
}

/// An existing workflow that uses this action.
pub(super) struct ExistingWorkflow {
    path: String,
    /// The text, with LF line endings.
    text: String,
    /// The steps that use this action; never empty.
    pub(super) steps: Vec<WorkflowStep>,
}

/// Finds the workflows with steps that use this action. `steps` finds those of a workflow.
///
/// # Errors
/// Returns an error if one of them isn't valid YAML, because `init` can't keep its inputs then.
pub(super) fn find_workflows(
    tree: &WorkTree,
    steps: impl Fn(&str, &str, Option<&str>) -> Result<Vec<WorkflowStep>>,
) -> Result<Vec<ExistingWorkflow>> {
    let action = tree.read("action.yml");
    let mut workflows = Vec::new();
    for path in tree.list(WORKFLOW_DIR).into_iter().filter(|path| is_workflow(path)) {
        let FileContent::Text(text) = tree.read(&path) else { continue };
        let text = text.replace("\r\n", "\n");
        match steps(&path, &text, action.text()) {
            Ok(steps) if steps.is_empty() => {}
            Ok(steps) => workflows.push(ExistingWorkflow { path, text, steps }),
            Err(why) => bail!(
                "{path} can't be read as YAML: {why}. Repair it first, or delete it: init keeps what a workflow says, and \
                 can't read this one"
            ),
        }
    }
    Ok(workflows)
}

/// The drafts of the workflows of games.
pub(super) struct GameDrafts {
    /// The workflow that plays.
    pub(super) play: Draft,
    /// The daily one; `None` if the host deleted it.
    pub(super) daily: Option<Draft>,
    /// The name of the workflow that plays, if the daily one is split off from it.
    pub(super) split_from: Option<String>,
}

/// Plans the workflows of games: new ones, or the existing ones with these choices.
///
/// # Errors
/// Returns an error for the host if the existing workflows have to stay unchanged.
pub(super) fn plan_game_workflows(
    tree: &WorkTree,
    existing: &[ExistingWorkflow],
    choices: &WorkflowChoices,
) -> Result<GameDrafts> {
    if existing.is_empty() {
        let draft = |paths, kind| Draft { path: free_path(tree, paths), text: game_workflow(kind, choices) };
        let play = draft(PLAY_PATHS, WorkflowKind::Play);
        return Ok(GameDrafts { play, daily: Some(draft(DAILY_PATHS, WorkflowKind::Daily)), split_from: None });
    }
    let action = tree.read("action.yml");
    let action = action.text();
    let hint = |step: &WorkflowStep| match step.events().contains(&"schedule") && step.kind() == WorkflowKind::Play {
        true => format!(". {SPLIT_BY_HAND}"),
        false => String::new(),
    };
    let update = |ExistingWorkflow { path, text, steps }: &ExistingWorkflow| {
        let text = update_workflow(text, &steps[0], choices, action)
            .map_err(|why| anyhow!("{path}: left unchanged, because {why}{}", hint(&steps[0])))?;
        Ok::<_, anyhow::Error>(Draft { path: path.clone(), text })
    };
    let update_play = |workflow: &ExistingWorkflow| {
        let Draft { path, text } = update(workflow)?;
        let chosen = choices.inputs.iter().find(|(name, _)| name == "only-labels").map(|(_, labels)| labels);
        let in_file = choices.file.get("only-labels").map(str::to_owned);
        let kept = in_file
            .or_else(|| workflow.steps[0].literal_input("only-labels"))
            .and_then(|labels| with_labels(&text, &labels));
        let text = match chosen {
            None => kept.unwrap_or(text),
            Some(labels) => with_labels(&text, labels).ok_or_else(|| {
                anyhow!("{path}: left unchanged, because its `if:` is your own. Add your labels to it by hand")
            })?,
        };
        Ok::<_, anyhow::Error>(Draft { path, text })
    };
    let is_single = |workflow: &&ExistingWorkflow| workflow.steps.len() == 1;
    let (plays, dailies): (Vec<_>, Vec<_>) =
        existing.iter().filter(is_single).partition(|workflow| workflow.steps[0].kind() == WorkflowKind::Play);
    match (plays.as_slice(), dailies.as_slice()) {
        _ if plays.len() + dailies.len() < existing.len() => {}
        ([play], [daily]) => {
            return Ok(GameDrafts { play: update_play(play)?, daily: Some(update(daily)?), split_from: None });
        }
        ([play], []) => {
            let path = free_path(tree, DAILY_PATHS);
            let step = &play.steps[0];
            let draft = update_play(play)?;
            if !step.events().contains(&"schedule") && tree.has_history(&path) {
                return Ok(GameDrafts { play: draft, daily: None, split_from: None });
            }
            let text = split_off_daily(&play.text, step, &path, choices, action)
                .map_err(|why| anyhow!("{}: left unchanged, because {why}{}", play.path, hint(step)))?;
            let daily = Some(Draft { path, text });
            return Ok(GameDrafts { play: draft, daily, split_from: Some(step.workflow_name().to_owned()) });
        }
        ([], [daily]) => bail!(
            "{}: left unchanged, because no workflow here has comments start it. Copy play.yml from the README of Play by \
             Commit, with the same inputs",
            daily.path
        ),
        _ => {}
    }
    let paths: Vec<&str> = existing.iter().map(|existing| existing.path.as_str()).collect();
    bail!("{}: left unchanged, because more than one step plays", paths.join(", "))
}

/// Plans the workflow that publishes the website with the games of a step. `names` are those of the workflows of games.
///
/// # Errors
/// Returns an error if the step's `branch` or `state-dir` is an expression or invalid.
pub(super) fn plan_site_workflow(
    tree: &WorkTree,
    existing: &[ExistingWorkflow],
    playing: &WorkflowStep,
    names: Vec<String>,
    WorkflowChoices { version, file, .. }: &WorkflowChoices,
) -> Result<Draft> {
    let version = version.as_ref();
    let value = |name: &str| file.get(name).map(str::to_owned).or_else(|| playing.input(name));
    for name in ["branch", "state-dir"] {
        if playing.has_expression(name) {
            let path = &playing.path;
            bail!(
                "{path} has an expression for `{name}`, which the site's workflow can't evaluate. Write its value instead"
            );
        }
    }
    let mut choices = SiteChoices {
        version: version.cloned().or_else(|| current_version(playing)),
        game_workflow_names: names,
        branch: inputs::parse_branch(value("branch"))?,
        state_dir: inputs::parse_state_dir(value("state-dir"))?,
        inputs: Vec::new(),
    };
    let Some(ExistingWorkflow { path, text, steps }) = existing.first() else {
        return Ok(Draft { path: free_path(tree, SITE_PATHS), text: site_workflow(&choices) });
    };
    let step = &steps[0];
    choices.version = version.cloned().or_else(|| current_version(step));
    let with = step.node.get("with");
    for name in step.input_names().into_iter().filter(|name| !["site", "state-dir"].contains(name)) {
        let value = with.and_then(|with| current_value(text, with, name));
        choices.inputs.extend(value.map(|value| (name.to_owned(), value)));
    }
    let mut updated = site_workflow(&choices);
    for (parent, key) in [(&step.root, "name"), (&step.job.1, "runs-on"), (&step.job.1, "timeout-minutes")] {
        let begin = if key == "name" { format!("{key}: ") } else { format!("    {key}: ") };
        let line = updated.lines().find(|line| line.starts_with(&begin)).map(str::to_owned);
        if let (Some(line), Some(value)) = (line, current_value(text, parent, key)) {
            updated = updated.replacen(&format!("\n{line}\n"), &format!("\n{begin}{value}\n"), 1);
        }
    }
    Ok(Draft { path: path.clone(), text: updated })
}

/// Plans a site's workflow that starts after the daily workflow, too; `None` if it does already, or its layout is unsupported.
pub(super) fn plan_awaited_daily(ExistingWorkflow { path, text, .. }: &ExistingWorkflow, play: &str) -> Option<Draft> {
    let names = awaited_names(text);
    let daily = daily_name(play);
    if !names.iter().any(|name| name == play) || names.contains(&daily) {
        return None;
    }
    let names: Vec<String> = names.into_iter().chain([daily]).collect();
    let mut workflow = WorkflowLines::new(WorkflowKind::Play, text);
    workflow.set(&["on", "workflow_run", "workflows"], Some(awaited_workflows(&names)))?;
    let text = workflow.text();
    (awaited_names(&text) == names).then(|| Draft { path: path.clone(), text })
}

/// Returns the names of the workflows whose end starts a workflow.
fn awaited_names(text: &str) -> Vec<String> {
    let root = parse_yaml(text).ok();
    let names = root.as_ref().and_then(|root| root.get_path(&["on", "workflow_run", "workflows"]));
    names.map(YamlNode::names).unwrap_or_default().into_iter().map(str::to_owned).collect()
}

/// Returns the paths of other workflows that start when a workflow of this name ends.
pub(super) fn workflows_after(tree: &WorkTree, name: &str, known: &[Draft]) -> Vec<String> {
    let is_after = |path: &String| match tree.read(path) {
        FileContent::Text(text) => awaited_names(&text).iter().any(|awaited| awaited == name),
        _ => false,
    };
    let others = tree.list(WORKFLOW_DIR).into_iter().filter(|path| is_workflow(path));
    others.filter(|path| !known.iter().any(|draft| draft.path == *path)).filter(is_after).collect()
}

/// Returns the version of the action in a step, with its comment; `None` if the action is in the same repository.
fn current_version(step: &WorkflowStep) -> Option<String> {
    let (_, version) = step.uses().split_once('@')?;
    let default = uses_value(version).ends_with(&step.version_comment);
    Some(if default || step.version_comment.is_empty() {
        version.to_owned()
    } else {
        format!("{version} # {}", step.version_comment)
    })
}

/// Plans the issue form; returns `None` if the existing one is good. In an existing form, only the list of games changes.
///
/// # Errors
/// Returns an error if the host deleted the form, or has another one under its name.
pub(super) fn plan_issue_form(tree: &WorkTree, games: &[GameKind], label: Option<&str>) -> Result<Option<Draft>> {
    let labeled = |text: String| label.map_or(text.clone(), |label| with_label(&text, label));
    match tree.read(FORM_PATH) {
        FileContent::Text(text) if offline::offers_exactly(&text, games) => {
            let text = text.replace("\r\n", "\n");
            let new = labeled(text.clone());
            return Ok((new != text).then(|| Draft { path: FORM_PATH.to_owned(), text: new }));
        }
        FileContent::Text(text) if !offline::is_game_form(&text) => {
            bail!("{FORM_PATH}: left unchanged, because it isn't a form for games.");
        }
        FileContent::Text(text) => {
            let Some(text) = offline::with_games(&text.replace("\r\n", "\n"), games) else {
                bail!(
                    "{FORM_PATH}: left unchanged, because it has parts of your own. `play-by-commit doctor` checks it."
                );
            };
            return Ok(Some(Draft { path: FORM_PATH.to_owned(), text: labeled(text) }));
        }
        FileContent::Missing if tree.has_history(FORM_PATH) => {
            bail!("{FORM_PATH}: not written, because you deleted it. `git` can restore it.");
        }
        _ => {}
    }
    Ok(Some(Draft { path: FORM_PATH.to_owned(), text: labeled(issue_form(games)) }))
}

/// Plans the issue form that links of boards fill in, if the bot listens only in issues with a label; `None` if it's up
/// to date.
pub(super) fn plan_link_form(tree: &WorkTree, label: &str) -> Option<Draft> {
    let old = tree.read(LINK_FORM_PATH);
    let text = match &old {
        FileContent::Missing => link_form(label),
        old => with_label(old.text()?, label),
    };
    (old.text() != Some(&text)).then(|| Draft { path: LINK_FORM_PATH.to_owned(), text })
}

/// Returns the first path if no file has it, else the second.
fn free_path(tree: &WorkTree, paths: [&str; 2]) -> String {
    let [default, other] = paths;
    if tree.read(default) == FileContent::Missing { default.to_owned() } else { other.to_owned() }
}

// Writes the files of `init`, and asks before it changes one.

/// The outcome for a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileOutcome {
    /// The file was written, or would be in a dry run.
    Written,
    /// The file needs no change.
    UpToDate,
    /// The file needs a change, but was left unchanged.
    Skipped,
}

/// Writes a file. If it exists and differs, shows the diff and asks first.
pub(super) fn write_draft(
    dialog: Dialog<'_>,
    tree: &WorkTree,
    Draft { path, text }: &Draft,
    options: &InitOptions,
) -> Result<FileOutcome> {
    let old = match tree.read(path) {
        FileContent::Missing => None,
        FileContent::Text(old) => Some(old),
        FileContent::Unreadable(why) => bail!("{why}. It was left unchanged"),
    };
    let old_text = old.as_ref().map(|old| old.replace("\r\n", "\n")).unwrap_or_default();
    if old.is_some() && old_text == *text {
        dialog.say(&format!("{path}: up to date."));
        return Ok(FileOutcome::UpToDate);
    }
    if options.dry_run {
        let what = if old.is_some() { "would change" } else { "would be written" };
        dialog.say(&format!("{path} {what}:\n\n{}", sanitize(&unified_diff(path, &old_text, text))));
        return Ok(FileOutcome::Written);
    }
    if old.is_some() {
        let diff = sanitize(&unified_diff(path, &old_text, text));
        dialog.say(&format!("{path} already exists and differs from what init would write:\n\n{diff}"));
        if !options.yes && !dialog.confirm(path)? {
            dialog.say(&format!("{path}: left unchanged."));
            return Ok(FileOutcome::Skipped);
        }
    }
    tree.write(path, &old.as_ref().map_or_else(|| text.clone(), |old| with_line_endings_of(old, text)))?;
    dialog.say(&format!("{path}: {}.", if old.is_some() { "updated" } else { "written" }));
    Ok(FileOutcome::Written)
}

/// Removes the characters of a file that could change a terminal.
fn sanitize(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
}

// Adds markers to the end of a page.

/// A block to show on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadmeBlock {
    /// The table of this issue.
    Table(u32),
    /// The list of tables.
    Tables,
    /// The standings of all games.
    Standings,
    /// A table that doesn't exist yet: explain how to open it.
    FutureTable,
}

/// Parses the value of `--readme`.
///
/// # Errors
/// Returns an error if the value is neither a number nor `tables` or `standings`.
pub fn parse_readme_block(text: &str) -> Result<ReadmeBlock> {
    let number = text.strip_prefix('#').unwrap_or(text).parse().ok().filter(|number: &u32| *number > 0);
    match (text, number) {
        ("", _) => Ok(ReadmeBlock::FutureTable),
        ("tables", _) => Ok(ReadmeBlock::Tables),
        ("standings", _) => Ok(ReadmeBlock::Standings),
        (_, Some(number)) => Ok(ReadmeBlock::Table(number)),
        _ => bail!("use the number of a table, `tables` or `standings`"),
    }
}

/// A page with added markers.
pub(super) struct MarkedPage {
    /// The old text of the page; empty if there was none.
    pub(super) before: String,
    /// The new text.
    pub(super) text: String,
    /// The markers that the host has to add by hand, because they wouldn't count at the end of the page.
    pub(super) by_hand: Vec<String>,
}

/// Adds markers for these blocks to the end of a page, except for those that it has already.
///
/// # Errors
/// Returns an error if the page can't be read, or if a new page would hide another one.
pub(super) fn add_markers(tree: &WorkTree, path: &str, blocks: &[ReadmeBlock]) -> Result<MarkedPage> {
    let before = match tree.read(path) {
        FileContent::Text(text) => text,
        FileContent::Missing => {
            check_name(tree, path)?;
            String::new()
        }
        FileContent::Unreadable(why) => bail!("{why}. It was left unchanged"),
    };
    let mut page = MarkedPage { text: before.clone(), before, by_hand: Vec::new() };
    for block in blocks {
        let Some((subject, word)) = block.marker() else { continue };
        if block.is_on(&page.text) {
            continue;
        }
        let lines = format!("<!-- play-by-commit:{subject} -->\n<!-- /play-by-commit:{word} -->\n");
        let space = match page.text.as_str() {
            "" => "",
            text if text.ends_with('\n') => "\n",
            _ => "\n\n",
        };
        let text = format!("{}{}", page.text, with_line_endings_of(&page.text, &format!("{space}{lines}")));
        // The end of the page can be in a code block or a comment, or the page can have too many markers.
        if block.is_on(&text) {
            page.text = text;
        } else {
            page.by_hand.push(lines);
        }
    }
    Ok(page)
}

/// Checks that a new page wouldn't replace one that GitHub shows now.
fn check_name(tree: &WorkTree, path: &str) -> Result<()> {
    let names = tree.list_root();
    if let Some(name) = names.iter().find(|name| name.eq_ignore_ascii_case(path)) {
        bail!("there is no {path}, but a {name}: name it with `--pages {name}`");
    }
    // GitHub shows the README of `.github` first, then that of the root, then that of `docs`.
    let places = [".github", "docs"].map(|dir| tree.list(dir)).concat();
    if path == "README.md"
        && let Some(shown) = places.iter().find(|path| {
            let name = path.strip_prefix(".github/").or(path.strip_prefix("docs/"));
            name.is_some_and(|name| name.eq_ignore_ascii_case("README.md"))
        })
    {
        bail!("your README is {shown}: name it with `--pages {shown}`");
    }
    let is_readme = |name: &str| name.split('.').next().is_some_and(|stem| stem.eq_ignore_ascii_case("README"));
    if path == "README.md"
        && let Some(name) = names.iter().find(|name| is_readme(name))
    {
        bail!(
            "GitHub would show a new README.md in place of your {name}, and markers work in Markdown only. Name another \
             page: `--pages docs/games.md`"
        );
    }
    Ok(())
}

impl ReadmeBlock {
    /// Returns the text of the start marker, and the word of the end marker.
    fn marker(self) -> Option<(String, &'static str)> {
        match self {
            ReadmeBlock::Table(number) => Some((format!("table {number}"), "table")),
            ReadmeBlock::Tables => Some(("tables".to_owned(), "tables")),
            ReadmeBlock::Standings => Some(("standings".to_owned(), "standings")),
            ReadmeBlock::FutureTable => None,
        }
    }

    fn is_on(self, page: &str) -> bool {
        let wanted = page::wanted_blocks(page);
        match self {
            ReadmeBlock::Table(number) => wanted.tables.contains(&IssueNumber::new(u64::from(number))),
            ReadmeBlock::Tables => wanted.list,
            ReadmeBlock::Standings | ReadmeBlock::FutureTable => wanted.standings,
        }
    }
}

/// Converts the line endings of `lines` to those of most lines of `file`.
fn with_line_endings_of(file: &str, lines: &str) -> String {
    let is_crlf = file.matches("\r\n").count() * 2 > file.matches('\n').count();
    if is_crlf { lines.replace('\n', "\r\n") } else { lines.to_owned() }
}
