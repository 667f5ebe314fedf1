//! The sentences in which a table tells of itself.

use std::borrow::Cow;

use crate::game::contract::Game;
use crate::game::phrase::{Phrase, Span, code, phrase};
use crate::game::seat::Seat;
use crate::tables::history::{Event, EventKind, Sitter, seat_name};
use crate::tables::imported::ImportedReason;
use crate::tables::table::{Table, TableStatus};

impl<G: Game> Table<G> {
    /// Returns the players with their seats, as a sentence.
    pub fn seating(&self) -> Phrase {
        self.seating_with(Span::Person)
    }

    /// Returns the same, with a span of its own for somebody who has to come back after a rematch.
    pub fn seating_with(&self, called: fn(String) -> Span) -> Phrase {
        if let Some(open) = self.terms.open {
            let turns = match open.gap {
                0 => "as often as they like".to_owned(),
                1 => "but nobody twice in a row".to_owned(),
                gap => format!("but not again before {gap} others have moved"),
            };
            return format!("Anyone may move for either side, {turns}.").into();
        }
        let [first, second] = Seat::BOTH.map(|seat| {
            let name = seat_name::<G>(seat);
            match self.sitter(seat) {
                None => phrase![name, " is open (", code("/join"), " takes it)"],
                Some(Sitter { computer: Some(level), .. }) => {
                    phrase![name, format!(" is the computer, level {}", level.number())]
                }
                Some(Sitter { kept: true, login, .. }) => phrase![name, " is kept for ", called(login.clone())],
                Some(Sitter { id: None, login, .. }) => phrase![name, " is kept for ", Span::Person(login.clone())],
                Some(Sitter { login, .. }) => phrase![name, " is ", Span::Person(login.clone())],
            }
        });
        phrase![first, ", ", second, "."]
    }

    /// Returns the end of the game as a sentence; "The game is still going on." while it does.
    pub fn ending(&self) -> Phrase {
        let last = self.history.last();
        match (self.status, last) {
            (TableStatus::Playing, _) => "The game is still going on.".into(),
            (TableStatus::Won(seat), Some(event)) if event.giving_up().is_some() => {
                // On the board most games are not over then, and the news of the last move are old.
                let news = self.game().outcome().and_then(|_| self.news());
                phrase![self.subject(seat.other()), " resigned, ", self.player(seat), " won.", news]
            }
            (status, Some(Event { kind: EventKind::ImportedEnd { reason, .. }, .. })) => {
                self.imported_ending(status, *reason)
            }
            (TableStatus::Won(seat), Some(Event { kind: EventKind::Claim, .. })) => {
                phrase![self.subject(seat), " won: the time of ", self.player(seat.other()), " had run out."]
            }
            (TableStatus::Won(seat), _) => phrase![self.subject(seat), " won", self.reason(), ".", self.news()],
            (TableStatus::Draw, Some(Event { kind: EventKind::OfferDraw, seat: Some(seat), .. })) => {
                phrase![self.player(seat.0), " offered a draw, and the computer accepted it."]
            }
            (TableStatus::Draw, Some(Event { kind: EventKind::AcceptDraw, .. })) => {
                "The players agreed to a draw.".into()
            }
            (TableStatus::Draw, Some(Event { kind: EventKind::ClaimDraw, seat: Some(seat), .. })) => {
                let reason = self.game().claimable_draw().map(Cow::into_owned);
                phrase![self.subject(seat.0), " claimed a draw: ", reason, "."]
            }
            (TableStatus::Draw, _) => phrase!["The game ended in a draw", self.reason(), ".", self.news()],
            (TableStatus::Moved(to), _) => format!("The game goes on in issue #{to}.").into(),
            // A maintainer may have done that, or anybody when the record was full.
            (TableStatus::Aborted, _) if self.terms.open.is_some() => "The game ended without a result.".into(),
            (TableStatus::Aborted, _) => {
                let who = self.history.last().and_then(|event| event.seat).map(|seat| self.player(seat.0));
                phrase![who.unwrap_or("A maintainer".into()), " ended the game without a result."]
            }
        }
    }

    /// Returns the end of an imported game that its moves don't show, as a sentence.
    fn imported_ending(&self, status: TableStatus, reason: Option<ImportedReason>) -> Phrase {
        match (status, reason) {
            (TableStatus::Won(seat), Some(ImportedReason::Time)) => {
                phrase![self.subject(seat), " won: the time of ", self.player(seat.other()), " had run out."]
            }
            (TableStatus::Won(seat), Some(ImportedReason::Abandoned)) => {
                phrase![self.subject(seat), " won: ", self.player(seat.other()), " abandoned the game."]
            }
            (TableStatus::Won(seat), None) => {
                phrase![self.subject(seat), " won. The record doesn't say how."]
            }
            (TableStatus::Draw, _) => "The game was a draw. The record doesn't say why.".into(),
            _ => "The game was abandoned without a result.".into(),
        }
    }

    /// Returns the player at a seat, with the seat: "alice (X)"; the seat alone where nobody sits.
    pub fn player(&self, seat: Seat) -> Phrase {
        let name = seat_name::<G>(seat);
        match self.sitter(seat) {
            None => name.into(),
            Some(Sitter { computer: Some(_), .. }) => phrase!["the computer (", name, ")"],
            Some(sitter) => phrase![Span::Person(sitter.login.clone()), " (", name, ")"],
        }
    }

    /// Returns the same for the beginning of a sentence.
    pub fn subject(&self, seat: Seat) -> Phrase {
        match self.computer_at(seat) {
            Some(_) => phrase!["The computer (", seat_name::<G>(seat), ")"],
            None => self.player(seat),
        }
    }

    /// Returns the reason why the game ended on the board, behind a colon; `None` while it goes on.
    pub fn reason(&self) -> Option<Phrase> {
        let reason = self.game().ending()?.reason?;
        Some(phrase![": ", reason.into_owned()])
    }

    /// Returns a sentence about the dice of a table that was replayed: false ones would have been found. `None` where none were
    /// thrown.
    pub fn dice_proof(&self) -> Option<String> {
        let (throws, shown) = (self.throws, self.history.last().is_some_and(|event| event.key.is_some()));
        let proof = match (self.commitment, shown) {
            _ if throws == 0 => return None,
            (Some(_), true) => "each proved by the key",
            (Some(_), false) if self.status == TableStatus::Playing => "to be proved when the round has ended",
            (Some(_), false) => "NOT proved: the round was ended without its key",
            (None, _) => "recorded without a proof",
        };
        Some(format!("{throws} throws of the dice, {proof}."))
    }

    /// Returns the news that the last move has brought about, with a space before it; `None` if it brought none.
    pub fn news(&self) -> Option<Phrase> {
        self.game().news().map(|news| phrase![" ", news])
    }
}
