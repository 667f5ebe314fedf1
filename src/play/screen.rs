//! What a terminal can show, and text that is wrapped to its width.

use std::io::{self, IsTerminal};

use textwrap::core::display_width;
use textwrap::{Options, WordSplitter};

/// Narrower terminals get unwrapped text.
const MIN_COLUMNS: usize = 20;
/// A nonbreaking space.
const NO_BREAK_SPACE: char = '\u{a0}';

/// Whether standard output is a terminal whose locale has UTF-8.
pub fn has_unicode() -> bool {
    let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable).unwrap_or_default().to_lowercase();
    io::stdout().is_terminal() && (cfg!(windows) || locale.contains("utf-8") || locale.contains("utf8"))
}

/// Shows code in bold if the terminal has colors, and leaves it in backticks otherwise.
pub fn style_code(text: &str, colored: bool) -> String {
    if !colored {
        return text.to_owned();
    }
    let parts = text.split('`').enumerate();
    let parts = parts.map(|(at, part)| if at % 2 == 1 { format!("\u{1b}[1m{part}\u{1b}[0m") } else { part.to_owned() });
    parts.collect()
}

/// Wraps lines of prose between words. Leaves boards alone, and all text if `columns` is `None`.
pub fn wrap(text: &str, columns: Option<usize>) -> String {
    let Some(columns) = columns.filter(|columns| *columns >= MIN_COLUMNS) else { return text.to_owned() };
    text.lines().map(|line| wrap_line(line, columns)).collect::<Vec<_>>().join("\n")
}

fn wrap_line(line: &str, columns: usize) -> String {
    if display_width(line) <= columns || !is_prose(line) {
        return line.to_owned();
    }
    let indent = if line.starts_with("- ") { "  " } else { "" };
    // A hyphen doesn't end a word: `11-15`, tic-tac-toe.
    let options = Options::new(columns).subsequent_indent(indent).word_splitter(WordSplitter::NoHyphenation);
    textwrap::fill(&keep_code_together(line), options).replace(NO_BREAK_SPACE, " ")
}

/// Whether a line is text, and not a row of a board: it starts with a letter, code, a dash or the number of a list.
fn is_prose(line: &str) -> bool {
    let line = line.trim_start_matches("\u{1b}[1m");
    let after_number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with(|c: char| c.is_alphabetic() || matches!(c, '`' | '(' | '"'))
        || line.starts_with("- ")
        || (after_number.len() < line.len() && after_number.starts_with(". "))
}

/// Replaces the spaces in code, so that moves such as `8/5 6/5` stay on one line. Code is in backticks or bold.
fn keep_code_together(line: &str) -> String {
    let mut in_code = false;
    let mut kept = String::new();
    for (at, c) in line.char_indices() {
        match c {
            '`' => in_code = !in_code,
            '\u{1b}' => in_code = line[at..].starts_with("\u{1b}[1m"),
            _ => {}
        }
        kept.push(if in_code && c == ' ' { NO_BREAK_SPACE } else { c });
    }
    kept
}
