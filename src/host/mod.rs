//! The setup of a host: the files in a repository, `init`, the doctor and the probe.
//!
//! May use: everything below. Used by: the command line.

pub mod action_version;
pub mod cron;
pub mod doctor;
pub mod init;
pub mod probe;
pub mod templates;
pub mod unified_diff;
pub mod work_tree;
pub mod workflow_steps;
pub mod yaml;
pub mod yaml_text;
