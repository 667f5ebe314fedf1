//! TODO page.

/// What a game says about itself: the source of `/help`, of the README's list of games and of every hint.
#[derive(Debug)]
pub struct Info {
    /// The name in `/new`, in the record and on the command line, in kebab case: `tic-tac-toe`.
    pub name: &'static str,
    /// The name in a sentence: `Tic-tac-toe`.
    pub title: &'static str,
    /// Other names that `/new` understands.
    pub aliases: &'static [&'static str],
    /// The names of the two seats, as the record and the players write them: `["X", "O"]`.
    pub seats: [&'static str; 2],
    /// The aim of the game in one sentence.
    pub summary: &'static str,
    /// How a move is written, one sentence with examples in code spans.
    pub moves: &'static str,
    /// What `/new` lets one choose.
    pub options: &'static [OptionInfo],
}

/// One `key=value` that a game takes in `/new`.
#[derive(Debug)]
pub struct OptionInfo {
    /// The key as `/help` shows it: `size`.
    pub key: &'static str,
    /// Other spellings of the key, compared without case: `boardSize`.
    pub aliases: &'static [&'static str],
    /// What it does, with its values and its default, as a sentence fragment.
    pub meaning: &'static str,
}
