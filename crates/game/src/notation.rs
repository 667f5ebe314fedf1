//! Helpers that normalize text typed by people.

/// Returns the longest prefix of at most `max_bytes` bytes that ends at a character boundary.
pub fn truncate_bytes(text: &str, max_bytes: usize) -> &str {
    let end = (0..=max_bytes.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    &text[..end]
}

/// Strips surrounding spaces, punctuation, emphasis and emoji.
///
/// Keeps signs that change the meaning: `-1`, `#4`, `@b2`, and the strikethrough in `~~b2~~`.
pub fn strip_decoration(text: &str) -> &str {
    let mut text = text.trim_start_matches(|c| is_blank(c) || is_leading_decoration(c) || is_emoji(c));
    loop {
        text = text.trim_end_matches(is_blank);
        if let Some(before) = strip_shortcode(text) {
            text = before;
            continue;
        }
        match text.chars().next_back() {
            Some(c) if is_trailing_decoration(c) || is_emoji(c) => text = &text[..text.len() - c.len_utf8()],
            _ => return text,
        }
    }
}

/// Strips a trailing GitHub emoji shortcode such as `:tada:`. `None` if there isn't one.
fn strip_shortcode(text: &str) -> Option<&str> {
    let (before, code) = text.strip_suffix(':')?.rsplit_once(':')?;
    let is_code = !code.is_empty() && code.bytes().all(|b| b.is_ascii_alphanumeric() || b"_+-".contains(&b));
    // Only after a space or another emoji, so that `10:30:` stays as it is.
    let is_separate = before.ends_with(|c| is_blank(c) || c == ':' || is_emoji(c));
    if is_code && is_separate { Some(before) } else { None }
}

/// Whether a character is whitespace, or an invisible character that comes with copied text.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200B}' | '\u{2060}' | '\u{FEFF}')
}

fn is_leading_decoration(c: char) -> bool {
    matches!(c, '(' | '[' | '{' | '"' | '\'' | '*' | '_' | '`' | '“' | '„' | '‘' | '«' | '¡' | '¿')
}

fn is_trailing_decoration(c: char) -> bool {
    matches!(c, '.' | ',' | '!' | '?' | ';' | ':' | ')' | ']' | '}' | '"' | '\'' | '*' | '_' | '`' | '-')
        || matches!(c, '“' | '”' | '’' | '»' | '…' | '‼' | '⁉' | '。' | '，' | '！' | '？')
}

/// Whether a character is an emoji or part of an emoji sequence. Squared letters such as 🅰 are alphanumeric in Unicode
/// and don't count.
fn is_emoji(c: char) -> bool {
    let is_symbol = matches!(c, '\u{2190}'..='\u{21FF}' | '\u{2300}'..='\u{23FF}' | '\u{2600}'..='\u{27BF}')
        || matches!(c, '\u{2B00}'..='\u{2BFF}' | '\u{1F000}'..='\u{1FAFF}');
    let is_modifier = matches!(c, '\u{200D}' | '\u{20E3}' | '\u{FE0E}' | '\u{FE0F}' | '\u{E0020}'..='\u{E007F}');
    (is_symbol || is_modifier) && !c.is_alphanumeric()
}

/// Returns the letters and digits of a text in lowercase.
///
/// ```
/// assert_eq!(game::notation::normalize("Tic Tac-Toe!"), "tictactoe");
/// ```
pub fn normalize(text: &str) -> String {
    normalize_keeping_case(text).to_lowercase()
}

/// Returns the letters and digits of a text.
pub fn normalize_keeping_case(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}
