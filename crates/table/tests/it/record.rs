//! The state file: what is written is read back, and whatever else is in a file is refused by the name of its field.

use std::path::{Path, PathBuf};
use std::time::Duration;

use answers::Marker;
use expect_test::{expect, expect_file};
use game::{Level, Seat};
use games::tic_tac_toe::{GameConfig, TicTacToe};
use games::{AnyMove, start};
use games::{GameMode, Mark};
use proptest::prelude::*;
use protocol::Trigger;
use serde_json::Value;
use table::state_file::{MAX_BYTES, MAX_EVENTS};
use table::{
    CommentId, CommentRef, Effect, Event, EventKind, ImportedReason, ImportedResult, IssueNumber, OpenRule, Player,
    Reply, Table, Terms, Timestamp, UserId, json, state_file,
};
use testkit::world::{Request, World};
use testkit::{Scenario, place};

/// The record of a game of which everything has happened, made by the bot.
fn record() -> String {
    let comments = [
        "alice: b2",
        "bob: a1",
        "alice: /undo",
        "bob: /accept",
        "alice: c3",
        "bob: a1",
        "alice: /draw",
        "bob: /decline",
        "bob: /extend 3d",
        "alice: b2",
        "bob: a3",
        "alice: c1",
        "bob: a2",
    ];
    Scenario::played("/new tic-tac-toe @bob per-move=7d", &comments).record(1)
}

#[test]
fn it_reads_like_the_game() {
    expect![[r#"
        {
          "schema": 2,
          "issue": 1,
          "repository": 700000001,
          "round": 1,
          "game": "tic-tac-toe",
          "config": { "boardSize": 3, "kInRow": 3, "firstPlayer": "X", "mode": "human-vs-human" },
          "perMove": 604800000,
          "seats": { "X": { "id": 1001, "login": "alice" }, "O": { "id": 1002, "login": "bob" } },
          "status": "won",
          "currentPlayer": "X",
          "winner": "O",
          "winningLine": [0, 3, 6],
          "winningLines": [[0, 3, 6]],
          "position": {
            "board": [
              "O", null, "X",
              "O", "X", null,
              "O", null, "X"
            ],
            "currentPlayer": "X"
          },
          "history": [
            { "type": "new", "opponent": { "login": "bob" }, "seat": "X", "by": 1001, "source": { "issue": 1, "comment": 0 }, "timestamp": 1760000000000 },
            { "type": "move", "notation": "b2", "position": 4, "seat": "X", "by": 1001, "source": { "issue": 1, "comment": 5000000002 }, "timestamp": 1760000001000 },
            { "type": "move", "notation": "a1", "position": 6, "seat": "O", "by": 1002, "source": { "issue": 1, "comment": 5000000004 }, "timestamp": 1760000002000 },
            { "type": "askUndo", "seat": "X", "by": 1001, "source": { "issue": 1, "comment": 5000000006 }, "timestamp": 1760000003000 },
            { "type": "undo", "plies": 2, "seat": "O", "by": 1002, "source": { "issue": 1, "comment": 5000000008 }, "timestamp": 1760000004000 },
            { "type": "move", "notation": "c3", "position": 2, "seat": "X", "by": 1001, "source": { "issue": 1, "comment": 5000000010 }, "timestamp": 1760000005000 },
            { "type": "move", "notation": "a1", "position": 6, "seat": "O", "by": 1002, "source": { "issue": 1, "comment": 5000000012 }, "timestamp": 1760000007000 },
            { "type": "offerDraw", "seat": "X", "by": 1001, "source": { "issue": 1, "comment": 5000000014 }, "timestamp": 1760000008000 },
            { "type": "decline", "seat": "O", "by": 1002, "source": { "issue": 1, "comment": 5000000016 }, "timestamp": 1760000009000 },
            { "type": "extend", "time": 259200000, "seat": "O", "by": 1002, "source": { "issue": 1, "comment": 5000000018 }, "timestamp": 1760000010000 },
            { "type": "move", "notation": "b2", "position": 4, "seat": "X", "by": 1001, "source": { "issue": 1, "comment": 5000000020 }, "timestamp": 1760000011000 },
            { "type": "move", "notation": "a3", "position": 0, "seat": "O", "by": 1002, "source": { "issue": 1, "comment": 5000000022 }, "timestamp": 1760000012000 },
            { "type": "move", "notation": "c1", "position": 8, "seat": "X", "by": 1001, "source": { "issue": 1, "comment": 5000000024 }, "timestamp": 1760000013000 },
            { "type": "move", "notation": "a2", "position": 3, "seat": "O", "by": 1002, "source": { "issue": 1, "comment": 5000000026 }, "timestamp": 1760000015000 }
          ],
          "through": 5000000026,
          "startTime": 1760000000000,
          "endTime": 1760000015000,
          "counted": 1,
          "ratings": [{ "before": 1500.0, "after": 1337.69, "deviation": 290.32 }, { "before": 1500.0, "after": 1662.31, "deviation": 290.32 }]
        }
    "#]]
    .assert_eq(&record());
}

#[test]
fn it_is_written_as_it_was_read() {
    let text = record();
    let table = state_file::load(&text, IssueNumber::new(1)).unwrap();
    assert_eq!(state_file::to_json(&table), text);
}

#[test]
fn layout_does_not_matter() {
    let value: serde_json::Value = serde_json::from_str(&record()).unwrap();
    assert!(state_file::load(&value.to_string(), IssueNumber::new(1)).is_ok());
    assert!(
        state_file::load(&serde_json::to_string_pretty(&value).unwrap().replace('\n', "\r\n"), IssueNumber::new(1))
            .is_ok()
    );
}

/// Checks the error for the file after replacing one text with another.
#[track_caller]
fn refused(find: &str, put: &str, sentence: &str) {
    let good = record();
    assert!(good.contains(find), "{find:?} is in the record:\n{good}");
    let error = state_file::load(&good.replacen(find, put, 1), IssueNumber::new(1)).map(drop).unwrap_err().to_string();
    assert!(error.contains(sentence), "{error}");
}

#[test]
fn whatever_was_changed_by_hand_is_named() {
    for (find, put, sentence) in [
        (r#""schema": 2"#, r#""schema": 3"#, "`schema` is 3, but this version of play-by-commit only reads up to 2"),
        (r#""schema": 2"#, r#""schema": 0"#, "`schema` is 0, but no release ever wrote that version"),
        (r#""schema": 2"#, r#""schema": 1"#, "`schema` is 1, but no release ever wrote that version"),
        (r#""schema": 2,"#, "", "missing field `schema`"),
        (r#""issue": 1,"#, r#""issue": 2,"#, "`issue` is 2, but the file belongs to issue 1"),
        (r#""round": 1"#, r#""round": 0"#, "`round` is 0"),
        (
            r#""game": "tic-tac-toe""#,
            r#""game": "shogi""#,
            "this version of play-by-commit doesn't know the game in `game`",
        ),
        (r#""boardSize": 3"#, r#""boardSize": 2"#, "config.boardSize"),
        (r#""kInRow": 3"#, r#""kInRow": 4"#, "a game can't start from `config`"),
        (
            r#""kInRow": 3"#,
            r#""kInRow": 3, "x": 1"#,
            "unknown field `x`, expected one of `boardSize`, `kInRow`, `firstPlayer`, `mode` in `config`",
        ),
        (
            r#""time": 259200000"#,
            r#""time": 2678400000"#,
            "`history[9]` can't have happened: a player can't give that much time",
        ),
        (
            r#""time": 259200000"#,
            r#""time": 3600000"#,
            "`history[9]` can't have happened: a player can't give that much time",
        ),
        (
            r#""time": 259200000"#,
            r#""time": 259200000, "late": 86400000"#,
            "`history[9]` can't have happened: a player can't give that much time",
        ),
        (r#""login": "alice""#, r#""login": "al@ice""#, "`seats.X.login` isn't a valid username"),
        (
            r#""id": 1002, "login": "bob""#,
            r#""id": 1002, "computer": 3"#,
            "`seats.O` is both the computer and a person",
        ),
        (r#"{ "login": "bob" }"#, r#"{ "login": "b@b" }"#, "`history[0].opponent.login` isn't a valid username"),
        (
            r#"{ "login": "bob" }"#,
            r#"{ "login": "bob", "computer": 3 }"#,
            "`history[0].opponent` is both the computer and a person",
        ),
        (r#"{ "login": "bob" }"#, r#"{ "login": "bob", "kept": true }"#, "`history[0].opponent.kept` isn't a field"),
        (r#"{ "login": "bob" }"#, "7", "invalid type: integer `7`, expected struct Occupant"),
        (r#""id": 1001"#, r#""id": 1003"#, "`seats.X.id` says `1003`, but the history gives `1001`"),
        (
            r#""status": "won""#,
            r#""status": "playing""#,
            "`status` says `\"playing\"`, but the history gives `\"won\"`",
        ),
        (r#""status": "won""#, r#""status": "lost""#, "unknown variant `lost`"),
        (r#""currentPlayer": "X""#, r#""currentPlayer": "O""#, "`currentPlayer` says"),
        (r#""winner": "O""#, r#""winner": "X""#, "`winner` says `\"X\"`, but the history gives `\"O\"`"),
        (r#""winner": "O""#, r#""winner": "Z""#, "`winner` says `\"Z\"`, but the history gives `\"O\"`"),
        (r#""winningLine": [0, 3, 6]"#, r#""winningLine": [0, 3, 7]"#, "`winningLine[2]` says `7`"),
        (r#""winningLines": [[0, 3, 6]]"#, r#""winningLines": []"#, "`winningLines` says"),
        (r#""type": "decline""#, r#""type": "declines""#, "unknown variant `declines`"),
        (
            r#""notation": "a3", "position": 0"#,
            r#""notation": "a2", "position": 0"#,
            "can't have happened: the move should be written `a3`",
        ),
        (r#""type": "undo", "plies": 2"#, r#""type": "undo", "plies": 1"#, "can't have happened"),
        (r#""through": 5"#, r#""thru": 5"#, "unknown field `thru`"),
        (r#""startTime": 1"#, r#""startTime": 2"#, "`startTime` says"),
        (r#""endTime": 1"#, r#""endTime": 2"#, "`endTime` says"),
        (r#""winner": "O","#, "", "`winner` is missing"),
        (r#""round": 1"#, r#""round": 1, "note": "hello""#, "unknown field `note`"),
    ] {
        refused(find, put, sentence);
    }
}

#[test]
fn a_field_that_hides_in_an_event_is_found() {
    refused(r#""by": 1002"#, r#""by": 1002, "bye": 1"#, "unknown field `bye`, expected `position` in `history[2]`");
    refused(r#""type": "decline""#, r#""type": "decline", "bye": 1"#, "`history[8].bye` isn't a field of a record");
    refused(r#""comment": 0"#, r#""comment": 0, "x": 0"#, "unknown field `x`");
}

#[test]
fn too_much_is_refused() {
    let text = record() + &" ".repeat(MAX_BYTES);
    assert!(
        state_file::load(&text, IssueNumber::new(1)).unwrap_err().to_string().contains("more than the limit of 440000")
    );
    let deep = "[".repeat(100_000);
    assert!(state_file::load(&deep, IssueNumber::new(1)).is_err());
}

/// Issue 1 with a record that has room for two more events: alice has played and taken back the same move, again and again.
fn full_table(terms: Terms) -> Scenario {
    let config = GameConfig { board_size: 3, k_in_row: 3, first_player: Mark::X, mode: GameMode::HumanVsHuman };
    let mut full = Table::new(IssueNumber::new(1), 1, start::<TicTacToe>(config).unwrap(), terms);
    let mut comment = 0;
    let mut then = |record: Table, kind| {
        let seated = terms.open.is_none() || !record.history().is_empty();
        let (seat, source) = (
            seated.then_some(Seat::First),
            CommentRef { issue: IssueNumber::new(1), comment: CommentId::new(comment) },
        );
        comment += 1;
        record
            .replay(
                Event {
                    kind,
                    offers_draw: false,
                    votes: Vec::new(),
                    time_away: Duration::ZERO,
                    clock_start: None,
                    effects: Vec::new(),
                    key: None,
                    seat,
                    author: UserId::new(1001),
                    source,
                    timestamp: Timestamp::from_millis(1_760_000_000_000),
                },
                "alice",
            )
            .unwrap()
    };
    full = then(full, EventKind::opening(None));
    while full.history().len() < MAX_EVENTS - 3 {
        let mv = full.game().parse_move("b2").unwrap();
        full = then(full, EventKind::Move { notation: "b2".to_owned(), mv });
        full = then(full, EventKind::Undo { plies: 1 });
    }
    full = full.with_settled_through(CommentId::new(comment));
    let text = state_file::to_json(&full);
    assert!(text.len() < MAX_BYTES, "{} bytes", text.len());
    state_file::load(&text, IssueNumber::new(1)).unwrap();
    let world = Scenario::new();
    world.open_issue("alice", "");
    world.land(&[("state/1.json", &text)]);
    // The answer to the last event, so that nothing has to be made good.
    let source = place(1, comment - 1);
    let answer =
        Marker { source, table: IssueNumber::new(1), commit: world.head(), has_board: false, sets_away: false }
            .prepend_to("Undone.");
    world.comment(1, "github-actions", &answer);
    world
}

/// What people write in issue 1, whether that changes the record, and words of the answer.
#[track_caller]
fn is_answered(world: &Scenario, talk: &[(&str, &str, bool, &str)]) {
    for (login, text, there, kind) in talk.iter().copied() {
        let before = world.head();
        world.post(1, login, text);
        let answer = world.reply(1);
        assert_eq!(before != world.head(), there, "{text}: {answer}");
        assert!(answer.contains(kind), "{text}: {answer}");
    }
}

#[test]
fn a_full_record_takes_an_ending_and_nothing_else() {
    let world = full_table(Terms::default());
    is_answered(
        &world,
        &[
            ("alice", "b2", true, "played"),
            ("alice", "/undo", false, "is full"),
            ("alice", "/resign", true, "resigned"),
            ("alice", "/rematch", true, "Round 2"),
        ],
    );
    assert!(world.file("state/archive/1-1.json").is_some());
}

#[test]
fn a_full_record_does_not_continue_in_another_issue() {
    let world = full_table(Terms::default());
    is_answered(&world, &[("alice", "b2", true, "played")]);
    let fresh = world.open_issue("alice", "/continue #1");
    world.try_run(Trigger::Comment { source: place(fresh, 0), table: Some(IssueNumber::new(1)) }).unwrap().unwrap();
    assert!(world.answers(fresh)[0].contains("is full. End the game with `/resign`"), "{:?}", world.answers(fresh));
    is_answered(&world, &[("alice", "/resign", true, "resigned")]);
}

#[test]
fn moves_at_a_full_table_keep_nobody_waiting() {
    let world = full_table(Terms { open: Some(OpenRule { gap: 0 }), ..Terms::default() });
    is_answered(&world, &[("alice", "/move b2", true, "played")]);
    let waiting: Vec<u64> =
        (0..60).map(|nth| world.comment(1, "mallory", if nth < 20 { "/move zz" } else { "/move a1" })).collect();
    let board = world.comment(1, "bob", "/board");
    world.clear_log();
    world.settle(1, board);
    let answered = |world: &World| -> Vec<u64> {
        world.answers(1).iter().filter_map(|text| Some(Marker::parse(text)?.source.comment.get())).collect()
    };
    assert!(answered(&world).contains(&board));
    assert!(world.count(Request::Any) < 80, "{} requests", world.count(Request::Any));
    for _ in 0..3 {
        world.sweep().unwrap();
    }
    assert!(waiting.iter().all(|comment| answered(&world).contains(comment)), "a later run answers the rest");
}

#[test]
fn anybody_starts_a_full_open_table_again() {
    let world = full_table(Terms { open: Some(OpenRule { gap: 0 }), ..Terms::default() });
    is_answered(
        &world,
        &[
            ("bob", "/abort", false, "a maintainer can `/abort`"),
            ("bob", "/move b2", true, "played"),
            (
                "carol",
                "/move a1",
                false,
                "is full. Anyone can write `/abort` to end the game without a result, then `/rematch`",
            ),
            ("carol", "/abort", true, "The game ended without a result."),
            ("dave", "/rematch", true, "Round 2"),
            ("dave", "/move a1", true, "played"),
        ],
    );
    let archived = world.file("state/archive/1-1.json").unwrap();
    assert!(archived.contains("\"status\": \"aborted\""));
}

#[test]
fn a_move_that_was_taken_back_counts_toward_the_gap() {
    let world = Scenario::played("/new tic-tac-toe seats=open gap=0", &["bob: b2", "bob: /undo", "bob: a1"]);
    let narrow = world.record(1).replace("\"gap\": 0", "\"gap\": 1");
    let fault = state_file::load(&narrow, IssueNumber::new(1)).unwrap_err().to_string();
    assert!(fault.contains("one of the last 1 moves"), "{fault}");
}

#[test]
fn a_torn_file_is_refused_wherever_it_is_torn() {
    let text = record();
    for end in (0..text.trim_end().len()).filter(|end| text.is_char_boundary(*end)) {
        assert!(state_file::load(&text[..end], IssueNumber::new(1)).is_err(), "torn at {end}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// No damage makes it panic, and no damage that changes the meaning goes unseen.
    #[test]
    fn damage_is_seen(at in any::<prop::sample::Index>(), put in r#"[ -~]{0,3}"#, cut in 0_usize..4) {
        let good = GOOD.with(Clone::clone);
        let at = at.index(good.len());
        let mut text = good.clone();
        text.replace_range(at..(at + cut).min(good.len()), &put);
        if let Ok(table) = state_file::load(&text, IssueNumber::new(1)) {
            // 1337 and 1337.0 are the same rating.
            let same = |text: &str| with_decimals(serde_json::from_str::<Value>(text).unwrap());
            prop_assert_eq!(same(&text), same(&state_file::to_json(&table)));
        }
    }
}

/// Returns a value with each number of the ratings as a decimal.
fn with_decimals(mut value: Value) -> Value {
    for rating in value.get_mut("ratings").and_then(Value::as_array_mut).into_iter().flatten() {
        let numbers = rating.as_object_mut().into_iter().flat_map(serde_json::Map::values_mut);
        numbers.for_each(|number| *number = number.as_f64().into());
    }
    value
}

thread_local! {
    static GOOD: String = record();
}

#[test]
fn the_schema_is_current() {
    let schema = serde_json::to_string_pretty(&state_file::schema()).unwrap() + "\n";
    expect_file![concat!(env!("CARGO_MANIFEST_DIR"), "/../../state/record.schema.json")].assert_eq(&schema);
}

/// Every reference in the schemas of `state/` leads to a definition at the root of that schema.
#[test]
fn the_references_of_each_schema_resolve() {
    fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
        match value {
            Value::Object(fields) => {
                found.extend(fields.get("$ref").and_then(Value::as_str));
                fields.values().for_each(|inner| references(inner, found));
            }
            Value::Array(entries) => entries.iter().for_each(|inner| references(inner, found)),
            _ => {}
        }
    }
    for name in ["record", "standings"] {
        let path = format!("{}/../../state/{name}.schema.json", env!("CARGO_MANIFEST_DIR"));
        let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let mut found = Vec::new();
        references(&schema, &mut found);
        assert!(!found.is_empty(), "{name} refers to definitions");
        let leads = |to: &str| to.strip_prefix('#').is_some_and(|pointer| schema.pointer(pointer).is_some());
        found.retain(|to| !leads(to));
        assert!(found.is_empty(), "{name} has references that lead nowhere: {found:?}");
        let defined: Vec<&String> = schema["$defs"].as_object().into_iter().flat_map(|all| all.keys()).collect();
        let text = schema.to_string();
        let unused = defined.iter().find(|name| !text.contains(&format!("\"#/$defs/{name}\"")));
        assert_eq!(unused, None, "{name} defines what nothing refers to");
    }
}

/// The directories with records. A folder in `docs/boards` has those of a game that was added later.
const FOLDERS: [&str; 5] =
    ["state", "docs/boards", "tests/dice", "tests/records/backgammon-drops", "tests/records/backgammon-takes"];

/// Every record in this repository loads and is named after its issue. `UPDATE_EXPECT=1` rewrites those that load.
#[test]
fn the_records_of_this_repository_are_as_the_program_writes_them() {
    let folders = FOLDERS.map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder));
    let paths =
        |folder: &PathBuf| std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect::<Vec<_>>();
    let added = paths(&folders[1]).into_iter().filter(|path| path.is_dir());
    let folders: Vec<PathBuf> = folders.iter().cloned().chain(added).collect();
    let mut seen = 0;
    for file in folders.iter().flat_map(paths) {
        let name = file.file_name().unwrap().to_str().unwrap();
        let Some(issue) = name.strip_suffix(".json").and_then(|issue| issue.parse().ok()) else { continue };
        let text = std::fs::read_to_string(&file).unwrap();
        let table = state_file::load(&text, issue).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
        expect_file![file].assert_eq(&state_file::to_json(&table));
        seen += 1;
    }
    assert!(seen >= 12, "{seen}");
}

#[test]
fn level_0_is_refused_in_a_game_without_it() {
    for (game, refusal) in [("connect-four", None), ("hex", Some("the game has no level 0"))] {
        let table = Scenario::played(&format!("/new {game} computer level=1"), &[]).table(1);
        let text = state_file::to_json(&table).replace(r#""computer": 1"#, r#""computer": 0"#);
        let error = state_file::load(&text, IssueNumber::new(1)).map(drop).map_err(|error| error.to_string()).err();
        assert_eq!(error.is_some(), refusal.is_some(), "{game}: {error:?}");
        assert!(error.unwrap_or_default().contains(refusal.unwrap_or_default()), "{game}");
    }
}

/// At a table with `autoplay`, a record has the only legal move, and no other.
#[test]
fn a_record_has_exactly_the_forced_moves() {
    let text = Scenario::played("/new checkers @bob autoplay", &["alice: 11-15", "bob: 22-18"]).record(1);
    let table = state_file::load(&text, IssueNumber::new(1)).unwrap();
    assert_eq!((state_file::to_json(&table), table.plies().len()), (text.clone(), 3));
    let (effects, autoplay) = (r#""then": [{ "forced": "15x22" }]"#, "  \"autoplay\": true,\n");
    for (find, put, sentence) in [
        (effects, r#""then": []"#, "the only legal move, `15x22`, had to follow here, but it isn't recorded"),
        (effects, r#""then": [{ "forced": "15x23" }]"#, "the move should be written `15x22`"),
        (autoplay, "", "a forced move is recorded here, but none was due"),
    ] {
        assert!(text.contains(find), "{text}");
        let error = state_file::load(&text.replacen(find, put, 1), IssueNumber::new(1)).map(drop).unwrap_err();
        assert!(error.to_string().ends_with(sentence), "{error}");
    }
}

/// The form for any game says of every event what the form of its own game says, and leads back to it.
#[test]
fn every_event_is_written_and_read_for_any_game() {
    let level = Level::MAX;
    let config = GameConfig { board_size: 3, k_in_row: 3, first_player: Mark::X, mode: GameMode::HumanVsHuman };
    let game = start::<TicTacToe>(config).unwrap();
    let mv = game.parse_move("b2").unwrap();
    let kinds: Vec<EventKind> = vec![
        EventKind::opening(Some(Player::Computer(level))),
        EventKind::Join,
        EventKind::Move { notation: "b2".to_owned(), mv: mv.clone() },
        EventKind::OfferDraw,
        EventKind::AcceptDraw,
        EventKind::ClaimDraw,
        EventKind::Decline,
        EventKind::AskUndo,
        EventKind::Hint,
        EventKind::Undo { plies: 2 },
        EventKind::Resign,
        EventKind::OfferResign,
        EventKind::AcceptResign,
        EventKind::ResignFor { cost: "gammon".to_owned() },
        EventKind::Abort,
        EventKind::MovedHere { from: IssueNumber::new(3) },
        EventKind::MovedAway { to: IssueNumber::new(4) },
        EventKind::Claim,
        EventKind::ImportedEnd { result: ImportedResult::Won, reason: Some(ImportedReason::Time) },
        EventKind::ImportedEnd { result: ImportedResult::Draw, reason: None },
        EventKind::SeatComputer { level },
        EventKind::AskComputer { level },
        EventKind::If {
            line: vec!["b2".to_owned(), "a1".to_owned()],
            more: vec![vec!["b3".to_owned(), "a1".to_owned()]],
        },
        EventKind::announcing(Vec::new()),
        EventKind::Extend { time: Duration::from_secs(86_400), late: Duration::from_millis(7) },
        EventKind::Nudge,
    ];
    let then = vec![
        Effect::Roll([6, 5]),
        Effect::Forced("b2".to_owned()),
        Effect::Reply(Reply { notation: "b2".to_owned(), mv, engine: 7 }),
        Effect::Conditional("a1".to_owned()),
        Effect::Draw(true),
        Effect::Draw(false),
        Effect::Resignation(true),
        Effect::Resignation(false),
    ];
    for (kind, seat) in kinds.into_iter().zip([Some(Seat::First), Some(Seat::Second), None].into_iter().cycle()) {
        let source = place(8, 9);
        let event = Event {
            kind,
            offers_draw: false,
            votes: Vec::new(),
            seat,
            author: UserId::new(1001),
            source,
            timestamp: Timestamp::from_millis(10),
            time_away: Duration::ZERO,
            clock_start: None,
            effects: then.clone(),
            key: None,
        };
        let written = json::event_to_value(&event, &game);
        let read: Event<AnyMove, Value> = json::from_value(&written).unwrap();
        assert_eq!(json::to_value(&read), written);
        assert_eq!(json::read_event(read, &game).unwrap(), event);
    }
}
