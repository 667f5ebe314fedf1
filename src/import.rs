//! `play-by-commit import`: creates records from chess games in PGN.

pub mod accounts;

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use answers::{render, sentences};
use anyhow::{Context, Result, bail};
use games::chess::PgnGame;
use games::chess::pgn::parse_games;
use interop::import::{import_game, omitted_parts};
use table::{IssueNumber, StatePath, Table, state_file};
use terminal::print::{print_line, print_note};

use crate::host_commands::{print_first_step, write_new_file};
use crate::import::accounts::PlayerAccounts;
use crate::program::issue_number;

/// The maximum size of a PGN file, in bytes.
const MAX_BYTES: u64 = 32 << 20;
/// The maximum number of games to list in a message.
const MAX_LISTED: usize = 10;
/// The maximum number of games to import at once. All their records are in memory.
const MAX_GAMES: usize = 5_000;

/// The options of `import`.
#[derive(clap::Args)]
pub(super) struct ImportArgs {
    /// A PGN file
    file: PathBuf,
    /// The issue of the game; it can't have a game file yet
    #[arg(long, value_name = "NUMBER", value_parser = issue_number(), required_unless_present = "from_issue")]
    issue: Option<IssueNumber>,
    /// Imports every game of the file: the first for this issue, the second for the next one, and so on
    ///
    /// Choose numbers that your issues won't reach soon. If one game can't be imported, nothing is written.
    #[arg(long, value_name = "NUMBER", value_parser = issue_number(), conflicts_with_all = ["issue", "game"])]
    from_issue: Option<IssueNumber>,
    /// Which game of the file to import, counted from 1 [default: the only one]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    game: Option<u64>,
    /// The GitHub account of a player: "Carlsen, Magnus=magnus:583231"; `white` and `black` stand for anyone on that side
    #[arg(long, value_name = "NAME=LOGIN:ID")]
    player: Vec<String>,
    /// A file of players, one per line; `#` starts a comment
    #[arg(long, value_name = "FILE")]
    players: Option<PathBuf>,
    /// The directory for the games
    #[arg(long, value_name = "DIR", default_value = "state")]
    state_dir: PathBuf,
}

/// A record to write.
struct NewRecord {
    path: PathBuf,
    text: String,
    /// The line to print about it.
    summary: String,
    notes: Vec<String>,
    /// The issue, if the game isn't over.
    running_issue: Option<IssueNumber>,
}

/// Imports the games and prints a line for each.
///
/// # Errors
/// Returns an error, and writes nothing, if the file or the players are invalid, or a record exists already.
pub(super) fn import(args: &ImportArgs) -> Result<()> {
    let accounts = PlayerAccounts::read(args.players.as_deref(), &args.player)?;
    let text = read_games(&args.file)?;
    let records = prepare_records(args, &text, &accounts)
        .with_context(|| format!("nothing was imported from {}", args.file.display()))?;
    write_all(&records, &args.state_dir)?;
    for record in &records {
        for note in &record.notes {
            print_note(note);
        }
        print_line(&format!("{}: {}", record.path.display(), record.summary));
    }
    let (count, dir) = (records.len(), args.state_dir.display());
    if count > 1 {
        print_line(&format!("Imported {count} games."));
    }
    print_line(&format!("Now commit {}: git add {dir} && git commit", if count == 1 { "it" } else { "them" }));
    if let [NewRecord { running_issue: Some(issue), .. }] = records[..] {
        print_first_step(issue);
    }
    Ok(())
}

/// Creates the records of the selected games.
fn prepare_records(args: &ImportArgs, text: &str, accounts: &PlayerAccounts) -> Result<Vec<NewRecord>> {
    let (games, first_issue) = match (args.from_issue, args.issue) {
        (Some(first), _) => (parse_all_games(text)?, first),
        (None, issue) => (vec![select_game(text, args.game)?], issue.unwrap_or(IssueNumber::new(1))),
    };
    accounts.check_all_known(&games)?;
    let mut records = Vec::with_capacity(games.len());
    for (index, game) in games.iter().enumerate() {
        let table = build_table(game, IssueNumber::new(first_issue.get().saturating_add(index as u64)), accounts)?;
        let path = args.state_dir.join(StatePath::Record(table.issue()).to_string());
        if path.symlink_metadata().is_ok() {
            bail!("{} already exists, and import never replaces a game", path.display());
        }
        let (issue, moves) = (table.issue(), table.plies().len());
        let moves = if moves == 1 { "1 move".to_owned() } else { format!("{moves} moves") };
        let notes = omitted_parts(game, &table).into_iter();
        let notes =
            notes.map(|note| format!("Left out, line {}: {}.", note.line, render::text(&note.reason))).collect();
        let summary = format!("{moves}. {}", render::text(&sentences::ending(&table)));
        let text = state_file::to_json(&table);
        // Make sure that a run can load it.
        state_file::load(&text, issue).map_err(|why| anyhow::anyhow!("the record would be damaged: {why}"))?;
        let running_issue = table.is_playing().then_some(issue);
        records.push(NewRecord { path, text, summary, notes, running_issue });
    }
    Ok(records)
}

/// Reads a PGN file. A file that isn't UTF-8 is Latin-1, the encoding of the PGN standard.
fn read_games(path: &Path) -> Result<String> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).with_context(|| format!("{} can't be opened", path.display()))?;
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).with_context(|| format!("{} can't be read", path.display()))?;
    if bytes.len() as u64 > MAX_BYTES {
        bail!("{} is larger than {} MB", path.display(), MAX_BYTES >> 20);
    }
    Ok(String::from_utf8(bytes).unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect()))
}

/// Parses all games of a PGN text.
fn parse_all_games(text: &str) -> Result<Vec<PgnGame<'_>>> {
    let mut games = Vec::new();
    for game in parse_games(text) {
        if games.len() == MAX_GAMES {
            bail!("it has more than {MAX_GAMES} games: split the file, and import the parts one by one");
        }
        games.push(game.map_err(|error| anyhow::anyhow!("line {}: {}", error.line, error.message))?);
    }
    if games.is_empty() {
        bail!("the file has no games");
    }
    Ok(games)
}

/// Parses the game with this number, or the only one.
fn select_game(text: &str, number: Option<u64>) -> Result<PgnGame<'_>> {
    let (mut first, mut count, mut listed) = (None, 0, String::new());
    for game in parse_games(text) {
        let game = game.map_err(|error| anyhow::anyhow!("line {}: {}", error.line, error.message))?;
        count += 1;
        if number == Some(count as u64) {
            return Ok(game);
        }
        if count <= MAX_LISTED {
            let tag = |name: &str| game.tag(name).map_or("?".to_owned(), |(text, _)| render::quote(text));
            listed.push_str(&format!("\n{count}: {} and {}, {}", tag("White"), tag("Black"), tag("Date")));
        }
        first.get_or_insert(game);
    }
    match (first, number) {
        (None, _) => bail!("the file has no games"),
        (Some(only), None) if count == 1 => Ok(only),
        (Some(_), None) => {
            let more = if count > MAX_LISTED { format!("\nand {} more", count - MAX_LISTED) } else { String::new() };
            bail!("it has {count} games. Choose one with --game, or import all with --from-issue:{listed}{more}")
        }
        (Some(_), Some(number)) => bail!("it has {count} games, so there is no game {number}"),
    }
}

/// Converts a game to a table.
fn build_table(game: &PgnGame<'_>, issue: IssueNumber, accounts: &PlayerAccounts) -> Result<Table> {
    let players = accounts.of_players(game)?;
    if players[0].0 == players[1].0 || players[0].1.eq_ignore_ascii_case(&players[1].1) {
        let line = game.tags.first().map_or(game.end_line, |(.., line)| *line);
        bail!("line {line}: {} can't play both sides", players[0].1);
    }
    import_game(game, issue, &players)
        .map_err(|error| anyhow::anyhow!("line {}: {}", error.line, render::text(&error.reason)))
}

/// Writes all records, or none.
fn write_all(records: &[NewRecord], dir: &Path) -> Result<()> {
    fs::create_dir_all(dir).with_context(|| format!("{} can't be created", dir.display()))?;
    for (index, record) in records.iter().enumerate() {
        if let Err(error) = write_new_file(&record.path, &record.text) {
            // Leave no files behind that would block the next import.
            for written in &records[..index] {
                drop(fs::remove_file(&written.path));
            }
            return Err(error);
        }
    }
    Ok(())
}
