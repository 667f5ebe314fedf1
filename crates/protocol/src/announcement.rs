//! The answer to an accepted command. At the end of a game, it links the game's page and an analysis board, and shows its file,
//! as `/pgn` does.

use answers::announce::announce;
use answers::game_end::players;
use answers::output_format::OutputFormat;
use answers::pages::links::game_page_path;
use answers::{render, sentences};
use interop::export::export;
use interop::lichess::{Analysis, analysis_url};
use interop::place::Place;
use table::any_table::{AnyTable, with_table};
use table::decisions::decision::Query;

use crate::repo_config::RepoConfig;

/// The maximum length of a game's file in an answer, in bytes. `/pgn` shows longer ones.
const MAX_FILE_BYTES: usize = 6_000;

/// Returns the answer to an accepted command. It depends only on the table and on the host's settings, so a later run can
/// give it again.
pub fn announcement(table: &AnyTable, config: &RepoConfig, format: OutputFormat<'_>) -> String {
    let answer = announce(table, format);
    let has_moves = with_table!(table, table => table.has_result() && table.plies().len() > 0);
    let is_played = has_moves && (table.is_open() || players(table).len() == 2);
    if matches!(format, OutputFormat::Terminal(_)) || !is_played {
        return answer;
    }
    let links: Vec<String> = [site_link(table, config), lichess_link(table)].into_iter().flatten().collect();
    let links = if links.is_empty() { None } else { Some(format!("{}\n", links.join(" · "))) };
    let parts: Vec<String> = [links, folded_file(table, config)].into_iter().flatten().collect();
    if parts.is_empty() { answer } else { format!("{}\n\n{}", answer.trim_end(), parts.join("\n")) }
}

/// Returns the link to the game's page on the host's website, if there is one.
pub(super) fn site_link(table: &AnyTable, config: &RepoConfig) -> Option<String> {
    let url = config.site_url.as_ref()?;
    Some(format!("[Replay it on the website]({url}{})", game_page_path(table.issue(), table.round())))
}

/// Returns the link to lichess's analysis board for chess.
fn lichess_link(table: &AnyTable) -> Option<String> {
    let AnyTable::Chess(table) = table else { return None };
    Some(match analysis_url(table) {
        (url, Analysis::Game) => format!("[Analyze it on lichess]({url})"),
        (url, Analysis::FinalPosition) => format!("[Analyze the final position on lichess]({url})"),
    })
}

/// Returns the game's file in a collapsed section, unless it is long.
fn folded_file(table: &AnyTable, config: &RepoConfig) -> Option<String> {
    let (name, file) = code_block(table, config).filter(|(_, file)| file.len() <= MAX_FILE_BYTES)?;
    Some(format!("<details><summary>The game's file: {name}</summary>\n\n{file}\n</details>\n"))
}

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
