//! Commands that depend on time: `/claim`, `/extend`, `/abort` and `/computer`.

use std::time::Duration;

use game::{Level, Seat};

use crate::decisions::append::begin_event;
use crate::decisions::decide::CommandHandler;
use crate::decisions::option_words::parse_duration;
use crate::game_state::time::MIN_GIFT;
use crate::table::SILENCE_LIMIT;
use crate::{
    ClockRefusal, CrowdRefusal, Decision, EventKind, ExtensionRefusal, NudgeRefusal, Pending, Permission, Player,
    Refusal, TableRefusal, Timestamp,
};

impl CommandHandler<'_> {
    pub(super) fn abort(&self) -> Result<Decision<Pending>, Refusal> {
        let (table, seat) = (self.table, self.own_seat());
        let is_open = table.terms().open.is_some();
        let refusal = if is_open { Some(TableRefusal::NotAtOpenTable.into()) } else { self.check_abort(seat).err() };
        match refusal.map_or(Ok(()), |refusal| self.context.require(Permission::Triage, refusal)) {
            Ok(()) => self.accept_at(seat, EventKind::Abort),
            // Nobody has a seat at an open table, so anyone may clear a full record to make room for the next game.
            Err(refusal) if is_open && refusal != Refusal::UnknownPermission => {
                let change = begin_event(table.clone(), EventKind::Abort, seat, self.context, self.policy)?;
                Ok(Decision::Apply(change.only_if_nearly_full()))
            }
            Err(refusal) => Err(refusal),
        }
    }

    /// Checks that a player may end the game without a result.
    fn check_abort(&self, seat: Option<Seat>) -> Result<(), Refusal> {
        // Nobody has a crowd's seat, so the author of the issue may end its game.
        if self.table.terms().crowd.is_some() && self.context.by_issue_author {
            return Ok(());
        }
        let (table, seat) = (self.table, seat.ok_or(Refusal::OnlyPlayers)?);
        let silent = self.silence_of(seat.other());
        let both_moved = Seat::BOTH.into_iter().all(|seat| table.timeline().has_moved(seat));
        match table.terms().per_move {
            _ if !both_moved => {}
            _ if table.players().computer_at(seat.other()).is_some() => return Err(Refusal::ResignFirst),
            None if silent >= SILENCE_LIMIT => {}
            None => return Err(Refusal::TooLateToAbort(Some(SILENCE_LIMIT - silent))),
            Some(_) => return Err(Refusal::TooLateToAbort(None)),
        }
        Ok(())
    }

    /// Returns how long a player has been silent: the time since they learned of their turn, or since the last event if that's
    /// later, without the time that they were away. A reminder doesn't count as an event, nor does giving time or moving the table
    /// to another issue.
    fn silence_of(&self, seat: Seat) -> Duration {
        let (table, now) = (self.table, self.context.updated_at);
        let is_quiet = |kind: &EventKind| {
            matches!(kind, EventKind::MovedHere { .. } | EventKind::Nudge | EventKind::Extend { .. })
        };
        let last = table.history().iter().rfind(|event| !is_quiet(&event.kind));
        let last = last.map_or(Timestamp::EPOCH, |event| event.timestamp).max(table.state().turn_started_at());
        now.since(last).saturating_sub(table.state().time_away(seat, last, now))
    }

    /// Gives the opponent's seat to the computer, or lets the computer move at an open table.
    pub(super) fn computer(&self, level: Option<&str>) -> Result<Decision<Pending>, Refusal> {
        let table = self.table;
        let named = |name: &str| Level::parse(name).ok_or_else(|| Refusal::UnknownLevel(name.to_owned(), table.kind()));
        let level = level.map_or(Ok(Level::MEDIUM), named)?;
        if table.terms().open.is_some() {
            self.check_gap()?;
            return self.accept_at(Some(table.player_to_move()), EventKind::AskComputer { level });
        }
        let seat = self.own_seat().ok_or(Refusal::OnlyPlayers)?;
        let other = seat.other();
        let silent = self.silence_of(other);
        // Only the player to move, or a player who hasn't joined, can be overdue.
        let owes = table.player_to_move() == other || !table.players().is_occupied(other);
        match table.player(other) {
            None | Some(Player::Computer(_)) => {}
            Some(Player::Crowd) => return Err(TableRefusal::from(CrowdRefusal::NoAnswers).into()),
            Some(_) if owes && silent >= SILENCE_LIMIT => {}
            Some(_)
                if owes
                    && table.players().is_occupied(other)
                    && table.state().time_left(self.context.updated_at) == Some(Duration::ZERO) => {}
            Some(_) => {
                let left = (owes && table.terms().per_move.is_none()).then(|| SILENCE_LIMIT.saturating_sub(silent));
                return Err(Refusal::SeatNotFree(other, left));
            }
        }
        self.accept_at(Some(seat), EventKind::SeatComputer { level })
    }

    /// Reminds the opponent of their turn, unless they are away.
    pub(super) fn nudge(&self) -> Result<Decision<Pending>, Refusal> {
        if self.table.is_open() {
            return Err(TableRefusal::from(NudgeRefusal::OpenTable).into());
        }
        let seat = self.own_seat().ok_or_else(|| self.not_seated_refusal())?;
        let nudged = self.accept_at(Some(seat), EventKind::Nudge)?;
        match self.table.state().away_until(seat.other(), self.context.updated_at) {
            Some(until) => Err(TableRefusal::from(NudgeRefusal::Away(until)).into()),
            None => Ok(nudged),
        }
    }

    /// Claims a win on time. The opponent must have moved in this round, which shows that they agreed to play.
    pub(super) fn claim(&self, seat: Seat) -> Result<Decision<Pending>, Refusal> {
        let table = self.table;
        let claimed = self.accept_at(Some(seat), EventKind::Claim);
        let silent = self.silence_of(seat.other());
        let has_no_limit = claimed == Err(TableRefusal::from(ClockRefusal::NoTimeLimit).into());
        if has_no_limit && table.player_to_move() != seat && silent >= SILENCE_LIMIT {
            return Err(Refusal::LongSilence(silent));
        }
        let on_time = matches!(
            claimed,
            Ok(_)
                | Err(Refusal::Table(TableRefusal::Clock(ClockRefusal::TimeLeft(..) | ClockRefusal::OpponentAway(..))))
        );
        let loser = seat.other();
        if on_time && !table.has_ever_moved(loser) {
            return Err(Refusal::OpponentNeverMoved(loser));
        }
        claimed
    }

    /// Gives the opponent more time for this turn. If they are out of time, it counts from now on.
    pub(super) fn extend(&self, words: &[String]) -> Result<Decision<Pending>, Refusal> {
        let (table, now) = (self.table, self.context.updated_at);
        let seat = match self.own_seat() {
            None if table.is_open() => return Err(TableRefusal::from(ExtensionRefusal::NoTimeLimit).into()),
            seat => seat.ok_or_else(|| self.not_seated_refusal())?,
        };
        table.state().check_extension(seat)?;
        let time = parse_time(words).ok_or_else(|| Refusal::InvalidExtension(words.join(" ")))?;
        // Somebody who joins with this starts the turn again.
        let clock = table.state().turn_clock().filter(|_| table.players().is_occupied(seat));
        let late = clock.map_or(Duration::ZERO, |clock| clock.late_by(now));
        self.accept_at(Some(seat), EventKind::Extend { time, late })
    }
}

/// Parses the words after `/extend`: `3d`, `3 days`, or `by 2 more weeks`. Returns `None` for any other words, or less than a day.
fn parse_time(words: &[String]) -> Option<Duration> {
    let is_filler = |word: &&String| ["by", "for", "more"].iter().any(|filler| word.eq_ignore_ascii_case(filler));
    let text: String = words.iter().filter(|word| !is_filler(word)).map(|word| word.to_lowercase()).collect();
    parse_duration(text.trim_end_matches([',', '.', '!'])).filter(|time| *time >= MIN_GIFT)
}
