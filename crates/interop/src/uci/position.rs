//! The parameters of `position`.

use game::contract::{Interchange, Rules};
use games::chess::config::GameConfig;
use games::chess::fen;
use games::chess::game::Chess;
use games::chess::position::Position;
use games::chess::uci;

use crate::uci::truncated;

/// A position to search.
pub struct UciPosition {
    /// The position.
    pub game: Chess,
    /// The number of moves after the first position.
    pub plies: u64,
}

/// Parses the words after `position`, and skips unknown ones before `startpos`, `fen` and `moves`.
///
/// # Errors
/// Returns an error if the position or one of the moves can't be read.
pub fn parse_position(words: &[&str], start: &Chess, chess960: bool) -> Result<UciPosition, String> {
    let moves_start = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let (setup, moves) = (&words[..moves_start], words.get(moves_start + 1..).unwrap_or_default());
    let mut game = match setup.iter().position(|word| matches!(*word, "startpos" | "fen")) {
        Some(index) if setup[index] == "startpos" => start.clone(),
        Some(index) => parse_fen(&setup[index + 1..])?,
        None => return Err("expected: position startpos, or position fen FEN, optionally followed by moves".to_owned()),
    };
    for text in moves {
        let mv = uci::find(&game, text, chess960);
        let mv = mv.ok_or_else(|| format!("not a legal move here: {}", truncated(text)))?;
        game = game.play(&mv);
    }
    Ok(UciPosition { game, plies: moves.len() as u64 })
}

/// Parses the fields of a FEN, and skips words after the sixth.
fn parse_fen(fields: &[&str]) -> Result<Chess, String> {
    let text = fields[..fields.len().min(6)].join(" ");
    let (fen, _) = fen::parse_leniently(&text).map_err(|problem| format!("not a valid position: {problem}"))?;
    // A finished game is fine too: it has no legal move.
    let position = Position { fen: fen::format(&fen), earlier: Vec::new() };
    Chess::from_position(&GameConfig::default(), &position).map_err(|error| error.to_string())
}
