//! Plays a whole match of backgammon through a pipe, with moves from the bot's own lists, and verifies every roll.

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use testkit::short_or_long;

const PROGRAM: &str = env!("CARGO_BIN_EXE_play-by-commit");
struct Session {
    program: Child,
    input: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
    output: String,
    random_state: u64,
}

impl Session {
    fn start(home: &PathBuf) -> Session {
        let mut program = Command::new(PROGRAM)
            .args(["play", "backgammon", short_or_long("match=1", "match=3"), "--players", "alice,bob"])
            .env("PLAY_BY_COMMIT_HOME", home)
            .env("PLAY_BY_COMMIT_DICE_SECRET", "nobody would ever guess this")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (input, output) = (program.stdin.take().unwrap(), program.stdout.take().unwrap());
        // With this seed, the match is short.
        Session { program, input, answers: BufReader::new(output).lines(), output: String::new(), random_state: 6 }
    }

    /// Sends a line and reads the output up to a line with one of these texts.
    fn send(&mut self, text: &str, until: &[&str]) -> String {
        writeln!(self.input, "{text}").unwrap();
        loop {
            let line = self.answers.next().expect("an answer to every command").unwrap();
            self.output.push_str(&line);
            self.output.push('\n');
            if until.iter().any(|part| line.contains(part)) {
                return line;
            }
        }
    }

    fn random_below(&mut self, from: usize) -> usize {
        self.random_state =
            self.random_state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.random_state >> 33) as usize % from
    }

    /// Plays a match to its end.
    fn play_match(&mut self) {
        loop {
            let line = self.send("/moves", &["legal move", " won."]);
            let Some((_, list)) = line.split_once("legal move") else { return };
            let moves: Vec<&str> = list.split('`').skip(1).step_by(2).collect();
            let mut at = self.random_below(moves.len());
            // Doubling and dropping often keeps the games short.
            if matches!(moves[0], "roll" | "take") {
                at = usize::from(self.random_below(short_or_long(3, 6)) == 0);
            }
            // Send only the move, which counts for the player to move.
            writeln!(self.input, "{}", moves[at]).unwrap();
        }
    }
}

#[test]
fn plays_and_verifies_a_whole_match() {
    let home = std::env::temp_dir().join(format!("play-by-commit-match-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&home);
    let mut session = Session::start(&home);
    session.play_match();
    let is_hit = |line: &str| line.contains("played `") && line.contains('*');
    assert!(session.output.lines().any(is_hit), "nobody was hit");
    // Resign every game of the next match. Each one loses at most three points.
    session.send("alice: /rematch", &["Round"]);
    while !session.send("alice: /resign backgammon", &["resigned this game", "resigned."]).contains("resigned.") {}
    let matches = 2;
    assert!(session.output.contains("This round's dice came from the key"));
    drop(session.input);
    assert!(session.program.wait().unwrap().success());

    // The committed records replay, and every roll is verified.
    let state = home.join("tables");
    let files = std::iter::once("state/1.json".to_owned())
        .chain((1..matches).map(|round| format!("state/archive/1-{round}.json")));
    for file in files {
        let shown = Command::new("git").arg("-C").arg(&state).args(["show", &format!("HEAD:{file}")]).output().unwrap();
        let copy = home.join(PathBuf::from(&file).file_name().unwrap());
        std::fs::write(&copy, &shown.stdout).unwrap();
        let verified = Command::new(PROGRAM).arg("verify").arg(&copy).output().unwrap();
        let printed = String::from_utf8(verified.stdout).unwrap();
        assert!(verified.status.success() && printed.contains("each verified with the key"), "{file}: {printed}");

        // A changed die makes a record invalid.
        let text = String::from_utf8(shown.stdout).unwrap();
        let at = text.rfind("{ \"throw\": [").unwrap() + "{ \"throw\": [".len();
        let other = if &text[at..=at] == "6" { "5" } else { "6" };
        std::fs::write(&copy, format!("{}{other}{}", &text[..at], &text[at + 1..])).unwrap();
        let forged = Command::new(PROGRAM).arg("verify").arg(&copy).output().unwrap();
        assert!(!forged.status.success(), "{file} with a false roll");
    }
    std::fs::remove_dir_all(&home).unwrap();
}
