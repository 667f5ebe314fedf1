//! The options of `/new`.

use std::ops::RangeInclusive;

use crate::{Phrase, Seat, Span, by_place, capitalize, say};

/// The `key=value` pairs and words of `/new`. The table and the game each take out those that they know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The remaining pairs, as typed.
    pub pairs: Vec<(String, String)>,
    /// The remaining words without `=`, as typed: `4x4`.
    pub words: Vec<String>,
    /// A verifiable random seed that no player chose, for random setups such as Chess960.
    pub seed: u64,
}

impl Options {
    /// Takes the value of a key or one of its aliases, compared without case. If there are several, returns the last.
    pub fn take(&mut self, key: &str, aliases: &[&str]) -> Option<String> {
        let mut value = None;
        self.pairs.retain_mut(|(k, v)| {
            let is_match = k.eq_ignore_ascii_case(key) || aliases.iter().any(|a| k.eq_ignore_ascii_case(a));
            if is_match {
                value = Some(std::mem::take(v));
            }
            !is_match
        });
        value
    }

    /// Takes everything that gives a board size, as typed: words such as `7x6`, and the value of a key or its aliases.
    pub fn take_sizes(&mut self, key: &str, aliases: &[&str]) -> Vec<String> {
        let mut sizes: Vec<String> = self.words.extract_if(.., |word| parse_dimensions(word).is_some()).collect();
        sizes.extend(self.take(key, aliases));
        sizes
    }
}

/// Takes the side length of a square board, given as `size=7` or as `7x7`. `not_square` is the error message for other
/// shapes.
///
/// # Errors
/// Returns an error if the board isn't square, the side is out of range, or there are two different sizes.
pub fn take_square_size(
    options: &mut Options,
    &OptionInfo { key, aliases, .. }: &OptionInfo,
    range: RangeInclusive<usize>,
    not_square: &[Span],
) -> Result<Option<usize>, InvalidOption> {
    let mut size = None;
    for text in options.take_sizes(key, aliases) {
        let error = |message: Phrase| Err(InvalidOption { key, message });
        let (width, height) =
            parse_dimensions(&text).or_else(|| parse_number(&text).map(|n| (n, n))).unwrap_or_default();
        if width != height {
            return error(not_square.into());
        }
        if !range.contains(&width) {
            let (least, most) = (range.start(), range.end());
            return error(say!("`{key}` has to be a number from {least} to {most}."));
        }
        if size.is_some_and(|other| other != width) {
            return error(say!("`{key}` has two different values. Give it once."));
        }
        size = Some(width);
    }
    Ok(size)
}

/// Takes an option that is on or off.
///
/// # Errors
/// Returns an error if the value is neither.
pub fn take_switch(
    options: &mut Options,
    &OptionInfo { key, aliases, .. }: &OptionInfo,
) -> Result<Option<bool>, InvalidOption> {
    match options.take(key, aliases).map(|text| text.to_lowercase()).as_deref() {
        None => Ok(None),
        Some("on" | "yes" | "true" | "1") => Ok(Some(true)),
        Some("off" | "no" | "false" | "0") => Ok(Some(false)),
        Some(_) => Err(InvalidOption { key, message: say!("`{key}` has to be `on` or `off`.") }),
    }
}

/// Parses a board size such as `7x6`, and returns its two numbers.
pub fn parse_dimensions(text: &str) -> Option<(usize, usize)> {
    let (width, height) = text.split_once(['x', 'X', '×'])?;
    Some((parse_number(width)?, parse_number(height)?))
}

/// Parses an unsigned number made of digits only.
pub fn parse_number(text: &str) -> Option<usize> {
    let text = text.trim();
    // `parse` alone would accept `+7`.
    if text.bytes().all(|b| b.is_ascii_digit()) { text.parse().ok() } else { None }
}

/// An error for an invalid value of a `/new` option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidOption {
    /// The key, as `/help` shows it.
    pub key: &'static str,
    /// The valid values, as a sentence: "`size` has to be a number from 3 to 19."
    pub message: Phrase,
}

// A game's description: its names, seats, options and verbs.

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

    /// Returns the name of a seat: `white`, `X`.
    pub fn seat_name(&self, seat: Seat) -> &'static str {
        self.seats[seat.index()]
    }

    /// Returns the capitalized name of a side: `White`.
    pub fn side_name(&self, seat: Seat) -> String {
        capitalize(self.seat_name(seat))
    }

    /// Returns the sentences that explain how to type a move.
    pub fn how_to_move(&self) -> Phrase {
        // Leave out the numbers in a terminal, which numbers the cells like a keypad instead.
        let (moves, numbers) = (self.moves, by_place(Phrase::default(), self.numbers));
        say!("{moves}{numbers}")
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
