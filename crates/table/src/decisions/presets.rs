//! Presets: names for a game with options. For example, `gomoku` is tic-tac-toe with five in a row on 15x15.

use game::notation::normalize;
use games::registry::GameKind;

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
        names: &["chess960", "fischerandom", "fischerrandom"],
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

/// Expands the name of a preset at the start of the words: `chess960=518` becomes `chess chess960=518`.
pub fn expand_preset(words: &[String]) -> Vec<String> {
    let option = words.first().and_then(|word| Preset::find(word.split_once('=')?.0));
    let named = || (1..=4.min(words.len())).find_map(|length| Some((Preset::find(&words[..length].concat())?, length)));
    let (instead, length) = match option.and_then(Preset::kind) {
        Some(kind) => (kind.info().name, 0),
        None => named().map(|(setup, length)| (setup.words, length)).unwrap_or_default(),
    };
    instead.split_whitespace().map(str::to_owned).chain(words[length..].iter().cloned()).collect()
}
