//! Leaderboards as Markdown.

use std::collections::BTreeMap;
use std::fmt::Write;

use games::GameVariant;
use standings::files::file_path;
use standings::{COMPUTER_KIND, ComputerRow, OPEN_KIND, OpenRow, Ranking, RankingRow, RatedRow, StandingsFile, files};
use table::is_provisional;

/// The note about which games count, for empty standings.
pub const WHAT_COUNTS: &str = "A finished game between two people counts, unless it was casual or aborted, it started \
                               from a chosen position, or the loser never moved.";

/// Returns leaderboards as Markdown tables with at most `rows` rows each.
///
/// `kind` is the name of a game, a variant, or `open`; `None` means all that have results. `files` contains the ranking files by
/// path below the state directory. The text mentions nobody, and names damaged files.
pub fn markdown(files: &BTreeMap<String, String>, kind: Option<&str>, rows: usize) -> String {
    let is_wanted = |name: &str| kind.is_none_or(|kind| kind == name);
    let games = GameVariant::all().filter(|game| is_wanted(game.name()));
    let mut parts: Vec<String> =
        games.filter_map(|game| ranking_table::<RatedRow>(files, game.name(), game.title(), rows)).collect();
    if !parts.is_empty() {
        parts.push("Glicko-2 ratings, sorted by the rating minus its ±. `?` marks a provisional rating.\n".to_owned());
    }
    if is_wanted(OPEN_KIND) {
        parts.extend(ranking_table::<OpenRow>(files, OPEN_KIND, "Open games", rows));
    }
    if is_wanted(COMPUTER_KIND) {
        parts.extend(ranking_table::<ComputerRow>(files, COMPUTER_KIND, "Wins against the computer", rows));
    }
    if !parts.is_empty() {
        return parts.join("\n");
    }
    match kind.and_then(GameVariant::from_name) {
        Some(game) => format!("No standings for {} yet. {WHAT_COUNTS}\n", game.noun()),
        None if kind == Some(OPEN_KIND) => "No open game has finished yet.\n".to_owned(),
        None => format!("No standings yet. {WHAT_COUNTS}\n"),
    }
}

/// A ranking row that can be printed.
trait ShownRow: RankingRow {
    const COLUMNS: &'static [&'static str];

    fn cells(&self) -> Vec<String>;
}

impl ShownRow for RatedRow {
    const COLUMNS: &'static [&'static str] = &["Games", "Wins", "Draws", "Losses", "Rating"];

    fn cells(&self) -> Vec<String> {
        let mark = if is_provisional(self.deviation) { " ?" } else { "" };
        let mut cells: Vec<String> =
            [self.games, self.wins, self.draws, self.losses].iter().map(u64::to_string).collect();
        cells.push(format!("{:.0} ± {:.0}{mark}", self.rating, 2.0 * self.deviation));
        cells
    }
}

impl ShownRow for OpenRow {
    const COLUMNS: &'static [&'static str] = &["Moves", "Games"];

    fn cells(&self) -> Vec<String> {
        vec![self.moves.to_string(), self.games.to_string()]
    }
}

impl ShownRow for ComputerRow {
    const COLUMNS: &'static [&'static str] = &["Highest level", "Wins"];

    fn cells(&self) -> Vec<String> {
        let title_of = |game: &str| GameVariant::from_name(game).map_or(String::new(), GameVariant::noun);
        let beaten = self.beaten.iter().map(|(game, level)| format!("{} {}", title_of(game), level.number()));
        vec![beaten.collect::<Vec<_>>().join(", "), self.wins.to_string()]
    }
}

/// Returns one leaderboard; `None` if it is empty.
fn ranking_table<R: ShownRow>(files: &BTreeMap<String, String>, name: &str, title: &str, rows: usize) -> Option<String>
where
    Ranking<R>: StandingsFile,
{
    let ranking: Ranking<R> = match files::parse_file(name, files.get(&file_path(name))?) {
        Ok(ranking) => ranking,
        // The parser's error may quote the file, which must not reach the page.
        Err(_) => {
            let path = file_path(name);
            return Some(format!(
                "The bot can't show **{title}** because `{path}` is damaged. To find out more, run `play-by-commit verify --standings`.\n"
            ));
        }
    };
    if ranking.top.is_empty() {
        return None;
    }
    let results = if ranking.counted == 1 { "result" } else { "results" };
    let mut text = format!("**{title}**: {} {results}\n\n| | Player |", ranking.counted);
    for column in R::COLUMNS {
        let _ = write!(text, " {column} |");
    }
    text.push_str("\n| ---: | --- |");
    text.push_str(&" ---: |".repeat(R::COLUMNS.len()));
    text.push('\n');
    let shown = ranking.top.iter().take(rows);
    let hidden = ranking.players - shown.len() as u64;
    for (index, row) in shown.enumerate() {
        // The underscore is the only character in usernames with a meaning in Markdown.
        let login = row.login().replace('_', "\\_");
        let _ = writeln!(text, "| {} | **{login}** | {} |", index + 1, row.cells().join(" | "));
    }
    match hidden {
        0 => {}
        1 => text.push_str("\n1 more player isn't shown.\n"),
        _ => {
            let _ = writeln!(text, "\n{hidden} more players aren't shown.");
        }
    }
    Some(text)
}
