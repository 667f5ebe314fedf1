//! Counts all results again, which gives the standings and each player's rating after every game.

use game::seat::Seat;
use table::any_table::AnyTable;
use table::ids::{ResultNumber, UserId};
use table::timestamp::Timestamp;

use crate::counting::Standings;
use crate::files::{ComputerRow, OpenRow, PlayerFile, Ranking, RatedRow};
use crate::result::{Participants, TableResult, result_of};

/// A collection of results to count again, with their numbers.
#[derive(Debug, Default)]
pub struct Recount(Vec<(ResultNumber, TableResult)>);

/// A person's rating after a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatingStep {
    /// The numeric user id.
    pub id: UserId,
    /// The name of the game or variant.
    pub game: &'static str,
    /// The time when the game ended.
    pub ended_at: Timestamp,
    /// The Glicko-2 rating.
    pub rating: f64,
    /// The standard deviation of the rating.
    pub deviation: f64,
}

/// The standings after a recount.
#[derive(Debug, Default)]
pub struct RecountedStandings {
    standings: Standings,
    /// The ratings after each result, grouped by game, in the order of the results.
    pub rating_steps: Vec<RatingStep>,
}

impl Recount {
    /// Adds the result of a table if it was counted.
    pub fn add_table(&mut self, table: &AnyTable) {
        self.0.extend(table.result_number().zip(result_of(table)));
    }

    /// Adds the results of another recount.
    pub fn extend(&mut self, other: Recount) {
        self.0.extend(other.0);
    }

    /// Counts all results in the order of their numbers.
    pub fn count(mut self) -> RecountedStandings {
        self.0.sort_by_key(|(number, result)| (result.kind(), *number, result.ended_at));
        let mut counted = RecountedStandings::default();
        for (number, result) in &self.0 {
            counted.standings.add_result(*number, result);
            let Participants::Seated { game, players, .. } = &result.participants else { continue };
            let game = game.name();
            for id in Seat::BOTH.map(|seat| players[seat.index()].id) {
                let score = counted.standings.player(id).and_then(|player| player.games.get(game));
                let step = score.map(|score| RatingStep {
                    id,
                    game,
                    ended_at: result.ended_at,
                    rating: score.rating,
                    deviation: score.deviation,
                });
                counted.rating_steps.extend(step);
            }
        }
        counted
    }
}

impl RecountedStandings {
    /// Returns a person's results; `None` if they have none.
    pub fn player(&self, id: UserId) -> Option<&PlayerFile> {
        self.standings.player(id)
    }

    /// Returns a game's ranking; `None` if it has no results.
    pub fn rated(&self, game: &str) -> Option<&Ranking<RatedRow>> {
        self.standings.rated(game)
    }

    /// Returns the ranking of the open tables; `None` if they have no results.
    pub fn open(&self) -> Option<&Ranking<OpenRow>> {
        self.standings.open()
    }

    /// Returns the ranking of the people who have beaten the computer; `None` if nobody has.
    pub fn computer(&self) -> Option<&Ranking<ComputerRow>> {
        self.standings.computer()
    }
}
