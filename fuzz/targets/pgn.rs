//! Fuzzes the import of chess games in PGN.

use answers::{render, sentences};
use games::chess::pgn::parse_games;
use interop::{export, import};
use table::{IssueNumber, UserId, state_file};

use super::files::is_a_sentence;

const ISSUE: IssueNumber = IssueNumber::new(42);
/// The largest number of games played per text.
const MAX_GAMES: usize = 8;

/// Checks that an imported game has a valid record and survives an export and import. An error must be a short message
/// about an existing line.
pub fn pgn(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let lines = text.matches('\n').count() + 1;
    let people = [(UserId::new(1), "ann".to_owned()), (UserId::new(2), "ben".to_owned())];
    for game in parse_games(&text).take(MAX_GAMES) {
        let game = match game {
            Ok(game) => game,
            Err(fault) => {
                is_a_sentence(&fault.message);
                return assert!((1..=lines).contains(&fault.line));
            }
        };
        match import::import_game(&game, ISSUE, &people) {
            Ok(table) => {
                let ending = render::plain(&sentences::ending(&table));
                assert_eq!(state_file::load(&state_file::to_json(&table), ISSUE).as_ref(), Ok(&table));
                let written = export::export(&table, &ending, None).unwrap().text;
                let again = parse_games(&written).next().unwrap().unwrap();
                assert_eq!(import::import_game(&again, ISSUE, &people), Ok(table), "{written}");
            }
            Err(fault) => {
                is_a_sentence(&render::text(&fault.reason));
                assert!((1..=lines).contains(&fault.line));
            }
        }
    }
}
