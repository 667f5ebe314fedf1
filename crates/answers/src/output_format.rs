//! Output formats of a reply: terminal text, or Markdown with or without a picture.

use game::phrase::Phrase;

use crate::render;

/// How to render a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputFormat<'a> {
    /// Text for a terminal.
    Terminal {
        /// Whether to use ANSI colors.
        colored: bool,
        /// Whether the board turns to the side to move. Otherwise it faces the human against the computer, else the
        /// first player.
        auto_flip: bool,
    },
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
            OutputFormat::Terminal { .. } => render::text(phrase),
            OutputFormat::MarkdownText | OutputFormat::MarkdownPicture { .. } => render::markdown(phrase),
        }
    }
}
