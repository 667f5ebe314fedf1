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

/// A login that mentions nobody. One that a host would make something else of stands in code: `GH-1` is an issue, `deadbeef`
/// a commit, and underscores slant. Anyone can name an opponent who is called so.
#[must_use]
pub fn name(login: &str) -> String {
    let number = |end: &str| !end.is_empty() && end.bytes().all(|byte| byte.is_ascii_digit());
    let reference = login.rsplit_once('-').is_some_and(|(_, end)| number(end));
    let commit = login.len() >= 7 && login.bytes().all(|byte| byte.is_ascii_hexdigit());
    if reference || commit || login.contains('_') { format!("**{}**", code(login)) } else { format!("**{login}**") }
}

/// Control characters, and those that turn the direction of writing or take no room: all that Unicode calls ignorable.
fn hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{3164}'
        )
        || matches!(c, '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}')
        || matches!(c, '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}
