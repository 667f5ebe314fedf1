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

use games::backgammon::Backgammon;
use games::checkers::Checkers;
use games::chess::Chess;
use games::connect_four::ConnectFour;
use games::hex::Hex;
use games::othello::Othello;
use games::tic_tac_toe::TicTacToe;
use games::ultimate_tic_tac_toe::UltimateTicTacToe;

/// A name, and a function that checks the properties on any bytes.
pub type Target = (&'static str, fn(&[u8]));

/// All targets. Each game's move parser has a target with the game's name.
pub const TARGETS: &[Target] = &[
    ("comment", comment::comment),
    ("long_text", comment::long_text),
    ("talk", talk::talk),
    ("tic_tac_toe", moves::moves::<TicTacToe>),
    ("ultimate_tic_tac_toe", moves::moves::<UltimateTicTacToe>),
    ("backgammon", moves::moves::<Backgammon>),
    ("chess", moves::moves::<Chess>),
    ("connect_four", moves::moves::<ConnectFour>),
    ("othello", moves::moves::<Othello>),
    ("hex", moves::moves::<Hex>),
    ("checkers", moves::moves::<Checkers>),
    ("record", files::record),
    ("event", files::event),
    ("standings", files::standings),
    ("quote", quote::quote),
    ("marker", quote::marker),
    ("page", page::page),
    ("pgn", pgn::pgn),
    ("rules", rules::rules),
];

/// Runs the target with this name.
pub fn run(name: &str, data: &[u8]) {
    let target = TARGETS.iter().find(|(known, _)| *known == name);
    target.unwrap_or_else(|| panic!("there is no target {name}")).1(data);
}

/// Returns the bytes as text; most parsers only get valid text.
fn text(data: &[u8]) -> Option<&str> {
    std::str::from_utf8(data).ok()
}
