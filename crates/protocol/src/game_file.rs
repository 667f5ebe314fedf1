//! The file of a game, which `/pgn` and the last answer of the game show.

use answers::{render, sentences};
use interop::export::export;
use interop::place::Place;
use table::any_table::{AnyTable, with_table};
use table::decisions::decision::Query;

use crate::repo_config::RepoConfig;

/// Returns the file of a game, if that is the query and the game has a file format.
pub(super) fn game_file(query: &Query, table: Option<&AnyTable>, config: &RepoConfig) -> Option<String> {
    if *query == Query::File { Some(code_block(table?, config)?.1) } else { None }
}

/// Returns the name of a game's file format, and its file in a code block; `None` if the game has no such format.
pub(super) fn code_block(table: &AnyTable, config: &RepoConfig) -> Option<(&'static str, String)> {
    let ending = with_table!(table, table => render::plain(&sentences::ending(table)));
    let place = config.web.as_ref().map(|web| Place {
        repository: web.repository.clone(),
        issue_url: format!("{}/{}/issues/{}", web.server, web.repository, table.issue()),
    });
    let file = export(table, &ending, place.as_ref()).ok()?;
    Some((file.title, render::code_block(&file.text)))
}
