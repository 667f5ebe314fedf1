//! The list of games to choose from.

use anyhow::Result;
use games::registry::GameKind;

use crate::play::line_reader::LineReader;
use crate::play::screen::wrap;
use crate::print::print_note;

/// The minimum terminal width for a list with descriptions.
const WIDE: usize = 56;

/// Asks for a game until the answer names one. Returns the words after `/new`; `None` if the player leaves.
pub(super) fn choose_game(reader: &mut LineReader) -> Result<Option<Vec<String>>> {
    let width = GameKind::ALL.iter().map(|kind| kind.info().title.len()).max().unwrap_or_default();
    print_note("Which game would you like to play?\n");
    let is_wide = reader.columns().is_none_or(|columns| columns >= WIDE);
    for (at, kind) in GameKind::ALL.iter().enumerate() {
        let tagline = if is_wide { kind.info().tagline } else { "" };
        print_note(format!("  {}  {:width$}  {}", at + 1, kind.info().title, tagline).trim_end());
    }
    let how = "Type a number or a name. `chess level=6` sets the computer's level, 1 to 8.";
    print_note(&format!("\n{}\n", wrap(how, reader.columns())));
    while let Some(line) = reader.read_line(&("game> ".to_owned(), "game> ".to_owned()), Default::default())? {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let Some(first) = words.first() else { continue };
        if matches!(first.trim_start_matches('/').to_lowercase().as_str(), "quit" | "exit" | "q") {
            return Ok(None);
        }
        let words =
            match words.iter().position(|word| word.eq_ignore_ascii_case("/new") || word.eq_ignore_ascii_case("new")) {
                Some(0) => words[1..].to_vec(),
                _ => words,
            };
        if let Some(words) = expand_number(&words) {
            return Ok(Some(words));
        }
    }
    Ok(None)
}

/// Replaces the number of a game with its name. Returns `None` if there is no such game, and says so.
fn expand_number(words: &[String]) -> Option<Vec<String>> {
    let Some(number) = words.first().and_then(|word| word.parse::<usize>().ok()) else {
        return match super::parse_game(words) {
            Ok(_) => Some(words.to_vec()),
            Err(error) => {
                print_note(&error.to_string());
                None
            }
        };
    };
    let Some(kind) = number.checked_sub(1).and_then(|at| GameKind::ALL.get(at)) else {
        print_note(&format!("Type a number from 1 to {}, or the name of a game.", GameKind::ALL.len()));
        return None;
    };
    Some(std::iter::once(kind.info().name.to_owned()).chain(words[1..].iter().cloned()).collect())
}
