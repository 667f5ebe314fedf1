//! The list of tables on a page: games in progress, and the newest results.
//!
//! Its rows are in a small file, `tables.json`, because a run reads only the record of its own table. The run reads the
//! file with the pages and commits it with them, so the list costs no extra request. If two tables commit at once, the
//! compare-and-swap of the commit makes one of them retry, so no row gets lost. The sweep fills the list from the files
//! of the games in progress.

use std::collections::BTreeSet;

use game::Seat;
use games::{GameKind, GameVariant};
use serde::{Deserialize, Serialize};
use standings::result_of;
use table::timestamp::format_to_minute;
use table::{
    COMPUTER_NAME, GameSummary, InvalidFile, IssueNumber, Table, TableStatus, Timestamp, is_player_name, json,
};

use crate::Links;
use crate::pages::links::escape_login;

/// The maximum number of games in progress. The list keeps those with the newest turns.
pub const MAX_RUNNING: usize = 20;
/// The maximum number of results. The list keeps the newest.
pub const MAX_RESULTS: usize = 10;
/// The limit on the file, in bytes.
pub const MAX_BYTES: usize = 20_000;

/// The header of the Markdown table of games in progress.
const HEADER: &str = "| Table | Game | Players | Turn | Since |\n| --- | --- | --- | --- | --- |\n";

/// The rows of the list, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableList {
    running: Vec<GameSummary>,
    results: Vec<ListedResult>,
}

impl TableList {
    /// Parses the file.
    ///
    /// # Errors
    /// Returns an error if it's too long, or if a row isn't one that the bot could have written.
    pub fn parse(text: &str) -> Result<TableList, InvalidFile> {
        if text.len() > MAX_BYTES {
            return Err(format!("it has more than {MAX_BYTES} bytes").into());
        }
        let TableList { running, results } =
            serde_json::from_str(text).map_err(|error| InvalidFile::from(json::error_message(&error)))?;
        let mut list = TableList::default();
        for game in running {
            if !game.is_valid() {
                return Err(format!("its row of table {} isn't a game in progress", game.issue).into());
            }
            list.add_running(game);
        }
        for result in results {
            if !result.is_valid() {
                return Err(format!("its row of table {} isn't a result", result.issue).into());
            }
            list.add_result(result);
        }
        Ok(list)
    }

    /// Returns the file's text.
    pub fn to_json(&self) -> String {
        json::to_text(self)
    }

    /// Returns the issue numbers of the games in progress.
    pub fn running_issues(&self) -> BTreeSet<IssueNumber> {
        self.running.iter().map(|row| row.issue).collect()
    }

    /// Replaces the games in progress. Keeps the results.
    pub fn set_running(&mut self, games: impl IntoIterator<Item = GameSummary>) {
        self.running.clear();
        games.into_iter().for_each(|game| self.add_running(game));
    }

    /// Updates the rows of a table. Only games that count in the standings leave a result.
    pub fn update(&mut self, table: &Table) {
        // The record doesn't say yet that the player learned of their turn late.
        let row = self.running.iter().find(|row| row.issue == table.issue() && row.is_of_turn(table));
        let since = row.map(|row| row.since).unwrap_or_default().max(table.turn_started_at());
        self.remove(table.issue());
        if let Some(game) = GameSummary::from_table(&table.clone().with_clock_start(since)) {
            self.add_running(game);
        }
        if let Some(result) = ListedResult::from_table(table) {
            self.add_result(result);
        }
    }

    /// Removes a game in progress. Its earlier results stay.
    pub fn remove(&mut self, issue: IssueNumber) {
        self.running.retain(|row| row.issue != issue);
    }

    /// Returns the list as Markdown. It mentions nobody.
    pub fn markdown(&self, links: &Links<'_>) -> String {
        let running: Vec<String> = self.running.iter().map(|game| running_line(game, links)).collect();
        let mut text = match running.len() {
            0 => "No games in progress.".to_owned(),
            count => {
                let note = if count == MAX_RUNNING {
                    format!(" (the {MAX_RUNNING} with the newest moves)")
                } else {
                    String::new()
                };
                format!("**Games in progress**{note}:\n\n{HEADER}{}", running.join("\n"))
            }
        };
        if self.running.iter().any(GameSummary::has_open_seat) {
            text.push_str(&format!("\n\n[Games looking for an opponent]({})", links.open_seats()));
        }
        if !self.results.is_empty() {
            let results: Vec<String> = self.results.iter().map(|result| result_line(result, links)).collect();
            text.push_str(&format!("\n\n**Latest results:**\n\n{}", results.join("\n")));
        }
        text
    }

    fn add_running(&mut self, row: GameSummary) {
        self.remove(row.issue);
        // Lists show a game wherever it belongs, so they leave its repository out.
        self.running.push(GameSummary { repository: None, ..row });
        self.running.sort_by_key(|row| std::cmp::Reverse((row.since, row.issue)));
        self.running.truncate(MAX_RUNNING);
    }

    fn add_result(&mut self, row: ListedResult) {
        self.results.retain(|known| (known.issue, known.round) != (row.issue, row.round));
        self.results.push(row);
        self.results.sort_by_key(|row| std::cmp::Reverse((row.ended_at, row.issue, row.round)));
        self.results.truncate(MAX_RESULTS);
    }
}

/// Returns the row of a game in progress: `| [#1](…) | Chess | **alice** (White) · … |`.
fn running_line(game: &GameSummary, links: &Links<'_>) -> String {
    let variant = game.variant();
    let side = |seat: Seat| variant.map_or_else(String::new, |variant| variant.kind.info().side_name(seat));
    let player = |seat: Seat| match game.player(seat) {
        Some(player) => format_player(&player.name, &side(seat)),
        None => format!("{}, open to anyone", side(seat)),
    };
    let players = if game.players.is_some() { Seat::BOTH.map(player).join(" · ") } else { "anyone".to_owned() };
    let (issue, url) = (game.issue, links.issue(game.issue));
    let (title, turn) = (variant.map_or("Game", |variant| variant.title()), player(game.side_to_move()));
    format!("| [#{issue}]({url}) | {title} | {players} | {turn} | {} |", format_time(game.since))
}

/// Returns the line of a result: `- **alice** (X) beat **bob** (O) at tic-tac-toe, [#1](…), …`.
fn result_line(result: &ListedResult, links: &Links<'_>) -> String {
    let ListedResult { issue, round, game, ended_at, .. } = result;
    let outcome = result.variant().map_or_else(String::new, |variant| format_outcome(result, variant));
    let (url, ended) = (links.issue(*issue), format_time(*ended_at));
    let round = if *round > 1 { format!(", round {round}") } else { String::new() };
    format!("- {outcome} at {game}, [#{issue}]({url}){round}, {ended}")
}

/// Returns a result's outcome: `**alice** (X) beat **bob** (O)`.
fn format_outcome(result: &ListedResult, variant: GameVariant) -> String {
    let sides = side_names(variant.kind);
    match (&result.players, result.winner) {
        (Some(players), winner) => {
            let verb = if winner.is_some() { "beat" } else { "drew with" };
            let [one, two] = if winner == Some(1) { [1, 0] } else { [0, 1] };
            format!(
                "{} {verb} {}",
                format_player(&players[one], &sides[one]),
                format_player(&players[two], &sides[two])
            )
        }
        (None, Some(winner)) => format!("{} won the open game", sides[usize::from(winner > 0)]),
        (None, None) => "Nobody won the open game".to_owned(),
    }
}

/// Returns the display names of both sides.
fn side_names(kind: GameKind) -> [String; 2] {
    Seat::BOTH.map(|seat| kind.info().side_name(seat))
}

/// Returns a player as Markdown: `**alice** (X)`.
fn format_player(name: &str, side: &str) -> String {
    if name == COMPUTER_NAME { format!("{name} ({side})") } else { format!("**{}** ({side})", escape_login(name)) }
}

/// Formats a time to the minute.
fn format_time(at: Timestamp) -> String {
    format_to_minute(at).map_or_else(|| "–".to_owned(), |time| format!("{time} UTC"))
}

// [`ListedResult`]: a finished game in the list of tables.

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ListedResult {
    issue: IssueNumber,
    round: u32,
    /// The name of the game or variant, such as `chess`.
    game: String,
    /// The players' names by side; `None` for open games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    players: Option<[String; 2]>,
    /// The winning side: 0 for the first, 1 for the second; `None` for a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    winner: Option<usize>,
    ended_at: Timestamp,
}

impl ListedResult {
    /// Returns the row of a finished game; `None` if it doesn't count in the standings.
    fn from_table(table: &Table) -> Option<ListedResult> {
        let result = result_of(table)?;
        let players = match Seat::BOTH.map(|seat| table.player(seat)) {
            [Some(first), Some(second)] => Some([first, second].map(|player| player.name().to_owned())),
            _ => None,
        };
        let winner = match table.status() {
            TableStatus::Won(seat) => Some(seat.index()),
            _ => None,
        };
        let (issue, round, game) = (table.issue(), table.round(), table.variant().name().to_owned());
        Some(ListedResult { issue, round, game, players, winner, ended_at: result.ended_at })
    }

    /// Whether a row of the file has a known game, a valid winning side, and valid names of players.
    fn is_valid(&self) -> bool {
        let mut players = self.players.iter().flatten();
        self.variant().is_some()
            && self.winner.is_none_or(|winner| winner <= 1)
            && players.all(|name| is_player_name(name))
    }

    /// Returns the game or variant; `None` only before the row is checked.
    fn variant(&self) -> Option<GameVariant> {
        GameVariant::from_name(&self.game)
    }
}
