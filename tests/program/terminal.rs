//! A table as people have it: in a terminal, where they type, see what they type, and are asked.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use nix::pty::{Winsize, openpty};

use super::cli::{Home, PROGRAM};

/// A table in a terminal.
struct Screen {
    child: Child,
    keys: File,
    shown: Receiver<Vec<u8>>,
    /// Everything that was shown so far, and the byte up to which it was looked at.
    text: String,
    seen: usize,
}

impl Screen {
    fn open(home: &Home, args: &[&str], variables: &[(&str, &str)]) -> Screen {
        let size = Winsize { ws_row: 40, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
        let terminal = openpty(&size, None).unwrap();
        let end = || Stdio::from(terminal.slave.try_clone().unwrap());
        let mut command = home.command(PROGRAM, args);
        command.stdin(end()).stdout(end()).stderr(end()).env("TERM", "xterm").envs(variables.iter().copied());
        let child = command.spawn().unwrap();
        let (keys, mut screen) = (File::from(terminal.master.try_clone().unwrap()), File::from(terminal.master));
        let (sender, shown) = channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = screen.read(&mut bytes) {
                drop(sender.send(bytes[..count].to_vec()));
            }
        });
        Screen { child, keys, shown, text: String::new(), seen: 0 }
    }

    /// Waits until this is shown below what was seen, and returns what stands before it.
    #[track_caller]
    fn see(&mut self, words: &str) -> String {
        let begun = Instant::now();
        loop {
            if let Some(at) = self.text[self.seen..].find(words) {
                let before = self.text[self.seen..self.seen + at].to_owned();
                self.seen += at + words.len();
                return before;
            }
            match self.shown.recv_timeout(Duration::from_secs(20)) {
                Ok(bytes) => self.text.push_str(&String::from_utf8_lossy(&bytes)),
                Err(_) => panic!("{words:?} is not shown: {}", &self.text[self.seen..]),
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "{words:?} is not shown: {}", self.text);
        }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits for the prompt, then types a line.
    #[track_caller]
    fn answer(&mut self, prompt: &str, line: &str) -> String {
        let before = self.see(prompt);
        self.press(&format!("{line}\r"));
        before
    }

    /// Waits for the end, which is no failure.
    #[track_caller]
    fn end(mut self) {
        assert!(self.child.wait().unwrap().success(), "{}", self.text);
    }
}

const TABLE: [&str; 3] = ["play", "tic-tac-toe", "--two"];
const UP: &str = "\x1b[A";
const LEFT: &str = "\x1b[D";

#[test]
fn a_terminal_is_a_place_to_be() {
    let home = Home::new();
    let mut screen = Screen::open(&home, &TABLE, &[("NO_COLOR", "1")]);
    let opening = screen.answer("alice (X)> ", "alice: /move b2");
    assert!(opening.contains("Table 1 in ") && opening.contains("`quit` leaves"), "{opening}");
    assert!(!opening.contains("\x1b[1m") && !opening.contains("\x1b[2m"), "{opening:?}");
    // A line is edited, and one that was typed before is called back.
    let board = screen.answer("bob (O)> ", &format!("1{LEFT}a"));
    assert_eq!(board.matches("   a  b  c").count(), 1, "{board}");
    screen.see("bob (O) played `a1`");
    screen.answer("alice (X)> ", &format!("{UP}{UP}"));
    screen.see("X is already on");
    // The other side is asked at the same keyboard.
    screen.answer("alice (X)> ", "draw");
    let asked = screen.answer("bob (O), yes or no> ", "no");
    assert!(!asked.contains("   a  b  c"), "{asked}");
    screen.see("bob (O) declined");
    screen.answer("alice (X)> ", "undo");
    screen.see("bob (O) asked to take back their last move");
    screen.answer("alice (X), yes or no> ", "yes");
    screen.see("agreed to take back the last move");
    screen.answer("bob (O)> ", "help");
    let help = screen.see("plays as alice");
    assert!(help.contains("Here commands need no slash: `move`, `board`,") && help.contains("`quit`."), "{help}");
    // What cannot be read is not taken for chat, but what somebody says by name can be.
    screen.answer("bob (O)> ", "z9");
    screen.see("`z9` isn't on this board");
    screen.answer("bob (O)> ", "bord");
    screen.see("Did you mean `/board`?");
    screen.answer("bob (O)> ", "alice: nice!");
    screen.see("The bot ignores chat.");
    screen.answer("bob (O)> ", "quit");
    screen.see(&format!("To continue: {PROGRAM} play --table 1"));
    screen.end();
    assert_eq!(home.log().len(), 7);
}

#[test]
fn whoever_is_alone_plays_against_the_computer() {
    let home = Home::new();
    let mut screen = Screen::open(&home, &["play", "tic-tac-toe"], &[("NO_COLOR", "1")]);
    let opening = screen.answer("alice (X)> ", "b2");
    assert!(opening.contains("The computer (level 4) plays O"), "{opening}");
    screen.see("The computer (O) played `");
    screen.answer("alice (X)> ", "undo");
    screen.see("took back the last two moves");
    screen.answer("alice (X)> ", "quit");
    screen.end();
    assert_eq!(home.log().len(), 3);
}

#[test]
fn moves_and_commands_are_completed() {
    let home = Home::new();
    let mut screen = Screen::open(&home, &TABLE, &[("NO_COLOR", "1")]);
    screen.see("alice (X)> ");
    screen.press("b\t");
    let listed = screen.see("board");
    assert!(["b1", "b2", "b3"].iter().all(|mv| listed.contains(mv)), "{listed}");
    screen.press("oa\t\r");
    screen.see("It's alice's turn (X)");
    screen.see("alice (X)> ");
    // Two lines that are pasted are two lines.
    screen.press("\x1b[200~b2\na1\x1b[201~\r");
    screen.see("alice (X) played `b2`");
    screen.see("bob (O) played `a1`");
    screen.see("alice (X)> ");
    screen.press("\x04");
    screen.see("To continue: ");
    screen.end();
}

#[test]
fn leaving_says_how_to_come_back() {
    let home = Home::new();
    home.git(".", &["init", "-qb", "main", "repo"]);
    for key in ["\x03", "\x04"] {
        let mut screen = Screen::open(&home, &[&TABLE[..], &["--repo", "repo", "--players", "ann,ben"]].concat(), &[]);
        let opening = screen.see("ann (X)> ");
        assert!(opening.contains("\x1b[2m . \x1b[0m") && opening.ends_with("\x1b[1m"), "{opening:?}");
        screen.press(if key == "\x03" { "b2" } else { "" });
        screen.press(key);
        screen.see(&format!(" --repo {}", home.place("repo").display()));
        screen.end();
    }
}
