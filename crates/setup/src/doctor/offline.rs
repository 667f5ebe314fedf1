//! The doctor in a work tree: the files as they are there.

use std::path::Path;

use anyhow::Result;
use protocol::repo_config::is_enterprise_server;

use crate::doctor::files::{self, Files};
use crate::doctor::findings::Findings;
use crate::work_tree::WorkTree;

/// Examines the work tree that this directory is in.
///
/// # Errors
/// There is none.
pub fn examine(dir: &Path, findings: &mut Findings) -> Result<()> {
    let tree = WorkTree::open(dir)?;
    let texts = |paths: &[String]| paths.iter().map(|path| (path.clone(), tree.read(path))).collect::<Files>();
    let remote = tree.remote();
    let enterprise = remote.as_ref().is_some_and(|remote| is_enterprise_server(&remote.host));
    let mut all = tree.list(".github/workflows");
    all.extend(tree.list(".github/ISSUE_TEMPLATE"));
    all.push(("action.yml".to_owned(), 0));
    let names = |all: &[(String, u64)]| all.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>();
    let paths = files::setup_paths(names(&all).iter().map(String::as_str));
    let inputs = files::check_setup(&texts(&paths), enterprise, findings);
    match (&inputs.branch, tree.branch()) {
        (Some(wanted), Some(here)) if *wanted == here => {}
        (Some(wanted), _) => {
            files::warn_of_other_branch(&texts(&inputs.pages), &inputs, findings);
            findings.skipped(format!(
                "The games are on the branch `{wanted}`, which isn't checked out here. To check the records, the \
                 standings and the pages, run this in a work tree of that branch."
            ));
            return Ok(());
        }
        (None, _) => {}
    }
    if tree.is_ignored(&format!("{}/1.json", inputs.state_dir)) {
        findings.warning(format!(
            "Git ignores `{}`. The bot still commits games there, but `git add` leaves them out. Take it out of `.gitignore`.",
            inputs.state_dir
        ));
    }
    let all = names(&tree.list(&inputs.state_dir));
    let paths = files::game_paths(all.iter().map(String::as_str), &inputs);
    files::check_games(&texts(&paths), &inputs, true, findings);
    findings.skipped(
        "GitHub's settings. `play-by-commit doctor --online OWNER/NAME` checks them, with a token in GITHUB_TOKEN. So does \
         the workflow, if you start it by hand and check `doctor`.",
    );
    Ok(())
}
