//! Suggestions: what a player may have meant with a comment that is almost a move or a command.

use game::contract::Game;
use game::notation::truncate_bytes;

use crate::talk::command::Command;

/// The longest line that is searched for a move, in bytes. A longer line is chat.
const MAX_LINE: usize = 100;
/// The most words in one move.
const MAX_WORDS: usize = 6;
/// The longest line, in words, where a bare number can be a move.
const FEW_WORDS: usize = 3;

/// A guess at what a player meant. The bot makes each guess once per turn, so chat stays free.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Suggestion {
    /// A move among other words, in canonical notation.
    Move(String),
    /// The word of a command that changes something, alone and without its slash: the command with its slash.
    MissingSlash(&'static str),
    /// A command below the first line: the command.
    NotOnFirstLine(String),
}

impl Suggestion {
    /// Returns whether an earlier suggestion makes this one unnecessary. One suggested move is enough.
    pub fn is_covered_by(&self, had: &Suggestion) -> bool {
        self == had || matches!((self, had), (Suggestion::Move(_), Suggestion::Move(_)))
    }
}

/// Returns the only legal move among the words of a line; `None` if there is no such move, or more than one.
pub(super) fn find_move<G: Game>(game: &G, line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    if truncate_bytes(line, MAX_LINE).len() < line.len() {
        return None;
    }
    // Longer matches win: in `4 0`, which is a cell, `4` isn't a move of its own.
    (1..=words.len().min(MAX_WORDS))
        .rev()
        .find_map(|length| {
            let number =
                |text: &str| words.len() > FEW_WORDS && text.chars().all(|c| !c.is_alphabetic()) && length == 1;
            let texts = words.windows(length).map(|words| words.join(" ")).filter(|text| !number(text));
            let moves =
                texts.filter_map(|text| game.parse_move(&text).ok()).filter(|mv| game.legality_error(mv).is_none());
            let mut names: Vec<String> = moves.map(|mv| game.notation(&mv)).collect();
            names.dedup();
            (!names.is_empty()).then_some(names)
        })
        .and_then(|names| <[String; 1]>::try_from(names).ok())
        .map(|[name]| name)
}

/// Returns the suggestion for a command without its slash; `None` for a command that changes nothing.
pub(super) fn missing_slash(command: &Command) -> Option<Suggestion> {
    let word = match command {
        Command::Draw => "/draw",
        Command::Undo => "/undo",
        Command::Accept => "/accept",
        Command::Decline => "/decline",
        Command::Resign(_) => "/resign",
        Command::Claim => "/claim",
        Command::Abort => "/abort",
        Command::Rematch => "/rematch",
        Command::Computer(_) => "/computer",
        _ => return None,
    };
    Some(Suggestion::MissingSlash(word))
}
