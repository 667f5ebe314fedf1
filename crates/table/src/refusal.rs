//! The refusals of a table: data, put into words in `answers/refusal.rs`.

use game::contract::Game;
use game::phrase::Phrase;
use game::rule::RuleError;

use crate::talk::comment::Millis;

/// The most legal moves that a refusal lists; more are counted instead.
const MAX_LISTED_MOVES: usize = 40;

/// The rule of a table, or of its game, that forbids what a player asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableRefusal {
    /// A new game while one is going on at the table.
    GameInProgress,
    /// A command after the end of the game.
    GameOver,
    /// A command by somebody without a seat.
    NotSeated,
    /// A seat of somebody else: the seat and their login.
    SeatTaken(&'static str, String),
    /// A seat that the computer has.
    ComputerHasSeat(&'static str),
    /// A second seat for its author: the one they have.
    AlreadySeated(&'static str),
    /// A move out of turn: the seat on turn, and the login at it if somebody sits there.
    NotYourTurn(&'static str, Option<String>),
    /// A move that a rule of the game forbids.
    IllegalMove {
        /// The machine code of the rule.
        code: &'static str,
        /// The engine's sentence.
        message: String,
        /// The same in a player's words, where the game has some.
        explanation: Option<Phrase>,
        /// The legal moves, or their number when there are too many to list.
        legal_moves: Result<Vec<String>, usize>,
    },
    /// A second draw offer while one stands.
    DrawAlreadyOffered,
    /// A draw offer by a side that was declined and has not moved since.
    DrawDeclined,
    /// A claim of a draw that the game does not grant.
    NoDrawToClaim,
    /// A second request to undo while one stands.
    UndoAlreadyRequested,
    /// A request to undo by a side that was declined and has not moved since.
    UndoDeclined,
    /// A second offer to give the game up while one stands.
    ResignAlreadyOffered,
    /// An offer to give the game up by a side that was declined and has not moved since.
    ResignDeclined,
    /// An end of the game for a cost that it cannot have, or that it takes no offer or an offer for.
    InvalidStake,
    /// An undo for a side that has made no move.
    NothingToUndo,
    /// An acceptance without a question of the other side.
    NothingToAccept,
    /// A decline without a question of the other side.
    NothingToDecline,
    /// A question or a claim while nobody sits opposite.
    NoOpponent,
    /// A question or a claim after a rematch, to somebody who has not come back for it: their login.
    OpponentNotBack(String),
    /// A claim at a table without a limit of time.
    NoTimeLimit,
    /// A claim while the claimer's own time runs.
    OwnTimeRunning,
    /// A claim while the other side still has time: the milliseconds left.
    TimeLeft(Millis),
    /// A hint at a table between two people.
    NoHints,
    /// A command for a side at an open table, where nobody speaks for one.
    NotAtOpenTable,
    /// A move of the computer for the side on turn, where the sides have players.
    OnlyAtOpenTable,
    /// A move too soon at an open table: the number of others who have to move before this person may again.
    MovedRecently(u32),
    /// An undo at an open table of a move that is not the last one, or another's.
    NotYourMove,
    /// An undo of a move after which dice have been shown.
    DiceRolled,
    /// An end that only an imported game can have.
    NotImported,
    /// An event that calls for dice when their key is gone, because the secret of the host is another one now.
    SecretLost,
}

impl TableRefusal {
    /// Returns the refusal of a move that a rule forbids.
    pub fn illegal_move<G: Game>(game: &G, mv: &G::Move, rule: &RuleError) -> TableRefusal {
        let legal = game.legal_moves();
        let legal = match legal.len() {
            0..=MAX_LISTED_MOVES => Ok(legal.iter().map(|mv| game.notation(mv)).collect()),
            many => Err(many),
        };
        TableRefusal::IllegalMove {
            code: rule.code,
            message: rule.message.clone(),
            explanation: game.explain(mv),
            legal_moves: legal,
        }
    }
}
