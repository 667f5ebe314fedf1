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

use games::for_each_game;

/// A name, and a function that checks the properties on any bytes.
pub type Target = (&'static str, fn(&[u8]));

/// Lists all targets.
macro_rules! targets {
    ($dollar:tt $($game:ident: $module:ident),+) => {
        &[
            ("comment", comment::comment),
            ("long_text", comment::long_text),
            ("talk", talk::talk),
            $((stringify!($module), moves::moves::<games::$module::$game>),)+
            ("record", files::record),
            ("event", files::event),
            ("standings", files::standings),
            ("quote", quote::quote),
            ("marker", quote::marker),
            ("page", page::page),
            ("pgn", pgn::pgn),
            ("rules", rules::rules),
        ]
    };
}

/// All targets. Each game's move parser has a target with the name of the game's module.
pub const TARGETS: &[Target] = for_each_game!(targets $);

/// Returns the bytes as text; most parsers only get valid text.
fn text(data: &[u8]) -> Option<&str> {
    std::str::from_utf8(data).ok()
}
