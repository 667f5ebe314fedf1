//! A decision about a comment: what is to be done about it.

use crate::decisions::refusal::Refusal;
use crate::games::registry::Kind;
use crate::tables::any::AnyTable;

/// The thing to be done about a comment.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// Nothing at all.
    Chat,
    /// The table changes; a finished game that made room for the next one goes to the archive.
    Apply {
        /// The table after the event.
        table: Box<AnyTable>,
        /// The finished game, if a new one has begun.
        finished: Option<Box<AnyTable>>,
    },
    /// Nothing changes, and the answer says why.
    Refuse(Refusal),
    /// Nothing changes, and the answer shows something.
    Show(Show),
}

/// The things that can be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Show {
    /// The board and who is to move.
    Board,
    /// The legal moves.
    Moves,
    /// The moves so far.
    History,
    /// The commands, and how one game or all of them are played.
    Help(Option<Kind>),
}
