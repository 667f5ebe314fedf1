//! [`ListedResult`]: a finished game in the list of tables.

use game::seat::Seat;
use games::registry::GameVariant;
use serde::{Deserialize, Serialize};
use standings::result::{Participants, result_of};
use table::any_table::{AnyTable, with_table};
use table::game_state::TableStatus;
use table::history::Occupant;
use table::ids::IssueNumber;
use table::running_game::is_player_name;
use table::timestamp::Timestamp;

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ListedResult {
    pub(super) issue: IssueNumber,
    pub(super) round: u32,
    /// The name of the game or variant, such as `chess`.
    pub(super) game: String,
    /// The players' names by side; `None` for open games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) players: Option<[String; 2]>,
    /// The winning side: 0 for the first, 1 for the second; `None` for a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) winner: Option<usize>,
    pub(super) ended_at: Timestamp,
}

impl ListedResult {
    /// Returns the row of a finished game; `None` if it doesn't count in the standings.
    pub(super) fn from_table(table: &AnyTable) -> Option<ListedResult> {
        let result = result_of(table)?;
        let players = match result.participants {
            Participants::Seated { players, .. } => Some(players.map(|player| player.login)),
            Participants::Open(_) => None,
            Participants::Computer { player, seat, level, .. } => {
                let mut players = [player.login, Occupant::computer(level).name().to_owned()];
                if seat == Seat::Second {
                    players.reverse();
                }
                Some(players)
            }
        };
        let winner = with_table!(table, table => match table.status() {
            TableStatus::Won(seat) => Some(seat.index()),
            _ => None,
        });
        let (issue, round, game) = (table.issue(), table.round(), table.variant().name().to_owned());
        Some(ListedResult { issue, round, game, players, winner, ended_at: result.ended_at })
    }

    /// Whether a row of the file has a known game, a valid winning side, and valid names of players.
    pub(super) fn is_valid(&self) -> bool {
        let mut players = self.players.iter().flatten();
        self.variant().is_some()
            && self.winner.is_none_or(|winner| winner <= 1)
            && players.all(|name| is_player_name(name))
    }

    /// Returns the game or variant; `None` only before the row is checked.
    pub(super) fn variant(&self) -> Option<GameVariant> {
        GameVariant::from_name(&self.game)
    }
}
