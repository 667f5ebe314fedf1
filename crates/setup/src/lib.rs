//! Sets up repositories for games and checks their setup: `init` and the doctor.
//!
//! ```
//! use setup::{WorkflowChoices, WorkflowKind, game_workflow, play_steps};
//!
//! let inputs = vec![("branch".to_owned(), "play".to_owned())];
//! let text = game_workflow(WorkflowKind::Play, &WorkflowChoices { inputs, ..WorkflowChoices::default() });
//! let steps = play_steps("play.yml", &text, None).unwrap();
//! assert_eq!(steps[0].input("branch").as_deref(), Some("play"));
//! ```

mod action_version;
pub mod doctor;
pub mod init;
mod inputs;
mod settings_file;
pub mod templates;
mod workflow_steps;
mod yaml;

pub use doctor::online::OnlineCheck;
pub use doctor::{Findings, Grade};
pub use init::merge::{DIFF_TIMEOUT, unified_diff};
pub use inputs::{pages_url, parse_repo_config, parse_site_url, parse_state_dir};
pub use settings_file::{FileSettings, MAX_SETTINGS_BYTES, repo_config_with_file, setting_names, settings_schema};
pub use templates::{
    ACTION_REFERENCE, AWAITED_WORKFLOWS, DAILY_WORKFLOW, DAILY_WORKFLOW_PATH, FORM_PATH, LINK_FORM_PATH, QUEUE_LINE,
    RUNNER_LINE, SITE_WORKFLOW, SITE_WORKFLOW_PATH, TIMEOUT_LINE, WORKFLOW, WORKFLOW_PATH, WorkflowChoices,
    WorkflowKind, awaited_workflows, game_workflow, issue_form,
};
pub use workflow_steps::{
    ActionInput, WorkflowInputs, action_input_list, action_inputs, check_cron, play_steps, read_workflow_inputs,
    site_steps,
};
pub use yaml::{MAX_BYTES, MAX_DEPTH, YamlNode, parse_yaml};
