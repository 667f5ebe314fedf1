//! The consequences of an event: the dice that are rolled when the game waits for them, the plays that they force, and what
//! the computer does. They come from the dice and the computer, or from the record that is replayed.

use game::contract::{Game, Rules};
use game::engine::Level;
use game::roll::Roll;

use crate::dice::Key;
use crate::engine;
use crate::game_state::{GameState, TableStatus};
use crate::history::{Consequence, Event, Reply};
use crate::invalid_history::InvalidHistory;
use crate::offers::Offer;
use crate::refusal::TableRefusal;
use crate::talk::comment::Source;

/// A function that looks at each reply of a record before it is played again: the state before it, its event, the level.
pub(super) type ReplyObserver<'a, G> =
    dyn FnMut(&GameState<G>, &Event<<G as Rules>::Move>, Level, &Reply<<G as Rules>::Move>) + 'a;

/// Applies everything that follows from an event without a comment of its own: the answer to an offer, then rolls, forced
/// plays and the computer's moves until a player is to move.
///
/// # Errors
/// Returns an error if there is no such consequence, or if it isn't allowed.
pub(super) fn resolve<G: Game, C: ConsequenceSource<G>>(
    state: &mut GameState<G>,
    event: &Event<G::Move>,
    from: &mut C,
) -> Result<(), C::Error> {
    if let Some((seat, offer)) = state.offer_to_computer(event) {
        let agrees = from.decide_offer(state, offer)?;
        state.apply_offer_answer(seat, offer, agrees, event.timestamp)?;
    }
    while state.status() == TableStatus::Playing {
        if state.timeline().game().needs_roll() {
            state.apply_roll(from.roll(state)?);
            if let Some(next) = from.forced_play(state)? {
                state.replace_position(next);
            }
        } else if let Some(level) = state.computer_level_to_move(event) {
            let Some((index, mv)) = from.computer_move(state, level)? else { break };
            let notation = state.apply_reply(event.timestamp, index, &mv)?;
            from.confirm_computer_move(mv, notation)?;
        } else {
            break;
        }
    }
    Ok(())
}

/// A supplier of everything that the rules leave open when an event is resolved.
pub(super) trait ConsequenceSource<G: Game> {
    /// The reason why there is no such consequence.
    type Error: From<TableRefusal>;

    /// Returns whether the computer agrees to an offer.
    fn decide_offer(&mut self, state: &GameState<G>, offer: Offer) -> Result<bool, Self::Error>;

    /// Returns the dice that the game waits for.
    fn roll(&mut self, state: &GameState<G>) -> Result<Roll, Self::Error>;

    /// Returns the position after the only play of the last roll; `None` if a player is to move.
    fn forced_play(&mut self, state: &GameState<G>) -> Result<Option<G>, Self::Error>;

    /// Returns the computer's move and its index among the consequences; `None` if it has none.
    fn computer_move(&mut self, state: &GameState<G>, level: Level) -> Result<Option<(usize, G::Move)>, Self::Error>;

    /// Takes the canonical notation of that move, which turned out to be legal.
    fn confirm_computer_move(&mut self, mv: G::Move, notation: String) -> Result<(), Self::Error>;
}

/// The consequences that happen now: it rolls the dice and searches for the computer's moves.
pub(super) struct NewConsequences<'a, G: Game> {
    source: Source,
    key: Option<&'a Key>,
    /// The consequences so far, in order.
    pub(super) consequences: Vec<Consequence<G::Move>>,
}

impl<'a, G: Game> NewConsequences<'a, G> {
    pub(super) fn new(source: Source, key: Option<&'a Key>) -> Self {
        NewConsequences { source, key, consequences: Vec::new() }
    }
}

impl<G: Game> ConsequenceSource<G> for NewConsequences<'_, G> {
    type Error = TableRefusal;

    fn decide_offer(&mut self, state: &GameState<G>, offer: Offer) -> Result<bool, TableRefusal> {
        let agrees = state.computer_accepts(offer, self.key, self.source)?;
        self.consequences.push(match offer {
            Offer::Resignation => Consequence::Resignation(agrees),
            Offer::Draw | Offer::Undo => Consequence::Draw(agrees),
        });
        Ok(agrees)
    }

    fn roll(&mut self, state: &GameState<G>) -> Result<Roll, TableRefusal> {
        let throw = state.dice().next_roll(self.key, self.source)?;
        self.consequences.push(Consequence::Throw(throw));
        Ok(throw)
    }

    fn forced_play(&mut self, state: &GameState<G>) -> Result<Option<G>, TableRefusal> {
        let Some((mv, next)) = state.timeline().game().forced_play() else { return Ok(None) };
        self.consequences.push(Consequence::Forced(state.timeline().game().notation(&mv)));
        Ok(Some(next))
    }

    fn computer_move(&mut self, state: &GameState<G>, level: Level) -> Result<Option<(usize, G::Move)>, TableRefusal> {
        let seed = state.reply_seed(self.key, self.source)?;
        Ok(engine::search(state.timeline().game(), level, seed).map(|chosen| (self.consequences.len(), chosen.mv)))
    }

    fn confirm_computer_move(&mut self, mv: G::Move, notation: String) -> Result<(), TableRefusal> {
        self.consequences.push(Consequence::Reply(Reply { notation, mv, engine: G::ENGINE_VERSION }));
        Ok(())
    }
}

/// The consequences that a record says have followed. They have to be of exactly the kinds that do
/// follow. A forced play may have been left to the player, as it was in older records. Whether the engine would have moved
/// so isn't checked.
pub(super) struct RecordedConsequences<'a, 'b, G: Game> {
    event: &'a Event<G::Move>,
    /// The index of the next consequence.
    next_index: usize,
    notation: &'a str,
    observe: &'a mut ReplyObserver<'b, G>,
}

impl<'a, 'b, G: Game> RecordedConsequences<'a, 'b, G> {
    /// Returns the consequences in an event. `show` gets each reply of the computer before it is played.
    pub(super) fn new(event: &'a Event<G::Move>, show: &'a mut ReplyObserver<'b, G>) -> Self {
        RecordedConsequences { event, next_index: 0, notation: "", observe: show }
    }

    /// Checks that nothing else is recorded.
    pub(super) fn check_exhausted(mut self) -> Result<(), InvalidHistory> {
        self.next().map_or(Ok(()), |other| Err(unexpected(other)))
    }

    fn next(&mut self) -> Option<&'a Consequence<G::Move>> {
        self.next_index += 1;
        self.event.consequences.get(self.next_index - 1)
    }
}

impl<G: Game> ConsequenceSource<G> for RecordedConsequences<'_, '_, G> {
    type Error = InvalidHistory;

    fn decide_offer(&mut self, _: &GameState<G>, offer: Offer) -> Result<bool, InvalidHistory> {
        match (offer, self.next()) {
            (Offer::Draw, Some(Consequence::Draw(agrees))) => Ok(*agrees),
            (Offer::Resignation, Some(Consequence::Resignation(agrees))) => Ok(*agrees),
            _ => Err(InvalidHistory::MissingReply),
        }
    }

    fn roll(&mut self, _: &GameState<G>) -> Result<Roll, InvalidHistory> {
        match self.next() {
            Some(Consequence::Throw(throw)) if throw.iter().all(|die| (1..=6).contains(die)) => Ok(*throw),
            Some(Consequence::Throw(throw)) => Err(InvalidHistory::ImpossibleRoll(*throw)),
            Some(other) => Err(unexpected(other)),
            None => Err(InvalidHistory::MissingRoll),
        }
    }

    fn forced_play(&mut self, state: &GameState<G>) -> Result<Option<G>, InvalidHistory> {
        let Some(Consequence::Forced(notation)) = self.event.consequences.get(self.next_index) else { return Ok(None) };
        self.next_index += 1;
        let (mv, next) = state.timeline().game().forced_play().ok_or(InvalidHistory::UnexpectedForcedPlay)?;
        check_notation(state.timeline().game().notation(&mv), notation)?;
        Ok(Some(next))
    }

    fn computer_move(
        &mut self,
        state: &GameState<G>,
        level: Level,
    ) -> Result<Option<(usize, G::Move)>, InvalidHistory> {
        let index = self.next_index;
        let computer_move = match self.next() {
            Some(Consequence::Reply(computer_move)) => computer_move,
            Some(other) => return Err(unexpected(other)),
            None => return Err(InvalidHistory::MissingReply),
        };
        (self.observe)(state, self.event, level, computer_move);
        self.notation = &computer_move.notation;
        Ok(Some((index, computer_move.mv.clone())))
    }

    fn confirm_computer_move(&mut self, _: G::Move, notation: String) -> Result<(), InvalidHistory> {
        check_notation(notation, self.notation)
    }
}

/// Checks that a move is recorded in its canonical notation.
pub(super) fn check_notation(canonical: String, recorded: &str) -> Result<(), InvalidHistory> {
    if canonical == recorded { Ok(()) } else { Err(InvalidHistory::NotCanonical(canonical)) }
}

/// Returns the fault of a consequence that is recorded where another one, or none, was due.
fn unexpected<M>(consequence: &Consequence<M>) -> InvalidHistory {
    match consequence {
        Consequence::Throw(_) => InvalidHistory::UnexpectedRoll,
        Consequence::Forced(_) => InvalidHistory::UnexpectedForcedPlay,
        Consequence::Reply(_) | Consequence::Draw(_) | Consequence::Resignation(_) => InvalidHistory::UnexpectedReply,
    }
}
