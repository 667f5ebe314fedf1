//! Games of chess that were played elsewhere, as records; and records of ours as PGN, with the place where they lie.

use std::path::Path;

use crate::cli::Home;

const GAME: &str = "[Event \"Club\"]\n[White \"Oak, Ann\"]\n[Black \"Ben\"]\n[Date \"2024.02.29\"]\n[Result \"1-0\"]\n\n\
                    1. e4 e5 2. Bc4 Nc6 {a mistake} 3. Qh5 (3. Qf3) 3... Nf6?? 4. Qxf7# 1-0\n";
const NAMES: &str = "# who is who\nOak, Ann = @ann:1001\n\nben=ben:1002\n";

/// A home with these games and an empty directory for records.
fn home(games: &str) -> Home {
    let home = Home::new();
    home.write("games.pgn", games);
    home.write("names.txt", NAMES);
    std::fs::create_dir_all(home.place("state")).unwrap();
    home
}

fn records(home: &Home) -> usize {
    std::fs::read_dir(home.place("state")).unwrap().count()
}

const IMPORT: [&str; 6] = ["import", "games.pgn", "--issue", "42", "--players", "names.txt"];

#[test]
fn a_game_becomes_a_record_that_verifies() {
    let home = home(GAME);
    let record = Path::new("state").join("42.json").display().to_string();
    home.run(&IMPORT, "").is(0, &[&record, "7 moves. ann (white) won: checkmate."]);
    home.run(&["verify", "state/42.json"], "").is(0, &["good. Chess, round 1, 7 moves that count in 8 events."]);
    let text = home.run(&["export", "state/42.json"], "").is(0, &[]).out.clone();
    for line in ["[Event \"Play by Commit, table 42\"]", "[Site \"?\"]", "[Date \"2024.02.29\"]", "[White \"ann\"]"] {
        assert!(text.contains(line), "{line} in {text}");
    }
    assert!(
        text.ends_with("\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# {ann (white) won: checkmate.} 1-0\n\n"),
        "{text}"
    );
    // What came out goes in again, and is the same record.
    home.write("games.pgn", &text);
    home.write("again/.keep", "");
    let sides = ["--player", "white=ann:1001", "--player", "black=ben:1002", "--state-dir", "again"];
    home.run(&[&["import", "games.pgn", "--issue", "42"][..], &sides].concat(), "").is(0, &[]);
    let [one, two] = ["state/42.json", "again/42.json"].map(|path| std::fs::read_to_string(home.place(path)).unwrap());
    assert_eq!(one, two);
}

#[test]
fn a_record_is_never_replaced() {
    let home = home(GAME);
    home.write("state/42.json", "somebody's");
    home.run(&IMPORT, "").is(1, &["42.json cannot be made; a record is never replaced"]);
    assert_eq!(std::fs::read_to_string(home.place("state/42.json")).unwrap(), "somebody's");
}

#[test]
fn a_game_of_several_is_chosen() {
    let home =
        home(&format!("{GAME}\n{}", GAME.replace("Ben", "ann").replace("Oak, Ann", "Ben").replace("2024", "2025")));
    home.run(&IMPORT, "").is(1, &["it has 2 games", "--game says which", "2: `Ben` and `ann`, `2025.02.29`"]);
    home.run(&[&IMPORT[..], &["--game", "3"]].concat(), "").is(1, &["it has 2 games, so there is no game 3"]);
    assert_eq!(records(&home), 0);
    let more = ["--game", "2", "--player", "ann=ann:1001"];
    home.run(&[&IMPORT[..], &more].concat(), "").is(0, &["ben (white) won: checkmate."]);
}

#[test]
fn what_cannot_be_imported_is_told_and_changes_nothing() {
    #[track_caller]
    fn check(games: &str, more: &[&str], words: &[&str]) {
        let home = home(games);
        home.run(&[&IMPORT[..], more].concat(), "").is(1, words);
        assert_eq!(records(&home), 0);
    }
    check("", &[], &["nothing is imported from games.pgn: there is no game in it"]);
    check(&GAME.replace("Qxf7#", "Qxf8#"), &[], &["line 7: move 4 of white, `Qxf8#`, is not legal"]);
    check(&GAME.replace(" (3. Qf3)", " (3. Qf3"), &[], &["line 7: the variation that begins here has no end"]);
    check(&GAME.replace("Ben", "Bob\u{1b}[2J"), &[], &["line 3: who is `Bob", "the player of the black pieces?"]);
    check(GAME, &["--player", "ben=ann:1001"], &["ann cannot play both sides"]);
    check(GAME, &["--player", "ben=b n:2"], &["--player: `ben=b n:2` is not NAME=LOGIN:ID"]);
    check(GAME, &["--player", "ben=ben:0"], &["is not NAME=LOGIN:ID"]);
    check(
        GAME,
        &["--state-dir", "nowhere"],
        &["there is no directory nowhere: name the one of the records with --state-dir"],
    );
    let home = home(GAME);
    home.write("names.txt", "# fine\nnobody\n");
    home.run(&IMPORT, "").is(1, &["names.txt, line 2: `nobody` is not NAME=LOGIN:ID"]);
    home.run(&["import", "nothing.pgn", "--issue", "1"], "").is(1, &["nothing.pgn cannot be opened"]);
    home.run(&["import", "games.pgn", "--issue", "0"], "").is(2, &["--issue"]);
    assert_eq!(records(&home), 0);
}

/// Old files are in Latin-1, and some are no text at all.
#[test]
fn any_bytes_are_read() {
    let home = home("");
    let latin = [b"[White \"J\xf6rg\"]\n[Black \"Ben\"]\n\n".as_slice(), b"1. d4 {\xfcber} d5 *\n"].concat();
    std::fs::write(home.place("games.pgn"), latin).unwrap();
    let who = ["--player", "J\u{f6}rg=joerg:5"];
    home.run(&[&IMPORT[..], &who].concat(), "").is(0, &["2 moves. The game is still going on."]);
    std::fs::write(home.place("games.pgn"), (0..=255).cycle().take(100_000).collect::<Vec<u8>>()).unwrap();
    home.run(&IMPORT, "").is(1, &["line "]);
}

#[test]
fn an_export_names_its_issue() {
    let home = home(GAME);
    home.run(&IMPORT, "").is(0, &[]);
    let [event, site] = ["[Event \"octo/games, table 42\"]", "[Site \"https://github.com/octo/games/issues/42\"]"];
    home.run(&["export", "state/42.json", "--repository", "octo/games"], "").is(0, &[event, site]);
    let enterprise = ["--repository", "https://ghe.example.org/octo/games.git"];
    let site_there = "[Site \"https://ghe.example.org/octo/games/issues/42\"]";
    home.run(&[&["export", "state/42.json"][..], &enterprise].concat(), "").is(0, &[event, site_there]);
    home.run(&["export", "state/42.json", "--repository", "games"], "").is(1, &["games is no repository: OWNER/NAME"]);
    home.git(".", &["init", "-q", "."]);
    home.git(".", &["remote", "add", "origin", "git@github.com:octo/games.git"]);
    home.run(&["export", "state/42.json"], "").is(0, &[event, site]);
}
