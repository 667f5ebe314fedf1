//! What the protocol and the answers ask about a table, beyond its own parts.

use game::Seat;
use games::GameKind;

use crate::{
    Ballot, CommentId, CommentRef, EventKind, IssueNumber, LATE_AFTER, Player, Table, TableStatus, Timestamp, UserId,
};

impl Table {
    /// Returns the kind of game that is played at this table.
    pub fn kind(&self) -> GameKind {
        self.game().kind()
    }

    /// Whether the host put the record into its issue: it was imported, or moved there with the command line.
    pub fn was_placed_by_host(&self) -> bool {
        self.imported().is_some() || self.host_move().is_some()
    }

    /// Returns the username of the person whom the last event invited. `None` if it isn't a new game, or if it invited
    /// nobody, or a player of the previous round.
    pub fn invited_by_name(&self) -> Option<&str> {
        match &self.history().last()?.kind {
            EventKind::New { opponent: Some(Player::Invited(login)), .. } => Some(login.as_str()),
            _ => None,
        }
    }

    /// Returns the source of the last event; `None` before the first one.
    pub fn last_source(&self) -> Option<CommentRef> {
        self.history().last().map(|event| event.source)
    }

    /// Returns the ID of the person who caused the last event. It is 0 if no comment caused the event.
    pub fn last_actor(&self) -> Option<UserId> {
        self.history().last().map(|event| event.author)
    }

    /// Returns the time of the last event; [`Timestamp::EPOCH`] before the first one.
    pub fn last_event_time(&self) -> Timestamp {
        self.history().last().map_or(Timestamp::EPOCH, |event| event.timestamp)
    }

    /// Whether this is a rematch that began after a comment in any thread was written. If it is, the comment was meant
    /// for the previous round, whose events this record doesn't hold.
    pub fn is_rematch_since(&self, source: CommentRef, time: Timestamp) -> bool {
        self.round() > 1
            && self.history().first().is_some_and(|first| {
                let is_comparable = first.source.issue == source.issue && self.events_before_host_move() == 0;
                if is_comparable { first.source.comment > source.comment } else { first.timestamp >= time }
            })
    }

    /// Whether the table moved to its issue after a comment there.
    pub fn has_arrived_since(&self, comment: CommentId) -> bool {
        self.history().iter().skip(self.events_before_host_move()).any(|event| {
            let is_here = event.source.issue == self.issue() && event.source.comment > comment;
            is_here && matches!(event.kind, EventKind::MovedHere { .. })
        })
    }

    /// Whether a rematch has just begun and nothing has happened in it yet.
    pub fn is_fresh_rematch(&self) -> bool {
        self.round() > 1 && self.history().len() == 1
    }

    /// Returns the newest comment in the table's own thread that became an event; 0 if there is none.
    pub fn newest_own_comment(&self) -> CommentId {
        let since = self.history().iter().skip(self.events_before_host_move());
        let own = since.map(|event| event.source).filter(|source| source.issue == self.issue());
        own.map(|source| source.comment).max().unwrap_or_default()
    }

    /// Whether any event of this round came from an issue.
    pub fn has_event_from_issue(&self, issue: IssueNumber) -> bool {
        self.history().iter().any(|event| event.source.issue == issue)
    }

    /// Whether the game moved to another issue.
    pub fn has_moved_away(&self) -> bool {
        matches!(self.status(), TableStatus::Moved(_))
    }

    /// Returns the person whose turn it is, with their username; `None` if the game is over, if anyone may move, or if the
    /// computer or somebody who hasn't joined moves next.
    pub fn person_to_move(&self) -> Option<(UserId, &str)> {
        let seat = self.player_to_move();
        match self.player(seat).filter(|_| self.is_playing())? {
            Player::Person(person) => Some((person.id, &person.login)),
            _ => None,
        }
    }

    /// Whether a person sits at this table, or sat here in this round.
    pub fn has_seated(&self, id: UserId) -> bool {
        let sat = self.history().iter().any(|event| event.author == id && event.seat.is_some());
        sat || self.players().seat_of(id).is_some()
    }

    /// Returns this table as the bot shows it when it announces the last event. If that event began the turn and the announcement
    /// is late, the clock begins to run only now.
    pub fn announced_at(self, now: Timestamp) -> Table {
        let is_late = self.has_new_turn() && now.since(self.turn_started_at()) >= LATE_AFTER;
        if is_late { self.with_clock_start(now) } else { self }
    }

    /// Whether the last event began the current turn, so that its answer tells the player to move of it.
    pub fn has_new_turn(&self) -> bool {
        self.state().turn_event() + 1 == self.history().len()
    }

    /// Returns when the current turn started for its player; see `GameState::turn_started_at`.
    pub fn turn_started_at(&self) -> Timestamp {
        self.state().turn_started_at()
    }

    /// Whether the record says when the clock of the player to move began to run.
    pub fn has_clock_start(&self) -> bool {
        self.state().has_clock_start()
    }

    /// Whether the game has a time limit.
    pub fn has_clock(&self) -> bool {
        self.terms().per_move.is_some()
    }

    /// Whether the last event may depend on how long the author's opponent was silent: it ended the game, or gave a seat to the
    /// computer.
    pub fn depends_on_silence(&self) -> bool {
        self.history().last().is_some_and(|event| match event.kind {
            EventKind::Claim | EventKind::SeatComputer { .. } => true,
            EventKind::Abort => {
                event.seat.is_some() && Seat::BOTH.into_iter().all(|seat| self.timeline().has_moved(seat))
            }
            _ => false,
        })
    }

    /// Returns the user IDs of the people who have a seat, or for whom one is reserved after a rematch.
    pub fn seated_people(&self) -> impl Iterator<Item = UserId> + use<> {
        Seat::BOTH.map(|seat| self.player(seat)?.id()).into_iter().flatten()
    }

    /// Returns the source of the event that began the current turn, whose answer tells the player to move; `None` before the first
    /// event.
    pub fn turn_source(&self) -> Option<CommentRef> {
        self.history().get(self.state().turn_event()).map(|event| event.source)
    }

    /// Returns the number of events in this round.
    pub fn event_count(&self) -> usize {
        self.history().len()
    }

    /// Returns the round, and the index of its last event; `None` if that event isn't a fallen flag.
    pub fn fallen_flag(&self) -> Option<(u32, usize)> {
        let last = self.history().last().filter(|event| event.kind == EventKind::Flag);
        last.map(|_| (self.round(), self.history().len() - 1))
    }

    /// Returns the open ballot for the move of a crowd; `None` if it isn't a crowd's turn.
    pub fn ballot(&self) -> Option<&Ballot> {
        self.state().ballot()
    }

    /// Returns when the votes of the open ballot are counted; `None` without one.
    pub fn votes_end(&self) -> Option<Timestamp> {
        self.ballot()?;
        Some(self.turn_started_at() + self.terms().crowd?.voting_time)
    }

    /// Returns the round, and the index of the event, that the comment with a ballot is about: the event that opened the ballot, or
    /// the move of a crowd if that is the last event. `None` at any other time.
    pub fn ballot_place(&self) -> Option<(u32, usize)> {
        let last = || self.history().last().filter(|event| event.has_votes()).map(|_| self.history().len() - 1);
        let index = self.ballot().map(|ballot| ballot.event_index).or_else(last)?;
        Some((self.round(), index))
    }

    /// Returns the comments by a person in the table's own issue that caused events of this round.
    pub fn own_issue_comments(&self, person: UserId) -> Vec<CommentId> {
        let here = self.history().iter().skip(self.events_before_host_move());
        let own = here.filter(|event| event.author == person && event.source.issue == self.issue());
        own.map(|event| event.source.comment).collect()
    }

    /// Whether anyone may move at this table.
    pub fn is_open(&self) -> bool {
        self.terms().open.is_some()
    }
}
