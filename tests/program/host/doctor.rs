//! `doctor` in a work tree: what is right, and each thing that can be wrong with its files.

use play_by_commit::host::templates::{FORM_PATH, SITE_PATH, SITE_WORKFLOW, WORKFLOW, WORKFLOW_PATH, form};

use super::{Ran, Repo};

const FORM: &str = FORM_PATH;

/// A repository in which all is as it should be.
fn healthy(remote: &str) -> Repo {
    let repo = Repo::new(Some(remote));
    repo.put(WORKFLOW_PATH, WORKFLOW);
    repo.put(FORM, &form());
    repo
}

const REMOTE: &str = "https://github.com/octo/games";

#[test]
fn all_is_well_and_nothing_is_changed() {
    let repo = healthy(REMOTE);
    let files = repo.files();
    let ran = repo.run(&["doctor"]);
    ran.is(0, &["7 good, 0 to change, 0 could be better, 1 not seen.", "not seen: What only GitHub knows"]);
    for chapter in [
        "it starts on comments",
        "may write contents and issues",
        "its `if:` lets commands in",
        "limited in time",
        "the action is pinned",
    ] {
        assert!(
            ran.out.contains(&format!("good: {WORKFLOW_PATH}: ")) && ran.out.contains(chapter),
            "{chapter}: {}",
            ran.out
        );
    }
    assert_eq!(repo.files(), files);
    let ours = super::our_own();
    assert!(ours.contains("0 to change"), "{ours}");
}

/// With this one change to the workflow the doctor says this.
#[track_caller]
fn finds(remote: &str, from: &str, to: &str, sentence: &str) {
    assert!(from.is_empty() || WORKFLOW.contains(from), "the workflow has no {from:?}");
    let repo = healthy(remote);
    let text = if from.is_empty() { to.to_owned() } else { WORKFLOW.replace(from, to) };
    repo.put(WORKFLOW_PATH, &text);
    said(&repo.run(&["doctor"]), sentence);
}

#[track_caller]
fn said(ran: &Ran, sentence: &str) {
    assert!(ran.out.lines().any(|line| line.starts_with(sentence)), "it does not say {sentence:?}: {ran:?}");
    let change = ran.out.lines().any(|line| line.starts_with("to change: "));
    assert_eq!(ran.code, Some(i32::from(change)), "{ran:?}");
}

#[test]
fn a_site_that_no_move_reaches_is_found() {
    for (from, to, sentence) in [
        ("workflows: [Play by Commit]", "workflows: [Play]", "a move does not reach the site"),
        ("      pages: write # The site is put up,\n", "", "without `pages: write`"),
        ("      id-token: write # and Pages asks who does that.\n", "", "without `id-token: write`"),
        ("          site: site\n", "          site: site\n          state-dir: other\n", "its `state-dir` is not that"),
    ] {
        assert!(SITE_WORKFLOW.contains(from), "the workflow has no {from:?}");
        let repo = healthy(REMOTE);
        repo.put(SITE_PATH, &SITE_WORKFLOW.replace(from, to));
        let ran = repo.run(&["doctor"]);
        let found = ran.out.lines().any(|line| line.starts_with("to change: ") && line.contains(sentence));
        assert!(found && ran.code == Some(1), "{sentence}: {ran:?}");
    }
    let repo = healthy(REMOTE);
    repo.put(WORKFLOW_PATH, &WORKFLOW.replace("name: Play by Commit", "name: Games"));
    repo.put(SITE_PATH, SITE_WORKFLOW);
    repo.run(&["doctor"]).is(1, &["Set `workflow_run:` with `workflows: [Games]`"]);
}

/// A host's file of before the probe is as good as it was.
#[test]
fn a_workflow_without_the_newest_inputs_is_good() {
    let older: String = WORKFLOW.split_inclusive('\n').filter(|line| !line.contains("probe: ")).collect();
    assert_eq!(older.lines().count(), WORKFLOW.lines().count() - 2);
    let repo = healthy(REMOTE);
    repo.put(WORKFLOW_PATH, &older);
    repo.run(&["doctor"]).is(0, &["0 to change, 0 could be better"]);
}

#[test]
fn what_is_wrong_with_a_workflow_is_named_with_its_line() {
    const GATE: (&str, &str) = ("    if: >-\n", "    if: true\n    name: >-\n");
    for (from, to, sentence) in [
        ("", "", "to change: No workflow here uses play-by-commit"),
        ("", "# play-by-commit\non: [\n", "to change: .github/workflows/play.yml cannot be read as YAML: line "),
        (
            "  issue_comment:\n    types: [created]\n",
            "",
            "to change: .github/workflows/play.yml, line 5: `issue_comment` does not start it.",
        ),
        (
            "types: [created]",
            "types: [edited]",
            "to change: .github/workflows/play.yml, line 6: `issue_comment` does not start it when one is created.",
        ),
        (
            "types: [created]",
            "types: [created, edited]",
            "could be better: .github/workflows/play.yml, line 6: `issue_comment` with `edited` wakes nobody",
        ),
        (
            "  issue_comment:\n    types: [created]\n",
            "  issue_comment:\n",
            "could be better: .github/workflows/play.yml, line 5: `issue_comment` starts it for edits",
        ),
        (
            "  issues:\n    types: [opened]\n",
            "  pull_request:\n",
            "to change: .github/workflows/play.yml, line 5: `pull_request` is none",
        ),
        (
            "  issues:\n    types: [opened]\n",
            "",
            "to change: .github/workflows/play.yml, line 5: `issues` does not start it.",
        ),
        (
            "  schedule:\n    - cron",
            "  other:\n    - cron",
            "to change: .github/workflows/play.yml, line 5: no `schedule` starts it",
        ),
        (
            "  workflow_dispatch:\n    inputs:\n",
            "  workflow_call:\n    inputs:\n",
            "could be better: .github/workflows/play.yml, line 5: it cannot be started by hand",
        ),
        (
            "      contents: write # A move is a commit.\n",
            "",
            "to change: .github/workflows/play.yml, line 32: without `contents: write`",
        ),
        (
            "issues: write",
            "issues: read",
            "to change: .github/workflows/play.yml, line 32: without `issues: write` in the job's permissions the bot cannot answer.",
        ),
        (
            "      issues: write",
            "      actions: write\n      issues: write",
            "could be better: .github/workflows/play.yml, line 32: `actions: write` is not needed",
        ),
        (
            "permissions: {}\n",
            "",
            "could be better: .github/workflows/play.yml, line 1: it has no `permissions: {}` at the top",
        ),
        (
            "    permissions:\n      contents: write # A move is a commit.\n      issues: write # An answer is a comment.\n",
            "",
            "to change: .github/workflows/play.yml, line 16: without `contents: write`",
        ),
        (
            "    permissions:\n      contents: write # A move is a commit.\n      issues: write # An answer is a comment.\n",
            "    permissions: write-all\n",
            "could be better: .github/workflows/play.yml, line 31: `write-all` is more",
        ),
        (
            "    permissions:\n      contents: write # A move is a commit.\n      issues: write # An answer is a comment.\n",
            "    permissions: read-all\n",
            "to change: .github/workflows/play.yml, line 31: `read-all`",
        ),
        (
            "    if: >-\n",
            "    name: >-\n",
            "could be better: .github/workflows/play.yml, line 21: the job `play` has no `if:`",
        ),
        (
            GATE.0,
            GATE.1,
            "could be better: .github/workflows/play.yml, line 21: the `if:` does not mention the label `play-by-commit`",
        ),
        (
            "github.event.sender.type != 'Bot' && ",
            "",
            "could be better: .github/workflows/play.yml, line 22: the `if:` does not mention bots",
        ),
        (
            "cancel-in-progress: false",
            "cancel-in-progress: true",
            "could be better: .github/workflows/play.yml, line 35: `cancel-in-progress: true` kills",
        ),
        (
            "${{ github.event.issue.number || github.event_name }}\n      cancel-in-progress: false\n      queue: max",
            "x #",
            "to change: .github/workflows/play.yml, line 35: its concurrency group is the same for all issues",
        ),
        (
            "    concurrency:\n",
            "    env:\n",
            "could be better: .github/workflows/play.yml, line 21: it has no `concurrency:`",
        ),
        (
            "    timeout-minutes: 10\n",
            "",
            "could be better: .github/workflows/play.yml, line 21: the job `play` has no `timeout-minutes:`",
        ),
        (
            "    runs-on: ubuntu-slim\n",
            "",
            "to change: .github/workflows/play.yml, line 21: the job `play` has no `runs-on:`",
        ),
        (
            "ubuntu-slim",
            "windows-latest",
            "could be better: .github/workflows/play.yml, line 29: `windows-latest` costs",
        ),
        (
            "@v1",
            "@main",
            "could be better: .github/workflows/play.yml, line 39: `play-by-commit/play-by-commit@main` follows a branch",
        ),
        (
            "@v1",
            "@main",
            "to change: .github/workflows/play.yml, line 29: `play-by-commit/play-by-commit@main` is no release",
        ),
        ("@v1", "", "to change: .github/workflows/play.yml, line 39: `play-by-commit/play-by-commit` names no version"),
        (
            "doctor: ${{",
            "state_dir: ${{",
            "to change: .github/workflows/play.yml, line 41: there is no input `state_dir`, so it does nothing. `state-dir` is meant",
        ),
        (
            "doctor: ${{ inputs.doctor }}",
            "branch: a b",
            "to change: .github/workflows/play.yml, line 41: the input `branch` is the name of a branch",
        ),
        (
            "doctor: ${{ inputs.doctor }}",
            "pages: ../x",
            "to change: .github/workflows/play.yml, line 41: the input `pages` names",
        ),
        (
            "doctor: ${{ inputs.doctor }}",
            "sweep-days: 0",
            "to change: .github/workflows/play.yml, line 41: the input `sweep-days`",
        ),
        (
            "doctor: ${{ inputs.doctor }}",
            "dice-secret: hunter2",
            "to change: .github/workflows/play.yml, line 41: the `dice-secret` stands in the file",
        ),
        (
            "doctor: ${{ inputs.doctor }}",
            "token: ghp_x",
            "to change: .github/workflows/play.yml, line 39: the `token` stands in the file",
        ),
        (
            "doctor: ${{ inputs.doctor }}",
            "token: ${{ secrets.BOT }}",
            "not seen: .github/workflows/play.yml: it uses a token of its own",
        ),
        (
            "    steps:\n",
            "    steps:\n      - run: echo ${{ github.event.comment.body }}\n",
            "to change: .github/workflows/play.yml, line 39: a script of the same job",
        ),
    ] {
        finds(REMOTE, from, to, sentence);
    }
    let enterprise = "https://ghe.example/octo/games";
    finds(enterprise, "name: ", "name: ", "to change: .github/workflows/play.yml, line 35: `queue: max` is not known");
    finds(
        enterprise,
        "name: ",
        "name: ",
        "to change: .github/workflows/play.yml, line 29: `ubuntu-slim` is a runner of GitHub's",
    );
}

#[test]
fn what_is_wrong_with_the_forms_is_named() {
    for (path, text, sentence) in [
        (
            FORM,
            form().replace("- backgammon", "- halma"),
            "to change: .github/ISSUE_TEMPLATE/new-game.yml offers `halma`, and there is no such game.",
        ),
        (
            FORM,
            form().replace("        - backgammon\n", ""),
            "could be better: .github/ISSUE_TEMPLATE/new-game.yml does not offer backgammon.",
        ),
        (
            FORM,
            form().replace("label: Game", "label: Spiel"),
            "to change: .github/ISSUE_TEMPLATE/new-game.yml: the first question has to have the label `Game`",
        ),
        (
            FORM,
            form().replace("label: Options", "label: Colour"),
            "to change: .github/ISSUE_TEMPLATE/new-game.yml: with a question `Colour`",
        ),
        (
            FORM,
            form().replace("name: New game", "name: A new game"),
            "good: .github/ISSUE_TEMPLATE/new-game.yml: it offers the games that can be played.",
        ),
        (FORM, "a: [\n".to_owned(), "to change: .github/ISSUE_TEMPLATE/new-game.yml cannot be read as YAML"),
        (
            ".github/ISSUE_TEMPLATE/config.yml",
            "blank_issues_enabled: false\n".to_owned(),
            "could be better: .github/ISSUE_TEMPLATE/config.yml: with `blank_issues_enabled: false`",
        ),
    ] {
        let repo = healthy(REMOTE);
        repo.put(path, &text);
        said(&repo.run(&["doctor"]), sentence);
    }
    let repo = healthy(REMOTE);
    std::fs::remove_file(repo.0.join(FORM)).unwrap();
    said(&repo.run(&["doctor"]), "could be better: There is no .github/ISSUE_TEMPLATE/new-game.yml");
    repo.put(FORM, &form().replace("Leave it", "Leave that"));
    repo.put(WORKFLOW_PATH, &format!("{WORKFLOW}          games: tic-tac-toe\n"));
    said(
        &repo.run(&["doctor"]),
        "to change: .github/ISSUE_TEMPLATE/new-game.yml offers `backgammon`, and the input `games` does not allow it.",
    );
}

#[test]
fn what_is_wrong_with_the_games_is_named() {
    let record = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/boards/1.json")).unwrap();
    let repo = healthy(REMOTE);
    repo.put("state/1.json", &record);
    repo.put("state/archive/1-1.json", &record);
    repo.put("state/record.schema.json", "{}");
    said(&repo.run(&["doctor"]), "good: All 2 records in `state` replay.");
    for (path, text, sentence) in [
        ("state/2.json", record.as_str(), "to change: state/2.json is damaged: "),
        ("state/1.json", &record[..100], "to change: state/1.json is damaged: "),
        ("state/archive/1-7.json", &record, "to change: state/archive/1-7.json is damaged: `round` is 1"),
        ("state/players/ranking.tic-tac-toe.json", "{}", "to change: The standings are wrong: "),
        (
            "README.md",
            "<!-- play-by-commit:tables -->\n<!-- /play-by-commit:tables -->\n",
            "good: README.md: its markers are right.",
        ),
        (
            "README.md",
            "<!-- play-by-commit:table 3 -->\n<!-- /play-by-commit:table -->\n",
            "could be better: README.md shows table 3, and there is no record of it yet.",
        ),
        (
            "README.md",
            "x\n\n<!-- /play-by-commit:table -->\n",
            "to change: README.md: Line 3: The end of a table has no beginning.",
        ),
    ] {
        let repo = healthy(REMOTE);
        repo.put("state/1.json", &record);
        repo.put(path, text);
        said(&repo.run(&["doctor"]), sentence);
    }
    let repo = healthy(REMOTE);
    repo.put(WORKFLOW_PATH, &format!("{WORKFLOW}          pages: docs/play.md\n          state-dir: games\n"));
    repo.put("games/9.json", "{}");
    let ran = repo.run(&["doctor"]);
    said(&ran, "to change: The input `pages` names docs/play.md, and there is no such file");
    said(&ran, "to change: games/9.json is damaged");
    repo.put(WORKFLOW_PATH, &format!("{WORKFLOW}          branch: play\n"));
    said(&repo.run(&["doctor"]), "not seen: The games are on the branch `play`, which is not checked out here");
    assert!(!repo.run(&["doctor"]).out.contains("could be better: "));
    repo.put("README.md", "<!-- play-by-commit:table 1 -->\n<!-- /play-by-commit:table -->\n");
    said(&repo.run(&["doctor"]), "could be better: README.md has markers here, and with `branch: play` only");
}

#[test]
fn a_record_that_is_nearly_full_is_said_while_its_game_goes_on() {
    let repo = healthy(REMOTE);
    repo.run(&["play", "tic-tac-toe", "--repo", ".", "--players", "ann,ben"]).is(0, &["ann"]);
    let record = repo.text("state/1.json");
    // Spaces at the end are a part of the file, and change nothing in it.
    repo.put("state/1.json", &format!("{record}{}", " ".repeat(351_999 - record.len())));
    assert!(!repo.run(&["doctor"]).out.contains("could be better: "));
    repo.put("state/1.json", &format!("{record}{}", " ".repeat(352_000 - record.len())));
    said(
        &repo.run(&["doctor"]),
        "could be better: state/1.json has 352000 of the 440000 bytes that a record may have.",
    );
}
