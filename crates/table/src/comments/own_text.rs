//! The lines of a comment that its author wrote: without quotes, code blocks, HTML, and the text that mail programs add.

use std::borrow::Cow;

use game::characters::to_plain_characters;
use game::notation::truncate_bytes;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// The longest comment that is parsed, in bytes. GitHub doesn't allow longer ones.
pub const MAX_COMMENT_BYTES: usize = 4 * 65_536;
/// The longest line with a command or a move, in bytes.
pub(super) const MAX_LINE: usize = 400;
/// The longest line whose characters are made plain, in bytes. A plain character may take the place of one of four bytes.
const MAX_PLAIN_LINE: usize = 4 * MAX_LINE;
/// The maximum number of lines that are kept of a code block.
const MAX_CODE_LINES: usize = 20;
/// Lines that separate an email from the one it answers, when the latter isn't marked as a quote.
const SEPARATORS: [&str; 2] = ["-----Original Message-----", "________________________________"];

/// The text of a comment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnText {
    /// The author's own lines, trimmed and without empty ones. Inline code stays, because people copy moves from
    /// answers with their backticks.
    pub lines: Vec<String>,
    /// The first lines of its code blocks.
    pub code: Vec<String>,
}

/// Returns the text of a comment that its author wrote.
pub fn own_text(text: &str) -> OwnText {
    let text = truncate_bytes(text, MAX_COMMENT_BYTES);
    let mut own = text.as_bytes().to_vec();
    let mut code = Vec::new();
    let (mut hidden_to, mut is_code) = (0, false);
    // Quotes can be nested thousands deep. Hiding the outermost one also hides everything in it.
    for (event, range) in Parser::new_ext(text, Options::empty()).into_offset_iter() {
        let is_hidden = match &event {
            Event::Start(Tag::CodeBlock(_)) => {
                is_code = range.start >= hidden_to;
                true
            }
            Event::Start(Tag::BlockQuote(_) | Tag::HtmlBlock) | Event::InlineHtml(_) => true,
            Event::Code(_) => text[range.clone()].contains('\n'),
            _ => false,
        };
        match &event {
            Event::End(TagEnd::CodeBlock) => is_code = false,
            Event::Text(block) if is_code && code.len() < MAX_CODE_LINES => {
                code.extend(block.lines().map(to_plain_line).filter(|line| !line.is_empty()));
            }
            _ => {}
        }
        if is_hidden && range.end > hidden_to {
            hidden_to = range.end;
            own[range].iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
        }
    }
    code.truncate(MAX_CODE_LINES);
    let own = String::from_utf8_lossy(&own);
    let pairs: Vec<(&str, &str)> = own.lines().map(str::trim).zip(text.lines().map(str::trim)).collect();
    OwnText { lines: without_mail_text(&pairs), code }
}

/// Returns the lines that aren't empty, without what mail programs add. Each line comes with its text before quotes were
/// hidden.
fn without_mail_text(pairs: &[(&str, &str)]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (at, (line, _)) in pairs.iter().enumerate() {
        let line = &*without_escapes(line);
        if line == "--" || SEPARATORS.iter().any(|separator| line.starts_with(separator)) {
            break;
        }
        if is_attribution(line) {
            // Some programs wrap it: "On Tue, 24 Nov 2026, alice <alice@example.org>" above "wrote:".
            lines.pop_if(|before| line == "wrote:" && before.starts_with("On "));
            let next = pairs[at + 1..].iter().find(|(_, text)| !text.is_empty());
            let is_quoted = next.is_none_or(|(own, _)| own.is_empty() || is_attribution(own));
            if is_quoted { continue } else { break }
        }
        let line = to_plain_line(line);
        if !line.is_empty() && !line.starts_with("Sent from my ") {
            lines.push(line);
        }
    }
    lines
}

/// Whether a line introduces a quote: "On Tue, 24 Nov 2026, alice wrote:".
fn is_attribution(line: &str) -> bool {
    line.ends_with("wrote:") || line.starts_with("On ") && line.contains('<') && line.contains('@')
}

/// Returns a line in plain characters, trimmed. A line that is too long for a command stays as it is, since some characters stand
/// for many.
fn to_plain_line(line: &str) -> String {
    if line.len() > MAX_PLAIN_LINE { line.to_owned() } else { to_plain_characters(line).trim().to_owned() }
}

/// Returns a line without the backslashes that Markdown doesn't show: at its end, where mail programs write a line break, and
/// before punctuation, as in `1\. e4\!`. One at the beginning stays, since it can escape a command.
fn without_escapes(line: &str) -> Cow<'_, str> {
    if !line.contains('\\') {
        return line.into();
    }
    let mut plain = String::with_capacity(line.len());
    let mut chars = line.trim_end_matches(['\\', ' ']).chars().peekable();
    while let Some(c) = chars.next() {
        let escapes = c == '\\' && !plain.is_empty() && chars.peek().is_some_and(char::is_ascii_punctuation);
        plain.extend(if escapes { chars.next() } else { Some(c) });
    }
    plain.into()
}
