//! `play-by-commit init`: writes the workflow and the issue form, and explains the next steps.
//!
//! It only writes files in the work tree, which the host commits. It asks before it changes a file, and keeps everything in an
//! existing workflow that games don't need to be different.

mod existing;
pub mod merge;
pub mod plan;
mod settings;

use std::io;
use std::io::{BufRead, IsTerminal, Write};
use std::path::PathBuf;

use answers::Links;
use answers::commit_message::placeholder;
use anyhow::{Result, bail};
use games::GameKind;
use git::{Remote, WorkTree};
use protocol::{FileContent, SETTINGS_PATH, is_enterprise_server};

use crate::action_version::{ActionVersion, is_commit_id, major_version};
use crate::doctor::Fact;
use crate::init::plan::{Draft, FileOutcome, MarkedPage, ReadmeBlock, add_markers, write_draft};
use crate::templates::{CONFIG_PATHS, FORM_DIR, disables_blank_issues, release_tag};
use crate::workflow_steps::WorkflowStep;
use crate::{FORM_PATH, FileSettings, WorkflowChoices, WorkflowKind, inputs, play_steps, site_steps};

/// The suggested branch for the games.
const SUGGESTED_BRANCH: &str = "play";

/// The options of `init`.
#[derive(Clone, Debug, Default)]
pub struct InitOptions {
    /// A directory in the work tree.
    pub repo: PathBuf,
    /// The blocks to add to the page.
    pub readme: Vec<ReadmeBlock>,
    /// Whether to write for GitHub Enterprise Server even if the remote isn't on one.
    pub enterprise: bool,
    /// The version of the action.
    pub version: Option<String>,
    /// Whether to change files without asking.
    pub yes: bool,
    /// Whether to show all changes instead of writing them.
    pub dry_run: bool,
    /// Whether to write the workflow that publishes the website, too.
    pub site: bool,
    /// Whether to leave the issue form out.
    pub no_form: bool,
    /// Whether a server plays, so that there is no workflow to write.
    pub server: bool,
    /// Inputs of the action, with their names.
    pub inputs: Vec<(String, String)>,
}

/// The setup after all files are written.
struct Setup {
    /// The step that plays, if there is exactly one besides the daily one.
    step: Option<WorkflowStep>,
    /// The names of the workflows of games.
    names: Vec<String>,
    /// Whether there was no workflow that plays before.
    is_new: bool,
    games: Vec<GameKind>,
    /// The settings in the repository's settings file.
    file: FileSettings,
}

/// The files to write.
struct Plan {
    drafts: Vec<Draft>,
    setup: Setup,
    /// Whether the workflow has to stay without the requested choices.
    is_skipped: bool,
    /// The path of the daily workflow, if it is split off from the workflow that plays.
    split_path: Option<String>,
}

/// Sets up a repository, and reports with `print`. Returns whether every file is as requested.
///
/// # Errors
/// Returns an error if there is no work tree, an option is invalid, or a file can't be read or written.
pub fn init(options: &InitOptions, print: &dyn Fn(&str)) -> Result<bool> {
    let dialog = Dialog { print };
    let inputs = options.inputs.iter().map(|(name, value)| Ok((name.clone(), inputs::check_input(name, value)?)));
    let inputs: Vec<(String, String)> = inputs.collect::<Result<_>>()?;
    let version = options.version.as_deref().map(parse_version).transpose()?;
    let tree = WorkTree::open(&options.repo)?;
    let remote = tree.remote();
    let enterprise = options.enterprise || remote.as_ref().is_some_and(|remote| is_enterprise_server(&remote.host));
    if options.site && enterprise {
        bail!(
            "The site's workflow uses newer Pages actions than GitHub Enterprise Server runs. From 3.9 on, write one with \
             actions/deploy-pages@v3 and actions/upload-pages-artifact@v2, or build the site with `play-by-commit site \
             --out DIR` and put its files on any web server"
        );
    }
    let playing = plan::find_workflows(&tree, play_steps)?;
    let mut choices = WorkflowChoices { version, enterprise, inputs, file: file_settings(&tree) };
    if options.server {
        return set_up_for_server(dialog, options, &tree, &playing, choices);
    }
    if playing.is_empty() {
        choose_branch(dialog, options, remote.as_ref(), &mut choices)?;
        if options.site && !choices.has_input("site-url") {
            let url = remote.as_ref().and_then(|remote| inputs::pages_url(&remote.repository));
            choices.inputs.extend(url.map(|url| ("site-url".to_owned(), url)));
        }
    }
    warn_of_moved_games(dialog, &playing, &choices);
    let settings = settings::plan_settings(&tree, false, &playing, &mut choices)?;
    let has_forms = !tree.list(FORM_DIR).is_empty();
    let Plan { mut drafts, setup, is_skipped, split_path } = plan_files(dialog, options, &tree, &playing, &choices)?;
    drafts.extend(settings);
    let page_path = setup.first_page();
    let page = if options.readme.is_empty() { None } else { Some(add_markers(&tree, &page_path, &options.readme)?) };
    let mut outcomes: Vec<FileOutcome> = is_skipped.then_some(FileOutcome::Skipped).into_iter().collect();
    for draft in &drafts {
        // If the workflow that plays keeps its schedule, a second one would only cost time.
        if split_path.as_ref() == Some(&draft.path) && outcomes.contains(&FileOutcome::Skipped) {
            dialog.say(&format!("{}: not written.", draft.path));
            continue;
        }
        outcomes.push(write_draft(dialog, &tree, draft, options)?);
    }
    if let Some(page) = page {
        outcomes.extend(write_page(dialog, &tree, &page_path, &page, options)?);
    }
    if !has_forms && drafts.iter().any(|draft| draft.path == FORM_PATH) {
        dialog.say(
            "This form hides the issue templates that your organization shares with all its repositories. `--no-form` \
             leaves it out.",
        );
    }
    print_caveats(dialog, options, &tree, &setup, &choices);
    for step in playing.iter().flat_map(|workflow| &workflow.steps).filter(|step| step.old_input().is_some()) {
        dialog.say(&format!("{}: {}.", step.path, Fact::OldInput));
    }
    print_next_steps(dialog, remote.as_ref(), &outcomes, options, &setup);
    Ok(!outcomes.contains(&FileOutcome::Skipped))
}

/// Returns the settings in the settings file of a work tree.
fn file_settings(tree: &WorkTree) -> FileSettings {
    FileSettings::parse(&tree.read(SETTINGS_PATH))
}

/// Sets up a repository in which a server plays: writes only the settings file, and only if there is something to write.
fn set_up_for_server(
    dialog: Dialog<'_>,
    options: &InitOptions,
    tree: &WorkTree,
    playing: &[plan::ExistingWorkflow],
    mut choices: WorkflowChoices,
) -> Result<bool> {
    for step in playing.iter().flat_map(|workflow| &workflow.steps) {
        dialog.say(&format!("{}: delete it. A workflow and a server must not both play.", step.path));
    }
    warn_of_moved_games(dialog, playing, &choices);
    let Some(draft) = settings::plan_settings(tree, true, playing, &mut choices)? else {
        dialog.say(&format!(
            "Nothing to write: the server plays with the defaults. To change one, pass an option such as \
            `--games chess`, or write {SETTINGS_PATH}."
        ));
        return Ok(true);
    };
    let outcome = write_draft(dialog, tree, &draft, options)?;
    if outcome == FileOutcome::Written && !options.dry_run {
        dialog.say(
            "\nNext, commit and push this to the default branch. The server reads it there with the next comment.",
        );
    }
    Ok(outcome != FileOutcome::Skipped)
}

/// Plans the files, and says which ones stay unchanged.
fn plan_files(
    dialog: Dialog<'_>,
    options: &InitOptions,
    tree: &WorkTree,
    playing: &[plan::ExistingWorkflow],
    choices: &WorkflowChoices,
) -> Result<Plan> {
    let (mut drafts, mut is_skipped) = (Vec::new(), false);
    let (mut split_from, mut split_path) = (None, None);
    match plan::plan_game_workflows(tree, playing, choices) {
        Ok(plan::GameDrafts { play, daily, split_from: name }) => {
            drafts.push(play);
            if daily.is_none() {
                dialog.say("The daily workflow: not written, because you deleted it. `git` can restore it.");
            }
            split_path = daily.as_ref().filter(|_| name.is_some()).map(|daily| daily.path.clone());
            split_from = name;
            drafts.extend(daily);
        }
        Err(why) => {
            dialog.say(&format!("{why}. `play-by-commit doctor` tells you if anything in it has to change."));
            is_skipped = !options.inputs.is_empty() || options.version.is_some() || options.enterprise;
        }
    }
    let setup = planned_setup(tree, playing, &drafts, choices);
    let sites = plan::find_workflows(tree, site_steps)?;
    let moves = options.inputs.iter().any(|(name, _)| name == "branch" || name == "state-dir");
    let moves_or_updates = options.version.is_some() || choices.has_input("branch") || moves;
    if options.site || (moves_or_updates && !sites.is_empty()) {
        let Some(step) = &setup.step else {
            bail!("more than one step plays here, so you have to write the site's workflow by hand");
        };
        drafts.push(plan::plan_site_workflow(tree, &sites, step, setup.names.clone(), choices)?);
    } else if let Some(play) = &split_from {
        drafts.extend(sites.iter().filter_map(|site| plan::plan_awaited_daily(site, play)));
    }
    if let Some(play) = &split_from {
        for path in plan::workflows_after(tree, play, &drafts) {
            dialog.say(&format!(
                "{path} starts when *{play}* ends. To start it after the daily run as well, add that workflow's name there."
            ));
        }
    }
    let label = setup.first_label();
    if let Some(label) = label.as_deref().filter(|_| !options.no_form) {
        drafts.extend(plan::plan_link_form(tree, label));
    }
    match plan::plan_issue_form(tree, &setup.games, label.as_deref()) {
        _ if options.no_form => {}
        Ok(form) => drafts.extend(form),
        Err(why) => dialog.say(&why.to_string()),
    }
    Ok(Plan { drafts, setup, is_skipped, split_path })
}

/// Chooses the games' branch for a new workflow: asks in a terminal, else keeps the default branch and says so.
fn choose_branch(
    dialog: Dialog<'_>,
    options: &InitOptions,
    remote: Option<&Remote>,
    choices: &mut WorkflowChoices,
) -> Result<()> {
    if choices.value("branch").is_some() {
        return Ok(());
    }
    if options.yes || options.dry_run || !dialog.is_interactive() {
        dialog.say(&format!(
            "The bot will commit moves to the default branch. To keep them out of a project's history, use `--branch \
             {SUGGESTED_BRANCH}`."
        ));
        return Ok(());
    }
    // GitHub shows the README of a profile from the default branch.
    let is_profile = remote.is_some_and(|remote| {
        remote.repository.split_once('/').is_some_and(|(owner, name)| owner.eq_ignore_ascii_case(name))
    });
    let default = if is_profile { "y/N" } else { "Y/n" };
    dialog.say(
        "Every move is a commit. On a branch of their own, moves stay out of your project's history. In a profile or in a \
         repository just for games, the default branch is better: a board in its README stays up to date.",
    );
    let answer = dialog.ask(&format!("Put the moves on a branch of their own, `{SUGGESTED_BRANCH}`? [{default}] "))?;
    if matches!(answer.as_str(), "y" | "yes") || (answer.is_empty() && !is_profile) {
        choices.inputs.push(("branch".to_owned(), SUGGESTED_BRANCH.to_owned()));
    }
    Ok(())
}

/// Returns the setup with these drafts of the workflows of games, or with the existing ones.
fn planned_setup(
    tree: &WorkTree,
    playing: &[plan::ExistingWorkflow],
    drafts: &[Draft],
    WorkflowChoices { file, .. }: &WorkflowChoices,
) -> Setup {
    let action = tree.read("action.yml");
    let mut steps: Vec<WorkflowStep> = drafts
        .iter()
        .flat_map(|draft| play_steps(&draft.path, &draft.text, action.text()).unwrap_or_default())
        .collect();
    if steps.is_empty() {
        steps = playing.iter().flat_map(|workflow| workflow.steps.clone()).collect();
    }
    let names = steps.iter().map(|step| step.workflow_name().to_owned()).collect();
    steps.retain(|step| step.kind() == WorkflowKind::Play);
    let step = if steps.len() == 1 { steps.pop() } else { None };
    let games = file.get("games").map(str::to_owned).or_else(|| step.as_ref()?.input("games"));
    let games = inputs::parse_games(games).unwrap_or_default();
    Setup { step, names, is_new: playing.is_empty(), games, file: file.clone() }
}

impl Setup {
    fn input(&self, name: &str) -> Option<String> {
        self.file.get(name).map(str::to_owned).or_else(|| self.step.as_ref()?.literal_input(name))
    }

    /// Returns the first of the pages that the bot updates.
    fn first_page(&self) -> String {
        let pages = inputs::parse_pages(self.input("pages")).unwrap_or_default();
        pages.into_iter().next().unwrap_or_else(|| "README.md".to_owned())
    }

    /// Returns the first of the labels of the issues where the bot listens; `None` if it listens in all of them.
    fn first_label(&self) -> Option<String> {
        inputs::parse_labels(self.input("only-labels")).unwrap_or_default().into_iter().next()
    }

    /// Returns the game to suggest to a newcomer.
    fn first_game(&self) -> &'static str {
        match self.games.as_slice() {
            [first, ..] if !self.games.contains(&GameKind::TicTacToe) => first.info().name,
            _ => GameKind::TicTacToe.info().name,
        }
    }
}

/// Warns the host if the options change where the games are.
fn warn_of_moved_games(dialog: Dialog<'_>, playing: &[plan::ExistingWorkflow], choices: &WorkflowChoices) {
    let step = playing.first().and_then(|workflow| workflow.steps.first());
    if step.is_none() && choices.file.names().is_empty() {
        return;
    }
    for (name, value) in choices.inputs.iter().filter(|(name, _)| name == "branch" || name == "state-dir") {
        let default = if name == "branch" { "" } else { "state" };
        let in_workflow = step.and_then(|step| step.input(name));
        if choices.file.get(name).or(in_workflow.as_deref()).unwrap_or(default) != value {
            dialog.say(&format!(
                "`{name}` changes, but your existing games don't move along. Move their files to the new place \
                 before you push, or the bot won't find them."
            ));
        }
    }
}

/// Writes a page with its markers, and reports it.
fn write_page(
    dialog: Dialog<'_>,
    tree: &WorkTree,
    path: &str,
    page: &MarkedPage,
    options: &InitOptions,
) -> Result<Option<FileOutcome>> {
    let MarkedPage { before, text, by_hand } = page;
    let has_blocks = options.readme.iter().any(|block| *block != ReadmeBlock::FutureTable);
    if text != before {
        if !options.dry_run {
            tree.write(path, text)?;
        }
        let (would, is_new) = (if options.dry_run { "would be " } else { "" }, before.is_empty());
        dialog.say(&if is_new {
            format!("{path}: {would}written, with the markers.")
        } else {
            format!("{path}: markers {would}added at the end. Move them wherever you like.")
        });
    } else if by_hand.is_empty() && has_blocks {
        dialog.say(&format!("{path}: already has the markers."));
    }
    if !by_hand.is_empty() {
        dialog.say(&format!(
            "{path}: markers at its end wouldn't count. Put these lines where you like:\n\n{}",
            by_hand.join("\n")
        ));
        return Ok(Some(FileOutcome::Skipped));
    }
    if !has_blocks {
        return Ok(None);
    }
    Ok(Some(if text == before { FileOutcome::UpToDate } else { FileOutcome::Written }))
}

/// Explains effects of the choices that a host may not expect.
fn print_caveats(dialog: Dialog<'_>, options: &InitOptions, tree: &WorkTree, setup: &Setup, choices: &WorkflowChoices) {
    if !options.readme.is_empty()
        && let Some(branch) = setup.input("branch")
    {
        dialog.say(&format!(
            "With `branch: {branch}` the bot fills pages on that branch alone. The same page on the default branch doesn't \
             change."
        ));
    }
    if choices.enterprise && setup.is_new {
        dialog.say("Written for GitHub Enterprise Server: without `queue: max`, which it doesn't know, and with `runs-on: \
            self-hosted`. Put the labels of your Linux runner there. Ask an administrator to make the action of github.com \
            available (GitHub Connect) or to mirror it.");
    }
    let version = choices.version.as_deref().map(ActionVersion::from_version);
    match version {
        Some(version) if version.is_built_from_source() => {
            let runner = if choices.enterprise { "a runner with Rust" } else { "`ubuntu-latest`" };
            dialog.say(&format!(
                "A commit that isn't a release is built from source, which needs {runner} and several minutes, so run \
                 *Play by Commit* once by hand under *Actions*: only runs by hand and the daily one cache the program. For \
                 the commit of a release, add its tag: `--version 'COMMIT # v1.2.3'`."
            ));
        }
        None if setup.is_new && release_tag().is_none() => {
            dialog.say(
                "This program was built from source, so it can't tell whether `@v1` is released yet. Until it is, name a \
                 commit of Play by Commit: `play-by-commit init --version COMMIT`.",
            );
        }
        _ => {}
    }
    for path in CONFIG_PATHS {
        let FileContent::Text(text) = tree.read(path) else { continue };
        if disables_blank_issues(&text) {
            dialog.say(&format!(
                "{path} says `blank_issues_enabled: false`. The links of a board on a page then lead to the list of \
                 forms. Set it to true if you want boards on pages."
            ));
        }
    }
}

/// Explains the next steps.
fn print_next_steps(
    dialog: Dialog<'_>,
    remote: Option<&Remote>,
    outcomes: &[FileOutcome],
    options: &InitOptions,
    setup: &Setup,
) {
    let links = remote.map(|remote| Links {
        server: &remote.server,
        repository: &remote.repository,
        branch: "HEAD",
        state_dir: "state",
        use_form: false,
    });
    let link =
        |title: &str, body: &str| links.map_or(".".to_owned(), |links| format!(":\n{}", links.new_issue(title, body)));
    if options.dry_run {
        return dialog.say("\nDry run: nothing was written.");
    }
    if outcomes.contains(&FileOutcome::Written) {
        dialog
            .say("\nNext, commit and push this to the default branch. (GitHub only runs issue workflows from there.)");
    } else if !outcomes.contains(&FileOutcome::Skipped) {
        dialog.say("\nNothing to change.");
    } else {
        return;
    }
    let game = setup.first_game();
    dialog.say(&format!(
        "To play, open an issue that says `/new {game}`{}",
        link(&placeholder(game), &format!("/new {game}"))
    ));
    dialog.say("`play-by-commit doctor` checks your setup.");
    if options.site {
        dialog.say(
            "For the site, choose *GitHub Actions* as the source under *Settings*, *Pages*, and start *Site of the games* \
             once by hand under *Actions*. After that, every run updates it.",
        );
    }
    if options.readme.contains(&ReadmeBlock::FutureTable) {
        dialog.say(&format!(
            "For a board on a page, open an issue that says `/new {game} seats=open`{}\nThen run `play-by-commit init \
             --readme=NUMBER` with its number.",
            link("An open table", &format!("/new {game} seats=open"))
        ));
    }
}

/// Parses a version of the action: a tag, or the full id of a commit, which may have its tag as a comment.
fn parse_version(text: &str) -> Result<String> {
    let (version, tag) = text.split_once(" # ").map_or((text, None), |(version, tag)| (version, Some(tag)));
    let is_commit = is_commit_id(version) && tag.is_none_or(|tag| major_version(tag).is_some());
    if !is_commit && (major_version(version).is_none() || tag.is_some()) {
        bail!("--version takes a tag such as `v1` or `v1.2.3`, all 40 digits of a commit, or 'COMMIT # v1.2.3'");
    }
    Ok(text.to_owned())
}

// The output of `init`, and its questions in a terminal.

/// A dialog with the person who runs `init`.
#[derive(Clone, Copy)]
struct Dialog<'a> {
    /// Prints text to standard output.
    print: &'a dyn Fn(&str),
}

impl Dialog<'_> {
    /// Prints a line.
    fn say(self, sentence: &str) {
        (self.print)(&format!("{sentence}\n"));
    }

    /// Whether a person can answer questions.
    fn is_interactive(self) -> bool {
        io::stdin().is_terminal()
    }

    /// Asks a question and returns the answer in lower case.
    fn ask(self, question: &str) -> Result<String> {
        (self.print)(question);
        drop(io::stdout().flush());
        let mut answer = String::new();
        io::stdin().lock().read_line(&mut answer)?;
        Ok(answer.trim().to_lowercase())
    }

    /// Asks whether to change a file; returns false if nobody can answer.
    fn confirm(self, path: &str) -> Result<bool> {
        if !self.is_interactive() {
            self.say("Not running interactively: pass `--yes` to make this change.");
            return Ok(false);
        }
        Ok(matches!(self.ask(&format!("Make this change to {path}? [y/N] "))?.as_str(), "y" | "yes"))
    }
}
