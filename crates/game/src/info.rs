//! The things that a game says about itself: its names, its seats, its options and its verbs.

use crate::phrase::{Phrase, Span, capitalize};
use crate::seat::Seat;

/// The self-description of a game: the source of `/help`, of the README's list of games and of every hint.
#[derive(Debug)]
pub struct Info {
    /// The name in `/new`, in the record and on the command line, in kebab case: `tic-tac-toe`.
    pub name: &'static str,
    /// The name in a sentence: `Tic-tac-toe`.
    pub title: &'static str,
    /// The other names that `/new` understands.
    pub aliases: &'static [&'static str],
    /// The names of the two seats, as the record and the players write them: `["white", "black"]`.
    pub seats: [&'static str; 2],
    /// The aim of the game in one sentence.
    pub summary: &'static str,
    /// The notation of moves: one sentence with examples.
    pub moves: &'static [Span],
    /// The options of `/new`.
    pub options: &'static [OptionInfo],
    /// The words that are commands of their own at a table of this game: `/roll` plays the move `roll`.
    pub verbs: &'static [Verb],
}

impl Info {
    /// Returns the name of a side as people read it: `White`.
    pub fn side_name(&self, seat: Seat) -> String {
        capitalize(self.seats[seat.index()])
    }

    /// Returns how a move is written, as a sentence.
    pub fn how_to_move(&self) -> Phrase {
        self.moves.into()
    }

    /// Returns the verb that a word stands for, if the game has one; `word` is in lower case, without the slash.
    pub fn verb(&self, word: &str) -> Option<&'static Verb> {
        self.verbs.iter().find(|verb| verb.word == word || verb.aliases.contains(&word))
    }
}

/// A move that has a command of its own.
#[derive(Debug)]
pub struct Verb {
    /// The move in canonical notation, which is also the command without its slash: `roll`.
    pub word: &'static str,
    /// The other words for it.
    pub aliases: &'static [&'static str],
    /// The effect: one sentence.
    pub description: &'static str,
}

/// A `key=value` that a game takes in `/new`.
#[derive(Debug)]
pub struct OptionInfo {
    /// The key as `/help` shows it: `size`.
    pub key: &'static str,
    /// The other spellings of the key, compared without case: `boardSize`.
    pub aliases: &'static [&'static str],
    /// The effect, with the values and the default: a fragment of a sentence.
    pub description: &'static [Span],
}
