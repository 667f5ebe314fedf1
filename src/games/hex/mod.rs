//! Hex: two sides lay stones on a rhombus of hexagons, and each wants to join its two edges.
//!
//! [`game`] is the state of a game, [`rows`] the arithmetic of its sets of cells, [`board`] what people see; `computer` chooses
//! moves.

pub mod board;
mod computer;
pub mod config;
mod contract;
pub mod game;
mod picture;
pub mod position;
pub mod rows;
