//! A check of the computer's moves in a record.

use std::collections::BTreeSet;

use game::contract::Game;

use crate::game_state::GameState;
use crate::history::{Event, Reply};
use crate::table::Table;

/// What came of making the replies of a record anew.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplyAudit {
    /// The number of replies that are the same.
    pub matching: usize,
    /// The versions of the engine that others were made by.
    pub other_engines: BTreeSet<u32>,
    /// The number of replies whose seed comes from a key that is not shown.
    pub unverifiable: usize,
    /// The replies that are not the same: the index of the event, what is recorded, what is chosen now.
    pub mismatches: Vec<(usize, String, String)>,
}

impl ReplyAudit {
    /// Makes every reply of a record anew, and compares.
    pub fn run<G: Game>(table: &Table<G>) -> ReplyAudit {
        let mut audit = ReplyAudit::default();
        let key = table.history().last().and_then(|event| event.key.as_ref());
        let Some(mut replayed) = table.without_events() else { return audit };
        for (at, event) in table.history().iter().enumerate() {
            let mut examine = |state: &GameState<G>, event: &Event<G::Move>, level, reply: &Reply<G::Move>| {
                let seed = state.reply_seed(key, event.source).ok();
                match seed.map(|seed| state.timeline().game().choose(level, seed)) {
                    _ if reply.engine != G::ENGINE_VERSION => _ = audit.other_engines.insert(reply.engine),
                    None => audit.unverifiable += 1,
                    Some(Some(chosen)) if chosen.mv == reply.mv => audit.matching += 1,
                    Some(chosen) => {
                        let chosen =
                            chosen.map_or(String::new(), |chosen| state.timeline().game().notation(&chosen.mv));
                        audit.mismatches.push((at, reply.notation.clone(), chosen));
                    }
                }
            };
            // The record has been replayed before, so nothing stops this.
            match replayed.replay_with(event.clone(), "?", &mut examine) {
                Ok(next) => replayed = next,
                Err(_) => break,
            }
        }
        audit
    }
}
