//! A decision about a comment, first while its change is pending, then when it's done.
//!
//! A plan decides about every pending comment, so that has to be cheap. [`Decision::finish`] rolls the dice and searches for
//! the computer's moves. It runs only once, for the command that is being settled.

use game::Level;
use games::GameVariant;

use crate::{Author, AwayRequest, ConditionalRefusal, Key, Refusal, Table, TableRefusal, state_file};

/// A decision about a comment that isn't chat. `Change` is what happens to the table: it's [`Pending`], then [`Done`].
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum Decision<Change> {
    /// Change the table.
    Apply(Change),
    /// Change nothing, and say why.
    Refuse(Refusal),
    /// Change nothing, and show something.
    Show(Query),
    /// Change the author's time away, but no table.
    Away(AwayRequest),
    /// Change nothing yet: the comment is a vote for this move, in canonical notation.
    Vote(String),
}

/// A change whose effects haven't happened yet: no dice have been rolled for it, and the computer hasn't moved.
#[derive(Clone, Debug, PartialEq)]
pub struct Pending {
    /// The table with the event, before its effects.
    table: Box<Table>,
    key: Option<Key>,
    previous: Option<Box<Table>>,
    only_if_nearly_full: bool,
}

/// A change with all its effects, ready to be committed.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// The table after the event.
    pub table: Box<Table>,
    /// The game that it replaces or continues, if there is one. A finished game goes to the archive when the next one begins.
    pub previous: Option<Box<Table>>,
}

impl Decision<Pending> {
    /// Whether finishing it, or showing what it asks for, may search for moves for as long as seconds.
    pub fn needs_search(&self) -> bool {
        match self {
            Decision::Apply(change) => change.table.players().computer().is_some(),
            Decision::Show(query) => query.needs_search(),
            Decision::Refuse(_) | Decision::Away(_) | Decision::Vote(_) => false,
        }
    }

    /// Returns the decision with the effects of its change. This is the only slow part: it may take seconds.
    pub fn finish(self) -> Decision<Done> {
        match self {
            Decision::Apply(change) => change.finish().map_or_else(Decision::Refuse, Decision::Apply),
            Decision::Refuse(refusal) => Decision::Refuse(refusal),
            Decision::Show(query) => Decision::Show(query),
            Decision::Away(request) => Decision::Away(request),
            Decision::Vote(notation) => Decision::Vote(notation),
        }
    }
}

impl Query {
    /// Whether showing it may search for moves for as long as seconds.
    pub fn needs_search(&self) -> bool {
        matches!(self, Query::Hint(_) | Query::Review)
    }
}

impl Pending {
    /// Creates a change from a table with an event that has no effects yet, and the key for its dice.
    pub(super) fn new(table: Table, key: Option<Key>) -> Pending {
        Pending { table: Box::new(table), key, previous: None, only_if_nearly_full: false }
    }

    /// Returns this change, which replaces or continues a game.
    pub(super) fn replacing(self, previous: Option<Table>) -> Pending {
        Pending { previous: previous.map(Box::new), ..self }
    }

    /// Returns this change with a condition: it counts only if the record is full, or nearly full.
    pub(super) fn only_if_nearly_full(self) -> Pending {
        Pending { only_if_nearly_full: true, ..self }
    }

    /// Checks that the record has room, rolls the dice and makes the computer's moves.
    ///
    /// # Errors
    /// Returns an error if the record has no room, or if the dice's key is missing or doesn't match the table's commitment.
    fn finish(mut self) -> Result<Done, Refusal> {
        let table = &*self.table;
        if self.only_if_nearly_full && !state_file::is_nearly_full(table) {
            return Err(TableRefusal::NotAtOpenTable.into());
        }
        if table.is_playing() && state_file::is_full(table) {
            return Err(if table.is_open() { Refusal::OpenRecordFull } else { Refusal::RecordFull });
        }
        let adds_lines = table.history().last().is_some_and(|event| event.kind.lines().next().is_some());
        if adds_lines && state_file::is_too_long_for_lines(table) {
            return Err(TableRefusal::from(ConditionalRefusal::LongRecord).into());
        }
        let previous = self.previous.take();
        Ok(Done { table: Box::new(self.with_consequences()?), previous })
    }

    /// Returns the table with all effects of its last event.
    ///
    /// # Errors
    /// Returns an error if the dice's key is missing or doesn't match the table's commitment.
    pub(super) fn with_consequences(self) -> Result<Table, TableRefusal> {
        let Pending { table, key, .. } = self;
        table.finish_event(key.as_ref())
    }
}

/// A request to show something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Query {
    /// The board and the player to move.
    Board,
    /// The legal moves.
    Moves,
    /// The moves so far.
    History,
    /// The conditional moves of both players.
    ConditionalMoves,
    /// The game as a file that other programs read: PGN for chess.
    File,
    /// The position as other programs read it: FEN for chess.
    Position,
    /// The move that the computer would play. The search runs only when the answer is written, because a plan looks at
    /// many comments.
    Hint(Level),
    /// The review of the finished game. The search runs when the answer is written.
    Review,
    /// The time that each player has.
    Time,
    /// The leaders of a game, and the place of the person who asks.
    Standings(Ranking, Author),
    /// The ratings of the person with this username, or those of the person who asks.
    Ratings(Option<String>, Author),
    /// The games in progress of the person who asks.
    OwnGames(Author),
    /// The list of commands, or the help for one game or variant.
    Help(Option<GameVariant>),
    /// How to play the table's game.
    Rules,
}

/// A ranking, or all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranking {
    /// The leaders of every ranking.
    All,
    /// The ranking of a game or variant.
    Game(GameVariant),
    /// The ranking of the open tables.
    Open,
    /// The ranking of the people who have beaten the computer.
    Computer,
}
