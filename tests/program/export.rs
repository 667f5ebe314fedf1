//! Records of backgammon as match texts. GNU Backgammon has loaded the expected ones and comes to the same scores.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_play-by-commit");

/// A directory that goes away with the test.
struct Home(PathBuf);

impl Home {
    fn new(name: &str) -> Home {
        let dir = std::env::temp_dir().join(format!("play-by-commit-export-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        Home(dir.canonicalize().unwrap())
    }

    /// Opens a table, and returns its record as a file.
    fn table(&self, args: &[&str]) -> PathBuf {
        let mut command = Command::new(PROGRAM);
        command.arg("play").args(args).env("HOME", &self.0).env("PLAY_BY_COMMIT_HOME", &self.0);
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "Host").env(format!("GIT_{who}_EMAIL"), "host@example.org");
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        drop(child.stdin.take().unwrap().write_all(b"ann: /moves\n"));
        assert!(child.wait().unwrap().success());
        let show = ["show", "HEAD:state/1.json"];
        let record = Command::new("git").args(show).current_dir(self.0.join("tables")).output().unwrap();
        let path = self.0.join("1.json");
        std::fs::write(&path, record.stdout).unwrap();
        path
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

fn export(record: &Path) -> Output {
    Command::new(PROGRAM).arg("export").arg(record).output().unwrap()
}

#[track_caller]
fn exported(record: &Path) -> String {
    let output = export(record);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn refused(record: &Path, words: &[&str]) {
    let output = export(record);
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), b"".as_slice()), "{err}");
    for word in words {
        assert!(err.contains(word), "it does not say {word:?}: {err}");
    }
}

/// Whole matches, with takes and dances, drops, gammons and games that were given up.
#[test]
fn whole_matches() {
    let records = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records");
    for (name, record) in
        [("takes", "backgammon-takes"), ("drops", "backgammon-drops"), ("drops", "version-1/backgammon-drops")]
    {
        let expected = std::fs::read_to_string(records.join(format!("backgammon-{name}/1.mat"))).unwrap();
        assert_eq!(exported(&records.join(record).join("1.json")), expected.replace("\r\n", "\n"), "{record}");
    }
}

#[test]
fn what_is_unfinished_ends_where_it_stands() {
    let home = Home::new("unfinished");
    let text = exported(&home.table(&["backgammon", "match=3", "--players", "ann,ben"]));
    let lines: Vec<&str> = text.lines().collect();
    let head = [" 3 point match", "", " Game 1", " ann : 0                        ben : 0"];
    assert_eq!(lines[..4], head, "{text}");
    assert!(lines.len() == 5 && lines[4].starts_with("  1) ") && lines[4].trim_end().ends_with(':'), "{text}");
}

#[test]
fn a_single_game_says_what_is_agreed() {
    let home = Home::new("single");
    let text = exported(&home.table(&["backgammon", "--players", "ann,ben"]));
    assert!(text.starts_with("; [CubeLimit \"1\"]\n 0 point match\n\n Game 1\n"), "{text}");
    let home = Home::new("jacoby");
    let text = exported(&home.table(&["backgammon", "cube=on", "jacoby=on", "--players", "ann,ben"]));
    assert!(text.starts_with("; [Jacoby \"On\"]\n 0 point match\n\n Game 1\n"), "{text}");
}

/// Checkers, with a capture of two men, given up by the side that was on turn.
#[test]
fn checkers_as_pdn() {
    let record = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/boards/8.json");
    let text = exported(&record);
    let (head, moves) = text.split_once("\n\n").unwrap();
    assert!(head.starts_with("[Event \"Play by Commit, table 8\"]\n[Date \"2026."), "{text}");
    assert!(head.ends_with("[Black \"alice\"]\n[White \"bob\"]\n[Result \"1-0\"]\n[GameType \"21\"]"), "{text}");
    assert!(moves.starts_with("1. ") && moves.ends_with(" 1-0\n"), "{text}");
    assert!(moves.lines().all(|line| line.len() < 80), "{text}");
}

#[test]
fn what_no_match_text_can_tell_is_refused() {
    let home = Home::new("other");
    refused(&home.table(&["tic-tac-toe", "--players", "ann,ben"]), &["only backgammon", "tic-tac-toe"]);
    let home = Home::new("overshoot");
    refused(&home.table(&["backgammon", "overshoot=on", "--players", "ann,ben"]), &["can't export ", "overshoot=on"]);
}
