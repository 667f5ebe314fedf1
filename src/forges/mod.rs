//! The hosts of threads and repositories: GitHub, and a local git repository.
//!
//! [`forge`] is the interface that the protocol is written against.
//!
//! May use: [`crate::talk`]. Used by: the protocol and all that is above it.

pub mod clock;
pub mod forge;
pub mod github;
pub mod local;
