//! URLs into the repository.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use table::{IssueNumber, Turn, form_comment, is_complete_command};

/// All ASCII characters except RFC 3986's unreserved ones.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The repository that links point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Links<'a> {
    /// The server's URL without a trailing slash: `https://github.com`.
    pub server: &'a str,
    /// The repository: `owner/name`.
    pub repository: &'a str,
    /// The branch with the pictures.
    pub branch: &'a str,
    /// The directory of the pictures: `state`.
    pub state_dir: &'a str,
    /// Whether new issues go through the form [`LINK_FORM`], which gives them the host's label.
    pub use_form: bool,
}

/// The issue form for links, in the repository's folder of issue forms. Its only field is `comment`.
pub const LINK_FORM: &str = "board-link.yml";

impl Links<'_> {
    /// Returns the URL of a table's issue.
    pub fn issue(&self, number: IssueNumber) -> String {
        format!("{}/issues/{number}", self.repository_url())
    }

    /// Returns the URL of a picture below the state directory.
    ///
    /// The page and the picture are in the same commit, so the URL can't contain the commit's hash and uses the branch.
    /// `version` changes the URL after each event, because browsers and GitHub's image proxy cache by URL. (GitHub may
    /// still serve a branch's file up to five minutes late.)
    ///
    /// The URL is absolute because pages in subdirectories, profiles, and package registries resolve relative URLs
    /// differently. A `blob` URL also works in private repositories and on GitHub Enterprise Server.
    pub fn picture(&self, file: &str, version: &str) -> String {
        let (branch, state_dir, file) = (encode_path(self.branch), encode_path(self.state_dir), encode_path(file));
        format!("{}/blob/{branch}/{state_dir}/{file}?raw=true&v={}", self.repository_url(), percent_encode(version))
    }

    /// Returns the URL of a tile below the state directory.
    ///
    /// Tiles never change, so the URL has no version. It is a `raw` URL, which is where a [`blob` URL](Links::picture)
    /// redirects to: this saves hundreds of redirects per page.
    pub fn tile(&self, file: &str) -> String {
        let (branch, state_dir, file) = (encode_path(self.branch), encode_path(self.state_dir), encode_path(file));
        format!("{}/raw/{branch}/{state_dir}/{file}", self.repository_url())
    }

    /// Returns the URL of the new issue form with the title and body filled in.
    pub fn new_issue(&self, title: &str, body: &str) -> String {
        let (url, title, body) = (self.repository_url(), percent_encode(title), percent_encode(body));
        match self.use_form {
            true => format!("{url}/issues/new?template={LINK_FORM}&title={title}&comment={body}"),
            false => format!("{url}/issues/new?title={title}&body={body}"),
        }
    }

    /// Returns the URL of the search for issues with an open seat.
    pub fn open_seats(&self) -> String {
        format!("{}/issues?q=is%3Aopen+label%3A{OPEN_SEAT_LABEL}", self.repository_url())
    }

    fn repository_url(&self) -> String {
        // Drop characters that could end a link or an attribute. Valid server URLs have none.
        let allowed = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~' | ':' | '/' | '%');
        let server: String = self.server.chars().filter(allowed).collect();
        format!("{}/{}", server.trim_end_matches('/'), encode_path(self.repository))
    }
}

/// The label of an issue with an open seat.
pub const OPEN_SEAT_LABEL: &str = "looking-for-opponent";

/// Returns the path of a game's page below the root of the website. It never changes.
pub fn game_page_path(issue: IssueNumber, round: u32) -> String {
    format!("games/{issue}-{round}.html")
}

/// Percent-encodes text, except for [RFC 3986's unreserved
/// characters](https://www.rfc-editor.org/rfc/rfc3986#section-2.3).
pub fn percent_encode(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

/// Percent-encodes the segments of a path.
fn encode_path(text: &str) -> String {
    text.split('/').filter(|part| !part.is_empty()).map(percent_encode).collect::<Vec<_>>().join("/")
}

// Markdown helpers for pages, and the URLs that play moves.

/// The text before and after the effect in the note that explains the green button.
const NOTE: [&str; 2] = ["Press the green button: ", ", and the bot closes this issue."];
/// The request to fill in a move.
const WRITE_MOVE: &str = "Write your move between `/move` and the number.";

/// Returns a game's own text in a code span.
pub(super) fn code_span(text: &str) -> String {
    format!("`{}`", text.replace(['`', '|', '\n'], " "))
}

/// Escapes a username for Markdown. A username that a company manages can have an underscore, which would start
/// emphasis.
pub(super) fn escape_login(login: &str) -> String {
    login.replace('_', "\\_")
}

/// Returns the URL of a new issue that plays a move at a table. `with_note` adds the note about the green button.
pub(super) fn move_url(number: IssueNumber, turn: Turn, links: &Links<'_>, notation: &str, with_note: bool) -> String {
    let note = if with_note { format!("\n\n{}", submit_note("your move is played")) } else { String::new() };
    links.new_issue(&format!("Table {number}: {notation}"), &format!("/move {notation} #{number} {turn}{note}"))
}

/// Returns the URL of a new issue that asks the player to fill in a move.
pub(super) fn any_move_url(number: IssueNumber, turn: Turn, links: &Links<'_>) -> String {
    let body = format!("/move  #{number} {turn}\n\n{WRITE_MOVE} {}", submit_note("your move is played"));
    links.new_issue(&format!("Table {number}: a move"), &body)
}

/// Returns the note below a command in a new issue: what happens after the green button.
pub(super) fn submit_note(effect: &str) -> String {
    format!("{}{effect}{}", NOTE[0], NOTE[1])
}

/// Whether an issue's body is a single command, apart from the note that our links add.
pub fn is_only_a_command(body: &str) -> bool {
    let mut lines = form_comment(body).unwrap_or(body).lines().map(str::trim).filter(|line| !line.is_empty());
    let is_note = |line: &str| {
        let note = line.strip_prefix(WRITE_MOVE).unwrap_or(line).trim_start();
        note.starts_with(NOTE[0]) && note.ends_with(NOTE[1])
    };
    lines.next().is_some_and(is_complete_command) && lines.all(is_note)
}
