//! The ways in which a table says no to a player: data, put into words in `answers/refusal.rs`.

use crate::game::contract::Game;
use crate::game::phrase::Phrase;
use crate::game::rule::RuleError;
use crate::tables::history::seat_name;
use crate::tables::table::Table;
use crate::talk::comment::Millis;

/// The most legal moves that a refusal lists; more are counted instead.
const FEW: usize = 40;

/// The rule of a table, or of its game, that forbids what a player asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableRefusal {
    /// The table already holds a game that is going on.
    TableTaken,
    /// The game is over; the sentence says how it ended.
    GameOver(Phrase),
    /// The author has no seat; the sentence says who has.
    NotSeated(Phrase),
    /// Somebody else sits there: the seat and their login.
    SeatTaken(&'static str, String),
    /// The author already has a seat.
    AlreadySeated(&'static str),
    /// It is the other side's turn: their seat and who sits there.
    NotYourTurn(&'static str, Option<String>),
    /// A rule of the game is in the way.
    Rule {
        /// The machine code of the rule.
        code: &'static str,
        /// The engine's sentence.
        message: String,
        /// The same in a player's words, where the game has some.
        explained: Option<Phrase>,
        /// The legal moves; when there are too many to list, their number.
        legal: Result<Vec<String>, usize>,
    },
    /// A draw was offered already.
    DrawStands,
    /// A draw was declined and the offerer has not moved since.
    DrawDeclined,
    /// An undo was asked already.
    UndoStands,
    /// An undo was declined and the asker has not moved since.
    UndoDeclined,
    /// The asker has made no move.
    NothingToUndo,
    /// The other side has asked nothing.
    NothingToAccept,
    /// The other side has asked nothing.
    NothingToDecline,
    /// There is nobody opposite yet.
    NobodyOpposite,
    /// There is no limit of time at this table.
    NoClock,
    /// It is the claimer's own time that runs.
    OwnClock,
    /// The other side still has time.
    TimeLeft(Millis),
    /// At an open table nobody speaks for a side.
    OpenTable,
    /// At an open table: so many others have to move before this person may again.
    MovedLately(u32),
    /// At an open table only the last move can be taken back, and only by its player.
    NotYourMove,
    /// Dice have been shown since the move that is to be taken back.
    DiceShown,
    /// The key that the dice of this round are made with is gone, because the secret of the host is another one now.
    SecretLost,
}

impl TableRefusal {
    /// Returns the refusal of somebody who is not on turn.
    #[must_use]
    pub fn not_your_turn<G: Game>(table: &Table<G>) -> TableRefusal {
        let seat = table.to_move();
        TableRefusal::NotYourTurn(seat_name::<G>(seat), table.sitter(seat).map(|sitter| sitter.login.clone()))
    }

    /// Returns the refusal of a move that a rule forbids.
    #[must_use]
    pub fn rule<G: Game>(game: &G, mv: &G::Move, rule: &RuleError) -> TableRefusal {
        let legal = game.legal_moves();
        let legal = match legal.len() {
            0..=FEW => Ok(legal.iter().map(|mv| game.notation(mv)).collect()),
            many => Err(many),
        };
        TableRefusal::Rule { code: rule.code, message: rule.message.clone(), explained: game.explain(mv), legal }
    }
}
