//! `init` and `doctor` with a mirror of the action under another name.

use setup::{
    ACTION_REFERENCE, DAILY_WORKFLOW_PATH, SITE_WORKFLOW, SITE_WORKFLOW_PATH, WORKFLOW, WORKFLOW_PATH, play_steps,
    site_steps,
};

use super::REMOTE;
use crate::host::Repo;

const MIRROR: &str = "corp/board-games@v1";

#[test]
fn a_mirror_can_have_another_name() {
    let repo = Repo::new(REMOTE);
    let text = WORKFLOW.replace(ACTION_REFERENCE, MIRROR);
    repo.write(WORKFLOW_PATH, &text);
    repo.write(SITE_WORKFLOW_PATH, &SITE_WORKFLOW.replace(ACTION_REFERENCE, MIRROR));
    repo.run(&["init"]).exits(0, &["play.yml: up to date."]);
    let trust = "`corp/board-games` isn't the action of this project";
    repo.run(&["doctor"]).exits(0, &[trust, "its inputs are valid", "it publishes the site after each run"]);
    // It keeps the name when it changes an input or the version.
    repo.run(&["init", "--yes", "--branch", "play", "--version", "v1.2.3"]).exits(0, &["play.yml: updated."]);
    let updated = repo.read(WORKFLOW_PATH);
    assert!(updated.contains("uses: corp/board-games@v1.2.3 #") && updated.ends_with("branch: play\n"), "{updated}");
    // Without these inputs, it looks like any other action.
    repo.write(WORKFLOW_PATH, &text[..text.find("        with:").unwrap()]);
    for path in [SITE_WORKFLOW_PATH, DAILY_WORKFLOW_PATH] {
        std::fs::remove_file(repo.0.join(path)).unwrap();
    }
    repo.run(&["doctor"]).exits(1, &["No workflow here uses play-by-commit", "add the input `doctor` to its step"]);
}

#[test]
fn takes_no_other_action_for_a_mirror() {
    for with in ["site: x\n          key: y", "token: x", "path: site"] {
        let text = WORKFLOW.replace(ACTION_REFERENCE, "netlify/actions@v1");
        let text = format!("{}        with:\n          {with}\n", &text[..text.find("        with:").unwrap()]);
        assert!(play_steps("", &text, None).unwrap().is_empty(), "{text}");
        assert!(site_steps("", &text, None).unwrap().is_empty(), "{text}");
    }
}
