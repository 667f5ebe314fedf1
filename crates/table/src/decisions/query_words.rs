//! Finds what the words after `/help`, `/standings` and `/rating` name.

use games::registry::GameVariant;

use crate::any_table::AnyTable;
use crate::comments::comment::{Author, is_login};
use crate::comments::variants::skip_lead_in;
use crate::comments::words::is_computer_word;
use crate::decisions::decision::{Decision, Pending, Query, Ranking};
use crate::decisions::host_policy::HostPolicy;
use crate::decisions::refusal::{Refusal, SetupRefusal};
use crate::decisions::setup::unknown_game;

/// The number of words after `/help` that may name a game.
const MAX_HELP_WORDS: usize = 10;

/// Shows how to play the game that the words name, or the commands if they name none.
pub(super) fn show_help(words: Option<&str>, policy: &HostPolicy) -> Result<Decision<Pending>, Refusal> {
    let words: Vec<String> = words.unwrap_or_default().split(' ').take(MAX_HELP_WORDS).map(str::to_owned).collect();
    let words: Vec<&str> = skip_lead_in(&words).iter().map(String::as_str).collect();
    if let Some(game) = find_game(&words) {
        return Ok(Decision::Show(Query::Help(Some(game))));
    }
    match unknown_game(&words, policy) {
        unknown @ SetupRefusal::UnknownGame(_, Some(_), _) => Err(unknown.into()),
        _ => Ok(Decision::Show(Query::Help(None))),
    }
}

/// Returns the game that some of the first words name ("tic tac toe" is three of them).
fn find_game(words: &[&str]) -> Option<GameVariant> {
    let words = &words[..words.len().min(MAX_HELP_WORDS)];
    let mut names = (0..words.len()).flat_map(|start| (start + 1..=words.len()).rev().map(move |end| start..end));
    names.find_map(|range| GameVariant::parse(&words[range].concat()))
}

/// Shows the ranking that the words name. If they name none, shows the ranking of the table's game, or all rankings if
/// there is no table.
pub(super) fn show_standings(words: Option<&str>, table: Option<&AnyTable>, author: &Author) -> Decision<Pending> {
    let words: Vec<&str> = words.unwrap_or_default().split(' ').collect();
    let here = match table {
        None => Ranking::All,
        Some(table) if table.is_open() => Ranking::Open,
        Some(table) => Ranking::Game(table.variant()),
    };
    let ranking = match find_game(&words) {
        Some(game) => Ranking::Game(game),
        None if words.iter().any(|word| is_computer_word(word)) => Ranking::Computer,
        None if words.iter().any(|word| word.eq_ignore_ascii_case("open")) => Ranking::Open,
        None if words.iter().any(|word| word.eq_ignore_ascii_case("all")) => Ranking::All,
        None => here,
    };
    Decision::Show(Query::Standings(ranking, author.clone()))
}

/// Shows the ratings of the person whom the word names, or else the author's.
pub(super) fn show_ratings(word: Option<&str>, author: &Author) -> Decision<Pending> {
    let name = word.map(|word| word.trim_start_matches('@')).filter(|name| is_login(name));
    let other = name.filter(|name| !name.eq_ignore_ascii_case(&author.login) && !name.eq_ignore_ascii_case("me"));
    Decision::Show(Query::Ratings(other.map(str::to_owned), author.clone()))
}
