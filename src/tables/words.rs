//! What a table says about itself, in sentences.

use crate::answers::markdown;
use crate::game::contract::Game;
use crate::game::seat::Seat;
use crate::tables::history::{Sitter, What, seat_name};
use crate::tables::table::{Table, TableStatus};

impl<G: Game> Table<G> {
    /// Who sits where, as a sentence.
    #[must_use]
    pub fn seating(&self) -> String {
        if let Some(open) = self.terms.open {
            let turns = match open.gap {
                0 => "as often as they like".to_owned(),
                1 => "but nobody twice in a row".to_owned(),
                gap => format!("but not again before {gap} others have moved"),
            };
            return format!("Anyone may move for either side, {turns}.");
        }
        let [first, second] = Seat::BOTH.map(|seat| {
            let name = seat_name::<G>(seat);
            match self.sitter(seat) {
                None => format!("{name} is open (`/join` takes it)"),
                Some(Sitter { id: None, login }) => format!("{name} is kept for {}", markdown::name(login)),
                Some(Sitter { login, .. }) => format!("{name} is {}", markdown::name(login)),
            }
        });
        format!("{first}, {second}.")
    }

    /// How the game ended, as a sentence; "The game is still going on." while it does.
    #[must_use]
    pub fn ending(&self) -> String {
        let name = |seat: Seat| match self.sitter(seat) {
            Some(sitter) => format!("{} ({})", markdown::name(&sitter.login), seat_name::<G>(seat)),
            None => seat_name::<G>(seat).to_owned(),
        };
        let last = self.history.last().map(|event| &event.what);
        match (self.status, last) {
            (TableStatus::Playing, _) => "The game is still going on.".to_owned(),
            (TableStatus::Won(seat), Some(What::Resign)) => {
                format!("{} resigned, {} won.{}", name(seat.other()), name(seat), self.also())
            }
            (TableStatus::Won(seat), Some(What::Claim)) => {
                format!("{} won: the time of {} had run out.", name(seat), name(seat.other()))
            }
            (TableStatus::Won(seat), _) => format!("{} won.{}", name(seat), self.also()),
            (TableStatus::Draw, Some(What::AcceptDraw)) => "The players agreed to a draw.".to_owned(),
            (TableStatus::Draw, _) => "The game ended in a draw.".to_owned(),
            (TableStatus::Moved(to), _) => format!("The game goes on in issue #{to}."),
            (TableStatus::Aborted, _) => "The game was ended without a result.".to_owned(),
        }
    }

    /// What has come about since the last move, with a space before it.
    #[must_use]
    pub fn also(&self) -> String {
        self.game().news().map_or(String::new(), |sentences| format!(" {sentences}"))
    }
}
