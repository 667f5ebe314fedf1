//! A deterministic simulator: schedules ("stories") of comments, events and faults in virtual time, each generated from a seed.
//! `docs/SIMULATION.md` describes the stories, the checks and their limits.

pub mod checks;
pub mod clocks;
pub mod core;
pub mod display;
pub mod fairness;
mod foreign;
pub mod forge;
pub mod generator;
pub mod live_checks;
pub mod order;
pub mod people;
pub mod rng;
pub mod schedule;
pub mod story;
pub mod table_history;
