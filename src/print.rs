//! Printing for people and for other programs, which may close the pipe before everything is said (`| head`): then the rest is
//! not heard, and the work goes on.

use std::io::{self, ErrorKind, Write};
use std::sync::Mutex;

/// The first fault of standard output, other than a reader who has left.
static FIRST_ERROR: Mutex<Option<io::Error>> = Mutex::new(None);

/// Prints text to standard output.
pub(crate) fn print(text: &str) {
    note_error(io::stdout().write_all(text.as_bytes()));
}

/// Prints a line to standard output.
pub(crate) fn print_line(line: &str) {
    note_error(writeln!(io::stdout(), "{line}"));
}

/// Prints a line to standard error, for people.
pub(crate) fn print_note(line: &str) {
    // There is nobody else to tell.
    drop(writeln!(io::stderr(), "{line}"));
}

/// Prints what is still to be printed.
///
/// # Errors
/// Something could not be printed although somebody was reading: the disk is full.
pub(crate) fn flush() -> io::Result<()> {
    note_error(io::stdout().flush());
    FIRST_ERROR.lock().ok().and_then(|mut fault| fault.take()).map_or(Ok(()), Err)
}

fn note_error(printed: io::Result<()>) {
    if let Err(error) = printed
        && error.kind() != ErrorKind::BrokenPipe
        && let Ok(mut fault) = FIRST_ERROR.lock()
    {
        fault.get_or_insert(error);
    }
}
