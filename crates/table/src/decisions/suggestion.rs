//! Suggestions: guesses at what a player meant by a comment that is almost a move or a command.

use game::notation::words::{PLACE_WORDS, is_in_words, with_digits};
use game::notation::{normalize, strip_decoration, truncate_bytes};
use game::{ParseMoveError, notation};
use games::{AnyMove, AnyPosition, GameKind, GameVariant};

use crate::comments::game_names::{is_computer_word, skip_lead_in};
use crate::comments::phrases::{Meaning, meaning_of, words_of};
use crate::comments::plain_words::{is_friendly, is_lead_in, is_pass, is_praise};
use crate::decisions::setup::unknown_game;
use crate::{
    Author, Decision, HostPolicy, MoveRefusal, Pending, Query, Ranking, Refusal, SetupRefusal, Table, is_login,
};

/// The longest line that is searched for a move, in bytes. A longer line is chat.
const MAX_LINE: usize = 100;
/// The maximum number of words in one move.
const MAX_WORDS: usize = 6;
/// The longest line, in words, in which a bare number, `a` or `i` can be a move.
const FEW_WORDS: usize = 3;
/// The maximum number of places in a line at which the move at its beginning is tried to end.
const MAX_ENDS: usize = 12;
/// The shortest and the longest word in which a typo is corrected, in bytes.
const MIN_TYPO: usize = 4;
const MAX_TYPO: usize = 12;
/// The maximum number of moves that the refusal of an ambiguous text lists.
const MAX_AMBIGUOUS: usize = 4;
/// The maximum number of words before a move that lead up to it.
const MAX_LEAD_IN: usize = 8;

/// Returns the only legal move among the words of a short line; `None` if there is no such move, or more than one, or if other words
/// negate it or look like a part of a move. In a longer line, people only talk about moves.
pub(super) fn find_move(game: &AnyPosition, line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    if words.len() > MAX_WORDS || words_of(line).iter().any(|word| Meaning::Negation.has(word)) {
        return None;
    }
    let corrected = without_typos(game, line).and_then(|line| parse_move(game, &line).ok());
    if let Some(mv) = corrected.filter(|mv| game.is_legal(mv)) {
        return Some(game.notation(&mv));
    }
    // Longer matches win: in `4 0`, which is a cell, `4` isn't a move of its own.
    let (range, name) = (1..=words.len()).rev().find_map(|length| {
        let ranges = (0..=words.len() - length).map(|start| start..start + length);
        let mut moves = ranges.filter_map(|range| {
            let text = words[range.clone()].join(" ");
            let is_common = length == 1
                && (words.len() > FEW_WORDS && is_common_word(&text) || is_number(&text) && counts_something(&words));
            let mv = game.parse_move(&text).ok().filter(|mv| !is_common && !is_emoticon(&text) && game.is_legal(mv))?;
            Some((range, game.notation(&mv)))
        });
        let (range, name) = moves.next()?;
        Some(moves.all(|(_, other)| other == name).then_some((range, name)))
    })??;
    // In a longer line, a number may be about anything.
    let is_other = |word: &&str| words.len() > FEW_WORDS && is_number(word);
    let others = [&words[..range.start], &words[range.end..]];
    let mut others =
        others.map(|words| words.iter().copied().filter(|word| !is_other(word)).collect::<Vec<_>>()).into_iter();
    (!others.any(|words| names_part_of_move(game, &words))).then_some(name)
}

/// Whether a word is a number, apart from punctuation.
fn is_number(word: &str) -> bool {
    let word = strip_decoration(word);
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether one of these words is what a number beside it counts: `level 8`, `5 minutes`.
fn counts_something(words: &[&str]) -> bool {
    let is_unit = |meaning| matches!(meaning, Meaning::TimeUnit(_) | Meaning::Points | Meaning::Counted);
    words.iter().map(|word| normalize(word)).any(|word| word.len() > 1 && meaning_of(&[word], is_unit).is_some())
}

/// Whether some of the words beside a move look like a part of it, or of another move: `knight`, `or C4`.
fn names_part_of_move(game: &AnyPosition, words: &[&str]) -> bool {
    let is_part = |word: &str| {
        let word = normalize(word);
        let is_known = |known: &&str| word == *known || word.strip_suffix('s') == Some(*known);
        game.move_words().iter().any(is_known) || nearest_word(&word, game.move_words()).is_some()
    };
    // In `take that double`, neither is part of the other.
    let is_verb = |word: &str| game.info().verb(&normalize(word)).is_some();
    let is_alone = |word: &&str| !matches!(*word, "a" | "A" | "i" | "I") && !is_verb(word);
    let words: Vec<&str> = words.iter().copied().filter(is_alone).collect();
    words.iter().any(|word| is_part(word)) || names_any_move(game, &words.join(" "))
}

/// Returns a line with its typos in the words of moves corrected: `kngiht f7` is `knight f7`. `None` if there are none.
fn without_typos(game: &AnyPosition, line: &str) -> Option<String> {
    let known = [game.move_words(), &PLACE_WORDS].concat();
    let mut has_typo = false;
    let mut correct = |word| match nearest_word(word, &known) {
        Some(known) => {
            has_typo = true;
            known
        }
        None => word,
    };
    let words: Vec<&str> = line.split(' ').map(&mut correct).collect();
    has_typo.then(|| words.join(" "))
}

/// Returns the only one of the known words that is one typo away from a word; `None` for a known word, and for a short one.
fn nearest_word<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let word = word.to_lowercase();
    if word.len() < MIN_TYPO || word.len() > MAX_TYPO || known.contains(&word.as_str()) {
        return None;
    }
    let mut near = known.iter().filter(|known| strsim::damerau_levenshtein(known, &word) == 1);
    near.next().copied().filter(|_| near.next().is_none())
}

/// Returns the longest beginning of a line that is exactly one legal move, or else looks like a move, and the words after it.
fn move_before_words<'a>(game: &AnyPosition, line: &'a str) -> Option<(&'a str, &'a str)> {
    // `Swap-pieces` begins with a word, unlike `O-O`.
    let is_word = |text: &str| text.len() > 2 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_end = |(at, c): &(usize, char)| {
        c.is_whitespace()
            || matches!(c, ',' | ';' | ':' | '.' | '!' | '?' | '(' | '…')
            || *c == '-' && is_word(&line[..*at])
    };
    let ends = line.char_indices().filter(is_end).map(|(at, _)| at);
    let beginnings: Vec<usize> = ends.take(MAX_ENDS).collect();
    let trimmed = |at: usize| (line[..at].trim_end_matches([',', ';', ':']), line[at..].trim_start());
    let beginnings: Vec<(&str, &str)> = beginnings.into_iter().rev().map(trimmed).collect();
    let legal = beginnings.iter().find(|(beginning, _)| is_legal_move(game, beginning));
    legal.or_else(|| beginnings.iter().find(|(beginning, _)| looks_like_move(game, beginning))).copied()
}

/// Whether a text is a move, legal or not, or names a cell in words.
pub(super) fn looks_like_move(game: &AnyPosition, text: &str) -> bool {
    !matches!(parse_move(game, text), Err(ParseMoveError::NotAMove)) || names_cell_in_words(text)
}

/// Whether a line begins with a move, legal or not, or is one.
pub(super) fn begins_with_move(game: &AnyPosition, line: &str) -> bool {
    let is_number = |mv: &str| mv.chars().all(|c| c.is_ascii_digit());
    looks_like_move(game, line) || move_before_words(game, line).is_some_and(|(mv, _)| !is_number(mv))
}

/// Returns the move, legal or not, with which a line of the player to move begins. Friendly words and words such as `I play` may
/// come before it, if only friendly words come after it. `None` for conversation, for a number or an article among other words,
/// and for words about the move that the opponent has just played.
pub(super) fn attempted_move<'a>(table: &Table, line: &'a str) -> Option<&'a str> {
    let (game, names) = (table.game(), table.players().names());
    let is_article = |mv: &str| is_in_words(mv) || is_common_word(mv) && mv.chars().all(char::is_alphanumeric);
    let first = move_before_words(game, line)
        .filter(|(mv, words)| {
            is_friendly(&words.replace('?', ""), &names) || !is_article(mv) && !is_last_move(table, mv)
        })
        .filter(|(mv, words)| !(is_praise(words) && is_last_move(table, mv)));
    if let Some((mv, _)) = first {
        return Some(mv);
    }
    let starts = line.char_indices().filter(|(_, c)| c.is_whitespace()).map(|(at, _)| at).take(MAX_LEAD_IN);
    starts.map(|at| (&line[..at], line[at..].trim_start())).find_map(|(before, rest)| {
        let rest = if is_lead_in(before, &names) { rest } else { return None };
        let is_beside = |(_, words): &(&str, &str)| is_friendly(&words.replace('?', ""), &names);
        let mv = move_before_words(game, rest).filter(is_beside).map(|(mv, _)| mv);
        mv.or_else(|| Some(rest).filter(|rest| looks_like_move(game, rest)))
    })
}

/// Whether a text is the move that was played last.
fn is_last_move(table: &Table, text: &str) -> bool {
    let last = table.plies().next_back().and_then(|ply| ply.played).map(|(_, notation)| notation);
    last.is_some_and(|last| normalize(last) == normalize(text))
}

/// Returns a line without the friendly words after its move, legal or not. Returns the whole line if other words follow the move,
/// or none at all.
///
/// Returns the whole line if it praises the last move: `d, nice move` is about the move that the opponent has just played.
pub(super) fn without_friendly_words<'a>(table: &Table, line: &'a str) -> &'a str {
    let Some((mv, words)) = move_before_words(table.game(), line) else { return line };
    let is_beside_it = !line.contains('?')
        && is_friendly(words, &table.players().names())
        && !(is_praise(words) && is_last_move(table, mv));
    if is_beside_it { mv } else { line }
}

/// Returns the legal move at the beginning of a line, if a comma and then chat follow it: `e5, not today`. `None` for `e5, or d5?`.
pub(super) fn move_before_chat(game: &AnyPosition, line: &str) -> Option<String> {
    let (beginning, rest) =
        move_before_words(game, line).filter(|(beginning, _)| line[beginning.len()..].starts_with(','))?;
    if rest.trim_start_matches([',', ' ']).starts_with("or ") {
        return None;
    }
    parse_move(game, beginning).ok().filter(|mv| game.is_legal(mv)).map(|mv| game.notation(&mv))
}

/// Whether a short line names a cell in words: `row 4 column 8`, `third row, second column`.
pub(super) fn names_cell_in_words(line: &str) -> bool {
    let latin = |word| notation::with_latin_letters(strip_decoration(word)).to_lowercase();
    let with_digits = with_digits(line);
    let words: Vec<String> =
        with_digits.as_deref().unwrap_or(line).split_whitespace().take(MAX_WORDS + 1).map(latin).collect();
    // `4th` is a number, too.
    let is_number = |word: &String| word.trim_end_matches(char::is_alphabetic).parse::<u32>().is_ok();
    let is_place = |word: &String| Meaning::CellWord.has(word);
    let is_other = |word: &String| matches!(word.as_str(), "" | "and" | "the");
    words.len() <= MAX_WORDS
        && words.iter().any(is_number)
        && words.iter().any(is_place)
        && words.iter().all(|word| is_number(word) || is_place(word) || is_other(word))
}

/// Whether a line begins with a move and names another one: `e5 or c5`. A question doesn't.
pub(super) fn begins_with_several_moves(game: &AnyPosition, line: &str) -> bool {
    let is_short = truncate_bytes(line, MAX_LINE).len() == line.len();
    is_short
        && !line.contains('?')
        && move_before_words(game, line).is_some_and(|(mv, rest)| {
            let is_long = line.split_whitespace().count() > FEW_WORDS;
            !(is_long && is_common_word(mv)) && names_any_move(game, rest)
        })
}

/// Whether a line is two moves with `or` between them: `b2 or a1?`.
pub(super) fn names_alternatives(game: &AnyPosition, line: &str) -> bool {
    let is_move = |text: &str| looks_like_move(game, text.trim_matches([',', '?', '!', ' ']));
    line.split_once(" or ").is_some_and(|(one, two)| is_move(one) && is_move(two))
}

/// Whether a text is as common in sentences as in moves: a number such as `4` or `five`, the articles, and `middle`.
pub(super) fn is_common_word(text: &str) -> bool {
    matches!(text, "a" | "A" | "i" | "I") || text.chars().all(|c| !c.is_alphabetic()) || is_in_words(text)
}

/// Whether some of the words of a text look like a move, legal or not. Words such as `five` or `middle` don't.
pub(super) fn names_any_move(game: &AnyPosition, text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().map(strip_decoration).filter(|word| !word.is_empty()).collect();
    (1..=words.len().min(MAX_WORDS))
        .flat_map(|length| words.windows(length).map(|words| words.join(" ")))
        .any(|text| !is_in_words(&text) && looks_like_move(game, &text))
}

/// Returns the only legal move within one typo of the text; `None` if there is no such move, or more than one.
pub(super) fn nearest_move(game: &AnyPosition, text: &str) -> Option<String> {
    if !matches!(parse_move(game, text), Err(ParseMoveError::NotAMove)) {
        return None;
    }
    let folded = |text: &str| if game.is_case_sensitive() { text.to_owned() } else { text.to_lowercase() };
    let wanted: String = folded(text.trim()).chars().take(40).collect();
    let names = game.legal_moves().into_iter().map(|mv| game.notation(&mv));
    let mut near = names.filter(|name| strsim::damerau_levenshtein(&folded(name), &wanted) == 1);
    let nearest = near.next().filter(|name| near.next().is_none() && name.len() > 1);
    nearest.or_else(|| {
        let corrected = parse_move(game, &without_typos(game, text)?).ok();
        corrected.filter(|mv| game.is_legal(mv)).map(|mv| game.notation(&mv))
    })
}

/// Whether a text is a chess move that names its piece by a letter of French or Spanish which English doesn't have: `Te1`, `Cxf3`.
pub fn names_piece_in_french(text: &str) -> bool {
    let is_square = |square: &str| matches!(square.as_bytes(), [b'a'..=b'h', b'1'..=b'8', ..]);
    let Some(rest) = text.trim_start().strip_prefix(['T', 'C', 'F', 'D']) else { return false };
    let rest = [rest.strip_prefix('x'), rest.get(1..), Some(rest)];
    rest.into_iter().flatten().any(is_square)
}

/// Returns both ways to write a legal rook move that is also a legal king move for people with French letters: `Rf1` is `Tf1` or
/// `Kf1`. `None` for any other text.
pub(super) fn rook_or_king(game: &AnyPosition, text: &str) -> Option<Vec<String>> {
    let rest = text.trim().strip_prefix('R').filter(|_| game.kind() == GameKind::Chess)?;
    let readings = ["T", "K"].map(|letter| format!("{letter}{rest}"));
    let are_legal = readings.iter().all(|reading| is_legal_move(game, reading));
    are_legal.then(|| readings.to_vec())
}

/// Returns the refusal of a text that can't be read as a move.
pub(super) fn unread_move(game: &AnyPosition, text: &str, unread: ParseMoveError) -> MoveRefusal {
    match unread {
        ParseMoveError::NotAMove if is_pass(text, &[]) => MoveRefusal::Pass,
        ParseMoveError::NotAMove => {
            MoveRefusal::NotAMove(text.to_owned(), game.info().how_to_move(), nearest_move(game, text))
        }
        ParseMoveError::OutOfRange(error) => match error.range() {
            Some(range) => MoveRefusal::OutsideBoard(text.to_owned(), range.to_owned()),
            None => MoveRefusal::OutOfRange(text.to_owned(), error.message),
        },
        ParseMoveError::Ambiguous(moves) if moves.len() > MAX_AMBIGUOUS => {
            let message =
                format!("It could mean {} moves. Write one of them, like `{}`", moves.len(), moves[moves.len() / 2]);
            MoveRefusal::OutOfRange(text.to_owned(), message)
        }
        ParseMoveError::Ambiguous(moves) => MoveRefusal::Ambiguous(text.to_owned(), moves),
    }
}

// Spellings of moves that every game accepts: with emphasis, a move number, numbers in words, separators within a coordinate,
// or look-alike letters.

/// The maximum number of digits in a move number or a coordinate.
const MAX_DIGITS: usize = 3;

/// Parses a move, in the game's own notation or in another spelling of it.
///
/// # Errors
/// Returns an error if the text isn't a move, matches several, or is out of range.
pub(super) fn parse_move(game: &AnyPosition, text: &str) -> Result<AnyMove, ParseMoveError> {
    if is_emoticon(text) {
        return Err(ParseMoveError::NotAMove);
    }
    let mut parsed = game.parse_move(text);
    let mut spelling = text.to_owned();
    let with_latin_letters = if game.reads_other_alphabets() { |_: &str| None } else { with_latin_letters };
    let respellings =
        [without_emphasis, with_latin_letters, without_move_number, with_digits, with_joined_coordinate, with_dash];
    for respell in respellings {
        if !matches!(parsed, Err(ParseMoveError::NotAMove)) {
            break;
        }
        if let Some(next) = respell(&spelling) {
            parsed = game.parse_move(&next);
            spelling = next;
        }
    }
    match parsed {
        Err(ParseMoveError::Ambiguous(names)) => only_legal_move(game, names),
        parsed => parsed,
    }
}

/// Returns the only legal one of several moves.
///
/// # Errors
/// Returns an error with the legal ones if there are several, and with all of them if no move is legal.
fn only_legal_move(game: &AnyPosition, names: Vec<String>) -> Result<AnyMove, ParseMoveError> {
    let parse = |name: &String| game.parse_move(name).ok().filter(|mv| game.is_legal(mv));
    let legal: Vec<AnyMove> = names.iter().filter_map(parse).collect();
    match &legal[..] {
        [] => Err(ParseMoveError::Ambiguous(names)),
        [only] => Ok(only.clone()),
        several => Err(ParseMoveError::Ambiguous(several.iter().map(|mv| game.notation(mv)).collect())),
    }
}

/// Whether a text is a legal move.
pub(super) fn is_legal_move(game: &AnyPosition, text: &str) -> bool {
    parse_move(game, text).is_ok_and(|mv| game.is_legal(&mv))
}

/// Returns a text without emphasis, quotes and stops around it; `None` if it has none of them.
fn without_emphasis(text: &str) -> Option<String> {
    let plain = text.trim_matches(['*', '_', '`', '"', '\'', '.', '!', ' ']);
    let plain = plain.strip_prefix('(').and_then(|plain| plain.strip_suffix(')')).unwrap_or(plain);
    if plain == text { None } else { Some(plain.to_owned()) }
}

/// Returns a text with Latin letters for those that look like them; `None` if there are none.
fn with_latin_letters(text: &str) -> Option<String> {
    let latin = notation::with_latin_letters(text);
    if latin == text { None } else { Some(latin) }
}

/// Returns the move after its number: `1. e4` is `e4`, and so is `12... e4`. `None` without a number.
fn without_move_number(text: &str) -> Option<String> {
    let (number, rest) = split_digits(text.trim())?;
    let rest = rest.strip_prefix('.')?.trim_start_matches(['.', '…']);
    // `22.18` is a move of its own.
    let is_separate = rest.starts_with(|c: char| c.is_whitespace() || c.is_alphabetic());
    let rest = rest.trim_start();
    if number.len() <= MAX_DIGITS && is_separate && !rest.is_empty() { Some(rest.to_owned()) } else { None }
}

/// Returns a coordinate without its separators, and with its letter first: `h-8`, `h/8` and `8h` are `h8`. `None` for any
/// other text.
fn with_joined_coordinate(text: &str) -> Option<String> {
    let is_separator = |c: char| c.is_whitespace() || matches!(c, '-' | '.' | '/' | ',' | ':' | '_' | '|');
    let text = text.trim().trim_end_matches(|c: char| is_separator(c) || c == '!');
    let first = text.chars().next()?;
    let (letter, digits) = if first.is_ascii_alphabetic() {
        (first, text[1..].trim_start_matches(is_separator))
    } else {
        let (digits, rest) = split_digits(text)?;
        let mut letters = rest.trim_start_matches(is_separator).chars();
        (letters.next().filter(|_| letters.next().is_none())?, digits)
    };
    let is_coordinate = letter.is_ascii_alphabetic()
        && (1..=MAX_DIGITS).contains(&digits.len())
        && digits.bytes().all(|digit| digit.is_ascii_digit());
    if is_coordinate { Some(format!("{letter}{digits}")) } else { None }
}

/// Returns two numbers with a dash between them: `11/15` is `11-15`. `None` for any other text.
fn with_dash(text: &str) -> Option<String> {
    let (from, to) = text.trim().split_once(['/', '>', ' ', '.'])?;
    let is_number =
        |text: &str| (1..=MAX_DIGITS).contains(&text.len()) && text.bytes().all(|digit| digit.is_ascii_digit());
    if is_number(from) && is_number(to) { Some(format!("{from}-{to}")) } else { None }
}

/// Splits a text after its first digits; `None` if it begins with none.
fn split_digits(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    if end > 0 { Some(text.split_at(end)) } else { None }
}

/// Whether a text is an emoticon that could be taken for a cell, such as `8)`, `B-)` or `D:`.
fn is_emoticon(text: &str) -> bool {
    let text = text.trim().trim_end_matches(['!', '.']);
    let is_mouth = |c: char| matches!(c, ')' | '(' | ']' | '[' | '}' | '{' | '|');
    let is_eye = |c: char| matches!(c, '8' | 'B' | 'x' | 'X' | ':' | ';' | '=' | '%');
    let mut chars = text.chars().filter(|c| !matches!(c, '-' | '^' | '\'' | '~')).peekable();
    // Eyes and a mouth that may be repeated, as in `8-)))`, or a mouth with a letter's or digit's shape before or after `:`.
    match (chars.next(), chars.next()) {
        (Some(eye), Some(mouth)) if is_eye(eye) && is_mouth(mouth) => chars.all(|c| c == mouth),
        (Some(mouth), Some(eye)) if is_mouth(mouth) && is_eye(eye) => chars.next().is_none(),
        (Some(':' | ';' | '='), Some(mouth)) => chars.next().is_none() && mouth.is_ascii_alphanumeric(),
        (Some('D' | 'C' | 'c'), Some(':' | ';' | '=')) => chars.next().is_none(),
        _ => false,
    }
}

// Finds the game or the command that the words after `/help`, `/standings` and `/rating` name.

/// The number of words after `/help` that may name a game.
const MAX_HELP_WORDS: usize = 10;

/// Shows how to play the game that the words name, or the commands if they name none.
pub(super) fn show_help(words: Option<&str>, policy: &HostPolicy) -> Result<Decision<Pending>, Refusal> {
    let words: Vec<String> = words.unwrap_or_default().split(' ').take(MAX_HELP_WORDS).map(str::to_owned).collect();
    let words: Vec<&str> = skip_lead_in(&words).iter().map(String::as_str).collect();
    if let Some(game) = find_game(&words) {
        return Ok(Decision::Show(Query::Help(Some(game))));
    }
    match unknown_game(&words, policy) {
        unknown @ SetupRefusal::UnknownGame(_, Some(_), _) => Err(unknown.into()),
        _ => Ok(Decision::Show(Query::Help(None))),
    }
}

/// Returns the game that some of the first words name ("tic tac toe" is three of them).
fn find_game(words: &[&str]) -> Option<GameVariant> {
    let words = &words[..words.len().min(MAX_HELP_WORDS)];
    let mut names = (0..words.len()).flat_map(|start| (start + 1..=words.len()).rev().map(move |end| start..end));
    names.find_map(|range| GameVariant::parse(&words[range].concat()))
}

/// Shows the ranking that the words name. If they name none, shows the ranking of the table's game, or all rankings if
/// there is no table.
pub(super) fn show_standings(words: Option<&str>, table: Option<&Table>, author: &Author) -> Decision<Pending> {
    let words: Vec<&str> = words.unwrap_or_default().split(' ').collect();
    let here = match table {
        None => Ranking::All,
        Some(table) if table.is_open() => Ranking::Open,
        Some(table) => Ranking::Game(table.variant()),
    };
    let ranking = match find_game(&words) {
        Some(game) => Ranking::Game(game),
        None if words.iter().any(|word| is_computer_word(word)) => Ranking::Computer,
        None if words.iter().any(|word| word.eq_ignore_ascii_case("open")) => Ranking::Open,
        None if words.iter().any(|word| word.eq_ignore_ascii_case("all")) => Ranking::All,
        None => here,
    };
    Decision::Show(Query::Standings(ranking, author.clone()))
}

/// Shows the ratings of the person whom the word names, or else the author's.
pub(super) fn show_ratings(word: Option<&str>, author: &Author) -> Decision<Pending> {
    let name = word.map(|word| word.trim_start_matches('@')).filter(|name| is_login(name));
    let other = name.filter(|name| !name.eq_ignore_ascii_case(&author.login) && !name.eq_ignore_ascii_case("me"));
    Decision::Show(Query::Ratings(other.map(str::to_owned), author.clone()))
}
