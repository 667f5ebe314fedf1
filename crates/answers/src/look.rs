//! The looks of an answer: text in a terminal, and Markdown with pictures or without.

use game::phrase::Phrase;

use crate::render;

/// The way in which an answer shows itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look<'a> {
    /// As text, with the colours of a terminal or without.
    Text {
        /// With colours.
        coloured: bool,
        /// Seen by the side on turn; else by the person against the computer, or by whoever began.
        turning: bool,
    },
    /// As Markdown without a picture, where there is no commit that has one.
    Fenced,
    /// As Markdown, with the picture that was committed with the record, and the board as text folded below it.
    Picture {
        /// The address of the state directory at a commit that has both: `https://github.com/owner/name/blob/COMMIT/state`.
        at: &'a str,
    },
}

impl Look<'_> {
    /// Returns a phrase as it looks here.
    pub fn words(self, phrase: &Phrase) -> String {
        match self {
            Look::Text { .. } => render::text(phrase),
            Look::Fenced | Look::Picture { .. } => render::markdown(phrase),
        }
    }
}
