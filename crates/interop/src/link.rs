//! Links to games on other websites: lichess.org for chess, and hexworld.org for hex.

use game::{PositionJson, Rules, Seat};
use games::GameKind;
use games::chess::pgn::needs_chess960_castling;
use games::chess::{Chess, GameConfig};
use games::hex::{self, Hex};
use table::{Table, TableStatus};

use crate::export::is_chess960;

/// A link to a game on another website.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameLink {
    /// The text of the link.
    pub label: &'static str,
    /// The URL.
    pub url: String,
}

/// Returns the link to a game; `None` if the game has no website that takes one in a link.
pub fn link(table: &Table) -> Option<GameLink> {
    match table.kind() {
        GameKind::Chess => Some(lichess(table)),
        GameKind::Hex => hexworld(table),
        _ => None,
    }
}

// Links to the analysis board of lichess.org.
//
// `/analysis/pgn/PGN` takes a game, with or without tags, and
// [its documentation](https://lichess.org/api#tag/Games/operation/gameImport) says "most standard tags supported if
// URL-encoded". `/analysis/standard/FEN` and `/analysis/chess960/FEN` take a position
// ([`UserAnalysis`](https://github.com/lichess-org/lila/blob/master/app/controllers/UserAnalysis.scala)). All take underscores
// for spaces.

/// The maximum length of a link. Old browsers and proxies cut off longer ones.
const MAX_LINK: usize = 2_000;

/// Returns the link to the analysis board with the whole game, or with the position at the end if the moves don't fit.
fn lichess(table: &Table) -> GameLink {
    let start = table.timeline().start_position();
    let is_usual = Chess::start(&GameConfig::default()).is_ok_and(|usual| usual.fen() == start.fen());
    let tags = if is_usual { String::new() } else { start_tags(table, &start.fen().unwrap_or_default()) };
    // Leave out `+` and `#`, which moves don't need: lichess reads `+` as a space, and browsers read `#` as the end of
    // the path.
    let moves: Vec<String> =
        table.plies().filter_map(|ply| Some(ply.played?.1.trim_end_matches(['+', '#']).to_owned())).collect();
    let url = format!("https://lichess.org/analysis/pgn/{tags}{}", moves.join("_"));
    if !moves.is_empty() && url.len() <= MAX_LINK {
        return GameLink { label: "Analyze it on lichess", url };
    }
    let fen = table.game().fen().unwrap_or_default();
    let variant = if has_chess960_castling(table, &fen) { "chess960" } else { "standard" };
    let url = format!("https://lichess.org/analysis/{variant}/{}", fen.replace(' ', "_"));
    GameLink { label: "Analyze the final position on lichess", url }
}

/// Returns the tags of the PGN for a game from this position, URL-encoded.
fn start_tags(table: &Table, fen: &str) -> String {
    let tag = |name: &str, value: &str| format!("%5B{name}_%22{}%22%5D_", value.replace(' ', "_"));
    let variant = if has_chess960_castling(table, fen) { tag("Variant", "Chess960") } else { String::new() };
    variant + &tag("FEN", fen)
}

/// Whether lichess needs the rules of Chess960 to castle from this position of the game.
fn has_chess960_castling(table: &Table, fen: &str) -> bool {
    is_chess960(table) || needs_chess960_castling(fen)
}

// Links to the board of hexworld.org.
//
// The part after `#` is the size and the options, and after a comma the moves
// ([its documentation](https://hexworld.org/board/about.html), "Information for developers"): `c1` draws the stones in red
// and blue, `:s` swaps the pieces as `swap` does here, and `:rb` is Black's resignation, `:fb` Black's loss for another reason.
// Black is the first player, who connects the top to the bottom, and `a1` is at the top left, as here.

/// Returns the link to the board with the whole game.
fn hexworld(table: &Table) -> Option<GameLink> {
    let size = table.game().downcast::<Hex>()?.size;
    let moves = table.plies().filter_map(|ply| {
        let (mv, notation) = ply.played?;
        let is_swap = mv.downcast().is_some_and(|mv: &hex::Move| mv.swap);
        Some(if is_swap { ":s" } else { notation })
    });
    let moves: String = moves.collect();
    let ending = hexworld_ending(table).unwrap_or_default();
    Some(GameLink {
        label: "Explore it on HexWorld",
        url: format!("https://hexworld.org/board/#{size}c1,{moves}{ending}"),
    })
}

/// Returns how a game ended before there was a chain; `None` if it didn't.
fn hexworld_ending(table: &Table) -> Option<&'static str> {
    let TableStatus::Won(winner) = table.status() else { return None };
    let last_event = &table.history().last()?.kind;
    match winner {
        Seat::First if last_event.is_timeout() => Some(":fw"),
        Seat::Second if last_event.is_timeout() => Some(":fb"),
        Seat::First if last_event.resignation_text().is_some() => Some(":rw"),
        Seat::Second if last_event.resignation_text().is_some() => Some(":rb"),
        Seat::First | Seat::Second => None,
    }
}
