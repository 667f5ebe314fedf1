//! A deterministic simulator: schedules ("stories") of comments, events and faults in virtual time, each generated from a seed.
//! `docs/SIMULATION.md` describes the stories, the checks and their limits.

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
