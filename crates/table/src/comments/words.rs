//! The words of a text, and lists to compare them with.

/// Words that only connect others.
const CONNECTIVES: [&str; 21] = [
    "vs", "versus", "with", "against", "playing", "play", "game", "table", "board", "i", "im", "i'm", "ill", "i'll",
    "me", "take", "a", "the", "and", "at", "please",
];
/// Smileys with a letter or sign in them, which don't count as punctuation.
pub(super) const SMILEYS: &[&str] =
    &[" :D", " :-D", " ;D", " :P", " :-P", " :p", " xD", " XD", " ^^", " <3", " =)", " :3"];
/// Words for a game with `rated=no`.
pub(crate) const CASUAL_WORDS: [&str; 3] = ["casual", "unrated", "friendly"];

/// Returns the words of a text in lowercase, without punctuation, apostrophes and emoji. Mentions keep their `@`.
pub fn words_of(text: &str) -> Vec<String> {
    let text = text.to_lowercase().replace(['\'', '’', '`'], "");
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '@' | '_' | '-');
    let words = text.split(|c: char| !is_part(c)).map(|word| word.trim_matches(['-', '_']));
    words.filter(|word| word.chars().any(char::is_alphanumeric)).map(str::to_owned).collect()
}

/// Whether a word asks for any opponent.
pub(crate) fn is_anyone(word: &str) -> bool {
    let word = word.trim_end_matches(['?', '!', '.', ',']).to_lowercase();
    matches!(word.as_str(), "anyone" | "anybody" | "someone" | "somebody" | "everyone")
}

/// Whether a word stands for the computer.
pub fn is_computer_word(word: &str) -> bool {
    matches!(word.to_lowercase().as_str(), "computer" | "bot" | "ai" | "stockfish")
}

/// Whether a word only connects others.
pub(crate) fn is_connective(word: &str) -> bool {
    word.is_empty() || is_one_of(word, &CONNECTIVES)
}

/// Whether a word ends a phrase, because it ends with a punctuation mark. Chat may follow it.
pub(crate) fn ends_phrase(word: &str) -> bool {
    word.ends_with([',', ';', '.', '!', '?']) && !word.eq_ignore_ascii_case("vs.")
}

/// Returns a word without the punctuation around it.
pub(crate) fn without_punctuation(word: &str) -> &str {
    word.trim_start_matches('(').trim_end_matches([',', ';', '.', '!', '?', ')'])
}

/// Whether a word is one of these, ignoring case.
pub(crate) fn is_one_of(word: &str, words: &[&str]) -> bool {
    words.iter().any(|known| known.eq_ignore_ascii_case(word))
}
