//! Texts in code spans: our own, and strangers'.

/// How much of a stranger's text is quoted, in characters.
const MAX_QUOTE: usize = 60;

/// A text of our own in a code span.
#[must_use]
pub fn code(text: &str) -> String {
    format!("`{text}`")
}

/// Several texts of our own in code spans, with commas.
#[must_use]
pub fn list(texts: &[impl AsRef<str>]) -> String {
    texts.iter().map(|text| code(text.as_ref())).collect::<Vec<_>>().join(", ")
}

/// A stranger's text in a code span that it cannot end: one line, cut, without characters that are not to be seen.
#[must_use]
pub fn span(text: &str) -> String {
    let mut shown: String =
        text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).filter(|c| !hidden(*c)).collect();
    if let Some((end, _)) = shown.char_indices().nth(MAX_QUOTE) {
        shown.truncate(end);
        shown.push_str("...");
    }
    let shown = shown.trim();
    if shown.is_empty() {
        return "(nothing that can be shown)".to_owned();
    }
    let longest = shown.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    if longest == 0 { format!("`{shown}`") } else { format!("{fence} {shown} {fence}") }
}

/// The beginning of a text, at most so many bytes and never half a character.
#[must_use]
pub fn cut(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    &text[..end]
}

/// Control characters, and those that turn the direction of writing or take no room.
fn hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
        || matches!(c, '\u{e0000}'..='\u{e0fff}')
}
