//! Printing that survives a closed pipe (`| head`): the program drops the rest of the output and keeps working.

use std::io::{self, ErrorKind, Write};
use std::sync::Mutex;

use anyhow::{Context, Error, Result};
use game::notation::is_invisible;

/// The first error of standard output other than a closed pipe.
static FIRST_ERROR: Mutex<Option<io::Error>> = Mutex::new(None);

/// Prints text to standard output.
pub fn print(text: &str) {
    note_error(io::stdout().write_all(text.as_bytes()));
}

/// Prints a line to standard output.
pub fn print_line(line: &str) {
    note_error(writeln!(io::stdout(), "{line}"));
}

/// Prints a line that quotes text from outside, such as the name of a file, to standard output.
pub fn print_quoting_line(line: &str) {
    print_line(&escape(line));
}

/// Prints text and a line break to standard error. Control characters other than line breaks are escaped.
pub fn print_note(text: &str) {
    let lines: Vec<String> = text.split('\n').map(escape).collect();
    // If standard error fails, there is nowhere left to report it.
    drop(writeln!(io::stderr(), "{}", lines.join("\n")));
}

/// Prints an error to standard error.
pub fn print_error(error: &Error) {
    print_note(&format!("play-by-commit: {error:#}"));
}

/// Escapes control characters, which could change a terminal, and invisible ones: `\u{1b}`.
pub fn escape(line: &str) -> String {
    let escape = |c: char| if is_invisible(c) { c.escape_default().to_string() } else { c.to_string() };
    line.chars().map(escape).collect()
}

/// Flushes standard output.
///
/// # Errors
/// Returns the first error of any print other than a closed pipe, such as a full disk.
pub fn flush() -> Result<()> {
    note_error(io::stdout().flush());
    match FIRST_ERROR.lock().ok().and_then(|mut first| first.take()) {
        Some(error) => Err(error).context("the output can't be written"),
        None => Ok(()),
    }
}

fn note_error(result: io::Result<()>) {
    if let Err(error) = result
        && error.kind() != ErrorKind::BrokenPipe
        && let Ok(mut first) = FIRST_ERROR.lock()
    {
        first.get_or_insert(error);
    }
}
