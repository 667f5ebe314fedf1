//! Addresses for a page.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Everything in ASCII but letters, digits and four signs.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The place that links point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Links<'a> {
    /// The server, without a slash at the end: `https://github.com`.
    pub server: &'a str,
    /// The repository: `owner/name`.
    pub repository: &'a str,
    /// The branch that the pictures are committed to.
    pub branch: &'a str,
    /// The directory of the pictures: `state`.
    pub state_dir: &'a str,
}

impl Links<'_> {
    /// Returns the address of the issue of a table.
    pub fn issue(&self, number: u64) -> String {
        format!("{}/issues/{number}", self.home())
    }

    /// Returns the address of a picture below the state directory.
    ///
    /// The page is part of the very commit that brings the picture, so it cannot name that commit as an answer does, and
    /// names the branch. The version is there to make it a new address after each event: browsers and image proxies
    /// keep pictures by their whole address, and would go on showing the old board. (GitHub itself may serve a file
    /// of a branch up to five minutes late.) The address is absolute, because the meaning of a relative one depends on the
    /// place of the page: in a subdirectory, on a profile, on another branch, on a package registry. A `blob` address works in
    /// private repositories and on Enterprise Server, too.
    pub fn picture(&self, file: &str, version: &str) -> String {
        let (branch, dir, file) = (path(self.branch), path(self.state_dir), path(file));
        format!("{}/blob/{branch}/{dir}/{file}?raw=true&v={}", self.home(), percent_encode(version))
    }

    /// Returns the address of a small picture below the state directory. It never changes under its name, so it has no version;
    /// and as a page has hundreds of them, this is where the address of a [picture](Links::picture) is redirected to.
    pub fn tile(&self, file: &str) -> String {
        let (branch, dir, file) = (path(self.branch), path(self.state_dir), path(file));
        format!("{}/raw/{branch}/{dir}/{file}", self.home())
    }

    /// Returns the address of a form for a new issue that is filled in already.
    pub fn new_issue(&self, title: &str, body: &str) -> String {
        format!("{}/issues/new?title={}&body={}", self.home(), percent_encode(title), percent_encode(body))
    }

    fn home(&self) -> String {
        // Nothing that could end a link or an attribute; a server's address has no other characters.
        let allowed = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~' | ':' | '/' | '%');
        let server: String = self.server.chars().filter(allowed).collect();
        format!("{}/{}", server.trim_end_matches('/'), path(self.repository))
    }
}

/// Returns text as a part of an address: everything is percent-encoded but what
/// [RFC 3986](https://www.rfc-editor.org/rfc/rfc3986#section-2.3) calls unreserved.
pub fn percent_encode(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

/// Encodes a path as a part of an address: its slashes stay.
fn path(text: &str) -> String {
    text.split('/').filter(|part| !part.is_empty()).map(percent_encode).collect::<Vec<_>>().join("/")
}
