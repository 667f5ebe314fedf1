//! The hosts of threads and repositories: GitHub, and a local git repository.
//!
//! Both implement [`Forge`](crate::protocol::forge::Forge).
//!
//! May use: [`crate::protocol`] and below. Used by: what a host sets up, the command line.

pub mod github;
pub mod local;
