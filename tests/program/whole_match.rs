//! A whole match, as people would play it in a terminal: comments go into `play` through a pipe, one after the other, each
//! chosen from what the last answer says. In the end `verify` has to prove every throw.

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use testkit::often;

const PROGRAM: &str = env!("CARGO_BIN_EXE_play-by-commit");
struct Table {
    program: Child,
    input: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
    heard: String,
    chance: u64,
}

impl Table {
    fn open(home: &PathBuf) -> Table {
        let mut program = Command::new(PROGRAM)
            .args(["play", "backgammon", often("match=1", "match=3"), "--players", "alice,bob"])
            .env("PLAY_BY_COMMIT_HOME", home)
            .env("PLAY_BY_COMMIT_DICE_SECRET", "nobody would ever guess this")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (input, output) = (program.stdin.take().unwrap(), program.stdout.take().unwrap());
        Table { program, input, answers: BufReader::new(output).lines(), heard: String::new(), chance: 2026 }
    }

    /// Says something, and hears what is said until a line has one of these in it.
    fn say(&mut self, text: &str, until: &[&str]) -> String {
        writeln!(self.input, "{text}").unwrap();
        loop {
            let line = self.answers.next().expect("an answer to every command").unwrap();
            self.heard.push_str(&line);
            self.heard.push('\n');
            if until.iter().any(|part| line.contains(part)) {
                return line;
            }
        }
    }

    fn one_of(&mut self, from: usize) -> usize {
        self.chance = self.chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.chance >> 33) as usize % from
    }

    /// One match, to its end.
    fn play(&mut self) {
        loop {
            let line = self.say("/moves", &["legal move", " won."]);
            let Some((_, list)) = line.split_once("legal move") else { return };
            let moves: Vec<&str> = list.split('`').skip(1).step_by(2).collect();
            let mut at = self.one_of(moves.len());
            // Who doubles and drops often has short games.
            if matches!(moves[0], "roll" | "take") {
                at = usize::from(self.one_of(often(3, 6)) == 0);
            }
            // The move alone will do: it is the player's on turn. Its answer comes before the next one.
            writeln!(self.input, "{}", moves[at]).unwrap();
        }
    }
}

#[test]
fn a_whole_match_is_played_through_a_pipe_and_proved() {
    let home = std::env::temp_dir().join(format!("play-by-commit-match-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&home);
    let mut table = Table::open(&home);
    table.play();
    let hit = |line: &str| line.contains("played `") && line.contains('*');
    assert!(table.heard.lines().any(hit), "somebody was hit");
    // The next match is given up, game by game: each loses three points or fewer.
    table.say("alice: /rematch", &["Round"]);
    while !table.say("alice: /resign backgammon", &["resigned this game", "resigned."]).contains("resigned.") {}
    let matches = 2;
    assert!(table.heard.contains("This round's dice came from the key"));
    drop(table.input);
    assert!(table.program.wait().unwrap().success());

    // What was committed replays, and each throw of each match is proved.
    let state = home.join("tables");
    let files = std::iter::once("state/1.json".to_owned())
        .chain((1..matches).map(|round| format!("state/archive/1-{round}.json")));
    for file in files {
        let shown = Command::new("git").arg("-C").arg(&state).args(["show", &format!("HEAD:{file}")]).output().unwrap();
        let copy = home.join(PathBuf::from(&file).file_name().unwrap());
        std::fs::write(&copy, &shown.stdout).unwrap();
        let verified = Command::new(PROGRAM).arg("verify").arg(&copy).output().unwrap();
        let said = String::from_utf8(verified.stdout).unwrap();
        assert!(verified.status.success() && said.contains("each verified with the key"), "{file}: {said}");

        // One die turned over in the last throw but one, and it is false.
        let text = String::from_utf8(shown.stdout).unwrap();
        let at = text.rfind("{ \"throw\": [").unwrap() + "{ \"throw\": [".len();
        let other = if &text[at..=at] == "6" { "5" } else { "6" };
        std::fs::write(&copy, format!("{}{other}{}", &text[..at], &text[at + 1..])).unwrap();
        let forged = Command::new(PROGRAM).arg("verify").arg(&copy).output().unwrap();
        assert!(!forged.status.success(), "{file} with a false throw");
    }
    std::fs::remove_dir_all(&home).unwrap();
}
