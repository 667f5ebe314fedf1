//! Chess and Chess960.
//!
//! The crate `cozy-chess` generates the legal moves; `game` adds the rules that end a game. `fen` parses and
//! formats positions, `notation`, `uci` and `pgn` moves and games.

mod board;
mod computer;
mod descriptive;
mod explain;
pub mod fen;
mod game;
mod move_pattern;
mod moves;
mod notation;
pub mod pgn;
pub mod uci;

pub use computer::search::{Iteration, Progress};
pub use computer::{SearchOptions, choose_move, won_pawn_endings};
pub use game::{Chess, GameConfig, Position};
pub use moves::Move;
pub use pgn::{PgnGame, PgnOutput};

use ::game::{Game, Info, InvalidOption, Options, Rules, Variant, say, spans};

use crate::chess::game::{CHESS960, FEN, FIGURINES, bad_fen};
use crate::orientation::VIEW;

/// Chess from one of 960 starting positions.
const FISCHER_RANDOM: Variant = Variant {
    name: "chess960",
    title: "Chess960",
    noun: "Chess960",
    aliases: &["fischer-random", "fischerandom", "960"],
    options: "chess960=random",
    summary: "Chess from one of 960 random starting positions, the same for both sides. The bishops start on opposite colors \
              and the king between the rooks. Castling ends on the usual squares.",
};

impl Game for Chess {
    const INFO: Info = Info {
        name: "chess",
        title: "Chess",
        aliases: &["schach", "echecs", "ajedrez"],
        seats: ["white", "black"],
        tagline: "checkmate the king",
        summary: "Checkmate your opponent's king.",
        details: "If you can't move and aren't in check, the game is a draw. So it is after the same position five times, \
                  or 75 moves without a capture or a pawn move.",
        moves: spans!(
            "To move, use algebraic notation, like `e4`, `Nf3`, or `exd5`. To castle, write `O-O`; to promote, `e8=Q`. \
             You can also write the from and to squares, like `g1f3`."
        ),
        numbers: &[],
        options: &[FEN, CHESS960, VIEW, FIGURINES],
        verbs: &[],
        variants: &[FISCHER_RANDOM],
    };

    fn configure(options: &mut Options) -> Result<GameConfig, InvalidOption> {
        let config = GameConfig::from_options(options)?;
        match Chess::start(&config) {
            Ok(_) => Ok(config),
            Err(_) => Err(bad_fen(&say!("`fen` has to be a position where the game isn't over."))),
        }
    }

    fn variant(config: &GameConfig) -> Option<&'static Variant> {
        config.chess960.map(|_| &FISCHER_RANDOM)
    }

    fn setup_summary(config: &GameConfig) -> Option<String> {
        let chess960 = config.chess960.map(|number| format!("setup {number}"));
        let fen = config.fen.as_ref().map(|_| "from a custom position".to_owned());
        let draws = config.claimed_draws.then(|| "with draws that have to be claimed".to_owned());
        let view = config.view.map(|view| view.summary().to_owned());
        let figurines = if config.figurines { Some("with figurines".to_owned()) } else { None };
        let parts: Vec<String> = [chess960, fen, draws, view, figurines].into_iter().flatten().collect();
        if parts.is_empty() { None } else { Some(parts.join(", ")) }
    }

    fn without_display_options(config: &GameConfig) -> GameConfig {
        GameConfig { view: None, figurines: false, ..config.clone() }
    }

    fn has_custom_start(config: &GameConfig) -> bool {
        config.fen.is_some() || config.chosen
    }
}
