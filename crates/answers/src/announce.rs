//! Answers to comments: turns decisions into text.

use std::collections::BTreeMap;

use game::{Level, Phrase, Seat, Span, YOU, by_person, by_place, person, plain, say};
use games::AnyMove;
use table::timestamp::format_duration;
use table::{
    Author, Effect, Event, EventKind, HostPolicy, MadeBy, Offer, Person, Player, Ply, Query, Refusal, Table,
    TableStatus, Timestamp, UserId, mentions_opponent,
};

use crate::sentences::{person_with_side, possessive};
use crate::status::{how_to_answer, offer_sentence};
use crate::{OutputFormat, board, conditional_moves, help, own_games, rankings, refusal, review, sentences, status};

/// Returns the answer to an accepted command. It depends only on the table's last event and state.
pub fn announce(table: &Table, format: OutputFormat<'_>) -> String {
    let Some(event) = table.history().last() else { return String::new() };
    let announcement = Announcement { table, event };
    if event.kind == EventKind::Hint && table.status() == TableStatus::Playing {
        return format.render(&status::first_hint(table));
    }
    let sentence = sentence(table);
    let board = if event_shows_board(table) { board::render_board(table, format) } else { String::new() };
    let (introduction, proof) = (announcement.introduction(), announcement.dice_proof());
    let footer = say!("{introduction}{proof}");
    format!("{}\n\n{board}{}", format.render(&sentence), format.render(&footer))
}

/// Returns what happened in the last event of a table, and whose turn it is.
pub(super) fn sentence(table: &Table) -> Phrase {
    let Some(event) = table.history().last() else { return Phrase::default() };
    mention_opponent(Announcement { table, event }.sentence(), table, event)
}

/// Whether the answer to an accepted command has a board: its event changed the board or the players, or ended the game. A ballot
/// has the board below the answer.
pub fn event_shows_board(table: &Table) -> bool {
    let Some(event) = table.history().last().filter(|_| table.ballot().is_none()) else { return false };
    let changes_nothing = matches!(
        event.kind,
        EventKind::OfferDraw
            | EventKind::OfferResign
            | EventKind::AskUndo
            | EventKind::Decline
            | EventKind::If { .. }
            | EventKind::AutoRoll { .. }
            | EventKind::Extend { .. }
            | EventKind::Hint
            | EventKind::Nudge
    );
    let is_answer = |effect: &Effect| matches!(effect, Effect::Draw(_) | Effect::Resignation(_));
    !changes_nothing || !table.is_playing() || !event.effects.iter().all(is_answer)
}

/// Returns the answer to a refused command.
pub fn refuse(refusal: &Refusal, author: &Author, table: Option<&Table>, format: OutputFormat<'_>) -> String {
    let (login, sentence) = (&author.login, &refusal::sentence(refusal, table));
    let sentence = by_person(login, sentence, say!("{login:person}: {sentence}"));
    format.render(&sentence)
}

/// Whether the answer to a command that only shows something has the board of its table.
pub fn query_shows_board(query: &Query, table: &Table) -> bool {
    // A ballot stays the live board.
    let is_board = *query == Query::Board && table.ballot().is_none();
    is_board || *query == Query::Position && table.game().fen().is_none()
}

/// Returns the answer to a command that only shows something. `at` is the time of the command.
pub fn show(
    query: &Query,
    table: Option<&Table>,
    policy: &HostPolicy,
    at: Timestamp,
    format: OutputFormat<'_>,
) -> String {
    match (query, table) {
        // The run usually answers these queries from files. Before the branch exists, it comes here.
        (Query::OwnGames(person), _) => own_games::own_games(person, &[], None, at),
        (Query::Standings(..) | Query::Ratings(..), _) => rankings::show(query, table, &BTreeMap::new()),
        (Query::Help(Some(game)), _) => format.render(&help::help_game(*game)),
        (Query::Help(None), Some(table)) => format.render(&help::help_at_table(table)),
        (Query::Rules, Some(table)) => format.render(&help::rules(table.variant())),
        (Query::Help(None), None) | (_, None) => help::help(policy),
        (Query::Board | Query::Position, Some(table)) => {
            if *query == Query::Position
                && let Some(fen) = table.game().fen()
            {
                return format.render(&say!("`{fen}`"));
            }
            let sentence = status::full_status(table, at);
            format!("{}\n\n{}", format.render(&sentence), board::render_board(table, format)).trim_end().to_owned()
        }
        (Query::Time, Some(table)) => format.render(&status::both_clocks(table, at)),
        (Query::Hint(level), Some(table)) => format.render(&status::hint(table, *level)),
        (Query::Review, Some(table)) => format.render(&review::review(table)),
        (Query::ConditionalMoves, Some(table)) => format.render(&conditional_moves::shown(table)),
        (Query::Moves, Some(table)) => format.render(&status::legal_move_list(table, at)),
        // `protocol` shows the file of a game that has one.
        (Query::File | Query::History, Some(table)) => format.render(&status::move_history(table, at)),
    }
}

/// The last event of a table, which the answer announces.
struct Announcement<'a> {
    table: &'a Table,
    event: &'a Event,
}

impl Announcement<'_> {
    /// Returns what happened and the table's status.
    fn sentence(&self) -> Phrase {
        let table = self.table;
        if table.status() != TableStatus::Playing {
            return say!(
                "{ending}{ratings}{beaten}{hint}",
                ending = self.describe_ending(),
                ratings = sentences::rating_changes(table),
                beaten = status::beaten_level(table),
                hint = status::rematch_hint(table),
            );
        }
        // The announcement of an offer already says how to answer it.
        let is_offer = matches!(self.event.kind, EventKind::OfferDraw | EventKind::AskUndo | EventKind::OfferResign);
        let open = if is_offer { None } else { status::open_offers(table) };
        let mention = mentions_next_player(table, self.event);
        let status = status::status_line(table, mention, self.event.timestamp);
        say!(
            "{event}{replies}{moves}{not_played}{commentary}{separator}{status}{open}{hint}",
            event = self.describe_event(),
            separator = sentences::separator(table),
            replies = self.computer_replies(0),
            moves = conditional_moves::played(table, 0),
            not_played = conditional_moves::not_played(table, self.event),
            commentary = self.commentary(),
            hint = self.leave_hint(),
        )
    }

    /// Whether the event's author had no seat before, and may still leave.
    fn has_just_joined(&self) -> bool {
        let events = self.table.history().iter().filter(|earlier| earlier.author == self.event.author);
        self.table.seat_that_may_leave().is_some() && events.count() == 1
    }

    /// Returns a hint that a player who has just joined with a move can still leave.
    fn leave_hint(&self) -> Option<Phrase> {
        let Announcement { table, event, .. } = self;
        let is_move = matches!(event.kind, EventKind::Move { .. });
        let seat = table.seat_that_may_leave().filter(|_| is_move)?;
        let [guest, opponent] = [seat, seat.other()].map(|seat| table.player(seat)?.login());
        let (guest, opponent) = (guest?, opponent?);
        Some(say!(" Until {opponent:person} moves, {guest:person} can still `/leave`."))
    }

    /// Returns who caused the event, with their side.
    fn actor(&self) -> Phrase {
        let Announcement { table, event, .. } = self;
        match (event.seat, table.terms().open.and_then(|_| table.login_of(event.author))) {
            (Some(seat), Some(login)) => person_with_side(login, &table.info().side_name(seat), Span::Person),
            (Some(seat), None) => sentences::subject(table, seat),
            (None, _) => "A maintainer".into(),
        }
    }

    /// Returns the game's commentary if the event changed the position.
    fn commentary(&self) -> Option<Phrase> {
        let Announcement { table, event, .. } = self;
        let moved = matches!(event.kind, EventKind::New { .. } | EventKind::Move { .. });
        let is_new =
            moved || event.resignation_text().is_some() || table.timeline().last_event_plies().next().is_some();
        if is_new { sentences::commentary(table, table.game()) } else { None }
    }

    /// Returns the opponent with their side. Mentions them only if they have commented before.
    fn opponent(&self) -> Option<Phrase> {
        let (table, seat) = (self.table, self.event.seat?.other());
        Some(match table.player(seat).and_then(Player::known_person) {
            Some(person) => person_with_side(&person.login, &table.info().side_name(seat), Span::Mention),
            None => sentences::player(table, seat),
        })
    }

    /// Returns the possessive of the opponent's name; `None` if the opponent isn't a person.
    fn possessive_opponent(&self) -> Option<Phrase> {
        let opponent = self.table.player(self.event.seat?.other())?.known_person()?;
        Some(possessive(&opponent.login))
    }

    /// Returns an offer to the opponent, with the computer's answer or how to answer.
    fn describe_offer(&self, offer: Offer, who: &Phrase) -> Phrase {
        let login = self.table.login_of(self.event.author).unwrap_or_default();
        let offered = offer_sentence(offer, who, login);
        let answer = self.event.effects.iter().find_map(|effect| match effect {
            Effect::Draw(agrees) | Effect::Resignation(agrees) => Some(*agrees),
            _ => None,
        });
        match answer {
            Some(true) => say!("{offered} The computer accepted."),
            Some(false) => say!("{offered} The computer declined."),
            None => say!("{offered} {answers}", answers = how_to_answer(&self.opponent().unwrap_or_default())),
        }
    }

    /// Returns the last event as a sentence.
    fn describe_event(&self) -> Phrase {
        let Announcement { table, event, .. } = self;
        let who = self.actor();
        match &event.kind {
            EventKind::New { .. } => self.describe_opening(&who),
            EventKind::Join => match self.possessive_opponent() {
                Some(whose) => say!("{who} joined {whose} game."),
                None => say!("{who} joined the game."),
            },
            EventKind::Move { notation, mv } => {
                let action = self.move_phrase(notation, mv);
                let votes = sentences::votes_of_last_move(table);
                match self.has_just_joined() {
                    true => say!("{who} joined and {action}."),
                    false => say!("{who} {action}{votes}."),
                }
            }
            EventKind::OfferDraw => self.describe_offer(Offer::Draw, &who),
            EventKind::AcceptDraw => say!("{who} accepted the draw."),
            EventKind::ClaimDraw => say!("{who} claimed a draw."),
            EventKind::Decline => match self.declined_offer() {
                Some(Offer::Draw) => say!("{who} declined the draw."),
                Some(Offer::Takeback) => say!("{who} declined the takeback."),
                Some(Offer::Resignation) => say!("{who} declined the resignation, so the game continues."),
                None => say!("{who} declined. The game continues."),
            },
            EventKind::Leave => self.describe_leaving(),
            EventKind::AskUndo => self.describe_offer(Offer::Takeback, &who),
            EventKind::Hint => say!("{who} got a hint."),
            EventKind::Nudge => say!("{who} is waiting for your move."),
            EventKind::Undo { plies } => {
                let moves = match (plies, self.undone_move()) {
                    (1, Some(undone)) => say!("`{undone}`"),
                    (1, None) => say!("the last move"),
                    (2, _) => say!("the last two moves"),
                    (plies, _) => say!("the last {plies} moves"),
                };
                if event.seat.is_some_and(|seat| table.players().has_person(seat.other())) {
                    say!("{who} agreed to take back {moves}.")
                } else {
                    say!("{who} took back {moves}.{note}", note = self.takeback_note())
                }
            }
            EventKind::Resign | EventKind::ResignFor { .. } => say!("{who} resigned this game."),
            EventKind::OfferResign => self.describe_offer(Offer::Resignation, &who),
            EventKind::AcceptResign => say!("{who} accepted and won this game."),
            EventKind::Abort => say!("{who} ended the game."),
            EventKind::IssueGone => say!("The issue of this game is gone."),
            EventKind::Claim => say!("{who} claimed a win on time."),
            EventKind::Flag => sentences::ending(table),
            EventKind::ImportedEnd { .. } => say!("{who} ended this game elsewhere."),
            EventKind::SeatComputer { level } => say!(
                "{who} gave {side} to the computer (level {level}).",
                side = event.seat.map(|seat| table.info().side_name(seat.other())),
                level = level.number(),
            ),
            EventKind::If { line, .. } => conditional_moves::announced(table, &who, event.seat, line),
            EventKind::AutoRoll { on: true } => {
                say!("{who} turned automatic rolls on. To stop them, write `/autoroll off`.")
            }
            EventKind::AutoRoll { on: false } => say!("{who} turned automatic rolls off."),
            EventKind::Extend { time, late } => {
                let (opponent, time) =
                    (event.seat.map(|seat| sentences::player(table, seat.other())), format_duration(*time));
                if late.is_zero() {
                    say!("{who} gives {opponent} {time} more for this turn.")
                } else {
                    say!("{who} gives {opponent}, who had run out of time, {time} from now on.")
                }
            }
            EventKind::AskComputer { .. } => say!("{who} asked the computer to move."),
            EventKind::MovedHere { from } if event.seat.is_none() => {
                say!("The game from issue #{from} continues here.{note}", note = self.unrated_note())
            }
            EventKind::MovedHere { from } => {
                say!("{who} continued the game from issue #{from} here.{note}", note = self.unrated_note())
            }
            EventKind::MovedAway { to } => say!("{who} moved the game to issue #{to}."),
        }
    }

    /// Returns the offer that the last event declined; `None` if it declined several.
    fn declined_offer(&self) -> Option<Offer> {
        let Announcement { table, event, .. } = self;
        let by_opponent = |earlier: &&Event| earlier.seat == event.seat.map(Seat::other);
        let before = table.history().iter().rev().skip(1);
        let open = before.take_while(|earlier| match earlier.kind {
            EventKind::Move { .. } => earlier.offers_draw && by_opponent(earlier),
            EventKind::Undo { .. } | EventKind::Decline => false,
            _ => true,
        });
        let offer = |earlier: &Event| match earlier.kind {
            EventKind::OfferDraw | EventKind::Move { .. } => Some(Offer::Draw),
            EventKind::AskUndo => Some(Offer::Takeback),
            EventKind::OfferResign => Some(Offer::Resignation),
            _ => None,
        };
        let mut offers = open.filter(by_opponent).filter_map(offer);
        offers.next().filter(|_| offers.next().is_none())
    }

    /// Returns a note that a win against the computer no longer counts, with a leading space; `None` if a player knows already.
    fn takeback_note(&self) -> Option<Phrase> {
        let table = self.table;
        let (_, level) = table.players().computer().filter(|(_, level)| *level > Level::LEARNING)?;
        let is_known = |event: &&Event| matches!(event.kind, EventKind::Undo { .. } | EventKind::Hint);
        let is_first = table.history().iter().filter(is_known).count() == 1;
        is_first.then(|| say!(" A win won't count as beating level {level} now.", level = level.number()))
    }

    /// Returns the move that was taken back; `None` if another takeback came before.
    fn undone_move(&self) -> Option<&str> {
        let since = self.table.history().iter().rev().skip(1);
        let mut since =
            since.skip_while(|event| !matches!(event.kind, EventKind::Move { .. } | EventKind::Undo { .. }));
        let event = since.next()?;
        match &event.kind {
            EventKind::Move { notation, .. } => Some(event.last_conditional_move().unwrap_or(notation)),
            _ => None,
        }
    }

    /// Returns a sentence about a player who left. It can't name them, because the record no longer has their name.
    fn describe_leaving(&self) -> Phrase {
        let Announcement { table, event, .. } = self;
        let side = event.seat.map(|seat| self.table.info().side_name(seat)).unwrap_or_default();
        let is_move =
            |earlier: &Event| matches!(earlier.kind, EventKind::Move { .. }) && earlier.author == event.author;
        if table.history().iter().any(is_move) {
            say!("{side}'s player left. Their move is taken back, and this doesn't count.")
        } else {
            say!("{side}'s player left. This doesn't count.")
        }
    }

    /// Returns the computer's plies except the last `skip`: as sentences, or as a list if there are more than two. After a forced
    /// move, they are among the conditional ones.
    fn computer_replies(&self, skip: usize) -> Phrase {
        if conditional_moves::has_forced(self.table) {
            return Phrase::default();
        }
        let plies: Vec<Ply<'_>> =
            self.table.timeline().last_event_plies().filter(|ply| ply.made_by == MadeBy::Computer).collect();
        let described = &plies[..plies.len().saturating_sub(skip)];
        let lines = described.iter().map(|ply| say!("{reply}.", reply = self.computer_reply(ply)));
        if described.len() > 2 {
            return say!("\n\n- {lines}\n\n", lines = Phrase::join(lines, "\n- "));
        }
        let separator = sentences::separator(self.table);
        Phrase::join(lines.map(|line| say!("{separator}{line}")), "")
    }

    /// Returns a ply of the computer without a period: "The computer (O) played `a1`".
    fn computer_reply(&self, ply: &Ply<'_>) -> Phrase {
        let separator = sentences::separator(self.table);
        let commentary = ply.before.commentary().map(|commentary| sentences::with_names(self.table, &commentary));
        let commentary = commentary.map(|commentary| say!("{commentary}{separator}"));
        let action = match ply.played.map(|(mv, _)| ply.before.action_phrase(mv)) {
            Some(Some(action)) => Phrase::from(action),
            _ => say!("played `{mv}`", mv = ply.move_list_entry()),
        };
        say!("{commentary}The computer ({side}) {action}", side = ply.before.info().side_name(ply.seat))
    }

    /// Returns a move as a verb phrase: "played `b2`".
    fn move_phrase(&self, notation: &str, mv: &AnyMove) -> Phrase {
        self.table.game().action_phrase(mv).map_or_else(|| say!("played `{notation}`"), Phrase::from)
    }

    /// Returns the last move and the result as sentences.
    fn describe_ending(&self) -> Phrase {
        let table = self.table;
        if let (EventKind::AcceptDraw, Some(whose)) = (&self.event.kind, self.possessive_opponent()) {
            return say!("{who} accepted {whose} offer. The game is a draw.", who = self.actor());
        }
        if let (TableStatus::Won(winner), true) = (table.status(), self.event.has_announced_resignation()) {
            return say!(
                "{event}{moves}{resigned}",
                event = self.describe_event(),
                moves = conditional_moves::played(table, 0),
                resigned = conditional_moves::resigned(table, winner),
            );
        }
        let separator = sentences::separator(table);
        let Some(last) = table.timeline().last_event_plies().last() else { return sentences::ending(table) };
        let action = match last.played {
            Some(_) if last.made_by == MadeBy::Computer && !conditional_moves::has_forced(table) => say!(
                "{event}{replies}{separator}{last}",
                event = self.describe_event(),
                replies = self.computer_replies(1),
                last = self.computer_reply(&last),
            ),
            Some(_) if last.made_by != MadeBy::Player => say!(
                "{event}{moves} {last}",
                event = self.describe_event(),
                moves = conditional_moves::played(table, 1),
                last = conditional_moves::last_move(table, &last),
            ),
            Some((mv, notation)) => {
                say!("{who} {action}", who = self.actor(), action = self.move_phrase(notation, mv))
            }
            // The table made the last play, because it was forced.
            None if matches!(self.event.kind, EventKind::Move { .. }) => {
                return say!(
                    "{event}{replies}{last_play}{separator}{ending}",
                    event = self.describe_event(),
                    replies = self.computer_replies(0),
                    last_play = sentences::commentary(table, table.game()),
                    ending = sentences::ending(table),
                );
            }
            None => return sentences::ending(table),
        };
        let (reason, score) = (sentences::ending_reason(table), sentences::final_score(table));
        match table.status() {
            TableStatus::Won(winner) if winner == last.seat => say!("{action} and won{reason}.{score}"),
            // The last roll came after the move, and its only legal play won.
            TableStatus::Won(winner) if table.game().has_dice() => {
                let (rolls, winner) = (sentences::commentary(table, table.game()), sentences::subject(table, winner));
                say!("{action}.{rolls}{separator}{winner} won{reason}.{score}")
            }
            TableStatus::Won(winner) => {
                say!("{action}.{score} {winner} won{reason}.", winner = sentences::subject(table, winner))
            }
            _ => say!("{action}.{score} The game is a draw{reason}."),
        }
    }

    /// Returns who started the game, and the players.
    fn describe_opening(&self, who: &Phrase) -> Phrase {
        let table = self.table;
        let game = &plain(match table.game().setup_summary() {
            Some(setup) => format!("{} ({setup})", table.variant().noun()),
            None => table.variant().noun(),
        });
        let opener = self.event.seat.unwrap_or(Seat::First);
        let opening = if table.terms().crowd.is_some() {
            let invited_span = if mentions_opponent(table) { Span::Mention } else { Span::Person };
            let seating = sentences::seating_with(table, invited_span);
            let answer = table.player(opener.other()).filter(|player| player.is_reserved());
            let answer = answer.map(|_| " To accept, write `/join`; to decline, write `/decline`.");
            say!("This is a crowd's game of {game}. {seating}{answer}")
        } else if table.terms().open.is_some() {
            say!("This is an open game of {game}. {seating}", seating = sentences::seating(table))
        } else {
            let invited_span = if mentions_opponent(table) { Span::Mention } else { Span::Person };
            let started = &say!("{who} started a game of {game}");
            let seat = &sentences::seat_sentence(table, opener.other(), invited_span);
            let announced = say!("{started}. {seat}");
            let at_terminal = match table.player(opener) {
                Some(player) if player.name() == YOU => {
                    say!("A new game of {game}. You're {side}. {seat}", side = table.info().side_name(opener))
                }
                _ => announced.clone(),
            };
            // At a terminal, nobody has to be invited.
            let invitation = sentences::invitation(table, started, opener.other(), invited_span);
            by_place(at_terminal, invitation.unwrap_or(announced))
        };
        let (note, autoplay) = (self.unrated_note(), sentences::autoplay_note(table));
        match table.round() {
            ..=1 => say!("{opening}{note}{autoplay}"),
            round => say!("Round {round}: {opening}{note}{autoplay}"),
        }
    }

    /// Returns a note if the game isn't rated, with a leading space.
    fn unrated_note(&self) -> Option<&'static str> {
        if self.table.terms().casual {
            return Some(" This game is casual, so it changes no ratings.");
        }
        let note = " This game isn't rated because it starts from a chosen position.";
        if self.table.game().has_custom_start() { Some(note) } else { None }
    }

    /// Returns the commitment to the dice when a round starts, and the key when it ends.
    fn dice_proof(&self) -> Option<Phrase> {
        match (&self.event.kind, &self.event.key) {
            (_, Some(key)) => Some(say!(
                "\nThis round's dice came from the key `{key}`. To {check}, run `play-by-commit verify`.\n",
                key = key.to_hex(),
                check = help::docs_link("check every roll", help::DICE_PAGE),
            )),
            (EventKind::New { commitment: Some(commitment), .. }, _) => Some(say!(
                "\nThe dice come from a secret key. The bot publishes it when the round ends, so that anyone can {check}. \
                 Its SHA-256 is `{commitment}`.\n",
                check = help::docs_link("check every roll", help::DICE_PAGE),
            )),
            _ => None,
        }
    }

    /// Returns the introduction for newcomers, which only the first answer in an issue has.
    fn introduction(&self) -> Option<Phrase> {
        let table = self.table;
        if table.history().len() > 1 || table.round() > 1 {
            return None;
        }
        let (aim, how) = (table.game().aim().into_owned(), table.info().how_to_move());
        Some(match table.terms().open {
            Some(_) => {
                say!("\n{aim} {how}\n\nYou can also write `/undo` or `/moves`. For all commands, write `/help`.\n")
            }
            None if table.terms().crowd.is_some() => say!("\n{aim} {how}\n\nFor all commands, write `/help`.\n"),
            None => say!(
                "\n{aim} {how}\n\nYou can also write `/undo`, `/draw`, or `/resign`. For all commands, write `/help`.\n"
            ),
        })
    }
}

// The people that an answer notifies: the player to move, and an opponent whose offer was answered or whose game has ended.

/// Whether the answer to an event mentions the player to move. It never mentions the author of the command.
fn mentions_next_player(table: &Table, event: &Event) -> bool {
    // The announcement of an offer already mentions the opponent, and automatic rolls, conditional moves and more time need nothing from them.
    // The opponent of a player who leaves was mentioned when that player joined.
    let is_quiet = matches!(
        event.kind,
        EventKind::Leave
            | EventKind::OfferDraw
            | EventKind::AskUndo
            | EventKind::OfferResign
            | EventKind::AutoRoll { .. }
            | EventKind::Extend { .. }
            | EventKind::If { .. }
    );
    // After the computer's reply, the player to move is the one who just commented.
    let against_computer = table.players().computer().is_some();
    let next = table.player(table.player_to_move());
    !is_quiet
        && !against_computer
        && next.is_some_and(|next| next.id() != Some(event.author) && !was_mentioned(table, event, next.id()))
}

/// Whether a person was mentioned for the same reason before and has done nothing since: the author of this event, the last one,
/// joined and left before, or somebody moved the game to another issue once more.
fn was_mentioned(table: &Table, event: &Event, person: Option<UserId>) -> bool {
    let before = table.history().iter().rev().skip(1);
    let mut since = before.take_while(|earlier| Some(earlier.author) != person);
    match event.kind {
        EventKind::Join | EventKind::Move { .. } => {
            since.any(|earlier| earlier.kind == EventKind::Leave && earlier.author == event.author)
        }
        EventKind::MovedHere { .. } => since.any(|earlier| matches!(earlier.kind, EventKind::MovedHere { .. })),
        _ => false,
    }
}

/// Turns the first name of the opponent into a mention, if the event concerns them and nothing mentions them yet.
fn mention_opponent(mut phrase: Phrase, table: &Table, event: &Event) -> Phrase {
    if let Some(opponent) = concerned_opponent(table, event) {
        phrase.mention(&opponent.login);
    }
    phrase
}

/// Returns the opponent if the event answers them, or ends the game without a move of theirs; `None` if they aren't a person.
fn concerned_opponent<'a>(table: &'a Table, event: &Event) -> Option<&'a Person> {
    let seat = event.seat?;
    let is_answer = matches!(
        event.kind,
        EventKind::Join
            | EventKind::AcceptDraw
            | EventKind::AcceptResign
            | EventKind::Decline
            | EventKind::Undo { .. }
            | EventKind::Claim
    );
    let has_given_up = event.resignation_text().is_some() || table.status() == TableStatus::Won(seat.other());
    let opponent = table.player(seat.other()).filter(|_| is_answer || has_given_up)?.known_person()?;
    let is_new = opponent.id != event.author && !was_mentioned(table, event, Some(opponent.id));
    is_new.then_some(opponent)
}
