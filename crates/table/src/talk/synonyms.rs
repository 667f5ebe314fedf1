//! Synonyms of commands, politeness after them, and typos in them.

use game::engine::Level;
use game::notation::strip_decoration;

use crate::decisions::variants::{names_game, with_game_first};
use crate::talk::command::{CommandError, SMILEYS, commands, is_computer_word};

/// Other words for commands, mostly from chess sites.
const SYNONYMS: &[(&str, &str)] =
    &[("/play", "/move"), ("/m", "/move"), ("/takeback", "/undo"), ("/sit", "/join"), ("/quit", "/leave")];
/// Other words for `/new`, if a game's name follows.
const SYNONYMS_OF_NEW: [&str; 2] = ["/play", "/start"];
/// Another word for `/new`, which counts only at the beginning of a new issue.
const CHALLENGE: &str = "/challenge";
/// What people write instead of commands, and what the bot suggests.
const MISNOMERS: &[(&str, &str)] = &[
    ("/yes", "/accept"),
    ("/no", "/decline"),
    ("/surrender", "/resign"),
    ("/concede", "/resign"),
    ("/forfeit", "/resign"),
    ("/level", "/computer"),
    ("/time", "/board"),
    ("/clock", "/board"),
    ("/status", "/board"),
    ("/games", "/help"),
];
/// Words that may follow any command.
const POLITE: [&str; 9] = ["please", "pls", "plz", "thanks", "thank", "you", "thx", "ty", "now"];
/// The longest word after a slash that can be an attempted command, in bytes.
const MAX_WORD: usize = 20;

/// Returns the command that a word with its slash stands for; the word itself if it isn't a synonym.
pub(super) fn canonical_word<'a>(word: &'a str, words: &[String]) -> &'a str {
    if SYNONYMS_OF_NEW.contains(&word) && names_game(words) {
        return "/new";
    }
    SYNONYMS.iter().find(|(synonym, _)| *synonym == word).map_or(word, |(_, command)| command)
}

/// Returns the words without polite ones at the end: `please`, `thanks`, `:)`.
pub(super) fn without_politeness(mut words: Vec<String>) -> Vec<String> {
    while words.last().is_some_and(|word| is_polite(word)) {
        words.pop();
    }
    words
}

/// Whether a word is only polite, a smiley, or punctuation.
pub(super) fn is_polite(word: &str) -> bool {
    let plain = strip_decoration(word);
    plain.is_empty()
        || POLITE.iter().any(|polite| polite.eq_ignore_ascii_case(plain))
        || SMILEYS.iter().any(|smiley| smiley.trim_start() == word)
}

/// Returns the error for a word with its slash that isn't a command; `None` if it isn't meant as one, such as
/// `/usr/bin`.
pub(super) fn unknown_command(word: &str, words: &[String]) -> Option<CommandError> {
    let letters = word.strip_prefix('/')?;
    if letters.is_empty() || letters.len() > MAX_WORD || !letters.chars().all(|c| c.is_alphanumeric() || c == '-') {
        return None;
    }
    Some(match nearest_command(word, words) {
        Some(nearest) => CommandError::Typo(word.to_owned(), nearest),
        None => CommandError::Unknown(word.to_owned()),
    })
}

/// Returns the command that a word may be a typo of; `None` if there is none. A word of more than four letters may have two
/// typos, but not in its first letter.
fn nearest_command(word: &str, words: &[String]) -> Option<String> {
    if SYNONYMS_OF_NEW.contains(&word) || setup_words(word, words).is_some() {
        return Some("/new".to_owned());
    }
    if let Some((_, command)) = MISNOMERS.iter().find(|(misnomer, _)| *misnomer == word) {
        let level = words.first().filter(|word| *command == "/computer" && Level::parse(word).is_some());
        return Some(level.map_or_else(|| (*command).to_owned(), |level| format!("{command} {level}")));
    }
    let is_short = word.chars().count() <= "/join".len();
    let listed = commands();
    let listed = listed.iter().map(|usage| (usage.word.as_str(), usage.word.as_str()));
    let synonyms_of_new = if names_game(words) { &SYNONYMS_OF_NEW[..] } else { &[] };
    let of_new = synonyms_of_new.iter().map(|synonym| (*synonym, "/new"));
    let known = of_new.chain(listed).chain(SYNONYMS.iter().copied()).filter(|(known, _)| *known != "/m");
    let near = known.map(|(known, command)| (strsim::damerau_levenshtein(word, known), command));
    let (distance, command) = near.min_by_key(|(distance, _)| *distance)?;
    let is_near = distance <= 1 || distance == 2 && !is_short && word.get(..2) == command.get(..2);
    if is_near { Some(command.to_owned()) } else { None }
}

/// Whether a word has one typo in `/new` or in a synonym of it.
pub fn is_near_new(word: &str) -> bool {
    SYNONYMS_OF_NEW.iter().chain(&["/new"]).any(|known| strsim::damerau_levenshtein(word, known) == 1)
}

/// Returns the words of the `/new` that a new issue begins with in other words, such as `/chess @bob`, `/newchess @bob` or
/// `/challenge @bob chess`; `None` if it begins with something else.
pub(super) fn setup_words(word: &str, words: &[String]) -> Option<Vec<String>> {
    let with = |first: &str| [&[first.to_owned()], words].concat();
    let is_for_new = SYNONYMS_OF_NEW.contains(&word) || word == CHALLENGE;
    let is_opponent = |word: &String| word.starts_with('@') || is_computer_word(word);
    if is_for_new && (words.first().is_none_or(is_opponent) || names_game(&with_game_first(words))) {
        return Some(words.to_vec());
    }
    let name = word.strip_prefix('/')?;
    [Some(name), name.strip_prefix("new")].into_iter().flatten().map(with).find(|words| names_game(words))
}
