//! `play-by-commit import`: makes a record of a game of chess that was played elsewhere.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::answers::render;
use crate::games::chess::pgn::read::{PgnGame, games};
use crate::host::print::print_line;
use crate::host::record_file::read_text;
use crate::tables::any::AnyTable;
use crate::tables::import::record;
use crate::tables::state_file;
use crate::talk::comment::is_login;

/// The size above which a file of games is not read, in bytes.
const MAX_BYTES: u64 = 32 << 20;
/// The size above which a table of names is not read, in bytes.
const MAX_NAMES: usize = 1 << 20;
/// The most games of a file that are listed.
const MAX_LISTED: u64 = 10;

/// The options of `import`.
#[derive(clap::Args)]
pub(super) struct ImportArgs {
    /// A file of games in PGN
    file: PathBuf,
    /// The issue that the game is to belong to; its table must not be there yet
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    issue: u64,
    /// Which game of the file, the first of them being 1 [default: the only one]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    game: Option<u64>,
    /// Who a name in the file is on GitHub: "Carlsen, Magnus=magnus:583231"; `white` and `black` are names, too
    #[arg(long, value_name = "NAME=LOGIN:ID")]
    player: Vec<String>,
    /// A file of such names, one on a line
    #[arg(long, value_name = "FILE")]
    players: Option<PathBuf>,
    /// The directory of the records
    #[arg(long, value_name = "DIR", default_value = "state")]
    state_dir: PathBuf,
}

/// A person: id and login.
type Person = (u64, String);

/// Writes the record, and says what is in it.
///
/// # Errors
/// The fault of the file or of the names, or a record that is there already. Nothing is written then.
pub(super) fn import(args: &ImportArgs) -> Result<()> {
    let people = people(args)?;
    let text = read_games(&args.file)?;
    let shown = args.file.display();
    let game = chosen(&text, args.game).with_context(|| format!("nothing is imported from {shown}"))?;
    let table = table(&game, args.issue, &people).with_context(|| format!("nothing is imported from {shown}"))?;
    let path = write(&table, &args.state_dir)?;
    let AnyTable::Chess(record) = &table else { return Ok(()) };
    let ending = render::text(&record.ending());
    print_line(&format!("{}: {} moves. {ending}", path.display(), record.plies().len()));
    Ok(())
}

/// Reads the games as text. PGN was made for Latin-1, which is what a file is that is no UTF-8.
fn read_games(path: &Path) -> Result<String> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).with_context(|| format!("{} cannot be opened", path.display()))?;
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).with_context(|| format!("{} cannot be read", path.display()))?;
    if bytes.len() as u64 > MAX_BYTES {
        bail!("{} is larger than {} MB", path.display(), MAX_BYTES >> 20);
    }
    Ok(String::from_utf8(bytes).unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect()))
}

/// Returns the game that is wanted.
fn chosen(text: &str, number: Option<u64>) -> Result<PgnGame<'_>> {
    let (mut first, mut count, mut listed) = (None, 0, String::new());
    for game in games(text) {
        let game = game.map_err(|fault| anyhow::anyhow!("line {}: {}", fault.line, fault.why))?;
        count += 1;
        if number == Some(count) {
            return Ok(game);
        }
        if count <= MAX_LISTED {
            let tag = |name: &str| game.tag(name).map_or("?".to_owned(), |(text, _)| render::quote(text));
            listed.push_str(&format!("\n{count}: {} and {}, {}", tag("White"), tag("Black"), tag("Date")));
        }
        first.get_or_insert(game);
    }
    match (first, number) {
        (None, _) => bail!("there is no game in it"),
        (Some(only), None) if count == 1 => Ok(only),
        (Some(_), None) => {
            let more = if count > MAX_LISTED { "\n..." } else { "" };
            bail!("it has {count} games, and --game says which:{listed}{more}")
        }
        (Some(_), Some(number)) => bail!("it has {count} games, so there is no game {number}"),
    }
}

/// Reads who the names in a file of games are.
fn people(args: &ImportArgs) -> Result<BTreeMap<String, Person>> {
    let mut people = BTreeMap::new();
    let mut add = |line: &str, place: String| {
        let known = person(line).with_context(|| {
            format!("{place}: {} is not NAME=LOGIN:ID, such as \"Carlsen, Magnus=magnus:583231\"", render::quote(line))
        })?;
        people.extend([known]);
        anyhow::Ok(())
    };
    if let Some(path) = &args.players {
        let text = read_text(path, MAX_NAMES).with_context(|| format!("{} cannot be read", path.display()))?;
        if text.len() > MAX_NAMES {
            bail!("{} is larger than 1 MB", path.display());
        }
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        for (at, line) in lines {
            add(line, format!("{}, line {}", path.display(), at + 1))?;
        }
    }
    for line in &args.player {
        add(line, "--player".to_owned())?;
    }
    Ok(people)
}

/// Reads who a name is; `None` if the line does not say so.
fn person(line: &str) -> Option<(String, Person)> {
    let (name, account) = line.rsplit_once('=')?;
    let (login, id) = account.trim().trim_start_matches('@').split_once(':')?;
    let id = id.trim().parse().ok().filter(|id| *id > 0)?;
    let login = login.trim();
    (is_login(login) && !name.trim().is_empty()).then(|| (name.trim().to_lowercase(), (id, login.to_owned())))
}

/// Returns the table that the game becomes.
fn table(game: &PgnGame<'_>, issue: u64, people: &BTreeMap<String, Person>) -> Result<AnyTable> {
    let found = ["White", "Black"].map(|side| {
        let tag = game.tag(side);
        let own = tag.and_then(|(name, _)| people.get(&name.to_lowercase()));
        own.or(people.get(&side.to_lowercase())).cloned().with_context(|| {
            let (name, line) = tag.unwrap_or(("?", game.tags.first().map_or(game.end, |(.., line)| *line)));
            let said = render::quote(name);
            format!(
                "line {line}: who is {said}, the player of the {} pieces? Say so by --player NAME=LOGIN:ID",
                side.to_lowercase()
            )
        })
    });
    let [white, black] = found;
    let both = [white?, black?];
    if both[0].0 == both[1].0 || both[0].1.eq_ignore_ascii_case(&both[1].1) {
        bail!("{} cannot play both sides", both[0].1);
    }
    let table = record(game, issue, &both);
    let table = table.map_err(|fault| anyhow::anyhow!("line {}: {}", fault.line, render::text(&fault.why)))?;
    Ok(table.into())
}

/// Writes a record where there is none, and returns its path.
fn write(table: &AnyTable, dir: &Path) -> Result<PathBuf> {
    let (issue, text) = (table.issue(), state_file::write(table));
    if !dir.is_dir() {
        bail!("there is no directory {}: name the one of the records with --state-dir", dir.display());
    }
    // What is written is read back first, as every run will read it.
    state_file::load(&text, issue).map_err(|why| anyhow::anyhow!("the record would be damaged: {why}"))?;
    let path = dir.join(format!("{issue}.json"));
    let made = OpenOptions::new().write(true).create_new(true).open(&path);
    let mut file = made.with_context(|| format!("{} cannot be made; a record is never replaced", path.display()))?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    if let Err(error) = written {
        // Half a record would be in the way.
        drop(std::fs::remove_file(&path));
        return Err(error).with_context(|| format!("{} cannot be written", path.display()));
    }
    Ok(path)
}
