//! Parses the issue form that starts a game.

use crate::comments::own_text::MAX_LINE;
use crate::comments::words::{is_anyone, is_computer_word};

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
    words.next().is_some_and(|word| !word.starts_with('@') && !is_computer_word(word) && !is_anyone(word))
}
