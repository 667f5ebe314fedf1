//! Comments without a command on their first line: bare moves, moves after a slash, and chat.

use crate::comments::command::CommandError;
use crate::comments::command_word::{command_word, split_command, without_politeness};
use crate::comments::commands::{DRAW, is_command};
use crate::comments::own_text::{MAX_LINE, OwnText};
use crate::comments::words::SMILEYS;

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
            SMILEYS.iter().find_map(|smiley| line.trim_end().strip_suffix(smiley)).unwrap_or(&line).trim().to_owned()
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
