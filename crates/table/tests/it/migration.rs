//! Records of version 1, as they lie in repositories: read as strictly as ever, and written as version 2 with their next event.
//! `UPDATE_EXPECT=1 cargo test -p play-by-commit-table migration` writes the records of this repository again.

use std::fs;
use std::path::{Path, PathBuf};

use expect_test::{Expect, expect, expect_file};
use game::contract::{Notation, Rules};
use protocol::repo_config::Trigger;
use protocol::settle::settle;
use serde_json::{Value, json};
use table::any_table::AnyTable;
use table::ids::IssueNumber;
use table::state_file::{self, MAX_BYTES};
use testkit::place;
use testkit::world::{World, default_config, run};

/// Real games as version 1 wrote them, as version 2 writes them, and their issue.
const GAMES: [(&str, &str, u64); 3] = [
    ("tests/records/version-1/tic-tac-toe/0.json", "tests/records/tic-tac-toe/0.json", 0),
    ("tests/records/version-1/backgammon-proved/1.json", "tests/dice/1.json", 1),
    ("tests/records/version-1/backgammon-drops/1.json", "tests/records/backgammon-drops/1.json", 1),
];
/// Where this repository has records of the present version.
const FOLDERS: [&str; 5] =
    ["state", "docs/boards", "tests/dice", "tests/records/backgammon-drops", "tests/records/backgammon-takes"];
/// How long a record could get with version 1, in bytes.
const MAX_BYTES_1: usize = 400_000;

fn path(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn text(file: &str) -> String {
    fs::read_to_string(path(file)).unwrap()
}

/// A record of version 2 as version 1 of the format had it.
pub(crate) fn version_1(mut record: Value) -> Value {
    record["schema"] = json!(1);
    for event in record["history"].as_array_mut().unwrap() {
        if let Some(then) = event.as_object_mut().unwrap().remove("then") {
            event["dice"] = then.as_array().unwrap().iter().map(|roll| roll["throw"].clone()).collect();
        }
    }
    record
}

#[test]
fn a_game_of_version_1_is_the_same_in_version_2() {
    for (old, new, issue) in GAMES {
        let old = text(old);
        let table = state_file::load(&old, IssueNumber::new(issue)).unwrap();
        expect_file![path(new)].assert_eq(&state_file::to_json(&table));
        let new = text(new);
        assert_eq!(state_file::load(&new, IssueNumber::new(issue)).as_ref(), Ok(&table));
        assert!(old.starts_with("{\n  \"schema\": 1,") && new.starts_with("{\n  \"schema\": 2,"));
        let value = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        assert_eq!(version_1(value(&new)), value(&old));
        let room = new.len() * MAX_BYTES_1 <= old.len() * MAX_BYTES;
        assert!(room, "a full record of version 1 can't be written any more: {} bytes from {}", new.len(), old.len());
    }
}

#[test]
fn the_records_of_this_repository_are_of_version_2() {
    let mut seen = 0;
    for file in FOLDERS.iter().flat_map(|folder| fs::read_dir(path(folder)).unwrap()).map(|file| file.unwrap().path()) {
        let name = file.file_name().unwrap().to_str().unwrap();
        let Some(issue) = name.strip_suffix(".json").and_then(|issue| issue.parse().ok()) else { continue };
        let table = state_file::load(&fs::read_to_string(&file).unwrap(), issue).unwrap();
        expect_file![file].assert_eq(&state_file::to_json(&table));
        seen += 1;
    }
    assert_eq!(seen, 12);
}

/// The proved game with one text put in the place of another is refused with this sentence.
#[track_caller]
fn refused(file: &str, find: &str, put: &str, sentence: &Expect) {
    let good = text(file);
    assert!(good.contains(find), "{find:?} is in the record:\n{good}");
    let error = state_file::load(&good.replacen(find, put, 1), IssueNumber::new(1)).map(drop).unwrap_err();
    sentence.assert_eq(&error.to_string());
}

#[test]
fn whatever_was_changed_by_hand_is_named_as_version_1_names_it() {
    for (find, put, sentence) in [
        (
            r#""dice": [[3, 6]]"#,
            r#""dice": [[3, 5]]"#,
            expect!["`history[2]` can't have happened: the move isn't legal: Die 6 is not available (remaining: 3, 5)"],
        ),
        (
            r#""dice": [[2, 2], [6, 4]]"#,
            r#""dice": [[6, 4], [2, 2]]"#,
            expect!["`history[0]` can't have happened: a roll is recorded here, but none was due"],
        ),
        (
            r#""dice": [[3, 6]]"#,
            r#""dice": [[3, 6], [1, 2]]"#,
            expect!["`history[1]` can't have happened: a roll is recorded here, but none was due"],
        ),
        (r#""dice": [[3, 6]]"#, r#""dice": []"#, expect!["`history[1].dice` isn't a list of rolls"]),
        (r#""dice": [[3, 6]]"#, r#""dice": [[3, 6, 1]]"#, expect!["`history[1].dice` isn't a list of rolls"]),
        (r#""type": "resign""#, r#""type": "resign", "dice": []"#, expect!["`history[9].dice` isn't a list of rolls"]),
        (
            r#""dice": [[3, 6]]"#,
            r#""dice": [[3, 6]], "then": []"#,
            expect!["`history[1].then` isn't a field of a record with `schema` 1"],
        ),
        (
            r#""dice": [[3, 6]]"#,
            r#""then": [{ "throw": [3, 6] }]"#,
            expect!["`history[1].then` isn't a field of a record with `schema` 1"],
        ),
        (
            r#""status": "won""#,
            r#""status": "draw""#,
            expect![[r#"`status` says `"draw"`, but the history gives `"won"`"#]],
        ),
        (
            r#""round": 1"#,
            r#""round": "one""#,
            expect![[r#"it isn't a valid record: invalid type: string "one", expected u32 in `round`"#]],
        ),
        (r#""round": 1,"#, "", expect!["it isn't a valid record: missing field `round`"]),
        (
            r#""by": 1"#,
            r#""bye": 1, "by": 1"#,
            expect!["it isn't a valid record: data did not match any variant of untagged enum Move in `history[2]`"],
        ),
        (
            r#""round": 1"#,
            r#""round": 1, "note": 1"#,
            expect![
                "it isn't a valid record: unknown field `note`, expected one of `schema`, `issue`, `repository`, `round`, `game`, `config`, `perMove`, `bank`, `open`, `casual`, `imported`, `movedFrom`, `seats`, `movers`, `status`, `currentPla in `note`"
            ],
        ),
        (
            r#""schema": 1"#,
            r#""schema": 2"#,
            expect!["`history[0]` can't have happened: the dice had to be rolled here, but no roll is recorded"],
        ),
    ] {
        refused(GAMES[1].0, find, put, &sentence);
    }
    for no_record in [r#"[1, "backgammon"]"#, r#"{ "schema": 1, "game": "backgammon", "history": [1] }"#] {
        assert!(
            state_file::load(no_record, IssueNumber::new(1))
                .unwrap_err()
                .to_string()
                .starts_with("it isn't a valid record: ")
        );
    }
}

#[test]
fn whatever_followed_is_named_as_version_2_names_it() {
    for (find, put, sentence) in [
        (
            r#""then": [{ "throw": [2, 2] }, { "throw": [6, 4] }]"#,
            r#""then": [{ "throw": [6, 4] }, { "throw": [2, 2] }]"#,
            expect!["`history[0]` can't have happened: a roll is recorded here, but none was due"],
        ),
        (
            r#""then": [{ "throw": [3, 6] }]"#,
            r#""then": [{ "throw": [3, 6] }], "dice": [[3, 6]]"#,
            expect!["it isn't a valid record: data did not match any variant of untagged enum Move in `history[1]`"],
        ),
        (
            r#"{ "throw": [3, 6] }"#,
            r#"{ "throw": [3, 6], "by": 1 }"#,
            expect!["it isn't a valid record: expected value at line 41 column 32"],
        ),
        (
            r#"{ "throw": [3, 6] }"#,
            r#"{ "thunder": { "notation": "a1" } }"#,
            expect![
                "it isn't a valid record: unknown variant `thunder`, expected one of `throw`, `forced`, `if`, `reply`, `draw`, `resignation` at line 41 column 26"
            ],
        ),
        (r#"{ "throw": [3, 6] }"#, "[3, 6]", expect!["it isn't a valid record: expected value at line 41 column 16"]),
        (
            r#""type": "resign""#,
            r#""type": "resign", "then": []"#,
            expect!["`history[9].then` isn't a field of a record"],
        ),
    ] {
        refused(GAMES[1].1, find, put, &sentence);
    }
}

/// Looking at a game changes nothing in its file.
#[test]
fn the_next_event_migrates_a_record_and_nothing_else_does() {
    let world = World::new();
    world.open_issue("alice", "/new backgammon @bob");
    let say =
        |comment| run(settle(&world, &default_config(), Trigger::Comment { source: place(1, comment), table: None }));
    say(0).unwrap().unwrap();
    let new: Value = serde_json::from_str(&world.file("state/1.json").unwrap()).unwrap();
    let old = serde_json::to_string_pretty(&version_1(new.clone())).unwrap();
    assert!(old.contains("\"dice\": [\n"), "{old}");
    world.land(&[("state/1.json", &old)]);
    let head = world.head();
    say(world.comment(1, "alice", "/board")).unwrap().unwrap();
    say(world.comment(1, "alice", "/moves")).unwrap().unwrap();
    assert_eq!(world.head(), head);
    let Ok(AnyTable::Backgammon(table)) = state_file::load(&old, IssueNumber::new(1)) else { panic!("it is read") };
    let mv = table.game().notation(&table.game().legal_moves()[0]);
    let who = if table.player_to_move().index() == 0 { "alice" } else { "bob" };
    say(world.comment(1, who, &mv)).unwrap().unwrap();
    let text = world.file("state/1.json").unwrap();
    let migrated: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(migrated["schema"], 2);
    assert_eq!(migrated["history"][0], new["history"][0]);
    assert_eq!(migrated["history"][1]["notation"], mv);
    assert_eq!(state_file::to_json(&state_file::load(&text, IssueNumber::new(1)).unwrap()), text);
}
