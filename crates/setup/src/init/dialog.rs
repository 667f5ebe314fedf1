//! The output of `init`, and its questions in a terminal.

use std::io::{self, BufRead, IsTerminal, Write};

use anyhow::Result;

/// A dialog with the person who runs `init`.
#[derive(Clone, Copy)]
pub(super) struct Dialog<'a> {
    print: &'a dyn Fn(&str),
}

impl<'a> Dialog<'a> {
    /// Creates a dialog. `print` prints text to standard output.
    pub(super) fn new(print: &'a dyn Fn(&str)) -> Dialog<'a> {
        Dialog { print }
    }

    /// Prints a line.
    pub(super) fn say(self, sentence: &str) {
        (self.print)(&format!("{sentence}\n"));
    }

    /// Whether a person can answer questions.
    pub(super) fn is_interactive(self) -> bool {
        io::stdin().is_terminal()
    }

    /// Asks a question and returns the answer in lower case.
    pub(super) fn ask(self, question: &str) -> Result<String> {
        (self.print)(question);
        drop(io::stdout().flush());
        let mut answer = String::new();
        io::stdin().lock().read_line(&mut answer)?;
        Ok(answer.trim().to_lowercase())
    }

    /// Asks whether to change a file; returns false if nobody can answer.
    pub(super) fn confirm(self, path: &str) -> Result<bool> {
        if !self.is_interactive() {
            self.say("Not running interactively: pass `--yes` to make this change.");
            return Ok(false);
        }
        Ok(matches!(self.ask(&format!("Make this change to {path}? [y/N] "))?.as_str(), "y" | "yes"))
    }
}
