//! A table, grown event by event.
//!
//! [`Table::then`] grows a table by what happens now, [`Table::replayed`] by what a record says has happened, and both have
//! one judge, so that deciding a command and replaying a file are the same code. The rules that depend on the comment and not
//! on the history, such as the rights of a maintainer, are in `decisions/decide.rs`.

use crate::game::choice::Level;
use crate::game::contract::{Game, Outcome, turn};
use crate::game::rule::RuleError;
use crate::game::seat::Seat;
use crate::tables::ask::Ask;
use crate::tables::dice::{Commitment, Key};
use crate::tables::history::{Event, EventKind, Reply, Sitter, seat_name};
use crate::tables::imported::{Imported, ImportedResult};
use crate::tables::invalid_history::InvalidHistory;
use crate::tables::refusal::TableRefusal;
use crate::tables::terms::Terms;
use crate::talk::comment::{Author, Millis, Source};

/// The silence after which a game without `per-move` may be aborted, in milliseconds: 30 days.
pub const SILENCE: Millis = 30 * 24 * 60 * 60 * 1000;

/// The state of a table's game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableStatus {
    /// The game goes on.
    Playing,
    /// The game is over and this seat has won, on the board or by word.
    Won(Seat),
    /// The game is over, and nobody has won.
    Draw,
    /// The game was ended without a result.
    Aborted,
    /// The table has moved, and its game goes on in another issue.
    Moved(u64),
}

/// Somebody who looks at replies before they are played again.
pub(super) type ShowReply<'a, G> = dyn FnMut(&Table<G>, &Event<G>, Level, &Reply<G>) + 'a;

/// The place of a ply in the history: the index of its event, and of the reply among what followed from it.
pub(super) type Place = (usize, Option<usize>);

/// A table: what was agreed, what happened, and what follows from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Table<G: Game> {
    /// The number of the issue, which is the number of the table.
    pub issue: u64,
    /// The number of the game at this table: 1 for the first, 2 for its rematch, and so on.
    pub round: u32,
    /// The options that the game was set up with.
    pub config: G::Config,
    /// The terms agreed beyond that.
    pub terms: Terms,
    /// The facts about a game that was played elsewhere; `None` for any other.
    pub imported: Option<Imported>,
    /// The events, oldest first.
    pub history: Vec<Event<G>>,
    /// The comment id up to which the table's own thread has been settled.
    pub settled_through: u64,
    /// The state of the game.
    pub status: TableStatus,
    /// The standing draw offer.
    pub draw: Ask,
    /// The standing request to undo.
    pub undo: Ask,
    /// The standing offer to give the game up.
    pub resign: Ask,
    /// The time since which the side on turn has been to move.
    pub turn_since: Millis,
    /// The hash of the key that the dice of this round are made with, if it can be proved in the end.
    pub commitment: Option<Commitment>,
    /// The number of throws in this round.
    pub throws: u32,
    /// The number of this game among the results of its kind in the standings, once it has ended and was counted there.
    pub counted: Option<u64>,
    pub(super) seats: [Option<Sitter>; 2],
    /// The people who have moved at an open table: their ids and logins.
    pub(super) movers: Vec<(u64, String)>,
    /// The start, and the position after each move that still counts.
    pub(super) line: Vec<G>,
    /// The place of what led to it, for each position after the start.
    pub(super) plies: Vec<Place>,
}

impl<G: Game> Table<G> {
    /// Returns a table without any event yet, not even its opening.
    ///
    /// # Errors
    /// A configuration that the game cannot start from.
    pub fn set_up(issue: u64, round: u32, config: G::Config, terms: Terms) -> Result<Self, RuleError> {
        let start = G::start(&config)?;
        Ok(Table {
            issue,
            round,
            config,
            terms,
            imported: None,
            history: Vec::new(),
            settled_through: 0,
            status: TableStatus::Playing,
            draw: Ask::default(),
            undo: Ask::default(),
            resign: Ask::default(),
            turn_since: 0,
            commitment: None,
            throws: 0,
            counted: None,
            seats: [None, None],
            movers: Vec::new(),
            line: vec![start],
            plies: Vec::new(),
        })
    }

    /// Returns this table after one more event, which happens now. `login` is shown for its author. The dice that it calls
    /// for come from the key; without one, nothing can happen that takes a throw or ends a round of a table that has
    /// committed to a key.
    ///
    /// # Errors
    /// The rule of the game or of the table that forbids the event.
    pub fn then(self, event: Event<G>, login: &str, key: Option<&Key>) -> Result<Self, TableRefusal> {
        self.begin(event, login)?.finish(key)
    }

    /// Returns this table after one more event, before anything follows from it: no dice are rolled, and the computer has not
    /// moved. It isn't a table to keep until [`Table::finish`] has run.
    ///
    /// # Errors
    /// Returns an error if a rule of the game or of the table forbids the event.
    pub fn begin(self, event: Event<G>, login: &str) -> Result<Self, TableRefusal> {
        let mut table = self.judged(&event, login)?;
        table.history.push(event);
        Ok(table)
    }

    /// Returns a table that has begun an event with everything that follows from it: dice, forced plays and the computer's
    /// moves.
    ///
    /// # Errors
    /// Returns an error if something calls for a key that isn't the one that the table has committed to.
    pub fn finish(mut self, key: Option<&Key>) -> Result<Self, TableRefusal> {
        let Some(mut event) = self.history.pop() else { return Ok(self) };
        self.follow(&mut event, key)?;
        self.disclose(&mut event, key)?;
        self.history.push(event);
        Ok(self)
    }

    /// Returns this table after one more event of a record, as [`Table::then`] would have it, with the dice that are in the
    /// record. Only the last event of a round shows the key, and then every throw is made anew.
    ///
    /// # Errors
    /// The reason why the event cannot have happened, or cannot have happened so.
    pub fn replayed(self, event: Event<G>, login: &str) -> Result<Self, InvalidHistory> {
        self.replayed_before(event, login, &mut |_, _, _, _| {})
    }

    /// Returns the same, and shows each reply of the computer beforehand: the table before it, the event, the level, the reply.
    pub(super) fn replayed_before(
        self,
        event: Event<G>,
        login: &str,
        show: &mut ShowReply<'_, G>,
    ) -> Result<Self, InvalidHistory> {
        let mut table = self.judged(&event, login).map_err(InvalidHistory::Forbidden)?;
        if let EventKind::Move { notation, mv } = &event.kind {
            let canonical = table.line[table.line.len() - 2].notation(mv);
            if canonical != *notation {
                return Err(InvalidHistory::Notation(canonical));
            }
        }
        table.follow_again(&event, show)?;
        table.check_key(&event)?;
        table.history.push(event);
        Ok(table)
    }

    /// Applies an event but for its dice, as the one judge of what may happen at a table.
    fn judged(mut self, event: &Event<G>, login: &str) -> Result<Self, TableRefusal> {
        if matches!(event.kind, EventKind::New { .. }) != self.history.is_empty() {
            return Err(TableRefusal::TableTaken);
        }
        if self.status != TableStatus::Playing {
            return Err(TableRefusal::GameOver(self.ending()));
        }
        match (event.seat.map(|seat| seat.0), self.terms.open) {
            (None, _) if event.kind == EventKind::Abort => self.status = TableStatus::Aborted,
            (None, _) if self.relocates(&event.kind) => {}
            (seat, Some(open)) => self.apply_openly(seat, open, event, login)?,
            (Some(seat), None) => {
                self.take_seat(seat, event, login)?;
                self.apply(seat, event)?;
            }
            (None, None) => return Err(TableRefusal::NotSeated(self.seating())),
        }
        Ok(self)
    }

    /// Returns the issue that this round began in.
    pub fn first_issue(&self) -> u64 {
        let came_from = self.history.iter().find_map(|event| match event.kind {
            EventKind::MovedHere { from } => Some(from),
            _ => None,
        });
        came_from.unwrap_or(self.issue)
    }

    /// Tests if the game has ended. One that goes on in another issue has not.
    pub fn is_over(&self) -> bool {
        !matches!(self.status, TableStatus::Playing | TableStatus::Moved(_))
    }

    /// Tests if the game has ended with somebody's win or with a draw.
    pub fn has_result(&self) -> bool {
        matches!(self.status, TableStatus::Won(_) | TableStatus::Draw)
    }

    /// Returns the position on the board now.
    pub fn game(&self) -> &G {
        // The line always holds the start.
        &self.line[self.line.len() - 1]
    }

    /// Returns the position at the start, with the dice that were thrown for it.
    pub fn first(&self) -> &G {
        &self.line[0]
    }

    /// Returns the seat on turn.
    pub fn to_move(&self) -> Seat {
        self.game().to_move()
    }

    /// Returns the person at a seat, or the one it is kept for; `None` for an open seat.
    pub fn sitter(&self, seat: Seat) -> Option<&Sitter> {
        self.seats[seat.index()].as_ref()
    }

    /// Returns the seat held by the person with this id, or kept for them; `None` if they have none.
    pub fn seat_of(&self, id: u64) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|seat| self.sitter(*seat).is_some_and(|sitter| sitter.id == Some(id)))
    }

    /// Returns the refusal of what takes somebody opposite a seat, where nobody sits.
    pub fn nobody_opposite(&self, seat: Seat) -> TableRefusal {
        self.awaited(seat.other()).map_or(TableRefusal::NobodyOpposite, |login| TableRefusal::NotBack(login.to_owned()))
    }

    /// Returns the refusal of somebody who is not on turn.
    pub fn not_your_turn(&self) -> TableRefusal {
        let seat = self.to_move();
        TableRefusal::NotYourTurn(seat_name::<G>(seat), self.sitter(seat).map(|sitter| sitter.name().to_owned()))
    }

    /// Returns the seat of a person: they sit there, or it is kept for their login and they speak for the first time. `None`
    /// for anybody else.
    pub fn seat_for(&self, author: &Author) -> Option<Seat> {
        let kept = |seat: &Seat| {
            let name = self.sitter(*seat).filter(|sitter| sitter.id.is_none());
            name.is_some_and(|sitter| sitter.computer.is_none() && sitter.login.eq_ignore_ascii_case(&author.login))
        };
        self.seat_of(author.id).or_else(|| Seat::BOTH.into_iter().find(kept))
    }

    /// Tests if somebody, and not only a name, is at this seat.
    pub fn is_seated(&self, seat: Seat) -> bool {
        self.sitter(seat).is_some_and(|sitter| !sitter.is_kept())
    }

    /// Tests if a person, and not the computer, sits at this seat.
    pub fn has_person(&self, seat: Seat) -> bool {
        self.is_seated(seat) && self.computer_at(seat).is_none()
    }

    /// Returns the level of the computer at this seat; `None` if somebody else sits there, or nobody.
    pub fn computer_at(&self, seat: Seat) -> Option<Level> {
        self.sitter(seat)?.computer
    }

    /// Returns the login of somebody who played the round before, has not said anything in this one yet, and whose seat is
    /// kept; `None` for anybody else.
    pub fn awaited(&self, seat: Seat) -> Option<&str> {
        self.sitter(seat).filter(|sitter| sitter.kept).map(|sitter| sitter.login.as_str())
    }

    /// Tests if a comment is the source of an event here.
    pub fn has_event_from(&self, source: Source) -> bool {
        self.history.iter().any(|event| event.source == source)
    }

    /// Shows a seated person under the login they have now.
    pub fn update_login(&mut self, id: u64, login: &str) {
        if let Some(sitter) = self.seats.iter_mut().flatten().find(|sitter| sitter.id == Some(id)) {
            login.clone_into(&mut sitter.login);
        }
    }

    /// Returns the milliseconds that the player to move still had at a given time; `None` where there is no limit.
    pub fn time_left(&self, at: Millis) -> Option<Millis> {
        self.terms.per_move.map(|limit| self.turn_since.saturating_add(limit).saturating_sub(at))
    }

    /// Checks that the seat is this person's, or seats them where the event may do that.
    fn take_seat(&mut self, seat: Seat, event: &Event<G>, login: &str) -> Result<(), TableRefusal> {
        let name = seat_name::<G>(seat);
        match (self.sitter(seat), self.seat_of(event.by)) {
            (Some(Sitter { kept: true, .. }), Some(own)) if own == seat => self.turn_since = event.timestamp,
            (_, Some(own)) if own == seat && event.kind != EventKind::Join => {}
            (_, Some(own)) => return Err(TableRefusal::AlreadySeated(seat_name::<G>(own))),
            (Some(Sitter { id: Some(_), login, .. }), None) => {
                return Err(TableRefusal::SeatTaken(name, login.clone()));
            }
            (Some(Sitter { computer: Some(_), .. }), None) => return Err(TableRefusal::ComputerSits(name)),
            (Some(Sitter { id: None, .. }), None) => self.turn_since = event.timestamp,
            (None, None) => match event.kind {
                EventKind::New { .. } | EventKind::Join | EventKind::Move { .. } => self.turn_since = event.timestamp,
                _ => return Err(TableRefusal::NotSeated(self.seating())),
            },
        }
        self.seats[seat.index()] = Some(Sitter::person(event.by, login));
        Ok(())
    }

    /// Applies an event of a seat that its author has taken.
    fn apply(&mut self, seat: Seat, event: &Event<G>) -> Result<(), TableRefusal> {
        match &event.kind {
            EventKind::New { opponent, commitment } => {
                self.seats[seat.other().index()].clone_from(opponent);
                self.commitment = *commitment;
            }
            EventKind::Join => {}
            EventKind::Move { mv, .. } => self.play(seat, event.timestamp, mv)?,
            EventKind::OfferDraw => {
                self.draw = self.draw.raise(seat, TableRefusal::DrawStands, TableRefusal::DrawDeclined)?;
            }
            EventKind::AcceptDraw if self.draw.by == Some(seat.other()) => self.status = TableStatus::Draw,
            EventKind::AcceptDraw => return Err(TableRefusal::NothingToAccept),
            EventKind::ClaimDraw if self.game().claimable_draw().is_some() => self.status = TableStatus::Draw,
            EventKind::ClaimDraw => return Err(TableRefusal::NoDrawToClaim),
            EventKind::Decline => self.decline(seat)?,
            EventKind::AskUndo => {
                let plies = self.undo_plies(seat).ok_or(TableRefusal::NothingToUndo)?;
                self.ensure_no_dice_shown_since(plies)?;
                self.undo = self.undo.raise(seat, TableRefusal::UndoStands, TableRefusal::UndoDeclined)?;
            }
            EventKind::Hint if self.computer_at(seat.other()).is_none() => return Err(TableRefusal::NoHints),
            EventKind::Hint => {}
            EventKind::Undo { plies } => self.take_back(seat, event.timestamp, *plies)?,
            EventKind::Resign => match self.game().resigned(seat) {
                Some(next) => self.advance(seat, event.timestamp, next, None),
                None => self.status = TableStatus::Won(seat.other()),
            },
            EventKind::OfferResign if self.game().costs(seat).len() < 2 => return Err(TableRefusal::NoOffer),
            EventKind::OfferResign => {
                self.resign = self.resign.raise(seat, TableRefusal::ResignStands, TableRefusal::ResignDeclined)?;
            }
            EventKind::AcceptResign if self.resign.by == Some(seat.other()) => {
                let least = self.game().costs(seat.other()).first().copied().unwrap_or_default();
                self.give_up(seat.other(), event.timestamp, least)?;
            }
            EventKind::AcceptResign => return Err(TableRefusal::NothingToAccept),
            EventKind::ResignFor { cost } => match self.game().costs(seat) {
                [least, _, ..] if least == cost => return Err(TableRefusal::NoOffer),
                _ => self.give_up(seat, event.timestamp, cost)?,
            },
            EventKind::Claim => {
                self.check_overdue(seat, event.timestamp)?;
                self.status = TableStatus::Won(seat);
            }
            EventKind::Abort => self.status = TableStatus::Aborted,
            EventKind::ImportedEnd { .. } if self.imported.is_none() => return Err(TableRefusal::NotImported),
            EventKind::ImportedEnd { result, .. } => {
                self.status = match result {
                    ImportedResult::Won => TableStatus::Won(seat),
                    ImportedResult::Draw => TableStatus::Draw,
                    ImportedResult::None => TableStatus::Aborted,
                };
            }
            EventKind::SeatComputer { .. } if self.computer_at(seat.other()).is_some() => {
                return Err(TableRefusal::ComputerSits(seat_name::<G>(seat.other())));
            }
            EventKind::SeatComputer { level } => self.seats[seat.other().index()] = Some(Sitter::computer(*level)),
            EventKind::AskComputer { .. } => return Err(TableRefusal::NoOpenTable),
            EventKind::MovedHere { .. } | EventKind::MovedAway { .. } => _ = self.relocates(&event.kind),
        }
        Ok(())
    }

    /// Goes on after a seat has given the game up for a cost.
    pub(super) fn give_up(&mut self, loser: Seat, at: Millis, cost: &str) -> Result<(), TableRefusal> {
        let next = self.game().given_up(loser, cost).ok_or(TableRefusal::NoOffer)?;
        self.advance(loser, at, next, None);
        Ok(())
    }

    /// Takes the table from one issue to another, if the event is one that does.
    fn relocates(&mut self, kind: &EventKind<G>) -> bool {
        if let EventKind::MovedAway { to } = kind {
            self.status = TableStatus::Moved(*to);
        }
        matches!(kind, EventKind::MovedHere { .. } | EventKind::MovedAway { .. })
    }

    /// Plays a move of the seat on turn.
    pub(super) fn play(&mut self, seat: Seat, at: Millis, mv: &G::Move) -> Result<(), TableRefusal> {
        if self.to_move() != seat {
            return Err(self.not_your_turn());
        }
        let next = turn(self.game(), mv).map_err(|rule| TableRefusal::rule(self.game(), mv, &rule))?;
        self.advance(seat, at, next, None);
        Ok(())
    }

    /// Goes on to the next position: by the event itself, or by a reply among its consequences.
    pub(super) fn advance(&mut self, mover: Seat, at: Millis, next: G, reply: Option<usize>) {
        self.status = status(&next);
        self.draw.lapse(mover);
        self.undo.lapse(mover);
        self.resign.lapse(mover);
        self.turn_since = at;
        self.line.push(next);
        self.plies.push((self.history.len(), reply));
    }

    /// Checks that no dice were shown since so many plies ago: a throw that was seen cannot be taken back.
    fn ensure_no_dice_shown_since(&self, plies: usize) -> Result<(), TableRefusal> {
        let (from, _) = self.plies[self.plies.len() - plies];
        let shown = self.history[from..].iter().any(|event| event.throws().next().is_some());
        if shown { Err(TableRefusal::DiceShown) } else { Ok(()) }
    }

    /// Declines the questions of the other side, of which there has to be one.
    fn decline(&mut self, seat: Seat) -> Result<(), TableRefusal> {
        let asked = [self.draw.decline(seat), self.undo.decline(seat), self.resign.decline(seat)];
        if asked.contains(&true) { Ok(()) } else { Err(TableRefusal::NothingToDecline) }
    }

    /// Undoes plies for the side that did not ask; where no person has ever sat opposite there is nobody to ask.
    fn take_back(&mut self, seat: Seat, at: Millis, plies: usize) -> Result<(), TableRefusal> {
        let asker = if self.has_person(seat.other()) { seat.other() } else { seat };
        let due = self.undo_plies(asker).ok_or(TableRefusal::NothingToUndo)?;
        if (asker != seat && self.undo.by != Some(asker)) || due != plies {
            return Err(TableRefusal::NothingToAccept);
        }
        self.rewind(at, plies)
    }

    /// Goes back by so many plies, with no question left open.
    pub(super) fn rewind(&mut self, at: Millis, plies: usize) -> Result<(), TableRefusal> {
        self.ensure_no_dice_shown_since(plies)?;
        let kept = self.plies.len() - plies;
        self.plies.truncate(kept);
        self.line.truncate(kept + 1);
        self.draw.by = None;
        self.undo.by = None;
        self.resign.by = None;
        self.turn_since = at;
        Ok(())
    }

    /// Checks that this seat may claim a win on time.
    fn check_overdue(&self, seat: Seat, at: Millis) -> Result<(), TableRefusal> {
        let left = self.time_left(at).ok_or(TableRefusal::NoClock)?;
        if self.to_move() == seat {
            return Err(TableRefusal::OwnClock);
        }
        if !self.is_seated(seat.other()) {
            return Err(self.nobody_opposite(seat));
        }
        if left > 0 { Err(TableRefusal::TimeLeft(left)) } else { Ok(()) }
    }
}

/// Returns the status that follows from the board alone.
pub(super) fn status<G: Game>(game: &G) -> TableStatus {
    match game.outcome() {
        None => TableStatus::Playing,
        Some(Outcome::Won(winner)) => TableStatus::Won(winner),
        Some(Outcome::Draw) => TableStatus::Draw,
    }
}
