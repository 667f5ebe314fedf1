//! Finds the game that the words after `/help` name.

use games::registry::GameVariant;

use crate::comments::variants::skip_lead_in;
use crate::decisions::decision::Query;
use crate::decisions::host_policy::HostPolicy;
use crate::decisions::refusal::{Refusal, SetupRefusal};
use crate::decisions::setup::unknown_game;
use crate::decisions::verdict::Verdict;

/// The number of words after `/help` that may name a game.
const MAX_HELP_WORDS: usize = 10;

/// Shows how to play the game that the words name, or the commands if they name none.
pub(super) fn show_help(words: Option<&str>, policy: &HostPolicy) -> Result<Verdict, Refusal> {
    let words: Vec<String> = words.unwrap_or_default().split(' ').take(MAX_HELP_WORDS).map(str::to_owned).collect();
    let words: Vec<&str> = skip_lead_in(&words).iter().map(String::as_str).collect();
    if let Some(game) = find_game(&words) {
        return Ok(Verdict::Show(Query::Help(Some(game))));
    }
    match unknown_game(&words, policy) {
        unknown @ SetupRefusal::UnknownGame(_, Some(_), _) => Err(unknown.into()),
        _ => Ok(Verdict::Show(Query::Help(None))),
    }
}

/// Returns the game that some of the first words name ("tic tac toe" is three of them).
pub(super) fn find_game(words: &[&str]) -> Option<GameVariant> {
    let words = &words[..words.len().min(MAX_HELP_WORDS)];
    let mut names = (0..words.len()).flat_map(|start| (start + 1..=words.len()).rev().map(move |end| start..end));
    names.find_map(|range| GameVariant::parse(&words[range].concat()))
}
