//! Parses comments into commands, chat or errors.

use game::notation::{normalize, strip_decoration, truncate_bytes};
use game::parse_dimensions;
use games::GameVariant;

use crate::comments::command::{
    CommandSpec, WithoutSlash, Words, canonical_word, command_word, is_polite, setup_words, split_command,
    unknown_command, without_politeness,
};
use crate::comments::commands::{IF, is_command};
use crate::comments::own_text::{MAX_COMMENT_BYTES, MAX_LINE, PlainText, is_draw_line, own_text, parse_issue_form};
use crate::{Command, CommandError, CommandTarget, IssueNumber, NEW, find_command, form_comment, target_of};

/// A parsed comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParsedComment {
    /// Chat, which doesn't ask the bot for anything.
    Chat,
    /// A comment without a command on its first line, which may be a move.
    Text(PlainText),
    /// A command, and the number of the table if the comment names one.
    Command(Command, Option<IssueNumber>),
    /// An invalid command, and the number of the table if the comment names one. Without a table, most of these are
    /// ignored.
    Invalid(CommandError, Option<IssueNumber>),
}

/// Parses a comment. It ignores quotes, code, HTML and the text that mail programs add.
pub fn parse_comment(text: &str) -> ParsedComment {
    parse_text(text, false)
}

/// Parses a comment, or the beginning of a new issue, where more words start a game.
fn parse_text(text: &str, is_new_issue: bool) -> ParsedComment {
    let own = own_text(text);
    let first = match own.lines.first() {
        Some(first) if first.starts_with('/') => first.as_str(),
        _ => return PlainText::parse(own).map_or(ParsedComment::Chat, ParsedComment::Text),
    };
    let (typed, words) = split_command(first);
    let setup = if is_new_issue && !is_command(&typed) { setup_words(&typed, &words) } else { None };
    let (word, words) = match setup {
        Some(words) => (NEW.word().to_owned(), words),
        None => (canonical_word(&typed, &words).to_owned(), words),
    };
    let (words, table) =
        if target_of(&word) == CommandTarget::OwnIssue { (words, None) } else { take_table_number(words) };
    if !is_command(&word) {
        let error = unknown_command(&word, &words);
        // A move without a command can't name a table, even with a slash before it.
        let plain = if table.is_none() { PlainText::parse_after_slash(own, error.clone()) } else { None };
        return match (plain, error) {
            (Some(plain), _) => ParsedComment::Text(plain),
            (None, Some(error)) => ParsedComment::Invalid(error, table),
            (None, None) => ParsedComment::Chat,
        };
    }
    let command = validate(&word, without_politeness(words), first);
    let below = if let [_, below] = &own.lines[..] { Some(below).filter(|line| line.len() <= MAX_LINE) } else { None };
    let second = own.lines[1..].iter().map(|line| command_word(line)).find(|word| is_command(word));
    match (command, second) {
        (Ok(Command::Move(text)), Some(_)) if below.is_some_and(|line| is_draw_line(line)) => {
            ParsedComment::Command(Command::MoveWithOffer(text), table)
        }
        // A second command on a later line makes the comment ambiguous. Other lines are chat.
        (_, Some(second)) => ParsedComment::Invalid(CommandError::TwoCommands(word, second), table),
        (Ok(Command::Draw), None) if let Some(line) = below => {
            ParsedComment::Command(Command::DrawAbove(line.clone()), table)
        }
        (Ok(command), None) => ParsedComment::Command(command, table),
        (Err(unclear), None) => ParsedComment::Invalid(unclear, table),
    }
}

/// Whether a line is a command and nothing else: `/board`, but not `/board is broken`.
pub fn is_complete_command(line: &str) -> bool {
    let ParsedComment::Command(command, _) = parse_comment(line) else { return false };
    // Words that count without a slash are common, so a line that begins with one may be a sentence.
    let is_common = |spec: &CommandSpec| spec.without_slash == WithoutSlash::Counts && spec.words == Words::None;
    !command.spec().is_some_and(is_common)
        || strip_decoration(&take_table_number(split_command(line).1).0.join(" ")).is_empty()
}

/// Parses a single word as a command without its slash: `resign`. Verbs of single games are moves instead.
pub fn parse_slashless(line: &str) -> Option<&'static CommandSpec> {
    let word = strip_decoration(line);
    if !word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    let word = format!("/{}", word.to_lowercase());
    find_command(canonical_word(&word, &[]))
}

/// Validates a command and its words.
fn validate(word: &str, words: Vec<String>, line: &str) -> Result<Command, CommandError> {
    let impossible = |word: &&String| word.strip_prefix('#').is_some_and(is_number);
    let is_for_own_issue = target_of(word) == CommandTarget::OwnIssue;
    if let Some(number) = words.iter().find(impossible).filter(|number| !is_for_own_issue && !is_table_number(number)) {
        return Err(CommandError::InvalidTableNumber(number.clone()));
    }
    let text = words.join(" ");
    let words = if strip_decoration(&text).is_empty() { Vec::new() } else { words };
    let spec = find_command(word);
    let has_extra_words = !spec.map_or(Words::None, |spec| spec.words).allow(&words);
    let command = spec.map_or_else(|| Command::Verb(word[1..].to_owned()), |spec| (spec.parse)(words));
    if command.may_show() {
        Ok(command)
    } else if spec == Some(&IF) && line.len() > MAX_LINE {
        // A line that is cut off could end with another move.
        Err(CommandError::TooLong(word.to_owned()))
    } else if is_question(line) {
        Err(CommandError::Question(word.to_owned()))
    } else if has_extra_words {
        Err(CommandError::ExtraWords(word.to_owned(), text))
    } else {
        Ok(command)
    }
}

/// Whether a question mark follows a command, with only punctuation around it.
fn is_question(line: &str) -> bool {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let word_end = word.trim_start_matches(|c: char| !matches!(c, '.' | ',' | ':' | ';' | '!' | '?'));
    word_end.contains('?') || (rest.contains('?') && rest.split_whitespace().all(is_polite))
}

/// Parses an issue's body: a normal comment, or a filled-in issue form whose first question is the game.
pub fn parse_issue_body(text: &str) -> ParsedComment {
    let text = form_comment(text).unwrap_or(text);
    let form = parse_issue_form(truncate_bytes(text, MAX_COMMENT_BYTES));
    form.map_or_else(|| parse_text(text, true), |words| ParsedComment::Command(Command::New(words), None))
}

/// Parses the title of an issue without a text. Others can change a title, so a `/new` there starts no game.
pub fn parse_issue_title(title: &str) -> ParsedComment {
    let is_new = title.split_whitespace().next().is_some_and(|word| word.eq_ignore_ascii_case(NEW.word()));
    if is_new {
        ParsedComment::Invalid(CommandError::InTitle(truncate_bytes(title.trim(), MAX_LINE).to_owned()), None)
    } else {
        ParsedComment::Chat
    }
}

/// Returns the words without the first `#42`, and the number from it.
fn take_table_number(words: Vec<String>) -> (Vec<String>, Option<IssueNumber>) {
    let mut table = None;
    let words = words.into_iter().filter(|word| match word.strip_prefix('#').map(str::parse::<u32>) {
        Some(Ok(number)) if table.is_none() && number > 0 => {
            table = Some(IssueNumber::new(u64::from(number)));
            false
        }
        _ => true,
    });
    (words.collect(), table)
}

/// Whether a word is a table's number, such as `#42`.
fn is_table_number(word: &str) -> bool {
    word.strip_prefix('#').and_then(|number| number.parse::<u32>().ok()).is_some_and(|number| number > 0)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

impl ParsedComment {
    /// Returns the number of the table that the comment names; `None` for `/new` and `/help`, which apply to their own
    /// issue.
    pub fn table_number(&self) -> Option<IssueNumber> {
        match self {
            ParsedComment::Command(_, table) | ParsedComment::Invalid(_, table) => *table,
            ParsedComment::Chat | ParsedComment::Text(..) => None,
        }
    }
}

// The words of a text, and lists to compare them with.

/// Words that only connect others.
const CONNECTIVES: [&str; 21] = [
    "vs", "versus", "with", "against", "playing", "play", "game", "table", "board", "i", "im", "i'm", "ill", "i'll",
    "me", "take", "a", "the", "and", "at", "please",
];
/// Smileys with a letter or sign in them, which don't count as punctuation.
pub(super) const SMILEYS: &[&str] =
    &[" :D", " :-D", " ;D", " :P", " :-P", " :p", " xD", " XD", " ^^", " <3", " =)", " :3"];
/// Words for a game with `rated=no`.
pub(crate) const CASUAL_WORDS: [&str; 3] = ["casual", "unrated", "friendly"];

/// Returns the words of a text in lowercase, without punctuation, apostrophes and emoji. Mentions keep their `@`.
pub fn words_of(text: &str) -> Vec<String> {
    let text = text.to_lowercase().replace(['\'', '’', '`'], "");
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '@' | '_' | '-');
    let words = text.split(|c: char| !is_part(c)).map(|word| word.trim_matches(['-', '_']));
    words.filter(|word| word.chars().any(char::is_alphanumeric)).map(str::to_owned).collect()
}

/// Whether a word asks for any opponent.
pub(crate) fn is_anyone(word: &str) -> bool {
    let word = word.trim_end_matches(['?', '!', '.', ',']).to_lowercase();
    matches!(word.as_str(), "anyone" | "anybody" | "someone" | "somebody" | "everyone")
}

/// Whether a word stands for the computer.
pub fn is_computer_word(word: &str) -> bool {
    matches!(word.to_lowercase().as_str(), "computer" | "bot" | "ai" | "stockfish")
}

/// Whether a word only connects others.
pub(crate) fn is_connective(word: &str) -> bool {
    word.is_empty() || is_one_of(word, &CONNECTIVES)
}

/// Whether a word ends a phrase, because it ends with a punctuation mark. Chat may follow it.
pub(crate) fn ends_phrase(word: &str) -> bool {
    word.ends_with([',', ';', '.', '!', '?']) && !word.eq_ignore_ascii_case("vs.")
}

/// Returns a word without the punctuation around it.
pub(crate) fn without_punctuation(word: &str) -> &str {
    word.trim_start_matches('(').trim_end_matches([',', ';', '.', '!', '?', ')'])
}

/// Whether a word is one of these, ignoring case.
pub(crate) fn is_one_of(word: &str, words: &[&str]) -> bool {
    words.iter().any(|known| known.eq_ignore_ascii_case(word))
}

// Names of variants after `/new`. For example, `gomoku` is tic-tac-toe with five in a row on 15x15.

/// The maximum number of words in the name of a game.
pub(crate) const MAX_NAME_WORDS: usize = 6;

/// Returns the variant with this name. Case, spaces, dashes and underscores don't matter.
pub fn find_variant(name: &str) -> Option<GameVariant> {
    GameVariant::parse(name).filter(|game| game.variant.is_some())
}

/// Returns the variant whose name a text begins with.
pub(crate) fn find_variant_by_prefix(text: &str) -> Option<GameVariant> {
    let text = normalize(text);
    let variants = || GameVariant::all().filter(|game| game.variant.is_some());
    variants().find(|game| game.names().any(|name| text.starts_with(&normalize(name))))
}

/// Returns the game and the options that a variant is short for, such as `tic-tac-toe size=15 k=5`.
pub fn variant_words(game: GameVariant) -> String {
    let options = game.variant.map_or(String::new(), |variant| format!(" {}", variant.options));
    format!("{}{options}", game.kind.info().name)
}

/// Returns the words without those that only lead up to a game's name, such as `a game of`.
pub fn skip_lead_in(words: &[String]) -> &[String] {
    let leads_in = |word: &String| {
        let word = word.trim_end_matches(':').to_lowercase();
        matches!(word.as_str(), "a" | "an" | "another" | "the" | "new" | "game" | "of")
    };
    &words[words.iter().take_while(|word| leads_in(word)).count()..]
}

/// Expands the name of a variant at the start of the words: `chess960=518` becomes `chess chess960=518`. Words that lead up
/// to the name are left out.
pub fn expand_variant(words: &[String]) -> Vec<String> {
    let words = skip_lead_in(words);
    let option = words.first().and_then(|word| find_variant(word.split_once('=')?.0));
    let named = || (1..=4.min(words.len())).find_map(|length| Some((find_variant(&words[..length].concat())?, length)));
    let (instead, length) = match option {
        Some(game) => (game.kind.info().name.to_owned(), 0),
        None => named().map(|(game, length)| (variant_words(game), length)).unwrap_or_default(),
    };
    // `chess960 random` repeats the value that the variant stands for.
    let repeats = |word: &String| instead.ends_with(&format!("={}", word.to_lowercase()));
    let stop = words[..length].last().filter(|word| ends_phrase(word)).map(|_| ",".to_owned());
    let rest = &words[length + usize::from(words.get(length).is_some_and(repeats))..];
    // `gomoku 19x19` asks for another size.
    let has_size = rest.iter().any(|word| parse_dimensions(without_punctuation(word)).is_some());
    let replaced = |word: &&str| has_size && word.starts_with("size=");
    let instead = instead.split_whitespace().filter(|word| !replaced(word));
    instead.map(str::to_owned).chain(stop).chain(rest.iter().cloned()).collect()
}

/// Returns how many of the first words name a game or a variant, with words that lead up to it such as `a game of`; `None` if
/// they name none.
fn name_length(words: &[String]) -> Option<usize> {
    let name = skip_lead_in(words);
    let is_name = |name: &str| GameVariant::parse(name).is_some();
    let length = (1..=name.len().min(MAX_NAME_WORDS)).rev().find(|length| is_name(&name[..*length].concat()))?;
    Some(words.len() - name.len() + length)
}

/// Whether the first words name a game or a variant, perhaps after `a game of`.
pub fn names_game(words: &[String]) -> bool {
    name_length(words).is_some()
}

/// Returns the words with the game first: `@bob to a casual game of chess` becomes `chess @bob casual`. The words stay as
/// they are unless only an opponent or a word for a casual game comes first.
pub fn with_game_first(words: &[String]) -> Vec<String> {
    let comes_later = |word: &&String| {
        let plain = without_punctuation(word);
        word.starts_with('@') || is_computer_word(plain) || is_one_of(plain, &CASUAL_WORDS)
    };
    let connects = |word: &str| is_connective(word) || matches!(word.to_lowercase().as_str(), "to" | "in" | "for");
    let leads_up = |word: &&String| comes_later(word) || connects(without_punctuation(word));
    let (before, named) = words.split_at(words.iter().take_while(leads_up).count());
    let later: Vec<String> = before.iter().filter(comes_later).cloned().collect();
    match name_length(named) {
        Some(length) if !later.is_empty() => [&named[..length], &later, &named[length..]].concat(),
        _ => words.to_vec(),
    }
}
