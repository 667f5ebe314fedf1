//! The timeline of a game: its events, and the positions after them.

use std::collections::BTreeSet;
use std::time::Duration;

use game::Seat;
use games::{AnyMove, AnyPosition};

use crate::game_state::GameState;
use crate::{Event, EventKind, Reply, SeatRefusal, Table, TableRefusal, UserId};

/// The events of a round, and the positions after the plies that still count.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline {
    events: Vec<Event>,
    start: AnyPosition,
    plies: Vec<KeptPly>,
    /// Every move so far, even if it was taken back: the index of its event, and its seat.
    moves: Vec<(usize, Seat)>,
}

/// A ply as the timeline keeps it: without the position before it.
#[derive(Clone, Debug, PartialEq)]
struct KeptPly {
    event_index: usize,
    made_by: MadeBy,
    played: Option<(AnyMove, String)>,
    clock: Option<Duration>,
    after: AnyPosition,
}

/// The maker of a ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MadeBy {
    /// The author of its event.
    Player,
    /// The computer, after that event.
    Computer,
    /// A player who had announced it as a conditional move, after that event.
    Condition,
    /// The table after that event, because it was the player's only legal move.
    Force,
}

/// A ply that counts: a move by a player or the computer, or a game in a match that was given up.
#[derive(Clone, Copy, Debug)]
pub struct Ply<'a> {
    /// The position before it.
    pub before: &'a AnyPosition,
    /// The position after it.
    pub after: &'a AnyPosition,
    /// The index of its event in the history.
    pub event_index: usize,
    /// The event that made it, or that it follows from.
    pub event: &'a Event,
    /// The seat that it was played for.
    pub seat: Seat,
    /// The move and its canonical notation; `None` if a game was given up.
    pub played: Option<(&'a AnyMove, &'a str)>,
    /// The maker: a player, the computer, or a player's conditional move.
    pub made_by: MadeBy,
    /// The time that the player had left, including the bank; `None` without a limit.
    pub clock: Option<Duration>,
}

impl Ply<'_> {
    /// Returns the ply for a list of moves: `31: 8/5 6/5`.
    pub fn move_list_entry(&self) -> String {
        match self.played {
            Some((mv, _)) => self.before.move_list_entry(mv),
            None => self.event.resignation_text().unwrap_or_default().to_owned(),
        }
    }
}

impl Timeline {
    /// Creates a timeline without events.
    pub(super) fn new(start: AnyPosition) -> Self {
        Timeline { events: Vec::new(), start, plies: Vec::new(), moves: Vec::new() }
    }

    /// Returns the events, oldest first.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Returns the start position, including the opening roll.
    pub fn start_position(&self) -> &AnyPosition {
        &self.start
    }

    /// Returns the current position.
    pub fn game(&self) -> &AnyPosition {
        self.position_at(self.plies.len())
    }

    /// Returns the position before the last ply.
    pub(super) fn previous_position(&self) -> Option<&AnyPosition> {
        self.plies.len().checked_sub(1).map(|ply| self.position_at(ply))
    }

    /// Returns the plies that still count, oldest first.
    pub fn plies(&self) -> impl DoubleEndedIterator<Item = Ply<'_>> + ExactSizeIterator {
        (0..self.plies.len()).map(|at| self.ply(at))
    }

    /// Returns the ply with this index.
    pub fn ply_at(&self, at: usize) -> Option<Ply<'_>> {
        (at < self.plies.len()).then(|| self.ply(at))
    }

    /// Returns the plies of the last event, oldest first.
    pub fn last_event_plies(&self) -> impl Iterator<Item = Ply<'_>> {
        let last = self.events.len().saturating_sub(1);
        let first = self.plies.partition_point(|ply| ply.event_index < last);
        (first..self.plies.len()).map(|at| self.ply(at))
    }

    /// Returns the position after this many plies.
    fn position_at(&self, plies: usize) -> &AnyPosition {
        plies.checked_sub(1).map_or(&self.start, |last| &self.plies[last].after)
    }

    fn ply(&self, at: usize) -> Ply<'_> {
        let KeptPly { event_index, made_by, ref played, clock, ref after } = self.plies[at];
        let (before, event) = (self.position_at(at), &self.events[event_index]);
        let seat = match (made_by, event.seat) {
            (MadeBy::Player, Some(seat)) => seat,
            _ => before.side_to_move(),
        };
        let played = played.as_ref().map(|(mv, notation)| (mv, notation.as_str()));
        Ply { before, after, event_index, event, seat, played, made_by, clock }
    }

    /// Returns the seats of all moves since the event with this index, even if they were taken back.
    pub(super) fn movers_since(&self, event_index: usize) -> impl Iterator<Item = Seat> {
        let first = self.moves.partition_point(|(index, _)| *index < event_index);
        self.moves[first..].iter().map(|(_, seat)| *seat)
    }

    /// Whether the player at this seat, or one before them, has ever moved in this round, even if the move was taken
    /// back. A player who left doesn't count.
    pub fn has_ever_moved(&self, seat: Seat) -> bool {
        let left = |event: &Event| event.kind == EventKind::Leave && event.seat == Some(seat);
        let since = self.events.iter().rposition(left).unwrap_or_default();
        self.movers_since(since).any(|mover| mover == seat)
    }

    /// Whether this seat has made a move that still counts.
    pub fn has_moved(&self, seat: Seat) -> bool {
        self.plies_to_undo(seat).is_some()
    }

    /// Returns the number of plies to take back so that this seat's last move is undone, except forced ones; `None` if it hasn't
    /// moved.
    pub fn plies_to_undo(&self, seat: Seat) -> Option<usize> {
        let is_own = |ply: Ply<'_>| ply.seat == seat && ply.made_by != MadeBy::Force;
        self.plies().rev().position(is_own).map(|later| later + 1)
    }

    /// Returns the number of plies to take back if a person leaves: 1 if they have moved, otherwise 0.
    ///
    /// # Errors
    /// Returns an error if the person didn't join at an open seat, has left before, or can no longer leave.
    pub fn plies_to_leave(&self, person: UserId) -> Result<usize, TableRefusal> {
        let joined = self.events.iter().position(|event| event.author == person).ok_or(SeatRefusal::NotGuest)?;
        let opening = &self.events[0];
        let is_open_seat = opening.seat.is_some() && matches!(opening.kind, EventKind::New { opponent: None, .. });
        let since = &self.events[joined..];
        let moves = since.iter().filter(|event| matches!(event.kind, EventKind::Move { .. })).count();
        let has_changed = since.iter().any(|event| match event.kind {
            EventKind::Move { .. } => event.author != person,
            EventKind::Leave | EventKind::Undo { .. } | EventKind::SeatComputer { .. } => true,
            _ => false,
        });
        let plies = self.plies().rev().take_while(|ply| ply.event_index >= joined).count();
        if joined == 0 || !is_open_seat {
            return Err(SeatRefusal::NotGuest.into());
        }
        let has_rolled = since.iter().any(|event| event.rolls().next().is_some());
        let is_early = !has_changed && !has_rolled && moves == plies && moves <= 1;
        if is_early { Ok(plies) } else { Err(SeatRefusal::TooLateToLeave.into()) }
    }

    /// Whether a person made one of the last `gap` moves at this open table. A move counts even after a takeback,
    /// so a takeback never earns another turn.
    pub fn has_moved_recently(&self, person: UserId, gap: u32) -> bool {
        let is_move = |event: &&Event| matches!(event.kind, EventKind::Move { .. } | EventKind::AskComputer { .. });
        let moves = self.events.iter().rev().filter(is_move);
        moves.take(usize::try_from(gap).unwrap_or(usize::MAX)).any(|event| event.author == person)
    }

    /// Whether a player has had a hint in this round.
    pub fn has_used_hint(&self) -> bool {
        self.events.iter().any(|event| event.kind == EventKind::Hint)
    }

    /// Checks that no dice were rolled in the last `plies` plies. Nobody can take back a roll that people have seen.
    ///
    /// # Errors
    /// Returns an error if dice were rolled.
    pub(super) fn check_no_dice_since(&self, plies: usize) -> Result<(), TableRefusal> {
        let from = self.plies[self.plies.len() - plies].event_index;
        let shown = self.events[from..].iter().any(|event| event.rolls().next().is_some());
        if shown { Err(TableRefusal::DiceRolled) } else { Ok(()) }
    }

    /// Adds an event. Its plies are already there.
    pub(super) fn push(&mut self, event: Event) {
        self.events.push(event);
    }

    /// Removes the last event, but not its plies.
    pub(super) fn pop(&mut self) -> Option<Event> {
        self.events.pop()
    }

    /// Adds a ply of the next event: the position after it, its maker, the move with its canonical notation, and the time that the
    /// player had left.
    pub(super) fn advance(
        &mut self,
        after: AnyPosition,
        made_by: MadeBy,
        played: Option<(AnyMove, String)>,
        clock: Option<Duration>,
    ) {
        if played.is_some() {
            self.moves.push((self.events.len(), self.game().side_to_move()));
        }
        self.plies.push(KeptPly { event_index: self.events.len(), made_by, played, clock, after });
    }

    /// Replaces the current position without adding a ply.
    pub(super) fn replace_position(&mut self, next: AnyPosition) {
        match self.plies.last_mut() {
            Some(last) => last.after = next,
            None => self.start = next,
        }
    }

    /// Removes a number of plies from the end.
    pub(super) fn rewind(&mut self, plies: usize) {
        self.plies.truncate(self.plies.len() - plies);
    }
}

// A check of the computer's moves in a record.

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
    pub fn run(table: &Table) -> ReplyAudit {
        let mut audit = ReplyAudit::default();
        let key = table.history().last().and_then(|event| event.key.as_ref());
        let Some(mut replayed) = table.without_events() else { return audit };
        for (at, event) in table.history().iter().enumerate() {
            let mut examine = |state: &GameState, event: &Event, level, reply: &Reply| {
                let seed = state.reply_seed(key, event.source).ok();
                match seed.map(|seed| state.timeline().game().choose(level, seed)) {
                    _ if reply.engine != state.timeline().game().engine_version() => {
                        audit.other_engines.insert(reply.engine);
                    }
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
