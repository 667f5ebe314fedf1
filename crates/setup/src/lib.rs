//! Sets up repositories for games and checks their setup: `init` and the doctor.
//!
//! ```
//! use setup::templates::{WorkflowChoices, WorkflowKind, game_workflow};
//! use setup::workflow_steps::play_steps;
//!
//! let inputs = vec![("branch".to_owned(), "play".to_owned())];
//! let text = game_workflow(WorkflowKind::Play, &WorkflowChoices { inputs, ..WorkflowChoices::default() });
//! let steps = play_steps("play.yml", &text, None).unwrap();
//! assert_eq!(steps[0].input("branch").as_deref(), Some("play"));
//! ```

pub mod action_version;
pub mod doctor;
pub mod host_text;
pub mod init;
pub mod inputs;
pub mod templates;
pub mod workflow_steps;
pub mod yaml;
