//! A table, built up event by event.
//!
//! [`Table::append`] adds a new event, and [`Table::replay`] adds an event from a record. Both use the same rules,
//! [`GameState`], and the same loop for the effects, `apply_consequences`. So deciding a command and replaying a file run the
//! same code. Rules that depend on the comment instead of the history, such as a maintainer's rights, are in
//! `decisions/decide.rs`.

mod queries;

use std::time::Duration;

use game::{Info, InvalidState, Seat, Variant};
use games::{AnyPosition, GameVariant};

use crate::effects::{NewConsequences, RecordedConsequences, ReplyObserver, apply_consequences, check_notation};
use crate::game_state::GameState;
use crate::history::HostMove;
use crate::players::Players;
use crate::timeline::Timeline;
use crate::{
    Absences, CommentId, CommentRef, Event, EventKind, InvalidHistory, IssueNumber, Key, Mover, PgnTags, Player, Ply,
    RatingChange, RepositoryId, ResultNumber, TableRefusal, TableStatus, Terms, Timestamp, Turn, UserId,
};

/// The silence after which a player may abort a game without `per-move`: 30 days.
pub(crate) const SILENCE_LIMIT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// A table: its terms, its history, and the state that follows from them.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    issue: IssueNumber,
    repository: Option<RepositoryId>,
    round: u32,
    imported: Option<PgnTags>,
    host_move: Option<HostMove>,
    settled_through: CommentId,
    result_number: Option<ResultNumber>,
    rating_changes: Option<[RatingChange; 2]>,
    state: GameState,
}

impl Table {
    /// Creates a table without any events, not even its opening.
    pub fn new(issue: IssueNumber, round: u32, start: AnyPosition, terms: Terms) -> Self {
        Table {
            issue,
            repository: None,
            round,
            imported: None,
            host_move: None,
            settled_through: CommentId::default(),
            result_number: None,
            rating_changes: None,
            state: GameState::new(round, start, terms),
        }
    }

    /// Returns this table with the facts about an imported game.
    pub fn with_imported(self, imported: Option<PgnTags>) -> Self {
        Table { imported, ..self }
    }

    /// Returns this table with the facts about a move by the host.
    pub fn with_host_move(self, host_move: Option<HostMove>) -> Self {
        Table { host_move, ..self }
    }

    /// Returns this table, bound to a repository, or to none.
    pub fn with_repository(self, repository: Option<RepositoryId>) -> Self {
        Table { repository, ..self }
    }

    /// Returns this table with its own thread settled at least up to a comment.
    pub fn with_settled_through(self, comment: CommentId) -> Self {
        Table { settled_through: self.settled_through.max(comment), ..self }
    }

    /// Returns this table with its number among the results of its kind.
    pub fn with_result_number(self, number: Option<ResultNumber>) -> Self {
        Table { result_number: number, ..self }
    }

    /// Returns this table with the rating changes of its players, in the order of the seats.
    pub fn with_rating_changes(self, rating_changes: Option<[RatingChange; 2]>) -> Self {
        Table { rating_changes, ..self }
    }

    /// Returns this table with its players' absences, which aren't in the record.
    pub fn with_absences(mut self, absences: Absences) -> Self {
        self.state.set_absences(absences);
        self
    }

    /// Returns when the table moved to its issue during the current turn; `None` if it didn't.
    pub fn turn_moved_at(&self) -> Option<Timestamp> {
        let mut since = self.history().iter().skip(self.state.turn_event());
        since.rfind(|event| matches!(event.kind, EventKind::MovedHere { .. })).map(|event| event.timestamp)
    }

    /// Returns this table with the time when the clock of the player to move began to run, as its issue shows it. The record
    /// only has it from the next event on.
    pub fn with_clock_start(mut self, at: Timestamp) -> Self {
        self.state.set_clock_start(at);
        self
    }

    /// Returns this table in another issue, where nothing is settled yet.
    pub fn moved_to(self, issue: IssueNumber) -> Self {
        Table { issue, settled_through: CommentId::default(), ..self }
    }

    /// Returns this table in another issue, perhaps of another repository, to which the host moves its record.
    pub fn moved_by_host(self, issue: IssueNumber) -> Self {
        let host_move = HostMove { first_issue: self.first_issue(), events: self.history().len() };
        self.moved_to(issue).with_host_move(Some(host_move))
    }

    /// Returns a table for the next round, with the same terms and no events.
    ///
    /// # Errors
    /// Returns an error if the game can't start from its configuration.
    pub fn next_round(&self) -> Result<Self, InvalidState> {
        let start = self.game().restart()?;
        let next = Table::new(self.issue, self.round.saturating_add(1), start, self.terms());
        Ok(next.with_repository(self.repository).with_settled_through(self.settled_through))
    }

    /// Returns this table without its events; `None` if its game can't start from its configuration.
    pub fn without_events(&self) -> Option<Self> {
        let start = self.game().restart().ok()?;
        let table = Table::new(self.issue, self.round, start, self.terms()).with_repository(self.repository);
        Some(table.with_imported(self.imported.clone()).with_host_move(self.host_move))
    }

    /// Returns the table as it was when a comment was last edited, at `time`. `self` is the table before that, and
    /// `later` is the same table after it. Returns `None` if the history doesn't replay.
    pub fn replay_up_to(mut self, later: &Table, source: CommentRef, time: Timestamp) -> Option<Self> {
        for (index, event) in later.history().iter().enumerate().skip(self.history().len()) {
            if later.is_event_newer(index, source, time) {
                break;
            }
            let player = later.players().seat_of(event.author).and_then(|seat| later.player(seat));
            let login = player.and_then(Player::login).unwrap_or_default();
            self = self.replay(event.clone(), login).ok()?;
        }
        Some(self)
    }

    /// Returns this table after a new event. `login` is the username to show for its author. The key provides the rolls.
    /// Without the key, the event can't roll dice, and can't end a round that has a commitment.
    ///
    /// # Errors
    /// Returns an error if a rule of the game or of the table forbids the event.
    pub fn append(self, event: Event, login: &str, key: Option<&Key>) -> Result<Self, TableRefusal> {
        self.begin_event(event, login)?.finish_event(key)
    }

    /// Returns this table after a new event, before its effects. [`Table::finish_event`] adds those.
    ///
    /// # Errors
    /// Returns an error if a rule of the game or of the table forbids the event.
    pub(crate) fn begin_event(mut self, event: Event, login: &str) -> Result<Self, TableRefusal> {
        self.apply(&event, login)?;
        self.state.push(event);
        Ok(self)
    }

    /// Returns this table with all effects of the event that it has begun: rolls, forced plays and the computer's moves.
    ///
    /// # Errors
    /// Returns an error if an effect needs the key, and the key is missing or doesn't match the table's commitment.
    pub(crate) fn finish_event(mut self, key: Option<&Key>) -> Result<Self, TableRefusal> {
        // Take the event out of the history until its effects are complete. After `begin_event` there is always one.
        let Some(mut event) = self.state.pop() else { return Ok(self) };
        let mut new = NewConsequences::new(event.source, key);
        apply_consequences(&mut self.state, &event, &mut new)?;
        event.effects = new.effects;
        event.key = self.state.dice().key_to_publish(&event.kind, self.is_over(), key)?;
        self.state.push(event);
        Ok(self)
    }

    /// Returns this table after an event from a record, like [`Table::append`] but with the recorded rolls. Only the last
    /// event of a round shows the key, so all rolls are verified then.
    ///
    /// # Errors
    /// Returns an error if the event can't have happened, or not in this way.
    pub fn replay(self, event: Event, login: &str) -> Result<Self, InvalidHistory> {
        self.replay_with(event, login, &mut |_, _, _, _| {})
    }

    /// Returns this table after an event from a record, like [`Table::replay`]. It calls `show` before each of the
    /// computer's moves.
    ///
    /// # Errors
    /// Returns an error if the event can't have happened, or not in this way.
    pub(super) fn replay_with(
        mut self,
        event: Event,
        login: &str,
        show: &mut ReplyObserver<'_>,
    ) -> Result<Self, InvalidHistory> {
        if !self.state.allows_clock_start(&event) {
            return Err(InvalidHistory::ImpossibleClockStart);
        }
        self.apply(&event, login)?;
        if let (EventKind::Move { notation, mv }, Some(before)) = (&event.kind, self.timeline().previous_position()) {
            check_notation(before.notation(mv), notation)?;
        }
        let mut recorded = RecordedConsequences::new(&event, show);
        apply_consequences(&mut self.state, &event, &mut recorded)?;
        recorded.check_exhausted()?;
        self.state.dice().check_key(self.history(), &event, self.is_over())?;
        self.state.push(event);
        Ok(self)
    }

    /// Applies an event without its effects.
    fn apply(&mut self, event: &Event, login: &str) -> Result<(), TableRefusal> {
        if matches!(event.kind, EventKind::New { .. }) != self.history().is_empty() {
            return Err(TableRefusal::GameInProgress);
        }
        self.state.apply(event, login)?;
        match event.kind {
            EventKind::ImportedEnd { .. } if self.imported.is_none() => Err(TableRefusal::NotImported),
            _ => Ok(()),
        }
    }

    /// Returns the issue number, which is also the table's number.
    pub fn issue(&self) -> IssueNumber {
        self.issue
    }

    /// Returns the repository that the table belongs to; `None` for a table of a terminal, or one that the host has
    /// just imported or moved here from another repository.
    pub fn repository(&self) -> Option<RepositoryId> {
        self.repository
    }

    /// Returns the issue in which this round began.
    pub fn first_issue(&self) -> IssueNumber {
        if let Some(HostMove { first_issue, .. }) = self.host_move {
            return first_issue;
        }
        let came_from = self.history().iter().find_map(|event| match event.kind {
            EventKind::MovedHere { from } => Some(from),
            _ => None,
        });
        came_from.unwrap_or(self.issue)
    }

    /// Returns the number of the game at this table: 1 for the first, 2 for its rematch, and so on.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// Returns the game's description.
    pub fn info(&self) -> &'static Info {
        self.game().info()
    }

    /// Returns the game or the variant that is played.
    pub fn variant(&self) -> GameVariant {
        GameVariant { kind: self.game().kind(), variant: self.game().variant() }
    }

    /// Returns the facts about an imported game; `None` for any other.
    pub fn imported(&self) -> Option<&PgnTags> {
        self.imported.as_ref()
    }

    /// Returns the facts about the last move by the host; `None` without one.
    pub fn host_move(&self) -> Option<HostMove> {
        self.host_move
    }

    /// Returns the ID of the last settled comment in the table's own thread.
    pub fn settled_through(&self) -> CommentId {
        self.settled_through
    }

    /// Returns this game's number among the results of its kind; `None` until the game has ended and the standings count
    /// it.
    pub fn result_number(&self) -> Option<ResultNumber> {
        self.result_number
    }

    /// Returns how the result changed the ratings, in the order of the seats; `None` if it changed none.
    pub fn rating_changes(&self) -> Option<[RatingChange; 2]> {
        self.rating_changes
    }

    /// Returns the variant that counts the result; `None` if the game itself counts it, or if nothing does. Only games between
    /// two people have lists of variants.
    pub fn counted_variant(&self) -> Option<&'static Variant> {
        let is_between_people = self.terms().open.is_none() && self.players().computer().is_none();
        self.game().variant().filter(|_| self.result_number.is_some() && is_between_people)
    }

    /// Returns the state of the game.
    pub fn state(&self) -> &GameState {
        &self.state
    }

    /// Returns the terms beyond the options of the game.
    pub fn terms(&self) -> Terms {
        self.state.terms()
    }

    /// Returns the status of the game.
    pub fn status(&self) -> TableStatus {
        self.state.status()
    }

    /// Whether the game is being played.
    pub fn is_playing(&self) -> bool {
        self.status() == TableStatus::Playing
    }

    /// Whether the game is over. A game that moved to another issue isn't.
    pub fn is_over(&self) -> bool {
        self.state.is_over()
    }

    /// Whether the game ended with a win or a draw.
    pub fn has_result(&self) -> bool {
        matches!(self.status(), TableStatus::Won(_) | TableStatus::Draw)
    }

    /// Returns the events and positions.
    pub fn timeline(&self) -> &Timeline {
        self.state.timeline()
    }

    /// Returns the events, oldest first.
    pub fn history(&self) -> &[Event] {
        self.timeline().events()
    }

    /// Returns the turn that links on a page name.
    pub fn turn(&self) -> Turn {
        let number = self.history().iter().filter(|event| event.changes_position()).count();
        Turn { round: self.round(), number }
    }

    /// Returns the plies that still count, oldest first.
    pub fn plies(&self) -> impl DoubleEndedIterator<Item = Ply<'_>> + ExactSizeIterator {
        self.timeline().plies()
    }

    /// Returns the current position.
    pub fn game(&self) -> &AnyPosition {
        self.timeline().game()
    }

    /// Returns the seat to move.
    pub fn player_to_move(&self) -> Seat {
        self.game().side_to_move()
    }

    /// Returns the people at the table.
    pub fn players(&self) -> &Players {
        self.state.players()
    }

    /// Returns the player at a seat, or the one it is reserved for; `None` for an open seat.
    pub fn player(&self, seat: Seat) -> Option<&Player> {
        self.players().player(seat)
    }

    /// Returns the people who moved at an open table with the number of their moves, the most active first. Ties keep the
    /// order in which people first moved.
    pub fn movers(&self) -> Vec<Mover> {
        self.players().movers(self.timeline())
    }

    /// Returns the username of a person who has a seat or a move here that still counts; `None` for anyone else.
    pub fn login_of(&self, id: UserId) -> Option<&str> {
        self.players().login_of(id, self.timeline())
    }

    /// Whether the player at this seat, or one before them, has ever moved in this round, even if the move was taken
    /// back. A player who left doesn't count.
    pub fn has_ever_moved(&self, seat: Seat) -> bool {
        self.timeline().has_ever_moved(seat)
    }

    /// Whether anyone may join or move: a seat is neither taken nor reserved, or the table is open.
    pub fn has_open_seat(&self) -> bool {
        let is_free = |seat: Seat| self.player(seat).is_none();
        self.is_playing() && (self.terms().open.is_some() || Seat::BOTH.into_iter().any(is_free))
    }

    /// Returns the seat that the author of the last event has joined and may still leave.
    pub fn seat_that_may_leave(&self) -> Option<Seat> {
        let event = self.history().last()?;
        self.timeline().plies_to_leave(event.author).ok()?;
        event.seat
    }

    /// Whether a comment is the source of an event at this table.
    ///
    /// The body of an issue doesn't count if its event is older than the last move by the host. Comment IDs are unique,
    /// but issue 2 of another repository has a body with the same number and ID.
    pub fn has_event_from(&self, source: CommentRef) -> bool {
        let skipped = if source.is_body() { self.events_before_host_move() } else { 0 };
        self.history().iter().skip(skipped).any(|event| event.source == source)
    }

    /// Returns the number of events before the last move by the host. Their issue numbers may be those of another repository.
    pub(super) fn events_before_host_move(&self) -> usize {
        self.host_move.map_or(0, |host_move| host_move.events)
    }

    /// Whether the event at an index of the history is newer than a comment that was last edited at `time`.
    fn is_event_newer(&self, index: usize, source: CommentRef, time: Timestamp) -> bool {
        self.history().get(index).is_some_and(|event| {
            if index < self.events_before_host_move() {
                event.timestamp > time
            } else {
                event.is_newer_than(source, time)
            }
        })
    }

    /// Whether any event is newer than a comment that was last edited at `time`.
    pub fn has_event_since(&self, source: CommentRef, time: Timestamp) -> bool {
        (0..self.history().len()).any(|index| self.is_event_newer(index, source, time))
    }

    /// Returns the comment whose answer may be missing: the source of the last event. `None` if the event came with an
    /// import or a move by the host, or if it's a fallen flag or a crowd's move. Nobody in this issue waits for an answer to a comment
    /// then.
    pub fn source_to_answer(&self) -> Option<CommentRef> {
        let (first, last) = (self.history().first()?, self.history().last()?);
        let is_imported = self.imported.is_some() && last.source == first.source;
        let is_moved = self.history().len() <= self.events_before_host_move();
        let is_by_itself = last.kind == EventKind::Flag || last.has_votes();
        if is_imported || is_moved || is_by_itself { None } else { Some(last.source) }
    }
}
