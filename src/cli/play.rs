//! `play-by-commit play`: a table in the terminal. The same decide, record, commit and answer code as on GitHub, over a
//! local git repository; the lines that are typed or piped in are the thread.

use std::cell::RefCell;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Mutex;

use anyhow::{Context, Result, anyhow, bail};
use sha2::{Digest, Sha256};

use crate::answers::marker::Marker;
use crate::decisions::house::HouseRules;
use crate::forges::forge::{COMMENTS, Forge};
use crate::forges::local::git::Repo;
use crate::forges::local::{self, Local};
use crate::games::registry::Kind;
use crate::host::inputs;
use crate::protocol::place::{Place, Wake};
use crate::protocol::settle::settle;
use crate::tables::any::{AnyTable, with_table};
use crate::tables::state_file;
use crate::talk::comment::{Author, Source, is_login};
use crate::talk::thread::{File, Oid};

/// The options of `play`.
#[derive(clap::Args)]
pub struct PlayOptions {
    /// The game and its options, as behind /new: tic-tac-toe size=4
    #[arg(value_name = "GAME [KEY=VALUE]", required_unless_present = "table")]
    pub game: Vec<String>,
    /// A directory in a git repository; only its state directory is touched
    #[arg(long, value_name = "DIR")]
    pub repo: Option<PathBuf>,
    /// The branch to commit to [default: the one that is checked out]
    #[arg(long)]
    pub branch: Option<String>,
    /// The directory of the records in the repository
    #[arg(long, value_name = "DIR", default_value = "state")]
    pub state_dir: String,
    /// Go on with this table instead of opening a new one
    #[arg(long, value_name = "NUMBER")]
    pub table: Option<u64>,
    /// The names of the two players, the first seat first: alice,bob
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub players: Vec<String>,
}

/// The length limit of a line that is read as a comment, in bytes.
const MAX_LINE: u64 = 100_000;

/// Plays until the input ends.
///
/// # Errors
/// A repository that cannot be used, or a record that is damaged.
pub async fn play(options: PlayOptions) -> Result<()> {
    let repo = repository(options.repo.as_deref())?;
    if let Some(dir) = options.repo.as_deref().filter(|dir| dir.canonicalize().ok() != repo.place().canonicalize().ok())
    {
        let (dir, place) = (dir.display().to_string(), repo.place().display());
        print_note(&format!("`{}` is in the repository {place}: the table is kept there.", clean(&dir)));
    }
    let branch = local::branch(&repo, options.branch.as_deref())?;
    let tables = local::tables(&repo, &branch, &options.state_dir)?;
    let issue = match options.table {
        Some(table) if tables.contains(&table) => table,
        Some(table) => bail!("There is no table {table} here. The tables: {}.", numbers(tables.iter().copied())),
        None => tables.last().map_or(1, |last| last + 1),
    };
    let interactive = io::stdin().is_terminal();
    let forge = Local::new(repo, options.branch.as_deref(), &options.state_dir, issue, earlier_answer, Box::new(show))?;
    let mut game = Session { known: RefCell::default(), forge, issue, options, interactive };
    game.begin().await?;
    for line in lines() {
        game.take_line(&line?).await?;
        game.prompt().await?;
    }
    game.end().await
}

struct Session {
    /// The record as it was last read, and the table that it gives: replaying it takes most of the time of a move.
    known: RefCell<Option<(String, AnyTable)>>,
    forge: Local,
    issue: u64,
    options: PlayOptions,
    interactive: bool,
}

impl Session {
    /// Opens the table, or shows the one that is there. With nobody named in a pipe, the first to speak opens it.
    async fn begin(&mut self) -> Result<()> {
        if self.options.players.len() > 2 {
            bail!("A table has two players, but --players names {}.", self.options.players.len());
        }
        for player in &self.options.players {
            if !is_login(player) {
                bail!("`{}` is no name for a player: letters, digits, `-` and `_` only.", clean(player));
            }
        }
        print_note(&format!("Table {} in {}", self.issue, self.forge.repo().place().display()));
        if self.table().await?.is_some() {
            self.say("you", "/board").await?;
            return self.prompt().await;
        }
        // A game that is not there is said at once, not when somebody moves.
        self.kind()?;
        if self.interactive || !self.options.players.is_empty() {
            let [first, second] = self.player_names()?;
            self.open(&first, Some(&second)).await?;
        }
        self.prompt().await
    }

    /// Returns the names of both players: those that were given, or the names of the seats.
    fn player_names(&self) -> Result<[String; 2]> {
        let kind = self.kind()?;
        let name =
            |at: usize| self.options.players.get(at).cloned().unwrap_or_else(|| kind.info().seats[at].to_lowercase());
        Ok([name(0), name(1)])
    }

    /// Returns the game that is asked for: as many of the first words as name one.
    fn kind(&self) -> Result<Kind> {
        let words = &self.options.game;
        (1..=words.len()).rev().find_map(|n| Kind::meant(&words[..n].concat())).with_context(|| {
            let games: Vec<&str> = Kind::ALL.iter().map(|kind| kind.info().name).collect();
            format!("There is no game called `{}`. There are: {}.", clean(&words.join(" ")), games.join(", "))
        })
    }

    async fn open(&mut self, login: &str, opponent: Option<&str>) -> Result<()> {
        let opponent = opponent.map_or(String::new(), |login| format!(" @{login}"));
        let text = format!("/new {}{opponent}", self.options.game.join(" "));
        self.forge.open(author(login), true, &text, self.forge.now());
        self.settle().await?;
        if self.table().await?.is_none() {
            bail!("No table was opened. `play-by-commit play --help` says how.");
        }
        Ok(())
    }

    /// Takes one line of input: `alice: /move b2`, or the words alone, which are then those of the player on turn.
    async fn take_line(&mut self, line: &str) -> Result<()> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        let named = line.split_once(':').filter(|(login, text)| is_login(login.trim()) && !text.starts_with("//"));
        let table = self.table().await?;
        match (named, &table) {
            (Some((login, text)), None) if text.trim().to_lowercase().starts_with("/new") => {
                self.forge.open(author(login.trim()), true, text.trim(), self.forge.now());
                self.settle().await
            }
            (Some((login, text)), None) => {
                self.open(login.trim(), None).await?;
                self.say(login.trim(), text.trim()).await
            }
            (None, None) => {
                let [first, second] = self.player_names()?;
                self.open(&first, Some(&second)).await?;
                self.say(&first, line).await
            }
            (Some((login, text)), Some(_)) => self.say(login.trim(), text.trim()).await,
            (None, Some(table)) => {
                let login = self.to_move(table);
                self.say(&login, line).await
            }
        }
    }

    async fn say(&mut self, login: &str, text: &str) -> Result<()> {
        self.forge.post(author(login), true, text, self.forge.now());
        self.settle().await
    }

    async fn settle(&mut self) -> Result<()> {
        let place = Place {
            house: HouseRules { dice: inputs::dice_secret()?, ..HouseRules::default() },
            state_dir: self.options.state_dir.clone(),
            noreply: "players.invalid".to_owned(),
            web: None,
            coloured: in_colour(),
            pages: Vec::new(),
            days: 7,
        };
        let before = ANSWERS.lock().map_or(0, |answers| *answers);
        settle(&self.forge, &place, Wake::Issue(self.issue)).await?;
        for warning in self.forge.take_warnings() {
            print_note(&warning);
        }
        if self.interactive && ANSWERS.lock().map_or(0, |answers| *answers) == before {
            print_note("(That is chat, so there is no answer. /help lists the commands.)");
        }
        Ok(())
    }

    /// Returns the table as it is committed now; `None` if there is none.
    async fn table(&self) -> Result<Option<AnyTable>> {
        let snapshot = self.forge.read(&[self.issue], &[], COMMENTS).await.map_err(|fault| anyhow!("{fault}"))?;
        let Some(thread) = snapshot.threads.get(&self.issue) else { return Ok(None) };
        let table = match &thread.record {
            File::Missing => return Ok(None),
            File::Text(text) => self.load(text),
            File::Unreadable(why) => Err(why.clone()),
        };
        table.map(Some).map_err(|why| anyhow!("The record of table {} is damaged: {why}.", self.issue))
    }

    fn load(&self, text: &str) -> Result<AnyTable, String> {
        let mut known = self.known.borrow_mut();
        if let Some((_, table)) = known.as_ref().filter(|(known, _)| known == text) {
            return Ok(table.clone());
        }
        let table = state_file::load(text, self.issue)?;
        *known = Some((text.to_owned(), table.clone()));
        Ok(table)
    }

    /// Returns the login of the player on turn, or the name of their seat while it is open.
    fn to_move(&self, table: &AnyTable) -> String {
        with_table!(table, record => {
            let seat = record.to_move();
            let name = || table.kind().info().seats[seat.index()].to_lowercase();
            record.sitter(seat).map_or_else(name, |sitter| sitter.login.clone())
        })
    }

    async fn prompt(&self) -> Result<()> {
        if !self.interactive {
            return Ok(());
        }
        let who = match self.table().await? {
            Some(table) if table.is_playing() => self.to_move(&table),
            _ => "the game is over".to_owned(),
        };
        let mut out = io::stderr();
        write!(out, "{who}> ").and_then(|()| out.flush()).context("the terminal is gone")
    }

    async fn end(&self) -> Result<()> {
        if self.interactive {
            print_note("");
        }
        if self.table().await?.is_some() {
            let (dir, state) = (self.forge.repo().place().display().to_string(), &self.options.state_dir);
            print_note(&format!(
                "The record: git -C {dir:?} log -p {} -- {state}/{}.json",
                self.forge.branch_name(),
                self.issue
            ));
            print_note(&format!("To go on: play-by-commit play --table {}", self.issue));
        }
        Ok(())
    }
}

fn repository(named: Option<&std::path::Path>) -> Result<Repo> {
    match named {
        Some(dir) => Repo::open(dir),
        None => Repo::init(&local::default_place(|name| std::env::var_os(name))?),
    }
}

/// Returns a person at this terminal: the same name is the same person, in every process.
fn author(login: &str) -> Author {
    let hash = Sha256::digest(login.to_lowercase());
    let id = hash.iter().take(6).fold(0_u64, |id, byte| id << 8 | u64::from(*byte));
    Author { id: id.max(1), login: login.to_owned(), bot: false }
}

/// Returns the answer that stands for one which an earlier process has given.
fn earlier_answer(source: Source) -> String {
    Marker { source, table: source.issue, commit: Oid::parse(&"0".repeat(40)) }.line()
}

/// Tests if standard output shows colours, and its reader wants them ([`NO_COLOR`](https://no-color.org)).
pub fn in_colour() -> bool {
    let unset = |name| std::env::var_os(name).is_none_or(|value| value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stdout().is_terminal() && unset("NO_COLOR") && !dumb
}

/// The number of answers that this process has shown.
static ANSWERS: Mutex<u64> = Mutex::new(0);

/// Shows an answer without the line that is not for people.
#[allow(clippy::print_stdout)]
fn show(answer: &str) {
    if let Ok(mut answers) = ANSWERS.lock() {
        *answers += 1;
    }
    let text = answer.split_once('\n').map_or(answer, |(_, text)| text);
    println!("{}\n", text.trim_end());
}

#[allow(clippy::print_stderr)]
/// Prints a note for the player to standard error.
fn print_note(text: &str) {
    eprintln!("{text}");
}

fn numbers(tables: impl Iterator<Item = u64>) -> String {
    let all: Vec<String> = tables.map(|table| table.to_string()).collect();
    if all.is_empty() { "none yet".to_owned() } else { all.join(", ") }
}

/// Prepares text from the command line for a sentence: one line, no control characters, cut.
fn clean(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() && *c != '`').take(60).collect()
}

/// Reads the lines of the input, each bounded: of a longer one only the beginning is a comment.
fn lines() -> impl Iterator<Item = Result<String>> {
    let mut input = io::stdin().lock();
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        let read = io::Read::take(&mut input, MAX_LINE).read_until(b'\n', &mut line);
        match read {
            Ok(0) => None,
            Ok(_) => Some(Ok(String::from_utf8_lossy(&line).into_owned())),
            Err(error) => Some(Err(error).context("the input cannot be read")),
        }
    })
}
