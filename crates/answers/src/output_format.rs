//! Output formats of a reply: terminal text, or Markdown with or without a picture.

use game::phrase::Phrase;

use crate::{render, terminal};

/// The abilities of a terminal, and the settings of its player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TerminalOptions {
    /// Whether to use ANSI colors.
    pub colored: bool,
    /// Whether to use characters outside ASCII for boards.
    pub unicode: bool,
    /// Whether the player can type the number of a cell on a 3x3 board.
    pub numbered: bool,
    /// Whether the board turns to the player to move. If not, it faces the human in a game against the computer, and
    /// otherwise the first player.
    pub auto_flip: bool,
    /// Whether the board is turned around.
    pub flipped: bool,
    /// The width in columns; `None` if it is unlimited.
    pub columns: Option<usize>,
}

/// How to render a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputFormat<'a> {
    /// Text for a terminal.
    Terminal(TerminalOptions),
    /// Markdown with the board as text, for replies without a commit.
    MarkdownText,
    /// Markdown with the committed picture, and the board as text in a collapsed section.
    MarkdownPicture {
        /// The URL of the state directory at a commit that has the record and the picture:
        /// `https://github.com/owner/name/blob/COMMIT/state`.
        base_url: &'a str,
    },
}

impl OutputFormat<'_> {
    /// Renders a phrase in this format.
    pub fn render(self, phrase: &Phrase) -> String {
        match self {
            OutputFormat::Terminal(options) => terminal::render(phrase, options),
            OutputFormat::MarkdownText | OutputFormat::MarkdownPicture { .. } => render::markdown(phrase),
        }
    }
}
