//! The contract between a game and the table it is played at.
//!
//! A game is a value. It knows its rules and how its moves are written; it knows nothing of GitHub, of players, of JSON
//! text or of Markdown. The list of legal moves is the one truth about legality, and [`turn`] is the only way to move.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::game::board::Board;
use crate::game::info::Info;
use crate::game::notation::fold;
use crate::game::options::{BadOption, Options};
use crate::game::rule::{RuleError, Unread};
use crate::game::seat::Seat;
use crate::game::throw::Throw;

/// How a game ended on the board. Endings by word (resigning, agreeing) belong to the table, not to the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// One side has won.
    Won(Seat),
    /// Nobody has won and nobody can move.
    Draw,
}

/// A game: a position that knows its rules.
///
/// Values are cheap to clone and never change; [`Game::play`] gives a new one.
pub trait Game: Clone + fmt::Debug + PartialEq {
    /// What the game says about itself.
    const INFO: Info;

    /// Whether dice are thrown in this game.
    const DICE: bool = false;

    /// What `/new` settled: board size, who starts, house rules. Written into the record as `config`.
    type Config: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned + JsonSchema;
    /// A move as the record keeps it, an object whose fields stand beside `notation` in the history: `{"position": 4}`.
    type Move: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned + JsonSchema;
    /// The position as other programs read it.
    type Position: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned + JsonSchema;

    /// Takes the options that this game knows out of a `/new`; what is left over is refused by the table.
    ///
    /// # Errors
    /// A value that the game cannot take.
    fn configure(options: &mut Options) -> Result<Self::Config, BadOption>;

    /// The position before the first move.
    ///
    /// # Errors
    /// `INVALID_STATE` when the configuration is none that [`Game::configure`] could have made; the sentence names the field.
    fn start(config: &Self::Config) -> Result<Self, RuleError>;

    /// What was set up, in a few words for a sentence: `3x3, 3 in a row`. Nothing where there is nothing to choose.
    fn setup(_config: &Self::Config) -> Option<String> {
        None
    }

    /// A position given by another program. Its shape is checked, not whether it can be reached.
    ///
    /// # Errors
    /// `INVALID_STATE`; the sentence names the field.
    fn at(config: &Self::Config, position: &Self::Position) -> Result<Self, RuleError>;

    /// This position, for the record and for other programs.
    fn position(&self) -> Self::Position;

    /// Whose turn it is. Once the game is over: whose turn it would be.
    fn to_move(&self) -> Seat;

    /// How the game ended, or nothing while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// What whoever is to move has to know before they do, as a sentence: "The next mark must go into the middle board."
    /// Nothing where the board says it all, and nothing after the end.
    fn turn_hint(&self) -> Option<String> {
        None
    }

    /// Whether two dice have to be thrown before anybody can do anything. Nobody throws them: the table does, at once.
    fn awaits_throw(&self) -> bool {
        false
    }

    /// The position after a throw that the game was waiting for, each die from 1 to 6. It may wait for another one then.
    #[must_use]
    fn thrown(&self, _throw: Throw) -> Self {
        self.clone()
    }

    /// What has come about since the last move that the position alone does not say, as sentences: who throws first, a
    /// turn that passed because nothing could be moved, a game of a match that ended, how much a win is worth.
    fn news(&self) -> Option<String> {
        None
    }

    /// The position after a seat has given the game up, for games that go on after that or count what was lost.
    fn resigned(&self, _seat: Seat) -> Option<Self> {
        None
    }

    /// The completed lines of a won game, each as its cells (or as its boards, where boards are what a line is made of),
    /// for games that have such a thing.
    fn winning_lines(&self) -> Vec<Vec<usize>> {
        Vec::new()
    }

    /// Every legal move, each once, in the order a person would list them. Empty exactly when the game is over, or waits
    /// for a throw.
    fn legal_moves(&self) -> Vec<Self::Move>;

    /// The rule that forbids a move, in the engine's words. Nothing for a legal move.
    fn objection(&self, mv: &Self::Move) -> Option<RuleError>;

    /// The same objection in a player's words: "`a1` is taken by O". Nothing where the engine's words will do.
    fn explain(&self, _mv: &Self::Move) -> Option<String> {
        None
    }

    /// The position after a legal move. Only [`turn`] calls this, and only with a legal move.
    #[must_use]
    fn play(&self, mv: &Self::Move) -> Self;

    /// The canonical way to write a legal move: `b2`.
    fn notation(&self, mv: &Self::Move) -> String;

    /// A legal move as a list of moves shows it, with what it was an answer to: `31: 8/5 6/5`.
    fn entry(&self, mv: &Self::Move) -> String {
        self.notation(mv)
    }

    /// The heading under which a legal move stands where many are listed: `From 24`. Moves that name a cell of a board go by
    /// its rows without this.
    fn group(&self, _mv: &Self::Move) -> Option<String> {
        None
    }

    /// A move as somebody's deed, where "plays" and its notation would not say it well: `takes the double`.
    fn deed(_mv: &Self::Move) -> Option<&'static str> {
        None
    }

    /// Reads a move, legal or not, as people type it: case, spaces, trailing punctuation and emoji do not matter.
    ///
    /// A game whose moves have names need not write this: the name of a legal move is then a move, and nothing else is.
    ///
    /// # Errors
    /// Why the text is no move of this game.
    fn read(&self, text: &str) -> Result<Self::Move, Unread> {
        let wanted = fold(text);
        let mut found = self.legal_moves().into_iter().filter(|mv| fold(&self.notation(mv)) == wanted);
        match (found.next(), found.next()) {
            (Some(only), None) => Ok(only),
            (Some(one), Some(two)) => {
                let all = [one, two].into_iter().chain(found);
                Err(Unread::Ambiguous(all.map(|mv| self.notation(&mv)).collect()))
            }
            (None, _) => Err(Unread::Strange),
        }
    }

    /// What a legal move leads to, for other programs: the position, or the part of it that says it all.
    fn result(&self, mv: &Self::Move) -> Value {
        serde_json::to_value(self.play(mv).position()).unwrap_or_default()
    }

    /// What else other programs want to know about the moves here, as fields of their own.
    fn facts(&self) -> serde_json::Map<String, Value> {
        serde_json::Map::new()
    }

    /// Judges a move that need not be legal, as another program proposes it, and says everything that is wrong with it.
    /// Nothing where the game has no such judgement.
    fn validate(&self, _proposal: &Value) -> Option<Result<Value, RuleError>> {
        None
    }

    /// The cell of the board that a legal move belongs to, where a page puts its link; `None` if it belongs to no cell. No
    /// two legal moves belong to one cell.
    fn cell(&self, _mv: &Self::Move) -> Option<usize> {
        None
    }

    /// The board that people see, with the last move marked if there was one.
    fn board(&self, last: Option<&Self::Move>) -> Box<dyn Board>;

    /// How many positions lie exactly `depth` plies ahead.
    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        self.legal_moves().iter().map(|mv| self.play(mv).perft(depth - 1)).sum()
    }
}

/// The position after a move: the only way to move.
///
/// # Errors
/// The rule that forbids the move; the position is unchanged.
pub fn turn<G: Game>(game: &G, mv: &G::Move) -> Result<G, RuleError> {
    if game.legal_moves().contains(mv) {
        return Ok(game.play(mv));
    }
    Err(game.objection(mv).unwrap_or_else(|| RuleError {
        code: "INVALID_MOVE_POSITION",
        message: "The move is not legal here".to_owned(),
        context: Value::Null,
    }))
}
