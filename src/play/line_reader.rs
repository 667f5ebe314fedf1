//! The source of lines: an editor where people type, else the bare input.

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

/// The length limit of a line that is read as a comment, in bytes.
const MAX_LINE: u64 = 100_000;

/// The source of lines.
pub(super) enum LineReader {
    /// A terminal to type in and to look at: lines can be edited, called back and completed.
    Editor(Box<Editor<Completions, MemHistory>>),
    /// A terminal to type in, while the answers go elsewhere.
    Terminal,
    /// A pipe or a file, which nobody asks for anything.
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
    /// Returns what this process has for a keyboard.
    ///
    /// # Errors
    /// The terminal cannot be used.
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

    /// Tests if somebody sits at it.
    pub(super) fn is_terminal(&self) -> bool {
        !matches!(self, LineReader::Pipe)
    }

    /// Reads a line, asking with the prompt in its plain form or, where there are colours, in the other one. `None` at the end,
    /// and where somebody wants to leave.
    ///
    /// # Errors
    /// The input cannot be read.
    pub(super) fn read_line(&mut self, prompt: &(String, String), words: Completions) -> Result<Option<String>> {
        match self {
            LineReader::Editor(editor) => {
                editor.set_helper(Some(words));
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

/// Reads a line that is not edited. It is bounded: of a longer one only the beginning is a comment.
fn read_plain_line() -> Result<Option<String>> {
    let mut line = Vec::new();
    let read = io::stdin().lock().take(MAX_LINE).read_until(b'\n', &mut line).context("the input can't be read")?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
}
