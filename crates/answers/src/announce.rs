//! The answers to comments: decisions in words.

use game::contract::Game;
use game::phrase::{Phrase, Span, code, join_code, phrase};
use game::seat::Seat;
use table::any_table::{AnyTable, with_table};
use table::decisions::decision::Query;
use table::decisions::host_policy::HostPolicy;
use table::decisions::refusal::Refusal;
use table::game_state::TableStatus;
use table::history::{Consequence, Event, EventKind};
use table::table::Table;
use table::talk::comment::{Author, Millis};
use table::timeline::Ply;

use crate::output_format::OutputFormat;
use crate::status::{self, ASKED_UNDO, OFFERED_DRAW, OFFERED_RESIGNATION};
use crate::{board, help};
use crate::{refusal, sentences};

/// Returns the answer to an accepted command, from the table alone: its last event and its state.
pub fn announce(table: &AnyTable, look: OutputFormat<'_>) -> String {
    let any = table;
    with_table!(any, table => {
        let Some(event) = table.history().last() else { return String::new() };
        let announcement = Announcement { table, event };
        if event.kind == EventKind::Hint && table.status() == TableStatus::Playing {
            return look.render(&status::first_hint(table));
        }
        let sentence = announcement.sentence();
        // A terminal has just shown the board, and a question has not changed it.
        let seen = matches!(look, OutputFormat::Terminal { .. }) && announcement.leaves_board();
        let board = if seen { String::new() } else { board::render_board(any, &sentence, look) };
        let below = phrase![announcement.welcome(), announcement.proof()];
        format!("{}\n\n{board}{}", look.render(&sentence), look.render(&below))
    })
}

/// Returns the answer to a refused command, with the board of the table it was meant for, if it was meant for one.
pub fn refuse(refusal: &Refusal, author: &Author, table: Option<&AnyTable>, look: OutputFormat<'_>) -> String {
    let sentence = phrase![Span::Person(author.login.clone()), ": ", refusal::sentence(refusal, table)];
    let rule = refusal::engine_message(refusal).and_then(|words| board::folded_rule(words, look));
    let folded = table.and_then(|table| board::folded_board(table, look));
    let below: String = [rule, folded].into_iter().flatten().map(|fold| format!("\n\n{fold}")).collect();
    format!("{}{below}", look.render(&sentence))
}

/// Returns the answer to a command that only shows something, written at a given time.
pub fn show(show: &Query, table: Option<&AnyTable>, house: &HostPolicy, at: Millis, look: OutputFormat<'_>) -> String {
    match (show, table) {
        (Query::Help(Some(kind)), _) => look.render(&help::help_game(kind.info())),
        (Query::HelpPreset(setup), _) => look.render(&help::help_preset(setup)),
        (Query::Help(None), Some(table)) => look.render(&help::help_at_table(table.kind().info())),
        (Query::Help(None), None) | (_, None) => help::help(house),
        (Query::Board, Some(table)) => {
            let sentence = with_table!(table, table => status::full_status(table, at));
            format!("{}\n\n{}", look.render(&sentence), board::render_board(table, &sentence, look))
                .trim_end()
                .to_owned()
        }
        (Query::Hint(level), Some(table)) => look.render(&with_table!(table, table => status::hint(table, *level))),
        (Query::Moves, Some(table)) => look.render(&with_table!(table, table => status::legal_move_list(table, at))),
        (Query::History, Some(table)) => look.render(&with_table!(table, table => status::move_history(table, at))),
    }
}

/// The last event of a table, to be told.
struct Announcement<'a, G: Game> {
    table: &'a Table<G>,
    event: &'a Event<G::Move>,
}

impl<G: Game> Announcement<'_, G> {
    /// Returns what has happened, and how the table stands now.
    fn sentence(&self) -> Phrase {
        let table = self.table;
        if table.status() != TableStatus::Playing {
            return phrase![self.ended(), status::rematch_hint(table)];
        }
        // The announcement of a question tells it already.
        let asks = matches!(self.event.kind, EventKind::OfferDraw | EventKind::AskUndo | EventKind::OfferResign);
        let open = if asks { None } else { status::open_offers(table) };
        let standing = status::status_line(table, self.calls_next_player(), self.event.timestamp);
        phrase![self.happened(), self.replies(0), self.news(), " ", standing, open]
    }

    /// Returns the doer of the event, with the seat they did it for.
    fn doer(&self) -> Phrase {
        let Announcement { table, event } = self;
        match (event.seat, table.terms().open.and_then(|_| table.login_of(event.by))) {
            (Some(seat), Some(login)) => {
                phrase![Span::Person(login.to_owned()), " (", G::INFO.side_name(seat), ")"]
            }
            (Some(seat), None) => sentences::player(table, seat),
            (None, _) => "A maintainer".into(),
        }
    }

    /// Tests if the answer mentions the player whose turn it is: after a move, and after a rematch that the opponent asked for.
    fn calls_next_player(&self) -> bool {
        // The computer has answered already, and whoever is to move has just been here.
        self.table.occupants().computer().is_none()
            && (matches!(self.event.kind, EventKind::Move { .. } | EventKind::MovedHere { .. })
                || self.event.resignation_text().is_some())
    }

    /// Tests if the event is a question or its refusal, which leave the board as it is.
    fn leaves_board(&self) -> bool {
        matches!(self.event.kind, EventKind::OfferDraw | EventKind::AskUndo | EventKind::Decline)
    }

    /// Returns the news that the event has brought about; `None` if it brought none.
    fn news(&self) -> Option<Phrase> {
        let Announcement { table, event } = self;
        let moved = matches!(event.kind, EventKind::New { .. } | EventKind::Move { .. });
        let is_new =
            moved || event.resignation_text().is_some() || table.timeline().last_event_plies().next().is_some();
        if is_new { sentences::commentary(table) } else { None }
    }

    /// Returns the player opposite, who is notified by it, with the seat; one who has never been here is not.
    fn opponent(&self) -> Option<Phrase> {
        let (table, seat) = (self.table, self.event.seat?.other());
        Some(match table.occupant(seat).filter(|sitter| sitter.id.is_some()) {
            Some(sitter) => phrase![Span::Mention(sitter.login.clone()), " (", G::INFO.side_name(seat), ")"],
            None => sentences::player(table, seat),
        })
    }

    /// Returns a question to the other side, with the computer's answer or how to answer.
    fn asked(&self, what: &'static str) -> Phrase {
        let answer = self.event.consequences.iter().find_map(|next| match next {
            Consequence::Draw(agrees) | Consequence::Resignation(agrees) => Some(*agrees),
            _ => None,
        });
        if let Some(agrees) = answer {
            let answer = if agrees { "accepted" } else { "declined" };
            return phrase![" ", what, ". The computer ", answer, "."];
        }
        let other = self.opponent();
        phrase![" ", what, ". ", other, " can ", code("/accept"), " or ", code("/decline"), ". A move declines it."]
    }

    /// Returns the last event as a sentence.
    fn happened(&self) -> Phrase {
        let Announcement { table, event } = self;
        let who = self.doer();
        let what = match &event.kind {
            EventKind::New { .. } => return self.opened(who),
            EventKind::Join => " joined the game.".into(),
            EventKind::Move { notation, mv } => phrase![" ", Self::played(notation, mv), "."],
            EventKind::OfferDraw => self.asked(OFFERED_DRAW),
            EventKind::AcceptDraw => " accepted the draw.".into(),
            EventKind::ClaimDraw => " claimed a draw.".into(),
            EventKind::Decline => " declined. The game continues.".into(),
            EventKind::AskUndo => self.asked(ASKED_UNDO),
            EventKind::Hint => " got a hint.".into(),
            EventKind::Undo { plies } => {
                let agrees = event.seat.is_some_and(|seat| table.occupants().has_person(seat.other()));
                let moves = match plies {
                    1 => "the last move".to_owned(),
                    2 => "the last two moves".to_owned(),
                    plies => format!("the last {plies} moves"),
                };
                let deed = if agrees { " agreed to take back " } else { " took back " };
                phrase![deed, moves, "."]
            }
            EventKind::Resign | EventKind::ResignFor { .. } => " resigned this game.".into(),
            EventKind::OfferResign => self.asked(OFFERED_RESIGNATION),
            EventKind::AcceptResign => " accepted and won this game.".into(),
            EventKind::Abort => " ended the game.".into(),
            EventKind::Claim => " claimed a win on time.".into(),
            EventKind::ImportedEnd { .. } => " ended this game elsewhere.".into(),
            EventKind::SeatComputer { level } => {
                let seat = event.seat.map(|seat| G::INFO.side_name(seat.other()));
                let level = format!(" to the computer (level {}).", level.number());
                phrase![" gave ", seat.unwrap_or_default(), level]
            }
            EventKind::AskComputer { .. } => " asked the computer to move.".into(),
            EventKind::MovedHere { from } if event.seat.is_none() => {
                return phrase![format!("The game from issue #{from} continues here."), self.unrated()];
            }
            EventKind::MovedHere { from } => {
                phrase![format!(" continued the game from issue #{from} here."), self.unrated()]
            }
            EventKind::MovedAway { to } => format!(" moved the game to issue #{to}.").into(),
        };
        phrase![who, what]
    }

    /// Returns what the computer did, but for so many of its last plies, as sentences with a space before each. What came of a
    /// ply before the next one is told with it.
    fn replies(&self, but: usize) -> Phrase {
        let plies: Vec<Ply<'_, G>> = self.table.timeline().last_event_plies().filter(|ply| ply.by_computer).collect();
        let told = &plies[..plies.len().saturating_sub(but)];
        Phrase::join(told.iter().map(|ply| phrase![" ", Self::reply(ply), "."]), "")
    }

    /// Returns a ply of the computer as a sentence without its end: "The computer (O) played `a1`".
    fn reply(ply: &Ply<'_, G>) -> Phrase {
        let news = ply.before.commentary().map(|news| phrase![news, " "]);
        let deed = match ply.played.map(|(mv, _)| G::action_phrase(mv)) {
            Some(Some(deed)) => Phrase::from(deed),
            _ => phrase!["played ", code(ply.move_list_entry())],
        };
        phrase![news, "The computer (", G::INFO.side_name(ply.seat), ") ", deed]
    }

    /// Returns a move as a deed: "played `b2`".
    fn played(notation: &str, mv: &G::Move) -> Phrase {
        G::action_phrase(mv).map_or_else(|| phrase!["played ", code(notation.to_owned())], Phrase::from)
    }

    /// Returns the end of the game as a sentence.
    fn ended(&self) -> Phrase {
        let table = self.table;
        let Some(last) = table.timeline().last_event_plies().last() else { return sentences::ending(table) };
        let how = match table.status() {
            TableStatus::Won(winner) if winner == last.seat => " and won.".into(),
            TableStatus::Won(winner) => phrase![". ", sentences::subject(table, winner), " won."],
            _ => phrase![". The game is a draw", sentences::ending_reason(table), "."],
        };
        let deed = match last.played {
            Some(_) if last.by_computer => phrase![self.happened(), self.replies(1), " ", Self::reply(&last)],
            Some((mv, notation)) => phrase![self.doer(), " ", Self::played(notation, mv)],
            None => return sentences::ending(table),
        };
        phrase![deed, how, sentences::commentary(table)]
    }

    /// Returns the opening of a table, with its players.
    fn opened(&self, who: Phrase) -> Phrase {
        let table = self.table;
        let game = G::INFO.name;
        let setup = G::setup_summary(table.config()).map_or(String::new(), |setup| format!(" ({setup})"));
        let round = if table.round() > 1 { format!("Round {}: ", table.round()) } else { String::new() };
        if table.terms().open.is_some() {
            return phrase![
                round,
                format!("This is an open game of {game}{setup}. "),
                sentences::seating(table),
                self.unrated()
            ];
        }
        let started = format!(" started a game of {game}{setup}. ");
        let opener = self.event.seat.map_or(Seat::First, |seat| seat);
        phrase![round, who, started, sentences::seat_sentence(table, opener.other(), Span::Mention), self.unrated()]
    }

    /// Returns the news that a game isn't rated, with a space before it; `None` if it is.
    fn unrated(&self) -> Option<&'static str> {
        G::has_custom_start(self.table.config())
            .then_some(" This game isn't rated because it starts from a chosen position.")
    }

    /// Returns the proof of the dice, below the first board and the last; `None` below all others.
    fn proof(&self) -> Option<Phrase> {
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

    /// Returns the introduction for a newcomer, below the first board; `None` below all others.
    fn welcome(&self) -> Option<Phrase> {
        let table = self.table;
        let first = table.history().len() == 1 && table.round() == 1;
        first.then(|| {
            let also = match table.terms().open {
                Some(_) => join_code(&["/undo", "/moves"], " or "),
                None => phrase![join_code(&["/undo", "/draw"], ", "), ", or ", code("/resign")],
            };
            phrase![
                "\n",
                G::aim(table.config()).into_owned(),
                " ",
                G::INFO.how_to_move(),
                "\n\nYou can also write ",
                also,
                ". For all commands, write ",
                code("/help"),
                ".\n"
            ]
        })
    }
}
