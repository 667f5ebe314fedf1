//! `init` in a repository whose workflow has parts of the host's own.

use setup::{
    AWAITED_WORKFLOWS, DAILY_WORKFLOW, DAILY_WORKFLOW_PATH, SITE_WORKFLOW, SITE_WORKFLOW_PATH, WORKFLOW, WORKFLOW_PATH,
};

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
    let updated = OWN_PARTS
        .replace("        types: [created, edited]\n", "      types: [created]\n")
        .replace("    issue_comment:\n", "    issue_comment: # zizmor: ignore[dangerous-triggers] Nothing that a commenter wrote is checked out or run.\n")
        .replace("        inputs:\n", "        inputs:\n            doctor: { type: boolean, description: Check the setup without changing anything }\n")
        .replace("            issues: read\n", "            contents: write # A move is a commit.\n            issues: write # An answer is a comment.\n")
        .replace("        runs-on: ubuntu-latest\n        permissions:\n", "        runs-on: ubuntu-latest\n        timeout-minutes: 10\n        permissions:\n")
        .replace("              id: play\n", "              with:\n                doctor: ${{ inputs.doctor }}\n              id: play\n");
    // It becomes two files. Both have all that the host added, and each event starts one of them.
    let schedule = "    schedule:\n    - cron: '11 3 * * *' # Own time.\n";
    assert_same_lines(&repo.read(WORKFLOW_PATH), &updated.replace(schedule, ""));
    let first_event = updated.find("    # Own event.\n").unwrap();
    let dispatch = updated.find("    workflow_dispatch:\n").unwrap();
    let daily = format!("{}{}", &updated[..first_event], &updated[dispatch..]);
    assert_same_lines(&repo.read(DAILY_WORKFLOW_PATH), &daily.replace("name: Our games\n", "name: Our games, daily\n"));
    // Each line that it removes is in the output.
    let removed = [
        "    issue_comment:",
        "        types: [created, edited]",
        "    schedule:",
        "    - cron: '11 3 * * *' # Own time.",
        "            issues: read",
    ];
    let shown: Vec<&str> =
        ran.out.lines().filter_map(|line| line.strip_prefix('-')).filter(|line| !line.starts_with("--")).collect();
    assert_eq!(shown, removed, "{ran:?}");
    repo.run(&["init", "--yes"]).exits(0, &["play.yml: up to date.", "daily.yml: up to date."]);
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
    let end = "Check the setup without changing anything }\n";
    assert_eq!(repo.read(WORKFLOW_PATH), WORKFLOW.replace(end, &format!("{end}  push:\n")));
}

/// Returns the single file that `init` wrote before there were two, with this schedule.
fn old_workflow(cron: &str) -> String {
    let condition = "      github.event_name == 'workflow_dispatch' ||\n";
    assert!(WORKFLOW.contains(condition));
    WORKFLOW
        .replace("\npermissions: {}\n", &format!("  schedule:\n    - cron: {cron}\n\npermissions: {{}}\n"))
        .replace(condition, &condition.replace("github", "github.event_name == 'schedule' || github"))
}

#[test]
fn turns_an_old_file_into_two() {
    let cron = "'1 2 * * *' # At night.";
    let inputs = "          branch: play # Ours.\n          dice-secret: ${{ secrets.DICE }}\n";
    let old = format!("{}{inputs}", old_workflow(cron));
    let old_site = SITE_WORKFLOW
        .replace(AWAITED_WORKFLOWS, "workflows: [Play by Commit]")
        .replace("timeout-minutes: 15", "timeout-minutes: 9");
    let other = "on:\n  workflow_run:\n    workflows: ['Play by Commit']\n";
    let repo = Repo::new(REMOTE);
    repo.write(WORKFLOW_PATH, &old);
    repo.write(SITE_WORKFLOW_PATH, &old_site);
    repo.write(".github/workflows/other.yml", other);
    // Without an answer, nothing changes.
    repo.run(&["init"]).exits(1, &["play.yml: left unchanged.", "daily.yml: not written."]);
    assert_eq!(repo.read(WORKFLOW_PATH), old);
    let ran = repo.run(&["init", "--yes"]);
    ran.exits(
        0,
        &[
            "play.yml: updated.",
            "daily.yml: written.",
            "site.yml: updated.",
            "other.yml starts when *Play by Commit* ends.",
        ],
    );
    assert_eq!(repo.read(WORKFLOW_PATH), format!("{WORKFLOW}{inputs}"));
    // The order of the events stays the old one.
    let [from, dispatch, to] =
        ["  schedule:\n", "  workflow_dispatch:\n", "\npermissions:"].map(|key| DAILY_WORKFLOW.find(key).unwrap());
    let (before, after) = (&DAILY_WORKFLOW[..from], &DAILY_WORKFLOW[to..]);
    let daily = format!("{before}{}  schedule:\n    - cron: {cron}\n{after}", &DAILY_WORKFLOW[dispatch..to]);
    assert_same_lines(&repo.read(DAILY_WORKFLOW_PATH), &format!("{daily}{inputs}"));
    assert_eq!(repo.read(SITE_WORKFLOW_PATH), SITE_WORKFLOW.replace("timeout-minutes: 15", "timeout-minutes: 9"));
    assert_eq!(repo.read(".github/workflows/other.yml"), other);
    repo.run(&["init", "--yes"]).exits(0, &["Nothing to change."]);
    repo.run(&["doctor"]).exits(1, &["Set `ref: play`", "0 could be better"]);
    // A deleted daily workflow stays deleted.
    repo.git(&["add", "."]);
    repo.git(&["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "Play"]);
    std::fs::remove_file(repo.0.join(DAILY_WORKFLOW_PATH)).unwrap();
    repo.run(&["init", "--yes"]).exits(0, &["not written, because you deleted it", "play.yml: up to date."]);
    assert!(!repo.0.join(DAILY_WORKFLOW_PATH).exists());
}

#[test]
fn leaves_a_file_that_it_cannot_split_as_it_is() {
    let old = old_workflow("'1 2 * * *'");
    let on = &old[old.find("on:\n").unwrap()..old.find("permissions: {}").unwrap()];
    let flow = "on: { issue_comment: { types: [created] }, issues: { types: [opened] }, schedule: [{ cron: '1 2 * * *' }] }\n\n";
    let repo = Repo::new(REMOTE);
    repo.write(WORKFLOW_PATH, &old.replace(on, flow));
    repo.write(".github/ISSUE_TEMPLATE/new-game.yml", &setup::issue_form(&[]));
    let files = repo.files();
    repo.run(&["init", "--yes"]).exits(
        0,
        &["play.yml: left unchanged, because", "By hand: move its `schedule:` to a copy of the file, named daily.yml"],
    );
    assert_eq!(repo.files(), files);
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
