//! The games themselves, and the registry that names them.
//!
//! One file or folder a game, and one line in [`registry`]. That line gives the tag in the record, the name in `/new`, the
//! entry in `/help` and in the README, and the conformance tests. [`rules`] serves the same rules to other programs.
//!
//! May use: [`crate::game`]. Used by: everything above.

pub mod backgammon;
#[cfg(test)]
mod conformance;
pub mod marks;
pub mod registry;
pub mod tic_tac_toe;
pub mod ultimate_tic_tac_toe;
