//! Renders phrases for a terminal: commands without slashes, people without `@`, and [`YOU`] as "you".

use game::phrase::{Phrase, Span};

use crate::output_format::TerminalOptions;
use crate::render;

/// The name of the only person at a terminal, in the record. Sentences address this person.
pub const YOU: &str = "You";

/// The words between a side and the person that it is reserved for.
const RESERVED: &str = " is reserved for ";

/// Renders a phrase. Code is bold in color, else in backticks.
pub(super) fn render(phrase: &Phrase, options: TerminalOptions) -> String {
    let mut out = String::new();
    let mut spans = merge_plain(phrase).into_iter().peekable();
    while let Some(span) = spans.next() {
        match span {
            // At one keyboard, everybody is there.
            Span::Plain(text) if text.ends_with(RESERVED) => {
                let before = &text[..text.len() - RESERVED.len()];
                let side_at = before.rfind(' ').map_or(0, |at| at + 1);
                out.push_str(&before[..side_at]);
                if let Some(Span::Person(login) | Span::Mention(login)) = spans.next() {
                    out.push_str(&format!("{login} plays {}", &before[side_at..]));
                }
            }
            Span::Plain(text) | Span::Strong(text) => out.push_str(&text),
            Span::Person(login) | Span::Mention(login) if login == YOU => {
                let rest = spans.next_if(|span| matches!(span, Span::Plain(_)));
                let rest = if let Some(Span::Plain(text)) = rest { text.into_owned() } else { String::new() };
                push_you(&mut out, &rest);
            }
            Span::Person(login) | Span::Mention(login) => out.push_str(&login),
            Span::Code(text) => out.push_str(&code(&text, options)),
            Span::Quote(text) => out.push_str(&render::quote(&text)),
        }
    }
    out
}

/// Returns a move or a command. A terminal's commands need no slash.
fn code(text: &str, options: TerminalOptions) -> String {
    let is_command = text.strip_prefix('/').filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()));
    let text = is_command.unwrap_or(text);
    if options.colored { format!("\u{1b}[1m{text}\u{1b}[0m") } else { render::code(text) }
}

/// Appends "you" and the plain text after it, in the second person. Leaves out your side, because you know it.
fn push_you(out: &mut String, rest: &str) {
    let is_start = out.is_empty() || [". ", ": ", "\n"].iter().any(|end| out.ends_with(end));
    // A refusal is addressed to its reader.
    if let (true, Some(rest)) = (is_start, rest.strip_prefix(": ")) {
        out.push_str(rest);
        return;
    }
    if let Some(rest) = rest.strip_prefix("'s") {
        let (what, rest) = skip_side(rest, " turn");
        let rest = rest.replacen(". They ", ". You ", 1).replacen(". Their ", ". Your ", 1);
        out.push_str(&format!("{}{what}{rest}", if is_start { "Your" } else { "your" }));
        return;
    }
    let side = rest.strip_prefix(" (").and_then(|side| side.split_once(") started "));
    if let Some((side, game)) = side {
        let (game, rest) = game.split_once(". ").unwrap_or((game, ""));
        out.push_str(
            &format!("{}{game}. You're {side}. {rest}", if is_start { "A new game: " } else { "a new game: " })
                .replace("game: a game of", "game of"),
        );
        return;
    }
    let (_, rest) = skip_side(rest, "");
    let rest = match rest.strip_prefix(" plays ") {
        Some(side) => format!(" play {side}"),
        None => rest.replacen(" their last move", " your last move", 1),
    };
    out.push_str(&format!("{}{rest}", if is_start { "You" } else { "you" }));
}

/// Splits off a word at the start of a text, and drops a side in parentheses after it.
fn skip_side<'a>(text: &'a str, word: &'static str) -> (&'static str, &'a str) {
    let Some(rest) = text.strip_prefix(word) else { return ("", text) };
    (word, rest.strip_prefix(" (").and_then(|side| side.split_once(')')).map_or(rest, |(_, rest)| rest))
}

/// Returns the spans with adjacent plain ones merged.
fn merge_plain(phrase: &Phrase) -> Vec<Span> {
    let mut merged: Vec<Span> = Vec::new();
    for span in phrase.spans() {
        match (merged.last_mut(), span) {
            (Some(Span::Plain(before)), Span::Plain(text)) => before.to_mut().push_str(text),
            _ => merged.push(span.clone()),
        }
    }
    merged
}
