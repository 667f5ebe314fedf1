//! Presets: names for a game with options. For example, `gomoku` is tic-tac-toe with five in a row on 15x15.

use game::notation::normalize;
use game::options::parse_dimensions;
use games::registry::GameKind;

use crate::decisions::option_words::{ends_phrase, is_connective, without_punctuation};
use crate::talk::command::is_computer_word;

/// The most words in the name of a game.
pub(super) const MAX_NAME_WORDS: usize = 6;

/// A preset: a game with options that has its own name.
#[derive(Debug, PartialEq, Eq)]
pub struct Preset {
    /// The name for sentences: `Gomoku`.
    pub title: &'static str,
    /// The folded names. Answers use the first one.
    pub names: &'static [&'static str],
    /// The words after `/new` that it stands for, starting with the name of the game.
    pub words: &'static str,
    /// A description in one or two sentences.
    pub summary: &'static str,
}

/// All presets.
const PRESETS: &[Preset] = &[
    Preset {
        title: "Chess960",
        names: &["chess960", "fischerandom", "fischerrandom", "960"],
        words: "chess chess960=random",
        summary: "Chess from one of 960 random starting positions, the same for both sides. The bishops start on opposite colors \
                  and the king between the rooks. Castling ends on the usual squares.",
    },
    Preset {
        title: "Gomoku",
        names: &["gomoku", "gobang", "fiveinarow", "5inarow"],
        words: "tic-tac-toe size=15 k=5",
        summary: "Tic-tac-toe on a 15x15 board. Five in a row wins.",
    },
];

impl Preset {
    /// Returns the preset with this name. Case, spaces, dashes and underscores don't matter.
    pub fn find(name: &str) -> Option<&'static Preset> {
        let wanted = normalize(name);
        PRESETS.iter().find(|setup| setup.names.contains(&wanted.as_str()))
    }

    /// Returns the preset whose name a text begins with.
    pub fn find_by_prefix(text: &str) -> Option<&'static Preset> {
        let text = normalize(text);
        PRESETS.iter().find(|setup| setup.names.iter().any(|name| text.starts_with(name)))
    }

    /// Returns the preset's game.
    pub fn kind(&self) -> Option<GameKind> {
        GameKind::from_name(self.words.split(' ').next()?)
    }
}

/// Returns the words without those that only lead up to a game's name, such as `a game of`.
pub fn skip_lead_in(words: &[String]) -> &[String] {
    let leads_in = |word: &String| {
        let word = word.trim_end_matches(':').to_lowercase();
        matches!(word.as_str(), "a" | "an" | "another" | "the" | "new" | "game" | "of")
    };
    &words[words.iter().take_while(|word| leads_in(word)).count()..]
}

/// Expands the name of a preset at the start of the words: `chess960=518` becomes `chess chess960=518`. Words that lead up
/// to the name are left out.
pub fn expand_preset(words: &[String]) -> Vec<String> {
    let words = skip_lead_in(words);
    let option = words.first().and_then(|word| Preset::find(word.split_once('=')?.0));
    let named = || (1..=4.min(words.len())).find_map(|length| Some((Preset::find(&words[..length].concat())?, length)));
    let (instead, length) = match option.and_then(Preset::kind) {
        Some(kind) => (kind.info().name, 0),
        None => named().map(|(setup, length)| (setup.words, length)).unwrap_or_default(),
    };
    // `chess960 random` repeats the value that the preset stands for.
    let repeats = |word: &String| instead.ends_with(&format!("={}", word.to_lowercase()));
    let stop = words[..length].last().filter(|word| ends_phrase(word)).map(|_| ",".to_owned());
    let rest = &words[length + usize::from(words.get(length).is_some_and(repeats))..];
    // `gomoku 19x19` asks for another size.
    let has_size = rest.iter().any(|word| parse_dimensions(without_punctuation(word)).is_some());
    let replaced = |word: &&str| has_size && word.starts_with("size=");
    let instead = instead.split_whitespace().filter(|word| !replaced(word));
    instead.map(str::to_owned).chain(stop).chain(rest.iter().cloned()).collect()
}

/// Returns how many of the first words name a game or a preset, with words that lead up to it such as `a game of`; `None` if
/// they name none.
fn name_length(words: &[String]) -> Option<usize> {
    let name = skip_lead_in(words);
    let is_name = |name: &str| GameKind::parse(name).is_some() || Preset::find(name).is_some();
    let length = (1..=name.len().min(MAX_NAME_WORDS)).rev().find(|length| is_name(&name[..*length].concat()))?;
    Some(words.len() - name.len() + length)
}

/// Whether the first words name a game or a preset, perhaps after `a game of`.
pub fn names_game(words: &[String]) -> bool {
    name_length(words).is_some()
}

/// Returns the words with the game before the opponent: `@bob to a game of chess` becomes `chess @bob`. The words stay as
/// they are unless only an opponent comes first.
pub fn with_game_first(words: &[String]) -> Vec<String> {
    let is_opponent = |word: &&String| word.starts_with('@') || is_computer_word(without_punctuation(word));
    let connects = |word: &str| is_connective(word) || matches!(word.to_lowercase().as_str(), "to" | "in" | "for");
    let leads_up = |word: &&String| is_opponent(word) || connects(without_punctuation(word));
    let (before, named) = words.split_at(words.iter().take_while(leads_up).count());
    let opponents: Vec<String> = before.iter().filter(is_opponent).cloned().collect();
    match name_length(named) {
        Some(length) if !opponents.is_empty() => [&named[..length], &opponents, &named[length..]].concat(),
        _ => words.to_vec(),
    }
}
