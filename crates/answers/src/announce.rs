//! Answers to comments: turns decisions into text.

use std::collections::BTreeMap;

use game::{Game, Interchange, Phrase, Seat, Span, by_place, code, join_code, phrase};
use table::{
    AnyTable, Author, Consequence, Event, EventKind, HostPolicy, MadeBy, Occupant, Offer, Ply, Query, Refusal, Table,
    TableStatus, Timestamp, mentions_opponent, with_table,
};

use crate::sentences::{possessive, side_after};
use crate::status::offer_words;
use crate::{
    OutputFormat, YOU, board, conditional_moves, help, own_games, rankings, refusal, render, review, sentences, status,
};

/// Returns the answer to an accepted command. It depends only on the table's last event and state.
pub fn announce(table: &AnyTable, format: OutputFormat<'_>) -> String {
    let any_table = table;
    with_table!(any_table, table => {
        let Some(event) = table.history().last() else { return String::new() };
        let announcement = Announcement { table, event };
        if event.kind == EventKind::Hint && table.status() == TableStatus::Playing {
            return format.render(&status::first_hint(table));
        }
        let sentence = mention_opponent(announcement.sentence(), table, event);
        // The terminal already shows this board.
        let is_shown = matches!(format, OutputFormat::Terminal(_)) && announcement.keeps_board();
        let board = if is_shown { String::new() } else { board::render_board(any_table, format) };
        let footer = phrase![announcement.introduction(), announcement.dice_proof()];
        format!("{}\n\n{board}{}", format.render(&sentence), format.render(&footer))
    })
}

/// Returns the answer to a refused command, with the board of its table, if it has one.
pub fn refuse(refusal: &Refusal, author: &Author, table: Option<&AnyTable>, format: OutputFormat<'_>) -> String {
    let name = phrase![Span::Person(author.login.clone()), ": "];
    let name = if author.login == YOU { by_place("", name) } else { name };
    let sentence = phrase![name, refusal::sentence(refusal, table)];
    let folded = table.and_then(|table| board::folded_board(table, format));
    let footer = folded.map_or(String::new(), |section| format!("\n\n{section}"));
    format!("{}{footer}", format.render(&sentence))
}

/// Returns the answer to a command that only shows something. `at` is the time of the command.
pub fn show(
    query: &Query,
    table: Option<&AnyTable>,
    policy: &HostPolicy,
    at: Timestamp,
    format: OutputFormat<'_>,
) -> String {
    match (query, table) {
        // The run usually answers these queries from files. Before the branch exists, it comes here.
        (Query::OwnGames(person), _) => own_games::own_games(person, &[], None, at),
        (Query::Standings(..) | Query::Ratings(..), _) => rankings::show(query, table, &BTreeMap::new()),
        (Query::Help(Some(game)), _) => format.render(&help::help_game(*game)),
        (Query::Help(None), Some(table)) => format.render(&help::help_at_table(table.variant())),
        (Query::Help(None), None) | (_, None) => help::help(policy),
        (Query::Board | Query::Position, Some(table)) => {
            if *query == Query::Position
                && let Some(fen) = with_table!(table, table => table.game().fen())
            {
                return format.render(&phrase![code(fen)]);
            }
            let sentence = with_table!(table, table => status::full_status(table, at));
            format!("{}\n\n{}", format.render(&sentence), board::render_board(table, format)).trim_end().to_owned()
        }
        (Query::Time, Some(table)) => format.render(&with_table!(table, table => status::both_clocks(table, at))),
        (Query::Hint(level), Some(table)) => format.render(&with_table!(table, table => status::hint(table, *level))),
        (Query::Review, Some(table)) => format.render(&review::review(table)),
        (Query::ConditionalMoves, Some(table)) => {
            format.render(&with_table!(table, table => conditional_moves::shown(table)))
        }
        (Query::Moves, Some(table)) => format.render(&with_table!(table, table => status::legal_move_list(table, at))),
        // `protocol` shows the file of a game that has one.
        (Query::File | Query::History, Some(table)) => {
            format.render(&with_table!(table, table => status::move_history(table, at)))
        }
    }
}

/// The last event of a table, which the answer announces.
struct Announcement<'a, G: Game> {
    table: &'a Table<G>,
    event: &'a Event<G::Move>,
}

impl<G: Game> Announcement<'_, G> {
    /// Returns what happened and the table's status.
    fn sentence(&self) -> Phrase {
        let table = self.table;
        if table.status() != TableStatus::Playing {
            return phrase![self.describe_ending(), sentences::rating_changes(table), status::rematch_hint(table)];
        }
        // The announcement of an offer already says how to answer it.
        let is_offer = matches!(self.event.kind, EventKind::OfferDraw | EventKind::AskUndo | EventKind::OfferResign);
        let open = if is_offer { None } else { status::open_offers(table) };
        let mention = mentions_next_player(table, self.event);
        let status = status::status_line(table, mention, self.event.timestamp);
        phrase![
            self.describe_event(),
            self.computer_replies(0),
            conditional_moves::played(table, 0),
            conditional_moves::not_played(table, self.event),
            self.commentary(),
            " ",
            status,
            open,
            self.leave_hint()
        ]
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
        let [guest, opponent] =
            [seat, seat.other()].map(|seat| table.occupant(seat).map(|occupant| occupant.login.clone()));
        let until = phrase![" Until ", Span::Person(opponent?), " moves, "];
        Some(phrase![until, Span::Person(guest?), " can still ", code("/leave"), "."])
    }

    /// Returns who caused the event, with their side.
    fn actor(&self) -> Phrase {
        let Announcement { table, event, .. } = self;
        match (event.seat, table.terms().open.and_then(|_| table.login_of(event.author))) {
            (Some(seat), Some(login)) => {
                phrase![Span::Person(login.to_owned()), side_after(login, &G::INFO.side_name(seat))]
            }
            (Some(seat), None) => sentences::player(table, seat),
            (None, _) => "A maintainer".into(),
        }
    }

    /// Whether the event leaves the board as it was.
    fn keeps_board(&self) -> bool {
        matches!(self.event.kind, EventKind::OfferDraw | EventKind::AskUndo | EventKind::Decline)
    }

    /// Returns the game's commentary if the event changed the position.
    fn commentary(&self) -> Option<Phrase> {
        let Announcement { table, event, .. } = self;
        let moved = matches!(event.kind, EventKind::New { .. } | EventKind::Move { .. });
        let is_new =
            moved || event.resignation_text().is_some() || table.timeline().last_event_plies().next().is_some();
        if is_new { sentences::commentary(table) } else { None }
    }

    /// Returns the opponent with their side. Mentions them only if they have commented before.
    fn opponent(&self) -> Option<Phrase> {
        let (table, seat) = (self.table, self.event.seat?.other());
        Some(match table.occupant(seat).filter(|occupant| occupant.id.is_some()) {
            Some(Occupant { login, .. }) => {
                phrase![Span::Mention(login.clone()), side_after(login, &G::INFO.side_name(seat))]
            }
            None => sentences::player(table, seat),
        })
    }

    /// Returns the possessive of the opponent's name; `None` if the opponent isn't a person.
    fn possessive_opponent(&self) -> Option<Phrase> {
        let opponent = self.table.occupant(self.event.seat?.other())?;
        opponent.id.map(|_| possessive(&opponent.login))
    }

    /// Returns an offer to the opponent, with the computer's answer or how to answer.
    fn offer_phrase(&self, offer: Offer) -> Phrase {
        let what = offer_words(offer, self.table.login_of(self.event.author).unwrap_or_default());
        let answer = self.event.consequences.iter().find_map(|consequence| match consequence {
            Consequence::Draw(agrees) | Consequence::Resignation(agrees) => Some(*agrees),
            _ => None,
        });
        if let Some(agrees) = answer {
            let answer = if agrees { "accepted" } else { "declined" };
            return phrase![" ", what, ". The computer ", answer, "."];
        }
        let opponent = self.opponent();
        phrase![" ", what, ". ", opponent, " can ", code("/accept"), " or ", code("/decline"), ". A move declines it."]
    }

    /// Returns the last event as a sentence.
    fn describe_event(&self) -> Phrase {
        let Announcement { table, event, .. } = self;
        let who = self.actor();
        let what = match &event.kind {
            EventKind::New { .. } => return self.describe_opening(who),
            EventKind::Join => match self.possessive_opponent() {
                Some(whose) => phrase![" joined ", whose, " game."],
                None => " joined the game.".into(),
            },
            EventKind::Move { notation, mv } if self.has_just_joined() => {
                phrase![" joined and ", Self::move_phrase(notation, mv), "."]
            }
            EventKind::Move { notation, mv } => phrase![" ", Self::move_phrase(notation, mv), "."],
            EventKind::OfferDraw => self.offer_phrase(Offer::Draw),
            EventKind::AcceptDraw => " accepted the draw.".into(),
            EventKind::ClaimDraw => " claimed a draw.".into(),
            EventKind::Decline => match self.possessive_opponent() {
                Some(whose) => phrase![" declined ", whose, " offer. The game continues."],
                None => " declined. The game continues.".into(),
            },
            EventKind::Leave => return self.describe_leaving(),
            EventKind::AskUndo => self.offer_phrase(Offer::Takeback),
            EventKind::Hint => " got a hint.".into(),
            EventKind::Undo { plies } => {
                let agrees = event.seat.is_some_and(|seat| table.occupants().has_person(seat.other()));
                let moves: Phrase = match (plies, self.undone_move()) {
                    (1, Some(undone)) => phrase![undone],
                    (1, None) => "the last move".into(),
                    (2, _) => "the last two moves".into(),
                    (plies, _) => format!("the last {plies} moves").into(),
                };
                let action = if agrees { " agreed to take back " } else { " took back " };
                phrase![action, moves, "."]
            }
            EventKind::Resign | EventKind::ResignFor { .. } => " resigned this game.".into(),
            EventKind::OfferResign => self.offer_phrase(Offer::Resignation),
            EventKind::AcceptResign => " accepted and won this game.".into(),
            EventKind::Abort => " ended the game.".into(),
            EventKind::IssueGone => return "The issue of this game is gone.".into(),
            EventKind::Claim => " claimed a win on time.".into(),
            EventKind::Flag => return sentences::ending(table),
            EventKind::ImportedEnd { .. } => " ended this game elsewhere.".into(),
            EventKind::SeatComputer { level } => {
                let seat = event.seat.map(|seat| G::INFO.side_name(seat.other()));
                let level = format!(" to the computer (level {}).", level.number());
                phrase![" gave ", seat.unwrap_or_default(), level]
            }
            EventKind::If { line } => conditional_moves::announced(table, event.seat, line),
            EventKind::AutoRoll { on: true } => {
                phrase![" turned automatic rolls on. To stop them, write ", code("/autoroll off"), "."]
            }
            EventKind::AutoRoll { on: false } => " turned automatic rolls off.".into(),
            EventKind::AskComputer { .. } => " asked the computer to move.".into(),
            EventKind::MovedHere { from } if event.seat.is_none() => {
                return phrase![format!("The game from issue #{from} continues here."), self.unrated_note()];
            }
            EventKind::MovedHere { from } => {
                phrase![format!(" continued the game from issue #{from} here."), self.unrated_note()]
            }
            EventKind::MovedAway { to } => format!(" moved the game to issue #{to}.").into(),
        };
        phrase![who, what]
    }

    /// Returns the move that was taken back; `None` if another takeback came before.
    fn undone_move(&self) -> Option<Span> {
        let since = self.table.history().iter().rev().skip(1);
        let mut since =
            since.skip_while(|event| !matches!(event.kind, EventKind::Move { .. } | EventKind::Undo { .. }));
        let event = since.next()?;
        match &event.kind {
            EventKind::Move { notation, .. } => {
                Some(code(event.last_conditional_move().unwrap_or(notation).to_owned()))
            }
            _ => None,
        }
    }

    /// Returns a sentence about a player who left. It can't name them, because the record no longer has their name.
    fn describe_leaving(&self) -> Phrase {
        let Announcement { table, event, .. } = self;
        let side = event.seat.map(|seat| G::INFO.side_name(seat)).unwrap_or_default();
        let is_move =
            |earlier: &Event<G::Move>| matches!(earlier.kind, EventKind::Move { .. }) && earlier.author == event.author;
        let undone = if table.history().iter().any(is_move) {
            ". Their move is taken back, and this doesn't count."
        } else {
            ". This doesn't count."
        };
        format!("{side}'s player left{undone}").into()
    }

    /// Returns the computer's plies except the last `skip`: as sentences, or as a list if there are more than two.
    fn computer_replies(&self, skip: usize) -> Phrase {
        let plies: Vec<Ply<'_, G>> =
            self.table.timeline().last_event_plies().filter(|ply| ply.made_by == MadeBy::Computer).collect();
        let described = &plies[..plies.len().saturating_sub(skip)];
        let lines = described.iter().map(|ply| phrase![Self::computer_reply(ply), "."]);
        if described.len() > 2 {
            return phrase!["\n\n- ", Phrase::join(lines, "\n- "), "\n\n"];
        }
        Phrase::join(lines.map(|line| phrase![" ", line]), "")
    }

    /// Returns a ply of the computer without a period: "The computer (O) played `a1`".
    fn computer_reply(ply: &Ply<'_, G>) -> Phrase {
        let commentary = ply.before.commentary().map(|commentary| phrase![commentary, " "]);
        let action = match ply.played.map(|(mv, _)| G::action_phrase(mv)) {
            Some(Some(action)) => Phrase::from(action),
            _ => phrase!["played ", code(ply.move_list_entry())],
        };
        phrase![commentary, "The computer (", G::INFO.side_name(ply.seat), ") ", action]
    }

    /// Returns a move as a verb phrase: "played `b2`".
    fn move_phrase(notation: &str, mv: &G::Move) -> Phrase {
        G::action_phrase(mv).map_or_else(|| phrase!["played ", code(notation.to_owned())], Phrase::from)
    }

    /// Returns the last move and the result as sentences.
    fn describe_ending(&self) -> Phrase {
        let table = self.table;
        if let (EventKind::AcceptDraw, Some(whose)) = (&self.event.kind, self.possessive_opponent()) {
            return phrase![self.actor(), " accepted ", whose, " offer. The game is a draw."];
        }
        let Some(last) = table.timeline().last_event_plies().last() else { return sentences::ending(table) };
        let how = match table.status() {
            TableStatus::Won(winner) if winner == last.seat => " and won.".into(),
            TableStatus::Won(winner) => phrase![". ", sentences::subject(table, winner), " won."],
            _ => phrase![". The game is a draw", sentences::ending_reason(table), "."],
        };
        let action = match last.played {
            Some(_) if last.made_by == MadeBy::Computer => {
                phrase![self.describe_event(), self.computer_replies(1), " ", Self::computer_reply(&last)]
            }
            Some(_) if last.made_by == MadeBy::Condition => {
                let before = phrase![self.describe_event(), conditional_moves::played(table, 1)];
                phrase![before, " By a conditional move, ", conditional_moves::played_move(table, &last)]
            }
            Some((mv, notation)) => phrase![self.actor(), " ", Self::move_phrase(notation, mv)],
            // The table made the last play, because it was forced.
            None if matches!(self.event.kind, EventKind::Move { .. }) => {
                let last_play = table.game().commentary();
                return phrase![
                    self.describe_event(),
                    self.computer_replies(0),
                    " ",
                    last_play,
                    " ",
                    sentences::ending_in_short(table)
                ];
            }
            None => return sentences::ending(table),
        };
        phrase![action, how, sentences::commentary(table)]
    }

    /// Returns who started the game, and the players.
    fn describe_opening(&self, who: Phrase) -> Phrase {
        let table = self.table;
        let game = table.game_noun();
        let setup = G::setup_summary(table.config()).map_or(String::new(), |setup| format!(" ({setup})"));
        let round = if table.round() > 1 { format!("Round {}: ", table.round()) } else { String::new() };
        if table.terms().open.is_some() {
            return phrase![
                round,
                format!("This is an open game of {game}{setup}. "),
                sentences::seating(table),
                self.unrated_note()
            ];
        }
        let opener = self.event.seat.unwrap_or(Seat::First);
        let invited_span = if mentions_opponent(table) { Span::Mention } else { Span::Person };
        let invited = opener.other();
        let started = phrase![who, format!(" started a game of {game}{setup}")];
        let started = match table.occupant(opener) {
            Some(occupant) if occupant.login == YOU => {
                let side = G::INFO.side_name(opener);
                by_place(format!("A new game of {game}{setup}. You're {side}"), started)
            }
            _ => started,
        };
        let seat = phrase![". ", sentences::seat_sentence(table, invited, invited_span)];
        // At a terminal, nobody has to be invited.
        let opponent = match sentences::invitation(table, invited, invited_span) {
            Some(invitation) => by_place(seat, invitation),
            None => seat,
        };
        phrase![round, started, opponent, self.unrated_note()]
    }

    /// Returns a note if the game isn't rated, with a leading space.
    fn unrated_note(&self) -> Option<&'static str> {
        if self.table.terms().casual {
            return Some(" This game is casual, so it changes no ratings.");
        }
        let note = " This game isn't rated because it starts from a chosen position.";
        if G::has_custom_start(self.table.config()) { Some(note) } else { None }
    }

    /// Returns the commitment to the dice when a round starts, and the key when it ends.
    fn dice_proof(&self) -> Option<Phrase> {
        match (&self.event.kind, &self.event.key) {
            (_, Some(key)) => {
                let (key, check) = (code(key.to_hex()), code("play-by-commit verify"));
                Some(phrase![
                    "\nThis round's dice came from the key ",
                    key,
                    ". To check every roll, run ",
                    check,
                    ".\n"
                ])
            }
            (EventKind::New { commitment: Some(commitment), .. }, _) => {
                let how = "\nThe dice come from a secret key. The bot publishes it when the round ends, so that anyone can check every \
                           roll. Its SHA-256 is ";
                Some(phrase![how, code(commitment.to_string()), ".\n"])
            }
            _ => None,
        }
    }

    /// Returns the introduction for newcomers, which only the first answer in an issue has.
    fn introduction(&self) -> Option<Phrase> {
        let table = self.table;
        if table.history().len() > 1 || table.round() > 1 {
            return None;
        }
        let other_commands = match table.terms().open {
            Some(_) => join_code(&["/undo", "/moves"], " or "),
            None => phrase![join_code(&["/undo", "/draw"], ", "), ", or ", code("/resign")],
        };
        Some(phrase![
            "\n",
            G::aim(table.config()).into_owned(),
            " ",
            G::INFO.how_to_move(),
            "\n\nYou can also write ",
            other_commands,
            ". For all commands, write ",
            code("/help"),
            ".\n"
        ])
    }
}

// The people that an answer notifies: the player to move, and an opponent whose offer was answered or whose game has ended.

/// Whether the answer to an event mentions the player to move. It never mentions the author of the command.
fn mentions_next_player<G: Game>(table: &Table<G>, event: &Event<G::Move>) -> bool {
    // The announcement of an offer already mentions the opponent, and automatic rolls and conditional moves don't concern them.
    // The opponent of a player who leaves was mentioned when that player joined.
    let is_quiet = matches!(
        event.kind,
        EventKind::Leave
            | EventKind::OfferDraw
            | EventKind::AskUndo
            | EventKind::OfferResign
            | EventKind::AutoRoll { .. }
            | EventKind::If { .. }
    );
    // After the computer's reply, the player to move is the one who just commented.
    let against_computer = table.occupants().computer().is_some();
    let next = table.occupant(table.player_to_move());
    !is_quiet
        && !against_computer
        && next.is_some_and(|next| next.id != Some(event.author) && !was_mentioned(table, event, next))
}

/// Whether a person was mentioned for the same reason before and has done nothing since: the author of this event, the last one,
/// joined and left before, or somebody moved the game to another issue once more.
fn was_mentioned<G: Game>(table: &Table<G>, event: &Event<G::Move>, person: &Occupant) -> bool {
    let before = table.history().iter().rev().skip(1);
    let mut since = before.take_while(|earlier| Some(earlier.author) != person.id);
    match event.kind {
        EventKind::Join | EventKind::Move { .. } => {
            since.any(|earlier| earlier.kind == EventKind::Leave && earlier.author == event.author)
        }
        EventKind::MovedHere { .. } => since.any(|earlier| matches!(earlier.kind, EventKind::MovedHere { .. })),
        _ => false,
    }
}

/// Turns the first name of the opponent into a mention, if the event concerns them and nothing mentions them yet.
fn mention_opponent<G: Game>(mut phrase: Phrase, table: &Table<G>, event: &Event<G::Move>) -> Phrase {
    if let Some(opponent) = concerned_opponent(table, event) {
        phrase.mention(&opponent.login);
    }
    phrase
}

/// Returns the opponent if the event answers them, or ends the game without a move of theirs; `None` if they aren't a person.
fn concerned_opponent<'a, G: Game>(table: &'a Table<G>, event: &Event<G::Move>) -> Option<&'a Occupant> {
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
    let opponent = table.occupant(seat.other()).filter(|_| is_answer || has_given_up)?;
    if opponent.id.is_some_and(|id| id != event.author) && !was_mentioned(table, event, opponent) {
        Some(opponent)
    } else {
        None
    }
}

// The end of a game for other programs, such as a chat: how it ended, who won, and who played.

/// The end of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameEnd {
    /// How the game ended: "Chess: alice (White) won: checkmate."
    pub sentence: String,
    /// The winner's username, `computer`, or at an open table the side; empty after a draw.
    pub winner: String,
    /// The players; see [`players`].
    pub players: Vec<String>,
}

impl GameEnd {
    /// Returns the end of the game at a table; `None` without a win or a draw.
    pub fn from_table(table: &AnyTable) -> Option<GameEnd> {
        let (sentence, winner) = with_table!(table, record => {
            if !record.has_result() {
                return None;
            }
            (render::plain(&sentences::ending_in_short(record)), winner(record))
        });
        let title = table.variant().title();
        Some(GameEnd { sentence: format!("{title}: {sentence}"), winner, players: players(table) })
    }
}

/// Returns the players of a table in the order of the seats: usernames, or `computer`. Empty at an open table.
pub fn players(table: &AnyTable) -> Vec<String> {
    with_table!(table, record => Seat::BOTH.into_iter().filter_map(|seat| player(record, seat)).collect())
}

fn player<G: Game>(table: &Table<G>, seat: Seat) -> Option<String> {
    let occupant = table.occupant(seat)?;
    Some(if occupant.computer.is_some() { "computer".to_owned() } else { occupant.login.clone() })
}

fn winner<G: Game>(table: &Table<G>) -> String {
    match table.status() {
        TableStatus::Won(seat) => player(table, seat).unwrap_or_else(|| G::INFO.side_name(seat)),
        _ => String::new(),
    }
}
