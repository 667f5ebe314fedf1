//! Time limits: when a player runs out of time, and how that ends the game.

use std::time::Duration;

use game::Seat;

use crate::absence::{run_out, time_away};
use crate::game_state::GameState;
use crate::{
    Absence, Absences, ClockRefusal, Event, EventKind, ExtensionRefusal, NudgeRefusal, Player, TableRefusal,
    TableStatus, Terms, Timestamp,
};

/// The most time that a player can give the opponent in a round: 30 days.
pub(crate) const MAX_GIFTS: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// The least time that a player can give at once: a day. So nobody can fill the record.
pub(crate) const MIN_GIFT: Duration = Duration::from_secs(24 * 60 * 60);
/// The delay of an announcement from which the turn begins with it: a minute.
pub const LATE_AFTER: Duration = Duration::from_secs(60);

/// The shortest time between two mentions of a player, not counting moves: a day.
pub const MENTION_INTERVAL: Duration = Duration::from_secs(24 * 60 * 60);

impl GameState {
    /// Returns the time at which the current turn started for its player: when the bot told them, or when their issue was unlocked,
    /// if that's at least a minute later than the event.
    pub fn turn_started_at(&self) -> Timestamp {
        self.clocks.started_at().max(self.clock_start)
    }

    /// Returns the index of the event that began the current turn.
    pub fn turn_event(&self) -> usize {
        self.turn_event
    }

    /// Whether the record says when the clock of the player to move began to run.
    pub fn has_clock_start(&self) -> bool {
        self.clocks.has_start()
    }

    /// Whether the clock of the player to move can have begun to run when an event says, which is between their turn and the event.
    pub(crate) fn allows_clock_start(&self, event: &Event) -> bool {
        event.clock_start.is_none_or(|start| (self.clocks.started_at()..=event.timestamp).contains(&start))
    }

    /// Sets when the clock of the player to move began to run, as the table's issue shows it. Less than a minute after their turn
    /// began, that changes nothing.
    pub(crate) fn set_clock_start(&mut self, at: Timestamp) {
        let is_late = at.since(self.clocks.started_at()) >= LATE_AFTER;
        self.clock_start = if is_late { at } else { Timestamp::EPOCH };
    }

    /// Returns when the clock began to run, for an event at a given time to note; `None` if the event needn't note it.
    pub(crate) fn clock_start_for(&self, kind: &EventKind, at: Timestamp) -> Option<Timestamp> {
        let (known, start) = (self.clocks.started_at(), self.turn_started_at());
        match kind {
            EventKind::MovedHere { .. } => Some(start).filter(|start| *start <= at),
            _ if self.terms.per_move.is_none() => None,
            // The opponent may speak before the player learns of their turn.
            kind if kind.is_talk() => Some(start).filter(|start| known < *start && *start <= at),
            // A player who moves before the bot told them has used no time.
            _ => Some(start.min(at)).filter(|start| known < *start),
        }
    }

    /// Returns the clock of the player to move; `None` without a time limit.
    pub fn turn_clock(&self) -> Option<TurnClock> {
        let seat = self.timeline.game().side_to_move();
        Some(TurnClock {
            started_at: self.turn_started_at(),
            per_move: self.terms.per_move? + self.clocks.gift,
            bank: self.bank(seat),
            absences: self.absences_at(seat).copied().collect(),
        })
    }

    /// Returns the time that a player had in the bank when the current turn began; zero without a bank.
    pub fn bank(&self, seat: Seat) -> Duration {
        self.clocks.bank(seat, &self.terms)
    }

    /// Returns the time that the player to move has left at a given time, including the bank; `None` if there is no limit.
    pub fn time_left(&self, at: Timestamp) -> Option<Duration> {
        self.turn_clock().map(|clock| clock.left(at))
    }

    /// Returns how long a player was away between two points in time.
    pub fn time_away(&self, seat: Seat, from: Timestamp, until: Timestamp) -> Duration {
        time_away(self.absences_at(seat), from, until)
    }

    /// Returns the time at which the player at a seat is back; `None` if they aren't away.
    pub fn away_until(&self, seat: Seat, at: Timestamp) -> Option<Timestamp> {
        self.absences_at(seat).find(|absence| absence.covers(at)).map(|absence| absence.until)
    }

    /// Returns the known absences of the player at a seat, in order.
    pub(crate) fn absences_at(&self, seat: Seat) -> impl Iterator<Item = &Absence> {
        let id = self.players.player(seat).and_then(Player::id);
        id.into_iter().flat_map(|id| self.absences.by_person(id))
    }

    /// Returns how long the player to move was away in this turn before an event at a given time. It is zero for events
    /// that end neither the turn nor the game, because they don't count it.
    pub(crate) fn away_for(&self, kind: &EventKind, at: Timestamp) -> Duration {
        let clock = self.turn_clock().filter(|_| !kind.is_talk());
        clock.map_or(Duration::ZERO, |clock| clock.time_away(at))
    }

    /// Checks that a player may give the opponent more time for this turn, without regard to how much.
    ///
    /// # Errors
    /// Returns an error if there is no clock, if it isn't the opponent's turn, or if nobody has their seat.
    pub(crate) fn check_extension(&self, seat: Seat) -> Result<(), TableRefusal> {
        match seat.other() {
            _ if self.terms.per_move.is_none() => Err(ExtensionRefusal::NoTimeLimit.into()),
            other if self.players.computer_at(other).is_some() => Err(ExtensionRefusal::Computer.into()),
            other if self.timeline.game().side_to_move() != other => Err(ExtensionRefusal::OwnTurn.into()),
            other if !self.players.is_occupied(other) => Err(self.players.no_opponent_refusal(seat)),
            _ => Ok(()),
        }
    }

    /// Gives the opponent, who is to move, more time for this turn. `late` is how long they had been out of time.
    pub(super) fn extend(
        &mut self,
        seat: Seat,
        time: Duration,
        late: Duration,
        at: Timestamp,
    ) -> Result<(), TableRefusal> {
        self.check_extension(seat)?;
        let left = MAX_GIFTS.saturating_sub(self.clocks.given[seat.index()]);
        // The record may know less than the bot of when the clock began to run, and of time away. Both only make a player less late.
        let latest = self.clocks.late_by(seat.other(), &self.terms, at);
        if !(MIN_GIFT..=left).contains(&time) || late > latest {
            let days = left.as_secs() / MIN_GIFT.as_secs();
            return Err(ExtensionRefusal::OutOfRange(u32::try_from(days).unwrap_or_default()).into());
        }
        if !late.is_zero() && self.timeline.has_ever_moved(seat.other()) {
            self.clocks.use_up_bank(seat.other(), &self.terms);
        }
        self.clocks.give(seat, time, late);
        Ok(())
    }

    /// Sets the players' absences. The record only has the time away that its events counted.
    pub(crate) fn set_absences(&mut self, absences: Absences) {
        self.absences = absences;
    }

    /// Ends the turn of the player to move, and starts the next one.
    pub(super) fn end_turn(&mut self, at: Timestamp) {
        let seat = self.timeline.game().side_to_move();
        // Players pay nothing before their first move, because they haven't agreed to play yet.
        if self.timeline.has_ever_moved(seat) {
            self.clocks.charge(seat, &self.terms, at);
        }
        self.start_turn(at);
    }

    /// Starts a turn, but never earlier than the last one. Comments in other issues can be older than that turn.
    pub(super) fn start_turn(&mut self, at: Timestamp) {
        self.clocks.restart(at.max(self.clocks.started_at()));
        self.turn_event = self.timeline.events().len();
        self.clock_start = Timestamp::EPOCH;
    }

    /// Ends the game because the player to move is out of time.
    pub(super) fn let_flag_fall(&mut self, event: &Event) -> Result<(), TableRefusal> {
        let winner = self.timeline.game().side_to_move().other();
        if !self.timeline.has_ever_moved(winner.other()) {
            return Err(ClockRefusal::NoTimeLimit.into());
        }
        self.win_on_time(winner, event.timestamp)
    }

    /// Ends the game if this seat's opponent is out of time. In chess it's a draw if that seat can't checkmate.
    pub(super) fn win_on_time(&mut self, winner: Seat, at: Timestamp) -> Result<(), TableRefusal> {
        self.check_overdue(winner, at)?;
        self.status = if self.timeline.game().can_win(winner) { TableStatus::Won(winner) } else { TableStatus::Draw };
        Ok(())
    }

    /// Checks that this seat may remind its opponent: a day after the turn began, or after the last reminder.
    pub(super) fn check_nudge(&self, seat: Seat, at: Timestamp) -> Result<(), TableRefusal> {
        let other = seat.other();
        if self.timeline.game().side_to_move() == seat {
            return Err(NudgeRefusal::OwnTurn.into());
        }
        if !self.players.is_occupied(other) {
            return Err(self.players.no_opponent_refusal(seat));
        }
        if !self.timeline.has_ever_moved(other) {
            return Err(NudgeRefusal::NeverMoved.into());
        }
        let since = self.last_mention().unwrap_or_default().max(self.turn_started_at());
        match MENTION_INTERVAL.saturating_sub(at.since(since)) {
            Duration::ZERO => Ok(()),
            left => Err(NudgeRefusal::TooEarly(left).into()),
        }
    }

    /// Returns when the player to move was last mentioned for anything but their turn: a reminder by the opponent, or an offer.
    /// `None` if there was nothing in this turn.
    pub fn last_mention(&self) -> Option<Timestamp> {
        let waiting = self.timeline.game().side_to_move().other();
        let mentions = |event: &&Event| {
            let kinds = [EventKind::Nudge, EventKind::OfferDraw, EventKind::AskUndo, EventKind::OfferResign];
            event.seat == Some(waiting) && kinds.contains(&event.kind)
        };
        self.timeline.events().iter().skip(self.turn_event).rfind(mentions).map(|event| event.timestamp)
    }

    /// Checks that this seat may claim a win on time.
    fn check_overdue(&self, seat: Seat, at: Timestamp) -> Result<(), TableRefusal> {
        let left = self.clocks.left(seat.other(), &self.terms, at).ok_or(ClockRefusal::NoTimeLimit)?;
        if self.timeline.game().side_to_move() == seat {
            return Err(ClockRefusal::OwnTimeRunning.into());
        }
        if !self.players.is_occupied(seat.other()) {
            return Err(self.players.no_opponent_refusal(seat));
        }
        if left.is_zero() {
            return Ok(());
        }
        let clock = self.turn_clock();
        let deadline = clock.as_ref().map_or(at + left, TurnClock::deadline);
        Err(TableRefusal::Clock(match clock.and_then(|clock| clock.away_until(at)) {
            Some(until) => ClockRefusal::OpponentAway(until, left, deadline),
            None => ClockRefusal::TimeLeft(left, deadline),
        }))
    }
}

// The clock of the player to move.
//
// A turn first uses the time for a move, then the player's bank. While the player is away, neither runs.

/// The clock of the player to move, since their turn began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnClock {
    /// When the turn began for the player.
    pub started_at: Timestamp,
    /// The time for this move, including what the opponent gave.
    pub per_move: Duration,
    /// The time that the player had in the bank when the turn began; zero without a bank.
    pub bank: Duration,
    /// The player's absences, in order.
    pub absences: Vec<Absence>,
}

impl TurnClock {
    /// Returns when the player runs out of time.
    pub fn deadline(&self) -> Timestamp {
        run_out(&self.absences, self.started_at, self.per_move + self.bank)
    }

    /// Returns the time at which the bank begins to run, because the time for the move is used up.
    pub fn bank_starts_at(&self) -> Timestamp {
        run_out(&self.absences, self.started_at, self.per_move)
    }

    /// Returns the time that the player has left, including the bank.
    pub fn left(&self, at: Timestamp) -> Duration {
        (self.per_move + self.bank).saturating_sub(self.time_used(at))
    }

    /// Returns how long the player has been out of time.
    pub(crate) fn late_by(&self, at: Timestamp) -> Duration {
        self.time_used(at).saturating_sub(self.per_move + self.bank)
    }

    /// Returns the time that the player has left in the bank.
    pub fn bank_left(&self, at: Timestamp) -> Duration {
        self.bank.saturating_sub(self.time_used(at).saturating_sub(self.per_move))
    }

    /// Returns how long the player has been away in this turn, before the clock ran out.
    pub fn time_away(&self, at: Timestamp) -> Duration {
        time_away(&self.absences, self.started_at, at.min(self.deadline()))
    }

    /// Returns when the player is back, if they are away and have time left. A time before they learned of their turn counts as the
    /// time when they did.
    pub fn away_until(&self, at: Timestamp) -> Option<Timestamp> {
        let at = at.max(self.started_at);
        let current = self.absences.iter().find(|absence| absence.covers(at));
        current.filter(|_| at < self.deadline()).map(|absence| absence.until)
    }

    fn time_used(&self, at: Timestamp) -> Duration {
        at.since(self.started_at).saturating_sub(self.time_away(at))
    }
}

// The clocks of both players, as the events of a game move them.

/// The clocks of both players.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Clocks {
    /// When the current turn began.
    turn_started_at: Timestamp,
    /// When the clock of the player to move began to run, as far as an event says.
    clock_start: Option<Timestamp>,
    /// The part of the bank that each player has used.
    bank_used: [Duration; 2],
    /// How long the player to move had been away in their turn when the current event happened.
    time_away: Duration,
    /// The time that the opponent gave the player to move for this turn.
    gift: Duration,
    /// The time that each player has given in this round, without what made up for being late.
    given: [Duration; 2],
}

impl Clocks {
    /// Returns the time at which the clock of the player to move began to run, as far as the record says.
    fn started_at(&self) -> Timestamp {
        self.clock_start.unwrap_or(self.turn_started_at)
    }

    /// Whether an event says when the clock began to run in this turn.
    fn has_start(&self) -> bool {
        self.clock_start.is_some()
    }

    /// Notes when the clock began to run in this turn, if the current event says so.
    pub(crate) fn note_start(&mut self, at: Option<Timestamp>) {
        self.clock_start = at.or(self.clock_start);
    }

    /// Returns the time that a player has left in the bank.
    pub(crate) fn bank(&self, seat: Seat, terms: &Terms) -> Duration {
        terms.bank.unwrap_or_default().saturating_sub(self.bank_used[seat.index()])
    }

    /// Returns the time that the player to move has left at the current event, including the bank; `None` without a limit.
    pub(crate) fn left(&self, seat: Seat, terms: &Terms, at: Timestamp) -> Option<Duration> {
        let time = terms.per_move? + self.gift + self.bank(seat, terms);
        Some(time.saturating_sub(self.time_used(at)))
    }

    /// Returns how long the player to move has been out of time at the current event; zero without a limit.
    fn late_by(&self, seat: Seat, terms: &Terms, at: Timestamp) -> Duration {
        let time = terms.per_move.unwrap_or(Duration::MAX).saturating_add(self.gift + self.bank(seat, terms));
        self.time_used(at).saturating_sub(time)
    }

    /// Takes the rest of a player's bank for this turn, so that a gift of the opponent doesn't refill it.
    fn use_up_bank(&mut self, seat: Seat, terms: &Terms) {
        self.gift += self.bank(seat, terms);
        self.bank_used[seat.index()] = terms.bank.unwrap_or_default();
    }

    /// Gives the opponent of a player more time for this turn.
    fn give(&mut self, seat: Seat, time: Duration, late: Duration) {
        self.gift += time + late;
        self.given[seat.index()] += time;
    }

    /// Notes how long the player to move has been away in their turn, as the current event says.
    pub(crate) fn note_time_away(&mut self, away: Duration) {
        self.time_away = away;
    }

    /// Starts a turn without charging anyone for the last one.
    fn restart(&mut self, at: Timestamp) {
        self.turn_started_at = at;
        self.clock_start = None;
        self.time_away = Duration::ZERO;
        self.gift = Duration::ZERO;
    }

    /// Takes the time beyond `per-move` and the opponent's gift out of the bank of the player whose turn ends.
    fn charge(&mut self, seat: Seat, terms: &Terms, at: Timestamp) {
        let (Some(per_move), Some(bank)) = (terms.per_move, terms.bank) else { return };
        let beyond = self.time_used(at).saturating_sub(per_move + self.gift);
        let used = &mut self.bank_used[seat.index()];
        *used = (*used + beyond).min(bank);
    }

    /// Gives the next player of a seat a full bank, and all the time to give.
    pub(crate) fn refill(&mut self, seat: Seat) {
        self.bank_used[seat.index()] = Duration::ZERO;
        self.given[seat.index()] = Duration::ZERO;
    }

    fn time_used(&self, at: Timestamp) -> Duration {
        at.since(self.started_at()).saturating_sub(self.time_away)
    }
}
