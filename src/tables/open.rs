//! Open tables: nobody has a seat, and anyone may move for the side on turn.

use std::collections::BTreeMap;

use crate::game::contract::Game;
use crate::game::seat::Seat;
use crate::tables::history::{Event, EventKind};
use crate::tables::refusal::TableRefusal;
use crate::tables::table::Table;
use crate::tables::terms::{Mover, Open};

impl<G: Game> Table<G> {
    /// Returns the movers of an open table with their moves, the busiest first; of two equals the one who came first.
    pub fn movers(&self) -> Vec<Mover> {
        let mut moves = BTreeMap::new();
        for ply in self.plies() {
            *moves.entry(ply.event.by).or_default() += 1;
        }
        let all = self.movers.iter().map(|(id, login)| {
            let moves = moves.get(id).copied().unwrap_or_default();
            Mover { id: *id, login: login.clone(), moves }
        });
        let mut movers: Vec<Mover> = all.filter(|mover| mover.moves > 0).collect();
        movers.sort_by_key(|mover| std::cmp::Reverse(mover.moves));
        movers
    }

    /// Returns the login of somebody who sits here or has made a move here that still counts, as it was at their last event;
    /// `None` for anybody else. The record keeps no others, and what is said about a table follows from the record alone.
    pub fn login_of(&self, id: u64) -> Option<&str> {
        let seated = self.seats.iter().flatten().find(|sitter| sitter.id == Some(id));
        let counts = || self.plies().any(|ply| ply.event.by == id);
        let moved = || self.movers.iter().find(|(mover, _)| *mover == id && counts()).map(|(_, login)| login.as_str());
        seated.map(|sitter| sitter.login.as_str()).or_else(moved)
    }

    /// Whether a person has made one of the last moves at this open table, within its gap. A move counts even after it was taken
    /// back, so nobody gets another turn that way.
    pub fn has_moved_lately(&self, person: u64, open: Open) -> bool {
        let is_move = |event: &&Event<G>| matches!(event.kind, EventKind::Move { .. } | EventKind::AskComputer { .. });
        let gap = usize::try_from(open.gap).unwrap_or(usize::MAX);
        self.history.iter().rev().filter(is_move).take(gap).any(|event| event.by == person)
    }

    /// Applies an event at an open table. What players settle by word is refused here: nobody speaks for a side.
    pub(super) fn apply_openly(
        &mut self,
        seat: Option<Seat>,
        open: Open,
        event: &Event<G>,
        login: &str,
    ) -> Result<(), TableRefusal> {
        match (&event.kind, seat) {
            (EventKind::New { opponent: None, commitment }, None) => {
                self.commitment = *commitment;
                self.turn_since = event.timestamp;
            }
            (EventKind::Move { .. } | EventKind::AskComputer { .. }, Some(seat)) => {
                // In older records only moves that stood kept their player waiting. New ones don't pass `decide` like that.
                let lately = usize::try_from(open.gap).unwrap_or(usize::MAX);
                let stands = self.plies().rev().take(lately).any(|earlier| earlier.event.by == event.by);
                if stands && self.has_moved_lately(event.by, open) {
                    return Err(TableRefusal::MovedLately(open.gap));
                }
                match &event.kind {
                    EventKind::Move { mv, .. } => self.play(seat, event.timestamp, mv)?,
                    _ if seat != self.to_move() => return Err(self.not_your_turn()),
                    _ => {}
                }
                match self.movers.iter_mut().find(|(id, _)| *id == event.by) {
                    Some((_, known)) => login.clone_into(known),
                    None => self.movers.push((event.by, login.to_owned())),
                }
            }
            (EventKind::Undo { plies: 1 }, Some(seat)) => {
                let last = self.plies().next_back().map(|last| (last.event.by, last.seat));
                if last != Some((event.by, seat)) {
                    return Err(TableRefusal::NotYourMove);
                }
                self.rewind(event.timestamp, 1)?;
            }
            _ => return Err(TableRefusal::OpenTable),
        }
        Ok(())
    }
}
