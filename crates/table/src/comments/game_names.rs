//! The names of games and variants in the words of a command, and the words around them. For example, `gomoku` is tic-tac-toe
//! with five in a row on 15x15.

use game::notation::normalize;
use game::parse_dimensions;
use games::GameVariant;

use crate::comments::phrases::Meaning;

/// The maximum number of words in the name of a game.
pub(crate) const MAX_NAME_WORDS: usize = 6;

/// Whether a word stands for the computer.
pub fn is_computer_word(word: &str) -> bool {
    Meaning::Computer.has(word)
}

/// Whether a word means a crowd that votes on its moves.
pub(crate) fn is_crowd_word(word: &str) -> bool {
    is_one_of(word, &["crowd", "crowds", "world"])
}

/// Whether a word only connects others.
pub(crate) fn is_connective(word: &str) -> bool {
    word.is_empty() || Meaning::Connective.has(word)
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

/// Returns the variant with this name. Case, spaces, dashes and underscores don't matter.
fn find_variant(name: &str) -> Option<GameVariant> {
    GameVariant::parse(name).filter(|game| game.variant.is_some())
}

/// Returns the variant whose name a text begins with.
pub(crate) fn find_variant_by_prefix(text: &str) -> Option<GameVariant> {
    let text = normalize(text);
    let variants = || GameVariant::all().filter(|game| game.variant.is_some());
    variants().find(|game| game.names().any(|name| text.starts_with(&normalize(name))))
}

/// Returns the game and the options that a variant is short for, such as `tic-tac-toe size=15 k=5`.
pub fn variant_words(game: GameVariant) -> String {
    let options = game.variant.map_or(String::new(), |variant| format!(" {}", variant.options));
    format!("{}{options}", game.kind.info().name)
}

/// Returns the words without those that only lead up to a game's name, such as `a game of`.
pub(crate) fn skip_lead_in(words: &[String]) -> &[String] {
    let leads_in = |word: &&String| Meaning::LeadIn.has(word.trim_end_matches(':'));
    &words[words.iter().take_while(leads_in).count()..]
}

/// Expands the name of a variant at the start of the words: `chess960=518` becomes `chess chess960=518`. Words that lead up
/// to the name are left out.
pub fn expand_variant(words: &[String]) -> Vec<String> {
    let words = skip_lead_in(words);
    let option = words.first().and_then(|word| find_variant(word.split_once('=')?.0));
    let named = || (1..=4.min(words.len())).find_map(|length| Some((find_variant(&words[..length].concat())?, length)));
    let (instead, length) = match option {
        Some(game) => (game.kind.info().name.to_owned(), 0),
        None => named().map(|(game, length)| (variant_words(game), length)).unwrap_or_default(),
    };
    // `chess960 random` repeats the value that the variant stands for.
    let repeats = |word: &String| instead.ends_with(&format!("={}", word.to_lowercase()));
    let stop = words[..length].last().filter(|word| ends_phrase(word)).map(|_| ",".to_owned());
    let rest = &words[length + usize::from(words.get(length).is_some_and(repeats))..];
    // `gomoku 19x19` asks for another size.
    let has_size = rest.iter().any(|word| parse_dimensions(without_punctuation(word)).is_some());
    let replaced = |word: &&str| has_size && word.starts_with("size=");
    let instead = instead.split_whitespace().filter(|word| !replaced(word));
    instead.map(str::to_owned).chain(stop).chain(rest.iter().cloned()).collect()
}

/// Returns how many of the first words name a game or a variant, with words that lead up to it such as `a game of`; `None` if
/// they name none.
fn name_length(words: &[String]) -> Option<usize> {
    let name = skip_lead_in(words);
    let is_name = |name: &str| GameVariant::parse(name).is_some();
    let length = (1..=name.len().min(MAX_NAME_WORDS)).rev().find(|length| is_name(&name[..*length].concat()))?;
    Some(words.len() - name.len() + length)
}

/// Whether the first words name a game or a variant, perhaps after `a game of`.
pub(crate) fn names_game(words: &[String]) -> bool {
    name_length(words).is_some()
}

/// Returns the words with the game first: `@bob to a casual game of chess` becomes `chess @bob casual`. The words stay as
/// they are unless only an opponent or a word for a casual game comes first.
pub(crate) fn with_game_first(words: &[String]) -> Vec<String> {
    let comes_later = |word: &&String| {
        let plain = without_punctuation(word);
        word.starts_with('@') || is_computer_word(plain) || is_crowd_word(plain) || Meaning::Casual.has(plain)
    };
    let connects = |word: &str| is_connective(word) || Meaning::Preposition.has(word);
    let leads_up = |word: &&String| comes_later(word) || connects(without_punctuation(word));
    let (before, named) = words.split_at(words.iter().take_while(leads_up).count());
    let later: Vec<String> = before.iter().filter(comes_later).cloned().collect();
    match name_length(named) {
        Some(length) if !later.is_empty() => [&named[..length], &later, &named[length..]].concat(),
        _ => words.to_vec(),
    }
}
