//! Decides what to do about a comment, from the table, the comment and the host's policy.
//!
//! The functions are pure: no clock, no I/O, no randomness. An accepted command becomes one event. The rules here
//! depend on the person and the comment, or explain best why a move is refused. The table checks every event again when it is
//! added, and when a record is replayed.
//!
//! ```
//! use table::{
//!     Author, CommentContext, CommentId, CommentRef, Decision, Done, HostPolicy, IssueNumber, Timestamp, UserId, decide_at_once,
//!     parse_issue_body,
//! };
//!
//! let issue = IssueNumber::new(7);
//! let context = CommentContext {
//!     parsed: parse_issue_body("/new tic-tac-toe"),
//!     author: Author { id: UserId::new(583231), login: "octocat".to_owned(), is_bot: false },
//!     permission: None,
//!     by_issue_author: true,
//!     source: CommentRef::body_of(issue),
//!     table: issue,
//!     issue_has_table: false,
//!     follows_question: false,
//!     refused_attempt: None,
//!     uses_french_letters: false,
//!     updated_at: Timestamp::from_millis(1_760_000_000_000),
//!     settled_through: CommentId::BODY,
//!     entropy: [0; 32],
//! };
//! let decision = decide_at_once(None, &context, &HostPolicy::default());
//! let Some(Decision::Apply(Done { table, .. })) = decision else { panic!() };
//! assert_eq!(table.issue(), issue);
//! assert!(table.is_playing());
//! ```

mod time;

use std::cmp::Ordering;

use game::{Level, Seat};
use games::AnyMove;

use crate::comments::command::Words;
use crate::comments::commands::DECLINE;
use crate::decisions::append::{Action, begin_event};
use crate::decisions::interpret::split_offer;
use crate::decisions::line::{begins_with_line, read_lines};
use crate::decisions::option_words::parse_seat;
use crate::decisions::suggestion::{is_legal_move, parse_move, show_help, show_ratings, show_standings, unread_move};
use crate::decisions::{setup, suggestion};
use crate::offers::{mentioned_so_far, proposal_answers};
use crate::{
    AwayRequest, Command, CommandError, CommentContext, CrowdRefusal, Decision, Done, Event, EventKind, HostPolicy,
    MadeBy, MoveRefusal, MovedOn, Offer, OfferRefusal, Pending, Permission, Player, Query, Refusal, SeatRefusal,
    SetupRefusal, Suggestion, Table, TableRefusal, TableStatus, Turn, find_command, interpret,
};

/// The number of moves that each player has to make before one of them may repeat a draw offer that was declined.
const MOVES_AFTER_DECLINE: usize = 2;

/// Interprets a comment, decides about it and finishes the decision, all at once; `None` for chat. Only tests need this: a run
/// finishes a decision when it settles the command. `table` is the one that the comment is for; `None` if there isn't one yet.
pub fn decide_at_once(table: Option<&Table>, context: &CommentContext, policy: &HostPolicy) -> Option<Decision<Done>> {
    Some(match interpret(table, context) {
        Ok(command) => decide(&command?, table, context, policy).finish(),
        Err(refusal) => decide_refusal(refusal, table, context, policy).finish(),
    })
}

/// Returns the decision about a comment that [`interpret`] refuses. A hint at a command that would be refused, too, is replaced by
/// that refusal.
pub fn decide_refusal(
    refusal: Refusal,
    table: Option<&Table>,
    context: &CommentContext,
    policy: &HostPolicy,
) -> Decision<Pending> {
    let hinted = match &refusal {
        Refusal::Suggestion(Suggestion::MissingSlash(hinted)) => Some((hinted.parse)(Vec::new())),
        Refusal::Command(CommandError::Typo(_, nearest)) => {
            find_command(nearest).filter(|spec| spec.words == Words::None).map(|spec| (spec.parse)(Vec::new()))
        }
        _ => None,
    };
    match hinted.filter(|_| table.is_some()).map(|command| decide(&command, table, context, policy)) {
        Some(refused @ Decision::Refuse(_)) => refused,
        _ => Decision::Refuse(refusal),
    }
}

/// Returns the decision about a command that [`interpret`] has found in a comment. It never runs a search, so a thread full of
/// pending moves is cheap to decide about.
pub fn decide(
    command: &Command,
    table: Option<&Table>,
    context: &CommentContext,
    policy: &HostPolicy,
) -> Decision<Pending> {
    let decision = match (command, table) {
        (Command::Help(game), _) => show_help(game.as_deref(), policy),
        (Command::New(words), _) => setup::open_table(table, words, context, policy),
        (Command::Standings(words), _) => Ok(show_standings(words.as_deref(), table, &context.author)),
        (Command::Mine, _) => Ok(Decision::Show(Query::OwnGames(context.author.clone()))),
        (Command::Rating(word), _) => Ok(show_ratings(word.as_deref(), &context.author)),
        (Command::Away(words), _) => {
            AwayRequest::parse(words).map(Decision::Away).ok_or_else(|| Refusal::InvalidAway(words.join(" ")))
        }
        // Without a table, `interpret` returns none of the other commands.
        (_, None) => Err(Refusal::UnknownTable(context.table)),
        (command, Some(table)) => CommandHandler { table, context, policy }.command(command),
    };
    decision.unwrap_or_else(Decision::Refuse)
}

/// A comment at a table, with the host's policy.
struct CommandHandler<'a> {
    table: &'a Table,
    context: &'a CommentContext,
    policy: &'a HostPolicy,
}

impl CommandHandler<'_> {
    fn command(&self, command: &Command) -> Result<Decision<Pending>, Refusal> {
        match command {
            Command::Board => Ok(Decision::Show(Query::Board)),
            Command::Moves => Ok(Decision::Show(Query::Moves)),
            Command::Time => Ok(Decision::Show(Query::Time)),
            Command::History => Ok(Decision::Show(Query::History)),
            Command::Pgn => Ok(Decision::Show(Query::File)),
            Command::Fen => Ok(Decision::Show(Query::Position)),
            Command::Rules(None) => Ok(Decision::Show(Query::Rules)),
            Command::Rules(Some(game)) => show_help(Some(game), self.policy),
            Command::Continue => self.relocate(),
            Command::Rematch => self.rematch(),
            Command::Review => show_review(self.table),
            _ if self.table.status() != TableStatus::Playing => Err(self.game_over_refusal()),
            Command::Join(seat) => self.join(seat.as_deref()),
            Command::Leave => self.leave(),
            Command::Move(notation) if let Some(mv) = split_offer(self.table.game(), notation) => self.play(mv, true),
            Command::Move(notation) => self.play(suggestion::without_friendly_words(self.table, notation), false),
            Command::MoveWithOffer(notation) => self.play(notation, true),
            Command::DrawAbove(line) => {
                // If the opponent has offered a draw, `/draw` accepts it.
                let offers = self.table.state().offers();
                let may_offer =
                    |seat: Seat| seat == self.table.player_to_move() && !offers.is_made_to(seat, Offer::Draw);
                let has_move = self.own_seat().is_some_and(may_offer) && is_legal_move(self.table.game(), line);
                if has_move { self.play(line, true) } else { self.negotiate(&Command::Draw) }
            }
            Command::MoveAt(notation, turn) => {
                self.check_turn(turn.ok_or(Refusal::UnknownTurn)?)?;
                self.play(suggestion::without_friendly_words(self.table, notation), false)
            }
            // Another game's verb isn't a move here, so it is refused like any other text.
            Command::Verb(word) => self.play(self.table.info().verb(word).map_or(word, |verb| verb.word), false),
            Command::If(words) => self.conditional_moves(words, &[]),
            Command::IfAbove(words, below) => self.conditional_moves(words, below),
            Command::Extend(words) => self.extend(words),
            Command::Abort => self.abort(),
            Command::Computer(level) => self.computer(level.as_deref()),
            Command::Hint => self.hint(),
            Command::Nudge => self.nudge(),
            _ => self.negotiate(command),
        }
    }

    /// Returns the seat of the comment's author: their own, or the one reserved for them if this is their first comment.
    fn own_seat(&self) -> Option<Seat> {
        self.table.players().seat_of_author(&self.context.author)
    }

    /// Accepts an event at this table, unless its seat is reserved for someone else.
    fn accept_at(&self, seat: Option<Seat>, action: impl Into<Action>) -> Result<Decision<Pending>, Refusal> {
        seat.map_or(Ok(()), |seat| self.check_reservation(seat))?;
        self.accept(self.table.clone(), action, seat, None)
    }

    /// Checks that a seat isn't reserved for someone else.
    fn check_reservation(&self, seat: Seat) -> Result<(), Refusal> {
        match self.table.player(seat) {
            Some(player) if player.is_reserved() && self.own_seat().is_none() => {
                Err(Refusal::SeatReserved(self.table.info().seat_name(seat), player.name().to_owned()))
            }
            _ => Ok(()),
        }
    }

    /// Accepts an event at a table that may replace a finished game.
    fn accept(
        &self,
        table: Table,
        action: impl Into<Action>,
        seat: Option<Seat>,
        previous: Option<Table>,
    ) -> Result<Decision<Pending>, Refusal> {
        Ok(Decision::Apply(begin_event(table, action, seat, self.context, self.policy)?.replacing(previous)))
    }

    fn join(&self, wanted: Option<&str>) -> Result<Decision<Pending>, Refusal> {
        if self.table.is_open() {
            return Err(Refusal::NoSeatsToJoin);
        }
        let free = |seat: &Seat| !self.table.players().is_occupied(*seat);
        if self.own_seat().is_none() && self.table.terms().crowd.is_some() {
            return Err(TableRefusal::from(CrowdRefusal::NoSeats).into());
        }
        let seat = match wanted {
            Some(name) => parse_seat(name, self.table.kind())?,
            None => self.own_seat().or_else(|| Seat::BOTH.into_iter().find(free)).ok_or(Refusal::NoFreeSeat)?,
        };
        self.accept_at(Some(seat), EventKind::Join)
    }

    /// Leaves a game that the author joined at an open seat. A reserved seat is declined instead.
    fn leave(&self) -> Result<Decision<Pending>, Refusal> {
        let seat = self.own_seat().ok_or_else(|| self.not_seated_refusal())?;
        if self.table.player(seat).is_some_and(Player::is_reserved) {
            return Err(Suggestion::MissingSlash(&DECLINE).into());
        }
        self.accept_at(Some(seat), EventKind::Leave)
    }

    /// Plays a move, perhaps with a draw offer.
    fn play(&self, text: &str, offers_draw: bool) -> Result<Decision<Pending>, Refusal> {
        let table = self.table;
        if table.status() != TableStatus::Playing {
            return Err(self.game_over_refusal());
        }
        // A move is always played for the side to move. Anyone without a seat may take that seat if it is free.
        let seat = table.player_to_move();
        match self.own_seat() {
            Some(own) if own != seat => return Err(table.state().not_your_turn().into()),
            None if table.ballot().is_none() && table.players().is_occupied(seat) => {
                return Err(self.not_seated_refusal());
            }
            _ => {}
        }
        // The author can't have seen the crowd's move.
        let is_unseen = |event: &Event| event.has_votes() && event.timestamp >= self.context.updated_at;
        if table.history().last().is_some_and(is_unseen) {
            return Err(Refusal::Superseded);
        }
        if text.trim().is_empty() {
            return Err(MoveRefusal::Missing(table.info().how_to_move()).into());
        }
        let game = table.game();
        let mv = parse_move(game, text).map_err(|unread| unread_move(game, text, unread))?;
        if self.context.uses_french_letters
            && let Some(readings) = suggestion::rook_or_king(game, text)
        {
            return Err(MoveRefusal::Ambiguous(text.to_owned(), readings).into());
        }
        self.play_move(mv, offers_draw)
    }

    /// Plays a move for the side to move.
    fn play_move(&self, mv: AnyMove, offers_draw: bool) -> Result<Decision<Pending>, Refusal> {
        let (table, game, seat) = (self.table, self.table.game(), self.table.player_to_move());
        if table.ballot().is_some() {
            return self.vote(&mv, offers_draw);
        }
        self.check_gap()?;
        if offers_draw {
            check_draw_offer(table, seat)?;
            // The computer answers an offer before it thinks about a move.
            if table.players().computer().is_some() {
                return Err(Suggestion::OfferAlone.into());
            }
        }
        self.check_reservation(seat)?;
        game.check_move(&mv).map_err(|illegal| TableRefusal::illegal_move(game, illegal))?;
        let kind = EventKind::Move { notation: game.notation(&mv), mv };
        self.accept_at(Some(seat), Action { kind, offers_draw })
    }

    /// Votes for a move of the crowd.
    fn vote(&self, mv: &AnyMove, offers_draw: bool) -> Result<Decision<Pending>, Refusal> {
        let game = self.table.game();
        game.check_move(mv).map_err(|illegal| TableRefusal::illegal_move(game, illegal))?;
        let refusal = match self.context.source.issue == self.table.issue() {
            _ if offers_draw => CrowdRefusal::VoteWithOffer,
            true => return Ok(Decision::Vote(game.notation(mv))),
            false => CrowdRefusal::VoteElsewhere,
        };
        Err(TableRefusal::from(refusal).into())
    }

    /// Announces conditional moves, drops those of the author, or shows those of both players.
    fn conditional_moves(&self, words: &[String], below: &[String]) -> Result<Decision<Pending>, Refusal> {
        let state = self.table.state();
        if words.is_empty() && !begins_with_line(self.table.game(), below) {
            state.check_conditional_moves(None)?;
            return Ok(Decision::Show(Query::ConditionalMoves));
        }
        let seat = self.own_seat();
        state.check_conditional_moves(seat)?;
        let seat = seat.ok_or_else(|| self.not_seated_refusal())?;
        let lines = read_lines(self.table.game(), seat, words, below)?;
        self.accept_at(Some(seat), EventKind::announcing(lines))
    }

    /// Checks that the position is still the one that the author saw when they clicked a link. Otherwise their move could be
    /// played for their opponent.
    fn check_turn(&self, turn: Turn) -> Result<(), Refusal> {
        let (table, now) = (self.table, self.table.turn());
        match (turn.round, turn.number).cmp(&(now.round, now.number)) {
            Ordering::Equal => return Ok(()),
            Ordering::Greater => return Err(Refusal::UnknownTurn),
            Ordering::Less if turn.round < now.round => return Err(Refusal::MovedOn(MovedOn::Changed)),
            Ordering::Less => {}
        }
        let Some(event) = table.history().iter().rfind(|event| event.changes_position()) else { return Ok(()) };
        let is_move = matches!(event.kind, EventKind::Move { .. } | EventKind::AskComputer { .. });
        Err(Refusal::MovedOn(match table.login_of(event.author) {
            _ if table.plies().next_back().is_some_and(|ply| ply.made_by == MadeBy::Computer) => MovedOn::Computer,
            _ if is_move && event.author == self.context.author.id => MovedOn::Author,
            Some(login) if is_move => MovedOn::Other(login.to_owned()),
            _ => MovedOn::Changed,
        }))
    }

    /// Checks that the author may move at an open table. A move still counts toward the gap after a takeback.
    fn check_gap(&self) -> Result<(), TableRefusal> {
        match self.table.terms().open {
            Some(open) if self.table.timeline().has_moved_recently(self.context.author.id, open.gap) => {
                Err(TableRefusal::MovedRecently(open.gap))
            }
            _ => Ok(()),
        }
    }

    /// Shows what the computer would play, if that is fair to everyone. The record keeps the first hint of a round against
    /// the computer, because a win with hints doesn't count as beating that level.
    fn hint(&self) -> Result<Decision<Pending>, Refusal> {
        let table = self.table;
        if table.terms().open.is_some() {
            return Ok(Decision::Show(Query::Hint(Level::MEDIUM)));
        }
        let (_, level) = table.players().computer().ok_or(TableRefusal::NoHints)?;
        let seat = self.own_seat().ok_or_else(|| self.not_seated_refusal())?;
        if table.timeline().has_used_hint() {
            return Ok(Decision::Show(Query::Hint(level)));
        }
        self.accept_at(Some(seat), EventKind::Hint)
    }

    /// Handles draws, takebacks, resignations and time claims.
    fn negotiate(&self, command: &Command) -> Result<Decision<Pending>, Refusal> {
        let table = self.table;
        if table.terms().open.is_some() {
            return self.take_back(command);
        }
        let seat = self.own_seat().ok_or_else(|| self.not_seated_refusal())?;
        let is_offered = |offer| table.state().offers().is_made_to(seat, offer);
        let (draw, undo) = (is_offered(Offer::Draw), is_offered(Offer::Takeback));
        let undo_of = |seat: Seat| {
            table
                .timeline()
                .plies_to_undo(seat)
                .map(|plies| EventKind::Undo { plies })
                .ok_or(TableRefusal::Offer(OfferRefusal::NothingToTakeBack))
        };
        let kind = match command {
            // These words can only be about the double, unless there's an offer, too.
            Command::Accept | Command::Decline
                if let Some(mv) = self.proposal_answer(seat, *command == Command::Accept) =>
            {
                return self.play_move(mv, false);
            }
            Command::Resign(words) => self.resign(seat, &words.join(" "))?,
            Command::Claim => return self.claim(seat),
            Command::Decline => EventKind::Decline,
            Command::AutoRoll(on) => EventKind::AutoRoll { on: *on },
            Command::Draw if draw => EventKind::AcceptDraw,
            Command::Draw if table.game().claimable_draw().is_some() => EventKind::ClaimDraw,
            Command::Draw => {
                check_draw_offer(table, seat)?;
                EventKind::OfferDraw
            }
            Command::Undo if undo => undo_of(seat.other())?,
            // The opponent isn't a person, so there is nobody to ask.
            Command::Undo if !table.players().has_person(seat.other()) => undo_of(seat)?,
            Command::Undo => EventKind::AskUndo,
            Command::Accept if is_offered(Offer::Resignation) => EventKind::AcceptResign,
            Command::Accept if table.player(seat).is_some_and(Player::is_reserved) => EventKind::Join,
            _ => match (draw, undo) {
                (true, true) => return Err(Refusal::AmbiguousAccept),
                (true, false) => EventKind::AcceptDraw,
                (false, true) => undo_of(seat.other())?,
                (false, false) => return Err(TableRefusal::Offer(OfferRefusal::NothingToAccept).into()),
            },
        };
        self.accept_at(Some(seat), kind)
    }

    /// Returns the move that accepts or refuses what the opponent's last move proposes; `None` if it proposes nothing, or if the
    /// opponent has also made an offer.
    fn proposal_answer(&self, seat: Seat, accepts: bool) -> Option<AnyMove> {
        let offers = self.table.state().offers();
        let has_offer = [Offer::Draw, Offer::Takeback, Offer::Resignation].iter().any(|o| offers.is_made_to(seat, *o));
        let [accept, refuse] = proposal_answers(self.table, seat).filter(|_| !has_offer)?;
        Some(if accepts { accept } else { refuse })
    }

    /// Returns the event for a resignation. A resignation at the lowest of several costs is only an offer, because the
    /// opponent could ask for more.
    fn resign(&self, seat: Seat, cost: &str) -> Result<EventKind, Refusal> {
        let (table, costs) = (self.table, self.table.game().resignation_stakes(seat));
        match costs.iter().find(|name| cost.is_empty() || name.eq_ignore_ascii_case(cost)) {
            None if cost.is_empty() => Ok(EventKind::Resign),
            None => Err(Refusal::UnknownCost(cost.to_owned(), costs)),
            Some(least) if costs.len() > 1 && *least == costs[0] => {
                if !table.players().is_occupied(seat.other()) {
                    return Err(table.players().no_opponent_refusal(seat).into());
                }
                Ok(EventKind::OfferResign)
            }
            Some(cost) => Ok(EventKind::ResignFor { cost: (*cost).to_owned() }),
        }
    }

    /// Takes back the last move at an open table. Its player may do that until someone makes the next move; nobody has to
    /// agree.
    fn take_back(&self, command: &Command) -> Result<Decision<Pending>, Refusal> {
        if *command != Command::Undo {
            return Err(TableRefusal::NotAtOpenTable.into());
        }
        let last = self.table.plies().next_back().map(|ply| ply.seat);
        let seat = last.ok_or(TableRefusal::from(OfferRefusal::NothingToTakeBack))?;
        self.accept_at(Some(seat), EventKind::Undo { plies: 1 })
    }

    fn rematch(&self) -> Result<Decision<Pending>, Refusal> {
        let table = self.table;
        if let TableStatus::Moved(to) = table.status() {
            return Err(Refusal::TableMoved(to));
        }
        let seat = match table.terms().open {
            Some(_) => None,
            None => Some(self.own_seat().or(self.seat_of_crowd()).ok_or(Refusal::OnlyPlayers)?),
        };
        if table.status() == TableStatus::Playing {
            // Both players asked for a rematch. The other one was first, so this one only joins.
            if let Some(seat) = seat.filter(|seat| table.players().awaited_login(*seat).is_some()) {
                return self.accept_at(Some(seat), EventKind::Join);
            }
            let fresh = table.round() > 1 && table.history().len() == 1;
            return if fresh { Ok(Decision::Show(Query::Board)) } else { Err(Refusal::GameNotOver) };
        }
        // The record of the next round doesn't hold these events, so none may be newer than its start.
        if table.has_event_since(self.context.source, self.context.updated_at) {
            return Err(Refusal::Superseded);
        }
        // A player who ended the last round before both had moved can't ask for the next one. Otherwise they could
        // restart until the opening roll suits them, and each restart would notify the opponent.
        let ended = |kind: &EventKind| {
            matches!(kind, EventKind::Abort | EventKind::Decline) || kind.resignation_text().is_some()
        };
        let announced = |event: &Event| {
            event.has_announced_resignation()
                && seat.is_some_and(|seat| table.status() == TableStatus::Won(seat.other()))
        };
        let is_own = |event: &&Event| ended(&event.kind) && event.author == self.context.author.id || announced(event);
        let own_end = table.history().last().filter(is_own);
        let begun = Seat::BOTH.into_iter().all(|seat| table.has_ever_moved(seat));
        // Restarts against the computer harm nobody: it gets no notifications, and a lucky roll costs no other player a game.
        let matters = |seat: &Seat| match table.player(seat.other()) {
            Some(Player::Computer(_) | Player::Crowd) => false,
            Some(Player::Person(_) | Player::Returning(_)) => true,
            Some(Player::Invited(_)) | None => table.game().has_dice(),
        };
        if let Some(seat) = seat.filter(|seat| own_end.is_some() && !begun && matters(seat)) {
            return Err(Refusal::OpponentMustRematch(seat.other()));
        }
        // If there is a crowd, the seat of the event is the crowd's.
        let seat = self.seat_with_crowd().or(seat);
        let opponent = seat.and_then(|seat| Some(next_opponent(table, seat, table.player(seat.other())?)));
        // Against a crowd, the player who asks is the opponent.
        let opponent = match opponent {
            Some(Player::Returning(person)) if person.id == self.context.author.id => Some(Player::Person(person)),
            opponent => opponent,
        };
        let kind = EventKind::New { opponent, commitment: None, mentioned: mentioned_so_far(table) };
        let next = table.next_round().map_err(SetupRefusal::from)?;
        self.accept(next, kind, seat.map(Seat::other), Some(table.clone()))
    }

    /// Returns the seat of a crowd; `None` without one.
    fn seat_with_crowd(&self) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|seat| self.table.players().has_crowd(*seat))
    }

    /// Returns the seat for which anybody may ask for the next game: a crowd's, if no person plays against it.
    fn seat_of_crowd(&self) -> Option<Seat> {
        self.seat_with_crowd()
            .filter(|seat| self.table.player(seat.other()).is_some_and(|player| player.login().is_none()))
    }

    /// Moves the table to the comment's issue. The old record ends, and the new one has the complete history.
    fn relocate(&self) -> Result<Decision<Pending>, Refusal> {
        let CommandHandler { table, context, .. } = *self;
        if table.status() != TableStatus::Playing {
            return Err(self.game_over_refusal());
        }
        let seat = self.own_seat();
        // At an open table, the first event of the first round is by the opener. Anyone may ask for a later round.
        let opened =
            table.round() == 1 && table.history().first().is_some_and(|event| event.author == context.author.id);
        match table.terms().open {
            Some(_) if !opened => context.require(Permission::Write, Refusal::OnlyOpener)?,
            None if seat.is_none() => context.require(Permission::Write, Refusal::OnlyPlayers)?,
            _ => {}
        }
        if context.source.issue == table.issue() {
            return Err(Refusal::ContinueInOwnIssue(table.issue()));
        }
        if context.issue_has_table {
            return Err(Refusal::IssueHasTable(table.issue()));
        }
        // The game takes over the issue: its title, its labels, and whether it's open.
        setup::check_may_open(None, context, self.policy)?;
        if !context.by_issue_author {
            context.require(Permission::Write, SetupRefusal::NotYourIssue)?;
        }
        let (from, to) = (table.issue(), context.source.issue);
        let old = begin_event(table.clone(), EventKind::MovedAway { to }, seat, context, self.policy)?;
        let old = old.with_consequences()?;
        self.accept(table.clone().moved_to(to), EventKind::MovedHere { from }, seat, Some(old))
    }

    /// Returns the refusal of a command after the end of the game.
    fn game_over_refusal(&self) -> Refusal {
        match self.table.status() {
            TableStatus::Moved(to) => Refusal::TableMoved(to),
            _ => TableRefusal::GameOver.into(),
        }
    }

    fn not_seated_refusal(&self) -> Refusal {
        TableRefusal::Seat(SeatRefusal::NotSeated).into()
    }
}

/// Returns the opponent of a seat in the next game: the same one, for whom the seat is reserved if it's a person. Against a crowd
/// with an adaptive level, the computer plays at the next level after a loss, and at the one below after a win.
fn next_opponent(table: &Table, seat: Seat, opponent: &Player) -> Player {
    let is_adaptive = table.terms().crowd.is_some_and(|crowd| crowd.adaptive);
    match opponent {
        Player::Person(person) => Player::Returning(person.clone()),
        Player::Computer(level) if is_adaptive => Player::Computer(match table.status() {
            TableStatus::Won(winner) if winner == seat => level.next().unwrap_or(*level),
            TableStatus::Won(_) => {
                level.previous().filter(|lower| *lower >= table.kind().lowest_level()).unwrap_or(*level)
            }
            _ => *level,
        }),
        other => other.clone(),
    }
}

/// Checks that a player may offer a draw: they have an opponent, and both have moved twice since their last offer was declined.
///
/// # Errors
/// Returns the rule that forbids the offer.
fn check_draw_offer(table: &Table, seat: Seat) -> Result<(), TableRefusal> {
    if table.terms().open.is_some() {
        return Err(TableRefusal::NotAtOpenTable);
    }
    if !table.players().is_occupied(seat.other()) {
        return Err(table.players().no_opponent_refusal(seat));
    }
    let (history, other) = (table.history(), Some(seat.other()));
    let is_offer =
        |event: &Event| (event.kind == EventKind::OfferDraw || event.offers_draw) && event.seat == Some(seat);
    let is_decline = |event: &Event| event.kind == EventKind::Decline && event.seat == other;
    let offered = history.iter().rposition(is_offer).unwrap_or(history.len());
    let declined = history[offered..].iter().position(is_decline).map(|later| offered + later);
    let has_waited = |declined: usize| {
        let count = |seat| table.timeline().movers_since(declined).filter(|mover| *mover == seat).count();
        Seat::BOTH.into_iter().all(|seat| count(seat) >= MOVES_AFTER_DECLINE)
    };
    if declined.is_none_or(has_waited) { Ok(()) } else { Err(OfferRefusal::DrawDeclined.into()) }
}

/// Shows the review of a finished game. During the game, a review would help the players.
fn show_review(table: &Table) -> Result<Decision<Pending>, Refusal> {
    match table.status() {
        TableStatus::Playing => Err(Refusal::ReviewOfRunningGame),
        TableStatus::Moved(to) => Err(Refusal::TableMoved(to)),
        _ if table.has_result() && table.plies().len() > 0 => Ok(Decision::Show(Query::Review)),
        _ => Err(Refusal::NothingToReview),
    }
}
