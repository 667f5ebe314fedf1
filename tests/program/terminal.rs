//! Runs `play` in a pseudo-terminal.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use nix::pty::{Winsize, openpty};

use super::cli::{Home, PROGRAM};

/// A program in a pseudo-terminal.
struct Screen {
    child: Child,
    keys: File,
    shown: Receiver<Vec<u8>>,
    /// All output so far, and the byte offset up to which the test has matched it.
    text: String,
    matched: usize,
}

impl Screen {
    fn open(home: &Home, args: &[&str], variables: &[(&str, &str)]) -> Screen {
        Screen::open_with_columns(100, home, args, variables)
    }

    fn open_with_columns(columns: u16, home: &Home, args: &[&str], variables: &[(&str, &str)]) -> Screen {
        Screen::open_with_size([columns, 40], home, args, variables)
    }

    fn open_with_size([columns, rows]: [u16; 2], home: &Home, args: &[&str], variables: &[(&str, &str)]) -> Screen {
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
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
        Screen { child, keys, shown, text: String::new(), matched: 0 }
    }

    /// Waits for this text after the last match, and returns the output before it.
    #[track_caller]
    fn wait_for(&mut self, words: &str) -> String {
        let start = Instant::now();
        loop {
            if let Some(at) = self.text[self.matched..].find(words) {
                let before = self.text[self.matched..self.matched + at].to_owned();
                self.matched += at + words.len();
                return before;
            }
            match self.shown.recv_timeout(Duration::from_secs(20)) {
                Ok(bytes) => self.text.push_str(&String::from_utf8_lossy(&bytes)),
                Err(_) => panic!("{words:?} did not appear: {}", &self.text[self.matched..]),
            }
            assert!(start.elapsed() < Duration::from_secs(60), "{words:?} did not appear: {}", self.text);
        }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits for the prompt, then types a line.
    #[track_caller]
    fn type_at(&mut self, prompt: &str, line: &str) -> String {
        let before = self.wait_for(prompt);
        self.press(&format!("{line}\r"));
        before
    }

    /// Waits for the program to exit successfully.
    #[track_caller]
    fn wait_for_exit(mut self) {
        assert!(self.child.wait().unwrap().success(), "{}", self.text);
    }
}

/// Ends the program if a test fails before it does.
impl Drop for Screen {
    fn drop(&mut self) {
        drop(self.child.kill());
    }
}

const TABLE: [&str; 3] = ["play", "tic-tac-toe", "--two"];
const UP: &str = "\x1b[A";
const LEFT: &str = "\x1b[D";

#[test]
fn plays_in_a_terminal() {
    let home = Home::new();
    let mut screen = Screen::open(&home, &TABLE, &[("NO_COLOR", "1")]);
    let opening = screen.type_at("alice (X)> ", "alice: /move b2");
    assert!(opening.contains("'quit' leaves"), "{opening}");
    assert!(!opening.contains("\x1b[1m") && !opening.contains("\x1b[2m"), "{opening:?}");
    // Lines can be edited and recalled.
    let board = screen.type_at("bob (O)> ", &format!("1{LEFT}a"));
    assert_eq!(board.matches("     a   b   c").count(), 1, "{board}");
    screen.wait_for("bob (O) played 'a1'");
    screen.type_at("alice (X)> ", &format!("{UP}{UP}"));
    screen.wait_for("X is already on");
    // The opponent answers an offer in the same terminal.
    screen.type_at("alice (X)> ", "draw");
    let asked = screen.type_at("bob (O), yes or no> ", "no");
    assert!(!asked.contains("     a   b   c"), "{asked}");
    screen.wait_for("bob (O) declined");
    screen.type_at("alice (X)> ", "undo");
    screen.wait_for("bob (O) asked to take back their last move");
    screen.type_at("alice (X), yes or no> ", "yes");
    screen.wait_for("agreed to take back 'a1'");
    screen.type_at("bob (O)> ", "help");
    let help = screen.wait_for("leaves; you can come back");
    assert!(help.contains("lists your legal moves") && help.lines().count() <= 9, "{help}");
    // An unreadable line is a mistake, not chat. A comment with a name can be chat.
    screen.type_at("bob (O)> ", "z9");
    screen.wait_for("'z9' isn't on this board");
    screen.type_at("bob (O)> ", "bord");
    screen.wait_for("Did you mean 'board'?");
    screen.type_at("bob (O)> ", "alice: nice!");
    screen.wait_for("The bot ignores chat.");
    screen.type_at("bob (O)> ", "quit");
    screen.wait_for(&format!("To continue: {PROGRAM} play --table 1"));
    screen.wait_for_exit();
    assert_eq!(home.log().len(), 7);
}

#[test]
fn plays_the_computer_by_default() {
    let home = Home::new();
    let mut screen = Screen::open(&home, &["play", "tic-tac-toe"], &[("NO_COLOR", "1")]);
    let opening = screen.type_at("You (X)> ", "b2");
    assert!(opening.contains("You're X. The computer (level 4) plays O."), "{opening}");
    screen.wait_for("The computer (O) played '");
    screen.type_at("You (X)> ", "undo");
    screen.wait_for("took back the last two moves");
    screen.type_at("You (X)> ", "quit");
    screen.wait_for_exit();
    assert_eq!(home.log().len(), 3);
}

#[test]
fn completes_moves_and_commands() {
    let home = Home::new();
    let mut screen = Screen::open(&home, &TABLE, &[("NO_COLOR", "1")]);
    screen.wait_for("alice (X)> ");
    screen.press("b\t");
    let listed = screen.wait_for("board");
    assert!(["b1", "b2", "b3"].iter().all(|mv| listed.contains(mv)), "{listed}");
    screen.press("oa\t\r");
    screen.wait_for("It's alice's turn (X)");
    screen.wait_for("alice (X)> ");
    // Two pasted lines are two comments.
    screen.press("\x1b[200~b2\na1\x1b[201~\r");
    screen.wait_for("alice (X) played 'b2'");
    screen.wait_for("bob (O) played 'a1'");
    screen.wait_for("alice (X)> ");
    screen.press("\x04");
    screen.wait_for("To continue: ");
    screen.wait_for_exit();
}

#[test]
fn prints_how_to_continue_on_leaving() {
    let home = Home::new();
    home.git(".", &["init", "-qb", "main", "repo"]);
    for key in ["\x03", "\x04"] {
        let mut screen = Screen::open(&home, &[&TABLE[..], &["--repo", "repo", "--players", "ann,ben"]].concat(), &[]);
        let opening = screen.wait_for("ann (X)> ");
        assert!(opening.contains("\x1b[2m 1 \x1b[0m") && opening.ends_with("\x1b[1m"), "{opening:?}");
        screen.press(if key == "\x03" { "b2" } else { "" });
        screen.press(key);
        screen.wait_for(&format!(" --repo {}", home.path("repo").display()));
        screen.wait_for_exit();
    }
}

#[test]
fn chooses_games_from_a_menu_and_plays_again() {
    let home = Home::new();
    let mut screen = Screen::open(&home, &["play"], &[("NO_COLOR", "1")]);
    let menu = screen.type_at("> ", "1");
    assert!(menu.contains("Tic-tac-toe") && menu.contains("Backgammon"), "{menu}");
    // On 3x3, the numbers are those of a keypad, from the top left.
    screen.type_at("You (X)> ", "5");
    screen.wait_for("You played 'b2'.");
    screen.type_at("You (X)> ", "level 6");
    screen.wait_for("level=6");
    screen.type_at("You (X)> ", "resign");
    screen.type_at("Resign? y/n> ", "no");
    screen.wait_for("You play on.");
    screen.type_at("You (X)> ", "pgn");
    screen.wait_for("X 'b2'");
    screen.type_at("You (X)> ", "resign");
    screen.type_at("Resign? y/n> ", "y");
    screen.wait_for("The computer won");
    screen.type_at("> ", "");
    screen.type_at("You (O)> ", "new connect-four level=1");
    screen.wait_for("A new game of connect four");
    screen.type_at("You (Red)> ", "quit");
    screen.wait_for_exit();
}

/// The variables of a terminal with Unicode and without colors.
const UNICODE: [(&str, &str); 2] = [("NO_COLOR", "1"), ("LANG", "C.UTF-8")];

#[test]
fn wraps_text_between_words() {
    let home = Home::new();
    let mut screen = Screen::open_with_columns(40, &home, &["play", "chess", "level=1"], &UNICODE);
    let opening = screen.type_at("You (White)> ", "e5");
    assert!(
        opening.contains("You're White. The\r\ncomputer (level 1) plays Black. It's\r\nyour turn.\r\n"),
        "{opening}"
    );
    let refusal = screen.type_at("You (White)> ", "moves");
    let moves = screen.type_at("You (White)> ", "help");
    let help = screen.type_at("You (White)> ", "rules");
    let rules = screen.type_at("You (White)> ", "quit");
    for text in [opening, refusal, moves, help, rules] {
        let longest = text.lines().map(|line| line.trim_end().chars().count()).max();
        // Each text but the first starts with the line that was typed.
        assert!(longest <= Some(40) && !text.contains('\u{a0}'), "{text}");
    }
    screen.wait_for_exit();
}

#[test]
fn the_first_screen_shows_the_whole_board() {
    let home = Home::new();
    for (columns, game, top) in [
        (60, "backgammon match=3", "13"),
        (40, "backgammon match=3", "13"),
        (40, "gomoku", "15 · ·"),
        (40, "tic-tac-toe size=19 k=5", "19 · ·"),
    ] {
        let args = [&["play"], &game.split(' ').collect::<Vec<_>>()[..]].concat();
        let mut screen = Screen::open_with_size([columns, 24], &home, &args, &UNICODE);
        let opening = screen.type_at(")> ", "quit");
        let longest = opening.lines().map(|line| line.trim_end().chars().count()).max();
        assert!(longest <= Some(columns.into()), "{opening}");
        // The prompt has a line of its own.
        let lines: Vec<&str> = opening.lines().collect();
        let shown = &lines[lines.len().saturating_sub(24)..];
        assert!(shown.iter().any(|line| line.trim_start().starts_with(top)), "{opening}");
        assert!(!shown.iter().any(|line| line.contains("Dice:") || line.contains("Score:")), "{opening}");
        screen.wait_for_exit();
    }
}

#[test]
fn draws_each_board_with_edges() {
    let home = Home::new();
    for (game, unicode, ascii) in [
        ("tic-tac-toe", " 2   4 │ 5 │ 6\r\n    ───┼───┼───\r\n", " 2   4 | 5 | 6\r\n    ---+---+---\r\n"),
        ("tic-tac-toe size=6", "   ┌──────────────────┐\r\n", "   +------------------+\r\n 6 | .  .  ."),
        (
            "ultimate-tic-tac-toe",
            "  ─────────┼─────────┼─────────\r\n6  ·  ·  · │ ",
            "  ---------+---------+---------\r\n",
        ),
        (
            "backgammon",
            "┌────────────────────────┬───┬────────────────────────┐\r\n│",
            "|  W               B     |   |  B",
        ),
        ("chess", " 8 │ ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜ │\r\n", " 8 | r  n  b  q  k  b  n  r |\r\n"),
        (
            "connect-four",
            " 1 │ ·  ·  ·  ·  ·  ·  · │\r\n   └─────────────────────┘\r\n",
            " 1 | .  .  .  .  .  .  . |\r\n",
        ),
        ("othello", " 4 │ ·  ·  ·  ○  ●  ·  ·  · │\r\n", " 4 | .  .  .  W  B  .  .  . |\r\n"),
        ("hex 4x4", "   ━━━━━━━━━\r\n1 ╲ · · · · ╲\r\n 2 ╲", "1 \\ . . . . \\\r\n 2 \\"),
        ("checkers", " │ 4●      3●      2●      1●     │\r\n", " | 4b      3b      2b      1b     |\r\n"),
    ] {
        let args = [&["play"], &game.split(' ').collect::<Vec<_>>()[..], &["--two"]].concat();
        let letters = [&args[..], &["--ascii"]].concat();
        for (args, locale, expected) in [(&args, "C.UTF-8", unicode), (&args, "C", ascii), (&letters, "C.UTF-8", ascii)]
        {
            let mut screen = Screen::open(&home, args, &[("NO_COLOR", "1"), ("LC_ALL", locale)]);
            let board = screen.type_at(")> ", "quit");
            assert!(
                locale == "C.UTF-8" && args.len() == letters.len() || board.is_ascii() == (locale == "C"),
                "{board}"
            );
            // Black has the first move in half of all games of backgammon.
            let turned = expected.replace('W', "w").replace('B', "W").replace('w', "B");
            assert!(board.contains(expected) || game == "backgammon" && board.contains(&turned), "{args:?}: {board}");
            screen.wait_for_exit();
        }
    }
}

#[test]
fn shades_squares_in_color() {
    let home = Home::new();
    let mut screen = Screen::open(&home, &["play", "chess", "--two"], &[("LANG", "C.UTF-8")]);
    let board = screen.type_at("alice (White)> ", "quit");
    assert!(board.contains("\x1b[38;5;16;48;5;137m ♜ \x1b[0m\x1b[38;5;16;48;5;94m ♞ \x1b[0m"), "{board:?}");
    assert!(board.contains("\x1b[38;5;231;48;5;94m ♜ \x1b[0m"), "{board:?}");
    screen.wait_for_exit();
}

#[test]
fn turns_the_board_of_chess_and_checkers() {
    let home = Home::new();
    for (args, rows) in
        [(&["play", "chess", "--two", "--turn"][..], [" 1 │", " 8 │"]), (&["play", "chess", "--two"], [" 8 │"; 2])]
    {
        let mut screen = Screen::open(&home, args, &UNICODE);
        screen.type_at("alice (White)> ", "e4");
        let black = screen.type_at("bob (Black)> ", "e5");
        let white = screen.type_at("alice (White)> ", "flip");
        let flipped = screen.type_at("alice (White)> ", "quit");
        for (board, row) in [(black, rows[0]), (white, rows[1]), (flipped, " 1 │")] {
            assert!(board.contains(&format!("┐\r\n{row}")), "{args:?}: {board}");
        }
        screen.wait_for_exit();
    }
    let mut screen = Screen::open(&home, &["play", "checkers", "level=1", "as=white"], &UNICODE);
    assert!(screen.type_at("You (White)> ", "quit").contains("┐\r\n │     1●"));
    screen.wait_for_exit();
}

#[test]
fn finds_the_center_of_nine_boards() {
    let home = Home::new();
    let mut screen = Screen::open(&home, &["play", "ultimate-tic-tac-toe", "--two"], &UNICODE);
    screen.type_at("alice (X)> ", "center");
    screen.wait_for("alice (X) played 'e5'.");
    screen.type_at("bob (O)> ", "quit");
    screen.wait_for_exit();
}

#[test]
fn understands_words_from_elsewhere() {
    let home = Home::new();
    let mut screen = Screen::open(&home, &["play", "tic-tac-toe", "level=1"], &UNICODE);
    for (line, answer) in [
        ("center", "You played 'b2'."),
        ("takeback", "You took back the last two moves."),
        ("/a1", "You played 'a1'."),
        ("computer 8", "'new tic-tac-toe level=8'"),
        ("claim", "This game has no time limit"),
        ("wow", "'wow' isn't a move like 'b2'."),
        ("hlep", "Did you mean 'help'?"),
        ("rules", "the game is a draw."),
        ("help chess", "Checkmate your opponent's king."),
        ("new hexx", "Did you mean 'hex'?"),
        ("new hex size=99", "Your game goes on."),
    ] {
        screen.type_at("You (X)> ", line);
        screen.wait_for(answer);
    }
    screen.type_at("You (X)> ", "resign");
    screen.type_at("Resign? y/n> ", "y");
    screen.wait_for("The computer (O) won.");
    screen.wait_for("for a rematch");
    screen.type_at("game over> ", "new connect-four level=1");
    screen.type_at("You (Red)> ", "column 3");
    screen.wait_for("You played 'c'.");
    screen.type_at("You (Red)> ", "new othello level=1");
    screen.wait_for("To continue the game you leave: ");
    screen.type_at("You (Black)> ", "pass");
    screen.wait_for("You have a move, so you can't pass.");
    screen.type_at("You (Black)> ", "quit");
    screen.wait_for_exit();
}

#[test]
fn says_who_won_in_how_many_moves() {
    let home = Home::new();
    let mut screen = Screen::open(&home, &TABLE, &UNICODE);
    for (player, line) in
        [("alice (X)> ", "1"), ("bob (O)> ", "2"), ("alice (X)> ", "5"), ("bob (O)> ", "3"), ("alice (X)> ", "9")]
    {
        screen.type_at(player, line);
    }
    screen.wait_for("alice (X) played 'c1' and won: 3 in a row.");
    let before_note = screen.wait_for("alice won in 3 moves. Press Enter for a rematch");
    assert!(!before_note.contains("To play again"), "{before_note}");
    let replay = screen.wait_for(".svg").trim().rsplit('\n').next().unwrap().to_owned();
    assert!(std::fs::read_to_string(format!("{replay}.svg")).unwrap().starts_with("<svg"), "{replay}");
    screen.type_at("game over> ", "b1");
    screen.wait_for("This game is over.");
    let after_refusal = screen.type_at("game over> ", "");
    assert!(!after_refusal.contains("To play again"), "{after_refusal}");
    let opening = screen.type_at("bob (X)> ", "no");
    assert!(
        opening.contains("Round 2: bob (X) started a game of tic-tac-toe") && opening.contains("alice plays O."),
        "{opening}"
    );
    screen.type_at("bob (X)> ", "quit");
    screen.wait_for_exit();
}
