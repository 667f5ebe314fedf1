//! Pastes the workflow snippets of the pages into the workflow, and runs the script that posts results.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};

use play_by_commit::report::outputs;
use protocol::Ledger;
use setup::doctor::offline;
use setup::{Findings, Grade, WORKFLOW, WORKFLOW_PATH, YamlNode, parse_yaml};

use super::{Code, code, pages, root};

/// Returns the snippets that begin with a step of this action, with their pages.
fn snippets() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for (path, text) in pages() {
        for block in code(&text) {
            if let Code::Block(word, block) = block
                && word == "yaml"
                && block.starts_with("      - uses: play-by-commit/play-by-commit@")
            {
                all.push((path.display().to_string(), block));
            }
        }
    }
    all
}

/// Returns the workflow with a snippet in place of its steps.
fn pasted(snippet: &str) -> String {
    let (before, _) = WORKFLOW.split_once("    steps:\n").unwrap();
    format!("{before}    steps:\n{snippet}")
}

#[test]
fn every_snippet_is_complete() {
    let snippets = snippets();
    assert!(snippets.len() >= 3, "{} snippets", snippets.len());
    for (path, snippet) in snippets {
        let dir = std::env::temp_dir().join(format!("play-by-commit-snippet-{}", std::process::id()));
        _ = fs::remove_dir_all(&dir);
        let file = dir.join(WORKFLOW_PATH);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, pasted(&snippet)).unwrap();
        assert!(Command::new("git").args(["init", "-q"]).current_dir(&dir).status().unwrap().success());
        let mut findings = Findings::default();
        offline::examine(&dir, &mut findings).unwrap();
        fs::remove_dir_all(&dir).unwrap();
        let errors: Vec<String> = findings.sentences(Grade::Error).collect();
        assert!(errors.is_empty(), "{path}: {errors:?}");
    }
}

/// The action, the program and the pages have the same outputs.
#[test]
fn every_output_exists() {
    let action = parse_yaml(&fs::read_to_string(root().join("action.yml")).unwrap()).unwrap();
    let described = action.get("outputs").unwrap();
    let names: BTreeSet<&str> = described.names().into_iter().collect();
    let written = outputs(&Ledger::default(), None, None).map(|(name, _)| name);
    assert_eq!(names, written.into_iter().collect());
    for (name, about) in described.entries() {
        assert_eq!(
            about.get("value").and_then(YamlNode::as_str),
            Some(&*format!("${{{{ steps.settle.outputs.{name} }}}}"))
        );
    }
    let hosting = fs::read_to_string(root().join("docs/HOSTING.md")).unwrap();
    let table = &hosting[hosting.find("| Output |").unwrap()..];
    let table = table.split("\n\n").next().unwrap();
    assert!(names.iter().all(|name| table.contains(&format!("`{name}`"))), "{table}");
    for (path, text) in pages() {
        for used in text.split("steps.play.outputs.").skip(1) {
            let name = used.split(|c: char| !c.is_ascii_lowercase()).next().unwrap();
            assert!(names.contains(name), "{}: the action has no output `{name}`", path.display());
        }
    }
}

/// The step for Discord runs only if a game ended, and posts a link to each.
#[test]
#[cfg(unix)]
fn the_discord_step_posts_results_only() {
    let (_, snippet) = snippets().into_iter().find(|(_, snippet)| snippet.contains("Tell Discord")).unwrap();
    let workflow = parse_yaml(&pasted(&snippet)).unwrap();
    let step = &workflow.get_path(&["jobs", "play", "steps"]).unwrap().items()[1];
    let value = |key: &str| step.get(key).and_then(YamlNode::as_str).unwrap().to_owned();
    assert_eq!(value("if"), "steps.play.outputs.result != ''");
    if !Command::new("jq").arg("--version").stdout(Stdio::null()).status().is_ok_and(|status| status.success()) {
        return;
    }
    // A shell function replaces curl and prints its arguments.
    let script = format!("curl() {{ printf '%s\\n' \"$@\"; }}\n{}", value("run"));
    let run = |webhook: &str, result: &str, url: &str| {
        let mut bash = Command::new("bash");
        bash.args(["-eo", "pipefail", "-c", &script]).env("WEBHOOK", webhook).stdin(Stdio::null());
        bash.env("RESULT", result).env("URL", url);
        let output = bash.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let (result, url) =
        ("Hex: alice (Red) won.\nChess: bob (Black) resigned. `x` $(y) \"z\"", "https://a/1\nhttps://a/2");
    assert_eq!(run("", result, url), "");
    let printed = run("https://discord.example/hook", result, url);
    let messages = |printed: &str| {
        let lines = printed.lines().filter(|line| line.starts_with('{'));
        lines.map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<serde_json::Value>>()
    };
    let posted = messages(&printed);
    let text = "Hex: alice (Red) won.\nhttps://a/1\nChess: bob (Black) resigned. `x` $(y) \"z\"\nhttps://a/2";
    assert_eq!(posted, [serde_json::json!({ "content": text, "allowed_mentions": { "parse": [] } })]);
    assert!(printed.starts_with("--fail\n") && printed.ends_with("\nhttps://discord.example/hook\n"), "{printed}");
    // After a day of many games, with the longest names.
    let (name, repository) = ("n".repeat(39), "r".repeat(100));
    let line = |nth: u64| format!("Ultimate tic-tac-toe: {name} (X) won against {name} by resignation, game {nth}.");
    let link = |nth: u64| format!("https://github.com/{name}/{repository}/issues/{nth}");
    let lines = |line: &dyn Fn(u64) -> String| (1..=25).map(line).collect::<Vec<_>>().join("\n");
    let posted = messages(&run("https://discord.example/hook", &lines(&line), &lines(&link)));
    let texts: Vec<&str> = posted.iter().map(|message| message["content"].as_str().unwrap()).collect();
    assert!(texts.iter().all(|text| text.chars().count() <= 2_000), "{texts:?}");
    let both = |nth| format!("{}\n{}", line(nth), link(nth));
    assert_eq!(texts.join("\n"), lines(&both));
}
