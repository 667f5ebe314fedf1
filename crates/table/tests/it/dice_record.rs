//! A finished game whose dice are proved, and what becomes of it when somebody improves on it.

use serde_json::{Value, json};
use table::{CommentId, IssueNumber, Timestamp, UserId, state_file};

/// A game of backgammon as the program wrote it: a tie at the opening, ten rolls in all, ended by `/resign`.
const RECORD: &str = include_str!("../../../../tests/dice/1.json");
/// The secret that it was played with.
const SECRET: &str = "0123456789abcdef0123456789abcdef";

fn value() -> Value {
    serde_json::from_str(RECORD).unwrap()
}

/// Returns the error for the record after a change.
fn refused(change: impl FnOnce(&mut Value)) -> String {
    let mut value = value();
    change(&mut value);
    assert_ne!(value, self::value(), "nothing was changed");
    state_file::load(&value.to_string(), IssueNumber::new(1)).map(drop).expect_err("it was believed").to_string()
}

/// The number of the last event.
fn last() -> usize {
    value()["history"].as_array().unwrap().len() - 1
}

#[test]
fn it_loads_and_is_written_as_it_was() {
    let table = state_file::load(RECORD, IssueNumber::new(1)).unwrap();
    assert_eq!(state_file::to_json(&table), RECORD);
    assert!(!RECORD.contains(SECRET), "the secret is nowhere in it");
}

#[test]
fn its_key_is_the_one_of_its_opening() {
    use table::dice::parse_secret;
    use table::{Key, RoundContext};
    let value = value();
    let opening = &value["history"][0];
    let occasion = RoundContext {
        issue: IssueNumber::new(value["issue"].as_u64().unwrap()),
        round: 1,
        author: UserId::new(opening["by"].as_u64().unwrap()),
        comment: CommentId::new(opening["source"]["comment"].as_u64().unwrap()),
        time: Timestamp::from_millis(opening["timestamp"].as_u64().unwrap()),
    };
    let key = Key::derive(&parse_secret(SECRET).unwrap(), &occasion);
    assert_eq!(value["history"][last()]["key"], key.to_hex());
    assert_eq!(opening["commitment"], key.commitment().to_string());
}

/// Checks the error for the record after replacing one text with another.
#[test]
fn whatever_followed_an_event_is_named() {
    for (find, put, sentence) in [
        (
            r#""then": [{ "throw": [1, 1] }, { "throw": [5, 3] }]"#,
            r#""then": [{ "throw": [5, 3] }, { "throw": [1, 1] }]"#,
            "`history[0]` can't have happened: a roll is recorded here, but none was due",
        ),
        (
            r#""then": [{ "throw": [6, 3] }]"#,
            r#""then": [{ "throw": [6, 3] }], "dice": [[6, 3]]"#,
            "it isn't a valid record: data did not match any variant of untagged enum Move in `history[1]`",
        ),
        (
            r#"{ "throw": [6, 3] }"#,
            r#"{ "throw": [3, 6], "by": 1 }"#,
            "it isn't a valid record: expected value at line 41 column 32",
        ),
        (
            r#"{ "throw": [6, 3] }"#,
            r#"{ "thunder": { "notation": "a1" } }"#,
            "it isn't a valid record: unknown variant `thunder`, expected one of `throw`, `forced`, `if`, `reply`, `draw`, \
                `resignation`, `ballot` at line 41 column 26",
        ),
        (r#"{ "throw": [6, 3] }"#, "[3, 6]", "it isn't a valid record: expected value at line 41 column 16"),
        (r#""cost": "single","#, r#""cost": "single", "then": [],"#, "`history[9].then` isn't a field of a record"),
    ] {
        assert!(RECORD.contains(find), "{find:?} is in the record");
        let edited = RECORD.replacen(find, put, 1);
        assert_eq!(state_file::load(&edited, IssueNumber::new(1)).map(drop).unwrap_err().to_string(), sentence);
    }
}

fn roll(one: u8, two: u8) -> Value {
    json!({ "throw": [one, two] })
}

/// Nobody has moved with the last dice, so the rules would allow any that let white enter: only the key objects.
#[test]
fn a_forged_roll() {
    let at = last() - 1;
    assert_eq!(value()["history"][at]["then"], json!([roll(4, 1)]));
    let sentence = refused(|record| record["history"][at]["then"] = json!([roll(4, 3)]));
    expect_test::expect!["`history[9]` can't have happened: the dice don't match their key: roll 10 is recorded as 4-3, but the key gives 4-1"].assert_eq(&sentence);
    // The order of two dice is a part of them.
    let sentence = refused(|record| record["history"][at]["then"] = json!([roll(1, 4)]));
    expect_test::expect!["`history[9]` can't have happened: the dice don't match their key: roll 10 is recorded as 1-4, but the key gives 4-1"].assert_eq(&sentence);
    // Nor does a tie at the opening change anything in the game.
    let sentence = refused(|record| record["history"][0]["then"][0] = roll(5, 5));
    expect_test::expect!["`history[9]` can't have happened: the dice don't match their key: roll 1 is recorded as 5-5, but the key gives 1-1"].assert_eq(&sentence);
    let sentence = refused(|record| record["history"][at]["then"] = json!([roll(7, 0)]));
    expect_test::expect!["`history[8]` can't have happened: two dice can't show 7 and 0"].assert_eq(&sentence);
}

#[test]
fn every_false_roll_is_named() {
    let sentence = refused(|record| {
        record["history"][0]["then"][0] = roll(5, 5);
        record["history"][8]["then"] = json!([roll(1, 1)]);
    });
    expect_test::expect!["`history[9]` can't have happened: the dice don't match their key: roll 1 is recorded as 5-5, but the key gives 1-1; roll 10 is recorded as 1-1, but the key gives 4-1"].assert_eq(&sentence);
}

#[test]
fn a_roll_added() {
    // A tie more at the opening moves all later rolls on by one number.
    let sentence = refused(|record| record["history"][0]["then"].as_array_mut().unwrap().insert(0, roll(2, 2)));
    expect_test::expect!["`history[9]` can't have happened: the dice don't match their key: roll 1 is recorded as 2-2, but the key gives 1-1; roll 2 is recorded as 1-1, but the key gives 5-3; roll 3 is recorded as 5-3, but the key gives 5-1; roll 4 is recorded as 6-3, but the key gives 2-1; roll 5 is recorded as 1-6, but the key gives 6-2; roll 6 is recorded as 3-1, but the key gives 4-2; roll 7 is recorded as 5-2, but the key gives 5-3; roll 8 is recorded as 1-4, but the key gives 4-6; roll 9 is recorded as 6-5, but the key gives 3-4; roll 10 is recorded as 3-3, but the key gives 5-1; roll 11 is recorded as 4-1, but the key gives 4-3"].assert_eq(&sentence);
    // After a move, one roll is due and no second one.
    let sentence = refused(|record| record["history"][3]["then"].as_array_mut().unwrap().push(roll(6, 6)));
    expect_test::expect!["`history[3]` can't have happened: a roll is recorded here, but none was due"]
        .assert_eq(&sentence);
    let sentence = refused(|record| record["history"][last()]["then"] = json!([roll(6, 6)]));
    expect_test::expect!["`history[9]` can't have happened: a roll is recorded here, but none was due"]
        .assert_eq(&sentence);
}

#[test]
fn a_roll_left_out() {
    let sentence = refused(|record| drop(record["history"][0]["then"].as_array_mut().unwrap().remove(0)));
    expect_test::expect!["`history[9]` can't have happened: the dice don't match their key: roll 1 is recorded as 5-3, but the key gives 1-1; roll 2 is recorded as 6-3, but the key gives 2-5; roll 3 is recorded as 1-6, but the key gives 2-2; roll 4 is recorded as 3-1, but the key gives 1-5; roll 5 is recorded as 5-2, but the key gives 5-6; roll 6 is recorded as 1-4, but the key gives 1-3; roll 7 is recorded as 6-5, but the key gives 5-2; roll 8 is recorded as 3-3, but the key gives 2-6; roll 9 is recorded as 4-1, but the key gives 2-6"].assert_eq(&sentence);
    let sentence = refused(|record| drop(record["history"][0]["then"].as_array_mut().unwrap().pop()));
    expect_test::expect!["`history[0]` can't have happened: the dice had to be rolled here, but no roll is recorded"]
        .assert_eq(&sentence);
    let sentence = refused(|record| drop(record["history"][last() - 1].as_object_mut().unwrap().remove("then")));
    expect_test::expect!["`history[8]` can't have happened: the dice had to be rolled here, but no roll is recorded"]
        .assert_eq(&sentence);
}

/// A player who wants other dice claims that another comment caused them.
#[test]
fn a_roll_of_another_comment() {
    let sentence = refused(|record| record["history"][8]["source"]["comment"] = json!(49));
    expect_test::expect!["`history[9]` can't have happened: the dice don't match their key: roll 10 is recorded as 4-1, but the key gives 5-1"].assert_eq(&sentence);
    let sentence = refused(|record| record["round"] = json!(2));
    assert!(sentence.contains("roll 1 is recorded as 1-1, but the key gives "), "{sentence}");
}

const OTHER_KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
/// The SHA-256 of the other key.
const OTHER_COMMITMENT: &str = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd";

#[test]
fn a_forged_key() {
    let sentence = refused(|record| record["history"][last()]["key"] = OTHER_KEY.into());
    expect_test::expect![
        "`history[9]` can't have happened: the key of the dice doesn't match the hash that was published at the start"
    ]
    .assert_eq(&sentence);
}

#[test]
fn a_swapped_commitment() {
    let sentence = refused(|record| record["history"][0]["commitment"] = OTHER_COMMITMENT.into());
    expect_test::expect![
        "`history[9]` can't have happened: the key of the dice doesn't match the hash that was published at the start"
    ]
    .assert_eq(&sentence);
    // With its own key, all rolls are another round's.
    let sentence = refused(|record| {
        record["history"][0]["commitment"] = OTHER_COMMITMENT.into();
        record["history"][last()]["key"] = OTHER_KEY.into();
    });
    expect_test::expect!["`history[9]` can't have happened: the dice don't match their key: roll 1 is recorded as 1-1, but the key gives 6-4; roll 2 is recorded as 5-3, but the key gives 2-5; roll 3 is recorded as 6-3, but the key gives 1-5; roll 4 is recorded as 1-6, but the key gives 4-6; roll 5 is recorded as 3-1, but the key gives 6-4; roll 6 is recorded as 5-2, but the key gives 6-6; roll 7 is recorded as 1-4, but the key gives 6-6; roll 8 is recorded as 6-5, but the key gives 4-6; roll 9 is recorded as 3-3, but the key gives 2-3; roll 10 is recorded as 4-1, but the key gives 5-1"].assert_eq(&sentence);
    // Without a commitment there is nothing to prove, and no key to be shown.
    let sentence = refused(|record| drop(record["history"][0].as_object_mut().unwrap().remove("commitment")));
    expect_test::expect!["`history[9]` can't have happened: a key of the dice is shown here, but none was due"]
        .assert_eq(&sentence);
}

#[test]
fn a_key_too_early() {
    for at in [0, 4] {
        let sentence = refused(|record| record["history"][at]["key"] = record["history"][last()]["key"].clone());
        assert_eq!(
            sentence,
            format!("`history[{at}]` can't have happened: a key of the dice is shown here, but none was due")
        );
    }
}

#[test]
fn a_key_left_out() {
    let sentence = refused(|record| drop(record["history"][last()].as_object_mut().unwrap().remove("key")));
    expect_test::expect![
        "`history[9]` can't have happened: the last event has to show the key of the dice, but it doesn't"
    ]
    .assert_eq(&sentence);
}
