//! Chess: move counts, notation, endings, starting positions, PGN and boards.

mod board;
mod endings;
mod notation;
mod perft;
mod pgn;
mod records;
mod setups;

use game::{Game, InvalidOption, Notation, Rules, apply_move};
use games::chess::{Chess, GameConfig};
use testkit::options;

/// Returns the settings for a line of options.
pub(crate) fn parse_config(line: &str) -> Result<GameConfig, InvalidOption> {
    Chess::configure(&mut options(line))
}

/// Returns a game that begins with this FEN.
#[track_caller]
pub(crate) fn game_from_fen(fen: &str) -> Chess {
    Chess::start(&GameConfig { fen: Some(fen.to_owned()), ..GameConfig::default() }).unwrap()
}

/// Returns a game at its start.
pub(crate) fn new_game() -> Chess {
    Chess::start(&GameConfig::default()).unwrap()
}

/// Returns the game after these moves.
#[track_caller]
pub(crate) fn play_moves(game: &Chess, moves: &str) -> Chess {
    moves.split_whitespace().fold(game.clone(), |game, text| {
        let mv = game.parse_move(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        apply_move(&game, &mv).unwrap_or_else(|error| panic!("{text}: {error}"))
    })
}
