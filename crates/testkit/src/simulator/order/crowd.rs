//! Commands that may be settled out of order.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use answers::marker::Marker;
use table::comments::comment::CommentRef;

use crate::Millis;
use crate::simulator::core::{Core, MAX_ANSWERS_PER_PERSON};
use crate::simulator::table_cache::CachedTable;

/// Returns the people who posted more commands than a run answers.
pub(super) fn crowd(core: &Core) -> BTreeSet<String> {
    let commands = core.ledger.commands();
    let crowd = commands.into_iter().filter(|(_, count)| *count > MAX_ANSWERS_PER_PERSON);
    crowd.map(|(login, _)| login.to_owned()).collect()
}

/// Returns the commands that may have been settled out of order.
///
/// These are edited comments, commands that GitHub didn't let the bot answer, commands that one run refused and another applied,
/// and commands by people who posted more than a run answers.
pub(super) fn out_of_order(
    core: &Core,
    applied: &BTreeMap<CommentRef, (Rc<CachedTable>, Millis)>,
) -> BTreeSet<CommentRef> {
    let edited = core.ledger.comments.iter().filter(|(_, posted)| posted.versions.len() > 1).map(|(source, _)| *source);
    let markers = core.ledger.answers.iter().filter_map(|answer| Marker::parse(&answer.body));
    let overruled = markers.filter(|marker| marker.commit.is_none() && applied.contains_key(&marker.source));
    let overruled = overruled.map(|marker| marker.source);
    let crowd = crowd(core);
    let waiting = core.ledger.comments.iter().filter(|(_, posted)| crowd.contains(&posted.login));
    let waiting = waiting.map(|(source, _)| *source);
    edited.chain(waiting).chain(core.ledger.refused.iter().copied()).chain(overruled).collect()
}
