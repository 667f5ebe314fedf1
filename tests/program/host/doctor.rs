//! Tests of `doctor` in a work tree: a healthy one, and every problem that it can find.

mod records;

use games::GameKind;
use setup::{
    DAILY_WORKFLOW, DAILY_WORKFLOW_PATH, FORM_PATH, SITE_WORKFLOW, SITE_WORKFLOW_PATH, WORKFLOW, WORKFLOW_PATH,
    issue_form,
};

use super::{Repo, RunResult};

const FORM: &str = FORM_PATH;

/// Creates a repository with a good setup.
fn healthy_repo(remote: &str) -> Repo {
    let repo = Repo::new(Some(remote));
    repo.write(WORKFLOW_PATH, WORKFLOW);
    repo.write(DAILY_WORKFLOW_PATH, DAILY_WORKFLOW);
    repo.write(FORM, &issue_form(&[]));
    repo
}

/// Writes both workflows with these inputs.
fn write_inputs(repo: &Repo, inputs: &str) {
    repo.write(WORKFLOW_PATH, &format!("{WORKFLOW}{inputs}"));
    repo.write(DAILY_WORKFLOW_PATH, &format!("{DAILY_WORKFLOW}{inputs}"));
}

const REMOTE: &str = "https://github.com/octo/games";
/// The template's trigger for comments.
const ON_COMMENT: &str = "  issue_comment: # zizmor: ignore[dangerous-triggers] Nothing that a commenter wrote is checked out or run.\n    types: [created]\n";
/// The version in the template, with its comment.
const USED: &str = "@v1 # zizmor: ignore[unpinned-uses] `init --version SHA` pins a commit.";
/// A commit to replace [`USED`].
const COMMIT: &str = "@0123456789abcdef0123456789abcdef01234567";

#[test]
fn finds_no_problem_and_changes_nothing() {
    let repo = healthy_repo(REMOTE);
    let files = repo.files();
    let ran = repo.run(&["doctor"]);
    ran.exits(0, &["13 good, 0 to change, 0 could be better, 1 not checked.", "not checked: GitHub's settings"]);
    for section in [
        "it starts on comments",
        "its job can write contents and issues",
        "its `if:` lets commands in",
        "its job has a time limit",
        "its inputs are valid",
        "the action follows the tag `v1`",
    ] {
        assert!(
            ran.out.contains(&format!("good: {WORKFLOW_PATH}: ")) && ran.out.contains(section),
            "{section}: {}",
            ran.out
        );
    }
    assert_eq!(repo.files(), files);
    let own = super::check_own_repository();
    assert!(own.contains("0 to change"), "{own}");
}

/// Asserts that the doctor reports this finding after a change to the workflow.
#[track_caller]
fn assert_finds(remote: &str, from: &str, to: &str, sentence: &str) {
    assert!(from.is_empty() || WORKFLOW.contains(from), "the workflow has no {from:?}");
    let repo = healthy_repo(remote);
    let text = if from.is_empty() { to.to_owned() } else { WORKFLOW.replace(from, to) };
    repo.write(WORKFLOW_PATH, &text);
    if from.is_empty() {
        std::fs::remove_file(repo.0.join(DAILY_WORKFLOW_PATH)).unwrap();
    }
    assert_says(&repo.run(&["doctor"]), sentence);
}

#[track_caller]
fn assert_says(ran: &RunResult, sentence: &str) {
    assert!(ran.out.lines().any(|line| line.starts_with(sentence)), "the output lacks {sentence:?}: {ran:?}");
    let is_error = ran.out.lines().any(|line| line.starts_with("to change: "));
    assert_eq!(ran.code, Some(i32::from(is_error)), "{ran:?}");
}

#[test]
fn finds_a_step_without_the_inputs_of_run_workflow() {
    let with = "        with:\n          doctor: ${{ inputs.doctor }}\n";
    let sentence = "line 11: the step doesn't get the input `doctor`, so *Run workflow* plays instead.";
    let to = "        with:\n          branch: play\n";
    assert_finds(REMOTE, with, to, &format!("to change: {WORKFLOW_PATH}, {sentence}"));
}

#[test]
fn finds_a_site_that_no_move_reaches() {
    let shown = "${{ github.event.repository.default_branch }}";
    for (from, to, sentence) in [
        (
            &format!("ref: {shown}")[..],
            "ref: other",
            "it reads `other`, but .github/workflows/play.yml plays on the default branch. Set `ref: ${{ github",
        ),
        ("-${{ hashFiles('state/**')", "-${{ hashFiles('games/**')", "Use `hashFiles('state/**')`"),
        ("workflows: [Play by Commit,", "workflows: [Play,", "moves don't reach the site"),
        ("      pages: write # To publish the site.\n", "", "GitHub can't publish the site without `pages: write`"),
        (
            "      id-token: write # Pages verifies who publishes.\n",
            "",
            "GitHub can't publish the site without `id-token: write`",
        ),
        (
            "          site: site\n",
            "          site: site\n          state-dir: other\n",
            "its `state-dir` differs from the one in .github/workflows/play.yml",
        ),
    ] {
        assert!(SITE_WORKFLOW.contains(from), "the workflow has no {from:?}");
        let repo = healthy_repo(REMOTE);
        repo.write(SITE_WORKFLOW_PATH, &SITE_WORKFLOW.replace(from, to));
        let ran = repo.run(&["doctor"]);
        let found = ran.out.lines().any(|line| line.starts_with("to change: ") && line.contains(sentence));
        assert!(found && ran.code == Some(1), "{sentence}: {ran:?}");
    }
    // The games are on another branch.
    let repo = healthy_repo(REMOTE);
    write_inputs(&repo, "          branch: play\n");
    for (at, sentence) in [
        (shown, "it reads `the default branch`, but .github/workflows/play.yml plays on `play`. Set `ref: play`"),
        ("other", "it reads `other`, but .github/workflows/play.yml plays on `play`. Set `ref: play`"),
    ] {
        repo.write(SITE_WORKFLOW_PATH, &SITE_WORKFLOW.replace(shown, at));
        repo.run(&["doctor"]).exits(1, &[sentence]);
    }
    for at in ["play", "refs/heads/play", "${{ vars.BRANCH }}"] {
        repo.write(SITE_WORKFLOW_PATH, &SITE_WORKFLOW.replace(&format!("ref: {shown}"), &format!("ref: {at}")));
        repo.run(&["doctor"]).exits(0, &["it publishes the site after each run."]);
    }
    let repo = healthy_repo("https://ghe.example/octo/games");
    repo.write(SITE_WORKFLOW_PATH, SITE_WORKFLOW);
    repo.run(&["doctor"])
        .exits(1, &["don't run on GitHub Enterprise Server. From 3.9 on, use actions/deploy-pages@v3"]);
    let repo = healthy_repo(REMOTE);
    repo.write(WORKFLOW_PATH, &WORKFLOW.replace("name: Play by Commit", "name: Games"));
    repo.write(SITE_WORKFLOW_PATH, SITE_WORKFLOW);
    repo.run(&["doctor"]).exits(1, &["Set `workflow_run:` with `workflows: [Games, 'Play by Commit, daily']`"]);
}

#[test]
fn asks_the_host_to_remove_the_old_input_probe() {
    let repo = healthy_repo(REMOTE);
    let offers = "    inputs:\n";
    assert!(WORKFLOW.contains(offers));
    let offering = WORKFLOW.replace(offers, &format!("{offers}      probe: {{ type: boolean }}\n"));
    let advice = "there is no input `probe` any more. Remove it from the step and from `workflow_dispatch:`.";
    for (text, line) in [(&offering, 11), (&format!("{offering}          probe: ${{{{ inputs.probe }}}}\n"), 41)] {
        repo.write(WORKFLOW_PATH, text);
        let sentence = format!("could be better: {WORKFLOW_PATH}, line {line}: {advice}");
        repo.run(&["doctor"]).exits(0, &[&sentence, "0 to change, 1 could be better"]);
        repo.run(&["init", "--yes"]).exits(0, &[&format!("{WORKFLOW_PATH}: {advice}")]);
    }
}

/// The doctor knows all inputs of the action.
#[test]
fn accepts_every_input_with_a_valid_value() {
    let repo = healthy_repo(REMOTE);
    let more = "          skip-ci: 'true'\n          close: 'false'\n          release-url: https://mirror.example/x\n          verify-attestation: 'true'\n";
    write_inputs(&repo, more);
    repo.run(&["doctor"]).exits(0, &["0 to change, 0 could be better"]);
}

#[test]
fn the_commit_of_a_release_needs_no_rust() {
    let repo = healthy_repo(REMOTE);
    repo.write(WORKFLOW_PATH, &WORKFLOW.replace(USED, &format!("{COMMIT} # v1.2.3")));
    repo.run(&["doctor"]).exits(0, &["0 to change, 0 could be better", "pinned to the commit 0123456."]);
}

#[test]
fn finds_two_workflows_with_the_same_games() {
    let repo = healthy_repo(REMOTE);
    repo.write(".github/workflows/twin.yml", WORKFLOW);
    let ran = repo.run(&["doctor"]);
    assert_says(
        &ran,
        "to change: .github/workflows/twin.yml, line 37: .github/workflows/play.yml plays the same games",
    );
    repo.write(".github/workflows/twin.yml", &format!("{WORKFLOW}          state-dir: other\n"));
    assert_says(&repo.run(&["doctor"]), "could be better: More than one step plays here");
}

#[test]
fn reports_a_file_that_is_not_utf_8() {
    for path in ["README.md", FORM, ".github/workflows/other.yml"] {
        let repo = healthy_repo(REMOTE);
        std::fs::write(repo.0.join(path), b"name: caf\xe9\n").unwrap();
        assert_says(&repo.run(&["doctor"]), &format!("to change: `{path}` isn't UTF-8; save it as UTF-8."));
    }
}

#[test]
fn names_problems_of_a_workflow_with_their_lines() {
    const GATE: (&str, &str) = ("    if: >-\n", "    if: true\n    name: >-\n");
    for (from, to, sentence) in [
        ("", "", "to change: No workflow here uses play-by-commit"),
        ("", "# play-by-commit\non: [\n", "to change: .github/workflows/play.yml can't be read as YAML: line "),
        (ON_COMMENT, "", "to change: .github/workflows/play.yml, line 5: `issue_comment` doesn't start it."),
        (
            "types: [created]",
            "types: [edited]",
            "to change: .github/workflows/play.yml, line 6: `issue_comment` doesn't start it for `created`.",
        ),
        (
            "types: [created]",
            "types: [created, edited]",
            "could be better: .github/workflows/play.yml, line 6: `issue_comment` with `edited` starts runs that never change a game",
        ),
        (
            ON_COMMENT,
            "  issue_comment:\n",
            "could be better: .github/workflows/play.yml, line 5: `issue_comment` also starts it for events that never change a game",
        ),
        (
            "  issues:\n    types: [opened]\n",
            "  pull_request:\n",
            "to change: .github/workflows/play.yml, line 5: games don't use `pull_request`",
        ),
        (
            "  issues:\n    types: [opened]\n",
            "",
            "to change: .github/workflows/play.yml, line 5: `issues` doesn't start it.",
        ),
        (
            "  workflow_dispatch:\n    inputs:\n",
            "  workflow_call:\n    inputs:\n",
            "could be better: .github/workflows/play.yml, line 5: you can't start it by hand",
        ),
        (
            "      contents: write # A move is a commit.\n",
            "",
            "to change: .github/workflows/play.yml, line 30: the bot can't commit without `contents: write`",
        ),
        (
            "issues: write",
            "issues: read",
            "to change: .github/workflows/play.yml, line 30: the bot can't answer without `issues: write` in the job's permissions.",
        ),
        (
            "      issues: write",
            "      actions: write\n      issues: write",
            "could be better: .github/workflows/play.yml, line 30: the bot doesn't need `actions: write`",
        ),
        (
            "permissions: {}\n",
            "",
            "could be better: .github/workflows/play.yml, line 1: it has no `permissions: {}` at the top",
        ),
        (
            "    permissions:\n      contents: write # A move is a commit.\n      issues: write # An answer is a comment.\n",
            "",
            "to change: .github/workflows/play.yml, line 13: the bot can't commit without `contents: write`",
        ),
        (
            "    permissions:\n      contents: write # A move is a commit.\n      issues: write # An answer is a comment.\n",
            "    permissions: write-all\n",
            "could be better: .github/workflows/play.yml, line 29: `write-all` grants too much",
        ),
        (
            "    permissions:\n      contents: write # A move is a commit.\n      issues: write # An answer is a comment.\n",
            "    permissions: read-all\n",
            "to change: .github/workflows/play.yml, line 29: with `read-all`, the bot can neither commit nor answer",
        ),
        (
            "    if: >-\n",
            "    name: >-\n",
            "could be better: .github/workflows/play.yml, line 18: the job `play` has no `if:`",
        ),
        (
            GATE.0,
            GATE.1,
            "could be better: .github/workflows/play.yml, line 18: the `if:` doesn't mention the label `play-by-commit`",
        ),
        (
            "github.event.sender.type != 'Bot' && ",
            "",
            "could be better: .github/workflows/play.yml, line 19: the `if:` doesn't mention bots",
        ),
        (
            "cancel-in-progress: false",
            "cancel-in-progress: true",
            "could be better: .github/workflows/play.yml, line 33: `cancel-in-progress: true` stops",
        ),
        (
            "${{ github.event.issue.number || github.event_name }}\n      cancel-in-progress: false\n      queue: max",
            "x #",
            "to change: .github/workflows/play.yml, line 33: its concurrency group is the same for all issues",
        ),
        (
            "    concurrency:\n",
            "    env:\n",
            "could be better: .github/workflows/play.yml, line 18: it has no `concurrency:`",
        ),
        (
            "    timeout-minutes: 10\n",
            "",
            "could be better: .github/workflows/play.yml, line 18: the job `play` has no `timeout-minutes:`",
        ),
        (
            "    runs-on: ubuntu-slim\n",
            "",
            "to change: .github/workflows/play.yml, line 18: the job `play` has no `runs-on:`",
        ),
        (
            "ubuntu-slim",
            "windows-latest",
            "could be better: .github/workflows/play.yml, line 27: in a private repository, `windows-latest` costs",
        ),
        (
            "@v1",
            "@main",
            "could be better: .github/workflows/play.yml, line 37: `play-by-commit/play-by-commit@main` follows a branch",
        ),
        (
            "@v1",
            "@main",
            "to change: .github/workflows/play.yml, line 27: `play-by-commit/play-by-commit@main` isn't a release",
        ),
        (USED, COMMIT, "good: .github/workflows/play.yml: the action is pinned to the commit 0123456."),
        (
            USED,
            COMMIT,
            "to change: .github/workflows/play.yml, line 27: `play-by-commit/play-by-commit@0123456789abcdef0123456789abcdef01234567` isn't a release",
        ),
        (USED, COMMIT, "could be better: .github/workflows/play.yml, line 28: `play-by-commit/play-by-commit@0123456"),
        ("@v1", "@v9", "could be better: .github/workflows/play.yml, line 37: this program doesn't know `v9`"),
        (
            "play-by-commit/play-by-commit@v1",
            "evil/play-by-commit@v1",
            "could be better: .github/workflows/play.yml, line 37: `evil/play-by-commit` isn't the action of this project",
        ),
        ("@v1", "", "to change: .github/workflows/play.yml, line 37: `play-by-commit/play-by-commit` names no version"),
        (
            "doctor: ${{",
            "state_dir: ${{",
            "to change: .github/workflows/play.yml, line 39: there is no input `state_dir`, so it does nothing. Perhaps you mean `state-dir`",
        ),
        (
            "doctor: ${{ inputs.doctor }}",
            "branch: a b",
            "to change: .github/workflows/play.yml, line 39: set the input `branch` to the name of a branch",
        ),
        (
            "doctor: ${{ inputs.doctor }}",
            "pages: ../x",
            "to change: .github/workflows/play.yml, line 39: set the input `pages` to up to 4 files",
        ),
        (
            "doctor: ${{ inputs.doctor }}",
            "sweep-days: 0",
            "to change: .github/workflows/play.yml, line 39: set the input `sweep-days`",
        ),
        (
            "doctor: ${{ inputs.doctor }}",
            "dice-secret: hunter2",
            "to change: .github/workflows/play.yml, line 39: everyone can read the `dice-secret` in this file",
        ),
        (
            "doctor: ${{ inputs.doctor }}",
            "skip-ci: maybe",
            "to change: .github/workflows/play.yml, line 39: set the input `skip-ci` to `true` or `false`",
        ),
        (
            "doctor: ${{ inputs.doctor }}",
            "token: ghp_x",
            "to change: .github/workflows/play.yml, line 37: everyone can read the `token` in this file",
        ),
        (
            "doctor: ${{ inputs.doctor }}",
            "token: ${{ secrets.BOT }}",
            "not checked: .github/workflows/play.yml: the permissions of its own token.",
        ),
        (
            "    steps:\n",
            "    steps:\n      - run: echo ${{ github.event.comment.body }}\n",
            "to change: .github/workflows/play.yml, line 37: a script in the same job contains the text",
        ),
    ] {
        assert_finds(REMOTE, from, to, sentence);
    }
    let enterprise = "https://ghe.example/octo/games";
    assert_finds(
        enterprise,
        "name: ",
        "name: ",
        "to change: .github/workflows/play.yml, line 33: GitHub Enterprise Server doesn't know `queue: max`",
    );
    assert_finds(
        enterprise,
        "name: ",
        "name: ",
        "to change: .github/workflows/play.yml, line 27: `ubuntu-slim` is one of GitHub's own runners",
    );
}

/// GitHub may disable the daily workflow, and it may have been left out: games go on without it.
#[test]
fn names_problems_of_the_daily_workflow() {
    let daily = "        with:\n          doctor: ${{ inputs.doctor }}\n";
    for (from, to, sentence) in [
        (
            "37 4 * * *",
            "99 4 * * *",
            "to change: .github/workflows/daily.yml, line 6: GitHub rejects the whole workflow because of",
        ),
        (
            "  workflow_dispatch:\n    inputs:\n",
            "  push:\n    inputs:\n",
            "could be better: .github/workflows/daily.yml, line 5: you can't start it",
        ),
        (
            "      contents: write",
            "      content: write",
            "to change: .github/workflows/daily.yml, line 18: the bot can't commit",
        ),
        (
            "    runs-on:",
            "    if: github.actor == 'bob'\n    runs-on:",
            "could be better: .github/workflows/daily.yml, line 15: the `if:` doesn't mention `schedule`",
        ),
        (
            daily,
            &format!("{daily}          branch: play\n"),
            "to change: .github/workflows/daily.yml, line 24: its `branch` or `state-dir` differs",
        ),
        (
            daily,
            &format!("{daily}          tables: anyone\n          sweep-days: 3\n"),
            "could be better: .github/workflows/daily.yml, line 24: the daily run has other inputs than .github/workflows/play.yml: `tables`.",
        ),
        (
            "  schedule:\n    - cron",
            "  other:\n    - cron",
            "to change: .github/workflows/play.yml, line 37: .github/workflows/daily.yml plays the same games",
        ),
    ] {
        assert!(DAILY_WORKFLOW.contains(from), "the workflow has no {from:?}");
        let repo = healthy_repo(REMOTE);
        repo.write(DAILY_WORKFLOW_PATH, &DAILY_WORKFLOW.replace(from, to));
        assert_says(&repo.run(&["doctor"]), sentence);
    }
    let repo = healthy_repo(REMOTE);
    std::fs::remove_file(repo.0.join(DAILY_WORKFLOW_PATH)).unwrap();
    assert_says(
        &repo.run(&["doctor"]),
        "could be better: .github/workflows/play.yml: no workflow here has a `schedule:`",
    );
    // An old single file works as it is.
    repo.write(
        WORKFLOW_PATH,
        &WORKFLOW.replace("  workflow_dispatch:\n", "  schedule:\n    - cron: '1 2 * * *'\n  workflow_dispatch:\n"),
    );
    repo.run(&["doctor"])
        .exits(0, &["0 to change, 2 could be better", "`play-by-commit init` moves the schedule to a file of its own"]);
    std::fs::remove_file(repo.0.join(WORKFLOW_PATH)).unwrap();
    repo.write(DAILY_WORKFLOW_PATH, DAILY_WORKFLOW);
    assert_says(
        &repo.run(&["doctor"]),
        "to change: .github/workflows/daily.yml: no workflow here has comments start it",
    );
    // A server of one's own has no free minutes and no runners of GitHub.
    let repo = healthy_repo("https://ghe.example/octo/games");
    repo.write(WORKFLOW_PATH, &WORKFLOW.replace(USED, COMMIT));
    assert!(!repo.run(&["doctor"]).out.contains("ubuntu-latest"), "it recommends a runner of GitHub");
}

#[test]
fn names_problems_of_the_forms() {
    for (path, text, sentence) in [
        (
            FORM,
            issue_form(&[]).replace("- backgammon", "- halma"),
            "to change: .github/ISSUE_TEMPLATE/new-game.yml offers `halma`, but there is no such game.",
        ),
        (
            FORM,
            issue_form(&[]).replace("        - backgammon\n", ""),
            "could be better: .github/ISSUE_TEMPLATE/new-game.yml doesn't offer backgammon.",
        ),
        (
            FORM,
            issue_form(&[]).replace("label: Game", "label: Spiel"),
            "to change: .github/ISSUE_TEMPLATE/new-game.yml: label the first question `Game`",
        ),
        (
            FORM,
            issue_form(&[]).replace("label: Options", "label: Colour"),
            "to change: .github/ISSUE_TEMPLATE/new-game.yml: remove the question `Colour`",
        ),
        (
            FORM,
            issue_form(&[]).replace("        - chess\n", "        - chess\n        - gomoku\n"),
            "good: .github/ISSUE_TEMPLATE/new-game.yml: it offers every game people can play.",
        ),
        (
            FORM,
            issue_form(&[]).replace("name: New game", "name: A new game"),
            "good: .github/ISSUE_TEMPLATE/new-game.yml: it offers every game people can play.",
        ),
        (FORM, "a: [\n".to_owned(), "to change: .github/ISSUE_TEMPLATE/new-game.yml can't be read as YAML"),
        (
            ".github/ISSUE_TEMPLATE/config.yml",
            "blank_issues_enabled: false\n".to_owned(),
            "could be better: .github/ISSUE_TEMPLATE/config.yml: with `blank_issues_enabled: false`",
        ),
    ] {
        let repo = healthy_repo(REMOTE);
        repo.write(path, &text);
        assert_says(&repo.run(&["doctor"]), sentence);
    }
    let repo = healthy_repo(REMOTE);
    std::fs::remove_file(repo.0.join(FORM)).unwrap();
    assert_says(&repo.run(&["doctor"]), "could be better: There is no .github/ISSUE_TEMPLATE/new-game.yml");
    write_inputs(&repo, "          only-labels: games\n");
    assert_says(&repo.run(&["doctor"]), "could be better: There is no .github/ISSUE_TEMPLATE/board-link.yml");
    repo.write(FORM, &issue_form(&[GameKind::TicTacToe]));
    write_inputs(&repo, "          games: tic-tac-toe\n");
    assert_says(&repo.run(&["doctor"]), "good: .github/ISSUE_TEMPLATE/new-game.yml: up to date");
    repo.write(FORM, &issue_form(&[]));
    write_inputs(&repo, "          games: tic-tac-toe\n");
    assert_says(
        &repo.run(&["doctor"]),
        "to change: .github/ISSUE_TEMPLATE/new-game.yml offers `backgammon`, but the input `games` doesn't allow it.",
    );
}
