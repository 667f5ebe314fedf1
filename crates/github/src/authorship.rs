//! The two signs that tell whose comment it is, since everything rests on knowing the bot's own answers.

/// The signs that a comment was written with this token. Either is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Authorship {
    /// Whether GitHub says so itself: `viewerDidAuthor`.
    pub viewer_did_author: bool,
    /// Whether the author has the login that the token speaks for.
    pub same_login: bool,
}

impl Authorship {
    /// Tests for either of them.
    pub fn is_ours(self) -> bool {
        self.viewer_did_author || self.same_login
    }
}
