//! A deterministic simulator: schedules ("stories") of comments, events and faults in virtual time, each generated from a seed.
//! `docs/SIMULATION.md` describes the stories, the checks and their limits.

pub(crate) mod boards;
pub mod checks;
pub(crate) mod clocks;
pub(crate) mod core;
pub(crate) mod display;
pub(crate) mod fairness;
mod foreign;
pub(crate) mod forge;
pub(crate) mod generator;
pub(crate) mod live_checks;
pub(crate) mod order;
pub(crate) mod people;
pub(crate) mod rng;
pub mod schedule;
pub(crate) mod servers;
pub mod story;
pub(crate) mod table_history;

pub use core::Core;
pub use generator::generate_story;
pub use story::{Action, InjectedFault, Mode, Person, Setting, Step, Story, Text, TimedFault};
