//! The lines of a comment that its author wrote: without quotes, code blocks, HTML, and the text that mail programs add.

use std::borrow::Cow;

use game::notation::{to_plain_characters, truncate_bytes};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::CommandError;
use crate::comments::command::{command_word, split_command, without_politeness};
use crate::comments::commands::{DRAW, is_command};
use crate::comments::game_names::is_computer_word;
use crate::comments::phrases::Meaning;

/// The longest comment that is parsed, in bytes. GitHub doesn't allow longer ones.
pub(crate) const MAX_COMMENT_BYTES: usize = 4 * 65_536;
/// The longest line with a command or a move, in bytes.
pub(crate) const MAX_LINE: usize = 400;
/// The maximum number of lines below an `/if` that are kept.
pub(super) const MAX_LINES_BELOW: usize = 120;
/// The longest line whose characters are replaced by plain ones, in bytes. A character may have four bytes, and its plain one only one.
const MAX_PLAIN_LINE: usize = 4 * MAX_LINE;
/// The maximum number of lines that are kept of a code block.
const MAX_CODE_LINES: usize = 20;
/// Lines that separate an email from the one it answers, when the latter isn't marked as a quote.
const SEPARATORS: [&str; 2] = ["-----Original Message-----", "________________________________"];

/// The text of a comment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OwnText {
    /// The author's own lines, trimmed and without empty ones. Inline code stays, because people copy moves from
    /// answers with their backticks.
    pub lines: Vec<String>,
    /// The first lines of its code blocks.
    pub code: Vec<String>,
}

/// Returns the text of a comment that its author wrote.
pub(crate) fn own_text(text: &str) -> OwnText {
    let text = truncate_bytes(text, MAX_COMMENT_BYTES);
    let mut own = text.as_bytes().to_vec();
    let mut code = Vec::new();
    let (mut hidden_to, mut is_code) = (0, false);
    // Quotes can be nested thousands deep. Hiding the outermost one also hides everything in it.
    for (event, range) in Parser::new_ext(text, Options::empty()).into_offset_iter() {
        let is_hidden = match &event {
            Event::Start(Tag::CodeBlock(_)) => {
                is_code = range.start >= hidden_to;
                true
            }
            Event::Start(Tag::BlockQuote(_) | Tag::HtmlBlock) | Event::InlineHtml(_) => true,
            Event::Code(_) => text[range.clone()].contains('\n'),
            _ => false,
        };
        match &event {
            Event::End(TagEnd::CodeBlock) => is_code = false,
            Event::Text(block) if is_code && code.len() < MAX_CODE_LINES => {
                code.extend(block.lines().map(to_plain_line).filter(|line| !line.is_empty()));
            }
            _ => {}
        }
        if is_hidden && range.end > hidden_to {
            hidden_to = range.end;
            own[range].iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
        }
    }
    code.truncate(MAX_CODE_LINES);
    let own = String::from_utf8_lossy(&own);
    let pairs: Vec<(&str, &str)> = own.lines().map(str::trim).zip(text.lines().map(str::trim)).collect();
    OwnText { lines: without_mail_text(&pairs), code }
}

/// Returns the lines that aren't empty, without what mail programs add. Each line comes with its text before quotes were
/// hidden.
fn without_mail_text(pairs: &[(&str, &str)]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (at, (line, _)) in pairs.iter().enumerate() {
        let line = &*without_escapes(line);
        if line == "--" || SEPARATORS.iter().any(|separator| line.starts_with(separator)) {
            break;
        }
        if is_attribution(line) {
            // Some programs wrap it: "On Tue, 24 Nov 2026, alice <alice@example.org>" above "wrote:".
            lines.pop_if(|before| line == "wrote:" && before.starts_with("On "));
            let next = pairs[at + 1..].iter().find(|(_, text)| !text.is_empty());
            let is_quoted = next.is_none_or(|(own, _)| own.is_empty() || is_attribution(own));
            if is_quoted { continue } else { break }
        }
        let line = to_plain_line(line);
        if !line.is_empty() && !line.starts_with("Sent from my ") {
            lines.push(line);
        }
    }
    lines
}

/// Whether a line introduces a quote: "On Tue, 24 Nov 2026, alice wrote:".
fn is_attribution(line: &str) -> bool {
    line.ends_with("wrote:") || line.starts_with("On ") && line.contains('<') && line.contains('@')
}

/// Returns a line in plain characters, trimmed. A line that is too long for a command stays as it is, because some characters
/// become many.
fn to_plain_line(line: &str) -> String {
    if line.len() > MAX_PLAIN_LINE { line.to_owned() } else { to_plain_characters(line).trim().to_owned() }
}

/// Returns a line without the backslashes that Markdown doesn't show: at its end, where mail programs write a line break, and
/// before punctuation, as in `1\. e4\!`. One at the beginning stays, since it can escape a command.
fn without_escapes(line: &str) -> Cow<'_, str> {
    if !line.contains('\\') {
        return line.into();
    }
    let mut plain = String::with_capacity(line.len());
    let mut chars = line.trim_end_matches(['\\', ' ']).chars().peekable();
    while let Some(c) = chars.next() {
        let escapes = c == '\\' && !plain.is_empty() && chars.peek().is_some_and(char::is_ascii_punctuation);
        plain.extend(if escapes { chars.next() } else { Some(c) });
    }
    plain.into()
}

// Comments without a command on their first line: bare moves, moves after a slash, and chat.

/// The maximum number of lines of a comment that are kept and searched for a move, and their maximum length in bytes.
const MAX_SEARCHED_LINES: usize = 40;
const MAX_SEARCHED_LINE: usize = 100;

/// A comment without a command on its first line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainText {
    /// Its first lines, without code spans and smileys. The first one is missing if the comment is only a code block.
    lines: Vec<String>,
    /// The word of the first command below the first line, if any.
    command_below: Option<String>,
    /// The lines of its code blocks.
    code: Vec<String>,
    /// Whether a slash stood before the first line: `/e4`.
    has_slash: bool,
    /// The error to report if the line after the slash isn't a move; `None` if its first word isn't meant as a command.
    slash_error: Option<CommandError>,
}

impl PlainText {
    /// Parses a comment whose first line isn't a command; `None` if it's chat. A move may be in a code span, or before a smiley.
    pub(super) fn parse(own: OwnText) -> Option<PlainText> {
        let plain = |line: &String| {
            let line = line.replace('`', " ");
            let last =
                line.trim_end().rsplit_once(' ').filter(|(_, last)| Meaning::Smiley.phrases().any(|s| s == *last));
            last.map_or(&*line, |(before, _)| before).trim().to_owned()
        };
        let lines: Vec<String> = own.lines.iter().take(MAX_SEARCHED_LINES).map(plain).collect();
        // A command in a code span is only quoted.
        let is_chat = |first: &String| first.is_empty() || first.starts_with('/') || own.lines[0].len() > MAX_LINE;
        if lines.first().map_or(own.code.is_empty(), is_chat) {
            return None;
        }
        let below = own.lines.iter().skip(1).map(plain);
        let command_below = below.map(|line| command_word(&line)).find(|word| is_command(word));
        Some(PlainText { lines, command_below, code: own.code, has_slash: false, slash_error: None })
    }

    /// Parses a comment that begins with a slash before a word that isn't a command; `None` if it can't be a move.
    pub(super) fn parse_after_slash(mut own: OwnText, slash_error: Option<CommandError>) -> Option<PlainText> {
        let first = own.lines.first_mut()?;
        *first = first.strip_prefix('/')?.trim_start().to_owned();
        Some(PlainText { has_slash: true, slash_error, ..PlainText::parse(own)? })
    }

    /// Returns the first line without its slash; empty if the comment is only a code block.
    pub fn first(&self) -> &str {
        self.lines.first().map_or("", String::as_str)
    }

    /// Whether a slash stood before the first line: `/e4`.
    pub fn has_slash(&self) -> bool {
        self.has_slash
    }

    /// Returns the error to report if the line after the slash isn't a move; `None` without a slash, or if the first word isn't
    /// meant as a command.
    pub fn slash_error(&self) -> Option<&CommandError> {
        self.slash_error.as_ref()
    }

    /// Whether the comment has only one line, apart from code blocks.
    pub fn is_alone(&self) -> bool {
        self.lines.len() <= 1
    }

    /// Returns the comment below the lines at its beginning that `is_greeting` accepts; `None` if it has none, nothing else, or a
    /// command below them.
    pub(crate) fn below(&self, is_greeting: impl Fn(&str) -> bool) -> Option<PlainText> {
        let may_greet = |line: &&String| line.len() <= MAX_SEARCHED_LINE && is_greeting(line);
        let count = self.lines.iter().take_while(may_greet).count();
        let first = self.lines.get(count)?;
        let is_plain = count > 0 && !first.starts_with('/');
        is_plain.then(|| PlainText { lines: self.lines[count..].to_vec(), ..self.clone() })
    }

    /// Returns the lines that may be a move: the first ones that aren't long, those in code blocks last.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().chain(&self.code).map(String::as_str).filter(|line| line.len() <= MAX_SEARCHED_LINE)
    }

    /// Returns both lines of a comment if it has exactly two.
    pub fn two_lines(&self) -> Option<(&str, &str)> {
        if let [first, second] = &self.lines[..] { Some((first, second)) } else { None }
    }

    /// Whether the comment consists of one line with `/draw` below it.
    pub fn has_draw_below(&self) -> bool {
        self.two_lines().is_some_and(|(_, second)| is_draw_line(second))
    }

    /// Returns the word of the first command below the first line; `None` if there is none.
    pub fn command_below(&self) -> Option<String> {
        self.command_below.clone()
    }
}

/// Whether a line is only `/draw`.
pub(super) fn is_draw_line(line: &str) -> bool {
    let (word, words) = split_command(line);
    word == DRAW.word() && without_politeness(words).is_empty()
}

// Parses the issue form that starts a game.

/// Returns the text in the form that a link of a board fills in; `None` for any other text.
pub fn form_comment(text: &str) -> Option<&str> {
    Some(text.trim_start().strip_prefix("### Comment")?.trim()).filter(|text| !text.is_empty())
}

/// Parses an issue form (`### Game`, `### Opponent`, `### Options`) into the words of a `/new`; `None` for any other text.
pub(super) fn parse_issue_form(text: &str) -> Option<Vec<String>> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    if lines.next()? != "### Game" {
        return None;
    }
    let mut words = Vec::new();
    let mut opponent = false;
    for line in lines {
        match line {
            "### Opponent" | "### Options" => opponent = line == "### Opponent",
            "_No response_" => {}
            _ if line.starts_with('#') || line.len() > MAX_LINE => return None,
            _ if opponent && names_person(line) => words.push(format!("@{line}")),
            _ => words.extend(line.split_whitespace().map(str::to_owned)),
        }
    }
    Some(words)
}

/// Whether a line about the opponent is a username without its `@`.
fn names_person(line: &str) -> bool {
    let mut words = line.split_whitespace().skip_while(|word| word.eq_ignore_ascii_case("the"));
    words.next().is_some_and(|word| {
        let is_anyone = Meaning::Anyone.has(word.trim_end_matches(['?', '!', '.', ',']));
        !word.starts_with('@') && !is_computer_word(word) && !is_anyone
    })
}
