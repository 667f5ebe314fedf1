//! The lines of a comment that its author wrote: without quotes, code blocks, HTML, and the text that mail programs add.

use game::notation::truncate_bytes;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// The longest comment that is parsed, in bytes. GitHub doesn't allow longer ones.
pub const MAX_COMMENT_BYTES: usize = 4 * 65_536;
/// The longest line with a command or a move, in bytes.
pub(super) const MAX_LINE: usize = 400;
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
                code.extend(
                    block
                        .lines()
                        .map(|line| line.trim().chars().map(to_plain_character).collect())
                        .filter(|line: &String| !line.is_empty()),
                );
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
    for (at, &(line, _)) in pairs.iter().enumerate() {
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
        if !line.is_empty() && !line.starts_with("Sent from my ") {
            lines.push(line.chars().map(to_plain_character).collect());
        }
    }
    lines
}

/// Whether a line introduces a quote: "On Tue, 24 Nov 2026, alice wrote:".
fn is_attribution(line: &str) -> bool {
    line.ends_with("wrote:") || line.starts_with("On ") && line.contains('<') && line.contains('@')
}

/// Returns the ASCII character for a full-width one, a dash or a minus, and any other character as it is.
fn to_plain_character(c: char) -> char {
    match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE58}' | '\u{FE63}' => '-',
        '\u{3000}' => ' ',
        _ => c,
    }
}
