//! `play-by-commit remove`: deletes the files of a game, and keeps the results that count.

use std::path::PathBuf;

use answers::board_picture;
use anyhow::{Context, Result, bail};
use site::record_file::load_record;
use table::ids::IssueNumber;
use table::state_path::StatePath;

use crate::arguments::issue_number;
use crate::move_game::{archived_records, change_list, print_old_issue_advice, remove_if_exists, write_record};
use crate::print::print_line;

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
