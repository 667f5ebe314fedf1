//! Imports chess games from PGN, and exports records to PGN.

use std::path::Path;

use crate::cli::Home;

const GAME: &str = "[Event \"Club\"]\n[White \"Oak, Ann\"]\n[Black \"Ben\"]\n[Date \"2024.02.29\"]\n[Result \"1-0\"]\n\n\
                    1. e4 e5 2. Bc4 Nc6 {a mistake} 3. Qh5 (3. Qf3) 3... Nf6?? 4. Qxf7# 1-0\n";
const NAMES: &str = "# who is who\nOak, Ann = @ann:1001\n\nben=ben:1002\n  # that's all\n";

/// Creates a home with these games and an empty directory for records.
fn home(games: &str) -> Home {
    let home = Home::new();
    home.write("games.pgn", games);
    home.write("names.txt", NAMES);
    std::fs::create_dir_all(home.path("state")).unwrap();
    home
}

fn record_count(home: &Home) -> usize {
    std::fs::read_dir(home.path("state")).unwrap().count()
}

const IMPORT: [&str; 6] = ["import", "games.pgn", "--issue", "42", "--players", "names.txt"];

#[test]
fn imports_a_game_as_a_valid_record() {
    let home = home(GAME);
    let record = Path::new("state").join("42.json").display().to_string();
    home.run(&IMPORT, "").exits(0, &[&record, "7 moves. ann (White) won: checkmate."]);
    home.run(&["verify", "state/42.json"], "").exits(0, &["good. Chess, round 1, 7 moves in 8 events."]);
    let text = home.run(&["export", "state/42.json"], "").exits(0, &[]).out.clone();
    for line in ["[Event \"Club\"]", "[Site \"?\"]", "[Round \"?\"]", "[Date \"2024.02.29\"]", "[White \"ann\"]"] {
        assert!(text.contains(line), "{line} in {text}");
    }
    assert!(
        text.ends_with("\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# {ann (White) won: checkmate.} 1-0\n\n"),
        "{text}"
    );
    // Importing the export gives the same record.
    home.write("games.pgn", &text);
    home.write("again/.keep", "");
    let sides = ["--player", "white=ann:1001", "--player", "black=ben:1002", "--state-dir", "again"];
    home.run(&[&["import", "games.pgn", "--issue", "42"][..], &sides].concat(), "").exits(0, &[]);
    let [one, two] = ["state/42.json", "again/42.json"].map(|path| std::fs::read_to_string(home.path(path)).unwrap());
    assert_eq!(one, two);
}

#[test]
fn clocks_of_a_daily_game_come_back_unchanged_or_not_at_all() {
    // The clock of a move that the file doesn't have isn't invented. Black's first move has none, because it takes the seat.
    let [e4, e5] = ["1. e4 {[%clk 71:59:00]}", " 1... e5 {[%clk 70:01:00]}"];
    let rest = " 2. Nf3 {[%clk 71:59:30]} 2... Nc6 {[%clk 0:00:09]} 3. Bb5 *";
    let tags = GAME.split_once("1. e4").unwrap().0.replace("1-0", "*");
    let home = home(&format!("[TimeControl \"1/259200\"]\n{tags}{e4}{e5}{rest}\n"));
    home.run(&IMPORT, "").exits(0, &[]);
    let text = home.run(&["export", "state/42.json"], "").exits(0, &[]).out.replace('\n', " ");
    assert!(text.contains(&format!("{e4} 1... e5{rest}")), "{text}");
}

#[test]
fn never_replaces_a_record() {
    let home = home(GAME);
    home.write("state/42.json", "somebody's");
    home.run(&IMPORT, "").exits(1, &["42.json already exists, and import never replaces a game"]);
    assert_eq!(std::fs::read_to_string(home.path("state/42.json")).unwrap(), "somebody's");
}

#[test]
fn selects_one_of_several_games() {
    let home =
        home(&format!("{GAME}\n{}", GAME.replace("Ben", "ann").replace("Oak, Ann", "Ben").replace("2024", "2025")));
    home.run(&IMPORT, "").exits(
        1,
        &[
            "it has 2 games. Choose one with --game, or import all with --from-issue",
            "2: `Ben` and `ann`, `2025.02.29`",
        ],
    );
    home.run(&[&IMPORT[..], &["--game", "3"]].concat(), "").exits(1, &["it has 2 games, so there is no game 3"]);
    assert_eq!(record_count(&home), 0);
    let more = ["--game", "2", "--player", "ann=ann:1001"];
    home.run(&[&IMPORT[..], &more].concat(), "").exits(0, &["ben (White) won: checkmate."]);
}

#[test]
fn writes_nothing_for_an_invalid_game() {
    #[track_caller]
    fn assert_refused(games: &str, more: &[&str], words: &[&str]) {
        let home = home(games);
        home.run(&[&IMPORT[..], more].concat(), "").exits(1, words);
        assert_eq!(record_count(&home), 0);
    }
    assert_refused("", &[], &["nothing was imported from games.pgn: the file has no games"]);
    assert_refused(&GAME.replace("Qxf7#", "Qxf8#"), &[], &["line 7: White's move 4, `Qxf8#`, isn't legal"]);
    assert_refused(&GAME.replace(" (3. Qf3)", " (3. Qf3"), &[], &["line 7: the variation that begins here never ends"]);
    assert_refused(
        &GAME.replace("Ben", "Bob\u{1b}[2J"),
        &[],
        &["line 3: who is `Bob", "the player of the black pieces?"],
    );
    assert_refused(GAME, &["--player", "ben=ann:1001"], &["ann can't play both sides"]);
    assert_refused(GAME, &["--player", "ben=b n:2"], &["--player: `ben=b n:2` isn't NAME=LOGIN:ID"]);
    assert_refused(GAME, &["--player", "ben=ben:0"], &["isn't NAME=LOGIN:ID"]);
    let home = home(GAME);
    home.write("names.txt", "# fine\nnobody\n");
    home.run(&IMPORT, "").exits(1, &["names.txt, line 2: `nobody` isn't NAME=LOGIN:ID"]);
    home.run(&["import", "nothing.pgn", "--issue", "1"], "").exits(1, &["nothing.pgn can't be opened"]);
    home.run(&["import", "games.pgn", "--issue", "0"], "").exits(2, &["--issue"]);
    assert_eq!(record_count(&home), 0);
}

/// Old files are in Latin-1, and some aren't text at all.
#[test]
fn reads_any_bytes() {
    let home = home("");
    let latin = [b"[White \"J\xf6rg\"]\n[Black \"Ben\"]\n\n".as_slice(), b"1. d4 {\xfcber} d5 *\n"].concat();
    std::fs::write(home.path("games.pgn"), latin).unwrap();
    let who = ["--player", "J\u{f6}rg=joerg:5"];
    home.run(&[&IMPORT[..], &who].concat(), "").exits(0, &["2 moves. The game is still in progress."]);
    std::fs::write(home.path("games.pgn"), (0..=255).cycle().take(100_000).collect::<Vec<u8>>()).unwrap();
    home.run(&IMPORT, "").exits(1, &["line "]);
}

#[test]
fn exports_the_address_of_the_issue() {
    let home = home(GAME);
    home.run(&IMPORT, "").exits(0, &[]);
    let [event, site] = ["[Event \"Club\"]", "[Site \"https://github.com/octo/games/issues/42\"]"];
    home.run(&["export", "state/42.json", "--repository", "octo/games"], "").exits(0, &[event, site]);
    let enterprise = ["--repository", "https://ghe.example.org/octo/games.git"];
    let site_there = "[Site \"https://ghe.example.org/octo/games/issues/42\"]";
    home.run(&[&["export", "state/42.json"][..], &enterprise].concat(), "").exits(0, &[event, site_there]);
    home.run(&["export", "state/42.json", "--repository", "games"], "")
        .exits(1, &["games isn't a repository: write OWNER/NAME"]);
    home.git(".", &["init", "-q", "."]);
    home.git(".", &["remote", "add", "origin", "git@github.com:octo/games.git"]);
    home.run(&["export", "state/42.json"], "").exits(0, &[event, site]);
}

const IMPORT_ALL: [&str; 5] = ["import", "games.pgn", "--from-issue", "1000", "--players"];

/// Returns three games without a date between the same two people, with different spellings of a name.
fn club() -> String {
    let game = GAME.replace("[Date \"2024.02.29\"]\n", "");
    format!(
        "{game}\n{}\n{}",
        game.replace("Oak, Ann", "BEN").replace("\"Ben\"", "\"Oak, Ann\""),
        game.replace("Oak, Ann", "oak,ann")
    )
}

/// It creates the directory for the records.
#[test]
fn imports_all_games_of_a_file() {
    let home = home(&club());
    std::fs::remove_dir(home.path("state")).unwrap();
    let state = Path::new("state");
    let lines = [1000, 1001, 1002].map(|issue| state.join(format!("{issue}.json")).display().to_string());
    let words = [&lines[0], &lines[1], &lines[2], "ben (White) won: checkmate.", "Imported 3 games.", "git add state"];
    home.run(&[&IMPORT_ALL[..], &["names.txt"]].concat(), "").exits(0, &words);
    assert_eq!(record_count(&home), 3);
    home.run(&["verify", "state/1000.json", "state/1001.json", "state/1002.json"], "").exits(0, &[]);
    // All records exist now, so it writes nothing.
    home.run(&[&IMPORT_ALL[..], &["names.txt"]].concat(), "")
        .exits(1, &["1000.json already exists, and import never replaces a game"]);
}

#[test]
fn writes_nothing_if_one_game_is_invalid() {
    let home = home(&format!("{}\n{}", club(), GAME.replace("Qxf7#", "Qxf8#")));
    home.run(&[&IMPORT_ALL[..], &["names.txt"]].concat(), "")
        .exits(1, &["line 28: White's move 4, `Qxf8#`, isn't legal"]);
    assert_eq!(record_count(&home), 0);
    // The last number is taken.
    home.write("games.pgn", &club());
    home.write("state/1002.json", "somebody's");
    home.run(&[&IMPORT_ALL[..], &["names.txt"]].concat(), "").exits(1, &["1002.json already exists"]);
    assert_eq!(record_count(&home), 1);
    home.run(&[&IMPORT_ALL[..], &["names.txt", "--game", "2"]].concat(), "").exits(2, &["--from-issue"]);
}

#[test]
fn names_all_players_without_an_account() {
    let home = home(&format!("{}\n{}", club(), GAME.replace("Ben", "Cleo")));
    home.write("names.txt", "# nobody yet\n");
    let words = ["it has 3 players without an account: `Oak, Ann`, `Ben`, `Cleo`. Name each with --player"];
    home.run(&[&IMPORT_ALL[..], &["names.txt"]].concat(), "").exits(1, &words);
    home.write("names.txt", "Oak,Ann=ann:1001 # the captain\n BEN  = ben:1002\ncleo #2=cleo:3\n");
    home.run(&[&IMPORT_ALL[..], &["names.txt"]].concat(), "")
        .exits(1, &["names.txt, line 3: `cleo` isn't NAME=LOGIN:ID"]);
}

/// The record has only what it can express; the program reports the rest.
#[test]
fn reports_what_a_record_leaves_out() {
    let end = "1. e4 e5 1-0";
    let home = home(&format!(
        "{}[Termination \"rules infraction\"]\n\n{end}\n",
        GAME.split("\n\n").next().unwrap().replace("2024.02.29", "2024.02.30").to_owned() + "\n"
    ));
    home.run(&IMPORT, "").exits(
        0,
        &[
            "Left out, line 4: `Date` isn't a date: `2024.02.30`.",
            "Left out, line 6: a record can't say how it ended: `rules infraction`.",
            "2 moves. ann (White) won. The record doesn't say how.",
            "Now commit it: git add state && git commit",
        ],
    );
    let text = home.run(&["export", "state/42.json"], "").exits(0, &["[Date \"????.??.??\"]"]).out.clone();
    assert!(!text.contains("1970") && !text.contains("Termination") && !text.contains("UTC"), "{text}");
}

/// macOS writes `é` as two characters, and most other systems as one.
#[test]
fn matches_names_with_composed_and_decomposed_accents() {
    for (in_game, in_list) in [("Andr\u{e9}", "ANDRE\u{301}"), ("Andre\u{301}", "andr\u{e9}")] {
        let home = home(&GAME.replace("Oak, Ann", in_game));
        home.write("names.txt", &format!("{in_list}=ann:1001\nben=ben:1002\n"));
        home.run(&IMPORT, "").exits(0, &["ann (White) won: checkmate."]);
    }
}

/// Some programs save castling rights that the position can't have.
#[test]
fn notes_castling_rights_without_a_rook() {
    let fen = "[FEN \"4k2r/8/8/8/8/8/8/R3K3 w KQkq e3 0 0\"]\n";
    let home = home(&format!("[White \"Oak, Ann\"]\n[Black \"Ben\"]\n{fen}\n1. O-O-O Ke7 *\n"));
    let reason = "castling needs a king and a rook on their first rank";
    home.run(&IMPORT, "").exits(
        0,
        &[
            &format!("Left out, line 3: a part of `FEN`, `K`: {reason}."),
            &format!("Left out, line 3: a part of `FEN`, `q`: {reason}."),
            "Left out, line 3: a part of `FEN`, `e3`: no pawn can have just passed the en passant square.",
            "2 moves. The game is still in progress.",
        ],
    );
    home.run(&["export", "state/42.json"], "").exits(0, &["[FEN \"4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1\"]"]);
}

#[test]
fn refuses_a_game_of_draughts() {
    let home = home("[White \"Oak, Ann\"]\n[Black \"Ben\"]\n[GameType \"21\"]\n\n1. 11-15 23-19 0-1\n");
    home.run(&IMPORT, "").exits(1, &["line 3: this is a game of draughts: only chess can be imported"]);
}
