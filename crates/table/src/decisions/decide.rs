//! The whole bot as one pure function: a table, a comment and the house rules in; a decision out.
//!
//! No clock, no IO, no randomness. An accepted command is one event, and [`Table::then`] is the judge of what a history
//! allows; the rules here depend on the person and the comment.
//!
//! ```
//! use table::decisions::{decide::decide, decision::Decision, house::HouseRules};
//! use table::talk::command;
//! use table::talk::comment::{Author, Source};
//! use table::talk::utterance::Utterance;
//!
//! let said = Utterance {
//!     reading: command::read_body("/new tic-tac-toe"),
//!     author: Author { id: 583231, login: "octocat".to_owned(), bot: false },
//!     maintainer: false,
//!     opener: true,
//!     source: Source { issue: 7, comment: 0 },
//!     at_table: false,
//!     tried: false,
//!     time: 1_760_000_000_000,
//!     settles_through: 0,
//!     luck: [0; 32],
//! };
//! let Decision::Apply { table, .. } = decide(None, 7, &said, &HouseRules::default()) else { panic!() };
//! assert_eq!(table.issue(), 7);
//! assert!(table.is_playing());
//! ```

use game::choice::Level;
use game::contract::Game;
use game::rule::Unread;
use game::seat::Seat;
use games::registry::Kind;

use crate::any::{AnyTable, with_table};
use crate::decisions::append::begin;
use crate::decisions::decision::{Decision, Show};
use crate::decisions::hint::{self, Hint};
use crate::decisions::house::HouseRules;
use crate::decisions::named_setups::NamedSetup;
use crate::decisions::refusal::{MoveRefusal, Refusal, SetupRefusal};
use crate::decisions::setup;
use crate::decisions::verdict::{Pending, Verdict};
use crate::game_state::TableStatus;
use crate::history::{EventKind, Sitter, seat_name};
use crate::offers::Offer;
use crate::refusal::TableRefusal;
use crate::table::{SILENCE, Table};
use crate::talk::command::{Below, Command, Reading, Unclear, lone_word};
use crate::talk::comment::Millis;
use crate::talk::utterance::Utterance;

/// Decides about a comment for the table it is meant for: the one in `issue`, if there is one.
pub fn decide(table: Option<&AnyTable>, issue: u64, said: &Utterance, house: &HouseRules) -> Decision {
    judge(table, issue, said, house).carry_out()
}

/// Returns the verdict on a comment for the table it is meant for. It takes no search, so that a thread full of waiting moves
/// costs no thinking.
pub fn judge(table: Option<&AnyTable>, issue: u64, said: &Utterance, house: &HouseRules) -> Verdict {
    let verdict = meaning(table, said).and_then(|command| match (command, table) {
        (None, _) => Ok(Verdict::Chat),
        (Some(Command::Help(game)), _) => help(game.as_deref(), house),
        (Some(Command::New(words)), _) => setup::open(table, issue, &words, said, house),
        // Without a table nothing else means anything, which `meaning` has said already.
        (Some(_), None) => Err(Refusal::NoTableYet),
        (Some(command), Some(table)) => {
            with_table!(table, table => Turn { table, said, house }.command(&command))
        }
    });
    verdict.unwrap_or_else(Verdict::Refuse)
}

/// Returns the command that a comment is, a bare move among them; `None` for chat. Nothing is played for it, so that a thread
/// full of moves costs no thinking.
///
/// # Errors
/// The refusal of what can't be taken as it stands, or is chat that may have been meant otherwise.
pub fn meaning(table: Option<&AnyTable>, said: &Utterance) -> Result<Option<Command>, Refusal> {
    match (&said.reading, table) {
        (Reading::Bare(_, Below::Command(word)), None) if said.source.comment == 0 && word == "/new" => {
            Err(Hint::FirstLine(word.clone()).into())
        }
        (Reading::Nothing, _) | (Reading::Bare(..), None) => Ok(None),
        (Reading::Unclear(unclear, None), None) if !said.tried && !counts_anywhere(unclear) => Ok(None),
        (Reading::Unclear(unclear, _), _) => Err(unclear.clone().into()),
        (Reading::Command(command @ (Command::Help(_) | Command::New(_)), _), _) => Ok(Some(command.clone())),
        (Reading::Command(_, Some(named)), None) => Err(Refusal::NoTable(*named)),
        (Reading::Command(_, None), None) if said.tried => Err(Refusal::NoTableYet),
        // Where nobody wants a table the commands are other people's, and mean nothing to the bot.
        (Reading::Command(_, None), None) => Ok(None),
        (Reading::Bare(text, below), Some(table)) => with_table!(table, table => bare(table, said, text, below)),
        (Reading::Command(command, _), Some(_)) => Ok(Some(command.clone())),
    }
}

/// Tests if a comment is meant for the bot even where there is no table.
fn counts_anywhere(unclear: &Unclear) -> bool {
    match unclear {
        Unclear::TwoCommands(word, _) | Unclear::Question(word) => matches!(word.as_str(), "/new" | "/help"),
        Unclear::TableNumber(_) => true,
        Unclear::Slip(..) | Unclear::Words(..) => false,
    }
}

fn help(game: Option<&str>, house: &HouseRules) -> Result<Verdict, Refusal> {
    let Some(name) = game else { return Ok(Verdict::Show(Show::Help(None))) };
    match (Kind::meant(name), NamedSetup::meant(name)) {
        (Some(kind), _) => Ok(Verdict::Show(Show::Help(Some(kind)))),
        (None, Some(setup)) => Ok(Verdict::Show(Show::HelpSetup(setup))),
        (None, None) => Err(setup::unknown_game(name, house).into()),
    }
}

/// Returns the command that a comment without one stands for, by somebody who has a seat: a move alone on the first line, or
/// a question. Or refuses what is nearly a move, or nearly a command. Anything else is chat.
fn bare<G: Game>(table: &Table<G>, said: &Utterance, text: &str, below: &Below) -> Result<Option<Command>, Refusal> {
    let Some(seat) = table.occupants().seat_for(&said.author) else { return Ok(None) };
    let on_turn = table.status() == TableStatus::Playing && table.to_move() == seat;
    if !matches!(table.game().read(text), Err(Unread::Strange)) {
        return match below {
            Below::Command(second) => Err(Unclear::TwoCommands(text.to_owned(), second.clone()).into()),
            Below::Talk if !on_turn => Ok(None),
            Below::Talk | Below::Nothing => Ok(Some(Command::Move(text.to_owned()))),
        };
    }
    // What was said before the last event was said about another position.
    let late = table.history().last().is_some_and(|event| event.timestamp > said.time);
    match (lone_word(text), below) {
        (Some(Command::Help(_)), _) => Ok(Some(Command::Help(None))),
        (Some(command @ (Command::Board | Command::Moves | Command::History | Command::Hint)), _) => Ok(Some(command)),
        _ if late => Ok(None),
        (Some(command), _) => hint::slash(&command).map_or(Ok(None), |hint| Err(hint.into())),
        (None, Below::Command(second)) if on_turn => Err(Hint::FirstLine(second.clone()).into()),
        _ if on_turn => hint::move_among(table.game(), text).map_or(Ok(None), |mv| Err(Hint::Move(mv).into())),
        _ => Ok(None),
    }
}

/// A comment at a table, under the rules of the house.
struct Turn<'a, G: Game> {
    table: &'a Table<G>,
    said: &'a Utterance,
    house: &'a HouseRules,
}

impl<G: Game> Turn<'_, G>
where
    AnyTable: From<Table<G>>,
{
    fn command(&self, command: &Command) -> Result<Verdict, Refusal> {
        match command {
            Command::Board => Ok(Verdict::Show(Show::Board)),
            Command::Moves => Ok(Verdict::Show(Show::Moves)),
            Command::History => Ok(Verdict::Show(Show::History)),
            Command::Continue => self.relocate(),
            Command::Rematch => self.rematch(),
            _ if self.table.status() != TableStatus::Playing => Err(self.over()),
            Command::Join(seat) => self.join(seat.as_deref()),
            Command::Move(notation) => self.play(notation),
            // A verb of another game is no move here, and is refused as that.
            Command::Verb(word) => self.play(G::INFO.verb(word).map_or(word, |verb| verb.word)),
            Command::Abort => self.abort(),
            Command::Computer(level) => self.computer(level.as_deref()),
            Command::Hint => self.hint(),
            _ => self.by_word(command),
        }
    }

    /// Returns the seat of the comment's author: they sit there, or it is kept for them and they speak for the first time.
    fn own_seat(&self) -> Option<Seat> {
        self.table.occupants().seat_for(&self.said.author)
    }

    /// Appends an event to the table, which goes on.
    fn apply(&self, kind: EventKind<G::Move>, seat: Option<Seat>) -> Result<Verdict, Refusal> {
        if let Some(seat) = seat {
            let stranger = self.own_seat().is_none();
            if let Some(sitter) = self.table.sitter(seat).filter(|sitter| stranger && sitter.is_kept()) {
                return Err(Refusal::SeatKept(seat_name::<G>(seat), sitter.login.clone()));
            }
        }
        self.accept(self.table.clone(), kind, seat, None)
    }

    /// Accepts an event at a table, which may replace a finished game.
    fn accept(
        &self,
        table: Table<G>,
        kind: EventKind<G::Move>,
        seat: Option<Seat>,
        finished: Option<AnyTable>,
    ) -> Result<Verdict, Refusal> {
        let (table, key) = begin(table, kind, seat, self.said, self.house)?;
        Ok(Verdict::Accept(Pending::new(table.into(), key, finished)))
    }

    fn join(&self, wanted: Option<&str>) -> Result<Verdict, Refusal> {
        let free = |seat: &Seat| !self.table.occupants().is_seated(*seat);
        let seat = match wanted {
            Some(name) => setup::seat::<G>(name)?,
            None => self.own_seat().or_else(|| Seat::BOTH.into_iter().find(free)).ok_or(Refusal::Full)?,
        };
        self.apply(EventKind::Join, Some(seat))
    }

    fn play(&self, text: &str) -> Result<Verdict, Refusal> {
        let table = self.table;
        if table.status() != TableStatus::Playing {
            return Err(self.over());
        }
        // A move is always for the seat on turn; the player of the other one is not on turn, a stranger may take it.
        let seat = table.to_move();
        match self.own_seat() {
            Some(own) if own != seat => return Err(table.state().not_your_turn().into()),
            None if table.occupants().is_seated(seat) => return Err(self.not_seated()),
            _ => {}
        }
        if text.trim().is_empty() {
            return Err(MoveRefusal::Which(G::INFO.how_to_move()).into());
        }
        let game = table.game();
        let mv = game.read(text).map_err(|unread| match unread {
            Unread::Strange => MoveRefusal::Unread(text.to_owned(), G::INFO.how_to_move(), nearest_move(game, text)),
            Unread::OffBoard((_, sentence)) => MoveRefusal::OffBoard(text.to_owned(), sentence),
            Unread::Ambiguous(moves) => MoveRefusal::Ambiguous(text.to_owned(), moves),
        })?;
        // The notation of an illegal move is never looked at: the rules refuse it first.
        let legal = game.objection(&mv).is_none();
        let notation = if legal { game.notation(&mv) } else { String::new() };
        self.check_gap()?;
        self.apply(EventKind::Move { notation, mv }, Some(seat))
    }

    /// Checks that the author may move at an open table: a move counts for the gap even after it was taken back.
    fn check_gap(&self) -> Result<(), TableRefusal> {
        match self.table.terms().open {
            Some(open) if self.table.line().has_moved_lately(self.said.author.id, open.gap) => {
                Err(TableRefusal::MovedLately(open.gap))
            }
            _ => Ok(()),
        }
    }

    fn abort(&self) -> Result<Verdict, Refusal> {
        let (table, seat) = (self.table, self.own_seat());
        if self.said.maintainer {
            return self.apply(EventKind::Abort, seat);
        }
        // Nobody has a seat at an open table, so anybody may make room for the next game once the record is full.
        if table.terms().open.is_some() {
            let (table, key) = begin(table.clone(), EventKind::Abort, seat, self.said, self.house)?;
            return Ok(Verdict::Accept(Pending::new(table.into(), key, None).if_nearly_full()));
        }
        let seat = seat.ok_or(Refusal::OnlyPlayers)?;
        let silent = self.silence();
        let both_moved = Seat::BOTH.into_iter().all(|seat| table.line().has_moved(seat));
        match table.terms().per_move {
            _ if !both_moved => {}
            None if silent >= SILENCE => {}
            None => return Err(Refusal::TooLateToAbort(Some(SILENCE - silent))),
            Some(_) => return Err(Refusal::TooLateToAbort(None)),
        }
        self.apply(EventKind::Abort, Some(seat))
    }

    /// Returns the milliseconds since the last event.
    fn silence(&self) -> Millis {
        let last = self.table.history().last().map_or(0, |event| event.timestamp);
        self.said.time.saturating_sub(last)
    }

    /// Gives the other seat to the computer, or lets it move at an open table.
    fn computer(&self, level: Option<&str>) -> Result<Verdict, Refusal> {
        let table = self.table;
        let named = |name: &str| Level::named(name).ok_or_else(|| Refusal::NoLevel(name.to_owned()));
        let level = level.map_or(Ok(Level::MEDIUM), named)?;
        if table.terms().open.is_some() {
            self.check_gap()?;
            return self.apply(EventKind::AskComputer { level }, Some(table.to_move()));
        }
        let seat = self.own_seat().ok_or(Refusal::OnlyPlayers)?;
        let (other, silent) = (seat.other(), self.silence());
        // Whoever is not on turn owes nothing, unless they have never come.
        let owes = table.to_move() == other || !table.occupants().is_seated(other);
        match table.sitter(other) {
            None | Some(Sitter { computer: Some(_), .. }) => {}
            Some(_) if owes && silent >= SILENCE => {}
            Some(_)
                if owes && table.occupants().is_seated(other) && table.state().time_left(self.said.time) == Some(0) => {
            }
            Some(_) => {
                let left = (owes && table.terms().per_move.is_none()).then(|| SILENCE.saturating_sub(silent));
                return Err(Refusal::NotForComputer(other, left));
            }
        }
        self.apply(EventKind::SeatComputer { level }, Some(seat))
    }

    /// Shows what the computer would play, where that is fair to everybody. The first hint of a round against the computer goes
    /// into the record, because a level that was beaten with hints doesn't count.
    fn hint(&self) -> Result<Verdict, Refusal> {
        let table = self.table;
        if table.terms().open.is_some() {
            return Ok(Verdict::Show(Show::Hint(Level::MEDIUM)));
        }
        let (_, level) = table.occupants().computer().ok_or(TableRefusal::NoHints)?;
        let seat = self.own_seat().ok_or_else(|| self.not_seated())?;
        if table.line().has_hint() {
            return Ok(Verdict::Show(Show::Hint(level)));
        }
        self.apply(EventKind::Hint, Some(seat))
    }

    /// Decides about what the players settle between them by word.
    fn by_word(&self, command: &Command) -> Result<Verdict, Refusal> {
        let table = self.table;
        if table.terms().open.is_some() {
            return self.take_back(command);
        }
        let seat = self.own_seat().ok_or_else(|| self.not_seated())?;
        let is_offered = |offer| table.state().offers().is_made_to(seat, offer);
        let (draw, undo) = (is_offered(Offer::Draw), is_offered(Offer::Undo));
        let undo_of = |seat: Seat| {
            table.line().undo_plies(seat).map(|plies| EventKind::Undo { plies }).ok_or(TableRefusal::NothingToUndo)
        };
        let kind = match command {
            Command::Resign(words) => self.give_up(seat, &words.join(" "))?,
            Command::Claim => return self.claim(seat),
            Command::Decline => EventKind::Decline,
            Command::Draw if draw => EventKind::AcceptDraw,
            Command::Draw if table.game().claimable_draw().is_some() => EventKind::ClaimDraw,
            Command::Draw if !table.occupants().is_seated(seat.other()) => {
                return Err(table.occupants().no_opponent(seat).into());
            }
            Command::Draw => EventKind::OfferDraw,
            Command::Undo if undo => undo_of(seat.other())?,
            // No person has sat down opposite, so there is nobody to ask.
            Command::Undo if !table.occupants().has_person(seat.other()) => undo_of(seat)?,
            Command::Undo => EventKind::AskUndo,
            Command::Accept if is_offered(Offer::Resignation) => EventKind::AcceptResign,
            _ => match (draw, undo) {
                (true, true) => return Err(Refusal::AcceptWhich),
                (true, false) => EventKind::AcceptDraw,
                (false, true) => undo_of(seat.other())?,
                (false, false) => return Err(TableRefusal::NothingToAccept.into()),
            },
        };
        self.apply(kind, Some(seat))
    }

    /// Returns the event that gives the game up: at once, or by an offer where it could cost more.
    fn give_up(&self, seat: Seat, cost: &str) -> Result<EventKind<G::Move>, Refusal> {
        let (table, costs) = (self.table, self.table.game().costs(seat));
        match costs.iter().find(|name| cost.is_empty() || name.eq_ignore_ascii_case(cost)) {
            None if cost.is_empty() => Ok(EventKind::Resign),
            None => Err(Refusal::NoCost(cost.to_owned(), costs)),
            Some(least) if costs.len() > 1 && *least == costs[0] => {
                let offer = table.occupants().is_seated(seat.other()).then_some(EventKind::OfferResign);
                offer.ok_or_else(|| table.occupants().no_opponent(seat).into())
            }
            Some(cost) => Ok(EventKind::ResignFor { cost: (*cost).to_owned() }),
        }
    }

    /// Claims the win on time, from somebody who has agreed to this round by moving in it.
    fn claim(&self, seat: Seat) -> Result<Verdict, Refusal> {
        let claimed = self.apply(EventKind::Claim, Some(seat));
        let on_time = matches!(claimed, Ok(_) | Err(Refusal::Table(TableRefusal::TimeLeft(_))));
        let loser = seat.other();
        let stays_away = on_time && !self.table.has_ever_moved(loser);
        if stays_away { Err(Refusal::NeverMoved(loser)) } else { claimed }
    }

    /// Takes the last move of an open table back, where there is nobody to ask: its player may, before the next one.
    fn take_back(&self, command: &Command) -> Result<Verdict, Refusal> {
        if *command != Command::Undo {
            return Err(TableRefusal::OpenTable.into());
        }
        let last = self.table.plies().next_back().map(|ply| ply.seat);
        let seat = last.ok_or(TableRefusal::NothingToUndo)?;
        self.apply(EventKind::Undo { plies: 1 }, Some(seat))
    }

    fn rematch(&self) -> Result<Verdict, Refusal> {
        let table = self.table;
        if let TableStatus::Moved(to) = table.status() {
            return Err(Refusal::Moved(to));
        }
        let seat = match table.terms().open {
            Some(_) => None,
            None => Some(self.own_seat().ok_or(Refusal::OnlyPlayers)?),
        };
        if table.status() == TableStatus::Playing {
            // Both ask for a rematch, and the second one has got it: they sit down.
            if let Some(seat) = seat.filter(|seat| table.occupants().awaited(*seat).is_some()) {
                return self.apply(EventKind::Join, Some(seat));
            }
            let fresh = table.round() > 1 && table.history().len() == 1;
            return if fresh { Ok(Verdict::Show(Show::Board)) } else { Err(Refusal::NotOver) };
        }
        // Else one person could begin and end rounds in turn: for the dice they like, or to call the other one each time.
        let ended = |kind: &EventKind<G::Move>| *kind == EventKind::Abort || kind.giving_up().is_some();
        let own_end = table.history().last().filter(|event| ended(&event.kind) && event.by == self.said.author.id);
        let begun = Seat::BOTH.into_iter().all(|seat| table.has_ever_moved(seat));
        // The computer calls for nothing, and its dice count for nobody.
        let matters = |seat: &Seat| match table.sitter(seat.other()) {
            Some(other) => other.computer.is_none() && (G::DICE || other.id.is_some()),
            None => G::DICE,
        };
        if let Some(seat) = seat.filter(|seat| own_end.is_some() && !begun && matters(seat)) {
            return Err(Refusal::OthersRematch(seat.other()));
        }
        let kept = |sitter: &Sitter| Sitter { kept: sitter.id.is_some(), ..sitter.clone() };
        let opponent = seat.and_then(|seat| table.sitter(seat.other())).map(kept);
        let kind = EventKind::New { opponent, commitment: None };
        let next = table.next_round().map_err(SetupRefusal::from)?;
        self.accept(next, kind, seat.map(Seat::other), Some(table.clone().into()))
    }

    /// Takes the table to the issue that the comment stands in: one record ends, the other has all of its history.
    fn relocate(&self) -> Result<Verdict, Refusal> {
        let Turn { table, said, .. } = *self;
        if table.status() != TableStatus::Playing {
            return Err(self.over());
        }
        let seat = self.own_seat();
        // At an open table anyone may have moved, and anyone may have asked for a later round.
        let opened = table.round() == 1 && table.history().first().is_some_and(|event| event.by == said.author.id);
        match table.terms().open {
            _ if said.maintainer => {}
            Some(_) if opened => {}
            Some(_) => return Err(Refusal::OnlyOpener),
            None if seat.is_none() => return Err(Refusal::OnlyPlayers),
            None => {}
        }
        if said.source.issue == table.issue() {
            return Err(Refusal::ContinueWhere(table.issue()));
        }
        if said.at_table {
            return Err(Refusal::IssueTaken(table.issue()));
        }
        let (from, to) = (table.issue(), said.source.issue);
        // Nothing follows from moving away.
        let (old, _) = begin(table.clone(), EventKind::MovedAway { to }, seat, said, self.house)?;
        self.accept(table.clone().moved_to(to), EventKind::MovedHere { from }, seat, Some(old.into()))
    }

    /// Returns the refusal of a command that comes after the end of the game.
    fn over(&self) -> Refusal {
        match self.table.status() {
            TableStatus::Moved(to) => Refusal::Moved(to),
            _ => TableRefusal::GameOver.into(),
        }
    }

    fn not_seated(&self) -> Refusal {
        TableRefusal::NotSeated.into()
    }
}

/// Returns the one legal move that is a single slip away; `None` if there is no such move, or more than one.
fn nearest_move<G: Game>(game: &G, text: &str) -> Option<String> {
    let folded = |text: &str| if G::CASE_COUNTS { text.to_owned() } else { text.to_lowercase() };
    let wanted: String = folded(text.trim()).chars().take(40).collect();
    let names = game.legal_moves().into_iter().map(|mv| game.notation(&mv));
    let mut near = names.filter(|name| strsim::damerau_levenshtein(&folded(name), &wanted) == 1);
    near.next().filter(|name| near.next().is_none() && name.len() > 1)
}
