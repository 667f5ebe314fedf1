//! The fuzz targets: every parser of text from others, with the properties that hold for any input.
//!
//! Each target takes bytes and panics if a property fails. The fuzzer runs it on generated inputs, and
//! `tests/program/corpus.rs` on those found so far.

mod comment;
mod files;
mod moves;
mod page;
mod pgn;
mod quote;
mod rules;
mod talk;

use games::{GameKind, with_game};

/// A name, and a function that checks the properties on any bytes.
pub type Target = (&'static str, fn(&[u8]));

/// The targets that belong to no game.
const SHARED_TARGETS: [Target; 11] = [
    ("comment", comment::comment),
    ("long_text", comment::long_text),
    ("talk", talk::talk),
    ("record", files::record),
    ("event", files::event),
    ("standings", files::standings),
    ("quote", quote::quote),
    ("marker", quote::marker),
    ("page", page::page),
    ("pgn", pgn::pgn),
    ("rules", rules::rules),
];

/// Returns all targets. Each game's move parser has a target with the game's name.
pub fn targets() -> Vec<Target> {
    let of_game = |kind: &GameKind| -> Target { (kind.info().name, with_game!(*kind, G => moves::moves::<G>)) };
    SHARED_TARGETS.into_iter().chain(GameKind::ALL.iter().map(of_game)).collect()
}

/// Returns the bytes as text; most parsers only get valid text.
fn text(data: &[u8]) -> Option<&str> {
    std::str::from_utf8(data).ok()
}
