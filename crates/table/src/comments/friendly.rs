//! Friendly words, such as a greeting, which people write beside a move without asking for anything.

use crate::parser::words_of;

/// Friendly words and phrases, in lowercase without apostrophes.
const PHRASES: &[&str] = &[
    "hi",
    "hello",
    "hey",
    "hey there",
    "hi there",
    "hello there",
    "howdy",
    "greetings",
    "good morning",
    "good afternoon",
    "good evening",
    "good day",
    "good night",
    "welcome",
    "welcome back",
    "im back",
    "nice to meet you",
    "good luck",
    "good luck to you",
    "good luck to us both",
    "have fun",
    "enjoy",
    "gl",
    "hf",
    "glhf",
    "gg",
    "gl hf",
    "thanks",
    "thank you",
    "many thanks",
    "thanks a lot",
    "thanks for the game",
    "thanks for playing",
    "thanks for waiting",
    "thanks for your patience",
    "thx",
    "ty",
    "cheers",
    "please",
    "ok",
    "okay",
    "well",
    "hm",
    "hmm",
    "oh",
    "ah",
    "aha",
    "wow",
    "ouch",
    "haha",
    "lol",
    "phew",
    "nice",
    "nice move",
    "nice one",
    "nice game",
    "good move",
    "good one",
    "good game",
    "great move",
    "great game",
    "well played",
    "interesting",
    "interesting move",
    "your turn",
    "your move",
    "its your turn",
    "its your move",
    "over to you",
    "my move",
    "my turn",
    "here you go",
    "here we go",
    "here i go",
    "lets go",
    "there you go",
    "sorry",
    "sorry for the delay",
    "sorry for the wait",
    "sorry for being late",
    "sorry about the delay",
    "sorry im late",
    "sorry that took a while",
    "apologies for the delay",
    "take your time",
    "no rush",
    "no hurry",
    "no worries",
    "bye",
    "see you",
    "see you soon",
    "see you tomorrow",
    "have a nice day",
    "have a good day",
    "have a great day",
    "have a nice weekend",
    "have a good weekend",
    "happy new year",
    "merry christmas",
    "all the best",
    "best wishes",
    "best regards",
    "kind regards",
    "regards",
    "and",
    "everyone",
    "all",
    "friend",
    "my friend",
    "mate",
    "buddy",
];
/// Phrases that praise the opponent's move. A comment with such a phrase and that move's notation only talks about the move.
const PRAISE: &[&str] = &["nice", "good move", "good one", "great", "interesting", "wow", "ouch", "well played"];

/// Whether a text has only friendly words, these names, mentions, punctuation and emoji. A question isn't friendly.
pub(crate) fn is_friendly(text: &str, names: &[&str]) -> bool {
    let words = words_of(text);
    let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| !is_name(word, names)).collect();
    count_phrases(&words, &[]).is_some() && !text.contains('?')
}

/// Returns how many of these phrases the words contain; `None` if they contain anything else besides friendly words.
pub(crate) fn count_phrases(mut words: &[&str], phrases: &[&[&str]]) -> Option<usize> {
    let mut count = 0;
    while !words.is_empty() {
        let longest = |phrases: &mut dyn Iterator<Item = &&str>| {
            let lengths = phrases.filter_map(|phrase| {
                let length = phrase.split(' ').count();
                words.get(..length).filter(|start| phrase.split(' ').eq(start.iter().copied())).map(|_| length)
            });
            lengths.max().unwrap_or(0)
        };
        let (wanted, friendly) = (longest(&mut phrases.iter().copied().flatten()), longest(&mut PHRASES.iter()));
        if wanted.max(friendly) == 0 {
            return None;
        }
        count += usize::from(wanted >= friendly);
        words = &words[wanted.max(friendly)..];
    }
    Some(count)
}

/// Whether a friendly text praises a move.
pub(crate) fn is_praise(text: &str) -> bool {
    let text = words_of(text).join(" ");
    PRAISE.iter().any(|praise| text.contains(praise))
}

/// Whether a word mentions somebody, or is a name or its first part: `alice` for `alice-smith`.
fn is_name(word: &str, names: &[&str]) -> bool {
    word.starts_with('@')
        || names.iter().any(|name| {
            let first = name.split(['-', '_']).next().unwrap_or_default();
            word.eq_ignore_ascii_case(name) || word.eq_ignore_ascii_case(first)
        })
}
