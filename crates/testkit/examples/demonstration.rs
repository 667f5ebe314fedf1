//! Plays at table 0 of a repository in memory, for `tests/records/demonstration.py`.
//!
//! ```text
//! cargo run --profile test -p play-by-commit-testkit --example demonstration -- DIR SECRET
//! ```
//!
//! Each line of the input is a comment, as JSON: its time in milliseconds since 1970-01-01 UTC, its id, its author and its
//! text. Each line of the output has the record and the bot's answer. At the end of the input, this writes the records and the
//! standings to the directory.
//!
//! The times, the ids and the secret of the dice are given, so the same comments always make the same files.

use std::fs;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;

use protocol::settle::settle;
use protocol::{RepoConfig, Trigger};
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use table::dice::parse_secret;
use table::{HostPolicy, IssueNumber, state_file};
use testkit::Millis;
use testkit::world::{Issue, Note, World, default_config, run};

/// No issue has this number.
const TABLE: u64 = 0;
/// The comments to keep in the thread. An issue has room for 2,500, and the bot only looks at the newest.
const KEPT_COMMENTS: usize = 10;

/// A comment to post.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    time: Millis,
    /// The id of the comment. The first one is the body of the issue, whatever its id.
    id: u64,
    login: String,
    text: String,
}

fn main() {
    let mut words = std::env::args().skip(1);
    let dir = PathBuf::from(words.next().expect("which directory? See the top of this file"));
    let secret = words.next().expect("which secret for the dice?");
    let secret = Some(parse_secret(&secret).expect("a secret"));
    let config = RepoConfig { policy: HostPolicy { dice_secret: secret, ..HostPolicy::default() }, ..default_config() };
    let world = World::new();
    for line in std::io::stdin().lock().lines() {
        let line: Line = serde_json::from_str(&line.expect("a line")).expect("a comment");
        let answer = post(&world, &config, &line);
        let record: Option<Value> =
            world.file("state/0.json").map(|text| serde_json::from_str(&text).expect("a record"));
        writeln!(std::io::stdout(), "{}", json!({ "record": record, "answer": answer })).expect("a reader");
    }
    for (path, text) in records(&world) {
        let path = dir.join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(path, text).expect("a file");
    }
}

/// Posts a comment and runs the bot. Returns its answer.
fn post(world: &World, config: &RepoConfig, line: &Line) -> Option<String> {
    world.change(|state| {
        state.now = line.time;
        let person = state.person(&line.login);
        // As in a terminal: the id is a hash of the name, and larger than any on GitHub.
        person.id = Sha256::digest(&line.login).iter().take(6).fold(0, |id, byte| id << 8 | u64::from(*byte));
        person.add_as_collaborator();
        state.next_comment = line.id;
        if state.issue(TABLE).is_some() {
            state.add_comment(TABLE, &line.login, &line.text);
        } else {
            state.issues.insert(TABLE, Arc::new(issue(line)));
        }
    });
    let before = world.answers(TABLE).len();
    run(settle(world, config, Trigger::Issue(IssueNumber::new(TABLE)))).expect("the run ends").expect("a good run");
    let answer = world.answers(TABLE).split_off(before).pop();
    world.issue(TABLE, |issue| {
        let settled = issue.comments.len().saturating_sub(KEPT_COMMENTS);
        issue.comments.drain(..settled);
    });
    answer
}

/// Returns an issue with the comment as its body.
fn issue(line: &Line) -> Issue {
    let (author, text) = (Some(line.login.clone()), line.text.clone());
    Issue::new(Note { id: 0, author, text, created: line.time, edited: None, editor: None, minimized: false })
}

/// Returns the paths and the texts of the records, for any repository, and of the standings.
fn records(world: &World) -> Vec<(String, String)> {
    let head = world.head().expect("a commit");
    world.with_state(|state| {
        let files = state.commits[head.as_str()].files.iter();
        let kept = files.filter(|(path, _)| path.ends_with(".json") && !path.starts_with("state/running/"));
        kept.map(|(path, text)| (path.clone(), without_repository(text))).collect()
    })
}

/// Returns a record without its repository, and any other file unchanged.
fn without_repository(text: &str) -> String {
    let table = state_file::load(text, IssueNumber::new(TABLE));
    table.map_or_else(|_| text.to_owned(), |table| state_file::to_json(&table.with_repository(None)))
}
