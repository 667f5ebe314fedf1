//! Reads the lines of conditional moves after and below `/if`: `exd5 Qxd5, Nc3 Qa5`.

use std::collections::BTreeMap;

use game::notation::truncate_bytes;
use game::{ParseMoveError, Seat};
use games::AnyPosition;

use crate::comments::own_text::MAX_LINE;
use crate::decisions::suggestion::{begins_with_move, is_common_word, parse_move, unread_move};
use crate::{ANY, LineFault, MoveRefusal, RESIGN, Refusal, TableRefusal};

/// The maximum number of words in one move.
const MAX_WORDS: usize = 6;
/// The maximum number of texts in a line, and in all lines of a comment, that are tried as moves.
const MAX_ATTEMPTS: usize = 300;
const MAX_ATTEMPTS_IN_ALL: usize = 1_500;
/// The maximum number of lines below chat that are searched for moves.
const MAX_SEARCHED_LINES: usize = 20;
/// The maximum number of positions in all lines of a comment in which an answer to any other move is tried.
const MAX_POSITIONS_IN_ALL: usize = 3_000;
/// The length to which a line is cut, in bytes, to find out whether it begins with a move.
const MAX_BEGINNING: usize = 60;
/// Words that drop all lines.
const DROP: [&str; 4] = ["none", "off", "clear", "nothing"];
/// Words for any move that no line names. The last ones only begin a line, because it isn't clear what else they could mean.
const ANY_WORDS: [&str; 5] = ["any", "anything", "*", "else", "otherwise"];
const MID_LINE_ANY_WORDS: usize = 3;
/// Words that may follow these: `any other move`.
const AFTER_ANY: [&str; 4] = ["else", "other", "move", "moves"];
/// Words for the player's resignation.
const RESIGN_WORDS: [&str; 2] = [RESIGN, "resigns"];
/// Words that separate the opponent's move from the answer.
const CONNECTIVES: [&str; 6] = ["then", "->", "-->", "=>", "→", "⇒"];

/// Whether the first line below an `/if` is one of moves.
pub(super) fn begins_with_line(game: &AnyPosition, below: &[String]) -> bool {
    below.first().is_some_and(|line| LineBelow::new(line).is_certain(game))
}

/// Reads the lines of a player who waits, and returns their moves in canonical notation; no lines if the words drop them all.
///
/// A semicolon begins another line. So does each line below `/if` that begins like one, up to the first that doesn't.
///
/// # Errors
/// Returns an error that names the first move that can't be played, or an error if the player's last answer is missing. If there
/// are several lines, it names the line, too. Also returns an error if a line would be left out, because it's below chat.
pub(super) fn read_lines(
    game: &AnyPosition,
    seat: Seat,
    words: &[String],
    below: &[String],
) -> Result<Vec<Vec<String>>, Refusal> {
    let below: Vec<LineBelow> = below.iter().map(|line| LineBelow::new(line)).collect();
    let is_line = |line: &&LineBelow| line.is_certain(game);
    if drops_lines(words) {
        return if below.iter().take(MAX_SEARCHED_LINES).any(|line| is_line(&line)) {
            Err(Refusal::DropWithLines)
        } else {
            Ok(Vec::new())
        };
    }
    let first = split_lines(words);
    let is_only = match first.len() {
        0 => below.len() == 1,
        count => count == 1 && below.first().filter(is_line).is_none(),
    };
    let mut tried = Tried::default();
    let mut read = |words: &[String]| {
        let (before, fault) = match read_line(game, seat, words, &mut tried) {
            Ok(line) => return Ok(line),
            Err(fault) => fault,
        };
        Err(match is_only {
            true => Refusal::Line(before, Box::new(fault)),
            false => Refusal::OneOfLines(words.join(" "), before, Box::new(fault)),
        })
    };
    let mut lines = first.iter().map(|words| read(words)).collect::<Result<Vec<_>, _>>()?;
    let mut below = below.iter();
    for line in below.by_ref() {
        let mut read_all =
            |words: &[String]| split_lines(words).iter().map(|words| read(words)).collect::<Result<Vec<_>, _>>();
        let more = match &line.words {
            _ if line.is_too_long => Err(Refusal::LongLine(line.beginning())),
            // The bullet can also mean any move.
            words if line.has_star => read_all(words)
                .or_else(|refusal| read_all(&[&["*".to_owned()], words.as_slice()].concat()).map_err(|_| refusal)),
            words => read_all(words),
        };
        match more {
            Ok(more) => lines.extend(more),
            Err(refusal) if line.is_certain(game) => return Err(refusal),
            Err(_) => break,
        }
    }
    match below.take(MAX_SEARCHED_LINES).find(is_line) {
        Some(line) => Err(Refusal::LineBelowChat(line.words.join(" "))),
        None => Ok(lines),
    }
}

/// A line below an `/if`.
struct LineBelow {
    /// Its words, without a bullet and without `/if`.
    words: Vec<String>,
    /// Whether its bullet is a star.
    has_star: bool,
    /// Whether it begins with `/if`.
    has_command: bool,
    is_too_long: bool,
}

impl LineBelow {
    fn new(line: &str) -> LineBelow {
        let plain = line.replace('`', " ");
        let mut words = plain.split_whitespace().map(str::to_owned).peekable();
        let has_star = words.next_if(|word| matches!(word.as_str(), "-" | "*" | "+")).is_some_and(|word| word == "*");
        let command = words.next_if(|word| matches!(word.to_lowercase().as_str(), "/if" | "if"));
        let has_command = command.is_some_and(|word| word.starts_with('/'));
        LineBelow { words: words.collect(), has_star, has_command, is_too_long: line.len() > MAX_LINE }
    }

    /// Whether the line can't be chat: it begins with `/if`, or with a move that isn't also a common word.
    fn is_certain(&self, game: &AnyPosition) -> bool {
        let is_any = |word: &str| is_one_of(word, &ANY_WORDS) || is_one_of(word, &AFTER_ANY);
        let words = self.words.iter().skip_while(|word| move_number(word) == Some("") || is_any(word));
        let beginning = words.map(String::as_str).collect::<Vec<_>>().join(" ");
        let beginning = truncate_bytes(&beginning, MAX_BEGINNING);
        let first = beginning.split(' ').next().unwrap_or_default();
        self.has_command || begins_with_move(game, beginning) && !is_common_word(first)
    }

    /// Returns the beginning of the line.
    fn beginning(&self) -> String {
        truncate_bytes(&self.words.join(" "), MAX_BEGINNING).to_owned()
    }
}

/// Returns the lines between semicolons. A semicolon before a higher move number only ends a move: `1. e4 e5; 2. Nf3 Nc6`.
fn split_lines(words: &[String]) -> Vec<Vec<String>> {
    let mut lines: Vec<Vec<String>> = vec![Vec::new()];
    for (at, part) in words.iter().flat_map(|word| word.split(';').enumerate()) {
        if at > 0 {
            lines.push(Vec::new());
        }
        lines.last_mut().into_iter().filter(|_| !part.is_empty()).for_each(|line| line.push(part.to_owned()));
    }
    let number = |line: &[String]| {
        let digits = line.first().filter(|word| move_number(word).is_some())?.split(['.', '…']).next()?;
        digits.parse::<u32>().ok()
    };
    let mut joined: Vec<Vec<String>> = Vec::new();
    for line in lines.into_iter().filter(|line| !line.is_empty()) {
        match joined.last_mut() {
            Some(before) if number(before).zip(number(&line)).is_some_and(|(before, next)| before < next) => {
                before.push(",".to_owned());
                before.extend(line);
            }
            _ => joined.push(line),
        }
    }
    joined
}

/// Whether the words after `/if` drop the author's lines.
fn drops_lines(words: &[String]) -> bool {
    matches!(words, [word] if is_one_of(word.trim_end_matches(['.', '!']), &DROP))
}

/// Whether a word is one of these, in any letter case.
fn is_one_of(word: &str, words: &[&str]) -> bool {
    words.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// The work for the lines of a comment so far.
#[derive(Default)]
struct Tried {
    /// The number of texts that were tried as moves.
    texts: usize,
    /// The number of positions in which an answer to any other move was tried.
    positions: usize,
}

/// Reads one line, and returns its moves in canonical notation.
///
/// A comma, a colon, an arrow or `then` ends a move. A move may have several words. If words can be read in two ways, the shorter move
/// counts.
///
/// # Errors
/// Returns the fault that is furthest along the line, and the moves before it.
fn read_line(
    game: &AnyPosition,
    seat: Seat,
    words: &[String],
    tried: &mut Tried,
) -> Result<Vec<String>, (Vec<String>, LineFault)> {
    let max_texts = MAX_ATTEMPTS_IN_ALL.min(tried.texts + MAX_ATTEMPTS);
    let mut reader = Reader { seat, moves: Vec::new(), tried, max_texts, fault: None };
    let can_be_played = reader.read(game, &split_words(words));
    match reader.fault {
        _ if can_be_played => Ok(reader.moves),
        fault => Err(fault.unwrap_or((Vec::new(), LineFault::MissingReply))),
    }
}

/// Returns the words after a resignation such as `resign` or `I resign`; `None` if the words don't begin with one.
fn after_resignation<'a, 'b>(words: &'a [Word<'b>]) -> Option<&'a [Word<'b>]> {
    let words = if let [i, rest @ ..] = words
        && i.text.eq_ignore_ascii_case("i")
    {
        rest
    } else {
        words
    };
    let (word, rest) = words.split_first()?;
    is_one_of(word.text.trim_end_matches(['.', '!']), &RESIGN_WORDS).then_some(rest)
}

/// Returns the fault of a text that can't be read as a move. It doesn't suggest a move, because a `yes` would play that now.
fn unread_fault(game: &AnyPosition, text: &str, unread: ParseMoveError) -> LineFault {
    match unread {
        ParseMoveError::NotAMove => {
            LineFault::Move(MoveRefusal::NotAMove(text.to_owned(), game.info().how_to_move(), None))
        }
        unread => LineFault::Move(unread_move(game, text, unread)),
    }
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
        let text = word.trim_end_matches([',', ':']);
        let ends_move = text.len() < word.len();
        let is_number = at + 1 < words.len() && !ends_move && move_number(text) == Some("");
        if text.is_empty() || is_one_of(text, &CONNECTIVES) {
            split.last_mut().into_iter().for_each(|last| last.ends_move = true);
        } else if !is_number {
            split.push(Word { text: text.trim_start_matches('/'), ends_move });
        }
    }
    split
}

/// Returns the text after a move number such as `3.` or `3...`; `None` if a word doesn't begin with one.
fn move_number(word: &str) -> Option<&str> {
    let after_digits = word.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let after = after_digits.trim_start_matches(['.', '…']);
    let has_digits = (1..=3).contains(&(word.len() - after_digits.len()));
    (has_digits && after.len() < after_digits.len()).then_some(after)
}

struct Reader<'a> {
    seat: Seat,
    /// The moves so far, in canonical notation.
    moves: Vec<String>,
    tried: &'a mut Tried,
    max_texts: usize,
    /// The fault that is furthest along the line, and the moves before it.
    fault: Option<(Vec<String>, LineFault)>,
}

impl Reader<'_> {
    /// Reads the rest of a line from a position, and returns whether all of it can be played.
    fn read(&mut self, game: &AnyPosition, words: &[Word<'_>]) -> bool {
        if game.outcome().is_some() {
            self.note(false, || LineFault::GameOver);
            return false;
        }
        if game.side_to_move() != self.seat
            && let [word, ..] = words
            && is_one_of(word.text, &ANY_WORDS)
        {
            if !self.moves.is_empty() && !is_one_of(word.text, &ANY_WORDS[..MID_LINE_ANY_WORDS]) {
                self.note(false, || LineFault::ElseInLine(word.text.to_owned()));
                return false;
            }
            let count = words[1..].iter().take_while(|word| is_one_of(word.text, &AFTER_ANY)).count();
            let before = self.moves.len();
            let is_read = self.read_any(game, &words[1 + count..]);
            if !is_read {
                self.moves.truncate(before);
            }
            return is_read;
        }
        if let Some(rest) = after_resignation(words).filter(|_| game.side_to_move() == self.seat) {
            self.moves.push(RESIGN.to_owned());
            if !rest.is_empty() {
                self.note(false, || LineFault::GameOver);
                self.moves.pop();
            }
            return rest.is_empty();
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

    /// Reads the answer to any other move, and returns whether it's legal after one of them, and ends the line.
    fn read_any(&mut self, game: &AnyPosition, words: &[Word<'_>]) -> bool {
        self.moves.push(ANY.to_owned());
        if words.is_empty() {
            self.note(false, || LineFault::MissingReply);
        }
        if after_resignation(words).is_some() {
            self.note(false, || LineFault::ResignAfterAny);
            return false;
        }
        let longest = words.iter().position(|word| word.ends_move).map_or(words.len(), |last| last + 1);
        for length in 1..=longest.min(MAX_WORDS) {
            let texts: Vec<&str> = words[..length].iter().map(|word| word.text).collect();
            let text = texts.join(" ");
            if let Some(answer) = self.find_answer(game, &text) {
                self.moves.push(answer);
                if length < words.len() {
                    self.note(false, || LineFault::AfterAny);
                }
                return length == words.len();
            }
            let next = game.legal_moves().first().map(|mv| game.play(mv));
            match next.map(|next| (parse_move(&next, &text), next)) {
                Some((Err(unread @ ParseMoveError::NotAMove), next)) => {
                    self.note(true, || unread_fault(&next, &text, unread));
                }
                _ => self.note(false, || LineFault::NeverLegal(text.clone())),
            }
        }
        false
    }

    /// Returns the canonical notation of a player's answer to any of the opponent's moves: the way it's written, or else the
    /// most common one. Returns `None` if the text isn't legal after any of them.
    fn find_answer(&mut self, game: &AnyPosition, text: &str) -> Option<String> {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for mv in game.legal_moves() {
            self.tried.positions += 1;
            if self.tried.positions > MAX_POSITIONS_IN_ALL {
                break;
            }
            let next = game.play(&mv);
            if next.outcome().is_some() || next.side_to_move() != self.seat {
                continue;
            }
            let Some(mv) = parse_move(&next, text).ok().filter(|mv| next.is_legal(mv)) else { continue };
            let notation = next.notation(&mv);
            if notation == text {
                return Some(notation);
            }
            *counts.entry(notation).or_default() += 1;
        }
        counts.into_iter().max_by_key(|(_, count)| *count).map(|(notation, _)| notation)
    }

    /// Adds a move, and returns the position after it; `None` if the text isn't a legal move.
    fn try_move(&mut self, game: &AnyPosition, text: &str) -> Option<AnyPosition> {
        self.tried.texts += 1;
        let parsed =
            if self.tried.texts > self.max_texts { Err(ParseMoveError::NotAMove) } else { parse_move(game, text) };
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
                self.note(is_unread, || unread_fault(game, text, unread));
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
