//! All results counted again, one after the other: the standings, and every rating on the way there.

use game::seat::Seat;
use table::any_table::AnyTable;
use table::talk::comment::Millis;

use crate::counting::Standings;
use crate::files::{ComputerRow, OpenRow, PlayerFile, Ranking, RatedRow};
use crate::result::{Participants, TableResult, result_of};

/// The results of tables, with their numbers.
#[derive(Debug, Default)]
pub struct Recount(Vec<(u64, TableResult)>);

/// The rating of a person after a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatingStep {
    /// The numeric user id.
    pub id: u64,
    /// The name of the game.
    pub game: &'static str,
    /// The time when the game ended.
    pub ended_at: Millis,
    /// The rating by Glicko-2.
    pub rating: f64,
    /// Its standard deviation.
    pub deviation: f64,
}

/// The standings that the results lead to.
#[derive(Debug, Default)]
pub struct RecountedStandings {
    standings: Standings,
    /// The ratings, in the order in which they came about within a game.
    pub rating_steps: Vec<RatingStep>,
}

impl Recount {
    /// Takes the result of a table in, if it was counted.
    pub fn add_table(&mut self, table: &AnyTable) {
        self.0.extend(table.result_number().zip(result_of(table)));
    }

    /// Takes the results of another one in.
    pub fn extend(&mut self, other: Recount) {
        self.0.extend(other.0);
    }

    /// Counts all of them, in the order of their numbers.
    pub fn count(mut self) -> RecountedStandings {
        self.0.sort_by_key(|(number, result)| (result.kind(), *number, result.ended_at));
        let mut counted = RecountedStandings::default();
        for (number, result) in &self.0 {
            counted.standings.add_result(*number, result);
            let Participants::Seated { kind, players, .. } = &result.participants else { continue };
            let game = kind.info().name;
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
    /// Returns the results of a person; `None` if they have none that counts.
    pub fn player(&self, id: u64) -> Option<&PlayerFile> {
        self.standings.player(id)
    }

    /// Returns the ranking of a game; `None` if nobody has a result.
    pub fn rated(&self, game: &str) -> Option<&Ranking<RatedRow>> {
        self.standings.rated(game)
    }

    /// Returns the ranking of the open tables.
    pub fn open(&self) -> Option<&Ranking<OpenRow>> {
        self.standings.open()
    }

    /// Returns the ranking of those who have beaten the computer.
    pub fn computer(&self) -> Option<&Ranking<ComputerRow>> {
        self.standings.computer()
    }
}
