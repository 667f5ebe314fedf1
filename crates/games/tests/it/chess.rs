//! Chess: how many moves there are, how they are written and read, how a game ends, and where it begins.

mod endings;
mod perft;
mod pgn;
mod reader;
mod records;
mod setups;
mod squares;

use game::contract::{Game, Notation, Rules, turn};
use game::options::BadOption;
use games::chess::config::GameConfig;
use games::chess::game::Chess;
use testkit::options;

/// The settings that a line of options stands for.
pub(crate) fn configured(line: &str) -> Result<GameConfig, BadOption> {
    Chess::configure(&mut options(line))
}

/// The game that begins with this FEN.
#[track_caller]
pub(crate) fn at(fen: &str) -> Chess {
    Chess::start(&GameConfig { fen: Some(fen.to_owned()), ..GameConfig::default() }).unwrap()
}

/// The start.
pub(crate) fn start() -> Chess {
    Chess::start(&GameConfig::default()).unwrap()
}

/// The game after these moves.
#[track_caller]
pub(crate) fn after(game: &Chess, moves: &str) -> Chess {
    moves.split_whitespace().fold(game.clone(), |game, text| {
        let mv = game.read(text).unwrap_or_else(|unread| panic!("{text}: {unread:?}"));
        turn(&game, &mv).unwrap_or_else(|rule| panic!("{text}: {rule}"))
    })
}
