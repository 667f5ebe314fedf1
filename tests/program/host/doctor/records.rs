//! Problems of records, standings and pages.

use setup::{WORKFLOW, WORKFLOW_PATH};

use super::{REMOTE, assert_says, healthy_repo};

#[test]
fn names_problems_of_the_games() {
    let record = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/boards/1.json")).unwrap();
    let repo = healthy_repo(REMOTE);
    repo.write("state/1.json", &record);
    repo.write("state/archive/1-1.json", &record);
    repo.write("state/record.schema.json", "{}");
    let bom = format!("\u{feff}{record}");
    let rematch = record.replace("\"round\": 1", "\"round\": 2");
    assert_says(&repo.run(&["doctor"]), "good: All 2 records in `state` replay correctly.");
    for (path, text, sentence) in [
        ("state/2.json", record.as_str(), "to change: state/2.json is damaged: "),
        ("state/1.json", &record[..100], "to change: state/1.json is damaged: "),
        ("state/archive/1-7.json", &record, "to change: state/archive/1-7.json is damaged: `round` is 1"),
        ("state/1.json", &bom, "to change: state/1.json is damaged: it begins with a byte order mark"),
        ("state/3.json/x", "x", "to change: state/3.json is damaged: `state/3.json` is not a file"),
        ("state/1.json", &rematch, "could be better: state/archive/1-1.json is missing"),
        (".gitignore", "target\nstate\n", "could be better: Git ignores `state`."),
        (
            "README.md",
            "```\n<!-- play-by-commit:table 3 -->\n<!-- /play-by-commit:table -->\n```\n",
            "could be better: README.md: its markers are inside a code block",
        ),
        ("state/tables.json", "{}", "could be better: state/tables.json is damaged: missing field `running`"),
        ("state/players/ranking.tic-tac-toe.json", "{}", "to change: The standings are wrong: "),
        (
            "README.md",
            "<!-- play-by-commit:tables -->\n<!-- /play-by-commit:tables -->\n",
            "good: README.md: its markers are correct.",
        ),
        (
            "README.md",
            "<!-- play-by-commit:table 3 -->\n<!-- /play-by-commit:table -->\n",
            "could be better: README.md shows table 3, but that table has no game yet.",
        ),
        (
            "README.md",
            "x\n\n<!-- /play-by-commit:table -->\n",
            "to change: README.md: Line 3: The end marker of a table has no start marker.",
        ),
    ] {
        let repo = healthy_repo(REMOTE);
        repo.write("state/1.json", &record);
        repo.write(path, text);
        assert_says(&repo.run(&["doctor"]), sentence);
    }
    let repo = healthy_repo(REMOTE);
    repo.write(WORKFLOW_PATH, &format!("{WORKFLOW}          pages: docs/play.md\n          state-dir: games\n"));
    repo.write("games/9.json", "{}");
    let ran = repo.run(&["doctor"]);
    assert_says(&ran, "to change: The input `pages` names docs/play.md, but the games' branch has no such file.");
    assert_says(&ran, "to change: games/9.json is damaged");
    repo.write(WORKFLOW_PATH, &format!("{WORKFLOW}          branch: play\n"));
    assert_says(
        &repo.run(&["doctor"]),
        "not checked: The games are on the branch `play`, which isn't checked out here",
    );
    assert!(!repo.run(&["doctor"]).out.contains("could be better: "));
    repo.write("README.md", "<!-- play-by-commit:table 1 -->\n<!-- /play-by-commit:table -->\n");
    assert_says(
        &repo.run(&["doctor"]),
        "could be better: README.md has markers here, but with `branch: play` the bot only updates pages on that branch.",
    );
}

#[test]
fn warns_of_a_nearly_full_record_of_a_running_game() {
    let repo = healthy_repo(REMOTE);
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
