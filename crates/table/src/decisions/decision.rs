//! A decision about a comment.

use game::engine::Level;
use games::registry::GameVariant;

use crate::absence::AwayRequest;
use crate::any_table::AnyTable;
use crate::comments::comment::Author;
use crate::decisions::refusal::Refusal;

/// A decision about a comment.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum Decision {
    /// Do nothing: the comment is chat.
    Chat,
    /// Change the table. A finished game goes to the archive when the next one begins.
    Apply {
        /// The table after the event.
        table: Box<AnyTable>,
        /// The game that it replaces or continues, if there is one.
        previous: Option<Box<AnyTable>>,
    },
    /// Change nothing, and say why.
    Refuse(Refusal),
    /// Change nothing, and show something.
    Show(Query),
    /// Change the author's time away, but no table.
    Away(AwayRequest),
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
