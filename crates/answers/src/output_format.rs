//! Output formats of an answer: terminal text, or Markdown with or without a picture.

use game::phrase::Phrase;

use crate::render;
use crate::terminal::{self, TerminalOptions};

/// How to render an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputFormat<'a> {
    /// Text for a terminal.
    Terminal(TerminalOptions),
    /// Markdown with the board as text, for answers without a commit.
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
