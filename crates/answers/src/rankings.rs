//! The answers to `/standings` and `/rating`: narrow tables that fit a phone. They mention nobody.

use std::collections::BTreeMap;
use std::fmt::Write;

use game::Seat;
use games::GameVariant;
use standings::files::file_path;
use standings::{
    COMPUTER_KIND, ComputerRow, OPEN_KIND, OpenRow, PlayerFile, Ranking as RankingFile, RankingRow, RatedRow,
    StandingsFile, files, ranking_paths,
};
use table::{Author, InvalidFile, Player, Query, Ranking, Table, UserId, is_provisional};

use crate::ranking_table::WHAT_COUNTS;
use crate::render::bold_login;

/// The number of people in a ranking that is shown alone.
const LEADERS: usize = 10;
/// The number of people in each ranking if all are shown.
const LEADERS_OF_ALL: usize = 3;
/// The answer if a file can't be used. The parser's error may quote the file, so it isn't shown.
const DAMAGED: &str = "The bot can't show this, because a file of the standings is damaged. To find out more, the host can run \
                       `play-by-commit verify --standings`.\n";

/// The files of the standings, by their paths below the state directory.
type Files = BTreeMap<String, String>;

/// Returns the paths of the files that a query needs, below the state directory; an empty list if it isn't about the standings.
pub fn files_needed(query: &Query, table: Option<&Table>) -> Vec<String> {
    let own_file = |id: UserId| file_path(&id.to_string());
    match query {
        Query::Standings(Ranking::All, _) => ranking_paths(),
        Query::Standings(Ranking::Game(game), asker) => vec![file_path(game.name()), own_file(asker.id)],
        Query::Standings(Ranking::Open, asker) => vec![file_path(OPEN_KIND), own_file(asker.id)],
        Query::Standings(Ranking::Computer, asker) => vec![file_path(COMPUTER_KIND), own_file(asker.id)],
        Query::Ratings(None, asker) => vec![own_file(asker.id)],
        Query::Ratings(Some(login), _) => match find_player(table, login) {
            Some(id) => vec![own_file(id)],
            None => ranking_paths(),
        },
        _ => Vec::new(),
    }
}

/// Returns the answer to a query about the standings.
pub fn show(query: &Query, table: Option<&Table>, files: &Files) -> String {
    let text = match query {
        Query::Standings(ranking, asker) => leaders(*ranking, asker, files),
        Query::Ratings(None, asker) => ratings_by_id(asker.id, &asker.login, files),
        Query::Ratings(Some(login), _) => match find_player(table, login) {
            Some(id) => ratings_by_id(id, login, files),
            None => ratings_by_login(login, files),
        },
        _ => Ok(String::new()),
    };
    text.unwrap_or_else(|_| damaged())
}

/// Returns the answer if a file of the standings can't be used.
pub fn damaged() -> String {
    DAMAGED.to_owned()
}

/// Returns the id of the person with this username who plays at the table.
fn find_player(table: Option<&Table>, login: &str) -> Option<UserId> {
    let players = Seat::BOTH.into_iter().filter_map(|seat| table?.player(seat));
    players.filter(|player| player.name().eq_ignore_ascii_case(login)).find_map(Player::id)
}

/// A row of a ranking that fits a phone.
trait NarrowRow: RankingRow {
    /// The titles of the columns after the player's.
    const COLUMNS: &'static str;

    /// Returns the cells after the player's.
    fn cells(&self) -> String;

    /// Returns the row that a person's own file gives.
    fn from_player(player: &PlayerFile, kind: &str) -> Option<Self>;
}

impl NarrowRow for RatedRow {
    const COLUMNS: &'static str = "Rating | Won–drawn–lost";

    fn cells(&self) -> String {
        // With spaces that don't break, because a phone would wrap the cell.
        let mark = if is_provisional(self.deviation) { "\u{a0}?" } else { "" };
        let RatedRow { wins, draws, losses, .. } = self;
        format!("{:.0}\u{a0}±\u{a0}{:.0}{mark} | {wins}–{draws}–{losses}", self.rating, 2.0 * self.deviation)
    }

    fn from_player(player: &PlayerFile, kind: &str) -> Option<RatedRow> {
        player.games.get(kind).map(|score| RatedRow::new(player.id, &player.login, score))
    }
}

impl NarrowRow for OpenRow {
    const COLUMNS: &'static str = "Moves | Games";

    fn cells(&self) -> String {
        format!("{} | {}", self.moves, self.games)
    }

    fn from_player(player: &PlayerFile, _: &str) -> Option<OpenRow> {
        player.open.as_ref().map(|score| OpenRow::new(player.id, &player.login, score))
    }
}

impl NarrowRow for ComputerRow {
    const COLUMNS: &'static str = "Highest level | Wins";

    fn cells(&self) -> String {
        let highest = self.beaten.values().max().map_or(0, |level| level.number());
        format!("{highest} | {}", self.wins)
    }

    fn from_player(player: &PlayerFile, _: &str) -> Option<ComputerRow> {
        player.computer.as_ref().map(|score| ComputerRow::new(player.id, &player.login, score))
    }
}

/// Parses one of the standings files, or returns `None` if it is missing.
fn parse<S: StandingsFile>(files: &Files, name: &str) -> Result<Option<S>, InvalidFile> {
    files.get(&file_path(name)).map(|text| files::parse_file(name, text)).transpose()
}

/// Returns the leaders of a ranking with the asker's place, or a note if it is empty.
fn leaders(ranking: Ranking, asker: &Author, files: &Files) -> Result<String, InvalidFile> {
    let or_note = |rows: String, note: &str| if rows.is_empty() { format!("{note}\n") } else { rows };
    Ok(match ranking {
        Ranking::All => all_rankings(asker, files)?,
        Ranking::Game(game) => {
            let rows = ranking_table::<RatedRow>(game.name(), game.title(), LEADERS, asker, files)?;
            if rows.is_empty() {
                format!("No standings for {} yet. {WHAT_COUNTS}\n", game.noun())
            } else {
                format!("{rows}\n{HOW_SORTED}")
            }
        }
        Ranking::Open => or_note(open_games(LEADERS, asker, files)?, "No open game has finished yet."),
        Ranking::Computer => or_note(computer_wins(LEADERS, asker, files)?, "Nobody has beaten the computer yet."),
    })
}

/// The explanation below ratings.
const HOW_SORTED: &str = "Sorted by the rating minus its ±. `?` marks a provisional rating.\n";

/// Returns the leaders of all rankings.
fn all_rankings(asker: &Author, files: &Files) -> Result<String, InvalidFile> {
    let mut tables = Vec::new();
    for game in GameVariant::all() {
        tables.push(ranking_table::<RatedRow>(game.name(), game.title(), LEADERS_OF_ALL, asker, files)?);
    }
    let has_ratings = tables.iter().any(|table| !table.is_empty());
    tables.push(open_games(LEADERS_OF_ALL, asker, files)?);
    tables.push(computer_wins(LEADERS_OF_ALL, asker, files)?);
    tables.retain(|table| !table.is_empty());
    if tables.is_empty() {
        return Ok(format!("No standings yet. {WHAT_COUNTS}\n"));
    }
    let note = if has_ratings { format!("\n{HOW_SORTED}") } else { String::new() };
    Ok(format!("{}{note}", tables.join("\n")))
}

fn open_games(leaders: usize, asker: &Author, files: &Files) -> Result<String, InvalidFile> {
    ranking_table::<OpenRow>(OPEN_KIND, "Open games", leaders, asker, files)
}

fn computer_wins(leaders: usize, asker: &Author, files: &Files) -> Result<String, InvalidFile> {
    ranking_table::<ComputerRow>(COMPUTER_KIND, "Wins against the computer", leaders, asker, files)
}

/// Returns a ranking's leaders and the asker; empty if nobody has a result.
fn ranking_table<R: NarrowRow>(
    kind: &str,
    title: &str,
    leaders: usize,
    asker: &Author,
    files: &Files,
) -> Result<String, InvalidFile>
where
    RankingFile<R>: StandingsFile,
{
    let Some(ranking) = parse::<RankingFile<R>>(files, kind)? else { return Ok(String::new()) };
    let own_file: Option<PlayerFile> = parse(files, &asker.id.to_string())?;
    let people = if ranking.players == 1 { "player" } else { "players" };
    let mut text = format!(
        "**{title}**: {} {people}\n\n| | Player | {} |\n| ---: | --- | ---: | ---: |\n",
        ranking.players,
        R::COLUMNS
    );
    let mut push = |place: &str, row: &R| {
        let _ = writeln!(text, "| {place} | {} | {} |", bold_login(row.login()), row.cells());
    };
    for (index, row) in ranking.top.iter().enumerate() {
        if index < leaders || row.id() == asker.id {
            push(&(index + 1).to_string(), row);
        }
    }
    // Anyone outside of the best hundred gets a row without a place.
    let is_listed = ranking.top.iter().any(|row| row.id() == asker.id);
    let own_row = own_file.and_then(|player| R::from_player(&player, kind)).filter(|_| !is_listed);
    own_row.iter().for_each(|row| push("", row));
    Ok(text)
}

/// Returns the results of a person with a file.
fn ratings_by_id(id: UserId, login: &str, files: &Files) -> Result<String, InvalidFile> {
    let Some(player) = parse::<PlayerFile>(files, &id.to_string())? else { return Ok(no_results(login)) };
    let rated = GameVariant::all().filter_map(|game| Some((game, RatedRow::from_player(&player, game.name())?)));
    let (open, computer) = (OpenRow::from_player(&player, OPEN_KIND), ComputerRow::from_player(&player, COMPUTER_KIND));
    Ok(player_table(&player.login, &rated.collect::<Vec<_>>(), open.as_ref(), computer.as_ref()))
}

/// Returns the results of the person whom the rankings list under this username.
fn ratings_by_login(login: &str, files: &Files) -> Result<String, InvalidFile> {
    let mut rated = Vec::new();
    for game in GameVariant::all() {
        rated.extend(find_row::<RatedRow>(game.name(), login, files)?.map(|row| (game, row)));
    }
    let open = find_row::<OpenRow>(OPEN_KIND, login, files)?;
    let computer = find_row::<ComputerRow>(COMPUTER_KIND, login, files)?;
    let names = rated.iter().map(|(_, row)| row.login.clone());
    let others = open.iter().map(|row| row.login.clone()).chain(computer.iter().map(|row| row.login.clone()));
    let name = names.chain(others).next();
    Ok(name.map_or_else(
        || format!("{} isn't among the leaders of any game here.\n", bold_login(login)),
        |name| player_table(&name, &rated, open.as_ref(), computer.as_ref()),
    ))
}

/// Returns the row of a person in a ranking, by their username; `None` if they aren't listed.
fn find_row<R: NarrowRow>(kind: &str, login: &str, files: &Files) -> Result<Option<R>, InvalidFile>
where
    RankingFile<R>: StandingsFile,
{
    let ranking = parse::<RankingFile<R>>(files, kind)?;
    Ok(ranking.and_then(|ranking| ranking.top.into_iter().find(|row| row.login().eq_ignore_ascii_case(login))))
}

fn no_results(login: &str) -> String {
    format!("{} has no results here yet. {WHAT_COUNTS}\n", bold_login(login))
}

/// Returns a person's results.
fn player_table(
    login: &str,
    rated: &[(GameVariant, RatedRow)],
    open: Option<&OpenRow>,
    computer: Option<&ComputerRow>,
) -> String {
    let mut parts = Vec::new();
    if !rated.is_empty() {
        let mut text = format!("| Game | {} |\n| --- | ---: | ---: |\n", RatedRow::COLUMNS);
        for (game, row) in rated {
            let _ = writeln!(text, "| {} | {} |", game.title(), row.cells());
        }
        let is_marked = rated.iter().any(|(_, row)| is_provisional(row.deviation));
        parts.push(text);
        parts.extend(is_marked.then(|| "`?` marks a provisional rating.\n".to_owned()));
    }
    let count = |count: u64, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    parts
        .extend(open.map(|row| format!("Open games: {} in {}.\n", count(row.moves, "move"), count(row.games, "game"))));
    parts.extend(computer.map(|row| {
        let title_of = |game: &str| GameVariant::from_name(game).map_or(String::new(), GameVariant::noun);
        let beaten = row.beaten.iter().map(|(game, level)| format!("{} {}", title_of(game), level.number()));
        let levels = beaten.collect::<Vec<_>>().join(", ");
        format!("Wins against the computer: {}. Highest levels: {levels}.\n", row.wins)
    }));
    format!("Results of {}:\n\n{}", bold_login(login), parts.join("\n"))
}
