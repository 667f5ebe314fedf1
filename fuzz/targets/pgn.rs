//! Games of chess that others have written.

use answers::render;
use answers::sentences;
use games::chess::pgn::reader::parse_games;
use interop::export;
use interop::import;
use table::state_file;

use super::files::is_a_sentence;

/// The most games of a text that are played.
const MAX_GAMES: usize = 8;

/// A game that can be imported is a good record, and is the same one again when it has been exported; a fault is a short line
/// about a line that is there.
pub fn pgn(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let lines = text.matches('\n').count() + 1;
    let people = [(1, "ann".to_owned()), (2, "ben".to_owned())];
    for game in parse_games(&text).take(MAX_GAMES) {
        let game = match game {
            Ok(game) => game,
            Err(fault) => {
                is_a_sentence(&fault.message);
                return assert!((1..=lines).contains(&fault.line));
            }
        };
        match import::import_game(&game, 42, &people) {
            Ok(table) => {
                let ending = render::plain(&sentences::ending(&table));
                let table = table.into();
                assert_eq!(state_file::load(&state_file::to_json(&table), 42).as_ref(), Ok(&table));
                let written = export::export(&table, &ending, None).unwrap();
                let again = parse_games(&written).next().unwrap().unwrap();
                assert_eq!(import::import_game(&again, 42, &people).map(Into::into), Ok(table), "{written}");
            }
            Err(fault) => {
                is_a_sentence(&render::text(&fault.reason));
                assert!((1..=lines).contains(&fault.line));
            }
        }
    }
}
