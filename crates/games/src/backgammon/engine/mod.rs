//! The computer.
//!
//! A position is valued by one of two small nets ([`net`]), whose inputs are in [`inputs`], or counted out at the very end
//! of a race ([`bearoff`]); [`evaluate`] knows which. [`stakes`] makes one number of the chances, by the cube and the score;
//! [`search`] looks a throw or two ahead, and [`choose`] chooses, in the manner of a level ([`level_profile`]).
//!
//! All numbers are whole, so that the same question has the same answer on every machine. The package `training` makes
//! the nets.

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
