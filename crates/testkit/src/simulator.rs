//! Stories of comments, events and troubles in virtual time, each decided by one number. `docs/SIMULATION.md` says what is
//! simulated, what is checked and what is left out.

pub mod chance;
pub mod checks;
pub mod core;
pub mod known;
pub mod order;
pub mod past;
pub mod people;
pub mod port;
pub mod schedule;
pub mod shrink;
pub mod story;
pub mod tell;
pub mod witness;
