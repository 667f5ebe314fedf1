//! A game in the terminal: `play-by-commit play`.
//!
//! It runs the same protocol as on GitHub over a local git repository. The lines that people type or pipe in are the comments.

pub mod input_line;
pub mod print;
pub mod screen;
mod session;
pub mod shortcuts;

use std::io;
use std::io::IsTerminal;
use std::path::PathBuf;

use answers::{Marker, OutputFormat, TerminalOptions};
use anyhow::{Result, anyhow};
use clap::error::ErrorKind;
use clap::{Args, Command};
use games::GameKind;
use git::Repo;
use sha2::{Digest, Sha256};
use table::{Author, CommentRef, IssueNumber, Oid, Table, UserId, expand_variant};

use crate::input_line::LineReader;
use crate::print::print_note;
use crate::screen::wrap;
use crate::session::{Leaving, Session};
use crate::shortcuts::{example_move, has_numbered_cells, moves_are_cells};

/// The options of `play`.
#[derive(Clone, Args)]
pub struct PlayOptions {
    /// The game and its options, as after /new: chess level=6 as=black. Without a game, you choose from a list
    #[arg(value_name = "GAME [KEY=VALUE]")]
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
    pub table: Option<IssueNumber>,
    /// Names without spaces for the players, first player first: ann,ben [default: You; alice,bob for two people]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub players: Vec<String>,
    /// Two people play at one keyboard, instead of one against the computer
    #[arg(long)]
    pub two: bool,
    /// Flips the board to the player to move; without this, it stays on your side, or the first player's
    #[arg(long)]
    pub turn: bool,
    /// Draws boards with letters instead of figurines and lines [default: on unless the locale is UTF-8]
    #[arg(long)]
    pub ascii: bool,
}

/// What `play` does, for the list of commands.
pub const ABOUT_PLAY: &str = "Plays a game in the terminal; every move is a commit in a local git repository";

/// Returns the long help of `play`, which lists the games.
pub fn about_play() -> String {
    format!(
        "{ABOUT_PLAY}\n\n\
         When it's your turn, type a move, such as `b2`. Commands need no slash: help, undo, draw, hint, quit. Answer a request \
         with yes or no. To play as alice, write `alice: b2`. In a pipe, each line is a comment, and two people play.\n\n\
         Games: {}. `level=1` to `level=8` sets how strong the computer is; \
         `level=0`, in most games, is for children.\n\n\
         Without --repo, games are in a repository of their own, the directory `tables`, which is created if missing. It is in \
         $PLAY_BY_COMMIT_HOME if set, else in $XDG_DATA_HOME/play-by-commit, else in ~/.local/share/play-by-commit (on Windows, \
         %LOCALAPPDATA%\\play-by-commit).",
        game_names()
    )
}

fn game_names() -> String {
    GameKind::ALL.iter().map(|kind| kind.info().name).collect::<Vec<_>>().join(", ")
}

/// Plays until the input ends. If nobody is there to choose a game, a missing one ends the program as a usage error.
///
/// # Errors
/// Returns an error if the repository can't be used, the game or the table doesn't exist, or the record is damaged.
pub fn play(options: PlayOptions) -> Result<()> {
    if lacks_game(&options) {
        let message = format!("name a game: {}", game_names());
        PlayOptions::augment_args(Command::new("play-by-commit play"))
            .error(ErrorKind::MissingRequiredArgument, message)
            .exit()
    }
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(run_sessions(options))
}

/// Plays one game after the other.
async fn run_sessions(mut options: PlayOptions) -> Result<()> {
    let mut reader = LineReader::open()?;
    if options.game.is_empty() && options.table.is_none() {
        match choose_game(&mut reader)? {
            Some(words) => options.game = words,
            None => return Ok(()),
        }
    }
    let mut session = Session::start(options, &mut reader).await?;
    loop {
        match session.run(&mut reader).await? {
            Leaving::Quit => return session.finish().await,
            Leaving::NewGame(words) => {
                let words = if words.is_empty() { choose_game(&mut reader)? } else { Some(words) };
                let Some(words) = words else { continue };
                let options = PlayOptions { game: words, table: None, ..session.options().clone() };
                match Session::start(options, &mut reader).await {
                    Ok(next) => session = next,
                    Err(error) => print_note(&format!("{error} Your game goes on.\n")),
                }
            }
        }
    }
}

/// Whether the command line has to name a game, because nobody is there to choose one.
fn lacks_game(options: &PlayOptions) -> bool {
    options.game.is_empty() && options.table.is_none() && !io::stdin().is_terminal()
}

/// Returns the game that the first words name, and how many words its name has. The longest name counts.
///
/// # Errors
/// Returns an error that lists the games if there is no such game.
fn parse_game(words: &[String]) -> Result<(GameKind, usize)> {
    let words = expand_variant(words);
    let named_by = |n: usize| Some((GameKind::parse(&words[..n].concat())?, n));
    (1..=words.len()).rev().find_map(named_by).ok_or_else(|| {
        let nearest = (1..=words.len()).rev().find_map(|n| GameKind::nearest(&words[..n].concat()));
        let suggestion = nearest.map_or(String::new(), |kind| format!(" Did you mean `{}`?", kind.info().name));
        anyhow!(
            "There is no game called `{}`.{suggestion} The games are: {}.",
            sanitize(&words.join(" ")),
            game_names()
        )
    })
}

/// Returns the name of this program if the shell found it by name, else its path.
fn program_name() -> String {
    let typed = std::env::args_os().next().map(PathBuf::from).unwrap_or_default();
    let path = match typed.components().count() {
        0 => PathBuf::from("play-by-commit"),
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
    Author { id: UserId::new(id.max(1)), login: login.to_owned(), is_bot: false }
}

/// Returns a marker in place of an answer from an earlier process, whose text isn't stored.
fn placeholder_answer(source: CommentRef) -> String {
    Marker { source, table: source.issue, commit: Oid::parse(&"0".repeat(40)), has_board: false, sets_away: false }
        .line()
}

/// Whether to print colors: standard output is a terminal that has them, and [`NO_COLOR`](https://no-color.org) isn't set.
pub fn use_color() -> bool {
    let is_unset = |name| std::env::var_os(name).is_none_or(|value| value.is_empty());
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stdout().is_terminal() && is_unset("NO_COLOR") && !is_dumb
}

fn join_numbers(tables: impl Iterator<Item = IssueNumber>) -> String {
    tables.map(|table| table.to_string()).collect::<Vec<_>>().join(", ")
}

/// Prepares text from the command line for a message: no control characters or backquotes, at most 60 characters.
fn sanitize(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() && *c != '`').take(60).collect()
}

// The list of games to choose from.

/// The minimum terminal width for a list with descriptions.
const WIDE: usize = 56;

/// Asks for a game until the answer names one. Returns the words after `/new`; `None` if the player leaves.
fn choose_game(reader: &mut LineReader) -> Result<Option<Vec<String>>> {
    let width = GameKind::ALL.iter().map(|kind| kind.info().title.len()).max().unwrap_or_default();
    print_note("Which game would you like to play?\n");
    let is_wide = reader.columns().is_none_or(|columns| columns >= WIDE);
    for (at, kind) in GameKind::ALL.iter().enumerate() {
        let tagline = if is_wide { kind.info().tagline } else { "" };
        print_note(format!("  {}  {:width$}  {}", at + 1, kind.info().title, tagline).trim_end());
    }
    let how = "Type a number or a name. `chess level=6` sets the computer's level, 1 to 8.";
    print_note(&format!("\n{}\n", wrap(how, reader.columns())));
    while let Some(line) = reader.read_line(&("game> ".to_owned(), "game> ".to_owned()), Default::default())? {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let Some(first) = words.first() else { continue };
        if matches!(first.trim_start_matches('/').to_lowercase().as_str(), "quit" | "exit" | "q") {
            return Ok(None);
        }
        let words =
            match words.iter().position(|word| word.eq_ignore_ascii_case("/new") || word.eq_ignore_ascii_case("new")) {
                Some(0) => words[1..].to_vec(),
                _ => words,
            };
        if let Some(words) = expand_number(&words) {
            return Ok(Some(words));
        }
    }
    Ok(None)
}

/// Replaces the number of a game with its name. Returns `None` if there is no such game, and says so.
fn expand_number(words: &[String]) -> Option<Vec<String>> {
    let Some(number) = words.first().and_then(|word| word.parse::<usize>().ok()) else {
        return match parse_game(words) {
            Ok(_) => Some(words.to_vec()),
            Err(error) => {
                print_note(&error.to_string());
                None
            }
        };
    };
    let Some(kind) = number.checked_sub(1).and_then(|at| GameKind::ALL.get(at)) else {
        print_note(&format!("Type a number from 1 to {}, or the name of a game.", GameKind::ALL.len()));
        return None;
    };
    Some(std::iter::once(kind.info().name.to_owned()).chain(words[1..].iter().cloned()).collect())
}

// The help of the terminal: a short list of what to type, and the rules of each game.

/// What to type at any table, in two columns.
const WORDS: [[(&str, &str); 2]; 6] = [
    [("moves", "lists your legal moves"), ("undo", "takes back your last move")],
    [("board", "shows the board again"), ("hint", "shows the computer's choice")],
    [("flip", "turns the board around"), ("draw", "offers a draw")],
    [("history", "lists the moves so far"), ("resign", "gives up")],
    [("rules", "explains the game"), ("level", "says how to change the level")],
    [("new", "starts another game"), ("quit", "leaves; you can come back")],
];
/// The minimum terminal width for help in two columns.
const TWO_COLUMNS: usize = 76;

/// Returns what a player can type: eight lines in a terminal of 80 columns.
fn help(table: &Table, options: TerminalOptions) -> String {
    let example = example_move(table).map_or(String::new(), |example| format!(", such as `{example}`"));
    let mut lines = vec![if has_numbered_cells(table) {
        "Type a cell: its column and row, such as `b2`, or its number.".to_owned()
    } else if moves_are_cells(table) {
        format!("Type a cell by its column and row{example}. Tab completes it.")
    } else {
        format!("Type a move{example}. Tab completes it, and `rules` says more.")
    }];
    let is_wide = options.columns.is_none_or(|columns| columns >= TWO_COLUMNS);
    for [(one, means_one), (two, means_two)] in WORDS {
        if is_wide {
            lines.push(format!("  {one:8} {means_one:26}{two:8} {means_two}"));
        } else {
            lines.push(format!("  {one:8} {means_one}"));
            lines.push(format!("  {two:8} {means_two}"));
        }
    }
    let verbs: Vec<String> = table.kind().info().verbs.iter().map(|verb| format!("`{}`", verb.word)).collect();
    if !verbs.is_empty() {
        lines.push(format!("In this game there's also {}.", verbs.join(", ")));
    }
    lines.join("\n")
}

/// Returns how to play a game.
fn rules(kind: GameKind, options: TerminalOptions, has_numbers: bool) -> String {
    let info = kind.info();
    let how = if has_numbers {
        "To move, name a cell by column and row, like `b2` (`a1` is the bottom left), or type the number that the board shows."
            .to_owned()
    } else {
        OutputFormat::Terminal(options).render(&info.how_to_move())
    };
    format!("{}. {} {}\n\n{how}", info.title, info.summary, info.details)
}
