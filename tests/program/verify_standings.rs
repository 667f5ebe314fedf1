//! Runs `verify --standings`, and `verify` without files.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use table::state_file;

use testkit::standings_fixture::{ALICE, BOB, CARL, game, open_game};
use testkit::{End, StandingsFixture};

/// A temporary directory that is deleted on drop.
struct TempDir(PathBuf);

impl TempDir {
    fn with_files_of(fixture: &StandingsFixture) -> TempDir {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("play-by-commit-standings-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let dir = TempDir(std::env::temp_dir().join(name));
        for (path, text) in &fixture.files {
            dir.write(path, text);
        }
        for (path, table) in &fixture.records {
            dir.write(path, &state_file::to_json(table));
        }
        dir
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.join("state").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.join("state").join(path)
    }

    /// Runs the program; returns the exit code and all output.
    fn run(&self, args: &[&str]) -> (Option<i32>, String) {
        let output =
            Command::new(env!("CARGO_BIN_EXE_play-by-commit")).args(args).current_dir(&self.0).output().unwrap();
        let output_text = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
        (output.status.code(), output_text)
    }

    #[track_caller]
    fn assert_run(&self, args: &[&str], code: i32, words: &[&str]) {
        let (actual, output_text) = self.run(args);
        assert_eq!(actual, Some(code), "{output_text}");
        for word in words {
            assert!(output_text.contains(word), "the output lacks {word:?}: {output_text}");
        }
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

fn build_fixture() -> StandingsFixture {
    let mut fixture = StandingsFixture::default();
    fixture.finish(game("tic-tac-toe", 1, 5000, [ALICE, BOB], End::Won(0)));
    fixture.finish(game("backgammon", 2, 5001, [CARL, BOB], End::Won(1)));
    fixture.finish(open_game(3, 5003, 3));
    // The archived first round of a table with a rematch.
    fixture.finish(game("tic-tac-toe", 4, 5004, [ALICE, CARL], End::Drawn));
    fixture.records[3].0 = "archive/4-1.json".to_owned();
    fixture
}

const STANDINGS: [&str; 2] = ["verify", "--standings"];

#[test]
fn accepts_correct_standings() {
    let dir = TempDir::with_files_of(&build_fixture());
    // Files that aren't named like a record don't count.
    dir.write("record.schema.json", "{}");
    dir.write("players/README.md", "Who plays here.");
    dir.assert_run(&STANDINGS, 0, &["The standings are correct: 4 results of 3 people."]);
    dir.assert_run(&["verify", "--standings", "--state-dir", "state"], 0, &["are correct"]);
    dir.assert_run(&["verify", "state/1.json", "--standings"], 0, &["state/1.json: good", "The standings are correct"]);
    dir.assert_run(&["verify", "state/1.json"], 0, &["state/1.json: good"]);
    dir.assert_run(
        &["verify", "state/1.json", "state/9.json", "--standings"],
        1,
        &["There is no file state/9.json.", "are correct"],
    );
}

#[test]
fn accepts_an_empty_directory() {
    let dir = TempDir::with_files_of(&StandingsFixture::default());
    dir.write("README.md", "");
    dir.assert_run(&STANDINGS, 0, &["The standings are correct: 0 results of 0 people."]);
}

#[test]
fn counts_a_single_result() {
    let mut fixture = StandingsFixture::default();
    fixture.finish(game("tic-tac-toe", 1, 5000, [ALICE, BOB], End::Won(0)));
    TempDir::with_files_of(&fixture).assert_run(&STANDINGS, 0, &["The standings are correct: 1 result of 2 people."]);
}

#[test]
fn reports_wrong_standings() {
    let fixture = build_fixture();
    let alice = &fixture.files["players/1001.json"];
    let cases: [(&str, Option<&str>, &[&str]); 7] = [
        (
            "players/1001.json",
            Some(&alice.replace("\"wins\": 1", "\"wins\": 2")),
            &["`games.tic-tac-toe.wins` is `2`; it should be `1`", "1 problem found in the standings"],
        ),
        ("players/1001.json", None, &["`players/1001.json` is missing"]),
        ("players/1001.json", Some("\u{fffd}"), &["`players/1001.json` is damaged"]),
        ("players/2001.json", Some(alice), &["`\"players/2001.json\"` exists, but no result belongs to it"]),
        (
            "1.json",
            None,
            &["no record has number 1 among the results of tic-tac-toe", " problems found in the standings"],
        ),
        ("1.json", Some("{"), &["1.json: DAMAGED", "no record has number 1"]),
        ("archive/4-1.json", None, &["`counted` is `2`; it should be `1`"]),
    ];
    for (path, text, words) in cases {
        let dir = TempDir::with_files_of(&fixture);
        match text {
            Some(text) => dir.write(path, text),
            None => std::fs::remove_file(dir.path(path)).unwrap(),
        }
        dir.assert_run(&STANDINGS, 1, &[words, &["found in the standings"]].concat());
    }
}

#[test]
fn reports_a_game_that_was_never_counted() {
    let dir = TempDir::with_files_of(&build_fixture());
    let table = game("tic-tac-toe", 7, 5000, [ALICE, BOB], End::Drawn);
    dir.write("7.json", &state_file::to_json(&table));
    let path = Path::new("state").join("7.json");
    dir.assert_run(
        &STANDINGS,
        0,
        &[&format!("`{}` is finished, but it wasn't counted.", path.display()), "are correct"],
    );
}

#[test]
fn reports_invalid_usage() {
    let dir = TempDir::with_files_of(&build_fixture());
    dir.assert_run(&["verify", "--standings", "--state-dir", "nowhere"], 1, &["there is no directory nowhere"]);
    dir.assert_run(&["verify", "--state-dir", "nowhere"], 1, &["there is no directory nowhere"]);
}

#[test]
fn verifies_everything_without_files() {
    let dir = TempDir::with_files_of(&build_fixture());
    dir.write("record.schema.json", "{}");
    let path = |name: &str| Path::new("state").join(name).display().to_string();
    let archived = path(&format!("archive{}4-1.json", std::path::MAIN_SEPARATOR));
    let good = [path("1.json"), path("2.json"), path("3.json"), archived].map(|path| format!("{path}: good."));
    let good: Vec<&str> = good.iter().map(String::as_str).chain(["The standings are correct: 4 results"]).collect();
    for args in [
        &["verify"][..],
        &["verify", "state"],
        &["verify", "--state-dir", "state"],
        &["verify", "state", "--standings"],
    ] {
        dir.assert_run(args, 0, &good);
        assert_eq!(dir.run(args).1.lines().count(), 5, "{args:?}");
    }
    // It reports damage once and continues.
    dir.write("1.json", "{");
    let (code, text) = dir.run(&["verify"]);
    assert!(code == Some(1) && text.contains("2.json: good.") && text.contains("1 of 4 records is damaged"), "{text}");
    assert_eq!(text.matches("DAMAGED").count(), 1, "{text}");
    let empty = TempDir::with_files_of(&StandingsFixture::default());
    empty.write("README.md", "");
    empty.assert_run(&["verify"], 0, &["There are no games yet.", "The standings are correct: 0 results"]);
}
