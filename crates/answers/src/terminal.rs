//! Renders phrases for a terminal: commands without slashes, people without `@`, and [`YOU`] as "you".

use game::{Phrase, Span, YOU};

use crate::render;

/// The abilities of a terminal, and the settings of its player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TerminalOptions {
    /// Whether to use ANSI colors.
    pub colored: bool,
    /// Whether to use characters outside ASCII for boards.
    pub unicode: bool,
    /// Whether a player types at a prompt. It takes the number of a cell on a 3x3 board, and says how to play again.
    pub has_prompt: bool,
    /// Whether the board turns to the player to move. If not, it faces the human in a game against the computer, and
    /// otherwise the first player.
    pub auto_flip: bool,
    /// Whether the board is turned around.
    pub flipped: bool,
    /// The width in columns; `None` if it is unlimited.
    pub columns: Option<usize>,
}

/// Renders a phrase. Code is bold in color, else in backticks.
pub(super) fn render(phrase: &Phrase, options: TerminalOptions) -> String {
    let mut out = String::new();
    for span in phrase.terminal_spans(options.has_prompt) {
        match span {
            Span::Plain(text) | Span::Strong(text) => out.push_str(text),
            Span::Person(login) | Span::Mention(login) if login == YOU && !is_sentence_start(&out) => {
                out.push_str("you");
            }
            Span::Person(login) | Span::Mention(login) => out.push_str(login),
            Span::Code(text) => out.push_str(&code(text, options)),
            Span::Quote(text) => out.push_str(&render::quote(text)),
        }
    }
    out
}

/// Returns a move or a command. A terminal's commands need no slash.
fn code(text: &str, options: TerminalOptions) -> String {
    let is_command = text.strip_prefix('/').filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()));
    let text = is_command.unwrap_or(text);
    if options.colored { format!("\u{1b}[1m{text}\u{1b}[0m") } else { render::code(text) }
}

/// Whether the next word begins a sentence, or follows a colon.
fn is_sentence_start(text: &str) -> bool {
    text.is_empty() || [". ", ": ", "\n"].iter().any(|end| text.ends_with(end))
}
