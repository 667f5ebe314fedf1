//! The whole bot as one pure function: a table, a comment and the house rules in; a decision out.
//!
//! No clock, no IO, no randomness. What an accepted command changes is one event, and [`Record::then`] is the judge of
//! what a history allows; here is judged what depends on the person and the comment.

use crate::command::{Command, Reading};
use crate::dice::{Key, Occasion, Secret};
use crate::game::{Game, Seat, Unread};
use crate::games::{Kind, Table, with_table};
use crate::history::{Event, Sitter, What, seat_name};
use crate::record::{self, FULL_BYTES, MAX_EVENTS};
use crate::refusal::Refusal;
use crate::said::{Author, Millis, Source};
use crate::setup;
use crate::table::{Cup, Record, SILENCE, Status};

/// A comment, as the decision needs it.
#[derive(Clone, Debug)]
pub struct Said {
    /// What the comment says.
    pub reading: Reading,
    /// Who wrote it.
    pub author: Author,
    /// The author is an owner, a member or a collaborator of the repository.
    pub maintainer: bool,
    /// The author has opened the issue that the comment stands in.
    pub opener: bool,
    /// Where it stands.
    pub source: Source,
    /// The issue that it stands in holds a table.
    pub at_table: bool,
    /// When its text took its present form.
    pub time: Millis,
    /// Once this comment is settled, everything in its thread is settled up to here: its own id, unless an earlier
    /// command had to be left for later.
    pub floor: u64,
    /// 32 bytes that nobody could foresee: the dice of tables without a key of their own are made from them.
    pub luck: Luck,
}

/// Randomness, as an argument.
pub type Luck = [u8; 32];

/// What the host has settled for all tables.
#[derive(Clone, Debug, Default)]
pub struct House {
    /// The games that may be played; empty is all of them.
    pub games: Vec<Kind>,
    /// Who may open a table.
    pub tables: Tables,
    /// The secret that makes the dice of new tables provable.
    pub dice: Option<Secret>,
}

/// Who may open a table in an issue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tables {
    /// The author of the issue, and maintainers.
    #[default]
    Author,
    /// Anyone.
    Anyone,
    /// Maintainers.
    Maintainers,
}

impl House {
    /// The names of the games that may be played here.
    #[must_use]
    pub fn game_names(&self) -> Vec<&'static str> {
        Kind::ALL.iter().filter(|kind| self.allows(**kind)).map(|kind| kind.info().name).collect()
    }

    /// Whether a game may be played here.
    #[must_use]
    pub fn allows(&self, kind: Kind) -> bool {
        self.games.is_empty() || self.games.contains(&kind)
    }
}

/// What is to be done about a comment.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// Nothing at all.
    Chat,
    /// The table changes; a finished game that made room for the next one goes to the archive.
    Apply {
        /// The table after the event.
        table: Box<Table>,
        /// The finished game, if a new one has begun.
        finished: Option<Box<Table>>,
    },
    /// Nothing changes, and the answer says why.
    Refuse(Refusal),
    /// Nothing changes, and the answer shows something.
    Show(Show),
}

/// What can be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Show {
    /// The board and who is to move.
    Board,
    /// The legal moves.
    Moves,
    /// What was played so far.
    History,
    /// The commands, and how one game or all of them are played.
    Help(Option<Kind>),
}

/// Decides about a comment for the table it is meant for: the one in `issue`, if there is one.
#[must_use]
pub fn decide(table: Option<&Table>, issue: u64, said: &Said, house: &House) -> Decision {
    let decision = match (&said.reading, table) {
        (Reading::Nothing, _) | (Reading::Bare(_), None) => Ok(Decision::Chat),
        (Reading::Unclear(Refusal::Slip(..), None), None) => Ok(Decision::Chat),
        (Reading::Unclear(Refusal::TwoCommands(first, _), None), None) if !counts_anywhere(first) => Ok(Decision::Chat),
        (Reading::Unclear(refusal, _), _) => Err(refusal.clone()),
        (Reading::Command(Command::Help(game), _), _) => help(game.as_deref(), table, house),
        (Reading::Command(Command::New(words), _), _) => setup::open(table, issue, words, said, house),
        (Reading::Command(_, Some(named)), None) => Err(Refusal::NoTable(*named)),
        // Other people's commands: without a table they are none of ours.
        (Reading::Command(_, None), None) => Ok(Decision::Chat),
        (Reading::Bare(text), Some(table)) => with_table!(table, record => bare(record, text, said, house)),
        (Reading::Command(command, _), Some(table)) => with_table!(table, record => take(record, command, said, house)),
    };
    decision.unwrap_or_else(Decision::Refuse)
}

type Decided = Result<Decision, Refusal>;

/// Whether a command is meant for us even where there is no table.
fn counts_anywhere(word: &str) -> bool {
    matches!(word, "/new" | "/help")
}

fn help(game: Option<&str>, table: Option<&Table>, house: &House) -> Decided {
    let Some(name) = game else { return Ok(Decision::Show(Show::Help(table.map(Table::kind)))) };
    match Kind::meant(name) {
        Some(kind) => Ok(Decision::Show(Show::Help(Some(kind)))),
        None => Err(setup::unknown_game(name, house)),
    }
}

/// A comment that is nothing but a move, by somebody who has a seat. Anything else is chat.
fn bare<G: Game>(record: &Record<G>, text: &str, said: &Said, house: &House) -> Decided
where
    Table: From<Record<G>>,
{
    let reads = !matches!(record.game().read(text), Err(Unread::Strange));
    if reads && own_seat(record, &said.author).is_some() { play(record, text, said, house) } else { Ok(Decision::Chat) }
}

fn take<G: Game>(record: &Record<G>, command: &Command, said: &Said, house: &House) -> Decided
where
    Table: From<Record<G>>,
{
    match command {
        Command::Board => Ok(Decision::Show(Show::Board)),
        Command::Moves => Ok(Decision::Show(Show::Moves)),
        Command::History => Ok(Decision::Show(Show::History)),
        Command::Continue => move_house(record, said, house),
        Command::Rematch => rematch(record, said, house),
        _ if record.status != Status::Playing => Err(over(record)),
        Command::Join(seat) => join(record, seat.as_deref(), said, house),
        Command::Move(notation) => play(record, notation, said, house),
        Command::Double => play(record, "double", said, house),
        Command::Take => play(record, "take", said, house),
        Command::Drop => play(record, "drop", said, house),
        Command::Roll => play(record, "roll", said, house),
        Command::Abort => abort(record, said, house),
        _ => by_word(record, command, said, house),
    }
}

fn join<G: Game>(record: &Record<G>, wanted: Option<&str>, said: &Said, house: &House) -> Decided
where
    Table: From<Record<G>>,
{
    let free = |seat: &Seat| !record.is_seated(*seat);
    let seat = match wanted {
        Some(name) => setup::seat::<G>(name)?,
        None => own_seat(record, &said.author)
            .or_else(|| Seat::BOTH.into_iter().find(free))
            .ok_or_else(|| Refusal::Full(record.seating()))?,
    };
    happen(record, What::Join, Some(seat), said, house)
}

fn play<G: Game>(record: &Record<G>, text: &str, said: &Said, house: &House) -> Decided
where
    Table: From<Record<G>>,
{
    if record.status != Status::Playing {
        return Err(over(record));
    }
    // A move is always for the seat on turn; whoever has the other one is not on turn, whoever has none may take it.
    let seat = record.to_move();
    match own_seat(record, &said.author) {
        Some(own) if own != seat => return Err(Refusal::not_your_turn(record)),
        None if record.is_seated(seat) => return Err(Refusal::NotSeated(record.seating())),
        _ => {}
    }
    if text.trim().is_empty() {
        return Err(Refusal::WhichMove(G::INFO.moves));
    }
    let game = record.game();
    let mv = game.read(text).map_err(|unread| match unread {
        Unread::Strange => Refusal::Unread(text.to_owned(), G::INFO.moves, nearest_move(game, text)),
        Unread::OffBoard((_, sentence)) => Refusal::OffBoard(text.to_owned(), sentence),
        Unread::Ambiguous(moves) => Refusal::Ambiguous(text.to_owned(), moves),
    })?;
    // The notation of an illegal move is never looked at: the rules refuse it first.
    let legal = game.objection(&mv).is_none();
    let notation = if legal { game.notation(&mv) } else { String::new() };
    happen(record, What::Move { notation, mv }, Some(seat), said, house)
}

/// The one legal move that is a single slip away, if there is just one.
fn nearest_move<G: Game>(game: &G, text: &str) -> Option<String> {
    let wanted: String = text.trim().to_lowercase().chars().take(40).collect();
    let names = game.legal_moves().into_iter().map(|mv| game.notation(&mv));
    let mut near = names.filter(|name| strsim::damerau_levenshtein(&name.to_lowercase(), &wanted) == 1);
    near.next().filter(|name| near.next().is_none() && name.len() > 1)
}

fn abort<G: Game>(record: &Record<G>, said: &Said, house: &House) -> Decided
where
    Table: From<Record<G>>,
{
    let seat = own_seat(record, &said.author);
    if said.maintainer {
        return happen(record, What::Abort, seat, said, house);
    }
    if record.terms.open.is_some() {
        return Err(Refusal::OpenTable);
    }
    let seat = seat.ok_or_else(|| Refusal::OnlyPlayers(record.seating()))?;
    let last = record.history.last().map_or(0, |event| event.timestamp);
    let silent = said.time.saturating_sub(last);
    let both_moved = Seat::BOTH.into_iter().all(|seat| record.has_moved(seat));
    match record.terms.per_move {
        _ if !both_moved => {}
        None if silent >= SILENCE => {}
        None => return Err(Refusal::TooLateToAbort(Some(SILENCE - silent))),
        Some(_) => return Err(Refusal::TooLateToAbort(None)),
    }
    happen(record, What::Abort, Some(seat), said, house)
}

/// What the players settle between them by word.
fn by_word<G: Game>(record: &Record<G>, command: &Command, said: &Said, house: &House) -> Decided
where
    Table: From<Record<G>>,
{
    if record.terms.open.is_some() {
        return take_back(record, command, said, house);
    }
    let seat = own_seat(record, &said.author).ok_or_else(|| Refusal::NotSeated(record.seating()))?;
    let asked = |by: Option<Seat>| by == Some(seat.other());
    let (draw, undo) = (asked(record.draw.by), asked(record.undo.by));
    let grant = || record.undo_plies(seat.other()).map(|plies| What::Undo { plies }).ok_or(Refusal::NothingToUndo);
    let what = match command {
        Command::Resign => What::Resign,
        Command::Claim => What::Claim,
        Command::Decline => What::Decline,
        Command::Draw if draw => What::AcceptDraw,
        Command::Draw if !record.is_seated(seat.other()) => return Err(Refusal::NobodyOpposite),
        Command::Draw => What::OfferDraw,
        Command::Undo if undo => grant()?,
        // Nobody has sat down opposite, so there is nobody to ask.
        Command::Undo if !record.is_seated(seat.other()) => {
            What::Undo { plies: record.undo_plies(seat).ok_or(Refusal::NothingToUndo)? }
        }
        Command::Undo => What::AskUndo,
        _ => match (draw, undo) {
            (true, true) => return Err(Refusal::AcceptWhich),
            (true, false) => What::AcceptDraw,
            (false, true) => grant()?,
            (false, false) => return Err(Refusal::NothingToAccept),
        },
    };
    happen(record, what, Some(seat), said, house)
}

/// At an open table there is nobody to ask: whoever made the last move may take it back before the next one.
fn take_back<G: Game>(record: &Record<G>, command: &Command, said: &Said, house: &House) -> Decided
where
    Table: From<Record<G>>,
{
    if *command != Command::Undo {
        return Err(Refusal::OpenTable);
    }
    let seat = record.plies().next_back().and_then(|(_, event, _)| event.seat).ok_or(Refusal::NothingToUndo)?;
    happen(record, What::Undo { plies: 1 }, Some(seat.0), said, house)
}

fn rematch<G: Game>(record: &Record<G>, said: &Said, house: &House) -> Decided
where
    Table: From<Record<G>>,
{
    if let Status::Moved(to) = record.status {
        return Err(Refusal::Moved(to));
    }
    let seat = match record.terms.open {
        Some(_) => None,
        None => Some(own_seat(record, &said.author).ok_or_else(|| Refusal::OnlyPlayers(record.seating()))?),
    };
    if record.status == Status::Playing {
        // Both ask for a rematch at once: the second one sees the table that the first one got.
        let fresh = record.round > 1 && record.history.len() == 1;
        return if fresh { Ok(Decision::Show(Show::Board)) } else { Err(Refusal::NotOver) };
    }
    let next = Record::<G>::set_up(record.issue, record.round.saturating_add(1), record.config.clone(), record.terms)?;
    let opponent = seat.and_then(|seat| record.sitter(seat.other()).cloned());
    let what = What::New { opponent, commitment: None };
    let table = grow(next, record.through, what, seat.map(Seat::other), said, house)?;
    Ok(Decision::Apply { table: Box::new(table.into()), finished: Some(Box::new(record.clone().into())) })
}

/// Nothing more can be done at this table.
fn over<G: Game>(record: &Record<G>) -> Refusal {
    match record.status {
        Status::Moved(to) => Refusal::Moved(to),
        _ => Refusal::GameOver(record.ending()),
    }
}

/// The table goes on in the issue that the comment stands in: one record ends, the other has all of its history.
fn move_house<G: Game>(record: &Record<G>, said: &Said, house: &House) -> Decided
where
    Table: From<Record<G>>,
{
    if record.status != Status::Playing {
        return Err(over(record));
    }
    let seat = own_seat(record, &said.author);
    // At an open table those have a say who have opened it or played there.
    let opener = record.history.first().is_some_and(|event| event.by == said.author.id);
    let involved = seat.is_some() || opener || record.login_of(said.author.id).is_some();
    if !involved && !said.maintainer {
        return Err(Refusal::OnlyPlayers(record.seating()));
    }
    if said.source.issue == record.issue {
        return Err(Refusal::ContinueWhere(record.issue));
    }
    if said.at_table {
        return Err(Refusal::IssueTaken(record.issue));
    }
    let (from, to) = (record.issue, said.source.issue);
    let old = grow(record.clone(), record.through, What::MovedAway { to }, seat, said, house)?;
    let mut new = record.clone();
    new.issue = to;
    let new = grow(new, 0, What::MovedHere { from }, seat, said, house)?;
    Ok(Decision::Apply { table: Box::new(new.into()), finished: Some(Box::new(old.into())) })
}

/// The seat that is this person's: they sit there, or it is kept for them and they speak for the first time.
pub(crate) fn own_seat<G: Game>(record: &Record<G>, author: &Author) -> Option<Seat> {
    let kept = |seat: &Seat| {
        let name = record.sitter(*seat).filter(|sitter| sitter.id.is_none());
        name.is_some_and(|sitter| sitter.login.eq_ignore_ascii_case(&author.login))
    };
    record.seat_of(author.id).or_else(|| Seat::BOTH.into_iter().find(kept))
}

/// One more event at a table that goes on.
fn happen<G: Game>(record: &Record<G>, what: What<G>, seat: Option<Seat>, said: &Said, house: &House) -> Decided
where
    Table: From<Record<G>>,
{
    if let Some(seat) = seat {
        let stranger = own_seat(record, &said.author).is_none();
        if let Some(Sitter { id: None, login }) = record.sitter(seat).filter(|_| stranger) {
            return Err(Refusal::SeatKept(seat_name::<G>(seat), login.clone()));
        }
    }
    let table = grow(record.clone(), record.through, what, seat, said, house)?;
    let table = Box::new(Table::from(table));
    let going_on = table.is_playing();
    if going_on && (record.history.len() + 2 >= MAX_EVENTS || record::write(&table).len() > FULL_BYTES) {
        return Err(Refusal::RecordFull);
    }
    Ok(Decision::Apply { table, finished: None })
}

/// A record with one more event, its floor raised if the comment stands in its own thread.
pub(crate) fn grow<G: Game>(
    mut record: Record<G>,
    through: u64,
    mut what: What<G>,
    seat: Option<Seat>,
    said: &Said,
    house: &House,
) -> Result<Record<G>, Refusal> {
    let own_thread = said.source.issue == record.issue;
    record.through = if own_thread { through.max(said.floor) } else { through };
    record.rename(said.author.id, &said.author.login);
    let key = key(&record, said, house);
    if let What::New { commitment, .. } = &mut what {
        let provable = house.dice.is_some() && G::DICE;
        *commitment = key.as_ref().filter(|_| provable).map(Key::commitment);
    }
    let event = Event {
        what,
        dice: Vec::new(),
        key: None,
        seat: seat.map(Into::into),
        by: said.author.id,
        source: said.source,
        timestamp: said.time,
    };
    record.then(event, &said.author.login, Cup::Key(key.as_ref()))
}

/// The key that dice are thrown with: the one of the round if it can be proved, else one that is made up here and now.
/// Nothing where the secret that the round began with is gone.
fn key<G: Game>(record: &Record<G>, said: &Said, house: &House) -> Option<Key> {
    let opening = record.history.first();
    if opening.is_some() && record.commitment.is_none() || opening.is_none() && house.dice.is_none() {
        return Some(Key::fresh(said.luck));
    }
    let (by, comment, time) = match opening {
        Some(event) => (event.by, event.source.comment, event.timestamp),
        None => (said.author.id, said.source.comment, said.time),
    };
    let occasion = Occasion { issue: record.first_issue(), round: record.round, by, comment, time };
    house.dice.as_ref().map(|secret| Key::of_round(secret, &occasion))
}
