//! Hints: what somebody at a table may have meant with a comment that is nearly a move or a command.

use game::contract::Game;
use game::notation::truncate_bytes;

use crate::talk::command::Command;

/// The most bytes of a line in which a move is looked for; a longer one is talk.
const MAX_LINE: usize = 100;
/// The most words that one move is made of.
const MAX_WORDS: usize = 6;
/// The most words of a line in which a number alone can be meant as a move.
const FEW_WORDS: usize = 3;

/// The thing that somebody may have meant. It is said once a turn, because talk is free.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Suggestion {
    /// A move among other words, in canonical notation.
    Move(String),
    /// The word of a command that changes something, alone and without its slash: the command.
    MissingSlash(&'static str),
    /// A command below the first line: its word.
    NotOnFirstLine(String),
}

impl Suggestion {
    /// Tests if whoever has had one hint needs no other: of moves one is enough.
    pub fn is_covered_by(&self, had: &Suggestion) -> bool {
        self == had || matches!((self, had), (Suggestion::Move(_), Suggestion::Move(_)))
    }
}

/// Returns the one legal move that a game reads among the words of a line; `None` if there is no such move, or more than one.
pub(super) fn find_move<G: Game>(game: &G, line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    if truncate_bytes(line, MAX_LINE).len() < line.len() {
        return None;
    }
    // What is a move in more words is not one in fewer of them: the cell `4 0` is no `4`.
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

/// Returns the hint to a command that was written without its slash; `None` for one that is no danger.
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
