//! The traits that every game implements, and the boards, options and phrases that games share.
//!
//! A game is a value. It knows its rules, its notation and its board, but nothing about players, repositories or
//! Markdown. [`contract::Game`] combines one trait each for rules, notation, explanations, display, engine and
//! interchange.
//!
//! ```
//! use game::contract::{Display, Game, Notation, Rules, apply_move};
//! use game::options::Options;
//! use games::othello::game::Othello;
//!
//! let config = Othello::configure(&mut Options::default()).unwrap();
//! let game = Othello::start(&config).unwrap();
//! let mv = game.parse_move("d3").unwrap();
//! let game = apply_move(&game, &mv).unwrap();
//! println!("{}", game.board(Some(&mv)).text().plain());
//! ```

pub mod board;
pub mod cell;
pub mod conformance;
pub mod contract;
pub mod notation;
pub mod options;
pub mod phrase;
pub mod rule;
