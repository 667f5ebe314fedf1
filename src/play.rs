//! `play-by-commit play`: a table in the terminal. The same decide, record, commit and answer code as on GitHub, over a
//! local git repository; the lines that are typed or piped in are the thread.

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

/// The names of players who have not said theirs.
const DEFAULT_NAMES: [&str; 2] = ["alice", "bob"];

/// Plays until the input ends.
///
/// # Errors
/// A repository that cannot be used, a game or a table that is not there, or a record that is damaged.
pub async fn play(options: PlayOptions) -> Result<()> {
    let repo = open_repository(options.repo.as_deref())?;
    if let Some(dir) =
        options.repo.as_deref().filter(|dir| dir.canonicalize().ok() != repo.display_path().canonicalize().ok())
    {
        let (dir, place) = (dir.display().to_string(), repo.display_path().display());
        print_note(&format!("`{}` is in the repository {place}, so the game is kept there.", sanitize(&dir)));
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
    let mut keyboard = LineReader::open()?;
    let interactive = keyboard.is_terminal();
    let forge = LocalForge::new(
        repo,
        options.branch.as_deref(),
        &options.state_dir,
        issue,
        placeholder_answer,
        Box::new(print_answer),
    )?;
    let mut game = Session { cached: RefCell::default(), announced: false, forge, issue, options, interactive };
    game.start().await?;
    'typing: while let Some(text) = game.read_input(&mut keyboard).await? {
        // What was pasted can be several lines.
        for line in text.lines() {
            match input_line::parse_line(line) {
                InputLine::Blank => {}
                InputLine::Quit => break 'typing,
                InputLine::Comment(login, text) => game.handle_comment(login, text).await?,
            }
        }
    }
    game.finish().await
}

/// Said where the words of a session opened no table.
const NO_GAME_STARTED: &str = "No game was started. See `play-by-commit play --help`.";

struct Session {
    /// The record as it was last read, and the table that it gives: replaying it takes most of the time of a move.
    cached: RefCell<Option<(String, AnyTable)>>,
    /// Whether it was said where the table is.
    announced: bool,
    forge: LocalForge,
    issue: u64,
    options: PlayOptions,
    interactive: bool,
}

impl Session {
    /// Opens the table, or shows the one that is there. With nobody named in a pipe, the first to speak opens it.
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
        // A game that is not there is said at once, not when somebody moves.
        self.requested_game()?;
        if self.interactive || !self.options.players.is_empty() {
            let [first, second] = self.player_names();
            let opponent = if self.has_two_people() { format!("@{second}") } else { "computer".to_owned() };
            self.open_table(&first, Some(&opponent)).await?;
        }
        Ok(())
    }

    /// Tests if two people play: where both are named, where it is asked for, and in a pipe.
    fn has_two_people(&self) -> bool {
        !self.interactive || self.options.two || self.options.players.len() > 1
    }

    /// Returns the names of both players: those that were given, or two of ours.
    fn player_names(&self) -> [String; 2] {
        let given = &self.options.players;
        let mut ours =
            DEFAULT_NAMES.into_iter().filter(|name| !given.iter().any(|given| given.eq_ignore_ascii_case(name)));
        let mut name =
            |at: usize| given.get(at).cloned().or_else(|| ours.next().map(str::to_owned)).unwrap_or_default();
        [name(0), name(1)]
    }

    /// Returns the game that is asked for: as many of the first words as name one; and how many these are.
    fn requested_game(&self) -> Result<(GameKind, usize)> {
        let words = &self.options.game;
        let named = |n: usize| Some((GameKind::parse(&words[..n].concat())?, n));
        (1..=words.len()).rev().find_map(named).ok_or_else(|| {
            let games: Vec<&str> = GameKind::ALL.iter().map(|kind| kind.info().name).collect();
            let near = (1..=words.len()).rev().find_map(|n| GameKind::nearest(&words[..n].concat()));
            let near = near.map_or(String::new(), |kind| format!(" Did you mean `{}`?", kind.info().name));
            anyhow!(
                "There is no game called `{}`.{near} The games are: {}.",
                sanitize(&words.join(" ")),
                games.join(", ")
            )
        })
    }

    /// Checks that what was said about the game is true of the table that is there.
    fn check_game(&self, kind: GameKind) -> Result<()> {
        if self.options.game.is_empty() {
            return Ok(());
        }
        let (asked, words) = self.requested_game()?;
        let (issue, back) = (self.issue, self.continue_command());
        if asked != kind {
            bail!("Table {issue} is a game of {}, not {}. To continue it: {back}", kind.info().name, asked.info().name);
        }
        match self.options.game.get(words..) {
            Some([]) | None => Ok(()),
            Some(options) => bail!(
                "You can't change the options of a running game, so leave out `{}`. To continue it: {back}",
                sanitize(&options.join(" "))
            ),
        }
    }

    async fn open_table(&mut self, login: &str, opponent: Option<&str>) -> Result<()> {
        // At an open table nobody has a seat, so none is kept.
        let taken =
            |word: &String| word.eq_ignore_ascii_case("seats=open") || is_computer_word(word) || word.starts_with('@');
        let taken = self.options.game.iter().any(taken);
        let opponent = opponent.filter(|_| !taken).map_or(String::new(), |opponent| format!(" {opponent}"));
        let text = format!("/new {}{opponent}", self.options.game.join(" "));
        self.forge.open_issue(local_author(login), true, &text, self.forge.now());
        self.settle().await?;
        if self.read_table().await?.is_none() {
            bail!(NO_GAME_STARTED);
        }
        self.announce();
        Ok(())
    }

    /// Says where the table is, and at a keyboard what can be typed.
    fn announce(&mut self) {
        if std::mem::replace(&mut self.announced, true) {
            return;
        }
        print_note(&format!("Table {} in {}", self.issue, self.forge.repo().display_path().display()));
        if self.interactive {
            print_note("Type a move, or `help`. Tab completes what you type, and `quit` leaves.");
        }
    }

    /// Waits for what is typed next; `None` at the end.
    async fn read_input(&self, keyboard: &mut LineReader) -> Result<Option<String>> {
        if !self.interactive {
            return keyboard.read_line(&Default::default(), Completions::default());
        }
        let table = self.read_table().await?;
        let plain = input_line::prompt(table.as_ref());
        let styled = if use_color() { format!("\x1b[1m{plain}\x1b[0m") } else { plain.clone() };
        keyboard.read_line(&(plain, styled), Completions::for_table(table.as_ref()))
    }

    /// Takes what somebody says: whoever is named, or the one whose words these must be.
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

    /// Takes the words that open the table.
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
        let _thinking = self.interactive.then(ThinkingNotice::start);
        self.settle().await
    }

    async fn settle(&mut self) -> Result<()> {
        let place = RepoConfig {
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
        let before = ANSWER_COUNT.lock().map_or(0, |answers| *answers);
        settle(&self.forge, &place, Trigger::Issue(self.issue)).await?;
        for warning in self.forge.take_warnings() {
            print_note(&warning);
        }
        if self.interactive && ANSWER_COUNT.lock().map_or(0, |answers| *answers) == before {
            print_note("(The bot ignores chat. `help` lists the commands.)");
        }
        Ok(())
    }

    /// Returns the table as it is committed now; `None` if there is none.
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
        let mut known = self.cached.borrow_mut();
        if let Some((_, table)) = known.as_ref().filter(|(known, _)| known == text) {
            return Ok(table.clone());
        }
        let table = state_file::load(text, self.issue)?;
        *known = Some((text.to_owned(), table.clone()));
        Ok(table)
    }

    /// Says what was played and how to come back.
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

    /// Returns the command that goes on with this table, also from elsewhere.
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

/// Returns how this program is called: by its name where that was enough, else by its path.
fn program_name() -> String {
    let typed = std::env::args_os().next().map(PathBuf::from).unwrap_or_default();
    let path = match typed.components().count() {
        0 => PathBuf::from(env!("CARGO_PKG_NAME")),
        1 => typed,
        _ => std::env::current_exe().unwrap_or(typed),
    };
    path.display().to_string()
}

/// Returns a word as a shell takes it.
fn shell_quote(word: &str) -> String {
    let plain = |c: char| {
        c.is_alphanumeric()
            || matches!(c, '/' | '.' | '-' | '_' | ':' | '@' | '+' | '=')
            || (cfg!(windows) && c == '\\')
    };
    match word {
        _ if !word.is_empty() && word.chars().all(plain) => word.to_owned(),
        _ if cfg!(windows) => format!("\"{word}\""),
        _ => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

fn open_repository(named: Option<&std::path::Path>) -> Result<Repo> {
    match named {
        Some(dir) => Repo::open(dir),
        None => Repo::init(&git::default_tables_dir(|name| std::env::var_os(name))?),
    }
}

/// Returns a person at this terminal: the same name is the same person, in every process.
fn local_author(login: &str) -> Author {
    let hash = Sha256::digest(login.to_lowercase());
    let id = hash.iter().take(6).fold(0_u64, |id, byte| id << 8 | u64::from(*byte));
    Author { id: id.max(1), login: login.to_owned(), is_bot: false }
}

/// Returns the answer that stands for one which an earlier process has given.
fn placeholder_answer(source: Source) -> String {
    Marker { source, table: source.issue, commit: Oid::parse(&"0".repeat(40)) }.line()
}

/// Tests if standard output shows colours, and its reader wants them ([`NO_COLOR`](https://no-color.org)).
pub fn use_color() -> bool {
    let unset = |name| std::env::var_os(name).is_none_or(|value| value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stdout().is_terminal() && unset("NO_COLOR") && !dumb
}

/// The number of answers that this process has shown.
static ANSWER_COUNT: Mutex<u64> = Mutex::new(0);

/// Shows an answer without the line that is not for people.
fn print_answer(answer: &str) {
    if let Ok(mut answers) = ANSWER_COUNT.lock() {
        *answers += 1;
    }
    let text = answer.split_once('\n').map_or(answer, |(_, text)| text);
    print_line(&format!("{}\n", text.trim_end()));
}

fn join_numbers(tables: impl Iterator<Item = u64>) -> String {
    tables.map(|table| table.to_string()).collect::<Vec<_>>().join(", ")
}

/// Prepares text from the command line for a sentence: one line, no control characters, cut.
fn sanitize(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() && *c != '`').take(60).collect()
}
