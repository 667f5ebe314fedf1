//! Reads the inputs of the workflow that plays from GitHub, for commands that run outside of it.

use github::GitHub;
use protocol::forge::{COMMENTS_PER_PAGE, Fault, FileContent, Forge, Head};

use crate::doctor::findings::Findings;
use crate::doctor::online::{list_files, read_files};
use crate::inputs::input_variable;
use crate::templates::WorkflowKind;
use crate::workflow_steps::{OLD_INPUT, WorkflowStep, is_workflow, play_steps};

/// The inputs of the workflow that plays.
#[derive(Debug, Default)]
pub struct WorkflowInputs {
    step: Option<WorkflowStep>,
    /// Notes for the host, as sentences without a period.
    pub notes: Vec<String>,
}

/// Inputs that only matter in a workflow, or whose value can't be known outside of it.
const OTHER_INPUTS: [&str; 3] = ["token", "doctor", OLD_INPUT];

/// Reads the inputs of the workflow on the default branch. `github` must have no state branch of its own.
///
/// # Errors
/// Returns an error if GitHub can't be reached, or if the token can't see the repository.
pub async fn read_workflow_inputs(github: &GitHub) -> Result<WorkflowInputs, Fault> {
    let mut inputs = WorkflowInputs::default();
    let Head::Commit(head) = github.read(&[], &[], COMMENTS_PER_PAGE).await?.head else { return Ok(inputs) };
    let tree = list_files(github, &head, &mut Findings::default()).await?.unwrap_or_default();
    let paths: Vec<String> = tree.into_iter().filter(|path| is_workflow(path) || path == "action.yml").collect();
    let files = read_files(github, &head, &paths).await?;
    let action = files.get("action.yml").and_then(FileContent::text);
    let mut steps = Vec::new();
    for (path, file) in files.iter().filter(|(path, _)| is_workflow(path)) {
        match file.text().map_or(Ok(Vec::new()), |text| play_steps(path, text, action)) {
            Ok(found) => steps.extend(found),
            Err(why) => inputs.notes.push(format!("{path} can't be read as YAML, so its inputs don't count: {why}")),
        }
    }
    let is_play = |step: &WorkflowStep| step.kind() == WorkflowKind::Play;
    if steps.iter().any(is_play) {
        steps.retain(is_play);
    }
    if steps.len() > 1 {
        inputs.notes.push(format!("more than one step plays here; the inputs are those of {}", steps[0].path));
    }
    inputs.step = steps.into_iter().next();
    let Some(step) = &inputs.step else {
        inputs.notes.push("no workflow here uses play-by-commit, so the default inputs count".to_owned());
        return Ok(inputs);
    };
    let names = step.input_names().into_iter().filter(|name| !OTHER_INPUTS.contains(name));
    for name in names.filter(|name| step.has_expression(name)) {
        let variable = format!("PLAY_BY_COMMIT_{}", input_variable(name));
        inputs.notes.push(format!("{} has an expression for `{name}`; set its value in {variable}", step.path));
    }
    Ok(inputs)
}

impl WorkflowInputs {
    /// Returns the value of an input by its name in capitals, such as `STATE_DIR`; `None` if it is empty or an expression.
    pub fn get(&self, name: &str) -> Option<String> {
        self.step.as_ref()?.literal_input(&name.to_lowercase().replace('_', "-"))
    }
}
