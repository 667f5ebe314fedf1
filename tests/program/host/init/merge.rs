//! `init` in a repository whose workflow has parts of the host's own.

use setup::templates::{WORKFLOW, WORKFLOW_PATH};

use super::REMOTE;
use crate::host::Repo;

/// An outdated workflow with parts of the host's own, which the comments name.
const OWN_PARTS: &str = r#"# Our games, see docs/games.md.
name: Our games
run-name: Games # Own.
on:
    # Own event.
    workflow_call:
    issue_comment:
        types: [created, edited]
    issues: { types: [opened] }
    workflow_dispatch:
        inputs:
            reason: { type: string } # Own input.
    schedule:
    - cron: '11 3 * * *' # Own time.
env: # Own variables.
    TZ: UTC

defaults: { run: { shell: bash } }
concurrency: our-games
permissions: { contents: read } # Own.
jobs:
    # Another job.
    lint:
        runs-on: ubuntu-latest
        steps:
            - run: true
    "games":
        environment: games # Own secrets.
        env: { A: b }
        container: debian:12
        if: github.actor != 'spammer' && !github.event.issue.pull_request
        runs-on: ubuntu-latest
        permissions:
            issues: read
            # Own permission.
            pages: write
        steps:
            # Own comment.
            - uses: play-by-commit/play-by-commit@v1
              id: play
            - run: |
                  # A script.
                  echo done
"#;

#[test]
fn keeps_what_it_does_not_know() {
    let repo = Repo::new(REMOTE);
    repo.write(WORKFLOW_PATH, OWN_PARTS);
    let ran = repo.run(&["init", "--yes"]);
    let expected = OWN_PARTS
        .replace("        types: [created, edited]\n", "      types: [created]\n")
        .replace("    issue_comment:\n", "    issue_comment: # zizmor: ignore[dangerous-triggers] Nothing that a commenter wrote is checked out or run.\n")
        .replace("        inputs:\n", "        inputs:\n            doctor: { type: boolean, description: Check the setup without changing anything }\n")
        .replace("            issues: read\n", "            contents: write # A move is a commit.\n            issues: write # An answer is a comment.\n")
        .replace("        runs-on: ubuntu-latest\n        permissions:\n", "        runs-on: ubuntu-latest\n        timeout-minutes: 10\n        permissions:\n")
        .replace("              id: play\n", "              with:\n                doctor: ${{ inputs.doctor }}\n              id: play\n");
    assert_same_lines(&repo.read(WORKFLOW_PATH), &expected);
    // Each line that it removes is in the output.
    let removed = ["    issue_comment:", "        types: [created, edited]", "            issues: read"];
    let shown: Vec<&str> =
        ran.out.lines().filter_map(|line| line.strip_prefix('-')).filter(|line| !line.starts_with("--")).collect();
    assert_eq!(shown, removed, "{ran:?}");
    repo.run(&["init", "--yes"]).exits(0, &["play.yml: up to date."]);
    // A missing `if:`, permission and trigger come from the template, and a host's own group stays.
    let group = "      group: play-by-commit-${{ github.event.issue.number || github.event_name }}";
    let own_group = WORKFLOW.replace(group, "      group: ours-${{ github.event.issue.number }}");
    for (from, to) in [
        ("    if: >-\n", "    iffy: >-\n"),
        ("      contents: write", "      content: write"),
        ("  issues:\n    types: [opened]\n", ""),
    ] {
        repo.write(WORKFLOW_PATH, &own_group.replacen(from, to, 1));
        repo.run(&["init", "--yes"]).exits(0, &["play.yml: updated."]);
        let text = repo.read(WORKFLOW_PATH);
        let kept = if to.is_empty() {
            text
        } else {
            text.lines().filter(|line| !line.contains(to.trim())).map(|line| format!("{line}\n")).collect()
        };
        assert!(kept.contains(from) && text_has_group(&kept), "{kept}");
    }
    // It converts events without settings.
    repo.write(
        WORKFLOW_PATH,
        &WORKFLOW.replace(
            &WORKFLOW[WORKFLOW.find("on:").unwrap()..WORKFLOW.find("permissions: {}").unwrap()],
            "on: [issues, issue_comment, push]\n\n",
        ),
    );
    repo.run(&["init", "--yes"]).exits(0, &["-on: [issues, issue_comment, push]"]);
    assert_eq!(
        repo.read(WORKFLOW_PATH),
        WORKFLOW.replace(
            "# Catches up on anything missed. Pick any off-peak minute.\n",
            "# Catches up on anything missed. Pick any off-peak minute.\n  push:\n"
        )
    );
}

fn text_has_group(text: &str) -> bool {
    text.contains("group: ours-${{ github.event.issue.number }}")
}

/// Compares two texts line by line.
#[track_caller]
fn assert_same_lines(left: &str, right: &str) {
    for (left, right) in left.lines().zip(right.lines()) {
        assert_eq!(left, right);
    }
    assert_eq!(left, right);
}
