//! Commands that don't need GitHub: `play` over a local git repository, and the tools for records.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_play-by-commit");

/// A temporary home directory that is deleted on drop.
pub(crate) struct Home(PathBuf);

/// The result of a command: exit code, standard output and standard error.
#[derive(Debug)]
pub(crate) struct RunResult {
    code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Home {
    pub(crate) fn new() -> Home {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("play-by-commit-cli-{}-{count}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        Home(dir.canonicalize().unwrap())
    }

    /// Returns a command that runs with this home and an empty environment.
    pub(crate) fn command(&self, program: &str, args: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(args).env_clear().current_dir(&self.0).env("HOME", &self.0).env("PLAY_BY_COMMIT_HOME", &self.0);
        command.envs(std::env::var_os("PATH").map(|path| ("PATH", path))).env("GIT_CONFIG_NOSYSTEM", "1");
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "Host").env(format!("GIT_{who}_EMAIL"), "host@example.org");
        }
        command
    }

    /// Runs the program with this input.
    #[track_caller]
    pub(crate) fn run(&self, args: &[&str], input: &str) -> RunResult {
        let mut command = self.command(PROGRAM, args);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // The program may end before it has read everything.
        drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
        let output = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        RunResult { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Runs git in a directory of this home.
    #[track_caller]
    pub(crate) fn git(&self, dir: &str, args: &[&str]) -> String {
        let output = self.command("git", args).current_dir(self.0.join(dir)).output().unwrap();
        assert!(output.status.success(), "git {args:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Returns the commits of the default repository, oldest first, as `author: headline`.
    #[track_caller]
    pub(crate) fn log(&self) -> Vec<String> {
        self.git("tables", &["log", "--reverse", "--format=%an: %s"]).lines().map(ToOwned::to_owned).collect()
    }

    /// Returns a record in the default repository.
    pub(crate) fn record(&self, table: u64) -> String {
        self.git("tables", &["show", &format!("HEAD:state/{table}.json")])
    }

    /// Returns a path in this home.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.0.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

impl RunResult {
    #[track_caller]
    pub(crate) fn exits(&self, code: i32, words: &[&str]) -> &Self {
        let all = format!("{}{}", self.out, self.err);
        assert_eq!(self.code, Some(code), "{self:?}");
        for word in words {
            assert!(all.contains(word), "the output lacks {word:?}: {self:?}");
        }
        self
    }
}

/// Ann wins in the left column.
pub(crate) const GAME: &str =
    "ann: a1\nben: b1\n\n# a note\nann: /move a2\nben: /move a2\nben: b2\nann: nice!\nann: a3\n";
pub(crate) const TABLE: [&str; 4] = ["play", "tic-tac-toe", "--players", "ann,ben"];

/// The board after [`GAME`].
const RENDERED: &str = "3 [X] .  .\n2 [X] O  .\n1 [X] O  .\n   a  b  c\n";

#[test]
fn plays_a_whole_game_through_a_pipe() {
    let home = Home::new();
    let ran = home.run(&TABLE, GAME);
    ran.exits(0, &["ann (X) played `a1`", "X is already on", "and won", "play-by-commit play --table 1"]);
    // Without a prompt, only the answer says how to play again.
    ran.exits(0, &["To play again with sides swapped, write `rematch`."]);
    assert!(!ran.out.contains("<!--") && !ran.out.contains("nice"), "{ran:?}");
    let expected = [
        "ann (X) started tic-tac-toe",
        "ann (X) played a1",
        "ben (O) played b1",
        "ann (X) played a2",
        "ben (O) played b2",
        "ann (X) played a3",
    ];
    let log = home.log();
    assert_eq!(log.len(), expected.len(), "{log:?}");
    for (line, expected) in log.iter().zip(expected) {
        assert!(line.starts_with(&format!("{}: ", &expected[..3])) && line.contains(expected), "{line}");
    }
    home.write("1.json", &home.record(1));
    home.run(&["verify", "1.json"], "").exits(0, &["1.json: good. Tic-tac-toe, round 1, 5 moves"]);
    let shown = home.run(&["render", "1.json"], "");
    assert_eq!(shown.exits(0, &[]).out, RENDERED);
}

#[test]
fn verifies_dice() {
    let home = Home::new();
    home.write("1.json", include_str!("../dice/1.json"));
    home.run(&["verify", "1.json"], "").exits(0, &["1.json: good", "10 dice rolls, each verified with the key."]);
}

#[test]
fn assigns_an_unnamed_line_to_the_player_to_move() {
    let home = Home::new();
    home.run(&["play", "tic-tac-toe"], "b2\na1\n").exits(0, &[]);
    assert_eq!(home.log()[1..], ["alice: Table 1: alice (X) played b2", "bob: Table 1: bob (O) played a1"]);
}

#[test]
fn a_board_in_a_pipe_shows_no_numbers() {
    // In a pipe, `5` counts from 0, as everywhere but in a terminal.
    let ran = Home::new().run(&["play", "tic-tac-toe"], "5\n");
    ran.exits(0, &["alice (X) played `c2`", " 1   . | . | .\n"]);
    assert!(!ran.out.contains("4 | 5"), "{ran:?}");
}

#[test]
fn continues_an_existing_table() {
    let home = Home::new();
    home.run(&TABLE, "a1\n").exits(0, &["Table 1 in"]);
    home.run(&["play", "tic-tac-toe", "size=4", "k=3", "--players", "cid,dan"], "d4\n")
        .exits(0, &["Table 2 in", "4x4, 3 in a row"]);
    home.run(&["play", "--table", "1"], "b2\n").exits(0, &["It's ben's turn (O)", "ben (O) played `b2`"]);
    home.run(&["play", "--table", "2"], "dan: c3\n").exits(0, &["dan (O) played `c3`"]);
    home.run(&["play", "--table", "3"], "").exits(1, &["There is no table 3 here. The tables are: 1, 2."]);
    let log = home.log();
    assert_eq!(log.iter().filter(|line| line.contains("Table 1:")).count(), 3, "{log:?}");
    assert_eq!(log.iter().filter(|line| line.contains("Table 2:")).count(), 3, "{log:?}");
    assert!(!home.0.join("tables/state/3.json").exists());
}

#[test]
fn accepts_player_names_anywhere() {
    let home = Home::new();
    home.run(&["play", "--players", "ann,ben", "tic-tac-toe"], "a1\n").exits(0, &["It's ben's turn (O)"]);
    home.run(&["play", "--players", "ann", "tic-tac-toe"], "a1\n").exits(0, &["ann (X) played `a1`"]);
    home.run(&["play", "--players", "a,b,c", "tic-tac-toe"], "a1\n").exits(1, &["two players"]);
    home.run(&["play", "--players", "a b", "tic-tac-toe"], "").exits(1, &["`a b` isn't a valid name for a player"]);
    home.run(&["play", "chess", "--players", "Magnus", "Carlsen"], "e4\n").exits(1, &["can't have spaces"]);
}

#[test]
fn reports_an_unknown_game_at_once() {
    for input in ["", "a1\n", "ann: a1\n"] {
        let home = Home::new();
        home.run(&["play", "halma"], input).exits(1, &["There is no game called `halma`", "tic-tac-toe"]);
        let ran = home.run(&["play", "halma", "--players", "ann,ben"], input);
        assert!(!ran.exits(1, &["There is no game called `halma`"]).err.contains("Table"), "{ran:?}");
    }
    let home = Home::new();
    home.run(&["play", "tic-tac-toe", "size=99"], "a1\n").exits(
        1,
        &["`size` has to be a number from 3 to 19", "No game was started. See `play-by-commit play --help`."],
    );
    home.run(&["play", "tic-tac-toe", "colour=red"], "a1\n")
        .exits(1, &["There's no side called `red`", "No game was started. See `play-by-commit play --help`."]);
    let typo = home.run(&["play", "bakgammon"], "");
    assert!(!typo.exits(1, &["`bakgammon`. Did you mean `backgammon`?"]).err.contains("Table"), "{typo:?}");
    let silent = home.run(&["play", "tic-tac-toe"], "");
    assert_eq!(silent.exits(1, &[]).out, "");
    assert_eq!(silent.err, "play-by-commit: No game was started. See `play-by-commit play --help`.\n");
    home.run(&["play", "tic-tac-toe", "--table", "7"], "")
        .exits(1, &["There is no table 7 here. No game has started yet."]);
}

#[test]
fn leaves_uncommitted_work_alone() {
    let home = Home::new();
    home.write("repo/kept.txt", "one\n");
    home.write("repo/staged.txt", "one\n");
    home.git("repo", &["init", "-qb", "main"]);
    home.git("repo", &["add", "kept.txt"]);
    home.git("repo", &["commit", "-qm", "start"]);
    home.git("repo", &["add", "staged.txt"]);
    home.write("repo/kept.txt", "two\n");
    home.write("repo/new.txt", "new\n");
    let before = home.git("repo", &["status", "--porcelain"]);
    home.run(&["play", "tic-tac-toe", "--repo", "repo", "--players", "ann,ben"], "a1\nb2\n")
        .exits(0, &["ben (O) played `b2`"]);
    assert_eq!(home.git("repo", &["status", "--porcelain"]), before);
    assert_eq!(home.git("repo", &["show", "HEAD:kept.txt"]), "one\n");
    assert_eq!(
        home.git("repo", &["diff", "--name-only", "HEAD~3", "HEAD"]),
        "state/1.json\nstate/1.svg\nstate/running/1.json\n"
    );
    assert!(!home.0.join("tables").exists());
    home.run(&["play", "tic-tac-toe", "--repo", "nowhere"], "a1\n").exits(1, &["nowhere"]);
}

#[test]
fn names_the_repository_around_a_subdirectory() {
    let home = Home::new();
    home.git(".", &["init", "-qb", "main", "repo"]);
    home.write("repo/sub/new.txt", "new\n");
    let play = |dir: &str| home.run(&["play", "tic-tac-toe", "--repo", dir, "--players", "ann,ben"], "a1\n");
    let subdirectory = play("repo/sub");
    let first = subdirectory.exits(0, &["ann (X) played `a1`"]).err.lines().next().unwrap();
    let top = home.0.join("repo");
    assert_eq!(first, format!("`repo/sub` is in the repository {}, so the game is kept there.", top.display()));
    for dir in ["repo", "repo/sub/..", top.to_str().unwrap()] {
        assert!(!play(dir).exits(0, &["Table "]).err.contains("is in the repository"), "{dir}");
    }
}

#[test]
fn reports_a_damaged_record_without_rendering_it() {
    let home = Home::new();
    home.run(&TABLE, GAME).exits(0, &[]);
    let record = home.record(1);
    home.write("1.json", &record);
    home.write("archive/1-1.json", &record);
    home.write("archive/1-2.json", &record);
    home.write("draw/1.json", &record.replace("\"won\"", "\"draw\""));
    home.write("torn/1.json", &record[..record.len() / 2]);
    home.write("name.json", &record);
    home.write("2.json", &record);
    home.run(&["verify", "1.json", "archive/1-1.json"], "").exits(0, &["archive/1-1.json: good"]);
    home.run(&["verify", "name.json"], "").exits(0, &["name.json: good. The bot would name this file 1.json."]);
    for (path, words) in [
        ("draw/1.json", "`status`"),
        ("torn/1.json", "DAMAGED"),
        ("2.json", "`issue`"),
        ("archive/1-2.json", "`round` is 1"),
    ] {
        home.run(&["verify", "1.json", path], "")
            .exits(1, &["1.json: good", &format!("{path}: DAMAGED"), words, "1 of 2 records"]);
        let shown = home.run(&["render", path], "");
        assert!(shown.exits(1, &[path]).out.is_empty(), "{shown:?}");
    }
    // `play` refuses to continue an invalid record.
    home.write("tables/state/1.json", &record.replace("\"won\"", "\"draw\""));
    home.git("tables", &["add", "-A"]);
    home.git("tables", &["commit", "-qm", "By hand"]);
    let commits = home.log().len();
    home.run(&["play", "--table", "1"], "/rematch\n").exits(1, &["damaged", "`status`"]);
    assert_eq!(home.log().len(), commits);
}

/// `verify state/*.json` includes the schemas next to the records.
#[test]
fn verify_skips_schemas_and_names_missing_files() {
    let home = Home::new();
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/state");
    for name in ["0.json", "record.schema.json", "standings.schema.json"] {
        home.write(&format!("state/{name}"), &std::fs::read_to_string(format!("{root}/{name}")).unwrap());
    }
    let all = ["verify", "state/0.json", "state/record.schema.json", "state/standings.schema.json"];
    home.run(&all, "").exits(0, &["0.json: good", "record.schema.json: skipped", "standings.schema.json: skipped"]);
    let ran = home.run(&[&all[..], &["nofile.json"]].concat(), "");
    ran.exits(1, &["There is no file nofile.json.", "1 file is missing"]);
    assert!(!ran.out.contains("DAMAGED"), "{ran:?}");
    home.write("state/1.json", "{\"$schema\": 1}");
    home.run(&[&all[..], &["state/1.json"]].concat(), "").exits(1, &["1.json: DAMAGED", "1 of 2 records"]);
}

#[test]
fn perft_counts_positions() {
    let home = Home::new();
    for (args, count) in [
        (&["tic-tac-toe", "0"][..], "1\n"),
        (&["tic-tac-toe", "5"], "15120\n"),
        (&["Tic_Tac_Toe", "3", "size=4"], "3360\n"),
        (&["tic-tac-toe", "2", "4x4"], "240\n"),
        (&["tic-tac-toe", "400"], "0\n"),
    ] {
        let ran = home.run(&[&["perft"], args].concat(), "");
        // It only shows progress in a terminal.
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(0), count, ""), "{args:?}: {ran:?}");
    }
    for (args, words) in [
        (&["halma", "1"][..], "The games: tic-tac-toe"),
        (&["tic-tac-toe", "1", "size=99"], "3 to 19"),
        (&["tic-tac-toe", "1", "colour=red"], "size, k"),
        (&["tic-tac-toe", "401"], "the depth can be at most 400"),
        (&["hex", "99"], "positions at depth 5, more than the limit of 4000000000: try a depth of 4"),
    ] {
        home.run(&[&["perft"], args].concat(), "").exits(1, &[words]);
    }
}

/// Counting up to the limit would take minutes.
#[test]
fn perft_refuses_great_depths_at_once() {
    let home = Home::new();
    let begun = Instant::now();
    let ran = home.run(&["perft", "chess", "99"], "");
    ran.exits(1, &["positions at depth 8, more than the limit of 4000000000: try a depth of 7"]);
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    // The number of positions grows less and less on a board that fills.
    home.run(&["perft", "tic-tac-toe", "9"], "").exits(0, &["127872"]);
}

/// A file name could otherwise change the terminal.
#[test]
fn escapes_the_names_of_files() {
    let home = Home::new();
    let name = "state/a\u{1b}[31m\u{202e}\n::error::b.json";
    home.write(name, "{}");
    for args in [&["verify", name][..], &["verify", "state/\u{1b}[31m.json"], &["render", name]] {
        let ran = home.run(args, "");
        ran.exits(1, &["\\u{1b}[31m"]);
        let printed = format!("{}{}", ran.out, ran.err);
        assert!(!printed.contains(['\u{1b}', '\u{202e}']), "{args:?}: {printed:?}");
        assert!(args[0] != "verify" || !ran.out.contains("\n::"), "{args:?}: {printed:?}");
    }
}

#[test]
fn help_names_the_default_directory() {
    let home = Home::new();
    let help = home.run(&["--help"], "");
    help.exits(0, &["rules", "verify", "render", "perft"]);
    assert!(
        help.out.find("\n  play ") < help.out.find("\n  verify ")
            && help.out.find("\n  verify ") < help.out.find("\n  run ")
    );
    home.run(&["play", "--help"], "").exits(
        0,
        &["$PLAY_BY_COMMIT_HOME", "~/.local/share/play-by-commit", "`tables`", "--table", "as=black", "connect-four"],
    );
    home.run(&["play"], "").exits(2, &["name a game: tic-tac-toe", "checkers"]);
    home.run(&["rules", "--help"], "")
        .exits(0, &["\"try\":\"c3\"", "  config    the settings", "  validate  backgammon only"]);
    home.run(&["--version"], "").exits(0, &[env!("CARGO_PKG_VERSION")]);
}

#[test]
fn exits_with_2_on_invalid_usage() {
    let home = Home::new();
    for args in [
        &[][..],
        &["walk"],
        &["play"],
        &["play", "--table", "x"],
        &["play", "tic-tac-toe", "--fast"],
        &["verify", "--state-dir"],
        &["render"],
        &["render", "1.json", "2.json"],
        &["perft"],
        &["perft", "tic-tac-toe"],
        &["perft", "tic-tac-toe", "-1"],
    ] {
        home.run(args, "").exits(2, &["--help"]);
    }
    assert_eq!(std::fs::read_dir(&home.0).unwrap().count(), 0);
}
