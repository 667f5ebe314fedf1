//! The setup of a repository: `init`, the doctor and the probe.

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
