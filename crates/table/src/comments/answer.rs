//! Plain answers to a question: `yes, good game!`, `no thanks`, `I'm in!`.

use crate::comments::friendly::is_friendly;
use crate::comments::words::words_of;

/// The maximum number of words that may follow an answer and a punctuation mark.
const MAX_MORE_WORDS: usize = 6;

/// Words of consent, in lowercase without apostrophes.
const YES: &[&str] = &[
    "yes",
    "yes please",
    "yes of course",
    "y",
    "yeah",
    "yep",
    "yup",
    "accept",
    "accepted",
    "i accept",
    "agree",
    "agreed",
    "i agree",
    "deal",
    "of course",
    "sure",
    "sure thing",
    "ok sure",
    "absolutely",
    "gladly",
    "with pleasure",
    "sounds good",
    "fine with me",
];
/// Words of refusal.
const NO: &[&str] = &[
    "no",
    "no thanks",
    "no thank you",
    "no way",
    "no sorry",
    "sorry no",
    "n",
    "nope",
    "nah",
    "decline",
    "declined",
    "i decline",
    "id rather not",
    "rather not",
    "not now",
    "not yet",
    "not today",
    "sorry not now",
];
/// Words that accept an invitation. While an offer is open, they may be about the move that came with it instead.
const ACKNOWLEDGEMENTS: &[&str] =
    &["ok", "okay", "ok thanks", "k", "thanks", "thank you", "thx", "ty", "fine", "cool", "great"];
/// Words that only accept an invitation.
const JOINING: &[&str] = &[
    "join",
    "joined",
    "ill join",
    "im in",
    "im joining",
    "count me in",
    "im ready",
    "ready",
    "lets go",
    "lets play",
    "lets do it",
    "lets do this",
    "challenge accepted",
    "game on",
    "bring it on",
    "happy to play",
    "id love to",
];
/// Answers that are only a thumbs up or a thumbs down.
const THUMBS: [(&str, Meaning); 2] = [("👍", Meaning::Acknowledgement), ("👎", Meaning::No)];

/// The meaning of a plain answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Consent.
    Yes,
    /// Refusal.
    No,
    /// Words that accept an invitation. While an offer is open, they may be about the move that came with it instead.
    Acknowledgement,
    /// Words that accept an invitation, and mean nothing else.
    Joining,
}

/// A comment that begins with an answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainAnswer<'a> {
    /// The meaning of the answer.
    pub meaning: Meaning,
    /// Whether the answer is clear. A clear answer isn't a question. Only friendly words follow it, or a few other
    /// words after a punctuation mark.
    pub is_clear: bool,
    /// The text after the answer itself.
    pub rest: &'a str,
}

/// Parses a line that begins with an answer to a question; `None` for any other text.
pub fn parse_answer(line: &str) -> Option<PlainAnswer<'_>> {
    let text = without_mentions(line.trim());
    let is_thumb = |(thumb, _): &&(&str, Meaning)| text.starts_with(thumb) && words_of(text).is_empty();
    if let Some((_, meaning)) = THUMBS.iter().find(is_thumb) {
        return Some(PlainAnswer { meaning: *meaning, is_clear: true, rest: "" });
    }
    let words = words_of(text);
    let lists = [
        (YES, Meaning::Yes),
        (NO, Meaning::No),
        (ACKNOWLEDGEMENTS, Meaning::Acknowledgement),
        (JOINING, Meaning::Joining),
    ];
    let phrases = lists.into_iter().flat_map(|(phrases, meaning)| phrases.iter().map(move |phrase| (*phrase, meaning)));
    let matching = phrases.filter_map(|(phrase, meaning)| {
        let length = phrase.split(' ').count();
        let is_start = words.len() >= length && words[..length].iter().map(String::as_str).eq(phrase.split(' '));
        is_start.then_some((length, meaning))
    });
    let (length, meaning) = matching.max_by_key(|(length, _)| *length)?;
    let rest = after_words(text, length);
    let more = words.len() - length;
    let is_separate = rest.trim_start().starts_with([',', '.', ';', ':', '!', '-', '–', '—', '(']);
    let is_clear = !text.contains('?') && (is_friendly(rest, &[]) || is_separate && more <= MAX_MORE_WORDS);
    Some(PlainAnswer { meaning, is_clear, rest })
}

impl PlainAnswer<'_> {
    /// Whether the answer has only a few more words, so that it isn't the beginning of a conversation.
    pub fn is_short(&self) -> bool {
        words_of(self.rest).len() <= MAX_MORE_WORDS
    }
}

/// Returns a text without mentions at its beginning.
fn without_mentions(mut text: &str) -> &str {
    while text.starts_with('@') {
        let rest = text.split_once(char::is_whitespace).map_or("", |(_, rest)| rest);
        text = rest.trim_start_matches([' ', ',', ':']);
    }
    text
}

/// Returns the text after its first `count` words.
fn after_words(text: &str, count: usize) -> &str {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’');
    let mut rest = text;
    for _ in 0..count {
        rest = rest.trim_start_matches(|c| !is_part(c));
        rest = rest.trim_start_matches(is_part);
    }
    rest
}
