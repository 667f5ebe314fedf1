//! The options of a `/new`, as a game takes them.

use std::ops::RangeInclusive;

use crate::info::OptionInfo;
use crate::phrase::{Phrase, Span, code, phrase};

/// The `key=value` pairs and loose words of a `/new`, each taken out by the part that understands it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The pairs that are left, as written.
    pub pairs: Vec<(String, String)>,
    /// The words without `=` that are left, as written: `4x4`.
    pub words: Vec<String>,
    /// A number that nobody has chosen and everybody can work out, for setups that are drawn by lot.
    pub seed: u64,
}

impl Options {
    /// Takes the value of a key (or of one of its aliases) out, compared without case; the last one written counts.
    pub fn take(&mut self, key: &str, aliases: &[&str]) -> Option<String> {
        let mut value = None;
        self.pairs.retain_mut(|(k, v)| {
            let named = k.eq_ignore_ascii_case(key) || aliases.iter().any(|a| k.eq_ignore_ascii_case(a));
            if named {
                value = Some(std::mem::take(v));
            }
            !named
        });
        value
    }

    /// Takes all that is said about the size of the board out, as written: the loose words such as `7x6`, and the value of a key
    /// (or of one of its aliases).
    pub fn take_sizes(&mut self, key: &str, aliases: &[&str]) -> Vec<String> {
        let mut sizes: Vec<String> = self.words.extract_if(.., |word| parse_dimensions(word).is_some()).collect();
        sizes.extend(self.take(key, aliases));
        sizes
    }
}

/// Takes out the side of a square board, which is given as a key or as a loose word. `square` is the sentence for a board that
/// isn't one.
///
/// # Errors
/// A board that isn't square, a side out of range, or two sizes.
pub fn take_square_size(
    options: &mut Options,
    &OptionInfo { key, aliases, .. }: &OptionInfo,
    range: RangeInclusive<usize>,
    square: &[Span],
) -> Result<Option<usize>, BadOption> {
    let mut size = None;
    for text in options.take_sizes(key, aliases) {
        let bad = |expected: Phrase| Err(BadOption { key, expected });
        let (width, height) =
            parse_dimensions(&text).or_else(|| parse_number(&text).map(|n| (n, n))).unwrap_or_default();
        if width != height {
            return bad(square.into());
        }
        if !range.contains(&width) {
            return bad(phrase![code(key), format!(" has to be a number from {} to {}.", range.start(), range.end())]);
        }
        if size.is_some_and(|other| other != width) {
            return bad(phrase![code(key), " has two different values. Give it once."]);
        }
        size = Some(width);
    }
    Ok(size)
}

/// Reads the two numbers of a `7x6`.
pub fn parse_dimensions(text: &str) -> Option<(usize, usize)> {
    let (width, height) = text.split_once(['x', 'X', '×'])?;
    Some((parse_number(width)?, parse_number(height)?))
}

/// Reads a number without a sign.
pub fn parse_number(text: &str) -> Option<usize> {
    let text = text.trim();
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// An option of `/new` that a game cannot take: the key, and a sentence that says what it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadOption {
    /// The key, as `/help` shows it.
    pub key: &'static str,
    /// The values that the key takes, as a sentence: "`size` is a number from 3 to 19."
    pub expected: Phrase,
}
