//! `play-by-commit play`: a game in the terminal.
//!
//! It runs the same protocol as on GitHub over a local git repository. The lines that people type or pipe in are the comments.

pub mod input_line;
mod line_reader;
mod thinking_notice;

use std::cell::RefCell;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::Mutex;

use answers::marker::Marker;
use anyhow::{Result, anyhow, bail};
use games::registry::GameKind;
use git::repo::Repo;
use git::{self, LocalForge};
use protocol::forge::{COMMENTS_PER_PAGE, Environment, Forge};
use protocol::repo_config::{RepoConfig, Trigger};
use protocol::settle::settle;
use sha2::{Digest, Sha256};
use table::any_table::AnyTable;
use table::decisions::host_policy::HostPolicy;
use table::decisions::presets::expand_preset;
use table::state_file;
use table::talk::command::is_computer_word;
use table::talk::comment::{Author, Source, is_login};
use table::talk::thread::{FileContent, Oid};

use crate::environment;
use crate::play::input_line::{Completions, InputLine};
use crate::play::line_reader::LineReader;
use crate::play::thinking_notice::ThinkingNotice;
use crate::print::{print_line, print_note};

/// The options of `play`.
#[derive(clap::Args)]
pub struct PlayOptions {
    /// The game and its options, as after /new: chess level=6
    #[arg(value_name = "GAME [KEY=VALUE]", required_unless_present = "table")]
    pub game: Vec<String>,
    /// A directory in a git repository for the game; only its state directory changes
    #[arg(long, value_name = "DIR")]
    pub repo: Option<PathBuf>,
    /// The branch to commit to [default: the current branch]
    #[arg(long)]
    pub branch: Option<String>,
    /// The directory for the games in the repository
    #[arg(long, value_name = "DIR", default_value = "state")]
    pub state_dir: String,
    /// Continue this game instead of starting a new one
    #[arg(long, value_name = "NUMBER")]
    pub table: Option<u64>,
    /// Names for the two players, first player first [default: alice,bob]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub players: Vec<String>,
    /// Two people play at one keyboard, instead of one against the computer
    #[arg(long)]
    pub two: bool,
    /// Flips the board to the player to move; without this, it stays on your side, or the first player's
    #[arg(long)]
    pub turn: bool,
}

/// The names of players who aren't named with `--players`.
const DEFAULT_NAMES: [&str; 2] = ["alice", "bob"];

/// Plays until the input ends.
///
/// # Errors
/// Returns an error if the repository can't be used, the game or the table doesn't exist, or the record is damaged.
pub async fn play(options: PlayOptions) -> Result<()> {
    let repo = open_repository(options.repo.as_deref())?;
    if let Some(dir) = options.repo.as_deref()
        && dir.canonicalize().ok() != repo.display_path().canonicalize().ok()
    {
        let (dir, root) = (dir.display().to_string(), repo.display_path().display());
        print_note(&format!("`{}` is in the repository {root}, so the game is kept there.", sanitize(&dir)));
    }
    let branch = git::resolve_branch(&repo, options.branch.as_deref())?;
    let tables = git::list_tables(&repo, &branch, &options.state_dir)?;
    let issue = match options.table {
        Some(table) if tables.contains(&table) => table,
        Some(table) if tables.is_empty() => bail!("There is no table {table} here. No game has started yet."),
        Some(table) => {
            bail!("There is no table {table} here. The tables are: {}.", join_numbers(tables.iter().copied()))
        }
        None => tables.last().map_or(1, |last| last + 1),
    };
    let mut reader = LineReader::open()?;
    let interactive = reader.is_terminal();
    let forge = LocalForge::new(
        repo,
        options.branch.as_deref(),
        &options.state_dir,
        issue,
        placeholder_answer,
        Box::new(print_answer),
    )?;
    let mut session = Session { cached: RefCell::default(), announced: false, forge, issue, options, interactive };
    session.start().await?;
    'input: while let Some(text) = session.read_input(&mut reader).await? {
        // Pasted text can have several lines.
        for line in text.lines() {
            match input_line::parse_line(line) {
                InputLine::Blank => {}
                InputLine::Quit => break 'input,
                InputLine::Comment(login, text) => session.handle_comment(login, text).await?,
            }
        }
    }
    session.finish().await
}

/// The note at the end of a session that opened no table.
const NO_GAME_STARTED: &str = "No game was started. See `play-by-commit play --help`.";

/// A session at one table.
struct Session {
    /// The last record read and its table. Replaying a record takes most of the time of a move.
    cached: RefCell<Option<(String, AnyTable)>>,
    /// Whether the location of the table has been printed.
    announced: bool,
    forge: LocalForge,
    issue: u64,
    options: PlayOptions,
    interactive: bool,
}

impl Session {
    /// Opens the table, or shows an existing one. In a pipe without `--players`, the first comment opens it.
    async fn start(&mut self) -> Result<()> {
        self.options.game = expand_preset(&self.options.game);
        if self.options.players.len() > 2 {
            bail!("A game has two players, but --players names {}.", self.options.players.len());
        }
        for player in &self.options.players {
            if !is_login(player) {
                bail!("`{}` isn't a valid name for a player. Use letters, digits, `-` and `_`.", sanitize(player));
            }
        }
        if let Some(table) = self.read_table().await? {
            self.check_game(table.kind())?;
            self.announce();
            return self.post_comment("you", "/board").await;
        }
        // Report an unknown game now, not at the first move.
        self.requested_game()?;
        if self.interactive || !self.options.players.is_empty() {
            let [first, second] = self.player_names();
            let opponent = if self.has_two_people() { format!("@{second}") } else { "computer".to_owned() };
            self.open_table(&first, Some(&opponent)).await?;
        }
        Ok(())
    }

    /// Whether two people play: with two names, with `--two`, or in a pipe.
    fn has_two_people(&self) -> bool {
        !self.interactive || self.options.two || self.options.players.len() > 1
    }

    /// Returns the names of both players: from `--players`, then from [`DEFAULT_NAMES`].
    fn player_names(&self) -> [String; 2] {
        let given = &self.options.players;
        let mut defaults =
            DEFAULT_NAMES.into_iter().filter(|name| !given.iter().any(|given| given.eq_ignore_ascii_case(name)));
        let mut name =
            |at: usize| given.get(at).cloned().or_else(|| defaults.next().map(str::to_owned)).unwrap_or_default();
        [name(0), name(1)]
    }

    /// Returns the requested game, and the number of words that name it: the longest prefix that is the name of a game.
    fn requested_game(&self) -> Result<(GameKind, usize)> {
        let words = &self.options.game;
        let named_by = |n: usize| Some((GameKind::parse(&words[..n].concat())?, n));
        (1..=words.len()).rev().find_map(named_by).ok_or_else(|| {
            let games: Vec<&str> = GameKind::ALL.iter().map(|kind| kind.info().name).collect();
            let nearest = (1..=words.len()).rev().find_map(|n| GameKind::nearest(&words[..n].concat()));
            let suggestion = nearest.map_or(String::new(), |kind| format!(" Did you mean `{}`?", kind.info().name));
            anyhow!(
                "There is no game called `{}`.{suggestion} The games are: {}.",
                sanitize(&words.join(" ")),
                games.join(", ")
            )
        })
    }

    /// Checks that the requested game, if any, is the game of the existing table.
    fn check_game(&self, kind: GameKind) -> Result<()> {
        if self.options.game.is_empty() {
            return Ok(());
        }
        let (requested, words) = self.requested_game()?;
        let (issue, command) = (self.issue, self.continue_command());
        if requested != kind {
            bail!(
                "Table {issue} is a game of {}, not {}. To continue it: {command}",
                kind.info().name,
                requested.info().name
            );
        }
        match self.options.game.get(words..) {
            Some([]) | None => Ok(()),
            Some(options) => bail!(
                "You can't change the options of a running game, so leave out `{}`. To continue it: {command}",
                sanitize(&options.join(" "))
            ),
        }
    }

    async fn open_table(&mut self, login: &str, opponent: Option<&str>) -> Result<()> {
        // At an open table nobody has a seat, so don't name an opponent.
        let names_opponent =
            |word: &String| word.eq_ignore_ascii_case("seats=open") || is_computer_word(word) || word.starts_with('@');
        let mut text = format!("/new {}", self.options.game.join(" "));
        if let Some(opponent) = opponent
            && !self.options.game.iter().any(names_opponent)
        {
            text.push_str(&format!(" {opponent}"));
        }
        self.forge.open_issue(local_author(login), true, &text, self.forge.now());
        self.settle().await?;
        if self.read_table().await?.is_none() {
            bail!(NO_GAME_STARTED);
        }
        self.announce();
        Ok(())
    }

    /// Prints where the table is, once, and in a terminal how to start.
    fn announce(&mut self) {
        if self.announced {
            return;
        }
        self.announced = true;
        print_note(&format!("Table {} in {}", self.issue, self.forge.repo().display_path().display()));
        if self.interactive {
            print_note("Type a move, or `help`. Tab completes what you type, and `quit` leaves.");
        }
    }

    /// Reads the next input; returns `None` at the end.
    async fn read_input(&self, reader: &mut LineReader) -> Result<Option<String>> {
        if !self.interactive {
            return reader.read_line(&Default::default(), Completions::default());
        }
        let table = self.read_table().await?;
        let plain = input_line::prompt(table.as_ref());
        let styled = if use_color() { format!("\x1b[1m{plain}\x1b[0m") } else { plain.clone() };
        reader.read_line(&(plain, styled), Completions::for_table(table.as_ref()))
    }

    /// Posts a comment of the named person, or of the person who most likely wrote it.
    async fn handle_comment(&mut self, login: Option<String>, text: String) -> Result<()> {
        let Some(table) = self.read_table().await? else { return self.handle_first_comment(login, &text).await };
        match login {
            Some(login) => self.post_comment(&login, &input_line::interpret_named_line(&table, &login, text)).await,
            None => {
                let text = if self.interactive { input_line::interpret_line(&table, text) } else { text };
                self.post_comment(&input_line::likely_author(&table, &text), &text).await?;
                if self.interactive && text.starts_with("/help") {
                    print_note(&format!(
                        "Here commands need no slash: {}. `yes` and `no` answer for the side that was asked; `alice: \
                         b2` plays as alice.\n",
                        Completions::for_table(Some(&table)).command_list()
                    ));
                }
                Ok(())
            }
        }
    }

    /// Opens the table for the first comment, and posts the comment.
    async fn handle_first_comment(&mut self, login: Option<String>, text: &str) -> Result<()> {
        match login {
            Some(login) if text.to_lowercase().starts_with("/new") => {
                self.forge.open_issue(local_author(&login), true, text, self.forge.now());
                self.settle().await?;
                if self.read_table().await?.is_some() {
                    self.announce();
                }
                Ok(())
            }
            Some(login) => {
                self.open_table(&login, None).await?;
                self.post_comment(&login, text).await
            }
            None => {
                let [first, second] = self.player_names();
                self.open_table(&first, Some(&format!("@{second}"))).await?;
                self.post_comment(&first, text).await
            }
        }
    }

    async fn post_comment(&mut self, login: &str, text: &str) -> Result<()> {
        self.forge.add_comment(local_author(login), true, text, self.forge.now());
        let _notice = if self.interactive { Some(ThinkingNotice::start()) } else { None };
        self.settle().await
    }

    async fn settle(&mut self) -> Result<()> {
        let config = RepoConfig {
            policy: HostPolicy { dice_secret: environment::dice_secret()?, ..HostPolicy::default() },
            state_dir: self.options.state_dir.clone(),
            noreply_domain: "players.invalid".to_owned(),
            skip_ci: false,
            web: None,
            colored: use_color(),
            auto_flip: self.options.turn,
            pages: Vec::new(),
            sweep_days: 7,
        };
        let before = ANSWER_COUNT.lock().map_or(0, |count| *count);
        settle(&self.forge, &config, Trigger::Issue(self.issue)).await?;
        for warning in self.forge.take_warnings() {
            print_note(&warning);
        }
        if self.interactive && ANSWER_COUNT.lock().map_or(0, |count| *count) == before {
            print_note("(The bot ignores chat. `help` lists the commands.)");
        }
        Ok(())
    }

    /// Reads the committed table; returns `None` if there is none.
    async fn read_table(&self) -> Result<Option<AnyTable>> {
        let snapshot =
            self.forge.read(&[self.issue], &[], COMMENTS_PER_PAGE).await.map_err(|fault| anyhow!("{fault}"))?;
        let Some(thread) = snapshot.threads.get(&self.issue) else { return Ok(None) };
        let table = match &thread.record {
            FileContent::Missing => return Ok(None),
            FileContent::Text(text) => self.load_table(text),
            FileContent::Unreadable(why) => Err(why.clone()),
        };
        table.map(Some).map_err(|why| anyhow!("The record of table {} is damaged: {why}.", self.issue))
    }

    fn load_table(&self, text: &str) -> Result<AnyTable, String> {
        let mut cached = self.cached.borrow_mut();
        if let Some((cached_text, table)) = cached.as_ref()
            && cached_text == text
        {
            return Ok(table.clone());
        }
        let table = state_file::load(text, self.issue)?;
        *cached = Some((text.to_owned(), table.clone()));
        Ok(table)
    }

    /// Prints how to see the game's history and how to continue it.
    async fn finish(&self) -> Result<()> {
        if self.read_table().await?.is_some() {
            let (dir, state) = (self.forge.repo().display_path().display().to_string(), &self.options.state_dir);
            let (branch, issue) = (shell_quote(self.forge.branch_name()), self.issue);
            print_note(&format!("Its history: git -C {} log -p {branch} -- {state}/{issue}.json", shell_quote(&dir)));
            print_note(&format!("To continue: {}", self.continue_command()));
        } else {
            print_note(NO_GAME_STARTED);
        }
        Ok(())
    }

    /// Returns the command that continues this game from any directory.
    fn continue_command(&self) -> String {
        let PlayOptions { repo, branch, state_dir, turn, .. } = &self.options;
        let mut line = format!("{} play --table {}", shell_quote(&program_name()), self.issue);
        let mut add = |option: &str, value: &str| line.push_str(&format!(" {option} {}", shell_quote(value)));
        if repo.is_some() {
            add("--repo", &self.forge.repo().display_path().display().to_string());
        }
        if let Some(branch) = branch {
            add("--branch", branch);
        }
        if state_dir != "state" {
            add("--state-dir", state_dir);
        }
        if *turn {
            line.push_str(" --turn");
        }
        line
    }
}

/// Returns the name of this program if the shell found it by name, else its path.
fn program_name() -> String {
    let typed = std::env::args_os().next().map(PathBuf::from).unwrap_or_default();
    let path = match typed.components().count() {
        0 => PathBuf::from(env!("CARGO_PKG_NAME")),
        1 => typed,
        _ => std::env::current_exe().unwrap_or(typed),
    };
    path.display().to_string()
}

/// Quotes a word for the shell, if needed.
fn shell_quote(word: &str) -> String {
    let is_plain = |c: char| {
        c.is_alphanumeric()
            || matches!(c, '/' | '.' | '-' | '_' | ':' | '@' | '+' | '=')
            || (cfg!(windows) && c == '\\')
    };
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else if cfg!(windows) {
        format!("\"{word}\"")
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

fn open_repository(dir: Option<&std::path::Path>) -> Result<Repo> {
    match dir {
        Some(dir) => Repo::open(dir),
        None => Repo::init(&git::default_tables_dir(|name| std::env::var_os(name))?),
    }
}

/// Returns the author with this name. The id is a hash of the name, so it is the same in every process.
fn local_author(login: &str) -> Author {
    let hash = Sha256::digest(login.to_lowercase());
    let id = hash.iter().take(6).fold(0_u64, |id, byte| id << 8 | u64::from(*byte));
    Author { id: id.max(1), login: login.to_owned(), is_bot: false }
}

/// Returns a marker in place of an answer from an earlier process, whose text isn't stored.
fn placeholder_answer(source: Source) -> String {
    Marker { source, table: source.issue, commit: Oid::parse(&"0".repeat(40)) }.line()
}

/// Whether to print colors: standard output is a terminal that has them, and [`NO_COLOR`](https://no-color.org) isn't set.
pub fn use_color() -> bool {
    let is_unset = |name| std::env::var_os(name).is_none_or(|value| value.is_empty());
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stdout().is_terminal() && is_unset("NO_COLOR") && !is_dumb
}

/// The number of answers that this process has printed.
static ANSWER_COUNT: Mutex<u64> = Mutex::new(0);

/// Prints an answer without its first line, the marker.
fn print_answer(answer: &str) {
    if let Ok(mut count) = ANSWER_COUNT.lock() {
        *count += 1;
    }
    let text = answer.split_once('\n').map_or(answer, |(_, text)| text);
    print_line(&format!("{}\n", text.trim_end()));
}

fn join_numbers(tables: impl Iterator<Item = u64>) -> String {
    tables.map(|table| table.to_string()).collect::<Vec<_>>().join(", ")
}

/// Prepares text from the command line for a message: no control characters or backquotes, at most 60 characters.
fn sanitize(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() && *c != '`').take(60).collect()
}
