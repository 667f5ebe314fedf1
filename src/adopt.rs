//! `play-by-commit adopt`: binds the games of a copied or restored repository to it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use git::work_tree::WorkTree;
use github::GitHub;
use site::record_file::{json_files, load_record, parse_record_name};
use table::any_table::AnyTable;
use table::ids::{IssueNumber, RepositoryId};
use table::running_game::RunningGame;
use table::state_file;
use table::state_path::StatePath;

use crate::environment::{input, named_settings};
use crate::host_error::host_error;
use crate::print::print_line;

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

/// Writes a record and its short file, which both name the repository. The short file keeps what only it says.
fn bind(path: &Path, table: AnyTable, id: RepositoryId, dir: &Path) -> Result<()> {
    let write =
        |path: &Path, text: &str| fs::write(path, text).with_context(|| format!("{} can't be written", path.display()));
    let short_path = dir.join(StatePath::Running(table.issue()).to_string());
    let table = table.with_repository(Some(id));
    write(path, &state_file::to_json(&table))?;
    match RunningGame::from_table(&table) {
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
    let about = GitHub::new(settings).map_err(|fault| host_error(&fault))?.get("").await;
    let about = about.map_err(|fault| host_error(&fault))?;
    let id = about.body["id"].as_u64().filter(|_| about.status == 200);
    id.map(RepositoryId::new).with_context(|| format!("this token can't see the repository {name} ({})", about.status))
}
