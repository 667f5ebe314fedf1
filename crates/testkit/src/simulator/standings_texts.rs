//! The right answers about the standings, and the games in progress that a list shows.

use answers::rankings;
use table::any_table::AnyTable;
use table::decisions::decision::Query;
use table::running_game::RunningGame;

use crate::Millis;
use crate::simulator::core::Core;
use crate::simulator::foreign::is_foreign;

/// Returns the answers to a query about the standings at all heads that a run may have read between two times.
pub fn standings_texts(core: &Core, query: &Query, table: Option<&AnyTable>, times: [Millis; 2]) -> Vec<String> {
    let paths = rankings::files_needed(query, table);
    let text = |head: Option<&String>| {
        let commit = head.map(|head| &core.state.commits[head].files);
        let file = |path: &String| Some((path.clone(), commit?.get(&format!("state/{path}"))?.clone()));
        rankings::show(query, table, &paths.iter().filter_map(file).collect())
    };
    heads_between(core, times).map(text).collect()
}

/// Returns the repository's own games in progress at a head.
pub fn games_at(core: &Core, head: Option<&String>) -> Vec<RunningGame> {
    let files = head.map(|head| &core.state.commits[head].files);
    let game = |(path, text): (&String, &String)| {
        let issue = path.strip_prefix("state/running/")?.strip_suffix(".json")?.parse().ok()?;
        RunningGame::parse(text, issue).ok()
    };
    let games = files.into_iter().flat_map(|files| files.iter()).filter_map(game);
    games.filter(|game| !is_foreign(game.repository)).collect()
}

/// Returns all heads that a run may have read between two times.
pub fn heads_between(core: &Core, [from, to]: [Millis; 2]) -> impl Iterator<Item = Option<&String>> {
    let heads = &core.ledger.heads;
    let ends = heads.iter().skip(1).map(|(at, _)| *at).chain([Millis::MAX]);
    let seen = heads.iter().zip(ends).filter(move |((at, _), end)| *at <= to && *end >= from);
    seen.map(|((_, head), _)| head.as_ref())
}
