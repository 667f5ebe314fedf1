//! The answers about the standings, which need files that a read doesn't have.

use answers::rankings;
use table::any_table::AnyTable;
use table::decisions::decision::Query;
use table::oid::Oid;

use crate::commit_files::{file_texts, read_state_files};
use crate::forge::{Fault, Forge};

/// Returns the answer to a query about the standings at a commit, which costs one request; `None` for any other query,
/// or without a branch.
///
/// # Errors
/// Returns an error if that request fails.
pub(super) async fn standings_text(
    forge: &dyn Forge,
    state_dir: &str,
    head: Option<&Oid>,
    query: &Query,
    table: Option<&AnyTable>,
) -> Result<Option<String>, Fault> {
    let paths = rankings::files_needed(query, table);
    let (Some(head), false) = (head, paths.is_empty()) else { return Ok(None) };
    let files = file_texts(read_state_files(forge, state_dir, head, &paths).await?);
    Ok(Some(files.map_or_else(|_| rankings::damaged(), |files| rankings::show(query, table, &files))))
}
