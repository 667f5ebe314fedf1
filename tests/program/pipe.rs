//! Games played through a pipe: the author of each line, its effect, and how to continue.

use std::io::Write;
use std::process::Stdio;

use crate::cli::{GAME, Home, PROGRAM, TABLE};

#[test]
fn refuses_another_game_at_an_existing_table() {
    let home = Home::new();
    home.run(&TABLE, "a1\n").exits(0, &[]);
    for (args, words) in [
        (&["backgammon"][..], "Table 1 is a game of tic-tac-toe, not backgammon."),
        (&["tictactoe", "size=4"], "You can't change the options of a running game, so leave out `size=4`."),
        (&["bakgammon"], "Did you mean `backgammon`?"),
    ] {
        home.run(&[&["play", "--table", "1"], args].concat(), "b2\n").exits(1, &[words]);
    }
    home.run(&["play", "--table", "1", "tic", "tac", "toe"], "b2\n").exits(0, &["ben (O) played `b2`"]);
    assert_eq!(home.log().len(), 3);
}

#[test]
fn assigns_commands_without_a_slash_to_the_likely_author() {
    let home = Home::new();
    // Ignores the line after `quit`.
    let lines = "a1\nb2\ndraw\nno\nundo\nyes\nben: undo\nc3\nalice: hello\nquit\na2\n";
    let ran = home.run(&TABLE, lines);
    let expected = [
        "ann (X) offers a draw.",
        "ben (O) declined the draw.",
        "ben (O) asked to take back their last move.",
        "ann (X) agreed to take back `b2`. ben, it's your turn.",
        "ben: ",
        "ben (O) played `c3`",
    ];
    let mut rest = ran.exits(0, &[]).out.as_str();
    for words in expected {
        let at = rest.find(words).unwrap_or_else(|| panic!("no {words:?} in {rest}"));
        rest = &rest[at + words.len()..];
    }
    assert!(!ran.out.contains("`a2`"), "{ran:?}");
    // The bot draws the board only if it changed: at the start, and after two moves, the takeback and another move.
    assert_eq!(ran.out.matches("     a   b   c\n").count(), 5, "{ran:?}");
}

#[test]
fn the_readme_example_works_in_a_pipe() {
    let home = Home::new();
    home.run(&["play", "tic-tac-toe"], "alice: /move b2\n").exits(0, &["alice (X) played `b2`", "Table 1 in"]);
    // The second player joins with a move, not with a greeting.
    let ran = home.run(&["play", "tic-tac-toe"], "alice: b2\nbob: hello\nbob: a1\ncarol: c3\n");
    assert!(
        !ran.exits(0, &["alice (X) played `b2`", "bob (O) joined and played `a1`"]).out.contains("carol ("),
        "{ran:?}"
    );
}

#[test]
fn resigns_a_game_of_a_match_at_one_keyboard() {
    let home = Home::new();
    let ran = home.run(&["play", "backgammon", "match=3", "--players", "ann,ben"], "ben: /join\nann: resign\nyes\n");
    ran.exits(0, &["offers to concede this game as a single", "ben (Black) accepted and won this game.", "game 2:"]);
}

#[test]
fn an_open_table_reserves_no_seats() {
    let home = Home::new();
    let ran = home.run(&["play", "tic-tac-toe", "seats=open"], "/move a1\n/move b2\nmove c3\nundo\n");
    ran.exits(0, &["alice (X) played `a1`", "o (O) played `b2`", "x (X) played `c3`", "X took back `c3`"]);
}

#[test]
fn the_printed_command_continues_the_game() {
    let home = Home::new();
    home.git(".", &["init", "-qb", "main", "my repo"]);
    let args = ["play", "tic-tac-toe", "--repo", "my repo", "--branch", "games", "--state-dir", "tables", "--turn"];
    let ran = home.run(&[&args[..], &["--players", "ann,ben"]].concat(), "a1\n");
    let command = ran.exits(0, &[]).err.lines().find_map(|line| line.strip_prefix("To continue: ")).unwrap();
    let place = home.path("my repo");
    assert_eq!(
        command,
        format!("{PROGRAM} play --table 1 --repo '{}' --branch games --state-dir tables --turn", place.display())
    );
    let again = home.command("sh", &["-c", &format!("cd / && echo b2 | {command}")]).output().unwrap();
    assert!(String::from_utf8_lossy(&again.stdout).contains("ben (O) played `b2`"), "{again:?}");
}

#[test]
fn flips_the_board_only_with_turn() {
    let sides = |args: &[&str]| {
        let home = Home::new();
        let args = [&["play", "backgammon", "--players", "ann,ben"], args].concat();
        let out = home.run(&args, "").out;
        let first = if out.contains("turn (White)") { 'W' } else { 'B' };
        let moves = home.run(&["play", "--table", "1"], "moves\n").exits(0, &[]).out.clone();
        let listed =
            moves.split('`').rfind(|text| text.contains('/') && text.starts_with(|c: char| c.is_ascii_digit()));
        let after = home.run(&[&["play", "--table", "1"], &args[4..]].concat(), &format!("{}\n", listed.unwrap())).out;
        let (board, caption) = after.rsplit_once("White is W, Black is B. ").unwrap();
        let lowest_points = board.lines().next_back().unwrap().trim_start().replace('*', " ");
        (first, lowest_points, caption.to_owned())
    };
    // The points are numbered for the side to move. Their own home board is at the bottom only with `--turn`.
    for (args, lowest) in [(&[][..], "13  14"), (&["--turn"], "12  11")] {
        let (first, lowest_points, caption) = sides(args);
        let other = if first == 'W' { "Black" } else { "White" };
        assert!(caption.starts_with(&format!("The points are numbered for {other}.")), "{caption}");
        assert!(lowest_points.starts_with(lowest), "{args:?}: {lowest_points}");
    }
}

/// A command still does its work if nobody reads its output.
#[test]
fn survives_a_closed_pipe() {
    let home = Home::new();
    home.run(&TABLE, GAME).exits(0, &[]);
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
            let printed = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(code), "{args:?}: {printed}");
            assert!(!printed.contains("panic") && !printed.contains("pipe"), "{args:?}: {printed}");
        }
    }
    assert!(home.path("repo/.github/workflows/play.yml").exists());
    // A full disk is an error.
    if let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") {
        let output = home.command(PROGRAM, &["render", "1.json"]).stdout(full).output().unwrap();
        let printed = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(1) && printed.contains("the output can't be written"), "{printed}");
    }
}

/// Returns a record or a summary as if everything in it had happened an hour earlier.
fn an_hour_earlier(text: &str) -> String {
    let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    for index in 1..words.len() {
        if ["\"startTime\":", "\"timestamp\":", "\"since\":", "\"deadline\":"]
            .iter()
            .any(|key| words[index - 1].ends_with(key))
        {
            let digits: String = words[index].chars().take_while(char::is_ascii_digit).collect();
            let earlier = digits.parse::<u64>().unwrap() - 3_600_000;
            words[index] = words[index].replacen(&digits, &earlier.to_string(), 1);
        }
    }
    words.join(" ")
}

#[test]
fn a_claim_counts_as_soon_as_the_board_offers_it() {
    let home = Home::new();
    home.run(&[&TABLE[..], &["per-move=2m"]].concat(), "a1\nb2\n").exits(0, &["You have 2 minutes"]);
    for path in ["tables/state/1.json", "tables/state/running/1.json"] {
        let text = std::fs::read_to_string(home.path(path)).unwrap();
        let earlier = an_hour_earlier(&text);
        assert_ne!(earlier, text);
        home.write(path, &earlier);
    }
    home.git("tables", &["commit", "-qam", "An hour passes"]);
    // Each line is a comment, and none starts the clock again.
    let ran = home.run(&["play", "--table", "1"], "ben: board\nben: hello\nben: /claim\n");
    ran.exits(0, &["can `claim` the win", "ben (O) won: ann (X) ran out of time."]);
}
