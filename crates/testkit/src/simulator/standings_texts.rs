//! The right answers about the standings.

use answers::rankings;
use table::any_table::AnyTable;
use table::decisions::decision::Query;

use crate::Millis;
use crate::simulator::core::Core;

/// Returns the answers to a query about the standings at all heads that a run may have read between two times.
pub fn standings_texts(core: &Core, query: &Query, table: Option<&AnyTable>, [from, to]: [Millis; 2]) -> Vec<String> {
    let heads = &core.ledger.heads;
    let ends = heads.iter().skip(1).map(|(at, _)| *at).chain([Millis::MAX]);
    let seen = heads.iter().zip(ends).filter(|((at, _), end)| *at <= to && *end >= from);
    let paths = rankings::files_needed(query, table);
    let text = |head: Option<&String>| {
        let commit = head.map(|head| &core.state.commits[head].files);
        let file = |path: &String| Some((path.clone(), commit?.get(&format!("state/{path}"))?.clone()));
        rankings::show(query, table, &paths.iter().filter_map(file).collect())
    };
    seen.map(|((_, head), _)| text(head.as_ref())).collect()
}
