//! The position that a game in PGN begins with: the tags `FEN`, `SetUp` and `Variant`.

use cozy_chess::{Board, Color, File};
use game::notation::normalize;

use crate::chess::config::{CHESS960_SETUPS, GameConfig};
use crate::chess::fen::{self, Fen};

/// The number of the usual position in Chess960.
const STANDARD_SETUP: u16 = 518;
/// The names of ordinary chess, folded.
const CHESS_NAMES: [&str; 6] = ["", "chess", "standard", "normal", "fromposition", "classical"];
/// The names of Chess960, folded.
const CHESS960_NAMES: [&str; 6] =
    ["chess960", "fischerandom", "fischerrandom", "fischerrandomchess", "freestyle", "960"];

/// Returns the settings of a game that begins with this position.
///
/// # Errors
/// The fault, as a sentence.
pub fn config_from_tags(variant: &str, position: Option<&str>) -> Result<GameConfig, String> {
    let name = normalize(variant);
    let chess960 = CHESS960_NAMES.contains(&name.as_str());
    if !chess960 && !CHESS_NAMES.contains(&name.as_str()) {
        return Err("the bot plays only chess and Chess960".to_owned());
    }
    let Some(text) = position else {
        // Other programs leave the usual position out in Chess960, too.
        return Ok(GameConfig {
            chess960: chess960.then_some(STANDARD_SETUP),
            chosen: chess960,
            ..GameConfig::default()
        });
    };
    let first = fen::parse(text).map_err(|fault| format!("`FEN` isn't a valid position: {fault}"))?;
    let starts = |number: u16| first == Fen { board: Board::chess960_startpos(number.into()), halfmove_clock: 0 };
    if !chess960 && first.board == Board::startpos() && first.halfmove_clock == 0 {
        return Ok(GameConfig::default());
    }
    let setup = (0..CHESS960_SETUPS).find(|number| starts(*number));
    let fen = setup.is_none().then(|| fen::format(&first));
    // A file doesn't tell a random setup from a chosen one.
    Ok(GameConfig { chess960: setup, chosen: setup.is_some(), fen, ..GameConfig::default() })
}

/// Returns the number of the next move, which stands at the end of a FEN.
pub fn move_number(position: &str) -> u16 {
    position.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(1)
}

/// Tests if castling is another one than in ordinary chess, so that other programs have to be told.
pub fn needs_chess960_castling(position: &str) -> bool {
    let Ok(Fen { board, .. }) = fen::parse(position) else { return false };
    Color::ALL.into_iter().any(|color| {
        let rights = board.castle_rights(color);
        let king = board.king(color).file() == File::E;
        let usual = |rook: Option<File>, file: File| rook.is_none_or(|rook| king && rook == file);
        !usual(rights.short, File::H) || !usual(rights.long, File::A)
    })
}
