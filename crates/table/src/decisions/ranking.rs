//! Finds the ranking that `/standings` asks for, and the ratings that `/rating` asks for.

use crate::any_table::AnyTable;
use crate::comments::comment::{Author, is_login};
use crate::comments::words::is_computer_word;
use crate::decisions::decision::{Query, Ranking};
use crate::decisions::help::find_game;
use crate::decisions::verdict::Verdict;

/// Shows the ranking that the words name. If they name none, shows the ranking of the table's game, or all rankings if
/// there is no table.
pub(super) fn show_standings(words: Option<&str>, table: Option<&AnyTable>, author: &Author) -> Verdict {
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
    Verdict::Show(Query::Standings(ranking, author.clone()))
}

/// Shows the ratings of the person whom the word names, or else the author's.
pub(super) fn show_ratings(word: Option<&str>, author: &Author) -> Verdict {
    let name = word.map(|word| word.trim_start_matches('@')).filter(|name| is_login(name));
    let other = name.filter(|name| !name.eq_ignore_ascii_case(&author.login) && !name.eq_ignore_ascii_case("me"));
    Verdict::Show(Query::Ratings(other.map(str::to_owned), author.clone()))
}
