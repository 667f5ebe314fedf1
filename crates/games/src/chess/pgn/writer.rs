//! Formats games in PGN's export format: the seven tag roster, the other tags in alphabetical order, and lines under
//! 80 characters.

use std::time::Duration;

/// The longest line of movetext, in characters.
const MAX_LINE: usize = 79;

/// The contents of a PGN game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnOutput {
    /// The seven tag roster: event, site, date, round, white, black, result.
    pub roster: [String; 7],
    /// The other tags, in any order.
    pub tags: Vec<(&'static str, String)>,
    /// The number of the first move.
    pub first_move_number: u16,
    /// Whether black makes the first move.
    pub black_moves_first: bool,
    /// The moves in SAN, each with the time that its player had left, if there was a clock.
    pub moves: Vec<(String, Option<Duration>)>,
    /// A comment after the last move.
    pub comment: Option<String>,
}

const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// Formats a game, ending with an empty line.
pub fn format(game: &PgnOutput) -> String {
    let mut tags = game.tags.clone();
    tags.sort_unstable();
    let tags = ROSTER.into_iter().zip(game.roster.iter().cloned()).chain(tags);
    let mut text: String = tags.map(|(name, value)| format!("[{name} \"{}\"]\n", escape(&value))).collect();
    text.push('\n');
    let mut width = 0;
    for word in movetext(game) {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > MAX_LINE {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(&word);
        width += length;
    }
    text.push_str("\n\n");
    text
}

/// Returns the words of the movetext: moves, comment, result.
fn movetext(game: &PgnOutput) -> Vec<String> {
    let mut words = Vec::with_capacity(game.moves.len() * 3 / 2 + 20);
    let offset = usize::from(game.black_moves_first);
    let mut follows_comment = true;
    for (ply, (san, clock)) in game.moves.iter().enumerate() {
        let number = usize::from(game.first_move_number) + (ply + offset) / 2;
        if (ply + offset).is_multiple_of(2) {
            words.push(format!("{number}."));
        } else if follows_comment {
            words.push(format!("{number}..."));
        }
        words.push(san.clone());
        if let Some(clock) = clock {
            let seconds = clock.as_secs();
            words.push("{[%clk".to_owned());
            words.push(format!("{}:{:02}:{:02}]}}", seconds / 3600, seconds / 60 % 60, seconds % 60));
        }
        follows_comment = clock.is_some();
    }
    if let Some(comment) = &game.comment {
        // A brace would end the comment.
        let comment = format!("{{{}}}", comment.replace(['{', '}'], ""));
        words.extend(comment.split_whitespace().map(str::to_owned));
    }
    words.push(game.roster[6].clone());
    words
}

/// Escapes a tag value for its quotation marks.
fn escape(value: &str) -> String {
    let printable: String = value.chars().filter(|c| !c.is_control()).collect();
    printable.replace('\\', "\\\\").replace('"', "\\\"")
}
