//! What `init` says, and the questions that it asks on a terminal.

use std::io::{self, BufRead, IsTerminal, Write};

use anyhow::Result;

/// A conversation with the person who set `init` off.
#[derive(Clone, Copy)]
pub(super) struct Dialog<'a> {
    print: &'a dyn Fn(&str),
}

impl<'a> Dialog<'a> {
    /// Starts a conversation; `print` prints text to standard output.
    pub(super) fn new(print: &'a dyn Fn(&str)) -> Dialog<'a> {
        Dialog { print }
    }

    /// Says something, on a line of its own.
    pub(super) fn say(self, sentence: &str) {
        (self.print)(&format!("{sentence}\n"));
    }

    /// Tests if somebody can answer a question.
    pub(super) fn is_interactive(self) -> bool {
        io::stdin().is_terminal()
    }

    /// Asks a question, and returns the answer in lower case.
    ///
    /// # Errors
    /// Returns an error if there is nothing to read it from.
    pub(super) fn ask(self, question: &str) -> Result<String> {
        (self.print)(question);
        drop(io::stdout().flush());
        let mut answer = String::new();
        io::stdin().lock().read_line(&mut answer)?;
        Ok(answer.trim().to_lowercase())
    }

    /// Asks if a file may be overwritten; false if nobody can answer.
    ///
    /// # Errors
    /// As [`Dialog::ask`].
    pub(super) fn confirm(self, path: &str) -> Result<bool> {
        if !self.is_interactive() {
            self.say("Not running interactively: pass `--yes` to make this change.");
            return Ok(false);
        }
        Ok(matches!(self.ask(&format!("Make this change to {path}? [y/N] "))?.as_str(), "y" | "yes"))
    }
}
