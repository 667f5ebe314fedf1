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
    pub same: usize,
    /// The versions of the engine that others were made by.
    pub others: BTreeSet<u32>,
    /// The number of replies whose seed comes from a key that is not shown.
    pub unproved: usize,
    /// The replies that are not the same: the index of the event, what is recorded, what is chosen now.
    pub wrong: Vec<(usize, String, String)>,
}

impl ReplyAudit {
    /// Makes every reply of a record anew, and compares.
    pub fn of<G: Game>(table: &Table<G>) -> ReplyAudit {
        let mut audit = ReplyAudit::default();
        let key = table.history().last().and_then(|event| event.key.as_ref());
        let Some(mut replayed) = table.rewound() else { return audit };
        for (at, event) in table.history().iter().enumerate() {
            let mut examine = |state: &GameState<G>, event: &Event<G::Move>, level, reply: &Reply<G::Move>| {
                let seed = state.reply_seed(key, event.source).ok();
                match seed.map(|seed| state.line().game().choose(level, seed)) {
                    _ if reply.engine != G::ENGINE => _ = audit.others.insert(reply.engine),
                    None => audit.unproved += 1,
                    Some(Some(chosen)) if chosen.mv == reply.mv => audit.same += 1,
                    Some(chosen) => {
                        let chosen = chosen.map_or(String::new(), |chosen| state.line().game().notation(&chosen.mv));
                        audit.wrong.push((at, reply.notation.clone(), chosen));
                    }
                }
            };
            // The record has been replayed before, so nothing stops this.
            match replayed.replayed_with(event.clone(), "?", &mut examine) {
                Ok(next) => replayed = next,
                Err(_) => break,
            }
        }
        audit
    }
}
