//! The words of `/new` after the game's name: options as people write them, and the chat that may follow.

use std::time::Duration;

use game::{Level, Options, Seat, parse_dimensions, parse_number};
use games::GameKind;

use crate::SetupRefusal;
use crate::comments::game_names::{
    ends_phrase, is_computer_word, is_connective, is_crowd_word, is_one_of, without_punctuation,
};
use crate::comments::phrases::{Meaning, longest_phrase, meaning_of};
use crate::comments::plain_words::is_friendly;

/// The keys of the options that all games share.
pub const TABLE_OPTIONS: [&str; 10] =
    ["as", "seats", "gap", "level", "per-move", "bank", "rated", "autoplay", "votes", "quorum"];
/// Other names of `as`.
pub(super) const SIDE_ALIASES: [&str; 3] = ["color", "colour", "side"];
/// Other names of `per-move`.
pub(super) const PER_MOVE_ALIASES: [&str; 2] = ["permove", "per_move"];
/// The maximum number of words of chat that are recognized without a comma before them.
const MAX_FRIENDLY_WORDS: usize = 12;
/// A minute.
pub(super) const MINUTE: Duration = Duration::from_secs(60);
/// The largest number after a word for the computer that is read as its level. It may be too high for a level.
const MAX_LEVEL_READ: usize = 20;

/// Returns the words that set up a table, with each option as one `key=value`, and without punctuation and chat.
pub(super) fn setup_words(words: &[String], kind: GameKind) -> Vec<String> {
    pair_options(&without_chat(words, kind), kind)
}

/// Returns the words without punctuation and without chat: friendly words, and anything after a comma that isn't an option.
/// Mentions stay.
fn without_chat(words: &[String], kind: GameKind) -> Vec<&str> {
    let mut kept = Vec::new();
    for (at, phrase) in words.split_inclusive(|word| ends_phrase(word)).enumerate() {
        let phrase: Vec<&str> = phrase.iter().map(|word| without_punctuation(word)).collect();
        let begins_chat = |at: &usize| {
            let rest = &phrase[*at..];
            // A dash is part of a position in chess.
            let may_be_friendly = rest.len() <= MAX_FRIENDLY_WORDS && rest[0] != "-";
            Meaning::Anyone.has(rest[0]) || may_be_friendly && is_friendly(&rest.join(" "), &[])
        };
        let start = (0..phrase.len()).find(|start| at > 0 || begins_chat(start)).unwrap_or(phrase.len());
        let (options, rest) = phrase.split_at(start);
        kept.extend_from_slice(options);
        let is_chat = is_chat(rest, kind);
        kept.extend(rest.iter().filter(|word| !Meaning::Anyone.has(word) && (!is_chat || word.starts_with('@'))));
    }
    kept
}

/// Whether a phrase after a comma is chat, because it neither begins with an option nor names a side.
fn is_chat(phrase: &[&str], kind: GameKind) -> bool {
    if is_friendly(&phrase.join(" "), &[]) {
        return true;
    }
    let is_side = |word: &str| word.eq_ignore_ascii_case("random") || parse_seat(word, kind).is_ok();
    let is_option = |word: &&str| word.contains('=') || parse_dimensions(word).is_some() || is_side(word);
    let mut words = phrase.iter().filter(|word| !word.starts_with('@') && !is_connective(word));
    let begins_with_option = words.next().is_some_and(|word| {
        let key = word.trim_end_matches([':', '=']);
        is_computer_word(key)
            || is_crowd_word(key)
            || is_near_key(key, kind)
            || is_one_of(key, &["open", "per"])
            || is_one_of(key, &["not"]) && phrase.iter().any(|word| is_one_of(word, &["rated"]))
            || Level::parse(key).is_some()
            || key.starts_with(|c: char| c.is_ascii_digit())
    });
    !begins_with_option && !phrase.iter().any(is_option)
}

/// Joins options that people write as several words, such as `match to 3` or `3 days per move`, into pairs. A switch without
/// a value is turned on.
fn pair_options(words: &[&str], kind: GameKind) -> Vec<String> {
    let mut paired: Vec<String> = Vec::new();
    let mut rest = words;
    while let [word, after @ ..] = rest {
        let level = parse_number(word).filter(|level| *level <= MAX_LEVEL_READ);
        let is_level = level.is_some() && paired.last().is_some_and(|word| is_computer_word(word));
        let amount = split_time_limit(rest).or_else(|| split_points(rest, kind)).or_else(|| split_row(rest, kind));
        let amount = amount.or_else(|| split_rated(rest, kind));
        let (pair, after) = if let Some((pair, after)) = amount {
            (pair, after)
        } else if is_level {
            (format!("level={word}"), after)
        } else if word.eq_ignore_ascii_case("open") {
            match after {
                // `open seat` needs no option, because a seat without an opponent is open anyway.
                [next, after @ ..] if is_one_of(next, &["seat"]) => (String::new(), after),
                _ => ("seats=open".to_owned(), after),
            }
        } else {
            split_pair(rest, kind)
        };
        paired.push(pair);
        rest = after;
    }
    paired
}

/// Splits a number and its unit off the words, which may be one word or two: `3d`, `3 days`.
fn split_amount<'a>(words: &'a [&'a str]) -> Option<(&'a str, &'a str, &'a [&'a str])> {
    let (first, after) = words.split_first()?;
    let (number, unit) = first.split_at(first.find(|c: char| !c.is_ascii_digit()).unwrap_or(first.len()));
    parse_number(number).filter(|_| !number.is_empty())?;
    match after {
        [next, after @ ..] if unit.is_empty() => Some((number, *next, after)),
        _ => Some((number, unit, after)),
    }
}

/// Splits a time limit off the words, such as `3d`, `3 days per move` or `3 days/move`.
fn split_time_limit<'a>(words: &'a [&'a str]) -> Option<(String, &'a [&'a str])> {
    let (number, unit, after) = split_amount(words)?;
    let (unit, per) = unit.split_once('/').map_or((unit, None), |(unit, per)| (unit, Some(per)));
    parse_unit(unit)?;
    let is_limit = per.is_none_or(|per| Meaning::Turn.has(per));
    is_limit.then(|| (format!("per-move={number}{unit}"), after_per_move(after)))
}

/// Returns the words after `per move` or `a move`, if they begin with that.
fn after_per_move<'a>(words: &'a [&'a str]) -> &'a [&'a str] {
    let length = longest_phrase(words, |meaning| meaning == Meaning::PerMove).map_or(0, |(length, _)| length);
    &words[length..]
}

/// Splits the length of a match off the words: `5 points`, `5-point match`.
fn split_points<'a>(words: &'a [&'a str], kind: GameKind) -> Option<(String, &'a [&'a str])> {
    let (number, unit, after) = split_amount(words)?;
    let unit = if words[0].len() > number.len() { unit.trim_start_matches('-') } else { unit };
    let is_length = is_key("match", kind) && Meaning::Points.has(unit);
    let after = after.strip_prefix(&["match"]).unwrap_or(after);
    is_length.then(|| (format!("match={number}"), after))
}

/// Splits the length of a winning line off the words: `4 in a row`.
fn split_row<'a>(words: &'a [&'a str], kind: GameKind) -> Option<(String, &'a [&'a str])> {
    let (number, after) = words.split_first()?;
    let after = after.strip_prefix(&["in", "a", "row"])?;
    let is_length = is_key("k", kind) && parse_number(number).is_some();
    is_length.then(|| (format!("k={number}"), after))
}

/// Splits off the words that make a game casual or rated: `casual`, `rated=no`, `not rated`.
fn split_rated<'a>(words: &'a [&'a str], kind: GameKind) -> Option<(String, &'a [&'a str])> {
    let (first, after) = words.split_first()?;
    if let ["not", rated, after @ ..] = words {
        return is_one_of(rated, &["rated"]).then(|| ("rated=no".to_owned(), after));
    }
    let (key, value) = first.trim_end_matches([':', '=']).split_once('=').unwrap_or((first, ""));
    let key = key.trim_end_matches([':', '=']);
    let is_casual = Meaning::Casual.has(key);
    if !is_casual && !is_one_of(key, &["rated"]) {
        return None;
    }
    let (value, after) = match after {
        [next, after @ ..] if value.is_empty() && is_on_or_off(next) => (*next, after),
        _ if value.is_empty() => ("yes", after),
        _ => (value, after),
    };
    let value = match is_casual {
        true if Meaning::On.has(value) => "no",
        true if Meaning::Off.has(value) => "yes",
        _ => value,
    };
    // A `casual match` is a game, but `match to 5` is an option.
    let has_length = |after: &[&str]| after.first().is_some_and(|next| parse_number(next).is_some() || *next == "to");
    let after =
        after.strip_prefix(&["match"]).filter(|after| !is_key("match", kind) || !has_length(after)).unwrap_or(after);
    Some((format!("rated={value}"), after))
}

/// Splits a pair off the words, or a single word if it isn't the key of an option.
fn split_pair<'a>(words: &'a [&'a str], kind: GameKind) -> (String, &'a [&'a str]) {
    let (word, rest) = match words {
        [per, turn, rest @ ..] if is_one_of(per, &["per"]) && is_one_of(turn, &["move", "turn", "move:"]) => {
            ("per-move", rest)
        }
        [word, rest @ ..] => (*word, rest),
        [] => return (String::new(), words),
    };
    let mut rest = rest.iter().peekable();
    let bare_key = word.trim_end_matches([':', '=']);
    let (key, value) = match word.split_once('=') {
        Some((key, value)) if !value.is_empty() => (key, Some(value)),
        _ if is_key(bare_key, kind) => {
            _ = rest.next_if(|next| matches!(**next, "to" | "of" | "is" | ":" | "="));
            let is_switch = is_switch(bare_key, kind);
            let is_its_value =
                |next: &&&str| if is_switch { is_on_or_off(next) } else { is_value(next) && !is_key(next, kind) };
            (bare_key, rest.next_if(is_its_value).copied().or(is_switch.then_some("on")))
        }
        _ => (word, None),
    };
    let mut pair = value.map_or_else(|| key.to_owned(), |value| format!("{key}={value}"));
    let is_per_move = is_one_of(key, &["per-move"]) || is_one_of(key, &PER_MOVE_ALIASES);
    let is_number = value.is_some_and(|value| parse_number(value).is_some());
    if is_per_move || is_one_of(key, &["bank"]) {
        if let Some(unit) = rest.next_if(|next| is_number && parse_unit(next).is_some()) {
            pair.push_str(unit);
        }
    } else if is_number && is_one_of(key, &["match"]) {
        _ = rest.next_if(|next| Meaning::Points.has(next));
    }
    let rest = &words[words.len() - rest.len()..];
    (pair, if is_per_move { after_per_move(rest) } else { rest })
}

/// Whether a word is the key of an option, or an alias of one.
pub(super) fn is_key(word: &str, kind: GameKind) -> bool {
    keys(kind).any(|key| key.eq_ignore_ascii_case(word))
}

/// Whether a word is the key of an option or has one typo in it.
fn is_near_key(word: &str, kind: GameKind) -> bool {
    let word = word.to_lowercase();
    is_key(&word, kind) || word.len() > 2 && keys(kind).any(|key| strsim::damerau_levenshtein(key, &word) == 1)
}

/// Returns the keys of all options and their aliases.
fn keys(kind: GameKind) -> impl Iterator<Item = &'static str> {
    let own = kind.info().options.iter().flat_map(|option| option.aliases.iter().copied().chain([option.key]));
    own.chain(TABLE_OPTIONS).chain(SIDE_ALIASES).chain(Meaning::Casual.phrases()).chain(PER_MOVE_ALIASES)
}

/// Whether an option is a switch. Only switches can be `off`.
fn is_switch(key: &str, kind: GameKind) -> bool {
    if is_one_of(key, &["autoplay"]) {
        return true;
    }
    let mut options = Options { pairs: vec![(key.to_owned(), "off".to_owned())], ..Options::default() };
    kind.configure(&mut options).is_ok() && options.pairs.is_empty()
}

/// Whether a word is a switch's value, or an attempt at one.
fn is_on_or_off(word: &str) -> bool {
    Meaning::On.has(word) || Meaning::Off.has(word)
}

/// Whether a word can be an option's value or part of a game's name, rather than an opponent or another option.
pub(super) fn is_value(word: &str) -> bool {
    let plain = without_punctuation(word);
    !word.starts_with('@')
        && !word.contains('=')
        && !is_computer_word(plain)
        && !is_crowd_word(plain)
        && !is_connective(plain)
        && !Meaning::Anyone.has(plain)
}

/// Returns the seat with this name, ignoring case.
///
/// # Errors
/// Returns an error if no seat has that name.
pub(crate) fn parse_seat(name: &str, kind: GameKind) -> Result<Seat, SetupRefusal> {
    let named = |seat: &Seat| kind.info().seat_name(*seat).eq_ignore_ascii_case(name);
    Seat::BOTH.into_iter().find(named).ok_or_else(|| SetupRefusal::UnknownSeat(name.to_owned(), kind.info().seats))
}

/// Parses a duration: `7d`, `12h`, `90m`, `2w`, `3days`.
pub(crate) fn parse_duration(text: &str) -> Option<Duration> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    parse_unit(unit)?.checked_mul(number.parse().ok()?)
}

/// Parses a unit of time: `d`, `day`, `days`.
fn parse_unit(text: &str) -> Option<Duration> {
    match meaning_of(&[text], |meaning| matches!(meaning, Meaning::TimeUnit(_)))? {
        Meaning::TimeUnit(unit) => Some(unit),
        _ => None,
    }
}
