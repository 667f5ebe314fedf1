//! Links to the analysis board of lichess.org.
//!
//! `/analysis/pgn/MOVES` takes the moves of a game from the usual position, and `/analysis/standard/FEN` or
//! `/analysis/chess960/FEN` a position
//! ([`UserAnalysis`](https://github.com/lichess-org/lila/blob/master/app/controllers/UserAnalysis.scala)). Both take underscores
//! for spaces.

use game::contract::{Interchange, Rules};
use games::chess::config::GameConfig;
use games::chess::game::Chess;
use games::chess::pgn::start::needs_chess960_castling;
use table::table::Table;

/// The maximum length of a link. Old browsers and proxies cut off longer ones.
const MAX_LINK: usize = 2_000;

/// What a link shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Analysis {
    /// The whole game.
    Game,
    /// The position at the end, because the moves don't fit, or the game has another starting position.
    FinalPosition,
}

/// Returns the URL of the analysis board for a game, and what it shows.
pub fn analysis_url(table: &Table<Chess>) -> (String, Analysis) {
    let start = table.timeline().start_position();
    let is_usual = Chess::start(&GameConfig::default()).is_ok_and(|usual| usual.position() == start.position());
    // Leave out `+` and `#`, which moves don't need: lichess reads `+` as a space, and browsers read `#` as the end of
    // the path.
    let moves: Vec<String> =
        table.plies().filter_map(|ply| Some(ply.played?.1.trim_end_matches(['+', '#']).to_owned())).collect();
    let url = format!("https://lichess.org/analysis/pgn/{}", moves.join("_"));
    if is_usual && url.len() <= MAX_LINK {
        return (url, Analysis::Game);
    }
    let fen = table.game().position().fen;
    let is_chess960 = table.config().chess960.is_some() || needs_chess960_castling(&fen);
    let variant = if is_chess960 { "chess960" } else { "standard" };
    (format!("https://lichess.org/analysis/{variant}/{}", fen.replace(' ', "_")), Analysis::FinalPosition)
}
