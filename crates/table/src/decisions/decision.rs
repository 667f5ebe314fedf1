//! A decision about a comment: what is to be done about it.

use game::engine::Level;
use games::registry::GameKind;

use crate::any_table::AnyTable;
use crate::decisions::presets::Preset;
use crate::decisions::refusal::Refusal;

/// The thing to be done about a comment.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum Decision {
    /// No change and no answer.
    Chat,
    /// A change of the table; a finished game that made room for the next one goes to the archive.
    Apply {
        /// The table after the event.
        table: Box<AnyTable>,
        /// The finished game, if a new one has begun.
        finished: Option<Box<AnyTable>>,
    },
    /// No change, and an answer that says why.
    Refuse(Refusal),
    /// No change, and an answer that shows something.
    Show(Query),
}

/// The things that can be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Query {
    /// The board and who is to move.
    Board,
    /// The legal moves.
    Moves,
    /// The moves so far.
    History,
    /// The move that the computer would play. It is thought of when it is told: a plan looks at many comments.
    Hint(Level),
    /// The commands, or how one game is played.
    Help(Option<GameKind>),
    /// A game with options that has a name of its own, and how it is played.
    HelpPreset(&'static Preset),
}
