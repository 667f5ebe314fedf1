//! A game's description: its names, seats, options and verbs.

use crate::phrase::{Phrase, Span, by_place, capitalize, phrase};
use crate::seat::Seat;

/// A game's description. `/help`, the README's list of games and the hints use it.
#[derive(Debug)]
pub struct Info {
    /// The name in `/new`, in records and on the command line, in kebab case: `tic-tac-toe`.
    pub name: &'static str,
    /// The name in a sentence: `Tic-tac-toe`.
    pub title: &'static str,
    /// Other names that `/new` accepts.
    pub aliases: &'static [&'static str],
    /// The names of the two seats in records and commands: `["white", "black"]`.
    pub seats: [&'static str; 2],
    /// The game in a few words, for a list: `three in a row`.
    pub tagline: &'static str,
    /// The aim of the game in one to three sentences.
    pub summary: &'static str,
    /// The most important rules that the summary leaves out, in a few sentences.
    pub details: &'static str,
    /// How to type a move, in a few sentences with examples.
    pub moves: &'static [Span],
    /// How to type the number of a cell instead, as a sentence with a leading space; empty if moves can't be numbers.
    pub numbers: &'static [Span],
    /// The options of `/new`.
    pub options: &'static [OptionInfo],
    /// Moves that are also commands at a table of this game: `/roll` plays the move `roll`.
    pub verbs: &'static [Verb],
    /// The variants that have their own names and ratings.
    pub variants: &'static [Variant],
}

impl Info {
    /// Returns the name of the game or one of its variants in `/new` and in the standings: `gomoku`, `connect-four`.
    pub fn name_of(&self, variant: Option<&Variant>) -> &'static str {
        variant.map_or(self.name, |variant| variant.name)
    }

    /// Returns the name of the game or one of its variants as a title: `Gomoku`, `Connect four`.
    pub fn title_of(&self, variant: Option<&Variant>) -> &'static str {
        variant.map_or(self.title, |variant| variant.title)
    }

    /// Returns the name of the game or one of its variants within a sentence: `gomoku`, `connect four`.
    pub fn noun_of(&self, variant: Option<&Variant>) -> String {
        variant.map_or_else(|| self.title.to_lowercase(), |variant| variant.noun.to_owned())
    }

    /// Returns the capitalized name of a side: `White`.
    pub fn side_name(&self, seat: Seat) -> String {
        capitalize(self.seats[seat.index()])
    }

    /// Returns the sentences that explain how to type a move.
    pub fn how_to_move(&self) -> Phrase {
        // Leave out the numbers in a terminal, which numbers the cells like a keypad instead.
        phrase![self.moves, by_place(Phrase::default(), self.numbers)]
    }

    /// Returns the verb with this name or alias, if any. `word` is in lowercase and has no slash.
    pub fn verb(&self, word: &str) -> Option<&'static Verb> {
        self.verbs.iter().find(|verb| verb.word == word || verb.aliases.contains(&word))
    }
}

/// A variant of a game, with its own name and ratings.
#[derive(Debug, PartialEq, Eq)]
pub struct Variant {
    /// The name in `/new` and in the standings, in kebab case: `gomoku`.
    pub name: &'static str,
    /// The name as a title: `Gomoku`.
    pub title: &'static str,
    /// The name within a sentence: `gomoku`.
    pub noun: &'static str,
    /// Other names that `/new` accepts.
    pub aliases: &'static [&'static str],
    /// The options of `/new` that select it: `size=15 k=5`.
    pub options: &'static str,
    /// A description in one or two sentences.
    pub summary: &'static str,
}

/// A move that is also a command.
#[derive(Debug)]
pub struct Verb {
    /// The move in canonical notation, and the command without its slash: `roll`.
    pub word: &'static str,
    /// Other names of the command.
    pub aliases: &'static [&'static str],
    /// What the command does, in one sentence.
    pub description: &'static str,
}

/// A `key=value` option of `/new`.
#[derive(Debug)]
pub struct OptionInfo {
    /// The key as `/help` shows it: `size`.
    pub key: &'static str,
    /// Other spellings of the key, compared without case: `boardSize`.
    pub aliases: &'static [&'static str],
    /// What the option does, its values and its default, as a sentence fragment.
    pub description: &'static [Span],
}
