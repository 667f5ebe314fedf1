//! Workflows of a host in which this action is a step.

use crate::host::yaml::{self, Node};

/// The inputs of the action are read from the very file that tells GitHub.
const ACTION: &str = include_str!("../../action.yml");

/// A workflow in which we are a step, or one that says so and can't be read.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its path from the root.
    pub path: String,
    pub(crate) root: Node,
    /// The name of the job, and where it is.
    pub(crate) job: (String, Node),
    pub(crate) step: Node,
}

/// The inputs that the action has.
#[must_use]
pub fn inputs() -> Vec<String> {
    let root = yaml::read(ACTION).ok();
    let inputs = root.as_ref().and_then(|root| root.at("inputs"));
    inputs.map(|inputs| inputs.words().into_iter().map(str::to_owned).collect()).unwrap_or_default()
}

/// Whether a file is a workflow, by its path.
#[must_use]
pub fn is_workflow(path: &str) -> bool {
    let name = path.strip_prefix(".github/workflows/");
    name.is_some_and(|name| !name.contains('/') && (name.ends_with(".yml") || name.ends_with(".yaml")))
}

/// The steps of a workflow that are ours. `own` is the action file at the root of the repository, if there is one: in our
/// own repository and in forks of it `./` is this action.
///
/// # Errors
/// It mentions us and cannot be read; the sentence, without its full stop, says why.
pub fn ours(path: &str, text: &str, own: Option<&str>) -> Result<Vec<Found>, String> {
    let beside = own.is_some_and(|own| own.contains("PLAY_BY_COMMIT_TOKEN"));
    if !text.contains("play-by-commit") {
        return Ok(Vec::new());
    }
    let root = yaml::read(text)?;
    let jobs = root.at("jobs").map(Node::entries).unwrap_or_default();
    let mut found = Vec::new();
    for (name, job) in jobs {
        let steps = job.at("steps").map(Node::items).unwrap_or_default();
        for step in steps.iter().filter(|step| is_ours(step, beside)) {
            let (path, job) = (path.to_owned(), (name.clone(), job.clone()));
            found.push(Found { path, root: root.clone(), job, step: step.clone() });
        }
    }
    Ok(found)
}

fn is_ours(step: &Node, beside: bool) -> bool {
    let uses = step.at("uses").and_then(Node::text).unwrap_or_default();
    let action = uses.split('@').next().unwrap_or_default();
    (beside && matches!(uses, "./" | ".")) || action.rsplit('/').next() == Some("play-by-commit")
}

impl Found {
    /// An input of the action as it is written; nothing when it is empty or not there.
    #[must_use]
    pub fn input(&self, name: &str) -> Option<String> {
        let entries = self.step.at("with").map(Node::entries).unwrap_or_default();
        let input = entries.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        input.and_then(|(_, node)| node.text()).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn our_own_workflow_and_a_hosts_are_found() {
        assert_eq!(ours("a.yml", crate::host::templates::WORKFLOW, None).unwrap().len(), 1);
        let own = crate::host::templates::WORKFLOW.replace("play-by-commit/play-by-commit@v1", "./");
        assert_eq!(ours("a.yml", &own, Some(ACTION)).unwrap().len(), 1);
        assert_eq!(ours("a.yml", &own, Some("name: Another")).unwrap().len(), 0);
        assert_eq!(ours("a.yml", "on: push\n", None).unwrap().len(), 0);
        assert!(ours("a.yml", "# play-by-commit\non: [\n", None).is_err());
        assert!(inputs().contains(&"state-dir".to_owned()) && inputs().len() == 11, "{:?}", inputs());
    }
}
