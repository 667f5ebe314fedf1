//! Export and import of PGN.

mod parsing;

use answers::{render, sentences};
use expect_test::expect;
use games::chess::pgn::parse_games;
use games::chess::{Chess, GameConfig};
use interop::{export, import};
use table::{IssueNumber, Table, TableStatus, UserId, state_file};
use testkit::Scenario;

use super::records::{KNIGHT_SHUFFLE, play_and_record};

/// Imports the only game of a PGN text, and checks that its record verifies.
fn import_one(text: &str) -> Result<Table, String> {
    let mut games = parse_games(text);
    let game = games.next().expect("a game").map_err(|error| format!("{}: {}", error.line, error.message))?;
    assert!(games.next().is_none(), "one game only");
    let people = [(UserId::new(1), "ann".to_owned()), (UserId::new(2), "ben".to_owned())];
    let table = import::import_game(&game, IssueNumber::new(7), &people);
    let table = table.map_err(|error| format!("{}: {}", error.line, render::text(&error.reason)))?;
    let text = state_file::to_json(&table);
    assert_eq!(state_file::load(&text, IssueNumber::new(7)), Ok(table.clone()), "it verifies");
    Ok(table)
}

/// Returns the moves that weren't taken back, in SAN.
fn san_moves(table: &Table) -> Vec<String> {
    table.plies().map(|ply| ply.played.unwrap().1.to_owned()).collect()
}

fn export_table(table: &Table) -> String {
    let ending = render::plain(&sentences::ending(table));
    export::export(table, &ending, None).unwrap().text
}

/// Exports a table as PGN without its dates, and checks that importing it gives the same game.
#[track_caller]
fn export_and_reimport(opened: &str, lines: &[&str]) -> String {
    let table = state_file::load(&play_and_record(opened, lines), IssueNumber::new(1)).unwrap();
    let text = export_table(&table);
    assert!(text.lines().all(|line| line.len() < 80), "{text}");
    let original = &table;
    let imported = import_one(&text).unwrap();
    assert_eq!(
        (san_moves(&imported), imported.status(), imported.game().config::<Chess>()),
        (san_moves(original), original.status(), original.game().config::<Chess>()),
        "{text}"
    );
    let ending = |table: &Table| render::plain(&sentences::ending(table)).replace("ann", "alice").replace("ben", "bob");
    // PGN doesn't tell who aborted a game.
    assert!(ending(&imported) == ending(original) || original.status() == TableStatus::Aborted, "{text}");
    let is_undated = |line: &&str| !["[Date", "[UTC"].iter().any(|tag| line.starts_with(tag));
    text.lines().filter(is_undated).collect::<Vec<_>>().join("\n")
}

#[test]
fn exports_tags_moves_and_ending() {
    let played = ["alice: e4", "bob: e5", "alice: Bc4", "bob: Nc6", "alice: Qf3", "bob: /undo", "alice: /accept"];
    let mate = ["bob: Bc5", "alice: Qf3", "bob: a6", "alice: Qxf7"];
    expect![[r#"
        [Event "Play by Commit, table 1"]
        [Site "?"]
        [Round "1"]
        [White "alice"]
        [Black "bob"]
        [Result "1-0"]
        [BlackType "human"]
        [Termination "normal"]
        [TimeControl "-"]
        [WhiteType "human"]

        1. e4 e5 2. Bc4 Bc5 3. Qf3 a6 4. Qxf7# {alice (White) won: checkmate.} 1-0

    "#]]
    .assert_eq(&(export_and_reimport("/new chess @bob", &[&played[..], &mate].concat()) + "\n"));
}

/// Returns the result and termination tags, and the movetext.
#[track_caller]
fn export_ending(opened: &str, lines: &[&str]) -> String {
    let text = export_and_reimport(opened, lines);
    let tags = text.lines().filter(|line| ["[Result", "[Termination"].iter().any(|tag| line.starts_with(tag)));
    let (_, movetext) = text.split_once("\n\n").unwrap();
    format!("{}\n{}\n", tags.collect::<Vec<_>>().join(" "), movetext.trim())
}

#[test]
fn exports_the_reason_of_every_ending() {
    let opened = "/new chess @bob";
    let ends = [
        export_ending(opened, &["alice: f3", "bob: e5", "alice: g4", "bob: Qh4"]),
        export_ending(opened, &["alice: e4", "bob: e5", "alice: /resign"]),
        export_ending(opened, &["alice: e4", "bob: e5", "alice: Ke2", "bob: /draw", "alice: /accept"]),
        export_ending(opened, &[&KNIGHT_SHUFFLE[..], &KNIGHT_SHUFFLE, &["alice: /draw"]].concat()),
        export_ending(opened, &["alice: e4", "bob: e5"]),
        export_ending(opened, &["alice: e4", "alice: /abort"]),
        export_ending(opened, &["bob: /join", "bob: /resign"]),
        export_ending("/new chess fen=k7/8/1K6/8/8/6Q1/8/8_w_-_-_0_1 @bob", &["alice: Qc7"]),
    ];
    expect![[r#"
        [Result "0-1"] [Termination "normal"]
        1. f3 e5 2. g4 Qh4# {bob (Black) won: checkmate.} 0-1

        [Result "0-1"] [Termination "normal"]
        1. e4 e5 {alice (White) resigned. bob (Black) won.} 0-1

        [Result "1/2-1/2"] [Termination "normal"]
        1. e4 e5 2. Ke2 {The players agreed to a draw.} 1/2-1/2

        [Result "1/2-1/2"] [Termination "normal"]
        1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 {alice (White) claimed a draw:
        threefold repetition.} 1/2-1/2

        [Result "*"] [Termination "unterminated"]
        1. e4 e5 *

        [Result "*"] [Termination "abandoned"]
        1. e4 {alice (White) ended the game without a result.} *

        [Result "1-0"] [Termination "normal"]
        {bob (Black) resigned. alice (White) won.} 1-0

        [Result "1/2-1/2"] [Termination "normal"]
        1. Qc7 {The game ended in a draw: stalemate.} 1/2-1/2
    "#]]
    .assert_eq(&ends.join("\n"));
}

#[test]
fn exports_custom_starting_positions() {
    expect![[r#"
        [Event "Play by Commit, table 1"]
        [Site "?"]
        [Round "1"]
        [White "bob"]
        [Black "alice"]
        [Result "*"]
        [BlackType "human"]
        [FEN "r3k2r/8/8/8/8/8/7p/R3K2R b KQkq - 3 20"]
        [SetUp "1"]
        [Termination "unterminated"]
        [TimeControl "-"]
        [WhiteType "human"]

        20... O-O-O 21. Rxh2 Kb8 *
    "#]]
    .assert_eq(&export_and_reimport(
        "/new chess fen=r3k2r/8/8/8/8/8/7p/R3K2R_b_KQkq_-_3_20 @bob as=black",
        &["alice: O-O-O", "bob: Rxh2", "alice: Kb8"],
    ));
    expect![[r#"
        [Event "Play by Commit, table 1"]
        [Site "?"]
        [Round "1"]
        [White "alice"]
        [Black "bob"]
        [Result "*"]
        [BlackType "human"]
        [FEN "bqnnrbkr/pppppppp/8/8/8/8/PPPPPPPP/BQNNRBKR w KQkq - 0 1"]
        [SetUp "1"]
        [Termination "unterminated"]
        [TimeControl "-"]
        [Variant "Chess960"]
        [WhiteType "human"]

        1. e4 e5 *
    "#]]
    .assert_eq(&export_and_reimport("/new chess960 2 @bob", &["alice: e4", "bob: e5"]));
    expect![[r#"
        [Event "Play by Commit, table 1"]
        [Site "?"]
        [Round "1"]
        [White "alice"]
        [Black "bob"]
        [Result "*"]
        [BlackType "human"]
        [FEN "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 7 44"]
        [SetUp "1"]
        [Termination "unterminated"]
        [TimeControl "-"]
        [Variant "Chess960"]
        [WhiteType "human"]

        44. O-O-O *
    "#]]
    .assert_eq(&export_and_reimport(
        "/new chess fen=1r2k1r1/8/8/8/8/8/8/1R2K1R1_w_KQkq_-_7_44 @bob",
        &["alice: O-O-O"],
    ));
    expect![[r#"
        [Event "Play by Commit, table 1"]
        [Site "?"]
        [Round "1"]
        [White "alice"]
        [Black "bob"]
        [Result "*"]
        [BlackType "human"]
        [FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]
        [SetUp "1"]
        [Termination "unterminated"]
        [TimeControl "-"]
        [Variant "Chess960"]
        [WhiteType "human"]

        1. e4 *
    "#]]
    .assert_eq(&export_and_reimport("/new chess960 518 @bob", &["alice: e4"]));
}

#[test]
fn imports_variants_by_any_of_their_names() {
    let start =
        |tags: &str| import_one(&format!("{tags}\n\n1. e4 *")).unwrap().game().config::<Chess>().unwrap().clone();
    let standard = "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]";
    for tags in ["", "[Variant \"Standard\"]", "[Variant \"From Position\"]\n[SetUp \"1\"]", "[Variant \"?\"]"] {
        assert_eq!(start(&format!("{tags}\n{standard}")), GameConfig::default(), "{tags}");
        assert_eq!(start(tags), GameConfig::default(), "{tags}");
    }
    for tags in ["[Variant \"Chess960\"]", "[Variant \"fischer random\"]", "[Variant \"Fischerandom\"]"] {
        assert_eq!(start(tags).chess960, Some(518), "{tags}");
        assert_eq!(start(&format!("{tags}\n{standard}")).chess960, Some(518), "{tags}");
    }
    let other = start("[FEN \"bqnnrbkr/pppppppp/8/8/8/8/PPPPPPPP/BQNNRBKR w KQkq - 0 1\"]");
    assert_eq!((other.chess960, other.fen), (Some(2), None));
    let own = start("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - -\"]");
    assert_eq!(own.fen.as_deref(), Some("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));
}

/// At an open table, each side lists everybody who moved for it.
#[test]
fn exports_computer_and_open_table_players() {
    let tags = |opened: &str, lines: &[&str]| {
        let text = export_table(&state_file::load(&play_and_record(opened, lines), IssueNumber::new(1)).unwrap());
        let is_player_tag = |line: &&str| ["[White", "[Black"].iter().any(|tag| line.starts_with(tag));
        text.lines().filter(is_player_tag).collect::<Vec<_>>().join("\n") + "\n"
    };
    let computer = tags("/new chess computer level=1 as=black", &["alice: /board"]);
    let open = tags(
        "/new chess seats=open",
        &["alice: /move e4", "bob: /move e5", "carl: /move d4", "alice: /move exd4", "bob: /move Qxd4"],
    );
    let waiting = tags("/new chess", &[]);
    expect![[r#"
        [White "Computer (level 1)"]
        [Black "alice"]
        [BlackType "human"]
        [WhiteType "program"]

        [White "alice:bob:carl"]
        [Black "alice:bob"]
        [BlackType "human"]
        [WhiteType "human"]

        [White "alice"]
        [Black "?"]
        [BlackType "human"]
        [WhiteType "human"]
    "#]]
    .assert_eq(&[computer, open, waiting].join("\n"));
}

#[test]
fn imports_losses_on_time() {
    let text = "[Result \"0-1\"]\n[Termination \"time forfeit\"]\n[Date \"2024.02.29\"]\n[UTCTime \"10:20:30\"]\n";
    let limited = import_one(&format!("{text}[TimeControl \"1/86400\"]\n\n1. e4 e5 0-1\n")).unwrap();
    let written = export_table(&limited);
    for line in [
        "[TimeControl \"1/86400\"]",
        "[Termination \"time forfeit\"]",
        "[Date \"2024.02.29\"]",
        "[UTCTime \"10:20:30\"]",
        "1. e4 e5 {ben (Black) won: ann (White) ran out of time.} 0-1",
    ] {
        assert!(written.contains(line), "{line} in {written}");
    }
    assert_eq!(import_one(&written), Ok(limited));
    // The time limit may be missing or in another format.
    for rest in
        ["\n1. e4 e5 0-1\n", "[TimeControl \"1/86400\"]\n\n1. e4 0-1\n", "[TimeControl \"600+5\"]\n\n1. e4 e5 0-1\n"]
    {
        let table = import_one(&format!("{text}{rest}")).unwrap();
        assert_eq!(render::plain(&sentences::ending(&table)), "ben (Black) won: ann (White) ran out of time.");
        let written = export_table(&table);
        assert!(written.contains("[Termination \"time forfeit\"]"), "{written}");
        assert_eq!(import_one(&written), Ok(table));
    }
}

/// The terminations of the PGN standard, those of two big sites, and none.
#[test]
fn imports_endings_without_inventing_a_reason() {
    let end = |result: &str, termination: &str| {
        let tag = if termination.is_empty() { String::new() } else { format!("[Termination \"{termination}\"]\n") };
        let table = import_one(&format!("[Result \"{result}\"]\n{tag}\n1. e4 e5 {result}\n")).unwrap();
        assert_eq!(import_one(&export_table(&table)), Ok(table.clone()), "{result} {termination}");
        format!("{result} {termination}: {}\n", render::plain(&sentences::ending(&table)))
    };
    let mut ends = String::new();
    for termination in ["", "normal", "Abandoned", "Adjudication", "rules infraction", "ben won by resignation"] {
        ends += &end("0-1", termination);
    }
    for termination in ["", "Normal", "Time forfeit", "Game drawn by agreement", "Game drawn by repetition"] {
        ends += &end("1/2-1/2", termination);
    }
    for termination in ["", "unterminated", "Abandoned"] {
        ends += &end("*", termination);
    }
    expect![[r#"
        0-1 : ben (Black) won. The record doesn't say how.
        0-1 normal: ann (White) resigned. ben (Black) won.
        0-1 Abandoned: ben (Black) won: ann (White) abandoned the game.
        0-1 Adjudication: ben (Black) won. The record doesn't say how.
        0-1 rules infraction: ben (Black) won. The record doesn't say how.
        0-1 ben won by resignation: ann (White) resigned. ben (Black) won.
        1/2-1/2 : The game was a draw. The record doesn't say why.
        1/2-1/2 Normal: The players agreed to a draw.
        1/2-1/2 Time forfeit: The game was a draw. The record doesn't say why.
        1/2-1/2 Game drawn by agreement: The players agreed to a draw.
        1/2-1/2 Game drawn by repetition: The game was a draw. The record doesn't say why.
        * : The game is still in progress.
        * unterminated: The game is still in progress.
        * Abandoned: The game was abandoned without a result.
    "#]]
    .assert_eq(&ends);
}

#[test]
fn imports_partial_dates() {
    let import_date = |tags: &str| {
        let table = import_one(&format!("{tags}\n1. e4 *\n")).unwrap();
        let text = export_table(&table);
        assert_eq!(import_one(&text), Ok(table.clone()), "{text}");
        let times = ["[Date ", "[UTCDate", "[UTCTime"];
        let tags = text.lines().filter(|line| times.iter().any(|tag| line.starts_with(tag)));
        let day = table.imported().unwrap().date();
        format!(
            "{} {}: {}\n",
            table.history()[0].timestamp.as_millis(),
            day.unwrap_or_default(),
            tags.collect::<Vec<_>>().join(" ")
        )
    };
    let days = [
        import_date(""),
        import_date("[Date \"????.??.??\"]\n"),
        import_date("[Date \"2020.??.??\"]\n[UTCTime \"10:20:30\"]\n"),
        import_date("[Date \"2020.5.??\"]\n"),
        import_date("[Date \"2020.??.17\"]\n"),
        import_date("[Date \"2020-05-17\"]\n"),
        import_date("[Date \"1851.06.21\"]\n"),
        import_date("[Date \"2020.05.17\"]\n[UTCDate \"2020.05.18\"]\n[UTCTime \"00:20:30\"]\n"),
        import_date("[EventDate \"2020.05.17\"]\n"),
        import_date("[Date \"2020.02.30\"]\n"),
        import_date("[Date \"last summer\"]\n[UTCTime \"noon\"]\n"),
    ];
    expect![[r#"
        0 : [Date "????.??.??"]
        0 : [Date "????.??.??"]
        0 2020: [Date "2020.??.??"] [UTCTime "10:20:30"]
        0 2020-05: [Date "2020.05.??"]
        0 2020: [Date "2020.??.??"]
        1589673600000 2020-05-17: [Date "2020.05.17"]
        0 1851-06-21: [Date "1851.06.21"]
        1589761230000 2020-05-17: [Date "2020.05.17"] [UTCDate "2020.05.18"] [UTCTime "00:20:30"]
        0 : [Date "????.??.??"]
        0 : [Date "????.??.??"]
        0 : [Date "????.??.??"]
    "#]]
    .assert_eq(&days.concat());
}

#[test]
fn round_trips_event_and_ratings() {
    let tags = "[Event \"Club \\\"A\\\"\"]\n[Site \"Oslo\"]\n[Round \"3.1\"]\n[TimeControl \"40/7200:3600\"]\n[WhiteElo \"2100\"]\n[BlackElo \"1900\"]\n";
    let text = export_table(&import_one(&format!("{tags}\n1. e4 *\n")).unwrap());
    for line in tags.lines() {
        assert!(text.lines().any(|written| written == line), "{line} in {text}");
    }
    let long = import_one(&format!("[Event \"{}\u{1b}\"]\n\n1. e4 *\n", "ü".repeat(1000))).unwrap();
    assert_eq!(long.imported().unwrap().tag("Event"), Some("ü".repeat(200).as_str()));
}

/// The marks that change the direction of text would make a tag look like another one.
#[test]
fn strips_invisible_characters_from_tags() {
    let table = import_one("[Event \"Club\u{202e}\u{2066} A\u{200b}\"]\n\n1. e4 *\n").unwrap();
    assert_eq!(table.imported().unwrap().tag("Event"), Some("Club A"));
    let edited = state_file::to_json(&table).replace("Club A", "Club\u{202e} B");
    let why = state_file::load(&edited, IssueNumber::new(7)).unwrap_err();
    assert_eq!(why.to_string(), "`imported` has a tag that is too long or has invisible characters");
}

/// Only imported games can end without a reason, and their tags are limited.
#[test]
fn refuses_records_with_unknown_tags_or_endings() {
    let table = import_one("[Event \"Club\"]\n[Result \"1-0\"]\n\n1. e4 1-0").unwrap();
    let text = state_file::to_json(&table);
    for (from, to, message) in [
        (
            "\"Event\": \"Club\"",
            "\"Event\": \"\\u001b[2J\"",
            "`imported` has a tag that is too long or has invisible characters",
        ),
        ("\"Event\": \"Club\"", "\"Annotator\": \"Club\"", "`imported` has a tag that records don't keep"),
        ("\"imported\": { \"Event\": \"Club\" },\n  ", "", "only an imported game can end like this"),
    ] {
        let edited = text.replace(from, to);
        assert_ne!(edited, text, "{from} in {text}");
        let error = state_file::load(&edited, IssueNumber::new(7)).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

/// An imported record that was committed continues with the next comment.
#[test]
fn continues_an_imported_game_in_its_issue() {
    let world = Scenario::new();
    let issue = world.open_issue("alice", "Our game from the club goes on here.");
    let people =
        world.change(|state| ["alice", "bob"].map(|login| (UserId::new(state.person(login).id), login.to_owned())));
    let game = parse_games("1. e4 e5 2. Nf3 *").next().unwrap().unwrap();
    let table = import::import_game(&game, IssueNumber::new(issue), &people).unwrap();
    let path = format!("state/{issue}.json");
    world.change(|state| {
        let branch = state.state_branch().to_owned();
        state.land(&branch, &[(path.clone(), state_file::to_json(&table))], "A game from the club", "");
    });
    for (login, text) in [("bob", "Nc6"), ("carl", "/resign"), ("alice", "Bb5")] {
        world.post(issue, login, text);
    }
    let after = state_file::load(&world.file(&path).unwrap(), IssueNumber::new(issue)).unwrap();
    assert_eq!(san_moves(&after).join(" "), "e4 e5 Nf3 Nc6 Bb5");
    assert_eq!(after.history().len(), table.history().len() + 2);
}
