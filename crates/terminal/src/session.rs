//! A session at one table: reads lines, posts them as comments, and shows the answers.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use answers::{TerminalOptions, terminal_board};
use anyhow::{Result, anyhow, bail};
use game::YOU;
use games::GameKind;
use git::LocalForge;
use protocol::settle::settle;
use protocol::{
    COMMENTS_PER_PAGE, Environment, FileContent, Forge, RepoConfig, Trigger, error_text, request_error_text,
};
use table::dice::parse_secret;
use table::{
    HostPolicy, InvalidFile, IssueNumber, Secret, StatePath, Table, expand_variant, is_computer_word, is_login,
    state_file,
};

use crate::input_line::LineReader;
use crate::input_line::{self, Completions, InputLine};
use crate::print::{print, print_line, print_note};
use crate::screen;
use crate::screen::{ThinkingNotice, notable_time};
use crate::screen::{has_unicode, style_code, wrap};
use crate::shortcuts::{self, Request};
use crate::{
    PlayOptions, join_numbers, local_author, open_repository, parse_game, placeholder_answer, sanitize, shell_quote,
    use_color,
};

/// The names of players who aren't named with `--players`.
const DEFAULT_NAMES: [&str; 2] = ["alice", "bob"];
/// The note at the end of a session that opened no table.
const NO_GAME_STARTED: &str = "No game was started. See `play-by-commit play --help`.";

/// How a session ends.
pub(super) enum Leaving {
    /// The input ended, or the player leaves.
    Quit,
    /// The player wants another game. If there are no words, they choose it from the menu.
    NewGame(Vec<String>),
}

/// A session at one table.
pub(super) struct Session {
    /// The last record read and its table. Replaying a record takes most of the time of a move.
    cached: RefCell<Option<(String, Table)>>,
    /// Whether the location of the table has been printed.
    announced: bool,
    /// The answers that haven't been printed yet.
    answers: Rc<RefCell<Vec<String>>>,
    forge: LocalForge,
    issue: IssueNumber,
    options: PlayOptions,
    interactive: bool,
    terminal: TerminalOptions,
    /// The resignation that waits for a yes.
    resignation: Option<String>,
    /// The height of the terminal, in lines; `None` without a terminal.
    rows: Option<usize>,
}

impl Session {
    /// Opens the table, or shows an existing one. In a pipe without `--players`, the first comment opens it.
    pub(super) async fn start(mut options: PlayOptions, reader: &mut LineReader) -> Result<Session> {
        if options.players.len() > 2 {
            bail!("A game has two players, but --players names {}.", options.players.len());
        }
        for player in &options.players {
            if !is_login(player) {
                bail!("`{}` isn't a valid name for a player. Use letters, digits, `-` and `_`.", sanitize(player));
            }
        }
        options.game = expand_variant(&options.game);
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
            None => tables.last().map_or(IssueNumber::new(1), |last| last.next()),
        };
        let answers = Rc::new(RefCell::new(Vec::new()));
        let sink = Rc::clone(&answers);
        let forge = LocalForge::new(
            repo,
            options.branch.as_deref(),
            &options.state_dir,
            issue,
            placeholder_answer,
            Box::new(move |answer| sink.borrow_mut().push(answer.to_owned())),
        )?;
        let interactive = reader.is_terminal();
        let terminal = TerminalOptions {
            colored: use_color(),
            unicode: has_unicode() && !options.ascii,
            has_prompt: interactive,
            auto_flip: options.turn,
            flipped: false,
            columns: reader.columns(),
        };
        let mut session = Session {
            cached: RefCell::default(),
            announced: false,
            answers,
            forge,
            issue,
            options,
            interactive,
            terminal,
            resignation: None,
            rows: reader.rows(),
        };
        session.open().await?;
        Ok(session)
    }

    async fn open(&mut self) -> Result<()> {
        if let Some(table) = self.read_table().await? {
            self.check_game(table.kind())?;
            self.announce();
            return self.post_comment("you", "/board").await;
        }
        // Report an unknown game now, not at the first move.
        parse_game(&self.options.game)?;
        if self.interactive || !self.options.players.is_empty() {
            let [first, second] = self.player_names();
            let opponent = if self.has_two_people() { format!("@{second}") } else { "computer".to_owned() };
            self.open_table(&first, Some(&opponent)).await?;
        }
        Ok(())
    }

    pub(super) fn options(&self) -> &PlayOptions {
        &self.options
    }

    /// Handles lines until the input ends or the player wants another game.
    pub(super) async fn run(&mut self, reader: &mut LineReader) -> Result<Leaving> {
        while let Some(text) = self.read_input(reader).await? {
            (self.terminal.columns, self.rows) = (reader.columns(), reader.rows());
            if self.confirm_resignation(&text).await? {
                continue;
            }
            if self.interactive
                && text.trim().is_empty()
                && let Some(leaving) = self.handle_request("").await?
            {
                return Ok(leaving);
            }
            // Pasted text can have several lines.
            for line in text.lines() {
                match input_line::parse_line(line) {
                    InputLine::Blank => {}
                    InputLine::Quit => return Ok(Leaving::Quit),
                    InputLine::Comment(None, _) if self.interactive => {
                        if let Some(leaving) = self.handle_request(line).await? {
                            return Ok(leaving);
                        }
                    }
                    InputLine::Comment(login, text) => self.handle_comment(login, text).await?,
                }
            }
        }
        Ok(Leaving::Quit)
    }

    /// Handles the answer to "Resign?". Returns false if nothing was asked.
    async fn confirm_resignation(&mut self, answer: &str) -> Result<bool> {
        let Some(text) = self.resignation.take() else { return Ok(false) };
        if matches!(answer.trim().to_lowercase().as_str(), "y" | "yes") {
            if let Some(table) = self.read_table().await? {
                self.post_comment(&input_line::likely_author(&table, &text), &text).await?;
            }
        } else {
            self.show("You play on.");
        }
        Ok(true)
    }

    /// Handles a line that a player typed in a terminal without a name.
    async fn handle_request(&mut self, line: &str) -> Result<Option<Leaving>> {
        let Some(table) = self.read_table().await? else { return Ok(None) };
        match shortcuts::interpret(&table, line) {
            Request::Post(text) if text.starts_with("/resign") && table.is_playing() => self.resignation = Some(text),
            Request::Post(text) => {
                let login = input_line::likely_author(&table, &text);
                self.post_comment(&login, &text).await?;
            }
            Request::Note(note) => self.show(&note),
            Request::Help => self.show(&crate::help(&table, self.terminal)),
            Request::Rules(kind) => {
                let has_numbers = kind.is_none_or(|kind| kind == table.kind()) && shortcuts::has_numbered_cells(&table);
                self.show(&crate::rules(kind.unwrap_or(table.kind()), self.terminal, has_numbers));
            }
            Request::Flip => {
                self.terminal.flipped = !self.terminal.flipped;
                print_line(&format!("{}\n", wrap(&terminal_board(&table, self.terminal), self.terminal.columns)));
            }
            Request::Clear => {
                print("\x1b[2J\x1b[H");
                print_line(&format!("{}\n", wrap(&terminal_board(&table, self.terminal), self.terminal.columns)));
            }
            Request::New(words) => {
                if !words.is_empty()
                    && let Err(error) = parse_game(&words)
                {
                    self.show(&error.to_string());
                    return Ok(None);
                }
                if table.is_playing() {
                    print_note(&format!(
                        "To continue the game you leave: {}\n",
                        screen::continue_command(&self.options, &self.forge, self.issue)
                    ));
                }
                return Ok(Some(Leaving::NewGame(words)));
            }
            Request::Quit => return Ok(Some(Leaving::Quit)),
            Request::Nothing => {}
        }
        Ok(None)
    }

    /// Prints text that isn't an answer, wrapped, with a blank line after it.
    fn show(&self, text: &str) {
        let text = style_code(text, self.terminal.colored);
        print_line(&format!("{}\n", self.fit(&text)));
    }

    /// Wraps text to the screen. Without color, moves and commands are in plain quotes.
    fn fit(&self, text: &str) -> String {
        let text = wrap(text, self.terminal.columns);
        if self.interactive { text.replace('`', "'") } else { text }
    }

    /// Whether two people play: with two names, with `--two`, or in a pipe.
    fn has_two_people(&self) -> bool {
        !self.interactive || self.options.two || self.options.players.len() > 1
    }

    /// Returns the names of both players: from `--players`, then from [`DEFAULT_NAMES`]. A player alone is "You".
    fn player_names(&self) -> [String; 2] {
        let given = &self.options.players;
        if given.is_empty() && !self.has_two_people() {
            return [YOU, DEFAULT_NAMES[1]].map(str::to_owned);
        }
        let mut defaults =
            DEFAULT_NAMES.into_iter().filter(|name| !given.iter().any(|given| given.eq_ignore_ascii_case(name)));
        let mut name =
            |at: usize| given.get(at).cloned().or_else(|| defaults.next().map(str::to_owned)).unwrap_or_default();
        [name(0), name(1)]
    }

    /// Checks that the requested game, if any, is the game of the existing table.
    fn check_game(&self, kind: GameKind) -> Result<()> {
        if self.options.game.is_empty() {
            return Ok(());
        }
        let (requested, words) = parse_game(&self.options.game)?;
        let (issue, command) = (self.issue, screen::continue_command(&self.options, &self.forge, self.issue));
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
        let names_opponent = |word: &String| {
            ["seats=open", "open"].contains(&word.to_lowercase().as_str())
                || is_computer_word(word)
                || word.starts_with('@')
        };
        let mut text = format!("/new {}", self.options.game.join(" "));
        if let Some(opponent) = opponent
            && !self.options.game.iter().any(names_opponent)
        {
            text.push_str(&format!(" {opponent}"));
        }
        self.forge.open_issue(local_author(login), true, &text, self.forge.now());
        self.settle().await?;
        if self.read_table().await?.is_none() {
            let has_stray_word = self.options.game.iter().skip(1).any(|word| !word.contains('='));
            if !self.options.players.is_empty() && has_stray_word {
                bail!("{NO_GAME_STARTED} A name after --players can't have spaces: --players Magnus_Carlsen.");
            }
            bail!(NO_GAME_STARTED);
        }
        self.announce();
        Ok(())
    }

    /// Prints once where the table is, or in a terminal how to start.
    fn announce(&mut self) {
        if self.announced {
            return;
        }
        self.announced = true;
        if self.interactive {
            self.show("Type a move, or `help`. Tab completes what you type, and `quit` leaves.");
        } else {
            print_note(&format!("Table {} in {}", self.issue, self.forge.repo().display_path().display()));
        }
    }

    /// Reads the next input; returns `None` at the end.
    async fn read_input(&self, reader: &mut LineReader) -> Result<Option<String>> {
        if !self.interactive {
            return reader.read_line(&Default::default(), Completions::default());
        }
        let table = self.read_table().await?;
        let asks = self.resignation.is_some();
        let plain = if asks { "Resign? y/n> ".to_owned() } else { input_line::prompt(table.as_ref()) };
        let styled = if use_color() { format!("\x1b[1m{plain}\x1b[0m") } else { plain.clone() };
        reader.read_line(&(plain, styled), Completions::for_table(table.as_ref()))
    }

    /// Posts a comment of the named person, or of the person who most likely wrote it.
    async fn handle_comment(&mut self, login: Option<String>, text: String) -> Result<()> {
        let Some(table) = self.read_table().await? else { return self.handle_first_comment(login, &text).await };
        match login {
            Some(login) => self.post_comment(&login, &input_line::interpret_named_line(&table, &login, text)).await,
            None => self.post_comment(&input_line::likely_author(&table, &text), &text).await,
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
        self.settle().await
    }

    /// Answers the last comment, and prints the answer.
    async fn settle(&mut self) -> Result<()> {
        let config = RepoConfig {
            policy: HostPolicy { dice_secret: dice_secret()?, has_reactions: false, ..HostPolicy::default() },
            state_dir: self.options.state_dir.clone(),
            noreply_domain: "players.invalid".to_owned(),
            skip_ci: false,
            web: None,
            terminal: self.terminal,
            pages: Vec::new(),
            bots: Vec::new(),
            sweep_days: 7,
            site_url: None,
            settings: None,
            min_comment_age: Duration::ZERO,
            notices_for_settings: false,
        };
        let before = self.read_table().await?;
        let started = Instant::now();
        let settled = {
            let _notice = self.interactive.then(ThinkingNotice::start);
            settle(&self.forge, &config, Trigger::Issue(self.issue)).await
        };
        let time = started.elapsed();
        let after = self.read_table().await?;
        let answers = self.answers.take();
        for answer in &answers {
            // The first line is the marker.
            let text = answer.split_once('\n').map_or(answer.as_str(), |(_, text)| text).trim_end();
            match &after {
                Some(table) if self.interactive => {
                    self.announce();
                    self.show_answer(text, table, notable_time(before.as_ref(), table, time));
                }
                _ => print_line(&format!("{}\n", wrap(text, self.terminal.columns))),
            }
        }
        settled.map_err(|error| anyhow!(error_text(&error)))?;
        for warning in self.forge.take_warnings() {
            print_note(&warning);
        }
        if self.interactive && answers.is_empty() {
            self.show("(The bot ignores chat. `help` lists the commands.)");
        }
        if let (true, Some(before), Some(after)) = (self.interactive, before, after)
            && before.is_playing()
            && after.is_over()
        {
            let state = self.forge.repo().display_path().join(&self.options.state_dir);
            self.show(&screen::note(&after, &state));
        }
        Ok(())
    }

    /// Prints an answer in a terminal: the sentence, and the board without what follows it on GitHub.
    ///
    /// `thinking_time` is the time of the computer's reply, if it is long.
    fn show_answer(&self, text: &str, table: &Table, thinking_time: Option<Duration>) {
        let board = terminal_board(table, self.terminal);
        let (sentence, has_board) = match text.split_once(board.trim_end()) {
            Some((sentence, _)) => (sentence.trim_end(), true),
            None => (text, false),
        };
        let time = thinking_time
            .map_or(String::new(), |time| format!(" The computer thought for {:.1} seconds.", time.as_secs_f64()));
        let lines: Vec<String> = format!("{sentence}{time}").split('\n').map(|line| self.fit(line)).collect();
        if !has_board {
            print_line(&format!("{}\n", lines.join("\n")));
            return;
        }
        let board = wrap(&board, self.terminal.columns);
        let (above, below) = screen::around_board(&lines, board.lines().count(), self.rows);
        let parts = [above.join("\n"), board.trim_end().to_owned(), below.join("\n")];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        // The prompt takes a line. A screen that has room for little else gets no empty lines.
        let height: usize = parts.iter().map(|part| part.lines().count() + 1).sum();
        let gap = if self.rows.is_some_and(|rows| height + 1 > rows) { "" } else { "\n" };
        for part in parts {
            print_line(&format!("{part}{gap}"));
        }
    }

    /// Reads the committed table, or returns `None` if nobody has opened it yet.
    async fn read_table(&self) -> Result<Option<Table>> {
        let path = StatePath::Record(self.issue).below(&self.options.state_dir);
        let read = self.forge.read(&[], std::slice::from_ref(&path), COMMENTS_PER_PAGE).await;
        let mut files = read.map_err(|error| anyhow!(request_error_text(&error)))?.files;

        let table = match files.remove(&path) {
            None | Some(FileContent::Missing) => return Ok(None),
            Some(FileContent::Text(text)) => self.load_table(&text),
            Some(FileContent::Unreadable(why)) => Err(why.into()),
        };
        table.map(Some).map_err(|why| anyhow!("The record of table {} is damaged: {why}.", self.issue))
    }

    fn load_table(&self, text: &str) -> Result<Table, InvalidFile> {
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
    pub(super) async fn finish(&self) -> Result<()> {
        let Some(table) = self.read_table().await? else { bail!(NO_GAME_STARTED) };
        let (dir, state) = (self.forge.repo().display_path().display().to_string(), &self.options.state_dir);
        let (branch, issue) = (shell_quote(self.forge.branch_name()), self.issue);
        let record = StatePath::Record(issue).below(state);
        print_note(&format!("Its history: git -C {} log -p {branch} -- {record}", shell_quote(&dir)));
        let why = if table.is_over() { "To see it again" } else { "To continue" };
        print_note(&format!("{why}: {}", screen::continue_command(&self.options, &self.forge, self.issue)));
        Ok(())
    }
}

/// Returns the secret that makes dice verifiable; `None` if the player hasn't set one.
fn dice_secret() -> Result<Option<Secret>> {
    let text = std::env::var("PLAY_BY_COMMIT_DICE_SECRET").unwrap_or_default();
    if text.trim().is_empty() { Ok(None) } else { Ok(Some(parse_secret(&text)?)) }
}
