//! A table of any game.

use game::Seat;
use games::{GameKind, GameVariant, for_each_game};

use crate::{
    Absences, CommentId, CommentRef, EventKind, IssueNumber, LATE_AFTER, RatingChange, RepositoryId, ResultNumber,
    Table, TableStatus, Timestamp, UserId,
};

/// Defines [`AnyTable`], and the macro that runs the same code for a table of any game.
macro_rules! any_table {
    ($d:tt $($game:ident: $module:ident),+) => {
        /// A table of any game.
        #[derive(Clone, Debug, PartialEq)]
        pub enum AnyTable {
            $(#[doc = concat!("A table of [`", stringify!($module), "`](games::", stringify!($module), ").")]
            $game(Table<games::$module::$game>)),+
        }

        impl AnyTable {
            /// Returns the kind of game that is played at this table.
            pub fn kind(&self) -> GameKind {
                match self { $(AnyTable::$game(_) => GameKind::$game),+ }
            }

            /// Returns the table as it was when a comment was last edited, at `time`. `self` is the table before that,
            /// and `later` is the same table after it. Returns `None` if the history doesn't replay.
            pub fn replay_up_to(self, later: &AnyTable, source: CommentRef, time: Timestamp) -> Option<AnyTable> {
                match (self, later) {
                    $((AnyTable::$game(early), AnyTable::$game(later)) => {
                        Some(early.replay_up_to(later, source, time)?.into())
                    })+
                    _ => None,
                }
            }
        }

        $(impl From<Table<games::$module::$game>> for AnyTable {
            fn from(table: Table<games::$module::$game>) -> AnyTable {
                AnyTable::$game(table)
            }
        })+

        /// Runs an expression with a table of any game.
        #[doc(hidden)]
        #[macro_export]
        macro_rules! with_table {
            ($d any:expr, $d table:ident => $d body:expr) => {
                match $d any { $($crate::AnyTable::$game($d table) => $d body),+ }
            };
        }
    };
}

for_each_game!(any_table $);

#[expect(
    clippy::single_component_path_imports,
    reason = "a macro that a macro defines has no other path in its own crate"
)]
pub(crate) use with_table;

impl AnyTable {
    /// Returns the game or the variant that is played at this table.
    pub fn variant(&self) -> GameVariant {
        GameVariant { kind: self.kind(), variant: with_table!(self, table => table.variant()) }
    }

    /// Returns the issue number, which is also the table's number.
    pub fn issue(&self) -> IssueNumber {
        with_table!(self, table => table.issue())
    }

    /// Returns the repository that the table belongs to; see [`Table::repository`].
    pub fn repository(&self) -> Option<RepositoryId> {
        with_table!(self, table => table.repository())
    }

    /// Returns this table, bound to a repository, or to none.
    pub fn with_repository(self, repository: Option<RepositoryId>) -> AnyTable {
        with_table!(self, table => table.with_repository(repository).into())
    }

    /// Whether the host put the record into its issue: it was imported, or moved there with the command line.
    pub fn was_placed_by_host(&self) -> bool {
        with_table!(self, table => table.imported().is_some() || table.host_move().is_some())
    }

    /// Returns 1 for the first game at this table, 2 for its rematch, and so on.
    pub fn round(&self) -> u32 {
        with_table!(self, table => table.round())
    }

    /// Returns this table without its events.
    pub fn without_events(&self) -> Option<AnyTable> {
        with_table!(self, table => table.without_events().map(AnyTable::from))
    }

    /// Returns the floor: the ID of the last settled comment in the table's own thread.
    pub fn floor(&self) -> CommentId {
        with_table!(self, table => table.floor())
    }

    /// Returns the username of the person whom the last event invited. `None` if it isn't a new game, or if it invited
    /// nobody, or a player of the previous round.
    pub fn invited_by_name(&self) -> Option<&str> {
        with_table!(self, table => match &table.history().last()?.kind {
            EventKind::New { opponent: Some(opponent), .. } if opponent.is_reserved() && opponent.id.is_none() => {
                Some(opponent.login.as_str())
            }
            _ => None,
        })
    }

    /// Returns the source of the last event; `None` before the first one.
    pub fn last_source(&self) -> Option<CommentRef> {
        with_table!(self, table => table.history().last().map(|event| event.source))
    }

    /// Returns the comment whose answer may be missing; see [`Table::source_to_answer`].
    pub fn source_to_answer(&self) -> Option<CommentRef> {
        with_table!(self, table => table.source_to_answer())
    }

    /// Returns the ID of the person who caused the last event. It is 0 if no comment caused the event.
    pub fn last_actor(&self) -> Option<UserId> {
        with_table!(self, table => table.history().last().map(|event| event.author))
    }

    /// Returns this table in another issue, to which the host moves its record.
    pub fn moved_by_host(self, issue: IssueNumber) -> AnyTable {
        with_table!(self, table => table.moved_by_host(issue).into())
    }

    /// Returns the time of the last event; [`Timestamp::EPOCH`] before the first one.
    pub fn last_event_time(&self) -> Timestamp {
        with_table!(self, table => table.history().last().map_or(Timestamp::EPOCH, |event| event.timestamp))
    }

    /// Whether this is a rematch that began after a comment in any thread was written. If it is, the comment was meant
    /// for the previous round, whose events this record doesn't hold.
    pub fn is_rematch_since(&self, source: CommentRef, time: Timestamp) -> bool {
        self.round() > 1
            && with_table!(self, table => table.history().first().is_some_and(|first| {
                let is_comparable = first.source.issue == source.issue && table.events_before_host_move() == 0;
                if is_comparable { first.source.comment > source.comment } else { first.timestamp >= time }
            }))
    }

    /// Whether an event is newer than a comment.
    pub fn has_event_since(&self, source: CommentRef, time: Timestamp) -> bool {
        with_table!(self, table => table.has_event_since(source, time))
    }

    /// Whether the table moved to its issue after a comment there.
    pub fn has_arrived_since(&self, comment: CommentId) -> bool {
        with_table!(self, table => table.history().iter().skip(table.events_before_host_move()).any(|event| {
            let is_here = event.source.issue == table.issue() && event.source.comment > comment;
            is_here && matches!(event.kind, EventKind::MovedHere { .. })
        }))
    }

    /// Whether a rematch has just begun and nothing has happened in it yet.
    pub fn is_fresh_rematch(&self) -> bool {
        with_table!(self, table => table.round() > 1 && table.history().len() == 1)
    }

    /// Returns the newest comment in the table's own thread that became an event; 0 if there is none.
    pub fn newest_own_comment(&self) -> CommentId {
        with_table!(self, table => {
            let since = table.history().iter().skip(table.events_before_host_move());
            let own = since.map(|event| event.source).filter(|source| source.issue == table.issue());
            own.map(|source| source.comment).max().unwrap_or_default()
        })
    }

    /// Whether any event of this round came from an issue.
    pub fn has_event_from_issue(&self, issue: IssueNumber) -> bool {
        with_table!(self, table => table.history().iter().any(|event| event.source.issue == issue))
    }

    /// Whether a comment is the source of an event at this table.
    pub fn has_event_from(&self, source: CommentRef) -> bool {
        with_table!(self, table => table.has_event_from(source))
    }

    /// Returns this table with its number among the results of its kind; see [`Table::with_result_number`].
    pub fn with_result_number(self, number: ResultNumber) -> AnyTable {
        with_table!(self, table => table.with_result_number(Some(number)).into())
    }

    /// Returns this game's number among the results of its kind; `None` until the standings count it.
    pub fn result_number(&self) -> Option<ResultNumber> {
        with_table!(self, table => table.result_number())
    }

    /// Returns this table with the rating changes of its players, in the order of the seats.
    pub fn with_rating_changes(self, changes: Option<[RatingChange; 2]>) -> AnyTable {
        with_table!(self, table => table.with_rating_changes(changes).into())
    }

    /// Returns how the result changed the ratings; see [`Table::rating_changes`].
    pub fn rating_changes(&self) -> Option<[RatingChange; 2]> {
        with_table!(self, table => table.rating_changes())
    }

    /// Whether the game is over. A game that moved to another issue isn't.
    pub fn is_over(&self) -> bool {
        with_table!(self, table => table.is_over())
    }

    /// Whether the game moved to another issue.
    pub fn has_moved_away(&self) -> bool {
        with_table!(self, table => matches!(table.status(), TableStatus::Moved(_)))
    }

    /// Whether anyone may join or move: a seat is neither taken nor reserved, or the table is open.
    pub fn has_open_seat(&self) -> bool {
        with_table!(self, table => table.has_open_seat())
    }

    /// Returns the person whose turn it is, with their username; `None` if the game is over, if anyone may move, or if the
    /// computer or somebody who hasn't joined moves next.
    pub fn person_to_move(&self) -> Option<(UserId, &str)> {
        with_table!(self, table => {
            let seat = table.player_to_move();
            let person = table.occupant(seat).filter(|_| table.is_playing() && table.occupants().has_person(seat))?;
            Some((person.id?, person.login.as_str()))
        })
    }

    /// Whether a person sits at this table, or sat here in this round.
    pub fn has_seated(&self, id: UserId) -> bool {
        with_table!(self, table => {
            let sat = table.history().iter().any(|event| event.author == id && event.seat.is_some());
            sat || table.occupants().seat_of(id).is_some()
        })
    }

    /// Returns this table with its players' absences, which aren't in the record.
    pub fn with_absences(self, absences: Absences) -> AnyTable {
        with_table!(self, table => table.with_absences(absences).into())
    }

    /// Returns this table with the time when the clock of the player to move began to run; see [`Table::with_clock_start`].
    pub fn with_clock_start(self, at: Timestamp) -> AnyTable {
        with_table!(self, table => table.with_clock_start(at).into())
    }

    /// Returns this table as the bot shows it when it announces the last event. If that event began the turn and the announcement
    /// is late, the clock begins to run only now.
    pub fn announced_at(self, now: Timestamp) -> AnyTable {
        let is_late = self.has_new_turn() && now.since(self.turn_started_at()) >= LATE_AFTER;
        if is_late { self.with_clock_start(now) } else { self }
    }

    /// Whether the last event began the current turn, so that its answer tells the player to move of it.
    pub fn has_new_turn(&self) -> bool {
        with_table!(self, table => table.state().turn_event() + 1 == table.history().len())
    }

    /// Returns when the current turn started for its player; see `GameState::turn_started_at`.
    pub fn turn_started_at(&self) -> Timestamp {
        with_table!(self, table => table.state().turn_started_at())
    }

    /// Whether the record says when the clock of the player to move began to run.
    pub fn has_clock_start(&self) -> bool {
        with_table!(self, table => table.state().has_clock_start())
    }

    /// Whether the game has a time limit.
    pub fn has_clock(&self) -> bool {
        with_table!(self, table => table.terms().per_move.is_some())
    }

    /// Whether the last event may depend on how long the author's opponent was silent: it ended the game, or gave a seat to the
    /// computer.
    pub fn depends_on_silence(&self) -> bool {
        with_table!(self, table => table.history().last().is_some_and(|event| match event.kind {
            EventKind::Claim | EventKind::SeatComputer { .. } => true,
            EventKind::Abort => event.seat.is_some() && Seat::BOTH.into_iter().all(|seat| table.timeline().has_moved(seat)),
            _ => false,
        }))
    }

    /// Returns the user IDs of the people who have a seat, or for whom one is reserved after a rematch.
    pub fn seated_people(&self) -> impl Iterator<Item = UserId> + use<> {
        with_table!(self, table => Seat::BOTH.map(|seat| table.occupant(seat).and_then(|occupant| occupant.id)))
            .into_iter()
            .flatten()
    }

    /// Returns the source of the event that began the current turn, whose answer tells the player to move; `None` before the first
    /// event.
    pub fn turn_source(&self) -> Option<CommentRef> {
        with_table!(self, table => table.history().get(table.state().turn_event()).map(|event| event.source))
    }

    /// Returns the number of events in this round.
    pub fn event_count(&self) -> usize {
        with_table!(self, table => table.history().len())
    }

    /// Returns the round, and the index of its last event; `None` if that event isn't a fallen flag.
    pub fn fallen_flag(&self) -> Option<(u32, usize)> {
        with_table!(self, table => {
            let last = table.history().last().filter(|event| event.kind == EventKind::Flag);
            last.map(|_| (table.round(), table.history().len() - 1))
        })
    }

    /// Returns the comments by a person in the table's own issue that caused events of this round.
    pub fn own_issue_comments(&self, person: UserId) -> Vec<CommentId> {
        with_table!(self, table => {
            let here = table.history().iter().skip(table.events_before_host_move());
            let own = here.filter(|event| event.author == person && event.source.issue == table.issue());
            own.map(|event| event.source.comment).collect()
        })
    }

    /// Whether anyone may move at this table.
    pub fn is_open(&self) -> bool {
        with_table!(self, table => table.terms().open.is_some())
    }

    /// Whether the game is still being played.
    pub fn is_playing(&self) -> bool {
        with_table!(self, table => table.status() == TableStatus::Playing)
    }
}
