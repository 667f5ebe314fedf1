//! The options of `/new`.

use std::ops::RangeInclusive;

use crate::info::OptionInfo;
use crate::phrase::{Phrase, Span, code, phrase};

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
            return error(phrase![
                code(key),
                format!(" has to be a number from {} to {}.", range.start(), range.end())
            ]);
        }
        if size.is_some_and(|other| other != width) {
            return error(phrase![code(key), " has two different values. Give it once."]);
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
        Some(_) => {
            let message = phrase![code(key), " has to be ", code("on"), " or ", code("off"), "."];
            Err(InvalidOption { key, message })
        }
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
