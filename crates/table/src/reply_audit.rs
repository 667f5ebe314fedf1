//! A check of the computer's moves in a record.

use std::collections::BTreeSet;

use game::contract::Game;

use crate::game_state::GameState;
use crate::history::{Event, Reply};
use crate::table::Table;

/// The result of checking the computer's moves in a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplyAudit {
    /// The number of moves that match.
    pub matching: usize,
    /// The engine versions of moves that another version chose.
    pub other_engines: BTreeSet<u32>,
    /// The number of moves whose seed comes from an unpublished key.
    pub unverifiable: usize,
    /// The moves that don't match: the index of the event, the recorded move, and the move that the engine chooses.
    pub mismatches: Vec<(usize, String, String)>,
}

impl ReplyAudit {
    /// Recomputes every move by the computer, and compares it with the record.
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
            // The record was replayed when it was read, so this can't fail.
            match replayed.replay_with(event.clone(), "?", &mut examine) {
                Ok(next) => replayed = next,
                Err(_) => break,
            }
        }
        audit
    }
}
