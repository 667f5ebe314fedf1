//! The standings as Markdown, for a page.

use std::collections::BTreeMap;
use std::fmt::Write;

use games::registry::GameKind;
use standings::files::{self, ComputerRow, OpenRow, Ranking, RankingRow, RatedRow, StandingsFile, file_path};
use standings::result::{COMPUTER_KIND, OPEN_KIND};

/// The deviation above which a rating says little yet.
const PROVISIONAL: f64 = 110.0;

/// Returns the rankings as tables: of one kind (the name of a game, or `open`) or of each that anybody has a result of, with at
/// most so many rows. `files` has the texts of the rankings, by their paths below the state directory.
///
/// Nobody is mentioned. A file that is damaged is named in a sentence.
pub fn markdown(files: &BTreeMap<String, String>, kind: Option<&str>, rows: usize) -> String {
    let wanted = |name: &str| kind.is_none_or(|kind| kind == name);
    let games = GameKind::ALL.iter().map(|kind| kind.info()).filter(|info| wanted(info.name));
    let mut parts: Vec<String> =
        games.filter_map(|info| table::<RatedRow>(files, info.name, info.title, rows)).collect();
    if !parts.is_empty() {
        parts.push(
            "Ratings are Glicko-2, ± two deviations, in order of the lower end. `?` marks a provisional rating.\n"
                .to_owned(),
        );
    }
    parts.extend(table::<OpenRow>(files, OPEN_KIND, "Open games", rows).filter(|_| wanted(OPEN_KIND)));
    parts.extend(
        table::<ComputerRow>(files, COMPUTER_KIND, "Wins against the computer", rows).filter(|_| wanted(COMPUTER_KIND)),
    );
    match kind {
        _ if !parts.is_empty() => parts.join("\n"),
        Some(OPEN_KIND) => "No open game has finished yet.\n".to_owned(),
        _ => "No game between two people has finished yet.\n".to_owned(),
    }
}

/// A line of a ranking that can be shown.
trait ShownRow: RankingRow {
    const COLUMNS: &'static [&'static str];

    fn cells(&self) -> Vec<String>;
}

impl ShownRow for RatedRow {
    const COLUMNS: &'static [&'static str] = &["Games", "Wins", "Draws", "Losses", "Rating"];

    fn cells(&self) -> Vec<String> {
        let mark = if self.deviation > PROVISIONAL { " ?" } else { "" };
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
        let titled =
            |game: &str| GameKind::from_name(game).map_or(String::new(), |kind| kind.info().title.to_lowercase());
        let beaten = self.beaten.iter().map(|(game, level)| format!("{} {}", titled(game), level.number()));
        vec![beaten.collect::<Vec<_>>().join(", "), self.wins.to_string()]
    }
}

/// Returns one ranking as a table; `None` where nobody has a result.
fn table<E: ShownRow>(files: &BTreeMap<String, String>, name: &str, title: &str, rows: usize) -> Option<String>
where
    Ranking<E>: StandingsFile,
{
    let ranking: Ranking<E> = match files::parse_file(name, files.get(&file_path(name))?) {
        Ok(ranking) => ranking,
        // What a parser says quotes the file, and nothing of that belongs on a page.
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
    for column in E::COLUMNS {
        let _ = write!(text, " {column} |");
    }
    text.push_str("\n| ---: | --- |");
    text.push_str(&" ---: |".repeat(E::COLUMNS.len()));
    text.push('\n');
    let shown = ranking.top.iter().take(rows);
    let left = ranking.players - shown.len() as u64;
    for (at, line) in shown.enumerate() {
        // Of all that a login can hold, only this character means something in Markdown.
        let login = line.login().replace('_', "\\_");
        let _ = writeln!(text, "| {} | **{login}** | {} |", at + 1, line.cells().join(" | "));
    }
    match left {
        0 => {}
        1 => text.push_str("\n1 more player isn't shown.\n"),
        _ => {
            let _ = writeln!(text, "\n{left} more players aren't shown.");
        }
    }
    Some(text)
}
