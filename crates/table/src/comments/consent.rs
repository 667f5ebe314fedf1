//! A plain yes or no to a question: `yes, good game!`, `no thanks`, `I'm in!`.

use crate::Question;
use crate::comments::friendly::{count_phrases, is_friendly};
use crate::parser::words_of;

/// The maximum number of words that may follow a refusal and a punctuation mark.
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
];
/// Words that put an answer off. They refuse an offer, but not an invitation.
const LATER: &[&str] = &[
    "not now",
    "not yet",
    "not today",
    "not right now",
    "not at the moment",
    "sorry not now",
    "sorry not yet",
    "later",
    "maybe later",
    "maybe",
    "perhaps",
    "tomorrow",
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
/// Words that may follow a consent to a draw, a takeback, a resignation and an invitation, each in addition to [`YES`].
const DRAW: &[&str] = &[
    "draw",
    "a draw",
    "draw agreed",
    "draw accepted",
    "its a draw",
    "draw it is",
    "a draw it is",
    "a draw is fine",
    "lets draw",
    "lets call it a draw",
    "i accept the draw",
    "accept the draw",
];
const TAKEBACK: &[&str] =
    &["take it back", "you can take it back", "you may take it back", "you may", "go ahead", "undo it"];
const RESIGNATION: &[&str] = &["i accept the resignation", "accept the resignation"];
/// Words that offer a draw after a move.
const OFFERS: &[&str] = &[
    "draw",
    "a draw",
    "draw offer",
    "draw offered",
    "offer draw",
    "offering draw",
    "offering a draw",
    "offer a draw",
    "i offer draw",
    "i offer a draw",
    "i offer you a draw",
    "id like to offer a draw",
    "i would like to offer a draw",
    "with draw offer",
    "with a draw offer",
    "do you want a draw",
    "do you accept a draw",
    "would you accept a draw",
    "would you like a draw",
    "want a draw",
    "care for a draw",
    "fancy a draw",
    "how about a draw",
    "what about a draw",
    "shall we draw",
    "shall we call it a draw",
    "lets draw",
    "lets call it a draw",
    "remis",
    "nulle",
    "tablas",
    "patta",
    "ничья",
];
/// Answers that are only a thumbs up or a thumbs down.
const THUMBS: [(&str, Meaning); 2] = [("👍", Meaning::Acknowledgement), ("👎", Meaning::No)];

/// The meaning of a plain yes or no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Consent.
    Yes,
    /// Refusal.
    No,
    /// Refusal for now.
    Later,
    /// Words that accept an invitation. While an offer is open, they may be about the move that came with it instead.
    Acknowledgement,
    /// Words that accept an invitation, and mean nothing else.
    Joining,
}

/// A yes or a no at the beginning of a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Consent<'a> {
    /// What it means.
    pub meaning: Meaning,
    /// The text after the yes or no itself.
    pub rest: &'a str,
    /// Whether the line contains a question mark.
    is_question: bool,
}

/// Parses a line that begins with a yes or a no to a question; `None` for any other text.
pub(crate) fn parse_consent(line: &str) -> Option<Consent<'_>> {
    let text = without_mentions(line.trim());
    let is_thumb = |(thumb, _): &&(&str, Meaning)| text.starts_with(thumb) && words_of(text).is_empty();
    if let Some((_, meaning)) = THUMBS.iter().find(is_thumb) {
        return Some(Consent { meaning: *meaning, rest: "", is_question: false });
    }
    let words = words_of(text);
    let lists = [
        (YES, Meaning::Yes),
        (NO, Meaning::No),
        (LATER, Meaning::Later),
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
    Some(Consent { meaning, rest: after_words(text, length), is_question: text.contains('?') })
}

impl Consent<'_> {
    /// Whether the answer to a question is clear, and not a question itself. Only friendly words and more consent may follow a
    /// consent: `yes, but I play on` isn't one. After a refusal of an offer, a few other words may follow a punctuation mark.
    pub(crate) fn is_clear(&self, question: Question) -> bool {
        let is_refusal = matches!(self.meaning, Meaning::No | Meaning::Later);
        let words = words_of(self.rest);
        if self.is_question || self.meaning == Meaning::Later && question == Question::Invitation {
            return false;
        }
        if is_refusal {
            let is_separate = self.rest.trim_start().starts_with([',', '.', ';', ':', '!', '-', '–', '—', '(']);
            let may_explain = question != Question::Invitation && is_separate && words.len() <= MAX_MORE_WORDS;
            return may_explain || is_friendly(self.rest, &[]);
        }
        let more = match question {
            Question::Draw => DRAW,
            Question::Takeback => TAKEBACK,
            Question::Resignation => RESIGNATION,
            Question::Invitation => JOINING,
        };
        let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| !word.starts_with('@')).collect();
        count_phrases(&words, &[YES, more]).is_some()
    }

    /// Whether the answer has only a few more words, so that it isn't the beginning of a conversation.
    pub(crate) fn is_short(&self) -> bool {
        words_of(self.rest).len() <= MAX_MORE_WORDS
    }
}

/// Whether the words after a move offer a draw: `draw?`, `(=)`, `and I offer a draw`.
pub(crate) fn is_draw_offer(text: &str) -> bool {
    let words = words_of(text);
    let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| !word.starts_with('@')).collect();
    let sign = text.trim_matches([' ', ',', ';', '.', '!', '?']);
    matches!(sign, "(=)" | "=" | "1/2" | "(1/2)" | "1/2-1/2")
        && (sign.starts_with('(') || text.starts_with([' ', ',', ';']))
        || count_phrases(&words, &[OFFERS]).is_some_and(|offers| offers > 0)
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
