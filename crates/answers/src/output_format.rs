//! The looks of an answer: text in a terminal, and Markdown with pictures or without.

use game::phrase::Phrase;

use crate::render;

/// The way in which an answer shows itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputFormat<'a> {
    /// As text, with the colours of a terminal or without.
    Terminal {
        /// With colours.
        colored: bool,
        /// Seen by the side on turn; else by the person against the computer, or by whoever began.
        auto_flip: bool,
    },
    /// As Markdown without a picture, where there is no commit that has one.
    MarkdownText,
    /// As Markdown, with the picture that was committed with the record, and the board as text folded below it.
    MarkdownPicture {
        /// The address of the state directory at a commit that has both: `https://github.com/owner/name/blob/COMMIT/state`.
        base_url: &'a str,
    },
}

impl OutputFormat<'_> {
    /// Returns a phrase as it looks here.
    pub fn render(self, phrase: &Phrase) -> String {
        match self {
            OutputFormat::Terminal { .. } => render::text(phrase),
            OutputFormat::MarkdownText | OutputFormat::MarkdownPicture { .. } => render::markdown(phrase),
        }
    }
}
