//! The current state of a game, and the rules for what may happen next.

use game::{Level, Outcome, Roll, Seat};
use games::{AnyMove, AnyPosition};
use serde::{Deserialize, Serialize};

use crate::conditional_moves::ConditionalMoves;
use crate::crowd::are_candidates;
use crate::dice::RoundDice;
use crate::game_state::time::Clocks;
use crate::offers::Offers;
use crate::players::Players;
use crate::timeline::Timeline;
use crate::{
    Absences, Ballot, Candidate, CommentRef, ConditionalRefusal, CrowdRefusal, Event, EventKind, ImportedResult,
    IssueNumber, Key, MadeBy, Offer, OfferRefusal, OpenRule, Player, SeatRefusal, TableRefusal, Terms, Timestamp,
    engine, total_votes,
};

pub(crate) mod time;

/// The status of a table's game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TableStatus {
    /// The game is being played.
    Playing,
    /// This seat has won, on the board or by a claim or resignation.
    Won(Seat),
    /// The game is a draw.
    Draw,
    /// The game ended without a result.
    Aborted,
    /// The game moved to this issue.
    Moved(IssueNumber),
}

/// The state of a game. All of it follows from the table's terms and history, except the absences.
#[derive(Clone, Debug, PartialEq)]
pub struct GameState {
    terms: Terms,
    status: TableStatus,
    players: Players,
    timeline: Timeline,
    offers: Offers,
    conditional_moves: ConditionalMoves,
    dice: RoundDice,
    /// For each seat, whether the table rolls at the start of its turns instead of waiting for `/roll` or `/double`.
    rolls_automatically: [bool; 2],
    clocks: Clocks,
    /// The players' absences, which aren't in the record.
    absences: Absences,
    /// The index of the event that began the current turn.
    turn_event: usize,
    /// When the clock of the player to move began to run, as the table's issue shows it. The record only has what its events
    /// note.
    clock_start: Timestamp,
    /// The ballot for the move of a crowd.
    ballot: Option<Ballot>,
}

impl GameState {
    /// Returns the state before any event.
    pub(super) fn new(round: u32, start: AnyPosition, terms: Terms) -> Self {
        GameState {
            terms,
            status: TableStatus::Playing,
            players: Players::default(),
            timeline: Timeline::new(start),
            offers: Offers::default(),
            conditional_moves: ConditionalMoves::default(),
            dice: RoundDice::new(round),
            rolls_automatically: [false; 2],
            clocks: Clocks::default(),
            absences: Absences::default(),
            turn_event: 0,
            clock_start: Timestamp::EPOCH,
            ballot: None,
        }
    }

    /// Returns the terms of the table.
    pub fn terms(&self) -> Terms {
        self.terms
    }

    /// Returns the status.
    pub fn status(&self) -> TableStatus {
        self.status
    }

    /// Whether the game is over. A game that moved to another issue isn't.
    pub fn is_over(&self) -> bool {
        !matches!(self.status, TableStatus::Playing | TableStatus::Moved(_))
    }

    /// Returns the people at the table.
    pub fn players(&self) -> &Players {
        &self.players
    }

    /// Returns the events and positions.
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// Returns the pending offers.
    pub fn offers(&self) -> &Offers {
        &self.offers
    }

    /// Returns the conditional moves of both players.
    pub fn conditional_moves(&self) -> &ConditionalMoves {
        &self.conditional_moves
    }

    /// Returns the open ballot for the move of a crowd; `None` if it isn't a crowd's turn.
    pub fn ballot(&self) -> Option<&Ballot> {
        self.ballot.as_ref().filter(|_| self.status == TableStatus::Playing)
    }

    /// Returns the dice of the round.
    pub fn dice(&self) -> &RoundDice {
        &self.dice
    }

    /// Returns the position after choosing to roll, if the player to move has turned automatic rolls on; `None` otherwise.
    pub(super) fn automatic_roll(&self) -> Option<AnyPosition> {
        let game = self.timeline.game();
        if self.rolls_automatically[game.side_to_move().index()] { game.after_choosing_to_roll() } else { None }
    }

    /// Returns the only legal move of the player to move after a move, in a game with `autoplay`. Returns `None` if they have another
    /// choice, such as a draw that is offered or can be claimed, or if they haven't moved before.
    pub(super) fn forced_move(&self, event: &Event) -> Option<AnyMove> {
        let game = self.timeline.game();
        let seat = game.side_to_move();
        let is_due = self.terms.autoplay
            && matches!(event.kind, EventKind::Move { .. })
            && self.players.has_person(seat)
            && self.timeline.has_ever_moved(seat)
            && !self.offers.is_any_made_to(seat)
            && game.claimable_draw().is_none();
        let moves = if is_due { game.legal_moves() } else { Vec::new() };
        <[AnyMove; 1]>::try_from(moves).ok().map(|[only]| only)
    }

    /// Returns the refusal for a player who isn't the player to move.
    pub fn not_your_turn(&self) -> TableRefusal {
        let seat = self.timeline.game().side_to_move();
        let name = self.players.player(seat).map(|player| player.name().to_owned());
        TableRefusal::NotYourTurn(self.timeline.game().info().seat_name(seat), name)
    }

    /// Returns the seed for the computer's next move.
    ///
    /// # Errors
    /// Returns an error if the table has a commitment, and the key is missing or doesn't match it.
    pub fn reply_seed(&self, key: Option<&Key>, source: CommentRef) -> Result<u64, TableRefusal> {
        self.dice.reply_seed(self.timeline.plies().len(), key, source)
    }

    /// Adds an event whose effects are resolved.
    pub(super) fn push(&mut self, event: Event) {
        self.timeline.push(event);
    }

    /// Removes the last event, to resolve its effects.
    pub(super) fn pop(&mut self) -> Option<Event> {
        self.timeline.pop()
    }

    /// Applies an event without its effects. All rules about what may happen at a table are here, for comments and for records that are replayed.
    ///
    /// # Errors
    /// Returns an error if a rule of the game or of the table forbids the event.
    pub(super) fn apply(&mut self, event: &Event, login: &str) -> Result<(), TableRefusal> {
        if self.status != TableStatus::Playing {
            return Err(TableRefusal::GameOver);
        }
        self.check_level(&event.kind)?;
        self.clocks.note_time_away(event.time_away);
        self.clocks.note_start(event.clock_start);
        match (event.seat, self.terms.open, &event.kind) {
            (None, None, EventKind::Flag) => self.let_flag_fall(event)?,
            (None, _, EventKind::Abort | EventKind::IssueGone) => self.status = TableStatus::Aborted,
            (None, _, EventKind::MovedHere { .. }) => {}
            (None, _, EventKind::MovedAway { to }) => self.status = TableStatus::Moved(*to),
            (Some(seat), None, EventKind::New { opponent, .. }) if self.terms.crowd.is_some() => {
                self.players.set(seat, Some(Player::Crowd));
                self.players.set(seat.other(), opponent.clone());
                self.start_turn(event.timestamp);
            }
            (Some(seat), None, EventKind::Move { notation, mv }) if event.has_votes() => {
                self.check_votes(seat, event, notation)?;
                self.play(seat, event.timestamp, mv, notation)?;
            }
            (seat, Some(open), _) => self.apply_at_open_table(seat, open, event, login)?,
            (Some(seat), None, _) => {
                let has_joined = self.players.take_seat(seat, self.timeline.game().info(), event, login)?;
                if has_joined && self.ballot.is_none() {
                    self.start_turn(event.timestamp);
                }
                match event.kind {
                    // An invited player declined in their first comment.
                    EventKind::Decline if has_joined => self.status = TableStatus::Aborted,
                    _ => self.apply_seated(seat, event)?,
                }
            }
            (None, None, _) => return Err(SeatRefusal::NotSeated.into()),
        }
        Ok(())
    }

    /// Checks that the game has the level that an event gives the computer.
    fn check_level(&self, kind: &EventKind) -> Result<(), TableRefusal> {
        let game = self.timeline.game();
        let level = match kind {
            EventKind::New { opponent: Some(opponent), .. } => opponent.level(),
            EventKind::SeatComputer { level } | EventKind::AskComputer { level } => Some(*level),
            _ => None,
        };
        let lowest = game.kind().lowest_level();
        match level {
            Some(level) if level < lowest => Err(TableRefusal::LevelTooLow(game.info().title, lowest)),
            _ => Ok(()),
        }
    }

    /// Applies an event by a player who has a seat.
    fn apply_seated(&mut self, seat: Seat, event: &Event) -> Result<(), TableRefusal> {
        let (game, other, at) = (self.timeline.game(), seat.other(), event.timestamp);
        if self.players.has_crowd(other) && (event.offers_draw || asks_opponent(&event.kind)) {
            return Err(CrowdRefusal::NoAnswers.into());
        }
        match &event.kind {
            EventKind::New { opponent, commitment, .. } => {
                self.players.set(other, opponent.clone());
                self.dice.commit(*commitment);
            }
            EventKind::Join | EventKind::MovedHere { .. } => {}
            EventKind::Move { notation, mv } => {
                self.play(seat, at, mv, notation)?;
                // An offer from before the move still stands.
                let has_offered = self.offers.offered_by(Offer::Draw) == Some(seat);
                if event.offers_draw && self.status == TableStatus::Playing && !has_offered {
                    self.offers.make(seat, Offer::Draw)?;
                }
            }
            EventKind::OfferDraw => self.offers.make(seat, Offer::Draw)?,
            EventKind::AcceptDraw if self.offers.is_made_to(seat, Offer::Draw) => self.status = TableStatus::Draw,
            EventKind::AcceptDraw => return Err(OfferRefusal::NothingToAccept.into()),
            EventKind::ClaimDraw if game.claimable_draw().is_some() => self.status = TableStatus::Draw,
            EventKind::ClaimDraw => return Err(OfferRefusal::NoDrawToClaim.into()),
            EventKind::Decline => self.offers.decline_all(seat)?,
            EventKind::Leave => self.leave(seat, event)?,
            EventKind::AskUndo => self.ask_undo(seat)?,
            EventKind::Hint if self.players.computer_at(other).is_none() => return Err(TableRefusal::NoHints),
            EventKind::Hint => {}
            EventKind::Nudge => self.check_nudge(seat, at)?,
            EventKind::Undo { plies } => self.apply_undo(seat, at, *plies)?,
            EventKind::Resign if !game.resignation_stakes(seat).is_empty() => {
                return Err(OfferRefusal::InvalidCost.into());
            }
            EventKind::Resign => self.status = TableStatus::Won(other),
            EventKind::OfferResign if game.resignation_stakes(seat).len() < 2 => {
                return Err(OfferRefusal::InvalidCost.into());
            }
            EventKind::OfferResign => self.offers.make(seat, Offer::Resignation)?,
            EventKind::AcceptResign if self.offers.is_made_to(seat, Offer::Resignation) => {
                self.resign_for(other, at, lowest_stake(game, other))?;
            }
            EventKind::AcceptResign => return Err(OfferRefusal::NothingToAccept.into()),
            EventKind::ResignFor { cost } => match game.resignation_stakes(seat) {
                [least, _, ..] if least == cost => return Err(OfferRefusal::InvalidCost.into()),
                _ => self.resign_for(seat, at, cost)?,
            },
            EventKind::Claim => self.win_on_time(seat, at)?,
            EventKind::Abort => self.status = TableStatus::Aborted,
            EventKind::ImportedEnd { result, .. } => {
                self.status = imported_status(*result, seat);
            }
            EventKind::SeatComputer { level } => {
                if let Some(level) = self.players.computer_at(other) {
                    return Err(TableRefusal::Seat(SeatRefusal::Computer(game.info().seat_name(other), level)));
                }
                self.rolls_automatically[other.index()] = false;
                self.conditional_moves = ConditionalMoves::default();
                self.players.set(other, Some(Player::Computer(*level)));
                self.ballot = None;
            }
            EventKind::AutoRoll { .. } if !game.has_optional_rolls() => return Err(TableRefusal::NoOptionalRolls),
            EventKind::AutoRoll { on } => self.set_automatic_rolls(seat, *on)?,
            EventKind::Extend { time, late } => self.extend(seat, *time, *late, at)?,
            EventKind::If { line, more } => {
                self.check_lines(seat, &event.kind)?;
                match (line.is_empty(), more.is_empty()) {
                    (false, _) => self.conditional_moves.add(seat, self.timeline.game(), event.kind.lines())?,
                    (true, true) => self.conditional_moves.drop_tree(seat)?,
                    (true, false) => return Err(ConditionalRefusal::InvalidLine.into()),
                }
            }
            EventKind::AskComputer { .. } => return Err(TableRefusal::OnlyAtOpenTable),
            EventKind::MovedAway { to } => self.status = TableStatus::Moved(*to),
            EventKind::IssueGone | EventKind::Flag => return Err(SeatRefusal::NotSeated.into()),
        }
        Ok(())
    }

    /// Applies an event at an open table. Offers and resignations are refused here, because nobody represents a side.
    fn apply_at_open_table(
        &mut self,
        seat: Option<Seat>,
        open: OpenRule,
        event: &Event,
        login: &str,
    ) -> Result<(), TableRefusal> {
        match (&event.kind, seat) {
            (EventKind::New { opponent: None, commitment, .. }, None) => {
                self.dice.commit(*commitment);
                self.start_turn(event.timestamp);
            }
            (EventKind::Move { .. } | EventKind::AskComputer { .. }, Some(seat)) => {
                if self.timeline.has_moved_recently(event.author, open.gap) {
                    return Err(TableRefusal::MovedRecently(open.gap));
                }
                match &event.kind {
                    EventKind::Move { notation, mv } => self.play(seat, event.timestamp, mv, notation)?,
                    _ if seat != self.timeline.game().side_to_move() => return Err(self.not_your_turn()),
                    _ => {}
                }
                self.players.note_mover(event.author, login);
            }
            (EventKind::Undo { plies: 1 }, Some(seat)) => {
                let last = self.timeline.plies().next_back().map(|last| (last.event.author, last.seat));
                if last != Some((event.author, seat)) {
                    return Err(TableRefusal::NotYourMove);
                }
                self.rewind(event.timestamp, 1)?;
            }
            _ => return Err(TableRefusal::NotAtOpenTable),
        }
        Ok(())
    }

    /// Checks the votes of a crowd's move: the time is up, they reach the quorum, and most of them are for this move.
    fn check_votes(&self, seat: Seat, event: &Event, notation: &str) -> Result<(), TableRefusal> {
        let (Some(ballot), Some(rule)) = (self.ballot(), self.terms.crowd) else {
            return Err(CrowdRefusal::InvalidCount.into());
        };
        let is_over = event.timestamp.since(self.turn_started_at()) >= rule.voting_time;
        let is_first = event.votes.first().is_some_and(|count| count.notation == notation);
        let is_valid = self.players.has_crowd(seat)
            && is_over
            && is_first
            && total_votes(&event.votes) >= rule.quorum
            && ballot.allows(&event.votes, self.timeline.game());
        if is_valid { Ok(()) } else { Err(CrowdRefusal::InvalidCount.into()) }
    }

    /// Whether it's a crowd's turn, and no ballot is open yet.
    pub(super) fn needs_ballot(&self) -> bool {
        let is_due = self.status == TableStatus::Playing && self.terms.crowd.is_some() && self.ballot.is_none();
        is_due && self.players.has_crowd(self.timeline.game().side_to_move())
    }

    /// Opens the ballot of a turn, as part of the event that is being applied.
    ///
    /// # Errors
    /// Returns an error if the candidates aren't legal moves, each with its own reaction.
    pub(super) fn open_ballot(&mut self, candidates: Vec<Candidate>) -> Result<(), TableRefusal> {
        if !are_candidates(&candidates, self.timeline.game()) {
            return Err(CrowdRefusal::InvalidBallot.into());
        }
        self.ballot = Some(Ballot { candidates, event_index: self.timeline.events().len() });
        Ok(())
    }

    /// Plays a move by the player to move.
    fn play(&mut self, seat: Seat, at: Timestamp, mv: &AnyMove, notation: &str) -> Result<(), TableRefusal> {
        let game = self.timeline.game();
        if game.side_to_move() != seat {
            return Err(self.not_your_turn());
        }
        let next = game.apply_move(mv).map_err(|illegal| TableRefusal::illegal_move(game, illegal))?;
        self.advance(seat, at, next, MadeBy::Player, Some((mv.clone(), notation.to_owned())));
        Ok(())
    }

    /// Resigns a game at a given cost, and continues the match.
    fn resign_for(&mut self, loser: Seat, at: Timestamp, cost: &str) -> Result<(), TableRefusal> {
        let next = self.timeline.game().resign_for(loser, cost).ok_or(OfferRefusal::InvalidCost)?;
        self.advance(loser, at, next, MadeBy::Player, None);
        Ok(())
    }

    /// Resigns for the player to move, who had announced that.
    pub(super) fn resign_as_announced(&mut self) {
        self.status = TableStatus::Won(self.timeline.game().side_to_move().other());
    }

    /// Moves to the next position.
    fn advance(
        &mut self,
        mover: Seat,
        at: Timestamp,
        next: AnyPosition,
        made_by: MadeBy,
        played: Option<(AnyMove, String)>,
    ) {
        self.status = board_status(&next);
        self.offers.clear_after_move(mover);
        self.conditional_moves.follow(played.as_ref().map(|(mv, _)| mv), &next);
        let clock = self.clocks.left(self.timeline.game().side_to_move(), &self.terms, at);
        self.end_turn(at);
        self.ballot = None;
        self.timeline.advance(next, made_by, played, clock);
    }

    /// Asks the opponent for a takeback.
    fn ask_undo(&mut self, seat: Seat) -> Result<(), TableRefusal> {
        let plies = self.timeline.plies_to_undo(seat).ok_or(OfferRefusal::NothingToTakeBack)?;
        self.timeline.check_no_dice_since(plies)?;
        Ok(self.offers.make(seat, Offer::Takeback)?)
    }

    /// Takes back plies for the player who asked. If the opponent isn't a person, nobody has to agree.
    fn apply_undo(&mut self, seat: Seat, at: Timestamp, plies: usize) -> Result<(), TableRefusal> {
        let asker = if self.players.has_person(seat.other()) { seat.other() } else { seat };
        let due = self.timeline.plies_to_undo(asker).ok_or(OfferRefusal::NothingToTakeBack)?;
        if (asker != seat && !self.offers.is_made_to(seat, Offer::Takeback)) || due != plies {
            return Err(OfferRefusal::NothingToAccept.into());
        }
        self.rewind(at, plies)
    }

    /// Turns automatic rolls on or off. Players can turn them on once for each move, so they can't fill the record.
    fn set_automatic_rolls(&mut self, seat: Seat, on: bool) -> Result<(), TableRefusal> {
        let since_move = self.timeline.events().iter().rev().filter(|event| event.seat == Some(seat));
        let mut since_move = since_move.take_while(|event| !matches!(event.kind, EventKind::Move { .. }));
        let has_changed = since_move.any(|event| matches!(event.kind, EventKind::AutoRoll { .. }));
        if self.rolls_automatically[seat.index()] == on || on && has_changed {
            return Err(TableRefusal::AutoRollUnchanged);
        }
        self.rolls_automatically[seat.index()] = on;
        Ok(())
    }

    /// Opens the seat of a player who leaves, and takes back their move.
    fn leave(&mut self, seat: Seat, event: &Event) -> Result<(), TableRefusal> {
        let plies = self.timeline.plies_to_leave(event.author)?;
        self.end_turn(event.timestamp);
        self.clocks.refill(seat);
        self.timeline.rewind(plies);
        self.offers = Offers::default();
        self.conditional_moves = ConditionalMoves::default();
        self.rolls_automatically[seat.index()] = false;
        self.players.set(seat, None);
        Ok(())
    }

    /// Goes back a number of plies, clears all offers and drops all conditional moves.
    fn rewind(&mut self, at: Timestamp, plies: usize) -> Result<(), TableRefusal> {
        self.timeline.check_no_dice_since(plies)?;
        self.end_turn(at);
        self.timeline.rewind(plies);
        self.offers.clear();
        self.conditional_moves = ConditionalMoves::default();
        Ok(())
    }

    /// Returns the computer's level if it has to move now, as part of this event; `None` if it is a person's turn.
    pub(super) fn computer_level_to_move(&self, event: &Event) -> Option<Level> {
        let seat = self.timeline.game().side_to_move();
        match event.kind {
            EventKind::AskComputer { level } if event.seat == Some(seat) => Some(level),
            _ => self.players.computer_at(seat),
        }
    }

    /// Returns the offer that an event makes to the computer; `None` if there is no offer, or if it is to a person.
    pub(super) fn offer_to_computer(&self, event: &Event) -> Option<(Seat, Offer)> {
        let seat = event.seat?;
        self.players.computer_at(seat.other())?;
        match event.kind {
            EventKind::OfferDraw => Some((seat, Offer::Draw)),
            EventKind::OfferResign => Some((seat, Offer::Resignation)),
            _ => None,
        }
    }

    /// Whether the computer accepts an offer. It accepts a draw unless it is ahead, and a resignation unless it has
    /// a good chance to win more.
    pub(super) fn computer_accepts(
        &self,
        offer: Offer,
        key: Option<&Key>,
        source: CommentRef,
    ) -> Result<bool, TableRefusal> {
        let Some((seat, level)) = self.players.computer() else { return Ok(false) };
        let game = self.timeline.game();
        if offer == Offer::Resignation {
            return Ok(game.accepts_resignation(seat));
        }
        let value = engine::search(game, level, self.reply_seed(key, source)?).map(|chosen| chosen.score);
        let own = value.map(|value| if game.side_to_move() == seat { value } else { -value });
        Ok(own.is_some_and(|value| value <= 0))
    }

    /// Applies the computer's answer to this seat's offer.
    pub(super) fn apply_offer_answer(
        &mut self,
        seat: Seat,
        offer: Offer,
        agrees: bool,
        at: Timestamp,
    ) -> Result<(), TableRefusal> {
        match offer {
            _ if !agrees => _ = self.offers.decline(seat.other(), offer),
            Offer::Resignation => self.resign_for(seat, at, lowest_stake(self.timeline.game(), seat))?,
            Offer::Draw | Offer::Takeback => self.status = TableStatus::Draw,
        }
        Ok(())
    }

    /// Applies a roll. A roll isn't a ply.
    pub(super) fn apply_roll(&mut self, roll: Roll) {
        self.dice.count_roll();
        self.replace_position(self.timeline.game().with_roll(roll));
    }

    /// Replaces the current position without adding a ply.
    pub(super) fn replace_position(&mut self, next: AnyPosition) {
        self.status = board_status(&next);
        self.timeline.replace_position(next);
    }

    /// Plays the computer's move, or a conditional or forced one, and returns its canonical notation.
    ///
    /// # Errors
    /// Returns an error if the move isn't legal.
    pub(super) fn apply_reply(&mut self, at: Timestamp, mv: &AnyMove, made_by: MadeBy) -> Result<String, TableRefusal> {
        let game = self.timeline.game();
        let next = game.apply_move(mv).map_err(|illegal| TableRefusal::illegal_move(game, illegal))?;
        let (notation, seat) = (game.notation(mv), game.side_to_move());
        self.advance(seat, at, next, made_by, Some((mv.clone(), notation.clone())));
        Ok(notation)
    }
}

/// Whether an event needs something from the opponent, which a crowd can't give.
fn asks_opponent(kind: &EventKind) -> bool {
    matches!(
        kind,
        EventKind::OfferDraw
            | EventKind::OfferResign
            | EventKind::AskUndo
            | EventKind::Undo { .. }
            | EventKind::Nudge
            | EventKind::Extend { .. }
            | EventKind::If { .. }
    )
}

/// Returns the lowest cost at which a seat can resign.
fn lowest_stake(game: &AnyPosition, seat: Seat) -> &'static str {
    game.resignation_stakes(seat).first().copied().unwrap_or_default()
}

/// Returns the status after the end of an imported game. `seat` is the winner, if there is one.
fn imported_status(result: ImportedResult, seat: Seat) -> TableStatus {
    match result {
        ImportedResult::Won => TableStatus::Won(seat),
        ImportedResult::Draw => TableStatus::Draw,
        ImportedResult::None => TableStatus::Aborted,
    }
}

/// Returns the status that the board alone determines.
fn board_status(game: &AnyPosition) -> TableStatus {
    match game.outcome() {
        None => TableStatus::Playing,
        Some(Outcome::Won(winner)) => TableStatus::Won(winner),
        Some(Outcome::Draw) => TableStatus::Draw,
    }
}
