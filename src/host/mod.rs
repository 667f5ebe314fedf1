//! What a host sets up: the files of ours in a repository, the inputs of the action, `init` and the doctor.
//!
//! May use: everything below. Used by: the command line.

pub mod doctor;
pub mod found;
pub mod init;
pub mod inputs;
pub mod templates;
pub mod unified;
pub mod work_tree;
pub mod yaml;
