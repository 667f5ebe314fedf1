//! Tests of `init` with a settings file.

use setup::{DAILY_WORKFLOW_PATH, FORM_PATH, WORKFLOW_PATH};

use super::{REMOTE, default_workflow};
use crate::host::Repo;

const PATH: &str = ".github/play-by-commit.yml";

#[test]
fn options_change_the_settings_file_if_there_is_one() {
    let repo = Repo::new(REMOTE);
    repo.write(PATH, "# Ours.\ngames: [chess, hex] # Both.\n\ntables: anyone\n");
    repo.run(&["init", "--games", "chess", "--branch", "play", "--yes"])
        .exits(0, &[".github/play-by-commit.yml: updated."]);
    assert_eq!(repo.read(PATH), "# Ours.\ngames: chess\n\ntables: anyone\nbranch: play\n");
    assert_eq!(repo.read(WORKFLOW_PATH), default_workflow());
    let form = repo.read(FORM_PATH);
    assert!(form.contains("- chess\n") && !form.contains("- hex\n"), "{form}");
    repo.run(&["init"]).exits(0, &["Nothing to change."]);
    repo.run(&["doctor"]).exits(0, &["good: .github/play-by-commit.yml: its settings are valid."]);
}

/// A workflow needs its labels in a condition, wherever they are set.
#[test]
fn labels_in_the_file_are_in_the_workflows_condition() {
    let repo = Repo::new(REMOTE);
    repo.write(PATH, "tables: anyone\n");
    repo.run(&["init", "--only-labels", "games", "--yes"]).exits(0, &[]);
    let workflow = repo.read(WORKFLOW_PATH);
    assert!(workflow.contains("labels.*.name, 'games')") && !workflow.contains("only-labels"), "{workflow}");
    assert_eq!(repo.read(PATH), "tables: anyone\nonly-labels: games\n");
}

#[test]
fn an_input_of_the_workflow_stays_there() {
    let repo = Repo::new(REMOTE);
    repo.run(&["init", "--games", "hex", "--yes"]).exits(0, &[]);
    repo.write(PATH, "tables: anyone\n");
    repo.run(&["init", "--games", "chess", "--yes"]).exits(0, &[]);
    assert!(repo.read(WORKFLOW_PATH).contains("          games: chess\n"));
    assert_eq!(repo.read(PATH), "tables: anyone\n");
    // If both have it, both change.
    repo.write(PATH, "games: chess\n");
    repo.run(&["init", "--games", "hex", "--yes"]).exits(0, &[]);
    assert!(repo.read(WORKFLOW_PATH).contains("          games: hex\n"));
    assert_eq!(repo.read(PATH), "games: hex\n");
    repo.run(&["doctor"]).exits(0, &["0 to change"]);
}

#[test]
fn a_server_needs_no_workflow() {
    let repo = Repo::new(REMOTE);
    let before = repo.files();
    repo.run(&["init", "--server"]).exits(0, &["Nothing to write: the server plays with the defaults."]);
    assert_eq!(repo.files(), before);
    repo.run(&["init", "--server", "--games", "chess,hex", "--yes"])
        .exits(0, &[".github/play-by-commit.yml: written.", "The server reads it there with the next comment."]);
    assert_eq!(repo.files().len(), before.len() + 1);
    let text = repo.read(PATH);
    assert!(text.starts_with("# yaml-language-server: $schema=") && text.ends_with("\ngames: chess,hex\n"), "{text}");
    repo.run(&["doctor"]).exits(0, &["No workflow here uses play-by-commit, so a server has to play."]);
    repo.run(&["init", "--server", "--site"]).exits(2, &[]);
    repo.write(DAILY_WORKFLOW_PATH, setup::DAILY_WORKFLOW);
    repo.run(&["init", "--server"]).exits(0, &["daily.yml: delete it. A workflow and a server must not both play."]);
}

#[test]
fn keeps_a_file_that_it_cannot_change() {
    for text in ["games: [chess\n", "{ games: chess }\n"] {
        let repo = Repo::new(REMOTE);
        repo.write(PATH, text);
        let ran = repo.run(&["init", "--games", "hex", "--yes"]);
        assert!(ran.code == Some(1) && ran.err.contains(PATH), "{ran:?}");
        assert_eq!(repo.read(PATH), text);
    }
}
