//! The starting position of a PGN game: the tags `FEN`, `SetUp` and `Variant`.

use cozy_chess::{Board, Color, File};
use game::notation::normalize;

use crate::chess::config::{CHESS960_SETUPS, GameConfig};
use crate::chess::fen::{self, Fen};

/// The number of the standard position in Chess960.
const STANDARD_SETUP: u16 = 518;
/// Names of standard chess, normalized.
const CHESS_NAMES: [&str; 6] = ["", "chess", "standard", "normal", "fromposition", "classical"];
/// Names of Chess960, normalized.
const CHESS960_NAMES: [&str; 6] =
    ["chess960", "fischerandom", "fischerrandom", "fischerrandomchess", "freestyle", "960"];

/// Returns the settings of a game with these tags.
///
/// # Errors
/// Returns an error if the variant or the position isn't supported.
pub fn config_from_tags(variant: &str, position: Option<&str>) -> Result<GameConfig, String> {
    let name = normalize(variant);
    let chess960 = CHESS960_NAMES.contains(&name.as_str());
    if !chess960 && !CHESS_NAMES.contains(&name.as_str()) {
        return Err("the bot plays only chess and Chess960".to_owned());
    }
    let Some(text) = position else {
        // Other programs omit the standard position in Chess960, too.
        return Ok(GameConfig {
            chess960: if chess960 { Some(STANDARD_SETUP) } else { None },
            chosen: chess960,
            ..GameConfig::default()
        });
    };
    let (start, _) =
        fen::parse_leniently(text).map_err(|problem| format!("`FEN` isn't a valid position: {problem}"))?;
    if !chess960 && start.board == Board::startpos() && start.halfmove_clock == 0 {
        return Ok(GameConfig::default());
    }
    let is_setup = |number: &u16| start == Fen { board: Board::chess960_startpos((*number).into()), halfmove_clock: 0 };
    let setup = (0..CHESS960_SETUPS).find(is_setup);
    let fen = if setup.is_none() { Some(fen::format(&start)) } else { None };
    // A PGN file doesn't say whether the position was random.
    Ok(GameConfig { chess960: setup, chosen: setup.is_some(), fen, ..GameConfig::default() })
}

/// Returns the move number at the end of a FEN.
pub fn move_number(position: &str) -> u16 {
    position.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(1)
}

/// Whether castling differs from standard chess, so that the PGN needs a `Variant` tag.
pub fn needs_chess960_castling(position: &str) -> bool {
    let Ok(Fen { board, .. }) = fen::parse(position) else { return false };
    Color::ALL.into_iter().any(|color| {
        let rights = board.castle_rights(color);
        let has_rights = rights.short.is_some() || rights.long.is_some();
        let is_standard = board.king(color).file() == File::E
            && rights.short.is_none_or(|rook| rook == File::H)
            && rights.long.is_none_or(|rook| rook == File::A);
        has_rights && !is_standard
    })
}
