//! How the bot recognizes its own comments.

/// Two signs that the token's account wrote a comment. Either one is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Authorship {
    /// Whether GitHub says so in the field `viewerDidAuthor`.
    pub viewer_did_author: bool,
    /// Whether the author has the login of the token's account.
    pub same_login: bool,
}

impl Authorship {
    /// Whether either sign holds.
    pub fn is_ours(self) -> bool {
        self.viewer_did_author || self.same_login
    }
}
