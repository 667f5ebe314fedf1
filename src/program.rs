//! The command line: commands, their options, and the functions that run them.

use std::io;
use std::io::{BufRead, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use answers::{board_picture, render as phrases, sentences};
use anyhow::{Context, Result, bail};
use clap::builder::TypedValueParser;
use clap::{Parser, Subcommand, ValueEnum};
use games::GameKind;
use git::WorkTree;
use interop::{Place, export, rules};
use setup::init;
use site::load_record;
use table::IssueNumber;
use terminal::print::{self, print, print_line};
use terminal::{ABOUT_PLAY, PlayOptions, about_play, play, use_color};

use crate::host_commands::{AdoptArgs, MoveArgs, RemoveArgs, adopt, move_game, remove_game};
use crate::import::{ImportArgs, import};
use crate::site::{SiteArgs, site};
use crate::{doctor, environment, perft, run, uci, verify};

/// Plays board games on GitHub by comment; every move is a commit
#[derive(Parser)]
#[command(name = "play-by-commit", version)]
struct Cli {
    #[command(subcommand)]
    command: CliCommand,
}

#[derive(Subcommand)]
enum CliCommand {
    #[command(about = ABOUT_PLAY, long_about = about_play())]
    Play(PlayOptions),
    /// Sets up a repository: writes the workflow and the issue form, and explains the next steps
    ///
    /// It only writes files in the work tree. If a file exists already, init keeps your choices and asks before it changes anything.
    /// If it can't ask, it leaves the file unchanged and exits with code 1.
    Init(InitArgs),
    /// Checks a repository's setup without changing anything
    ///
    /// In a work tree, it reads the workflows, the issue forms, the pages and every game. With --online, it checks the settings
    /// on GitHub. The exit code is 1 if something has to change.
    ///
    /// The token is in GH_TOKEN or GITHUB_TOKEN, or for an Enterprise Server in GH_ENTERPRISE_TOKEN or GITHUB_ENTERPRISE_TOKEN.
    /// OWNER/NAME is on the server of the clone you are in, else on github.com.
    Doctor {
        /// A directory in the work tree
        #[arg(long, value_name = "DIR", default_value = ".")]
        repo: PathBuf,
        /// Checks this repository on GitHub instead of a work tree
        #[arg(long, value_name = "OWNER/NAME|URL", conflicts_with = "repo")]
        online: Option<String>,
    },
    /// Replays games, verifies their dice, and reports what is wrong
    ///
    /// Without files, it checks everything: all games, earlier rounds included, and the standings.
    Verify {
        /// Game files, named after their issue, or a directory of games: state/42.json
        files: Vec<PathBuf>,
        /// Computes each of the computer's moves again and compares them
        #[arg(long)]
        replies: bool,
        /// Counts all results again and reports where the standings differ; checks no other games
        #[arg(long)]
        standings: bool,
        /// The directory of the games and the standings
        #[arg(long, value_name = "DIR", default_value = "state")]
        state_dir: PathBuf,
    },
    /// Shows the board of a game
    Render {
        /// A game file: state/42.json
        file: PathBuf,
        /// Output: text, svg, or replay (the whole game as an animated SVG)
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
        /// Shows the board after N moves, or the replay up to there; 0 is the start [default: now]
        #[arg(long, value_name = "N")]
        ply: Option<usize>,
    },
    /// Prints a game for other programs: chess as PGN, backgammon as a match text (.mat), checkers as PDN, Othello as a transcript
    ///
    /// Every chess program reads PGN. GNU Backgammon (`import mat FILE`) and many others read match texts. Othello programs
    /// read a transcript: the moves without passes, such as f5d6c3. Hex prints a link to HexWorld.
    /// An unfinished game ends at its last move.
    Export {
        /// A game file: state/42.json
        file: PathBuf,
        /// The repository to name in PGN [default: the remote `origin` of the file's repository]
        #[arg(long, value_name = "OWNER/NAME|URL")]
        repository: Option<String>,
        /// Prints a link that shows the game on another website instead: lichess (chess) or HexWorld (hex)
        #[arg(long)]
        link: bool,
    },
    /// Turns chess games that were played elsewhere (PGN) into game files
    ///
    /// It writes into the directory of the games and never replaces a file; you commit the result. Name each player's GitHub
    /// account with --player or --players; https://api.github.com/users/LOGIN shows an account's id.
    Import(ImportArgs),
    /// Moves a running game to another issue, perhaps of another repository
    ///
    /// It moves the game's files in your clone, and you commit the result. Earlier rounds stay in the archive of the old issue.
    /// If both issues are in one repository, a player can also open the new one with `/continue #42`.
    Move(MoveArgs),
    /// Continues the games of another repository in this one, after a copy or a restored backup
    ///
    /// The bot plays each game only in the repository that its file names. This changes the names in your clone, and you commit
    /// the result. Don't adopt games that still go on in the other repository.
    Adopt(AdoptArgs),
    /// Deletes the files of a game
    ///
    /// It deletes them in your clone, and you commit the result. Rounds that count in the standings stay in the archive.
    Remove(RemoveArgs),
    /// Builds a website of all games: boards at every move, players, ratings, standings, a feed
    ///
    /// You can serve its files from anywhere; they load nothing from other sites. Only changed files are written.
    /// The computer analyzes some finished games each time, and the site's files keep its results.
    Site(SiteArgs),
    /// Runs the rules engine for other programs: JSON Lines in, JSON Lines out
    ///
    /// Each line you write is a request. It gets one line as its response:
    ///
    /// $ echo '{"id":1,"game":"tic-tac-toe","moves":["b2","a1"],"try":"c3"}' | play-by-commit rules
    /// {"id":1,"status":"playing","currentPlayer":"X",...,"tried":{"ok":true,"notation":"c3",...}}
    ///
    /// Fields of a request; only `game` is required:
    ///   id        any text or number; the response repeats it
    ///   game      the name of the game, such as chess
    ///   config    the settings, as in a game file: {"boardSize":4,"kInRow":3}
    ///   position  the position to start from, as in a response
    ///   moves     the moves to play from there: ["e4","e5"]; with dice {"dice":[3,1],"play":"8/5 6/5"}
    ///   try       one more move: is it legal, and what position does it lead to
    ///   results   true adds the outcome of each legal move
    ///   choose    the computer's move: {"level":8,"seed":1}
    ///   validate  backgammon only: judges a proposed turn
    ///
    /// The response has the status, the player to move, the winner, the legal moves and the position, or an `error` with a code
    /// and a sentence.
    #[command(verbatim_doc_comment)]
    Rules,
    /// Runs the computer as an engine for chess programs (UCI)
    ///
    /// In your chess program, add an engine with the command `play-by-commit uci`. Its options are Level (1 to 8), Seed and
    /// UCI_Chess960.
    Uci,
    /// Counts the positions exactly DEPTH moves from the start
    ///
    /// It refuses to count more than about four billion positions.
    Perft {
        /// The game: tic-tac-toe
        game: String,
        /// The number of moves
        depth: u32,
        /// The game's options, as after /new: size=4
        options: Vec<String>,
    },
    /// Runs as a GitHub Actions step: answers every comment that hasn't been answered yet
    Run(RunArgs),
}

/// The options of `run`.
#[derive(clap::Args)]
struct RunArgs {
    /// Shows what a run would do next, and writes nothing
    #[arg(long)]
    dry_run: bool,
    /// The issue to look at if there is no event; needs a token in the environment, as `doctor --online` does
    #[arg(long, value_name = "NUMBER", requires = "dry_run", requires = "repository")]
    issue: Option<IssueNumber>,
    /// The repository of that issue, on the server of the clone you are in, or else on github.com
    #[arg(long, value_name = "OWNER/NAME|URL", requires = "dry_run", requires = "issue")]
    repository: Option<String>,
    /// The account that the bot runs as, if the token isn't the bot's [default: github-actions]
    #[arg(long = "as", value_name = "LOGIN", requires = "dry_run")]
    own: Option<String>,
}

/// The options of `init`.
#[derive(clap::Args)]
struct InitArgs {
    /// A directory in the work tree
    #[arg(long, value_name = "DIR", default_value = ".")]
    repo: PathBuf,
    /// Adds markers to the end of README.md: for the board of an issue, the list of games, or the standings; without a value, explains how
    #[arg(long, value_name = "TABLE|tables|standings", num_args = 0..=1, require_equals = true, default_missing_value = "", value_parser = init::plan::parse_readme_block)]
    readme: Vec<init::plan::ReadmeBlock>,
    /// Also writes the workflow for a website of all games, on github.com: https://OWNER.github.io/NAME/
    #[arg(long)]
    site: bool,
    /// For a repository where a server plays: writes no workflow, only the settings in .github/play-by-commit.yml
    #[arg(long, conflicts_with_all = ["readme", "site", "enterprise", "version"])]
    server: bool,
    /// Leaves the issue form for new games out
    #[arg(long)]
    no_form: bool,
    /// Writes for GitHub Enterprise Server [default: on if the remote `origin` isn't on github.com]
    #[arg(long)]
    enterprise: bool,
    /// The version of the action: a tag or a commit [default: this program's version]
    #[arg(long, value_name = "vX.Y.Z|SHA")]
    version: Option<String>,
    /// Changes files without asking. Games stay where they are, unless --branch or --state-dir moves them
    #[arg(long)]
    yes: bool,
    /// Shows the changes, and writes nothing
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,
    /// The branch for the games. It keeps moves out of a project's history, and works if the default branch is protected
    #[arg(long)]
    branch: Option<String>,
    /// The directory for the games
    #[arg(long, value_name = "DIR")]
    state_dir: Option<String>,
    /// Up to four pages with boards to keep up to date: README.md,docs/play.md
    #[arg(long, value_name = "FILES")]
    pages: Option<String>,
    /// The games people can play: chess,hex
    #[arg(long, value_name = "NAMES")]
    games: Option<String>,
    /// Who can start a game in an existing issue: author, anyone, maintainers
    #[arg(long, value_name = "WHO")]
    tables: Option<String>,
    /// The labels of the issues where the bot listens, besides those with a game: games
    #[arg(long, value_name = "NAMES")]
    only_labels: Option<String>,
}

/// The output format of `render`.
#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Text,
    Svg,
    Replay,
}

/// Parses the command line and runs the command.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    start_log();
    let in_workflow = matches!(cli.command, CliCommand::Run(RunArgs { dry_run: false, .. }));
    let result = run(cli.command).and_then(|()| print::flush());
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // `run` has already annotated the error.
        Err(_) if in_workflow => ExitCode::FAILURE,
        Err(error) => {
            print::print_error(&error);
            ExitCode::FAILURE
        }
    }
}

fn run(command: CliCommand) -> Result<()> {
    match command {
        CliCommand::Run(RunArgs { dry_run: false, .. }) => block_on(run::run()),
        CliCommand::Run(RunArgs { issue, repository, own, .. }) => {
            block_on(run::dry_run(&environment::DryRunOptions { repository, issue, bot_login: own }))
        }
        CliCommand::Play(options) => play(options),
        CliCommand::Init(args) => run_init(args),
        CliCommand::Doctor { online: Some(repository), .. } => block_on(doctor::examine_online(Some(repository))),
        CliCommand::Doctor { repo, online: None } => doctor::examine_work_tree(&repo),
        CliCommand::Rules => serve_rules(),
        CliCommand::Uci => uci::serve(),
        CliCommand::Verify { files, replies, standings, state_dir } => {
            verify::verify(files, replies, standings, &state_dir)
        }
        CliCommand::Render { file, format, ply } => render(&file, format, ply),
        CliCommand::Export { file, repository, link } => export(&file, repository.as_deref(), link),
        CliCommand::Import(args) => import(&args),
        CliCommand::Move(args) => move_game(&args),
        CliCommand::Adopt(args) => block_on(adopt(&args)),
        CliCommand::Remove(args) => remove_game(&args),
        CliCommand::Site(args) => site(args),
        CliCommand::Perft { game, depth, options } => perft::perft(&game, depth, &options),
    }
}

fn run_init(args: InitArgs) -> Result<()> {
    let InitArgs { repo, readme, site, server, no_form, enterprise, version, yes, dry_run, .. } = args;
    let InitArgs { branch, state_dir, pages, games, tables, only_labels, .. } = args;
    let inputs = [
        ("branch", branch),
        ("state-dir", state_dir),
        ("pages", pages),
        ("games", games),
        ("tables", tables),
        ("only-labels", only_labels),
    ];
    let inputs = inputs.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
    let options = init::InitOptions { repo, readme, site, server, no_form, enterprise, version, yes, dry_run, inputs };
    if !init::init(&options, &print)? {
        bail!("some files were left unchanged");
    }
    Ok(())
}

/// Runs a future to completion on the current thread.
fn block_on(future: impl Future<Output = Result<()>>) -> Result<()> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(future)
}

/// Starts logging to standard error: at level INFO in a workflow, elsewhere errors only.
fn start_log() {
    let in_workflow = std::env::var_os("GITHUB_ACTIONS").is_some();
    let level = if in_workflow { tracing::Level::INFO } else { tracing::Level::ERROR };
    tracing_subscriber::fmt()
        .with_writer(io::stderr)
        .with_max_level(level)
        .with_ansi(false)
        .with_target(false)
        .without_time()
        .init();
}

/// Answers each request line from standard input with one response line.
fn serve_rules() -> Result<()> {
    let (mut input, mut out) = (io::stdin().lock(), io::stdout().lock());
    loop {
        let mut line = Vec::new();
        let limit = rules::MAX_LINE as u64 + 2;
        if input.by_ref().take(limit).read_until(b'\n', &mut line).context("the input can't be read")? == 0 {
            return Ok(());
        }
        // Reads at most two bytes past the limit, so a long line can't fill the memory.
        let is_whole = line.ends_with(b"\n") || (line.len() as u64) < limit;
        let response = match str::from_utf8(&line).map(|text| text.trim_end_matches(['\r', '\n'])) {
            _ if !is_whole => {
                input.skip_until(b'\n').context("the input can't be read")?;
                rules::line_too_long()
            }
            Ok(text) if text.trim().is_empty() => continue,
            Ok(text) => rules::respond(text),
            Err(_) => rules::line_not_utf8(),
        };
        match writeln!(out, "{response}").and_then(|()| out.flush()) {
            // The reader closed the pipe.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            result => result.context("the output can't be written")?,
        }
    }
}

fn render(path: &Path, format: Format, ply: Option<usize>) -> Result<()> {
    let table = load_record(path).with_context(|| format!("can't show {}", path.display()))?;
    let plies = board_picture::ply_count(&table);
    let Some(picture) = board_picture::at_ply(&table, ply.unwrap_or(plies)) else {
        let count = if plies == 1 { "1 move".to_owned() } else { format!("{plies} moves") };
        bail!("the game has {count}: choose --ply from 0 to {plies}");
    };
    match format {
        Format::Text if use_color() => print_line(&picture.board.text().colored()),
        Format::Text => print_line(&picture.board.text().plain()),
        Format::Svg => print(&picture.svg()),
        Format::Replay => print(&board_picture::replay(&table, ply)),
    }
    Ok(())
}

fn export(path: &Path, repository: Option<&str>, as_link: bool) -> Result<()> {
    let failed = || format!("can't export {}", path.display());
    let table = load_record(path).with_context(failed)?;
    if as_link || table.kind() == GameKind::Hex {
        let refusal = || format!("only chess and hex have a link, but this is a record of {}", table.info().name);
        let link = interop::link(&table).with_context(refusal).with_context(failed)?;
        print_line(&link.url);
        return Ok(());
    }
    let remote = match repository {
        Some(name) => Some(environment::parse_repository(name)?),
        None => path.canonicalize().ok().and_then(|path| WorkTree::open(path.parent()?).ok()?.remote()),
    };
    let place = remote.map(|remote| Place {
        issue_url: format!("{}/{}/issues/{}", remote.server, remote.repository, table.issue()),
        repository: remote.repository,
    });
    let ending = phrases::plain(&sentences::ending(&table));
    let file = export::export(&table, &ending, place.as_ref()).map_err(anyhow::Error::msg);
    print(&file.with_context(failed)?.text);
    Ok(())
}

// Parsers of command-line arguments.

/// Returns a parser of the number of an issue, which is at least 1.
pub(super) fn issue_number() -> impl TypedValueParser<Value = IssueNumber> {
    clap::value_parser!(u64).range(1..).map(IssueNumber::new)
}
