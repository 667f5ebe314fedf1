//! Tests of `doctor` in a work tree: a healthy one, and every problem that it can find.

use expect_test::{expect, expect_file};
use games::GameKind;
use setup::{DAILY_WORKFLOW, DAILY_WORKFLOW_PATH, FORM_PATH, WORKFLOW, WORKFLOW_PATH, issue_form};

use super::{Repo, RunResult};

/// Creates a repository with a good setup.
fn healthy_repo() -> Repo {
    let repo = Repo::new(Some("https://github.com/octo/games"));
    repo.write(WORKFLOW_PATH, WORKFLOW);
    repo.write(DAILY_WORKFLOW_PATH, DAILY_WORKFLOW);
    repo.write(FORM_PATH, &issue_form(&[]));
    repo
}

#[track_caller]
fn assert_says(ran: &RunResult, sentence: &str) {
    assert!(ran.out.lines().any(|line| line.starts_with(sentence)), "the output lacks {sentence:?}: {ran:?}");
    let is_error = ran.out.lines().any(|line| line.starts_with("to change: "));
    assert_eq!(ran.code, Some(i32::from(is_error)), "{ran:?}");
}

#[test]
fn finds_no_problem_and_changes_nothing() {
    let repo = healthy_repo();
    let files = repo.files();
    let ran = repo.run(&["doctor"]);
    ran.exits(0, &[]);
    expect![[r#"
        good: .github/workflows/daily.yml: it starts on a schedule and by hand.
        good: .github/workflows/daily.yml: its job can write contents and issues.
        good: .github/workflows/daily.yml: its job has a time limit, and the runs of one issue wait for each other.
        good: .github/workflows/daily.yml: its inputs are valid.
        good: .github/workflows/daily.yml: the action follows the tag `v1`. `play-by-commit init --version SHA` pins a commit instead.
        good: .github/workflows/play.yml: it starts on comments, on new issues and by hand.
        good: .github/workflows/play.yml: its job can write contents and issues.
        good: .github/workflows/play.yml: its `if:` lets commands in and keeps chat and bots out.
        good: .github/workflows/play.yml: its job has a time limit, and the runs of one issue wait for each other.
        good: .github/workflows/play.yml: its inputs are valid.
        good: .github/workflows/play.yml: the action follows the tag `v1`. `play-by-commit init --version SHA` pins a commit instead.
        good: .github/ISSUE_TEMPLATE/new-game.yml: up to date, with every game people can play.
        good: There are no records in `state` yet.
        not checked: GitHub's settings. `play-by-commit doctor --online OWNER/NAME` checks them, with a token in GITHUB_TOKEN. So does the workflow, if you start it by hand and check `doctor`.

        13 good, 0 to change, 0 could be better, 1 not checked.
    "#]]
    .assert_eq(&ran.out);
    assert_eq!(repo.files(), files);
    let own = super::check_own_repository();
    assert!(own.contains("0 to change"), "{own}");
}

/// Makes the changes of each paragraph in `doctor/NAME.txt` to a healthy repository, and checks that the lines after `> ` are
/// what the doctor then says and didn't say before.
#[track_caller]
fn check_findings(name: &str) {
    let path = format!("{}/tests/program/host/doctor/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let healthy = healthy_repo().run(&["doctor"]).out;
    let mut paragraphs = Vec::new();
    for paragraph in std::fs::read_to_string(&path).unwrap().trim_end().split("\n\n") {
        let changes: Vec<&str> = paragraph.lines().filter(|line| !line.starts_with("> ")).collect();
        let mut text = changes.join("\n");
        if changes.iter().any(|line| !line.starts_with('#')) {
            let repo = healthy_repo();
            change_files(&repo, &changes);
            let ran = repo.run(&["doctor"]);
            let is_error = ran.out.lines().any(|line| line.starts_with("to change: "));
            assert_eq!(ran.code, Some(i32::from(is_error)), "{ran:?}");
            let is_new = |line: &&str| !line.is_empty() && !healthy.lines().any(|known| known == *line);
            ran.out.lines().filter(is_new).for_each(|line| text += &format!("\n> {line}"));
        }
        paragraphs.push(text);
    }
    expect_file![path].assert_eq(&format!("{}\n", paragraphs.join("\n\n")));
}

/// Changes files of a repository. Each change is a line with a verb and paths, then the old lines after `-`, then the new ones
/// after `+`. Old lines that are replaced by others may be parts of lines.
#[track_caller]
fn change_files(repo: &Repo, changes: &[&str]) {
    let mut lines = changes.iter().peekable();
    while let Some(line) = lines.next() {
        let mut text = |sign: char| -> String {
            let marked = std::iter::from_fn(|| lines.next_if(|line| line.starts_with(sign)));
            marked.map(|line| format!("{}\n", &line[1..])).collect()
        };
        let (mut old, mut new) = (text('-'), text('+'));
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["#", ..] => {}
            ["replace", path] => {
                if !new.is_empty() {
                    old.pop();
                    new.pop();
                }
                let before = repo.read(path);
                assert!(before.contains(&old), "{path} has no {old:?}");
                repo.write(path, &before.replace(&old, &new));
            }
            ["append", path] => repo.write(path, &(repo.read(path) + &new)),
            ["write", path] => repo.write(path, &new),
            ["delete", path] => std::fs::remove_file(repo.0.join(path)).unwrap(),
            ["copy", from, path] => {
                repo.write(path, &std::fs::read_to_string(format!("{}/{from}", env!("CARGO_MANIFEST_DIR"))).unwrap());
            }
            ["remote", address] => repo.git(&["remote", "set-url", "origin", address]),
            _ => panic!("this is no change: {line}"),
        }
    }
}

#[test]
fn names_problems_of_a_workflow() {
    check_findings("workflow");
}

#[test]
fn names_problems_of_inputs() {
    check_findings("inputs");
}

#[test]
fn names_problems_of_the_settings_file() {
    check_findings("settings");
}

#[test]
fn names_problems_of_the_daily_workflow() {
    check_findings("daily");
}

#[test]
fn names_problems_of_the_site() {
    check_findings("site");
}

#[test]
fn names_problems_of_the_forms() {
    check_findings("forms");
    // The form that `init` writes if the input `games` allows only one game.
    let repo = healthy_repo();
    repo.write(FORM_PATH, &issue_form(&[GameKind::TicTacToe]));
    for (path, text) in [(WORKFLOW_PATH, WORKFLOW), (DAILY_WORKFLOW_PATH, DAILY_WORKFLOW)] {
        repo.write(path, &format!("{text}          games: tic-tac-toe\n"));
    }
    assert_says(&repo.run(&["doctor"]), "good: .github/ISSUE_TEMPLATE/new-game.yml: up to date");
}

#[test]
fn names_problems_of_the_games() {
    check_findings("records");
    let record = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/boards/1.json")).unwrap();
    let repo = healthy_repo();
    repo.write("state/1.json", &format!("\u{feff}{record}"));
    assert_says(&repo.run(&["doctor"]), "to change: state/1.json is damaged: it begins with a byte order mark");
}

#[test]
fn asks_the_host_to_remove_the_old_input_probe() {
    let offered =
        ["replace .github/workflows/play.yml", "-    inputs:", "+    inputs:", "+      probe: { type: boolean }"];
    let passed = ["append .github/workflows/play.yml", "+          probe: ${{ inputs.probe }}"];
    let advice = "there is no input `probe` any more. Remove it from the step and from `workflow_dispatch:`.";
    for changes in [&offered[..], &[&offered[..], &passed].concat()] {
        let repo = healthy_repo();
        change_files(&repo, changes);
        repo.run(&["init", "--yes"]).exits(0, &[&format!("{WORKFLOW_PATH}: {advice}")]);
    }
}

#[test]
fn reports_a_file_that_is_not_utf_8() {
    for path in ["README.md", FORM_PATH, ".github/workflows/other.yml"] {
        let repo = healthy_repo();
        std::fs::write(repo.0.join(path), b"name: caf\xe9\n").unwrap();
        assert_says(&repo.run(&["doctor"]), &format!("to change: `{path}` isn't UTF-8; save it as UTF-8."));
    }
}

#[test]
fn warns_of_a_nearly_full_record_of_a_running_game() {
    let repo = healthy_repo();
    repo.run(&["play", "tic-tac-toe", "--repo", ".", "--players", "ann,ben"]).exits(0, &["ann"]);
    let record = repo.read("state/1.json");
    // Trailing spaces make the file larger without changing the game.
    repo.write("state/1.json", &format!("{record}{}", " ".repeat(351_999 - record.len())));
    assert!(!repo.run(&["doctor"]).out.contains("could be better: "));
    let running = repo.read("state/running/1.json");
    std::fs::remove_file(repo.0.join("state/running/1.json")).unwrap();
    assert_says(
        &repo.run(&["doctor"]),
        "could be better: state/running/1.json is missing, so lists leave that game out.",
    );
    repo.write("state/running/1.json", &running);
    repo.write("state/1.json", &format!("{record}{}", " ".repeat(352_000 - record.len())));
    assert_says(&repo.run(&["doctor"]), "could be better: state/1.json has 352000 of at most 440000 bytes.");
}
