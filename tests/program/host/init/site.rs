//! Tests of the workflow for the website.

use setup::{SITE_WORKFLOW, SITE_WORKFLOW_PATH, WORKFLOW, WORKFLOW_PATH};

use super::{REMOTE, Repo, customized, default_workflow};

#[test]
fn writes_a_workflow_for_the_site() {
    let repo = Repo::new(REMOTE);
    let expected = ["site.yml: written.", "choose *GitHub Actions* as the source", "start *Site of the games* once"];
    repo.run(&["init", "--site"]).exits(0, &expected);
    let linked = format!("{}          site-url: 'https://octo.github.io/games/'\n", default_workflow());
    assert_eq!((repo.read(SITE_WORKFLOW_PATH), repo.read(WORKFLOW_PATH)), (SITE_WORKFLOW.to_owned(), linked));
    repo.run(&["init", "--site"]).exits(0, &["site.yml: up to date.", "play.yml: up to date."]);
    repo.run(&["doctor"])
        .exits(0, &["0 to change, 0 could be better", "site.yml: it publishes the site after each run."]);
    // Both workflows use the same place for the games.
    let repo = Repo::new(REMOTE);
    repo.run(&["init", "--site", "--branch", "play", "--state-dir", "games/state", "--version", "v1.2.3"])
        .exits(0, &[]);
    let text = repo.read(SITE_WORKFLOW_PATH);
    for line in [
        "    paths: [\"games/state/**\"]",
        "          ref: play",
        "          site: site\n          state-dir: games/state",
        "key: play-by-commit-site-${{ hashFiles('games/state/**') }}",
        "github.ref_name == 'play'",
        "play-by-commit@v1.2.3",
    ] {
        assert!(text.contains(line), "no {line:?} in {text}");
    }
    assert!(!text.contains("default_branch") && !text.contains("'state/"), "{text}");
    repo.run(&["doctor"]).exits(0, &["it publishes the site after each run."]);
    // Another workflow with this name stays.
    let repo = Repo::new(REMOTE);
    repo.write(SITE_WORKFLOW_PATH, "on: push\n");
    repo.run(&["init", "--site", "--yes"]).exits(0, &["games-site.yml: written."]);
    assert_eq!(repo.read(SITE_WORKFLOW_PATH), "on: push\n");
}

#[test]
fn the_site_follows_the_workflow_that_plays() {
    let repo = Repo::new(REMOTE);
    repo.write(WORKFLOW_PATH, &customized(WORKFLOW));
    repo.run(&["init", "--site"]).exits(0, &["site.yml: written.", "play.yml: up to date."]);
    let text = repo.read(SITE_WORKFLOW_PATH);
    for line in [
        "    workflows: [Our games, 'Our games, daily']\n",
        "    paths: [\"games/state/**\"]\n",
        "          ref: play\n",
        "          site: site\n          state-dir: games/state\n",
        "      - uses: play-by-commit/play-by-commit@0123456789abcdef0123456789abcdef01234567 # v1.2.3\n",
    ] {
        assert!(text.contains(line), "no {line:?} in {text}");
    }
    repo.run(&["doctor"]).exits(0, &["it publishes the site after each run."]);
    // It keeps the host's choices for the site, and follows the games to another branch.
    let own = text
        .replace("name: Site of the games\n", "name: Our site\n")
        .replace("runs-on: ubuntu-latest", "runs-on: ubuntu-24.04")
        .replace("timeout-minutes: 15", "timeout-minutes: 30 # It's large.")
        .replace("games/state\n", "games/state\n          site-url: https://games.example/ # Ours.\n");
    repo.write(SITE_WORKFLOW_PATH, &own);
    repo.run(&["init", "--site", "--yes"]).exits(0, &["site.yml: up to date."]);
    repo.run(&["init", "--branch", "next", "--yes"]).exits(0, &["site.yml: updated."]);
    assert_eq!(
        repo.read(SITE_WORKFLOW_PATH),
        own.replace("ref: play\n", "ref: next\n").replace("== 'play'", "== 'next'")
    );
    repo.run(&["init", "--tables", "anyone", "--yes"]).exits(0, &["play.yml: updated."]);
    // It repairs a site for another branch.
    repo.write(SITE_WORKFLOW_PATH, SITE_WORKFLOW);
    repo.run(&["doctor"]).exits(1, &["`next`. Set `ref: next`"]);
    repo.run(&["init", "--site", "--yes"]).exits(0, &["site.yml: updated."]);
    repo.run(&["doctor"]).exits(0, &["it publishes the site after each run."]);
    // An expression says where the games are, so `init` can't know it.
    repo.write(WORKFLOW_PATH, &format!("{WORKFLOW}          branch: ${{{{ vars.BRANCH }}}}\n"));
    repo.run(&["init", "--site", "--yes"]).exits(1, &["has an expression for `branch`"]);
}
