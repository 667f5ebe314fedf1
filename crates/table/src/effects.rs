//! The effects of an event: dice rolls, forced plays, conditional moves, and the computer's moves and answers.
//! They are either made now, or read from the record during a replay.

use game::{Level, Roll};
use games::AnyMove;

use crate::crowd::choose_candidates;
use crate::game_state::GameState;
use crate::{
    Candidate, CommentRef, Effect, Event, InvalidHistory, Key, MadeBy, Offer, Reply, TableRefusal, TableStatus, engine,
};

/// A callback that a replay calls before each of the computer's moves. Its arguments are the state before the move, the
/// event that the move follows from, the level, and the move.
pub(super) type ReplyObserver<'a> = dyn FnMut(&GameState, &Event, Level, &Reply) + 'a;

/// The maximum number of moves that the table plays for people after one event, because they are the only legal ones.
const MAX_FORCED_MOVES: usize = 8;

/// Applies everything that follows automatically from an event: the computer's answer to an offer, then rolls, forced plays,
/// conditional moves, forced moves and the computer's moves until a player is to move.
///
/// # Errors
/// Returns an error if an effect is missing or not allowed.
pub(super) fn apply_consequences<C: ConsequenceSource>(
    state: &mut GameState,
    event: &Event,
    from: &mut C,
) -> Result<(), C::Error> {
    if let Some((seat, offer)) = state.offer_to_computer(event) {
        let agrees = from.decide_offer(state, offer)?;
        state.apply_offer_answer(seat, offer, agrees, event.timestamp)?;
    }
    let mut forced_moves = 0;
    while state.status() == TableStatus::Playing {
        if state.timeline().game().needs_roll() {
            state.apply_roll(from.roll(state)?);
            if let Some((mv, next)) = state.timeline().game().forced_play() {
                from.forced_play(state.timeline().game().notation(&mv))?;
                state.replace_position(next);
            }
        } else if let Some(next) = state.automatic_roll() {
            state.replace_position(next);
        } else if let Some(level) = state.computer_level_to_move(event) {
            let engine = state.timeline().game().engine_version();
            let Some(mv) = from.computer_move(state, level)? else { break };
            let notation = state.apply_reply(event.timestamp, &mv, MadeBy::Computer)?;
            from.confirm_computer_move(Reply { notation, mv, engine })?;
        } else if let Some(branch) = state.conditional_move(event).cloned() {
            from.conditional_move(&branch.notation)?;
            match &branch.mv {
                Some(mv) => _ = state.apply_reply(event.timestamp, mv, MadeBy::Condition)?,
                None => state.resign_as_announced(),
            }
        } else if let Some(mv) = state.forced_move(event).filter(|_| forced_moves < MAX_FORCED_MOVES) {
            forced_moves += 1;
            from.forced_play(state.timeline().game().notation(&mv))?;
            state.apply_reply(event.timestamp, &mv, MadeBy::Force)?;
        } else {
            break;
        }
    }
    if state.needs_ballot() {
        let candidates = from.ballot(state, event)?;
        state.open_ballot(candidates)?;
    }
    Ok(())
}

/// A source of the effects that the rules leave open, such as rolls and the computer's moves.
pub(super) trait ConsequenceSource {
    /// The reason an effect isn't available.
    type Error: From<TableRefusal>;

    /// Whether the computer accepts an offer.
    fn decide_offer(&mut self, state: &GameState, offer: Offer) -> Result<bool, Self::Error>;

    /// Returns the next roll.
    fn roll(&mut self, state: &GameState) -> Result<Roll, Self::Error>;

    /// Accepts the only legal play of the last roll, or the only legal move, in canonical notation.
    fn forced_play(&mut self, notation: String) -> Result<(), Self::Error>;

    /// Returns the computer's move; `None` if it has no move.
    fn computer_move(&mut self, state: &GameState, level: Level) -> Result<Option<AnyMove>, Self::Error>;

    /// Accepts a move from [`Self::computer_move`], once it is known to be legal.
    fn confirm_computer_move(&mut self, reply: Reply) -> Result<(), Self::Error>;

    /// Accepts the move that the player to move had announced, or their resignation.
    fn conditional_move(&mut self, notation: &str) -> Result<(), Self::Error>;

    /// Returns the candidates for the move of a crowd.
    fn ballot(&mut self, state: &GameState, event: &Event) -> Result<Vec<Candidate>, Self::Error>;
}

/// A source that makes the effects now: it rolls the dice and searches for the computer's moves.
pub(super) struct NewConsequences<'a> {
    source: CommentRef,
    key: Option<&'a Key>,
    /// The effects so far, in order.
    pub(super) effects: Vec<Effect>,
}

impl<'a> NewConsequences<'a> {
    pub(super) fn new(source: CommentRef, key: Option<&'a Key>) -> Self {
        NewConsequences { source, key, effects: Vec::new() }
    }
}

impl ConsequenceSource for NewConsequences<'_> {
    type Error = TableRefusal;

    fn decide_offer(&mut self, state: &GameState, offer: Offer) -> Result<bool, TableRefusal> {
        let agrees = state.computer_accepts(offer, self.key, self.source)?;
        self.effects.push(match offer {
            Offer::Resignation => Effect::Resignation(agrees),
            Offer::Draw | Offer::Takeback => Effect::Draw(agrees),
        });
        Ok(agrees)
    }

    fn roll(&mut self, state: &GameState) -> Result<Roll, TableRefusal> {
        let roll = state.dice().next_roll(self.key, self.source)?;
        self.effects.push(Effect::Roll(roll));
        Ok(roll)
    }

    fn forced_play(&mut self, notation: String) -> Result<(), TableRefusal> {
        self.effects.push(Effect::Forced(notation));
        Ok(())
    }

    fn computer_move(&mut self, state: &GameState, level: Level) -> Result<Option<AnyMove>, TableRefusal> {
        let seed = state.reply_seed(self.key, self.source)?;
        Ok(engine::search(state.timeline().game(), level, seed).map(|chosen| chosen.mv))
    }

    fn confirm_computer_move(&mut self, reply: Reply) -> Result<(), TableRefusal> {
        self.effects.push(Effect::Reply(reply));
        Ok(())
    }

    fn conditional_move(&mut self, notation: &str) -> Result<(), TableRefusal> {
        self.effects.push(Effect::Conditional(notation.to_owned()));
        Ok(())
    }

    fn ballot(&mut self, state: &GameState, event: &Event) -> Result<Vec<Candidate>, TableRefusal> {
        let level = state.players().computer().map_or(Level::MEDIUM, |(_, level)| level);
        let seed = state.reply_seed(self.key, self.source)?;
        let timeline = state.timeline();
        let candidates = choose_candidates(timeline.game(), level, seed, timeline.events(), event);
        self.effects.push(Effect::Ballot(candidates.clone()));
        Ok(candidates)
    }
}

/// A source that reads the effects from a record. Their kinds have to match what the rules require. It doesn't
/// check that the engine would choose the same moves.
pub(super) struct RecordedConsequences<'a, 'b> {
    event: &'a Event,
    /// The index of the next effect.
    next_index: usize,
    notation: &'a str,
    observe: &'a mut ReplyObserver<'b>,
}

impl<'a, 'b> RecordedConsequences<'a, 'b> {
    /// Creates a reader of an event's effects. It calls `show` before each of the computer's moves.
    pub(super) fn new(event: &'a Event, show: &'a mut ReplyObserver<'b>) -> Self {
        RecordedConsequences { event, next_index: 0, notation: "", observe: show }
    }

    /// Checks that the record has no further effects.
    pub(super) fn check_exhausted(mut self) -> Result<(), InvalidHistory> {
        self.next().map_or(Ok(()), |other| Err(unexpected(other)))
    }

    fn next(&mut self) -> Option<&'a Effect> {
        self.next_index += 1;
        self.event.effects.get(self.next_index - 1)
    }
}

impl ConsequenceSource for RecordedConsequences<'_, '_> {
    type Error = InvalidHistory;

    fn decide_offer(&mut self, _: &GameState, offer: Offer) -> Result<bool, InvalidHistory> {
        match (offer, self.next()) {
            (Offer::Draw, Some(Effect::Draw(agrees))) => Ok(*agrees),
            (Offer::Resignation, Some(Effect::Resignation(agrees))) => Ok(*agrees),
            _ => Err(InvalidHistory::MissingReply),
        }
    }

    fn roll(&mut self, _: &GameState) -> Result<Roll, InvalidHistory> {
        match self.next() {
            Some(Effect::Roll(roll)) if roll.iter().all(|die| (1..=6).contains(die)) => Ok(*roll),
            Some(Effect::Roll(roll)) => Err(InvalidHistory::ImpossibleRoll(*roll)),
            Some(other) => Err(unexpected(other)),
            None => Err(InvalidHistory::MissingRoll),
        }
    }

    fn forced_play(&mut self, notation: String) -> Result<(), InvalidHistory> {
        match self.next() {
            Some(Effect::Forced(recorded)) => check_notation(notation, recorded),
            Some(other) => Err(unexpected(other)),
            None => Err(InvalidHistory::MissingForcedPlay(notation)),
        }
    }

    fn computer_move(&mut self, state: &GameState, level: Level) -> Result<Option<AnyMove>, InvalidHistory> {
        let computer_move = match self.next() {
            Some(Effect::Reply(computer_move)) => computer_move,
            Some(other) => return Err(unexpected(other)),
            None => return Err(InvalidHistory::MissingReply),
        };
        (self.observe)(state, self.event, level, computer_move);
        self.notation = &computer_move.notation;
        Ok(Some(computer_move.mv.clone()))
    }

    fn confirm_computer_move(&mut self, reply: Reply) -> Result<(), InvalidHistory> {
        check_notation(reply.notation, self.notation)
    }

    fn conditional_move(&mut self, notation: &str) -> Result<(), InvalidHistory> {
        match self.next() {
            Some(Effect::Conditional(recorded)) if recorded == notation => Ok(()),
            Some(Effect::Conditional(_)) | None => Err(InvalidHistory::MissingConditionalMove(notation.to_owned())),
            Some(other) => Err(unexpected(other)),
        }
    }

    fn ballot(&mut self, _: &GameState, _: &Event) -> Result<Vec<Candidate>, InvalidHistory> {
        match self.next() {
            Some(Effect::Ballot(candidates)) => Ok(candidates.clone()),
            Some(other) => Err(unexpected(other)),
            None => Err(InvalidHistory::MissingBallot),
        }
    }
}

/// Checks that a move is recorded in its canonical notation.
pub(super) fn check_notation(canonical: String, recorded: &str) -> Result<(), InvalidHistory> {
    if canonical == recorded { Ok(()) } else { Err(InvalidHistory::NotCanonical(canonical)) }
}

/// Returns the error for a recorded effect that wasn't due.
fn unexpected(effect: &Effect) -> InvalidHistory {
    match effect {
        Effect::Roll(_) => InvalidHistory::UnexpectedRoll,
        Effect::Forced(_) => InvalidHistory::UnexpectedForcedPlay,
        Effect::Conditional(_) => InvalidHistory::UnexpectedConditionalMove,
        Effect::Ballot(_) => InvalidHistory::UnexpectedBallot,
        Effect::Reply(_) | Effect::Draw(_) | Effect::Resignation(_) => InvalidHistory::UnexpectedReply,
    }
}
