//! The words of a text, for comparison with lists of phrases.

/// Returns the words of a text in lowercase, without punctuation, apostrophes and emoji. Mentions keep their `@`.
pub fn words_of(text: &str) -> Vec<String> {
    let text = text.to_lowercase().replace(['\'', '’', '`'], "");
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '@' | '_' | '-');
    let words = text.split(|c: char| !is_part(c)).map(|word| word.trim_matches(['-', '_']));
    words.filter(|word| word.chars().any(char::is_alphanumeric)).map(str::to_owned).collect()
}
