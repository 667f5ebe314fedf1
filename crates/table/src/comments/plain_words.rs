//! Plain words: a yes or a no to a question, a draw offer, friendly words beside a move, and what a command does.

use crate::comments::command::{CommandSpec, WithoutSlash, canonical_word};
use crate::comments::commands::{ABORT, CONTINUE, REMATCH, all_commands};
use crate::comments::phrases::{Meaning, count_phrases, longest_phrase, meaning_of, without_phrases, words_of};
use crate::{Question, find_command};

/// The maximum number of words that may follow a refusal and a punctuation mark.
const MAX_MORE_WORDS: usize = 6;
/// The maximum number of other words in a greeting, such as a name.
const MAX_GREETED: usize = 2;
/// The maximum number of words in a question or a wish to the bot.
const MAX_QUESTION: usize = 12;
/// The shortest word that may be a mistyped command, in characters.
const MIN_MISTYPED: usize = 4;
/// The meanings of an answer to a question.
const ANSWERS: [Meaning; 8] = [
    Meaning::Yes,
    Meaning::Confirmation,
    Meaning::No,
    Meaning::Later,
    Meaning::Okay,
    Meaning::Acknowledgement,
    Meaning::Joining,
    Meaning::Ready,
];

/// A yes or a no at the beginning of a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Consent<'a> {
    /// What it means: one of [`ANSWERS`].
    pub meaning: Meaning,
    /// The text after the yes or no itself.
    pub rest: &'a str,
    /// Whether the line contains a question mark.
    is_question: bool,
}

/// Parses a line that begins with a yes or a no to a question; `None` for any other text.
pub(crate) fn parse_consent(line: &str) -> Option<Consent<'_>> {
    let text = without_mentions(line.trim());
    let words = words_of(text);
    if words.is_empty() {
        // A thumb up or down.
        let begins = |meaning: &Meaning| meaning.phrases().any(|thumb| text.starts_with(thumb));
        let meaning = ANSWERS.into_iter().find(begins)?;
        return Some(Consent { meaning, rest: "", is_question: false });
    }
    let (length, meaning) = longest_phrase(&words, |meaning| ANSWERS.contains(&meaning))?;
    Some(Consent { meaning, rest: after_words(text, length), is_question: text.contains('?') })
}

/// Parses a line that says yes to one kind of question only, such as `be my guest` to a takeback.
pub(crate) fn parse_yes_to(question: Question, line: &str) -> Option<Consent<'_>> {
    let says_yes = count_in(line, &[], &[yes_to(question)]).is_some_and(|count| count > 0);
    says_yes.then(|| Consent { meaning: Meaning::Yes, rest: "", is_question: line.contains('?') })
}

/// Returns the meaning of the words that may follow a yes to a question.
fn yes_to(question: Question) -> Meaning {
    match question {
        Question::Draw => Meaning::YesToDraw,
        Question::Takeback => Meaning::YesToTakeback,
        Question::Resignation => Meaning::YesToResignation,
        Question::Proposal => Meaning::YesToProposal,
        Question::Invitation => Meaning::Joining,
    }
}

impl Consent<'_> {
    /// Whether the answer to a question is clear, and not a question itself. Only friendly words and more consent may follow a
    /// consent: `yes, but I play on` isn't one. After a refusal of an offer, a few other words may follow a punctuation mark.
    pub(crate) fn is_clear(&self, question: Question) -> bool {
        let is_refusal = matches!(self.meaning, Meaning::No | Meaning::Later);
        if self.is_question || self.meaning == Meaning::Later && question == Question::Invitation {
            return false;
        }
        if is_refusal {
            let is_separate = self.rest.trim_start().starts_with([',', '.', ';', ':', '!', '-', '–', '—', '(']);
            let may_explain = question != Question::Invitation && is_separate && self.is_short();
            return may_explain || count_in(self.rest, &[], &[Meaning::No, Meaning::Later]).is_some();
        }
        count_in(self.rest, &[], &[Meaning::Yes, Meaning::Ready, yes_to(question)]).is_some()
    }

    /// Whether the answer confirms what the bot has just suggested: a move, or a command if `is_command`. An "ok" after a command
    /// may only mean that its author has read the hint.
    pub(crate) fn confirms(&self, is_command: bool) -> bool {
        let is_yes = match self.meaning {
            Meaning::Yes | Meaning::Confirmation => true,
            Meaning::Okay => !is_command,
            _ => false,
        };
        let more = [Meaning::Yes, Meaning::Confirmation, Meaning::Polite];
        is_yes && !self.is_question && count_in(self.rest, &[], &more).is_some()
    }

    /// Whether the answer has only a few more words, so that it isn't the beginning of a conversation.
    pub(crate) fn is_short(&self) -> bool {
        words_of(self.rest).len() <= MAX_MORE_WORDS
    }
}

/// Whether the words after a move offer a draw: `draw?`, `(=)`, `and I offer a draw`.
pub(crate) fn is_draw_offer(text: &str) -> bool {
    let sign = text.trim_matches([' ', ',', ';', '.', '!', '?']);
    Meaning::DrawSign.has(sign) && (sign.starts_with(['(', '=']) || text.starts_with([' ', ',', ';']))
        || count_in(text, &[], &[Meaning::DrawOffer]).is_some_and(|offers| offers > 0)
}

/// Whether a text has only friendly words, these names, mentions, punctuation and emoji. A question isn't friendly.
pub(crate) fn is_friendly(text: &str, names: &[&str]) -> bool {
    count_in(text, names, &[]).is_some() && !text.contains('?')
}

/// Whether a friendly text praises a move.
pub(crate) fn is_praise(text: &str) -> bool {
    let words = words_of(text);
    let mut rest = &words[..];
    while let Some(word) = rest.first() {
        if longest_phrase(rest, |meaning| meaning == Meaning::Praise).is_some() {
            return true;
        }
        // `Have a nice day` is a wish.
        let wish = longest_phrase(rest, |meaning| meaning == Meaning::Friendly).filter(|_| word == "have");
        rest = &rest[wish.map_or(1, |(length, _)| length)..];
    }
    false
}

/// Whether a line says that its author wants to pass.
pub(crate) fn is_pass(line: &str, names: &[&str]) -> bool {
    let words = words_of(line);
    let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| !is_name(word, names)).collect();
    let is_first = |meaning| {
        matches!(
            meaning,
            Meaning::Interjection | Meaning::Greeting | Meaning::Polite | Meaning::MoveLeadIn | Meaning::Friendly
        )
    };
    let words = without_phrases(&words, is_first, |meaning| matches!(meaning, Meaning::Polite | Meaning::Friendly));
    meaning_of(words, |meaning| meaning == Meaning::Pass).is_some()
}

/// Whether a line above a move greets somebody, or has only friendly words and these names.
pub(crate) fn is_greeting(line: &str, names: &[&str]) -> bool {
    let words = words_of(line);
    let greeted =
        longest_phrase(&words, |meaning| meaning == Meaning::Greeting).map(|(length, _)| words.len() - length);
    is_friendly(line, names) || greeted.is_some_and(|greeted| greeted <= MAX_GREETED) && !line.contains('?')
}

/// Whether the words before a move only lead up to it: `Hi Bob, I play`.
pub(crate) fn is_lead_in(text: &str, names: &[&str]) -> bool {
    count_in(text, names, &[Meaning::MoveLeadIn]).is_some()
}

/// Whether a line asks for a seat: `I'll play!`.
pub(crate) fn is_joining(line: &str) -> bool {
    count_in(line, &[], &[Meaning::Joining]).is_some_and(|count| count > 0)
}

/// Returns the command whose word, without its slash, is a whole line, apart from friendly words around it: `resign`, `moves
/// please`. `None` for any other line. Verbs of single games are moves instead.
pub(crate) fn parse_slashless(line: &str, names: &[&str]) -> Option<&'static CommandSpec> {
    let words = words_of(line);
    let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| !is_name(word, names)).collect();
    let [word] = without_friendly_words(&words) else { return None };
    // Only a game in another issue needs `/continue`, so the word alone is chat.
    find_command(canonical_word(&format!("/{word}"), &[]).0).filter(|command| **command != CONTINUE)
}

/// Returns the words of a command without those that only go with it: `ok, resign, good game` is just `resign`.
fn without_friendly_words<'a, 'b>(words: &'a [&'b str]) -> &'a [&'b str] {
    let is_first = |meaning| matches!(meaning, Meaning::Interjection | Meaning::Greeting | Meaning::Polite);
    let without = without_phrases(words, is_first, |meaning| matches!(meaning, Meaning::Polite | Meaning::Friendly));
    // A word such as `again` may be all that there is.
    if without.is_empty() { words } else { without }
}

/// Returns the command that a text asks for in plain words, besides mentions and these names; `None` for any other text. A rematch
/// only makes sense after the game, and all other commands that change something only during it.
pub(crate) fn find_command_in_words(text: &str, names: &[&str], is_over: bool) -> Option<&'static CommandSpec> {
    let mut parts = text.split([',', ';', '.', '!', '?']).filter(|part| part.chars().any(char::is_alphanumeric));
    let (first, last) = (parts.next(), parts.next_back());
    [Some(text), first, last].into_iter().flatten().find_map(|part| {
        let words = words_of(part);
        let words = words.iter().filter(|word| !is_name(word, names));
        let parts = words.flat_map(|word| word.split(['@', '-', '_'])).filter(|part| !part.is_empty());
        let words: Vec<&str> = parts.collect();
        // Several phrases may ask for the same command.
        let meaning_of = |words: &[&str]| {
            let (length, meaning) = longest_phrase(words, |meaning| matches!(meaning, Meaning::Command(_)))?;
            let mut rest = &words[length..];
            while !rest.is_empty() {
                rest = &rest[longest_phrase(rest, |other| other == meaning)?.0..];
            }
            Some(meaning)
        };
        let before = longest_phrase(&words, |meaning| meaning == Meaning::Interjection).map_or(0, |(length, _)| length);
        let core = without_friendly_words(&words);
        let wished = without_phrases(core, |meaning| meaning == Meaning::Wish, |_| false);
        let command = match [&words[before..], core, wished].into_iter().find_map(meaning_of) {
            Some(Meaning::Command(command)) => find_command(command)?,
            // `How do I resign?`
            _ if wished.len() < core.len() => find_wished_command(wished)?,
            _ => return None,
        };
        match is_over {
            // `New game` after the end of one.
            true if *command == ABORT => Some(&REMATCH),
            true => Some(command).filter(|command| **command == REMATCH || command.is_read_only),
            false => Some(command).filter(|command| **command != REMATCH),
        }
    })
}

/// Returns the command whose word is all that somebody asks for; `None` for a move, which needs its own words.
fn find_wished_command(words: &[&str]) -> Option<&'static CommandSpec> {
    let [word] = words else { return None };
    find_command(canonical_word(&format!("/{word}"), &[]).0).filter(|command| command.works_alone())
}

/// Returns the command whose word, without its slash, is one typo away from a line of one word: `unod`. `None` if there is none,
/// or more than one.
pub(crate) fn find_mistyped_command(line: &str) -> Option<&'static CommandSpec> {
    let words = words_of(line);
    let [word] = &words[..] else { return None };
    let is_long = word.chars().count() >= MIN_MISTYPED;
    let is_near = |spec: &&CommandSpec| strsim::damerau_levenshtein(word, &spec.word()[1..]) == 1;
    let mut near = all_commands().filter(|spec| is_long && spec.without_slash != WithoutSlash::Chat).filter(is_near);
    near.next().filter(|_| near.next().is_none())
}

/// Whether a line may ask the bot for something: it's short, mentions nobody, and isn't only friendly or an answer.
pub(crate) fn may_ask_bot(line: &str, names: &[&str]) -> bool {
    let count = words_of(line).len();
    (1..=MAX_QUESTION).contains(&count)
        && !line.contains('@')
        && !is_friendly(line, names)
        && parse_consent(line).is_none()
}

/// Returns how many phrases with these meanings a text contains, besides friendly words, mentions and these names; `None` if it
/// contains anything else.
fn count_in(text: &str, names: &[&str], meanings: &[Meaning]) -> Option<usize> {
    let words = words_of(text);
    let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| !is_name(word, names)).collect();
    count_phrases(&words, meanings)
}

/// Whether a word mentions somebody, or is a name or its first part: `alice` for `alice-smith`.
fn is_name(word: &str, names: &[&str]) -> bool {
    word.starts_with('@')
        || names.iter().any(|name| {
            let first = name.split(['-', '_']).next().unwrap_or_default();
            word.eq_ignore_ascii_case(name) || word.eq_ignore_ascii_case(first)
        })
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
