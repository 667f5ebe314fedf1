//! Reads the lines of conditional moves after `/if`: `exd5 Qxd5, Nc3 Qa5`.

use game::{ParseMoveError, Seat};
use games::AnyPosition;

use crate::decisions::suggestion::{parse_move, unread_move};
use crate::{LineFault, MoveRefusal, Refusal, TableRefusal};

/// The maximum number of words in one move.
const MAX_WORDS: usize = 6;
/// The maximum number of texts in a line that are tried as moves.
const MAX_ATTEMPTS: usize = 300;
/// Words that drop all lines.
const DROP: [&str; 4] = ["none", "off", "clear", "nothing"];
/// Words that separate the opponent's move from the answer.
const CONNECTIVES: [&str; 6] = ["then", "->", "-->", "=>", "→", "⇒"];

/// Whether the words after `/if` drop the author's lines.
pub(super) fn drops_lines(words: &[String]) -> bool {
    matches!(words, [word] if DROP.iter().any(|drop| drop.eq_ignore_ascii_case(word.trim_end_matches(['.', '!']))))
}

/// Reads a line of a player who waits, and returns its moves in canonical notation.
///
/// A comma, a semicolon, an arrow or `then` ends a move. A move may have several words. If words can be read in two
/// ways, the shorter move counts.
///
/// # Errors
/// Returns an error that names the first move that can't be played, or an error if the player's last answer is missing.
pub(super) fn read_line(game: &AnyPosition, seat: Seat, words: &[String]) -> Result<Vec<String>, Refusal> {
    let mut reader = Reader { seat, moves: Vec::new(), attempts: 0, fault: None };
    if reader.read(game, &split_words(words)) {
        return Ok(reader.moves);
    }
    let (before, fault) = reader.fault.unwrap_or((Vec::new(), LineFault::MissingReply));
    Err(Refusal::Line(before, Box::new(fault)))
}

/// A word of a line.
struct Word<'a> {
    text: &'a str,
    /// Whether a move has to end here.
    ends_move: bool,
}

/// Returns the words that belong to moves. Connectives and move numbers are left out.
fn split_words(words: &[String]) -> Vec<Word<'_>> {
    let mut split: Vec<Word<'_>> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let text = word.trim_end_matches([',', ';']);
        let ends_move = text.len() < word.len();
        let is_number = at + 1 < words.len() && !ends_move && is_move_number(text);
        if text.is_empty() || CONNECTIVES.iter().any(|connective| connective.eq_ignore_ascii_case(text)) {
            split.last_mut().into_iter().for_each(|last| last.ends_move = true);
        } else if !is_number {
            split.push(Word { text: text.trim_start_matches('/'), ends_move });
        }
    }
    split
}

/// Whether a word is `3.` or `3...`.
fn is_move_number(word: &str) -> bool {
    let number = word.trim_end_matches(['.', '…']);
    number.len() < word.len() && (1..=3).contains(&number.len()) && number.bytes().all(|digit| digit.is_ascii_digit())
}

struct Reader {
    seat: Seat,
    /// The moves so far, in canonical notation.
    moves: Vec<String>,
    attempts: usize,
    /// The fault that is furthest along the line, and the moves before it.
    fault: Option<(Vec<String>, LineFault)>,
}

impl Reader {
    /// Reads the rest of a line from a position, and returns whether all of it can be played.
    fn read(&mut self, game: &AnyPosition, words: &[Word<'_>]) -> bool {
        if game.outcome().is_some() {
            self.note(false, || LineFault::GameOver);
            return false;
        }
        let longest = words.iter().position(|word| word.ends_move).map_or(words.len(), |last| last + 1);
        for length in 1..=longest.min(MAX_WORDS) {
            let texts: Vec<&str> = words[..length].iter().map(|word| word.text).collect();
            let Some(next) = self.try_move(game, &texts.join(" ")) else { continue };
            let is_own = game.side_to_move() == self.seat;
            let is_last = length == words.len();
            if is_last && !is_own {
                self.note(false, || LineFault::MissingReply);
            }
            if is_last && is_own || !is_last && self.read(&next, &words[length..]) {
                return true;
            }
            self.moves.pop();
        }
        false
    }

    /// Adds a move, and returns the position after it; `None` if the text isn't a legal move.
    fn try_move(&mut self, game: &AnyPosition, text: &str) -> Option<AnyPosition> {
        self.attempts += 1;
        let parsed = if self.attempts > MAX_ATTEMPTS { Err(ParseMoveError::NotAMove) } else { parse_move(game, text) };
        match parsed.map(|mv| (game.apply_move(&mv), mv)) {
            Ok((Ok(next), mv)) => {
                self.moves.push(game.notation(&mv));
                return Some(next);
            }
            Ok((Err(illegal), _)) => {
                self.note(false, || LineFault::Illegal(text.to_owned(), TableRefusal::illegal_move(game, illegal)));
            }
            Err(unread) => {
                let is_unread = unread == ParseMoveError::NotAMove;
                self.note(is_unread, || LineFault::Move(unread_move(game, text, unread)));
            }
        }
        None
    }

    /// Keeps a fault if it is further along the line than the known one. At the same place, an illegal move is a better
    /// explanation than an unreadable text.
    fn note(&mut self, is_unread: bool, fault: impl FnOnce() -> LineFault) {
        let is_better = self.fault.as_ref().is_none_or(|(before, known)| {
            let was_unread = matches!(known, LineFault::Move(MoveRefusal::NotAMove(..)));
            self.moves.len() > before.len() || self.moves.len() == before.len() && was_unread && !is_unread
        });
        if is_better {
            self.fault = Some((self.moves.clone(), fault()));
        }
    }
}
