//! Small worlds: every interleaving of a few comments and two runs, with at most one fault.
//!
//! The walk uses the real `settle`. A run is a future, which can't be copied or compared. So its state is the list of responses
//! that it has had, and replaying them gives its next request. `docs/SIMULATION.md` says what the worlds cover.

pub(crate) mod fault;
pub(crate) mod forge;
pub(crate) mod judge;
pub(crate) mod node;
pub(crate) mod walk;
pub(crate) mod world;

pub use walk::Walker;
pub use world::{FULL, LONG, QUICK, World};
