//! The issue form of `init`, and the forms of others.

use games::GameKind;
use setup::{FORM_PATH, issue_form};

use super::REMOTE;
use crate::host::Repo;

#[test]
fn leaves_the_form_out_on_request() {
    let hidden = "hides the issue templates that your organization shares with all its repositories";
    let repo = Repo::new(REMOTE);
    let ran = repo.run(&["init", "--no-form", "--yes"]);
    assert!(!ran.exits(0, &["play.yml: written."]).out.contains(hidden), "{ran:?}");
    assert!(!repo.0.join(FORM_PATH).exists());
    repo.run(&["init"]).exits(0, &["new-game.yml: written.", hidden, "`--no-form` leaves it out"]);
    assert!(!repo.run(&["init"]).out.contains(hidden));
    // An existing form stays as it is, and where there are templates already, nothing is hidden.
    let ran = repo.run(&["init", "--no-form", "--games", "chess", "--yes"]);
    assert!(!ran.exits(0, &[]).out.contains(FORM_PATH), "{ran:?}");
    assert_eq!(repo.read(FORM_PATH), issue_form(&[]));
    let repo = Repo::new(REMOTE);
    repo.write(".github/ISSUE_TEMPLATE/bug.md", "---\nname: Bug\nabout: x\n---\n");
    assert!(!repo.run(&["init"]).exits(0, &["new-game.yml: written."]).out.contains(hidden));
}

#[test]
fn changes_only_the_games_in_a_form() {
    let repo = Repo::new(REMOTE);
    let custom = |games: &[GameKind]| {
        let form = issue_form(games).replace("name: New game", "name: Nouvelle partie # Ours.");
        form.replace("labels: [play-by-commit]", "labels: [play-by-commit, fun]\nassignees: [octo]")
    };
    repo.write(FORM_PATH, &custom(&[GameKind::Chess, GameKind::Hex]));
    let ran = repo.run(&["init", "--games", "chess,othello", "--yes"]);
    ran.exits(0, &["\n-        - hex\n+        - othello\n", "new-game.yml: updated."]);
    assert_eq!(repo.read(FORM_PATH), custom(&[GameKind::Chess, GameKind::Othello]));
    repo.run(&["doctor"]).exits(0, &["0 to change, 0 could be better"]);
    // A form with more questions starts no game, and only its author knows what they are for.
    let more = format!("{}  - type: input\n    attributes: {{ label: Prize }}\n", custom(&[GameKind::Chess]));
    repo.write(FORM_PATH, &more);
    let why = "new-game.yml: left unchanged, because it has parts of your own. `play-by-commit doctor` checks it.";
    repo.run(&["init", "--yes"]).exits(0, &[why]);
    assert_eq!(repo.read(FORM_PATH), more);
    repo.run(&["doctor"]).exits(1, &["remove the question `Prize`"]);
}

#[test]
fn leaves_a_deleted_or_foreign_form_alone() {
    let repo = Repo::new(REMOTE);
    let foreign = "name: New game idea\nbody:\n  - type: textarea\n    attributes: { label: Idea }\n";
    repo.write(FORM_PATH, foreign);
    repo.run(&["init", "--yes"]).exits(0, &["new-game.yml: left unchanged, because it isn't a form for games."]);
    assert_eq!(repo.read(FORM_PATH), foreign);
    std::fs::remove_file(repo.0.join(FORM_PATH)).unwrap();
    repo.run(&["init"]).exits(0, &["new-game.yml: written."]);
    for words in
        [&["add", "."][..], &["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "--quiet", "-m", "Games"]]
    {
        assert!(repo.command("git").args(words).status().unwrap().success());
    }
    std::fs::remove_file(repo.0.join(FORM_PATH)).unwrap();
    repo.run(&["init", "--yes"]).exits(0, &["new-game.yml: not written, because you deleted it."]);
    assert!(!repo.0.join(FORM_PATH).exists());
}

#[test]
fn explains_what_closed_forms_break() {
    let repo = Repo::new(REMOTE);
    repo.write(".github/ISSUE_TEMPLATE/config.yml", "blank_issues_enabled: false\n");
    repo.run(&["init"]).exits(0, &["says `blank_issues_enabled: false`. The links of a board"]);
    assert_eq!(repo.read(".github/ISSUE_TEMPLATE/config.yml"), "blank_issues_enabled: false\n");
    repo.write(".github/ISSUE_TEMPLATE/config.yml", "blank_issues_enabled: true\n");
    assert!(!repo.run(&["init"]).out.contains("blank_issues"));
}
