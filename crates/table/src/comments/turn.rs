//! The round and turn in a `/move` that a link filled in: `(round 1, turn 8)`.

use std::fmt;

use game::notation::strip_decoration;

/// The turn at which a page shows a game. Offers and other events that leave the position as it is don't count, so the
/// links on the page stay valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The round.
    pub round: u32,
    /// The number of the next move or takeback in the round, from 1.
    pub number: usize,
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(round {}, turn {})", self.round, self.number)
    }
}

/// Splits the round and turn off the words. The second value is `None` if the words name no turn, and `Some(None)` if
/// the turn is unreadable.
///
/// The parentheses may be missing.
pub(super) fn take_turn(mut words: Vec<String>) -> (Vec<String>, Option<Option<Turn>>) {
    let bare: Vec<String> = words.iter().map(|word| strip_decoration(word).to_lowercase()).collect();
    let read = |at: usize| match &bare[at..] {
        [round_word, round, turn_word, number, ..] if round_word == "round" && turn_word == "turn" => {
            Some(Turn { round: round.parse().ok()?, number: number.parse().ok()? })
        }
        _ => None,
    };
    if let Some((at, turn)) = (0..bare.len()).find_map(|at| Some((at, read(at)?))) {
        words.drain(at..at + 4);
        return (words, Some(Some(turn)));
    }
    let is_start = |word: &String| {
        let word = word.to_lowercase();
        word.starts_with("(round") || word.starts_with("(turn")
    };
    match words.iter().position(is_start) {
        Some(at) => {
            words.truncate(at);
            (words, Some(None))
        }
        None => (words, None),
    }
}
