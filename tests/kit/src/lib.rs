//! What the tests stand on, and the programs in `examples/` as well.
//!
//! [`world`] is GitHub in memory and [`server`] the same over HTTP; [`payloads`] are the events that it sends, and [`relay`]
//! counts what passes by. [`simulator`] tells stories over all that in virtual time, [`storm`] with real processes.

pub mod payloads;
pub mod relay;
pub mod server;
pub mod simulator;
pub mod storm;
pub mod world;
