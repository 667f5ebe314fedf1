//! Checks the files of a work tree.

use std::path::Path;

use anyhow::Result;
use git::work_tree::WorkTree;
use protocol::repo_config::is_enterprise_server;
use table::ids::IssueNumber;
use table::state_path::StatePath;

use crate::doctor::facts::Fact;
use crate::doctor::files::{self, Files};
use crate::doctor::findings::Findings;
use crate::templates::{FORM_DIR, WORKFLOW_DIR};

/// Checks the work tree that contains this directory.
///
/// # Errors
/// Returns an error if the directory isn't in a work tree.
pub fn examine(dir: &Path, findings: &mut Findings) -> Result<()> {
    let tree = WorkTree::open(dir)?;
    let read = |paths: &[String]| paths.iter().map(|path| (path.clone(), tree.read(path))).collect::<Files>();
    let enterprise = tree.remote().is_some_and(|remote| is_enterprise_server(&remote.host));
    let setup_files = [tree.list(WORKFLOW_DIR), tree.list(FORM_DIR), vec!["action.yml".to_owned()]].concat();
    let inputs = files::check_setup(&read(&files::setup_paths(&setup_files)), enterprise, findings);
    if let Some(branch) = &inputs.branch
        && tree.branch().as_ref() != Some(branch)
    {
        files::check_other_branch(&read(&inputs.pages), &inputs, findings);
        findings.add(Fact::GamesOnOtherBranch { branch: branch.clone() });
        return Ok(());
    }
    if tree.is_ignored(&StatePath::Record(IssueNumber::new(1)).below(&inputs.state_dir)) {
        findings.add(Fact::IgnoredByGit { dir: inputs.state_dir.clone() });
    }
    let mut state_files = tree.list(&inputs.state_dir);
    if !state_files.iter().any(|path| inputs.record(path).is_some()) {
        // The games may be in another folder.
        state_files = tree.list("");
    }
    files::check_games(&read(&inputs.game_paths(&state_files)), &state_files, &inputs, true, findings);
    findings.add(Fact::SettingsOnGitHub);
    Ok(())
}
