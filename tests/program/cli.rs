//! The command line without GitHub: a table in the terminal over a local git repository, and the tools for records.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_play-by-commit");

/// A home of our own: a directory that goes away with the test.
pub(crate) struct Home(PathBuf);

/// What came of a command: its exit code, standard output, standard error.
#[derive(Debug)]
pub(crate) struct Ran {
    code: Option<i32>,
    pub(crate) out: String,
    err: String,
}

impl Home {
    pub(crate) fn new() -> Home {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("play-by-commit-cli-{}-{count}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        Home(dir.canonicalize().unwrap())
    }

    /// A program that sees this home and nothing else of this machine's.
    pub(crate) fn command(&self, program: &str, args: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(args).env_clear().current_dir(&self.0).env("HOME", &self.0).env("PLAY_BY_COMMIT_HOME", &self.0);
        command.envs(std::env::var_os("PATH").map(|path| ("PATH", path))).env("GIT_CONFIG_NOSYSTEM", "1");
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "Host").env(format!("GIT_{who}_EMAIL"), "host@example.org");
        }
        command
    }

    /// Runs the program with this as its piped input.
    #[track_caller]
    pub(crate) fn run(&self, args: &[&str], input: &str) -> Ran {
        let mut command = self.command(PROGRAM, args);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // A program that ends before it has read everything is no fault of this line.
        drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
        let output = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Runs git in a directory below the home.
    #[track_caller]
    pub(crate) fn git(&self, dir: &str, args: &[&str]) -> String {
        let output = self.command("git", args).current_dir(self.0.join(dir)).output().unwrap();
        assert!(output.status.success(), "git {args:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The commits of the default tables, oldest first: author and headline.
    #[track_caller]
    pub(crate) fn log(&self) -> Vec<String> {
        self.git("tables", &["log", "--reverse", "--format=%an: %s"]).lines().map(ToOwned::to_owned).collect()
    }

    /// A record of the default tables as a file.
    pub(crate) fn record(&self, table: u64) -> String {
        self.git("tables", &["show", &format!("HEAD:state/{table}.json")])
    }

    /// A place in this home.
    pub(crate) fn place(&self, path: &str) -> PathBuf {
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

impl Ran {
    #[track_caller]
    pub(crate) fn is(&self, code: i32, words: &[&str]) -> &Self {
        let all = format!("{}{}", self.out, self.err);
        assert_eq!(self.code, Some(code), "{self:?}");
        for word in words {
            assert!(all.contains(word), "it does not say {word:?}: {self:?}");
        }
        self
    }
}

/// Ann wins in the left column.
const GAME: &str = "ann: a1\nben: b1\n\n# a note\nann: /move a2\nben: /move a2\nben: b2\nann: nice!\nann: a3\n";
const TABLE: [&str; 4] = ["play", "tic-tac-toe", "--players", "ann,ben"];

/// How that looks in the end.
const RENDERED: &str = "3 [X] .  .\n2 [X] O  .\n1 [X] O  .\n   a  b  c\n";

#[test]
fn a_whole_game_through_a_pipe() {
    let home = Home::new();
    let ran = home.run(&TABLE, GAME);
    ran.is(0, &["ann (X) played `a1`", "X is already on", "and won", "play-by-commit play --table 1"]);
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
    home.run(&["verify", "1.json"], "").is(0, &["1.json: good. Tic-tac-toe, round 1, 5 moves"]);
    let shown = home.run(&["render", "1.json"], "");
    assert_eq!(shown.is(0, &[]).out, RENDERED);
}

#[test]
fn a_record_of_version_1_is_verified_and_shown_like_one_of_version_2() {
    let home = Home::new();
    let [old, new] = ["old/1.json", "new/1.json"];
    home.write(old, include_str!("../records/version-1/backgammon-proved/1.json"));
    home.write(new, include_str!("../dice/1.json"));
    home.run(&["verify", old, new], "").is(0, &[&format!("{old}: good"), "10 dice rolls, each verified with the key."]);
    let shown = [old, new].map(|path| home.run(&["render", path], "").is(0, &[]).out.clone());
    assert_eq!(shown[0], shown[1]);
}

#[test]
fn words_alone_are_those_of_whoever_is_to_move() {
    let home = Home::new();
    home.run(&["play", "tic-tac-toe"], "b2\na1\n").is(0, &[]);
    assert_eq!(home.log()[1..], ["alice: Table 1: alice (X) played b2", "bob: Table 1: bob (O) played a1"]);
}

#[test]
fn a_table_is_gone_on_with() {
    let home = Home::new();
    home.run(&TABLE, "a1\n").is(0, &["Table 1 in"]);
    home.run(&["play", "tic-tac-toe", "size=4", "k=3", "--players", "cid,dan"], "d4\n")
        .is(0, &["Table 2 in", "4x4, 3 in a row"]);
    home.run(&["play", "--table", "1"], "b2\n").is(0, &["It's ben's turn (O)", "ben (O) played `b2`"]);
    home.run(&["play", "--table", "2"], "dan: c3\n").is(0, &["dan (O) played `c3`"]);
    home.run(&["play", "--table", "3"], "").is(1, &["There is no table 3 here. The tables: 1, 2."]);
    let log = home.log();
    assert_eq!(log.iter().filter(|line| line.contains("Table 1:")).count(), 3, "{log:?}");
    assert_eq!(log.iter().filter(|line| line.contains("Table 2:")).count(), 3, "{log:?}");
    assert!(!home.0.join("tables/state/3.json").exists());
}

#[test]
fn the_players_may_be_named_anywhere() {
    let home = Home::new();
    home.run(&["play", "--players", "ann,ben", "tic-tac-toe"], "a1\n").is(0, &["It's ben's turn (O)"]);
    home.run(&["play", "--players", "ann", "tic-tac-toe"], "a1\n").is(0, &["ann (X) played `a1`"]);
    home.run(&["play", "--players", "a,b,c", "tic-tac-toe"], "a1\n").is(1, &["two players"]);
    home.run(&["play", "--players", "a b", "tic-tac-toe"], "").is(1, &["`a b` is no name for a player"]);
}

#[test]
fn a_game_that_is_not_there_is_said_at_once() {
    for input in ["", "a1\n", "ann: a1\n"] {
        let home = Home::new();
        home.run(&["play", "halma"], input).is(1, &["There is no game called `halma`", "tic-tac-toe"]);
        let ran = home.run(&["play", "halma", "--players", "ann,ben"], input);
        assert!(!ran.is(1, &["There is no game called `halma`"]).err.contains("Table"), "{ran:?}");
    }
    let home = Home::new();
    home.run(&["play", "tic-tac-toe", "size=99"], "a1\n")
        .is(1, &["`size` has to be a number from 3 to 19", "No table was opened"]);
    home.run(&["play", "tic-tac-toe", "colour=red"], "a1\n").is(1, &["colour", "No table was opened"]);
    let slip = home.run(&["play", "bakgammon"], "");
    assert!(!slip.is(1, &["`bakgammon`. Did you mean `backgammon`?"]).err.contains("Table"), "{slip:?}");
    let silent = home.run(&["play", "tic-tac-toe"], "");
    assert_eq!(silent.is(0, &[]).out, "");
    assert_eq!(silent.err, "No game was started. See `play-by-commit play --help`.\n");
    home.run(&["play", "tic-tac-toe", "--table", "7"], "").is(1, &["There is no table 7 here. The tables: none yet."]);
}

#[test]
fn unfinished_work_in_a_repository_stays_as_it_is() {
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
        .is(0, &["ben (O) played `b2`"]);
    assert_eq!(home.git("repo", &["status", "--porcelain"]), before);
    assert_eq!(home.git("repo", &["show", "HEAD:kept.txt"]), "one\n");
    assert_eq!(home.git("repo", &["diff", "--name-only", "HEAD~3", "HEAD"]), "state/1.json\nstate/1.svg\n");
    assert!(!home.0.join("tables").exists());
    home.run(&["play", "tic-tac-toe", "--repo", "nowhere"], "a1\n").is(1, &["nowhere"]);
}

#[test]
fn a_repository_around_the_directory_is_named_first() {
    let home = Home::new();
    home.git(".", &["init", "-qb", "main", "repo"]);
    home.write("repo/sub/new.txt", "new\n");
    let play = |dir: &str| home.run(&["play", "tic-tac-toe", "--repo", dir, "--players", "ann,ben"], "a1\n");
    let within = play("repo/sub");
    let first = within.is(0, &["ann (X) played `a1`"]).err.lines().next().unwrap();
    let top = home.0.join("repo");
    assert_eq!(first, format!("`repo/sub` is in the repository {}: the table is kept there.", top.display()));
    for itself in ["repo", "repo/sub/..", top.to_str().unwrap()] {
        assert!(!play(itself).is(0, &["Table "]).err.contains("is in the repository"), "{itself}");
    }
}

#[test]
fn a_damaged_record_is_said_and_not_shown() {
    let home = Home::new();
    home.run(&TABLE, GAME).is(0, &[]);
    let record = home.record(1);
    home.write("1.json", &record);
    home.write("archive/1-1.json", &record);
    home.write("archive/1-2.json", &record);
    home.write("draw/1.json", &record.replace("\"won\"", "\"draw\""));
    home.write("torn/1.json", &record[..record.len() / 2]);
    home.write("name.json", &record);
    home.write("2.json", &record);
    home.run(&["verify", "1.json", "archive/1-1.json"], "").is(0, &["archive/1-1.json: good"]);
    home.run(&["verify", "name.json"], "")
        .is(0, &["name.json: good. Its name is unusual: as a record it would be 1.json."]);
    for (path, words) in [
        ("draw/1.json", "`status`"),
        ("torn/1.json", "DAMAGED"),
        ("2.json", "`issue`"),
        ("archive/1-2.json", "`round` is 1"),
    ] {
        home.run(&["verify", "1.json", path], "")
            .is(1, &["1.json: good", &format!("{path}: DAMAGED"), words, "1 of 2 records"]);
        let shown = home.run(&["render", path], "");
        assert!(shown.is(1, &[path]).out.is_empty(), "{shown:?}");
    }
    // A table in the terminal does not go on with a record that does not hold.
    home.write("tables/state/1.json", &record.replace("\"won\"", "\"draw\""));
    home.git("tables", &["add", "-A"]);
    home.git("tables", &["commit", "-qm", "By hand"]);
    let commits = home.log().len();
    home.run(&["play", "--table", "1"], "/rematch\n").is(1, &["damaged", "`status`"]);
    assert_eq!(home.log().len(), commits);
}

/// `verify state/*.json` names the schemas that lie beside the records, too.
#[test]
fn schemas_are_skipped_and_missing_files_named() {
    let home = Home::new();
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/state");
    for name in ["0.json", "record.schema.json", "standings.schema.json"] {
        home.write(&format!("state/{name}"), &std::fs::read_to_string(format!("{root}/{name}")).unwrap());
    }
    let all = ["verify", "state/0.json", "state/record.schema.json", "state/standings.schema.json"];
    home.run(&all, "").is(0, &["0.json: good", "record.schema.json: skipped", "standings.schema.json: skipped"]);
    let ran = home.run(&[&all[..], &["nofile.json"]].concat(), "");
    ran.is(1, &["There is no file nofile.json.", "1 file is missing"]);
    assert!(!ran.out.contains("DAMAGED"), "{ran:?}");
    home.write("state/1.json", "{\"$schema\": 1}");
    home.run(&[&all[..], &["state/1.json"]].concat(), "").is(1, &["1.json: DAMAGED", "1 of 2 records"]);
}

#[test]
fn perft_counts() {
    let home = Home::new();
    for (args, count) in [
        (&["tic-tac-toe", "0"][..], "1\n"),
        (&["tic-tac-toe", "5"], "15120\n"),
        (&["Tic_Tac_Toe", "3", "size=4"], "3360\n"),
        (&["tic-tac-toe", "2", "4x4"], "240\n"),
        (&["tic-tac-toe", "400"], "0\n"),
    ] {
        let ran = home.run(&[&["perft"], args].concat(), "");
        // Where nobody looks on, no progress is shown.
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(0), count, ""), "{args:?}: {ran:?}");
    }
    for (args, words) in [
        (&["halma", "1"][..], "The games: tic-tac-toe"),
        (&["tic-tac-toe", "1", "size=99"], "3 to 19"),
        (&["tic-tac-toe", "1", "colour=red"], "size, k"),
        (&["tic-tac-toe", "401"], "at most 400 plies"),
        (&["hex", "99"], "positions are 5 plies from the start, and at most 4000000000 are counted: try a depth of 4"),
    ] {
        home.run(&[&["perft"], args].concat(), "").is(1, &[words]);
    }
}

#[test]
fn help_names_the_default_place() {
    let home = Home::new();
    home.run(&["--help"], "").is(0, &["run", "play", "rules", "verify", "render", "perft"]);
    home.run(&["play", "--help"], "")
        .is(0, &["$PLAY_BY_COMMIT_HOME", "~/.local/share/play-by-commit", "`tables`", "--table"]);
    home.run(&["rules", "--help"], "")
        .is(0, &["\"try\":\"c3\"", "  config    the settings", "  validate  backgammon only"]);
    home.run(&["--version"], "").is(0, &[env!("CARGO_PKG_VERSION")]);
}

#[test]
fn a_wrong_use_is_2() {
    let home = Home::new();
    for args in [
        &[][..],
        &["walk"],
        &["play"],
        &["play", "--table", "x"],
        &["play", "tic-tac-toe", "--fast"],
        &["verify"],
        &["render"],
        &["render", "1.json", "2.json"],
        &["perft"],
        &["perft", "tic-tac-toe"],
        &["perft", "tic-tac-toe", "-1"],
    ] {
        home.run(args, "").is(2, &["--help"]);
    }
    assert_eq!(std::fs::read_dir(&home.0).unwrap().count(), 0);
}

#[test]
fn a_table_that_is_there_is_not_another_game() {
    let home = Home::new();
    home.run(&TABLE, "a1\n").is(0, &[]);
    for (args, words) in [
        (&["backgammon"][..], "Table 1 is a game of tic-tac-toe, not of backgammon."),
        (&["tictactoe", "size=4"], "`size=4` comes too late"),
        (&["bakgammon"], "Did you mean `backgammon`?"),
    ] {
        home.run(&[&["play", "--table", "1"], args].concat(), "b2\n").is(1, &[words]);
    }
    home.run(&["play", "--table", "1", "tic", "tac", "toe"], "b2\n").is(0, &["ben (O) played `b2`"]);
    assert_eq!(home.log().len(), 3);
}

#[test]
fn words_need_no_slash_and_are_said_by_whoever_can_mean_them() {
    let home = Home::new();
    // The last line comes too late.
    let lines = "a1\nb2\ndraw\nno\nundo\nyes\nben: undo\nc3\nalice: hello\nquit\na2\n";
    let ran = home.run(&TABLE, lines);
    let said = [
        "ann (X) offered a draw.",
        "ben (O) declined.",
        "ben (O) asked to take back their last move.",
        "ann (X) agreed to take back the last move. It's ben's turn (O).",
        "ben: ",
        "ben (O) played `c3`",
    ];
    let mut rest = ran.is(0, &[]).out.as_str();
    for words in said {
        let at = rest.find(words).unwrap_or_else(|| panic!("no {words:?} in {rest}"));
        rest = &rest[at + words.len()..];
    }
    assert!(!ran.out.contains("`a2`"), "{ran:?}");
    // A question leaves the board as it is, so it is not drawn again: the start, two moves, the undo, and a move.
    assert_eq!(ran.out.matches("   a  b  c\n").count(), 5, "{ran:?}");
}

#[test]
fn the_line_of_the_readme_works_in_a_pipe() {
    let home = Home::new();
    home.run(&["play", "tic-tac-toe"], "alice: /move b2\n").is(0, &["alice (X) played `b2`", "Table 1 in"]);
    // Whoever is named next sits down with a move, and not with a greeting.
    let ran = home.run(&["play", "tic-tac-toe"], "alice: b2\nbob: hello\nbob: a1\ncarol: c3\n");
    assert!(!ran.is(0, &["alice (X) played `b2`", "bob (O) played `a1`"]).out.contains("carol ("), "{ran:?}");
}

#[test]
fn a_game_of_a_match_is_given_up_at_one_keyboard() {
    let home = Home::new();
    let ran = home.run(&["play", "backgammon", "match=3", "--players", "ann,ben"], "ben: /join\nann: resign\nyes\n");
    ran.is(0, &["offered to concede this game as a single", "ben (Black) accepted and won this game.", "Game 2"]);
}

#[test]
fn an_open_table_keeps_no_seat_for_anybody() {
    let home = Home::new();
    let ran = home.run(&["play", "tic-tac-toe", "seats=open"], "/move a1\n/move b2\nmove c3\nundo\n");
    ran.is(0, &["alice (X) played `a1`", "o (O) played `b2`", "x (X) played `c3`", "X took back the last move"]);
}

#[test]
fn the_way_back_is_a_command_that_works() {
    let home = Home::new();
    home.git(".", &["init", "-qb", "main", "my repo"]);
    let args = ["play", "tic-tac-toe", "--repo", "my repo", "--branch", "games", "--state-dir", "tables", "--turn"];
    let ran = home.run(&[&args[..], &["--players", "ann,ben"]].concat(), "a1\n");
    let back = ran.is(0, &[]).err.lines().find_map(|line| line.strip_prefix("To go on: ")).unwrap();
    let place = home.place("my repo");
    assert_eq!(
        back,
        format!("{PROGRAM} play --table 1 --repo '{}' --branch games --state-dir tables --turn", place.display())
    );
    let again = home.command("sh", &["-c", &format!("cd / && echo b2 | {back}")]).output().unwrap();
    assert!(String::from_utf8_lossy(&again.stdout).contains("ben (O) played `b2`"), "{again:?}");
}

#[test]
fn the_board_keeps_its_side_unless_it_is_turned() {
    let sides = |args: &[&str]| {
        let home = Home::new();
        let args = [&["play", "backgammon", "--players", "ann,ben"], args].concat();
        let out = home.run(&args, "").out;
        let first = if out.contains("White goes first") { 'W' } else { 'B' };
        let moves = home.run(&["play", "--table", "1"], "moves\n").is(0, &[]).out.clone();
        let listed =
            moves.split('`').rfind(|text| text.contains('/') && text.starts_with(|c: char| c.is_ascii_digit()));
        let after = home.run(&[&["play", "--table", "1"], &args[4..]].concat(), &format!("{}\n", listed.unwrap())).out;
        (first, after.rsplit("Black is B; ").next().unwrap().to_owned())
    };
    let (first, kept) = sides(&[]);
    let other = if first == 'W' { 'B' } else { 'W' };
    assert!(kept.starts_with(&format!("{first}'s view, points numbered for {other}")), "{kept}");
    let (first, turned) = sides(&["--turn"]);
    let other = if first == 'W' { 'B' } else { 'W' };
    assert!(turned.starts_with(&format!("{other}'s view;")), "{turned}");
}

/// A reader who has left is no fault; whatever was to be done besides printing is done.
#[test]
fn a_closed_pipe_ends_quietly() {
    let home = Home::new();
    home.run(&TABLE, GAME).is(0, &[]);
    home.write("1.json", &home.record(1));
    home.git(".", &["init", "-qb", "main", "repo"]);
    let request = "{\"id\":1,\"game\":\"tic-tac-toe\",\"moves\":[]}\n";
    for (args, input, code) in [
        (&["init", "--repo", "repo"][..], "", 0),
        (&["doctor", "--repo", "repo"], "", 0),
        (&["--help"], "", 0),
        (&["play", "--table", "1"], "help\n/rematch\n", 0),
        (&["rules"], request, 0),
        (&["verify", "1.json"], "", 0),
        (&["verify", "2.json"], "", 1),
        (&["render", "1.json"], "", 0),
        (&["export", "1.json"], "", 1),
        (&["perft", "tic-tac-toe", "1"], "", 0),
    ] {
        for errors_too in [false, true] {
            let closed = || std::io::pipe().unwrap().1;
            let mut command = home.command(PROGRAM, args);
            command.stdin(Stdio::piped()).stdout(closed()).stderr(Stdio::piped());
            if errors_too {
                command.stderr(closed());
            }
            let mut child = command.spawn().unwrap();
            drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
            let output = child.wait_with_output().unwrap();
            let said = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
            assert!(!said.contains("panic") && !said.contains("pipe"), "{args:?}: {said}");
        }
    }
    assert!(home.place("repo/.github/workflows/play.yml").exists());
    // A disk that is full is one.
    if let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") {
        let output = home.command(PROGRAM, &["render", "1.json"]).stdout(full).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(1) && said.contains("the output can't be written"), "{said}");
    }
}
