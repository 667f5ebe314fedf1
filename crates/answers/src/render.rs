//! Phrases as people see them, in four ways: Markdown in answers and on pages, text in a terminal and for hosts, plain words in
//! commit messages, and the alternative text of a picture.
//!
//! This is the only place where a stranger's text is quoted; logins have been checked to be logins before they reach a table.
//!
//! ```
//! use answers::render::{markdown, plain};
//! use game::phrase::{Span, code, phrase};
//!
//! let sentence = phrase![Span::Person("octocat".to_owned()), " played ", code("b2"), "."];
//! assert_eq!(markdown(&sentence), "**octocat** played `b2`.");
//! assert_eq!(plain(&sentence), "octocat played b2.");
//! ```

use game::phrase::{Phrase, Span};

/// The most characters of a stranger's text that are quoted.
const MAX_QUOTE: usize = 60;

/// Returns a phrase as Markdown.
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

/// Returns a phrase as text for a terminal, for hosts and for other programs: what is to be typed stands in backticks.
pub fn text(phrase: &Phrase) -> String {
    render(phrase, |span| match span {
        Span::Plain(text) | Span::Strong(text) => text.to_string(),
        Span::Code(text) => code(text),
        Span::Person(login) if is_reference(login) => code(login),
        Span::Person(login) => login.clone(),
        Span::Mention(login) => format!("@{login}"),
        Span::Quote(text) => quote(text),
    })
}

/// Returns a phrase as plain words without markup: for commit messages and alternative texts.
pub fn plain(phrase: &Phrase) -> String {
    render(phrase, |span| match span {
        Span::Plain(text) | Span::Strong(text) | Span::Code(text) => text.to_string(),
        Span::Person(login) => login.clone(),
        Span::Mention(login) => format!("@{login}"),
        Span::Quote(text) => shown(text),
    })
}

/// Returns a phrase as the alternative text of a picture in Markdown: plain words without anything that could end the text or
/// mean something in it.
pub fn alt_text(phrase: &Phrase) -> String {
    let ends = |c: &char| !matches!(c, '[' | ']' | '<' | '>' | '`' | '*' | '\\' | '@' | '\n');
    let clean: String = plain(phrase).chars().filter(ends).collect();
    clean.replace('_', "\\_")
}

/// Returns a text that no stranger wrote in a code span.
pub fn code(text: &str) -> String {
    format!("`{text}`")
}

/// Returns texts that no stranger wrote in code spans, with commas.
pub fn code_list(texts: &[impl AsRef<str>]) -> String {
    texts.iter().map(|text| code(text.as_ref())).collect::<Vec<_>>().join(", ")
}

/// Returns a stranger's text in a code span that it cannot end: one line, cut, without characters that are not to be seen.
///
/// ```
/// use answers::render::quote;
///
/// assert_eq!(quote("b2\n@octocat"), "`b2 @octocat`");
/// assert_eq!(quote("`"), "`` ` ``");
/// ```
pub fn quote(text: &str) -> String {
    let shown = shown(text);
    if shown.is_empty() {
        return "(nothing that can be shown)".to_owned();
    }
    let longest = shown.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    if longest == 0 { format!("`{shown}`") } else { format!("{fence} {shown} {fence}") }
}

/// Returns a login that mentions nobody, in bold. One that a host would take for something else stands in code.
pub fn bold_login(login: &str) -> String {
    if is_reference(login) { format!("**{}**", code(login)) } else { format!("**{login}**") }
}

/// Returns the spans of a phrase, each as `span` shows it.
fn render(phrase: &Phrase, span: impl Fn(&Span) -> String) -> String {
    phrase.spans().iter().map(span).collect()
}

/// Returns the beginning of a stranger's text on one line, without characters that are not to be seen.
fn shown(text: &str) -> String {
    let mut shown: String =
        text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).filter(|c| !is_hidden(*c)).collect();
    if let Some((end, _)) = shown.char_indices().nth(MAX_QUOTE) {
        shown.truncate(end);
        shown.push_str("...");
    }
    shown.trim().to_owned()
}

/// Tests if a host would make something else of a login: `GH-1` is an issue, `deadbeef` a commit, and underscores slant.
/// Anyone can name an opponent who is called so.
fn is_reference(login: &str) -> bool {
    let number = |end: &str| !end.is_empty() && end.bytes().all(|byte| byte.is_ascii_digit());
    let issue = login.rsplit_once('-').is_some_and(|(_, end)| number(end));
    let commit = login.len() >= 7 && login.bytes().all(|byte| byte.is_ascii_hexdigit());
    issue || commit || login.contains('_')
}

/// Tests for control characters and for those that turn the direction of writing or take no room: all that
/// [Unicode](https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point) calls ignorable.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{3164}'
        )
        || matches!(c, '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}')
        || matches!(c, '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}
