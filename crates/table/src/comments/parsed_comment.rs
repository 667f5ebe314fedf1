//! Parses comments into commands, chat or errors.

use game::notation::{strip_decoration, truncate_bytes};

use crate::comments::command::{
    CommandSpec, WithoutSlash, Words, canonical_word, command_word, is_polite, setup_words, split_command,
    unknown_command, without_politeness,
};
use crate::comments::commands::{IF, is_command};
use crate::comments::own_text::{
    MAX_COMMENT_BYTES, MAX_LINE, MAX_LINES_BELOW, PlainText, is_draw_line, own_text, parse_issue_form,
};
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
        None => {
            let (word, count) = canonical_word(&typed, &words);
            (word.to_owned(), words[count..].to_vec())
        }
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
    let is_if = matches!(&command, Ok(Command::If(_)));
    let second = own.lines[1..].iter().find(|line| {
        let word = command_word(line);
        is_command(&word) && !(is_if && word == IF.word() && is_line_for(line, table))
    });
    let second = second.map(|line| command_word(line));
    match (command, second) {
        (Ok(Command::Move(text)), Some(_)) if below.is_some_and(|line| is_draw_line(line)) => {
            ParsedComment::Command(Command::MoveWithOffer(text), table)
        }
        // A second command on a later line makes the comment ambiguous. Other lines are chat.
        (_, Some(second)) => ParsedComment::Invalid(CommandError::TwoCommands(word, second), table),
        (Ok(Command::Draw), None) if let Some(line) = below => {
            ParsedComment::Command(Command::DrawAbove(line.clone()), table)
        }
        (Ok(Command::If(words)), None) if own.lines.len() > 1 => {
            let below = own.lines[1..].iter().take(MAX_LINES_BELOW).map(|line| line_below(line, table));
            ParsedComment::Command(Command::IfAbove(words, below.collect()), table)
        }
        (Ok(command), None) => ParsedComment::Command(command, table),
        (Err(unclear), None) => ParsedComment::Invalid(unclear, table),
    }
}

/// Whether a line below an `/if` is another `/if` with words, for the same table.
fn is_line_for(line: &str, table: Option<IssueNumber>) -> bool {
    let (words, other) = take_table_number(split_command(line).1);
    !words.is_empty() && (other.is_none() || other == table)
}

/// Returns a line below an `/if` without the number of its table. A line that is too long for a command stays too long.
fn line_below(line: &str, table: Option<IssueNumber>) -> String {
    let line = truncate_bytes(line, MAX_LINE + 1);
    let is_number = |word: &&str| table.is_some() && parse_table_number(word) == table;
    match line.split_whitespace().find(is_number) {
        Some(number) => line.replacen(number, "", 1),
        None => line.to_owned(),
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

/// Validates a command and its words.
fn validate(word: &str, words: Vec<String>, line: &str) -> Result<Command, CommandError> {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = words.iter().find(|word| word.strip_prefix('#').is_some_and(is_digits));
    let is_for_own_issue = target_of(word) == CommandTarget::OwnIssue;
    if let Some(number) = number.filter(|number| !is_for_own_issue && parse_table_number(number).is_none()) {
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

/// Whether a comment in an issue without a table starts a job, or, with a title, whether a new issue does. The workflow's `if:`
/// agrees, and the bot answers nothing else there.
pub fn starts_job(text: &str, title: Option<&str>) -> bool {
    let begins = |text: &str, start: &str| {
        text.get(..start.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(start))
    };
    let is_opening = |title: &str| begins(text, "### Game") || begins(title, NEW.word());
    text.starts_with('/') || text.contains("\n/") || title.is_some_and(is_opening)
}

/// Parses the title of an issue without a command in its text. Others can change a title, so a `/new` there starts no game.
pub fn parse_issue_title(title: &str) -> ParsedComment {
    let is_new = title.split_whitespace().next().is_some_and(|word| word.eq_ignore_ascii_case(NEW.word()));
    if is_new {
        ParsedComment::Invalid(CommandError::InTitle(truncate_bytes(title.trim(), MAX_LINE).to_owned()), None)
    } else {
        ParsedComment::Chat
    }
}

/// Returns the words without the first `#42`, and the number from it.
fn take_table_number(mut words: Vec<String>) -> (Vec<String>, Option<IssueNumber>) {
    let at = words.iter().position(|word| parse_table_number(word).is_some());
    let table = at.and_then(|at| parse_table_number(&words.remove(at)));
    (words, table)
}

/// Parses a table's number, such as `#42`; `None` for any other word.
fn parse_table_number(word: &str) -> Option<IssueNumber> {
    let number: u32 = word.strip_prefix('#')?.parse().ok()?;
    if number > 0 { Some(IssueNumber::new(u64::from(number))) } else { None }
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
