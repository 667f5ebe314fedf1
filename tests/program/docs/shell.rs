//! Runs the command lines on the pages.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use table::IssueNumber;
use table::state_file::to_json;
use testkit::Scenario;

use super::{Code, code, pages, root};

/// Command lines that this test skips, with reasons.
const NOT_RUN: [(&str, &str); 26] = [
    ("cargo test", "this very test is part of it"),
    (
        "cargo run --profile test -p play-by-commit-testkit --example simulate",
        "the same stories are told by `cargo test --test simulator`",
    ),
    (
        "cargo run --profile test -p play-by-commit-testkit --example small_worlds",
        "`cargo test --test simulator` walks the quick ones",
    ),
    (
        "cargo run --profile test -p play-by-commit-testkit --example records",
        "it takes minutes; `.ci/run` makes a few of them",
    ),
    ("cargo run --profile test -p play-by-commit-testkit --example waiting", "it takes minutes"),
    ("time target/release/play-by-commit site", "it measures ten thousand games, and `.ci/run` makes a site of a few"),
    ("PLAY_BY_COMMIT_FULL=1 cargo test", "`.ci/run test` does it"),
    ("PLAY_BY_COMMIT_LONG=1 cargo test", "it takes minutes; `.ci/run long-tests` does it every night"),
    ("PLAY_BY_COMMIT_LIVE=OWNER/NAME", "it needs GitHub; `tests/program/live.rs` runs the same on the fake one"),
    ("cargo bench", "it takes minutes"),
    ("cargo build", "it takes minutes"),
    ("cargo install", "it takes minutes"),
    ("benches/step", "it needs more than Rust and git, so `.ci/run` runs it"),
    ("fuzz/run.sh", "it takes minutes"),
    ("tests/simulator/mutations.py", "it takes hours"),
    ("openssl", "a program of others"),
    ("python3 tests/strength/", "it installs opponents, and takes hours"),
    ("training/make.sh", "it takes most of an hour"),
    ("curl -O", "it downloads the script of the next line"),
    ("python3 verify_dice.py", "`.ci/run` runs it on records, true and forged"),
    ("git checkout COMMIT", "there is no such commit"),
    ("play-by-commit move 42 --to 7 --from", "there is no other repository"),
    ("play-by-commit init --only-labels", "it asks before it changes a workflow"),
    ("play-by-commit adopt", "this repository has no ID"),
    ("play-by-commit remove 42", "other commands need that game"),
    ("git push", "there is nowhere to push to"),
];

/// A host's temporary repository: a finished backgammon match at table 42, a running game at table 12, and a chess game to import.
struct TempRepo(PathBuf);

impl TempRepo {
    fn new() -> TempRepo {
        let dir = std::env::temp_dir().join(format!("play-by-commit-docs-{}", std::process::id()));
        _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(dir.join("state")).unwrap();
        let record = fs::read_to_string(root().join("tests/records/backgammon-drops/1.json")).unwrap();
        fs::write(dir.join("state/42.json"), record.replacen("\"issue\": 1,", "\"issue\": 42,", 1)).unwrap();
        let running =
            Scenario::played("/new tic-tac-toe @bob", &["alice: b2"]).table(1).moved_by_host(IssueNumber::new(12));
        fs::write(dir.join("state/12.json"), to_json(&running)).unwrap();
        fs::write(dir.join("README.md"), "# Games\n").unwrap();
        fs::write(dir.join("club.pgn"), "[White \"Oak, Ann\"]\n[Black \"Ben\"]\n\n1. e4 e5 1/2-1/2\n").unwrap();
        fs::write(dir.join("names.txt"), "Oak, Ann=octocat:583231\nBen=monalisa:2\n").unwrap();
        let repo = TempRepo(dir);
        repo.run("git init -q -b main . && git add . && git -c user.name=a -c user.email=a@b.c commit -qm begin");
        repo
    }

    /// Runs a command line in bash, with the program in its `PATH`.
    fn run(&self, line: &str) -> (i32, String) {
        let program = Path::new(env!("CARGO_BIN_EXE_play-by-commit")).parent().unwrap();
        let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
        let mut command = Command::new("bash");
        command.args(["-o", "pipefail", "-c", line]).current_dir(&self.0).env("PATH", path).stdin(Stdio::null());
        command.env("PLAY_BY_COMMIT_HOME", self.0.join("home")).env_remove("GITHUB_ACTIONS");
        command.env_remove("GITHUB_TOKEN").env_remove("GH_TOKEN");
        let output = command.output().unwrap();
        let printed = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
        (output.status.code().unwrap_or(-1), printed)
    }
}

impl Drop for TempRepo {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

/// Returns the command lines of a page: `sh` blocks, indented blocks, and inline code that begins with `play-by-commit`.
fn command_lines(page: &str) -> Vec<String> {
    let mut all = Vec::new();
    for code in code(page) {
        match code {
            Code::Block(word, block) if word == "sh" || word.is_empty() => all.extend(block.lines().map(str::to_owned)),
            Code::Span(span) if span.starts_with("play-by-commit ") => all.push(span),
            _ => {}
        }
    }
    all.into_iter()
        .map(|line| line.split("  #").next().unwrap().trim().to_owned())
        .filter(|line| !line.is_empty())
        .collect()
}

#[test]
#[cfg(unix)]
fn every_command_line_works() {
    let repo = TempRepo::new();
    let mut ran = BTreeSet::new();
    let mut wrong = Vec::new();
    for (path, text) in pages() {
        for line in command_lines(&text) {
            if NOT_RUN.iter().any(|(begin, _)| line.starts_with(begin)) {
                continue;
            }
            // Run the built program instead of cargo, with real values for placeholders.
            let known =
                line.replace("cargo run --locked --", "play-by-commit").replace("cargo play", "play-by-commit play");
            let known = known.replace(" GAME", " tic-tac-toe");
            let known = known.replace("FILE", "state/42.json");
            if !ran.insert(known.clone()) {
                continue;
            }
            let (code, printed) = repo.run(&known);
            // Without a workflow and a token, these commands report what they lack.
            let is_missing = printed.contains("GITHUB_EVENT_NAME isn't set")
                || printed.contains("there is no token for github.com. Set GITHUB_TOKEN");
            let github_commands = ["play-by-commit run", "play-by-commit doctor --online"];
            let lacks_token = github_commands.iter().any(|begin| known.starts_with(begin)) && code == 1 && is_missing;
            // Without a file, or a game in a pipe, these commands print their usage.
            let is_usage = code == 2 && ["play-by-commit export", "play-by-commit play"].contains(&known.as_str());
            // Nobody types a move here.
            let is_unplayed = known.starts_with("play-by-commit play") && printed.contains("No game was started.");
            if code != 0 && !lacks_token && !is_usage && !is_unplayed {
                wrong.push(format!("{}: {line}\n    exit code {code}: {printed}", path.display()));
            }
        }
    }
    assert!(ran.len() > 15, "{ran:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The action has every input that a workflow snippet sets.
#[test]
fn every_input_exists() {
    let action = fs::read_to_string(root().join("action.yml")).unwrap();
    let inputs = action.split("\ninputs:\n").nth(1).unwrap();
    let known = |name: &str| inputs.contains(&format!("\n  {name}:\n")) || inputs.starts_with(&format!("  {name}:\n"));
    let mut seen = 0;
    for (path, text) in pages() {
        for block in code(&text) {
            let Code::Block(word, block) = block else { continue };
            if word != "yaml" || !block.contains("play-by-commit/play-by-commit@") {
                continue;
            }
            let Some((_, with)) = block.split_once("with:\n") else { continue };
            let indent = with.len() - with.trim_start().len();
            for line in with.lines().take_while(|line| line.len() - line.trim_start().len() >= indent) {
                let Some((name, _)) = line.trim().split_once(':') else { continue };
                seen += 1;
                assert!(known(name), "{}: the action has no input `{name}`", path.display());
            }
        }
    }
    assert!(seen >= 2, "{seen} inputs");
}
