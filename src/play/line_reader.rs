//! Reads lines from a line editor in a terminal, else from standard input.

use std::io::{self, BufRead, IsTerminal, Read, Write};

use anyhow::{Context as _, Result};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use crate::play::input_line::Completions;

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
