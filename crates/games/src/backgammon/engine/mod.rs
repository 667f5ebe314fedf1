//! The computer opponent.
//!
//! One of two small nets ([`net`]) evaluates a position from its [`inputs`]; [`bearoff`] computes the very end of a
//! race exactly. [`evaluate`] picks between them. [`stakes`] turns the chances into one value, by the cube and the
//! score. [`search`] looks a roll or two ahead, and [`choose`] picks the move as the level's profile asks
//! ([`level_profile`]).
//!
//! All numbers are integers, so the engine plays the same on every machine. The package `training` makes the nets.

pub mod bearoff;
pub mod chances;
pub mod choose;
pub mod evaluate;
pub mod inputs;
pub mod level_profile;
pub mod match_equity;
pub mod net;
pub mod search;
pub mod sigmoid;
pub mod stakes;
