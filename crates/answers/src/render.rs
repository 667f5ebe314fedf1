//! Renders phrases as Markdown, terminal text, plain text or the alternative text of an image.
//!
//! This is the only module that quotes untrusted text. Usernames are validated before they reach a table.

use game::notation::is_invisible;
use game::{Phrase, Span};

use crate::{TerminalOptions, terminal};

/// The maximum length of quoted untrusted text, in characters.
const MAX_QUOTE: usize = 60;

/// Renders a phrase as Markdown.
pub fn markdown(phrase: &Phrase) -> String {
    render(phrase, |span| match span {
        Span::Plain(text) => text.to_string(),
        Span::Code(text) => code(text),
        Span::Strong(text) => format!("**{text}**"),
        Span::Person(login) => bold_login(login),
        Span::Mention(login) => format!("@{login}"),
        Span::Quote(text) => quote(text),
    })
}

/// Renders a phrase as text for terminals and log files. Code is in backticks.
pub fn text(phrase: &Phrase) -> String {
    render(phrase, |span| match span {
        Span::Plain(text) | Span::Strong(text) => text.to_string(),
        Span::Code(text) => code(text),
        Span::Person(login) if is_autolinked(login) => code(login),
        Span::Person(login) => login.clone(),
        Span::Mention(login) => format!("@{login}"),
        Span::Quote(text) => quote(text),
    })
}

/// Renders a phrase as plain text without markup, for commit messages.
pub fn plain(phrase: &Phrase) -> String {
    render(phrase, |span| match span {
        Span::Plain(text) | Span::Strong(text) | Span::Code(text) => text.to_string(),
        Span::Person(login) => login.clone(),
        Span::Mention(login) => format!("@{login}"),
        Span::Quote(text) => sanitize(text),
    })
}

/// Renders a phrase as the alternative text of a Markdown image, without characters that Markdown would interpret.
pub fn alt_text(phrase: &Phrase) -> String {
    let is_safe = |c: &char| !matches!(c, '[' | ']' | '<' | '>' | '`' | '*' | '\\' | '@' | '\n');
    let clean: String = plain(phrase).chars().filter(is_safe).collect();
    clean.replace('_', "\\_")
}

/// Returns trusted text in a code span.
pub fn code(text: &str) -> String {
    format!("`{text}`")
}

/// Returns trusted texts in code spans, separated by commas.
pub fn code_list(texts: &[impl AsRef<str>]) -> String {
    texts.iter().map(|text| code(text.as_ref())).collect::<Vec<_>>().join(", ")
}

/// Returns untrusted text in a code span that it can't close: one line, truncated, without invisible characters.
///
/// ```
/// use answers::render::quote;
///
/// assert_eq!(quote("b2\n@octocat"), "`b2 @octocat`");
/// assert_eq!(quote("`"), "`` ` ``");
/// ```
pub fn quote(text: &str) -> String {
    let clean = sanitize(text);
    if clean.is_empty() {
        return "(nothing that can be shown)".to_owned();
    }
    let longest = clean.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    if longest == 0 { format!("`{clean}`") } else { format!("{fence} {clean} {fence}") }
}

/// Returns untrusted text in a code block that it can't close.
pub fn code_block(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{}\n{fence}\n", text.trim_end())
}

/// Returns a username in bold, without a mention. If GitHub would autolink it, it is in a code span.
pub fn bold_login(login: &str) -> String {
    if is_autolinked(login) { format!("**{}**", code(login)) } else { format!("**{login}**") }
}

/// Concatenates the spans of a phrase, each rendered by `span`.
fn render(phrase: &Phrase, span: impl Fn(&Span) -> String) -> String {
    phrase.spans().into_iter().map(span).collect()
}

/// Returns untrusted text on one line, truncated, without invisible characters.
fn sanitize(text: &str) -> String {
    let mut clean: String =
        text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).filter(|c| !is_invisible(*c)).collect();
    if let Some((end, _)) = clean.char_indices().nth(MAX_QUOTE) {
        clean.truncate(end);
        clean.push_str("...");
    }
    clean.trim().to_owned()
}

/// Whether GitHub would render a username as something else: `GH-1` is an issue, `deadbeef` a commit, and underscores
/// are emphasis.
///
/// Anyone can name an opponent with such a username.
fn is_autolinked(login: &str) -> bool {
    let is_number = |end: &str| !end.is_empty() && end.bytes().all(|byte| byte.is_ascii_digit());
    let is_issue = login.rsplit_once('-').is_some_and(|(_, end)| is_number(end));
    let is_commit = login.len() >= 7 && login.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_issue || is_commit || login.contains('_')
}

// Output formats of an answer: terminal text, or Markdown with or without a picture.

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
            OutputFormat::MarkdownText | OutputFormat::MarkdownPicture { .. } => markdown(phrase),
        }
    }
}
