//! Parses input lines: who wrote a line, what it means, and which completions it has.

use std::io;
use std::io::{BufRead, IsTerminal, Read, Write};

use anyhow::{Context as _, Result};
use game::Seat;
use games::GameKind;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use table::{
    Command, MadeBy, Offer, ParsedComment, Table, TableStatus, commands, find_command, is_login, parse_comment,
};

use crate::shortcuts::{add_slash, is_move};

/// Words that only the terminal understands.
const TERMINAL_ONLY: [&str; 4] = ["/rules", "/flip", "/level", "/quit"];

/// A line of input.
#[derive(Debug, PartialEq, Eq)]
pub enum InputLine {
    /// A blank line, or a note that begins with `#`.
    Blank,
    /// A request to leave.
    Quit,
    /// A comment, with its author if the line names one.
    Comment(Option<String>, String),
}

/// Parses a line, such as `alice: /move b2` or `b2`. Commands need no slash.
pub fn parse_line(line: &str) -> InputLine {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return InputLine::Blank;
    }
    let named = line.split_once(':').filter(|(login, text)| is_login(login.trim()) && !text.starts_with("//"));
    match named {
        Some((login, text)) => InputLine::Comment(Some(login.trim().to_owned()), add_slash(text.trim())),
        None if matches!(line.trim_start_matches('/').to_lowercase().as_str(), "quit" | "exit" | "q") => {
            InputLine::Quit
        }
        None => InputLine::Comment(None, add_slash(line)),
    }
}

/// Turns the line of a named person into a `/move` command if it looks like a move and the person can take the seat to move.
/// Otherwise returns it unchanged.
pub fn interpret_named_line(table: &Table, login: &str, text: String) -> String {
    let is_theirs = |seat: &Seat| table.player(*seat).is_some_and(|player| player.name().eq_ignore_ascii_case(login));
    let is_open = table.terms().open.is_some() || table.player(table.player_to_move()).is_none();
    let can_join = is_open && !Seat::BOTH.iter().any(is_theirs);
    if can_join && is_move(table, &text) { format!("/move {text}") } else { text }
}

/// Returns the most likely author of a comment that names none.
///
/// The opponent answers an offer or writes `/claim`, the last mover asks for a takeback, and the player to move writes everything
/// else.
pub fn likely_author(table: &Table, text: &str) -> String {
    let seats = table.kind().info().seats;
    let turn = table.player_to_move();
    let last_mover = || {
        table
            .plies()
            .rev()
            .find(|ply| !matches!(ply.made_by, MadeBy::Computer | MadeBy::Force))
            .map_or(turn, |ply| ply.seat)
    };
    let offered_by = |offer| table.state().offers().offered_by(offer);
    let seat = match parse_comment(text) {
        ParsedComment::Command(Command::Accept | Command::Decline, _) => asked_seat(table).unwrap_or(turn),
        ParsedComment::Command(Command::Draw, _) => offered_by(Offer::Draw).map_or(turn, Seat::other),
        ParsedComment::Command(Command::Undo, _) => offered_by(Offer::Takeback).map_or_else(last_mover, Seat::other),
        ParsedComment::Command(Command::Claim, _) => turn.other(),
        _ => turn,
    };
    // The computer types nothing.
    let seat = if table.players().computer_at(seat).is_some() { seat.other() } else { seat };
    table.player(seat).map_or_else(|| seats[seat.index()].to_lowercase(), |player| player.name().to_owned())
}

/// Returns the seat that has to answer an offer; `None` if there is no offer.
fn asked_seat(table: &Table) -> Option<Seat> {
    let offers = [Offer::Resignation, Offer::Takeback, Offer::Draw];
    offers.into_iter().find_map(|offer| table.state().offers().offered_by(offer)).map(Seat::other)
}

/// Returns the prompt, which names the player to move, or the player who has to answer an offer.
pub fn prompt(table: Option<&Table>) -> String {
    let Some(table) = table else { return "> ".to_owned() };
    let info = table.kind().info();
    let name = |seat: Seat| match table.player(seat) {
        Some(player) => format!("{} ({})", player.name(), info.side_name(seat)),
        None => info.side_name(seat),
    };
    match (table.status(), asked_seat(table)) {
        (TableStatus::Playing, Some(seat)) => format!("{}, yes or no> ", name(seat)),
        (TableStatus::Playing, None) => format!("{}> ", name(table.player_to_move())),
        _ => "game over> ".to_owned(),
    }
}

/// The moves and commands that can complete a line.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Completions {
    moves: Vec<String>,
    /// The commands, with their slashes.
    commands: Vec<String>,
}

impl Completions {
    /// Returns the completions for a table.
    pub fn for_table(table: Option<&Table>) -> Completions {
        let Some(any) = table else { return Completions::default() };
        let is_available = |word: &String| {
            let is_verb_of = |kind: &GameKind| kind.info().verb(&word[1..]).is_some();
            find_command(word).is_none_or(|spec| spec.works_in_terminal)
                && (is_verb_of(&any.kind()) || !GameKind::ALL.iter().any(is_verb_of))
        };
        let commands = commands().into_iter().map(|spec| spec.word).chain(TERMINAL_ONLY.map(str::to_owned));
        let mut moves = Vec::new();
        if any.is_playing() {
            let game = any.game();
            moves.extend(game.legal_moves().iter().map(|mv| game.notation(mv)));
        }
        Completions { moves, commands: commands.filter(is_available).collect() }
    }

    /// Returns the completions of a line, and the byte offset in the line that they replace from.
    pub fn complete_line(&self, line: &str) -> (usize, Vec<String>) {
        let mut from =
            line.split_once(':').filter(|(login, _)| is_login(login.trim())).map_or(0, |(login, _)| login.len() + 1);
        from += line[from..].len() - line[from..].trim_start().len();
        let move_command = ["/move ", "move "].into_iter().find(|word| line[from..].starts_with(word));
        from += move_command.map_or(0, str::len);
        let typed = line[from..].to_lowercase();
        let mut candidates: Vec<&str> = self.moves.iter().map(String::as_str).collect();
        if move_command.is_none() {
            let slash = if typed.starts_with('/') { 0 } else { 1 };
            candidates.extend(self.commands.iter().map(|word| &word[slash..]));
        }
        let mut completions: Vec<String> = Vec::new();
        for word in candidates.into_iter().filter(|word| word.to_lowercase().starts_with(&typed)) {
            // Some words are both a move and a command.
            if !completions.iter().any(|known| known == word) {
                completions.push(word.to_owned());
            }
        }
        (from, completions)
    }
}

// Reads lines from a line editor in a terminal, else from standard input.

/// The maximum length of a line, in bytes.
const MAX_LINE: u64 = 100_000;

/// A reader of input lines.
pub(super) enum LineReader {
    /// Input and output are a terminal: with editing, history and completion.
    Editor(Box<Editor<Completions, MemHistory>>),
    /// Only the input is a terminal.
    Terminal,
    /// The input is a pipe or a file.
    Pipe,
}

impl Helper for Completions {}
impl Highlighter for Completions {}
impl Validator for Completions {}

impl Hinter for Completions {
    type Hint = String;
}

impl Completer for Completions {
    type Candidate = String;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.complete_line(&line[..pos]))
    }
}

impl LineReader {
    /// Opens the reader that fits this process's standard input and output.
    ///
    /// # Errors
    /// Returns an error if the terminal can't be used.
    pub(super) fn open() -> Result<LineReader> {
        if !io::stdin().is_terminal() {
            return Ok(LineReader::Pipe);
        }
        if !io::stdout().is_terminal() {
            return Ok(LineReader::Terminal);
        }
        let config = Config::builder().completion_type(CompletionType::List).completion_show_all_if_ambiguous(true);
        let config = config.auto_add_history(true).build();
        let history = MemHistory::with_config(&config);
        let editor = Editor::with_history(config, history).context("the terminal can't be used")?;
        Ok(LineReader::Editor(Box::new(editor)))
    }

    /// Whether a person types the input.
    pub(super) fn is_terminal(&self) -> bool {
        !matches!(self, LineReader::Pipe)
    }

    /// Returns the width of the terminal in columns; `None` without a terminal to print to.
    pub(super) fn columns(&mut self) -> Option<usize> {
        match self {
            LineReader::Editor(editor) => editor.dimensions().map(|(columns, _)| usize::from(columns)),
            LineReader::Terminal | LineReader::Pipe => None,
        }
    }

    /// Returns the height of the terminal in lines; `None` without a terminal to print to.
    pub(super) fn rows(&mut self) -> Option<usize> {
        match self {
            LineReader::Editor(editor) => editor.dimensions().map(|(_, rows)| usize::from(rows)),
            LineReader::Terminal | LineReader::Pipe => None,
        }
    }

    /// Reads a line; returns `None` at the end of the input or on Ctrl-C.
    ///
    /// The prompt is given twice: plain, and styled for the line editor.
    ///
    /// # Errors
    /// Returns an error if the input can't be read.
    pub(super) fn read_line(&mut self, prompt: &(String, String), completions: Completions) -> Result<Option<String>> {
        match self {
            LineReader::Editor(editor) => {
                editor.set_helper(Some(completions));
                match editor.readline(prompt) {
                    Ok(line) => Ok(Some(line)),
                    Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                    Err(error) => Err(error).context("the terminal is gone"),
                }
            }
            LineReader::Terminal => {
                let mut out = io::stderr();
                write!(out, "{}", prompt.0).and_then(|()| out.flush()).context("the terminal is gone")?;
                let line = read_plain_line()?;
                if line.is_none() {
                    drop(writeln!(out));
                }
                Ok(line)
            }
            LineReader::Pipe => read_plain_line(),
        }
    }
}

/// Reads a line without a line editor, up to [`MAX_LINE`] bytes.
fn read_plain_line() -> Result<Option<String>> {
    let mut line = Vec::new();
    let read = io::stdin().lock().take(MAX_LINE).read_until(b'\n', &mut line).context("the input can't be read")?;
    Ok(if read > 0 { Some(String::from_utf8_lossy(&line).into_owned()) } else { None })
}
