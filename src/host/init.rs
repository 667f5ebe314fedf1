//! `play-by-commit init`: writes the files that a host needs, asks before it changes one that somebody has edited, and says
//! what comes next. It writes files and nothing else: the host commits them.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::host::inputs;
use crate::host::print::{print, print_line};
use crate::host::templates::{
    CONFIG_PATHS, Choices, FORM_PATH, SITE_PATH, WORKFLOW_PATH, closes_blank_issues, form, is_enterprise_server,
    release, site_workflow, workflow,
};
use crate::host::unified_diff::unified_diff;
use crate::host::work_tree::WorkTree;
use crate::host::workflow_steps::{is_workflow, own_steps};
use crate::pages::links::Links;
use crate::pages::page;
use crate::talk::thread::File;

/// The path of the workflow if there is another `play.yml` already.
const OTHER_PATH: &str = ".github/workflows/play-by-commit.yml";

/// The options of `init`.
#[derive(Clone, Debug, Default)]
pub struct InitOptions {
    /// A directory in the work tree.
    pub repo: PathBuf,
    /// The blocks that the page is to show.
    pub readme: Vec<ReadmeBlock>,
    /// Whether it is for a GitHub Enterprise Server, also if the remote is not on one.
    pub enterprise: bool,
    /// The version of the action.
    pub version: Option<String>,
    /// Whether edited files are overwritten without asking.
    pub yes: bool,
    /// Whether the workflow that puts the gallery up is written, too.
    pub site: bool,
    /// Inputs of the action, by their names.
    pub inputs: Vec<(String, String)>,
}

/// A block that a page is to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadmeBlock {
    /// The table of this issue.
    Table(u32),
    /// The list of tables.
    Tables,
    /// The standings of all games.
    Standings,
    /// A table that has still to be opened.
    Next,
}

/// The outcome for a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileOutcome {
    Written,
    Same,
    Left,
}

/// Reads the value of `--readme`.
///
/// # Errors
/// It is neither a number nor one of the words.
pub fn parse_readme_block(text: &str) -> Result<ReadmeBlock, String> {
    let number = text.strip_prefix('#').unwrap_or(text).parse().ok().filter(|number: &u32| *number > 0);
    match (text, number) {
        ("", _) => Ok(ReadmeBlock::Next),
        ("tables", _) => Ok(ReadmeBlock::Tables),
        ("standings", _) => Ok(ReadmeBlock::Standings),
        (_, Some(number)) => Ok(ReadmeBlock::Table(number)),
        _ => Err("the number of a table, `tables` or `standings`".to_owned()),
    }
}

/// Sets a repository up, and prints what it did; true if all is as it was asked for.
///
/// # Errors
/// There is no work tree, a choice is none that the action takes, or a file cannot be written.
pub fn init(options: &InitOptions) -> Result<bool> {
    let inputs = options.inputs.iter().map(|(name, value)| Ok((name.clone(), inputs::check_input(name, value)?)));
    let inputs: Vec<(String, String)> = inputs.collect::<Result<_>>()?;
    let version = options.version.as_deref().map(check_version).transpose()?;
    let tree = WorkTree::open(&options.repo)?;
    let remote = tree.remote();
    let elsewhere = remote.as_ref().is_some_and(|remote| is_enterprise_server(&remote.host));
    let enterprise = options.enterprise || elsewhere;
    let choices = Choices { version, enterprise, inputs };
    let mut outcomes = Vec::new();
    match workflow_path(&tree) {
        Ok(path) => {
            let outcome = write_file(&tree, &path, &workflow(&choices), options.yes)?;
            outcomes.push((path, outcome));
        }
        Err(other) => {
            say(&format!("{other} plays here already, so it is left alone: `play-by-commit doctor` looks at it."));
        }
    }
    if options.site {
        outcomes.push((SITE_PATH.to_owned(), write_file(&tree, SITE_PATH, &site_workflow(&choices), options.yes)?));
    }
    outcomes.push((FORM_PATH.to_owned(), write_file(&tree, FORM_PATH, &form(), options.yes)?));
    let first = choices.inputs.iter().find(|(name, _)| name == "pages");
    let first = first.and_then(|(_, value)| value.split(',').map(str::trim).next()).unwrap_or("README.md");
    for show in &options.readme {
        if let Some(outcome) = add_markers(&tree, first, *show)? {
            outcomes.push((first.to_owned(), outcome));
        }
    }
    let own = choices.inputs.iter().find(|(name, _)| name == "branch");
    if let Some((_, branch)) = own.filter(|_| !options.readme.is_empty()) {
        say(&format!(
            "With `branch: {branch}` pages are kept current on that branch alone: the same page on the default branch stays as \
             it is."
        ));
    }
    if enterprise {
        say("Written for GitHub Enterprise Server: without `queue: max`, which it does not know, and with `runs-on: \
            self-hosted`. Name the labels of a Linux runner there, and let an administrator see to it that the action \
            of github.com can be used (GitHub Connect) or is mirrored.");
    }
    warn_of_blank_issues(&tree);
    print_next_steps(&tree, &outcomes, options);
    Ok(outcomes.iter().all(|(_, outcome)| *outcome != FileOutcome::Left))
}

/// Returns the path for the workflow: that of one with this action, else the usual one if no other file has it. The error is
/// the path of a workflow with this action that has another name.
fn workflow_path(tree: &WorkTree) -> Result<String, String> {
    let action = tree.read("action.yml");
    let is_ours = |path: &str| match tree.read(path) {
        // One that mentions the action and can't be read is one that somebody was in the middle of.
        File::Text(text) => own_steps(path, &text, action.text()).map_or(true, |found| !found.is_empty()),
        _ => false,
    };
    let files = tree.list(".github/workflows").into_iter().map(|(path, _)| path).filter(|path| is_workflow(path));
    let known: Vec<String> = files.filter(|path| is_ours(path)).collect();
    let usual = [WORKFLOW_PATH, OTHER_PATH];
    if let Some(path) = usual.into_iter().find(|path| known.iter().any(|known| known == path)) {
        return Ok(path.to_owned());
    }
    match known.into_iter().next() {
        Some(other) => Err(other),
        None if tree.read(WORKFLOW_PATH) == File::Missing => Ok(WORKFLOW_PATH.to_owned()),
        None => Ok(OTHER_PATH.to_owned()),
    }
}

/// Writes a file. If somebody has changed it, it shows the difference and asks first.
fn write_file(tree: &WorkTree, path: &str, text: &str, yes: bool) -> Result<FileOutcome> {
    let old = match tree.read(path) {
        File::Missing => {
            tree.write(path, text)?;
            say(&format!("{path}: written."));
            return Ok(FileOutcome::Written);
        }
        File::Text(old) => old,
        File::Unreadable(why) => bail!("{why}, so it is left alone"),
    };
    let plain = old.replace("\r\n", "\n");
    if plain == text {
        say(&format!("{path}: already as it should be."));
        return Ok(FileOutcome::Same);
    }
    say(&format!(
        "{path} is there, and is another one than this program writes:\n\n{}",
        clean(&unified_diff(path, &plain, text))
    ));
    if !yes && !confirm(path)? {
        say(&format!("{path}: left alone."));
        return Ok(FileOutcome::Left);
    }
    tree.write(path, &ended_like(&old, text))?;
    say(&format!("{path}: written anew."));
    Ok(FileOutcome::Written)
}

/// Asks on a terminal if a file shall be written anew; false where there is nobody to ask.
fn confirm(path: &str) -> Result<bool> {
    if !io::stdin().is_terminal() {
        say("There is nobody to ask: `--yes` writes it anew.");
        return Ok(false);
    }
    print(&format!("Write {path} anew? [y/N] "));
    drop(io::stdout().flush());
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// Puts a pair of markers at the end of a page; `None` if there is no table yet that could be named.
fn add_markers(tree: &WorkTree, path: &str, show: ReadmeBlock) -> Result<Option<FileOutcome>> {
    let (subject, word) = match show {
        ReadmeBlock::Table(number) => (format!("table {number}"), "table"),
        ReadmeBlock::Tables => ("tables".to_owned(), "tables"),
        ReadmeBlock::Standings => ("standings".to_owned(), "standings"),
        ReadmeBlock::Next => return Ok(None),
    };
    let (begin, end) = (format!("<!-- play-by-commit:{subject} -->"), format!("<!-- /play-by-commit:{word} -->"));
    let is_there = |text: &str| {
        let wanted = page::wanted(text);
        match show {
            ReadmeBlock::Table(number) => wanted.tables.contains(&u64::from(number)),
            ReadmeBlock::Tables => wanted.listed.is_some(),
            _ => wanted.standings,
        }
    };
    let old = match tree.read(path) {
        File::Text(old) => old,
        File::Missing => match tree.list_top().into_iter().find(|name| name.eq_ignore_ascii_case(path)) {
            Some(name) => bail!("There is no {path}, but a {name}: name it with `--pages {name}`"),
            None => String::new(),
        },
        File::Unreadable(why) => bail!("{why}, so it is left alone"),
    };
    if is_there(&old) {
        say(&format!("{path}: has the markers already."));
        return Ok(Some(FileOutcome::Same));
    }
    let space = match old.as_str() {
        "" => "",
        old if old.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    let text = format!("{old}{}", ended_like(&old, &format!("{space}{begin}\n{end}\n")));
    if !is_there(&text) {
        // The end of the page is inside of a code block or a comment, or the page has too many markers.
        say(&format!(
            "{path}: left alone, because markers at its end would not count. Put these lines where you \
             like:\n\n{begin}\n{end}\n"
        ));
        return Ok(Some(FileOutcome::Left));
    }
    tree.write(path, &text)?;
    say(&format!("{path}: markers put at the end. Move the two lines wherever you like."));
    Ok(Some(FileOutcome::Written))
}

/// Ends new lines as most lines of the file end that they go into.
fn ended_like(file: &str, lines: &str) -> String {
    let long = file.matches("\r\n").count() * 2 > file.matches('\n').count();
    if long { lines.replace('\n', "\r\n") } else { lines.to_owned() }
}

/// Warns of a setting of the issue forms that breaks links. It is the host's, so it stays as it is.
fn warn_of_blank_issues(tree: &WorkTree) {
    for path in CONFIG_PATHS {
        let File::Text(text) = tree.read(path) else { continue };
        if closes_blank_issues(&text) {
            say(&format!(
                "{path} says `blank_issues_enabled: false`: the links of a board on a page then lead to the list of \
                 forms in place of a filled-in issue, for everybody but maintainers. Set it to true if you want \
                 boards on pages."
            ));
        }
    }
}

/// Prints what comes next.
fn print_next_steps(tree: &WorkTree, outcomes: &[(String, FileOutcome)], options: &InitOptions) {
    let remote = tree.remote();
    let server = remote.as_ref().map(|remote| remote.server());
    let links = remote.as_ref().zip(server.as_ref()).map(|(remote, server)| Links {
        server,
        repository: &remote.repository,
        branch: "HEAD",
        state_dir: "state",
    });
    let link = |title: &str, body: &str| {
        links.map(|links| links.new_issue(title, body)).map_or(String::new(), |link| format!(": {link}"))
    };
    let changed = outcomes.iter().any(|(_, outcome)| *outcome == FileOutcome::Written);
    if changed {
        say("\nNext: commit and push this to the default branch, from which GitHub takes the workflows of issues.");
    } else if outcomes.iter().all(|(_, outcome)| *outcome == FileOutcome::Same) {
        say("\nNothing was to be changed.");
    }
    if options.version.is_none() && release().is_none() {
        say(
            "This program was built from source, so it cannot know whether `@v1`, which the workflow names, is released \
             yet. Until it is, name a commit (`--version COMMIT`) and set `runs-on: ubuntu-latest`: the first move then \
             takes some minutes of building, later ones do not.",
        );
    }
    say(&format!(
        "Then open an issue with `/new tic-tac-toe` in it{}\nThe bot makes the label `play-by-commit` itself, at the \
         first move. `play-by-commit doctor` looks whether all is well.",
        link("A game of tic-tac-toe", "/new tic-tac-toe")
    ));
    if options.site {
        say(
            "For the site choose *GitHub Actions* as the source under *Settings*, *Pages*, and start *Site of the games* \
             once by hand under *Actions*; from then on each run that plays starts it.",
        );
    }
    if options.readme.contains(&ReadmeBlock::Next) {
        say(&format!(
            "For a board on a page open an issue with `/new tic-tac-toe seats=open` in it{}\nand then call \
             `play-by-commit init --readme=NUMBER` with its number.",
            link("An open table", "/new tic-tac-toe seats=open")
        ));
    }
}

/// Checks a version of the action: a tag or the full id of a commit.
fn check_version(text: &str) -> Result<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
    let tag = text.starts_with('v') && text[1..].starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(plain);
    let commit = text.len() == 40 && text.chars().all(|c| c.is_ascii_hexdigit());
    if !tag && !commit {
        bail!("a version is a tag such as `v1` or `v1.2.3`, or the 40 hexadecimal digits of a commit");
    }
    Ok(text.to_owned())
}

/// Returns text of a file without the characters that could change a terminal.
fn clean(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
}

fn say(sentence: &str) {
    print_line(sentence);
}
