//! Checks the files of a work tree.

use std::path::Path;

use anyhow::Result;
use protocol::repo_config::is_enterprise_server;
use table::ids::IssueNumber;
use table::state_path::StatePath;

use crate::doctor::files::{self, Files};
use crate::doctor::findings::Findings;
use crate::work_tree::WorkTree;

/// Checks the work tree that contains this directory.
///
/// # Errors
/// Returns an error if the directory isn't in a work tree.
pub fn examine(dir: &Path, findings: &mut Findings) -> Result<()> {
    let tree = WorkTree::open(dir)?;
    let read = |paths: &[String]| paths.iter().map(|path| (path.clone(), tree.read(path))).collect::<Files>();
    let remote = tree.remote();
    let enterprise = remote.as_ref().is_some_and(|remote| is_enterprise_server(&remote.host));
    let mut setup_files = tree.list(".github/workflows");
    setup_files.extend(tree.list(".github/ISSUE_TEMPLATE"));
    setup_files.push(("action.yml".to_owned(), 0));
    let paths_of = |files: &[(String, u64)]| files.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>();
    let paths = files::setup_paths(paths_of(&setup_files).iter().map(String::as_str));
    let inputs = files::check_setup(&read(&paths), enterprise, findings);
    if let Some(branch) = &inputs.branch
        && tree.branch().as_ref() != Some(branch)
    {
        files::warn_of_other_branch(&read(&inputs.pages), &inputs, findings);
        findings.skipped(format!(
            "The games are on the branch `{branch}`, which isn't checked out here. To check the records, the \
             standings and the pages, run this in a work tree of that branch."
        ));
        return Ok(());
    }
    if tree.is_ignored(&StatePath::Record(IssueNumber::new(1)).below(&inputs.state_dir)) {
        findings.warning(format!(
            "Git ignores `{}`. The bot still commits games there, but `git add` leaves them out. Take it out of `.gitignore`.",
            inputs.state_dir
        ));
    }
    let state_files = paths_of(&tree.list(&inputs.state_dir));
    let paths = files::game_paths(state_files.iter().map(String::as_str), &inputs);
    let running = files::running_issues(state_files.iter().map(String::as_str), &inputs);
    files::check_games(&read(&paths), &running, &inputs, true, findings);
    findings.skipped(
        "GitHub's settings. `play-by-commit doctor --online OWNER/NAME` checks them, with a token in GITHUB_TOKEN. So does \
         the workflow, if you start it by hand and check `doctor`.",
    );
    Ok(())
}
