//! `play-by-commit move`: moves a running game to another issue, perhaps of another repository.

use std::fs;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use answers::page::retarget_markers;
use answers::{TableList, board_picture};
use anyhow::{Context, Result, bail};
use git::WorkTree;
use github::GitHub;
use site::{json_files, load_record, parse_record_name};
use table::{GameSummary, IssueNumber, RepositoryId, StatePath, Table, TableStatus, state_file};
use terminal::print::print_line;

use crate::environment::{input, named_settings};
use crate::host_error::host_error;
use crate::program::issue_number;

/// The options of `move`.
#[derive(clap::Args)]
pub(super) struct MoveArgs {
    /// The issue of the game
    #[arg(value_name = "NUMBER", value_parser = issue_number())]
    issue: IssueNumber,
    /// The issue where it continues; it can't have had a game yet
    #[arg(long, value_name = "NUMBER", value_parser = issue_number())]
    to: IssueNumber,
    /// The directory of the game, if it comes from another repository: ../old/state
    #[arg(long, value_name = "DIR")]
    from: Option<PathBuf>,
    /// The directory for the games
    #[arg(long, value_name = "DIR", default_value = "state")]
    state_dir: PathBuf,
    /// The pages whose boards follow the game, unless it comes from another repository
    #[arg(long, value_name = "FILES", default_value = "README.md", value_delimiter = ',')]
    pages: Vec<PathBuf>,
}

/// Moves the record and its picture, and changes the markers of the pages.
///
/// # Errors
/// Returns an error, and leaves the game where it is, if there is no such game, it's over, or the new issue has had a game.
pub(super) fn move_game(args: &MoveArgs) -> Result<()> {
    let MoveArgs { issue, to, from, state_dir, pages } = args;
    let old_dir = from.as_ref().unwrap_or(state_dir);
    let is_same_dir = is_same_path(old_dir, state_dir);
    let old_path = old_dir.join(StatePath::Record(*issue).to_string());
    let table = load_record(&old_path).with_context(|| format!("can't move {}", old_path.display()))?;
    check_is_running(&table)?;
    if let Some(path) = record_of(state_dir, *to)? {
        bail!("{} exists: choose an issue that hasn't had a game", path.display());
    }
    let old_picture = old_dir.join(board_picture::board_path(&table));
    let is_verifiable = table.state().dice().commitment().is_some();
    // The next repository binds the record with the first command there.
    let repository = table.repository().filter(|_| is_same_dir);
    let moved = table.moved_by_host(*to).with_repository(repository);
    let new_path = state_dir.join(StatePath::Record(*to).to_string());
    write_record(&new_path, &moved)?;
    fs::write(state_dir.join(board_picture::board_path(&moved)), board_picture::svg(&moved))
        .with_context(|| format!("the picture of {} can't be written", new_path.display()))?;
    if let Some(game) = GameSummary::from_table(&moved) {
        let path = state_dir.join(StatePath::Running(*to).to_string());
        remove_if_exists(&path)?;
        fs::create_dir_all(state_dir.join("running"))
            .context("the folder of the games in progress can't be created")?;
        write_new_file(&path, &game.to_json())?;
    }
    print_line(&format!("Moved {} to {}.", old_path.display(), new_path.display()));
    if is_same_dir {
        for page in pages {
            retarget_page(page, *issue, *to)?;
        }
    }
    remove_if_exists(&old_path)?;
    remove_if_exists(&old_picture)?;
    remove_if_exists(&old_dir.join(StatePath::Running(*issue).to_string()))?;
    change_list(old_dir, |list| list.remove(*issue))?;
    change_list(state_dir, |list| list.update(&moved))?;
    let repositories = if is_same_dir { "the changes" } else { "the changes in both repositories" };
    print_line(&format!("Now commit {repositories}, and push them."));
    print_first_step(*to);
    if is_verifiable && !is_same_dir {
        print_line("The new repository needs the same `dice-secret`.");
    }
    print_old_issue_advice(*issue);
    Ok(())
}

/// Prints the first step in the issue of a record that the host has added by hand.
///
/// The workflow ignores moves without a slash in an issue that lacks the label.
pub(crate) fn print_first_step(issue: IssueNumber) {
    print_line(&format!(
        "Then write `/board` in issue {issue}: the bot shows the board, and labels the issue, so that plain moves count."
    ));
}

/// Prints what to do about an issue whose game is gone.
fn print_old_issue_advice(issue: IssueNumber) {
    print_line(&format!("If issue {issue} still exists, lock it. Otherwise the bot reports that its game is missing."));
}

/// Deletes a file, and returns whether it was there.
fn remove_if_exists(path: &Path) -> Result<bool> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        result => result.map(|()| true).with_context(|| format!("{} can't be deleted", path.display())),
    }
}

/// Changes the list of tables, if the directory has one. The daily run replaces a damaged one.
fn change_list(dir: &Path, change: impl FnOnce(&mut TableList)) -> Result<()> {
    let path = dir.join(StatePath::TableList.to_string());
    let Some(mut list) = fs::read_to_string(&path).ok().and_then(|text| TableList::parse(&text).ok()) else {
        return Ok(());
    };
    change(&mut list);
    fs::write(&path, list.to_json()).with_context(|| format!("{} can't be written", path.display()))
}

/// Writes a new record, and makes sure that a run can load it.
fn write_record(path: &Path, table: &Table) -> Result<()> {
    let text = state_file::to_json(table);
    state_file::load(&text, table.issue()).map_err(|why| anyhow::anyhow!("the record would be damaged: {why}"))?;
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir).with_context(|| format!("{} can't be created", dir.display()))?;
    }
    write_new_file(path, &text)
}

/// Writes a file that doesn't exist yet, and leaves no partial file behind.
pub(crate) fn write_new_file(path: &Path, text: &str) -> Result<()> {
    let created = OpenOptions::new().write(true).create_new(true).open(path);
    let mut file = created.with_context(|| format!("{} can't be created", path.display()))?;
    file.write_all(text.as_bytes())
        .and_then(|()| file.sync_all())
        .inspect_err(|_| drop(fs::remove_file(path)))
        .with_context(|| format!("{} can't be written", path.display()))
}

/// Returns the archived records of an issue.
fn archived_records(dir: &Path, issue: IssueNumber) -> Result<Vec<PathBuf>> {
    let mut paths = json_files(&dir.join("archive"))?;
    paths.retain(|path| matches!(parse_record_name(path), Some((number, Some(_))) if number == issue));
    Ok(paths)
}

/// Returns a record of an issue, current or archived; `None` if the issue has had no game.
fn record_of(dir: &Path, issue: IssueNumber) -> Result<Option<PathBuf>> {
    let current = dir.join(StatePath::Record(issue).to_string());
    if current.symlink_metadata().is_ok() {
        return Ok(Some(current));
    }
    Ok(archived_records(dir, issue)?.into_iter().next())
}

fn check_is_running(table: &Table) -> Result<()> {
    let issue = table.issue();
    match table.status() {
        TableStatus::Playing => Ok(()),
        TableStatus::Moved(to) => bail!("game {issue} has already moved to issue {to}"),
        TableStatus::Won(_) | TableStatus::Draw | TableStatus::Aborted => {
            bail!("game {issue} is over: start a new one in the other issue")
        }
    }
}

/// Changes the markers of a page from one table to another.
fn retarget_page(page: &Path, from: IssueNumber, to: IssueNumber) -> Result<()> {
    let Ok(text) = fs::read_to_string(page) else { return Ok(()) };
    let changed = retarget_markers(&text, from, to);
    if changed != text {
        fs::write(page, changed).with_context(|| format!("{} can't be written", page.display()))?;
        print_line(&format!("{} shows table {to} from its next move on.", page.display()));
    }
    Ok(())
}

fn is_same_path(one: &Path, two: &Path) -> bool {
    one == two || matches!((one.canonicalize(), two.canonicalize()), (Ok(one), Ok(two)) if one == two)
}

// `play-by-commit remove`: deletes the files of a game, and keeps the results that count.

/// The options of `remove`.
#[derive(clap::Args)]
pub(super) struct RemoveArgs {
    /// The issue of the game
    #[arg(value_name = "NUMBER", value_parser = issue_number())]
    issue: IssueNumber,
    /// The directory of the games
    #[arg(long, value_name = "DIR", default_value = "state")]
    state_dir: PathBuf,
}

/// Deletes the records and pictures of a game. Rounds that count in the standings stay in the archive, because a recount needs
/// them.
///
/// # Errors
/// Returns an error, and deletes nothing, if there is no such game or one of its records is damaged.
pub(super) fn remove_game(args: &RemoveArgs) -> Result<()> {
    let RemoveArgs { issue, state_dir } = args;
    let current = state_dir.join(StatePath::Record(*issue).to_string());
    let mut paths = archived_records(state_dir, *issue)?;
    let has_current = current.symlink_metadata().is_ok();
    if has_current {
        paths.push(current.clone());
    }
    if paths.is_empty() {
        bail!("there is no game {issue} in {}", state_dir.display());
    }
    let mut records = Vec::new();
    for path in paths {
        let table = load_record(&path)
            .with_context(|| format!("can't tell whether the result of {} counts", path.display()))?;
        records.push((path, table));
    }
    for (path, table) in &records {
        let archived = StatePath::ArchivedRecord { issue: *issue, round: table.round() };
        let archived = state_dir.join(archived.to_string());
        if table.result_number().is_some() {
            if *path == current {
                write_record(&archived, table)?;
                remove_if_exists(path)?;
            }
            print_line(&format!("Kept {}, because its result counts in the standings.", archived.display()));
            continue;
        }
        remove_if_exists(path)?;
        if let Some(replay) = board_picture::replay_path(table) {
            remove_if_exists(&state_dir.join(replay))?;
        }
        print_line(&format!("Deleted {}.", path.display()));
    }
    for file in [StatePath::Board(*issue), StatePath::Running(*issue)] {
        remove_if_exists(&state_dir.join(file.to_string()))?;
    }
    change_list(state_dir, |list| list.remove(*issue))?;
    print_line("Now commit the changes, and push them. The daily run takes the game off the pages.");
    if has_current {
        print_old_issue_advice(*issue);
    }
    Ok(())
}

// `play-by-commit adopt`: binds the games of a copied or restored repository to it.

/// The options of `adopt`.
#[derive(clap::Args)]
pub(super) struct AdoptArgs {
    /// The repository, by name or by its numeric ID; a name needs a token in the environment, as `doctor --online` does
    /// [default: the remote `origin`]
    #[arg(long, value_name = "OWNER/NAME|ID")]
    repository: Option<String>,
    /// The directory of the games
    #[arg(long, value_name = "DIR", default_value = "state")]
    state_dir: PathBuf,
}

/// Binds all games to a repository. Earlier rounds keep the one that they were played in: nothing is played there any more.
///
/// # Errors
/// Returns an error, and changes nothing, if a record is damaged or the repository can't be found.
pub(super) async fn adopt(args: &AdoptArgs) -> Result<()> {
    let AdoptArgs { repository, state_dir } = args;
    if !state_dir.is_dir() {
        bail!("there is no directory {}: name the directory of the games with --state-dir", state_dir.display());
    }
    let mut tables = Vec::new();
    for path in json_files(state_dir)? {
        // Issue 0 doesn't exist, so its record is a demonstration.
        if matches!(parse_record_name(&path), Some((issue, None)) if issue != IssueNumber::default()) {
            let table = load_record(&path).with_context(|| format!("can't adopt {}", path.display()))?;
            tables.push((path, table));
        }
    }
    let id = find_repository(repository.as_deref(), state_dir).await?;
    let count = tables.len();
    tables.retain(|(_, table)| table.repository() != Some(id));
    if tables.is_empty() {
        print_line(&format!("Nothing to do: repository {id} already has all games ({count})."));
        return Ok(());
    }
    for (path, table) in &tables {
        bind(path, table.clone(), id, state_dir)?;
    }
    let games = if tables.len() == 1 { "1 game".to_owned() } else { format!("{} games", tables.len()) };
    print_line(&format!("Bound {games} to repository {id}."));
    print_line("Now commit the changes, and push them.");
    print_line(
        "If the issue of a game isn't in this repository, `play-by-commit move` continues the game in another one.",
    );
    Ok(())
}

/// Writes a record and its summary, which both name the repository. The summary keeps what only it says.
fn bind(path: &Path, table: Table, id: RepositoryId, dir: &Path) -> Result<()> {
    let write =
        |path: &Path, text: &str| fs::write(path, text).with_context(|| format!("{} can't be written", path.display()));
    let short_path = dir.join(StatePath::Running(table.issue()).to_string());
    let table = table.with_repository(Some(id));
    write(path, &state_file::to_json(&table))?;
    match GameSummary::from_table(&table) {
        Some(game) => {
            fs::create_dir_all(dir.join("running")).context("the folder of the games in progress can't be created")?;
            write(&short_path, &game.to_json())
        }
        None => Ok(()),
    }
}

/// Returns the ID of a repository. Asks GitHub for it unless it's given.
async fn find_repository(repository: Option<&str>, dir: &Path) -> Result<RepositoryId> {
    if let Some(id) = repository.and_then(|text| text.parse().ok()) {
        return Ok(id);
    }
    let origin = || {
        let remote = WorkTree::open(dir).ok().and_then(|tree| tree.remote());
        remote.map(|remote| format!("{}/{}", remote.server, remote.repository))
    };
    let name = repository.map(str::to_owned).or_else(origin).context(
        "the clone has no remote `origin` on a server: name the repository with --repository OWNER/NAME, or by its numeric ID",
    )?;
    let (settings, _) = named_settings(&name, input)?;
    let about = GitHub::new(settings).map_err(|error| host_error(&error))?.get("").await;
    let about = about.map_err(|error| host_error(&error))?;
    let id = about.body["id"].as_u64().filter(|_| about.status == 200);
    id.map(RepositoryId::new).with_context(|| format!("this token can't see the repository {name} ({})", about.status))
}
