//! Suggestions: guesses at what a player meant by a comment that is almost a move or a command.

use game::contract::Game;
use game::notation::{strip_decoration, truncate_bytes};
use game::rule::ParseMoveError;

use crate::comments::commands::{COMMANDS, REMATCH};
use crate::comments::friendly::{is_friendly, is_praise};
use crate::comments::words::words_of;
use crate::decisions::refusal::{MoveRefusal, Suggestion};
use crate::decisions::spelling::{is_emoticon, is_legal_move, parse_move};
use crate::table::Table;

/// The longest line that is searched for a move, in bytes. A longer line is chat.
const MAX_LINE: usize = 100;
/// The maximum number of words in one move.
const MAX_WORDS: usize = 6;
/// The longest line, in words, in which a bare number, `a` or `i` can be a move.
const FEW_WORDS: usize = 3;

/// Words that may precede a phrase.
const INTERJECTIONS: [&str; 6] = ["gg ", "oops ", "ok ", "well played ", "sorry ", "hey "];

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
            let is_common = |text: &str| words.len() > FEW_WORDS && length == 1 && is_common_word(text);
            let texts = words
                .windows(length)
                .map(|words| words.join(" "))
                .filter(|text| !is_common(text) && !is_emoticon(text));
            let moves = texts.filter_map(|text| game.parse_move(&text).ok()).filter(|mv| game.is_legal(mv));
            let mut names: Vec<String> = moves.map(|mv| game.notation(&mv)).collect();
            names.dedup();
            (!names.is_empty()).then_some(names)
        })
        .and_then(|names| <[String; 1]>::try_from(names).ok())
        .map(|[name]| name)
}

/// Returns the only legal move among the words of a short line; `None` for a longer line, or if the move has only one
/// character. A short line is about its move even if the author isn't playing.
pub(super) fn find_move_in_few_words<G: Game>(game: &G, line: &str) -> Option<String> {
    let is_short = line.split_whitespace().count() <= MAX_WORDS;
    if is_short { find_move(game, line).filter(|name| name.chars().count() > 1) } else { None }
}

/// Returns the longest beginning of a line that is exactly one legal move, and the words after it.
pub(super) fn move_before_words<'a, G: Game>(game: &G, line: &'a str) -> Option<(&'a str, &'a str)> {
    let ends = line.char_indices().filter(|(_, c)| c.is_whitespace()).map(|(at, _)| at);
    let beginnings: Vec<usize> = ends.take(MAX_WORDS).collect();
    let trimmed = |at: usize| (line[..at].trim_end_matches([',', ';', ':']), line[at..].trim_start());
    beginnings.into_iter().rev().map(trimmed).find(|(beginning, _)| is_legal_move(game, beginning))
}

/// Returns a line without the friendly words after its move. Returns the whole line if other words follow the move, or
/// none at all.
///
/// Returns the whole line if it praises the last move: `d, nice move` is about the move that the opponent has just played.
pub(super) fn without_friendly_words<'a, G: Game>(table: &Table<G>, line: &'a str) -> &'a str {
    let game = table.game();
    let Some((mv, words)) = move_before_words(game, line) else { return line };
    let last = table.plies().next_back().and_then(|ply| ply.played).map(|(_, notation)| notation);
    let is_last = || parse_move(game, mv).is_ok_and(|mv| last == Some(game.notation(&mv).as_str()));
    let is_beside_it =
        !line.contains('?') && is_friendly(words, &table.occupants().names()) && !(is_praise(words) && is_last());
    if is_beside_it { mv } else { line }
}

/// Whether a line is a move, legal or not, with only friendly words after it.
pub(super) fn is_move_with_friendly_words<G: Game>(table: &Table<G>, line: &str) -> bool {
    let (mv, words) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let is_move =
        || !matches!(parse_move(table.game(), mv.trim_end_matches([',', ';', ':'])), Err(ParseMoveError::NotAMove));
    without_friendly_words(table, line).len() < line.len()
        || is_friendly(words, &table.occupants().names()) && is_move()
}

/// Returns the legal move at the beginning of a line, if a comma and then chat follow it: `e5, not today`.
pub(super) fn move_before_chat<G: Game>(game: &G, line: &str) -> Option<String> {
    let (beginning, _) =
        move_before_words(game, line).filter(|(beginning, _)| line[beginning.len()..].starts_with(','))?;
    parse_move(game, beginning).ok().map(|mv| game.notation(&mv))
}

/// Whether a short line names a cell in words: `row 4 column 8`.
pub(super) fn names_cell_in_words(line: &str) -> bool {
    let words: Vec<String> =
        line.split_whitespace().take(MAX_WORDS + 1).map(|word| strip_decoration(word).to_lowercase()).collect();
    let is_number = |word: &String| word.parse::<u32>().is_ok();
    let is_place = |word: &String| {
        matches!(word.as_str(), "row" | "column" | "col" | "line" | "file" | "rank" | "cell" | "square")
    };
    let is_other = |word: &String| matches!(word.as_str(), "" | "and" | "the");
    words.len() <= MAX_WORDS
        && words.iter().any(is_number)
        && words.iter().any(is_place)
        && words.iter().all(|word| is_number(word) || is_place(word) || is_other(word))
}

/// Whether a line begins with a legal move and names another one, legal or not: `e5 or c5`. A question doesn't.
pub(super) fn begins_with_several_moves<G: Game>(game: &G, line: &str) -> bool {
    let is_short = truncate_bytes(line, MAX_LINE).len() == line.len();
    is_short
        && !line.contains('?')
        && move_before_words(game, line).is_some_and(|(mv, rest)| {
            let is_long = line.split_whitespace().count() > FEW_WORDS;
            !(is_long && is_common_word(mv)) && names_any_move(game, rest)
        })
}

/// Whether a line says that its author wants to pass.
pub(super) fn is_pass(line: &str) -> bool {
    matches!(
        words_of(line).join(" ").as_str(),
        "pass" | "i pass" | "skip" | "skip my turn" | "i have to pass" | "passe"
    )
}

/// Whether a text can be a word of a sentence as well as a move: `4` is just a number there, and `a` is an article.
fn is_common_word(text: &str) -> bool {
    matches!(text, "a" | "A" | "i" | "I") || text.chars().all(|c| !c.is_alphabetic())
}

/// Whether some of the words of a text look like a move, legal or not.
pub(super) fn names_any_move<G: Game>(game: &G, text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().map(strip_decoration).filter(|word| !word.is_empty()).collect();
    (1..=words.len().min(MAX_WORDS)).any(|length| {
        words.windows(length).any(|words| !matches!(game.parse_move(&words.join(" ")), Err(ParseMoveError::NotAMove)))
    })
}

/// Returns the only legal move within one typo of the text; `None` if there is no such move, or more than one.
pub(super) fn nearest_move<G: Game>(game: &G, text: &str) -> Option<String> {
    if !matches!(parse_move(game, text), Err(ParseMoveError::NotAMove)) {
        return None;
    }
    let folded = |text: &str| if G::CASE_SENSITIVE { text.to_owned() } else { text.to_lowercase() };
    let wanted: String = folded(text.trim()).chars().take(40).collect();
    let names = game.legal_moves().into_iter().map(|mv| game.notation(&mv));
    let mut near = names.filter(|name| strsim::damerau_levenshtein(&folded(name), &wanted) == 1);
    near.next().filter(|name| near.next().is_none() && name.len() > 1)
}

/// Returns the refusal of a text that can't be read as a move.
pub(super) fn unread_move<G: Game>(game: &G, text: &str, unread: ParseMoveError) -> MoveRefusal {
    match unread {
        ParseMoveError::NotAMove if is_pass(text) => MoveRefusal::Pass,
        ParseMoveError::NotAMove => {
            MoveRefusal::NotAMove(text.to_owned(), G::INFO.how_to_move(), nearest_move(game, text))
        }
        ParseMoveError::OutOfRange(error) => match error.range() {
            Some(range) => MoveRefusal::OutsideBoard(text.to_owned(), range.to_owned()),
            None => MoveRefusal::OutOfRange(text.to_owned(), error.message),
        },
        ParseMoveError::Ambiguous(moves) => MoveRefusal::Ambiguous(text.to_owned(), moves),
    }
}

/// Returns the suggestion for a comment that says in plain words what a command does; `None` for any other text. A
/// rematch only makes sense after the game, and all other commands only during it.
pub(super) fn find_phrase(text: &str, is_over: bool) -> Option<Suggestion> {
    let mut parts = text.split([',', ';', '.', '!', '?']).filter(|part| part.chars().any(char::is_alphanumeric));
    let (first, last) = (parts.next(), parts.next_back());
    [Some(text), first, last].into_iter().flatten().find_map(|part| match_phrase(part, is_over))
}

fn match_phrase(text: &str, is_over: bool) -> Option<Suggestion> {
    let words = text.to_lowercase().replace(['\'', '’'], "");
    let words: Vec<&str> = words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let text = words.join(" ");
    let text = INTERJECTIONS.iter().find_map(|word| text.strip_prefix(word)).unwrap_or(&text).trim();
    let command = COMMANDS.into_iter().find(|command| command.phrases.contains(&text))?;
    if (*command == REMATCH) == is_over { Some(Suggestion::MissingSlash(command)) } else { None }
}
