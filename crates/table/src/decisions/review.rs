//! Checks whether the bot may show the review of a game.

use game::contract::Game;

use crate::decisions::decision::Query;
use crate::decisions::refusal::Refusal;
use crate::decisions::verdict::Verdict;
use crate::game_state::TableStatus;
use crate::table::Table;

/// Shows the review of a finished game. During the game, a review would help the players.
pub(super) fn show_review<G: Game>(table: &Table<G>) -> Result<Verdict, Refusal> {
    match table.status() {
        TableStatus::Playing => Err(Refusal::ReviewOfRunningGame),
        TableStatus::Moved(to) => Err(Refusal::TableMoved(to)),
        _ if table.has_result() && table.plies().len() > 0 => Ok(Verdict::Show(Query::Review)),
        _ => Err(Refusal::NothingToReview),
    }
}
