//! The word of a command: its synonyms, the politeness after it, and typos in it.

use game::engine::Level;
use game::notation::{strip_decoration, truncate_bytes};

use crate::comments::command::CommandError;
use crate::comments::commands::{CHALLENGE, COMMANDS, COMPUTER, NEW, SYNONYMS_OF_NEW, commands, is_command};
use crate::comments::own_text::MAX_LINE;
use crate::comments::variants::{names_game, with_game_first};
use crate::comments::words::{SMILEYS, is_computer_word};

/// Words that may follow any command.
const POLITE: [&str; 9] = ["please", "pls", "plz", "thanks", "thank", "you", "thx", "ty", "now"];
/// The longest word after a slash that can be an attempted command, in bytes.
const MAX_WORD: usize = 20;

/// Returns a command's word in lowercase without trailing punctuation, and the words after it.
pub(super) fn split_command(line: &str) -> (String, Vec<String>) {
    let line = truncate_bytes(line, MAX_LINE).replace('`', " ");
    // `/ new chess` is `/new chess`.
    let joined = line.strip_prefix("/ ").map(|rest| format!("/{}", rest.trim_start()));
    let joined = joined.filter(|line| {
        let (word, words) = split_words(line);
        is_command(canonical_word(&word, &words))
    });
    split_words(&joined.unwrap_or(line))
}

/// Returns a line's first word in lowercase without trailing punctuation, and the words after it.
fn split_words(line: &str) -> (String, Vec<String>) {
    let mut words = line.split_whitespace();
    let word = words.next().unwrap_or_default().trim_end_matches(['.', ',', ':', ';', '!', '?']).to_lowercase();
    (word, words.map(str::to_owned).collect())
}

/// Returns the word of the command on a line, with synonyms resolved; empty if the line doesn't begin with a slash.
pub(super) fn command_word(line: &str) -> String {
    if !line.trim_start_matches(|c: char| c.is_whitespace() || c == '`').starts_with('/') {
        return String::new();
    }
    let (word, words) = split_command(line);
    canonical_word(&word, &words).to_owned()
}

/// Returns the command that a word with its slash stands for; the word itself if it isn't a synonym.
pub(super) fn canonical_word<'a>(word: &'a str, words: &[String]) -> &'a str {
    if SYNONYMS_OF_NEW.contains(&word) && names_game(words) {
        return NEW.word();
    }
    COMMANDS.into_iter().find(|spec| spec.synonyms.contains(&word)).map_or(word, |spec| spec.word())
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

/// Returns the command that a word may be a typo of, or a common wrong word for; `None` if there is none. A word of
/// more than four letters may have two typos, but not in its first letter.
fn nearest_command(word: &str, words: &[String]) -> Option<String> {
    if SYNONYMS_OF_NEW.contains(&word) || setup_words(word, words).is_some() {
        return Some(NEW.word().to_owned());
    }
    if let Some(spec) = COMMANDS.into_iter().find(|spec| spec.misnomers.contains(&word)) {
        let (command, is_level) = (spec.word(), |word: &&String| *spec == COMPUTER && Level::parse(word).is_some());
        let level = words.first().filter(is_level);
        return Some(level.map_or_else(|| command.to_owned(), |level| format!("{command} {level}")));
    }
    let is_short = word.chars().count() <= "/join".len();
    let listed = commands();
    let listed = listed.iter().map(|usage| (usage.word.as_str(), usage.word.as_str()));
    let synonyms_of_new = if names_game(words) { &SYNONYMS_OF_NEW[..] } else { &[] };
    let of_new = synonyms_of_new.iter().map(|synonym| (*synonym, NEW.word()));
    let synonyms = COMMANDS.into_iter().flat_map(|spec| spec.synonyms.iter().map(|synonym| (*synonym, spec.word())));
    let known = of_new.chain(listed).chain(synonyms).filter(|(known, _)| !matches!(*known, "/m" | "/if"));
    let near = known.map(|(known, command)| (strsim::damerau_levenshtein(word, known), command));
    let (distance, command) = near.min_by_key(|(distance, _)| *distance)?;
    let is_near = distance <= 1 || distance == 2 && !is_short && word.get(..2) == command.get(..2);
    if is_near { Some(command.to_owned()) } else { None }
}

/// Whether a word has one typo in `/new` or in a synonym of it.
pub(crate) fn is_near_new(word: &str) -> bool {
    SYNONYMS_OF_NEW.iter().chain(&[NEW.word()]).any(|known| strsim::damerau_levenshtein(word, known) == 1)
}

/// Returns the words of `/new` if a new issue begins with another way to write that command, such as `/chess @bob`,
/// `/newchess @bob` or `/challenge @bob chess`; `None` if it begins with something else.
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
