//! Reading what people type: the words without what stands around them.

/// Returns the beginning of a text: at most so many bytes and never half a character.
pub fn truncate_bytes(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    &text[..end]
}

/// Returns a text without the spaces, punctuation, emphasis and emoji around it. Signs that change the meaning stay: `-1`,
/// `#4`, `@b2`, and `~~b2~~`, which was crossed out.
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

/// Returns the text before a `:tada:` at the end, which is an emoji as GitHub lets one type it.
fn strip_shortcode(text: &str) -> Option<&str> {
    let (before, code) = text.strip_suffix(':')?.rsplit_once(':')?;
    let is_code = !code.is_empty() && code.bytes().all(|b| b.is_ascii_alphanumeric() || b"_+-".contains(&b));
    // After a space or another emoji only, so that `10:30:` keeps its meaning.
    (is_code && before.ends_with(|c| is_blank(c) || c == ':' || is_emoji(c))).then_some(before)
}

/// Tests if a character is a space, or one of the invisible ones that come with copied text.
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

/// Tests if a character is an emoji or joins some. Letters in a square are emoji for the eye and letters for Unicode:
/// they stay.
fn is_emoji(c: char) -> bool {
    let drawn = matches!(c, '\u{2190}'..='\u{21FF}' | '\u{2300}'..='\u{23FF}' | '\u{2600}'..='\u{27BF}')
        || matches!(c, '\u{2B00}'..='\u{2BFF}' | '\u{1F000}'..='\u{1FAFF}');
    let joined = matches!(c, '\u{200D}' | '\u{20E3}' | '\u{FE0E}' | '\u{FE0F}' | '\u{E0020}'..='\u{E007F}');
    (drawn || joined) && !c.is_alphanumeric()
}

/// Returns the letters and digits of a text in lower case: what is left when case, spaces, punctuation and emoji do not
/// matter.
///
/// ```
/// assert_eq!(game::notation::fold("Tic Tac-Toe!"), "tictactoe");
/// ```
pub fn normalize(text: &str) -> String {
    normalize_keeping_case(text).to_lowercase()
}

/// Returns the same as [`fold`] where case counts: `Bxc6!` is `Bxc6`, which is not `bxc6`.
pub fn normalize_keeping_case(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}
